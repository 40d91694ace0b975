//! Real bots, good and bad, at a real board: plain processes and jailed ones.
//!
//! One thread at the start, because a launcher is a copy of a process with one.

mod adapted;
mod archives;
mod builds;
#[path = "../../../sandbox/tests/shared/cases.rs"]
mod cases;
mod documented;
mod entries;
mod faults;
mod foreign;
mod hostile;
mod kernel;
mod kit;
mod languages;
mod load;
mod manners;
#[path = "../../../sandbox/tests/shared/outside.rs"]
mod outside;
mod shapes;

use std::process::ExitCode;

use cases::Arguments;
use kit::Kit;

/// A statement, and what shows it.
type Case = cases::Case<Kit>;

fn main() -> ExitCode {
    let arguments = Arguments::read();
    if let Some(folder) = &arguments.compile {
        kit::compile_all(folder);
        return ExitCode::SUCCESS;
    }
    let cases = [
        hostile::cases(),
        faults::cases(),
        manners::cases(),
        shapes::cases(),
        builds::cases(),
        languages::cases(),
        archives::cases(),
        adapted::cases(),
        foreign::cases(),
        documented::cases(),
        entries::cases(),
        load::cases(),
        kernel::cases(),
    ];
    arguments.run(cases.into_iter().flatten().collect(), Kit::new)
}
