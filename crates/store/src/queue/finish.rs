//! The end of a job: its result and all that follows from it, or nothing.
//!
//! One transaction, guarded by the lease. What a result means is decided by
//! the caller, from the state that is locked at that moment; so each match
//! counts exactly once, in an order all servers agree on.

use std::collections::HashMap;

use game::{Outcome, PerSeat};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::{
    QueueLimits,
    reap::{HeldJob, end_attempt, retry_or_void},
};
use crate::{
    Blob, BotState, Error, LadderBot, LadderState, MatchError, NewMatch, Purpose, Rating, Store,
    create_match, ladder, matches,
    notices::{Notice, notify},
};

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

/// A match at the moment its result comes in.
#[derive(Clone, Debug)]
pub struct PlayedMatch {
    /// Which.
    pub match_id: Uuid,
    /// Of which game.
    pub game: String,
    /// By which rules.
    pub rules: u32,
    /// What it is for.
    pub purpose: Purpose,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// Who played.
    pub seats: PerSeat<PlayedSeat>,
}

/// Who played on one seat, and where it stands before this match counts.
#[derive(Clone, Debug)]
pub struct PlayedSeat {
    /// Which bot.
    pub bot: Uuid,
    /// With which version.
    pub version: Uuid,
    /// Whether that is the one it plays with still.
    pub version_active: bool,
    /// Where the bot stands.
    pub state: BotState,
    /// Its rating; none before its first rated match.
    pub rating: Option<Rating>,
}

/// What a result means.
#[derive(Clone, Debug)]
pub struct MatchDecision {
    /// How it ended.
    pub outcome: Outcome,
    /// Plies played.
    pub plies: u32,
    /// Its record.
    pub record: Blob,
    /// What it means for each seat.
    pub seats: PerSeat<CountedSeat>,
    /// Matches to be played because of it.
    pub follow_up: Vec<NewMatch>,
}

/// What a result means for one seat.
#[derive(Clone, Debug)]
pub struct CountedSeat {
    /// The worker's report on the bot.
    pub report: Value,
    /// Its rating from now on; none where the match is not rated.
    pub rating: Option<Rating>,
    /// What it means for the bot's place on the ladder.
    pub verdict: SeatVerdict,
}

/// What a match means for a bot's place on the ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatVerdict {
    /// Nothing.
    Stays,
    /// It can play: onto the ladder.
    Validated,
    /// It cannot: onto the bench. Why, in words for its owner.
    Failed(String),
}

/// A version at the moment its build is reported.
#[derive(Clone, Debug)]
pub struct BuildState {
    /// Which.
    pub version: Uuid,
    /// Counts the bot's versions.
    pub number: i32,
    /// Of which bot.
    pub bot: Uuid,
    /// Whose.
    pub account: Uuid,
    /// It is one of the house's.
    pub house: bool,
    /// Of which game.
    pub game: String,
    /// For which role.
    pub role: String,
    /// Number of the version the bot plays with now.
    pub active_number: Option<i32>,
    /// The bot is on the bench by its owner's wish.
    pub benched_by_owner: bool,
    /// Where it stands.
    pub state: BotState,
    /// The game's ladder, for choosing whom it meets first.
    pub ladder: LadderState,
}

impl BuildState {
    /// The bot as it will be on the ladder, with this version.
    pub fn as_newcomer(&self) -> LadderBot {
        LadderBot {
            bot: self.bot,
            account: self.account,
            house: self.house,
            role: self.role.clone(),
            version: self.version,
            validating: true,
            rating: None,
            deviation: None,
            ladder_pending: 0,
            validations_pending: 0,
            last_made_at: None,
            presets: HashMap::new(),
        }
    }
}

/// What a build means.
#[derive(Clone, Debug)]
pub struct BuildDecision {
    /// What was made of the source.
    pub built: Built,
    /// What the compiler said.
    pub log: String,
    /// What the toolchain says of its version.
    pub toolchain: String,
    /// Time it took, in milliseconds.
    pub build_ms: u64,
    /// How the program answered when asked alone.
    pub compliance: Option<Value>,
    /// Matches to be played because of it.
    pub follow_up: Vec<NewMatch>,
}

