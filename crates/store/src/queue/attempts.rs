//! What went wrong with a job before, for whoever has to find out why.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{Blob, Error, Store};

/// An attempt that came to nothing through no bot's fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedAttempt {
    /// Counts leases of the job, from 1.
    pub attempt: u32,
    /// Name of the worker.
    pub worker: String,
    /// When it was leased.
    pub leased_at: DateTime<Utc>,
    /// When it was over.
    pub ended_at: DateTime<Utc>,
    /// The lease ran out; otherwise the worker said what failed.
    pub expired: bool,
    /// What failed.
    pub what: String,
    /// The record that came with a report which was not believed.
    pub record: Option<Blob>,
}

impl Store {
    /// The failed attempts at playing a match or building a version, oldest first.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn failed_attempts(
        &self,
        match_or_version: Uuid,
    ) -> Result<Vec<FailedAttempt>, Error> {
        let rows = sqlx::query!(
            r#"select a.attempt, w.name as worker, a.leased_at, a.ended_at,
                      a.ending = 'expired' as "expired!", coalesce(a.what, '') as "what!",
                      a.record_digest, a.record_bytes
               from attempts a join jobs j on j.id = a.job join workers w on w.id = a.worker
               where (j.match = $1 or j.version = $1) and a.ending in ('failed', 'expired')
               order by a.attempt"#,
            match_or_version
        )
        .fetch_all(self.pool())
        .await?;
        let attempts = rows.into_iter().map(|it| FailedAttempt {
            attempt: it.attempt as u32,
            worker: it.worker,
            leased_at: it.leased_at,
            ended_at: it.ended_at,
            expired: it.expired,
            what: it.what,
            record: it
                .record_digest
                .zip(it.record_bytes)
                .map(|(digest, bytes)| Blob { digest, bytes: bytes as u64 }),
        });
        Ok(attempts.collect())
    }
}
