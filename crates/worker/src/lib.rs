//! Takes jobs, runs them, reports.
//!
//! The unprivileged half of a worker host: it holds a token for the server and
//! a socket to the launcher that makes jails, and knows neither the database
//! nor anything that outlives a job. What goes wrong here is never a bot's
//! fault: it voids the attempt, and the job comes again.

#![forbid(unsafe_code)]

mod config;
mod lease;
mod machine;
mod server;
mod steps;
mod thread;

use std::{
    collections::BTreeMap,
    future::Future,
    ops::Range,
    sync::Arc,
    time::{Duration, Instant},
};

use futures::stream::{self, StreamExt};
use jobs::{Hello, LeaseRequest, POLL_S_MAX, Welcome};
use runner::{
    Client, HelloError, Language,
    doctor::{Check, State},
};
use thiserror::Error;
use tokio::{task::JoinSet, time::sleep};
use tokio_util::sync::CancellationToken;

pub use crate::{
    config::{Config, ConfigError, SLOTS_MAX, Token},
    machine::MachineError,
    server::{ServerError, http_client},
};
use crate::{
    lease::Lease,
    machine::Machine,
    server::{Backoff, Server},
};

/// Toolchains that are looked at side by side.
const PROBES_MAX: usize = 2;
/// How long running jobs may take to say that they were given up.
const FAREWELL_WAIT: Duration = Duration::from_secs(10);

/// Why a worker does not work.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// This host cannot hold jails; the reasons are named.
    #[error("no bot is run without a jail: {0}")]
    Jail(#[from] HelloError),
    /// This host lacks something else.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// The server does not want us.
    #[error("the server turned this worker away: {0}")]
    TurnedAway(ServerError),
    /// A job ended as none should.
    #[error("a job ended without a result: {0}")]
    Slot(tokio::task::JoinError),
    /// There is no way to talk to any server.
    #[error("getting ready to talk to the server")]
    Http(#[source] reqwest::Error),
}

/// Works until `shutdown` comes, or until there is no point in going on.
///
/// A server that is away is waited for. At shutdown no new job is taken, and
/// what runs is given up and reported so, that others can take it at once.
///
/// # Errors
///
/// Where this host cannot hold jails, or the server turns this worker away.
pub async fn run(
    config: Config,
    client: Client,
    shutdown: impl Future<Output = ()>,
) -> Result<(), WorkerError> {
    let machine = Arc::new(Machine::new(config, client).await?);
    let server = Server::new(&machine.config).map_err(WorkerError::Http)?;
    let stop = CancellationToken::new();
    let (mut running, mut with_people) = (JoinSet::new(), JoinSet::new());
    let working = async {
        let hello = hello(&machine).await;
        let welcome = greet(&server, &hello).await?;
        let desk = Desk { machine: &machine, server: &server, stop: &stop, hello, welcome };
        // Each kind waits for itself alone: matches with people may take hours.
        let slots = 0..machine.config.slots;
        let for_people = slots.end..slots.end + machine.config.people_slots;
        tokio::try_join!(
            desk.work(Kind::Others, slots, &mut running),
            desk.work(Kind::WithPeople, for_people, &mut with_people),
        )?;
        Ok(())
    };
    let done = tokio::select! {
        done = working => done,
        () = shutdown => Ok(()),
    };
    tracing::info!(running = running.len() + with_people.len(), "stopping");
    stop.cancel();
    let farewell = async {
        while running.join_next().await.is_some() {}
        while with_people.join_next().await.is_some() {}
    };
    if tokio::time::timeout(FAREWELL_WAIT, farewell).await.is_err() {
        let left = running.len() + with_people.len();
        tracing::warn!(left, "not all jobs could be reported as given up");
    }
    done
}

/// Where jobs are asked for.
struct Desk<'a> {
    machine: &'a Arc<Machine>,
    server: &'a Server,
    stop: &'a CancellationToken,
    hello: Hello,
    welcome: Welcome,
}

/// What kind of jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Builds, and matches of bots alone.
    Others,
    /// Matches in which people play.
    WithPeople,
}

