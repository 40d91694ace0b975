//! Versions of bots: uploaded once, built once, never changed.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Blob, Error, Lane, Store,
    notices::{Notice, notify},
    queue::{NewJob, enqueue},
};

/// Where a version stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum VersionState {
    /// Waits for a worker.
    Queued,
    /// A worker compiles it.
    Building,
    /// Can play.
    Ready,
    /// Does not compile: its owner's matter.
    Refused,
    /// Ours, after every attempt.
    Failed,
}

impl VersionState {
    /// As in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            VersionState::Queued => "queued",
            VersionState::Building => "building",
            VersionState::Ready => "ready",
            VersionState::Refused => "refused",
            VersionState::Failed => "failed",
        }
    }
}

/// A version to be made. Its source is stored already.
#[derive(Clone, Debug)]
pub struct NewVersion<'a> {
    /// Of which bot.
    pub bot: Uuid,
    /// Whose; nobody uploads for another.
    pub account: Uuid,
    /// Name of a file in `config/languages`.
    pub language: &'a str,
    /// One plain file name.
    pub file_name: &'a str,
    /// The source.
    pub source: &'a Blob,
    /// Most builds an account may have waiting.
    pub builds_waiting_max: i64,
}

/// Why a version cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// There is none, or it is somebody else's.
    #[error("you have no such bot")]
    UnknownBot,
    /// As many of the account's builds wait as may.
    #[error("{found} of your uploads are still being built, which is as many as may wait")]
    TooMany {
        /// How many.
        found: i64,
    },
    /// Ours.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sqlx::Error> for VersionError {
    fn from(why: sqlx::Error) -> VersionError {
        VersionError::Store(why.into())
    }
}

impl Store {
    /// Makes a version and the job that builds it.
    ///
    /// # Errors
    ///
    /// Where the account has no such bot, or too many builds waiting.
    pub async fn create_version(&self, new: &NewVersion<'_>) -> Result<Uuid, VersionError> {
        let mut tx = self.pool().begin().await?;
        let id = create_version(&mut tx, new).await?;
        tx.commit().await?;
        Ok(id)
    }
}

/// Makes a version and the job that builds it, within a transaction.
///
/// # Errors
///
/// Where the account has no such bot, or too many builds waiting.
pub(crate) async fn create_version(
    db: &mut PgConnection,
    new: &NewVersion<'_>,
) -> Result<Uuid, VersionError> {
    // The account's lock comes first, as when a bot is made: it guards the count.
    sqlx::query!("select id from accounts where id = $1 for no key update", new.account)
        .fetch_optional(&mut *db)
        .await?;
    // The bot's lock keeps numbers apart.
    sqlx::query!(
        "select id from bots where id = $1 and account = $2 for no key update",
        new.bot,
        new.account
    )
    .fetch_optional(&mut *db)
    .await?
    .ok_or(VersionError::UnknownBot)?;
    let found = sqlx::query_scalar!(
        r#"select count(*) as "n!" from versions v join bots b on b.id = v.bot
           where b.account = $1 and v.state in ('queued', 'building')"#,
        new.account
    )
    .fetch_one(&mut *db)
    .await?;
    if found >= new.builds_waiting_max {
        return Err(VersionError::TooMany { found });
    }
    let id = Uuid::now_v7();
    sqlx::query!(
        "insert into versions (id, bot, number, language, file_name, source_digest, source_bytes)
         select $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6 from versions where bot = $2",
        id,
        new.bot,
        new.language,
        new.file_name,
        new.source.digest,
        new.source.bytes as i64
    )
    .execute(&mut *db)
    .await?;
    let job = NewJob {
        version: Some(id),
        match_id: None,
        lane: Lane::Build,
        account: Some(new.account),
        languages: vec![new.language.to_owned()],
    };
    enqueue(db, job).await?;
    notify(db, Notice::Bot(new.bot)).await?;
    Ok(id)
}
