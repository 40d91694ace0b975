//! Attempts that came to nothing: the job comes again, or is void.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{Lane, QueueLimits, cut, lease::unstart, seconds};
use crate::{
    Blob, Error, Store,
    notices::{Notice, notify, notify_match},
};

/// How many leases are taken back in one transaction.
const BATCH: i64 = 100;
/// As wide as the columns.
const WHAT_CHARS_MAX: usize = 4000;
const WHY_CHARS_MAX: usize = 1000;

/// What a round of the reaper has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reaped {
    /// Jobs that wait again.
    pub requeued: u32,
    /// Jobs that are void, after as many attempts as may be.
    pub void: u32,
}

/// A job whose row is locked, and the lease it is under.
pub(super) struct HeldJob {
    pub(super) id: Uuid,
    pub(super) version: Option<Uuid>,
    pub(super) match_id: Option<Uuid>,
    pub(super) attempt: i32,
    pub(super) lease: Uuid,
    pub(super) worker: Uuid,
    pub(super) leased_at: DateTime<Utc>,
}

impl Store {
    /// Takes back the leases that nobody has renewed in time.
    ///
    /// # Errors
    ///
    /// Where the database fails; what was taken back before stays so.
    pub async fn reap_leases(&self, limits: &QueueLimits) -> Result<Reaped, Error> {
        let mut reaped = Reaped::default();
        loop {
            let mut tx = self.pool().begin().await?;
            let jobs = sqlx::query_as!(
                HeldJob,
                r#"select id, version, match as match_id, attempt, lease as "lease!",
                          worker as "worker!", leased_at as "leased_at!"
                   from jobs where state = 'leased' and deadline < now()
                   order by deadline limit $1 for update skip locked"#,
                BATCH
            )
            .fetch_all(&mut *tx)
            .await?;
            for job in &jobs {
                let what = "the worker stopped renewing its lease";
                reaped.add(take_back(&mut tx, job, what, limits).await?);
            }
            tx.commit().await?;
            if (jobs.len() as i64) < BATCH {
                return Ok(reaped);
            }
        }
    }
}

/// Takes back every lease of a worker that was started anew.
pub(crate) async fn reap_leases_of(
    db: &mut PgConnection,
    worker: Uuid,
    limits: &QueueLimits,
) -> Result<Reaped, sqlx::Error> {
    let jobs = sqlx::query_as!(
        HeldJob,
        r#"select id, version, match as match_id, attempt, lease as "lease!", worker as "worker!",
                  leased_at as "leased_at!"
           from jobs where state = 'leased' and worker = $1 for update"#,
        worker
    )
    .fetch_all(&mut *db)
    .await?;
    // The wait is meant for what fails again and again; this worker has just come up.
    let limits = QueueLimits { backoff: Duration::ZERO, ..*limits };
    let mut reaped = Reaped::default();
    for job in &jobs {
        let what = "the worker was started anew";
        reaped.add(take_back(db, job, what, &limits).await?);
    }
    Ok(reaped)
}

async fn take_back(
    db: &mut PgConnection,
    job: &HeldJob,
    what: &str,
    limits: &QueueLimits,
) -> Result<Next, sqlx::Error> {
    end_attempt(db, job, &Ending::Expired { what }).await?;
    retry_or_void(db, job, what, limits).await
}

impl Reaped {
    fn add(&mut self, next: Next) {
        match next {
            Next::Requeued => self.requeued += 1,
            Next::Void => self.void += 1,
        }
    }
}

/// What became of a job whose attempt is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Requeued,
    Void,
}

