//! Bots: their own pages, their owner's list, and who can be asked for a match.

use chrono::{DateTime, Utc};
use game::Fault;
use serde_json::Value;
use uuid::Uuid;

use super::Standing;
use crate::{BenchedBy, BotState, Error, Store, VersionState};

/// A bot, as its page begins.
#[derive(Clone, Debug)]
pub struct BotPage {
    /// Which one.
    pub id: Uuid,
    /// Whose.
    pub account: Uuid,
    /// What its owner is called.
    pub owner: String,
    /// Whether it is a documented bot of the house.
    pub house: bool,
    /// Of which game.
    pub game: String,
    /// For which role of it.
    pub role: String,
    /// What it is called.
    pub name: String,
    /// Whether it is on the ladder.
    pub state: BotState,
    /// Who took it off.
    pub benched_by: Option<BenchedBy>,
    /// And why.
    pub benched_why: Option<String>,
    /// The version that plays.
    pub active_version: Option<Uuid>,
    /// Its number.
    pub active_number: Option<i32>,
    /// Since when there is the bot.
    pub created_at: DateTime<Utc>,
    /// How strong it is, once it has played.
    pub standing: Option<Standing>,
}

/// A bot in its owner's list.
#[derive(Clone, Debug)]
pub struct OwnBot {
    /// Which one.
    pub id: Uuid,
    /// Of which game.
    pub game: String,
    /// For which role of it.
    pub role: String,
    /// What it is called.
    pub name: String,
    /// Whether it is on the ladder.
    pub state: BotState,
    /// Number of the version that plays.
    pub active_number: Option<i32>,
    /// The last version uploaded: number and state.
    pub newest: Option<(i32, VersionState)>,
    /// How strong it is, once it has played.
    pub standing: Option<Standing>,
}

/// A bot that can play now.
#[derive(Clone, Debug)]
pub struct ReadyBot {
    /// Which one.
    pub id: Uuid,
    /// The version that plays.
    pub version: Uuid,
    /// Its number.
    pub number: i32,
    /// For which role.
    pub role: String,
    /// What it is called.
    pub name: String,
    /// What its owner is called.
    pub owner: String,
    /// Whose.
    pub account: Uuid,
    /// Whether it is a documented bot of the house.
    pub house: bool,
}

/// One match in which a bot was at fault.
#[derive(Clone, Debug)]
pub struct FailureRow {
    /// Which match.
    pub match_id: Uuid,
    /// Number of the version that played.
    pub version: i32,
    /// When it ended.
    pub finished_at: Option<DateTime<Utc>>,
    /// The ply it did not answer.
    pub ply: u32,
    /// The first fault of the match.
    pub fault: Fault,
}

