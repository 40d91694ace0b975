//! Who did what, for those who must answer for it later.

use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{Error, Store};

/// One entry.
#[derive(Clone, Debug)]
pub struct Act<'a> {
    /// By whom; none: the program itself.
    pub account: Option<Uuid>,
    /// What, as `noun.verb`: `bot.bench`.
    pub act: &'a str,
    /// To what; an id mostly.
    pub object: &'a str,
    /// Whatever else matters.
    pub detail: Value,
}

impl Store {
    /// Notes an act that stands alone.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn note_act(&self, act: Act<'_>) -> Result<(), Error> {
        let mut db = self.pool().acquire().await?;
        Ok(note(&mut db, act).await?)
    }
}

/// Notes an act in the transaction that performs it.
pub(crate) async fn note(db: &mut PgConnection, act: Act<'_>) -> Result<(), sqlx::Error> {
    let Act { account, act, object, detail } = act;
    sqlx::query!(
        "insert into audit_log (account, act, object, detail) values ($1, $2, $3, $4)",
        account,
        act,
        object,
        detail
    )
    .execute(db)
    .await?;
    Ok(())
}
