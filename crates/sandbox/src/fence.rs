//! A second layer beside what can be seen: which files a program may open, and
//! for what (Landlock). Where mounts or permissions were ever set up wrongly,
//! this still holds. Kernels that have none of it are named in the report.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope,
};

use crate::{BUILD_PATH, sys};

/// Before the second version, no file could be moved to another folder.
const ABI_MIN: u32 = 2;
/// A file that every user may read, and no rule speaks of: whoever can open it
/// has no fence around him.
pub(crate) const CLOSED: &str = "/etc/closed";

/// What a jail's program may open, while it is being put together.
#[derive(Debug)]
pub(crate) struct Fence(RulesetCreated);

/// The version of Landlock that the kernel offers, or why it is of no use.
pub(crate) fn abi() -> Result<u32, String> {
    match sys::landlock_abi() {
        Ok(abi) if abi >= ABI_MIN => Ok(abi),
        Ok(abi) => Err(format!("the kernel offers version {abi}, at least {ABI_MIN} is needed")),
        Err(error) => Err(format!("the kernel offers none of it ({error})")),
    }
}

impl Fence {
    /// Takes hold of what every program may open, in the jail's root. Files may
    /// be read and executed in the toolchain, and written in temporary folders.
    pub(crate) fn build(toolchain: &[PathBuf]) -> Result<Self, String> {
        let all = Ruleset::default()
            .handle_access(AccessFs::from_all(ABI::V3))
            .and_then(|it| it.handle_access(AccessNet::from_all(ABI::V4)))
            .and_then(|it| it.scope(Scope::from_all(ABI::V6)))
            .and_then(Ruleset::create);
        let mut fence = Self(all.map_err(text)?);
        let (list, read) = (AccessFs::ReadDir.into(), AccessFs::ReadFile.into());
        fence.open(Path::new("/"), list)?;
        fence.open(Path::new("/proc"), read)?;
        for device in ["null", "zero", "full", "random", "urandom"] {
            fence.open(&Path::new("/dev").join(device), read | AccessFs::WriteFile)?;
        }
        for path in toolchain {
            fence.open(path, read_only())?;
        }
        for path in ["/tmp", "/dev/shm"] {
            fence.open(Path::new(path), AccessFs::from_all(ABI::V3))?;
        }
        Ok(fence)
    }

    /// Adds what one program was given, and closes the fence around this process
    /// and all that it will become.
    pub(crate) fn close(mut self, dirs: &[String], build: bool) -> Result<(), String> {
        for path in dirs {
            self.open(Path::new(path), read_only())?;
        }
        if build {
            self.open(Path::new(BUILD_PATH), AccessFs::from_all(ABI::V3))?;
        }
        match self.0.restrict_self().map_err(text)?.ruleset {
            RulesetStatus::NotEnforced => Err("the kernel does not enforce it".to_owned()),
            _ => Ok(()),
        }
    }

    fn open(&mut self, path: &Path, access: BitFlags<AccessFs>) -> Result<(), String> {
        // A link of the toolchain can lead to what this host does not have.
        let Ok(found) = path.metadata() else { return Ok(()) };
        let access = if found.is_dir() { access } else { access & AccessFs::from_file(ABI::V3) };
        let fd = PathFd::new(path).map_err(|error| format!("{}: {error}", path.display()))?;
        (&mut self.0)
            .add_rule(PathBeneath::new(fd, access))
            .map(drop)
            .map_err(|error| format!("{}: {error}", path.display()))
    }
}

fn read_only() -> BitFlags<AccessFs> {
    AccessFs::ReadFile | AccessFs::ReadDir | AccessFs::Execute
}

fn text(error: impl fmt::Display) -> String {
    error.to_string()
}
