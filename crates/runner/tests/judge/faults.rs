//! Faults that no bot's source can show: a program that is missing, and two that are wrong at once.

use game::{End, Fault, PerSeat, Seat, Sitter};
use referee::AnyGame;
use runner::{Played, Wires};
use serde_json::{Value, json};

use crate::{
    Case,
    hostile::words,
    kit::{Kit, block_on, patient, play, quick, terms},
    shapes::{DUEL, SPRINT},
};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        Case::plain("fault: a program that is missing", |kit: &mut Kit| missing(kit)),
        Case::with_verdict("fault: both are wrong at once, and both are told", |kit: &mut Kit| {
            both_at_once(kit)
        }),
    ]
}

fn missing(kit: &Kit) {
    let mut plain = [kit.plain("stays_put.c"), kit.plain("stays_put.c")];
    plain[0].argv = vec!["/no/such/program".to_owned()];
    let plain = play(plain, &quick()).unwrap();
    let mut jailed = [kit.jailed("stays_put.c"), kit.jailed("stays_put.c")];
    jailed[0].spec.argv = vec!["/bot/no-such-program".to_owned()];
    let jailed = play(jailed, &quick()).unwrap();
    for played in [plain, jailed] {
        let report = &played.seats[Seat(0)];
        assert_eq!(report.fault, Some((0, Fault::Gone(End::NotStarted))), "{report:?}");
        assert!(report.stderr.contains("No such file"), "{report:?}");
    }
}

/// Whoever is asked at the same time is judged by what he did himself, whoever was seen first.
fn both_at_once(kit: &Kit) -> String {
    let mut verdicts = Vec::new();
    let sprint = json!({ "length": 10, "steps_max": 50, "think_ms": patient(200) });
    let duel = json!({ "fights": 2, "turns": 3 });
    let games: [(&dyn AnyGame, &Value); 2] = [(&SPRINT, &sprint), (&DUEL, &duel)];
    for (game, setup) in games {
        for (files, wanted) in [
            (["exits.c", "crashes.c"], ["exited 3", "signalled 11"]),
            (["crashes.c", "closes_output.c"], ["signalled 11", "closed output"]),
            (["floods_without_line_end.c", "exits.c"], ["garbled", "exited 3"]),
            (["uses_too_much_memory.c", "closes_its_input.c"], ["out of memory", "unread"]),
        ] {
            let played = sit(kit, game, setup, files);
            for (seat, wanted) in [Seat(0), Seat(1)].into_iter().zip(wanted) {
                let report = &played.seats[seat];
                let found = words(report.fault.as_ref().map(|(_, it)| it));
                assert!(found.starts_with(wanted), "{files:?}, seat {}: {report:?}", seat.0);
                verdicts.push(found);
            }
            // Neither gains by the other's fault.
            assert_eq!(played.outcome.places, PerSeat::from(vec![1, 1]), "{files:?}");
        }
    }
    verdicts.join(", ")
}

fn sit(kit: &Kit, game: &dyn AnyGame, setup: &Value, files: [&str; 2]) -> Played {
    let referee = game.referee(setup, PerSeat::new(2, |_| Sitter::Bot)).expect("a set-up");
    let programs =
        PerSeat::from(files.map(|it| Some(kit.jailed(it))).into_iter().collect::<Vec<_>>());
    block_on(runner::play(referee, &programs, &terms(), Wires::default())).expect("a match")
}
