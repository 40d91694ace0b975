//! One race: what the answers of a step do to the two players.

use alloc::{format, sync::Arc};

use game::{Fraction, Illegal};
use serde::Serialize;

use crate::{
    course::{Course, Ground},
    geometry::{Line, Vector},
};

/// Farthest that a race to be gone on with may have come, in cells, and its fastest, in cells a step.
const RESUMED_MAX: i32 = 1_000_000;

/// A race under way.
#[derive(Clone, Debug)]
pub struct Race {
    course: Arc<Course>,
    step: u32,
    /// Rows below this one are visible, to both.
    sees: i32,
    players: [Player; 2],
}

/// A player, as everybody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// Its cell.
    pub at: Vector,
    /// Cells it goes in a step, unless it accelerates.
    pub velocity: Vector,
    /// Whether it still races.
    pub standing: Standing,
}

/// Whether a player still races.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It does.
    Racing,
    /// It has reached the goal.
    Finished(Fraction),
    /// It is out of this race.
    Disqualified,
}

/// The answer of a player that was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// With this acceleration, each part -1, 0 or 1.
    Accelerate(Vector),
    /// Not as it must.
    Failed,
}

/// What a step did to one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    /// Where it was.
    pub from: Vector,
    /// Where it was meant to go.
    pub planned: Vector,
    /// Where it is.
    pub to: Vector,
    /// How fast it is.
    pub velocity: Vector,
    /// Why it is there.
    #[serde(flatten)]
    pub how: How,
}

/// Why a player is where it is after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum How {
    /// Nothing was in its way.
    Moved,
    /// Nothing was in its way, and its velocity is lost in a pond.
    Splashed,
    /// It reached the goal.
    Finished {
        /// After so many steps, parts of one counted.
        time: Fraction,
    },
    /// It would have left the course, and stays.
    OffCourse {
        /// Over a side or into an obstacle.
        over: Barred,
    },
    /// The lines of both met, and it stays.
    Collided {
        /// Its line touches the cell the other one started from. If not, the other one, farther
        /// behind or farther left, had priority.
        touched_cell: bool,
    },
    /// It did not answer as it must.
    Disqualified,
}

/// What keeps a player on the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Barred {
    /// The side of the course.
    Side,
    /// An obstacle.
    Obstacle,
}

impl Race {
    /// A race that begins, the players in these columns.
    pub fn new(course: Arc<Course>, starts: [i32; 2]) -> Race {
        let player = |x| Player {
            at: Vector::new(x, 0),
            velocity: Vector::ZERO,
            standing: Standing::Racing,
        };
        let sees = course.vision();
        Race { course, step: 0, sees, players: starts.map(player) }
    }

    /// A race that is gone on with from this position: for puzzles, and for trying out.
    ///
    /// # Errors
    ///
    /// Where a racing player is where none can be, or faster than any can become.
    pub fn resume(
        course: Arc<Course>,
        step: u32,
        sees: i32,
        players: [Player; 2],
    ) -> Result<Race, Illegal> {
        let refuse = |text| Err(Illegal(text));
        if !(0..=RESUMED_MAX).contains(&sees) || step >= course.step_limit() {
            return refuse(format!("step {step} with rows below {sees} visible is none").into());
        }
        for Player { at, velocity, standing } in players {
            if standing != Standing::Racing {
                continue;
            }
            let small = |it: i32| it.abs() <= RESUMED_MAX;
            let fits = (0..course.width()).contains(&at.x)
                && (-RESUMED_MAX..course.length()).contains(&at.y)
                && small(velocity.x)
                && small(velocity.y);
            if !fits {
                return refuse(format!("no player can be at {} {}, so fast", at.x, at.y).into());
            }
        }
        Ok(Race { course, step, sees, players })
    }

    /// The course.
    pub fn course(&self) -> &Arc<Course> {
        &self.course
    }

    /// The step that is to come, from 0.
    pub fn step(&self) -> u32 {
        self.step
    }

    /// Rows below this one are visible.
    pub fn sees(&self) -> i32 {
        self.sees
    }

    /// The players.
    pub fn players(&self) -> &[Player; 2] {
        &self.players
    }

    /// Whether player `no` still races.
    pub fn is_racing(&self, no: usize) -> bool {
        self.players[no].standing == Standing::Racing
    }

    /// Whether both are out.
    pub fn is_over(&self) -> bool {
        !self.is_racing(0) && !self.is_racing(1)
    }

