//! What one pair of eyes may know of a position. The course is shared, not copied.

use alloc::{string::String, sync::Arc};

use game::Fraction;
use serde::{Serialize, Serializer, ser::SerializeSeq};

use crate::{
    course::{Course, Ground},
    geometry::Vector,
};

/// What one pair of eyes may know of a position.
///
/// Players know of the cells below the vision limit. All is shown to spectators, and to all when
/// the match is over.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Which race, from 0; the last one when the match is over.
    pub race: u32,
    /// The step that is to come, from 0; `None` before all bots of the race have said that they
    /// are ready.
    pub step: Option<u32>,
    /// Columns of the course.
    pub width: i32,
    /// Rows of the course.
    pub length: i32,
    /// Rows that are visible beyond the foremost one that was reached.
    pub vision: i32,
    /// Steps of a race.
    pub step_limit: u32,
    /// Thinking time of a bot for one race.
    pub think_ms: u32,
    /// Rows below this one are visible to the players.
    pub sees: i32,
    /// The players, by seat.
    pub players: [Runner; 2],
    /// Times of both races, by race and by seat, as far as they are known.
    pub times: [[Option<Fraction>; 2]; 2],
    /// The cells that these eyes may see.
    pub rows: Rows,
    /// How the match ended, if it did.
    pub end: Option<Ended>,
}

/// A player, as everybody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Runner {
    /// Its cell; when it is out, the last one it was in.
    pub at: Vector,
    /// Cells it goes in a step, unless it accelerates.
    pub velocity: Vector,
    /// Whether it still races.
    pub racing: bool,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ended {
    /// Sums of both races, by seat.
    pub sums: [Fraction; 2],
    /// In words.
    pub why: String,
}

/// Cells that may be seen: rows from the start on, each a text with a letter for each cell, 0
/// flat, 1 obstacle, 2 pond. Rows that are missing are hidden.
#[derive(Clone, Debug)]
pub struct Rows {
    course: Arc<Course>,
    n_rows: i32,
}

impl Rows {
    /// The rows below `sees`.
    pub(crate) fn below(course: &Arc<Course>, sees: i32) -> Rows {
        Rows { course: course.clone(), n_rows: sees.clamp(0, course.length()) }
    }

    /// Number of rows that may be seen.
    pub fn n_rows(&self) -> i32 {
        self.n_rows
    }

    /// The cells of row `y`, if it may be seen.
    pub fn row(&self, y: i32) -> Option<&[Ground]> {
        self.course.row(y).filter(|_| y < self.n_rows)
    }
}

impl Serialize for Rows {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut rows = to.serialize_seq(Some(self.n_rows as usize))?;
        let mut text = String::with_capacity(self.course.width() as usize);
        for y in 0..self.n_rows {
            text.clear();
            let row = self.row(y).unwrap_or_default();
            text.extend(row.iter().map(|it| char::from(it.letter())));
            rows.serialize_element(&text)?;
        }
        rows.end()
    }
}
