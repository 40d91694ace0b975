//! Programs of the person at the keyboard, run without any jail.
//!
//! They may do whatever that person may: nothing here holds back a hostile
//! program. Memory is neither limited nor counted. The pause is a stop signal
//! to the process group, which a program that makes a group of its own escapes.

use std::{
    collections::BTreeMap,
    os::{fd::OwnedFd, unix::process::ExitStatusExt},
    path::PathBuf,
    pin::{Pin, pin},
    process::Stdio,
    task::{Context, Poll},
    time::Duration,
};

use game::End;
use nix::{
    errno::Errno,
    sys::signal::{Signal, killpg},
    time::{ClockId, clock_gettime},
    unistd::Pid,
};
use tokio::{
    process::{Child, Command},
    time::{Instant, Sleep, sleep},
};

use crate::process::{Ended, Pipes, Process, Program, Rest, StartError, Trouble};

/// It is told to go on once more after this time, then after twice as long, and so on to the last.
/// A process that was being made while its maker was stopped and let go again may begin its life
/// stopped: Linux hands it the stop, and forgets the rest.
const AGAIN_FIRST: Duration = Duration::from_millis(2);
const AGAIN_LAST: Duration = Duration::from_secs(1);

/// A command to be run as it is.
#[derive(Clone, Debug)]
pub struct PlainProgram {
    /// The program and its arguments; no shell sees them.
    pub argv: Vec<String>,
    /// Variables beyond our own.
    pub env: BTreeMap<String, String>,
    /// The folder it starts in; ours where none is named.
    pub cwd: Option<PathBuf>,
    /// Whether it is stopped while it is not asked.
    pub pauses: bool,
}

/// It runs.
#[derive(Debug)]
pub struct Plain {
    child: Child,
    /// The group that its leader began, as long as that leader is not reaped.
    group: Option<Pid>,
    cpu: Option<ClockId>,
    cpu_last: Duration,
    pauses: bool,
    again: Option<Again>,
}

/// When it is told to go on once more.
#[derive(Debug)]
struct Again {
    sleep: Pin<Box<Sleep>>,
    after: Duration,
}

impl Program for PlainProgram {
    type Process = Plain;

    fn start(&self, arguments: &[String]) -> Result<(Plain, Pipes), StartError> {
        let [program, args @ ..] = self.argv.as_slice() else {
            return Err(StartError::Program("the command is empty".to_owned()));
        };
        let mut command = Command::new(program);
        command
            .args(args)
            .args(arguments)
            .envs(&self.env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true);
        if let Some(cwd) = &self.cwd {
            command.current_dir(cwd);
        }
        let mut child =
            command.spawn().map_err(|error| StartError::Program(format!("{program}: {error}")))?;
        let pipes = Pipes::new(
            fd(child.stdin.take().map(|it| it.into_owned_fd()))?,
            fd(child.stdout.take().map(|it| it.into_owned_fd()))?,
            fd(child.stderr.take().map(|it| it.into_owned_fd()))?,
        )?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw);
        let cpu = group.and_then(|pid| ClockId::pid_cpu_clock_id(pid).ok());
        let pauses = self.pauses;
        let mut plain = Plain { child, group, cpu, cpu_last: Duration::ZERO, pauses, again: None };
        plain.freeze()?;
        Ok((plain, pipes))
    }
}

impl Plain {
    fn signal(&self, signal: Signal) -> Result<(), Trouble> {
        let Some(group) = self.group else { return Ok(()) };
        match killpg(group, signal) {
            // It is gone already, or has become somebody else's.
            Ok(()) | Err(Errno::ESRCH | Errno::EPERM) => Ok(()),
            Err(error) => Err(Trouble::new("signalling a program", error)),
        }
    }

    fn poll_again(&mut self, cx: &mut Context<'_>) -> Result<(), Trouble> {
        while let Some(Again { sleep, after }) = &mut self.again {
            if sleep.as_mut().poll(cx).is_pending() {
                return Ok(());
            }
            *after *= 2;
            sleep.as_mut().reset(Instant::now() + *after);
            if *after > AGAIN_LAST {
                self.again = None;
            }
            self.signal(Signal::SIGCONT)?;
        }
        Ok(())
    }
}

