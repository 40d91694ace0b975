//! People: their names, their roles, and the links that let them in once.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Error, Store,
    audit::{self, Act},
};

/// What an account may do beyond its own bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Role {
    /// Enters bots.
    Contestant,
    /// Runs contests.
    Organiser,
    /// Runs the server.
    Admin,
}

impl Role {
    /// As it is stored.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::Contestant => "contestant",
            Role::Organiser => "organiser",
            Role::Admin => "admin",
        }
    }

    /// Whether it runs contests: who runs the server may do that too.
    pub fn organises(self) -> bool {
        matches!(self, Role::Organiser | Role::Admin)
    }
}

/// A person, as the program knows one who is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// Which one.
    pub id: Uuid,
    /// As it is shown.
    pub name: String,
    /// What it may do.
    pub role: Role,
    /// Whether its bots are documented ones of the house.
    pub house: bool,
    /// Since when.
    pub created_at: DateTime<Utc>,
}

/// An account to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewAccount<'a> {
    /// As it is shown: 2 to 32 characters.
    pub name: &'a str,
    /// As it is compared.
    pub name_key: &'a str,
    /// A PHC string; none where a link will set it.
    pub password_hash: Option<&'a str>,
    /// What it may do.
    pub role: Role,
    /// Whether its bots are documented ones of the house.
    pub house: bool,
}

/// Why an account was not made.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Another account has a name that compares equal.
    #[error("the name is taken")]
    NameTaken,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sqlx::Error> for AccountError {
    fn from(error: sqlx::Error) -> AccountError {
        match Error::breaks(&error, "accounts_name_key_key") {
            true => AccountError::NameTaken,
            false => AccountError::Store(error.into()),
        }
    }
}

/// What a password is checked against.
#[derive(Clone, Debug)]
pub struct Credentials {
    /// Whose.
    pub account: Uuid,
    /// A PHC string; none where no password was ever set, or the account is disabled.
    pub password_hash: Option<String>,
}

impl Store {
    /// Makes an account.
    ///
    /// # Errors
    ///
    /// [`AccountError::NameTaken`], or the database fails.
    pub async fn create_account(&self, new: NewAccount<'_>) -> Result<Uuid, AccountError> {
        let mut db = self.pool().begin().await?;
        let id = insert_account(&mut db, new).await?;
        db.commit().await?;
        Ok(id)
    }

