//! What the launcher says of itself: the protections in force, or what is missing.

use std::{collections::BTreeSet, fmt, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Limits, Policy};

/// Which kind of control groups the jails are held by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backend {
    /// One hierarchy for everything (cgroup v2).
    V2,
    /// Limits by v1 hierarchies, pausing and killing by the v2 one beside them.
    Hybrid,
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::V2 => "cgroup v2",
            Self::Hybrid => "cgroup v1 for limits, v2 for pausing",
        })
    }
}

/// One thing that holds a program in its jail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protection {
    /// Its name.
    pub name: String,
    /// How it was seen to work, or how it is set up.
    pub how: String,
}

/// What is in force on this host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The kernel's release.
    pub kernel: String,
    /// The kind of control groups in use.
    pub backend: Backend,
    /// What holds a program in.
    pub protections: Vec<Protection>,
    /// What works, but is worth the operator's eye.
    pub warnings: Vec<String>,
    /// Paths of the host that every jail sees, read-only.
    pub toolchain: Vec<PathBuf>,
    /// Optional paths of the policy that this host does not have.
    pub absent: Vec<PathBuf>,
    /// Most jails at a time.
    pub jails_max: u32,
    /// The most a client may ask for.
    pub ceilings: Limits,
    /// The cores a jail can be pinned to.
    pub cores: BTreeSet<u32>,
}

/// Something without which no jail is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The protection that is not there.
    pub what: String,
    /// What was found instead.
    pub why: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.why)
    }
}

/// One line for each thing that is missing.
pub(crate) fn lines(missing: &[Missing]) -> String {
    missing.iter().map(|one| format!("\n  {one}")).collect()
}

/// What a jail is held by, for people to read.
pub(crate) fn protections(
    backend: Backend,
    policy: &Policy,
    fence: Option<&u32>,
) -> Vec<Protection> {
    let one = |name: &str, how: &str| Protection { name: name.to_owned(), how: how.to_owned() };
    let uids = policy.uids;
    let fence = fence.map(|abi| {
        one("a second layer", &format!("Landlock, version {abi}: no file but those that are shown can be opened, no port, no signal to the outside"))
    });
    let always = [
        one("namespaces", "mount, pid, net, ipc, uts and cgroup, fresh for each jail"),
        one(
            "files",
            "a root in memory; the toolchain read-only; own /tmp and /dev/shm, bounded in bytes and files",
        ),
        one(
            "processes",
            "/proc shows a process only itself; pids are limited, and end with the jail's first process",
        ),
        one(
            "users",
            &format!(
                "one uid for each live jail, of {} to {}",
                uids.first + 1,
                uids.first + uids.count - 1
            ),
        ),
        one("rights", "no capabilities, no groups, no new privileges"),
        one(
            "system calls",
            &format!("what is not allowed by name gives {}", policy.seccomp.otherwise),
        ),
        one("memory", "limited for the whole jail, without swap; what is killed for it is counted"),
        one("processor", "limited for the whole jail; it can be pinned to a core"),
        one(
            "pausing and killing",
            &format!("{backend}; tried on a process when the launcher started"),
        ),
    ];
    always.into_iter().chain(fence).collect()
}
