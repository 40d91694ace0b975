//! Exact geometry of whole numbers: movement lines, and what they touch.
//!
//! A cell is the closed unit square around its centre, a line the closed
//! segment between two centres. Nothing here divides but to find columns.

use core::ops::{Add, RangeInclusive, Sub};

use serde::{Deserialize, Serialize};

/// A place, a velocity or an acceleration: `[x, y]`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(from = "(i32, i32)", into = "(i32, i32)")]
pub struct Vector {
    /// To the right.
    pub x: i32,
    /// Towards the goal.
    pub y: i32,
}

/// A movement line. Between the same two cells it is a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The cell from whose centre it starts.
    pub from: Vector,
    /// The cell in whose centre it ends.
    pub to: Vector,
}

impl Vector {
    /// Nothing, or where the columns and rows begin.
    pub const ZERO: Vector = Vector { x: 0, y: 0 };

    /// `[x, y]`.
    pub const fn new(x: i32, y: i32) -> Vector {
        Vector { x, y }
    }
}

impl Line {
    /// The line between two cells.
    pub const fn new(from: Vector, to: Vector) -> Line {
        Line { from, to }
    }

    /// The line of a player that stands.
    pub const fn point(at: Vector) -> Line {
        Line { from: at, to: at }
    }

    /// Whether it shares a point with `other`.
    pub fn meets(self, other: Line) -> bool {
        let near = |a: [i32; 2], b: [i32; 2]| {
            a[0].min(a[1]) <= b[0].max(b[1]) && b[0].min(b[1]) <= a[0].max(a[1])
        };
        near([self.from.x, self.to.x], [other.from.x, other.to.x])
            && near([self.from.y, self.to.y], [other.from.y, other.to.y])
            && self.parts(other)
            && other.parts(self)
    }

    /// Whether it touches `cell`, be it in a corner.
    pub fn touches(self, cell: Vector) -> bool {
        let within = |at: i32, a: i32, b: i32| a.min(b) <= at && at <= a.max(b);
        let (dx, dy) = self.span();
        within(cell.x, self.from.x, self.to.x)
            && within(cell.y, self.from.y, self.to.y)
            && 2 * self.side(cell).abs() <= dx.abs() + dy.abs()
    }

    /// The columns of row `y` that it touches; `y` is one between its ends.
    ///
    /// These are the cells of which [`touches`](Line::touches) is true, found
    /// by solving its condition for the column.
    pub(crate) fn columns(self, y: i32) -> RangeInclusive<i32> {
        let (dx, dy) = self.span();
        let (left, right) = (self.from.x.min(self.to.x), self.from.x.max(self.to.x));
        if dy == 0 {
            return left..=right;
        }
        // With both signs changed it is the same line.
        let (slope, rise) = if dy < 0 { (-dx, -dy) } else { (dx, dy) };
        let along = 2 * slope * (i64::from(y) - i64::from(self.from.y));
        let reach = dx.abs() + rise;
        // -reach <= 2 * rise * column - along <= reach
        let first = -((reach - along).div_euclid(2 * rise));
        let last = (along + reach).div_euclid(2 * rise);
        let column = |it: i64| (i64::from(self.from.x) + it).clamp(left.into(), right.into());
        column(first) as i32..=column(last) as i32
    }

    /// Whether the ends of `other` are not both on one and the same side of it.
    fn parts(self, other: Line) -> bool {
        self.side(other.from).signum() * self.side(other.to).signum() <= 0
    }

    /// Positive to the left of its way, negative to the right, 0 on it.
    fn side(self, at: Vector) -> i64 {
        let (dx, dy) = self.span();
        let to = |at: i32, from: i32| i64::from(at) - i64::from(from);
        dx * to(at.y, self.from.y) - dy * to(at.x, self.from.x)
    }

    fn span(self) -> (i64, i64) {
        let span = |to: i32, from: i32| i64::from(to) - i64::from(from);
        (span(self.to.x, self.from.x), span(self.to.y, self.from.y))
    }
}

impl Add for Vector {
    type Output = Vector;
    fn add(self, other: Vector) -> Vector {
        Vector { x: self.x + other.x, y: self.y + other.y }
    }
}

impl Sub for Vector {
    type Output = Vector;
    fn sub(self, other: Vector) -> Vector {
        Vector { x: self.x - other.x, y: self.y - other.y }
    }
}

impl From<(i32, i32)> for Vector {
    fn from((x, y): (i32, i32)) -> Vector {
        Vector { x, y }
    }
}

impl From<Vector> for (i32, i32) {
    fn from(it: Vector) -> (i32, i32) {
        (it.x, it.y)
    }
}
