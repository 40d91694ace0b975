//! What is fixed before the first fight: the arena, how long it goes on, which rules, how much time.

use core::fmt;

use game::{Bounds, Field, FieldKind, Illegal};
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::fight::Switches;

/// Fewest cells of an edge of the arena.
pub const SIZE_MIN: u32 = 4;
/// Most cells of an edge of the arena.
pub const SIZE_MAX: u32 = 20;
/// Cells of an edge where nobody chose.
pub const SIZE_DEFAULT: u32 = 14;

/// Most rounds of a fight; the fewest are 1, as of fights. A match of all rounds of all fights
/// still makes a record that can be kept.
pub const ROUNDS_MAX: u32 = 500;
/// Rounds of a fight where nobody chose.
pub const ROUNDS_DEFAULT: u32 = 100;

/// Most fights of a match.
pub const FIGHTS_MAX: u32 = 500;
/// Fights of a match where nobody chose.
pub const FIGHTS_DEFAULT: u32 = 100;

/// Least time a bot can be given for a round.
pub const TURN_MS_MIN: u32 = 10;
/// Most time a bot can be given for a round.
pub const TURN_MS_MAX: u32 = 60_000;
/// Time of a bot for a round where nobody chose.
pub const TURN_MS_DEFAULT: u32 = 1_000;

/// Least time a bot can be given for a match.
pub const TOTAL_MS_MIN: u32 = 1_000;
/// Most time a bot can be given for a match.
pub const TOTAL_MS_MAX: u32 = 3_600_000;
/// Time of a bot for a match where nobody chose.
pub const TOTAL_MS_DEFAULT: u32 = 60_000;

/// What is fixed before the first fight. What is left out is as in an untouched form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Setup {
    /// Cells of an edge of the arena, [`SIZE_MIN`] to [`SIZE_MAX`].
    #[serde(deserialize_with = "size")]
    pub size: u32,
    /// Rounds of a fight, 1 to [`ROUNDS_MAX`].
    #[serde(deserialize_with = "rounds")]
    pub rounds: u32,
    /// Fights of a match, 1 to [`FIGHTS_MAX`].
    #[serde(deserialize_with = "fights")]
    pub fights: u32,
    /// By which rules they fight.
    #[serde(deserialize_with = "rules")]
    pub rules: RuleSet,
    /// Who is player 1.
    #[serde(deserialize_with = "sides")]
    pub sides: Sides,
    /// Time of a bot for one round, [`TURN_MS_MIN`] to [`TURN_MS_MAX`].
    #[serde(deserialize_with = "turn_ms")]
    pub turn_ms: u32,
    /// Time of a bot for the whole match, [`TOTAL_MS_MIN`] to [`TOTAL_MS_MAX`].
    #[serde(deserialize_with = "total_ms")]
    pub total_ms: u32,
}

/// The rules as they were written, or as the first judge carried them out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RuleSet {
    /// The text: a bullet ends at the nearest plane, and whoever may not turn does not shoot either.
    Prose,
    /// The program of 2014: bullets go through planes, a turn that is not allowed costs no shot,
    /// and of letters that contradict each other the first counts.
    Controller,
}

/// Who is player 1, and so starts in the lower north.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Sides {
    /// By turns: the first seat in the first fight, the second seat in the next.
    Alternate,
    /// Always the first seat.
    Fixed,
}

/// The parts of a [`Setup`] that a person may fill in.
pub(crate) const FIELDS: &[Field] = &[
    whole(SIZE, "Cells of an edge of the arena", SIZE_DEFAULT),
    whole(ROUNDS, "Rounds of a fight", ROUNDS_DEFAULT),
    whole(FIGHTS, "Fights of the match", FIGHTS_DEFAULT),
    Field {
        name: RULES.name,
        label: "Rules",
        kind: FieldKind::Choice {
            options: &[("prose", "by the text"), ("controller", "by the judge of 2014")],
        },
    },
    Field {
        name: SIDES.name,
        label: "Sides",
        kind: FieldKind::Choice {
            options: &[
                ("alternate", "sides change with every fight"),
                ("fixed", "sides are fixed"),
            ],
        },
    },
];

const fn whole(bounds: Bounds, label: &'static str, default: u32) -> Field {
    let Bounds { name, min, max } = bounds;
    Field { name, label, kind: FieldKind::Whole { min, max, default } }
}

impl Setup {
    /// Says which part is out of its bounds, if one is.
    pub(crate) fn check(&self) -> Result<(), Illegal> {
        let numbers = [
            (SIZE, self.size),
            (ROUNDS, self.rounds),
            (FIGHTS, self.fights),
            (TURN_MS, self.turn_ms),
            (TOTAL_MS, self.total_ms),
        ];
        numbers.into_iter().try_for_each(|(bounds, found)| bounds.check(found))
    }
}

impl Default for Setup {
    /// The set-up of an untouched form.
    fn default() -> Setup {
        Setup {
            size: SIZE_DEFAULT,
            rounds: ROUNDS_DEFAULT,
            fights: FIGHTS_DEFAULT,
            rules: RuleSet::Prose,
            sides: Sides::Alternate,
            turn_ms: TURN_MS_DEFAULT,
            total_ms: TOTAL_MS_DEFAULT,
        }
    }
}

