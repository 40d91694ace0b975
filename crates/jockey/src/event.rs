//! What players answer, what happens in a race, and why somebody is out of it.

use alloc::borrow::Cow;
use core::fmt;

use game::{End, Fraction, Seat};
use serde::{Deserialize, Serialize};

use crate::{geometry::Vector, race::Move, rules::MISSED_IN_A_ROW_MAX};

const N_SEATS: usize = 2;

/// One answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// To the first question of a race: ready.
    Ready,
    /// To a step: the acceleration to the right and towards the goal, each -1, 0 or 1.
    Accelerate(i8, i8),
}

/// Something that happened in a race.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A race begins.
    RaceStarted {
        /// Which one, from 0.
        race: u32,
        /// Where the players stand, by seat.
        starts: [Vector; N_SEATS],
    },
    /// A step was carried out.
    Stepped {
        /// Of which race, from 0.
        race: u32,
        /// Which step, from 0.
        step: u32,
        /// What it did to each player that raced, by seat.
        moves: [Option<Move>; N_SEATS],
    },
    /// A player is out of this race, and of this one alone.
    Disqualified {
        /// Which race, from 0.
        race: u32,
        /// Who.
        seat: Seat,
        /// Why.
        cause: Cause,
    },
    /// A person let a step pass without answering; the acceleration was 0 0.
    Missed {
        /// Who.
        seat: Seat,
        /// Steps of theirs in a row, this one counted.
        in_a_row: u32,
    },
    /// A race is over.
    RaceOver {
        /// Which one, from 0.
        race: u32,
        /// The goal times, by seat.
        times: [Fraction; N_SEATS],
    },
    /// The match is over.
    Ended {
        /// Sums of both races, by seat.
        sums: [Fraction; N_SEATS],
    },
}

/// Why a player was disqualified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cause {
    /// It did not reach the goal within the steps of the race.
    Steps,
    /// Its thinking time for the race was used up.
    Clock,
    /// Its program was gone.
    Gone {
        /// How it went.
        end: End,
    },
    /// It answered against the protocol.
    Protocol {
        /// In words for the bot's owner.
        why: Cow<'static, str>,
    },
    /// A person missed too many steps in a row.
    Absent,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Steps => f.write_str("the goal was not reached within the step limit"),
            Cause::Clock => f.write_str("the thinking time was used up"),
            Cause::Gone { end } => end.fmt(f),
            Cause::Protocol { why } => write!(f, "against the protocol: {why}"),
            Cause::Absent => write!(f, "{MISSED_IN_A_ROW_MAX} steps in a row were missed"),
        }
    }
}
