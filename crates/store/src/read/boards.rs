//! Leaderboards: who stands where, and how sure that is.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::{BotState, Error, Store};

/// How strong a bot is, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Glicko-2, on its usual scale.
    pub rating: f64,
    /// One standard deviation of it.
    pub deviation: f64,
    /// Rated matches it comes from.
    pub matches: i32,
    /// How many of them had a fault of the bot.
    pub faults: i32,
}

/// One line of a leaderboard.
#[derive(Clone, Debug)]
pub struct BoardRow {
    /// Which bot.
    pub bot: Uuid,
    /// What it is called.
    pub name: String,
    /// What its owner is called.
    pub owner: String,
    /// Whose it is.
    pub account: Uuid,
    /// Whether it is a documented bot of the house.
    pub house: bool,
    /// Whether it still plays.
    pub state: BotState,
    /// Of the version that plays.
    pub language: Option<String>,
    /// Number of the version that plays.
    pub version: Option<i32>,
    /// How strong it is.
    pub standing: Standing,
    /// Its rating before the last [`TREND_MATCHES`](crate::Store::TREND_MATCHES) of them; none
    /// where there were no more than that.
    pub rating_before: Option<f64>,
    /// What the last fit says of the version that plays.
    pub fitted: Option<Fitted>,
}

/// How strong a bot is by all matches at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitted {
    /// On Elo's scale; 1500 is the mean of the role.
    pub strength: f64,
    /// One standard deviation of it.
    pub deviation: f64,
    /// The chance that it is among the best.
    pub top_chance: f64,
}

/// What a fit rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FitHead {
    /// When it was made.
    pub made_at: DateTime<Utc>,
    /// How many matches are in it.
    pub matches: i64,
    /// Of how many best its chances are.
    pub top: i32,
}

impl Store {
    /// A trend is over so many of a bot's last rated matches.
    pub const TREND_MATCHES: i64 = 10;

    /// What the last fit of a game rests on.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn fit_head(&self, game: &str) -> Result<Option<FitHead>, Error> {
        let row = sqlx::query_as!(
            FitHead,
            "select made_at, matches, top from fits where game = $1",
            game
        );
        Ok(row.fetch_optional(self.pool()).await?)
    }

    /// A part of a leaderboard, the strongest first. Bots whose deviation is
    /// above `placed_deviation_max` come after all others.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn board(
        &self,
        game: &str,
        role: &str,
        placed_deviation_max: f64,
        from: i64,
        rows_max: i64,
    ) -> Result<Vec<BoardRow>, Error> {
        let rows = sqlx::query!(
            r#"select b.id, b.name, a.name as owner, a.id as account, a.house,
                      b.state as "state: BotState",
                      v.language as "language?", v.number as "version?",
                      r.rating, r.deviation, r.matches, r.faults,
                      f.strength as "strength?", f.deviation as "strength_deviation?",
                      f.top_chance as "top_chance?",
                      (
                          select s.rating_after from match_seats s
                          where s.bot = r.bot and s.rating_after is not null
                          order by s.match desc offset $6 limit 1
                      ) as rating_before
               from ratings r
               join bots b on b.id = r.bot
               join accounts a on a.id = b.account
               left join versions v on v.id = b.active_version
               left join fitted_strengths f on f.bot = b.id and f.version = b.active_version
               where r.game = $1 and r.role = $2
               order by r.deviation > $3, r.rating desc, r.bot
               offset $4 limit $5"#,
            game,
            role,
            placed_deviation_max,
            from,
            rows_max,
            Store::TREND_MATCHES
        );
        let rows = rows.fetch_all(self.pool()).await?;
        Ok(rows
            .into_iter()
            .map(|it| BoardRow {
                bot: it.id,
                name: it.name,
                owner: it.owner,
                account: it.account,
                house: it.house,
                state: it.state,
                language: it.language,
                version: it.version,
                standing: Standing {
                    rating: it.rating,
                    deviation: it.deviation,
                    matches: it.matches,
                    faults: it.faults,
                },
                rating_before: it.rating_before,
                fitted: fitted(it.strength, it.strength_deviation, it.top_chance),
            })
            .collect())
    }

    /// How many lines a leaderboard has.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn board_length(&self, game: &str, role: &str) -> Result<i64, Error> {
        let count = sqlx::query_scalar!(
            r#"select count(*) as "n!" from ratings where game = $1 and role = $2"#,
            game,
            role
        );
        Ok(count.fetch_one(self.pool()).await?)
    }
}

fn fitted(
    strength: Option<f64>,
    deviation: Option<f64>,
    top_chance: Option<f64>,
) -> Option<Fitted> {
    Some(Fitted { strength: strength?, deviation: deviation?, top_chance: top_chance? })
}
