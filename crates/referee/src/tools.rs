//! Around the matches of a game whose types are not known here: set-ups from what a person fills
//! in, and files in formats of others.

use std::borrow::Cow;

use game::{
    Dialect, Field, Filled, Flaw, Game, Illegal, PerSeat, RecordFormat, Seat, SetupFormat, Sitter,
    Story,
};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::{
    Entry, Record, ReplayError, Spent,
    any::{refuse, setup_of, unreadable},
    record::open,
};

/// A file format of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Format {
    /// What it is asked for by.
    pub name: &'static str,
    /// How names of such files end, without the dot.
    pub extension: &'static str,
    /// Whose it is, in a few words.
    pub about: &'static str,
}

/// What a game offers besides matches. Formats are asked for by name.
pub trait AnyTools {
    /// [`Game::set_up`]: a set-up in full. What is left out has its default.
    ///
    /// # Errors
    ///
    /// Where a field is not the game's, or a value not the field's; and as [`Game::set_up`] and
    /// [`Game::start`].
    fn set_up(&self, filled: &Map<String, Json>) -> Result<Json, Illegal>;
    /// The set-up as `eye` may see it: who plays is not shown [`Game::SECRETS`].
    fn shown_setup(&self, setup: &Json, eye: Option<Seat>) -> Json;
    /// [`Game::inspect`], of a set-up that may be none: what cannot be started is flawed too. Gives
    /// the set-up in full, as it is stored.
    ///
    /// # Errors
    ///
    /// What is wrong, and where, for whoever made it.
    fn inspect_setup(&self, setup: &Json) -> Result<Json, Flaw>;
    /// [`Game::draw`].
    ///
    /// # Errors
    ///
    /// Where it is no set-up of the game.
    fn draw_setup(&self, setup: &Json) -> Result<Option<String>, Illegal>;
    /// [`Game::SETUP_FORMATS`].
    fn setup_formats(&self) -> Vec<Format>;
    /// Reads a file of others.
    ///
    /// # Errors
    ///
    /// Which part of it is wrong, what was found and what is allowed.
    fn read_setup(&self, format: &str, file: &[u8]) -> Result<Json, Illegal>;
    /// Writes a file for others.
    ///
    /// # Errors
    ///
    /// Where it is no set-up of the game, or the format has no words for it.
    fn write_setup(&self, format: &str, setup: &Json) -> Result<Vec<u8>, Illegal>;
    /// [`Game::RECORD_FORMATS`].
    fn record_formats(&self) -> Vec<Format>;
    /// Reads a match from files of others: its [`Record`] as JSON, and the names of the players.
    ///
    /// # Errors
    ///
    /// Which part of which file is wrong, what was found and what is allowed.
    fn read_record(
        &self,
        format: &str,
        files: &[&[u8]],
    ) -> Result<(Vec<u8>, PerSeat<String>), Illegal>;
    /// Writes a [`Record`] as files for others.
    ///
    /// # Errors
    ///
    /// Where it is no record of the game, or the format has no words for it.
    fn write_record(
        &self,
        format: &str,
        record: &[u8],
        names: &PerSeat<String>,
    ) -> Result<Vec<Vec<u8>>, ReplayError>;
}

impl<G: Game, D: Dialect<G>> AnyTools for Entry<G, D> {
    fn set_up(&self, filled: &Map<String, Json>) -> Result<Json, Illegal> {
        let filled = fill::<G>(filled)?;
        let setup = G::set_up(&filled)?;
        G::start(&setup, &PerSeat::new(G::ROLES.len(), |_| Sitter::Bot), &mut Vec::new())?;
        serde_json::to_value(setup).map_err(refuse)
    }

    fn shown_setup(&self, setup: &Json, eye: Option<Seat>) -> Json {
        let mut shown = setup.clone();
        if let (Some(_), Some(keys)) = (eye, shown.as_object_mut()) {
            keys.retain(|key, _| !G::SECRETS.contains(&key.as_str()));
        }
        shown
    }

    fn inspect_setup(&self, setup: &Json) -> Result<Json, Flaw> {
        let setup = setup_of::<G>(setup)?;
        G::start(&setup, &PerSeat::new(G::ROLES.len(), |_| Sitter::Bot), &mut Vec::new())?;
        G::inspect(&setup)?;
        Ok(serde_json::to_value(&setup).map_err(refuse)?)
    }

