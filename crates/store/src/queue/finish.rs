//! What all ends of a job share: it is held by its lease, and what it was
//! about commits with it, or nothing does.
//!
//! What a result means is decided by the caller, from the state that is locked
//! at that moment; so each counts once, in an order all servers agree on.

use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    QueueLimits,
    reap::{Ending, HeldJob, end_attempt, retry_or_void},
};
use crate::{Blob, Error, MatchError, Store};

/// Who reports, and what identifies the report.
#[derive(Clone, Debug)]
pub struct Reporting {
    /// The lease it is of.
    pub lease: Uuid,
    /// The worker it comes from.
    pub worker: Uuid,
    /// SHA-256 of the report: the same one is welcome twice.
    pub digest: [u8; 32],
}

/// What a report came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finished {
    /// It counts.
    Counted,
    /// It had been counted before; nothing changed.
    Again,
}

/// Why a report counts for nothing.
#[derive(Debug, thiserror::Error)]
pub enum FinishError<E> {
    /// The lease is not, or no longer, this worker's.
    #[error("the lease is lost")]
    Lost,
    /// A build was reported for a match, or the other way round.
    #[error("the lease is of another kind of job")]
    OtherKind,
    /// It names bytes that were not put into the lease's upload address.
    #[error("{digest} with {bytes} bytes was not uploaded for this lease")]
    NotUploaded {
        /// What it names.
        digest: String,
        /// And how long it says that is.
        bytes: u64,
    },
    /// It names something built before, which was not built of this source by this recipe.
    #[error("{digest} with {bytes} bytes was not built of this source by the recipe {recipe}")]
    NotKnown {
        /// What it names.
        digest: String,
        /// And how long it says that is.
        bytes: u64,
        /// How it says that it was built.
        recipe: String,
    },
    /// It was not believed when it came first; the attempt is void.
    #[error("{0}")]
    Disbelieved(String),
    /// The caller did not accept it.
    #[error(transparent)]
    Refused(E),
    /// A match that should follow cannot be made.
    #[error("a match that should follow cannot be made")]
    FollowUp(#[from] MatchError),
    /// Ours.
    #[error(transparent)]
    Store(Error),
}

impl<E> From<Error> for FinishError<E> {
    fn from(why: Error) -> FinishError<E> {
        FinishError::Store(why)
    }
}

impl<E> From<sqlx::Error> for FinishError<E> {
    fn from(why: sqlx::Error) -> FinishError<E> {
        FinishError::Store(why.into())
    }
}

impl Store {
    /// Voids an attempt that failed through no bot's fault; the job comes
    /// again, or is void after too many.
    ///
    /// # Errors
    ///
    /// Where the lease is lost.
    pub async fn fail_attempt(
        &self,
        reporting: &Reporting,
        what: &str,
        limits: &QueueLimits,
    ) -> Result<Finished, FinishError<std::convert::Infallible>> {
        let mut tx = self.pool().begin().await?;
        let Some(job) = hold(&mut tx, reporting).await? else {
            return again(&mut tx, reporting).await;
        };
        let what = if what.is_empty() { "the worker did not say" } else { what };
        let ending = Ending::Failed { what, report: &reporting.digest, record: None };
        end_attempt(&mut tx, &job, &ending).await?;
        retry_or_void(&mut tx, &job, what, limits).await?;
        tx.commit().await?;
        Ok(Finished::Counted)
    }

    /// Voids an attempt whose report is not believed, as one that failed. The
    /// record that came with it is kept, for whoever looks into it.
    ///
    /// # Errors
    ///
    /// Where the lease is lost, or the record was not uploaded for it.
    pub async fn refuse_report(
        &self,
        reporting: &Reporting,
        record: &Blob,
        why: &str,
        limits: &QueueLimits,
    ) -> Result<Finished, FinishError<std::convert::Infallible>> {
        let mut tx = self.pool().begin().await?;
        let Some(job) = hold(&mut tx, reporting).await? else {
            return again(&mut tx, reporting).await;
        };
        take_upload(&mut tx, reporting.lease, record).await?;
        let ending = Ending::Failed { what: why, report: &reporting.digest, record: Some(record) };
        end_attempt(&mut tx, &job, &ending).await?;
        retry_or_void(&mut tx, &job, why, limits).await?;
        tx.commit().await?;
        Ok(Finished::Counted)
    }
}

/// Locks the job of a living lease.
pub(super) async fn hold(
    db: &mut PgConnection,
    reporting: &Reporting,
) -> Result<Option<HeldJob>, sqlx::Error> {
    sqlx::query_as!(
        HeldJob,
        r#"select id, version, match as match_id, attempt, lease as "lease!", worker as "worker!",
                  leased_at as "leased_at!"
           from jobs where lease = $1 and worker = $2 and state = 'leased' for update"#,
        reporting.lease,
        reporting.worker
    )
    .fetch_optional(db)
    .await
}

/// The lease is no longer alive: because this very report has ended it?
pub(super) async fn again<E>(
    db: &mut PgConnection,
    reporting: &Reporting,
) -> Result<Finished, FinishError<E>> {
    let ended = sqlx::query!(
        r#"select coalesce(what, '') as "what!", record_digest is not null as "refused!"
           from attempts where lease = $1 and worker = $2 and report_digest = $3"#,
        reporting.lease,
        reporting.worker,
        &reporting.digest[..]
    )
    .fetch_optional(db)
    .await?
    .ok_or(FinishError::Lost)?;
    match ended.refused {
        true => Err(FinishError::Disbelieved(ended.what)),
        false => Ok(Finished::Again),
    }
}

pub(super) async fn take_upload<E>(
    db: &mut PgConnection,
    lease: Uuid,
    blob: &Blob,
) -> Result<(), FinishError<E>> {
    let taken = sqlx::query!(
        "delete from uploads where lease = $1 and digest = $2 and bytes = $3",
        lease,
        blob.digest,
        blob.bytes as i64
    )
    .execute(db)
    .await?;
    if taken.rows_affected() == 0 {
        let Blob { digest, bytes } = blob.clone();
        return Err(FinishError::NotUploaded { digest, bytes });
    }
    Ok(())
}

pub(super) async fn end_job(
    db: &mut PgConnection,
    job: &HeldJob,
    reporting: &Reporting,
) -> Result<(), sqlx::Error> {
    end_attempt(db, job, &Ending::Done { report: &reporting.digest }).await?;
    sqlx::query!("update jobs set state = 'done', ended_at = now() where id = $1", job.id)
        .execute(db)
        .await?;
    Ok(())
}
