//! What the launcher's owner decides, and no client can change.

use std::{
    collections::BTreeMap,
    path::{Component, Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Build, Limits, Seccomp, SeccompError, Spec, SpecError, spec};

/// Most jails one launcher keeps at a time, whatever its range of users.
pub const JAILS_MAX: u32 = 256;
/// The lowest user id a jail may have: below live the users of the host.
pub const UID_MIN: u32 = 1000;

/// All that the launcher needs to know; read from a file only root can write.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// What every jail sees of the host.
    pub toolchain: Toolchain,
    /// Environment of every program.
    pub environment: BTreeMap<String, String>,
    /// The users programs run as.
    pub uids: Uids,
    /// The most a client may ask for.
    pub ceilings: Limits,
    /// The largest writable folder a client may ask for.
    pub build_ceiling: Build,
    /// Where the control groups are made.
    pub cgroup: Cgroup,
    /// Jails kept ready, so that a start does not wait for the kernel.
    pub warm_slots: u32,
    /// The system calls a program may use.
    pub seccomp: Seccomp,
}

/// Paths of the host that every jail sees under the same name, read-only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Toolchain {
    /// No jail is made while one of these is absent.
    pub required: Vec<PathBuf>,
    /// Left out where absent, and then named in the [`Report`](crate::Report).
    pub optional: Vec<PathBuf>,
}

/// A range of user ids (and group ids of the same numbers) that nothing else on
/// the host uses. The first is that of the jails' own first process, each of
/// the others belongs to at most one live jail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uids {
    /// The first id.
    pub first: u32,
    /// How many.
    pub count: u32,
}

/// Where the launcher makes its control groups.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cgroup {
    /// Name of the group that holds those of all launchers of this host.
    pub parent: String,
    /// The group in which `parent` is made, as a path from the root of the v2
    /// hierarchy. Without it: the launcher's own where it can be divided, else
    /// the one above it, else the root.
    #[serde(default)]
    pub under: Option<PathBuf>,
}

/// What is wrong with a [`Policy`].
#[derive(Debug, Error)]
pub enum PolicyError {
    /// A path of the toolchain is not plain.
    #[error("toolchain path {path:?}: {why}")]
    BadPath {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A variable of the environment cannot be one.
    #[error("environment variable {name:?} cannot be set")]
    BadVariable {
        /// Its name.
        name: String,
    },
    /// The range of users is of no use.
    #[error("uids {first} + {count}: {why}")]
    BadUids {
        /// First id.
        first: u32,
        /// How many.
        count: u32,
        /// What is wrong with it.
        why: &'static str,
    },
    /// A ceiling is too low for anything to run.
    #[error("ceilings.{name} is {found}, at least {floor} is needed")]
    LowCeiling {
        /// The limit.
        name: &'static str,
        /// What was found.
        found: u64,
        /// The least that makes sense.
        floor: u64,
    },
    /// The name of the control group is no plain name.
    #[error("cgroup.parent {found:?} is no plain name (letters, digits, '-' and '_')")]
    BadGroup {
        /// What was found.
        found: String,
    },
    /// More jails are to be kept ready than there can be.
    #[error("warm_slots is {found}, with these uids at most {allowed} jails can live")]
    TooManyWarm {
        /// What was found.
        found: u32,
        /// What is allowed.
        allowed: u32,
    },
    /// The list of system calls is wrong.
    #[error("seccomp: {0}")]
    Seccomp(#[from] SeccompError),
}

impl Policy {
    /// Checks everything that can be judged without looking at the host.
    pub fn validate(&self) -> Result<(), PolicyError> {
        for path in self.toolchain.required.iter().chain(&self.toolchain.optional) {
            plain(path)?;
        }
        for (name, value) in &self.environment {
            if name.is_empty() || name.contains(['=', '\0']) || value.contains('\0') {
                return Err(PolicyError::BadVariable { name: name.clone() });
            }
        }
        let Uids { first, count } = self.uids;
        let bad = |why| Err(PolicyError::BadUids { first, count, why });
        if first < UID_MIN {
            return bad("the first is below 1000, where the users of the host live");
        }
        if count < 2 {
            return bad("two are the least: one for the jails' first process, one for a program");
        }
        // The last id means "no change" to the kernel.
        if first.checked_add(count).is_none_or(|end| end == u32::MAX) {
            return bad("the range goes beyond the largest id");
        }
        for (name, found, floor) in self.ceilings.each() {
            if found < floor {
                return Err(PolicyError::LowCeiling { name, found, floor });
            }
        }
        let name = &self.cgroup.parent;
        if name.is_empty()
            || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))
        {
            return Err(PolicyError::BadGroup { found: name.clone() });
        }
        if self.warm_slots > self.jails_max() {
            return Err(PolicyError::TooManyWarm {
                found: self.warm_slots,
                allowed: self.jails_max(),
            });
        }
        self.seccomp.validate()?;
        Ok(())
    }

    /// Most jails at a time.
    pub fn jails_max(&self) -> u32 {
        self.uids.count.saturating_sub(1).min(JAILS_MAX)
    }

    /// Holds what a client asks for against the ceilings.
    pub(crate) fn admit(&self, spec: &Spec, dirs: &[&str]) -> Result<(), SpecError> {
        spec.check(dirs)?;
        for ((name, asked, floor), (_, ceiling, _)) in
            spec.limits.each().into_iter().zip(self.ceilings.each())
        {
            within(name, asked, floor, ceiling)?;
        }
        if let Some(build) = spec.build {
            within("build.bytes_max", build.bytes_max, 4096, self.build_ceiling.bytes_max)?;
            within("build.files_max", build.files_max, 2, self.build_ceiling.files_max)?;
        }
        for dir in dirs {
            let taken = self.toolchain.required.iter().chain(&self.toolchain.optional);
            if let Some(taken) =
                taken.filter_map(|path| path.to_str()).find(|taken| spec::overlap(dir, taken))
            {
                return Err(spec::bad_path(dir, &format!("{taken:?} is part of the toolchain")));
            }
        }
        Ok(())
    }
}

fn within(name: &str, asked: u64, floor: u64, ceiling: u64) -> Result<(), SpecError> {
    if asked > ceiling {
        return Err(SpecError::OverCeiling { name: name.to_owned(), asked, ceiling });
    }
    if asked < floor {
        return Err(SpecError::UnderFloor { name: name.to_owned(), asked, floor });
    }
    Ok(())
}

fn plain(path: &Path) -> Result<(), PolicyError> {
    let bad = |why| Err(PolicyError::BadPath { path: path.to_owned(), why });
    if !path.is_absolute() {
        return bad("it does not start with '/'");
    }
    if path.to_str().is_none() {
        return bad("it is not UTF-8");
    }
    if path.components().count() < 2 {
        return bad("the whole host is no toolchain");
    }
    if path.components().any(|part| matches!(part, Component::ParentDir)) {
        return bad("it holds '..'");
    }
    let ours = ["/proc", "/dev", "/tmp", "/sys", spec::BUILD_PATH];
    if ours.iter().any(|taken| path.starts_with(taken)) {
        return bad("it lies in a folder that is the jail's own");
    }
    Ok(())
}
