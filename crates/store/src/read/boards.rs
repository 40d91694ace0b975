//! Leaderboards: who stands where, and how sure that is.

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
}

impl Store {
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
                      r.rating, r.deviation, r.matches, r.faults
               from ratings r
               join bots b on b.id = r.bot
               join accounts a on a.id = b.account
               left join versions v on v.id = b.active_version
               where r.game = $1 and r.role = $2
               order by r.deviation > $3, r.rating desc, r.bot
               offset $4 limit $5"#,
            game,
            role,
            placed_deviation_max,
            from,
            rows_max
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
