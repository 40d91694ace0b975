//! Bots that games ship, in jails: whole matches without a fault, and what is kept of them; and what
//! comes of bots that misbehave at a game in which whoever is late lives on.

use std::fs;

use game::{Fraction, PerSeat, Seat, Sitter};
use runner::{JailedProgram, PlayError, Played, Wires, pack_record};
use serde_json::{Value, json};

use crate::{
    Case, adapted,
    builds::alone,
    kit::{Kit, block_on, config, patient, terms},
};

/// What a round of a stored match of Planes may take.
const BYTES_OF_A_ROUND_MAX: usize = 12;
/// Matches in a row that a busy host may disturb.
const ATTEMPTS_MAX: u32 = 20;

/// Those of Planes that meet: both languages, and play that is long, short, wild and calm.
const PAIRS: [[&str; 2]; 6] = [
    ["predict.cpp", "shooter.cpp"],
    ["predict.py", "predict.cpp"],
    ["predict.py", "shooter.py"],
    ["shooter.py", "circling.cpp"],
    ["beginner.py", "shooter.cpp"],
    ["circling.py", "straight.cpp"],
];

/// Entries as they were written for the contest of 2014, among them one of then.
const ENTRIES: [[&str; 2]; 3] = [
    ["java/PredictAndAvoid.java", "java/Shooter.java"],
    ["java/WallAvoider.java", "java/Circling.java"],
    ["java/Straight.java", "../seed-bots/DumbPlanes.java"],
];

/// Of the hostile bots those that anybody might write: dead, silent, late and talkative ones.
const HOSTILE: [&str; 13] = [
    "answers_once_then_exits",
    "bytes_that_are_no_text",
    "closes_its_input",
    "closes_output",
    "crashes",
    "exits",
    "floods_short_lines",
    "floods_without_line_end",
    "never_reads",
    "partial_line_then_exits",
    "partial_line_then_sleeps",
    "sleeps",
    "spins",
];

pub(crate) fn cases() -> Vec<Case> {
    vec![
        Case::plain("documented bots of Planes play without a fault and fill little room", |kit| {
            fly(kit, &PAIRS)
        }),
        Case::plain("adapted: entries in Java play without a fault and fill little room", |kit| {
            fly(kit, &ENTRIES)
        }),
        Case::plain("bots that misbehave at Planes lose and hold up nobody", misbehave),
    ]
}

fn fly(kit: &Kit, pairs: &[[&str; 2]]) {
    for pair in pairs {
        let [Some(one), Some(other)] = pair.map(|it| bot(kit, it)) else { continue };
        let bots = [one, other];
        let Played { record, plies, seats, .. } = play_planes(bots, &json!({ "fights": 100 }));
        for (_, report) in seats.iter() {
            assert_eq!((&report.fault, report.warnings), (&None, 0), "{pair:?}: {report:?}");
        }
        let packed = pack_record(&record).expect("a record can be packed");
        let allowed = BYTES_OF_A_ROUND_MAX * plies as usize;
        let found = packed.len();
        println!("{pair:?}: {:.1} bytes for a round", found as f64 / f64::from(plies));
        assert!(found <= allowed, "{pair:?}: {found} bytes, allowed {allowed}");
    }
}

/// A bot of Planes by its file; none where this machine lacks its language. Those in Java are entries
/// as they were written for the contest of 2014.
fn bot(kit: &Kit, file: &str) -> Option<JailedProgram> {
    let path = config().join("games/planes/bots").join(file);
    if !file.ends_with(".java") {
        return Some(kit.jailed_from(&path));
    }
    let source = fs::read(&path).unwrap_or_else(|it| panic!("{}: {it}", path.display()));
    let built = adapted::built(kit, &alone(&source))?;
    Some(built.unwrap_or_else(|why| panic!("{file}: {why}")))
}

/// Whatever one does, it ends as a match should: the other one, which but keeps off the walls, wins
/// all fights.
fn misbehave(kit: &mut Kit) {
    let fights = 3;
    let turn_ms = patient(1_000);
    let setup = json!({ "fights": fights, "turn_ms": turn_ms, "total_ms": patient(1_500) });
    for name in HOSTILE {
        let good = kit.jailed_from(&config().join("games/planes/bots/beginner.c"));
        let bots = [kit.jailed(&format!("{name}.c")), good];
        let Played { outcome, seats, .. } = play_planes(bots, &setup);
        let won = outcome.measures[0][Seat(1)];
        assert_eq!(won, Fraction::from(fights), "{name}: {outcome:?} {seats:?}");
        let report = &seats[Seat(0)];
        assert!(report.fault.is_some() || report.warnings > 0, "{name}: {report:?}");
        assert!(seats[Seat(1)].fault.is_none(), "{name}: {:?}", seats[Seat(1)]);
    }
}

/// A match that the host has disturbed is void and comes again, as it does everywhere.
pub(crate) fn play_planes(bots: [JailedProgram; 2], setup: &Value) -> Played {
    let programs = PerSeat::from(Vec::from(bots.map(Some)));
    let terms = terms();
    for _ in 0..ATTEMPTS_MAX {
        let sitters = PerSeat::new(2, |_| Sitter::Bot);
        let referee = games::find("planes").expect("a game").referee(setup, sitters);
        let played = runner::play(referee.expect("a set-up"), &programs, &terms, Wires::default());
        match block_on(played) {
            Err(PlayError::Disturbed { .. }) => {}
            played => return played.unwrap_or_else(|error| panic!("{error}")),
        }
    }
    panic!("the host has disturbed {ATTEMPTS_MAX} matches in a row");
}
