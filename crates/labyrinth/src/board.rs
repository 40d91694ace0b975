//! Hedges, the adventurer, and what may be done to either: one bit a field, one word a row.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    path,
    setup::{SIZE_MAX, SIZE_MIN},
};

/// Rows of the largest board with its ring of hedge.
pub(crate) const ROWS: usize = SIZE_MAX as usize + 2;

/// One word a row, one bit a field: bit x of word y is column x of row y, the ring included.
pub(crate) type Rows = [u32; ROWS];

/// Where the treasure lies: in the upper left corner of every board.
pub(crate) const TREASURE: Cell = Cell { x: 1, y: 1 };

/// An inner field of a board: column and row from 1, row 1 on top.
///
/// Only boards make them, so there is one wherever one points, and nothing
/// that looks a field up can miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(into = "(u8, u8)")]
pub struct Cell {
    x: u8,
    y: u8,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the row above.
    North,
    /// To the column on the right.
    East,
    /// To the row below.
    South,
    /// To the column on the left.
    West,
}

/// Why a decision changed nothing. Where several apply, the first of its role's list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Either role: there was none.
    NoCommand,
    /// Either role: its parameters were missing, too many, or not whole numbers.
    Malformed,
    /// Architect: outside the board, or in its ring.
    OffBoard,
    /// Architect: there is a hedge already.
    Occupied,
    /// Architect: the adventurer's field, or one of the eight around it.
    NearAdventurer,
    /// Architect: the treasure's field, or one of the three around it.
    NearTreasure,
    /// Architect: no path would be left from the adventurer to the treasure.
    BlocksPath,
    /// Adventurer: none of the four directions.
    BadDirection,
    /// Adventurer: there is a hedge; the ring is one.
    Hedge,
}

/// The hedges and the adventurer.
///
/// There is always a path from the adventurer to the treasure, as long as
/// nothing is planted but what [`judge_planting`](Board::judge_planting) allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    size: u32,
    /// Inner fields without hedge. The ring is all zeros, so that neighbours need no bounds.
    open: Rows,
    adventurer: Cell,
}

impl Cell {
    /// Column, from 1.
    pub const fn x(self) -> u32 {
        self.x as u32
    }

    /// Row, from 1, the topmost first.
    pub const fn y(self) -> u32 {
        self.y as u32
    }

    /// Word of this field's row in [`Rows`].
    pub(crate) const fn row(self) -> usize {
        self.y as usize
    }

    /// Bit of this field within its word.
    pub(crate) const fn bit(self) -> u32 {
        1 << self.x
    }

    /// The same field or one of the eight around it.
    fn touches(self, other: Cell) -> bool {
        self.x.abs_diff(other.x) <= 1 && self.y.abs_diff(other.y) <= 1
    }
}

impl From<Cell> for (u8, u8) {
    fn from(it: Cell) -> (u8, u8) {
        (it.x, it.y)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.x, self.y)
    }
}

impl Direction {
    /// All of them, each at the place of its number in the protocol.
    pub const ALL: [Direction; 4] =
        [Direction::North, Direction::East, Direction::South, Direction::West];

    /// The direction with this number in the protocol, if one has it.
    pub fn from_number(number: i32) -> Option<Direction> {
        Direction::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// What it adds to column and row.
    const fn delta(self) -> (i32, i32) {
        match self {
            Direction::North => (0, -1),
            Direction::East => (1, 0),
            Direction::South => (0, 1),
            Direction::West => (-1, 0),
        }
    }
}

impl Board {
    /// The board before the first round: no hedges, the adventurer in the lower right corner.
    /// `None` where there is no board of that size.
    pub fn new(size: u32) -> Option<Board> {
        if !(SIZE_MIN..=SIZE_MAX).contains(&size) {
            return None;
        }
        let inner = ((1 << size) - 1) << 1;
        let mut open = [0; ROWS];
        for row in &mut open[1..=size as usize] {
            *row = inner;
        }
        let corner = size as u8;
        Some(Board { size, open, adventurer: Cell { x: corner, y: corner } })
    }

    /// Fields on a side, without the ring.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Where the adventurer stands.
    pub fn adventurer(&self) -> Cell {
        self.adventurer
    }

    /// The inner field in column `x` and row `y`, if there is one.
    pub fn cell(&self, x: i32, y: i32) -> Option<Cell> {
        let inner = 1..=self.size as i32;
        (inner.contains(&x) && inner.contains(&y)).then_some(Cell { x: x as u8, y: y as u8 })
    }

    /// Every inner field, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let size = self.size as u8;
        (1..=size).flat_map(move |y| (1..=size).map(move |x| Cell { x, y }))
    }

