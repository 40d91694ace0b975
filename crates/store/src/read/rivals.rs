//! How a bot has done against each of the others.

use uuid::Uuid;

use super::Fitted;
use crate::{Error, Store};

/// Rated matches of a bot that are looked at, the last ones.
const MATCHES_MAX: i64 = 1000;

/// How a bot has done against another.
#[derive(Clone, Debug, PartialEq)]
pub struct Rival {
    /// The other.
    pub bot: Uuid,
    /// What it is called.
    pub name: String,
    /// What its owner is called.
    pub owner: String,
    /// In which role it played.
    pub role: String,
    /// Matches between the two.
    pub matches: i64,
    /// Those that the bot won.
    pub won: i64,
    /// Those that nobody did.
    pub drawn: i64,
    /// Those that the other won.
    pub lost: i64,
    /// The bot's mean score, a part of 1.
    pub score: f64,
}

impl Store {
    /// How a bot has done against others in its last 1,000 rated matches: those it met most often
    /// first. Matches that went as an earlier one had count once.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn rivals(&self, bot: Uuid, rivals_max: i64) -> Result<Vec<Rival>, Error> {
        let rows = sqlx::query_as!(
            Rival,
            r#"select b.id as bot, b.name, a.name as owner, b.role, count(*) as "matches!",
                      count(*) filter (where it.place < o.place) as "won!",
                      count(*) filter (where it.place = o.place) as "drawn!",
                      count(*) filter (where it.place > o.place) as "lost!",
                      avg(it.score)::float8 as "score!"
               from (
                   select match, seat, place, score from match_seats
                   where bot = $1 and rating_after is not null
                   order by match desc limit $3
               ) it
               join match_seats o on o.match = it.match and o.seat <> it.seat
               join bots b on b.id = o.bot
               join accounts a on a.id = b.account
               group by b.id, a.id
               order by count(*) desc, b.name_key
               limit $2"#,
            bot,
            rivals_max,
            MATCHES_MAX
        );
        Ok(rows.fetch_all(self.pool()).await?)
    }

    /// What the last fit says of the version that a bot plays with, and of how many best its
    /// chance is.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn fitted(&self, bot: Uuid) -> Result<Option<(Fitted, i32)>, Error> {
        let row = sqlx::query!(
            "select s.strength, s.deviation, s.top_chance, f.top
             from fitted_strengths s
             join fits f on f.game = s.game
             join bots b on b.id = s.bot and b.active_version = s.version
             where s.bot = $1",
            bot
        );
        let row = row.fetch_optional(self.pool()).await?;
        Ok(row.map(|it| {
            let fitted = Fitted {
                strength: it.strength,
                deviation: it.deviation,
                top_chance: it.top_chance,
            };
            (fitted, it.top)
        }))
    }
}
