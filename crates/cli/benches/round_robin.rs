//! How long a round robin takes as it is typed, builds included: the documented bots of Planes in two
//! languages, in the jail, each pair a hundred fights.
//!
//! Run as root: `cargo bench -p cli --bench round_robin`.

use std::{
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::Value;

/// The budget.
const ROUND_ROBIN_MAX: Duration = Duration::from_secs(180);
const BOTS: [&str; 8] = [
    "predict.cpp",
    "shooter.cpp",
    "circling.cpp",
    "straight.cpp",
    "predict.py",
    "shooter.py",
    "circling.py",
    "straight.py",
];

fn main() {
    if !nix::unistd::geteuid().is_root() {
        eprintln!("only root can make jails, and so only root can measure them");
        std::process::exit(1);
    }
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
    let bots = BOTS.map(|it| config.join("games/planes/bots").join(it));
    let mut agon = Command::new(env!("CARGO_BIN_EXE_agon"));
    agon.args(["play", "planes", "--fights", "100", "--jail", "--json", "--config-dir"]);
    agon.arg(&config).arg("--round-robin").args(&bots);
    let begun = Instant::now();
    let output = agon.output().expect("agon");
    let took = begun.elapsed();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let matches = found["stages"][0]["matches"].as_array().expect("matches");
    assert_eq!(matches.len(), BOTS.len() * (BOTS.len() - 1) / 2);
    let seats = || matches.iter().flat_map(|it| it["seats"].as_array().expect("seats"));
    let sum = |key: &str| seats().map(|it| it[key].as_f64().expect("a number")).sum::<f64>();
    let rounds: f64 = matches.iter().map(|it| it["plies"].as_f64().expect("a number")).sum();
    println!(
        "a round robin of {} bots, {} matches of 100 fights, {rounds} rounds, {} at once: {took:.1?} \
         (budget {ROUND_ROBIN_MAX:?}); the bots' processor time: {:.1} s",
        BOTS.len(),
        matches.len(),
        found["at_once"],
        sum("cpu_ms") / 1000.0
    );
    if took > ROUND_ROBIN_MAX {
        println!("over budget");
        std::process::exit(1);
    }
}
