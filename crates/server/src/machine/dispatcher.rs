//! One task a server that leases jobs and hands them to workers that wait.
//!
//! Workers wait here, not at the database: when a job comes, one transaction
//! serves them all. A worker that is gone before its jobs reach it leaves them
//! behind, and they go back to the queue at once.

use std::{ops::Deref, time::Duration};

use store::{Leased, Notice, Poll, QueueLimits, Store};
use tokio::{
    sync::{
        broadcast::error::{RecvError, TryRecvError},
        mpsc, oneshot,
    },
    time::{MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::error::Error;

/// Workers of one server that may be on their way in at once.
const ARRIVALS_MAX: usize = 4096;
/// News can be missed, and jobs wait until their time has come: look this often anyway.
const LOOK: Duration = Duration::from_secs(1);

/// Where workers wait. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Dispatcher {
    arrivals: mpsc::Sender<Waiting>,
}

struct Waiting {
    poll: Poll,
    reply: oneshot::Sender<Handout>,
}

/// Leased jobs on their way to a worker. Unless they are taken, they go back.
pub(super) struct Handout {
    jobs: Vec<Leased>,
    returns: mpsc::UnboundedSender<Vec<Uuid>>,
}

impl Handout {
    /// From now on they are the worker's.
    pub(super) fn take(mut self) {
        self.jobs.clear();
    }
}

impl Deref for Handout {
    type Target = [Leased];
    fn deref(&self) -> &[Leased] {
        &self.jobs
    }
}

impl Drop for Handout {
    fn drop(&mut self) {
        if !self.jobs.is_empty() {
            // Where the dispatcher is gone too, the reaper finds them.
            let _ = self.returns.send(self.jobs.iter().map(|it| it.lease).collect());
        }
    }
}

impl Dispatcher {
    pub(crate) fn start(
        store: Store,
        limits: QueueLimits,
        stopping: CancellationToken,
    ) -> Dispatcher {
        let (arrivals, desk) = mpsc::channel(ARRIVALS_MAX);
        tokio::spawn(run(store, limits, desk, stopping));
        Dispatcher { arrivals }
    }

    /// Waits for jobs, for as long as `wait`. None: there were none.
    ///
    /// # Errors
    ///
    /// Where we are stopping, and hand out nothing any more.
    pub(super) async fn wait(&self, poll: Poll, wait: Duration) -> Result<Option<Handout>, Error> {
        let (reply, handout) = oneshot::channel();
        let stopping = Error::Unavailable("The server is stopping.");
        self.arrivals.send(Waiting { poll, reply }).await.map_err(|_| stopping)?;
        Ok(tokio::time::timeout(wait, handout).await.ok().and_then(Result::ok))
    }
}

async fn run(
    store: Store,
    limits: QueueLimits,
    mut desk: mpsc::Receiver<Waiting>,
    stopping: CancellationToken,
) {
    let mut news = store.notices();
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (returns, mut returned) = mpsc::unbounded_channel::<Vec<Uuid>>();
    let mut waiting: Vec<Waiting> = Vec::new();
    loop {
        tokio::select! {
            // Whoever waits is told there is nothing, by being dropped.
            () = stopping.cancelled() => break,
            Some(leases) = returned.recv() => {
                give_back(&store, leases).await;
                continue;
            }
            arrived = desk.recv() => match arrived {
                Some(it) => waiting.push(it),
                None => break,
            },
            heard = news.recv() => match heard {
                Ok(Notice::Queue | Notice::Missed) | Err(RecvError::Lagged(_)) => {}
                Ok(_) => continue,
                Err(RecvError::Closed) => break,
            },
            _ = look.tick() => {}
        }
        while let Ok(it) = desk.try_recv() {
            waiting.push(it);
        }
        // One look serves a whole burst of news.
        while let Ok(_) | Err(TryRecvError::Lagged(_)) = news.try_recv() {}
        // Jobs are leased for those who are still there.
        waiting.retain(|it| !it.reply.is_closed());
        if !waiting.is_empty() {
            hand_out(&store, &limits, &mut waiting, &returns).await;
        }
    }
    drop(returns);
    drop(waiting);
    while let Ok(leases) = returned.try_recv() {
        give_back(&store, leases).await;
    }
}

async fn hand_out(
    store: &Store,
    limits: &QueueLimits,
    waiting: &mut Vec<Waiting>,
    returns: &mpsc::UnboundedSender<Vec<Uuid>>,
) {
    let polls: Vec<Poll> = waiting.iter().map(|it| it.poll.clone()).collect();
    let leased = match store.lease(&polls, limits).await {
        Ok(it) => it,
        Err(why) => {
            tracing::error!(%why, cause = ?why, "cannot lease jobs");
            return;
        }
    };
    let mut still_waiting = Vec::new();
    for (it, jobs) in std::mem::take(waiting).into_iter().zip(leased) {
        if jobs.is_empty() {
            still_waiting.push(it);
            continue;
        }
        // To one that has left, it comes back as it is dropped.
        let _ = it.reply.send(Handout { jobs, returns: returns.clone() });
    }
    *waiting = still_waiting;
}

async fn give_back(store: &Store, leases: Vec<Uuid>) {
    if let Err(why) = store.give_back(&leases).await {
        tracing::warn!(%why, "jobs cannot be given back; their leases will run out");
    }
}
