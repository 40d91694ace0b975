//! What is fixed before the first step: the course, and the limits of a race on it.

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use game::{Bounds, Field, FieldKind, Illegal};
use serde::{Deserialize, Deserializer, Serialize, de};

/// Fewest columns of a course: the players start in two.
pub const WIDTH_MIN: u32 = 2;
/// Most columns of a course.
pub const WIDTH_MAX: u32 = 100;
/// Most rows of a course; the fewest are 1, as of the limits below.
pub const LENGTH_MAX: u32 = 1_000;
/// Farthest that players see beyond the foremost row that was reached.
pub const VISION_MAX: u32 = 1_000;
/// Most steps of a race.
pub const STEP_LIMIT_MAX: u32 = 10_000;
/// Most thinking time of a bot for one race.
pub const THINK_MS_MAX: u32 = 3_600_000;

/// A course, and the limits of a race on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Columns of the course, [`WIDTH_MIN`] to [`WIDTH_MAX`].
    #[serde(deserialize_with = "width")]
    pub width: u32,
    /// Rows of the course, 1 to [`LENGTH_MAX`].
    #[serde(deserialize_with = "length")]
    pub length: u32,
    /// Rows that are visible beyond the foremost one that was reached, 1 to [`VISION_MAX`].
    #[serde(deserialize_with = "vision")]
    pub vision: u32,
    /// Steps of a race, 1 to [`STEP_LIMIT_MAX`].
    #[serde(deserialize_with = "step_limit")]
    pub step_limit: u32,
    /// Thinking time of a bot for one race, 1 to [`THINK_MS_MAX`].
    #[serde(deserialize_with = "think_ms")]
    pub think_ms: u32,
    /// Column in which the first player starts the first race.
    #[serde(deserialize_with = "x0")]
    pub x0: u32,
    /// Column in which the second player starts the first race.
    #[serde(deserialize_with = "x1")]
    pub x1: u32,
    /// The cells, from row 0 on, each from left to right: 0 flat, 1 obstacle, 2 pond.
    #[serde(deserialize_with = "rows")]
    pub rows: Vec<String>,
}

/// What the drawing of a course can be told.
pub(crate) const FIELDS: &[Field] = &[
    whole("seed", "Number of the course", 0, u32::MAX, 1),
    whole("width", "Width", 5, 20, 15),
    whole("length", "Length", 5, 200, 100),
    whole("vision", "Rows to be seen ahead, at least", 5, 20, 8),
    Field {
        name: "symmetry",
        label: "Left and right",
        kind: FieldKind::Choice {
            options: &[
                ("some", "alike here and there"),
                ("all", "alike everywhere"),
                ("none", "as it happens"),
            ],
        },
    },
];

/// Parts of a set-up that seats must find out for themselves.
pub(crate) const SECRETS: &[&str] = &["rows"];

const fn whole(name: &'static str, label: &'static str, min: u32, max: u32, default: u32) -> Field {
    Field { name, label, kind: FieldKind::Whole { min, max, default } }
}

impl Setup {
    /// Says which number is out of its bounds, if one is.
    pub(crate) fn check_numbers(&self) -> Result<(), Illegal> {
        let numbers = [
            (WIDTH, self.width),
            (LENGTH, self.length),
            (VISION, self.vision),
            (STEP_LIMIT, self.step_limit),
            (THINK_MS, self.think_ms),
            (Bounds { max: self.width.saturating_sub(1), ..X0 }, self.x0),
            (Bounds { max: self.width.saturating_sub(1), ..X1 }, self.x1),
        ];
        for (bounds, found) in numbers {
            bounds.check(found)?;
        }
        if self.x0 == self.x1 {
            let text =
                format!("x1: found {}, which x0 is; allowed is another column than that", self.x1);
            return Err(Illegal(text.into()));
        }
        Ok(())
    }
}

const WIDTH: Bounds = Bounds { name: "width", min: WIDTH_MIN, max: WIDTH_MAX };
const LENGTH: Bounds = Bounds { name: "length", min: 1, max: LENGTH_MAX };
const VISION: Bounds = Bounds { name: "vision", min: 1, max: VISION_MAX };
const STEP_LIMIT: Bounds = Bounds { name: "step_limit", min: 1, max: STEP_LIMIT_MAX };
const THINK_MS: Bounds = Bounds { name: "think_ms", min: 1, max: THINK_MS_MAX };
const X0: Bounds = Bounds { name: "x0", min: 0, max: WIDTH_MAX - 1 };
const X1: Bounds = Bounds { name: "x1", min: 0, max: WIDTH_MAX - 1 };

macro_rules! readers {
    ($($reader:ident $bounds:ident),*) => {$(
        fn $reader<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
            $bounds.read(from)
        }
    )*};
}

readers!(width WIDTH, length LENGTH, vision VISION, step_limit STEP_LIMIT, think_ms THINK_MS, x0 X0, x1 X1);

fn rows<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    from.deserialize_any(Rows)
}

struct Rows;

impl<'de> de::Visitor<'de> for Rows {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rows to be 1 to {LENGTH_MAX} texts, a letter for each cell")
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut from: A) -> Result<Vec<String>, A::Error> {
        let mut rows = Vec::new();
        while let Some(Row(row)) = from.next_element()? {
            if rows.len() == LENGTH_MAX as usize {
                return Err(de::Error::invalid_length(rows.len() + 1, &self));
            }
            rows.push(row);
        }
        Ok(rows)
    }
}

struct Row(String);

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Row, D::Error> {
        from.deserialize_any(RowText)
    }
}

struct RowText;

impl de::Visitor<'_> for RowText {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("each of rows to be a text, a letter for each cell")
    }

    fn visit_str<E: de::Error>(self, found: &str) -> Result<Row, E> {
        Ok(Row(found.into()))
    }
}
