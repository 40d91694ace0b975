//! Runs the parts of one machine: starts them anew when they die, and ends them in order.

use std::{
    ffi::OsString,
    fs::File,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    sync::OnceLock,
    time::Duration,
};

use anyhow::Context;
use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use tokio::{
    process::{Child, Command},
    time::{Instant, sleep, timeout},
};

use super::users::Account;

/// Wait before a part that died is started anew; doubled each time it dies young.
const PAUSE_MIN: Duration = Duration::from_millis(100);
const PAUSE_MAX: Duration = Duration::from_secs(5);
/// A part that has lived so long has recovered.
const SETTLED_AFTER: Duration = Duration::from_secs(3);
/// How long starting a part anew is tried before the machine is given up.
const RESTART_TRIED_FOR: Duration = Duration::from_secs(60);

/// Our own program, by the name it had when it was started: a new one may take its place.
pub fn ourselves() -> anyhow::Result<&'static Path> {
    static OURSELVES: OnceLock<PathBuf> = OnceLock::new();
    if let Some(known) = OURSELVES.get() {
        return Ok(known);
    }
    let found = std::env::current_exe().context("finding our own program")?;
    Ok(OURSELVES.get_or_init(|| found))
}

/// What to run, and as whom.
pub struct Supervised {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// None: root.
    pub user: Option<Account>,
    /// Handed to the program as its standard input.
    pub stdin: Option<OwnedFd>,
    /// Takes both outputs; none: they are ours.
    pub log: Option<File>,
    pub env: Vec<(&'static str, OsString)>,
}

/// One part of the machine.
pub struct Part {
    pub name: &'static str,
    pub supervised: Supervised,
    pub stop_by: Signal,
    pub stop_within: Duration,
}

/// A part and its process.
pub struct Running {
    part: Part,
    child: Option<Child>,
    born: Instant,
    pause: Duration,
}

impl Running {
    /// Starts a part.
    pub fn start(part: Part) -> anyhow::Result<Running> {
        let child = spawn(&part.supervised).with_context(|| format!("starting {}", part.name))?;
        Ok(Running { part, child: Some(child), born: Instant::now(), pause: PAUSE_MIN })
    }

    /// Keeps the part alive. Returns only when it could not be started anew for a long while:
    /// a program that is being replaced is away for a moment, and comes back.
    pub async fn keep(&mut self) -> anyhow::Error {
        let mut failing_since = None;
        loop {
            if let Some(child) = &mut self.child {
                let status = child.wait().await;
                self.bury(status);
                sleep(self.pause).await;
            }
            match spawn(&self.part.supervised) {
                Ok(child) => {
                    self.child = Some(child);
                    self.born = Instant::now();
                    failing_since = None;
                }
                Err(err) => {
                    let since = *failing_since.get_or_insert_with(Instant::now);
                    if since.elapsed() > RESTART_TRIED_FOR {
                        return err.context(format!("starting {} anew", self.part.name));
                    }
                    self.pause = (self.pause * 2).min(PAUSE_MAX);
                    sleep(self.pause).await;
                }
            }
        }
    }

    /// Lets go of our own end of what it got as standard input. It cannot be started anew then.
    pub fn forget_stdin(&mut self) {
        self.part.supervised.stdin = None;
    }

    /// Waits for its end.
    pub async fn ended(&mut self) -> std::io::Result<ExitStatus> {
        match &mut self.child {
            Some(child) => child.wait().await,
            None => std::future::pending().await,
        }
    }

    /// Ends the part: asks, waits, and then insists.
    pub async fn stop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        let Some(group) = child.id().map(|it| Pid::from_raw(it as i32)) else { return };
        // Where the signal finds nobody, the wait below ends at once.
        let _ = killpg(group, self.part.stop_by);
        if timeout(self.part.stop_within, child.wait()).await.is_err() {
            let (name, within) = (self.part.name, self.part.stop_within.as_secs());
            crate::say::note!("agon: {name} did not end within {within} s and is killed");
            let _ = killpg(group, Signal::SIGKILL);
            let _ = child.wait().await;
        }
    }

    fn bury(&mut self, status: std::io::Result<ExitStatus>) {
        let name = self.part.name;
        self.pause = match self.born.elapsed() >= SETTLED_AFTER {
            true => PAUSE_MIN,
            false => (self.pause * 2).min(PAUSE_MAX),
        };
        let pause_ms = self.pause.as_millis();
        match status {
            Ok(status) => {
                crate::say::note!("agon: {name} ended ({status}); starting anew in {pause_ms} ms")
            }
            Err(err) => {
                crate::say::note!("agon: {name} cannot be waited for ({err}); starting anew")
            }
        }
        self.child = None;
    }
}

/// Starts a process in a group of its own, so that a Ctrl-C at the terminal
/// reaches us alone, and bound to our life, so that it never outlives us.
fn spawn(what: &Supervised) -> anyhow::Result<Child> {
    let mut command = Command::new(ourselves()?);
    command.args(["bound", "--parent", &std::process::id().to_string()]);
    if let Some(user) = &what.user {
        command.args(["--user", &user.name]).env("HOME", "/nonexistent");
    }
    command.arg("--").arg(&what.program).args(&what.args);
    for (name, value) in &what.env {
        command.env(name, value);
    }
    command.stdin(match &what.stdin {
        Some(fd) => Stdio::from(fd.try_clone().context("copying a descriptor")?),
        None => Stdio::null(),
    });
    if let Some(log) = &what.log {
        let copy = || log.try_clone().context("copying the descriptor of a log");
        command.stdout(copy()?).stderr(copy()?);
    }
    command.current_dir("/").process_group(0);
    command.spawn().with_context(|| format!("running {}", what.program.display()))
}
