//! Control groups: limits, pausing, killing and measuring, on two kinds of hosts.
//!
//! A launcher has one group in every hierarchy it uses, and in it one for each slot.
//! It holds a lock on that of the v2 hierarchy as long as it lives: one that nobody
//! has locked was left by a launcher that was killed, and the next one removes it.

mod hybrid;
mod mounts;
mod v2;

use std::{
    ffi::OsStr,
    fs::{self, File},
    io,
    os::{
        fd::{AsFd, BorrowedFd},
        unix::fs::OpenOptionsExt,
    },
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use nix::{
    fcntl::{Flock, FlockArg},
    sys::eventfd::EventFd,
};

use crate::{Backend, Cgroup, Limits, Missing};

/// How long groups left by another launcher may take to empty.
const LEFTOVERS_WAIT_MAX: Duration = Duration::from_secs(5);
/// How often groups are made anew, where others remove what they are made in.
const ATTEMPTS_MAX: u32 = 10;
/// The weight of all jails, in weights of one process or service of the host.
const WEIGHT: u64 = 4;
/// The group the jails' first processes live in.
const INITS: &str = "inits";

/// The groups of one launcher.
#[derive(Debug)]
pub(crate) struct Groups {
    backend: Backend,
    /// The groups of all launchers.
    parent: PathBuf,
    v1_parents: Option<hybrid::Paths>,
    /// Our group of the v2 hierarchy, locked.
    v2: PathBuf,
    #[expect(dead_code, reason = "it is held, not used")]
    lock: Flock<File>,
    /// Our groups of the v1 hierarchies, where there are any.
    v1: Option<hybrid::Paths>,
    inits: File,
}

/// The groups of one slot.
#[derive(Debug)]
pub(crate) struct SlotGroups {
    v2: PathBuf,
    v1: Option<hybrid::Paths>,
}

/// The open files of a slot's groups.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) freeze: File,
    pub(crate) events: File,
    pub(crate) kill: File,
    pub(crate) cpu: File,
    pub(crate) out_of_memory: File,
    pub(crate) peak: Option<File>,
    pub(crate) pressure: Option<File>,
    /// Files that tell how often the jail's own limit of memory was hit, and
    /// their keys.
    pub(crate) limit_hits: Vec<(File, &'static str)>,
    /// Readable when the limit was hit and nothing could be freed, where the
    /// kernel then kills one process only.
    pub(crate) memory_alarm: Option<EventFd>,
}

impl Groups {
    /// Finds out what this host offers, removes what dead launchers left, and
    /// makes the groups of this one.
    pub(crate) fn open(policy: &Cgroup) -> Result<Self, Vec<Missing>> {
        let mounts =
            mounts::Mounts::read().map_err(|error| vec![missing("control groups", error)])?;
        let backend = mounts.backend()?;
        for _ in 0..ATTEMPTS_MAX {
            let (v2_parent, v1_parents) = match backend {
                Backend::V2 => (v2::parent(&mounts, policy)?, None),
                Backend::Hybrid => {
                    let v1 = hybrid::Paths::parents(&mounts, policy)?;
                    (hybrid::v2_parent(&mounts, policy)?, Some(v1))
                }
            };
            match Self::make(backend, v2_parent, v1_parents) {
                // The last of the other launchers has just removed the parent.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                made => return made.map_err(|error| vec![missing("control groups", error)]),
            }
        }
        Err(vec![missing("control groups", "they vanish as soon as they are made")])
    }

    fn make(
        backend: Backend,
        parent: PathBuf,
        v1_parents: Option<hybrid::Paths>,
    ) -> io::Result<Self> {
        // Whoever makes or sweeps groups here holds the parent.
        let guard = lock(&parent, FlockArg::LockExclusive)?;
        sweep(&parent, v1_parents.as_ref())?;
        // The time tells apart what has the same number in two containers.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("launcher-{}-{:x}", std::process::id(), now.as_nanos());
        let v2 = parent.join(&name);
        make_group(&v2)?;
        let own = lock(&v2, FlockArg::LockExclusiveNonblock)?;
        let v1 = v1_parents.as_ref().map(|parents| parents.join(&name));
        match &v1 {
            Some(v1) => v1.make()?,
            None => v2::delegate(&v2)?,
        }
        // All jails together would else get as much of the processors as one
        // process, or one service, of the host.
        for (parent, own) in v1_parents.iter().zip(&v1) {
            parent.weigh(WEIGHT)?;
            own.weigh(WEIGHT)?;
        }
        if v1.is_none() {
            v2::weigh(&parent, WEIGHT)?;
            v2::weigh(&v2, WEIGHT)?;
        }
        drop(guard);
        make_group(&v2.join(INITS))?;
        let inits = File::open(v2.join(INITS))?;
        Ok(Self { backend, parent, v1_parents, v2, lock: own, v1, inits })
    }

    pub(crate) fn backend(&self) -> Backend {
        self.backend
    }

    /// The group the jails' first processes are born in.
    pub(crate) fn inits(&self) -> BorrowedFd<'_> {
        self.inits.as_fd()
    }

    pub(crate) fn slot(&self, name: &str) -> SlotGroups {
        SlotGroups { v2: self.v2.join(name), v1: self.v1.as_ref().map(|v1| v1.join(name)) }
    }

    /// Kills every process of every jail.
    pub(crate) fn kill_all(&self) -> io::Result<()> {
        write(&self.v2.join("cgroup.kill"), "1")
    }

    /// Removes every group of this launcher, which must be empty of processes,
    /// and the parents, where no other launcher has groups in them.
    pub(crate) fn remove_all(&self) -> io::Result<()> {
        remove_tree(&self.v2)?;
        self.v1.as_ref().map_or(Ok(()), hybrid::Paths::remove_trees)?;
        let guard = lock(&self.parent, FlockArg::LockExclusive)?;
        let parents = self.v1_parents.iter().flat_map(hybrid::Paths::all).chain([&*self.parent]);
        for parent in parents {
            match fs::remove_dir(parent) {
                Err(error)
                    if !matches!(
                        error.raw_os_error(),
                        Some(libc::EBUSY | libc::ENOTEMPTY | libc::ENOENT)
                    ) =>
                {
                    return Err(named(parent, error));
                }
                _ => {}
            }
        }
        drop(guard);
        Ok(())
    }
}

