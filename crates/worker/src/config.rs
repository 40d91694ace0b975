//! What a worker is told by its operator: table `worker` of `agon.toml`, or variables.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use runner::{
    Charge, Fairness, LanguageError, Languages,
    sources::{Adapters, AdaptersError},
};
use serde::Deserialize;
use thiserror::Error;

/// Most matches or builds at once.
pub const SLOTS_MAX: u32 = 128;
const CACHE_MIB_MIN: u32 = 64;
const MATCH_S_MAX: u32 = 24 * 3600;
const DISTURBANCE_MS_MAX: u32 = 60_000;

/// All that a worker has to know.
#[derive(Clone)]
pub struct Config {
    /// Where the server is: `http://` or `https://`, without a path.
    pub server_url: reqwest::Url,
    /// What it knows us by.
    pub token: Token,
    /// Jobs at once; 0 until it is known how many cores there are.
    pub slots: u32,
    /// Matches with people at once, besides those.
    pub people_slots: u32,
    /// A folder of our own, emptied at start.
    pub work_dir: PathBuf,
    /// Room for unpacked artefacts.
    pub cache_mib: u32,
    /// Most time a match may take, before it is void.
    pub match_s_max: u32,
    /// How bots' time is charged, and when a match is played again for the host's sake.
    pub fairness: Fairness,
    /// What bots are written in.
    pub languages: Languages,
    /// By what entries for other judges play.
    pub adapters: Adapters,
}

/// A secret that is not printed.
#[derive(Clone)]
pub struct Token(String);

