//! A machine with five times as much to do as it has processors comes to the same verdicts.

use std::{
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use game::{PerSeat, Seat, Sitter};
use referee::AnyGame;
use runner::{PlayError, Wires};
use serde_json::{Value, json};

use crate::{
    Case,
    hostile::{ATTEMPTS_MAX, words},
    kit::{Kit, block_on, terms},
    shapes::SPRINT,
};

/// How much more there is to do than processors.
const LOAD: usize = 5;

pub(crate) fn cases() -> Vec<Case> {
    vec![Case::plain("under load: the same verdicts as on an idle machine", |kit: &mut Kit| {
        same(kit)
    })]
}

/// A game, a bot with its argument, what it meets, and its verdict.
type Row = (&'static str, (&'static str, &'static str), &'static str, &'static str);

const TABLE: &[Row] = &[
    ("labyrinth", ("stays_put.c", ""), "stays_put.c", "none"),
    ("labyrinth", ("walks.py", ""), "stays_put.c", "none"),
    // Of 200 ms for a turn; how close a bot may come to its end tells how fair its clock is.
    ("labyrinth", ("thinks.c", "110"), "stays_put.c", "none"),
    ("labyrinth", ("thinks.c", "260"), "stays_put.c", "late"),
    // Who sleeps uses no processor, and pays all the same; what it waits for one is not its own.
    ("labyrinth", ("naps.c", "100"), "stays_put.c", "none"),
    // Of 400 ms for a race of twelve answers.
    ("sprint", ("thinks.c", "20"), "runs.c", "none"),
    ("sprint", ("thinks.c", "50"), "runs.c", "late"),
    ("labyrinth", ("spins.c", ""), "stays_put.c", "late"),
    ("labyrinth", ("sleeps.c", ""), "stays_put.c", "late"),
    ("labyrinth", ("exits.c", ""), "stays_put.c", "exited 3"),
    ("labyrinth", ("crashes.c", ""), "stays_put.c", "signalled 11"),
    ("labyrinth", ("closes_output.c", ""), "stays_put.c", "closed output"),
    ("labyrinth", ("uses_too_much_memory.c", ""), "stays_put.c", "out of memory"),
    ("labyrinth", ("children_use_too_much_memory.c", ""), "stays_put.c", "out of memory"),
    ("labyrinth", ("never_reads.c", ""), "stays_put.c", "unread"),
    ("labyrinth", ("answers_then_exits.c", ""), "stays_put.c", "exited 0"),
    ("labyrinth", ("thinks_while_paused.c", ""), "takes_its_time.c", "none"),
    ("sprint", ("exits.c", ""), "runs.c", "exited 3"),
    ("sprint", ("closes_its_input.c", ""), "runs.c", "unread"),
    ("sprint", ("floods_short_lines.c", ""), "runs.c", "garbled"),
];

fn same(kit: &Kit) {
    let wanted: Vec<&str> = TABLE.iter().map(|(.., wanted)| *wanted).collect();
    let (idle, took_idle) = verdicts(kit);
    assert_eq!(idle, wanted, "on an idle machine");
    let load = Load::start();
    let (loaded, took) = verdicts(kit);
    drop(load);
    println!("       {took_idle:.1?} idle, {took:.1?} under load");
    assert_eq!(loaded, wanted, "under load");
}

fn verdicts(kit: &Kit) -> (Vec<String>, Duration) {
    let begun = Instant::now();
    let verdicts = TABLE.iter().enumerate().map(|(at, row)| verdict(kit, at, row)).collect();
    (verdicts, begun.elapsed())
}

/// The first seat in every other row, and the second in the rest.
fn verdict(kit: &Kit, at: usize, row: &Row) -> String {
    let (game, (file, word), good, _) = *row;
    let seat = Seat((at % 2) as u8);
    let (game, setup): (&dyn AnyGame, Value) = match game {
        "sprint" => (&SPRINT, json!({ "length": 10, "steps_max": 50, "think_ms": 400 })),
        _ => {
            let setup = json!({ "size": 5, "mode": "map", "turn_ms": 200, "total_ms": 60_000 });
            (games::find("labyrinth").expect("a game"), setup)
        }
    };
    let mut attempt = 1;
    let played = loop {
        let mut bot = kit.jailed(file);
        if !word.is_empty() {
            bot.spec.argv.push(word.to_owned());
        }
        bot.spec.env.push(("GAME".to_owned(), row.0.to_owned()));
        let mut both = vec![Some(bot), Some(kit.jailed(good))];
        if seat == Seat(1) {
            both.reverse();
        }
        let referee = game.referee(&setup, PerSeat::new(2, |_| Sitter::Bot)).expect("a set-up");
        let programs = PerSeat::from(both);
        match block_on(runner::play(referee, &programs, &terms(), Wires::default())) {
            // Nobody knows, so it is played again, as a server would have it.
            Err(PlayError::Disturbed { disturbance, .. }) if attempt < ATTEMPTS_MAX => {
                println!("       void: {disturbance}");
                attempt += 1;
            }
            played => break played.unwrap_or_else(|error| panic!("{row:?}: {error}")),
        }
    };
    let other = &played.seats[Seat(1 - seat.0)];
    assert_eq!((&other.fault, other.faults), (&None, 0), "{row:?}: {other:?}");
    let found = words(played.seats[seat].fault.as_ref().map(|(_, it)| it));
    let report = &played.seats[seat];
    println!(
        "       {:<32} {found:<14.14} charged {:>6.1?}, slowest {:>6.1?}",
        format!("{file} {word}"),
        report.charged,
        report.slowest
    );
    // Why something is garbled is told in other tests.
    found.split(' ').next().filter(|it| *it == "garbled").map_or(found.clone(), str::to_owned)
}

/// Programs that compute for nobody, ended when this is dropped.
struct Load(Vec<Child>);

impl Load {
    fn start() -> Load {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let spinner = || {
            let mut shell = Command::new("/bin/sh");
            shell.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
            shell.spawn().expect("a shell")
        };
        let load = Load((0..LOAD * cores).map(|_| spinner()).collect());
        // Until the scheduler has shared them out.
        thread::sleep(Duration::from_millis(200));
        load
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // What has ended already needs no end.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
