//! The queue: rows that workers lease, and what comes of each lease.
//!
//! A job is queued, then leased, then done or void. A lease is bound to one
//! worker, and lives until it reports or the reaper takes it back; whoever
//! comes with one that is not in its row is told so, and changes nothing.

mod attempts;
mod built;
mod deeds;
mod finish;
mod lease;
mod played;
mod reap;
mod start;
mod uploads;

use std::time::Duration;

use sqlx::PgConnection;
use uuid::Uuid;

use crate::notices::{Notice, notify};
pub(crate) use crate::queue::reap::reap_leases_of;
pub use crate::queue::{
    attempts::FailedAttempt,
    built::{BuildDecision, BuildState, Built, Made},
    deeds::{DeedError, DeedsSince, NewDeed},
    finish::{FinishError, Finished, Reporting},
    lease::{Leased, LeasedBuild, LeasedJob, LeasedMatch, LeasedSeat, PlyError, Poll},
    played::{CountedSeat, MatchDecision, MatchTerms, PlayedMatch, PlayedSeat, SeatVerdict},
    reap::Reaped,
};

/// Which jobs go first. All of a lane go before any of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    /// Somebody waits for a compiler.
    Build = 0,
    /// Somebody waits for a first result.
    Validation = 1,
    /// Somebody asked for a match.
    Friendly = 2,
    /// Nobody waits.
    Ladder = 3,
    /// People play; there are slots of their own for it, so that neither waits for the other.
    People = 4,
}

/// Stands among the languages of a job with people: only slots for people can play it. Workers of
/// before have no such language, and are not given what they do not understand.
pub(crate) const PEOPLE: &str = "people";

impl Lane {
    /// All of them, most urgent first, and the one that stands apart.
    pub const ALL: [Lane; 5] =
        [Lane::Build, Lane::Validation, Lane::Friendly, Lane::Ladder, Lane::People];

    /// What a page calls it.
    pub fn as_str(self) -> &'static str {
        match self {
            Lane::Build => "build",
            Lane::Validation => "validation",
            Lane::Friendly => "friendly",
            Lane::Ladder => "ladder",
            Lane::People => "people",
        }
    }
}

/// How patient the queue is.
#[derive(Clone, Copy, Debug)]
pub struct QueueLimits {
    /// How long a lease runs unless it is renewed.
    pub lease: Duration,
    /// A job is void after this many attempts that failed or were lost.
    pub attempts_max: u32,
    /// Wait before the second attempt; doubled for each further one.
    pub backoff: Duration,
    /// Longest wait before an attempt.
    pub backoff_max: Duration,
    /// The most a match with people may take in all, from its first lease on; then it is void.
    pub people_match: Duration,
}

impl Default for QueueLimits {
    fn default() -> QueueLimits {
        QueueLimits {
            lease: Duration::from_secs(15),
            attempts_max: 5,
            backoff: Duration::from_secs(1),
            backoff_max: Duration::from_secs(60),
            people_match: Duration::from_secs(6 * 3600),
        }
    }
}

impl QueueLimits {
    fn backoff_after(&self, failures: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(16);
        self.backoff.saturating_mul(1 << doublings).min(self.backoff_max)
    }
}

/// A job to be queued: a version to build or a match to play.
pub(crate) struct NewJob {
    pub(crate) version: Option<Uuid>,
    pub(crate) match_id: Option<Uuid>,
    pub(crate) lane: Lane,
    pub(crate) account: Option<Uuid>,
    pub(crate) languages: Vec<String>,
}

/// Each further job of one account in one lane counts as come this much later
/// than the one before it, so that whoever asks for a hundred does not make
/// whoever asks for one wait for them all.
const FAIR_STEP_S: f64 = 5.0;

pub(crate) async fn enqueue(db: &mut PgConnection, job: NewJob) -> Result<(), sqlx::Error> {
    let kind = if job.version.is_some() { "build" } else { "match" };
    sqlx::query!(
        "insert into jobs (id, kind, version, match, lane, account, languages, fair_at)
         select $1, $2, $3, $4, $5, $6, $7,
                greatest(now(), max(fair_at) + make_interval(secs => $8))
         from jobs where state = 'queued' and account = $6 and lane = $5",
        Uuid::now_v7(),
        kind,
        job.version,
        job.match_id,
        job.lane as i16,
        job.account,
        &job.languages,
        FAIR_STEP_S
    )
    .execute(&mut *db)
    .await?;
    notify(db, Notice::Queue).await
}

fn seconds(it: Duration) -> f64 {
    it.as_secs_f64()
}

/// The first `chars_max` characters, so that a long complaint still fits its column.
fn cut(text: &str, chars_max: usize) -> &str {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_doubles_up_to_its_limit() {
        let limits = QueueLimits::default();
        for (failures, wait_s) in [(0, 1), (1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (4000, 60)] {
            assert_eq!(limits.backoff_after(failures).as_secs(), wait_s, "after {failures}");
        }
    }

    #[test]
    fn text_is_cut_between_characters() {
        for (text, kept) in [("", ""), ("ab", "ab"), ("abc", "ab"), ("żółw", "żó")] {
            assert_eq!(cut(text, 2), kept);
        }
    }
}
