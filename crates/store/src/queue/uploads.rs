//! What a lease has uploaded, noted so that only it can be reported.

use uuid::Uuid;

use crate::{Blob, Error, Store};

impl Store {
    /// Notes what a lease has put into its upload address; the last one counts.
    /// Says whether the lease lives.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn note_upload(&self, lease: Uuid, blob: &Blob) -> Result<bool, Error> {
        let noted = sqlx::query!(
            "insert into uploads (lease, digest, bytes)
             select lease, $2, $3 from jobs where lease = $1 and state = 'leased' for share
             on conflict (lease) do update set digest = $2, bytes = $3, at = now()",
            lease,
            blob.digest,
            blob.bytes as i64
        )
        .execute(self.pool())
        .await?;
        Ok(noted.rows_affected() == 1)
    }

    /// Whether a lease lives, whosever it is: its upload address is signed.
    ///
    /// # Errors
    ///
    /// Where the database fails.
    pub async fn lease_lives(&self, lease: Uuid) -> Result<bool, Error> {
        let found =
            sqlx::query_scalar!("select id from jobs where lease = $1 and state = 'leased'", lease)
                .fetch_optional(self.pool())
                .await?;
        Ok(found.is_some())
    }
}
