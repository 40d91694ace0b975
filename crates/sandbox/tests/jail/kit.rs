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
use sandbox::{Client, Ending, Jail, Limits, Policy, SpawnError, Spec, Start, launcher};

/// Most of a program's output that is kept.
const OUTPUT_BYTES_MAX: usize = 1 << 20;
/// How long the last traces of a jail may take to go.
const SETTLE_WAIT_MAX: Duration = Duration::from_secs(5);

pub struct Kit {
    pub policy: Policy,
    pub client: Client,
    pub launcher: Pid,
    /// Everybody may read it; compiled programs lie there.
    pub folder: tempfile::TempDir,
    /// Something on the host that a program must not reach.
    #[expect(dead_code, reason = "it only listens")]
    listener: UnixListener,
}

/// How a program ended, and what it wrote.
#[derive(Debug)]
pub struct Run {
    pub ending: Ending,
    pub stdout: String,
    pub stderr: String,
    /// All that it wrote, kept or not.
    pub written: usize,
    /// It was ended from outside, because its time was up.
    pub overdue: bool,
}

/// What there is to see of jails from outside.
#[derive(Debug, PartialEq, Eq)]
pub struct Traces {
    descriptors: usize,
    mounts: String,
    processes: Vec<String>,
    groups: Vec<(PathBuf, usize)>,
}

impl Kit {
    pub fn new() -> Self {
        let policy = policy();
        let name = SocketAddr::from_abstract_name("agon-sandbox-test").expect("a name");
        let listener = UnixListener::bind_addr(&name)
            .expect("a socket, which only one test at a time can have");
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))
            .expect("for everybody");
        let (socket, launcher) = launcher::fork(&policy).expect("a launcher");
        Self { policy, client: Client::new(socket), launcher, folder, listener }
    }

    pub fn host(&self) -> String {
        let report = self.client.hello().unwrap_or_else(|error| panic!("{error}"));
        format!(
            "Linux {}, {}, cores {:?}, warnings {:?}",
            report.kernel, report.backend, report.cores, report.warnings
        )
    }

    /// A fresh launcher in place of the one there is.
    pub fn restart(&mut self) {
        let (socket, launcher) = launcher::fork(&self.policy).expect("a launcher");
        self.client = Client::new(socket);
        wait_for(self.launcher);
        self.launcher = launcher;
        self.client.hello().expect("a launcher that works");
    }

    /// The binary of a C program of ours, in a folder of its own.
    pub fn compile(&self, source: &Path, flags: &[&str]) -> PathBuf {
        let name = source.parent().and_then(Path::file_name).expect("sources lie in folders");
        let folder = self.folder.path().join(name);
        if folder.join("bot").exists() {
            return folder;
        }
        fs::create_dir_all(&folder).expect("a folder");
        let mut gcc = Command::new("gcc");
        gcc.args(["-O1", "-static", "-pthread", "-w", "-I"]).arg(hostile_folder()).args(flags);
        let made = gcc.arg("-o").arg(folder.join("bot")).arg(source).status().expect("gcc");
        assert!(made.success(), "{} does not compile", source.display());
        folder
    }

    /// Runs a program to its end, or until its time is up.
    pub fn run(&self, spec: &Spec, dirs: &[(&str, &Path)], wall: Duration) -> Run {
        let jail = self.spawn(spec, dirs).unwrap_or_else(|error| panic!("{error}"));
        finish(jail, wall)
    }

    pub fn spawn(&self, spec: &Spec, dirs: &[(&str, &Path)]) -> Result<Jail, SpawnError> {
        let open: Vec<(&str, File)> = dirs
            .iter()
            .map(|(path, folder)| (*path, File::open(folder).expect("a folder")))
            .collect();
        let dirs: Vec<_> = open.iter().map(|(path, folder)| (*path, folder.as_fd())).collect();
        self.client.spawn(spec, &dirs)
    }

    /// What there is to see once the launcher has made its slots ready.
    pub fn quiet_traces(&self) -> Traces {
        let ready = usize::try_from(self.policy.warm_slots).expect("small");
        let until = Instant::now() + SETTLE_WAIT_MAX;
        loop {
            let traces = self.traces();
            if traces.groups.iter().all(|(_, slots)| *slots == ready) || Instant::now() > until {
                return traces;
            }
            thread::sleep(Duration::from_millis(2));
        }
    }

    fn traces(&self) -> Traces {
        Traces {
            descriptors: fs::read_dir("/proc/self/fd").expect("proc").count(),
            mounts: fs::read_to_string("/proc/self/mountinfo").expect("proc"),
            processes: processes_of(&self.policy),
            groups: groups(&self.policy),
        }
    }

    /// Waits for the last traces to go, and fails where they stay.
    pub fn assert_nothing_left(&self, before: &Traces) {
        let until = Instant::now() + SETTLE_WAIT_MAX;
        while self.traces() != *before && Instant::now() < until {
            thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(self.traces(), *before, "something is left behind");
    }
}

