//! From the birth of a process to the program it becomes: every right is given
//! up on the way, in the one order in which that works.

use std::{
    ffi::{CStr, CString, OsStr},
    fs::File,
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    os::unix::ffi::OsStrExt,
    path::Path,
};

use nix::{
    errno::Errno,
    sched::{CloneFlags, CpuSet, sched_setaffinity, unshare},
    sys::stat::{Mode, umask},
    unistd::{Gid, Pid, Uid, chdir, execve, setgroups, setresgid, setresuid, setsid},
};
use serde::{Deserialize, Serialize};

use crate::{Limits, fence::Fence, rlimits, sys};

/// What the launcher tells a slot to run. Beside it travel stdin, stdout,
/// stderr, one mount for each folder, and the writable folder's, if any.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) argv: Vec<String>,
    /// `NAME=value`, complete.
    pub(crate) env: Vec<String>,
    pub(crate) cwd: String,
    pub(crate) limits: Limits,
    pub(crate) core: Option<u32>,
    pub(crate) dirs: Vec<String>,
    pub(crate) build: bool,
}

/// Why a program was not started, as told by the process that was to become it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum NotStarted {
    /// It cannot be executed: the program's fault.
    Program(String),
    /// A step before that failed: ours.
    Setup { step: String, why: String },
}

/// Turns this process into the program. Returns only where that fails, having
/// told `status` why.
pub(crate) fn become_program(
    order: &Order,
    stdio: &[OwnedFd; 3],
    uid: u32,
    fence: Option<Fence>,
    filter: &[libc::sock_filter],
    status: OwnedFd,
) -> i32 {
    let why = match try_to(order, stdio, uid, fence, filter, status.as_fd()) {
        Ok(never) => match never {},
        Err(why) => why,
    };
    // The other end is gone only when the whole jail is going.
    let _ = serde_json::to_writer(&mut io::BufWriter::new(File::from(status)), &why);
    127
}

fn try_to(
    order: &Order,
    stdio: &[OwnedFd; 3],
    uid: u32,
    fence: Option<Fence>,
    filter: &[libc::sock_filter],
    status: BorrowedFd<'_>,
) -> Result<std::convert::Infallible, NotStarted> {
    // The root of what it can see of control groups is its own.
    step("its view of control groups", unshare(CloneFlags::CLONE_NEWCGROUP))?;
    step("a session of its own", setsid())?;
    for (fd, to) in stdio.iter().zip(0..) {
        step("its pipes", sys::duplicate_to(fd.as_fd(), to))?;
    }
    if let Some(fence) = fence {
        let closed = fence.close(&order.dirs, order.build).map_err(io::Error::other);
        step("its fence (Landlock)", closed)?;
    }
    // Not only once it is executed: by `/proc/self/fd` a folder of the host that is still open
    // would be a way there, for the folder it starts in and for interpreters that a file names.
    step("no other descriptors", sys::close_all_but(status))?;
    sys::reset_signals();
    umask(Mode::from_bits_truncate(0o022));
    if let Some(core) = order.core {
        step("its core", pin(core))?;
    }
    step("its limits", rlimits::set(&order.limits))?;

    // Groups while there is the right to set them, the user last: with the
    // user all capabilities go.
    let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(uid));
    step("no groups", setgroups(&[]))?;
    step("its group", setresgid(gid, gid, gid))?;
    step("its user", setresuid(uid, uid, uid))?;
    step("no capabilities", sys::drop_capabilities())?;
    step("no way into it", sys::undumpable())?;
    // As the user it will be, so that it goes where that user may go.
    chdir(order.cwd.as_str())
        .map_err(|error| program(&format!("entering {}", order.cwd), error))?;
    let argv = strings(&order.argv)?;
    let env = strings(&order.env)?;
    step("its system calls", sys::install_filter(filter))?;
    execute(&order.argv[0], &argv, &env, &order.env)
}

fn pin(core: u32) -> Result<(), Errno> {
    let mut cores = CpuSet::new();
    cores.set(usize::try_from(core).map_err(|_| Errno::EINVAL)?)?;
    sched_setaffinity(Pid::from_raw(0), &cores)
}

/// Executes a path, or a name in the first folder of `PATH` that has it.
fn execute(
    name: &str,
    argv: &[CString],
    env: &[CString],
    variables: &[String],
) -> Result<std::convert::Infallible, NotStarted> {
    let failed = |path: &CStr, error| match error {
        // Of a file that ends before it should, the kernel says the same as of a broken disk.
        Errno::EIO if can_be_read(path) => {
            NotStarted::Program(format!("executing {name}: it is damaged"))
        }
        error => program(&format!("executing {name}"), error),
    };
    if name.contains('/') {
        return execve(&argv[0], argv, env).map_err(|error| failed(&argv[0], error));
    }
    let folders =
        variables.iter().find_map(|variable| variable.strip_prefix("PATH=")).unwrap_or_default();
    let mut last = Errno::ENOENT;
    for folder in folders.split(':').filter(|folder| folder.starts_with('/')) {
        let path = Path::new(folder).join(name);
        let Ok(path) = CString::new(path.as_os_str().as_bytes()) else { continue };
        last = match execve::<&CStr, &CStr>(&path, &refs(argv), &refs(env)) {
            Ok(never) => match never {},
            // What is not there is looked for further on.
            Err(Errno::ENOENT | Errno::ENOTDIR) => last,
            Err(Errno::EACCES) => Errno::EACCES,
            Err(error) => return Err(failed(&path, error)),
        };
    }
    Err(program(&format!("executing {name}"), last))
}

fn can_be_read(path: &CStr) -> bool {
    let open = File::open(OsStr::from_bytes(path.to_bytes()));
    open.and_then(|mut file| io::copy(&mut file, &mut io::sink())).is_ok()
}

fn refs(strings: &[CString]) -> Vec<&CStr> {
    strings.iter().map(CString::as_c_str).collect()
}

fn strings(words: &[String]) -> Result<Vec<CString>, NotStarted> {
    let words = words.iter().map(|word| CString::new(word.as_str())).collect::<Result<Vec<_>, _>>();
    step("its words", words.map_err(|error| io::Error::other(error.to_string())))
}

/// Our fault only where the kernel could not, not where it would not.
fn program(what: &str, error: Errno) -> NotStarted {
    match error {
        Errno::ENOMEM
        | Errno::EAGAIN
        | Errno::EIO
        | Errno::ENFILE
        | Errno::EMFILE
        | Errno::ENOSYS => {
            NotStarted::Setup { step: what.to_owned(), why: error.desc().to_owned() }
        }
        _ => NotStarted::Program(format!("{what}: {}", error.desc())),
    }
}

fn step<T, E: Into<io::Error>>(step: &str, result: Result<T, E>) -> Result<T, NotStarted> {
    result
        .map_err(|error| NotStarted::Setup { step: step.to_owned(), why: error.into().to_string() })
}
