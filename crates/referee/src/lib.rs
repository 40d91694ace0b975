//! Plays a match of any game, doing no I/O and reading no clock.
//!
//! What happened comes in through [`Referee::handle`], what to do comes out of
//! [`Referee::poll`], and the time is an argument. The same code is driven by
//! jailed processes on a worker, by plain ones on a laptop, and by a loop in
//! tests. It knows neither processes nor pipes nor any particular game.

#![forbid(unsafe_code)]

mod any;
mod chair;
mod match_play;
mod position;
mod record;
mod replay_file;
mod tools;
mod verdict;

use std::time::Duration;

use game::{End, Illegal, Outcome, Seat, Starts};

pub use crate::{
    any::{AnyGame, AnyReferee, Entry, Judged, Replay, ReplayFrame, SpentMs},
    match_play::Referee,
    position::{AnyPosition, Eyes, Heard},
    record::{Costs, Frame, Positions, Record, ReplayError, Spent, replay},
    replay_file::{REPLAY_FORMAT, ReplayFile, ReplaySeat},
    tools::{AnyTools, Format},
    verdict::{Faults, Verdict, judge},
};

/// Bytes sent to a bot that it may leave unread, beyond what its pipe holds.
pub const UNREAD_BYTES_MAX: usize = 1 << 20;
/// Bytes of a bot that may wait for a whole answer.
pub const INBOX_BYTES_MAX: usize = 2 << 20;
/// Bytes of remarks kept for each seat of a match; then one more says that there were more.
pub const REMARKS_BYTES_MAX: usize = 1 << 20;
/// Bytes a record may have as JSON. A game that needs more is in error, not its bots.
pub const RECORD_BYTES_MAX: usize = 64 << 20;

/// Time since the match began.
pub type Now = Duration;

/// What happened outside.
///
/// A seat's inputs come in order. What a process did after an
/// [`Effect::Stop`] must not be told: that effect is a barrier.
#[derive(Clone, Debug)]
pub enum Input<A> {
    /// So many more of the bytes sent to the seat are in its pipe.
    Written {
        /// Whose pipe.
        seat: Seat,
        /// How many more.
        n_bytes: usize,
    },
    /// The bot said something while awake.
    Output {
        /// Which bot.
        seat: Seat,
        /// What it said.
        bytes: Vec<u8>,
        /// What this question has cost so far.
        spent: Spent,
    },
    /// The bot is paused, as [`Effect::Rest`] asked. Comes once for each of them.
    Rested {
        /// Which bot.
        seat: Seat,
        /// What was still in its pipe; nothing where the dialect keeps what comes ahead.
        bytes: Vec<u8>,
    },
    /// The process ended, and all it ever said has been told.
    Ended {
        /// Which bot.
        seat: Seat,
        /// How.
        end: End,
        /// What this question has cost so far.
        spent: Spent,
    },
    /// [`Referee::poll_timeout`] has come, and the bot, awake, has no answer yet.
    Waited {
        /// Which bot.
        seat: Seat,
        /// What this question has cost so far.
        spent: Spent,
    },
    /// A person decided.
    Act {
        /// Who.
        seat: Seat,
        /// What.
        action: A,
        /// What they have said for the log meanwhile, line by line.
        log: Vec<String>,
    },
    /// Nothing but that time has passed: for people's clocks.
    Tick,
}

/// What to do outside, in this order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Start a process, paused.
    Start(Seat),
    /// Write bytes to its pipe, as far as it takes them; say [`Input::Written`].
    Send(Seat, Vec<u8>),
    /// Let it run, and start measuring: at once, or when all that was sent is written.
    Wake(Seat, Starts),
    /// Pause it, drain its pipe where [`drains`](AnyReferee::drains) says so, and say [`Input::Rested`].
    Rest(Seat),
    /// End it. Nothing it said later may reach [`Referee::handle`].
    Stop(Seat),
    /// A person's action was refused; their clock runs on.
    Refuse(Seat, Illegal),
    /// The record now holds this ply.
    Played(u32),
    /// The match is over.
    Over(Outcome),
    /// The match cannot be finished, and no bot is to blame.
    Void(Void),
}

/// Why a match cannot be finished.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Void {
    /// The rules let the record grow past its limit.
    #[error(
        "the record has {bytes} bytes after {plies} plies; at most {RECORD_BYTES_MAX} are kept"
    )]
    RecordFull {
        /// How many there are.
        bytes: usize,
        /// After how many plies.
        plies: usize,
    },
    /// The rules ask nobody, and do not say that the match is over.
    #[error("the rules wait for nobody after {plies} plies")]
    NobodyAsked {
        /// After how many plies.
        plies: usize,
    },
}
