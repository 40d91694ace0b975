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

use crate::FoundCase;
use crate::kit::{Kit, OUTPUT_BYTES_MAX, Run, hostile_folder, spec};

/// `expect.toml`: what must come of a program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectation {
    /// The statement that is shown.
    that: String,
    /// How it may end: `exited N`, `signalled N`, `out of memory`, `overdue`.
    ends: Vec<String>,
    /// Exactly what it says on stdout; else anything.
    says: Option<String>,
    /// What it says at least, somewhere.
    mentions: Option<String>,
    /// When its time is up.
    #[serde(default = "seconds")]
    wall_ms: u64,
    /// Limits that differ.
    #[serde(default)]
    limits: BTreeMap<String, u64>,
}

fn seconds() -> u64 {
    10_000
}

/// One case for each folder, in the order of their names.
pub(crate) fn cases() -> Vec<FoundCase> {
    let entries = fs::read_dir(hostile_folder())
        .expect("hostile programs")
        .map(|entry| entry.expect("a folder").path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    let case = |folder: PathBuf| {
        let file = folder.join("expect.toml");
        let text =
            fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let expected: Expectation =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let name = format!(
            "hostile/{}: {}",
            folder.file_name().expect("a name").to_string_lossy(),
            expected.that
        );
        (
            name,
            Box::new(move |kit: &mut Kit| try_case(kit, &folder, &expected))
                as Box<dyn Fn(&mut Kit)>,
        )
    };
    folders.into_iter().map(case).collect()
}

fn try_case(kit: &mut Kit, folder: &Path, expected: &Expectation) {
    let python = folder.join("bot.py").exists();
    let mut spec =
        if python { spec(&["python3", "-I", "-S", "/bot/bot.py"]) } else { spec(&["/bot/bot"]) };
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
    let program = if python {
        // The source tree may be closed to other users.
        let copy = kit.folder.path().join(folder.file_name().expect("a name"));
        fs::create_dir_all(&copy).expect("a folder");
        fs::copy(folder.join("bot.py"), copy.join("bot.py")).expect("a copy");
        copy
    } else {
        kit.compile(&folder.join("bot.c"))
    };
    let run = kit.run(&spec, &[("/bot", &program)], Duration::from_millis(expected.wall_ms));
    let ended = ended(&run);
    assert!(expected.ends.contains(&ended), "it {ended}, not {:?}; {run:?}", expected.ends);
    assert!(
        run.stdout.len() + run.stderr.len() <= run.written && run.stdout.len() <= OUTPUT_BYTES_MAX,
        "too much is kept"
    );
    if let Some(says) = &expected.says {
        assert_eq!(&run.stdout, says, "{run:?}");
    }
    if let Some(mentions) = &expected.mentions {
        assert!(run.stdout.contains(mentions), "no {mentions:?} in {run:?}");
    }
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
