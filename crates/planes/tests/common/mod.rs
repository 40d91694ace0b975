//! What the tests share: golden files, and playing a ply.

#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    time::Duration,
};

use flate2::read::GzDecoder;
use game::{Answer, Dialect, Fault, Game, PerSeat, Read, Seat, Sitter, Talk};
use planes::{Action, Direction, Event, Letters, Move, Planes, Radio, Setup};
use serde_json::Value;

pub(crate) const A: Seat = Seat(0);
pub(crate) const B: Seat = Seat(1);

pub(crate) const BOTS: [Sitter; 2] = [Sitter::Bot, Sitter::Bot];

/// Where golden files are read from: this crate's own, or the directory the environment names.
pub(crate) fn golden_dir() -> PathBuf {
    match std::env::var_os("AGON_GOLDEN_DIR") {
        Some(dir) => dir.into(),
        None => own_golden_dir(),
    }
}

pub(crate) fn own_golden_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// A file of what we ship with the game.
pub(crate) fn config(path: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/games/planes");
    PathBuf::from(folder).join(path)
}

/// Every line of a gzipped file of JSON lines.
pub(crate) fn read_lines(path: &Path) -> Vec<Value> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    lines.map(|it| serde_json::from_str(&it.unwrap()).unwrap()).collect()
}

pub(crate) fn start(setup: &Setup, sitters: [Sitter; 2]) -> Planes {
    Planes::start(setup, &Vec::from(sitters).into(), &mut Vec::new()).unwrap()
}

/// The usual set-up with so many fights of so many rounds.
pub(crate) fn short(fights: u32, rounds: u32) -> Setup {
    Setup { fights, rounds, ..Setup::default() }
}

pub(crate) fn play(game: &mut Planes, answers: [Option<Answer<Action>>; 2]) -> Vec<Event> {
    let mut events = Vec::new();
    game.play(&PerSeat::from(Vec::from(answers)), &mut events);
    events
}

/// `SU! N~` as an answer.
pub(crate) fn says(text: &str) -> Option<Answer<Action>> {
    Some(Answer::Action(action(text)))
}

pub(crate) fn action(text: &str) -> Action {
    serde_json::from_value(text.into()).unwrap_or_else(|why| panic!("{text}: {why}"))
}

pub(crate) fn late() -> Option<Answer<Action>> {
    Some(Answer::Fault(Fault::Late))
}

pub(crate) fn direction(text: &str) -> Direction {
    Letters::parse(text.as_bytes()).and_then(|it| it.direction(false)).unwrap()
}

/// What the lines of a bot make of one turn, both planes flying; lines that are missing are no
/// moves.
pub(crate) fn heard(lines: &[&str]) -> Action {
    let mut radio = Radio::default();
    let view = start(&Setup::default(), BOTS).view(None);
    radio.ask(A, &view, Duration::ZERO, &mut Vec::new());
    let said: String =
        lines.iter().chain(["", ""].iter()).take(2).map(|it| format!("{it}\n")).collect();
    match radio.read(said.as_bytes(), &mut Talk::default()) {
        Read::Action(action, n_bytes) => {
            assert_eq!(n_bytes, said.len());
            action
        }
        other => panic!("{lines:?}: {other:?}"),
    }
}

/// The four lines of the position, planes of player 1 first.
pub(crate) fn lines(planes: &[planes::Plane; 4]) -> [String; 4] {
    planes.map(|it| match it.alive {
        true => {
            format!("alive {} {} {} {} {}", it.at.x, it.at.y, it.at.z, it.heading, it.cooldown)
        }
        false => "dead 0 0 0 N 0".to_owned(),
    })
}

/// Numbers from 0 up, the same each time.
pub(crate) fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % below
    }
}

/// A move in a direction.
pub(crate) fn go(to: Direction, turns: bool, shoots: bool) -> Option<Move> {
    Some(Move { letters: to.into(), turns, shoots })
}
