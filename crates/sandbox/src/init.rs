//! The first process of a jail: builds it, starts the program in it, collects
//! the dead, and tells the launcher how the program ended. When it goes, the
//! kernel takes everything else in the jail with it.
#![allow(unsafe_code, reason = "it forks")]

use std::{
    fmt,
    fs::{self, File},
    io::{self, Read},
    os::fd::{AsFd, OwnedFd},
    path::PathBuf,
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    fcntl::OFlag,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sched::{CloneFlags, unshare},
    sys::signal::{SigSet, Signal},
    sys::signalfd::{SfdFlags, SignalFd},
    sys::stat::{Mode, umask},
    unistd::{Gid, Uid, pipe2, setgroups, sethostname, setresgid, setresuid, setsid},
};
use serde::{Deserialize, Serialize};

use crate::{
    cgroup::SlotGroups,
    fence::Fence,
    mounts,
    program::{self, NotStarted, Order},
    protocol::{self, Received, Status},
    seccomp::Program,
    sys::{self, Child, Fork},
};

/// What a slot is made from.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) groups: &'a SlotGroups,
    pub(crate) toolchain: &'a [PathBuf],
    /// The kernel has Landlock.
    pub(crate) fenced: bool,
    pub(crate) filter: &'a Program,
    /// The user of the program.
    pub(crate) uid: u32,
    /// The user of the first process, once it needs no rights any more.
    pub(crate) init_uid: u32,
}

/// What the first process tells the launcher.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Notice {
    /// It waits for its order.
    Ready,
    /// There is a process that becomes the program.
    Born,
    /// A step failed; it ends.
    Failed { step: String, why: String },
    /// The program has ended.
    Ended { status: Status, wall: Duration },
}

/// The life of the first process; the code it ends with says nothing.
pub(crate) fn live(plan: &Plan<'_>, socket: OwnedFd) -> i32 {
    let socket = match settle(socket) {
        Ok(socket) => socket,
        Err(_) => return 1,
    };
    let notice = match work(plan, &socket) {
        Ok(Some(notice)) => notice,
        Ok(None) => return 0,
        Err(Failure { step, why }) => Notice::Failed { step, why },
    };
    // Where the launcher is gone there is nobody to tell.
    let _ = protocol::send(socket.as_fd(), &notice, &[]);
    0
}

/// Keeps the socket, and nothing else of what the launcher had open.
fn settle(socket: OwnedFd) -> io::Result<OwnedFd> {
    sys::die_with_parent()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    for stdio in 0..3 {
        sys::duplicate_to(nothing.as_fd(), stdio)?;
    }
    // Its number is closed with all others.
    std::mem::forget(nothing);
    sys::keep_only(socket)
}

/// A step that failed, and why. Never the program's fault.
struct Failure {
    step: String,
    why: String,
}

fn work(plan: &Plan<'_>, socket: &OwnedFd) -> Result<Option<Notice>, Failure> {
    let (birthplace, fence) = prepare(plan)?;
    step("telling the launcher", protocol::send(socket.as_fd(), &Notice::Ready, &[]))?;
    let Some((order, fds)) = step("hearing the order", await_order(socket))? else {
        return Ok(None);
    };
    let stdio = furnish(&order, fds)?;

    let deaths = step("hearing of the dead", deaths())?;
    let (told, tell) = step("a pipe from the program", pipe2(OFlag::O_CLOEXEC))?;
    let fork = Fork { group: Some(birthplace.as_fd()), ..Fork::default() };
    let born = Instant::now();
    // SAFETY: this process is a copy of one with one thread, and has made none.
    let child = unsafe {
        sys::fork(&fork, || {
            program::become_program(&order, &stdio, plan.uid, fence, plan.filter, tell)
        })
    };
    let child = step("a process for the program", child)?;
    // Not before is it anybody's time but ours.
    step("telling the launcher", protocol::send(socket.as_fd(), &Notice::Born, &[]))?;
    drop(stdio);
    step("giving up its rights", give_up_rights(plan.init_uid))?;
    let Some(status) = step("waiting for the program", await_end(&child, &deaths, socket))? else {
        return Ok(None);
    };
    let wall = born.elapsed();
    match step("hearing from the program", hear(told))? {
        None => Ok(Some(Notice::Ended { status, wall })),
        Some(NotStarted::Program(why)) => {
            Ok(Some(Notice::Ended { status: Status::NotStarted(why), wall }))
        }
        Some(NotStarted::Setup { step, why }) => Err(Failure { step, why }),
    }
}

