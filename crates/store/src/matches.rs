//! Matches to be played, and those that are no longer wanted.

use game::{PerSeat, Seat};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Error, Lane, Store,
    audit::{self, Act},
    notices::{Notice, notify},
    queue::{NewJob, PEOPLE, enqueue},
};

/// What a match is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Purpose {
    /// Shows that a newcomer can play at all.
    Validation,
    /// Finds out how strong bots are.
    Ladder,
    /// Somebody wants to see it.
    Friendly,
}

impl Purpose {
    /// As in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::Validation => "validation",
            Purpose::Ladder => "ladder",
            Purpose::Friendly => "friendly",
        }
    }

    fn lane(self) -> Lane {
        match self {
            Purpose::Validation => Lane::Validation,
            Purpose::Ladder => Lane::Ladder,
            Purpose::Friendly => Lane::Friendly,
        }
    }
}

/// Where a match stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum MatchState {
    /// Waits for a worker.
    Queued,
    /// A worker plays it.
    Running,
    /// Has an outcome.
    Finished,
    /// Ours, after every attempt.
    Void,
}

impl MatchState {
    /// As in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            MatchState::Queued => "queued",
            MatchState::Running => "running",
            MatchState::Finished => "finished",
            MatchState::Void => "void",
        }
    }
}

/// A match to be made. That the set-up is legal and each bot is entered for
/// its seat's role is the caller's to check.
#[derive(Clone, Debug)]
pub struct NewMatch {
    /// Of which game.
    pub game: String,
    /// By which of its rules.
    pub rules: u32,
    /// Its set-up.
    pub setup: Value,
    /// Name of the set-up in the game's ladder, or `pool/name` of one of a pool.
    pub preset: Option<String>,
    /// What it is for.
    pub purpose: Purpose,
    /// Whether it counts for ratings.
    pub rated: bool,
    /// Who wants it; none: the ladder.
    pub created_by: Option<Uuid>,
    /// Who plays.
    pub seats: PerSeat<NewSeat>,
}

/// Who plays on one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewSeat {
    /// A bot.
    Bot {
        /// Which.
        bot: Uuid,
        /// With which of its versions.
        version: Uuid,
    },
    /// A person.
    Person {
        /// Who.
        account: Uuid,
    },
}

impl NewMatch {
    /// Whether a person plays. Such a match moves no rating.
    pub fn has_people(&self) -> bool {
        self.seats.iter().any(|(_, it)| matches!(it, NewSeat::Person { .. }))
    }
}

/// Why a match cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The version is of another bot, or is not ready.
    #[error("the version chosen for seat {} is not ready to play", seat.0 + 1)]
    NotReady {
        /// On which seat.
        seat: Seat,
    },
    /// The bot plays another game.
    #[error("the bot on seat {} plays {found}, not {wanted}", seat.0 + 1)]
    OtherGame {
        /// On which seat.
        seat: Seat,
        /// What it plays.
        found: String,
        /// What the match is of.
        wanted: String,
    },
    /// A rated match would set an account against itself.
    #[error("bots of one account never meet in rated play")]
    OwnBots,
    /// Somebody would sit on two seats.
    #[error("nobody can sit on two seats of one match")]
    SamePerson,
    /// As many of the account's matches wait as may.
    #[error("{found} of your matches are waiting, which is as many as may wait")]
    TooMany {
        /// How many.
        found: i64,
    },
    /// As many of the account's matches with people wait or are played as may.
    #[error(
        "{found} of your matches with people are waiting or under way, which is as many as may be"
    )]
    TooManyWithPeople {
        /// How many.
        found: i64,
    },
    /// Ours.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sqlx::Error> for MatchError {
    fn from(why: sqlx::Error) -> MatchError {
        MatchError::Store(why.into())
    }
}

impl Store {
    /// Makes a match, and the job that plays it. At most `waiting_max` matches
    /// made by its `created_by` may wait or run at once; those with people are counted apart.
    ///
    /// # Errors
    ///
    /// Where one of the versions cannot play, or too many wait.
    pub async fn create_match(&self, new: &NewMatch, waiting_max: i64) -> Result<Uuid, MatchError> {
        let mut tx = self.pool().begin().await?;
        if let Some(account) = new.created_by {
            // Held until the end, so that two requests at once cannot pass the limit together.
            sqlx::query!("select id from accounts where id = $1 for no key update", account)
                .fetch_optional(&mut *tx)
                .await?;
            let found = waiting_of(&mut tx, account, new.has_people()).await?;
            if found >= waiting_max {
                return Err(match new.has_people() {
                    true => MatchError::TooManyWithPeople { found },
                    false => MatchError::TooMany { found },
                });
            }
        }
        let id = create_match(&mut tx, new).await?;
        if new.created_by.is_some() {
            let object = id.to_string();
            let act = Act {
                account: new.created_by,
                act: "match.start",
                object: &object,
                detail: json!({}),
            };
            audit::note(&mut tx, act).await?;
        }
        tx.commit().await?;
        Ok(id)
    }
}

