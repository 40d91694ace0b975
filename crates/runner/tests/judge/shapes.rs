//! Games of other shapes than ours: both at once, a fresh process a round, forgiven lateness.

use conformance::toys::{duel, sprint};
use game::{Fault, PerSeat, RemarkKind, Seat, Sitter};
use referee::{AnyGame, Entry};
use runner::{Played, Wires};
use serde_json::{Value, json};

use crate::{
    Case,
    kit::{Ground, Kit, block_on, terms},
};

pub(crate) static SPRINT: Entry<sprint::Sprint, sprint::Numbers> = Entry::NEW;
pub(crate) static DUEL: Entry<duel::Duel, duel::Blocks> = Entry::NEW;

pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for ground in [Ground::Plain, Ground::Jailed] {
        let case = |name: &str, case: fn(&Kit, Ground)| -> Case {
            Case::plain(format!("{name} ({ground:?})"), move |kit: &mut Kit| case(kit, ground))
        };
        cases.extend([
            case("both run at once, with a fresh process each race", runs_twice),
            case("what is said too much is one fault", has_one_verdict),
            case("what is said ahead is too much, or the next answer", runs_ahead),
            case("who is late is out for one race", is_late_in_each_race),
            case("who is late and forgiven still owes its lines", owes),
            case("surplus that is dropped is remarked on", drops),
        ]);
    }
    cases
}

fn runs_twice(kit: &Kit, ground: Ground) {
    let played = sprint(kit, ground, ["runs.c", "runs.c"]);
    for (_, report) in played.seats.iter() {
        assert_eq!((&report.fault, report.stderr.as_str()), (&None, "born\nborn\n"), "{report:?}");
        // A handshake, and a step for each cell, less the one that the outer start is ahead.
        assert_eq!(report.answers, 2 + 10 + 9, "{report:?}");
    }
    assert_eq!(played.outcome.places, PerSeat::from(vec![1, 1]));
}

fn has_one_verdict(kit: &Kit, ground: Ground) {
    for _ in 0..10 {
        let played = sprint(kit, ground, ["runs_and_says_too_much.c", "runs.c"]);
        let report = &played.seats[Seat(0)];
        assert_eq!(report.faults, 2, "{report:?}");
        let Some((_, Fault::Garbled(_))) = report.fault else { panic!("{report:?}") };
        assert!(played.seats[Seat(1)].fault.is_none());
    }
}

/// A second line in a write of its own is too much where it came before the pause. Where the
/// kernel lets the bot write it only once it is woken, it is the next answer, since nobody can
/// know what a bot has read. It is never anything else, and never the opponent's harm.
fn runs_ahead(kit: &Kit, ground: Ground) {
    for _ in 0..10 {
        let played = sprint(kit, ground, ["runs_ahead.c", "runs.c"]);
        let report = &played.seats[Seat(0)];
        let one_or_the_other = match &report.fault {
            Some((_, Fault::Garbled(_))) => report.faults <= 2,
            fault => fault.is_none() && report.faults == 0,
        };
        assert!(one_or_the_other, "{report:?}");
        assert!(played.seats[Seat(1)].fault.is_none());
    }
}

fn is_late_in_each_race(kit: &Kit, ground: Ground) {
    let played = sprint(kit, ground, ["runs_late.c", "runs.c"]);
    let report = &played.seats[Seat(0)];
    assert_eq!((report.faults, report.answers), (2, 2), "{report:?}");
    assert!(matches!(report.fault, Some((_, Fault::Late))), "{report:?}");
    assert!(played.seats[Seat(1)].fault.is_none());
    assert_eq!(played.outcome.places, PerSeat::from(vec![2, 1]));
}

fn owes(kit: &Kit, ground: Ground) {
    let played = duel(kit, ground, ["duels_late_once.c", "duels.c"]);
    let report = &played.seats[Seat(0)];
    assert_eq!((report.faults, report.answers), (1, 11), "{report:?}");
    assert!(matches!(report.fault, Some((0, Fault::Late))), "{report:?}");
    assert_eq!(played.seats[Seat(1)].answers, 12);
}

fn drops(kit: &Kit, ground: Ground) {
    let played = duel(kit, ground, ["duels_at_length.c", "duels.c"]);
    let report = &played.seats[Seat(0)];
    assert_eq!((&report.fault, report.answers), (&None, 12), "{report:?}");
    assert!(report.warnings > 0, "{report:?}");
    let replay = DUEL.replay(&played.record, None).expect("a record");
    let warned = |it: &game::Remark| it.kind == RemarkKind::Warning && it.text.contains("dropped");
    assert!(replay.frames.iter().flat_map(|it| &it.remarks).any(warned));
}

fn sprint(kit: &Kit, ground: Ground, bots: [&str; 2]) -> Played {
    let setup = json!({ "length": 10, "steps_max": 50, "think_ms": 1000 });
    play(kit, ground, &SPRINT, bots, &setup)
}

fn duel(kit: &Kit, ground: Ground, bots: [&str; 2]) -> Played {
    play(kit, ground, &DUEL, bots, &json!({ "fights": 3, "turns": 4 }))
}

fn play(kit: &Kit, ground: Ground, game: &dyn AnyGame, bots: [&str; 2], setup: &Value) -> Played {
    let sitters = PerSeat::new(2, |_| Sitter::Bot);
    let (referee, terms) = (game.referee(setup, sitters).expect("a set-up"), terms());
    let played = match ground {
        Ground::Plain => {
            let programs =
                PerSeat::from(bots.map(|it| Some(kit.plain(it))).into_iter().collect::<Vec<_>>());
            block_on(runner::play(referee, &programs, &terms, Wires::default()))
        }
        Ground::Jailed => {
            let programs =
                PerSeat::from(bots.map(|it| Some(kit.jailed(it))).into_iter().collect::<Vec<_>>());
            block_on(runner::play(referee, &programs, &terms, Wires::default()))
        }
    };
    played.unwrap_or_else(|error| panic!("{error}"))
}
