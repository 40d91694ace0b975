//! What an operator may set: one file, then the environment, then a check of every value.
//!
//! The file is shared with the worker; tables that are not the server's are
//! left to whom they belong, keys the server does not know in its own are
//! refused.

mod check;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    env,
    net::{IpAddr, SocketAddr},
    path::{Path, PathBuf},
    time::Duration,
};

use config::{Environment, File, FileFormat};
use serde::Deserialize;
use store::QueueLimits;

/// All that is set for a server.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Config {
    /// The address, and what lies around it.
    pub server: Server,
    /// The database.
    pub database: Database,
    /// How patient the queue is.
    pub queue: Queue,
    /// How matches come about by themselves.
    pub ladder: Ladder,
    /// How much is allowed.
    pub limits: Limits,
    /// What programs may ask.
    pub api: Api,
    /// Where languages, rules and presets are described. Not in the file.
    #[serde(skip)]
    pub config_dir: PathBuf,
}

/// The address, and what lies around it.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Server {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Under which address people reach it.
    pub public_url: String,
    /// Where blobs are kept.
    pub data_dir: PathBuf,
    /// Whose `X-Forwarded-For` is believed.
    #[serde(deserialize_with = "addresses")]
    pub trusted_proxies: Vec<IpAddr>,
    /// SHA-256 of the token of the worker beside us, in hex; empty: there is none.
    pub local_worker_token_digest: String,
}

impl Default for Server {
    fn default() -> Server {
        Server {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            public_url: "http://127.0.0.1:8080".to_owned(),
            data_dir: PathBuf::from("data"),
            trusted_proxies: Vec::new(),
            local_worker_token_digest: String::new(),
        }
    }
}

/// The database.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Database {
    /// Its address.
    pub url: String,
    /// Most connections of one server, the one that listens not counted.
    pub connections_max: u32,
    /// Longest wait for a free one.
    pub acquire_timeout_s: u64,
    /// Longest run of one statement.
    pub statement_timeout_s: u64,
}

impl Default for Database {
    fn default() -> Database {
        let store::Limits { connections_max, acquire_timeout, statement_timeout } =
            store::Limits::default();
        Database {
            url: String::new(),
            connections_max,
            acquire_timeout_s: acquire_timeout.as_secs(),
            statement_timeout_s: statement_timeout.as_secs(),
        }
    }
}

/// How patient the queue is.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Queue {
    /// Workers renew their leases this often; a lease runs for three times as long.
    pub renew_s: u64,
    /// A job is void after this many attempts that failed or were lost.
    pub attempts_max: u32,
    /// Wait before the second attempt; doubled for each further one.
    pub backoff_s: u64,
    /// Longest wait before an attempt.
    pub backoff_max_s: u64,
    /// The most a match with people may take in all.
    pub people_match_s: u64,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue {
            renew_s: 5,
            attempts_max: 5,
            backoff_s: 1,
            backoff_max_s: 60,
            people_match_s: 6 * 3600,
        }
    }
}

/// How matches come about by themselves.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ladder {
    /// Whether they do.
    pub enabled: bool,
    /// Time between two looks at the ladder; news make it look sooner.
    pub look_s: u64,
    /// Matches that wait or run at once for a bot whose rating is not settled.
    pub pending: u32,
    /// A rating is settled once its deviation is at most this.
    pub settled_deviation: f64,
    /// A bot whose rating is settled gets a match this often.
    pub interval_s: u64,
    /// Every bot on the ladder is promised that its next match begins within this time.
    pub promise_s: u64,
    /// The last rated matches that strengths are fitted to.
    pub fit_matches: u64,
    /// How often they are fitted anew.
    pub fit_s: u64,
}

impl Default for Ladder {
    fn default() -> Ladder {
        Ladder {
            enabled: true,
            look_s: 5,
            pending: 2,
            settled_deviation: 80.0,
            interval_s: 600,
            promise_s: 1800,
            fit_matches: 200_000,
            fit_s: 300,
        }
    }
}

/// How much is allowed.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes of an uploaded source.
    pub source_bytes_max: u64,
    /// Bytes of an uploaded archive.
    pub archive_bytes_max: u64,
    /// Files in it.
    pub archive_files_max: u32,
    /// Its entries: files, folders, and what is left out.
    pub archive_entries_max: u32,
    /// Bytes of all that is in it.
    pub archive_unpacked_bytes_max: u64,
    /// Bytes that one of its bytes may unpack to.
    pub archive_ratio_max: u32,
    /// Archives that are read at once.
    pub archives_at_once: u32,
    /// Bytes of what a build makes of it.
    pub artefact_bytes_max: u64,
    /// Bytes of a record, compressed.
    pub record_bytes_max: u64,
    /// Bytes of a worker's report.
    pub report_bytes_max: u64,
    /// Bytes of plies in one message of a worker.
    pub plies_bytes_max: u64,
    /// Plies of a match.
    pub plies_max: u32,
    /// Bots of one account.
    pub bots_max: i64,
    /// Builds of one account that may wait at once.
    pub builds_waiting_max: i64,
    /// Matches made by one account that may wait at once, those with people not counted.
    pub matches_waiting_max: i64,
    /// Matches with people made by one account that may wait or run at once.
    pub people_matches_max: i64,
    /// Invitations of one account that may be open at once.
    pub invitations_max: i64,
    /// An invitation that nobody has answered for so many hours is over.
    pub invitation_h: u64,
    /// Time a request may take, streams and long polls aside.
    pub request_s: u64,
    /// A session ends when it has not been used for so many days.
    pub session_days: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            source_bytes_max: 1 << 20,
            archive_bytes_max: 8 << 20,
            archive_files_max: 500,
            archive_entries_max: 2_000,
            archive_unpacked_bytes_max: 32 << 20,
            archive_ratio_max: 100,
            archives_at_once: 2,
            artefact_bytes_max: 64 << 20,
            record_bytes_max: 32 << 20,
            report_bytes_max: 4 << 20,
            plies_bytes_max: 8 << 20,
            plies_max: 200_000,
            bots_max: 50,
            builds_waiting_max: 5,
            matches_waiting_max: 20,
            people_matches_max: 4,
            invitations_max: 10,
            invitation_h: 24,
            request_s: 30,
            session_days: 30,
        }
    }
}

