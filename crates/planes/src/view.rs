//! What eyes see of a match: everything, whoever they are.

use alloc::string::String;

use game::Seat;
use serde::{Serialize, Serializer};

use crate::{
    arena::{Cell, Plane},
    direction::Direction,
};

/// What is to be known of a position. Nothing is hidden. Fights and rounds are counted from 0.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Cells of an edge of the arena.
    pub size: u32,
    /// Rounds of a fight.
    pub rounds: u32,
    /// Fights of the match.
    pub fights: u32,
    /// The fight under way; the last one that was fought when the match is over.
    pub fight: u32,
    /// The round that is to come; when the match is over, one more than the last one.
    pub round: u32,
    /// Who is player 1 in this fight.
    pub first: Seat,
    /// The planes by seat, the first one of each first; none where it is dead.
    pub planes: [[Option<Sight>; 2]; 2],
    /// Fights won, by seat.
    pub won: [u32; 2],
    /// Fights drawn.
    pub drawn: u32,
    /// Late turns, by seat.
    pub late: [u32; 2],
    /// Who is asked no more, by seat.
    pub out: [bool; 2],
    /// How the match ended, if it did.
    pub end: Option<Ended>,
}

/// A plane, as everybody sees it. As JSON `[x, y, z, heading, cooldown]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Its cell.
    pub at: Cell,
    /// Where it heads.
    pub heading: Direction,
    /// Rounds before it can shoot again.
    pub cooldown: u8,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// In words.
    pub why: String,
}

impl Sight {
    pub(crate) fn of(plane: &Plane) -> Sight {
        Sight { at: plane.at, heading: plane.heading, cooldown: plane.cooldown }
    }
}

impl Serialize for Sight {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Cell { x, y, z } = self.at;
        (x, y, z, self.heading, self.cooldown).serialize(to)
    }
}
