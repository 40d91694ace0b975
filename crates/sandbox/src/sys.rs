//! The kernel's calls that no library of ours offers, each behind one safe function.
#![allow(unsafe_code, reason = "system calls that no crate offers otherwise")]

use std::{
    ffi::{CStr, CString, c_int},
    fs,
    io::{self, ErrorKind},
    mem,
    os::{
        fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd},
        unix::ffi::OsStrExt,
    },
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    ptr,
};

use nix::{errno::Errno, unistd::Pid};

use crate::protocol::Status;

/// A child process, with a descriptor that becomes readable when it has ended.
#[derive(Debug)]
pub(crate) struct Child {
    pub(crate) pid: Pid,
    pub(crate) pidfd: OwnedFd,
}

/// What is different about a copy of this process.
#[derive(Debug, Default)]
pub(crate) struct Fork<'a> {
    /// It is the first of a new pid namespace.
    pub(crate) first_of_pids: bool,
    /// It is born in this control group (of version 2).
    pub(crate) group: Option<BorrowedFd<'a>>,
}

/// How many threads this process has.
pub(crate) fn threads() -> io::Result<usize> {
    Ok(fs::read_dir("/proc/self/task")?.count())
}

/// Copies this process; the copy runs `child` and ends with the code it returns.
///
/// Refused where there is more than one thread: a copy made while another
/// thread holds the allocator's lock would wait for it for ever.
pub(crate) fn fork_checked(fork: &Fork<'_>, child: impl FnOnce() -> i32) -> io::Result<Child> {
    match threads()? {
        // SAFETY: there is one thread, and it is here.
        1 => unsafe { self::fork(fork, child) },
        more => {
            Err(io::Error::new(ErrorKind::Unsupported, format!("this process has {more} threads")))
        }
    }
}

/// The same without the check, which takes longer than the copy.
///
/// # Safety
/// This process has one thread.
pub(crate) unsafe fn fork(fork: &Fork<'_>, child: impl FnOnce() -> i32) -> io::Result<Child> {
    let mut pidfd: RawFd = -1;
    let mut flags = libc::CLONE_PIDFD;
    if fork.first_of_pids {
        flags |= libc::CLONE_NEWPID;
    }
    let mut flags = u64::from(flags.cast_unsigned());
    if fork.group.is_some() {
        flags |= CLONE_INTO_CGROUP;
    }
    // SAFETY: all of its fields are numbers.
    let mut args: libc::clone_args = unsafe { mem::zeroed() };
    args.flags = flags;
    args.pidfd = ptr::from_mut(&mut pidfd).addr() as u64;
    args.exit_signal = u64::from(libc::SIGCHLD.cast_unsigned());
    args.cgroup = fork.group.map_or(0, |group| u64::from(group.as_raw_fd().cast_unsigned()));
    // SAFETY: without CLONE_VM the copy has its own memory, and its stack is a
    // copy of this one; the one thread there is goes on in both.
    let pid = unsafe {
        libc::syscall(libc::SYS_clone3, &raw mut args, mem::size_of::<libc::clone_args>())
    };
    match pid {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            // A panic must not unwind into the caller's frames, which belong
            // to the process that was copied.
            let code = catch_unwind(AssertUnwindSafe(child)).unwrap_or(101);
            // SAFETY: ends this process at once.
            unsafe { libc::_exit(code) }
        }
        pid => {
            let pid = i32::try_from(pid).map_err(io::Error::other)?;
            // SAFETY: the kernel has just opened it for us.
            Ok(Child { pid: Pid::from_raw(pid), pidfd: unsafe { OwnedFd::from_raw_fd(pidfd) } })
        }
    }
}

/// Not in libc as a number of the right width.
const CLONE_INTO_CGROUP: u64 = 0x2_0000_0000;

/// Sends a signal to exactly this process, whoever has its number by now.
pub(crate) fn kill(pidfd: BorrowedFd<'_>, signal: c_int) -> io::Result<()> {
    // SAFETY: no memory is involved.
    zero(unsafe {
        libc::syscall(
            libc::SYS_pidfd_send_signal,
            pidfd.as_raw_fd(),
            signal,
            ptr::null::<libc::siginfo_t>(),
            0,
        )
    })
}

