//! Ratings as they stand, and the log they can be recomputed from.

use std::collections::BTreeMap;

use game::{Fraction, Outcome, PerSeat};
use uuid::Uuid;

use crate::{Error, Store};

/// A bot's rating, and what it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// How strong it seems.
    pub rating: f64,
    /// How unsure that is.
    pub deviation: f64,
    /// How unsteady it is.
    pub volatility: f64,
    /// Rated matches it has finished.
    pub matches: u32,
    /// In how many of them it made a fault.
    pub faults: u32,
    /// The version that played the last of them.
    pub last_version: Option<Uuid>,
}

/// One rated match of the log.
#[derive(Clone, Debug)]
pub struct LoggedMatch {
    /// Which.
    pub match_id: Uuid,
    /// Its place in the order in which matches were counted.
    pub finish_no: i64,
    /// Who played, and with what score.
    pub seats: PerSeat<LoggedSeat>,
}

/// One seat of a match of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedSeat {
    /// Which bot.
    pub bot: Uuid,
    /// With which version.
    pub version: Uuid,
    /// Its part of 1.
    pub score: Fraction,
    /// Whether it made a fault.
    pub faulted: bool,
}

impl Store {
    /// Up to `matches_max` rated matches of a game that were counted after
    /// `after`, in the order in which they were. Those that went as an earlier one had, and
    /// moved no rating, are left out.
    ///
    /// # Errors
    ///
    /// Where the database fails or an outcome cannot be read.
    pub async fn rated_log(
        &self,
        game: &str,
        after: i64,
        matches_max: i64,
    ) -> Result<Vec<LoggedMatch>, Error> {
        let matches = sqlx::query!(
            r#"select id, finish_no as "finish_no!", outcome as "outcome!" from matches
               where game = $1 and rated and repeat_of is null and finish_no > $2
               order by finish_no limit $3"#,
            game,
            after,
            matches_max
        )
        .fetch_all(self.pool())
        .await?;
        let ids: Vec<Uuid> = matches.iter().map(|it| it.id).collect();
        let seats = sqlx::query!(
            r#"select match as match_id, seat, bot as "bot!", version as "version!",
                      coalesce((report ->> 'faults')::integer > 0, false) as "faulted!"
               from match_seats where match = any($1) order by match, seat"#,
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
                    .get(game::Seat(seat.seat as u8))
                    .ok_or_else(|| Error::damaged("match", it.id, "a seat has no score"))?;
                seats.push(LoggedSeat {
                    bot: seat.bot,
                    version: seat.version,
                    score,
                    faulted: seat.faulted,
                });
            }
            log.push(LoggedMatch { match_id: it.id, finish_no: it.finish_no, seats: seats.into() });
        }
        Ok(log)
    }

    /// All ratings of a game.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn ratings(&self, game: &str) -> Result<BTreeMap<Uuid, Rating>, Error> {
        let rows = sqlx::query!(
            "select bot, rating, deviation, volatility, matches, faults, last_version
             from ratings where game = $1",
            game
        )
        .fetch_all(self.pool())
        .await?;
        let ratings = rows.into_iter().map(|it| {
            let rating = Rating {
                rating: it.rating,
                deviation: it.deviation,
                volatility: it.volatility,
                matches: it.matches as u32,
                faults: it.faults as u32,
                last_version: it.last_version,
            };
            (it.bot, rating)
        });
        Ok(ratings.collect())
    }
}
