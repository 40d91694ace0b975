//! What a viewer reads: a match as a file, whoever has it shown.

use game::Outcome;
use serde::Serialize;
use serde_json::Value as Json;

use crate::{AnyGame, Replay, ReplayFrame};

/// The format of these files. Changes of meaning raise it.
pub const REPLAY_FORMAT: u32 = 1;

/// A match, as viewers read it. `S` is what is told of a seat: a [`ReplaySeat`], or more.
#[derive(Debug, Serialize)]
pub struct ReplayFile<'a, S> {
    format: u32,
    game: &'static str,
    rules: u32,
    /// Which match of this server it is; none where it was played elsewhere.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    match_id: Option<String>,
    setup: &'a Json,
    seats: Vec<S>,
    frames: &'a [ReplayFrame],
    outcome: Option<&'a Outcome>,
}

/// Who sat on one seat.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ReplaySeat<'a> {
    role: &'a str,
    name: &'a str,
}

impl<'a, S> ReplayFile<'a, S> {
    /// The file of a match of `game`, with its seats in order.
    pub fn new(game: &dyn AnyGame, replay: &'a Replay, seats: Vec<S>) -> ReplayFile<'a, S> {
        ReplayFile {
            format: REPLAY_FORMAT,
            game: game.id(),
            rules: game.rules(),
            match_id: None,
            setup: &replay.setup,
            seats,
            frames: &replay.frames,
            outcome: replay.outcome.as_ref(),
        }
    }

    /// The same, as the file of this match.
    pub fn of_match(self, id: String) -> ReplayFile<'a, S> {
        ReplayFile { match_id: Some(id), ..self }
    }
}

impl<'a> ReplaySeat<'a> {
    /// Who sat on the seat of this number.
    pub fn new(game: &dyn AnyGame, no: usize, name: &'a str) -> ReplaySeat<'a> {
        ReplaySeat { role: game.roles().get(no).copied().unwrap_or_default(), name }
    }
}
