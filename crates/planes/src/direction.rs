//! The 26 directions of a plane, and which of them a turn may lead to.
//!
//! A direction is a small cube on the outside of one made of 27. A turn leads to
//! the cubes that touch it on a face of the large one.

use core::fmt;

use serde::{Serialize, Serializer};

/// Where a plane heads: for each axis -1, 0 or 1, and not 0 for all.
///
/// N and S are -1 and 1 on x, W and E on y, D and U on z.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Direction(u8);

const N_CUBES: u8 = 27;
/// The cube within, which is no direction.
const MIDDLE: u8 = 13;

impl Direction {
    /// South, where the planes of player 1 head first.
    pub const SOUTH: Direction = Direction(22);
    /// North, where those of player 2 do.
    pub const NORTH: Direction = Direction(4);

    /// All of them: x before y before z, each from -1 to 1.
    pub fn all() -> impl Iterator<Item = Direction> {
        (0..N_CUBES).filter(|it| *it != MIDDLE).map(Direction)
    }

    /// The direction of these signs, unless all are 0. Of numbers only the sign counts.
    pub fn new(x: i32, y: i32, z: i32) -> Option<Direction> {
        let [x, y, z] = [x, y, z].map(|it| (it.signum() + 1) as u8);
        let cube = 9 * x + 3 * y + z;
        (cube != MIDDLE).then_some(Direction(cube))
    }

    /// Its part on each axis.
    pub fn signs(self) -> [i8; 3] {
        signs(self.0)
    }

    /// Its letters: one for each axis on which it is not 0, in the order NS, WE, DU.
    pub fn letters(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// Whether a plane that heads here may turn `to`. Straight on it may always go.
    pub fn allows(self, to: Direction) -> bool {
        TURNS[usize::from(self.0)] & (1 << to.0) != 0
    }

    /// Where a plane that heads here may turn to, in the order of [`all`](Direction::all).
    pub fn turns(self) -> impl Iterator<Item = Direction> {
        Direction::all().filter(move |it| self.allows(*it))
    }
}

const fn signs(cube: u8) -> [i8; 3] {
    [cube as i8 / 9 - 1, cube as i8 / 3 % 3 - 1, cube as i8 % 3 - 1]
}

/// For each cube the set of those that a turn may lead to.
const TURNS: [u32; N_CUBES as usize] = {
    let mut turns = [0; N_CUBES as usize];
    let mut from = 0;
    while from < N_CUBES {
        let mut to = 0;
        while to < N_CUBES {
            if from != MIDDLE && to != MIDDLE && is_turn(signs(from), signs(to)) {
                turns[from as usize] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    turns
};

/// Whether two cubes touch, and lie on one face.
const fn is_turn(from: [i8; 3], to: [i8; 3]) -> bool {
    let (mut touch, mut share_a_face) = (true, false);
    let mut axis = 0;
    while axis < 3 {
        touch = touch && (from[axis] - to[axis]).abs() <= 1;
        share_a_face = share_a_face || (from[axis] == to[axis] && from[axis] != 0);
        axis += 1;
    }
    touch && share_a_face
}

#[rustfmt::skip]
const NAMES: [&str; N_CUBES as usize] = [
    "NWD", "NW", "NWU", "ND", "N", "NU", "NED", "NE", "NEU",
    "WD", "W", "WU", "D", "", "U", "ED", "E", "EU",
    "SWD", "SW", "SWU", "SD", "S", "SU", "SED", "SE", "SEU",
];

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.letters())
    }
}

impl fmt::Debug for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.letters())
    }
}

impl Serialize for Direction {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.letters())
    }
}
