//! This host: its jails, its cores, its folders, and the languages it has.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use runner::{
    Cache, CacheError, Client, Language, Report,
    doctor::{self, Check, Probe, State},
};
use thiserror::Error;

use crate::{WorkerError, config::Config};

/// Cores that one slot has.
const CORES_OF_A_SLOT: u32 = 2;
/// Jails that one slot needs at once.
const JAILS_OF_A_SLOT: u32 = 2;

/// All that jobs share.
pub(crate) struct Machine {
    pub(crate) config: Config,
    pub(crate) client: Arc<Client>,
    pub(crate) report: Report,
    /// What holds bots in, each tried at the start.
    pub(crate) checks: Vec<Check>,
    pub(crate) cache: Cache,
    pub(crate) scratch: PathBuf,
    cores: Vec<u32>,
    toolchains: RwLock<BTreeMap<String, Toolchain>>,
}

/// What was found of a language's toolchain.
struct Toolchain {
    /// What it says of its version, or why it is of no use here.
    said: Result<String, String>,
    /// Another one has another.
    stamp: String,
}

/// What this host lacks, besides jails.
#[derive(Debug, Error)]
pub enum MachineError {
    /// A folder cannot be used.
    #[error("worker.work_dir: {}: {error}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The cache cannot be used.
    #[error("worker.work_dir: {0}")]
    Cache(#[from] CacheError),
    /// A protection was tried, and did not hold.
    #[error("no bot is run in a jail that does not hold (see `agon doctor`): {0}")]
    Broken(String),
    /// There are fewer jails than jobs need.
    #[error(
        "worker.slots is {slots} and worker.people_slots {people_slots}, which takes {} jails; \
         the launcher makes at most {jails_max}",
        (.slots + .people_slots) * JAILS_OF_A_SLOT
    )]
    TooFewJails {
        /// Jobs at once.
        slots: u32,
        /// Matches with people at once.
        people_slots: u32,
        /// Jails at once.
        jails_max: u32,
    },
}

impl Machine {
    /// Asks the launcher what is in force, and makes the folders.
    pub(crate) async fn new(mut config: Config, client: Client) -> Result<Machine, WorkerError> {
        let client = Arc::new(client);
        let report = ask(&client).await?;
        for warning in &report.warnings {
            tracing::warn!(warning, "the jail works, but");
        }
        let cores: Vec<u32> = report.cores.iter().copied().collect();
        if config.slots == 0 {
            config.slots = (cores.len() as u32 / CORES_OF_A_SLOT).max(1);
        }
        let (slots, people_slots, jails_max) =
            (config.slots, config.people_slots, report.jails_max);
        if (slots + people_slots) * JAILS_OF_A_SLOT > jails_max {
            return Err(MachineError::TooFewJails { slots, people_slots, jails_max }.into());
        }
        let scratch = config.work_dir.join("scratch");
        fresh(&scratch).map_err(|error| MachineError::Folder { path: scratch.clone(), error })?;
        let bytes_max = u64::from(config.cache_mib) << 20;
        let cache = Cache::open(&config.work_dir.join("cache"), bytes_max);
        let cache = cache.map_err(MachineError::from)?;
        let checks = examine(&client, &scratch).await?;
        let toolchains = RwLock::default();
        Ok(Machine { config, client, report, checks, cache, scratch, cores, toolchains })
    }

    /// Fails where jails can be made no more.
    pub(crate) async fn check(&self) -> Result<(), WorkerError> {
        ask(&self.client).await.map(drop)
    }

    /// The core on which `seat` of the job in `slot` runs; none where there are more
    /// slots than pairs of cores: two bots on one core would wait for each other
    /// while the kernel has room elsewhere.
    pub(crate) fn core(&self, slot: u32, seat: u8) -> Option<u32> {
        core_of(&self.cores, self.config.slots, slot, seat)
    }

