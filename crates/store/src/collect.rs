//! Blobs that nothing refers to: of uploads that came to nothing, of attempts that failed.
//!
//! A blob comes before what refers to it, so only old ones are looked at; and
//! they go in two steps, so that the same bytes may come in anew at any moment.

use std::time::Duration;

use chrono::{DateTime, Days, Utc};
use futures::{StreamExt, TryStreamExt};

use crate::{BlobError, Blobs, Error, Store};

/// How old a blob is before it is asked what refers to it: far older than any
/// request takes that refers to what it has just uploaded.
pub const UNREFERENCED_LIFE: Duration = Duration::from_secs(24 * 3600);
/// Days between the two steps of a removal; of these, one is whole.
const DOOMED_DAYS: Days = Days::new(2);
/// How many digests one query asks about.
const BATCH: usize = 500;

/// What a round has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Collected {
    /// Blobs moved aside.
    pub doomed: u32,
    /// Blobs moved back, since something refers to them by now.
    pub spared: u32,
    /// Blobs removed.
    pub removed: u32,
}

/// Why a round came to no end. What it has done until then is done.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
    /// The blobs did.
    #[error(transparent)]
    Blobs(#[from] BlobError),
}

impl Store {
    /// Removes blobs that nothing refers to, of those whose digests begin with
    /// `part`: all of them would be much for one round. Any number of servers
    /// may do so at once.
    ///
    /// # Errors
    ///
    /// Where the database or the blobs fail.
    pub async fn collect_blobs(
        &self,
        blobs: &Blobs,
        part: u8,
        now: DateTime<Utc>,
    ) -> Result<Collected, CollectError> {
        let mut collected = Collected::default();
        let today = now.date_naive();
        let mut old = blobs.older(part, now - UNREFERENCED_LIFE).try_chunks(BATCH).boxed();
        while let Some(digests) = old.try_next().await.map_err(|it| it.1)? {
            for digest in self.unreferenced(&digests).await? {
                blobs.doom(&digest, today).await?;
                collected.doomed += 1;
            }
        }
        let mut doomed = blobs.doomed_until(today - DOOMED_DAYS).try_chunks(BATCH).boxed();
        while let Some(batch) = doomed.try_next().await.map_err(|it| it.1)? {
            let digests: Vec<String> = batch.iter().map(|it| it.digest.clone()).collect();
            let unreferenced = self.unreferenced(&digests).await?;
            for it in batch {
                if unreferenced.contains(&it.digest) {
                    blobs.remove(&it).await?;
                    collected.removed += 1;
                } else {
                    blobs.spare(&it.digest).await?;
                    collected.spared += 1;
                }
            }
        }
        Ok(collected)
    }

    /// Those of `digests` that stand in no row.
    async fn unreferenced(&self, digests: &[String]) -> Result<Vec<String>, Error> {
        let found = sqlx::query_scalar!(
            r#"select it as "it!" from unnest($1::text[]) it
               where not exists (select from versions where source_digest = it)
                 and not exists (select from versions where artefact_digest = it)
                 and not exists (select from matches where record_digest = it)
                 and not exists (select from attempts where record_digest = it)
                 and not exists (select from uploads where digest = it)"#,
            digests
        );
        Ok(found.fetch_all(self.pool()).await?)
    }
}
