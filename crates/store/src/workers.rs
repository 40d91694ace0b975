//! Workers: known by the digest of a token, and by what they say of themselves.

use jobs::Hello;
use uuid::Uuid;

use crate::{
    Error, QueueLimits, Reaped, Store,
    audit::{self, Act},
    queue::reap_leases_of,
};

/// A worker that may lease jobs.
#[derive(Clone, Debug)]
pub struct Worker {
    /// Which.
    pub id: Uuid,
    /// As the operator calls it.
    pub name: String,
    /// What it said of itself; none before it has.
    pub hello: Option<Hello>,
}

/// Why a worker cannot be known.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The name is empty or too long.
    #[error("a worker's name has 1 to 64 characters, and this has {found}")]
    Name {
        /// How many it has.
        found: usize,
    },
    /// Another worker has this token.
    #[error("another worker has this token")]
    TokenTaken,
    /// Ours.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sqlx::Error> for WorkerError {
    fn from(why: sqlx::Error) -> WorkerError {
        WorkerError::Store(why.into())
    }
}

impl Store {
    /// Makes a worker known, or gives one that is known another token.
    ///
    /// # Errors
    ///
    /// Where the name does not fit or the token is another's.
    pub async fn admit_worker(
        &self,
        name: &str,
        token_digest: &[u8; 32],
    ) -> Result<Uuid, WorkerError> {
        let found = name.chars().count();
        if !(1..=64).contains(&found) {
            return Err(WorkerError::Name { found });
        }
        let mut tx = self.pool().begin().await?;
        let id = sqlx::query_scalar!(
            "insert into workers (id, name, token_digest) values ($1, $2, $3)
             on conflict (name) do update set token_digest = $3, disabled_at = null
             returning id",
            Uuid::now_v7(),
            name,
            &token_digest[..]
        )
        .fetch_one(&mut *tx)
        .await
        .map_err(|why| match Error::breaks(&why, "workers_token_digest_key") {
            true => WorkerError::TokenTaken,
            false => why.into(),
        })?;
        let act = Act {
            account: None,
            act: "worker.admit",
            object: name,
            detail: serde_json::json!({ "worker": id }),
        };
        audit::note(&mut tx, act).await?;
        tx.commit().await?;
        Ok(id)
    }

    /// The worker with this token, unless it was dismissed.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn worker_by_token(&self, token_digest: &[u8; 32]) -> Result<Option<Worker>, Error> {
        let row = sqlx::query!(
            "select id, name, hello from workers where token_digest = $1 and disabled_at is null",
            &token_digest[..]
        )
        .fetch_optional(self.pool())
        .await?;
        let Some(row) = row else { return Ok(None) };
        // One that said something an older or newer server understood says it anew.
        let hello = row.hello.and_then(|it| serde_json::from_value(it).ok());
        Ok(Some(Worker { id: row.id, name: row.name, hello }))
    }

    /// Keeps what a worker says of itself. One that was started anew knows
    /// nothing of its leases, which are taken back at once.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn greet_worker(
        &self,
        worker: Uuid,
        hello: &Hello,
        limits: &QueueLimits,
    ) -> Result<Reaped, Error> {
        let said =
            serde_json::to_value(hello).map_err(|why| Error::damaged("worker", worker, why))?;
        let mut tx = self.pool().begin().await?;
        let before = sqlx::query_scalar!(
            "select hello from workers where id = $1 for no key update",
            worker
        )
        .fetch_one(&mut *tx)
        .await?;
        sqlx::query!("update workers set hello = $2, seen_at = now() where id = $1", worker, said)
            .execute(&mut *tx)
            .await?;
        let started_anew = before.is_some_and(|it| it.get("start") != said.get("start"));
        let reaped = match started_anew {
            true => reap_leases_of(&mut tx, worker, limits).await?,
            false => Reaped::default(),
        };
        tx.commit().await?;
        Ok(reaped)
    }

    /// Notes that a worker is alive, a few times a minute at most.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn see_worker(&self, worker: Uuid) -> Result<(), Error> {
        sqlx::query!(
            "update workers set seen_at = now()
             where id = $1 and (seen_at is null or seen_at < now() - interval '5 seconds')",
            worker
        )
        .execute(self.pool())
        .await?;
        Ok(())
    }

    /// Turns a worker away from now on; says whether there was one. Its leases run out.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn dismiss_worker(&self, name: &str) -> Result<bool, Error> {
        let gone = sqlx::query!(
            "update workers set disabled_at = now() where name = $1 and disabled_at is null",
            name
        )
        .execute(self.pool())
        .await?;
        Ok(gone.rows_affected() > 0)
    }
}