/// What was made of a source.
#[derive(Clone, Debug)]
pub enum Built {
    /// Something that can play.
    Ready {
        /// What.
        artefact: Blob,
        /// The bot plays with it from now on, and stands here.
        active: Option<BotState>,
    },
    /// Nothing; why, in words for the owner.
    Refused(String),
}

impl Store {
    /// Counts the result of a match, as `decide` sees it.
    ///
    /// # Errors
    ///
    /// Where the lease is lost, the record was not uploaded, or `decide`
    /// refuses. Then nothing has changed.
    pub async fn finish_match<E: Send>(
        &self,
        reporting: &Reporting,
        record: &Blob,
        decide: impl FnOnce(&PlayedMatch) -> Result<MatchDecision, E> + Send,
    ) -> Result<Finished, FinishError<E>> {
        let mut tx = self.pool().begin().await?;
        let Some(job) = hold(&mut tx, reporting).await? else {
            return again(&mut tx, reporting).await;
        };
        let match_id = job.match_id.ok_or(FinishError::OtherKind)?;
        take_upload(&mut tx, reporting.lease, record).await?;

        let played = lock_match(&mut tx, match_id).await?;
        let decision = decide(&played).map_err(FinishError::Refused)?;
        let outcome = serde_json::to_value(&decision.outcome)
            .map_err(|why| Error::damaged("match", match_id, why))?;
        sqlx::query!(
            "with next as (
                 update ladders set finish_no = finish_no + 1 where game = $2 returning finish_no
             )
             update matches set state = 'finished', finished_at = now(), outcome = $3, plies = $4,
                 record_digest = $5, record_bytes = $6, finish_no = next.finish_no
             from next where id = $1",
            match_id,
            played.game,
            outcome,
            decision.plies as i32,
            decision.record.digest,
            decision.record.bytes as i64
        )
        .execute(&mut *tx)
        .await?;
        for (seat, before) in played.seats.iter() {
            if let Some(counted) = decision.seats.get(seat) {
                count_seat(&mut tx, &played, seat, before, counted, &decision.outcome).await?;
            }
        }
        sqlx::query!("delete from live_plies where match = $1", match_id).execute(&mut *tx).await?;
        for new in &decision.follow_up {
            create_match(&mut tx, new).await?;
        }
        end_job(&mut tx, &job, reporting).await?;
        notify(&mut tx, Notice::Match(match_id)).await?;
        for (_, seat) in played.seats.iter() {
            notify(&mut tx, Notice::Bot(seat.bot)).await?;
        }
        tx.commit().await?;
        Ok(Finished::Counted)
    }

    /// Counts the result of a build, as `decide` sees it.
    ///
    /// # Errors
    ///
    /// Where the lease is lost, the artefact was not uploaded, or `decide`
    /// refuses. Then nothing has changed.
    pub async fn finish_build<E: Send>(
        &self,
        reporting: &Reporting,
        artefact: Option<&Blob>,
        decide: impl FnOnce(&BuildState) -> Result<BuildDecision, E> + Send,
    ) -> Result<Finished, FinishError<E>> {
        let mut tx = self.pool().begin().await?;
        let Some(job) = hold(&mut tx, reporting).await? else {
            return again(&mut tx, reporting).await;
        };
        let version = job.version.ok_or(FinishError::OtherKind)?;
        if let Some(artefact) = artefact {
            take_upload(&mut tx, reporting.lease, artefact).await?;
        }
        let build = lock_build(&mut tx, version).await?;
        let decision = decide(&build).map_err(FinishError::Refused)?;
        let (state, artefact, why) = match &decision.built {
            Built::Ready { artefact, .. } => ("ready", Some(artefact), None),
            Built::Refused(why) => ("refused", None, Some(super::cut(why, 1000))),
        };
        sqlx::query!(
            "update versions set state = $2, why = $3, build_log = $4, toolchain = $5, build_ms = $6,
                 artefact_digest = $7, artefact_bytes = $8, compliance = $9, built_at = now()
             where id = $1",
            version,
            state,
            why,
            decision.log,
            super::cut(&decision.toolchain, 1000),
            decision.build_ms as i64,
            artefact.map(|it| it.digest.as_str()),
            artefact.map(|it| it.bytes as i64),
            decision.compliance
        )
        .execute(&mut *tx)
        .await?;
        if let Built::Ready { active: Some(state), .. } = decision.built {
            // An owner's bench stays one; any other ends here.
            sqlx::query!(
                "update bots set active_version = $2, state = $3,
                     benched_by = case when $3 = 'benched' then benched_by end,
                     benched_why = case when $3 = 'benched' then benched_why end
                 where id = $1",
                build.bot,
                version,
                state.as_str()
            )
            .execute(&mut *tx)
            .await?;
            matches::withdraw(&mut tx, build.bot).await?;
        }
        for new in &decision.follow_up {
            create_match(&mut tx, new).await?;
        }
        end_job(&mut tx, &job, reporting).await?;
        notify(&mut tx, Notice::Bot(build.bot)).await?;
        tx.commit().await?;
        Ok(Finished::Counted)
    }

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
        end_attempt(&mut tx, &job, "failed", Some(what), Some(&reporting.digest)).await?;
        retry_or_void(&mut tx, &job, what, limits).await?;
        tx.commit().await?;
        Ok(Finished::Counted)
    }
}

