//! From a set-up and versions to a record.

use game::{Fault, Outcome, PerSeat, Seat};
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use uuid::Uuid;

use crate::{Input, Upload, Uploaded};

/// What is kept of a bot's standard error in a match, in bytes: the first half and the last.
pub const STDERR_BYTES_MAX: usize = 64 << 10;

/// Play a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchJob {
    /// Which match.
    pub match_id: Uuid,
    /// Which game.
    pub game: String,
    /// Rules it was made for; a worker that has others refuses.
    pub rules: u32,
    /// Its set-up.
    pub setup: Value,
    /// Which bots play; none where a person does.
    pub seats: PerSeat<Option<SeatJob>>,
    /// What was played before the attempt before this one was lost, each the referee's `Frame`:
    /// the match goes on from there. Only where people play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub played: Vec<Value>,
    /// The most it may still take, in seconds, where people play; otherwise the worker's to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_s: Option<u64>,
    /// Where the record goes.
    pub record: Upload,
}

/// A bot that plays on one seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatJob {
    /// Which version.
    pub version: Uuid,
    /// Name of a file in `config/languages`.
    pub language: String,
    /// What its build made.
    pub artefact: Input,
}

/// Plies of a running match, as they fall.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frames {
    /// Index of the first ply in `plies`.
    pub from: u32,
    /// One JSON value each, in order: the referee's `Frame`.
    pub plies: Vec<Box<RawValue>>,
}

/// Asks what people have decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeedsRequest {
    /// [`Deeds::last`] of the answer before; 0 at first.
    pub after: i64,
    /// How long to wait for something, in seconds, at most [`POLL_S_MAX`](crate::POLL_S_MAX).
    pub wait_s: u64,
}

/// What people have decided since; may be nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deeds {
    /// In the order in which they came.
    pub deeds: Vec<Deed>,
    /// Where to go on.
    pub last: i64,
}

/// What a person has decided. The rules have let it pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deed {
    /// Index of the ply it is for.
    pub ply: u32,
    /// Whose decision.
    pub seat: Seat,
    /// The game's action.
    pub action: Value,
    /// What they have said for the log in that turn, line by line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
}

/// What came of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchReport {
    /// How it ended.
    pub outcome: Outcome,
    /// Its record: JSON, compressed with zstd.
    pub record: Uploaded,
    /// Plies played.
    pub plies: u32,
    /// What each bot did.
    pub seats: PerSeat<SeatReport>,
}

/// What one bot did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatReport {
    /// Its first fault, with the index of the ply it answered.
    pub fault: Option<(u32, Fault)>,
    /// How many faults there were.
    pub faults: u32,
    /// Warnings of the judge.
    pub warnings: u32,
    /// Thinking time charged, in milliseconds.
    pub charged_ms: u64,
    /// Longest single answer, in milliseconds.
    pub slowest_ms: u64,
    /// Processor time used, in milliseconds.
    pub cpu_ms: u64,
    /// Most memory held at once, in bytes.
    pub memory_peak_bytes: u64,
    /// Its standard error, at most [`STDERR_BYTES_MAX`], NULs replaced.
    pub stderr: String,
}
