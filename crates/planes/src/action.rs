//! What a player answers: a move for each of its planes, as it was said, legal or not.
//!
//! Records hold one of these for each player and round, so that its text is short:
//! `SU! N~` is a turn to SU with a shot, and a step aside to N that keeps the heading.

use alloc::format;
use core::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::direction::Direction;

/// Most letters of a turn, those that come again counted.
pub const LETTERS_MAX: usize = 10;

/// One answer: a move for each plane of the player, the first plane's first; none where the line
/// was no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Action(pub [Option<Move>; 2]);

/// What a plane is to do in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it goes.
    pub letters: Letters,
    /// Whether that becomes its heading; if not, it goes aside and heads where it did.
    pub turns: bool,
    /// Whether it shoots, if it can.
    pub shoots: bool,
}

/// The letters of a turn: some of NSWEDU, at least one. They need not make a direction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Letters(u8);

const ALPHABET: &[u8; 6] = b"NSWEDU";

impl Letters {
    /// Reads 1 to [`LETTERS_MAX`] letters in any order; one that comes again counts once.
    pub fn parse(word: &[u8]) -> Option<Letters> {
        if word.is_empty() || word.len() > LETTERS_MAX {
            return None;
        }
        let mut letters = 0;
        for byte in word {
            letters |= 1 << ALPHABET.iter().position(|it| it == byte)?;
        }
        Some(Letters(letters))
    }

    /// The direction they make. Where two contradict each other there is none, or else,
    /// with `first_wins`, N wins over S, W over E, and D over U.
    pub fn direction(self, first_wins: bool) -> Option<Direction> {
        let axis = |first: u8| match self.0 >> first & 0b11 {
            0b00 => Some(0),
            0b01 => Some(-1),
            0b10 => Some(1),
            _ => first_wins.then_some(-1),
        };
        Direction::new(axis(0)?, axis(2)?, axis(4)?)
    }
}

impl From<Direction> for Letters {
    fn from(it: Direction) -> Letters {
        let bits = |sign: i8, first: u8| match sign {
            -1 => 0b01 << first,
            1 => 0b10 << first,
            _ => 0,
        };
        let [x, y, z] = it.signs();
        Letters(bits(x, 0) | bits(y, 2) | bits(z, 4))
    }
}

impl fmt::Display for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        let said = |it: &usize| self.0 & 1 << it != 0;
        (0..ALPHABET.len()).filter(said).try_for_each(|it| f.write_char(ALPHABET[it].into()))
    }
}

impl fmt::Debug for Letters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (aside, shot) = (if self.turns { "" } else { "~" }, if self.shoots { "!" } else { "" });
        write!(f, "{}{aside}{shot}", self.letters)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [one, other] = &self.0;
        write_move(one, f)?;
        f.write_str(" ")?;
        write_move(other, f)
    }
}

fn write_move(it: &Option<Move>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match it {
        Some(it) => fmt::Display::fmt(it, f),
        None => f.write_str("?"),
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Action, D::Error> {
        from.deserialize_str(Text)
    }
}

struct Text;

impl de::Visitor<'_> for Text {
    type Value = Action;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("two moves, as in `SU! N~`: letters of NSWEDU, ~ to go aside, ! to shoot")
    }

    fn visit_str<E: de::Error>(self, found: &str) -> Result<Action, E> {
        let wrong = || {
            let shown: alloc::string::String = found.chars().take(40).collect();
            E::invalid_value(de::Unexpected::Other(&format!("`{shown}`")), &self)
        };
        let (one, other) = found.split_once(' ').ok_or_else(wrong)?;
        let one = parse_move(one).ok_or_else(wrong)?;
        Ok(Action([one, parse_move(other).ok_or_else(wrong)?]))
    }
}

/// The move that a part of the text holds, which may be none.
fn parse_move(text: &str) -> Option<Option<Move>> {
    if text == "?" {
        return Some(None);
    }
    let (text, shoots) = strip(text, '!');
    let (text, aside) = strip(text, '~');
    Letters::parse(text.as_bytes()).map(|letters| Some(Move { letters, turns: !aside, shoots }))
}

fn strip(text: &str, mark: char) -> (&str, bool) {
    text.strip_suffix(mark).map_or((text, false), |it| (it, true))
}

impl Serialize for Letters {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}
