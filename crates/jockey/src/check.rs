//! Whether a course makes a good race: nobody must ever have to go back far, because nobody sees
//! far ahead. And the limits that go with a course, by the official formulas.

use alloc::{format, vec, vec::Vec};
use core::fmt;

use game::{Flaw, Illegal, Place};

use crate::{
    course::{Course, Ground},
    geometry::Vector,
    setup::Setup,
};

/// Milliseconds of thinking time for each five steps, and once more for the start.
const THINK_MS_OF_FIVE_STEPS: u32 = 1_000;
/// Step limits are multiples of this.
const STEPS_ROUNDED_TO: u32 = 5;

/// What is wrong with a course.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offence {
    /// The rules refuse it.
    Rules(Illegal),
    /// No way leads from the start to the goal, in steps from a side to a side.
    Closed {
        /// A cell of the foremost row that can be reached.
        cell: Vector,
    },
    /// A way to the goal leads back farther than players see.
    GoesBack {
        /// From here, and it can be reached.
        cell: Vector,
        /// To this row at least.
        to_row: i32,
        /// The least vision that would do.
        needs: u32,
        /// The vision there is.
        vision: i32,
    },
}

/// Whether a course is one for ladders and tournaments.
///
/// From each cell that can be reached, in steps from a side to a side, some way to the goal has to
/// stay in rows that a player there, being the first to get there, sees behind itself as well as
/// ahead: above the row of the cell less the vision.
///
/// # Errors
///
/// What is wrong, with the first cell that offends, row by row from the start.
pub fn inspect(setup: &Setup) -> Result<(), Offence> {
    let course = Course::new(setup).map_err(Offence::Rules)?;
    let worst = worst_way_back(&course)?;
    let Some(Way { needs, .. }) = worst.farthest else { return Ok(()) };
    match worst.first_beyond {
        Some(Way { cell, to_row, .. }) => {
            Err(Offence::GoesBack { cell, to_row, needs, vision: course.vision() })
        }
        None => Ok(()),
    }
}

/// The least vision with which nobody has to go back farther than players see.
///
/// # Errors
///
/// Where no way leads to the goal at all.
pub fn vision_needed(course: &Course) -> Result<u32, Offence> {
    Ok(worst_way_back(course)?.farthest.map_or(1, |it| it.needs))
}

/// The official step limit of a course: the steps of a player without momentum from the cell that
/// is farthest from the last row, and one more, rounded up.
pub fn step_limit_of(course: &Course) -> u32 {
    let (width, length) = (course.width(), course.length());
    let at = |cell: Vector| (cell.y * width + cell.x) as usize;
    let mut seen = vec![false; (width * length) as usize];
    let mut wave: Vec<Vector> = (0..width).map(|x| Vector::new(x, length - 1)).collect();
    wave.retain(|it| course.ground(*it) != Ground::Obstacle);
    for cell in &wave {
        seen[at(*cell)] = true;
    }
    let mut n_waves = 0;
    while !wave.is_empty() {
        n_waves += 1;
        let mut next = Vec::new();
        for cell in wave.into_iter().flat_map(neighbours) {
            let inside = (0..width).contains(&cell.x) && (0..length).contains(&cell.y);
            if inside && course.ground(cell) != Ground::Obstacle && !seen[at(cell)] {
                seen[at(cell)] = true;
                next.push(cell);
            }
        }
        wave = next;
    }
    // The first wave, which takes no step, is the one more.
    n_waves.max(1_u32).next_multiple_of(STEPS_ROUNDED_TO)
}

/// The official thinking time for a race of so many steps.
pub fn think_ms_of(step_limit: u32) -> u32 {
    (step_limit / STEPS_ROUNDED_TO + 1) * THINK_MS_OF_FIVE_STEPS
}

/// A cell, and how far the best way from there to the goal goes back.
#[derive(Clone, Copy)]
struct Way {
    cell: Vector,
    to_row: i32,
    needs: u32,
}

struct Worst {
    farthest: Option<Way>,
    first_beyond: Option<Way>,
}