/// All that can be done before anybody knows what will run.
fn prepare(plan: &Plan<'_>) -> Result<(File, Option<Fence>), Failure> {
    step("a session of its own", setsid())?;
    step("no way into it", sys::undumpable())?;
    step("an ordinary priority", sys::ordinary_priority())?;
    // Where the host runs out of memory, jails go before anything else of it. This
    // cannot be taken back without rights.
    step("its place when memory is short", fs::write("/proc/self/oom_score_adj", "1000"))?;
    umask(Mode::from_bits_truncate(0o022));
    // Here, so that the launcher does not wait for the kernel.
    step("control groups", plan.groups.make().and_then(|()| plan.groups.join()))?;
    let birthplace = step("control groups", plan.groups.birthplace())?;
    let apart = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS;
    step("namespaces", unshare(apart))?;
    step("a name", sethostname("jail"))?;
    step("files", mounts::enter_root(plan.toolchain, plan.uid))?;
    step("no new privileges", sys::no_new_privileges())?;
    step("no capabilities for programs", sys::empty_bounding_set())?;
    let fence = plan.fenced.then(|| Fence::build(plan.toolchain)).transpose();
    Ok((birthplace, step("a fence (Landlock)", fence)?))
}

/// Waits for the order; none comes where the launcher has gone.
fn await_order(socket: &OwnedFd) -> io::Result<Option<(Order, Vec<OwnedFd>)>> {
    loop {
        match protocol::receive(socket.as_fd())? {
            Received::Message(order, fds) => return Ok(Some((order, fds))),
            Received::HungUp => return Ok(None),
            Received::Empty => {
                match poll(&mut [PollFd::new(socket.as_fd(), PollFlags::POLLIN)], PollTimeout::NONE)
                {
                    Ok(_) | Err(Errno::EINTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
        }
    }
}

/// Mounts what came with the order, and returns the pipes.
fn furnish(order: &Order, fds: Vec<OwnedFd>) -> Result<[OwnedFd; 3], Failure> {
    let expected = 3 + order.dirs.len() + usize::from(order.build);
    let found = fds.len();
    let wrong = || io::Error::other(format!("{found} descriptors came, {expected} were to"));
    if found != expected {
        return step("hearing the order", Err(wrong()));
    }
    let mounts = &fds[3..];
    let dirs: Vec<_> =
        order.dirs.iter().map(String::as_str).zip(mounts.iter().map(AsFd::as_fd)).collect();
    let build = order.build.then(|| mounts.last()).flatten().map(AsFd::as_fd);
    step("files", mounts::furnish(&order.limits, &dirs, build))?;
    step(
        "hearing the order",
        fds.into_iter().take(3).collect::<Vec<_>>().try_into().map_err(|_| wrong()),
    )
}

/// Becomes readable when a child ends; the program itself blocks no signal.
fn deaths() -> nix::Result<SignalFd> {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGCHLD);
    signals.thread_block()?;
    SignalFd::with_flags(&signals, SfdFlags::SFD_CLOEXEC | SfdFlags::SFD_NONBLOCK)
}

/// Buries whoever ends, until the program has; nothing where the launcher goes before that.
///
/// The signal of its death is not enough: the kernel forgets it while this process changes its
/// user. Nor is one look at the socket: a process that the launcher has just made may hold the
/// other end for a moment longer.
fn await_end(child: &Child, deaths: &SignalFd, socket: &OwnedFd) -> io::Result<Option<Status>> {
    loop {
        while let Some((pid, status)) = sys::bury()? {
            if pid == child.pid {
                return Ok(Some(status));
            }
        }
        let ready = |fd| PollFd::new(fd, PollFlags::POLLIN);
        let mut waits = [ready(deaths.as_fd()), ready(socket.as_fd())];
        match poll(&mut waits, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        // Nothing is said to a jail any more after its order.
        if waits[1].any().unwrap_or(true) {
            return Ok(None);
        }
        while deaths.read_signal()?.is_some() {}
    }
}

/// From here on it only waits, and so needs no rights.
fn give_up_rights(uid: u32) -> io::Result<()> {
    let (uid, gid) = (Uid::from_raw(uid), Gid::from_raw(uid));
    setgroups(&[])?;
    setresgid(gid, gid, gid)?;
    setresuid(uid, uid, uid)?;
    sys::drop_capabilities()?;
    // The kernel forgets both at a change of user.
    sys::undumpable()?;
    sys::die_with_parent()
}

/// What the process said before it failed to become the program, if it did.
fn hear(told: OwnedFd) -> io::Result<Option<NotStarted>> {
    let mut text = Vec::new();
    File::from(told).read_to_end(&mut text)?;
    if text.is_empty() {
        return Ok(None);
    }
    serde_json::from_slice(&text).map(Some).map_err(io::Error::from)
}

fn step<T, E: fmt::Display>(step: &str, result: Result<T, E>) -> Result<T, Failure> {
    result.map_err(|error| Failure { step: step.to_owned(), why: error.to_string() })
}
