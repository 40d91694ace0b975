//! Handing out jobs, keeping leases alive, taking in plies.

use std::collections::{BTreeMap, HashMap, VecDeque};

use game::PerSeat;
use serde_json::{Value, value::RawValue};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    PEOPLE, QueueLimits, seconds,
    start::{start_builds, start_matches},
};
use crate::{
    Blob, Error, Store,
    notices::{Notice, notify},
};

/// A worker that waits for jobs.
#[derive(Clone, Debug)]
pub struct Poll {
    /// Which worker.
    pub worker: Uuid,
    /// What it can build and run.
    pub languages: Vec<String>,
    /// Most jobs it wants, those with people not counted.
    pub jobs_max: u32,
    /// Most matches with people it wants.
    pub people_max: u32,
}

/// A job, leased.
#[derive(Clone, Debug)]
pub struct Leased {
    /// Unguessable, and bound to the worker.
    pub lease: Uuid,
    /// Counts leases of this job, from 1.
    pub attempt: u32,
    /// What to do.
    pub job: LeasedJob,
}

/// What to do.
#[derive(Clone, Debug)]
pub enum LeasedJob {
    /// Make a version ready to play.
    Build(LeasedBuild),
    /// Play a match.
    Match(LeasedMatch),
}

/// A version to build.
#[derive(Clone, Debug)]
pub struct LeasedBuild {
    /// Which.
    pub version: Uuid,
    /// For which game.
    pub game: String,
    /// And role.
    pub role: String,
    /// Name of a file in `config/languages`.
    pub language: String,
    /// Name the source was uploaded under.
    pub file_name: String,
    /// The source.
    pub source: Blob,
    /// What was built of the same source before, by its recipe; the newest first.
    pub known: Vec<(String, Blob)>,
}

/// A match to play.
#[derive(Clone, Debug)]
pub struct LeasedMatch {
    /// Which.
    pub match_id: Uuid,
    /// Of which game.
    pub game: String,
    /// By which rules.
    pub rules: u32,
    /// Its set-up.
    pub setup: Value,
    /// Which bots play; none where a person does.
    pub seats: PerSeat<Option<LeasedSeat>>,
    /// What was played before an earlier attempt was lost; the referee's frames as JSON. Kept
    /// only where people play.
    pub played: Vec<String>,
    /// For how long it has been played by now, lost attempts and what was between counted.
    pub played_s: f64,
}

/// A bot that plays on one seat.
#[derive(Clone, Debug)]
pub struct LeasedSeat {
    /// Which version.
    pub version: Uuid,
    /// Name of a file in `config/languages`.
    pub language: String,
    /// What its build made.
    pub artefact: Blob,
}

/// Why plies are not taken in.
#[derive(Debug, thiserror::Error)]
pub enum PlyError {
    /// The lease is not, or no longer, this worker's.
    #[error("the lease is lost")]
    Lost,
    /// It is a build's.
    #[error("a build has no plies")]
    NoMatch,
    /// Some are missing before them.
    #[error("these plies start at {from}, but only {stored} are here")]
    Gap {
        /// Where they start.
        from: u32,
        /// How many came before.
        stored: u32,
    },
    /// There would be more than a match may have.
    #[error("a match has at most {allowed} plies, and these reach {found}")]
    TooMany {
        /// How many there would be.
        found: u64,
        /// How many there may be.
        allowed: u32,
    },
    /// Ours.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sqlx::Error> for PlyError {
    fn from(why: sqlx::Error) -> PlyError {
        PlyError::Store(why.into())
    }
}

