//! What has run its time is cleared away.

use crate::{Error, Store};

impl Store {
    /// Removes sessions, one-time links and API tokens that are no longer good, answers that
    /// were kept for repeated requests, and notes of uploads that nobody can report any more.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn sweep(&self) -> Result<(), Error> {
        let mut tx = self.pool().begin().await?;
        sqlx::query!("delete from sessions where expires_at < now()").execute(&mut *tx).await?;
        // Kept a while longer, so that whoever comes late is told that it has expired.
        sqlx::query!("delete from one_time_links where expires_at < now() - interval '30 days'")
            .execute(&mut *tx)
            .await?;
        sqlx::query!("delete from api_tokens where expires_at < now() - interval '30 days'")
            .execute(&mut *tx)
            .await?;
        // As long as any setting keeps them.
        sqlx::query!("delete from idempotency_keys where created_at < now() - interval '30 days'")
            .execute(&mut *tx)
            .await?;
        sqlx::query!(
            "delete from uploads u where not exists (
                 select from jobs j where j.lease = u.lease and j.state = 'leased')"
        )
        .execute(&mut *tx)
        .await?;
        tx.commit().await?;
        Ok(())
    }
}
