//! What the tests share: golden files, boards drawn as text, and talking to one seat.

#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    time::Duration,
};

use flate2::read::MultiGzDecoder;
use game::{Answer, Dialect, Game, PerSeat, Ply, Read, RemarkKind, Seat, Sitter, Talk};
use labyrinth::{Action, Board, Event, Labyrinth, Lines, Mode, Setup};
use serde_json::Value;

pub(crate) const BOTS: [Sitter; 2] = [Sitter::Bot, Sitter::Bot];

/// Where golden files are read from: this crate's own, or the directory the environment names.
pub(crate) fn golden_dir() -> PathBuf {
    match std::env::var_os("AGON_GOLDEN_DIR") {
        Some(dir) => dir.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden"),
    }
}

/// Every line of a gzipped file of JSON lines.
pub(crate) fn read_lines(path: &Path) -> Vec<Value> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines = BufReader::new(MultiGzDecoder::new(file)).lines();
    lines.map(|it| serde_json::from_str(&it.unwrap()).unwrap()).collect()
}

pub(crate) fn mode(name: &str) -> Mode {
    serde_json::from_value(name.into()).unwrap()
}

pub(crate) fn start(setup: &Setup, sitters: [Sitter; 2]) -> Labyrinth {
    Labyrinth::start(setup, &Vec::from(sitters).into(), &mut Vec::new()).unwrap()
}

/// The board that the protocol would draw like this, ring included.
pub(crate) fn board(rows: &[&str]) -> Board {
    let mut board = Board::new(rows.len() as u32 - 2).unwrap();
    for (y, row) in rows.iter().enumerate() {
        for (x, symbol) in row.split(' ').enumerate() {
            let cell = board.cell(x as i32, y as i32);
            match (symbol, cell) {
                ("O", Some(cell)) => board.plant(cell),
                ("A", Some(cell)) => board.put_adventurer(cell),
                ("O", None) | ("-" | "T", Some(_)) => (),
                _ => panic!("{symbol} in column {x} of row {y}"),
            }
        }
    }
    board
}

/// Plays the answer of the seat to move.
pub(crate) fn play(game: &mut Labyrinth, seat: Seat, answer: Answer<Action>) -> Vec<Event> {
    let mut answer = Some(answer);
    let ply: Ply<Action> = PerSeat::new(2, |it| answer.take_if(|_| it == seat));
    let mut events = Vec::new();
    game.play(&ply, &mut events);
    events
}

/// Asks `seat`, as the referee does.
pub(crate) fn ask(game: &Labyrinth, seat: Seat, lines: &mut Lines) {
    let mut out = Vec::new();
    lines.ask(seat, &game.view(Some(seat)), Duration::MAX, &mut out);
    assert!(out.is_empty(), "the judge never speaks first");
}

/// Reads `input` to its end, calling as often as something is taken.
pub(crate) fn read(lines: &mut Lines, input: &[u8], talk: &mut Talk) -> Read<Action> {
    let mut taken = 0;
    loop {
        match lines.read(&input[taken..], talk) {
            Read::More(0) => return Read::More(taken),
            Read::More(n) => taken += n,
            Read::Action(action, n) => return Read::Action(action, taken + n),
            Read::Garbled(why) => return Read::Garbled(why),
        }
    }
}

/// Remarks of one kind.
pub(crate) fn remarks(talk: &Talk, kind: RemarkKind) -> Vec<&str> {
    let of_kind = talk.remarks.iter().filter(|it| it.0 == kind);
    of_kind.map(|(_, text)| text.as_ref()).collect()
}