impl Store {
    /// Leases as many jobs as there are, up to what `polls` want: for each of
    /// them its own, most urgent first. One transaction, whatever the number.
    ///
    /// # Errors
    ///
    /// Where the database fails; then nothing is leased.
    pub async fn lease(
        &self,
        polls: &[Poll],
        limits: &QueueLimits,
    ) -> Result<Vec<Vec<Leased>>, Error> {
        let mut tx = self.pool().begin().await?;
        let mut jobs = Vec::new();
        let mut takers = Vec::new();
        for people in [false, true] {
            let wants = |it: usize| match people {
                true => polls[it].people_max,
                false => polls[it].jobs_max,
            };
            for (languages, group) in by_languages(polls) {
                let wanted: i64 = group.iter().map(|&it| i64::from(wants(it))).sum();
                if wanted == 0 {
                    continue;
                }
                let needed: &[String] = if people { &[PEOPLE.to_owned()] } else { &[] };
                let found = sqlx::query_scalar!(
                    "select id from jobs
                     where state = 'queued' and not_before <= now()
                       and languages <@ ($1::text[] || $4::text[]) and languages @> $4::text[]
                       and not (id = any($3))
                     order by lane, fair_at limit $2
                     for update skip locked",
                    languages,
                    wanted,
                    &jobs,
                    needed
                )
                .fetch_all(&mut *tx)
                .await?;
                takers.extend(deal(&group, wants, found.len()));
                jobs.extend(found);
            }
        }
        if jobs.is_empty() {
            return Ok(vec![Vec::new(); polls.len()]);
        }
        let workers: Vec<Uuid> = takers.iter().map(|&it| polls[it].worker).collect();
        let rows = sqlx::query!(
            r#"update jobs j set state = 'leased', attempt = j.attempt + 1, lease = gen_random_uuid(),
                   worker = taker.worker, leased_at = now(), deadline = now() + make_interval(secs => $3)
               from unnest($1::uuid[], $2::uuid[]) as taker (job, worker) where j.id = taker.job
               returning j.id, j.lease as "lease!", j.attempt, j.version, j.match as match_id"#,
            &jobs,
            &workers,
            seconds(limits.lease)
        )
        .fetch_all(&mut *tx)
        .await?;

        let versions: Vec<Uuid> = rows.iter().filter_map(|it| it.version).collect();
        let mut builds = start_builds(&mut tx, &versions).await?;
        let matches: Vec<Uuid> = rows.iter().filter_map(|it| it.match_id).collect();
        let mut matches = start_matches(&mut tx, &matches).await?;

        let mut leased: HashMap<Uuid, Leased> = HashMap::new();
        for row in rows {
            let build = row.version.and_then(|it| builds.remove(&it)).map(LeasedJob::Build);
            let played = row.match_id.and_then(|it| matches.remove(&it)).map(LeasedJob::Match);
            let job = build
                .or(played)
                .ok_or_else(|| Error::damaged("job", row.id, "what it is for is gone"))?;
            let attempt = row.attempt as u32;
            leased.insert(row.id, Leased { lease: row.lease, attempt, job });
        }
        tx.commit().await?;
        let mut dealt = vec![Vec::new(); polls.len()];
        for (job, taker) in jobs.iter().zip(takers) {
            dealt[taker].extend(leased.remove(job));
        }
        Ok(dealt)
    }

