//! Around a match: set-ups from what a person fills in, and files in formats of others.

use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use core::{fmt, time::Duration};

use serde::{
    Deserialize, Serialize,
    de::{self, IntoDeserializer, Visitor, value::MapDeserializer},
};

use crate::{Game, Illegal, PerSeat, Ply, Sitter};

/// One part of a set-up that a person may fill in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Field {
    /// What [`Filled`] calls it.
    pub name: &'static str,
    /// What a form calls it.
    pub label: &'static str,
    /// What it may hold.
    pub kind: FieldKind,
}

/// What a [`Field`] may hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FieldKind {
    /// A whole number from `min` to `max`.
    Whole {
        /// Least value allowed.
        min: u32,
        /// Greatest value allowed.
        max: u32,
        /// Value of an untouched form.
        default: u32,
    },
    /// One of some words; the first is the default.
    Choice {
        /// `(value in the set-up, what a form calls it)`.
        options: &'static [(&'static str, &'static str)],
    },
}

/// A value of a [`Field`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of [`FieldKind::Whole`].
    Whole(u32),
    /// Of [`FieldKind::Choice`].
    Word(&'static str),
}

impl Field {
    /// What a text stands for in it; none where the field does not allow it.
    pub fn value(&self, text: &str) -> Option<Value> {
        match self.kind {
            FieldKind::Whole { min, max, .. } => {
                let number = text.parse().ok().filter(|it| (min..=max).contains(it));
                number.map(Value::Whole)
            }
            FieldKind::Choice { options } => {
                let option = options.iter().find(|(it, _)| *it == text);
                option.map(|(word, _)| Value::Word(word))
            }
        }
    }

    /// What it holds in a form that nobody has touched.
    pub fn untouched(&self) -> Value {
        match self.kind {
            FieldKind::Whole { default, .. } => Value::Whole(default),
            FieldKind::Choice { options } => Value::Word(options.first().map_or("", |it| it.0)),
        }
    }

    /// All that it allows, in words.
    pub fn allowed(&self) -> String {
        match self.kind {
            FieldKind::Whole { min, max, .. } => format!("a whole number from {min} to {max}"),
            FieldKind::Choice { options } => {
                options.iter().map(|(it, _)| *it).collect::<Vec<_>>().join(" or ")
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Whole(it) => it.fmt(f),
            Value::Word(it) => f.write_str(it),
        }
    }
}

/// A form that has been filled in: an allowed value for every field of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled(BTreeMap<&'static str, Value>);

impl Filled {
    /// The form that nobody has touched.
    pub fn untouched(fields: &[Field]) -> Filled {
        Filled(fields.iter().map(|it| (it.name, it.untouched())).collect())
    }

    /// Fills in what was typed: a word, or a whole number.
    ///
    /// # Errors
    ///
    /// Where the field does not allow it.
    pub fn fill(&mut self, field: &Field, found: &str) -> Result<(), Illegal> {
        let Some(value) = field.value(found) else {
            let found = match (field.kind, found.parse::<i128>()) {
                (FieldKind::Whole { .. }, Ok(number)) => format!("{number}"),
                _ => format!("`{}`", found.chars().take(40).collect::<String>()),
            };
            let text = format!("{}: found {found}, allowed is {}", field.name, field.allowed());
            return Err(Illegal(text.into()));
        };
        self.0.insert(field.name, value);
        Ok(())
    }

    /// The number filled in as `name`.
    ///
    /// # Panics
    ///
    /// Where the game has no such field; which it has, it knows.
    pub fn whole(&self, name: &str) -> u32 {
        match self.0.get(name) {
            Some(Value::Whole(it)) => *it,
            _ => panic!("a game asks for numbers of its own fields alone, not for `{name}`"),
        }
    }

    /// The word filled in as `name`.
    ///
    /// # Panics
    ///
    /// Where the game has no such field; which it has, it knows.
    pub fn word(&self, name: &str) -> &'static str {
        match self.0.get(name) {
            Some(Value::Word(it)) => it,
            _ => panic!("a game asks for words of its own fields alone, not for `{name}`"),
        }
    }

    /// Reads the values as the keys of a set-up.
    pub(crate) fn read<'de, S: Deserialize<'de>>(&self) -> Result<S, Illegal> {
        let pairs = self.0.iter().map(|(name, value)| (*name, *value));
        let read = S::deserialize(MapDeserializer::<_, de::value::Error>::new(pairs));
        read.map_err(|why| Illegal(format!("{why}").into()))
    }
}

impl<'de, E: de::Error> IntoDeserializer<'de, E> for Value {
    type Deserializer = ValueDeserializer<E>;
    fn into_deserializer(self) -> ValueDeserializer<E> {
        ValueDeserializer(self, core::marker::PhantomData)
    }
}

/// What a [`Value`] is read with.
#[derive(Debug)]
pub struct ValueDeserializer<E>(Value, core::marker::PhantomData<fn() -> E>);

impl<'de, E: de::Error> de::Deserializer<'de> for ValueDeserializer<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Value::Whole(it) => visitor.visit_u32(it),
            Value::Word(it) => visitor.visit_borrowed_str(it),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
        ignored_any
    }
}