impl Process for Plain {
    fn thaw(&mut self) -> Result<(), Trouble> {
        if !self.pauses {
            return Ok(());
        }
        self.again = Some(Again { sleep: Box::pin(sleep(AGAIN_FIRST)), after: AGAIN_FIRST });
        self.signal(Signal::SIGCONT)
    }
    fn freeze(&mut self) -> Result<Rest, Trouble> {
        self.again = None;
        if self.pauses {
            self.signal(Signal::SIGSTOP)?;
        }
        Ok(Rest::Rests)
    }
    fn cpu(&mut self) -> Result<Duration, Trouble> {
        // Of the first process alone; where that has ended, what was last seen.
        if let Some(Ok(now)) = self.cpu.map(clock_gettime) {
            self.cpu_last = Duration::from(now).max(self.cpu_last);
        }
        Ok(self.cpu_last)
    }
    fn stall(&mut self) -> Result<Duration, Trouble> {
        Ok(Duration::ZERO)
    }
    fn out_of_memory(&mut self) -> Result<bool, Trouble> {
        Ok(false)
    }
    fn memory_peak_bytes(&mut self) -> Result<u64, Trouble> {
        Ok(0)
    }
    fn poll_ended(&mut self, cx: &mut Context<'_>) -> Poll<Result<Ended, Trouble>> {
        let Poll::Ready(status) = pin!(self.child.wait()).poll(cx) else {
            self.poll_again(cx)?;
            return Poll::Pending;
        };
        // Whatever it has left behind goes with it; its number may soon be another's.
        self.signal(Signal::SIGKILL)?;
        self.group = None;
        let status = status.map_err(|error| Trouble::new("waiting for a program", error))?;
        let end = match status.signal() {
            Some(signal) => End::Signalled(signal),
            None => End::Exited(status.code().unwrap_or_default()),
        };
        Poll::Ready(Ok(end.into()))
    }
    fn kill(&mut self) -> Result<(), Trouble> {
        self.signal(Signal::SIGKILL)
    }
}

impl Drop for Plain {
    fn drop(&mut self) {
        // A failure leaves nothing to be done.
        let _ = self.kill();
    }
}

fn fd(taken: Option<std::io::Result<OwnedFd>>) -> Result<OwnedFd, Trouble> {
    taken
        .unwrap_or_else(|| Err(std::io::Error::other("it has no pipe")))
        .map_err(|error| Trouble::new("piping a program", error))
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::{io::AsyncReadExt, time::timeout};

    use super::*;

    /// What it says where it makes processes while it is stopped and let go, over and over.
    async fn said(program: &PlainProgram) -> Result<String, &'static str> {
        let (mut process, mut pipes) = program.start(&[]).unwrap();
        let mut said = String::new();
        process.thaw().unwrap();
        for _ in 0..40 {
            std::thread::sleep(Duration::from_micros(100));
            process.freeze().unwrap();
            process.thaw().unwrap();
        }
        let reading = pipes.stdout.read_to_string(&mut said);
        let going = poll_fn(|cx| process.poll_ended(cx));
        let both = async { tokio::join!(reading, going) };
        timeout(Duration::from_secs(20), both).await.map_err(|_| "it stands still")?.0.unwrap();
        Ok(said)
    }

    #[tokio::test]
    async fn who_makes_processes_while_it_is_stopped_goes_on() {
        let forks = "(:); ".repeat(20);
        let program = PlainProgram {
            argv: ["bash", "-c", &format!("{forks} echo done")].map(str::to_owned).to_vec(),
            env: BTreeMap::new(),
            cwd: None,
            pauses: true,
        };
        for _ in 0..100 {
            assert_eq!(said(&program).await, Ok("done\n".to_owned()));
        }
    }
}
