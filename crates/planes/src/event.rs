//! What happens in a match, told to bots and drawn by viewers.

use alloc::{borrow::Cow, vec::Vec};
use core::fmt;

use game::{End, Seat};
use serde::{Serialize, Serializer};

use crate::{action::Letters, arena::Cell, rules::LATE_TURNS_MAX, view::Sight};

/// Something that happened. Fights and rounds are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The match begins.
    MatchStarted {
        /// Cells of an edge of the arena.
        size: u32,
        /// Rounds of a fight.
        rounds: u32,
        /// Fights of the match.
        fights: u32,
    },
    /// A fight begins.
    FightStarted {
        /// Which one.
        fight: u32,
        /// Who is player 1.
        first: Seat,
        /// Fights won so far, by seat.
        won: [u32; 2],
    },
    /// A seat did not answer in time: its planes went straight on, without a shot.
    Late {
        /// Who.
        seat: Seat,
        /// Late turns of the match so far.
        turns: u32,
    },
    /// A seat is asked no more: its planes go straight on, and all fights after this one are lost.
    Out {
        /// Who.
        seat: Seat,
        /// Why.
        cause: Cause,
    },
    /// A line was no move: the plane went straight on, without a shot.
    Garbled {
        /// For which plane.
        plane: Name,
    },
    /// A plane asked for a turn that it may not make, and went straight on.
    Refused {
        /// Which plane.
        plane: Name,
        /// The letters of the turn.
        turn: Letters,
    },
    /// A round was flown. What its planes died of, and what they shot at, comes next.
    Flown {
        /// In which fight.
        fight: u32,
        /// Which round.
        round: u32,
        /// By seat: the planes that flew, where they went to, those that died there too. Whoever
        /// flew into a wall is just beyond it.
        planes: [[Option<Sight>; 2]; 2],
    },
    /// A plane flew into a wall.
    Wall {
        /// Which plane.
        plane: Name,
        /// The last cell it was in.
        from: Cell,
    },
    /// A plane came to a cell where another one was.
    Crash {
        /// Which plane; the others are told of, too.
        plane: Name,
        /// Where.
        at: Cell,
    },
    /// A plane shot.
    Shot {
        /// Which plane.
        plane: Name,
        /// Where it was.
        from: Cell,
        /// The last cell the bullet reached; the same where a wall was next.
        to: Cell,
        /// Which planes it shot down.
        hit: Vec<Name>,
    },
    /// A fight is over.
    FightEnded {
        /// Which one.
        fight: u32,
        /// Rounds that were flown.
        rounds: u32,
        /// Who won; none where it is a draw.
        winner: Option<Seat>,
        /// How it ended.
        how: How,
        /// Planes left, by seat.
        left: [u8; 2],
    },
    /// Fights are not fought, because a seat is out.
    Forfeited {
        /// How many.
        fights: u32,
        /// Who wins them; none where both are out, and they are drawn.
        winner: Option<Seat>,
    },
    /// The match is over.
    Ended {
        /// Fights won, by seat.
        won: [u32; 2],
        /// Fights drawn.
        drawn: u32,
    },
}

/// A plane, by whose it is and its number, 0 or 1. As JSON `[seat, number]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Whose.
    pub seat: Seat,
    /// Which of the two.
    pub no: u8,
}

/// How a fight ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// One side has no plane left.
    Out,
    /// Neither side has.
    BothOut,
    /// The rounds are over.
    Rounds,
}

/// Why a seat is asked no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cause {
    /// It was late too often.
    Late,
    /// Its thinking time for the match is used up.
    Total,
    /// Its program is gone.
    Gone {
        /// How it went.
        end: End,
    },
    /// It said what nobody could hear to its end.
    Protocol {
        /// In words for the bot's owner.
        why: Cow<'static, str>,
    },
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Late => write!(f, "{LATE_TURNS_MAX} turns were late"),
            Cause::Total => f.write_str("the thinking time of the match was used up"),
            Cause::Gone { end } => end.fmt(f),
            Cause::Protocol { why } => write!(f, "against the protocol: {why}"),
        }
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        [self.seat.0, self.no].serialize(to)
    }
}
