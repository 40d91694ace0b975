//! What a jail must hold, tried as root with programs that mean harm.
//!
//! One thread and one case at a time: a launcher is a copy of a process with
//! one thread, and what is left behind by a case must be seen to be its own.

mod artefacts;
mod attacks;
#[path = "../shared/cases.rs"]
mod cases;
mod doctor;
mod endings;
mod groups;
mod hostile;
mod kernel;
mod kit;
mod languages;
mod lives;
#[path = "../shared/outside.rs"]
mod outside;
mod pause;
mod programs;
mod refusals;

use std::process::ExitCode;

use cases::Arguments;
use kit::Kit;

/// A statement, and what shows it.
type Case = (&'static str, fn(&mut Kit));

/// The same, found when the tests run.
type FoundCase = cases::Case<Kit>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [command, trial] = &words[..]
        && command == sandbox::doctor::COMMAND
    {
        // This is what the doctor's cases run in their jails.
        return ExitCode::from(u8::try_from(sandbox::doctor::try_inside(trial)).unwrap_or(3));
    }
    let arguments = Arguments::read();
    if let Some(folder) = &arguments.compile {
        programs::compile_all(folder);
        return ExitCode::SUCCESS;
    }
    let mut cases = hostile::cases();
    let named = [
        endings::CASES,
        pause::CASES,
        artefacts::CASES,
        languages::CASES,
        doctor::CASES,
        attacks::CASES,
        lives::CASES,
        refusals::CASES,
        groups::CASES,
    ];
    cases.extend(named.concat().into_iter().map(|(name, case)| FoundCase::plain(name, case)));
    cases.extend(kernel::cases());
    arguments.run(cases, || {
        let kit = Kit::new();
        println!("on {}", kit.host());
        kit
    })
}
