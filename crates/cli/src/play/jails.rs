//! Who makes jails for bots: a copy of this process, which goes when they are needed no more.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::wait::{WaitPidFlag, WaitStatus, waitpid},
    unistd::Pid,
};
use runner::{Client, Report, causes};

use super::{Failure, Options};

/// How long what is left of jails may take to go.
const END_WAIT: Duration = Duration::from_secs(10);
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// A launcher. Dropping it ends it, with all jails, and waits until no trace of them is left; whoever
/// holds a client of it must have dropped that before.
pub(super) struct Jails {
    client: Option<Arc<Client>>,
    report: Report,
    launcher: Pid,
}

impl Jails {
    /// Starts one. This process must have no threads yet.
    pub(super) fn open(options: &Options) -> Result<Jails, Failure> {
        if !nix::unistd::geteuid().is_root() {
            let why =
                "--jail needs root, because only root can make jails; without it bots run as you";
            return Err(Failure::Usage(why.to_owned()));
        }
        let policy = crate::config::policy(&options.config);
        let policy = policy.map_err(|error| Failure::Usage(format!("{error:#}")))?;
        let judge = |error: &dyn std::error::Error| Failure::Judge(causes(error));
        let (socket, launcher) = sandbox::launcher::fork(&policy).map_err(|it| judge(&it))?;
        let client = Client::new(socket);
        let report = client.hello().map_err(|it| judge(&it))?;
        Ok(Jails { client: Some(Arc::new(client)), report, launcher })
    }

    pub(super) fn client(&self) -> &Arc<Client> {
        self.client.as_ref().expect("it is there until this is dropped")
    }

    /// Cores that a bot can have for itself.
    pub(super) fn cores(&self) -> Vec<u32> {
        self.report.cores.iter().copied().collect()
    }
}

impl Drop for Jails {
    fn drop(&mut self) {
        self.client = None;
        let until = Instant::now() + END_WAIT;
        let goes_on = || {
            matches!(waitpid(self.launcher, Some(WaitPidFlag::WNOHANG)), Ok(WaitStatus::StillAlive))
        };
        while goes_on() && Instant::now() < until {
            thread::sleep(LOOK_EVERY);
        }
    }
}
