//! `agon play`: a match here and now, or a round robin, from source files or commands.
//!
//! Its exit code tells whose fault it was: 0 nobody's, 1 a bot's, 2 of who
//! typed the command, 3 the judge's.

mod build;
mod jails;
mod options;
mod robin;
mod scratch;
mod tell;

use std::{fs, path::Path, process::ExitCode, time::Duration};

use game::{PerSeat, Seat, Sitter};
use referee::{AnyGame, AnyReferee};
use runner::{Batch, Fairness, Played, Program, SeatReport, Terms, Wires, causes};
use serde_json::Value as Json;
use tokio::sync::mpsc;

use build::{Entered, NotBuilt};
use jails::Jails;
pub use options::Options;
use scratch::Scratch;
use tell::Tell;

use crate::{ending, fields::find_game};

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
    /// The same of some of those that were to meet each other.
    Bots(Vec<robin::Unbuilt>),
    /// Ours.
    Judge(String),
    /// Ctrl-C, or a signal to end.
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
    let has_fault = match options.round_robin.is_empty() {
        true => play(&options, &tell).map(|it| has_fault(&it.seats)),
        false => robin::play(&options, &tell).map(|it| it.has_fault()),
    };
    let code = match has_fault {
        Ok(true) => 1,
        Ok(false) => 0,
        Err(failure) => {
            tell.failure(&failure);
            match failure {
                Failure::Bot { .. } | Failure::Bots(_) => 1,
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
    let jails = options.jail.then(|| Jails::open(options)).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Judge(format!("starting: {error}")))?;
    let played = runtime.block_on(async {
        let ending = ending::asked();
        let ending = ending.map_err(|error| Failure::Judge(format!("starting: {error}")))?;
        let scratch = Scratch::new()?;
        let entered =
            Entered { game: asked.game.id(), option: "--seat", bots: asked.seats.as_slice() };
        let play = async {
            match &jails {
                Some(jails) => {
                    let bots =
                        build::jailed(options, entered, jails.client(), scratch.path()).await?;
                    let bots = all_built(bots)?.into_iter();
                    let programs: Vec<_> = bots.map(|it| Some(it.program(None))).collect();
                    match_of(&asked, &PerSeat::from(programs), DISTURBANCE_MAX, tell).await
                }
                None => {
                    let bots = build::plain(options, entered, scratch.path()).await?;
                    let programs: Vec<_> = all_built(bots)?.into_iter().map(Some).collect();
                    tell.warns_of_no_jail();
                    match_of(&asked, &PerSeat::from(programs), Duration::MAX, tell).await
                }
            }
        };
        tokio::select! {
            played = play => played,
            () = ending => Err(Failure::Interrupted),
        }
    })?;
    if let Some(path) = &options.record {
        store(path, &played.record)?;
    }
    tell.result(&asked, options, &played);
    Ok(played)
}

/// The bots of a match, or why the first of them that is not there is not.
fn all_built<T>(bots: Vec<Result<T, NotBuilt>>) -> Result<Vec<T>, Failure> {
    let failure = |NotBuilt { no, why, log }| Failure::Bot { seat: Seat(no as u8), why, log };
    bots.into_iter().map(|it| it.map_err(failure)).collect()
}

fn has_fault(seats: &PerSeat<SeatReport>) -> bool {
    seats.iter().any(|(_, it)| it.fault.is_some())
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
