//! What there is to see of jails from outside, before and after: nothing may be left behind.

use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use sandbox::Policy;

/// How long the last traces of a jail may take to go.
const SETTLE_WAIT_MAX: Duration = Duration::from_secs(10);
/// What the judge's side may hold in memory beyond what it held before.
const JUDGE_BYTES_MAX: u64 = 64 << 20;
/// Where a program could leave files, if it could leave any.
const TEMPORARY: &[&str] = &["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"];

/// Where to look.
#[derive(Debug)]
pub(crate) struct Outside {
    policy: Policy,
    /// The most that this side had held in memory before any case.
    judge_bytes: u64,
}

/// What there is to see of jails from outside.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Traces {
    descriptors: usize,
    mounts: usize,
    processes: Vec<String>,
    groups: Vec<(PathBuf, usize)>,
    /// Files of the jails' users.
    files: Vec<PathBuf>,
}

impl Outside {
    /// `room_bytes` is what the tests keep themselves.
    pub(crate) fn new(policy: &Policy, room_bytes: u64) -> Outside {
        Outside { policy: policy.clone(), judge_bytes: judge_bytes() + room_bytes }
    }

    /// What there is to see once the launcher has made its slots ready.
    pub(crate) fn quiet(&self) -> Traces {
        let ready = usize::try_from(self.policy.warm_slots).expect("small");
        let until = Instant::now() + SETTLE_WAIT_MAX;
        loop {
            let traces = self.traces();
            let is_quiet = traces.processes.is_empty()
                && traces.groups.iter().all(|(_, slots)| *slots == ready);
            if is_quiet || Instant::now() > until {
                return traces;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for the last traces to go, and fails where they stay.
    pub(crate) fn assert_nothing_left(&self, before: &Traces) {
        let grown = judge_bytes().saturating_sub(self.judge_bytes);
        assert!(grown < JUDGE_BYTES_MAX, "the judge's side has grown by {grown} bytes");
        let until = Instant::now() + SETTLE_WAIT_MAX;
        loop {
            let now = self.traces();
            if now == *before {
                return;
            }
            assert!(
                Instant::now() < until,
                "something is left behind: {now:?}, before: {before:?}"
            );
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn traces(&self) -> Traces {
        Traces {
            descriptors: fs::read_dir("/proc/self/fd").expect("proc").count(),
            mounts: fs::read_to_string("/proc/self/mountinfo").expect("proc").lines().count(),
            processes: processes_of(&self.policy),
            groups: groups(&self.policy),
            files: files_of(&self.policy),
        }
    }
}

/// Processes of the users that belong to jails, each with its name and state.
pub(crate) fn processes_of(policy: &Policy) -> Vec<String> {
    let users = policy.uids.first..policy.uids.first + policy.uids.count;
    let of_jails = |entry: fs::DirEntry| {
        let status = fs::read_to_string(entry.path().join("status")).unwrap_or_default();
        let value =
            |key| status.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim();
        let user: u32 = value("Uid:").split('\t').next()?.parse().ok()?;
        // What is dead and only not yet buried by the host is no process.
        let lives = users.contains(&user) && !value("State:").starts_with('Z');
        lives.then(|| format!("{} {} {} of {user}", value("Pid:"), value("Name:"), value("State:")))
    };
    fs::read_dir("/proc").expect("proc").filter_map(Result::ok).filter_map(of_jails).collect()
}

/// The number of slots of every launcher of these tests, by hierarchy.
fn groups(policy: &Policy) -> Vec<(PathBuf, usize)> {
    let launchers = |root: PathBuf| {
        let launchers = children(&root.join(&policy.cgroup.parent));
        launchers.into_iter().map(move |launcher| (root.clone(), children(&launcher)))
    };
    let slots =
        |groups: Vec<PathBuf>| groups.iter().filter(|group| !group.ends_with("inits")).count();
    let mut groups: Vec<_> = roots()
        .into_iter()
        .flat_map(launchers)
        .map(|(root, groups)| (root, slots(groups)))
        .collect();
    groups.sort();
    groups
}

/// Where control groups are mounted.
pub(crate) fn roots() -> Vec<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").expect("proc");
    let mounts = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (_, point, kind) = (words.next()?, words.next()?, words.next()?);
        kind.starts_with("cgroup").then(|| PathBuf::from(point))
    });
    mounts.collect()
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}

/// What lies in folders for everybody, and belongs to a jail's user.
fn files_of(policy: &Policy) -> Vec<PathBuf> {
    let users = policy.uids.first..policy.uids.first + policy.uids.count;
    let entries =
        TEMPORARY.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let owned = entries.filter(|it| it.metadata().is_ok_and(|it| users.contains(&it.uid())));
    owned.map(|entry| entry.path()).collect()
}

/// The most that this process has held in memory so far.
fn judge_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("VmHWM");
    let kb: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kb << 10
}