impl SlotGroups {
    pub(crate) fn make(&self) -> io::Result<()> {
        make_group(&self.v2)?;
        self.v1.as_ref().map_or(Ok(()), hybrid::Paths::make)
    }

    /// Moves this process into the groups of the v1 hierarchies: what is born
    /// there stays there. In the v2 hierarchy a program is born in its group.
    pub(crate) fn join(&self) -> io::Result<()> {
        self.v1.as_ref().map_or(Ok(()), hybrid::Paths::join_them)
    }

    /// The group a program is born in.
    pub(crate) fn birthplace(&self) -> io::Result<File> {
        File::open(&self.v2)
    }

    pub(crate) fn open(&self) -> io::Result<Files> {
        let (out_of_memory, peak) = match &self.v1 {
            None => (self.v2.join("memory.events"), self.v2.join("memory.peak")),
            Some(v1) => {
                (v1.memory.join("memory.oom_control"), v1.memory.join("memory.max_usage_in_bytes"))
            }
        };
        let (limit_hits, memory_alarm) = match &self.v1 {
            None => (vec![(open(&out_of_memory, false)?, "max")], None),
            Some(v1) => (v1.limit_hits()?, Some(v1.memory_alarm()?)),
        };
        Ok(Files {
            limit_hits,
            memory_alarm,
            freeze: open(&self.v2.join("cgroup.freeze"), true)?,
            events: open(&self.v2.join("cgroup.events"), false)?,
            kill: open(&self.v2.join("cgroup.kill"), true)?,
            cpu: open(&self.v2.join("cpu.stat"), false)?,
            out_of_memory: open(&out_of_memory, false)?,
            peak: optional(open(&peak, false))?,
            pressure: optional(open(&self.v2.join("cpu.pressure"), false))?,
        })
    }

