//! Keys the program makes for itself at its first start, and keeps.

use crate::{Error, Store};

impl Store {
    /// The key of this name: 32 random bytes, the same for every server and for ever.
    ///
    /// # Errors
    ///
    /// Where the database or the system's randomness fails.
    pub async fn secret(&self, name: &str) -> Result<[u8; 32], Error> {
        let mut fresh = [0; 32];
        getrandom::fill(&mut fresh)?;
        sqlx::query!(
            "insert into secrets (name, value) values ($1, $2) on conflict do nothing",
            name,
            &fresh[..]
        )
        .execute(self.pool())
        .await?;
        let value = sqlx::query_scalar!("select value from secrets where name = $1", name)
            .fetch_one(self.pool())
            .await?;
        value.try_into().map_err(|_| {
            Error::damaged("secret", uuid::Uuid::nil(), format!("{name} has not 32 bytes"))
        })
    }
}
