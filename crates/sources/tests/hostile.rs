//! Every archive of the corpus is judged as its case says, and in full: which reason, in which words.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "each test uses its part of the kit")]

mod kit;

use std::{collections::BTreeSet, fs, path::Path};

use serde::Deserialize;
use sources::{Limits, Sources};

/// A case: archives that all come to the same end.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What is shown.
    that: String,
    /// Ways to do harm, by their numbers; `crates/runner/tests/coverage.rs` counts them.
    rows: Vec<u8>,
    /// Why it is refused: a variant of `Rejected`.
    #[serde(default)]
    refused: Option<String>,
    /// A piece of what is said then.
    #[serde(default)]
    says: String,
    /// Or which files are taken.
    #[serde(default)]
    taken: Vec<String>,
    /// What it comes under.
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    limits: Lower,
    /// Archives to try.
    tries: Vec<kit::Recipe>,
}

/// Limits lower than usual, so that little shows them.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lower {
    bytes_max: Option<u64>,
    files_max: Option<u32>,
    entries_max: Option<u32>,
    unpacked_bytes_max: Option<u64>,
    file_bytes_max: Option<u64>,
}

#[test]
fn every_case_is_judged_as_it_should_be() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile");
    let (mut n_tries, mut wrong) = (0, Vec::new());
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path().join("expect.toml");
        let at = path.display();
        let text = fs::read_to_string(&path).unwrap_or_else(|why| panic!("{at}: {why}"));
        let case: Case = toml::from_str(&text).unwrap_or_else(|why| panic!("{at}: {why}"));
        assert!(!case.tries.is_empty() && !case.rows.is_empty(), "{at} tries nothing");
        for (n, recipe) in case.tries.iter().enumerate() {
            let judged = judge(&case, &recipe.bytes());
            wrong.extend(judged.err().map(|why| format!("{at}: {}: try {n}: {why}", case.that)));
            n_tries += 1;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(n_tries > 100, "only {n_tries} tries were found");
}

/// Of two archives, of which one is the comment of the other, readers see one or the other.
#[test]
fn an_archive_that_ends_with_another_is_refused() {
    let (first, mut second) =
        (kit::zip::Zip::of(&[("main.py", "a")]), kit::zip::Zip::of(&[("main.py", "b")]).bytes());
    let mut both = first.bytes();
    let place = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    // Where the list of the second is, and in it, where its file is.
    let end = second.len() - 22;
    let list = place(&second, end + 16) as usize;
    for at in [end + 16, list + 42] {
        let moved = place(&second, at) + both.len() as u32;
        second[at..at + 4].copy_from_slice(&moved.to_le_bytes());
    }
    let comment = both.len() - 2;
    both[comment..].copy_from_slice(&(second.len() as u16).to_le_bytes());
    both.extend(second);
    let why = Sources::read("bot", &both, &Limits::default()).unwrap_err().to_string();
    assert!(why.contains("it is damaged"), "{why}");
}

fn judge(case: &Case, bytes: &[u8]) -> Result<(), String> {
    let usual = Limits::default();
    let limits = Limits {
        bytes_max: case.limits.bytes_max.unwrap_or(usual.bytes_max),
        files_max: case.limits.files_max.unwrap_or(usual.files_max),
        entries_max: case.limits.entries_max.unwrap_or(usual.entries_max),
        unpacked_bytes_max: case.limits.unpacked_bytes_max.unwrap_or(usual.unpacked_bytes_max),
        file_bytes_max: case.limits.file_bytes_max.unwrap_or(usual.file_bytes_max),
        ..usual
    };
    let found = Sources::read(case.name.as_deref().unwrap_or("bot"), bytes, &limits);
    let is_right = match (&found, &case.refused) {
        (Ok(sources), None) => {
            let paths: BTreeSet<&str> = sources.files.iter().map(|it| it.path.as_str()).collect();
            paths == case.taken.iter().map(String::as_str).collect()
        }
        (Err(why), Some(refused)) => {
            let (variant, text) = (format!("{why:?}"), why.to_string());
            let variant = variant.split([' ', '(', '{']).next().unwrap_or_default();
            variant == refused
                && !case.says.is_empty()
                && text.contains(&case.says)
                && text.chars().all(|it| it.is_ascii() && !it.is_control())
        }
        _ => false,
    };
    let found = found.map_err(|why| format!("{why:?}: {why}"));
    if is_right { Ok(()) } else { Err(format!("found {found:?}")) }
}