    pub(crate) fn limit(&self, limits: &Limits) -> io::Result<()> {
        match &self.v1 {
            None => v2::limit(&self.v2, limits),
            Some(v1) => v1.limit(limits),
        }
    }

    /// Removes the groups; those already gone are no error, those in use are.
    pub(crate) fn remove(&self) -> io::Result<()> {
        remove(&self.v2)?;
        self.v1.as_ref().map_or(Ok(()), hybrid::Paths::remove)
    }
}

pub(crate) fn missing(what: &str, why: impl ToString) -> Missing {
    Missing { what: what.to_owned(), why: why.to_string() }
}

/// Removes the groups that launchers left which are no more.
fn sweep(parent: &Path, v1: Option<&hybrid::Paths>) -> io::Result<()> {
    for name in ours(parent)? {
        let group = parent.join(&name);
        match lock(&group, FlockArg::LockExclusiveNonblock) {
            // Its launcher lives.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
            Ok(_) => {
                write(&group.join("cgroup.kill"), "1")?;
                patiently(|| remove_tree(&group))?;
            }
        }
    }
    for parent_v1 in v1.iter().flat_map(|v1| v1.all()) {
        for name in ours(parent_v1)? {
            if !parent.join(&name).exists() {
                patiently(|| remove_tree(&parent_v1.join(&name)))?;
            }
        }
    }
    Ok(())
}

/// The groups that a launcher has made, by their names.
fn ours(parent: &Path) -> io::Result<Vec<std::ffi::OsString>> {
    let ours = |name: &OsStr| name.to_str().is_some_and(|name| name.starts_with("launcher-"));
    let entries = fs::read_dir(parent)?.collect::<io::Result<Vec<_>>>()?;
    Ok(entries.into_iter().map(|entry| entry.file_name()).filter(|name| ours(name)).collect())
}

/// A killed process takes a moment to be gone.
fn patiently(mut remove: impl FnMut() -> io::Result<()>) -> io::Result<()> {
    let until = Instant::now() + LEFTOVERS_WAIT_MAX;
    loop {
        match remove() {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy && Instant::now() < until => {
                thread::sleep(Duration::from_millis(2));
            }
            done => return done,
        }
    }
}

fn remove_tree(group: &Path) -> io::Result<()> {
    match fs::read_dir(group) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => {
            for entry in entries? {
                let entry = entry?;
                if entry.file_type()?.is_dir() {
                    remove_tree(&entry.path())?;
                }
            }
        }
    }
    remove(group)
}

fn remove(group: &Path) -> io::Result<()> {
    match fs::remove_dir(group) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done.map_err(|error| named(group, error)),
    }
}

fn make_group(group: &Path) -> io::Result<()> {
    match fs::create_dir(group) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        done => done.map_err(|error| named(group, error)),
    }
}

fn lock(group: &Path, how: FlockArg) -> io::Result<Flock<File>> {
    let folder = File::open(group).map_err(|error| named(group, error))?;
    Flock::lock(folder, how).map_err(|(_, error)| named(group, error.into()))
}

fn write(file: &Path, what: &str) -> io::Result<()> {
    use io::Write as _;
    let mut open = open(file, true)?;
    open.write_all(what.as_bytes()).map_err(|error| named(file, error))
}

fn read(file: &Path) -> io::Result<String> {
    fs::read_to_string(file).map_err(|error| named(file, error))
}

fn open(file: &Path, write: bool) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.read(!write).write(write).custom_flags(libc::O_CLOEXEC);
    options.open(file).map_err(|error| named(file, error))
}

/// Files that not every kernel has.
fn optional(file: io::Result<File>) -> io::Result<Option<File>> {
    match file {
        Ok(file) => Ok(Some(file)),
        // The kernel refuses the pressure file where it was told to keep no such figures.
        Err(error)
            if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::Unsupported) =>
        {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// An error that says of which file it is, and is still of the same kind.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