/// How many matches an account has made that wait or run: those with people, or the others.
pub(crate) async fn waiting_of(
    db: &mut PgConnection,
    account: Uuid,
    with_people: bool,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "n!" from matches m
           where m.state in ('queued', 'running') and m.created_by = $1
             and $2 = exists (select from match_seats s where s.match = m.id and s.bot is null)"#,
        account,
        with_people
    )
    .fetch_one(db)
    .await
}

/// Makes a match, and the job that plays it, within a transaction.
///
/// # Errors
///
/// Where one of the versions cannot play.
pub async fn create_match(db: &mut PgConnection, new: &NewMatch) -> Result<Uuid, MatchError> {
    let id = Uuid::now_v7();
    let mut accounts = Vec::new();
    let mut languages = Vec::new();
    for (seat, it) in new.seats.iter() {
        let (bot, version) = match *it {
            NewSeat::Bot { bot, version } => (bot, version),
            NewSeat::Person { account } => {
                accounts.push(account);
                continue;
            }
        };
        let found = sqlx::query!(
            "select b.game, b.account, v.language from versions v join bots b on b.id = v.bot
             where v.id = $1 and v.bot = $2 and v.state = 'ready'",
            version,
            bot
        )
        .fetch_optional(&mut *db)
        .await?
        .ok_or(MatchError::NotReady { seat })?;
        if found.game != new.game {
            let wanted = new.game.clone();
            return Err(MatchError::OtherGame { seat, found: found.game, wanted });
        }
        accounts.push(found.account);
        if !languages.contains(&found.language) {
            languages.push(found.language);
        }
    }
    sqlx::query!(
        "insert into matches (id, game, rules, setup, preset, purpose, rated, created_by)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        id,
        new.game,
        new.rules as i32,
        new.setup,
        new.preset,
        new.purpose.as_str(),
        new.rated,
        new.created_by
    )
    .execute(&mut *db)
    .await?;
    for (seat, it) in new.seats.iter() {
        let (bot, version) = match *it {
            NewSeat::Bot { bot, version } => (Some(bot), Some(version)),
            NewSeat::Person { .. } => (None, None),
        };
        sqlx::query!(
            "insert into match_seats (match, seat, bot, version, account, rated)
             values ($1, $2, $3, $4, $5, $6)",
            id,
            i16::from(seat.0),
            bot,
            version,
            accounts[usize::from(seat.0)],
            new.rated
        )
        .execute(&mut *db)
        .await
        .map_err(|why| match why {
            why if Error::breaks(&why, "match_seats_of_strangers") => MatchError::OwnBots,
            why if Error::breaks(&why, "match_seats_of_people") => MatchError::SamePerson,
            why => why.into(),
        })?;
    }
    let mut lane = new.purpose.lane();
    if new.has_people() {
        lane = Lane::People;
        languages.push(PEOPLE.to_owned());
    }
    let job =
        NewJob { version: None, match_id: Some(id), lane, account: new.created_by, languages };
    enqueue(db, job).await?;
    notify(db, Notice::Match(id)).await?;
    Ok(id)
}

/// Takes back what the ladder has made for a bot and nobody has started. What
/// is being leased at this moment is played.
pub(crate) async fn withdraw(db: &mut PgConnection, bot: Uuid) -> Result<(), sqlx::Error> {
    let gone = sqlx::query_scalar!(
        "with unstarted as (
             select j.id, j.match from jobs j
             where j.state = 'queued' and j.match in (
                 select m.id from matches m join match_seats s on s.match = m.id
                 where s.bot = $1 and m.state = 'queued' and m.purpose in ('validation', 'ladder')
             )
             for update of j skip locked
         )
         delete from matches m using unstarted where m.id = unstarted.match returning m.id",
        bot
    )
    .fetch_all(&mut *db)
    .await?;
    for id in gone {
        notify(db, Notice::Match(id)).await?;
    }
    Ok(())
}
