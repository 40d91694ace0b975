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
        fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd},
        unix::fs::{FileExt, OpenOptionsExt},
    },
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use nix::{
    fcntl::{Flock, FlockArg},
    poll::{PollFd, PollFlags, PollTimeout, poll},
};

use crate::{Backend, Cgroup, Limits, Missing, jail};

/// How long groups left by another launcher may take to empty.
const LEFTOVERS_WAIT_MAX: Duration = Duration::from_secs(5);
/// How often groups are made anew, where others remove what they are made in.
const ATTEMPTS_MAX: u32 = 10;
/// The part of the host's memory that all jails of a launcher may have together.
const MEMORY_PARTS: (u64, u64) = (7, 8);
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
    /// Opened when there were descriptors to be had.
    kill: File,
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
    /// There with version 1 only, where the kernel kills one process of several.
    pub(crate) memory_alarm: Option<MemoryAlarm>,
}

impl Files {
    /// Whether it was the jail's own limit that memory was short of, and not the host.
    pub(crate) fn limit_was_hit(&self) -> io::Result<bool> {
        limit_was_hit(&self.out_of_memory, self.memory_alarm.as_ref())
    }
}

/// Version 1's way to tell that memory was short, and of what.
#[derive(Debug)]
pub(crate) struct MemoryAlarm {
    /// Readable when nothing could be freed, be it for the group or one above.
    alarm: OwnedFd,
    /// The most that was used. The kernel's own count of hits has gaps.
    peak: File,
    limit: File,
}

impl MemoryAlarm {
    /// From descriptors in the order of [`MemoryAlarm::descriptors`].
    pub(crate) fn new(fds: &mut impl Iterator<Item = OwnedFd>) -> Option<Self> {
        Some(Self { alarm: fds.next()?, peak: fds.next()?.into(), limit: fds.next()?.into() })
    }

    /// Forgets that it rang.
    pub(crate) fn hush(&self) {
        // Where there is nothing to forget, there is nothing to read.
        let _ = nix::unistd::read(&self.alarm, &mut [0; 8]);
    }

    pub(crate) fn descriptors(&self) -> [RawFd; 3] {
        [self.alarm.as_raw_fd(), self.peak.as_raw_fd(), self.limit.as_raw_fd()]
    }
}

impl AsFd for MemoryAlarm {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.alarm.as_fd()
    }
}

/// Version 2 counts how often nothing could be freed below a group's own limit,
/// and not what it kills for a shortage above. With version 1 the group was at
/// its limit when the alarm rang, or it was not.
pub(crate) fn limit_was_hit(events: &File, alarm: Option<&MemoryAlarm>) -> io::Result<bool> {
    let Some(MemoryAlarm { alarm, peak, limit }) = alarm else {
        return Ok(number(events, "oom")? > 0);
    };
    let mut fds = [PollFd::new(alarm.as_fd(), PollFlags::POLLIN)];
    poll(&mut fds, PollTimeout::ZERO)?;
    let rang = fds[0].any() == Some(true);
    Ok(rang && number(peak, "")?.saturating_add(CHARGE_BYTES_MAX) >= number(limit, "")?)
}

/// Memory is charged in portions, the last of which may not fit any more.
const CHARGE_BYTES_MAX: u64 = 1 << 20;

/// The number after `key` in a small file of the kernel's.
pub(crate) fn number(file: &File, key: &str) -> io::Result<u64> {
    let mut text = [0; 1024];
    let length = file.read_at(&mut text, 0)?;
    let text = String::from_utf8_lossy(&text[..length]);
    jail::find(&text, key).ok_or_else(|| io::Error::other(format!("no {key:?} in {text:?}")))
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
        // What bots keep in memory together must leave room for those who judge
        // them; a jail that dies of this has not hit a limit of its own.
        let memory_bytes_max = host_memory_bytes()? / MEMORY_PARTS.1 * MEMORY_PARTS.0;
        match &v1 {
            Some(v1) => v1.bound_memory(memory_bytes_max)?,
            None => {
                v2::weigh(&parent, WEIGHT)?;
                v2::weigh(&v2, WEIGHT)?;
                v2::bound_memory(&v2, memory_bytes_max)?;
            }
        }
        drop(guard);
        make_group(&v2.join(INITS))?;
        let inits = File::open(v2.join(INITS))?;
        let kill = open(&v2.join("cgroup.kill"), true)?;
        Ok(Self { backend, parent, v1_parents, v2, lock: own, v1, inits, kill })
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
        io::Write::write_all(&mut &self.kill, b"1")
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
        let memory_alarm = self.v1.as_ref().map(hybrid::Paths::memory_alarm).transpose()?;
        Ok(Files {
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

fn host_memory_bytes() -> io::Result<u64> {
    let text = read(Path::new("/proc/meminfo"))?;
    let kib = jail::find(&text, "MemTotal:");
    kib.map(|kib| kib << 10).ok_or_else(|| io::Error::other("no MemTotal in /proc/meminfo"))
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
