//! Every folder of `tests/hostile` is a case: a program that means harm, and
//! what must come of it.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use sandbox::How;
use serde::Deserialize;

use crate::{
    FoundCase,
    kit::{Kit, OUTPUT_BYTES_MAX, Run, finish_with, spec},
    programs,
};

/// `expect.toml`: what must come of a program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    /// The statement that is shown.
    that: String,
    /// Which of the known ways to do harm it tries; see `rows.toml` beside the folders.
    #[expect(dead_code, reason = "another test counts them")]
    rows: Vec<u8>,
    /// How it may end: `exited N`, `signalled N`, `out of memory`, `overdue`.
    ends: Vec<String>,
    /// Exactly what it says on stdout; else anything.
    says: Option<String>,
    /// What it says at least, somewhere.
    mentions: Option<String>,
    /// What it says at least, somewhere on stderr.
    complains: Option<String>,
    /// When its time is up.
    #[serde(default = "seconds")]
    wall_ms: u64,
    /// Whether it is paused all the time.
    #[serde(default)]
    pauses: bool,
    /// Whether it is bound to one core.
    #[serde(default)]
    core: bool,
    /// Limits that differ.
    #[serde(default)]
    limits: BTreeMap<String, u64>,
}

fn seconds() -> u64 {
    10_000
}

/// One case for each folder, in the order of their names.
pub(crate) fn cases() -> Vec<FoundCase> {
    programs::hostile_sources().into_iter().map(case).collect()
}

fn case(source: PathBuf) -> FoundCase {
    let folder = source.parent().expect("a folder");
    let file = folder.join("expect.toml");
    let text = fs::read_to_string(&file).unwrap_or_else(|it| panic!("{}: {it}", file.display()));
    let expected: Expectation =
        toml::from_str(&text).unwrap_or_else(|it| panic!("{}: {it}", file.display()));
    let named = folder.file_name().expect("a name").to_string_lossy();
    let name = format!("hostile/{named}: {}", expected.that);
    FoundCase::with_verdict(name, move |kit: &mut Kit| try_case(kit, &source, &expected))
}

fn try_case(kit: &mut Kit, source: &Path, expected: &Expectation) -> String {
    let Some(program) = programs::program(source, kit.folder.path()) else {
        println!("       this machine lacks the language of {}", source.display());
        return String::new();
    };
    let mut spec = spec(program.argv);
    if expected.core {
        spec.core = kit.client.hello().expect("a report").cores.first().copied();
    }
    for (name, value) in &expected.limits {
        let limits = &mut spec.limits;
        *match name.as_str() {
            "memory_bytes_max" => &mut limits.memory_bytes_max,
            "processes_max" => &mut limits.processes_max,
            "descriptors_max" => &mut limits.descriptors_max,
            "file_bytes_max" => &mut limits.file_bytes_max,
            "tmp_bytes_max" => &mut limits.tmp_bytes_max,
            "tmp_files_max" => &mut limits.tmp_files_max,
            other => panic!("no limit {other:?} here"),
        } = *value;
    }
    let jail = kit.spawn(&spec, &[("/bot", &program.folder)]);
    let jail = jail.unwrap_or_else(|error| panic!("{error}"));
    let run = finish_with(jail, Duration::from_millis(expected.wall_ms), expected.pauses);
    let ended = ended(&run);
    assert!(expected.ends.contains(&ended), "it {ended}, not {:?}; {run:?}", expected.ends);
    assert!(
        run.stdout.len() + run.stderr.len() <= run.written && run.stdout.len() <= OUTPUT_BYTES_MAX,
        "too much is kept"
    );
    if let Some(says) = &expected.says {
        assert_eq!(&run.stdout, says, "{run:?}");
    }
    for (wanted, text) in [(&expected.mentions, &run.stdout), (&expected.complains, &run.stderr)] {
        if let Some(wanted) = wanted {
            assert!(text.contains(wanted), "no {wanted:?} in {run:?}");
        }
    }
    ended
}

fn ended(run: &Run) -> String {
    match &run.ending.how {
        How::OutOfMemory => "out of memory".to_owned(),
        How::Signalled(libc::SIGKILL) if run.overdue => "overdue".to_owned(),
        How::Exited(code) => format!("exited {code}"),
        How::Signalled(signal) => format!("signalled {signal}"),
        How::NotStarted(why) => format!("not started: {why}"),
    }
}
