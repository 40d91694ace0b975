//! Where the configuration is, and the parts of it that belong to the machine.
//!
//! Server and worker read their own tables; here are those of the launcher,
//! which must come from files that only root can write.

use std::{ffi::OsString, fs, net::SocketAddr, path::PathBuf};

use anyhow::{Context, bail};
use runner::Languages;
use sandbox::Policy;
use serde::Deserialize;

/// Names of the variables that set single keys.
pub mod env {
    pub const PUBLIC_URL: &str = "AGON_SERVER__PUBLIC_URL";
    pub const DATA_DIR: &str = "AGON_SERVER__DATA_DIR";
    pub const LOCAL_WORKER_TOKEN_DIGEST: &str = "AGON_SERVER__LOCAL_WORKER_TOKEN_DIGEST";
    pub const WORKER_SERVER_URL: &str = "AGON_WORKER__SERVER_URL";
    pub const WORKER_TOKEN: &str = "AGON_WORKER__TOKEN";
    pub const WORKER_WORK_DIR: &str = "AGON_WORKER__WORK_DIR";
}

/// Tables that a configuration may have.
const TABLES: [&str; 9] =
    ["server", "database", "queue", "worker", "jail", "languages", "ladder", "limits", "api"];

/// Where the configuration is.
#[derive(Clone, Debug, clap::Args)]
pub struct Location {
    /// Configuration file [default: agon.toml in the configuration directory]
    #[arg(long = "config", env = "AGON_CONFIG", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Directory with languages, games and the system calls bots may use [default: `config`
    /// here, beside the program or above it, or /etc/agon]
    #[arg(long = "config-dir", env = "AGON_CONFIG_DIR", value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

impl Location {
    /// The configuration directory.
    pub fn dir(&self) -> anyhow::Result<PathBuf> {
        if let Some(dir) = &self.dir {
            return dir.canonicalize().with_context(|| format!("finding {}", dir.display()));
        }
        let program = std::env::current_exe().context("finding our own program")?;
        let beside = program.ancestors().skip(1).map(|it| it.join("config"));
        let here = std::env::current_dir().context("finding the working directory")?;
        let places = [here.join("config")].into_iter().chain(beside);
        let places = places.chain([PathBuf::from("/etc/agon")]);
        let is_one = |it: &PathBuf| it.join("agon.toml").is_file() && it.join("languages").is_dir();
        places.into_iter().find(is_one).context(
            "no configuration directory (one with agon.toml and languages/): name it with --config-dir",
        )
    }

    /// The configuration file.
    pub fn file(&self) -> anyhow::Result<PathBuf> {
        match &self.file {
            Some(file) => {
                file.canonicalize().with_context(|| format!("finding {}", file.display()))
            }
            None => Ok(self.dir()?.join("agon.toml")),
        }
    }

    /// Arguments of a subcommand of ours that is to use the same configuration.
    pub fn pass_on(&self, command: &str, more: &[&str]) -> anyhow::Result<Vec<OsString>> {
        let mut args: Vec<OsString> = vec![command.into()];
        args.extend(["--config".into(), self.file()?.into()]);
        args.extend(["--config-dir".into(), self.dir()?.into()]);
        args.extend(more.iter().map(OsString::from));
        Ok(args)
    }
}

/// The parts of the configuration that the machine itself needs.
pub struct Settings {
    pub listen: SocketAddr,
    pub public_url: Option<String>,
    pub jail: Jail,
    pub languages: Prefixes,
}

/// The table `jail`: what the launcher may use of the host.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Jail {
    /// First of the user ids that bots get; nothing else may use them.
    pub uid_first: u32,
    /// How many.
    pub uid_count: u32,
    /// Name of the control group that holds all jails.
    pub cgroup_parent: String,
    /// Jails kept ready.
    pub warm_slots: u32,
}

impl Default for Jail {
    fn default() -> Jail {
        // systemd gives its services ids from 61184 on.
        Jail { uid_first: 60_900, uid_count: 256, cgroup_parent: "agon".to_owned(), warm_slots: 4 }
    }
}

/// The table `languages`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Prefixes {
    /// Folders that hold a toolchain of their own, by language.
    pub prefix: std::collections::BTreeMap<String, PathBuf>,
}

