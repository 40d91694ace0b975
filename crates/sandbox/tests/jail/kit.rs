//! A launcher, a client, compiled programs, and a look at what is left behind.

use std::{
    fs::{self, File},
    io::Read,
    os::{
        fd::{AsFd, OwnedFd},
        linux::net::SocketAddrExt,
        unix::{
            fs::PermissionsExt,
            net::{SocketAddr, UnixListener},
        },
    },
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use nix::{
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::wait::{WaitPidFlag, WaitStatus, waitpid},
    unistd::Pid,
};
use sandbox::{
    Build, Cgroup, Client, Ending, Jail, Limits, Policy, SpawnError, Spec, Start, Toolchain, Uids,
    launcher,
};

use crate::{
    cases,
    outside::Outside,
    programs::{self, Program},
};

/// Most of a program's output that is kept.
pub(crate) const OUTPUT_BYTES_MAX: usize = 1 << 20;
/// How long another run of this test may take.
const OTHER_RUN_WAIT_MAX: Duration = Duration::from_secs(600);
/// How long the last traces of a jail may take to go.
const SETTLE_WAIT_MAX: Duration = Duration::from_secs(10);

pub(crate) struct Kit {
    pub(crate) policy: Policy,
    pub(crate) client: Client,
    pub(crate) launcher: Pid,
    /// Everybody may read it; compiled programs lie there.
    pub(crate) folder: tempfile::TempDir,
    outside: Outside,
    /// Something on the host that a program must not reach.
    #[expect(dead_code, reason = "it only listens")]
    listener: UnixListener,
}

/// How a program ended, and what it wrote.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) ending: Ending,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// All that it wrote, kept or not.
    pub(crate) written: usize,
    /// It was ended from outside, because its time was up.
    pub(crate) overdue: bool,
}

impl Kit {
    pub(crate) fn new() -> Self {
        let policy = policy();
        // Two runs at a time would find each other's traces.
        let until = Instant::now() + OTHER_RUN_WAIT_MAX;
        let name = SocketAddr::from_abstract_name("agon-sandbox-test").expect("a name");
        let listener = loop {
            match UnixListener::bind_addr(&name) {
                Ok(listener) => break listener,
                Err(error) => assert!(
                    Instant::now() < until,
                    "another run of this test does not end: {error}"
                ),
            }
            thread::sleep(Duration::from_millis(100));
        };
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
            .expect("for everybody");
        let (socket, launcher) = launcher::fork(&policy).expect("a launcher");
        let outside = Outside::new(&policy, 2 * OUTPUT_BYTES_MAX as u64);
        Self { policy, client: Client::new(socket), launcher, folder, outside, listener }
    }

    pub(crate) fn host(&self) -> String {
        let report = self.client.hello().unwrap_or_else(|error| panic!("{error}"));
        format!(
            "Linux {}, {}, cores {:?}, warnings {:?}",
            report.kernel, report.backend, report.cores, report.warnings
        )
    }

    /// A fresh launcher in place of the one there was.
    pub(crate) fn start(&mut self) {
        let (socket, launcher) = launcher::fork(&self.policy).expect("a launcher");
        self.client = Client::new(socket);
        self.launcher = launcher;
        self.client.hello().unwrap_or_else(|error| panic!("{error}"));
    }

    /// One of the tests' own programs; none where this machine lacks its language.
    pub(crate) fn found(&self, name: &str) -> Option<Program> {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
        programs::program(&source, self.folder.path())
    }

    /// The folder with one of the tests' own programs in C, named `bot`.
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        let found = self.found(&format!("{name}.c"));
        found.unwrap_or_else(|| panic!("{name}: this machine has no gcc")).folder
    }

    /// The folder with a hostile program in C, named `bot`.
    pub(crate) fn hostile(&self, name: &str) -> PathBuf {
        let source = programs::hostile_folder().join(name).join("bot.c");
        let found = programs::program(&source, self.folder.path());
        found.unwrap_or_else(|| panic!("{name}: this machine has no gcc")).folder
    }

    /// Runs a program to its end, or until its time is up.
    pub(crate) fn run(&self, spec: &Spec, dirs: &[(&str, &Path)], wall: Duration) -> Run {
        let jail = self.spawn(spec, dirs).unwrap_or_else(|error| panic!("{error}"));
        finish(jail, wall)
    }

    pub(crate) fn spawn(&self, spec: &Spec, dirs: &[(&str, &Path)]) -> Result<Jail, SpawnError> {
        let open: Vec<(&str, File)> = dirs
            .iter()
            .map(|(path, folder)| (*path, File::open(folder).expect("a folder")))
            .collect();
        let dirs: Vec<_> = open.iter().map(|(path, folder)| (*path, folder.as_fd())).collect();
        self.client.spawn(spec, &dirs)
    }
}

impl cases::Kit for Kit {
    fn outside(&self) -> &Outside {
        &self.outside
    }

    /// A fresh launcher in place of the one there is.
    fn restart(&mut self) {
        let old = self.launcher;
        self.start();
        wait_for(old);
    }
}