/// A child that has ended, adopted ones among them, without waiting for one.
pub(crate) fn bury() -> io::Result<Option<(Pid, Status)>> {
    let mut status = 0;
    loop {
        // SAFETY: the kernel writes one number.
        let pid = unsafe { libc::waitpid(-1, &raw mut status, libc::__WALL | libc::WNOHANG) };
        match pid {
            -1 => match Errno::last() {
                Errno::EINTR => {}
                error => return Err(error.into()),
            },
            0 => return Ok(None),
            pid if libc::WIFEXITED(status) => {
                return Ok(Some((Pid::from_raw(pid), Status::Exited(libc::WEXITSTATUS(status)))));
            }
            pid if libc::WIFSIGNALED(status) => {
                return Ok(Some((Pid::from_raw(pid), Status::Signalled(libc::WTERMSIG(status)))));
            }
            _ => {}
        }
    }
}

/// Closes every descriptor from `first` on.
fn close_from(first: RawFd) -> io::Result<()> {
    close_range(first, RawFd::MAX)
}

/// Closes every descriptor from `first` to `last`.
fn close_range(first: RawFd, last: RawFd) -> io::Result<()> {
    if first > last {
        return Ok(());
    }
    // SAFETY: descriptors that objects of this process own are closed under
    // them; it is called in fresh copies that use none of those any more.
    zero(unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) })
}

/// Closes everything but stdio and one descriptor, which comes to be number 3.
pub(crate) fn keep_only(fd: OwnedFd) -> io::Result<OwnedFd> {
    const KEPT: RawFd = 3;
    duplicate_to(fd.as_fd(), KEPT)?;
    // Its number is closed next, or belongs to another by now.
    mem::forget(fd);
    close_from(KEPT + 1)?;
    let flags = libc::FD_CLOEXEC;
    // SAFETY: no memory is involved.
    zero(i64::from(unsafe { libc::fcntl(KEPT, libc::F_SETFD, flags) }))?;
    // SAFETY: it was made right above, and only for this.
    Ok(unsafe { OwnedFd::from_raw_fd(KEPT) })
}

/// Closes everything but stdio and one descriptor, which keeps its number, and is closed when
/// something is executed.
pub(crate) fn close_all_but(kept: BorrowedFd<'_>) -> io::Result<()> {
    let kept = kept.as_raw_fd();
    close_range(3, kept - 1)?;
    close_range(kept.max(2) + 1, RawFd::MAX)?;
    // SAFETY: no memory is involved.
    zero(i64::from(unsafe { libc::fcntl(kept, libc::F_SETFD, libc::FD_CLOEXEC) }))
}

/// Makes `to` another name of `from`, open across exec.
pub(crate) fn duplicate_to(from: BorrowedFd<'_>, to: RawFd) -> io::Result<()> {
    // SAFETY: whatever `to` was, no object of this fresh copy uses it.
    if unsafe { libc::dup2(from.as_raw_fd(), to) } == -1 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// Which attributes a mount gets.
pub(crate) const READ_ONLY: u64 = libc::MOUNT_ATTR_RDONLY;
pub(crate) const NO_SUID: u64 = libc::MOUNT_ATTR_NOSUID;
pub(crate) const NO_DEVICES: u64 = libc::MOUNT_ATTR_NODEV;

/// What a mount is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tree<'a> {
    /// Everything at and below this path, what is mounted there included.
    Path(&'a CStr),
    /// This open folder, without what is mounted below it.
    Folder(BorrowedFd<'a>),
}

/// A copy of a tree of the host that is mounted nowhere yet.
pub(crate) fn copy_tree(tree: Tree<'_>) -> io::Result<OwnedFd> {
    let recursive = libc::AT_RECURSIVE.cast_unsigned();
    let (folder, path, how) = match tree {
        Tree::Path(path) => (libc::AT_FDCWD, path, recursive),
        Tree::Folder(folder) => (folder.as_raw_fd(), c"", libc::AT_EMPTY_PATH.cast_unsigned()),
    };
    let flags = libc::OPEN_TREE_CLONE | libc::OPEN_TREE_CLOEXEC | how;
    // SAFETY: `path` ends with NUL.
    opened(unsafe { libc::syscall(libc::SYS_open_tree, folder, path.as_ptr(), flags) })
}

/// Sets attributes on a whole tree, and cuts its ties to the trees it was copied from.
pub(crate) fn restrict_tree(tree: BorrowedFd<'_>, attributes: u64) -> io::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: attributes,
        attr_clr: 0,
        propagation: libc::MS_PRIVATE,
        userns_fd: 0,
    };
    let flags = libc::AT_EMPTY_PATH | libc::AT_RECURSIVE;
    // SAFETY: path and attributes live through the call, and their size is right.
    zero(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const attributes,
            mem::size_of::<libc::mount_attr>(),
        )
    })
}

