//! `agon admin`: what only the operator may do, straight at the database.

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::{Context, bail};
use clap::Subcommand;
use contest::{SeatResult, Standing};
use sha2::{Digest, Sha256};
use store::Store;
use uuid::Uuid;

use crate::config;

/// Matches read at a time.
const LOG_STEP: i64 = 1000;

#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    act: Act,
    /// Data directory of an `agon up` on this machine (as root).
    #[arg(long, global = true, default_value = "data", value_name = "DIR")]
    data: PathBuf,
    /// Database, where it is another one.
    #[arg(long, global = true, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database: Option<String>,
    #[command(flatten)]
    config: config::Location,
}

#[derive(Subcommand)]
enum Act {
    /// Make a link that lets an account's holder set a new password, once.
    Link {
        /// The account.
        name: String,
    },
    /// Say what an account may do: enter bots, run contests, or run the server.
    Role {
        /// The account.
        name: String,
        /// What it may do from now on.
        role: Role,
    },
    /// Let worker machines in, and turn them away.
    #[command(subcommand)]
    Worker(WorkerAct),
    /// Recompute ratings from the match log, and compare.
    Ratings {
        /// Fail where a stored rating is not, bit for bit, the recomputed one.
        #[arg(long)]
        check: bool,
    },
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Role {
    Contestant,
    Organiser,
    Admin,
}

#[derive(Subcommand)]
enum WorkerAct {
    /// Let a machine in: prints its token, once. A name that is known gets a new token.
    Add {
        /// What the machine is called on pages and in logs.
        name: String,
    },
    /// Turn a machine away. What it was doing is done elsewhere.
    Remove {
        /// The machine.
        name: String,
    },
}

pub fn run(options: Options) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(act(options))
}

async fn act(options: Options) -> anyhow::Result<()> {
    let url = match &options.database {
        Some(url) => url.clone(),
        None => {
            let run = options.data.join("run");
            let run = run.canonicalize().with_context(|| {
                format!(
                    "no `agon up` keeps its data in {}: name its directory with --data, \
                     or the database with --database",
                    options.data.display()
                )
            })?;
            format!("postgres://agon@localhost/agon?host={}", run.display())
        }
    };
    let store =
        Store::connect(&url, store::Limits::default()).await.context("opening the database")?;
    match options.act {
        Act::Link { name } => link(&store, &options.config, &name).await,
        Act::Role { name, role } => set_role(&store, &name, role).await,
        Act::Worker(WorkerAct::Add { name }) => add_worker(&store, &name).await,
        Act::Worker(WorkerAct::Remove { name }) => match store.dismiss_worker(&name).await? {
            true => Ok(()),
            false => bail!("there is no worker {name:?}, or it has been turned away before"),
        },
        Act::Ratings { check } => ratings(&store, check).await,
    }
}

async fn set_role(store: &Store, name: &str, role: Role) -> anyhow::Result<()> {
    let account = server::auth::find_account(store, name).await?;
    let account = account.with_context(|| format!("there is no account {name:?}"))?;
    let role = match role {
        Role::Contestant => store::Role::Contestant,
        Role::Organiser => store::Role::Organiser,
        Role::Admin => store::Role::Admin,
    };
    Ok(store.set_role(account, role).await?)
}

async fn link(store: &Store, options: &config::Location, name: &str) -> anyhow::Result<()> {
    let account = server::auth::find_account(store, name).await?;
    let account = account.with_context(|| format!("there is no account {name:?}"))?;
    let token = server::auth::make_link(store, account).await?;
    let public_url = config::load(options)?.public_url.unwrap_or_default();
    crate::say::say!("{public_url}/setup/{token}");
    Ok(())
}

async fn add_worker(store: &Store, name: &str) -> anyhow::Result<()> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).context("drawing a random number")?;
    let token = hex::encode(bytes);
    store.admit_worker(name, &Sha256::digest(&token).into()).await?;
    crate::say::say!("{token}");
    Ok(())
}

async fn ratings(store: &Store, check: bool) -> anyhow::Result<()> {
    let mut wrong = 0;
    for game in games::GAMES {
        let log = whole_log(store, game.id()).await?;
        let n_matches = log.len();
        let recomputed =
            contest::recompute(log).with_context(|| format!("rating {}", game.id()))?;
        let stored: BTreeMap<Uuid, Standing<Uuid>> = store
            .ratings(game.id())
            .await?
            .into_iter()
            .map(|(bot, it)| {
                let store::Rating { rating, deviation, volatility, matches, faults, last_version } =
                    it;
                let rating = contest::Rating { rating, deviation, volatility };
                let last_version = last_version.unwrap_or_default();
                (bot, Standing { rating, matches, faults, last_version })
            })
            .collect();
        crate::say::say!("{}: {n_matches} rated matches, {} bots", game.id(), recomputed.len());
        let bots: std::collections::BTreeSet<_> = recomputed.keys().chain(stored.keys()).collect();
        for bot in bots {
            let (ours, theirs) = (recomputed.get(bot), stored.get(bot));
            if let Some(it) = ours {
                crate::say::say!(
                    "  {bot}  {:7.1} ± {:5.1}  {} matches",
                    it.rating.rating,
                    it.rating.deviation,
                    it.matches
                );
            }
            if ours != theirs {
                wrong += 1;
                crate::say::say!("  {bot}: stored is {theirs:?}, recomputed {ours:?}");
            }
        }
    }
    match check && wrong > 0 {
        true => bail!("{wrong} ratings are not those of the match log"),
        false => Ok(()),
    }
}

type Played = game::PerSeat<SeatResult<Uuid, Uuid>>;

async fn whole_log(store: &Store, game: &str) -> anyhow::Result<Vec<Played>> {
    let mut log = Vec::new();
    let mut after = 0;
    loop {
        let step = store.rated_log(game, after, LOG_STEP).await?;
        let Some(last) = step.last() else { return Ok(log) };
        after = last.finish_no;
        log.extend(step.iter().map(|it| {
            it.seats.map(|_, it| {
                let store::LoggedSeat { bot, version, score, faulted } = *it;
                SeatResult { bot, version, score, faulted }
            })
        }));
    }
}
