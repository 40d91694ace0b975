//! Bots in jails: paused by the kernel, measured by its own counts.

use std::{
    io,
    os::fd::{AsFd, OwnedFd},
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use game::End;
use sandbox::{Client, Ending, How, Jail, JailError, SpawnError, Spec};
use tokio::{
    io::Interest,
    net::{UnixStream, unix::pipe},
};

use crate::{
    build::BOT,
    cache::Artefact,
    language::Language,
    process::{Ended, Pipes, Process, Program, Rest, StartError, Trouble},
};

/// A bot to be started in a jail.
#[derive(Debug)]
pub struct JailedProgram {
    /// Who makes the jail.
    pub client: Arc<Client>,
    /// What is to run, and its limits.
    pub spec: Spec,
    /// Folders it sees read-only, and where.
    pub folders: Vec<(String, Arc<OwnedFd>)>,
}

impl JailedProgram {
    /// A bot that was built, on this core or on any.
    pub fn new(
        client: &Arc<Client>,
        language: &Language,
        artefact: &Artefact,
        core: Option<u32>,
    ) -> JailedProgram {
        let spec = language.bot_spec(&artefact.entry, core);
        let folders = vec![(BOT.to_owned(), Arc::clone(&artefact.folder))];
        JailedProgram { client: Arc::clone(client), spec, folders }
    }
}

/// A bot in its jail.
#[derive(Debug)]
pub struct Jailed {
    jail: Jail,
    /// The jail's own socket once more, for readiness alone: nothing is read from it here.
    ends: UnixStream,
}

impl Program for JailedProgram {
    type Process = Jailed;

    fn start(&self, arguments: &[String]) -> Result<(Jailed, Pipes), StartError> {
        let mut spec = self.spec.clone();
        spec.argv.extend_from_slice(arguments);
        let jail = spawn(&self.client, &spec, &self.folders)?;
        Ok(Jailed::new(jail)?)
    }
}

/// Makes a jail with folders in it.
pub(crate) fn spawn(
    client: &Client,
    spec: &Spec,
    folders: &[(String, Arc<OwnedFd>)],
) -> Result<Jail, Trouble> {
    let folders: Vec<_> = folders.iter().map(|(path, fd)| (path.as_str(), fd.as_fd())).collect();
    client.spawn(spec, &folders).map_err(|error: SpawnError| Trouble::new("making a jail", error))
}

impl Jailed {
    /// Watches over `jail`, whose pipes nobody has taken yet.
    pub(crate) fn new(mut jail: Jail) -> Result<(Jailed, Pipes), Trouble> {
        let untaken = "its pipes are taken once, here";
        let stdin = jail.take_stdin().expect(untaken);
        let stdout = jail.take_stdout().expect(untaken);
        let stderr = jail.take_stderr().expect(untaken);
        let pipes = Pipes::new(stdin, stdout, stderr)?;
        let watch = || {
            let ends = std::os::unix::net::UnixStream::from(jail.as_fd().try_clone_to_owned()?);
            ends.set_nonblocking(true)?;
            UnixStream::from_std(ends)
        };
        let ends = watch().map_err(|error| Trouble::new("watching a jail", error))?;
        Ok((Jailed { jail, ends }, pipes))
    }

    /// How it ended, with the bill.
    pub(crate) fn poll_ending(&mut self, cx: &mut Context<'_>) -> Poll<Result<Ending, Trouble>> {
        while let Poll::Ready(ready) = self.ends.poll_read_ready(cx) {
            ready.map_err(|error| Trouble::new("watching a jail", error))?;
            if let Some(ending) = self.jail.try_wait().map_err(trouble)? {
                return Poll::Ready(Ok(ending));
            }
            // It only seemed so: tokio is told to wait for the next time.
            let nothing = || Err::<(), _>(io::ErrorKind::WouldBlock.into());
            let _ = self.ends.try_io(Interest::READABLE, nothing);
        }
        Poll::Pending
    }
}

impl Process for Jailed {
    fn thaw(&mut self) -> Result<(), Trouble> {
        self.jail.thaw().map_err(trouble)
    }
    fn freeze(&mut self) -> Result<Rest, Trouble> {
        let stands = self.jail.freeze().map_err(trouble)?;
        Ok(if stands { Rest::Rests } else { Rest::Killed })
    }
    fn cpu(&mut self) -> Result<Duration, Trouble> {
        self.jail.cpu().map_err(trouble)
    }
    fn stall(&mut self) -> Result<Duration, Trouble> {
        Ok(self.jail.stall().map_err(trouble)?.unwrap_or_default())
    }
    fn out_of_memory(&mut self) -> Result<bool, Trouble> {
        self.jail.out_of_memory().map_err(trouble)
    }
    fn memory_peak_bytes(&mut self) -> Result<u64, Trouble> {
        Ok(self.jail.memory_peak_bytes().map_err(trouble)?.unwrap_or_default())
    }
    fn poll_ended(&mut self, cx: &mut Context<'_>) -> Poll<Result<Ended, Trouble>> {
        self.poll_ending(cx).map_ok(|ending| match ending.how {
            How::Exited(code) => End::Exited(code).into(),
            How::Signalled(signal) => End::Signalled(signal).into(),
            How::OutOfMemory => End::OutOfMemory.into(),
            How::NotStarted(why) => Ended { end: End::NotStarted, why: Some(why) },
        })
    }
    fn kill(&mut self) -> Result<(), Trouble> {
        self.jail.kill().map_err(trouble)
    }
}

impl Pipes {
    /// Puts our ends of three pipes under watch.
    pub(crate) fn new(stdin: OwnedFd, stdout: OwnedFd, stderr: OwnedFd) -> Result<Pipes, Trouble> {
        let watch = |error| Trouble::new("watching a pipe", error);
        Ok(Pipes {
            stdin: pipe::Sender::from_owned_fd(stdin).map_err(watch)?,
            stdout: pipe::Receiver::from_owned_fd(stdout).map_err(watch)?,
            stderr: pipe::Receiver::from_owned_fd(stderr).map_err(watch)?,
        })
    }
}

impl From<End> for Ended {
    fn from(end: End) -> Ended {
        Ended { end, why: None }
    }
}

fn trouble(error: JailError) -> Trouble {
    Trouble::new("a jail", error)
}