    /// Says what an account may do from now on.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn set_role(&self, account: Uuid, role: Role) -> Result<(), Error> {
        let mut db = self.pool().begin().await?;
        sqlx::query!("update accounts set role = $2 where id = $1", account, role.as_str())
            .execute(&mut *db)
            .await?;
        let act = Act {
            account: None,
            act: "account.set_role",
            object: &account.to_string(),
            detail: json!({ "role": role.as_str() }),
        };
        audit::note(&mut db, act).await?;
        db.commit().await?;
        Ok(())
    }

    /// Looks up what a password is checked against.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn credentials(&self, name_key: &str) -> Result<Option<Credentials>, Error> {
        let row = sqlx::query!(
            "select id, case when disabled_at is null then password_hash end as password_hash
             from accounts where name_key = $1",
            name_key
        );
        let row = row.fetch_optional(self.pool()).await?;
        Ok(row.map(|it| Credentials { account: it.id, password_hash: it.password_hash }))
    }

    /// The same, of an account that is known already.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn credentials_of(&self, account: Uuid) -> Result<Option<Credentials>, Error> {
        let row = sqlx::query!(
            "select case when disabled_at is null then password_hash end as password_hash
             from accounts where id = $1",
            account
        );
        let row = row.fetch_optional(self.pool()).await?;
        Ok(row.map(|it| Credentials { account, password_hash: it.password_hash }))
    }

    /// Sets a new password and ends every session of the account but `keep`.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn change_password(
        &self,
        account: Uuid,
        password_hash: &str,
        keep: Option<[u8; 32]>,
    ) -> Result<(), Error> {
        let mut db = self.pool().begin().await?;
        set_password(&mut db, account, password_hash, keep).await?;
        note(&mut db, Some(account), "account.change_password", json!({})).await?;
        db.commit().await?;
        Ok(())
    }

    /// The account with the first admin's name where no admin can sign in yet,
    /// made if need be; nothing where one can.
    ///
    /// # Errors
    ///
    /// [`AccountError::NameTaken`] where somebody else has that name, or the database fails.
    pub async fn first_admin(&self, name: &str) -> Result<Option<Uuid>, AccountError> {
        let mut db = self.pool().begin().await?;
        // Servers may start together: one of them makes the account.
        sqlx::query!("lock table accounts in share row exclusive mode").execute(&mut *db).await?;
        let admins = sqlx::query!(
            "select id, password_hash is not null as \"ready!\" from accounts
             where role = 'admin' and disabled_at is null order by created_at, id"
        );
        let admins = admins.fetch_all(&mut *db).await?;
        if admins.iter().any(|it| it.ready) {
            return Ok(None);
        }
        let id = match admins.first() {
            Some(it) => it.id,
            None => {
                let new = NewAccount {
                    name,
                    name_key: name,
                    password_hash: None,
                    role: Role::Admin,
                    house: false,
                };
                insert_account(&mut db, new).await?
            }
        };
        db.commit().await?;
        Ok(Some(id))
    }

    /// Keeps a link that lets its holder set the password of `account` once.
    /// Earlier links of that account end.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn create_link(
        &self,
        account: Uuid,
        digest: [u8; 32],
        expires_at: DateTime<Utc>,
    ) -> Result<(), Error> {
        let mut db = self.pool().begin().await?;
        sqlx::query!("delete from one_time_links where account = $1 and used_at is null", account)
            .execute(&mut *db)
            .await?;
        let insert = sqlx::query!(
            "insert into one_time_links (digest, account, expires_at) values ($1, $2, $3)",
            digest.as_slice(),
            account,
            expires_at
        );
        insert.execute(&mut *db).await?;
        let act = Act {
            account: None,
            act: "account.make_link",
            object: &account.to_string(),
            detail: json!({}),
        };
        audit::note(&mut db, act).await?;
        db.commit().await?;
        Ok(())
    }

    /// Whose password a link sets: the name, while the link is good.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn link(&self, digest: [u8; 32]) -> Result<Option<String>, Error> {
        let row = sqlx::query!(
            "select accounts.name from one_time_links
             join accounts on accounts.id = one_time_links.account
             where digest = $1 and used_at is null and expires_at > now()
               and disabled_at is null",
            digest.as_slice()
        );
        Ok(row.fetch_optional(self.pool()).await?.map(|it| it.name))
    }

    /// Uses a link up: sets the password, ends the account's sessions, and says
    /// whose it was. Nothing where the link is used, has expired or never was.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn use_link(
        &self,
        digest: [u8; 32],
        password_hash: &str,
    ) -> Result<Option<Uuid>, Error> {
        let mut db = self.pool().begin().await?;
        let used = sqlx::query!(
            "update one_time_links set used_at = now()
             from accounts where accounts.id = account and disabled_at is null
               and digest = $1 and used_at is null and expires_at > now()
             returning account",
            digest.as_slice()
        );
        let Some(used) = used.fetch_optional(&mut *db).await? else { return Ok(None) };
        set_password(&mut db, used.account, password_hash, None).await?;
        note(&mut db, Some(used.account), "account.use_link", json!({})).await?;
        db.commit().await?;
        Ok(Some(used.account))
    }

    /// The account of this name.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn account_by_name(&self, name_key: &str) -> Result<Option<Uuid>, Error> {
        Ok(sqlx::query_scalar!(
            "select id from accounts where name_key = $1 and disabled_at is null",
            name_key
        )
        .fetch_optional(self.pool())
        .await?)
    }
}

async fn insert_account(db: &mut PgConnection, new: NewAccount<'_>) -> Result<Uuid, AccountError> {
    let id = Uuid::now_v7();
    let insert = sqlx::query!(
        "insert into accounts (id, name, name_key, password_hash, role, house)
         values ($1, $2, $3, $4, $5, $6)",
        id,
        new.name,
        new.name_key,
        new.password_hash,
        new.role.as_str(),
        new.house
    );
    insert.execute(&mut *db).await?;
    let detail = json!({ "name": new.name, "role": new.role.as_str() });
    note(db, Some(id), "account.create", detail).await?;
    Ok(id)
}

async fn set_password(
    db: &mut PgConnection,
    account: Uuid,
    password_hash: &str,
    keep: Option<[u8; 32]>,
) -> Result<(), sqlx::Error> {
    sqlx::query!("update accounts set password_hash = $2 where id = $1", account, password_hash)
        .execute(&mut *db)
        .await?;
    let keep = keep.as_ref().map(|it| it.as_slice());
    sqlx::query!(
        "delete from sessions where account = $1 and digest is distinct from $2",
        account,
        keep
    )
    .execute(&mut *db)
    .await?;
    Ok(())
}

/// Notes what an account did to itself.
pub(crate) async fn note(
    db: &mut PgConnection,
    account: Option<Uuid>,
    act: &str,
    detail: serde_json::Value,
) -> Result<(), sqlx::Error> {
    let object = account.map_or(String::new(), |it| it.to_string());
    audit::note(db, Act { account, act, object: &object, detail }).await
}