/// What keeps a set-up from making a good match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Flaw {
    /// What was found and what is allowed, in words for whoever made it.
    pub why: Illegal,
    /// Where, if it is in one place.
    pub at: Option<Place>,
}

/// A place in a set-up. As JSON `{"field": "width"}` or `{"cell": [3, 17]}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// A part of it, by its name.
    Field(String),
    /// A cell of its board: column and row.
    Cell(u32, u32),
}

impl From<Illegal> for Flaw {
    /// Refusals open with the name of a field and a colon where one is at fault.
    fn from(why: Illegal) -> Flaw {
        let name = why.0.split_once(':').map(|(name, _)| name).filter(|it| is_name(it));
        let at = name.map(|it| Place::Field(it.into()));
        Flaw { why, at }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl core::error::Error for Flaw {}

fn is_name(it: &str) -> bool {
    !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

/// A file format of others for set-ups.
#[derive(Clone, Copy, Debug)]
pub struct SetupFormat<S> {
    /// What it is asked for by: `official`.
    pub name: &'static str,
    /// How names of such files end, without the dot.
    pub extension: &'static str,
    /// Whose it is, in a few words.
    pub about: &'static str,
    /// Reads such a file, or says which part of it is wrong, what was found and what is allowed.
    pub read: fn(&[u8]) -> Result<S, Illegal>,
    /// Writes one.
    pub write: fn(&S) -> Result<Vec<u8>, Illegal>,
}

/// A file format of others for what was played.
#[derive(Clone, Copy, Debug)]
pub struct RecordFormat<G: Game> {
    /// What it is asked for by: `official-log`.
    pub name: &'static str,
    /// How names of such files end, without the dot.
    pub extension: &'static str,
    /// Whose it is and what it says otherwise than we do, in a few words.
    pub about: &'static str,
    /// Reads a match, which may be several files, or says which part is wrong.
    pub read: fn(files: &[&[u8]]) -> Result<Story<G>, Illegal>,
    /// Writes a match, which may be several files.
    pub write: fn(&Story<G>) -> Result<Vec<Vec<u8>>, Illegal>,
}

/// A match as files tell it: all of a record that outlives a change of format.
#[derive(Clone, Debug)]
pub struct Story<G: Game> {
    /// What was fixed before the first ply.
    pub setup: G::Setup,
    /// Who sat where.
    pub sitters: PerSeat<Sitter>,
    /// What they were called.
    pub names: PerSeat<String>,
    /// All answers, in order.
    pub plies: Vec<Ply<G::Action>>,
    /// What each of them was charged.
    pub charged: Vec<PerSeat<Option<Duration>>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [Field; 2] = [
        Field {
            name: "size",
            label: "Size",
            kind: FieldKind::Whole { min: 5, max: 25, default: 10 },
        },
        Field {
            name: "mode",
            label: "Mode",
            kind: FieldKind::Choice { options: &[("map", "with map"), ("nomap", "without")] },
        },
    ];

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Setup {
        size: u64,
        mode: String,
        #[serde(default)]
        turns: u8,
    }

    #[test]
    fn a_filled_form_is_read_as_the_keys_of_a_set_up() {
        let mut filled = Filled::untouched(&FIELDS);
        let setup = |size, mode: &str| Setup { size, mode: mode.into(), turns: 0 };
        assert_eq!(filled.read(), Ok(setup(10, "map")));
        filled.fill(&FIELDS[0], "25").unwrap();
        filled.fill(&FIELDS[1], "nomap").unwrap();
        assert_eq!(filled.read(), Ok(setup(25, "nomap")));
        assert_eq!((filled.whole("size"), filled.word("mode")), (25, "nomap"));
    }

    #[test]
    fn what_a_field_does_not_allow_is_refused_by_name() {
        let table = [
            (0, "26", "size: found 26, allowed is a whole number from 5 to 25"),
            (0, "-1", "size: found -1, allowed is"),
            (0, "big", "size: found `big`, allowed is a whole number from 5 to 25"),
            (1, "fog", "mode: found `fog`, allowed is map or nomap"),
            (1, "5", "mode: found `5`, allowed is map or nomap"),
        ];
        for (field, found, why) in table {
            let mut filled = Filled::untouched(&FIELDS);
            let Illegal(text) = filled.fill(&FIELDS[field], found).unwrap_err();
            assert!(text.starts_with(why), "{text}");
            assert_eq!(filled, Filled::untouched(&FIELDS));
        }
    }

    #[test]
    fn a_refusal_that_opens_with_a_field_is_a_flaw_there() {
        let table = [
            ("size: found 26, allowed is 25", Some("size")),
            ("step_limit: found 0", Some("step_limit")),
            ("no such thing: found 26", None),
            (": nothing", None),
            ("all of it is wrong", None),
        ];
        for (why, at) in table {
            let flaw = Flaw::from(Illegal(why.into()));
            assert_eq!(flaw.at, at.map(|it| Place::Field(it.into())), "{why}");
        }
    }
}