/// Mounts a tree at a path.
pub(crate) fn attach(tree: BorrowedFd<'_>, at: &CStr) -> io::Result<()> {
    // SAFETY: both paths end with NUL.
    zero(unsafe {
        libc::syscall(
            libc::SYS_move_mount,
            tree.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_FDCWD,
            at.as_ptr(),
            libc::MOVE_MOUNT_F_EMPTY_PATH,
        )
    })
}

/// A new filesystem in memory that is mounted nowhere yet.
pub(crate) fn memory_filesystem(
    options: &[(&CStr, CString)],
    attributes: u64,
) -> io::Result<OwnedFd> {
    // SAFETY: the name ends with NUL.
    let context = opened(unsafe {
        libc::syscall(libc::SYS_fsopen, c"tmpfs".as_ptr(), libc::FSOPEN_CLOEXEC)
    })?;
    let configure = |command: libc::c_uint, key: *const i8, value: *const i8| {
        // SAFETY: key and value are null or end with NUL.
        zero(unsafe {
            libc::syscall(libc::SYS_fsconfig, context.as_raw_fd(), command, key, value, 0)
        })
    };
    for (key, value) in options {
        configure(libc::FSCONFIG_SET_STRING, key.as_ptr(), value.as_ptr())?;
    }
    configure(libc::FSCONFIG_CMD_CREATE, ptr::null(), ptr::null())?;
    // SAFETY: no memory is involved.
    opened(unsafe {
        libc::syscall(libc::SYS_fsmount, context.as_raw_fd(), libc::FSMOUNT_CLOEXEC, attributes)
    })
}

/// Takes no more and no less of the processors than an ordinary process, however
/// the launcher was started: a bot's time must not depend on that.
pub(crate) fn ordinary_priority() -> io::Result<()> {
    let parameters = libc::sched_param { sched_priority: 0 };
    // SAFETY: the kernel reads one number.
    zero(i64::from(unsafe {
        libc::sched_setscheduler(0, libc::SCHED_OTHER, &raw const parameters)
    }))?;
    // SAFETY: no memory is involved.
    zero(i64::from(unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, 0) }))
}

/// Signal that this process gets when its parent dies; forgotten at every
/// change of user.
pub(crate) fn die_with_parent() -> io::Result<()> {
    control(libc::PR_SET_PDEATHSIG, libc::SIGKILL)
}

/// Nobody of the same user may look into this process, until it executes something.
pub(crate) fn undumpable() -> io::Result<()> {
    control(libc::PR_SET_DUMPABLE, 0)
}

/// No program executed from here on has more rights than this process.
pub(crate) fn no_new_privileges() -> io::Result<()> {
    control(libc::PR_SET_NO_NEW_PRIVS, 1)
}

/// No program executed from here on can have any capability.
pub(crate) fn empty_bounding_set() -> io::Result<()> {
    for capability in 0..64 {
        match control(libc::PR_CAPBSET_DROP, capability) {
            // The kernel knows no more of them.
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => break,
            done => done?,
        }
    }
    Ok(())
}

