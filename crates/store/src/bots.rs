//! Bots, and whether they are on the ladder.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Error, Store,
    audit::{self, Act},
    matches::withdraw,
    notices::{Notice, notify},
};

/// Where a bot stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum BotState {
    /// No version is ready.
    Waiting,
    /// Its first match is to come.
    Validating,
    /// On the ladder.
    Active,
    /// Taken off it.
    Benched,
}

impl BotState {
    /// As in the database and in pages' addresses.
    pub fn as_str(self) -> &'static str {
        match self {
            BotState::Waiting => "waiting",
            BotState::Validating => "validating",
            BotState::Active => "active",
            BotState::Benched => "benched",
        }
    }
}

/// Who took a bot off the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum BenchedBy {
    /// Whom it belongs to. A new version leaves it on the bench.
    Owner,
    /// The judge, after a fault in its validation. A new version is tried again.
    Fault,
}

impl BenchedBy {
    /// As in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            BenchedBy::Owner => "owner",
            BenchedBy::Fault => "fault",
        }
    }
}

/// A bot to be made.
#[derive(Clone, Debug)]
pub struct NewBot<'a> {
    /// Whose.
    pub account: Uuid,
    /// Of which game.
    pub game: &'a str,
    /// For which role of it.
    pub role: &'a str,
    /// As its owner wrote it.
    pub name: &'a str,
    /// The same, normalised for comparing.
    pub name_key: &'a str,
    /// Most bots an account may have.
    pub bots_max: i64,
}

/// A bot taken off the ladder.
#[derive(Clone, Debug)]
pub struct Bench<'a> {
    /// Which.
    pub bot: Uuid,
    /// By which account.
    pub account: Uuid,
    /// Why, in its words.
    pub why: &'a str,
}

/// Why a bot cannot be made or changed.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// Another bot of the game has a name that looks the same.
    #[error("a bot of this game is already called that")]
    NameTaken,
    /// The account has as many as it may.
    #[error("you have {found} bots, which is as many as an account may have")]
    TooMany {
        /// How many it has.
        found: i64,
    },
    /// There is none, or it is somebody else's.
    #[error("you have no such bot")]
    Unknown,
    /// It has nothing to play with.
    #[error("no version of this bot is ready to play")]
    NoVersion,
    /// The version is of another bot, or is not ready.
    #[error("this version is not ready to play")]
    NotReady,
    /// Ours.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sqlx::Error> for BotError {
    fn from(why: sqlx::Error) -> BotError {
        BotError::Store(why.into())
    }
}

