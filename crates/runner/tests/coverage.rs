//! Every known way in which a bot, a compile or a judge can do harm has a case.
//!
//! The ways have numbers, from 1 to 96. A case of the corpus names its own in `rows`; what no bot
//! can show is listed here, with the test that shows it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use serde::Deserialize;

const ROWS: std::ops::RangeInclusive<u8> = 1..=96;

/// Cases as data: programs in a jail, bots in a match, archives as uploads.
const CORPORA: [&str; 3] =
    ["crates/sandbox/tests/hostile", "crates/runner/tests/hostile", "crates/sources/tests/hostile"];

/// Rows, the file that holds their test, and a piece of it that nobody moves without meaning to.
const ELSEWHERE: &[(&[u8], &str, &str)] = &[
    (
        &[9, 10],
        "crates/sandbox/tests/jail/pause.rs",
        "threads and children, uses no processor while paused",
    ),
    (
        &[12],
        "crates/sandbox/tests/jail/pause.rs",
        "many threads use no more than the processor time allowed",
    ),
    (&[16], "crates/sandbox/tests/jail/pause.rs", "memory is not thrashed while paused"),
    (&[27], "crates/sandbox/tests/jail/groups.rs", "memory cannot be exceeded by way of swap"),
    (&[30], "crates/runner/tests/judge/manners.rs", "complaints are kept in part and block nobody"),
    (
        &[37],
        "crates/runner/tests/judge/shapes.rs",
        "what is said ahead is too much, or the next answer",
    ),
    (&[38], "crates/runner/tests/judge/shapes.rs", "what is said too much is one fault"),
    (&[49], "crates/sandbox/tests/jail/lives.rs", "jails do not see each other's files"),
    (
        &[52],
        "crates/runner/tests/judge/builds.rs",
        "what a bot sees of the host's paths names nobody",
    ),
    (
        &[57],
        "crates/sandbox/tests/jail/artefacts.rs",
        "only regular files are taken, and nothing is followed or waited for",
    ),
    (
        &[58],
        "crates/sandbox/tests/jail/artefacts.rs",
        "names that are swapped while files are taken lead nowhere",
    ),
    (&[60], "crates/sandbox/tests/jail/attacks.rs", "shared_files"),
    (&[61], "crates/sandbox/README.md", "what bots could learn from the timing of shared caches"),
    (
        &[71],
        "crates/sandbox/tests/jail/kernel.rs",
        "a crash does not call the host's helper for cores",
    ),
    (
        &[82, 83],
        "crates/runner/tests/judge/builds.rs",
        "build: what a compiler leaves that is no file",
    ),
    (&[84], "crates/runner/tests/judge/builds.rs", "build: a name is a name, whatever is in it"),
    (
        &[86, 87, 88, 89],
        "crates/server/tests/pages/archives.rs",
        "hostile_archives_are_refused_beside_the_field_and_leave_nothing",
    ),
    (
        &[90],
        "crates/sandbox/tests/jail/lives.rs",
        "a launcher ends when its client is killed, and nothing is left",
    ),
    (&[90], "crates/cli/tests/crash.rs", "kill"),
    (
        &[91],
        "crates/sandbox/tests/jail/groups.rs",
        "a group that cannot be removed is told of, and in nobody's way",
    ),
    (
        &[92],
        "crates/sandbox/tests/jail/pause.rs",
        "a program that dies while it is paused is noticed",
    ),
    (&[93], "crates/sandbox/tests/jail/pause.rs", "a paused program can be killed"),
    (
        &[94],
        "crates/runner/tests/judge/load.rs",
        "under load: the same verdicts as on an idle machine",
    ),
    (&[95], "crates/runner/tests/judge/kernel.rs", "a clock that jumps changes no verdict"),
    (
        &[96],
        "crates/runner/tests/judge/faults.rs",
        "fault: both are wrong at once, and both are told",
    ),
];

#[derive(Deserialize)]
struct Case {
    rows: Vec<u8>,
}

#[test]
fn every_way_to_do_harm_has_a_case() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut covered: BTreeMap<u8, Vec<String>> = BTreeMap::new();
    for corpus in CORPORA {
        for folder in folders(&top.join(corpus)) {
            let file = folder.join("expect.toml");
            let text =
                fs::read_to_string(&file).unwrap_or_else(|it| panic!("{}: {it}", file.display()));
            let case: Case =
                toml::from_str(&text).unwrap_or_else(|it| panic!("{}: {it}", file.display()));
            assert!(!case.rows.is_empty(), "{}: it tries nothing that is known", file.display());
            for row in case.rows {
                assert!(ROWS.contains(&row), "{}: there is no row {row}", file.display());
                covered.entry(row).or_default().push(folder.display().to_string());
            }
        }
    }
    for (rows, file, piece) in ELSEWHERE {
        let text = fs::read_to_string(top.join(file)).unwrap_or_else(|it| panic!("{file}: {it}"));
        assert!(text.contains(piece), "{file} no longer holds {piece:?}, the test of {rows:?}");
        rows.iter().for_each(|row| covered.entry(*row).or_default().push((*file).to_owned()));
    }
    let missing: BTreeSet<u8> = ROWS.filter(|row| !covered.contains_key(row)).collect();
    assert!(missing.is_empty(), "nothing tries {missing:?}");
}

fn folders(corpus: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(corpus).unwrap_or_else(|it| panic!("{}: {it}", corpus.display()));
    let mut folders: Vec<PathBuf> =
        entries.flatten().map(|it| it.path()).filter(|it| it.is_dir()).collect();
    folders.sort();
    folders
}
