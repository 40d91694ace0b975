//! Hosts with controllers of version 1, and a v2 hierarchy beside them.
//!
//! Limits come from version 1. What counts and holds a jail as a whole
//! (pausing, killing, processor time, pressure) comes from version 2, which
//! only the program lives in; its first process shares the limits.

use std::{
    io,
    os::fd::{AsFd, AsRawFd},
    path::{Path, PathBuf},
};

use nix::sys::eventfd::{EfdFlags, EventFd};

use super::{
    MemoryAlarm, make_group, missing, mounts::Mounts, open, read, remove, remove_tree, write,
};
use crate::{Cgroup, Limits, Missing};

/// One group in each hierarchy of version 1 that is used.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    pub(super) memory: PathBuf,
    pids: PathBuf,
    cpu: PathBuf,
}

/// Makes the group of all launchers in the v2 hierarchy.
pub(super) fn v2_parent(mounts: &Mounts, policy: &Cgroup) -> Result<PathBuf, Vec<Missing>> {
    let parent =
        mounts.v2_group(policy.under.as_deref().unwrap_or(Path::new("/"))).join(&policy.parent);
    make_group(&parent).map_err(|error| vec![missing("control groups", error)])?;
    Ok(parent)
}

impl Paths {
    /// Makes the group of all launchers in each hierarchy.
    pub(super) fn parents(mounts: &Mounts, policy: &Cgroup) -> Result<Self, Vec<Missing>> {
        let root = |controller: &str| mounts.v1.get(controller).cloned().unwrap_or_default();
        let roots = Self { memory: root("memory"), pids: root("pids"), cpu: root("cpu") };
        // A program could otherwise go on beyond its memory on the host's disk.
        let swap = roots.memory.join("memory.memsw.limit_in_bytes");
        if !swap.exists() && swap_is_on() {
            let why =
                format!("the host has swap, and {} is not there to forbid its use", swap.display());
            return Err(vec![missing("the limit of memory", why)]);
        }
        let parents = roots.join(&policy.parent);
        parents.make().map_err(|error| vec![missing("control groups", error)])?;
        Ok(parents)
    }

    pub(super) fn all(&self) -> [&Path; 3] {
        [&self.memory, &self.pids, &self.cpu]
    }

    pub(super) fn join(&self, name: &str) -> Self {
        Self {
            memory: self.memory.join(name),
            pids: self.pids.join(name),
            cpu: self.cpu.join(name),
        }
    }

    pub(super) fn make(&self) -> io::Result<()> {
        self.all().into_iter().try_for_each(make_group)
    }

    /// A thread that moves itself, and says so by `tasks`, needs none of the
    /// kernel's global locks; by `cgroup.procs` each move takes milliseconds.
    pub(super) fn join_them(&self) -> io::Result<()> {
        self.all().into_iter().try_for_each(|group| write(&group.join("tasks"), "0"))
    }

    /// The usual weight of a group is 1024.
    pub(super) fn weigh(&self, weight: u64) -> io::Result<()> {
        write(&self.cpu.join("cpu.shares"), &(weight * 1024).to_string())
    }

    /// Memory of all groups in this one together.
    pub(super) fn bound_memory(&self, bytes_max: u64) -> io::Result<()> {
        write(&self.memory.join("memory.limit_in_bytes"), &bytes_max.to_string())
    }

    pub(super) fn limit(&self, limits: &Limits) -> io::Result<()> {
        let memory = limits.memory_bytes_max.to_string();
        write(&self.memory.join("memory.limit_in_bytes"), &memory)?;
        let swap = self.memory.join("memory.memsw.limit_in_bytes");
        if swap.exists() {
            write(&swap, &memory)?;
        }
        // What the first process used to set up the jail is not the program's.
        write(&self.memory.join("memory.max_usage_in_bytes"), "0")?;
        // The first process is one of them.
        write(&self.pids.join("pids.max"), &(limits.processes_max + 1).to_string())?;
        write(&self.cpu.join("cpu.cfs_period_us"), "100000")?;
        write(&self.cpu.join("cpu.cfs_quota_us"), &(limits.cpu_percent_max * 1000).to_string())
    }

    /// Version 1 kills one process where version 2 can kill the whole group.
    /// Who listens to this can do the rest.
    pub(super) fn memory_alarm(&self) -> io::Result<MemoryAlarm> {
        let alarm = EventFd::from_flags(EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK)?;
        let state = open(&self.memory.join("memory.oom_control"), false)?;
        let wish = format!("{} {}", alarm.as_fd().as_raw_fd(), state.as_raw_fd());
        write(&self.memory.join("cgroup.event_control"), &wish)?;
        Ok(MemoryAlarm {
            alarm: alarm.into(),
            peak: open(&self.memory.join("memory.max_usage_in_bytes"), false)?,
            limit: open(&self.memory.join("memory.limit_in_bytes"), false)?,
        })
    }

    pub(super) fn remove(&self) -> io::Result<()> {
        self.all().into_iter().try_for_each(remove)
    }

    pub(super) fn remove_trees(&self) -> io::Result<()> {
        self.all().into_iter().try_for_each(remove_tree)
    }
}

pub(super) fn swap_is_on() -> bool {
    // The first line is a heading.
    read(Path::new("/proc/swaps")).is_ok_and(|swaps| swaps.lines().count() > 1)
}
