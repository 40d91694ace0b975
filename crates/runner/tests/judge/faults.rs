//! Every way to go wrong has its one fault, in a jail and without.

use game::{End, Fault, Seat};

use crate::{
    Case,
    kit::{Ground, Kit, quick},
};

/// What is wanted of a bot that goes wrong.
type Wanted = fn(&Fault) -> bool;

const BOTH: &[Ground] = &[Ground::Plain, Ground::Jailed];
const JAILED: &[Ground] = &[Ground::Jailed];

const TABLE: &[(&str, &[Ground], u32, Wanted)] = &[
    ("exits.c", BOTH, 0, |it| *it == Fault::Gone(End::Exited(3))),
    ("crashes.c", BOTH, 0, |it| *it == Fault::Gone(End::Signalled(11))),
    ("answers_then_exits.c", BOTH, 1, |it| *it == Fault::Gone(End::Exited(0))),
    ("partial_line_then_exits.c", BOTH, 0, |it| *it == Fault::Gone(End::Exited(0))),
    ("partial_line_then_sleeps.c", BOTH, 0, |it| *it == Fault::Late),
    (
        "floods_without_line_end.c",
        BOTH,
        0,
        |it| matches!(it, Fault::Garbled(why) if why.contains("65536") || why.contains("64 KiB")),
    ),
    ("sleeps.c", BOTH, 0, |it| *it == Fault::Late),
    ("sleeps_deaf_to_signals.c", BOTH, 0, |it| *it == Fault::Late),
    ("spins.c", BOTH, 0, |it| *it == Fault::Late),
    (
        "says_nonsense.py",
        BOTH,
        0,
        |it| matches!(it, Fault::Garbled(why) if why.contains("warning")),
    ),
    ("closes_output.c", BOTH, 0, |it| *it == Fault::Gone(End::ClosedOutput)),
    ("never_reads.c", BOTH, 0, |it| *it == Fault::Gone(End::Unread)),
    ("leaves_a_child_with_its_output.c", BOTH, 0, |it| *it == Fault::Gone(End::Exited(5))),
    ("uses_too_much_memory.c", JAILED, 0, |it| *it == Fault::Gone(End::OutOfMemory)),
    ("children_use_too_much_memory.c", JAILED, 0, |it| *it == Fault::Gone(End::OutOfMemory)),
    // Processes that the kernel has not yet put away count as memory.
    ("forks_without_end.c", JAILED, 0, |it| {
        matches!(it, Fault::Late | Fault::Gone(End::OutOfMemory))
    }),
];

pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for &(file, grounds, answers, wanted) in TABLE {
        for &ground in grounds {
            let name = format!("fault: {ground:?} {file}");
            cases.push((name, Box::new(move |kit| fault(kit, ground, file, answers, wanted))));
        }
    }
    cases.push(("fault: a program that is missing".into(), Box::new(missing)));
    cases
}

/// As architect and as adventurer: it loses, by its own fault, and the other has none.
fn fault(kit: &Kit, ground: Ground, file: &str, answers: u32, wanted: Wanted) {
    for seat in [Seat(0), Seat(1)] {
        let mut bots = ["stays_put.c"; 2];
        bots[usize::from(seat.0)] = file;
        let played = kit.play(ground, bots, &quick()).unwrap_or_else(|it| panic!("{it}"));
        let report = &played.seats[seat];
        let Some((_, fault)) = &report.fault else { panic!("no fault of {file}: {played:?}") };
        assert!(wanted(fault), "{file} on seat {}: {fault:?}, {report:?}", seat.0);
        assert_eq!(report.answers, answers, "{file}: {report:?}");
        let other = &played.seats[Seat(1 - seat.0)];
        assert_eq!((&other.fault, other.faults), (&None, 0), "{file}: {other:?}");
        assert_eq!(played.outcome.places[seat], 2, "{file}: {:?}", played.outcome);
        games::find("labyrinth").unwrap().replay(&played.record, None).expect("a record");
        if ground == Ground::Jailed {
            assert!(report.memory_peak_bytes > 0, "{file}: {report:?}");
        }
    }
}

fn missing(kit: &Kit) {
    let mut plain = [kit.plain("stays_put.c"), kit.plain("stays_put.c")];
    plain[0].argv = vec!["/no/such/program".to_owned()];
    let plain = crate::kit::play(plain, &quick()).unwrap();
    let mut jailed = [kit.jailed("stays_put.c"), kit.jailed("stays_put.c")];
    jailed[0].spec.argv = vec!["/bot/no-such-program".to_owned()];
    let jailed = crate::kit::play(jailed, &quick()).unwrap();
    for played in [plain, jailed] {
        let report = &played.seats[Seat(0)];
        assert_eq!(report.fault, Some((0, Fault::Gone(End::NotStarted))), "{report:?}");
        assert!(report.stderr.contains("No such file"), "{report:?}");
    }
}
