//! Hosts with one hierarchy for everything.
//!
//! A group that passes controllers on to others can hold no process itself,
//! so ours is made where that is possible.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{
    hybrid::swap_is_on,
    make_group, missing,
    mounts::{Mounts, NEEDED},
    read, write,
};
use crate::{Cgroup, Limits, Missing, sys};

/// Makes the group of all launchers: in the policy's group, or else in our
/// own, or in the one above, or at the root, wherever controllers can be had.
pub(super) fn parent(mounts: &Mounts, policy: &Cgroup) -> Result<PathBuf, Vec<Missing>> {
    let root = Path::new("/");
    let own = mounts.own.as_path();
    let places = match &policy.under {
        Some(under) => vec![under.as_path()],
        None => vec![own, own.parent().unwrap_or(root), root],
    };
    let mut whys = Vec::new();
    for place in places {
        let place = mounts.v2_group(place);
        match divide(&place, policy) {
            Ok(parent) => return Ok(parent),
            Err(error) => whys.push(error.to_string()),
        }
    }
    whys.dedup();
    Err(vec![missing("a control group to divide", whys.join("; "))])
}

fn divide(place: &Path, policy: &Cgroup) -> io::Result<PathBuf> {
    match delegate(place) {
        Err(error)
            if error.kind() == io::ErrorKind::ResourceBusy
                && (is_namespace_root(place) || is_delegated(place)) =>
        {
            move_out(place, &place.join(format!("{}-others", policy.parent)))?;
            delegate(place)?;
        }
        done => done?,
    }
    let parent = place.join(&policy.parent);
    make_group(&parent)?;
    delegate(&parent)?;
    Ok(parent)
}

/// Lets the groups in this one have limits.
pub(super) fn delegate(group: &Path) -> io::Result<()> {
    let control = group.join("cgroup.subtree_control");
    let enabled = read(&control)?;
    let enabled: Vec<&str> = enabled.split_ascii_whitespace().collect();
    for controller in NEEDED.iter().filter(|controller| !enabled.contains(controller)) {
        write(&control, &format!("+{controller}"))?;
    }
    Ok(())
}

/// The usual weight of a group is 100.
pub(super) fn weigh(group: &Path, weight: u64) -> io::Result<()> {
    write(&group.join("cpu.weight"), &(weight * 100).to_string())
}

/// Memory of all groups in this one together.
pub(super) fn bound_memory(group: &Path, bytes_max: u64) -> io::Result<()> {
    write(&group.join("memory.max"), &bytes_max.to_string())
}

pub(super) fn limit(group: &Path, limits: &Limits) -> io::Result<()> {
    write(&group.join("memory.max"), &limits.memory_bytes_max.to_string())?;
    let swap = group.join("memory.swap.max");
    if swap.exists() {
        write(&swap, "0")?;
    } else if swap_is_on() {
        let why =
            format!("the host has swap, and {} is not there to forbid its use", swap.display());
        return Err(io::Error::new(io::ErrorKind::Unsupported, why));
    }
    write(&group.join("memory.oom.group"), "1")?;
    write(&group.join("pids.max"), &limits.processes_max.to_string())?;
    write(&group.join("cpu.max"), &format!("{} 100000", limits.cpu_percent_max * 1000))
}

/// In a container our root is some group of the host's, which has a type, and
/// everything in it belongs to us; the host's own root has none.
fn is_namespace_root(place: &Path) -> bool {
    place.join("cgroup.type").exists()
        && std::fs::metadata(place.join("..").join("cgroup.procs")).is_err()
}

/// A service manager marks the groups that it leaves to others with all that is in
/// them: whoever finds himself in one may put himself aside.
fn is_delegated(place: &Path) -> bool {
    ["trusted.delegate", "user.delegate"]
        .iter()
        .any(|name| sys::attribute(place, name).is_ok_and(|value| value == b"1"))
}

fn move_out(from: &Path, to: &Path) -> io::Result<()> {
    make_group(to)?;
    // What is born meanwhile is found the next time.
    for _ in 0..100 {
        let processes = read(&from.join("cgroup.procs"))?;
        if processes.is_empty() {
            break;
        }
        for process in processes.lines() {
            match std::fs::write(to.join("cgroup.procs"), process) {
                // It has ended meanwhile.
                Err(error) if error.raw_os_error() == Some(libc::ESRCH) => {}
                done => done?,
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::is_delegated;
    use crate::sys;

    #[test]
    fn a_group_that_was_delegated_says_so() {
        let group = tempfile::tempdir().unwrap();
        assert!(!is_delegated(group.path()));
        sys::set_attribute(group.path(), "user.delegate", b"0").unwrap();
        assert!(!is_delegated(group.path()));
        sys::set_attribute(group.path(), "user.delegate", b"1").unwrap();
        assert!(is_delegated(group.path()));
        assert!(!is_delegated("/no/such/group".as_ref()));
    }
}