/// Locks the job of a living lease.
async fn hold(
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
async fn again<E>(
    db: &mut PgConnection,
    reporting: &Reporting,
) -> Result<Finished, FinishError<E>> {
    sqlx::query_scalar!(
        "select job from attempts where lease = $1 and worker = $2 and report_digest = $3",
        reporting.lease,
        reporting.worker,
        &reporting.digest[..]
    )
    .fetch_optional(db)
    .await?
    .map(|_| Finished::Again)
    .ok_or(FinishError::Lost)
}

async fn take_upload<E>(
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

async fn end_job(
    db: &mut PgConnection,
    job: &HeldJob,
    reporting: &Reporting,
) -> Result<(), sqlx::Error> {
    end_attempt(db, job, "done", None, Some(&reporting.digest)).await?;
    sqlx::query!("update jobs set state = 'done', ended_at = now() where id = $1", job.id)
        .execute(db)
        .await?;
    Ok(())
}

/// Reads a match and its seats' ratings, holding off every other result of the game.
async fn lock_match(db: &mut PgConnection, match_id: Uuid) -> Result<PlayedMatch, Error> {
    let row = sqlx::query!(
        r#"select game, rules, purpose as "purpose: Purpose", rated from matches where id = $1"#,
        match_id
    )
    .fetch_one(&mut *db)
    .await?;
    sqlx::query!("insert into ladders (game) values ($1) on conflict do nothing", row.game)
        .execute(&mut *db)
        .await?;
    sqlx::query!("select finish_no from ladders where game = $1 for update", row.game)
        .fetch_one(&mut *db)
        .await?;
    let seats = sqlx::query!(
        r#"select s.bot, s.version, coalesce(b.active_version = s.version, false) as "version_active!",
                  b.state as "state: BotState", r.rating as "rating?", r.deviation as "deviation?",
                  r.volatility as "volatility?", r.matches as "matches?", r.faults as "faults?",
                  r.last_version as "last_version?"
           from match_seats s join bots b on b.id = s.bot left join ratings r on r.bot = s.bot
           where s.match = $1 order by s.seat"#,
        match_id
    )
    .fetch_all(db)
    .await?;
    let seats: Vec<PlayedSeat> = seats
        .into_iter()
        .map(|it| {
            let rating = match (it.rating, it.deviation, it.volatility) {
                (Some(rating), Some(deviation), Some(volatility)) => Some(Rating {
                    rating,
                    deviation,
                    volatility,
                    matches: it.matches.unwrap_or_default() as u32,
                    faults: it.faults.unwrap_or_default() as u32,
                    last_version: it.last_version,
                }),
                _ => None,
            };
            PlayedSeat {
                bot: it.bot,
                version: it.version,
                version_active: it.version_active,
                state: it.state,
                rating,
            }
        })
        .collect();
    Ok(PlayedMatch {
        match_id,
        game: row.game,
        rules: row.rules as u32,
        purpose: row.purpose,
        rated: row.rated,
        seats: seats.into(),
    })
}

async fn count_seat(
    db: &mut PgConnection,
    played: &PlayedMatch,
    seat: game::Seat,
    before: &PlayedSeat,
    counted: &CountedSeat,
    outcome: &Outcome,
) -> Result<(), sqlx::Error> {
    let measures: Vec<_> = outcome.measures.iter().map(|it| it.get(seat)).collect();
    let was = before.rating.as_ref();
    let is = counted.rating.as_ref();
    sqlx::query!(
        "update match_seats set place = $3, score = $4, measures = $5, report = $6,
             rating_before = $7, deviation_before = $8, rating_after = $9, deviation_after = $10
         where match = $1 and seat = $2",
        played.match_id,
        i16::from(seat.0),
        outcome.places.get(seat).map(|&it| i16::from(it)),
        outcome.score.get(seat).map(|it| it.to_f64()),
        json!(measures),
        counted.report,
        is.and(was).map(|it| it.rating),
        is.and(was).map(|it| it.deviation),
        is.map(|it| it.rating),
        is.map(|it| it.deviation)
    )
    .execute(&mut *db)
    .await?;
    if let Some(is) = is {
        sqlx::query!(
            "insert into ratings (bot, game, role, rating, deviation, volatility, matches, faults, last_version)
             select id, game, role, $2, $3, $4, $5, $6, $7 from bots where id = $1
             on conflict (bot) do update set rating = $2, deviation = $3, volatility = $4,
                 matches = $5, faults = $6, last_version = $7, changed_at = now()",
            before.bot,
            is.rating,
            is.deviation,
            is.volatility,
            is.matches as i32,
            is.faults as i32,
            is.last_version
        )
        .execute(&mut *db)
        .await?;
    }
    // A bot that has been benched, or has another version by now, is judged by what comes next.
    match &counted.verdict {
        SeatVerdict::Stays => {}
        SeatVerdict::Validated => {
            sqlx::query!(
                "update bots set state = 'active', validated_at = now()
                 where id = $1 and state = 'validating' and active_version = $2",
                before.bot,
                before.version
            )
            .execute(&mut *db)
            .await?;
        }
        SeatVerdict::Failed(why) => {
            let benched = sqlx::query!(
                "update bots set state = 'benched', benched_by = 'fault', benched_why = $3,
                     validated_at = null
                 where id = $1 and state = 'validating' and active_version = $2",
                before.bot,
                before.version,
                super::cut(why, 1000)
            )
            .execute(&mut *db)
            .await?;
            if benched.rows_affected() > 0 {
                matches::withdraw(db, before.bot).await?;
            }
        }
    }
    Ok(())
}

async fn lock_build(db: &mut PgConnection, version: Uuid) -> Result<BuildState, Error> {
    let row = sqlx::query!(
        r#"select v.number, v.bot, b.account, a.house, b.game, b.role, now() as "now!", b.state as "state: BotState",
                  coalesce(b.benched_by = 'owner', false) as "benched_by_owner!",
                  (select number from versions where id = b.active_version) as active_number
           from versions v join bots b on b.id = v.bot join accounts a on a.id = b.account
           where v.id = $1 for no key update of v, b"#,
        version
    )
    .fetch_one(&mut *db)
    .await?;
    let ladder = LadderState { now: row.now, bots: ladder::read(db, &row.game).await? };
    Ok(BuildState {
        version,
        number: row.number,
        bot: row.bot,
        account: row.account,
        house: row.house,
        game: row.game,
        role: row.role,
        active_number: row.active_number,
        benched_by_owner: row.benched_by_owner,
        state: row.state,
        ladder,
    })
}