impl Store {
    /// A bot.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn bot_page(&self, id: Uuid) -> Result<Option<BotPage>, Error> {
        let row = sqlx::query!(
            r#"select b.id, b.account, a.name as owner, a.house, b.game, b.role, b.name,
                      b.state as "state: BotState", b.benched_by as "benched_by: BenchedBy",
                      b.benched_why, b.active_version, v.number as "active_number?", b.created_at,
                      r.rating as "rating?", r.deviation as "deviation?",
                      r.matches as "matches?", r.faults as "faults?"
               from bots b
               join accounts a on a.id = b.account
               left join versions v on v.id = b.active_version
               left join ratings r on r.bot = b.id
               where b.id = $1"#,
            id
        );
        let row = row.fetch_optional(self.pool()).await?;
        Ok(row.map(|it| BotPage {
            id: it.id,
            account: it.account,
            owner: it.owner,
            house: it.house,
            game: it.game,
            role: it.role,
            name: it.name,
            state: it.state,
            benched_by: it.benched_by,
            benched_why: it.benched_why,
            active_version: it.active_version,
            active_number: it.active_number,
            created_at: it.created_at,
            standing: standing(it.rating, it.deviation, it.matches, it.faults),
        }))
    }

    /// What a bot is called, for the heading of a list.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn bot_name(&self, id: Uuid) -> Result<Option<String>, Error> {
        let name = sqlx::query_scalar!("select name from bots where id = $1", id);
        Ok(name.fetch_optional(self.pool()).await?)
    }

    /// The bots of an account, the newest first.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn bots_of(&self, account: Uuid) -> Result<Vec<OwnBot>, Error> {
        let rows = sqlx::query!(
            r#"select b.id, b.game, b.role, b.name, b.state as "state: BotState",
                      v.number as "active_number?",
                      n.number as "newest_number?", n.state as "newest_state?: VersionState",
                      r.rating as "rating?", r.deviation as "deviation?",
                      r.matches as "matches?", r.faults as "faults?"
               from bots b
               left join versions v on v.id = b.active_version
               left join lateral (
                   select number, state from versions where bot = b.id order by number desc limit 1
               ) n on true
               left join ratings r on r.bot = b.id
               where b.account = $1
               order by b.created_at desc, b.id"#,
            account
        );
        let rows = rows.fetch_all(self.pool()).await?;
        Ok(rows
            .into_iter()
            .map(|it| OwnBot {
                id: it.id,
                game: it.game,
                role: it.role,
                name: it.name,
                state: it.state,
                active_number: it.active_number,
                newest: it.newest_number.zip(it.newest_state),
                standing: standing(it.rating, it.deviation, it.matches, it.faults),
            })
            .collect())
    }

    /// Bots of a game that can play now, in the order of their names.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn ready_bots(&self, game: &str, bots_max: i64) -> Result<Vec<ReadyBot>, Error> {
        let rows = sqlx::query_as!(
            ReadyBot,
            r#"select b.id, v.id as version, v.number, b.role, b.name, a.name as owner,
                      a.id as account, a.house
               from bots b
               join accounts a on a.id = b.account
               join versions v on v.id = b.active_version and v.state = 'ready'
               where b.game = $1
               order by b.name_key
               limit $2"#,
            game,
            bots_max
        );
        Ok(rows.fetch_all(self.pool()).await?)
    }

    /// One of them.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn ready_bot(&self, game: &str, id: Uuid) -> Result<Option<ReadyBot>, Error> {
        let row = sqlx::query_as!(
            ReadyBot,
            r#"select b.id, v.id as version, v.number, b.role, b.name, a.name as owner,
                      a.id as account, a.house
               from bots b
               join accounts a on a.id = b.account
               join versions v on v.id = b.active_version and v.state = 'ready'
               where b.game = $1 and b.id = $2"#,
            game,
            id
        );
        Ok(row.fetch_optional(self.pool()).await?)
    }

    /// The last matches in which a bot was at fault, with one version or with any.
    ///
    /// # Errors
    ///
    /// Where the database fails, or a report in it is damaged.
    pub async fn failures_of(
        &self,
        bot: Uuid,
        version: Option<Uuid>,
        failures_max: i64,
    ) -> Result<Vec<FailureRow>, Error> {
        let rows = sqlx::query!(
            r#"select s.match, v.number, m.finished_at, s.report->'fault' as "fault!: Value"
               from match_seats s
               join matches m on m.id = s.match
               join versions v on v.id = s.version
               where s.bot = $1 and ($2::uuid is null or s.version = $2)
                 and jsonb_typeof(s.report->'fault') = 'array'
               order by s.match desc
               limit $3"#,
            bot,
            version,
            failures_max
        );
        let rows = rows.fetch_all(self.pool()).await?;
        rows.into_iter()
            .map(|it| {
                let (ply, fault) = serde_json::from_value(it.fault)
                    .map_err(|why| Error::damaged("match", it.r#match, why))?;
                Ok(FailureRow {
                    match_id: it.r#match,
                    version: it.number,
                    finished_at: it.finished_at,
                    ply,
                    fault,
                })
            })
            .collect()
    }

    /// Rating and deviation of a bot after each of its last rated matches, the oldest first.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn ratings_of(&self, bot: Uuid, matches_max: i64) -> Result<Vec<(f64, f64)>, Error> {
        let rows = sqlx::query!(
            r#"select s.rating_after as "rating!", s.deviation_after as "deviation!"
               from match_seats s join matches m on m.id = s.match
               where s.bot = $1 and s.rating_after is not null and s.deviation_after is not null
               order by m.finish_no desc
               limit $2"#,
            bot,
            matches_max
        );
        let rows = rows.fetch_all(self.pool()).await?;
        Ok(rows.into_iter().rev().map(|it| (it.rating, it.deviation)).collect())
    }
}

fn standing(
    rating: Option<f64>,
    deviation: Option<f64>,
    matches: Option<i32>,
    faults: Option<i32>,
) -> Option<Standing> {
    Some(Standing { rating: rating?, deviation: deviation?, matches: matches?, faults: faults? })
}
