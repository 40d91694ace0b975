//! The cells of the cube, and a plane in one of them.

use serde::{Serialize, Serializer};

use crate::direction::Direction;

/// A cell by x, y and z, each from 0; a plane that flies out is just beyond. As JSON `[x, y, z]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// From north to south.
    pub x: i8,
    /// From west to east.
    pub y: i8,
    /// Upwards.
    pub z: i8,
}

impl Cell {
    /// The cell at `x`, `y`, `z`.
    pub const fn new(x: i8, y: i8, z: i8) -> Cell {
        Cell { x, y, z }
    }

    /// The neighbour in `direction`.
    pub fn next(self, direction: Direction) -> Cell {
        self.ahead(direction, 1)
    }

    /// The cell `n` cells away in `direction`.
    pub fn ahead(self, direction: Direction, n: i8) -> Cell {
        let [x, y, z] = direction.signs();
        Cell::new(self.x + x * n, self.y + y * n, self.z + z * n)
    }

    /// Whether it is within an arena of `size` cells an edge.
    pub fn is_inside(self, size: i8) -> bool {
        [self.x, self.y, self.z].iter().all(|it| (0..size).contains(it))
    }

    /// How many cells of the arena lie ahead in `direction`, up to the wall.
    pub fn cells_ahead(self, direction: Direction, size: i8) -> i8 {
        let to_wall = |at: i8, sign: i8| match sign {
            -1 => at,
            1 => size - 1 - at,
            _ => i8::MAX,
        };
        let [x, y, z] = direction.signs();
        to_wall(self.x, x).min(to_wall(self.y, y)).min(to_wall(self.z, z))
    }

    /// How many cells ahead in `direction` the cell `other` lies, if it lies there.
    pub fn distance_to(self, other: Cell, direction: Direction) -> Option<i8> {
        let way = [other.x - self.x, other.y - self.y, other.z - self.z];
        let n = way.iter().fold(0, |most, it| it.abs().max(most));
        (n > 0 && self.ahead(direction, n) == other).then_some(n)
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        [self.x, self.y, self.z].serialize(to)
    }
}

/// A plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// The cell it is in, or was last.
    pub at: Cell,
    /// Where it heads, and shoots.
    pub heading: Direction,
    /// Rounds before it can shoot again.
    pub cooldown: u8,
    /// Whether it flies.
    pub alive: bool,
}

impl Plane {
    /// A plane that flies and can shoot.
    pub const fn new(at: Cell, heading: Direction) -> Plane {
        Plane { at, heading, cooldown: 0, alive: true }
    }
}
