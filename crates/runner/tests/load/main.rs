//! On a busy host the verdicts are the same as on one that is idle.
//!
//! Five processes for each core do nothing but use it up. What is in doubt then
//! is played again, as a server would have it.

#[path = "../../../sandbox/tests/shared/cases.rs"]
#[allow(dead_code, reason = "there is one case here")]
mod cases;
#[path = "../judge/kit.rs"]
#[allow(dead_code, reason = "the other tests use more of it")]
mod kit;
#[path = "../../../sandbox/tests/shared/outside.rs"]
#[allow(dead_code, reason = "the other tests look at it")]
mod outside;

use std::{
    process::{Child, Command, ExitCode, Stdio},
    thread,
    time::{Duration, Instant},
};

use game::{Fault, PerSeat, Seat};
use kit::{Kit, block_on, referee, terms};
use runner::{JailedProgram, PlayError, Played, Terms};
use serde_json::json;

/// Busy processes for each core.
const LOAD: usize = 5;
/// The time of a turn.
const TURN_MS: u64 = 200;
/// How often a match is played before it is void, as in `queue.attempts_max`.
const ATTEMPTS_MAX: u32 = 5;

/// Work and sleep in a turn, in milliseconds, and whether that is late.
const BOTS: [(&str, [u64; 2], bool); 4] = [
    ("works for half of its time", [100, 0], false),
    ("sleeps for half of its time", [0, 100], false),
    ("works too long", [230, 0], true),
    ("sleeps too long", [0, 60_000], true),
];

fn main() -> ExitCode {
    if std::env::args().any(|it| it == "--list") {
        println!("a busy host changes no verdict: test");
        return ExitCode::SUCCESS;
    }
    if !nix::unistd::geteuid().is_root() {
        println!("FAILED: only root can make jails, and so only root can test them (sudo ./test)");
        return ExitCode::FAILURE;
    }
    let kit = Kit::new();
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/load/bot.c");
    let mut good = true;
    let mut check = |host: &str| {
        for (what, times, late) in BOTS {
            let begun = Instant::now();
            let mut void = 0;
            let played = loop {
                match play(&kit, &source, times) {
                    Err(PlayError::Disturbed { disturbance, .. }) if void + 1 < ATTEMPTS_MAX => {
                        println!("       void: {disturbance}");
                        void += 1;
                    }
                    played => break played,
                }
            };
            let verdict = match &played {
                Ok(played) => format!("{:?}", played.seats[Seat(0)].fault),
                Err(error) => error.to_string(),
            };
            let fits = played.is_ok_and(|it| {
                let was_late = matches!(it.seats[Seat(0)].fault, Some((_, Fault::Late)));
                was_late == late && it.seats[Seat(1)].fault.is_none()
            });
            good &= fits;
            let took = begun.elapsed();
            let said = if fits { "ok" } else { "FAILED" };
            println!("{said:6} {host}: a bot that {what}: {verdict} ({void} void, {took:.1?})");
        }
    };
    check("idle");
    let load = Load::new();
    check("busy");
    drop(load);
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One bot as the architect, against one that answers at once.
fn play(kit: &Kit, source: &std::path::Path, times: [u64; 2]) -> Result<Played, PlayError> {
    let bot = |core: u32, times: [u64; 2]| -> Option<JailedProgram> {
        let mut program = kit.jailed_from(source);
        program.spec.argv.extend(times.map(|it| it.to_string()));
        program.spec.core = Some(core);
        Some(program)
    };
    let last = thread::available_parallelism().map_or(1, std::num::NonZero::get) > 1;
    let programs = PerSeat::from(vec![bot(0, times), bot(u32::from(last), [0, 0])]);
    let setup = json!({ "size": 5, "mode": "map", "turn_ms": TURN_MS, "total_ms": 60_000 });
    // Each turn can take long here, and all that is to be seen is how it ends.
    let terms = Terms { wall_max: Duration::from_secs(300), ..terms() };
    block_on(runner::play(referee(&setup), &programs, &terms, None))
}

/// Processes that use up every core.
struct Load(Vec<Child>);

impl Load {
    fn new() -> Load {
        let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let spin = || {
            let mut shell = Command::new("sh");
            shell.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
            shell.spawn().expect("a shell")
        };
        let load = Load((0..LOAD * cores).map(|_| spin()).collect());
        thread::sleep(Duration::from_millis(200));
        load
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // It waits for just that.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
