//! The unprivileged side: asks the launcher for jails.
//!
//! Each request carries its own socket, so any number of threads can ask at
//! the same time and none waits for another's answer.

use std::{
    io,
    os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd},
    time::{Duration, Instant},
};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use serde_json::json;
use thiserror::Error;

use crate::{
    Jail, Missing, Report, Spec, SpecError,
    protocol::{self, Received, Refusal, Reply, Request},
    report,
};

/// How long an answer of the launcher may take. It answers in a millisecond;
/// this bound is for a host that is in trouble.
const ANSWER_WAIT_MAX: Duration = Duration::from_secs(30);

/// One connection to the launcher. Dropping it (and all jails) ends the launcher.
#[derive(Debug)]
pub struct Client {
    socket: OwnedFd,
}

/// Why the launcher gave no report.
#[derive(Debug, Error)]
pub enum HelloError {
    /// This host cannot hold a jail; every reason is named.
    #[error("no jail can be made on this host, because something is missing:{}", report::lines(.0))]
    Missing(Vec<Missing>),
    /// The launcher is gone or does not answer.
    #[error(transparent)]
    Launcher(#[from] Unreachable),
}

/// Why no jail was made.
#[derive(Debug, Error)]
pub enum SpawnError {
    /// What was asked for is not allowed, or makes no sense.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// This host cannot hold a jail; every reason is named.
    #[error("no jail can be made on this host, because something is missing:{}", report::lines(.0))]
    Missing(Vec<Missing>),
    /// As many jails as there can be are alive.
    #[error("all {jails_max} jails of the launcher's policy are in use")]
    NoRoom {
        /// How many there can be.
        jails_max: u32,
    },
    /// The host failed at a step of making the jail. Not the program's fault.
    #[error("the jail could not be made: {step}: {why}")]
    Setup {
        /// What was being done.
        step: String,
        /// What the kernel said.
        why: String,
    },
    /// The launcher did not understand the request.
    #[error("the launcher did not take the request: {why}")]
    BadRequest {
        /// What was wrong.
        why: String,
    },
    /// The launcher is gone or does not answer.
    #[error(transparent)]
    Launcher(#[from] Unreachable),
}

/// The launcher cannot be talked to.
#[derive(Debug, Error)]
pub enum Unreachable {
    /// It has hung up.
    #[error("the launcher is gone")]
    Gone,
    /// It has not answered.
    #[error("the launcher has not answered for {} s", .0.as_secs())]
    Silent(Duration),
    /// It has answered something else.
    #[error("the launcher has answered something unexpected: {0}")]
    Confused(String),
    /// The socket failed.
    #[error("talking to the launcher: {0}")]
    Socket(#[from] io::Error),
}

impl Client {
    /// A client over its end of the socket pair whose other end is the launcher's.
    pub fn new(socket: OwnedFd) -> Self {
        Self { socket }
    }

    /// Asks what is in force on this host.
    pub fn hello(&self) -> Result<Report, HelloError> {
        let socket = self.ask(&Request::Hello, &[])?;
        match answer(socket.as_fd())? {
            (Reply::Report(report), _) => Ok(report),
            (Reply::Missing(missing), _) => Err(HelloError::Missing(missing)),
            (other, _) => Err(confused(&other).into()),
        }
    }

    /// Makes a jail and starts the program in it. Each folder is mounted
    /// read-only at its path; it must have been opened for reading, and be
    /// readable for everybody, as the program runs under a user of its own.
    ///
    /// Blocks for about a millisecond. That the program could not be executed
    /// is told by the jail's [`Ending`](crate::Ending).
    pub fn spawn(&self, spec: &Spec, dirs: &[(&str, BorrowedFd<'_>)]) -> Result<Jail, SpawnError> {
        let paths: Vec<&str> = dirs.iter().map(|(path, _)| *path).collect();
        spec.check(&paths)?;
        let request = Request::Spawn {
            spec: Box::new(spec.clone()),
            dirs: paths.into_iter().map(str::to_owned).collect(),
        };
        let fds: Vec<RawFd> = dirs.iter().map(|(_, fd)| fd.as_raw_fd()).collect();
        let socket = self.ask(&request, &fds)?;
        match answer(socket.as_fd())? {
            (Reply::Started(handles), fds) => Jail::new(socket, handles, fds)
                .ok_or_else(|| confused(&Reply::Started(handles)).into()),
            (Reply::Missing(missing), _) => Err(SpawnError::Missing(missing)),
            (Reply::Refused(refusal), _) => Err(match refusal {
                Refusal::Spec(error) => error.into(),
                Refusal::NoRoom { jails_max } => SpawnError::NoRoom { jails_max },
                Refusal::Setup { step, why } => SpawnError::Setup { step, why },
                Refusal::BadRequest { why } => SpawnError::BadRequest { why },
            }),
            (other, _) => Err(confused(&other).into()),
        }
    }

    fn ask(&self, request: &Request, fds: &[RawFd]) -> Result<OwnedFd, Unreachable> {
        let (ours, theirs) = protocol::pair()?;
        let fds: Vec<RawFd> =
            std::iter::once(theirs.as_raw_fd()).chain(fds.iter().copied()).collect();
        let until = Instant::now() + ANSWER_WAIT_MAX;
        loop {
            match protocol::send(self.socket.as_fd(), request, &fds) {
                Ok(()) => return Ok(ours),
                // Many requests at once fill the socket; the launcher empties it.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(self.socket.as_fd(), PollFlags::POLLOUT, until)?;
                }
                Err(error) => return Err(gone_or(error)),
            }
        }
    }
}

/// Waits for the one answer that comes on `socket`.
fn answer(socket: BorrowedFd<'_>) -> Result<(Reply, Vec<OwnedFd>), Unreachable> {
    let until = Instant::now() + ANSWER_WAIT_MAX;
    loop {
        wait(socket, PollFlags::POLLIN, until)?;
        match protocol::receive(socket).map_err(gone_or)? {
            Received::Message(reply, fds) => return Ok((reply, fds)),
            Received::Empty => {}
            Received::HungUp => return Err(Unreachable::Gone),
        }
    }
}

fn wait(socket: BorrowedFd<'_>, what: PollFlags, until: Instant) -> Result<(), Unreachable> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(Unreachable::Silent(ANSWER_WAIT_MAX));
    }
    let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
    match poll(&mut [PollFd::new(socket, what)], timeout) {
        Ok(_) | Err(nix::errno::Errno::EINTR) => Ok(()),
        Err(error) => Err(Unreachable::Socket(error.into())),
    }
}

fn gone_or(error: io::Error) -> Unreachable {
    match error.kind() {
        io::ErrorKind::BrokenPipe
        | io::ErrorKind::ConnectionReset
        | io::ErrorKind::NotConnected => Unreachable::Gone,
        _ => Unreachable::Socket(error),
    }
}

fn confused(reply: &Reply) -> Unreachable {
    Unreachable::Confused(json!(reply).to_string())
}
