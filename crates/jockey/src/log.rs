//! The official log of a race, in which the player that starts in column `x0` comes first: so in
//! the second race of a match the other one does.
//!
//! It prints goal times as the contest of 2019 did, which is one step less than the rules say.

mod read;
mod write;

use game::{Illegal, RecordFormat, Story};
use serde_json::Value;

use crate::{event::Cause, rules::Jockey};

/// Bytes of a log.
pub const LOG_BYTES_MAX: usize = 16 << 20;

/// What a log says it is.
const FILETYPE: &str = "race log";

/// Race logs of SamurAI Coding 2018-19.
pub const OFFICIAL_LOG: RecordFormat<Jockey> = RecordFormat {
    name: "official-log",
    extension: "json",
    about: "race logs of SamurAI Coding 2018-19, a file for each race; times are one less than \
            ours, as they were printed then",
    read: read_races,
    write: write_races,
};

fn read_races(files: &[&[u8]]) -> Result<Story<Jockey>, Illegal> {
    read::races(files)
}

fn write_races(story: &Story<Jockey>) -> Result<alloc::vec::Vec<alloc::vec::Vec<u8>>, Illegal> {
    let texts = write::races(story)?;
    let line = |it: Value| alloc::format!("{it}\n").into_bytes();
    Ok(texts.into_iter().map(line).collect())
}

/// Which seat the log's player `no` has in race `race`: the starts are swapped, the log's are not.
fn seat_of(race: u32, no: usize) -> usize {
    if race.is_multiple_of(2) { no } else { 1 - no }
}

/// How a log calls a reason to be out.
fn category(cause: &Cause) -> &'static str {
    match cause {
        Cause::Clock | Cause::Absent => "timedout",
        Cause::Gone { .. } => "died",
        Cause::Protocol { .. } => "invalid",
        // The last step was like any other.
        Cause::Steps => "normal",
    }
}
