//! How much there is of everything.

use crate::{Error, Store};

/// How much there is of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameCount {
    /// Which game.
    pub game: String,
    /// Bots on its ladder.
    pub bots: i64,
    /// Finished matches.
    pub matches: i64,
}

impl Store {
    /// How much there is of each game that has any bot.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn game_counts(&self) -> Result<Vec<GameCount>, Error> {
        let rows = sqlx::query_as!(
            GameCount,
            r#"select b.game,
                      count(*) filter (where b.state in ('validating', 'active')) as "bots!",
                      coalesce(max(l.finish_no), 0) as "matches!"
               from bots b left join ladders l on l.game = b.game
               group by b.game
               order by b.game"#
        );
        Ok(rows.fetch_all(self.pool()).await?)
    }
}
