//! Draws courses: section on section from the start to the goal, until the length is reached.
//!
//! The same order makes the same course, on every machine: chance is a number
//! that is part of the order.

mod sections;

use alloc::{format, string::String, vec, vec::Vec};

use game::{Field, FieldKind, Filled, Illegal};

use crate::{
    check::{step_limit_of, think_ms_of, vision_needed},
    course::{Course, Ground},
    setup::{FIELDS, Setup},
};
use sections::{Section, section};

/// Most rows that a course of ours makes anybody go back, and one more: what players see at least.
const NEEDS_MAX: u32 = 20;
/// Sections that are drawn and thrown away before a piece of grass takes their place.
const DRAWS_MAX: u32 = 100;
/// Whole courses that are drawn in vain before the order is refused.
const COURSES_MAX: u32 = 20;

/// What a course is to be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The same number makes the same course.
    pub seed: u64,
    /// Columns, 5 to 20.
    pub width: u32,
    /// Rows, 5 to 200.
    pub length: u32,
    /// Rows to be seen ahead, 5 to 20. There may be more, where the course needs it.
    pub vision: u32,
    /// Whether left and right are alike: in all sections, in none, or `None`, as it happens.
    pub symmetric: Option<bool>,
}

impl Order {
    /// The order that is filled in.
    pub(crate) fn from_filled(filled: &Filled) -> Order {
        Order {
            seed: filled.whole("seed").into(),
            width: filled.whole("width"),
            length: filled.whole("length"),
            vision: filled.whole("vision"),
            symmetric: match filled.word("symmetry") {
                "all" => Some(true),
                "none" => Some(false),
                _ => None,
            },
        }
    }

    /// The same bounds as those of the form.
    fn check(&self) -> Result<(), Illegal> {
        let found = [("width", self.width), ("length", self.length), ("vision", self.vision)];
        for (name, found) in found {
            let kind = FIELDS.iter().find(|it: &&Field| it.name == name).map(|it| it.kind);
            let Some(FieldKind::Whole { min, max, .. }) = kind else { continue };
            if !(min..=max).contains(&found) {
                let text =
                    format!("{name}: found {found}, allowed is a whole number from {min} to {max}");
                return Err(Illegal(text.into()));
            }
        }
        Ok(())
    }
}

/// Draws a course that passes the check, with the step limit and the thinking time that go with it.
///
/// # Errors
///
/// Where a part of the order is out of its bounds.
pub fn generate(order: &Order) -> Result<Setup, Illegal> {
    order.check()?;
    let mut chance = Chance(order.seed);
    for _ in 0..COURSES_MAX {
        if let Some(setup) = draw(order, &mut chance) {
            return Ok(setup);
        }
    }
    let text = format!(
        "seed: found {}, which draws {COURSES_MAX} courses in a row that lead back too far; \
         allowed is another one",
        order.seed
    );
    Err(Illegal(text.into()))
}

fn draw(order: &Order, chance: &mut Chance) -> Option<Setup> {
    let (width, length) = (order.width as usize, order.length as usize);
    let mut rows: Section = vec![vec![Ground::Flat; width]];
    let mut in_vain = 0;
    while rows.len() < length {
        let mut next = section(width, order.symmetric, chance);
        let grass = chance.below(3) as usize;
        next.extend(vec![vec![Ground::Flat; width]; grass]);
        next.truncate(length - rows.len());
        // A section that is too deep a trap, be it only for having been cut off, is drawn again;
        // where that has been in vain for long, a row of grass comes instead.
        let fits = course(order, &next).is_some_and(|it| needs(&it) <= NEEDS_MAX);
        if fits {
            rows.extend(next);
            in_vain = 0;
            continue;
        }
        in_vain += 1;
        if in_vain == DRAWS_MAX {
            rows.push(vec![Ground::Flat; width]);
            in_vain = 0;
        }
    }
    let needs = needs(&course(order, &rows)?);
    if needs > NEEDS_MAX {
        return None;
    }
    let setup = setup(order, &rows);
    let setup = Setup { vision: order.vision.max(needs), ..setup };
    let step_limit = step_limit_of(&Course::new(&setup).ok()?);
    Some(Setup { step_limit, think_ms: think_ms_of(step_limit), ..setup })
}

/// The least vision with which a course is fair, or more than any where it is closed.
fn needs(course: &Course) -> u32 {
    vision_needed(course).unwrap_or(u32::MAX)
}

/// `rows` as a course of their own, behind one row of grass.
fn course(order: &Order, rows: &[Vec<Ground>]) -> Option<Course> {
    let mut all = vec![vec![Ground::Flat; order.width as usize]];
    all.extend_from_slice(rows);
    Course::new(&setup(order, &all)).ok()
}

fn setup(order: &Order, rows: &[Vec<Ground>]) -> Setup {
    let text = |row: &Vec<Ground>| row.iter().map(|it| char::from(it.letter())).collect::<String>();
    Setup {
        width: order.width,
        length: rows.len() as u32,
        vision: order.vision,
        step_limit: 1,
        think_ms: 1,
        x0: order.width / 3,
        x1: order.width * 2 / 3,
        rows: rows.iter().map(text).collect(),
    }
}

/// Numbers that look drawn by lot, from one that is given (SplitMix64).
pub(crate) struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut it = self.0;
        it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        it ^ (it >> 31)
    }

    /// A number from 0 to `n` - 1, each as likely as the others.
    fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u32
    }

    /// A number from `first` to `last`.
    fn between(&mut self, first: u32, last: u32) -> u32 {
        first + self.below(last - first + 1)
    }

    /// True `parts` times in a hundred.
    fn happens(&mut self, parts: u32) -> bool {
        self.below(100) < parts
    }
}
