//! Limits that cannot be seen from inside, and groups that do not want to go.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use sandbox::{How, Jail};

use crate::{
    Case,
    kit::{Kit, spec},
    outside::roots,
};

pub(crate) const CASES: &[Case] = &[
    ("memory cannot be exceeded by way of swap", no_swap),
    ("a group that cannot be removed is told of, and in nobody's way", stuck),
];

fn no_swap(kit: &mut Kit) {
    let mut spec = spec(&["sleep", "100"]);
    // Told apart from all others by a limit that nobody else has.
    spec.limits.memory_bytes_max = 77 << 20;
    let jail = kit.spawn(&spec, &[]).expect("a jail");
    let limit = spec.limits.memory_bytes_max.to_string();
    let slots = slots(kit);
    let limited = |file: &str| -> Vec<&PathBuf> {
        slots.iter().filter(|it| read(&it.join(file)).as_ref() == Some(&limit)).collect()
    };
    let (v1, v2) = (limited("memory.limit_in_bytes"), limited("memory.max"));
    assert_eq!(v1.len() + v2.len(), 1, "one group holds its memory");
    let swap = match (v1.first(), v2.first()) {
        (Some(group), _) => (read(&group.join("memory.memsw.limit_in_bytes")), limit.as_str()),
        (_, Some(group)) => (read(&group.join("memory.swap.max")), "0"),
        _ => unreachable!("there is one"),
    };
    match swap {
        (Some(found), wanted) => assert_eq!(found, wanted),
        (None, _) => {
            let swaps = fs::read_to_string("/proc/swaps").unwrap_or_default();
            assert!(swaps.lines().count() < 2, "there is swap, and nothing forbids it: {swaps}");
            println!("       this kernel does not count swap, and has none");
        }
    }
    drop(jail);
}

fn stuck(kit: &mut Kit) {
    let before = slots(kit);
    let mut jail = kit.spawn(&spec(&["sleep", "100"]), &[]).expect("a jail");
    // Whatever slot it has: a group inside, which no launcher expects, keeps it from going.
    let inside: Vec<PathBuf> = before.iter().map(|it| it.join("inside")).collect();
    inside.iter().for_each(|it| fs::create_dir(it).expect("a group"));
    jail.kill().expect("killed");
    assert_eq!(jail.wait().expect("an end").how, How::Signalled(libc::SIGKILL), "as ever");
    drop(jail);
    let warned = |kit: &Kit| {
        let report = kit.client.hello().expect("a report");
        report.warnings.iter().any(|it| it.contains("cannot be removed"))
    };
    await_that("it is told", || warned(kit));
    let others: Vec<Jail> = (0..3)
        .map(|_| kit.spawn(&spec(&["sleep", "100"]), &[]).expect("room for others"))
        .collect();
    drop(others);
    inside.iter().for_each(|it| fs::remove_dir(it).expect("an empty group"));
    await_that("it goes as soon as it can", || !warned(kit));
}

/// The groups of slots, in every hierarchy.
fn slots(kit: &Kit) -> Vec<PathBuf> {
    let below = |folder: PathBuf| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|it| it.path()).filter(|it| it.is_dir()).collect()
    };
    let parents = roots().into_iter().map(|root| root.join(&kit.policy.cgroup.parent));
    let launchers = parents.flat_map(below);
    launchers.flat_map(below).filter(|it| !it.ends_with("inits")).collect()
}

fn read(file: &Path) -> Option<String> {
    fs::read_to_string(file).ok().map(|text| text.trim().to_owned())
}

fn await_that(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(10);
    while !is_so() {
        assert!(Instant::now() < until, "not {what}");
        thread::sleep(Duration::from_millis(20));
    }
}
