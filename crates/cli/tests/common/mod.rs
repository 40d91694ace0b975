//! A whole machine for a test: `agon up` in a temporary directory, its processes, its database.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tempfile::TempDir;

pub const AGON: &str = env!("CARGO_BIN_EXE_agon");

/// One running `agon up`.
pub struct Machine {
    up: Child,
    pub url: String,
    pub data: PathBuf,
    lines: mpsc::Receiver<String>,
    _dir: Option<TempDir>,
}

impl Machine {
    /// Starts a machine in a new directory.
    pub fn start(options: &[&str], env: &[(&str, &str)]) -> Machine {
        assert!(nix::unistd::geteuid().is_root(), "`agon up` makes jails: run the tests as root");
        // Not below a home that others cannot enter.
        let dir = tempfile::Builder::new().prefix("agon-test-").tempdir_in("/var/tmp").unwrap();
        // A directory made for one user alone is none for the machine's four.
        let data = dir.path().join("data");
        fs::set_permissions(dir.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))
            .unwrap();
        let mut machine = Machine::start_in(&data, options, env);
        machine._dir = Some(dir);
        machine
    }

    /// Starts a machine on a directory that may hold one already.
    pub fn start_in(data: &Path, options: &[&str], env: &[(&str, &str)]) -> Machine {
        let mut command = Command::new(AGON);
        command.args(["up", "--port", "0", "--config-dir"]).arg(config_dir());
        command.arg("--data").arg(data).args(options).envs(env.iter().copied());
        // A machine that knows no authority whose certificates could be trusted.
        command.env("SSL_CERT_FILE", "/nonexistent").env("SSL_CERT_DIR", "/nonexistent");
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut up = command.spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let stdout = BufReader::new(up.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                println!("{line}");
                // Nobody has to listen.
                let _ = sender.send(line);
            }
        });
        let mut machine =
            Machine { up, url: String::new(), data: data.to_owned(), lines, _dir: None };
        machine.url = machine.line("the site is up at ", Duration::from_secs(180));
        machine
    }

    /// Waits for a line of its output, and gives what follows `start`.
    pub fn line(&self, start: &str, within: Duration) -> String {
        let deadline = Instant::now() + within;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left);
            let line = line.unwrap_or_else(|_| panic!("no line with {start:?} within {within:?}"));
            if let Some((_, rest)) = line.split_once(start) {
                return rest.trim().to_owned();
            }
        }
    }

    /// Stops it as Ctrl-C would, and waits for its end.
    pub fn stop(&mut self) {
        kill(Pid::from_raw(self.up.id() as i32), Signal::SIGINT).unwrap();
        let deadline = Instant::now() + Duration::from_secs(90);
        while Instant::now() < deadline {
            if let Some(status) = self.up.try_wait().unwrap() {
                assert!(status.success(), "agon up ended with {status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("agon up does not end");
    }

    /// The supervisor's own process.
    pub fn pid(&self) -> Pid {
        Pid::from_raw(self.up.id() as i32)
    }

    /// The process that is one part of the machine, once there is one.
    pub fn part(&self, part: Part) -> Option<Pid> {
        descendants(self.pid()).into_iter().find(|&pid| part.is(&command_line(pid)))
    }

    /// What Postgres answers to a question, as the operator may ask it.
    pub fn sql(&self, sql: &str) -> Result<String, String> {
        let output = Command::new("psql")
            .arg("-h")
            .arg(self.data.join("run"))
            .args([
                "-U",
                "agon",
                "-d",
                "agon",
                "-X",
                "-A",
                "-t",
                "-v",
                "ON_ERROR_STOP=1",
                "-c",
                sql,
            ])
            .output()
            .unwrap();
        let text = |it: &[u8]| String::from_utf8_lossy(it).trim().to_owned();
        match output.status.success() {
            true => Ok(text(&output.stdout)),
            false => Err(text(&output.stderr)),
        }
    }

    /// Asks until `question` is answered by `wanted`.
    pub fn wait_sql(
        &self,
        question: &str,
        wanted: impl Fn(&str) -> bool,
        within: Duration,
    ) -> String {
        let deadline = Instant::now() + within;
        let mut last = Err("nothing was asked".to_owned());
        while Instant::now() < deadline {
            last = self.sql(question);
            match last {
                Ok(answer) if wanted(&answer) => return answer,
                _ => std::thread::sleep(Duration::from_millis(100)),
            }
        }
        panic!("{question}: {last:?} after {within:?}");
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if matches!(self.up.try_wait(), Ok(None)) {
            let _ = kill(self.pid(), Signal::SIGINT);
            let deadline = Instant::now() + Duration::from_secs(60);
            while matches!(self.up.try_wait(), Ok(None)) && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(20));
            }
            let _ = self.up.kill();
            let _ = self.up.wait();
        }
    }
}

/// A part of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Worker,
    Launcher,
    Server,
    Postgres,
}

impl Part {
    pub const ALL: [Part; 4] = [Part::Worker, Part::Launcher, Part::Server, Part::Postgres];

    fn is(self, command_line: &[String]) -> bool {
        let has = |word: &str| command_line.iter().any(|it| it == word);
        let first = command_line.first().map(String::as_str).unwrap_or_default();
        let second = command_line.get(1).map(String::as_str).unwrap_or_default();
        match self {
            Part::Worker => second == "worker" && has("--attached"),
            Part::Launcher => second == "launcher",
            Part::Server => second == "serve",
            Part::Postgres => first.ends_with("/postgres") && has("-D"),
        }
    }
}

pub fn config_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config").canonicalize().unwrap()
}

pub fn alive(pid: Pid) -> bool {
    // A zombie is as good as gone.
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

pub fn command_line(pid: Pid) -> Vec<String> {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let words = bytes.split(|&it| it == 0).filter(|it| !it.is_empty());
    words.map(|it| String::from_utf8_lossy(it).into_owned()).collect()
}

/// All processes below `root`, nearest first.
pub fn descendants(root: Pid) -> Vec<Pid> {
    let mut children: Vec<(Pid, Pid)> = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|it| it.parse().ok()) else { continue };
        let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { continue };
        let Some((_, rest)) = stat.rsplit_once(") ") else { continue };
        let Some(parent) = rest.split(' ').nth(1).and_then(|it| it.parse().ok()) else { continue };
        children.push((Pid::from_raw(parent), Pid::from_raw(pid)));
    }
    let mut found = vec![root];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(children.iter().filter(|it| it.0 == parent).map(|it| it.1));
        next += 1;
    }
    found.remove(0);
    found
}