/// What is wrong with a worker's configuration.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// It cannot be read, lacks a key, or has one that is unknown.
    #[error("reading the worker's configuration: {0}")]
    Read(#[from] config::ConfigError),
    /// A key is missing that has no default.
    #[error("worker.{key} is not set: in agon.toml, or as {variable}")]
    Missing {
        /// Which.
        key: &'static str,
        /// Variable that sets it.
        variable: &'static str,
    },
    /// A value is not allowed.
    #[error("worker.{key}: found {found}, allowed is {allowed}")]
    Value {
        /// Which key.
        key: &'static str,
        /// What was found.
        found: String,
        /// What is allowed.
        allowed: String,
    },
    /// The languages are wrong.
    #[error("reading the languages: {0}")]
    Languages(#[from] LanguageError),
    /// The adapters are wrong.
    #[error("reading the adapters: {0}")]
    Adapters(#[from] AdaptersError),
}

/// The file as it is written.
#[derive(Default, Deserialize)]
#[serde(default)]
struct File {
    worker: Table,
    languages: LanguagesTable,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Table {
    server_url: String,
    token: String,
    slots: u32,
    people_slots: u32,
    work_dir: Option<PathBuf>,
    cache_mib: u32,
    match_s_max: u32,
    charge: Charging,
    disturbance_ms: u32,
}

/// [`Charge`], as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Charging {
    WallLessStall,
    Wall,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            server_url: String::new(),
            token: String::new(),
            slots: 0,
            people_slots: 4,
            work_dir: None,
            cache_mib: 1024,
            match_s_max: 3600,
            charge: Charging::WallLessStall,
            disturbance_ms: 20,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LanguagesTable {
    prefix: BTreeMap<String, PathBuf>,
}

impl Config {
    /// Reads `file` (or `agon.toml` in `dir`) and variables of the form
    /// `AGON_WORKER__TOKEN`, and the languages in `dir`.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with its key.
    pub fn load(file: Option<&Path>, dir: &Path) -> Result<Config, ConfigError> {
        let ours = |(name, _): &(String, String)| {
            name.starts_with("AGON_WORKER__") || name.starts_with("AGON_LANGUAGES__")
        };
        let variables = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(ours)
            .collect();
        let file = file.map_or_else(|| dir.join("agon.toml"), Path::to_owned);
        Config::read(&file, dir, variables)
    }

    fn read(
        file: &Path,
        dir: &Path,
        variables: std::collections::HashMap<String, String>,
    ) -> Result<Config, ConfigError> {
        let environment = config::Environment::with_prefix("AGON")
            .prefix_separator("_")
            .separator("__")
            .source(Some(variables));
        let File { worker, languages } = config::Config::builder()
            .add_source(config::File::from(file).format(config::FileFormat::Toml))
            .add_source(environment)
            .build()?
            .try_deserialize()?;
        let Table { server_url, token, slots, work_dir, cache_mib, match_s_max, .. } = worker;
        let Table { people_slots, charge, disturbance_ms, .. } = worker;
        let url = |found: &str| ConfigError::Value {
            key: "server_url",
            found: found.to_owned(),
            allowed: "http:// or https:// and a host".to_owned(),
        };
        if server_url.is_empty() {
            let variable = "AGON_WORKER__SERVER_URL";
            return Err(ConfigError::Missing { key: "server_url", variable });
        }
        let server_url = match reqwest::Url::parse(&server_url) {
            Ok(it) if matches!(it.scheme(), "http" | "https") && it.has_host() => it,
            _ => return Err(url(&server_url)),
        };
        if token.is_empty() {
            return Err(ConfigError::Missing { key: "token", variable: "AGON_WORKER__TOKEN" });
        }
        if !token.bytes().all(|it| it.is_ascii_graphic()) {
            let (found, allowed) =
                ("something else".to_owned(), "a token as it was given".to_owned());
            return Err(ConfigError::Value { key: "token", found, allowed });
        }
        let work_dir = work_dir
            .ok_or(ConfigError::Missing { key: "work_dir", variable: "AGON_WORKER__WORK_DIR" })?;
        if !work_dir.is_absolute() {
            let (found, allowed) = (work_dir.display().to_string(), "an absolute path".to_owned());
            return Err(ConfigError::Value { key: "work_dir", found, allowed });
        }
        within("slots", slots, 0, SLOTS_MAX)?;
        within("people_slots", people_slots, 0, SLOTS_MAX)?;
        within("cache_mib", cache_mib, CACHE_MIB_MIN, u32::MAX)?;
        within("match_s_max", match_s_max, 1, MATCH_S_MAX)?;
        within("disturbance_ms", disturbance_ms, 1, DISTURBANCE_MS_MAX)?;
        let languages = Languages::load(&dir.join("languages"), &languages.prefix)?;
        let adapters = Adapters::load(&dir.join("games"))?;
        let token = Token(token);
        let fairness = Fairness {
            charge: match charge {
                Charging::WallLessStall => Charge::WallLessStall,
                Charging::Wall => Charge::Wall,
            },
            disturbance_max: Duration::from_millis(disturbance_ms.into()),
        };
        Ok(Config {
            server_url,
            token,
            slots,
            people_slots,
            work_dir,
            cache_mib,
            match_s_max,
            fairness,
            languages,
            adapters,
        })
    }
}

impl Token {
    /// A token as the server gave it.
    pub fn new(token: String) -> Token {
        Token(token)
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(..)")
    }
}

impl std::fmt::Debug for Config {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Config")
            .field("server_url", &self.server_url.as_str())
            .field("token", &self.token)
            .field("slots", &self.slots)
            .field("people_slots", &self.people_slots)
            .field("work_dir", &self.work_dir)
            .field("cache_mib", &self.cache_mib)
            .field("match_s_max", &self.match_s_max)
            .field("fairness", &self.fairness)
            .finish_non_exhaustive()
    }
}

fn within(key: &'static str, found: u32, min: u32, max: u32) -> Result<(), ConfigError> {
    if (min..=max).contains(&found) {
        return Ok(());
    }
    let (found, allowed) = (found.to_string(), format!("a whole number from {min} to {max}"));
    Err(ConfigError::Value { key, found, allowed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, variables: &[(&str, &str)]) -> Result<Config, String> {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("agon.toml");
        std::fs::write(&file, text).unwrap();
        let config = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../config"));
        let variables = variables.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        Config::read(&file, config, variables).map_err(|it| it.to_string())
    }

    const GOOD: &str = "[server]\nwhatever = 1\n[worker]\nserver_url = \"http://127.0.0.1:1\"\n\
                        token = \"t\"\nwork_dir = \"/w\"\n";

    #[test]
    fn a_good_configuration_is_taken_and_variables_win() {
        let config = read(GOOD, &[]).unwrap();
        assert_eq!((config.slots, config.cache_mib, config.match_s_max), (0, 1024, 3600));
        assert_eq!(config.token.reveal(), "t");
        assert_eq!(config.fairness, Fairness::default());
        let variables = [
            ("AGON_WORKER__CHARGE", "wall"),
            ("AGON_WORKER__DISTURBANCE_MS", "100"),
            ("AGON_WORKER__SLOTS", "3"),
            ("AGON_WORKER__TOKEN", "u"),
            ("AGON_WORKER__SERVER_URL", "https://example.org"),
            ("AGON_LANGUAGES__PREFIX__PYTHON2", "/opt/python2"),
        ];
        let config = read(GOOD, &variables).unwrap();
        assert_eq!((config.slots, config.token.reveal()), (3, "u"));
        let disturbance_max = Duration::from_millis(100);
        assert_eq!(config.fairness, Fairness { charge: Charge::Wall, disturbance_max });
        assert_eq!(config.server_url.as_str(), "https://example.org/");
        let python2 = config.languages.get("python2").unwrap();
        assert_eq!(python2.toolchain.prefix, Some("/opt/python2".into()));
        assert!(!format!("{config:?}").contains("\"u\""));
    }

    #[test]
    fn the_shipped_file_holds_every_key_with_its_default() {
        let text = include_str!("../../../config/agon.toml");
        let (_, table) = text.split_once("[worker]\n").unwrap();
        let table = table.split("\n[").next().unwrap();
        let keys =
            table.lines().filter_map(|it| it.strip_prefix("# ").filter(|it| it.contains(" = ")));
        let keys: Vec<&str> = keys.collect();
        let shipped: Table = toml::from_str(&keys.join("\n")).unwrap();
        let its =
            |it: &Table| (it.slots, it.cache_mib, it.match_s_max, it.charge, it.disturbance_ms);
        assert_eq!(its(&shipped), its(&Table::default()));
        assert_eq!(shipped.people_slots, Table::default().people_slots);
        assert_eq!(keys.len(), 9, "{keys:?}");
    }

    #[test]
    fn a_bad_configuration_is_refused_with_its_key() {
        let table = [
            ("server_url", "server_url = \"\"", "worker.server_url is not set"),
            ("server_url", "server_url = \"ftp://x\"", "worker.server_url: found ftp://x"),
            ("server_url", "server_url = \"x\"", "worker.server_url: found x"),
            ("token", "", "worker.token is not set: in agon.toml, or as AGON_WORKER__TOKEN"),
            ("token", "token = \"a b\"", "worker.token: found something else"),
            ("work_dir", "work_dir = \"w\"", "worker.work_dir: found w, allowed is an absolute"),
            ("work_dir", "", "worker.work_dir is not set"),
            ("work_dir", "work_dir = \"/w\"\nslots = 129", "worker.slots: found 129"),
            ("work_dir", "work_dir = \"/w\"\nslots = -1", "-1"),
            ("work_dir", "work_dir = \"/w\"\npeople_slots = 129", "worker.people_slots: found 129"),
            ("work_dir", "work_dir = \"/w\"\ncache_mib = 1", "worker.cache_mib: found 1"),
            ("work_dir", "work_dir = \"/w\"\nmatch_s_max = 0", "worker.match_s_max: found 0"),
            ("work_dir", "work_dir = \"/w\"\nspeed = 1", "speed"),
            ("work_dir", "work_dir = \"/w\"\ncharge = \"nothing\"", "nothing"),
            ("work_dir", "work_dir = \"/w\"\ndisturbance_ms = 0", "worker.disturbance_ms: found 0"),
        ];
        for (key, line, why) in table {
            let lines = GOOD.lines().map(|it| if it.starts_with(key) { line } else { it });
            let text = lines.collect::<Vec<_>>().join("\n");
            let error = read(&text, &[]).expect_err(line);
            assert!(error.contains(why), "{line}: {error}");
        }
        let error = read(GOOD, &[("AGON_WORKER__SPEED", "1")]).expect_err("a variable");
        assert!(error.contains("speed"), "{error}");
    }
}
