//! `agon play`: one match here and now, from source files or commands.
//!
//! Its exit code tells whose fault it was: 0 nobody's, 1 a bot's, 2 of who
//! typed the command, 3 the judge's.

mod build;
mod options;
mod tell;

use std::{fs, path::Path, process::ExitCode, sync::Arc, time::Duration};

use game::{PerSeat, Seat, Sitter};
use referee::{AnyGame, AnyReferee};
use runner::{Batch, Client, Fairness, Played, Program, Terms, Wires, causes};
use serde_json::Value as Json;
use tokio::sync::mpsc;

pub use options::Options;
use tell::Tell;

use crate::fields::find_game;

/// Most time a match may take.
const MATCH_WAIT: Duration = Duration::from_secs(3600);
/// What is kept of each bot's standard error.
const STDERR_BYTES_MAX: usize = 64 << 10;
/// By how much this machine may hold up a jailed bot that is late; without a jail
/// nobody counts.
const DISTURBANCE_MAX: Duration = Duration::from_millis(20);
/// Batches of plies that printing may be behind.
const BATCHES_MAX: usize = 4;

/// Why there is no result.
#[derive(Debug)]
enum Failure {
    /// What was asked for makes no sense.
    Usage(String),
    /// A bot could not be built; why, and what the compiler said.
    Bot { seat: Seat, why: String, log: String },
    /// Ours.
    Judge(String),
    /// Ctrl-C.
    Interrupted,
}

/// A match that is to be played.
struct Match {
    game: &'static dyn AnyGame,
    /// In full.
    setup: Json,
    /// What was typed for each seat.
    seats: Vec<String>,
}

pub fn run(options: Options) -> ExitCode {
    let tell = Tell::new(&options);
    let code = match play(&options, &tell) {
        Ok(played) if played.seats.iter().any(|(_, it)| it.fault.is_some()) => 1,
        Ok(_) => 0,
        Err(failure) => {
            tell.failure(&failure);
            match failure {
                Failure::Bot { .. } => 1,
                Failure::Usage(_) => 2,
                Failure::Judge(_) => 3,
                Failure::Interrupted => 130,
            }
        }
    };
    // The judge failed where what it found is not where it was to be.
    ExitCode::from(if crate::say::is_lost() { 3 } else { code })
}

fn play(options: &Options, tell: &Tell) -> Result<Played, Failure> {
    let asked = asked(options)?;
    check_record(options.record.as_deref())?;
    // A launcher is a copy of this process, which therefore has no threads yet.
    let client = if options.jail { Some(Arc::new(launcher(options)?)) } else { None };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Judge(format!("starting: {error}")))?;
    let played = runtime.block_on(async {
        let scratch = tempfile::tempdir()
            .map_err(|error| Failure::Judge(format!("making a folder: {error}")))?;
        let play = async {
            match &client {
                Some(client) => {
                    let bots = build::jailed(options, &asked, client, scratch.path()).await?;
                    match_of(&asked, &PerSeat::from(bots), DISTURBANCE_MAX, tell).await
                }
                None => {
                    let bots = build::plain(options, &asked, scratch.path()).await?;
                    tell.warns_of_no_jail();
                    match_of(&asked, &PerSeat::from(bots), Duration::MAX, tell).await
                }
            }
        };
        tokio::select! {
            played = play => played,
            _ = tokio::signal::ctrl_c() => Err(Failure::Interrupted),
        }
    })?;
    if let Some(path) = &options.record {
        store(path, &played.record)?;
    }
    tell.result(&asked, options, &played);
    Ok(played)
}

/// What the command line says, if it makes sense.
fn asked(options: &Options) -> Result<Match, Failure> {
    let game = find_game(&options.game).map_err(Failure::Usage)?;
    let (found, roles) = (options.seat.len(), game.roles());
    if found != roles.len() {
        let why = format!(
            "found {found} times --seat; {} wants {}, in this order: {}",
            game.id(),
            roles.len(),
            roles.join(", ")
        );
        return Err(Failure::Usage(why));
    }
    let setup = options.setup(game).map_err(Failure::Usage)?;
    let sitters = PerSeat::new(roles.len(), |_| Sitter::Bot);
    let setup = game
        .check_setup(&setup, &sitters)
        .map_err(|why| Failure::Usage(format!("the set-up: {why}")))?;
    Ok(Match { game, setup, seats: options.seat.clone() })
}

async fn match_of<P: Program>(
    asked: &Match,
    programs: &PerSeat<Option<P>>,
    disturbance_max: Duration,
    tell: &Tell,
) -> Result<Played, Failure> {
    let referee = asked.referee()?;
    let terms = Terms {
        wall_max: MATCH_WAIT,
        stderr_bytes_max: STDERR_BYTES_MAX,
        fairness: Fairness { disturbance_max, ..Fairness::default() },
    };
    let (feed, batches) = mpsc::channel::<Batch>(BATCHES_MAX);
    let wires = Wires { plies: tell.wants_rounds().then_some(feed), ..Wires::default() };
    let (played, told) =
        tokio::join!(runner::play(referee, programs, &terms, wires), tell.rounds(asked, batches),);
    told?;
    played.map_err(|error| Failure::Judge(causes(&error)))
}

impl Match {
    fn sitters(&self) -> PerSeat<Sitter> {
        PerSeat::new(self.seats.len(), |_| Sitter::Bot)
    }

    fn referee(&self) -> Result<Box<dyn AnyReferee>, Failure> {
        let referee = self.game.referee(&self.setup, self.sitters());
        referee.map_err(|why| Failure::Usage(format!("the set-up: {why}")))
    }
}

fn launcher(options: &Options) -> Result<Client, Failure> {
    if !nix::unistd::geteuid().is_root() {
        let why = "--jail needs root, because only root can make jails; without it bots run as you";
        return Err(Failure::Usage(why.to_owned()));
    }
    let policy = crate::config::policy(&options.config);
    let policy = policy.map_err(|error| Failure::Usage(format!("{error:#}")))?;
    let (socket, _) = sandbox::launcher::fork(&policy).map_err(|it| Failure::Judge(causes(&it)))?;
    let client = Client::new(socket);
    client.hello().map_err(|error| Failure::Judge(causes(&error)))?;
    Ok(client)
}

/// A record that cannot be written is found before the match, not after it.
fn check_record(path: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match folder.is_dir() && !path.is_dir() {
        true => Ok(()),
        false => Err(Failure::Usage(format!("--record {}: no such folder", path.display()))),
    }
}

/// As JSON, or compressed where the name ends in `.zst`.
fn store(path: &Path, record: &[u8]) -> Result<(), Failure> {
    let stored = match path.extension().is_some_and(|it| it == "zst") {
        true => runner::pack_record(record).and_then(|it| fs::write(path, it)),
        false => fs::write(path, record),
    };
    stored.map_err(|error| Failure::Judge(format!("writing {}: {error}", path.display())))
}

#[cfg(test)]
mod tests;
