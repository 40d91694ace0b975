//! Every target for some seconds: changed seeds, and noise. `AGON_FUZZ_SECONDS` says how long each.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    env, fs,
    time::{Duration, Instant},
};

use fuzz::{TARGETS, Target};
use proptest::{
    collection::vec,
    prelude::*,
    sample::{Index, select},
    test_runner::{Config, TestRunner},
};

/// Cases between two looks at the clock.
const BATCH: u32 = 32;
/// Where the programs are that run for longer.
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz");
/// How long each target is tried where nobody says.
const SECONDS: u64 = 2;

macro_rules! targets {
    ($($name:ident)*) => {
        $(#[test] fn $name() { try_for_seconds(stringify!($name)); })*

        #[test]
        fn every_target_is_tried() {
            let tried = [$(stringify!($name)),*];
            assert_eq!(TARGETS.iter().map(|it| it.name).collect::<Vec<_>>(), tried);
        }
    };
}

targets!(dialect sprint duel record setup setup_file record_file pack upload tar class message excerpt);

#[test]
fn every_target_has_its_program() {
    let manifest = fs::read_to_string(format!("{PROGRAMS}/Cargo.toml")).unwrap();
    let named = manifest.lines().filter_map(|it| it.strip_prefix("name = \"")?.strip_suffix('"'));
    let named: Vec<&str> = named.skip(1).collect();
    assert_eq!(named, TARGETS.iter().map(|it| it.name).collect::<Vec<_>>());
    for name in named {
        let program = fs::read_to_string(format!("{PROGRAMS}/fuzz_targets/{name}.rs")).unwrap();
        assert!(program.contains(&format!("fuzz::run(\"{name}\", bytes)")), "{name}: {program}");
    }
    assert_eq!(fs::read_dir(format!("{PROGRAMS}/fuzz_targets")).unwrap().count(), TARGETS.len());
}

fn try_for_seconds(name: &str) {
    let Target { run, seeds, .. } = TARGETS.iter().find(|it| it.name == name).unwrap();
    let seeds = seeds();
    seeds.iter().for_each(|seed| run(seed));
    let seconds = env::var("AGON_FUZZ_SECONDS").map_or(SECONDS, |it| it.parse().unwrap());
    let until = Instant::now() + Duration::from_secs(seconds);
    let config = Config { cases: BATCH, failure_persistence: None, ..Config::default() };
    let bytes = bytes(seeds);
    let mut n_cases = 0;
    while Instant::now() < until {
        let mut runner = TestRunner::new(config.clone());
        let tried = runner.run(&bytes, |bytes| {
            run(&bytes);
            Ok(())
        });
        tried.unwrap_or_else(|failed| panic!("{name}: {failed}"));
        n_cases += BATCH;
    }
    println!("{name}: {n_cases} cases in {seconds} s");
}

/// One change of bytes.
#[derive(Clone, Debug)]
enum Change {
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, usize),
    Repeat(Index, usize),
    Cut(Index),
}

fn bytes(seeds: Vec<Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let odd: Vec<Vec<u8>> = [
        &b"\0"[..],
        b"\n",
        b"\r\n",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"-1",
        b"99999999999999999999",
        b"1e309",
        b"\"",
        b"{",
        b"}",
        b"[",
        b"null",
        b"\\u0000",
        b"/../",
        b"#END\n",
    ]
    .map(<[u8]>::to_vec)
    .to_vec();
    let length = prop_oneof![4 => 1usize..8, 1 => 8usize..400];
    let change = prop_oneof![
        4 => (any::<Index>(), any::<u8>()).prop_map(|(at, it)| Change::Set(at, it)),
        2 => (any::<Index>(), vec(any::<u8>(), 1..8)).prop_map(|(at, it)| Change::Insert(at, it)),
        3 => (any::<Index>(), select(odd)).prop_map(|(at, it)| Change::Insert(at, it)),
        2 => (any::<Index>(), length.clone()).prop_map(|(at, it)| Change::Remove(at, it)),
        2 => (any::<Index>(), length).prop_map(|(at, it)| Change::Repeat(at, it)),
        1 => any::<Index>().prop_map(Change::Cut),
    ];
    let changed = (vec(select(seeds), 1..4), vec(change, 0..12)).prop_map(|(seeds, changes)| {
        let mut bytes = seeds.concat();
        changes.iter().for_each(|it| it.apply(&mut bytes));
        bytes
    });
    prop_oneof![6 => changed, 1 => vec(any::<u8>(), 0..300)]
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let place = |at: &Index, length: usize| at.index(length + 1);
        match self {
            Change::Set(at, it) if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] = *it;
            }
            Change::Set(..) => {}
            Change::Insert(at, it) => {
                let at = place(at, bytes.len());
                bytes.splice(at..at, it.iter().copied());
            }
            Change::Remove(at, length) => {
                let at = place(at, bytes.len());
                bytes.drain(at..(at + length).min(bytes.len()));
            }
            Change::Repeat(at, length) => {
                let at = place(at, bytes.len());
                let part = bytes[at..(at + length).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            Change::Cut(at) => bytes.truncate(place(at, bytes.len())),
        }
    }
}
