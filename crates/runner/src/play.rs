//! Plays a whole match, and says what came of it.

use std::{
    io,
    ops::{ControlFlow, RangeInclusive},
    time::Duration,
};

use game::{Outcome, PerSeat, Seat};
use referee::AnyReferee;
use serde_json::Value as Json;
use tokio::sync::mpsc;

use crate::{
    fairness::Fairness,
    feed::{Batch, Feed},
    process::Program,
    table::{Finish, PlayError, Table},
    tally::{SeatReport, Tally},
};

/// Records are written once and read often, so some time for packing pays.
const RECORD_LEVEL: i32 = 6;
/// Records of this many bytes come of matches of some seconds, beside which the tenth of one that
/// this takes is little; what is longer still would take too long.
const LONG_RECORD_BYTES: RangeInclusive<usize> = 64 << 10..=1 << 20;
const LONG_RECORD_LEVEL: i32 = 17;

/// What holds for a match beside its rules.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The most it may take; then it is void, so that nothing hangs for ever.
    pub wall_max: Duration,
    /// What is kept of each bot's standard error.
    pub stderr_bytes_max: usize,
    /// How time is charged, and when a late answer is the host's doing.
    pub fairness: Fairness,
}

/// What ties a match under way to those who are not at the table.
#[derive(Debug, Default)]
pub struct Wires {
    /// Whoever watches gets the plies from here.
    pub plies: Option<mpsc::Sender<Batch>>,
    /// Plies of a match that goes on which they have already.
    pub plies_told: u32,
    /// What people decide comes in here; they are late where it does not.
    pub people: Option<mpsc::Receiver<FromPeople>>,
}

/// What is heard of people.
#[derive(Clone, Debug, PartialEq)]
pub enum FromPeople {
    /// One of them has decided.
    Decided(Deed),
    /// From here on they cannot be heard, through no fault of theirs: their clocks stand still.
    Away,
    /// They can be heard again, and their clocks go on.
    Back,
}

/// What a person has decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Deed {
    /// Index of the ply it is for: in any other it counts for nothing.
    pub ply: u32,
    /// Whose decision.
    pub seat: Seat,
    /// The game's action, as JSON.
    pub action: Json,
    /// What they have said for the log in that turn, line by line.
    pub log: Vec<String>,
}

/// What came of a match.
#[derive(Clone, Debug)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// Its record, as JSON.
    pub record: Vec<u8>,
    /// Plies played.
    pub plies: u32,
    /// What each bot did.
    pub seats: PerSeat<SeatReport>,
}

/// Plays a match between programs and people; `programs` has one for each seat of a bot.
///
/// Runs best on a thread of its own: making a jail blocks for a millisecond.
/// Dropping it ends the match and all its processes.
///
/// # Errors
///
/// Only where the match cannot be finished. A bot's fault is a result.
pub async fn play<P: Program>(
    referee: Box<dyn AnyReferee>,
    programs: &PerSeat<Option<P>>,
    terms: &Terms,
    wires: Wires,
) -> Result<Played, PlayError> {
    let Wires { plies, plies_told, people } = wires;
    let tally = Tally::new(programs.n_seats(), terms.stderr_bytes_max);
    let mut table = Table::new(referee, programs, terms, tally, Feed::new(plies, plies_told));
    table.listen_to(people);
    let outcome = loop {
        if let Finish::Over(outcome) = table.play(|_| ControlFlow::Continue(())).await? {
            break outcome;
        }
    };
    table.clear()?;
    let Table { referee, tally, feed, .. } = table;
    feed.finish(&*referee).await;
    let plies = referee.n_plies();
    Ok(Played { outcome, record: referee.record(), plies, seats: tally.finish(&*referee) })
}

/// A record as it is stored: its JSON, compressed with zstd.
///
/// # Errors
///
/// Where there is no memory for it.
pub fn pack_record(record: &[u8]) -> io::Result<Vec<u8>> {
    let is_long = LONG_RECORD_BYTES.contains(&record.len());
    zstd::encode_all(record, if is_long { LONG_RECORD_LEVEL } else { RECORD_LEVEL })
}