/// The policy of the product, with ids and groups of this test's own.
pub fn policy() -> Policy {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/sandbox.toml");
    let text =
        fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut policy: Policy =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    policy.cgroup.parent = "agon-sandbox-test".to_owned();
    policy.uids.first = 71_000;
    policy.uids.count = 25;
    policy
}

pub fn hostile_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")
}

/// What a contest's bot would get.
pub fn limits() -> Limits {
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

pub fn spec(argv: &[&str]) -> Spec {
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
pub fn finish(mut jail: Jail, wall: Duration) -> Run {
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
        let mut fds: Vec<PollFd<'_>> = vec![PollFd::new(jail.as_fd(), PollFlags::POLLIN)];
        fds.extend(
            pipes
                .iter()
                .filter(|(.., open)| *open)
                .map(|(pipe, ..)| PollFd::new(pipe.as_fd(), PollFlags::POLLIN)),
        );
        poll(&mut fds, PollTimeout::from(20_u8)).expect("poll");
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
pub fn read_line(mut from: &File) -> String {
    let (mut line, mut byte) = (Vec::new(), [0]);
    while from.read(&mut byte).expect("a pipe") == 1 && byte[0] != b'\n' {
        line.push(byte[0]);
    }
    String::from_utf8(line).expect("text")
}

pub fn file(fd: Option<OwnedFd>) -> File {
    File::from(fd.expect("not taken yet"))
}

/// Waits for a launcher to end, at most a while; tells its exit code.
pub fn wait_for(launcher: Pid) -> Option<i32> {
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

/// Processes of the users that belong to jails.
pub fn processes_of(policy: &Policy) -> Vec<String> {
    let users = policy.uids.first..policy.uids.first + policy.uids.count;
    let of_jails = |entry: &fs::DirEntry| {
        let status = fs::read_to_string(entry.path().join("status")).unwrap_or_default();
        let uid = status
            .lines()
            .find_map(|line| line.strip_prefix("Uid:")?.split_ascii_whitespace().next());
        uid.and_then(|uid| uid.parse().ok()).is_some_and(|uid: u32| users.contains(&uid))
    };
    let entries = fs::read_dir("/proc").expect("proc").filter_map(Result::ok);
    entries.filter(of_jails).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// The groups of every launcher of these tests, with the number of its slots.
fn groups(policy: &Policy) -> Vec<(PathBuf, usize)> {
    let launchers =
        roots().into_iter().flat_map(|root| children(&root.join(&policy.cgroup.parent)));
    let slots = |launcher: &PathBuf| {
        children(launcher).iter().filter(|group| !group.ends_with("inits")).count()
    };
    let mut groups: Vec<_> =
        launchers.map(|launcher| (launcher.clone(), slots(&launcher))).collect();
    groups.sort();
    groups
}

/// Where control groups are mounted.
fn roots() -> Vec<PathBuf> {
    let mounts = fs::read_to_string("/proc/self/mounts").expect("proc");
    let mounts = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (_, point, kind) = (words.next()?, words.next()?, words.next()?);
        kind.starts_with("cgroup").then(|| PathBuf::from(point))
    });
    mounts.collect()
}

fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
}