/// Gives up every capability of this process.
pub(crate) fn drop_capabilities() -> io::Result<()> {
    #[repr(C)]
    struct Header {
        version: u32,
        pid: c_int,
    }
    #[repr(C)]
    #[derive(Clone, Copy)]
    struct Set {
        effective: u32,
        permitted: u32,
        inheritable: u32,
    }
    // The third version has two words of each.
    let mut header = Header { version: 0x2008_0522, pid: 0 };
    let none = [Set { effective: 0, permitted: 0, inheritable: 0 }; 2];
    control(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL)?;
    // SAFETY: both are laid out as the kernel's third version wants them.
    zero(unsafe { libc::syscall(libc::SYS_capset, &raw mut header, none.as_ptr()) })
}

/// From here on this process can make only the calls of the program.
pub(crate) fn install_filter(program: &[libc::sock_filter]) -> io::Result<()> {
    let length = u16::try_from(program.len()).map_err(io::Error::other)?;
    let program = libc::sock_fprog { len: length, filter: program.as_ptr().cast_mut() };
    // SAFETY: the kernel only reads the program, whose length is right.
    zero(unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program)
    })
}

/// Whether a filter may end a process.
pub(crate) fn filter_can_kill() -> io::Result<()> {
    let action = libc::SECCOMP_RET_KILL_PROCESS;
    // SAFETY: the kernel reads one number.
    zero(unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, &raw const action)
    })
}

/// An extended attribute of a file or folder, if it is short.
pub(crate) fn attribute(path: &Path, name: &str) -> io::Result<Vec<u8>> {
    let (path, name) = (CString::new(path.as_os_str().as_bytes())?, CString::new(name)?);
    let mut value = [0_u8; 64];
    // SAFETY: both strings end with NUL, and the kernel writes no more than there is room for.
    let length = unsafe {
        libc::getxattr(path.as_ptr(), name.as_ptr(), value.as_mut_ptr().cast(), value.len())
    };
    let length = usize::try_from(length).map_err(|_| io::Error::last_os_error())?;
    Ok(value[..length].to_vec())
}

/// Sets one.
#[cfg(test)]
pub(crate) fn set_attribute(path: &Path, name: &str, value: &[u8]) -> io::Result<()> {
    let (path, name) = (CString::new(path.as_os_str().as_bytes())?, CString::new(name)?);
    // SAFETY: both strings end with NUL, and the kernel reads the value only.
    zero(i64::from(unsafe {
        libc::setxattr(path.as_ptr(), name.as_ptr(), value.as_ptr().cast(), value.len(), 0)
    }))
}

/// The version of Landlock that this kernel offers.
pub(crate) fn landlock_abi() -> io::Result<u32> {
    const VERSION: c_int = 1;
    // SAFETY: the kernel looks at neither pointer nor size when asked for the version.
    let abi = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<u8>(), 0_usize, VERSION)
    };
    u32::try_from(abi).map_err(|_| io::Error::last_os_error())
}

/// Every signal does what it does by default, and none is blocked.
pub(crate) fn reset_signals() {
    for signal in 1..=64 {
        // SAFETY: sets no handler; those that cannot be set stay as they are.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    let all = nix::sys::signal::SigSet::empty();
    // Setting an empty mask cannot fail.
    let _ = all.thread_set_mask();
}

fn control(option: c_int, value: c_int) -> io::Result<()> {
    // The kernel refuses some options whose unused arguments are not 0.
    let value = libc::c_ulong::from(value.cast_unsigned());
    // SAFETY: none of the options in use takes a pointer.
    zero(i64::from(unsafe { libc::prctl(option, value, 0_u64, 0_u64, 0_u64) }))
}

fn zero(result: libc::c_long) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn opened(result: libc::c_long) -> io::Result<OwnedFd> {
    match i32::try_from(result) {
        // SAFETY: the kernel has just opened it for us.
        Ok(fd) if fd >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(fd) }),
        _ => Err(Errno::last().into()),
    }
}
