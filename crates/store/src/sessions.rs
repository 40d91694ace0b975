//! Who is signed in where. Known by the digest of a cookie, never by the cookie.

use chrono::{DateTime, Utc};
use serde_json::json;
use uuid::Uuid;

use crate::{
    Error, Store,
    accounts::{Account, Role, note},
};

/// Most sessions of one account; opening one more ends the longest unused.
pub const SESSIONS_MAX: i64 = 50;
/// Most characters kept of what a browser says it is.
pub const USER_AGENT_CHARS_MAX: usize = 256;

/// SHA-256 of a cookie.
pub type SessionDigest = [u8; 32];

/// A session to be opened.
#[derive(Clone, Copy, Debug)]
pub struct NewSession<'a> {
    /// Of its cookie.
    pub digest: SessionDigest,
    /// Whose.
    pub account: Uuid,
    /// Until when.
    pub expires_at: DateTime<Utc>,
    /// What the browser says it is; cut at [`USER_AGENT_CHARS_MAX`].
    pub user_agent: &'a str,
    /// The session this browser had before, which ends.
    pub replaces: Option<SessionDigest>,
}

/// A session, as its owner sees it.
#[derive(Clone, Debug)]
pub struct OpenSession {
    /// Of its cookie.
    pub digest: SessionDigest,
    /// Since when.
    pub created_at: DateTime<Utc>,
    /// When it was last used, to some minutes.
    pub seen_at: DateTime<Utc>,
    /// Until when.
    pub expires_at: DateTime<Utc>,
    /// What the browser said it is.
    pub user_agent: String,
}

impl Store {
    /// Opens a session.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn open_session(&self, new: NewSession<'_>) -> Result<(), Error> {
        let user_agent: String =
            new.user_agent.replace('\0', "\u{fffd}").chars().take(USER_AGENT_CHARS_MAX).collect();
        let mut db = self.pool().begin().await?;
        if let Some(replaced) = new.replaces {
            sqlx::query!("delete from sessions where digest = $1", replaced.as_slice())
                .execute(&mut *db)
                .await?;
        }
        let insert = sqlx::query!(
            "insert into sessions (digest, account, expires_at, user_agent)
             values ($1, $2, $3, $4)",
            new.digest.as_slice(),
            new.account,
            new.expires_at,
            user_agent
        );
        insert.execute(&mut *db).await?;
        let surplus = sqlx::query!(
            "delete from sessions where digest in (
                select digest from sessions where account = $1 order by seen_at desc offset $2
             ) or expires_at < now()",
            new.account,
            SESSIONS_MAX
        );
        surplus.execute(&mut *db).await?;
        note(&mut db, Some(new.account), "session.open", json!({})).await?;
        db.commit().await?;
        Ok(())
    }

    /// Whose session this is, if it is one that is open. It was used just now,
    /// and so lasts for `idle_days` more.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn session(
        &self,
        digest: SessionDigest,
        idle_days: i32,
    ) -> Result<Option<Account>, Error> {
        let row = sqlx::query!(
            "select accounts.id, name, role as \"role: Role\", house, accounts.created_at,
                    seen_at < now() - interval '5 minutes' as \"stale!\"
             from sessions join accounts on accounts.id = sessions.account
             where digest = $1 and expires_at > now() and disabled_at is null",
            digest.as_slice()
        );
        let Some(row) = row.fetch_optional(self.pool()).await? else { return Ok(None) };
        if row.stale {
            let used = sqlx::query!(
                "update sessions
                 set seen_at = now(), expires_at = now() + make_interval(days => $2)
                 where digest = $1",
                digest.as_slice(),
                idle_days
            );
            used.execute(self.pool()).await?;
        }
        Ok(Some(Account {
            id: row.id,
            role: row.role,
            name: row.name,
            house: row.house,
            created_at: row.created_at,
        }))
    }

    /// All open sessions of an account, the last used first.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn sessions_of(&self, account: Uuid) -> Result<Vec<OpenSession>, Error> {
        let rows = sqlx::query!(
            "select digest, created_at, seen_at, expires_at, user_agent from sessions
             where account = $1 and expires_at > now() order by seen_at desc, digest",
            account
        );
        let rows = rows.fetch_all(self.pool()).await?;
        rows.into_iter()
            .map(|it| {
                let digest = it.digest.try_into().map_err(|_| {
                    Error::damaged("account", account, "a session's digest is not 32 bytes")
                })?;
                Ok(OpenSession {
                    digest,
                    created_at: it.created_at,
                    seen_at: it.seen_at,
                    expires_at: it.expires_at,
                    user_agent: it.user_agent,
                })
            })
            .collect()
    }

    /// Ends one session of an account, and says whether there was one.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn end_session(&self, account: Uuid, digest: SessionDigest) -> Result<bool, Error> {
        let mut db = self.pool().begin().await?;
        let ended = sqlx::query!(
            "delete from sessions where account = $1 and digest = $2",
            account,
            digest.as_slice()
        );
        let ended = ended.execute(&mut *db).await?.rows_affected() > 0;
        if ended {
            note(&mut db, Some(account), "session.end", json!({})).await?;
        }
        db.commit().await?;
        Ok(ended)
    }

    /// Ends every session of an account but `keep`, and says how many.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn end_other_sessions(
        &self,
        account: Uuid,
        keep: SessionDigest,
    ) -> Result<u64, Error> {
        let mut db = self.pool().begin().await?;
        let ended = sqlx::query!(
            "delete from sessions where account = $1 and digest <> $2",
            account,
            keep.as_slice()
        );
        let ended = ended.execute(&mut *db).await?.rows_affected();
        let detail = json!({ "sessions": ended });
        note(&mut db, Some(account), "session.end_others", detail).await?;
        db.commit().await?;
        Ok(ended)
    }
}
