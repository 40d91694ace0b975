//! Requests that are done once, however often they come: by a key of whoever asks, the first
//! answer is kept for a while and given again.

use std::time::Duration;

use uuid::Uuid;

use crate::{Error, Store};

/// Most characters of a key.
pub const IDEMPOTENCY_KEY_CHARS_MAX: usize = 255;
/// Most bytes of an answer that is kept.
pub const KEPT_ANSWER_BYTES_MAX: usize = 64 << 10;

/// A request with a key.
#[derive(Clone, Copy, Debug)]
pub struct KeyedRequest<'a> {
    /// Who asks.
    pub account: Uuid,
    /// The key: 1 to [`IDEMPOTENCY_KEY_CHARS_MAX`] characters.
    pub key: &'a str,
    /// SHA-256 of what is asked.
    pub request: [u8; 32],
    /// How long answers are kept.
    pub life: Duration,
    /// Most keys that are kept for one account; the oldest go.
    pub keys_max: i64,
}

/// An answer, as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    /// Its HTTP status.
    pub status: u16,
    /// Where what was made is.
    pub location: Option<String>,
    /// At most [`KEPT_ANSWER_BYTES_MAX`].
    pub body: Vec<u8>,
}

/// What is known of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyState {
    /// Nothing: the request is to be done, and is now under way.
    New,
    /// The first request was answered.
    Answered(KeptAnswer),
    /// It is under way, or nobody knows how it ended.
    UnderWay,
    /// It asked something else.
    Other,
}

impl Store {
    /// Takes a key for a request, or says what became of the one that had it first.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn take_key(&self, new: &KeyedRequest<'_>) -> Result<KeyState, Error> {
        let mut tx = self.pool().begin().await?;
        sqlx::query!(
            "delete from idempotency_keys
             where account = $1 and (created_at < now() - make_interval(secs => $2) or key in (
                 select key from idempotency_keys where account = $1 and status is not null
                   and key <> $3
                 order by created_at desc offset $4))",
            new.account,
            new.life.as_secs_f64(),
            new.key,
            (new.keys_max - 1).max(0)
        )
        .execute(&mut *tx)
        .await?;
        let taken = sqlx::query!(
            "insert into idempotency_keys (account, key, request) values ($1, $2, $3)
             on conflict do nothing",
            new.account,
            new.key,
            new.request.as_slice()
        );
        if taken.execute(&mut *tx).await?.rows_affected() == 1 {
            tx.commit().await?;
            return Ok(KeyState::New);
        }
        let row = sqlx::query!(
            "select request, status, location, body from idempotency_keys
             where account = $1 and key = $2",
            new.account,
            new.key
        );
        let row = row.fetch_optional(&mut *tx).await?;
        tx.commit().await?;
        Ok(match row {
            Some(it) if it.request != new.request => KeyState::Other,
            Some(it) => match it.status {
                Some(status) => KeyState::Answered(KeptAnswer {
                    status: status.unsigned_abs(),
                    location: it.location,
                    body: it.body.unwrap_or_default(),
                }),
                None => KeyState::UnderWay,
            },
            // Given back at this very moment.
            None => KeyState::UnderWay,
        })
    }

    /// Keeps the answer to the request that has a key.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn keep_answer(
        &self,
        account: Uuid,
        key: &str,
        answer: &KeptAnswer,
    ) -> Result<(), Error> {
        sqlx::query!(
            "update idempotency_keys set status = $3, location = $4, body = $5
             where account = $1 and key = $2",
            account,
            key,
            i16::try_from(answer.status).unwrap_or(i16::MAX),
            answer.location,
            answer.body
        )
        .execute(self.pool())
        .await?;
        Ok(())
    }

    /// Gives a key back: its request has changed nothing, and may be tried again.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn give_key_back(&self, account: Uuid, key: &str) -> Result<(), Error> {
        sqlx::query!(
            "delete from idempotency_keys where account = $1 and key = $2 and status is null",
            account,
            key
        )
        .execute(self.pool())
        .await?;
        Ok(())
    }
}