impl RuleSet {
    /// What these rules say where the two sets differ.
    pub const fn switches(self) -> Switches {
        let controller = matches!(self, RuleSet::Controller);
        Switches {
            bullets_pierce: controller,
            illegal_turns_shoot: controller,
            first_letter_wins: controller,
        }
    }
}

const SIZE: Bounds = Bounds { name: "size", min: SIZE_MIN, max: SIZE_MAX };
const ROUNDS: Bounds = Bounds { name: "rounds", min: 1, max: ROUNDS_MAX };
const FIGHTS: Bounds = Bounds { name: "fights", min: 1, max: FIGHTS_MAX };
const TURN_MS: Bounds = Bounds { name: "turn_ms", min: TURN_MS_MIN, max: TURN_MS_MAX };
const TOTAL_MS: Bounds = Bounds { name: "total_ms", min: TOTAL_MS_MIN, max: TOTAL_MS_MAX };

const RULES: Words<RuleSet> = Words {
    name: "rules",
    allowed: "prose or controller",
    words: &[("prose", RuleSet::Prose), ("controller", RuleSet::Controller)],
};
const SIDES: Words<Sides> = Words {
    name: "sides",
    allowed: "alternate or fixed",
    words: &[("alternate", Sides::Alternate), ("fixed", Sides::Fixed)],
};

macro_rules! readers {
    ($($reader:ident $bounds:ident),*) => {$(
        fn $reader<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
            $bounds.read(from)
        }
    )*};
}

readers!(size SIZE, rounds ROUNDS, fights FIGHTS, turn_ms TURN_MS, total_ms TOTAL_MS);

fn rules<'de, D: Deserializer<'de>>(from: D) -> Result<RuleSet, D::Error> {
    from.deserialize_any(RULES)
}

fn sides<'de, D: Deserializer<'de>>(from: D) -> Result<Sides, D::Error> {
    from.deserialize_any(SIDES)
}

/// A part that is one of some words. Errors name it, what was found and what is allowed.
struct Words<T: 'static> {
    name: &'static str,
    allowed: &'static str,
    words: &'static [(&'static str, T)],
}

impl<T: Copy> de::Visitor<'_> for Words<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to be {}", self.name, self.allowed)
    }

    fn visit_str<E: de::Error>(self, found: &str) -> Result<T, E> {
        let word = self.words.iter().find(|it| it.0 == found);
        word.map(|it| it.1).ok_or_else(|| E::invalid_value(de::Unexpected::Str(found), &self))
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn a_set_up_says_which_part_is_wrong_what_was_found_and_what_is_allowed() {
        let table = [
            (r#"{"size":3}"#, "integer `3`, expected size to be a whole number from 4 to 20"),
            (r#"{"size":21}"#, "integer `21`, expected size to be"),
            (r#"{"size":-1}"#, "integer `-1`, expected size to be"),
            (r#"{"size":14.5}"#, "floating point `14.5`, expected size to be"),
            (r#"{"size":null}"#, "null, expected size to be"),
            (r#"{"rounds":0}"#, "expected rounds to be a whole number from 1 to 500"),
            (r#"{"rounds":501}"#, "integer `501`, expected rounds to be"),
            (r#"{"fights":0}"#, "expected fights to be a whole number from 1 to 500"),
            (r#"{"fights":501}"#, "integer `501`, expected fights to be"),
            (r#"{"rules":"fair"}"#, "string \"fair\", expected rules to be prose or controller"),
            (r#"{"rules":1}"#, "integer `1`, expected rules to be prose or controller"),
            (r#"{"sides":"swap"}"#, "string \"swap\", expected sides to be alternate or fixed"),
            (r#"{"turn_ms":9}"#, "expected turn_ms to be a whole number from 10 to 60000"),
            (r#"{"total_ms":999}"#, "expected total_ms to be a whole number from 1000 to 3600000"),
            (r#"{"colour":1}"#, "unknown field `colour`, expected one of `size`, `rounds`"),
        ];
        for (json, why) in table {
            let error = serde_json::from_str::<Setup>(json).expect_err(json).to_string();
            assert!(error.contains(why), "{json}: {error}");
        }
    }

    #[test]
    fn a_set_up_is_filled_in_and_survives_writing() {
        let short: Setup = serde_json::from_str("{}").unwrap();
        assert_eq!(short, Setup::default());
        let long = serde_json::to_string(&short).unwrap();
        let expected = r#"{"size":14,"rounds":100,"fights":100,"rules":"prose","sides":"alternate","turn_ms":1000,"total_ms":60000}"#;
        assert_eq!(long, expected);
        assert_eq!(serde_json::from_str::<Setup>(&long).unwrap(), short);
    }

    #[test]
    fn a_set_up_made_in_code_is_checked_too() {
        let usual = Setup::default();
        let table = [
            (Setup { size: 3, ..usual.clone() }, "size: found 3, allowed is a whole number from 4"),
            (Setup { rounds: 0, ..usual.clone() }, "rounds: found 0, allowed is"),
            (Setup { fights: 501, ..usual.clone() }, "fights: found 501, allowed is"),
            (Setup { turn_ms: 0, ..usual.clone() }, "turn_ms: found 0, allowed is"),
            (Setup { total_ms: u32::MAX, ..usual.clone() }, "total_ms: found 4294967295"),
        ];
        for (setup, why) in table {
            let Err(Illegal(error)) = setup.check() else { panic!("{setup:?} passed") };
            assert!(error.starts_with(why), "{error}");
        }
        assert_eq!(usual.check(), Ok(()));
    }
}
