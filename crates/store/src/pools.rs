//! Set-ups that organisers keep in pools, and which of them ladders play.
//!
//! Whether a set-up is one of the game, and a good one, is the caller's to say.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    Error, Store,
    audit::{self, Act},
};

/// Most pools of one game.
pub const POOLS_MAX: i64 = 100;
/// Most set-ups of one pool.
pub const POOL_SETUPS_MAX: i64 = 500;
/// Most set-ups that all pools together may bring to the ladder of one game.
pub const LADDER_SETUPS_MAX: i64 = 500;
/// Most bytes of one set-up, as JSON.
pub const SETUP_BYTES_MAX: usize = 256 << 10;
/// Most characters of what a pool is called in addresses.
pub const POOL_NAME_CHARS_MAX: usize = 24;
/// Most characters of what a pool is called on pages.
pub const POOL_LABEL_CHARS_MAX: usize = 60;
/// Most characters of what a set-up is called.
pub const SETUP_NAME_CHARS_MAX: usize = 39;
/// Greatest weight of a pool in the ladder.
pub const POOL_WEIGHT_MAX: u32 = 1000;

/// A pool to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewPool<'a> {
    /// Of which game.
    pub game: &'a str,
    /// In addresses: see [`is_pool_name`].
    pub name: &'a str,
    /// On pages: 1 to [`POOL_LABEL_CHARS_MAX`] characters.
    pub label: &'a str,
    /// By whom.
    pub account: Uuid,
}

/// A pool.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Which one.
    pub id: Uuid,
    /// Of which game.
    pub game: String,
    /// In addresses.
    pub name: String,
    /// On pages.
    pub label: String,
    /// How often the ladder plays each of its set-ups, in proportion to all others; 0: not at all.
    pub weight: u32,
    /// Who made it.
    pub created_by: String,
    /// How many set-ups are in it.
    pub n_setups: i64,
    /// When anything about it last changed, its set-ups included.
    pub changed_at: DateTime<Utc>,
}

/// A set-up to be kept.
#[derive(Clone, Debug)]
pub struct NewSetup {
    /// See [`is_setup_name`].
    pub name: String,
    /// In full.
    pub setup: Value,
}

/// A set-up that the ladder plays.
#[derive(Clone, Debug)]
pub struct LadderPoolSetup {
    /// Name of its pool.
    pub pool: String,
    /// Its name there.
    pub name: String,
    /// The weight of its pool.
    pub weight: u32,
    /// In full.
    pub setup: Value,
}

