//! A worker with real jails, and a stand-in for the server that does as each case wants.
//!
//! One thread at the start, because a launcher is a copy of a process with one.
//! Arguments are parts of names of the cases to run; `--list` names them.

mod cases;
mod kit;
mod stand_in;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    time::Instant,
};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, trial] = &arguments[..]
        && command == runner::doctor::COMMAND
    {
        // This is what a worker runs in its jails when it looks at them.
        return ExitCode::from(u8::try_from(runner::doctor::try_inside(trial)).unwrap_or(3));
    }
    let wanted: Vec<&String> = arguments.iter().filter(|it| !it.starts_with('-')).collect();
    let mut cases = cases::CASES.to_vec();
    cases.retain(|(name, _)| wanted.is_empty() || wanted.iter().any(|part| name.contains(*part)));
    if arguments.iter().any(|it| it == "--list") {
        cases.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    if std::fs::read_dir("/proc/1/fd").is_err() {
        println!(
            "FAILED: only root can make jails, and so only root can test workers; run this as root (sudo ./test)"
        );
        return ExitCode::FAILURE;
    }
    let mut n_failed = 0;
    for (name, case) in &cases {
        let begun = Instant::now();
        let passed = catch_unwind(AssertUnwindSafe(case)).is_ok();
        let verdict = if passed { "ok" } else { "FAILED" };
        println!("{verdict:6} {name} ({} ms)", begun.elapsed().as_millis());
        n_failed += usize::from(!passed);
    }
    println!("{} passed, {n_failed} failed", cases.len() - n_failed);
    if n_failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
