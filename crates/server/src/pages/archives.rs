//! Uploads are read whole to be judged, in memory: a few at once, while some others wait, and not
//! for long.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use sources::{Limits, Rejected, Sources};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
    time::timeout,
};

use super::Refusal;
use crate::{Config, Error};

/// How long one waits for a turn.
const TURN_WAIT_MAX: Duration = Duration::from_secs(10);
/// How many may wait for one.
const WAITING_MAX: usize = 64;
/// How many files all the lists together may name that are kept.
const LISTED_MAX: usize = 100_000;

/// Whose turn it is, and how much may be in one.
pub(crate) struct Archives {
    turns: Arc<Semaphore>,
    waiting: Semaphore,
    turn_wait_max: Duration,
    limits: Limits,
    lists: Lists,
}

/// Leave to read one. Bytes are fetched under it, and dropped before it ends.
pub(crate) struct Turn(OwnedSemaphorePermit);

/// Files of an archive: paths and bytes.
pub(crate) type List = Arc<[(String, u64)]>;

impl Archives {
    pub(super) fn new(config: &Config) -> Archives {
        Archives {
            turns: Arc::new(Semaphore::new(config.limits.archives_at_once as usize)),
            waiting: Semaphore::new(WAITING_MAX),
            turn_wait_max: TURN_WAIT_MAX,
            limits: config.archive_limits(),
            lists: Lists::default(),
        }
    }

    /// Waits until one more may be read.
    ///
    /// # Errors
    ///
    /// Where as many wait as may, or it takes too long.
    pub(crate) async fn turn(&self) -> Result<Turn, Refusal> {
        let busy = || {
            let words = "Many uploads are being read just now. Try again in a few seconds.";
            Refusal::from(Error::Unavailable(words))
        };
        if let Ok(turn) = self.turns.clone().try_acquire_owned() {
            return Ok(Turn(turn));
        }
        let _place = self.waiting.try_acquire().map_err(|_| busy())?;
        let turn = timeout(self.turn_wait_max, self.turns.clone().acquire_owned()).await;
        turn.map_err(|_| busy())?.map(Turn).map_err(Refusal::ours)
    }

    /// Reads and judges an upload; what `look` makes of its files outlives it.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        Turn(turn): Turn,
        file_name: &str,
        bytes: Bytes,
        look: impl FnOnce(&Sources) -> T + Send + 'static,
    ) -> Result<Result<T, Rejected>, Refusal> {
        let (file_name, limits) = (file_name.to_owned(), self.limits);
        let read = spawn_blocking(move || {
            let found = Sources::read(&file_name, &bytes, &limits).map(|it| look(&it));
            drop((bytes, turn));
            found
        });
        read.await.map_err(Refusal::ours)
    }

    /// The files of the upload of this digest, if they were listed before.
    pub(crate) fn listed(&self, digest: &str) -> Option<List> {
        self.lists.get(digest)
    }

    /// Keeps the files of an upload, for the next who asks.
    pub(crate) fn keep_list(&self, digest: &str, list: List) {
        self.lists.keep(digest, list);
    }
}

/// The lists that were asked for last, the latest at the end.
#[derive(Default)]
struct Lists(Mutex<VecDeque<(String, List)>>);

impl Lists {
    fn get(&self, digest: &str) -> Option<List> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = kept.iter().position(|(it, _)| it == digest)?;
        let found = kept.remove(at)?;
        let list = Arc::clone(&found.1);
        kept.push_back(found);
        Some(list)
    }

    fn keep(&self, digest: &str, list: List) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(it, _)| it != digest);
        kept.push_back((digest.to_owned(), list));
        // An empty one takes room as well.
        let room = |list: &List| list.len().max(1);
        let mut total: usize = kept.iter().map(|(_, it)| room(it)).sum();
        while total > LISTED_MAX {
            let Some((_, dropped)) = kept.pop_front() else { break };
            total -= room(&dropped);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use axum::{
        http::{StatusCode, header},
        response::IntoResponse,
    };

    use super::*;

    fn archives(turn_wait_max: Duration) -> Archives {
        let mut config = Config::default();
        config.limits.archives_at_once = 1;
        Archives { turn_wait_max, ..Archives::new(&config) }
    }

    fn assert_busy(turn: Result<Turn, Refusal>) {
        let response = turn.err().unwrap().into_response();
        assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(response.headers().contains_key(header::RETRY_AFTER));
    }

    #[tokio::test]
    async fn nobody_waits_for_a_turn_longer_than_is_said() {
        let archives = archives(Duration::from_millis(20));
        let held = archives.turn().await.unwrap();
        assert_busy(archives.turn().await);
        drop(held);
        assert!(archives.turn().await.is_ok());
    }

    #[tokio::test]
    async fn no_more_wait_for_a_turn_than_may() {
        let archives = archives(Duration::from_secs(60));
        let held = archives.turn().await.unwrap();
        let mut all = Box::pin(all_turns(&archives));
        // They wait as soon as they were asked once.
        assert!(timeout(Duration::from_millis(1), &mut all).await.is_err());
        assert_busy(archives.turn().await);
        drop(held);
        assert_eq!(all.await, WAITING_MAX);
        assert!(archives.turn().await.is_ok());
    }

    /// As many as may wait, one after the other got a turn.
    async fn all_turns(archives: &Archives) -> usize {
        let turns = (0..WAITING_MAX).map(|_| async { archives.turn().await.is_ok() });
        futures::future::join_all(turns).await.into_iter().filter(|it| *it).count()
    }

    #[test]
    fn lists_that_nobody_asks_for_go_first() {
        let lists = Lists::default();
        let list = |n: usize| -> List { vec![("x".to_owned(), 1); n].into() };
        lists.keep("a", list(LISTED_MAX / 2));
        lists.keep("b", list(LISTED_MAX / 2));
        assert!(lists.get("a").is_some());
        lists.keep("c", list(0));
        assert!(lists.get("b").is_none() && lists.get("a").is_some());
        assert_eq!(lists.get("c").map(|it| it.len()), Some(0));
    }
}
