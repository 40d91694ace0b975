//! Real bots, good and bad, at a real board: plain processes and jailed ones.
//!
//! One thread at the start, because a launcher is a copy of a process with one.
//! Arguments are parts of names of the cases to run; `--list` names them.

mod builds;
mod faults;
mod kit;
mod manners;
mod shapes;

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    process::ExitCode,
    time::Instant,
};

use kit::Kit;

/// A statement, and what shows it.
type Case = (String, Box<dyn Fn(&Kit)>);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let wanted: Vec<&String> = arguments.iter().filter(|it| !it.starts_with('-')).collect();
    let mut cases: Vec<Case> = faults::cases();
    cases.extend(manners::cases());
    cases.extend(shapes::cases());
    cases.extend(builds::cases());
    cases.retain(|(name, _)| wanted.is_empty() || wanted.iter().any(|part| name.contains(*part)));
    if arguments.iter().any(|it| it == "--list") {
        cases.iter().for_each(|(name, _)| println!("{name}: test"));
        return ExitCode::SUCCESS;
    }
    if !cases.is_empty() && !nix::unistd::geteuid().is_root() {
        println!(
            "FAILED: only root can make jails, and so only root can test what runs in them; run this as root (sudo ./test)"
        );
        return ExitCode::FAILURE;
    }
    let kit = Kit::new();
    let mut n_failed = 0;
    for (name, case) in &cases {
        let begun = Instant::now();
        let passed = catch_unwind(AssertUnwindSafe(|| case(&kit))).is_ok();
        let verdict = if passed { "ok" } else { "FAILED" };
        println!("{verdict:6} {name} ({} ms)", begun.elapsed().as_millis());
        n_failed += usize::from(!passed);
    }
    println!("{} passed, {n_failed} failed", cases.len() - n_failed);
    if n_failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
