//! What a game's `game.toml` says to people who want to play it by hand: how a match for them is set
//! up, and what to know before.

use std::collections::BTreeMap;

use referee::AnyGame;
use serde::Deserialize;

use super::new_match;

/// A match for somebody who plays by hand.
pub(crate) struct ByHand {
    /// In a sentence or two.
    pub(crate) about: String,
    /// Where the form is, filled in.
    pub(crate) address: String,
}

/// The part of the file that is read here.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    about: String,
    /// What differs from an untouched form, by field.
    #[serde(default)]
    setup: BTreeMap<String, Given>,
}

/// What is filled into a field.
#[derive(Deserialize)]
#[serde(untagged)]
enum Given {
    Whole(u32),
    Word(String),
}

impl Entry {
    /// Fills in the form of `game`, or says what it would not take.
    pub(super) fn load(self, game: &dyn AnyGame) -> Result<ByHand, String> {
        let Entry { about, setup } = self;
        let mut filled = Vec::new();
        for (name, given) in setup {
            let given = match given {
                Given::Whole(it) => it.to_string(),
                Given::Word(it) => it,
            };
            let Some(field) = game.fields().iter().find(|it| it.name == name) else {
                let allowed: Vec<_> = game.fields().iter().map(|it| it.name).collect();
                return Err(format!("by_hand.setup: found {name:?}, allowed are {allowed:?}"));
            };
            let Some(value) = field.value(&given) else {
                let allowed = field.allowed();
                return Err(format!("by_hand.setup.{name}: found {given:?}, allowed is {allowed}"));
            };
            filled.push((field.name, value.to_string()));
        }
        Ok(ByHand { about, address: new_match::address_by_hand(game.id(), &filled) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> Result<String, String> {
        let entry: Entry = toml::from_str(text).map_err(|why| why.to_string())?;
        entry.load(games::find("planes").unwrap()).map(|it| it.address)
    }

    #[test]
    fn the_form_is_filled_in_as_the_file_says_and_with_who_asks_on_the_first_seat() {
        let found = address("about = 'x'\nsetup = { fights = 5, rules = 'controller' }").unwrap();
        let expected = "/matches/new?game=planes&seat-0=me&setup-fights=5&setup-rules=controller";
        assert_eq!(found, expected);
        assert_eq!(address("about = 'x'").unwrap(), "/matches/new?game=planes&seat-0=me");
    }

    #[test]
    fn what_the_form_would_not_take_is_refused_with_what_it_takes() {
        let table = [
            ("setup = { fight = 5 }", "found \"fight\", allowed are [\"size\", \"rounds\""),
            ("setup = { fights = 501 }", "found \"501\", allowed is a whole number from 1 to 500"),
            ("setup = { rules = 'mine' }", "found \"mine\", allowed is prose or controller"),
            ("setup = { fights = -1 }", "did not match any variant"),
            ("time = 5", "unknown field `time`"),
        ];
        for (text, why) in table {
            let found = address(&format!("about = 'x'\n{text}")).expect_err(text);
            assert!(found.contains(why), "{text}: {found}");
        }
    }
}
