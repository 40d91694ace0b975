//! What all languages together need: paths in the jail, and the ceilings of its limits.

use std::{collections::BTreeSet, path::PathBuf};

use sandbox::Limits;

use super::{Build, Language, Languages, PATH, Run};

/// Every jail has these.
const REQUIRED: [&str; 1] = ["/usr"];
/// And these, as far as the host has them: on most hosts the first are links into `/usr`.
const OPTIONAL: [&str; 7] =
    ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache"];
const MIB: u64 = 1 << 20;
/// Bytes in `/dev/shm`.
const SHM_BYTES_MAX: u64 = 16 * MIB;
/// Open files of one process.
const DESCRIPTORS_MAX: u64 = 256;
/// Files that a build may leave.
const BUILD_FILES_MAX: u64 = 4096;

impl Languages {
    /// The paths that the launcher shows to every jail.
    pub fn toolchain(&self) -> sandbox::Toolchain {
        let prefixes = self.iter().filter_map(|it| it.toolchain.prefix.clone());
        let mounts = self.iter().flat_map(|it| it.toolchain.mounts.iter().cloned());
        let wanted: BTreeSet<PathBuf> =
            OPTIONAL.iter().map(PathBuf::from).chain(mounts).chain(prefixes).collect();
        let required: Vec<PathBuf> = REQUIRED.iter().map(PathBuf::from).collect();
        // In order, a folder comes before what lies in it, which is then there already.
        let mut optional: Vec<PathBuf> = Vec::new();
        for path in wanted {
            if !required.iter().chain(&optional).any(|it| path.starts_with(it)) {
                optional.push(path);
            }
        }
        sandbox::Toolchain { required, optional }
    }

    /// The most that any build or bot may use: the ceilings of the launcher.
    pub fn ceilings(&self) -> (Limits, sandbox::Build) {
        let all = self.iter().flat_map(|it| [it.build.limits(), it.run.limits()]);
        let most = |a: Limits, b: Limits| Limits {
            memory_bytes_max: a.memory_bytes_max.max(b.memory_bytes_max),
            processes_max: a.processes_max.max(b.processes_max),
            cpu_percent_max: a.cpu_percent_max.max(b.cpu_percent_max),
            descriptors_max: a.descriptors_max.max(b.descriptors_max),
            file_bytes_max: a.file_bytes_max.max(b.file_bytes_max),
            stack_bytes_max: a.stack_bytes_max.max(b.stack_bytes_max),
            tmp_bytes_max: a.tmp_bytes_max.max(b.tmp_bytes_max),
            tmp_files_max: a.tmp_files_max.max(b.tmp_files_max),
            shm_bytes_max: a.shm_bytes_max.max(b.shm_bytes_max),
        };
        let output_mib = self.iter().map(|it| it.build.output_mib).max().unwrap_or(1);
        let limits = all.reduce(most).unwrap_or_else(version_limits);
        (limits, writable(output_mib))
    }
}

impl Language {
    /// `PATH` for its commands.
    pub fn path(&self) -> String {
        match &self.toolchain.prefix {
            Some(prefix) => format!("{}/bin:{PATH}", prefix.display()),
            None => PATH.to_owned(),
        }
    }
}

impl Build {
    /// What the jail of a build may use.
    pub fn limits(&self) -> Limits {
        Limits {
            memory_bytes_max: u64::from(self.memory_mib) * MIB,
            processes_max: self.processes.into(),
            cpu_percent_max: 100,
            descriptors_max: DESCRIPTORS_MAX,
            file_bytes_max: u64::from(self.output_mib.max(self.tmp_mib)) * MIB,
            stack_bytes_max: 64 * MIB,
            tmp_bytes_max: u64::from(self.tmp_mib) * MIB,
            tmp_files_max: self.tmp_files.into(),
            shm_bytes_max: SHM_BYTES_MAX,
        }
    }

    /// The folder a build writes to.
    pub fn writable(&self) -> sandbox::Build {
        writable(self.output_mib)
    }
}

impl Run {
    /// What the jail of a bot may use.
    pub fn limits(&self) -> Limits {
        Limits {
            memory_bytes_max: u64::from(self.memory_mib) * MIB,
            processes_max: self.processes.into(),
            cpu_percent_max: 100,
            descriptors_max: DESCRIPTORS_MAX,
            file_bytes_max: u64::from(self.tmp_mib) * MIB,
            stack_bytes_max: u64::from(self.stack_mib) * MIB,
            tmp_bytes_max: u64::from(self.tmp_mib) * MIB,
            tmp_files_max: self.tmp_files.into(),
            shm_bytes_max: SHM_BYTES_MAX,
        }
    }
}

/// What a version command may use where no language says more.
fn version_limits() -> Limits {
    Limits {
        memory_bytes_max: 512 * MIB,
        processes_max: 64,
        cpu_percent_max: 100,
        descriptors_max: DESCRIPTORS_MAX,
        file_bytes_max: 16 * MIB,
        stack_bytes_max: 64 * MIB,
        tmp_bytes_max: 16 * MIB,
        tmp_files_max: 256,
        shm_bytes_max: SHM_BYTES_MAX,
    }
}

fn writable(output_mib: u32) -> sandbox::Build {
    sandbox::Build { bytes_max: u64::from(output_mib) * MIB, files_max: BUILD_FILES_MAX }
}
