//! Plies of a running match for whoever watches, in batches.

use std::time::{Duration, Instant};

use referee::AnyReferee;
use serde_json::value::RawValue;
use tokio::{sync::mpsc, time::timeout};

/// Longest time a ply waits for others to go with it.
pub const BATCH_WAIT: Duration = Duration::from_millis(50);
/// Most plies that go together.
pub const BATCH_PLIES_MAX: u32 = 256;
/// How long the last plies wait for a watcher that is slow. The record has them all anyway.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// Some plies in a row.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Index of the first.
    pub from: u32,
    /// The referee's frames, as JSON.
    pub plies: Vec<Box<RawValue>>,
}

/// Sends plies as they fall. Keeps nothing but their number: a slow watcher
/// gets them later, from the record, and holds up nobody.
pub(crate) struct Feed {
    to: Option<mpsc::Sender<Batch>>,
    n_sent: u32,
    due: Option<Instant>,
}

impl Feed {
    /// `n_sent` plies are known to whoever watches.
    pub(crate) fn new(to: Option<mpsc::Sender<Batch>>, n_sent: u32) -> Feed {
        Feed { to, n_sent, due: None }
    }

    /// When to [send](Feed::send) at the latest.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// A ply was played.
    pub(crate) fn played(&mut self, now: Instant, referee: &dyn AnyReferee) {
        if self.to.is_none() || referee.n_plies() <= self.n_sent {
            return;
        }
        self.due.get_or_insert(now + BATCH_WAIT);
        if referee.n_plies() - self.n_sent >= BATCH_PLIES_MAX {
            self.send(now, referee);
        }
    }

    /// Sends what waits, as far as the watcher takes it.
    pub(crate) fn send(&mut self, now: Instant, referee: &dyn AnyReferee) {
        let n_plies = referee.n_plies();
        self.due = None;
        while self.n_sent < n_plies {
            let Some(to) = &self.to else { return };
            match to.try_reserve() {
                Ok(place) => place.send(batch(referee, &mut self.n_sent)),
                Err(mpsc::error::TrySendError::Full(())) => {
                    self.due = Some(now + BATCH_WAIT);
                    return;
                }
                // Nobody watches any more.
                Err(mpsc::error::TrySendError::Closed(())) => break,
            }
        }
        if self.to.as_ref().is_some_and(mpsc::Sender::is_closed) {
            self.to = None;
        }
    }

    /// Sends the last of them.
    pub(crate) async fn finish(mut self, referee: &dyn AnyReferee) {
        let Some(to) = self.to.take() else { return };
        while self.n_sent < referee.n_plies() {
            let Ok(Ok(place)) = timeout(LAST_WAIT, to.reserve()).await else { return };
            place.send(batch(referee, &mut self.n_sent));
        }
    }
}

fn batch(referee: &dyn AnyReferee, n_sent: &mut u32) -> Batch {
    let from = *n_sent;
    let to = referee.n_plies().min(from + BATCH_PLIES_MAX);
    *n_sent = to;
    Batch { from, plies: (from..to).filter_map(|it| referee.frame(it)).collect() }
}
