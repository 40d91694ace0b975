//! A program enters: a bot if it is its first, a version of it, and the job that builds it.

use serde_json::json;
use uuid::Uuid;

use crate::{
    Blob, Error, Store,
    audit::{self, Act},
    bots::{BotError, NewBot, create_bot},
    versions::{NewVersion, VersionError, create_version},
};

/// For whom a program is.
#[derive(Clone, Debug)]
pub enum EntryBot<'a> {
    /// A bot that is made with it.
    New(NewBot<'a>),
    /// A bot of the account.
    Known(Uuid),
}

/// A program to be entered. Its source is stored already.
#[derive(Clone, Debug)]
pub struct Entry<'a> {
    /// By whom.
    pub account: Uuid,
    /// For whom.
    pub bot: EntryBot<'a>,
    /// Name of a file in `config/languages`.
    pub language: &'a str,
    /// One plain file name.
    pub file_name: &'a str,
    /// The source.
    pub source: &'a Blob,
    /// Most builds an account may have waiting.
    pub builds_waiting_max: i64,
}

/// What was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entered {
    /// The bot, new or known.
    pub bot: Uuid,
    /// Its new version.
    pub version: Uuid,
    /// The number of that.
    pub number: i32,
}

/// Why a program cannot be entered. Then nothing was made.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    /// The bot cannot be made.
    #[error(transparent)]
    Bot(#[from] BotError),
    /// The version cannot be made.
    #[error(transparent)]
    Version(#[from] VersionError),
    /// Ours.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sqlx::Error> for EntryError {
    fn from(why: sqlx::Error) -> EntryError {
        EntryError::Store(why.into())
    }
}

impl Store {
    /// Enters a program: all of it or nothing.
    ///
    /// # Errors
    ///
    /// [`EntryError`] says what stands against it.
    pub async fn enter(&self, entry: &Entry<'_>) -> Result<Entered, EntryError> {
        let mut tx = self.pool().begin().await?;
        let bot = match &entry.bot {
            EntryBot::New(new) => create_bot(&mut tx, new).await?,
            EntryBot::Known(bot) => *bot,
        };
        let Entry { account, language, file_name, source, builds_waiting_max, .. } = *entry;
        let new = NewVersion { bot, account, language, file_name, source, builds_waiting_max };
        let version = create_version(&mut tx, &new).await?;
        let number = sqlx::query_scalar!("select number from versions where id = $1", version)
            .fetch_one(&mut *tx)
            .await?;
        let act = Act {
            account: Some(account),
            act: "version.upload",
            object: &version.to_string(),
            detail: json!({ "bot": bot, "language": language, "digest": source.digest }),
        };
        audit::note(&mut tx, act).await?;
        tx.commit().await?;
        Ok(Entered { bot, version, number })
    }
}