    /// Brings a language's files into memory, asks its toolchain for its version,
    /// and keeps the answer.
    pub(crate) async fn look_at(&self, language: &Language) -> Result<String, String> {
        let stamp = runner::stamp(language);
        runner::warm_up(&self.client, language).await;
        let said = runner::version(&self.client, language).await;
        let found = Toolchain { said: said.clone(), stamp };
        // Nothing in there is left half done by a panic.
        let mut toolchains = self.toolchains.write().unwrap_or_else(PoisonError::into_inner);
        toolchains.insert(language.id.clone(), found);
        said
    }

    /// The same, where another toolchain has taken the place of the one that is known:
    /// its files are cold, and a bot must not pay for that.
    pub(crate) async fn look_again(&self, language: &Language) {
        let known = {
            let toolchains = self.toolchains.read().unwrap_or_else(PoisonError::into_inner);
            toolchains.get(&language.id).map(|it| it.stamp.clone())
        };
        if known.is_some_and(|it| it != runner::stamp(language)) {
            let said = self.look_at(language).await;
            tracing::info!(language = language.id, ?said, "its toolchain has changed");
        }
    }

    /// What the toolchain of a language says of its version, or why it is of no use here.
    pub(crate) fn toolchain(&self, language: &str) -> Result<String, String> {
        let toolchains = self.toolchains.read().unwrap_or_else(PoisonError::into_inner);
        let unknown = || Err("it is not known here".to_owned());
        toolchains.get(language).map_or_else(unknown, |it| it.said.clone())
    }
}

fn core_of(cores: &[u32], slots: u32, slot: u32, seat: u8) -> Option<u32> {
    let of_slot = CORES_OF_A_SLOT as usize;
    if slots as usize * of_slot > cores.len() {
        return None;
    }
    cores.get(slot as usize * of_slot + usize::from(seat) % of_slot).copied()
}

/// Asks the launcher what is in force.
async fn ask(client: &Arc<Client>) -> Result<Report, WorkerError> {
    let client = Arc::clone(client);
    let asked = tokio::task::spawn_blocking(move || client.hello()).await;
    Ok(asked.map_err(WorkerError::Slot)??)
}

/// Tries everything that holds bots in; what does not hold is an error.
async fn examine(client: &Arc<Client>, scratch: &Path) -> Result<Vec<Check>, WorkerError> {
    let (client, scratch) = (Arc::clone(client), scratch.to_owned());
    let looked = tokio::task::spawn_blocking(move || {
        let probe = Probe::this_program(&scratch)
            .map_err(|error| MachineError::Folder { path: scratch, error })?;
        Ok::<_, WorkerError>(doctor::examine(&client, &probe)?)
    });
    let checks = looked.await.map_err(WorkerError::Slot)??;
    for Check { name, state, found } in &checks {
        match state {
            State::InForce => tracing::debug!(name, found, "in force"),
            State::Lacking => tracing::warn!(name, found, "this kernel lacks a protection"),
            State::Broken => tracing::error!(name, found, "a protection does not hold"),
        }
    }
    let broken = checks.iter().filter(|it| it.state == State::Broken);
    let broken: Vec<_> = broken.map(|it| format!("{}: {}", it.name, it.found)).collect();
    match broken.is_empty() {
        true => Ok(checks),
        false => Err(MachineError::Broken(broken.join("; ")).into()),
    }
}

/// An empty folder.
fn fresh(path: &PathBuf) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    fs::create_dir_all(path)
}

#[cfg(test)]
mod tests {
    use super::core_of;

    #[test]
    fn each_bot_has_its_core_where_there_are_enough() {
        let cores = [2, 3, 6, 7];
        for (slots, slot, seat, core) in [
            (1, 0, 0, Some(2)),
            (1, 0, 1, Some(3)),
            (2, 1, 0, Some(6)),
            (2, 1, 1, Some(7)),
            (3, 0, 0, None),
            (3, 2, 1, None),
        ] {
            assert_eq!(core_of(&cores, slots, slot, seat), core, "{slots} slots: {slot}, {seat}");
        }
        assert_eq!(core_of(&[0], 1, 0, 0), None, "one core for two bots");
    }
}