    /// Keeps a lease alive; says whether it was.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn renew(
        &self,
        lease: Uuid,
        worker: Uuid,
        limits: &QueueLimits,
    ) -> Result<bool, Error> {
        let renewed = sqlx::query!(
            "update jobs set deadline = now() + make_interval(secs => $3)
             where lease = $1 and worker = $2 and state = 'leased'",
            lease,
            worker,
            seconds(limits.lease)
        )
        .execute(self.pool())
        .await?;
        Ok(renewed.rows_affected() == 1)
    }

    /// Whether a lease is alive, and this worker's.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn holds(&self, lease: Uuid, worker: Uuid) -> Result<bool, Error> {
        let found = sqlx::query_scalar!(
            "select id from jobs where lease = $1 and worker = $2 and state = 'leased'",
            lease,
            worker
        )
        .fetch_optional(self.pool())
        .await?;
        Ok(found.is_some())
    }

    /// Takes in plies of a running match; ones that are here already are left as they are.
    ///
    /// # Errors
    ///
    /// Where the lease is lost, or plies are missing before these.
    pub async fn add_plies(
        &self,
        lease: Uuid,
        worker: Uuid,
        from: u32,
        plies: &[Box<RawValue>],
        plies_max: u32,
    ) -> Result<(), PlyError> {
        let mut tx = self.pool().begin().await?;
        // Shared with other senders, but not with whoever ends the lease.
        let job = sqlx::query!(
            "select match as match_id, attempt from jobs
             where lease = $1 and worker = $2 and state = 'leased' for share",
            lease,
            worker
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or(PlyError::Lost)?;
        let match_id = job.match_id.ok_or(PlyError::NoMatch)?;
        let stored = stored_plies(&mut tx, match_id, job.attempt).await?;
        if from > stored {
            return Err(PlyError::Gap { from, stored });
        }
        let found = u64::from(from) + plies.len() as u64;
        if found > u64::from(plies_max) {
            return Err(PlyError::TooMany { found, allowed: plies_max });
        }
        let frames: Vec<String> = plies.iter().map(|it| it.get().to_owned()).collect();
        sqlx::query!(
            "insert into live_plies (match, attempt, ply, frame)
             select $1, $2, $3 + it.number::integer - 1, it.frame::json
             from unnest($4::text[]) with ordinality as it (frame, number)
             on conflict do nothing",
            match_id,
            job.attempt,
            from as i32,
            &frames
        )
        .execute(&mut *tx)
        .await?;
        let stored_now = stored_plies(&mut tx, match_id, job.attempt).await?;
        if stored_now > stored {
            notify(&mut tx, Notice::Plies(match_id, stored_now)).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Puts jobs back that were leased but never reached their worker. No attempt is lost.
    ///
    /// # Errors
    ///
    /// Where the database fails; then the reaper finds them.
    pub async fn give_back(&self, leases: &[Uuid]) -> Result<(), Error> {
        let mut tx = self.pool().begin().await?;
        let rows = sqlx::query!(
            "update jobs set state = 'queued', lease = null, worker = null, leased_at = null,
                 deadline = null
             where lease = any($1) and state = 'leased'
             returning version, match as match_id",
            leases
        )
        .fetch_all(&mut *tx)
        .await?;
        for row in &rows {
            unstart(&mut tx, row.version, row.match_id).await?;
        }
        if !rows.is_empty() {
            notify(&mut tx, Notice::Queue).await?;
        }
        tx.commit().await?;
        Ok(())
    }
}

/// Takes back that a job was started: it waits again.
pub(super) async fn unstart(
    db: &mut PgConnection,
    version: Option<Uuid>,
    match_id: Option<Uuid>,
) -> Result<(), sqlx::Error> {
    if let Some(version) = version {
        let bot = sqlx::query_scalar!(
            "update versions set state = 'queued' where id = $1 and state = 'building' returning bot",
            version
        )
        .fetch_optional(&mut *db)
        .await?;
        if let Some(bot) = bot {
            notify(db, Notice::Bot(bot)).await?;
        }
    }
    if let Some(match_id) = match_id {
        // Where people play, the next attempt goes on from here.
        sqlx::query!(
            "delete from live_plies where match = $1
             and not exists (select from match_seats s where s.match = $1 and s.bot is null)",
            match_id
        )
        .execute(&mut *db)
        .await?;
        sqlx::query!(
            "update matches set state = 'queued', started_at = null
             where id = $1 and state = 'running'",
            match_id
        )
        .execute(&mut *db)
        .await?;
        notify(db, Notice::Match(match_id)).await?;
    }
    Ok(())
}

async fn stored_plies(
    db: &mut PgConnection,
    match_id: Uuid,
    attempt: i32,
) -> Result<u32, sqlx::Error> {
    let n = sqlx::query_scalar!(
        r#"select coalesce(max(ply) + 1, 0) as "n!" from live_plies where match = $1 and attempt = $2"#,
        match_id,
        attempt
    )
    .fetch_one(db)
    .await?;
    Ok(n as u32)
}

/// Polls that can run the same languages. The pickiest come first, having the
/// least to choose from.
fn by_languages(polls: &[Poll]) -> Vec<(&[String], Vec<usize>)> {
    let mut groups: BTreeMap<(usize, &[String]), Vec<usize>> = BTreeMap::new();
    for (it, poll) in polls.iter().enumerate() {
        groups.entry((poll.languages.len(), &poll.languages)).or_default().push(it);
    }
    groups.into_iter().map(|((_, languages), group)| (languages, group)).collect()
}

/// Who takes each of `n_jobs`: one job each in turn, so that load is spread.
fn deal(group: &[usize], wants: impl Fn(usize) -> u32, n_jobs: usize) -> Vec<usize> {
    let mut hands: VecDeque<(usize, u32)> =
        group.iter().map(|&it| (it, wants(it))).filter(|it| it.1 > 0).collect();
    let mut takers = Vec::with_capacity(n_jobs);
    while takers.len() < n_jobs
        && let Some((taker, left)) = hands.pop_front()
    {
        takers.push(taker);
        if left > 1 {
            hands.push_back((taker, left - 1));
        }
    }
    takers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poll(languages: &[&str], jobs_max: u32) -> Poll {
        let languages = languages.iter().map(|&it| it.to_owned()).collect();
        Poll { worker: Uuid::nil(), languages, jobs_max, people_max: 0 }
    }

    #[test]
    fn jobs_are_dealt_one_each_in_turn() {
        let polls = [poll(&[], 3), poll(&[], 1), poll(&[], 0), poll(&[], 2)];
        let group = [0, 1, 2, 3];
        for (n_jobs, takers) in
            [(0, vec![]), (2, vec![0, 1]), (5, vec![0, 1, 3, 0, 3]), (9, vec![0, 1, 3, 0, 3, 0])]
        {
            assert_eq!(deal(&group, |it| polls[it].jobs_max, n_jobs), takers);
        }
    }

    #[test]
    fn the_pickiest_are_served_first() {
        let polls = [poll(&["c", "java"], 1), poll(&["c"], 1), poll(&["c", "java"], 1)];
        let groups: Vec<Vec<usize>> = by_languages(&polls).into_iter().map(|it| it.1).collect();
        assert_eq!(groups, [vec![1], vec![0, 2]]);
    }
}