    /// Whether no step is left.
    pub fn is_out_of_steps(&self) -> bool {
        self.step >= self.course.step_limit()
    }

    /// Takes a player out of the race, between two steps.
    pub fn disqualify(&mut self, no: usize) {
        self.players[no].standing = Standing::Disqualified;
    }

    /// Carries out a step. An answer of a player that is out is not looked at; one of a player
    /// that races and that is missing is a failure.
    pub fn play(&mut self, answers: [Option<Answered>; 2]) -> [Option<Move>; 2] {
        let moves = self.judge(answers);
        for (player, it) in self.players.iter_mut().zip(&moves) {
            let Some(it) = it else { continue };
            (player.at, player.velocity) = (it.to, it.velocity);
            match it.how {
                How::Disqualified => {
                    player.standing = Standing::Disqualified;
                    continue;
                }
                How::Finished { time } => player.standing = Standing::Finished(time),
                How::Moved | How::Splashed | How::OffCourse { .. } | How::Collided { .. } => (),
            }
            self.sees = self.sees.max(it.to.y + self.course.vision());
        }
        self.step += 1;
        moves
    }

    /// What the answers of a step do.
    fn judge(&self, answers: [Option<Answered>; 2]) -> [Option<Move>; 2] {
        // Who gave no valid answer is in nobody's way any more.
        let lines = [0, 1].map(|no| match answers[no] {
            Some(Answered::Accelerate(by)) if self.is_racing(no) => {
                let Player { at, velocity, .. } = self.players[no];
                let line = Line::new(at, at + velocity + by);
                Some((line, self.barred(line)))
            }
            _ => None,
        });
        let lost = match lines {
            [Some(one), Some(other)] => collide(one, other),
            _ => [None; 2],
        };
        [0, 1].map(|no| {
            let from = self.players[no].at;
            match lines[no] {
                Some((line, barred)) => Some(self.end(line, barred, lost[no])),
                None if self.is_racing(no) => Some(stay(from, from, How::Disqualified)),
                None => None,
            }
        })
    }

    fn barred(&self, line: Line) -> Option<Barred> {
        if self.course.leaves_sides(line) {
            Some(Barred::Side)
        } else if self.course.is_obstructed(line) {
            Some(Barred::Obstacle)
        } else {
            None
        }
    }

    /// Where a player that was to go along `line` ends the step.
    fn end(&self, line: Line, barred: Option<Barred>, lost: Option<How>) -> Move {
        let Line { from, to } = line;
        if let Some(over) = barred {
            return stay(from, to, How::OffCourse { over });
        }
        if let Some(how) = lost {
            return stay(from, to, how);
        }
        let length = self.course.length();
        let (velocity, how) = if to.y >= length {
            (to - from, How::Finished { time: goal_time(self.step, length, line) })
        } else if self.course.ground(to) == Ground::Pond {
            (Vector::ZERO, How::Splashed)
        } else {
            (to - from, How::Moved)
        };
        Move { from, planned: to, to, velocity, how }
    }
}

/// Who of two players, each with a line and what bars it, loses a collision, if there is one.
fn collide(one: (Line, Option<Barred>), other: (Line, Option<Barred>)) -> [Option<How>; 2] {
    // Whoever goes off the course stays, and is in the way there.
    let stands = |(line, barred): (Line, Option<Barred>)| match barred {
        Some(_) => Line::point(line.from),
        None => line,
    };
    let lines = [stands(one), stands(other)];
    let both_stay = one.1.is_some() && other.1.is_some();
    if both_stay || !lines[0].meets(lines[1]) {
        return [None; 2];
    }
    let touches = [lines[0].touches(lines[1].from), lines[1].touches(lines[0].from)];
    if touches != [false; 2] {
        let loses = |touches: bool| touches.then_some(How::Collided { touched_cell: true });
        return touches.map(loses);
    }
    let order = |it: Line| (it.from.y, it.from.x);
    let first_has_priority = order(lines[0]) < order(lines[1]);
    let lost = Some(How::Collided { touched_cell: false });
    if first_has_priority { [None, lost] } else { [lost, None] }
}

fn stay(from: Vector, planned: Vector, how: How) -> Move {
    Move { from, planned, to: from, velocity: Vector::ZERO, how }
}

fn goal_time(step: u32, length: i32, line: Line) -> Fraction {
    let part = i64::from(length) - i64::from(line.from.y);
    let whole = i64::from(line.to.y) - i64::from(line.from.y);
    Fraction::new(i64::from(step) * whole + part, whole)
}
