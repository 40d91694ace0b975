//! What an operator may set: one file, then the environment, then a check of every value.
//!
//! The file is shared with the worker; tables that are not the server's are
//! left to whom they belong, keys the server does not know in its own are
//! refused.

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
}

impl Default for Ladder {
    fn default() -> Ladder {
        Ladder { enabled: true, look_s: 5, pending: 2, settled_deviation: 80.0, interval_s: 600 }
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

    /// Refuses values that make no sense.
    ///
    /// # Errors
    ///
    /// The first of them, with what it has to be.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Config { server, database, queue, ladder, limits, config_dir: _ } = self;
        let url = &server.public_url;
        let host = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
        require(
            host.is_some_and(|it| !it.is_empty() && !it.contains(['/', '?', '#', ' ', '@'])),
            "server.public_url",
            url,
            "http:// or https://, then a host, with no path after it",
        )?;
        let digest = &server.local_worker_token_digest;
        require(
            digest.is_empty() || server.worker_digest().is_some(),
            "server.local_worker_token_digest",
            digest,
            "empty, or 64 hex digits: the SHA-256 of the worker's token",
        )?;
        require(
            !server.data_dir.as_os_str().is_empty(),
            "server.data_dir",
            "empty",
            "a directory",
        )?;
        require(
            database.url.starts_with("postgres://") || database.url.starts_with("postgresql://"),
            "database.url",
            if database.url.is_empty() { "not set" } else { "of another kind" },
            "postgres://user:password@host/database (DATABASE_URL sets it too)",
        )?;
        within("database.connections_max", database.connections_max, 2, 100, "2 to 100")?;
        within("database.acquire_timeout_s", database.acquire_timeout_s, 1, 60, "1 to 60")?;
        within("database.statement_timeout_s", database.statement_timeout_s, 1, 300, "1 to 300")?;
        within("queue.renew_s", queue.renew_s, 1, 300, "1 to 300")?;
        within("queue.attempts_max", queue.attempts_max, 1, 100, "1 to 100")?;
        within("queue.backoff_s", queue.backoff_s, 0, 3600, "0 to 3600")?;
        within("queue.backoff_max_s", queue.backoff_max_s, 0, 86_400, "0 to 86400")?;
        within("queue.people_match_s", queue.people_match_s, 60, 7 * 86_400, "60 to 604800")?;
        within("ladder.look_s", ladder.look_s, 1, 3600, "1 to 3600")?;
        within("ladder.pending", ladder.pending, 1, 100, "1 to 100")?;
        within("ladder.interval_s", ladder.interval_s, 1, 30 * 86_400, "1 to 2592000")?;
        require(
            (30.0..=contest::PLACED_DEVIATION_MAX).contains(&ladder.settled_deviation),
            "ladder.settled_deviation",
            &ladder.settled_deviation.to_string(),
            "30 to 110",
        )?;
        let mib = 1 << 20;
        for (key, bytes, most, allowed) in [
            ("limits.source_bytes_max", limits.source_bytes_max, 16 * mib, "1024 to 16777216"),
            ("limits.archive_bytes_max", limits.archive_bytes_max, 64 * mib, "1024 to 67108864"),
            (
                "limits.archive_unpacked_bytes_max",
                limits.archive_unpacked_bytes_max,
                256 * mib,
                "1024 to 268435456",
            ),
            ("limits.artefact_bytes_max", limits.artefact_bytes_max, 1 << 30, "1024 to 1073741824"),
            ("limits.record_bytes_max", limits.record_bytes_max, 1 << 30, "1024 to 1073741824"),
            ("limits.report_bytes_max", limits.report_bytes_max, 64 * mib, "1024 to 67108864"),
            ("limits.plies_bytes_max", limits.plies_bytes_max, 64 * mib, "1024 to 67108864"),
        ] {
            within(key, bytes, 1024, most, allowed)?;
        }
        for (key, found, most, allowed) in [
            ("limits.archive_files_max", limits.archive_files_max, 4_000, "1 to 4000"),
            ("limits.archive_entries_max", limits.archive_entries_max, 20_000, "1 to 20000"),
            ("limits.archive_ratio_max", limits.archive_ratio_max, 1_000, "1 to 1000"),
            ("limits.archives_at_once", limits.archives_at_once, 64, "1 to 64"),
        ] {
            within(key, found, 1, most, allowed)?;
        }
        within("limits.plies_max", limits.plies_max, 1, i32::MAX as u32, "1 to 2147483647")?;
        within("limits.bots_max", limits.bots_max, 1, 100_000, "1 to 100000")?;
        within("limits.builds_waiting_max", limits.builds_waiting_max, 1, 100_000, "1 to 100000")?;
        within(
            "limits.matches_waiting_max",
            limits.matches_waiting_max,
            1,
            100_000,
            "1 to 100000",
        )?;
        let most = 100_000;
        within("limits.people_matches_max", limits.people_matches_max, 1, most, "1 to 100000")?;
        within("limits.invitations_max", limits.invitations_max, 1, most, "1 to 100000")?;
        within("limits.invitation_h", limits.invitation_h, 1, 720, "1 to 720")?;
        within("limits.request_s", limits.request_s, 1, 600, "1 to 600")?;
        within("limits.session_days", limits.session_days, 1, 3650, "1 to 3650")
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

fn require(
    holds: bool,
    key: &'static str,
    found: &str,
    allowed: &'static str,
) -> Result<(), ConfigError> {
    match holds {
        true => Ok(()),
        false => Err(ConfigError::Value { key, found: found.to_owned(), allowed }),
    }
}

fn within<T: PartialOrd + ToString>(
    key: &'static str,
    found: T,
    least: T,
    most: T,
    allowed: &'static str,
) -> Result<(), ConfigError> {
    require(least <= found && found <= most, key, &found.to_string(), allowed)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn load(toml: &str, environment: &[(&str, &str)]) -> Result<Config, String> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("agon.toml");
        std::fs::write(&file, toml).unwrap();
        let environment = environment.iter().map(|&(k, v)| (k.into(), v.into())).collect();
        Config::from_parts(Some(&file), environment, dir.path()).map_err(|it| it.to_string())
    }

    const URL: (&str, &str) = ("DATABASE_URL", "postgres:///agon");

    #[test]
    fn the_environment_overrides_the_file_and_other_tables_are_not_ours() {
        let toml = "[server]\nlisten = '0.0.0.0:80'\n[worker]\nslots = 3\n[ladder]\npending = 4";
        let config = load(
            toml,
            &[
                URL,
                ("AGON_SERVER__LISTEN", "127.0.0.1:81"),
                ("AGON_SERVER__TRUSTED_PROXIES", "10.0.0.1, ::1"),
                ("AGON_LADDER__ENABLED", "false"),
                ("AGON_QUEUE__RENEW_S", "7"),
                ("AGON_PG_BIN", "/nowhere"),
                ("AGON_CONFIG_DIR", "/nowhere"),
            ],
        )
        .unwrap();
        assert_eq!(config.server.listen.to_string(), "127.0.0.1:81");
        assert_eq!(config.server.trusted_proxies.len(), 2);
        assert_eq!(config.ladder.pending, 4);
        assert!(!config.ladder.enabled);
        assert_eq!(config.queue_limits().lease.as_secs(), 21);
        assert_eq!(config.database.url, URL.1);
    }

    #[test]
    fn keys_nobody_knows_and_values_of_no_sense_are_refused_by_name() {
        let table = [
            ("[server]\nlitsen = '127.0.0.1:1'", "litsen"),
            ("[limits]\nbots_max = 'many'", "bots_max"),
            ("[limits]\narchive_files_max = 4001", "limits.archive_files_max is 4001"),
            (
                "[limits]\narchives_at_once = 0",
                "limits.archives_at_once is 0; it has to be 1 to 64",
            ),
            ("[limits]\nbots_max = 0", "limits.bots_max is 0; it has to be 1 to 100000"),
            ("[server]\npublic_url = 'agon.example'", "server.public_url"),
            ("[server]\npublic_url = 'https://agon.example/path'", "server.public_url"),
            ("[server]\ntrusted_proxies = ['proxy']", "proxy"),
            ("[server]\nlocal_worker_token_digest = 'abc'", "local_worker_token_digest"),
            ("[queue]\nrenew_s = 0", "queue.renew_s"),
            ("[ladder]\nsettled_deviation = 10", "ladder.settled_deviation"),
            ("[ladder]\nsettled_deviation = 111", "it has to be 30 to 110"),
            ("[server", "agon.toml"),
        ];
        for (toml, names) in table {
            let why = load(toml, &[URL]).unwrap_err();
            assert!(why.contains(names), "{toml}: {why}");
        }
        let why = load("", &[]).unwrap_err();
        assert!(why.contains("database.url is not set"), "{why}");
        let why = load("", &[URL, ("AGON_LIMITS__BOTS", "1")]).unwrap_err();
        assert!(why.contains("bots"), "{why}");
    }

    #[test]
    fn no_archive_is_taken_that_nobody_would_build() {
        let sources::Limits { bytes_max, files_max, entries_max, unpacked_bytes_max, .. } =
            sources::Limits::CEILING;
        for (key, most) in [
            ("archive_bytes_max", bytes_max),
            ("archive_files_max", files_max.into()),
            ("archive_entries_max", entries_max.into()),
            ("archive_unpacked_bytes_max", unpacked_bytes_max),
            ("archive_ratio_max", sources::Limits::CEILING.ratio_max.into()),
        ] {
            load(&format!("[limits]\n{key} = {most}"), &[URL]).unwrap();
            let why = load(&format!("[limits]\n{key} = {}", most + 1), &[URL]).unwrap_err();
            assert!(why.contains(&format!("to {most}")), "{why}");
        }
    }

    #[test]
    fn the_shipped_file_holds_every_key_with_its_default() {
        const OURS: [&str; 5] = ["server", "database", "queue", "ladder", "limits"];
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/agon.toml");
        let text = std::fs::read_to_string(&shipped).unwrap();
        let set: String = text
            .lines()
            .map(|it| it.strip_prefix("# ").filter(|it| it.contains(" = ")).unwrap_or(it))
            .map(|it| format!("{it}\n"))
            .collect();
        let mut set: toml::Table = set.parse().unwrap();
        // The rest is the worker's and the machine's, and they check it.
        set.retain(|it, _| OURS.contains(&it));
        let defaults = format!("{:?}", Config::default());
        let shipped = load(&toml::to_string(&set).unwrap(), &[URL]).unwrap();
        let shipped = Config {
            database: Database { url: String::new(), ..shipped.database },
            config_dir: PathBuf::new(),
            ..shipped
        };
        assert_eq!(format!("{shipped:?}"), defaults);
        for (table, keys) in
            [("server", 5), ("database", 4), ("queue", 4), ("ladder", 5), ("limits", 17)]
        {
            assert_eq!(set[table].as_table().unwrap().len(), keys, "keys of [{table}]");
        }
    }
}
