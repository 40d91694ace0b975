//! What launcher, client and the jails' first process say to each other.
//!
//! One message is one packet of JSON with descriptors beside it. A request travels with
//! one end of a socket pair; the answer comes back on the other end, which then stands
//! for the jail: readable when it has ended, hung up when either side is gone.

use std::{
    io::{self, IoSlice, IoSliceMut},
    os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd},
    time::Duration,
};

use nix::{
    errno::Errno,
    sys::socket::{
        AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags, SockFlag, SockType, UnixAddr,
        recvmsg, sendmsg, socketpair,
    },
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Missing, Report, Spec, SpecError};

/// Longest message.
pub(crate) const MESSAGE_BYTES_MAX: usize = 128 << 10;
/// Most descriptors beside one message.
pub(crate) const DESCRIPTORS_MAX: usize = 16;
/// The most that the kernel lets anybody send: those that we had no room for
/// would be open, and nobody would know their numbers.
pub(crate) const DESCRIPTORS_SENT_MAX: usize = 253;

/// From the client, with its end of a socket pair as the first descriptor.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// What is in force?
    Hello,
    /// Make a jail; one descriptor for each folder follows.
    Spawn {
        /// What is to run.
        spec: Box<Spec>,
        /// Where the folders are mounted.
        dirs: Vec<String>,
    },
}

/// From the launcher, on the socket that came with the request.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    Report(Report),
    Missing(Vec<Missing>),
    /// The jail is made; its [`Handles`] are beside the message.
    Started(Handles),
    Refused(Refusal),
    Ended(Ended),
    /// The jail could not be finished; the program never ran.
    Failed {
        step: String,
        why: String,
    },
}

/// Why no jail was made.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Refusal {
    Spec(SpecError),
    NoRoom { jails_max: u32 },
    Setup { step: String, why: String },
    BadRequest { why: String },
}

/// Which of the optional descriptors are beside a [`Reply::Started`]. Always
/// there, in this order: stdin, stdout, stderr, then the control group's
/// freeze, events, kill, processor time and out-of-memory files.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Handles {
    pub(crate) peak: bool,
    pub(crate) pressure: bool,
    /// With the two files beside it.
    pub(crate) memory_alarm: bool,
    pub(crate) build: bool,
}

/// How a program ended, with the bill.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Ended {
    pub(crate) how: Status,
    pub(crate) out_of_memory: bool,
    pub(crate) cpu: Duration,
    pub(crate) wall: Duration,
    pub(crate) memory_peak_bytes: Option<u64>,
}

/// What the jail's first process saw of the program's end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Status {
    Exited(i32),
    Signalled(i32),
    NotStarted(String),
}

/// A connected pair of packet sockets.
pub(crate) fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    Ok(socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)?)
}

/// Sends one message; fails at once where the other side does not take it.
pub(crate) fn send(
    socket: BorrowedFd<'_>,
    message: &impl Serialize,
    fds: &[RawFd],
) -> io::Result<()> {
    let bytes = serde_json::to_vec(message).map_err(io::Error::other)?;
    if bytes.len() > MESSAGE_BYTES_MAX {
        let why =
            format!("message of {} bytes, at most {MESSAGE_BYTES_MAX} are allowed", bytes.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
    }
    let rights = [ControlMessage::ScmRights(fds)];
    let beside = if fds.is_empty() { &[][..] } else { &rights[..] };
    let flags = MsgFlags::MSG_NOSIGNAL | MsgFlags::MSG_DONTWAIT;
    loop {
        match sendmsg::<UnixAddr>(socket.as_raw_fd(), &[IoSlice::new(&bytes)], beside, flags, None)
        {
            Err(Errno::EINTR) => {}
            sent => return sent.map(drop).map_err(io::Error::from),
        }
    }
}

/// What was found on a socket.
#[derive(Debug)]
pub(crate) enum Received<T> {
    Message(T, Vec<OwnedFd>),
    /// Nothing yet.
    Empty,
    /// The other side has gone.
    HungUp,
}

/// Takes one message, without waiting for it.
pub(crate) fn receive<T: DeserializeOwned>(socket: BorrowedFd<'_>) -> io::Result<Received<T>> {
    let mut bytes = vec![0; MESSAGE_BYTES_MAX];
    let mut beside = nix::cmsg_space!([RawFd; DESCRIPTORS_SENT_MAX]);
    let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_CMSG_CLOEXEC;
    let (length, fds, whole) = loop {
        let mut parts = [IoSliceMut::new(&mut bytes)];
        match recvmsg::<UnixAddr>(socket.as_raw_fd(), &mut parts, Some(&mut beside), flags) {
            Ok(found) => {
                let fds: Vec<OwnedFd> = match found.cmsgs() {
                    Ok(messages) => messages.flat_map(owned).collect(),
                    Err(_) => Vec::new(),
                };
                break (
                    found.bytes,
                    fds,
                    !found.flags.intersects(MsgFlags::MSG_TRUNC | MsgFlags::MSG_CTRUNC),
                );
            }
            Err(Errno::EINTR) => {}
            Err(Errno::EAGAIN) => return Ok(Received::Empty),
            Err(Errno::ECONNRESET | Errno::EPIPE) => return Ok(Received::HungUp),
            Err(error) => return Err(error.into()),
        }
    };
    // A packet socket has no empty packets of ours: nothing is the end.
    if length == 0 {
        return Ok(Received::HungUp);
    }
    let bad = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
    if !whole || fds.len() > DESCRIPTORS_MAX {
        let allowed =
            format!("{MESSAGE_BYTES_MAX} bytes and {DESCRIPTORS_MAX} descriptors are allowed");
        return Err(bad(format!("message too long: {allowed}")));
    }
    let message =
        serde_json::from_slice(&bytes[..length]).map_err(|error| bad(error.to_string()))?;
    Ok(Received::Message(message, fds))
}

/// Reads bytes as everything that is said here, as whoever is not what it should be might send
/// them, and holds what it is against a policy.
#[cfg(feature = "test-kit")]
pub fn try_message(bytes: &[u8]) {
    let _ = serde_json::from_slice::<Reply>(bytes);
    let _ = serde_json::from_slice::<crate::init::Notice>(bytes);
    let _ = serde_json::from_slice::<crate::program::Order>(bytes);
    if let Ok(Request::Spawn { spec, dirs }) = serde_json::from_slice(bytes) {
        let dirs: Vec<&str> = dirs.iter().map(String::as_str).collect();
        let _ = spec.check(&dirs);
    }
}

#[allow(unsafe_code, reason = "descriptors come as numbers")]
fn owned(message: ControlMessageOwned) -> Vec<OwnedFd> {
    let ControlMessageOwned::ScmRights(fds) = message else { return Vec::new() };
    // SAFETY: the kernel has just installed these descriptors for us, and
    // nothing else knows of them.
    fds.into_iter().map(|fd| unsafe { OwnedFd::from_raw_fd(fd) }).collect()
}