impl Desk<'_> {
    /// Takes jobs of one kind, one for each slot, and takes others as slots become free.
    async fn work(
        &self,
        kind: Kind,
        slots: Range<u32>,
        running: &mut JoinSet<Ran>,
    ) -> Result<(), WorkerError> {
        if slots.is_empty() {
            return Ok(());
        }
        let Desk { machine, server, stop, hello, welcome } = self;
        let mut welcome = welcome.clone();
        let mut free: Vec<u32> = slots.rev().collect();
        let mut backoff = Backoff::default();
        loop {
            let mut failed = false;
            while let Some(ran) = match free.is_empty() {
                true => running.join_next().await,
                false => running.try_join_next(),
            } {
                // A job's panics are caught where it runs; a slot is lost with what is not.
                let Ran { slot, failed: it_failed } = ran.map_err(WorkerError::Slot)?;
                free.push(slot);
                failed |= it_failed;
            }
            if failed {
                // Without a launcher every job would fail, and use up its attempts.
                machine.check().await?;
            }
            let n_free = free.len() as u32;
            let (jobs_max, people_max) = match kind {
                Kind::Others => (n_free, 0),
                Kind::WithPeople => (0, n_free),
            };
            match server.lease(&LeaseRequest { jobs_max, people_max, wait_s: POLL_S_MAX }).await {
                Ok(answer) => {
                    backoff = Backoff::default();
                    for leased in answer.jobs {
                        let Some(slot) = free.pop() else {
                            tracing::error!(lease = %leased.lease, "more jobs than were asked for");
                            break;
                        };
                        let lease = Lease {
                            leased,
                            slot,
                            machine: Arc::clone(machine),
                            server: (*server).clone(),
                            renew_every: Duration::from_secs(welcome.renew_s.max(1)),
                            stop: (*stop).clone(),
                        };
                        running.spawn(async move { Ran { slot, failed: lease.run().await } });
                    }
                }
                Err(error) if error.turns_away() => return Err(WorkerError::TurnedAway(error)),
                Err(error) => {
                    tracing::warn!(%error, "no jobs can be had; trying again");
                    sleep(backoff.next()).await;
                    // A server that was away, or is another now, may not know us.
                    if error.is_answer() {
                        welcome = greet(server, hello).await?;
                    }
                }
            }
        }
    }
}

/// A job that is over.
struct Ran {
    slot: u32,
    /// For a reason of ours.
    failed: bool,
}

/// Looks at all toolchains of this host.
async fn hello(machine: &Machine) -> Hello {
    let started = Instant::now();
    let probes: Vec<_> = machine.config.languages.iter().map(|it| probe(machine, it)).collect();
    let languages: Vec<_> = stream::iter(probes).buffered(PROBES_MAX).collect().await;
    for it in &languages {
        match &it.toolchain {
            Ok(version) => tracing::info!(language = it.id, version, "available"),
            Err(why) => tracing::info!(language = it.id, why, "not available"),
        }
    }
    tracing::info!(took = ?started.elapsed(), "looked at all languages");
    let said = |it: &Check| match it.state {
        State::Lacking => format!("not in this kernel: {}", it.found),
        State::InForce | State::Broken => it.found.clone(),
    };
    let set_up = machine.report.protections.iter().map(|it| (it.name.clone(), it.how.clone()));
    let tried = machine.checks.iter().map(|it| (it.name.clone(), said(it)));
    let jail: BTreeMap<String, String> = set_up.chain(tried).collect();
    Hello {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        start: uuid::Uuid::new_v4(),
        slots: machine.config.slots,
        people_slots: machine.config.people_slots,
        languages,
        jail,
    }
}

async fn probe(machine: &Machine, language: &Language) -> jobs::Language {
    jobs::Language { id: language.id.clone(), toolchain: machine.look_at(language).await }
}

/// Introduces this worker, as often as it takes.
async fn greet(server: &Server, hello: &Hello) -> Result<Welcome, WorkerError> {
    let mut backoff = Backoff::default();
    loop {
        match server.hello(hello).await {
            Ok(welcome) => {
                tracing::info!(worker = welcome.worker, slots = hello.slots, "welcome");
                return Ok(welcome);
            }
            Err(error) if error.turns_away() || error.is_our_fault() => {
                return Err(WorkerError::TurnedAway(error));
            }
            Err(error) => {
                tracing::warn!(%error, "the server does not answer; trying again");
                sleep(backoff.next()).await;
            }
        }
    }
}
