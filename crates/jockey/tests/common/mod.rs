//! What the tests share: golden files, courses, and playing a ply.

#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
};

use flate2::read::GzDecoder;
use game::{Answer, Fault, Game, PerSeat, Ply, Sitter};
use jockey::{Action, Event, Jockey, Setup};
use serde_json::Value;

pub(crate) const BOTS: [Sitter; 2] = [Sitter::Bot, Sitter::Bot];

/// Where golden files are read from: this crate's own, or the directory the environment names.
pub(crate) fn golden_dir() -> PathBuf {
    match std::env::var_os("AGON_GOLDEN_DIR") {
        Some(dir) => dir.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"),
    }
}

/// A file of what we ship with the game.
pub(crate) fn config(path: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/games/jockey");
    PathBuf::from(folder).join(path)
}

/// Every line of a gzipped file of JSON lines.
pub(crate) fn read_lines(path: &Path) -> Vec<Value> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    lines.map(|it| serde_json::from_str(&it.unwrap()).unwrap()).collect()
}

pub(crate) fn start(setup: &Setup, sitters: [Sitter; 2]) -> Jockey {
    Jockey::start(setup, &Vec::from(sitters).into(), &mut Vec::new()).unwrap()
}

/// A course of these rows, the last of them at the start; players start in columns 0 and 1.
pub(crate) fn course(rows: &[&str]) -> Setup {
    Setup {
        width: rows[0].len() as u32,
        length: rows.len() as u32,
        vision: 10,
        step_limit: 50,
        think_ms: 11_000,
        x0: 0,
        x1: 1,
        rows: rows.iter().rev().map(|it| (*it).to_owned()).collect(),
    }
}

/// The course and limits of a golden race or step.
pub(crate) fn golden_setup(line: &Value) -> Setup {
    let number = |name: &str| line[name].as_u64().unwrap() as u32;
    let rows = line["map"].as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned());
    let rows: Vec<String> = rows.collect();
    // Single steps start anywhere.
    let start = |no: usize| line["x"][no].as_u64().map_or(no as u32, |it| it as u32);
    Setup {
        width: number("w"),
        length: number("l"),
        vision: number("vision"),
        step_limit: line["limit"].as_u64().unwrap_or(100) as u32,
        think_ms: 21_000,
        x0: start(0),
        x1: start(1),
        rows,
    }
}

/// What the players of a golden race answered in step `step`; nothing where they were not asked.
pub(crate) fn golden_answers(line: &Value, step: usize) -> [Option<Answer<Action>>; 2] {
    [0, 1].map(|no: usize| {
        let part = |it: &Value| it.as_i64().unwrap() as i8;
        line["a"][no].get(step).map(|it| match it {
            Value::Null => Answer::Fault(Fault::Late),
            it => Answer::Action(Action::Accelerate(part(&it[0]), part(&it[1]))),
        })
    })
}

pub(crate) fn play(game: &mut Jockey, answers: [Option<Answer<Action>>; 2]) -> Vec<Event> {
    let ply: Ply<Action> = PerSeat::from(Vec::from(answers));
    let mut events = Vec::new();
    game.play(&ply, &mut events);
    events
}

pub(crate) fn ready(game: &mut Jockey) -> Vec<Event> {
    play(game, [0, 1].map(|_| Some(Answer::Action(Action::Ready))))
}

pub(crate) fn accelerate(x: i8, y: i8) -> Option<Answer<Action>> {
    Some(Answer::Action(Action::Accelerate(x, y)))
}