    /// Whether there is no hedge on `cell`.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.open[cell.row()] & cell.bit() != 0
    }

    /// Whether the treasure has been found.
    pub fn is_solved(&self) -> bool {
        self.adventurer == TREASURE
    }

    /// Whether a path leads from the adventurer, on an open field, to the treasure.
    pub fn is_solvable(&self) -> bool {
        let ends_open = self.is_open(self.adventurer) && self.is_open(TREASURE);
        ends_open && path::connects(&self.open, self.adventurer, TREASURE)
    }

    /// The field a hedge may be planted on at `x y`, or why none may.
    ///
    /// # Errors
    ///
    /// The first reason of the architect's that applies.
    pub fn judge_planting(&self, x: i32, y: i32) -> Result<Cell, Reason> {
        let cell = self.cell(x, y).ok_or(Reason::OffBoard)?;
        match self.near(cell) {
            Some(reason) => Err(reason),
            None if path::blocks(&self.open, self.adventurer, TREASURE, cell) => {
                Err(Reason::BlocksPath)
            }
            None => Ok(cell),
        }
    }

    /// What speaks against a hedge on each field, `None` for what is plantable.
    ///
    /// The same as [`judge_planting`](Board::judge_planting) of each, at the
    /// price of a few.
    pub fn verdicts(&self) -> impl Iterator<Item = (Cell, Option<Reason>)> {
        let needed = path::needed(&self.open, self.adventurer, TREASURE);
        self.cells().map(move |cell| {
            let blocks = needed[cell.row()] & cell.bit() != 0;
            (cell, self.near(cell).or(blocks.then_some(Reason::BlocksPath)))
        })
    }

    /// Plants a hedge, unjudged.
    pub fn plant(&mut self, cell: Cell) {
        self.open[cell.row()] &= !cell.bit();
    }

    /// The field that a step in the direction of this number leads to, or why it leads nowhere.
    ///
    /// # Errors
    ///
    /// The first reason of the adventurer's that applies.
    pub fn judge_step(&self, number: i32) -> Result<Cell, Reason> {
        let direction = Direction::from_number(number).ok_or(Reason::BadDirection)?;
        let (dx, dy) = direction.delta();
        let to = self.cell(self.adventurer.x() as i32 + dx, self.adventurer.y() as i32 + dy);
        to.filter(|it| self.is_open(*it)).ok_or(Reason::Hedge)
    }

    /// Puts the adventurer on a field, unjudged.
    pub fn put_adventurer(&mut self, cell: Cell) {
        self.adventurer = cell;
    }

    /// What speaks against a hedge on `cell` at first sight.
    fn near(&self, cell: Cell) -> Option<Reason> {
        if !self.is_open(cell) {
            Some(Reason::Occupied)
        } else if cell.touches(self.adventurer) {
            Some(Reason::NearAdventurer)
        } else if cell.touches(TREASURE) {
            Some(Reason::NearTreasure)
        } else {
            None
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::NoCommand => "no command was given",
            Reason::Malformed => {
                "the command's parameters must be whole numbers, as many as it takes"
            }
            Reason::OffBoard => "that is outside the board",
            Reason::Occupied => "a hedge grows there already",
            Reason::NearAdventurer => {
                "the adventurer stands there or on one of the eight fields around"
            }
            Reason::NearTreasure => "the treasure lies there or on one of the three fields around",
            Reason::BlocksPath => "no path would be left from the adventurer to the treasure",
            Reason::BadDirection => "directions are 0 north, 1 east, 2 south, 3 west",
            Reason::Hedge => "a hedge is in the way",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_exist_for_sizes_from_5_to_25_alone() {
        for size in 0..40 {
            assert_eq!(Board::new(size).is_some(), (5..=25).contains(&size), "{size}");
        }
    }

    #[test]
    fn a_new_board_is_open_within_and_closed_around() {
        for size in SIZE_MIN..=SIZE_MAX {
            let board = Board::new(size).unwrap();
            let side = size as i32;
            assert_eq!(
                board.cells().filter(|it| board.is_open(*it)).count(),
                (size * size) as usize
            );
            assert_eq!(board.open.iter().map(|it| it.count_ones()).sum::<u32>(), size * size);
            assert_eq!(board.adventurer(), board.cell(side, side).unwrap());
            for (x, y) in [(0, 1), (1, 0), (side + 1, 1), (1, side + 1), (i32::MIN, i32::MAX)] {
                assert_eq!(board.cell(x, y), None);
                assert_eq!(board.judge_planting(x, y), Err(Reason::OffBoard));
            }
        }
    }

    #[test]
    fn the_first_reason_counts() {
        let mut board = Board::new(5).unwrap();
        board.put_adventurer(board.cell(2, 2).unwrap());
        board.plant(board.cell(3, 3).unwrap());
        let table = [
            (0, 0, Some(Reason::OffBoard)),
            (3, 3, Some(Reason::Occupied)),
            (2, 2, Some(Reason::NearAdventurer)),
            (1, 1, Some(Reason::NearAdventurer)),
            (3, 1, Some(Reason::NearAdventurer)),
            (4, 1, None),
        ];
        for (x, y, reason) in table {
            assert_eq!(board.judge_planting(x, y).err(), reason, "{x} {y}");
        }
    }

    #[test]
    fn steps_go_to_the_four_neighbours() {
        let mut board = Board::new(5).unwrap();
        board.put_adventurer(board.cell(3, 3).unwrap());
        board.plant(board.cell(2, 3).unwrap());
        let table = [
            (0, Ok((3, 2))),
            (1, Ok((4, 3))),
            (2, Ok((3, 4))),
            (3, Err(Reason::Hedge)),
            (4, Err(Reason::BadDirection)),
            (-1, Err(Reason::BadDirection)),
            (i32::MAX, Err(Reason::BadDirection)),
            (i32::MIN, Err(Reason::BadDirection)),
        ];
        for (number, to) in table {
            assert_eq!(board.judge_step(number).map(<(u8, u8)>::from), to, "{number}");
        }
    }
}
