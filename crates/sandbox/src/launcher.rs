//! The root side: the process that makes jails, and removes every trace of them.

use std::{
    io::{self, Write},
    os::fd::{AsFd, OwnedFd},
};

use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::{
        resource::{Resource, getrlimit, setrlimit},
        signal::{SigSet, Signal},
    },
    unistd::{Pid, geteuid},
};
use thiserror::Error;

use crate::{
    Missing, Policy, PolicyError,
    cgroup::missing,
    jailer::Jailer,
    protocol::{self, Received, Reply, Request},
    report, sys,
};

/// Descriptors the launcher needs for one jail, and for itself.
const DESCRIPTORS_PER_JAIL: u64 = 16;
const DESCRIPTORS_BESIDE: u64 = 64 + protocol::DESCRIPTORS_SENT_MAX as u64;

/// Why the launcher could not do its work.
#[derive(Debug, Error)]
pub enum LauncherError {
    /// The policy makes no sense.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// Only root can make jails.
    #[error("the launcher runs as uid {0}; only root can make jails")]
    NotRoot(u32),
    /// A process that has threads must not be copied.
    #[error("the launcher has {0} threads; it must be started before there are any but the first")]
    Threads(usize),
    /// This host cannot hold a jail.
    #[error("no jail can be made on this host, because something is missing:{}", report::lines(.0))]
    Missing(Vec<Missing>),
    /// Something that never fails has failed.
    #[error("{step}: {error}")]
    Io {
        /// What was being done.
        step: &'static str,
        /// What the kernel said.
        error: io::Error,
    },
}

/// The two ends that launcher and [`Client`](crate::Client) talk over. Both are
/// closed on exec: who passes one on by executing something clears that flag.
pub fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    protocol::pair()
}

/// Serves one client until it hangs up, then kills and removes every jail.
/// Signals other than SIGKILL do not end it.
///
/// Runs in a process of its own that has one thread, as root. The client's end
/// must be open in the client alone, or its end goes unnoticed. Where this host
/// cannot hold a jail, every request is answered with what is missing.
pub fn serve(socket: OwnedFd, policy: &Policy) -> Result<(), LauncherError> {
    check_process(policy)?;
    sys::undumpable().map_err(io_error("hiding from debuggers"))?;
    ignore_signals()?;
    match Jailer::open(policy) {
        Ok(jailer) => jailer.run(&socket),
        Err(missing) => {
            refuse_all(&socket, &missing)?;
            Err(LauncherError::Missing(missing))
        }
    }
}

/// Copies this process, which must have one thread, into a launcher, and
/// returns the client's end. The launcher is a child to be waited for; what it
/// has to complain of goes to stderr.
pub fn fork(policy: &Policy) -> Result<(OwnedFd, Pid), LauncherError> {
    check_process(policy)?;
    let (ours, theirs) = pair().map_err(io_error("a socket pair"))?;
    let child = sys::fork_checked(&sys::Fork::default(), || {
        // Nothing that was open belongs to the launcher, least of all the
        // client's ends of other launchers.
        let served = match sys::keep_only(theirs) {
            Ok(socket) => serve(socket, policy),
            Err(error) => Err(io_error("closing descriptors")(error)),
        };
        match served {
            Ok(()) => 0,
            Err(error) => {
                // That nobody listens changes nothing.
                let _ = writeln!(io::stderr(), "launcher: {error}");
                1
            }
        }
    });
    let child = child.map_err(io_error("a process for the launcher"))?;
    Ok((ours, child.pid))
}

fn check_process(policy: &Policy) -> Result<(), LauncherError> {
    policy.validate()?;
    let uid = geteuid();
    if !uid.is_root() {
        return Err(LauncherError::NotRoot(uid.as_raw()));
    }
    match sys::threads().map_err(io_error("counting threads"))? {
        1 => Ok(()),
        more => Err(LauncherError::Threads(more)),
    }
}

/// What is sent to a whole group of processes is not for the launcher: the
/// client may still need its jails, and says when it does not.
fn ignore_signals() -> Result<(), LauncherError> {
    let mut signals = SigSet::empty();
    signals.extend([Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP, Signal::SIGQUIT]);
    signals.thread_block().map_err(|error| io_error("blocking signals")(error.into()))
}

/// Answers everything with what is missing, so that the client can say it.
fn refuse_all(socket: &OwnedFd, missing: &[Missing]) -> Result<(), LauncherError> {
    loop {
        match poll(&mut [PollFd::new(socket.as_fd(), PollFlags::POLLIN)], PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(io_error("waiting")(error.into())),
        }
        match protocol::receive::<Request>(socket.as_fd()) {
            Ok(Received::HungUp) => return Ok(()),
            Ok(Received::Message(_, fds)) => {
                if let Some(control) = fds.first() {
                    // A client that is gone needs no answer.
                    let _ = protocol::send(control.as_fd(), &Reply::Missing(missing.to_vec()), &[]);
                }
            }
            // What is no request gets no answer: its descriptors are closed.
            Ok(Received::Empty) | Err(_) => {}
        }
    }
}

/// Has room for the descriptors of as many jails as the policy allows.
pub(crate) fn raise_descriptors(policy: &Policy) -> Result<(), Missing> {
    let needed = u64::from(policy.jails_max()) * DESCRIPTORS_PER_JAIL + DESCRIPTORS_BESIDE;
    let raise = || {
        let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
        if most < needed {
            Ok(Some(most))
        } else {
            setrlimit(Resource::RLIMIT_NOFILE, needed, most).map(|()| None)
        }
    };
    match raise() {
        Ok(None) => Ok(()),
        Ok(Some(most)) => {
            let jails = policy.jails_max();
            Err(missing(
                "descriptors",
                format!("{jails} jails need {needed}, the limit (ulimit -Hn) is {most}"),
            ))
        }
        Err(error) => Err(missing("descriptors", error.desc())),
    }
}

pub(crate) fn io_error(step: &'static str) -> impl Fn(io::Error) -> LauncherError {
    move |error| LauncherError::Io { step, error }
}
