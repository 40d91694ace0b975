//! Uploads are read whole to be judged, in memory: a few at once, while others wait.

use std::sync::Arc;

use bytes::Bytes;
use sources::{Limits, Rejected, Sources};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    task::spawn_blocking,
};

use super::Refusal;
use crate::Config;

/// Whose turn it is, and how much may be in one.
pub(crate) struct Archives {
    turns: Arc<Semaphore>,
    limits: Limits,
}

/// Leave to read one. Bytes are fetched under it, and dropped before it ends.
pub(crate) struct Turn(OwnedSemaphorePermit);

impl Archives {
    pub(super) fn new(config: &Config) -> Archives {
        let turns = Arc::new(Semaphore::new(config.limits.archives_at_once as usize));
        Archives { turns, limits: config.archive_limits() }
    }

    /// Waits until one more may be read.
    pub(crate) async fn turn(&self) -> Result<Turn, Refusal> {
        self.turns.clone().acquire_owned().await.map(Turn).map_err(Refusal::ours)
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
}