/// Reads the parts of the configuration that the machine needs, and refuses
/// tables that nobody knows.
pub fn load(options: &Location) -> anyhow::Result<Settings> {
    /// What other programs read, and judge.
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Others {
        listen: Option<SocketAddr>,
        public_url: Option<String>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Machine {
        server: Others,
        jail: Jail,
        languages: Prefixes,
    }
    let file = options.file()?;
    let text = fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()))?;
    let tables: toml::Table =
        text.parse().with_context(|| format!("reading {}", file.display()))?;
    if let Some(found) = tables.keys().find(|it| !TABLES.contains(&it.as_str())) {
        let allowed = TABLES.join(", ");
        bail!("{}: there is no table `{found}`; there are {allowed}", file.display());
    }
    let keys =
        std::env::vars().filter(|(name, _)| name.starts_with("AGON_") && name.contains("__"));
    let environment = ::config::Environment::with_prefix("AGON")
        .prefix_separator("_")
        .separator("__")
        .source(Some(keys.collect()));
    let Machine { server, jail, languages } = ::config::Config::builder()
        .add_source(::config::File::from(file.as_path()).format(::config::FileFormat::Toml))
        .add_source(environment)
        .build()
        .and_then(::config::Config::try_deserialize)
        .with_context(|| format!("reading {}", file.display()))?;
    let usual = SocketAddr::from(([127, 0, 0, 1], 8080));
    let listen = server.listen.unwrap_or(usual);
    Ok(Settings { listen, public_url: server.public_url, jail, languages })
}

/// What jails are made of: the languages' toolchains, and the calls bots may use.
pub fn policy(options: &Location) -> anyhow::Result<Policy> {
    let Settings { jail, languages, .. } = load(options)?;
    let dir = options.dir()?;
    let languages = Languages::load(&dir.join("languages"), &languages.prefix)
        .context("reading the languages")?;
    let calls = dir.join("seccomp.toml");
    let text =
        fs::read_to_string(&calls).with_context(|| format!("reading {}", calls.display()))?;
    let (ceilings, build_ceiling) = languages.ceilings();
    let policy = Policy {
        toolchain: languages.toolchain(),
        environment: [
            ("PATH", runner::PATH),
            ("HOME", "/tmp"),
            ("TMPDIR", "/tmp"),
            ("LANG", "C.UTF-8"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into(),
        uids: sandbox::Uids { first: jail.uid_first, count: jail.uid_count },
        ceilings,
        build_ceiling,
        cgroup: sandbox::Cgroup { parent: jail.cgroup_parent, under: None },
        warm_slots: jail.warm_slots,
        seccomp: toml::from_str(&text).with_context(|| format!("reading {}", calls.display()))?,
    };
    policy.validate().context("the jail's policy")?;
    Ok(policy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_file_holds_every_key_with_its_default() {
        let text = include_str!("../../../config/agon.toml");
        for table in TABLES.iter().filter(|it| **it != "languages") {
            assert!(text.contains(&format!("\n[{table}]\n")), "[{table}]");
        }
        let (_, table) = text.split_once("[jail]\n").unwrap();
        let table = table.split("\n[").next().unwrap();
        let keys =
            table.lines().filter_map(|it| it.strip_prefix("# ").filter(|it| it.contains(" = ")));
        let keys: Vec<&str> = keys.collect();
        let shipped: Jail = toml::from_str(&keys.join("\n")).unwrap();
        assert_eq!(format!("{shipped:?}"), format!("{:?}", Jail::default()));
        assert_eq!(keys.len(), 4, "{keys:?}");
    }

    #[test]
    fn the_defaults_have_user_ids_for_all_slots_of_any_machine() {
        let text = include_str!("../../../config/agon.toml");
        let people_slots = text.lines().find_map(|it| it.strip_prefix("# people_slots = "));
        let people_slots: u32 = people_slots.unwrap().parse().unwrap();
        let Jail { uid_first, uid_count, .. } = Jail::default();
        assert!(uid_first + uid_count <= 61_184, "they would be those of services of systemd");
        // One is for the jails' first process.
        let jails_max = (uid_count - 1).min(sandbox::JAILS_MAX);
        for cores in 1..=128u32 {
            let slots = (cores / 2).max(1) + people_slots;
            // A match is two bots.
            assert!(2 * slots <= jails_max, "{cores} cores: {slots} slots, {jails_max} jails");
        }
    }
}
