//! One job while we hold it: kept alive, run, and reported, whatever happens.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jobs::{Failure, Job, Leased, Report};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{
    machine::Machine,
    server::{Backoff, Server, report_bytes},
    steps,
};

/// A lease runs for this many times the time between renewals.
const RUNS_FOR: u32 = 3;
/// How long a report is tried once the worker has to stop.
const LAST_REPORT_WAIT: Duration = Duration::from_secs(5);

/// A job that is ours.
pub(crate) struct Lease {
    pub(crate) leased: Leased,
    pub(crate) slot: u32,
    pub(crate) machine: Arc<Machine>,
    pub(crate) server: Server,
    pub(crate) renew_every: Duration,
    /// The worker stops.
    pub(crate) stop: CancellationToken,
}

/// What a job is run with.
#[derive(Clone)]
pub(crate) struct Context {
    pub(crate) lease: Uuid,
    pub(crate) slot: u32,
    pub(crate) machine: Arc<Machine>,
    pub(crate) server: Server,
    /// Nobody wants it any more.
    pub(crate) cancel: CancellationToken,
}

impl Lease {
    /// Runs the job and reports it, and says whether it failed for a reason of ours. Where the
    /// lease is lost on the way, all of it is dropped.
    pub(crate) async fn run(self) -> bool {
        let Lease { leased: Leased { lease, attempt, job }, slot, machine, server, .. } = self;
        let kind = if matches!(job, Job::Build(_)) { "build" } else { "match" };
        let begun = Instant::now();
        tracing::info!(%lease, attempt, kind, slot, "taken");

        let (stop, renew_every) = (self.stop, self.renew_every);
        let cancel = stop.child_token();
        let context = Context { lease, slot, machine, server, cancel: cancel.clone() };
        let held = renew(&context.server, lease, renew_every);
        let work = async {
            // Dropped where it has to end, with all that it started.
            let report = tokio::select! {
                biased;
                () = stop.cancelled() => failed("the worker is stopping"),
                report = carry_out(context.clone(), job) => report.unwrap_or_else(failed),
            };
            let failed = matches!(report, Report::Failed(_));
            if let Report::Failed(Failure { what }) = &report {
                tracing::warn!(%lease, kind, what, "failed");
            }
            (report_until_heard(&context.server, lease, &report, &stop).await, failed)
        };
        let (ended, failed) = tokio::select! {
            () = held => ("the lease is lost", false),
            ended = work => ended,
        };
        cancel.cancel();
        tracing::info!(%lease, kind, took = ?begun.elapsed(), "{ended}");
        failed
    }
}

async fn carry_out(context: Context, job: Job) -> Result<Report, String> {
    match job {
        Job::Build(job) => steps::build(context, job).await.map(|it| Report::Built(Box::new(it))),
        Job::Match(job) => steps::play(context, job).await.map(|it| Report::Played(Box::new(it))),
    }
}

/// Renews the lease until it is lost.
async fn renew(server: &Server, lease: Uuid, every: Duration) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    // The first comes at once, when the lease is fresh.
    ticks.tick().await;
    let mut renewed = Instant::now();
    loop {
        ticks.tick().await;
        match server.renew(lease).await {
            Ok(_) => renewed = Instant::now(),
            Err(error) if error.is_lost() => return,
            Err(error) => {
                tracing::warn!(%lease, %error, "the lease could not be renewed");
                if renewed.elapsed() > every * RUNS_FOR {
                    return;
                }
            }
        }
    }
}

/// Sends the report until it is taken, or counts for nothing.
async fn report_until_heard(
    server: &Server,
    lease: Uuid,
    report: &Report,
    stop: &CancellationToken,
) -> &'static str {
    let bytes = report_bytes(report);
    let mut backoff = Backoff::default();
    let tries = async {
        loop {
            match server.report(lease, &bytes).await {
                Ok(()) => return "reported",
                Err(error) if error.is_lost() => return "reported too late",
                Err(error) if error.is_our_fault() => {
                    tracing::error!(%lease, %error, "the report is refused");
                    return "its report is refused";
                }
                Err(error) => {
                    tracing::warn!(%lease, %error, "the report does not get through");
                    sleep(backoff.next()).await;
                }
            }
        }
    };
    let give_up = async {
        stop.cancelled().await;
        sleep(LAST_REPORT_WAIT).await;
    };
    tokio::select! {
        ended = tries => ended,
        () = give_up => "its report did not get through before the end",
    }
}

fn failed(what: impl Into<String>) -> Report {
    Report::Failed(Failure { what: what.into() })
}