/// What programs may ask.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Api {
    /// Requests a minute of one account, by whichever tokens.
    pub account_requests_per_minute: u32,
    /// Requests a minute of one address, without a token.
    pub address_requests_per_minute: u32,
    /// The most days a token is good.
    pub token_days_max: u32,
    /// Answers are kept for so many hours, for requests that come again.
    pub idempotency_h: u64,
    /// Most answers that are kept for one account.
    pub idempotency_keys_max: i64,
}

impl Default for Api {
    fn default() -> Api {
        Api {
            account_requests_per_minute: 600,
            address_requests_per_minute: 120,
            token_days_max: 365,
            idempotency_h: 24,
            idempotency_keys_max: 1000,
        }
    }
}

/// Why a configuration is not taken.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// A file cannot be read, or a key or value is of the wrong kind.
    #[error("the configuration cannot be read: {0}")]
    Unreadable(#[from] config::ConfigError),
    /// A value makes no sense.
    #[error("{key} is {found}; it has to be {allowed}")]
    Value {
        /// Which.
        key: &'static str,
        /// What it is.
        found: String,
        /// What it may be.
        allowed: &'static str,
    },
}

impl Config {
    /// Reads a file, if there is one, and then the environment: `server.listen`
    /// is `AGON_SERVER__LISTEN`. `DATABASE_URL` stands for `database.url`.
    ///
    /// # Errors
    ///
    /// Where a key is unknown, or a value is of the wrong kind or makes no sense.
    pub fn load(file: Option<&Path>, config_dir: &Path) -> Result<Config, ConfigError> {
        Config::from_parts(file, env::vars().collect(), config_dir)
    }

    fn from_parts(
        file: Option<&Path>,
        environment: HashMap<String, String>,
        config_dir: &Path,
    ) -> Result<Config, ConfigError> {
        let mut parts = config::Config::builder();
        if let Some(file) = file {
            parts = parts.add_source(File::from(file).format(FileFormat::Toml));
        }
        if let Some(url) = environment.get("DATABASE_URL") {
            parts = parts.set_override("database.url", url.as_str())?;
        }
        // Others have variables of their own: `AGON_PG_BIN` is no key.
        let keys =
            environment.into_iter().filter(|it| it.0.starts_with("AGON_") && it.0.contains("__"));
        let environment = Environment::with_prefix("AGON")
            .prefix_separator("_")
            .separator("__")
            .source(Some(keys.collect()));
        let mut config: Config = parts.add_source(environment).build()?.try_deserialize()?;
        config_dir.clone_into(&mut config.config_dir);
        config.check()?;
        Ok(config)
    }

    /// How much an upload may be. One file of an archive may be as much as all of them, as far as
    /// those who build take it.
    pub fn archive_limits(&self) -> sources::Limits {
        let limits = &self.limits;
        let file_bytes_max = limits.archive_unpacked_bytes_max.max(limits.source_bytes_max);
        sources::Limits {
            bytes_max: limits.archive_bytes_max,
            files_max: limits.archive_files_max,
            entries_max: limits.archive_entries_max,
            unpacked_bytes_max: limits.archive_unpacked_bytes_max,
            file_bytes_max: file_bytes_max.min(sources::Limits::CEILING.file_bytes_max),
            ratio_max: limits.archive_ratio_max,
            ..sources::Limits::default()
        }
    }

    /// What the store is told of it.
    pub fn queue_limits(&self) -> QueueLimits {
        QueueLimits {
            lease: Duration::from_secs(self.queue.renew_s * 3),
            attempts_max: self.queue.attempts_max,
            backoff: Duration::from_secs(self.queue.backoff_s),
            backoff_max: Duration::from_secs(self.queue.backoff_max_s),
            people_match: Duration::from_secs(self.queue.people_match_s),
        }
    }

    /// What the store is told of it.
    pub fn store_limits(&self) -> store::Limits {
        store::Limits {
            connections_max: self.database.connections_max,
            acquire_timeout: Duration::from_secs(self.database.acquire_timeout_s),
            statement_timeout: Duration::from_secs(self.database.statement_timeout_s),
        }
    }
}

impl Server {
    /// The digest of the local worker's token, as bytes.
    pub fn worker_digest(&self) -> Option<[u8; 32]> {
        hex::decode(&self.local_worker_token_digest).ok()?.try_into().ok()
    }

    /// Whether people reach us over TLS, which decides names and flags of cookies.
    pub fn is_https(&self) -> bool {
        self.public_url.starts_with("https://")
    }
}

/// A list, or text with commas in it: the environment knows no lists.
fn addresses<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Vec<IpAddr>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        List(Vec<String>),
    }
    let list = match Either::deserialize(input)? {
        Either::Text(text) => text.split(',').map(|it| it.trim().to_owned()).collect(),
        Either::List(list) => list,
    };
    list.iter()
        .filter(|it| !it.is_empty())
        .map(|it| {
            it.parse()
                .map_err(|_| serde::de::Error::custom(format!("{it:?} is no address of a proxy")))
        })
        .collect()
}
