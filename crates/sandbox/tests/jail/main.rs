//! What a jail must hold, tried as root with programs that mean harm.
//!
//! One thread and one case at a time: a launcher is a copy of a process with
//! one thread, and what is left behind by a case must be seen to be its own.
//! Arguments are parts of names of the cases to run; `--list` names them.

mod artefacts;
mod attacks;
mod doctor;
mod endings;
mod hostile;
mod kit;
mod languages;
mod lives;
mod pause;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    time::Instant,
};

use kit::Kit;

/// A statement, and what shows it.
type Case = (&'static str, fn(&mut Kit));
/// The same, found when the tests run.
type FoundCase = (String, Box<dyn Fn(&mut Kit)>);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, trial] = &arguments[..]
        && command == sandbox::doctor::COMMAND
    {
        // This is what the doctor's cases run in their jails.
        return ExitCode::from(u8::try_from(sandbox::doctor::try_inside(trial)).unwrap_or(3));
    }
    let wanted: Vec<&String> =
        arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let hostile = hostile::cases();
    let named = [
        endings::CASES,
        pause::CASES,
        artefacts::CASES,
        languages::CASES,
        doctor::CASES,
        attacks::CASES,
        lives::CASES,
    ]
    .concat();
    let cases = named
        .into_iter()
        .map(|(name, case)| (name.to_owned(), Box::new(case) as Box<dyn Fn(&mut Kit)>));
    let cases = hostile.into_iter().chain(cases);
    let cases: Vec<_> = cases
        .filter(|(name, _)| wanted.is_empty() || wanted.iter().any(|part| name.contains(*part)))
        .collect();
    if arguments.iter().any(|argument| argument == "--list") {
        cases.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    if cases.is_empty() {
        println!("0 passed, 0 failed");
        return ExitCode::SUCCESS;
    }
    if !nix::unistd::geteuid().is_root() {
        println!(
            "FAILED: only root can make jails, and so only root can test them; run this as root (sudo ./test)"
        );
        return ExitCode::FAILURE;
    }

    let mut kit = Kit::new();
    println!("on {}", kit.host());
    let mut failed = Vec::new();
    for (name, case) in &cases {
        let begun = Instant::now();
        let before = kit.quiet_traces();
        let passed = catch_unwind(AssertUnwindSafe(|| {
            case(&mut kit);
            kit.assert_nothing_left(&before);
        }));
        let verdict = if passed.is_ok() { "ok" } else { "FAILED" };
        println!("{verdict:6} {name} ({} ms)", begun.elapsed().as_millis());
        if passed.is_err() {
            failed.push(name);
            // What the next cases find should be their own fault.
            kit.restart();
        }
    }
    println!("{} passed, {} failed", cases.len() - failed.len(), failed.len());
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
