//! What people decide, on its way from their browsers to the worker that plays their match.

use game::Seat;
use serde_json::{Value, json};
use sqlx::types::Json;
use uuid::Uuid;

use crate::{
    Error, Store,
    notices::{Notice, notify},
};

/// Deeds that are read at once. A match waits for few.
const DEEDS_MAX: i64 = 64;

/// What a person has decided.
#[derive(Clone, Debug)]
pub struct NewDeed<'a> {
    /// In which match.
    pub match_id: Uuid,
    /// During which attempt at playing it.
    pub attempt: i32,
    /// For which ply.
    pub ply: u32,
    /// On which seat.
    pub seat: Seat,
    /// Who.
    pub account: Uuid,
    /// The game's action.
    pub action: &'a Value,
    /// What they have said for the log in that turn, without NULs.
    pub log: &'a [String],
}

/// Why a decision counts for nothing.
#[derive(Debug, thiserror::Error)]
pub enum DeedError {
    /// The match is not played at this moment, or by another worker than a moment ago.
    #[error("the match is not being played at this moment")]
    NotPlayed,
    /// The seat is not this person's.
    #[error("this seat is not yours")]
    NotTheirs,
    /// There is a decision for this ply already.
    #[error("you have decided already")]
    Again,
    /// Ours.
    #[error(transparent)]
    Store(#[from] Error),
}

impl From<sqlx::Error> for DeedError {
    fn from(why: sqlx::Error) -> DeedError {
        DeedError::Store(why.into())
    }
}

/// What people have decided in a match under way.
#[derive(Clone, Debug)]
pub struct DeedsSince {
    /// Which match.
    pub match_id: Uuid,
    /// Each with a number; whatever is decided later has a greater one.
    pub deeds: Vec<(i64, jobs::Deed)>,
}

impl Store {
    /// Passes on what a person has decided.
    ///
    /// # Errors
    ///
    /// Where they may not decide this now.
    pub async fn add_deed(&self, new: &NewDeed<'_>) -> Result<(), DeedError> {
        let mut tx = self.pool().begin().await?;
        // Not together with whoever ends the lease, and one deed of a match after the other: a
        // number that is given later must not be seen earlier, or the worker would pass one over.
        sqlx::query!(
            "select id from jobs where match = $1 and attempt = $2 and state = 'leased'
             for no key update",
            new.match_id,
            new.attempt
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or(DeedError::NotPlayed)?;
        sqlx::query!(
            "select match from match_seats
             where match = $1 and seat = $2 and account = $3 and bot is null",
            new.match_id,
            i16::from(new.seat.0),
            new.account
        )
        .fetch_optional(&mut *tx)
        .await?
        .ok_or(DeedError::NotTheirs)?;
        let added = sqlx::query!(
            "insert into deeds (match, attempt, ply, seat, action, log)
             values ($1, $2, $3, $4, $5, $6) on conflict (match, attempt, ply, seat) do nothing",
            new.match_id,
            new.attempt,
            new.ply as i32,
            i16::from(new.seat.0),
            new.action,
            json!(new.log)
        )
        .execute(&mut *tx)
        .await?;
        if added.rows_affected() == 0 {
            return Err(DeedError::Again);
        }
        notify(&mut tx, Notice::Deed(new.match_id)).await?;
        tx.commit().await?;
        Ok(())
    }

    /// What people have decided since deed number `after`, for the worker that plays their match;
    /// none where the lease is not, or no longer, its own.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn deeds_since(
        &self,
        lease: Uuid,
        worker: Uuid,
        after: i64,
    ) -> Result<Option<DeedsSince>, Error> {
        let job = sqlx::query!(
            r#"select match as "match_id!", attempt from jobs
               where lease = $1 and worker = $2 and state = 'leased' and match is not null"#,
            lease,
            worker
        );
        let Some(job) = job.fetch_optional(self.pool()).await? else { return Ok(None) };
        let rows = sqlx::query!(
            r#"select id, ply, seat, action as "action!: Value",
                      log as "log!: Json<Vec<String>>" from deeds
               where match = $1 and attempt = $2 and id > $3 order by id limit $4"#,
            job.match_id,
            job.attempt,
            after,
            DEEDS_MAX
        );
        let deeds = rows.fetch_all(self.pool()).await?.into_iter().map(|it| {
            let (ply, seat) = (it.ply as u32, Seat(it.seat as u8));
            (it.id, jobs::Deed { ply, seat, action: it.action, log: it.log.0 })
        });
        Ok(Some(DeedsSince { match_id: job.match_id, deeds: deeds.collect() }))
    }
}
