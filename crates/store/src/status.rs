//! How busy we are, for operators and for those who wait.

use chrono::{DateTime, Utc};
use jobs::Hello;

use crate::{Error, Lane, Store};

/// How busy we are.
#[derive(Clone, Debug)]
pub struct Status {
    /// Every lane, most urgent first.
    pub lanes: Vec<LaneStatus>,
    /// All workers that may lease jobs, by name.
    pub workers: Vec<WorkerStatus>,
    /// Matches finished, ever.
    pub matches_finished: i64,
    /// Matches finished within the last hour.
    pub matches_finished_hour: i64,
    /// Matches that are void.
    pub matches_void: i64,
}

/// One lane of the queue.
#[derive(Clone, Copy, Debug)]
pub struct LaneStatus {
    /// Which.
    pub lane: Lane,
    /// Jobs that wait.
    pub queued: i64,
    /// Jobs that run.
    pub leased: i64,
    /// How long the oldest of those that wait has waited, in seconds.
    pub oldest_wait_s: Option<f64>,
}

/// One worker.
#[derive(Clone, Debug)]
pub struct WorkerStatus {
    /// As the operator calls it.
    pub name: String,
    /// When it was last heard of.
    pub seen_at: Option<DateTime<Utc>>,
    /// What it says of itself.
    pub hello: Option<Hello>,
    /// Jobs it runs.
    pub leased: i64,
}

impl Store {
    /// How busy we are.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn status(&self) -> Result<Status, Error> {
        let found = sqlx::query!(
            r#"select lane, count(*) filter (where state = 'queued') as "queued!",
                      count(*) filter (where state = 'leased') as "leased!",
                      extract(epoch from now() - min(queued_at) filter (where state = 'queued'))::float8
                          as oldest_wait_s
               from jobs where state in ('queued', 'leased') group by lane"#
        )
        .fetch_all(self.pool())
        .await?;
        let lanes = Lane::ALL.map(|lane| {
            let row = found.iter().find(|it| it.lane == lane as i16);
            LaneStatus {
                lane,
                queued: row.map_or(0, |it| it.queued),
                leased: row.map_or(0, |it| it.leased),
                oldest_wait_s: row.and_then(|it| it.oldest_wait_s),
            }
        });
        let workers = sqlx::query!(
            r#"select w.name, w.seen_at, w.hello,
                      (select count(*) from jobs j where j.worker = w.id and j.state = 'leased')
                          as "leased!"
               from workers w where w.disabled_at is null order by w.name"#
        )
        .fetch_all(self.pool())
        .await?;
        let workers = workers.into_iter().map(|it| WorkerStatus {
            name: it.name,
            seen_at: it.seen_at,
            hello: it.hello.and_then(|it| serde_json::from_value(it).ok()),
            leased: it.leased,
        });
        let matches = sqlx::query!(
            r#"select (select coalesce(sum(finish_no), 0)::bigint from ladders) as "finished!",
                      (select count(*) from matches where state = 'finished'
                           and finished_at > now() - interval '1 hour') as "hour!",
                      (select count(*) from matches where state = 'void') as "void!""#
        )
        .fetch_one(self.pool())
        .await?;
        Ok(Status {
            lanes: lanes.to_vec(),
            workers: workers.collect(),
            matches_finished: matches.finished,
            matches_finished_hour: matches.hour,
            matches_void: matches.void,
        })
    }
}
