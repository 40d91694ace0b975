//! What is fixed before the first round: size, mode, and the time a bot may take.

use core::fmt;

use game::{Bounds, Field, FieldKind, Illegal};
use serde::{Deserialize, Deserializer, Serialize, de};

/// Smallest side of a board.
pub const SIZE_MIN: u32 = 5;
/// Largest side of a board.
pub const SIZE_MAX: u32 = 25;
/// Side of a board where nobody chose.
pub const SIZE_DEFAULT: u32 = 10;

/// Least time a bot can be given for a turn.
pub const TURN_MS_MIN: u32 = 100;
/// Most time a bot can be given for a turn.
pub const TURN_MS_MAX: u32 = 60_000;
/// Time of a bot for a turn where nobody chose.
pub const TURN_MS_DEFAULT: u32 = 10_000;

/// Least time a bot can be given for a match.
pub const TOTAL_MS_MIN: u32 = 1_000;
/// Most time a bot can be given for a match.
pub const TOTAL_MS_MAX: u32 = 3_600_000;
/// Time of a bot for a match where nobody chose.
pub const TOTAL_MS_DEFAULT: u32 = 120_000;

/// What is fixed before the first round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Fields on a side, [`SIZE_MIN`] to [`SIZE_MAX`].
    #[serde(deserialize_with = "size")]
    pub size: u32,
    /// What the adventurer can see.
    #[serde(deserialize_with = "mode")]
    pub mode: Mode,
    /// Time of a bot for one turn, [`TURN_MS_MIN`] to [`TURN_MS_MAX`].
    #[serde(default = "turn_ms_default", deserialize_with = "turn_ms")]
    pub turn_ms: u32,
    /// Time of a bot for the whole match, [`TOTAL_MS_MIN`] to [`TOTAL_MS_MAX`].
    #[serde(default = "total_ms_default", deserialize_with = "total_ms")]
    pub total_ms: u32,
}

/// What the adventurer can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// The whole board.
    Map,
    /// Two fields around itself.
    NoMap,
}

/// The parts of a [`Setup`] that a person may fill in.
pub(crate) const FIELDS: &[Field] = &[
    Field {
        name: "size",
        label: "Size of the labyrinth",
        kind: FieldKind::Whole { min: SIZE_MIN, max: SIZE_MAX, default: SIZE_DEFAULT },
    },
    Field {
        name: "mode",
        label: "The adventurer plays",
        kind: FieldKind::Choice { options: &[("map", "with map"), ("nomap", "without map")] },
    },
];

impl Setup {
    /// A set-up with the usual times.
    pub fn new(size: u32, mode: Mode) -> Setup {
        Setup { size, mode, turn_ms: TURN_MS_DEFAULT, total_ms: TOTAL_MS_DEFAULT }
    }

    /// Says which part is out of its bounds, if one is.
    pub(crate) fn check(&self) -> Result<(), Illegal> {
        SIZE.check(self.size)?;
        TURN_MS.check(self.turn_ms)?;
        TOTAL_MS.check(self.total_ms)
    }
}

impl Default for Setup {
    /// The set-up of an untouched form.
    fn default() -> Setup {
        Setup::new(SIZE_DEFAULT, Mode::Map)
    }
}

const SIZE: Bounds = Bounds { name: "size", min: SIZE_MIN, max: SIZE_MAX };
const TURN_MS: Bounds = Bounds { name: "turn_ms", min: TURN_MS_MIN, max: TURN_MS_MAX };
const TOTAL_MS: Bounds = Bounds { name: "total_ms", min: TOTAL_MS_MIN, max: TOTAL_MS_MAX };

fn size<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    SIZE.read(from)
}

fn turn_ms<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    TURN_MS.read(from)
}

fn total_ms<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    TOTAL_MS.read(from)
}

fn turn_ms_default() -> u32 {
    TURN_MS_DEFAULT
}

fn total_ms_default() -> u32 {
    TOTAL_MS_DEFAULT
}

struct ModeName;

fn mode<'de, D: Deserializer<'de>>(from: D) -> Result<Mode, D::Error> {
    from.deserialize_any(ModeName)
}

impl<'de> Deserialize<'de> for Mode {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Mode, D::Error> {
        mode(from)
    }
}

impl de::Visitor<'_> for ModeName {
    type Value = Mode;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("mode to be map or nomap")
    }

    fn visit_str<E: de::Error>(self, found: &str) -> Result<Mode, E> {
        match found {
            "map" => Ok(Mode::Map),
            "nomap" => Ok(Mode::NoMap),
            _ => Err(E::invalid_value(de::Unexpected::Str(found), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn a_set_up_says_which_part_is_wrong_what_was_found_and_what_is_allowed() {
        let table = [
            (
                r#"{"size":4,"mode":"map"}"#,
                "integer `4`, expected size to be a whole number from 5 to 25",
            ),
            (r#"{"size":26,"mode":"map"}"#, "integer `26`, expected size to be"),
            (r#"{"size":-1,"mode":"map"}"#, "integer `-1`, expected size to be"),
            (r#"{"size":99999999999,"mode":"map"}"#, "integer `99999999999`, expected size to be"),
            (r#"{"size":10.5,"mode":"map"}"#, "floating point `10.5`, expected size to be"),
            (r#"{"size":"10","mode":"map"}"#, "string \"10\", expected size to be"),
            (r#"{"size":null,"mode":"map"}"#, "null, expected size to be"),
            (r#"{"mode":"map"}"#, "missing field `size`"),
            (r#"{"size":10}"#, "missing field `mode`"),
            (r#"{"size":10,"mode":"fog"}"#, "string \"fog\", expected mode to be map or nomap"),
            (r#"{"size":10,"mode":1}"#, "integer `1`, expected mode to be map or nomap"),
            (
                r#"{"size":10,"mode":"map","turn_ms":99}"#,
                "expected turn_ms to be a whole number from 100 to 60000",
            ),
            (
                r#"{"size":10,"mode":"map","total_ms":3600001}"#,
                "expected total_ms to be a whole number from 1000 to 3600000",
            ),
            (
                r#"{"size":10,"mode":"map","colour":1}"#,
                "unknown field `colour`, expected one of `size`, `mode`, `turn_ms`, `total_ms`",
            ),
        ];
        for (json, why) in table {
            let error = serde_json::from_str::<Setup>(json).expect_err(json).to_string();
            assert!(error.contains(why), "{json}: {error}");
        }
    }

    #[test]
    fn a_set_up_fills_in_the_usual_times_and_survives_writing() {
        let short: Setup = serde_json::from_str(r#"{"size":10,"mode":"nomap"}"#).unwrap();
        assert_eq!(short, Setup::new(10, Mode::NoMap));
        let long = serde_json::to_string(&short).unwrap();
        assert_eq!(long, r#"{"size":10,"mode":"nomap","turn_ms":10000,"total_ms":120000}"#);
        assert_eq!(serde_json::from_str::<Setup>(&long).unwrap(), short);
    }

    #[test]
    fn a_set_up_made_in_code_is_checked_too() {
        let table = [
            (
                Setup { size: 4, ..Setup::default() },
                "size: found 4, allowed is a whole number from 5 to 25",
            ),
            (Setup { turn_ms: 0, ..Setup::default() }, "turn_ms: found 0, allowed is"),
            (Setup { total_ms: u32::MAX, ..Setup::default() }, "total_ms: found 4294967295"),
        ];
        for (setup, why) in table {
            let Err(Illegal(error)) = setup.check() else { panic!("{setup:?} passed") };
            assert!(error.starts_with(why), "{error}");
        }
    }
}