    fn draw_setup(&self, setup: &Json) -> Result<Option<String>, Illegal> {
        Ok(G::draw(&setup_of::<G>(setup)?))
    }

    fn setup_formats(&self) -> Vec<Format> {
        let format = |it: &SetupFormat<_>| Format {
            name: it.name,
            extension: it.extension,
            about: it.about,
        };
        G::SETUP_FORMATS.iter().map(format).collect()
    }

    fn read_setup(&self, format: &str, file: &[u8]) -> Result<Json, Illegal> {
        let setup = (setup_format::<G>(format)?.read)(file)?;
        serde_json::to_value(setup).map_err(refuse)
    }

    fn write_setup(&self, format: &str, setup: &Json) -> Result<Vec<u8>, Illegal> {
        (setup_format::<G>(format)?.write)(&setup_of::<G>(setup)?)
    }

    fn record_formats(&self) -> Vec<Format> {
        let format = |it: &RecordFormat<G>| Format {
            name: it.name,
            extension: it.extension,
            about: it.about,
        };
        G::RECORD_FORMATS.iter().map(format).collect()
    }

    fn read_record(
        &self,
        format: &str,
        files: &[&[u8]],
    ) -> Result<(Vec<u8>, PerSeat<String>), Illegal> {
        let story = (record_format::<G>(format)?.read)(files)?;
        let spent =
            |it: &std::time::Duration| Spent { charged: *it, wall: *it, ..Spent::default() };
        let spent = |it: &PerSeat<Option<_>>| it.map(|_, it| it.as_ref().map(spent));
        let record = Record::<G> {
            game: Cow::Borrowed(G::ID),
            rules: G::RULES,
            setup: story.setup,
            sitters: story.sitters,
            spent: story.charged.iter().map(spent).collect(),
            plies: story.plies,
            remarks: Vec::new(),
        };
        Ok((serde_json::to_vec(&record).map_err(refuse)?, story.names))
    }

    fn write_record(
        &self,
        format: &str,
        record: &[u8],
        names: &PerSeat<String>,
    ) -> Result<Vec<Vec<u8>>, ReplayError> {
        let format = record_format::<G>(format).map_err(ReplayError::Format)?;
        let record: Record<G> = serde_json::from_slice(record).map_err(unreadable)?;
        // What a format is handed can be played.
        open::<G>(&record.setup, &record.sitters, &mut Vec::new())?;
        for position in crate::replay(&record)? {
            position?;
        }
        let charged = |it: &PerSeat<Option<Spent>>| it.map(|_, it| it.map(|it| it.charged));
        let story = Story {
            setup: record.setup,
            sitters: record.sitters,
            names: names.clone(),
            charged: record.spent.iter().map(charged).collect(),
            plies: record.plies,
        };
        (format.write)(&story).map_err(ReplayError::Format)
    }
}

fn fill<G: Game>(given: &Map<String, Json>) -> Result<Filled, Illegal> {
    let mut filled = Filled::untouched(G::FIELDS);
    for (name, value) in given {
        let Some(field) = G::FIELDS.iter().find(|it| it.name == name) else {
            let allowed = names(G::FIELDS.iter().map(|it: &Field| it.name));
            return Err(unknown("field", name, &allowed));
        };
        match value {
            Json::String(word) => filled.fill(field, word)?,
            Json::Number(number) => filled.fill(field, &number.to_string())?,
            other => {
                let text = format!("{name}: found {other}, allowed are numbers and texts");
                return Err(Illegal(text.into()));
            }
        }
    }
    Ok(filled)
}

fn setup_format<G: Game>(name: &str) -> Result<&'static SetupFormat<G::Setup>, Illegal> {
    let format = G::SETUP_FORMATS.iter().find(|it| it.name == name);
    format.ok_or_else(|| unknown("format", name, &names(G::SETUP_FORMATS.iter().map(|it| it.name))))
}

fn record_format<G: Game>(name: &str) -> Result<&'static RecordFormat<G>, Illegal> {
    let format = G::RECORD_FORMATS.iter().find(|it| it.name == name);
    format
        .ok_or_else(|| unknown("format", name, &names(G::RECORD_FORMATS.iter().map(|it| it.name))))
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn unknown(what: &str, found: &str, allowed: &str) -> Illegal {
    let found: String = found.chars().take(40).collect();
    Illegal(format!("{what}: found `{found}`, allowed: {allowed}").into())
}
