//! What may go wrong with the database itself.

use uuid::Uuid;

/// The database failed us; nobody's input is at fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// It answered with an error, or not at all.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    /// The schema could not be brought up to date.
    #[error("the schema could not be brought up to date")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// The address in the configuration is none.
    #[error("this is no address of a Postgres database: {0}")]
    Address(String),
    /// A row holds what this program has not written.
    #[error("{what} {id} is damaged: {why}")]
    Damaged {
        /// What kind of row.
        what: &'static str,
        /// Which one.
        id: Uuid,
        /// What is wrong with it.
        why: String,
    },
    /// The system has no randomness to give.
    #[error("the system gives no random bytes")]
    Random(#[from] getrandom::Error),
}

impl Error {
    pub(crate) fn damaged(what: &'static str, id: Uuid, why: impl ToString) -> Error {
        Error::Damaged { what, id, why: why.to_string() }
    }

    /// Whether it is `constraint` that refused a row.
    pub(crate) fn breaks(error: &sqlx::Error, constraint: &str) -> bool {
        error.as_database_error().and_then(|it| it.constraint()) == Some(constraint)
    }
}