/// Finds for each cell the highest row below which the best way to the goal never goes.
///
/// The rows before the start are open from side to side, so that one of them stands for all:
/// whoever can reach one can reach them all, and goes back least by staying in the first.
fn worst_way_back(course: &Course) -> Result<Worst, Offence> {
    let (width, length) = (course.width(), course.length());
    let at = |cell: Vector| ((cell.y + 1) * width + cell.x) as usize;
    let mut lowest: Vec<Option<i32>> = vec![None; (width * (length + 1)) as usize];
    // Cells by their lowest row, to be gone on from; the highest first.
    let mut waiting: Vec<Vec<Vector>> = vec![Vec::new(); length as usize + 1];
    let mut enter = |cell: Vector, row: i32, waiting: &mut Vec<Vec<Vector>>| {
        let inside = (0..width).contains(&cell.x) && (-1..length).contains(&cell.y);
        if !inside || course.ground(cell) == Ground::Obstacle {
            return;
        }
        let row = row.min(cell.y);
        let known = &mut lowest[at(cell)];
        if known.is_none_or(|it| it < row) {
            *known = Some(row);
            waiting[(row + 1) as usize].push(cell);
        }
    };
    for x in 0..width {
        enter(Vector::new(x, length - 1), length - 1, &mut waiting);
    }
    for row in (-1..length).rev() {
        while let Some(cell) = waiting[(row + 1) as usize].pop() {
            for next in neighbours(cell) {
                enter(next, row, &mut waiting);
            }
        }
    }
    // All that is connected with the start has the same ways; if the start has none, none has.
    let reachable = reachable(course);
    if lowest[at(Vector::new(0, -1))].is_none() {
        let cell = reachable.into_iter().max_by_key(|it| (it.y, -it.x)).unwrap_or_default();
        return Err(Offence::Closed { cell });
    }
    let mut worst = Worst { farthest: None, first_beyond: None };
    for cell in reachable {
        let Some(to_row) = lowest[at(cell)] else { continue };
        let needs = (cell.y - to_row) as u32 + 1;
        let way = Way { cell, to_row, needs };
        if worst.farthest.is_none_or(|it| it.needs < needs) {
            worst.farthest = Some(way);
        }
        if worst.first_beyond.is_none() && needs > course.vision() as u32 {
            worst.first_beyond = Some(way);
        }
    }
    Ok(worst)
}

/// The cells of the course that can be reached from a start, row by row.
fn reachable(course: &Course) -> Vec<Vector> {
    let (width, length) = (course.width(), course.length());
    let at = |cell: Vector| ((cell.y + 1) * width + cell.x) as usize;
    let mut seen = vec![false; (width * (length + 1)) as usize];
    let mut open: Vec<Vector> = (0..width).map(|x| Vector::new(x, -1)).collect();
    while let Some(cell) = open.pop() {
        let inside = (0..width).contains(&cell.x) && (-1..length).contains(&cell.y);
        if inside && course.ground(cell) != Ground::Obstacle && !seen[at(cell)] {
            seen[at(cell)] = true;
            open.extend(neighbours(cell));
        }
    }
    let cells = (0..length).flat_map(|y| (0..width).map(move |x| Vector::new(x, y)));
    cells.filter(|it| seen[at(*it)]).collect()
}

fn neighbours(it: Vector) -> [Vector; 4] {
    [(1, 0), (0, 1), (-1, 0), (0, -1)].map(|(x, y)| it + Vector::new(x, y))
}

impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Offence::Rules(why) => why.fmt(f),
            Offence::Closed { cell } => write!(
                f,
                "rows: found no way from the start to the goal beyond cell {} {} (column, row), \
                 allowed is a course with one",
                cell.x, cell.y
            ),
            Offence::GoesBack { cell, to_row, needs, vision } => write!(
                f,
                "rows: found cell {} {} (column, row), from where every way to the goal goes back \
                 to row {to_row}; with a vision of {vision} allowed is back to row {}. The course \
                 needs a vision of {needs}",
                cell.x,
                cell.y,
                cell.y - vision + 1,
            ),
        }
    }
}

impl core::error::Error for Offence {}

impl From<Offence> for Flaw {
    fn from(offence: Offence) -> Flaw {
        let cell = match &offence {
            Offence::Rules(why) => return why.clone().into(),
            Offence::Closed { cell } | Offence::GoesBack { cell, .. } => *cell,
        };
        Flaw {
            why: Illegal(format!("{offence}").into()),
            // Both are cells of the course.
            at: Some(Place::Cell(cell.x as u32, cell.y as u32)),
        }
    }
}
