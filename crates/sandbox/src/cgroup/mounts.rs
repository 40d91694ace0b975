//! Where this host's control groups are mounted, and which kind they are.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use super::missing;
use crate::{Backend, Missing};

/// The controllers without which no jail is made.
pub(super) const NEEDED: [&str; 3] = ["memory", "pids", "cpu"];

/// The mounted hierarchies, as this process sees them.
#[derive(Debug, Default)]
pub(super) struct Mounts {
    /// The v2 hierarchy, where one is mounted writable.
    pub(super) v2: Option<PathBuf>,
    /// Those of version 1, by controller.
    pub(super) v1: BTreeMap<String, PathBuf>,
    /// The group of the v2 hierarchy this process is in.
    pub(super) own: PathBuf,
}

impl Mounts {
    pub(super) fn read() -> io::Result<Self> {
        let mut mounts = Self::parse(&fs::read_to_string("/proc/self/mountinfo")?);
        let groups = fs::read_to_string("/proc/self/cgroup")?;
        mounts.own = groups.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/").into();
        Ok(mounts)
    }

    /// `36 35 98:0 /root /mount/point rw,noatime shared:1 - type source rw,controller`
    fn parse(mountinfo: &str) -> Self {
        let mut mounts = Self::default();
        for line in mountinfo.lines() {
            let Some((mount, filesystem)) = line.split_once(" - ") else { continue };
            let mount: Vec<&str> = mount.split(' ').collect();
            let filesystem: Vec<&str> = filesystem.split(' ').collect();
            let (&[_, _, _, _, point, options, ..], &[kind, _, controllers, ..]) =
                (&mount[..], &filesystem[..])
            else {
                continue;
            };
            let writable = |options: &str| options.split(',').any(|option| option == "rw");
            if !writable(options) || !writable(controllers) {
                continue;
            }
            match kind {
                "cgroup2" => _ = mounts.v2.get_or_insert_with(|| point.into()),
                "cgroup" => {
                    for controller in controllers.split(',') {
                        mounts.v1.entry(controller.to_owned()).or_insert_with(|| point.into());
                    }
                }
                _ => {}
            }
        }
        mounts
    }

    /// Which kind of jails can be made here, or all that is missing.
    pub(super) fn backend(&self) -> Result<Backend, Vec<Missing>> {
        let Some(v2) = &self.v2 else {
            let why =
                "no hierarchy of version 2 is mounted writable; it is needed to pause and to kill";
            return Err(vec![missing("control groups", why)]);
        };
        let offered = fs::read_to_string(v2.join("cgroup.controllers")).map_err(|error| {
            vec![missing("control groups", format!("{}: {error}", v2.display()))]
        })?;
        let offered: Vec<&str> = offered.split_ascii_whitespace().collect();
        if NEEDED.iter().all(|controller| offered.contains(controller)) {
            return Ok(Backend::V2);
        }
        let absent: Vec<Missing> = NEEDED
            .iter()
            .filter(|controller| !self.v1.contains_key(**controller))
            .map(|controller| {
                let why = match offered.contains(controller) {
                    true => "it is of version 2 while others are of version 1; all must be of one",
                    false => "the controller is neither offered by version 2 nor mounted writable as version 1",
                };
                missing(&format!("the {controller} controller"), why)
            })
            .collect();
        if absent.is_empty() { Ok(Backend::Hybrid) } else { Err(absent) }
    }

    /// The folder of a group of the v2 hierarchy.
    pub(super) fn v2_group(&self, group: &Path) -> PathBuf {
        let root = self.v2.as_deref().unwrap_or(Path::new("/sys/fs/cgroup"));
        root.join(group.strip_prefix("/").unwrap_or(group))
    }
}

#[cfg(test)]
mod tests {
    use super::Mounts;

    #[test]
    fn hierarchies_are_found_where_they_are_mounted() {
        let text = "\
25 30 0:23 / /sys/fs/cgroup ro,nosuid shared:9 - tmpfs tmpfs ro,mode=755
26 25 0:24 / /sys/fs/cgroup/unified rw,nosuid shared:10 - cgroup2 cgroup2 rw,nsdelegate
27 25 0:25 / /sys/fs/cgroup/cpu,cpuacct rw,nosuid shared:11 - cgroup cgroup rw,cpu,cpuacct
28 25 0:26 / /sys/fs/cgroup/memory ro,nosuid shared:12 - cgroup cgroup rw,memory
29 25 0:27 /a /elsewhere/pids rw - cgroup cgroup rw,pids
";
        let mounts = Mounts::parse(text);
        assert_eq!(mounts.v2.as_deref(), Some("/sys/fs/cgroup/unified".as_ref()));
        assert_eq!(
            mounts.v1.get("cpu").map(|path| path.as_os_str()),
            Some("/sys/fs/cgroup/cpu,cpuacct".as_ref())
        );
        assert_eq!(
            mounts.v1.get("pids").map(|path| path.as_os_str()),
            Some("/elsewhere/pids".as_ref())
        );
        assert!(!mounts.v1.contains_key("memory"), "it is not writable");
    }
}
