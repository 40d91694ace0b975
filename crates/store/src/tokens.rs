//! Tokens by which programs act for accounts. Known by their digests, never by themselves.

use chrono::{DateTime, Utc};
use serde_json::json;
use uuid::Uuid;

use crate::{
    Error, Store,
    accounts::{Account, Role},
    audit::{self, Act},
};

/// Most tokens of one account, those that have expired not counted.
pub const API_TOKENS_MAX: i64 = 50;
/// Most characters of what a token is called.
pub const API_TOKEN_NAME_CHARS_MAX: usize = 60;

/// What a token lets its holder do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// See what the account sees.
    Read,
    /// Enter bots, and ask for matches.
    Play,
    /// Run contests, as far as the account may.
    Organise,
}

/// A token to be kept.
#[derive(Clone, Debug)]
pub struct NewApiToken<'a> {
    /// Whose.
    pub account: Uuid,
    /// What it is called: 1 to [`API_TOKEN_NAME_CHARS_MAX`] characters.
    pub name: &'a str,
    /// SHA-256 of it.
    pub digest: [u8; 32],
    /// What it lets its holder do.
    pub scopes: &'a [Scope],
    /// Until when.
    pub expires_at: DateTime<Utc>,
}

/// A token, as its owner sees it.
#[derive(Clone, Debug)]
pub struct ApiToken {
    /// Which.
    pub id: Uuid,
    /// What it is called.
    pub name: String,
    /// What it lets its holder do.
    pub scopes: Vec<Scope>,
    /// Since when.
    pub created_at: DateTime<Utc>,
    /// Until when.
    pub expires_at: DateTime<Utc>,
    /// When it was last used, to a minute.
    pub used_at: Option<DateTime<Utc>>,
}

/// Whoever has shown a token.
#[derive(Clone, Debug)]
pub struct TokenHolder {
    /// For whom they act.
    pub account: Account,
    /// By which token.
    pub token: ApiToken,
}

/// Why a token was not made.
#[derive(Debug, thiserror::Error)]
pub enum ApiTokenError {
    /// The account has as many as may be.
    #[error("you have {found} tokens, which is as many as an account may have; revoke one first")]
    TooMany {
        /// How many.
        found: i64,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sqlx::Error> for ApiTokenError {
    fn from(why: sqlx::Error) -> ApiTokenError {
        ApiTokenError::Store(why.into())
    }
}

impl Scope {
    /// All of them, the least first.
    pub const ALL: [Scope; 3] = [Scope::Read, Scope::Play, Scope::Organise];

    /// As it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Play => "play",
            Scope::Organise => "organise",
        }
    }

    /// The scope of this name.
    pub fn parse(name: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|it| it.as_str() == name)
    }
}

impl Store {
    /// Keeps a token.
    ///
    /// # Errors
    ///
    /// Where the account has too many, or the database fails.
    pub async fn create_api_token(&self, new: &NewApiToken<'_>) -> Result<ApiToken, ApiTokenError> {
        let mut tx = self.pool().begin().await?;
        // Held until the end, so that two requests at once cannot pass the limit together.
        sqlx::query!("select id from accounts where id = $1 for no key update", new.account)
            .fetch_optional(&mut *tx)
            .await?;
        let found = sqlx::query_scalar!(
            r#"select count(*) as "n!" from api_tokens where account = $1 and expires_at > now()"#,
            new.account
        );
        let found = found.fetch_one(&mut *tx).await?;
        if found >= API_TOKENS_MAX {
            return Err(ApiTokenError::TooMany { found });
        }
        let id = Uuid::now_v7();
        let scopes: Vec<String> = new.scopes.iter().map(|it| it.as_str().to_owned()).collect();
        let created_at = sqlx::query_scalar!(
            "insert into api_tokens (id, account, name, digest, scopes, expires_at)
             values ($1, $2, $3, $4, $5, $6) returning created_at",
            id,
            new.account,
            new.name,
            new.digest.as_slice(),
            &scopes,
            new.expires_at
        )
        .fetch_one(&mut *tx)
        .await?;
        let detail = json!({ "name": new.name, "scopes": scopes, "expires_at": new.expires_at });
        let object = id.to_string();
        let act = Act { account: Some(new.account), act: "token.create", object: &object, detail };
        audit::note(&mut tx, act).await?;
        tx.commit().await?;
        Ok(ApiToken {
            id,
            name: new.name.to_owned(),
            scopes: new.scopes.to_vec(),
            created_at,
            expires_at: new.expires_at,
            used_at: None,
        })
    }

    /// Whoever holds this token, while it is good. It was used just now.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn holder_of(&self, digest: [u8; 32]) -> Result<Option<TokenHolder>, Error> {
        let row = sqlx::query!(
            r#"select t.id, t.name as token_name, t.scopes, t.created_at as token_created_at,
                      t.expires_at, t.used_at,
                      coalesce(t.used_at < now() - interval '1 minute', true) as "stale!",
                      a.id as account, a.name, a.role as "role: Role", a.house, a.created_at
               from api_tokens t join accounts a on a.id = t.account
               where t.digest = $1 and t.expires_at > now() and a.disabled_at is null"#,
            digest.as_slice()
        );
        let Some(it) = row.fetch_optional(self.pool()).await? else { return Ok(None) };
        if it.stale {
            sqlx::query!("update api_tokens set used_at = now() where id = $1", it.id)
                .execute(self.pool())
                .await?;
        }
        Ok(Some(TokenHolder {
            account: Account {
                id: it.account,
                name: it.name,
                role: it.role,
                house: it.house,
                created_at: it.created_at,
            },
            token: ApiToken {
                id: it.id,
                name: it.token_name,
                scopes: scopes(&it.scopes),
                created_at: it.token_created_at,
                expires_at: it.expires_at,
                used_at: it.used_at,
            },
        }))
    }

    /// All tokens of an account that are good, the newest first.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn api_tokens_of(&self, account: Uuid) -> Result<Vec<ApiToken>, Error> {
        let rows = sqlx::query!(
            "select id, name, scopes, created_at, expires_at, used_at from api_tokens
             where account = $1 and expires_at > now() order by id desc",
            account
        );
        let rows = rows.fetch_all(self.pool()).await?;
        let tokens = rows.into_iter().map(|it| ApiToken {
            id: it.id,
            name: it.name,
            scopes: scopes(&it.scopes),
            created_at: it.created_at,
            expires_at: it.expires_at,
            used_at: it.used_at,
        });
        Ok(tokens.collect())
    }

    /// Revokes a token of an account, and says whether there was one.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn revoke_api_token(&self, account: Uuid, id: Uuid) -> Result<bool, Error> {
        let mut tx = self.pool().begin().await?;
        let gone = sqlx::query!(
            "delete from api_tokens where account = $1 and id = $2 and expires_at > now()
             returning name",
            account,
            id
        );
        let gone = gone.fetch_optional(&mut *tx).await?;
        if let Some(gone) = &gone {
            let (object, detail) = (id.to_string(), json!({ "name": gone.name }));
            let act = Act { account: Some(account), act: "token.revoke", object: &object, detail };
            audit::note(&mut tx, act).await?;
        }
        tx.commit().await?;
        Ok(gone.is_some())
    }
}

fn scopes(names: &[String]) -> Vec<Scope> {
    names.iter().filter_map(|it| Scope::parse(it)).collect()
}