/// Why a pool stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum PoolError {
    /// Another pool of the game has that name.
    #[error("there is a pool called {0} already; choose another name")]
    PoolNameTaken(String),
    /// The game has as many as may be.
    #[error("found {found} pools of this game, which is as many as are allowed")]
    TooManyPools {
        /// How many.
        found: i64,
    },
    /// It was deleted.
    #[error("this pool is no longer there")]
    NoPool,
    /// It has no such set-up.
    #[error("nothing in this pool is called {0}")]
    NoSetup(String),
    /// It has a set-up of that name.
    #[error("the pool has one called {0} already; choose another name, or replace it")]
    SetupNameTaken(String),
    /// It has the same set-up under another name.
    #[error("{name} is the same as {known}, which the pool has already")]
    SameSetup {
        /// What was to be kept.
        name: String,
        /// What is there.
        known: String,
    },
    /// A set-up is larger than may be.
    #[error("{name} has {found} bytes; allowed are {SETUP_BYTES_MAX}")]
    TooLarge {
        /// Which.
        name: String,
        /// How large.
        found: usize,
    },
    /// The pool would hold more than may be.
    #[error("the pool would hold {found}; allowed are {POOL_SETUPS_MAX}")]
    TooManySetups {
        /// How many.
        found: i64,
    },
    /// The ladder would play more than may be.
    #[error("the ladder would play {found} out of pools; allowed are {LADDER_SETUPS_MAX}")]
    LadderFull {
        /// How many.
        found: i64,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sqlx::Error> for PoolError {
    fn from(why: sqlx::Error) -> PoolError {
        PoolError::Store(why.into())
    }
}

/// Whether a pool can be called `name`: small letters, digits and hyphens.
pub fn is_pool_name(name: &str) -> bool {
    let fine = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit();
    (1..=POOL_NAME_CHARS_MAX).contains(&name.len())
        && name.bytes().all(|it| fine(it) || it == b'-')
        && name.bytes().next().is_some_and(fine)
}

/// Whether a set-up can be called `name`: letters, digits, dots, hyphens and low lines.
pub fn is_setup_name(name: &str) -> bool {
    (1..=SETUP_NAME_CHARS_MAX).contains(&name.len())
        && name.bytes().all(|it| it.is_ascii_alphanumeric() || b".-_".contains(&it))
        && name.bytes().next().is_some_and(|it| it.is_ascii_alphanumeric())
}

impl Store {
    /// Makes an empty pool, which the ladder does not play.
    ///
    /// # Errors
    ///
    /// Where the name is taken, or the game has as many pools as may be.
    pub async fn create_pool(&self, new: NewPool<'_>) -> Result<Uuid, PoolError> {
        let mut tx = self.pool().begin().await?;
        hold_pools(&mut tx, new.game).await?;
        let found =
            sqlx::query_scalar!(r#"select count(*) as "n!" from pools where game = $1"#, new.game)
                .fetch_one(&mut *tx)
                .await?;
        if found >= POOLS_MAX {
            return Err(PoolError::TooManyPools { found });
        }
        let id = Uuid::now_v7();
        sqlx::query!(
            "insert into pools (id, game, name, label, created_by) values ($1, $2, $3, $4, $5)",
            id,
            new.game,
            new.name,
            new.label,
            new.account
        )
        .execute(&mut *tx)
        .await
        .map_err(|why| match Error::breaks(&why, "pools_game_name_key") {
            true => PoolError::PoolNameTaken(new.name.to_owned()),
            false => why.into(),
        })?;
        let detail = json!({ "game": new.game, "name": new.name, "label": new.label });
        note(&mut tx, new.account, "pool.create", id, detail).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// Calls a pool otherwise, and says how often the ladder plays it.
    ///
    /// # Errors
    ///
    /// Where it is gone, or the ladder would play more set-ups than may be.
    pub async fn change_pool(
        &self,
        pool: Uuid,
        label: &str,
        weight: u32,
        account: Uuid,
    ) -> Result<(), PoolError> {
        let mut tx = self.pool().begin().await?;
        let game = changing(&mut tx, pool).await?;
        sqlx::query!(
            "update pools set label = $2, weight = $3 where id = $1",
            pool,
            label,
            weight as i32
        )
        .execute(&mut *tx)
        .await?;
        check_ladder(&mut tx, &game).await?;
        let detail = json!({ "label": label, "weight": weight });
        note(&mut tx, account, "pool.change", pool, detail).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Deletes a pool with all that is in it. Matches on its set-ups stay.
    ///
    /// # Errors
    ///
    /// Where it is gone already.
    pub async fn delete_pool(&self, pool: Uuid, account: Uuid) -> Result<(), PoolError> {
        let mut tx = self.pool().begin().await?;
        let gone = sqlx::query!("delete from pools where id = $1 returning game, name", pool);
        let gone = gone.fetch_optional(&mut *tx).await?.ok_or(PoolError::NoPool)?;
        let detail = json!({ "game": gone.game, "name": gone.name });
        note(&mut tx, account, "pool.delete", pool, detail).await?;
        tx.commit().await?;
        Ok(())
    }

    /// All pools of a game, by what they are called.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn pools(&self, game: &str) -> Result<Vec<Pool>, Error> {
        self.pools_called(game, None).await
    }

    /// One pool, by its name.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn find_pool(&self, game: &str, name: &str) -> Result<Option<Pool>, Error> {
        Ok(self.pools_called(game, Some(name)).await?.pop())
    }

    async fn pools_called(&self, game: &str, name: Option<&str>) -> Result<Vec<Pool>, Error> {
        let rows = sqlx::query!(
            r#"select p.id, p.game, p.name, p.label, p.weight, a.name as created_by, p.changed_at,
                      (select count(*) from pool_setups s where s.pool = p.id) as "n_setups!"
               from pools p join accounts a on a.id = p.created_by
               where p.game = $1 and ($2::text is null or p.name = $2)
               order by lower(p.label), p.name"#,
            game,
            name
        );
        let rows = rows.fetch_all(self.pool()).await?;
        let pools = rows.into_iter().map(|it| Pool {
            id: it.id,
            game: it.game,
            name: it.name,
            label: it.label,
            weight: it.weight as u32,
            created_by: it.created_by,
            n_setups: it.n_setups,
            changed_at: it.changed_at,
        });
        Ok(pools.collect())
    }

    /// What is in a pool, by name.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn pool_setups(&self, pool: Uuid) -> Result<Vec<String>, Error> {
        let names = sqlx::query_scalar!(
            r#"select name from pool_setups where pool = $1 order by name collate "C""#,
            pool
        );
        Ok(names.fetch_all(self.pool()).await?)
    }

    /// One set-up of a pool.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn pool_setup(&self, pool: Uuid, name: &str) -> Result<Option<Value>, Error> {
        let setup = sqlx::query_scalar!(
            "select setup from pool_setups where pool = $1 and name = $2",
            pool,
            name
        );
        Ok(setup.fetch_optional(self.pool()).await?)
    }

    /// Keeps set-ups in a pool: all of them or none. Those of the same names are replaced where
    /// `replaces` says so.
    ///
    /// # Errors
    ///
    /// [`PoolError`]; then nothing has changed.
    pub async fn keep_setups(
        &self,
        pool: Uuid,
        new: &[NewSetup],
        replaces: bool,
        account: Uuid,
    ) -> Result<(), PoolError> {
        let mut tx = self.pool().begin().await?;
        let game = changing(&mut tx, pool).await?;
        for it in new {
            keep(&mut tx, pool, it, replaces, account).await?;
        }
        let found = sqlx::query_scalar!(
            r#"select count(*) as "n!" from pool_setups where pool = $1"#,
            pool
        )
        .fetch_one(&mut *tx)
        .await?;
        if found > POOL_SETUPS_MAX {
            return Err(PoolError::TooManySetups { found });
        }
        check_ladder(&mut tx, &game).await?;
        let names: Vec<_> = new.iter().map(|it| it.name.as_str()).collect();
        let detail = json!({ "setups": names, "replaces": replaces });
        note(&mut tx, account, "pool.keep", pool, detail).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Takes a set-up out of a pool. Matches on it stay.
    ///
    /// # Errors
    ///
    /// Where it is gone already.
    pub async fn remove_setup(
        &self,
        pool: Uuid,
        name: &str,
        account: Uuid,
    ) -> Result<(), PoolError> {
        let mut tx = self.pool().begin().await?;
        changing(&mut tx, pool).await?;
        let gone =
            sqlx::query!("delete from pool_setups where pool = $1 and name = $2", pool, name);
        if gone.execute(&mut *tx).await?.rows_affected() == 0 {
            return Err(PoolError::NoSetup(name.to_owned()));
        }
        note(&mut tx, account, "pool.remove", pool, json!({ "setup": name })).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Tells whether anything has changed about what the ladder of a game plays out of pools.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn ladder_pools(&self, game: &str) -> Result<Vec<(Uuid, DateTime<Utc>)>, Error> {
        let rows = sqlx::query!(
            "select id, changed_at from pools where game = $1 and weight > 0 order by id",
            game
        );
        let rows = rows.fetch_all(self.pool()).await?;
        Ok(rows.into_iter().map(|it| (it.id, it.changed_at)).collect())
    }

    /// What the ladder of a game plays out of pools.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn ladder_setups(&self, game: &str) -> Result<Vec<LadderPoolSetup>, Error> {
        let rows = sqlx::query!(
            r#"select p.name as pool, p.weight, s.name, s.setup
               from pools p join pool_setups s on s.pool = p.id
               where p.game = $1 and p.weight > 0
               order by p.name collate "C", s.name collate "C""#,
            game
        );
        let rows = rows.fetch_all(self.pool()).await?;
        let setups = rows.into_iter().map(|it| LadderPoolSetup {
            pool: it.pool,
            name: it.name,
            weight: it.weight as u32,
            setup: it.setup,
        });
        Ok(setups.collect())
    }
}

/// Holds a pool until the end of the transaction, as one that has changed; says of which game.
async fn changing(db: &mut PgConnection, pool: Uuid) -> Result<String, PoolError> {
    let game = sqlx::query_scalar!(
        "update pools set changed_at = clock_timestamp() where id = $1 returning game",
        pool
    );
    game.fetch_optional(db).await?.ok_or(PoolError::NoPool)
}

async fn keep(
    db: &mut PgConnection,
    pool: Uuid,
    new: &NewSetup,
    replaces: bool,
    account: Uuid,
) -> Result<(), PoolError> {
    let name = || new.name.clone();
    let text = new.setup.to_string();
    // With the blanks that Postgres writes, too.
    let found = text.len() + text.matches([',', ':']).count();
    if found > SETUP_BYTES_MAX {
        return Err(PoolError::TooLarge { name: name(), found });
    }
    let digest = Sha256::digest(text.as_bytes());
    if replaces {
        sqlx::query!("delete from pool_setups where pool = $1 and name = $2", pool, new.name)
            .execute(&mut *db)
            .await?;
    }
    let known = sqlx::query_scalar!(
        "select name from pool_setups where pool = $1 and (digest = $2 or name = $3)
         order by name = $3 desc limit 1",
        pool,
        digest.as_slice(),
        new.name
    );
    match known.fetch_optional(&mut *db).await? {
        Some(known) if known == new.name => return Err(PoolError::SetupNameTaken(known)),
        Some(known) => return Err(PoolError::SameSetup { name: name(), known }),
        None => {}
    }
    sqlx::query!(
        "insert into pool_setups (pool, name, setup, digest, added_by)
         values ($1, $2, $3, $4, $5)",
        pool,
        new.name,
        new.setup,
        digest.as_slice(),
        account
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Holds all pools of a game until the end of the transaction, so that two requests at once cannot
/// pass a limit together.
async fn hold_pools(db: &mut PgConnection, game: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('pools of ' || $1, 0))", game)
        .fetch_one(db)
        .await?;
    Ok(())
}

/// What was changed is there already; others wait until it is there for all.
async fn check_ladder(db: &mut PgConnection, game: &str) -> Result<(), PoolError> {
    hold_pools(&mut *db, game).await?;
    let found = sqlx::query_scalar!(
        r#"select count(*) as "n!" from pool_setups s join pools p on p.id = s.pool
           where p.game = $1 and p.weight > 0"#,
        game
    );
    match found.fetch_one(db).await? {
        found if found > LADDER_SETUPS_MAX => Err(PoolError::LadderFull { found }),
        _ => Ok(()),
    }
}

async fn note(
    db: &mut PgConnection,
    account: Uuid,
    act: &str,
    pool: Uuid,
    detail: Value,
) -> Result<(), sqlx::Error> {
    let object = pool.to_string();
    audit::note(db, Act { account: Some(account), act, object: &object, detail }).await
}
