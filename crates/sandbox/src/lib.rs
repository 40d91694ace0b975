//! One process, jailed, paused and measured.
//!
//! A small root [`launcher`] makes jails; an unprivileged [`Client`] asks it
//! for them over a socket and gets a [`Jail`] back: three pipes, and the means
//! to pause, to measure and to end what runs inside. A turn needs no call to
//! the launcher, because the descriptors that do the work were handed over.
//!
//! This crate knows no game, no match, no language and no clock of the
//! contest's. It is synchronous: whoever waits on many jails at once wraps the
//! descriptors it hands out.

mod artefacts;
mod cgroup;
mod client;
pub mod doctor;
mod fence;
mod init;
mod jail;
mod jailer;
pub mod launcher;
mod limits;
mod mounts;
mod policy;
mod probe;
mod program;
mod protocol;
mod report;
mod rlimits;
mod seccomp;
mod slot;
mod spec;
mod sys;
mod syscalls;

#[cfg(feature = "test-kit")]
pub use crate::protocol::try_message;
pub use crate::{
    artefacts::{Artefact, ArtefactError, ArtefactLimits, DEPTH_MAX, NAMES_MAX, collect_artefacts},
    client::{Client, HelloError, SpawnError, Unreachable},
    jail::{Ending, How, Jail, JailError},
    launcher::LauncherError,
    limits::Limits,
    policy::{Cgroup, JAILS_MAX, Policy, PolicyError, Toolchain, UID_MIN, Uids},
    report::{Backend, Missing, Protection, Report},
    seccomp::{Answer, Condition, Group, Seccomp, SeccompError},
    spec::{
        ARGV_BYTES_MAX, ARGV_MAX, BUILD_PATH, Build, DIRS_MAX, ENV_MAX, JAIL_PATH_BYTES_MAX, Spec,
        SpecError, Start,
    },
};
