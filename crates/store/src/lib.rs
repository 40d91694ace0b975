//! Postgres and blobs: people, bots, matches and the queue.
//!
//! The only crate that knows SQL. It keeps what is true and who may change it,
//! and decides nothing: who is paired with whom, what a result does to a
//! rating and what a page shows come from its callers. It knows no HTTP and
//! no game.

mod accounts;
mod audit;
mod blobs;
mod bots;
mod collect;
mod entries;
mod error;
mod fits;
mod idempotency;
mod invitations;
mod ladder;
mod matches;
mod notices;
mod pools;
mod queue;
mod ratings;
mod read;
mod secrets;
mod sessions;
mod status;
mod sweep;
#[cfg(feature = "testing")]
pub mod testing;
mod tokens;
mod versions;
mod workers;

use std::{str::FromStr, sync::Arc, time::Duration};

use sqlx::{
    Connection, PgConnection, PgPool,
    migrate::Migrator,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::sync::broadcast;

use crate::notices::Listener;
pub use crate::{
    accounts::{Account, AccountError, Credentials, NewAccount, Role},
    audit::Act,
    blobs::{Blob, BlobError, Blobs, Incoming, Sealed, digest_of},
    bots::{Bench, BenchedBy, BotError, BotState, NewBot},
    collect::{CollectError, Collected, UNREFERENCED_LIFE},
    entries::{Entered, Entry, EntryBot, EntryError},
    error::Error,
    fits::{FittedStrength, StoredFit},
    idempotency::{
        IDEMPOTENCY_KEY_CHARS_MAX, KEPT_ANSWER_BYTES_MAX, KeptAnswer, KeyState, KeyedRequest,
    },
    invitations::{Accepted, InvitationError, InvitationState},
    ladder::{LadderBot, LadderState},
    matches::{MatchError, MatchState, NewMatch, NewSeat, Purpose, create_match},
    notices::Notice,
    pools::{
        LADDER_SETUPS_MAX, LadderPoolSetup, NewPool, NewSetup, POOL_LABEL_CHARS_MAX,
        POOL_NAME_CHARS_MAX, POOL_SETUPS_MAX, POOL_WEIGHT_MAX, POOLS_MAX, Pool, PoolError,
        SETUP_BYTES_MAX, SETUP_NAME_CHARS_MAX, is_pool_name, is_setup_name,
    },
    queue::{
        BuildDecision, BuildState, Built, CountedSeat, DeedError, DeedsSince, FailedAttempt,
        FinishError, Finished, Lane, Leased, LeasedBuild, LeasedJob, LeasedMatch, LeasedSeat, Made,
        MatchDecision, MatchTerms, NewDeed, PlayedMatch, PlayedSeat, PlyError, Poll, QueueLimits,
        Reaped, Reporting, SeatVerdict,
    },
    ratings::{LoggedMatch, LoggedSeat, Rating},
    read::{
        BoardRow, BotPage, Competitor, FailureRow, FitHead, Fitted, GameCount, Invitation,
        InvitedSeat, LivePlies, MatchFilter, MatchPage, MatchRow, MatchSeat, OwnBot, Pace,
        PublishedMatch, PublishedRating, PublishedSeat, ReadyBot, Rival, Standing, VersionPage,
        VersionRow, Waiting,
    },
    sessions::{NewSession, OpenSession, SESSIONS_MAX, SessionDigest, USER_AGENT_CHARS_MAX},
    status::{LaneStatus, Status, WorkerStatus},
    tokens::{
        API_TOKEN_NAME_CHARS_MAX, API_TOKENS_MAX, ApiToken, ApiTokenError, NewApiToken, Scope,
        TokenHolder,
    },
    versions::{NewVersion, VersionError, VersionState},
    workers::{Worker, WorkerError},
};

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");

/// The database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    pool: PgPool,
    listener: Arc<Listener>,
}

/// How much of the database one process may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most connections, one for listening not counted.
    pub connections_max: u32,
    /// Longest wait for a free one.
    pub acquire_timeout: Duration,
    /// Longest run of one statement.
    pub statement_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections_max: 16,
            acquire_timeout: Duration::from_secs(5),
            statement_timeout: Duration::from_secs(10),
        }
    }
}

impl Store {
    /// Connects, brings the schema up to date, and starts to listen.
    ///
    /// Migrations run under a lock of the database, so any number of servers
    /// may start at once.
    ///
    /// # Errors
    ///
    /// Where the address is none, nobody answers there, or a migration fails.
    pub async fn connect(url: &str, limits: Limits) -> Result<Store, Error> {
        let options = PgConnectOptions::from_str(url)
            .map_err(|why| Error::Address(why.to_string()))?
            .application_name("agon");
        // A pool would try again and again, and then not say what was wrong.
        PgConnection::connect_with(&options).await?.close().await?;
        migrate(&options).await?;

        let timeout_ms = limits.statement_timeout.as_millis().to_string();
        let pool = PgPoolOptions::new()
            .max_connections(limits.connections_max)
            .acquire_timeout(limits.acquire_timeout)
            .connect_with(options.clone().options([("statement_timeout", timeout_ms)]))
            .await?;
        let listener = Arc::new(Listener::start(options).await?);
        Ok(Store { pool, listener })
    }

    /// What happens from now on, on this server and on all others.
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        self.listener.subscribe()
    }

    /// Whether the database answers.
    ///
    /// # Errors
    ///
    /// Where it does not.
    pub async fn ping(&self) -> Result<(), Error> {
        sqlx::query!("select 1 as one").fetch_one(&self.pool).await?;
        Ok(())
    }

    /// Ends all connections, waiting for what is under way.
    pub async fn close(&self) {
        self.pool.close().await;
    }

    pub(crate) fn pool(&self) -> &PgPool {
        &self.pool
    }
}

/// Brings the schema up to date, on a connection without limits: it may take
/// longer than any statement of a request.
async fn migrate(options: &PgConnectOptions) -> Result<(), Error> {
    let pool = PgPoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
    MIGRATIONS.run(&pool).await?;
    pool.close().await;
    Ok(())
}