/// The product's list of system calls, and all else as a small host would have it.
pub(crate) fn policy() -> Policy {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/seccomp.toml");
    let text =
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let seccomp =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let paths = |paths: &[&str]| paths.iter().map(PathBuf::from).collect();
    let mut policy = Policy {
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
            ("TMPDIR", "/tmp"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into(),
        uids: Uids { first: 71_000, count: 25 },
        ceilings: Limits {
            memory_bytes_max: 4 << 30,
            processes_max: 512,
            cpu_percent_max: 400,
            descriptors_max: 4096,
            file_bytes_max: 1 << 30,
            stack_bytes_max: 1 << 30,
            tmp_bytes_max: 1 << 30,
            tmp_files_max: 100_000,
            shm_bytes_max: 256 << 20,
        },
        build_ceiling: Build { bytes_max: 1 << 30, files_max: 100_000 },
        cgroup: Cgroup { parent: "agon-sandbox-test".to_owned(), under: None },
        warm_slots: 4,
        seccomp,
    };
    // Python and Rust often live in somebody's home.
    for (program, arguments) in [
        ("python3", &["-c", "import sys; print(sys.base_prefix)"][..]),
        ("rustc", &["--print", "sysroot"]),
    ] {
        let Ok(found) = Command::new(program).args(arguments).output() else { continue };
        let prefix = PathBuf::from(String::from_utf8_lossy(&found.stdout).trim());
        if prefix.is_absolute() {
            policy.toolchain.optional.push(prefix);
        }
    }
    policy
}

/// What a contest's bot would get.
pub(crate) fn limits() -> Limits {
    Limits {
        memory_bytes_max: 64 << 20,
        processes_max: 16,
        cpu_percent_max: 100,
        descriptors_max: 64,
        file_bytes_max: 32 << 20,
        stack_bytes_max: 8 << 20,
        tmp_bytes_max: 1 << 20,
        tmp_files_max: 64,
        shm_bytes_max: 1 << 20,
    }
}

pub(crate) fn spec(argv: &[&str]) -> Spec {
    Spec {
        argv: argv.iter().map(|word| (*word).to_owned()).collect(),
        env: Vec::new(),
        cwd: "/".to_owned(),
        limits: limits(),
        core: None,
        start: Start::Running,
        build: None,
    }
}

/// Reads all that a program writes until it ends, keeping a bounded part.
pub(crate) fn finish(jail: Jail, wall: Duration) -> Run {
    finish_with(jail, wall, false)
}

/// The same; where it is to have pauses, it has them all the time.
pub(crate) fn finish_with(mut jail: Jail, wall: Duration, pauses: bool) -> Run {
    drop(jail.take_stdin());
    let mut pipes: Vec<(File, Vec<u8>, bool)> = [jail.take_stdout(), jail.take_stderr()]
        .into_iter()
        .map(|pipe| (File::from(pipe.expect("not taken yet")), Vec::new(), true))
        .collect();
    let (until, mut overdue, mut written) = (Instant::now() + wall, false, 0);
    let ending = loop {
        if let Some(ending) = jail.try_wait().unwrap_or_else(|error| panic!("{error}")) {
            break ending;
        }
        if Instant::now() > until && !overdue {
            overdue = true;
            jail.kill().expect("killing");
        }
        if pauses {
            jail.freeze().expect("frozen");
            thread::sleep(Duration::from_millis(2));
            jail.thaw().expect("thawed");
        }
        let patience: u8 = if pauses { 2 } else { 20 };
        let mut fds: Vec<PollFd<'_>> = vec![PollFd::new(jail.as_fd(), PollFlags::POLLIN)];
        fds.extend(
            pipes
                .iter()
                .filter(|(.., open)| *open)
                .map(|(pipe, ..)| PollFd::new(pipe.as_fd(), PollFlags::POLLIN)),
        );
        poll(&mut fds, PollTimeout::from(patience)).expect("poll");
        let ready: Vec<bool> = fds.iter().skip(1).map(|fd| fd.any() == Some(true)).collect();
        for ((pipe, kept, open), _) in
            pipes.iter_mut().filter(|(.., open)| *open).zip(ready).filter(|(_, ready)| *ready)
        {
            written += drain_once(pipe, kept, open);
        }
    };
    for (pipe, kept, open) in &mut pipes {
        while *open {
            written += drain_once(pipe, kept, open);
        }
    }
    let mut texts =
        pipes.into_iter().map(|(_, kept, _)| String::from_utf8_lossy(&kept).into_owned());
    let (stdout, stderr) = (texts.next().expect("two"), texts.next().expect("two"));
    Run { ending, stdout, stderr, written, overdue }
}

fn drain_once(pipe: &mut File, kept: &mut Vec<u8>, open: &mut bool) -> usize {
    let mut buffer = [0; 65536];
    let length = pipe.read(&mut buffer).expect("a pipe");
    *open = length > 0;
    let room = OUTPUT_BYTES_MAX - kept.len();
    kept.extend_from_slice(&buffer[..length.min(room)]);
    length
}

/// Reads one line, byte by byte, as a judge would with one bot.
pub(crate) fn read_line(mut from: &File) -> String {
    let (mut line, mut byte) = (Vec::new(), [0]);
    while from.read(&mut byte).expect("a pipe") == 1 && byte[0] != b'\n' {
        line.push(byte[0]);
    }
    String::from_utf8(line).expect("text")
}

pub(crate) fn file(fd: Option<OwnedFd>) -> File {
    File::from(fd.expect("not taken yet"))
}

/// Waits for a launcher to end, at most a while; tells its exit code.
pub(crate) fn wait_for(launcher: Pid) -> Option<i32> {
    let until = Instant::now() + SETTLE_WAIT_MAX;
    while Instant::now() < until {
        match waitpid(launcher, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => thread::sleep(Duration::from_millis(1)),
            Ok(WaitStatus::Exited(_, code)) => return Some(code),
            _ => return None,
        }
    }
    panic!("the launcher {launcher} does not end");
}
