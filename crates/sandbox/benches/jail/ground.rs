//! A launcher with groups and users of its own, and compiled programs.

use std::{
    fs::{self, File},
    os::{fd::AsFd, fd::OwnedFd, unix::fs::PermissionsExt},
    path::{Path, PathBuf},
    process::Command,
};

use sandbox::{
    Build, Cgroup, Client, Jail, Limits, Policy, Spec, Start, Toolchain, Uids, launcher,
};

/// Nothing else has these.
const PARENT: &str = "agon-sandbox-bench";
const UIDS: Uids = Uids { first: 70_000, count: 25 };
const MIB: u64 = 1 << 20;

pub(crate) struct Ground {
    pub(crate) policy: Policy,
    pub(crate) client: Client,
    /// Everybody may read it; compiled programs lie there.
    pub(crate) folder: tempfile::TempDir,
}

impl Ground {
    pub(crate) fn new() -> Self {
        let policy = policy();
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("for all");
        let (socket, _) = launcher::fork(&policy).expect("a launcher");
        Self { policy, client: Client::new(socket), folder }
    }

    pub(crate) fn host(&self) -> String {
        let report = self.client.hello().unwrap_or_else(|error| panic!("{error}"));
        format!("Linux {}, {}, cores {:?}", report.kernel, report.backend, report.cores)
    }

    /// The folder with the binary of one of the tests' programs, named `bot`.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        let folder = self.folder.path().join(name);
        if folder.join("bot").exists() {
            return folder;
        }
        fs::create_dir_all(&folder).expect("a folder");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
        let mut gcc = Command::new("gcc");
        gcc.args(["-O1", "-static", "-w", "-o"]).arg(folder.join("bot"));
        let made = gcc.arg(sources.join(name).with_extension("c")).status().expect("gcc");
        assert!(made.success(), "{name} does not compile");
        folder
    }

    pub(crate) fn spawn(&self, spec: &Spec, program: &Path) -> Jail {
        spawn(&self.client, spec, program)
    }
}

pub(crate) fn spawn(client: &Client, spec: &Spec, program: &Path) -> Jail {
    let folder = File::open(program).expect("a folder");
    client.spawn(spec, &[("/bot", folder.as_fd())]).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn file(fd: Option<OwnedFd>) -> File {
    File::from(fd.expect("not taken yet"))
}

/// What a contest's bot would get.
pub(crate) fn spec(argv: &[&str]) -> Spec {
    Spec {
        argv: argv.iter().map(|word| (*word).to_owned()).collect(),
        env: Vec::new(),
        cwd: "/".to_owned(),
        limits: Limits {
            memory_bytes_max: 64 * MIB,
            processes_max: 16,
            cpu_percent_max: 100,
            descriptors_max: 64,
            file_bytes_max: 32 * MIB,
            stack_bytes_max: 8 * MIB,
            tmp_bytes_max: MIB,
            tmp_files_max: 64,
            shm_bytes_max: MIB,
        },
        core: None,
        start: Start::Running,
        build: None,
    }
}

/// The product's list of system calls, and all else as a small host would have it.
fn policy() -> Policy {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/seccomp.toml");
    let text =
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let seccomp =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect();
    let limits = spec(&[]).limits;
    Policy {
        toolchain: Toolchain {
            required: paths(&["/usr", "/bin", "/lib"]),
            optional: paths(&[
                "/lib64",
                "/etc/alternatives",
                "/etc/ld.so.cache",
                "/etc/java-17-openjdk",
                "/etc/mono",
            ]),
        },
        environment: [
            ("HOME", "/tmp"),
            ("LANG", "C.UTF-8"),
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into(),
        uids: UIDS,
        ceilings: Limits { memory_bytes_max: 512 * MIB, processes_max: 64, ..limits },
        build_ceiling: Build { bytes_max: MIB, files_max: 16 },
        cgroup: Cgroup { parent: PARENT.to_owned(), under: None },
        warm_slots: 4,
        seccomp,
    }
}
