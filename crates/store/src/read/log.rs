//! The log of rated matches as it is published: all that ratings rest on.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use game::{Fraction, Outcome, PerSeat, Seat};
use serde_json::Value;
use uuid::Uuid;

use crate::{Error, Store};

/// A finished rated match.
#[derive(Clone, Debug)]
pub struct PublishedMatch {
    /// Which.
    pub match_id: Uuid,
    /// Its place in the order in which matches of the game were counted.
    pub finish_no: i64,
    /// When it was.
    pub finished_at: DateTime<Utc>,
    /// Its set-up, in full.
    pub setup: Value,
    /// Which set-up of the ladder that is, where it is one.
    pub preset: Option<String>,
    /// SHA-256 of set-up and plies, where it is known.
    pub play_digest: Option<Vec<u8>>,
    /// Who played.
    pub seats: PerSeat<PublishedSeat>,
}

/// Who sat on one seat of it, and what it came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublishedSeat {
    /// Which bot.
    pub bot: Uuid,
    /// What it is called.
    pub name: String,
    /// In which role.
    pub role: String,
    /// With which version.
    pub version: Uuid,
    /// The number of that.
    pub number: i32,
    /// Its part of 1.
    pub score: Fraction,
    /// Whether it made a fault.
    pub faulted: bool,
}

impl Store {
    /// Up to `matches_max` rated matches of a game that were counted after `after`, in the order in
    /// which they were; those that repeat an earlier one are among them.
    ///
    /// # Errors
    ///
    /// Where the database fails or an outcome cannot be read.
    pub async fn published_log(
        &self,
        game: &str,
        after: i64,
        matches_max: i64,
    ) -> Result<Vec<PublishedMatch>, Error> {
        let matches = sqlx::query!(
            r#"select id, finish_no as "finish_no!", finished_at as "finished_at!", setup, preset,
                      play_digest, outcome as "outcome!"
               from matches
               where game = $1 and rated and finish_no > $2 order by finish_no limit $3"#,
            game,
            after,
            matches_max
        )
        .fetch_all(self.pool())
        .await?;
        let ids: Vec<Uuid> = matches.iter().map(|it| it.id).collect();
        let seats = sqlx::query!(
            r#"select s.match as match_id, s.seat, b.id as bot, b.name, b.role, v.id as version,
                      v.number,
                      coalesce((s.report ->> 'faults')::integer > 0, false) as "faulted!"
               from match_seats s
               join bots b on b.id = s.bot
               join versions v on v.id = s.version
               where s.match = any($1) order by s.match, s.seat"#,
            &ids
        )
        .fetch_all(self.pool())
        .await?;
        let mut by_match: BTreeMap<Uuid, Vec<_>> = BTreeMap::new();
        for seat in seats {
            by_match.entry(seat.match_id).or_default().push(seat);
        }
        let mut log = Vec::with_capacity(matches.len());
        for it in matches {
            let outcome: Outcome = serde_json::from_value(it.outcome)
                .map_err(|why| Error::damaged("match", it.id, why))?;
            let mut seats = Vec::new();
            for seat in by_match.remove(&it.id).unwrap_or_default() {
                let score = *outcome
                    .score
                    .get(Seat(seat.seat as u8))
                    .ok_or_else(|| Error::damaged("match", it.id, "a seat has no score"))?;
                seats.push(PublishedSeat {
                    bot: seat.bot,
                    name: seat.name,
                    role: seat.role,
                    version: seat.version,
                    number: seat.number,
                    score,
                    faulted: seat.faulted,
                });
            }
            log.push(PublishedMatch {
                match_id: it.id,
                finish_no: it.finish_no,
                finished_at: it.finished_at,
                setup: it.setup,
                preset: it.preset,
                play_digest: it.play_digest,
                seats: seats.into(),
            });
        }
        Ok(log)
    }

    /// How many matches of a game were counted, rated or not.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn last_finish_no(&self, game: &str) -> Result<i64, Error> {
        let last = sqlx::query_scalar!("select finish_no from ladders where game = $1", game);
        Ok(last.fetch_optional(self.pool()).await?.unwrap_or(0))
    }

    /// The number after which the last `matches_max` rated matches of a game were counted.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn log_start(&self, game: &str, matches_max: i64) -> Result<i64, Error> {
        let first = sqlx::query_scalar!(
            r#"select finish_no as "finish_no!" from matches
               where game = $1 and rated and finish_no is not null
               order by finish_no desc offset $2 limit 1"#,
            game,
            matches_max
        );
        Ok(first.fetch_optional(self.pool()).await?.unwrap_or(0))
    }

    /// All ratings of a game with the names of bots, as they are published, with the number of the
    /// last rated match in them: one moment's picture.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn published_ratings(
        &self,
        game: &str,
    ) -> Result<(i64, Vec<PublishedRating>), Error> {
        let mut tx = self.pool().begin().await?;
        sqlx::query!("set transaction isolation level repeatable read, read only")
            .execute(&mut *tx)
            .await?;
        let last = sqlx::query_scalar!(
            r#"select finish_no as "finish_no!" from matches
               where game = $1 and rated and finish_no is not null
               order by finish_no desc limit 1"#,
            game
        )
        .fetch_optional(&mut *tx)
        .await?;
        let rows = sqlx::query_as!(
            PublishedRating,
            r#"select r.bot, b.name, r.role, r.rating, r.deviation, r.volatility, r.matches, r.faults,
                      r.last_version as "last_version!"
               from ratings r join bots b on b.id = r.bot where r.game = $1 and r.last_version is not null order by r.bot"#,
            game
        )
        .fetch_all(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok((last.unwrap_or(0), rows))
    }
}

/// A rating, as it is published.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedRating {
    /// Which bot.
    pub bot: Uuid,
    /// What it is called.
    pub name: String,
    /// In which role.
    pub role: String,
    /// How strong it seems.
    pub rating: f64,
    /// How unsure that is.
    pub deviation: f64,
    /// How unsteady it is.
    pub volatility: f64,
    /// Rated matches it has finished.
    pub matches: i32,
    /// In how many of them it made a fault.
    pub faults: i32,
    /// The version that played the last of them.
    pub last_version: Uuid,
}
