//! `agon play GAME --round-robin BOT...`: each meets each, and the best of them once more.
//!
//! Every bot is built once. Where a game has two roles, a bot plays one of them and meets those of
//! the other.

mod boards;
mod names;
mod tables;
mod tell;

use std::{
    fs,
    path::Path,
    pin::{Pin, pin},
    time::Duration,
};

use contest::{every_one_with_every_other, round_robin};
use game::{PerSeat, Sitter};
use referee::AnyGame;
use runner::{Program, causes};
use serde_json::Value as Json;
use tokio::runtime::Runtime;

use self::{
    boards::{Boards, Order},
    names::Entrant,
    tables::{Done, Stage},
};
use super::{
    DISTURBANCE_MAX, Failure, Options, Tell,
    build::{self, Entered, NotBuilt},
    jails::Jails,
    scratch::Scratch,
};
use crate::{ending, fields::find_game};

/// Most bots that meet each other: two thousand matches.
pub(super) const BOTS_MAX: usize = 64;
/// Processors of a match, as on a judge.
const CORES_OF_A_BOARD: usize = 2;
/// Largest `game.toml` that is looked at.
const GAME_FILE_BYTES_MAX: u64 = 1 << 20;

/// Those who are to meet each other, and how.
pub(super) struct Contest {
    game: &'static dyn AnyGame,
    entrants: Vec<Entrant>,
    /// In full.
    setup: Json,
    elite: Option<Elite>,
}

/// A second stage among the best.
struct Elite {
    n_best: usize,
    /// In full.
    setup: Json,
}

/// A bot that could not be built.
#[derive(Debug)]
pub(super) struct Unbuilt {
    pub(super) name: String,
    pub(super) why: String,
    /// What the compiler said.
    pub(super) log: String,
}

pub(super) fn play(options: &Options, tell: &Tell) -> Result<Done, Failure> {
    let contest = Contest::asked(options)?;
    let records = options.record.as_deref();
    // A launcher is a copy of this process, which therefore has no threads yet.
    let jails = options.jail.then(|| Jails::open(options)).transpose()?;
    records.map_or(Ok(()), make_folder)?;
    let starting = |error| Failure::Judge(format!("starting: {error}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(starting)?;
    let mut ending = pin!(runtime.block_on(async { ending::asked() }).map_err(starting)?);
    let scratch = Scratch::new()?;
    let typed: Vec<String> = contest.entrants.iter().map(|it| it.program.clone()).collect();
    let entered = Entered { game: contest.game.id(), option: "--round-robin", bots: &typed };
    let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut boards = Boards {
        n_boards: options.at_once.map_or((n_cores / CORES_OF_A_BOARD).max(1), |it| it as usize),
        cores: Vec::new(),
        disturbance_max: Duration::MAX,
        records,
    };
    let stages = match &jails {
        Some(jails) => {
            let build = build::jailed(options, entered, jails.client(), scratch.path());
            let bots = runtime.block_on(unless(ending.as_mut(), build))?;
            let bots = contest.all_built(bots)?;
            boards.cores = jails.cores();
            boards.disturbance_max = DISTURBANCE_MAX;
            let seated = |bot: usize, core| bots[bot].program(core);
            contest.stages(&boards, &runtime, ending, tell, &seated)?
        }
        None => {
            let build = build::plain(options, entered, scratch.path());
            let bots = runtime.block_on(unless(ending.as_mut(), build))?;
            let bots = contest.all_built(bots)?;
            tell.warns_of_no_jail();
            contest.stages(&boards, &runtime, ending, tell, &|bot: usize, _| bots[bot].clone())?
        }
    };
    let n_boards = boards.n_boards;
    let done = Done { contest, stages, n_boards, jail: options.jail };
    tell.contest(&done);
    Ok(done)
}

/// Does `this`, unless we are asked to end.
async fn unless<T>(
    ending: Pin<&mut impl Future<Output = ()>>,
    this: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    tokio::select! {
        done = this => done,
        () = ending => Err(Failure::Interrupted),
    }
}

impl Contest {
    /// What the command line says, if it makes sense.
    fn asked(options: &Options) -> Result<Contest, Failure> {
        let usage = |why: String| Failure::Usage(why);
        let game = find_game(&options.game).map_err(usage)?;
        let n_seats = game.roles().len();
        if n_seats != 2 {
            let why = format!("--round-robin: {} is played by {n_seats}, not by two", game.id());
            return Err(Failure::Usage(why));
        }
        let entrants = names::entrants(game, &options.round_robin);
        let entrants = entrants.map_err(|why| Failure::Usage(format!("--round-robin: {why}")))?;
        let in_full = |setup: Json| {
            let sitters = PerSeat::new(n_seats, |_| Sitter::Bot);
            game.check_setup(&setup, &sitters).map_err(|why| format!("the set-up: {why}"))
        };
        let setup = options.setup(game).and_then(in_full).map_err(usage)?;
        let elite = match options.elite {
            0 => None,
            n_best => {
                let usual = usual_elite(options, game).map_err(usage)?;
                let setup = options.elite_setup(game, usual).and_then(in_full);
                let setup = setup.map_err(|why| usage(format!("the elite stage: {why}")))?;
                Some(Elite { n_best: n_best as usize, setup })
            }
        };
        Ok(Contest { game, entrants, setup, elite })
    }

    /// Their numbers, by role.
    fn groups(&self) -> Vec<Vec<usize>> {
        let role_max = self.entrants.iter().map(|it| it.role).max().unwrap_or(0);
        let of_role = |role| move |it: &usize| self.entrants[*it].role == role;
        let all = 0..self.entrants.len();
        (0..=role_max).map(|role| all.clone().filter(of_role(role)).collect()).collect()
    }

    /// What a role is called, where there is more than one.
    fn role(&self, role: usize) -> Option<&'static str> {
        let roles = self.game.roles();
        (roles.first() != roles.last()).then(|| roles[role])
    }

    fn all_built<T>(&self, bots: Vec<Result<T, NotBuilt>>) -> Result<Vec<T>, Failure> {
        let (mut built, mut unbuilt) = (Vec::new(), Vec::new());
        for bot in bots {
            match bot {
                Ok(bot) => built.push(bot),
                Err(NotBuilt { no, why, log }) => {
                    let name = self.entrants[no].name.clone();
                    unbuilt.push(Unbuilt { name, why, log });
                }
            }
        }
        if unbuilt.is_empty() { Ok(built) } else { Err(Failure::Bots(unbuilt)) }
    }

    /// Plays all there is to play.
    fn stages<P: Program>(
        &self,
        boards: &Boards<'_>,
        runtime: &Runtime,
        mut ending: Pin<&mut impl Future<Output = ()>>,
        tell: &Tell,
        seated: &(impl Fn(usize, Option<u32>) -> P + Sync),
    ) -> Result<Vec<Stage>, Failure> {
        let mut play = |name: &'static str, groups: &[Vec<usize>], setup: &Json| {
            let pairs = pairs(groups);
            let order = Order { contest: self, stage: name, setup, pairs: &pairs };
            let progress = tell.progress(name, pairs.len());
            let met = boards.play(&order, runtime, ending.as_mut(), seated, || progress.one_more());
            drop(progress);
            Ok::<_, Failure>(Stage::new(self, name, setup, groups, met?))
        };
        let first = play("round robin", &self.groups(), &self.setup)?;
        let Some(Elite { n_best, setup }) = &self.elite else { return Ok(vec![first]) };
        let best: Vec<_> = first.tables.iter().map(|it| it.best(*n_best)).collect();
        let second = play("elite", &best, setup)?;
        Ok(vec![first, second])
    }
}

