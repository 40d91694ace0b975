//! What one pair of eyes may know of a position, small enough to send two thousand times.

use alloc::{string::String, vec::Vec};

use game::Seat;
use serde::{Serialize, Serializer};

use crate::{
    board::{Board, Cell, Reason, TREASURE},
    rules::{Action, Ending},
    setup::Mode,
};

/// Fields that the adventurer sees in each direction without a map.
pub(crate) const SIGHT: i32 = 2;

/// What one pair of eyes may know of a position.
///
/// An adventurer without map learns of a hedge when it comes near, of no
/// planting and no failure of the architect; of everything when the match is over.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// Fields on a side, without the ring of hedge.
    pub size: u32,
    /// What the adventurer can see.
    pub mode: Mode,
    /// The last round there can be.
    pub limit: u32,
    /// The round, from 1.
    pub clock: u32,
    /// Whose turn it is; `None` when the match is over.
    pub turn: Option<Seat>,
    /// Where the adventurer stands, `[column, row]`.
    pub adventurer: Cell,
    /// Every inner field.
    pub fields: Fields,
    /// How the 100 points would be shared out if the treasure were reached in
    /// this round; how they are, when the match is over.
    pub points: [u32; 2],
    /// Decisions of each seat that changed nothing, if these eyes may count them.
    pub redundant: [Option<u32>; 2],
    /// The decision that led here, if these eyes may know it.
    pub last: Option<Decided>,
    /// How the match ended, if it did.
    pub end: Option<Ended>,
}

/// A decision, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Decided {
    /// Whose.
    pub seat: Seat,
    /// What was decided.
    pub action: Action,
    /// Why it changed nothing, if it did not.
    pub reason: Option<Reason>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ended {
    /// By what.
    pub by: Ending,
    /// In words.
    pub why: String,
}

/// One letter for each inner field, row by row from the top.
///
/// `h` a hedge, `?` unknown to these eyes, `.` free. On the architect's turn,
/// for eyes that may know, a free field that must not be planted has the
/// reason's letter instead: `a` too near the adventurer, `t` too near the
/// treasure, `p` would block the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fields {
    size: usize,
    letters: Vec<u8>,
}

impl View {
    /// `A` adventurer, `T` treasure, `O` hedge or outside, `-` free: the field
    /// in column `x` and row `y` in the letters of the protocol, the ring counted.
    pub fn symbol(&self, x: i32, y: i32) -> u8 {
        let is = |cell: Cell| (cell.x() as i32, cell.y() as i32) == (x, y);
        match self.fields.letter(x, y) {
            _ if is(self.adventurer) => b'A',
            _ if is(TREASURE) => b'T',
            None | Some(b'h') => b'O',
            Some(_) => b'-',
        }
    }

    /// What no adventurer without map may know, taken out of what everybody may.
    pub(crate) fn hide(&mut self, architect: Seat) {
        self.fields.hide_far(self.adventurer);
        self.redundant[usize::from(architect.0)] = None;
        self.last = self.last.take().filter(|it| it.seat != architect);
    }
}

impl Fields {
    /// The letters of `board`, with or without those that forbid a planting.
    pub(crate) fn new(board: &Board, forbidden: bool) -> Fields {
        let plain = |cell| if board.is_open(cell) { b'.' } else { b'h' };
        let letters = if forbidden {
            board.verdicts().map(|(_, reason)| reason.map_or(b'.', letter)).collect()
        } else {
            board.cells().map(plain).collect()
        };
        Fields { size: board.size() as usize, letters }
    }

    /// The letter in column `x` and row `y`; `None` in the ring and beyond it.
    pub fn letter(&self, x: i32, y: i32) -> Option<u8> {
        let inner = 1..=self.size as i32;
        let within = inner.contains(&x) && inner.contains(&y);
        within.then(|| self.letters[(y as usize - 1) * self.size + x as usize - 1])
    }

    /// All of them, row by row.
    pub fn letters(&self) -> &[u8] {
        &self.letters
    }

    fn hide_far(&mut self, from: Cell) {
        for (place, letter) in self.letters.iter_mut().enumerate() {
            let (x, y) = (place % self.size + 1, place / self.size + 1);
            let near = |at: usize, from: u32| (at as i32 - from as i32).abs() <= SIGHT;
            if !(near(x, from.x()) && near(y, from.y())) {
                *letter = b'?';
            }
        }
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(str::from_utf8(&self.letters).expect("letters are ASCII"))
    }
}

/// The letter of what speaks against a planting on a field of the board.
fn letter(reason: Reason) -> u8 {
    match reason {
        Reason::Occupied => b'h',
        Reason::NearAdventurer => b'a',
        Reason::NearTreasure => b't',
        Reason::BlocksPath => b'p',
        // Nothing else is found on a field of the board.
        _ => b'.',
    }
}