/// Makes a bot within a transaction of its first upload.
///
/// # Errors
///
/// Where the name is taken or the account has too many.
pub(crate) async fn create_bot(db: &mut PgConnection, new: &NewBot<'_>) -> Result<Uuid, BotError> {
    // Held until the end, so that two uploads at once cannot pass the limit together.
    sqlx::query!("select id from accounts where id = $1 for no key update", new.account)
        .fetch_optional(&mut *db)
        .await?;
    let found =
        sqlx::query_scalar!(r#"select count(*) as "n!" from bots where account = $1"#, new.account)
            .fetch_one(&mut *db)
            .await?;
    if found >= new.bots_max {
        return Err(BotError::TooMany { found });
    }
    let id = Uuid::now_v7();
    let NewBot { account, game, role, name, name_key, .. } = *new;
    sqlx::query!(
        "insert into bots (id, account, game, role, name, name_key) values ($1, $2, $3, $4, $5, $6)",
        id,
        account,
        game,
        role,
        name,
        name_key
    )
    .execute(db)
    .await
    .map_err(|why| match Error::breaks(&why, "bots_game_name_key_key") {
        true => BotError::NameTaken,
        false => why.into(),
    })?;
    Ok(id)
}

impl Store {
    /// Makes a bot that has no version yet.
    ///
    /// # Errors
    ///
    /// Where the name is taken or the account has too many.
    pub async fn create_bot(&self, new: &NewBot<'_>) -> Result<Uuid, BotError> {
        let mut tx = self.pool().begin().await?;
        let id = create_bot(&mut tx, new).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Takes a bot off the ladder. Matches under way are played to their end.
    ///
    /// # Errors
    ///
    /// Where the account has no such bot.
    pub async fn bench_bot(&self, bench: &Bench<'_>) -> Result<(), BotError> {
        let mut tx = self.pool().begin().await?;
        let Bench { bot, account, why } = *bench;
        own_bot(&mut tx, bot, account).await?;
        sqlx::query!(
            "update bots set state = 'benched', benched_by = 'owner', benched_why = $2 where id = $1",
            bot,
            why
        )
        .execute(&mut *tx)
        .await?;
        withdraw(&mut tx, bot).await?;
        let act = Act {
            account: Some(account),
            act: "bot.bench",
            object: &bot.to_string(),
            detail: serde_json::json!({ "why": why }),
        };
        audit::note(&mut tx, act).await?;
        notify(&mut tx, Notice::Bot(bot)).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Puts a bot on the ladder again; one that never passed its validation
    /// match, or failed in the last, is validated first.
    ///
    /// # Errors
    ///
    /// Where the account has no such bot, or it has no version to play with.
    pub async fn activate_bot(&self, bot: Uuid, account: Uuid) -> Result<BotState, BotError> {
        let mut tx = self.pool().begin().await?;
        let own = own_bot(&mut tx, bot, account).await?;
        if own.active_version.is_none() {
            return Err(BotError::NoVersion);
        }
        let state = match (own.state, own.validated) {
            (BotState::Benched, true) => BotState::Active,
            (BotState::Benched, false) => BotState::Validating,
            (state, _) => state,
        };
        sqlx::query!(
            "update bots set benched_by = null, benched_why = null, state = $2,
                 active_since = case when state = $2 then active_since else now() end
             where id = $1",
            bot,
            state.as_str()
        )
        .execute(&mut *tx)
        .await?;
        let act = Act {
            account: Some(account),
            act: "bot.activate",
            object: &bot.to_string(),
            detail: serde_json::json!({}),
        };
        audit::note(&mut tx, act).await?;
        notify(&mut tx, Notice::Bot(bot)).await?;
        tx.commit().await?;
        Ok(state)
    }

    /// Lets a bot play with another of its versions from now on.
    ///
    /// # Errors
    ///
    /// Where the account has no such bot, or the version cannot play.
    pub async fn choose_version(
        &self,
        bot: Uuid,
        account: Uuid,
        version: Uuid,
    ) -> Result<(), BotError> {
        let mut tx = self.pool().begin().await?;
        own_bot(&mut tx, bot, account).await?;
        let ready = sqlx::query_scalar!(
            r#"select state = 'ready' as "ready!" from versions where id = $1 and bot = $2"#,
            version,
            bot
        )
        .fetch_optional(&mut *tx)
        .await?;
        if ready != Some(true) {
            return Err(BotError::NotReady);
        }
        sqlx::query!("update bots set active_version = $2 where id = $1", bot, version)
            .execute(&mut *tx)
            .await?;
        withdraw(&mut tx, bot).await?;
        let act = Act {
            account: Some(account),
            act: "bot.choose_version",
            object: &bot.to_string(),
            detail: serde_json::json!({ "version": version }),
        };
        audit::note(&mut tx, act).await?;
        notify(&mut tx, Notice::Bot(bot)).await?;
        tx.commit().await?;
        Ok(())
    }
}

struct OwnBot {
    state: BotState,
    validated: bool,
    active_version: Option<Uuid>,
}

/// Locks a bot of the account.
async fn own_bot(db: &mut PgConnection, bot: Uuid, account: Uuid) -> Result<OwnBot, BotError> {
    sqlx::query_as!(
        OwnBot,
        r#"select state as "state: BotState", validated_at is not null as "validated!", active_version
           from bots where id = $1 and account = $2 for no key update"#,
        bot,
        account
    )
    .fetch_optional(db)
    .await?
    .ok_or(BotError::Unknown)
}