/// Each with each, or with each of the other role.
fn pairs(groups: &[Vec<usize>]) -> Vec<[usize; 2]> {
    let named = |[one, two]: [usize; 2]| match groups {
        [firsts, seconds] => [firsts[one], seconds[two]],
        all => [all[0][one], all[0][two]],
    };
    let pairs = match groups {
        [firsts, seconds] => every_one_with_every_other(firsts.len(), seconds.len()),
        all => round_robin(all.first().map_or(0, Vec::len)),
    };
    pairs.into_iter().map(named).collect()
}

/// What the game has otherwise in an elite stage, by its `game.toml`.
fn usual_elite(options: &Options, game: &dyn AnyGame) -> Result<Vec<(String, String)>, String> {
    #[derive(Default, serde::Deserialize)]
    #[serde(default)]
    struct GameFile {
        elite: toml::Table,
    }
    let dir = options.config.dir().map_err(|error| format!("--elite: {error:#}"))?;
    let path = dir.join("games").join(game.id()).join("game.toml");
    let wrong = |why: String| format!("{}: {why}", path.display());
    let bytes = crate::fields::read_file(&path, GAME_FILE_BYTES_MAX).map_err(wrong)?;
    let file: GameFile = toml::from_slice(&bytes).map_err(|error| wrong(causes(&error)))?;
    let text = |it: toml::Value| match it {
        toml::Value::String(text) => text,
        other => other.to_string(),
    };
    Ok(file.elite.into_iter().map(|(name, value)| (name, text(value))).collect())
}

/// For records, with nothing in it that they could be taken for.
fn make_folder(path: &Path) -> Result<(), Failure> {
    let usage = |why: String| Failure::Usage(format!("--record {}: {why}", path.display()));
    fs::create_dir_all(path).map_err(|error| usage(error.to_string()))?;
    let mut found = fs::read_dir(path).map_err(|error| usage(error.to_string()))?;
    match found.next() {
        None => Ok(()),
        Some(_) => Err(usage("found files in it, wanted is a new or an empty folder".to_owned())),
    }
}
