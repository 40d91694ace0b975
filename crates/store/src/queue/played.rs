//! The end of a match: outcome, ratings and what follows, in one transaction.
//!
//! Results of one game come one after the other, held by its ladder's row, so
//! that ratings are a fold over them.

use game::{Outcome, PerSeat, Sitter};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use super::finish::{FinishError, Finished, Reporting, again, end_job, hold, take_upload};
use crate::{
    Blob, BotState, Error, NewMatch, Purpose, Rating, Store, create_match, matches,
    notices::{Notice, notify, notify_match},
};

/// What a lease was given to play.
#[derive(Clone, Debug)]
pub struct MatchTerms {
    /// Which match.
    pub match_id: Uuid,
    /// Of which game.
    pub game: String,
    /// Its set-up.
    pub setup: Value,
    /// Who sits where.
    pub sitters: PerSeat<Sitter>,
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
    /// Which bots played; none where a person did.
    pub seats: PerSeat<Option<PlayedSeat>>,
}

/// Which bot played on one seat, and where it stands before this match counts.
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
    /// SHA-256 of its set-up and plies; none where nobody has looked. A rated match that the same
    /// versions have played on the same seats before, to the last ply, moves no rating again.
    pub play: Option<[u8; 32]>,
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

impl Store {
    /// What a living lease of this worker was given to play; none where it is a build's too.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn match_terms(
        &self,
        lease: Uuid,
        worker: Uuid,
    ) -> Result<Option<MatchTerms>, Error> {
        let terms = sqlx::query!(
            r#"select m.id, m.game, m.setup,
                      array(select s.bot is null from match_seats s
                            where s.match = m.id order by s.seat) as "people!"
               from jobs j join matches m on m.id = j.match
               where j.lease = $1 and j.worker = $2 and j.state = 'leased'"#,
            lease,
            worker
        );
        let terms = terms.fetch_optional(self.pool()).await?.map(|it| MatchTerms {
            match_id: it.id,
            game: it.game,
            setup: it.setup,
            sitters: sitters(&it.people),
        });
        Ok(terms)
    }

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
        let play = decision.play.as_ref().map(<[u8; 32]>::as_slice);
        let repeat_of = match play {
            Some(play) if played.rated => repeated(&mut tx, &played, play).await?,
            _ => None,
        };
        sqlx::query!(
            "with next as (
                 update ladders set finish_no = finish_no + 1 where game = $2 returning finish_no
             )
             update matches set state = 'finished', finished_at = now(), outcome = $3, plies = $4,
                 record_digest = $5, record_bytes = $6, finish_no = next.finish_no,
                 play_digest = $7, repeat_of = $8
             from next where id = $1",
            match_id,
            played.game,
            outcome,
            decision.plies as i32,
            decision.record.digest,
            decision.record.bytes as i64,
            play,
            repeat_of
        )
        .execute(&mut *tx)
        .await?;
        for (seat, before) in played.seats.iter() {
            if let Some(counted) = decision.seats.get(seat) {
                let before = before.as_ref();
                let rating = counted.rating.filter(|_| repeat_of.is_none());
                let counted = CountedSeat { rating, ..counted.clone() };
                count_seat(&mut tx, &played, seat, before, &counted, &decision.outcome).await?;
            }
        }
        sqlx::query!("delete from live_plies where match = $1", match_id).execute(&mut *tx).await?;
        sqlx::query!("delete from deeds where match = $1", match_id).execute(&mut *tx).await?;
        for new in &decision.follow_up {
            create_match(&mut tx, new).await?;
        }
        end_job(&mut tx, &job, reporting).await?;
        notify_match(&mut tx, match_id).await?;
        for seat in played.seats.iter().filter_map(|(_, it)| it.as_ref()) {
            notify(&mut tx, Notice::Bot(seat.bot)).await?;
        }
        tx.commit().await?;
        Ok(Finished::Counted)
    }
}

fn sitters(people: &[bool]) -> PerSeat<Sitter> {
    let sitter = |it: &bool| if *it { Sitter::Person } else { Sitter::Bot };
    people.iter().map(sitter).collect::<Vec<_>>().into()
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
                  b.state as "state?: BotState", r.rating as "rating?", r.deviation as "deviation?",
                  r.volatility as "volatility?", r.matches as "matches?", r.faults as "faults?",
                  r.last_version as "last_version?"
           from match_seats s left join bots b on b.id = s.bot left join ratings r on r.bot = s.bot
           where s.match = $1 order by s.seat"#,
        match_id
    )
    .fetch_all(db)
    .await?;
    let seats: Vec<Option<PlayedSeat>> = seats
        .into_iter()
        .map(|it| {
            let (bot, version, state) = (it.bot?, it.version?, it.state?);
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
            let version_active = it.version_active;
            Some(PlayedSeat { bot, version, version_active, state, rating })
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

/// The match of the same game that went the same way to the last ply, with the same versions on
/// the same seats, and counted. The game's ladder is held, so none can come in between.
async fn repeated(
    db: &mut PgConnection,
    played: &PlayedMatch,
    play: &[u8],
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select m.id from matches m
         where m.play_digest = $2 and m.repeat_of is null and m.game = $1 and m.rated
           and array(select version from match_seats where match = m.id order by seat)
             = array(select version from match_seats where match = $3 order by seat)
         order by m.finish_no limit 1",
        played.game,
        play,
        played.match_id
    )
    .fetch_optional(db)
    .await
}

async fn count_seat(
    db: &mut PgConnection,
    played: &PlayedMatch,
    seat: game::Seat,
    before: Option<&PlayedSeat>,
    counted: &CountedSeat,
    outcome: &Outcome,
) -> Result<(), sqlx::Error> {
    let measures: Vec<_> = outcome.measures.iter().map(|it| it.get(seat)).collect();
    let was = before.and_then(|it| it.rating.as_ref());
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
    let Some(before) = before else { return Ok(()) };
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
                "update bots set state = 'active', validated_at = now(), active_since = now()
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
