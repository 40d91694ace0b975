//! A course as the rules look at it: checked once, and asked a hundred thousand times.

use alloc::{boxed::Box, format, vec::Vec};

use game::Illegal;

use crate::{
    geometry::{Line, Vector},
    setup::Setup,
};

/// What a cell is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Grass.
    Flat,
    /// What no line may touch.
    Obstacle,
    /// What stops whoever ends a step in it.
    Pond,
}

/// A course, and what else is fixed before a race.
#[derive(Clone, Debug)]
pub struct Course {
    width: i32,
    length: i32,
    vision: i32,
    step_limit: u32,
    think_ms: u32,
    starts: [i32; 2],
    /// Row by row from the start, each from left to right.
    cells: Box<[Ground]>,
    /// The obstacles of each row, a bit for each column.
    obstacles: Box<[u128]>,
}

impl Ground {
    /// From the letter of files and of the protocol.
    pub fn from_letter(letter: u8) -> Option<Ground> {
        match letter {
            b'0' => Some(Ground::Flat),
            b'1' => Some(Ground::Obstacle),
            b'2' => Some(Ground::Pond),
            _ => None,
        }
    }

    /// The letter of files and of the protocol.
    pub fn letter(self) -> u8 {
        match self {
            Ground::Flat => b'0',
            Ground::Obstacle => b'1',
            Ground::Pond => b'2',
        }
    }
}

impl Course {
    /// The course of a set-up.
    ///
    /// # Errors
    ///
    /// Where a part of it is out of its bounds; names the part, what was found and what is allowed.
    pub fn new(setup: &Setup) -> Result<Course, Illegal> {
        let course = Course::for_positions(setup)?;
        for (name, x) in ["x0", "x1"].into_iter().zip(course.starts) {
            if course.ground(Vector::new(x, 0)) == Ground::Obstacle {
                let text = format!(
                    "{name}: found {x}, where row 0 has an obstacle; allowed is a column in which \
                     it has none"
                );
                return Err(Illegal(text.into()));
            }
        }
        Ok(course)
    }

    /// A course on which no race starts, so that obstacles may be where one would: for positions
    /// that are gone on with.
    ///
    /// # Errors
    ///
    /// As [`Course::new`].
    pub fn for_positions(setup: &Setup) -> Result<Course, Illegal> {
        setup.check_numbers()?;
        let width = setup.width as usize;
        let refuse = |text| Err(Illegal(text));
        if setup.rows.len() != setup.length as usize {
            let (found, allowed) = (setup.rows.len(), setup.length);
            return refuse(
                format!("rows: found {found} of them, allowed is {allowed}, the length").into(),
            );
        }
        let mut cells = Vec::with_capacity(width * setup.rows.len());
        for (y, row) in setup.rows.iter().enumerate() {
            let found = row.chars().count();
            if found != width {
                let text =
                    format!("rows: found {found} cells in row {y}, allowed is {width}, the width");
                return refuse(text.into());
            }
            for (x, letter) in row.chars().enumerate() {
                let ground = u8::try_from(letter).ok().and_then(Ground::from_letter);
                let Some(ground) = ground else {
                    let text = format!(
                        "rows: found `{}` in column {x} of row {y}, allowed is 0 (flat), 1 \
                         (obstacle) or 2 (pond)",
                        letter.escape_default()
                    );
                    return refuse(text.into());
                };
                cells.push(ground);
            }
        }
        let obstacles = cells.chunks(width).map(|row| {
            let bit = |(x, it): (usize, &Ground)| u128::from(*it == Ground::Obstacle) << x;
            row.iter().enumerate().map(bit).fold(0, |row, bit| row | bit)
        });
        Ok(Course {
            width: setup.width as i32,
            length: setup.length as i32,
            vision: setup.vision as i32,
            step_limit: setup.step_limit,
            think_ms: setup.think_ms,
            starts: [setup.x0 as i32, setup.x1 as i32],
            obstacles: obstacles.collect(),
            cells: cells.into(),
        })
    }

    /// Cells from side to side.
    pub fn width(&self) -> i32 {
        self.width
    }

    /// Rows from the start to the goal: row 0 is the first, the goal is reached in this one.
    pub fn length(&self) -> i32 {
        self.length
    }

    /// Rows that are visible beyond the foremost one that was reached.
    pub fn vision(&self) -> i32 {
        self.vision
    }

    /// Steps after which whoever still races is disqualified.
    pub fn step_limit(&self) -> u32 {
        self.step_limit
    }

    /// Thinking time of a bot for one race.
    pub fn think_ms(&self) -> u32 {
        self.think_ms
    }

    /// The columns that races start from.
    pub fn starts(&self) -> [i32; 2] {
        self.starts
    }

    /// What is in `cell`: rows before the start and beyond the goal are flat, and so are columns
    /// outside.
    pub fn ground(&self, cell: Vector) -> Ground {
        let within = |at: i32, n: i32| (0..n).contains(&at);
        match within(cell.x, self.width) && within(cell.y, self.length) {
            true => self.cells[(cell.y * self.width + cell.x) as usize],
            false => Ground::Flat,
        }
    }

    /// The cells of row `y`, if it is one of the course.
    pub fn row(&self, y: i32) -> Option<&[Ground]> {
        let width = self.width as usize;
        let row = usize::try_from(y).ok().filter(|it| *it < self.length as usize)?;
        Some(&self.cells[row * width..(row + 1) * width])
    }

    /// Whether the end of `line` is beyond a side.
    pub fn leaves_sides(&self, line: Line) -> bool {
        !(0..self.width).contains(&line.to.x)
    }

    /// Whether `line`, which stays between the sides, touches an obstacle.
    pub fn is_obstructed(&self, line: Line) -> bool {
        let Line { from, to } = line;
        let first = from.y.min(to.y).max(0);
        let last = from.y.max(to.y).min(self.length - 1);
        let box_of_line = columns(from.x.min(to.x), from.x.max(to.x));
        (first..=last).any(|y| {
            let row = self.obstacles[y as usize] & box_of_line;
            row != 0 && {
                let touched = line.columns(y);
                row & columns(*touched.start(), *touched.end()) != 0
            }
        })
    }
}

/// A bit for each column from `first` to `last`.
fn columns(first: i32, last: i32) -> u128 {
    (u128::MAX >> (127 - last)) & (u128::MAX << first)
}