/// How a lease ended. Reports are known by their digests.
pub(super) enum Ending<'a> {
    /// With a result.
    Done { report: &'a [u8; 32] },
    /// With a failure of ours, or with a result that is none; then its record is kept.
    Failed { what: &'a str, report: &'a [u8; 32], record: Option<&'a Blob> },
    /// With nothing.
    Expired { what: &'a str },
}

/// Notes how a lease ended.
pub(super) async fn end_attempt(
    db: &mut PgConnection,
    job: &HeldJob,
    ending: &Ending<'_>,
) -> Result<(), sqlx::Error> {
    let (ending, what, report, record) = match *ending {
        Ending::Done { report } => ("done", None, Some(report), None),
        Ending::Failed { what, report, record } => ("failed", Some(what), Some(report), record),
        Ending::Expired { what } => ("expired", Some(what), None, None),
    };
    sqlx::query!(
        "insert into attempts (lease, job, attempt, worker, leased_at, ending, what, report_digest,
             record_digest, record_bytes)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        job.lease,
        job.id,
        job.attempt,
        job.worker,
        job.leased_at,
        ending,
        what.map(|it| cut(it, WHAT_CHARS_MAX)),
        report.map(|it| &it[..]),
        record.map(|it| it.digest.as_str()),
        record.map(|it| it.bytes as i64)
    )
    .execute(&mut *db)
    .await?;
    sqlx::query!("delete from uploads where lease = $1", job.lease).execute(db).await?;
    Ok(())
}

/// Queues a job again after an attempt that failed or was lost, unless there
/// were too many of those.
pub(super) async fn retry_or_void(
    db: &mut PgConnection,
    job: &HeldJob,
    what: &str,
    limits: &QueueLimits,
) -> Result<Next, sqlx::Error> {
    let failures = sqlx::query_scalar!(
        r#"select count(*) as "n!" from attempts where job = $1 and ending in ('failed', 'expired')"#,
        job.id
    )
    .fetch_one(&mut *db)
    .await?;
    let failures = u32::try_from(failures).unwrap_or(u32::MAX);
    if failures >= limits.attempts_max || is_out_of_time(db, job, limits).await? {
        void(db, job, failures, what).await?;
        return Ok(Next::Void);
    }
    sqlx::query!(
        "update jobs set state = 'queued', lease = null, worker = null, leased_at = null,
             deadline = null, not_before = now() + make_interval(secs => $2)
         where id = $1",
        job.id,
        seconds(limits.backoff_after(failures))
    )
    .execute(&mut *db)
    .await?;
    unstart(db, job.version, job.match_id).await?;
    notify(db, Notice::Queue).await?;
    Ok(Next::Requeued)
}

/// Whether people have had all the time that a match with them may take.
async fn is_out_of_time(
    db: &mut PgConnection,
    job: &HeldJob,
    limits: &QueueLimits,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select j.lane = $2 and coalesce(
                      (select min(leased_at) from attempts where job = j.id)
                          + make_interval(secs => $3) < now(), false) as "out!"
           from jobs j where j.id = $1"#,
        job.id,
        Lane::People as i16,
        seconds(limits.people_match)
    )
    .fetch_one(db)
    .await
}

async fn void(
    db: &mut PgConnection,
    job: &HeldJob,
    failures: u32,
    what: &str,
) -> Result<(), sqlx::Error> {
    let why = format!("gave up after {failures} attempts; the last one: {what}");
    let why = cut(&why, WHY_CHARS_MAX);
    sqlx::query!("update jobs set state = 'void', ended_at = now() where id = $1", job.id)
        .execute(&mut *db)
        .await?;
    if let Some(version) = job.version {
        let bot = sqlx::query_scalar!(
            "update versions set state = 'failed', why = $2, built_at = now() where id = $1
             returning bot",
            version,
            why
        )
        .fetch_one(&mut *db)
        .await?;
        notify(&mut *db, Notice::Bot(bot)).await?;
    }
    if let Some(match_id) = job.match_id {
        sqlx::query!("delete from live_plies where match = $1", match_id).execute(&mut *db).await?;
        sqlx::query!("delete from deeds where match = $1", match_id).execute(&mut *db).await?;
        sqlx::query!(
            "update matches set state = 'void', void_why = $2, finished_at = now() where id = $1",
            match_id,
            why
        )
        .execute(&mut *db)
        .await?;
        notify_match(db, match_id).await?;
    }
    Ok(())
}
