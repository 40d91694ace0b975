//! The limits of single processes, beside those of the whole jail.
//!
//! Address space is never limited: runtimes reserve far more of it than they
//! use, and what is used is counted by the control group.

use nix::{
    errno::Errno,
    sys::resource::{Resource, rlim_t, setrlimit},
};

use crate::Limits;

/// A core file of at most one byte is not written to a file and, unlike one of
/// none, not sent to the host's helper for crashes either.
const CORE_BYTES_MAX: rlim_t = 1;
/// Locked memory cannot be given back under pressure.
const LOCKED_BYTES_MAX: rlim_t = 64 << 10;
/// Signals that wait for their process.
const SIGNALS_MAX: rlim_t = 1024;

/// Limits this process and all that it will become.
pub(crate) fn set(limits: &Limits) -> Result<(), Errno> {
    for (resource, most) in [
        (Resource::RLIMIT_NOFILE, limits.descriptors_max),
        (Resource::RLIMIT_FSIZE, limits.file_bytes_max),
        (Resource::RLIMIT_STACK, limits.stack_bytes_max),
        (Resource::RLIMIT_NPROC, limits.processes_max),
        (Resource::RLIMIT_CORE, CORE_BYTES_MAX),
        (Resource::RLIMIT_MEMLOCK, LOCKED_BYTES_MAX),
        (Resource::RLIMIT_SIGPENDING, SIGNALS_MAX),
        (Resource::RLIMIT_MSGQUEUE, 0),
        (Resource::RLIMIT_NICE, 0),
        (Resource::RLIMIT_RTPRIO, 0),
    ] {
        setrlimit(resource, most, most)?;
    }
    Ok(())
}
