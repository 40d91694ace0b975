//! Lets a program play that was written for another judge: files that are shipped with a game, and
//! built along with the upload.

mod classes;
mod shipped;

use std::collections::HashSet;

use serde::Deserialize;
use thiserror::Error;

use self::classes::{Declared, Kinship, declared};
pub use self::shipped::{Adapters, AdaptersError};
use crate::{File, Format, Sources, words};

/// What stands for the class that plays, in one of the files.
const HOLE: &str = "{entry}";
/// Longest name of a class, package included.
const CLASS_BYTES_MAX: usize = 200;
/// Most classes that a message names.
const NAMED_MAX: usize = 5;

/// What an adapter is for, and how it is run: its `adapter.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdapterTable {
    /// The language of the uploads it is for, and of its own files.
    pub language: String,
    /// In a sentence, for authors.
    pub about: String,
    /// The word before the name of a class.
    pub class_by: String,
    /// Words before the names of other things that a file can be called after.
    #[serde(default)]
    pub others_by: Vec<String>,
    /// The word before the name of a package.
    pub package_by: String,
    /// What the head of a class says that is to play by this adapter; any one of these.
    pub known_by: Vec<String>,
    /// The file that is run.
    pub main: String,
}

/// An adapter.
#[derive(Clone, Debug)]
pub struct Adapter {
    table: AdapterTable,
    files: Vec<File>,
    /// Packages and classes that its files declare.
    own: HashSet<String>,
}

/// What is to be built, once an upload was adapted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adapted {
    /// All files.
    pub sources: Sources,
    /// That of them that is run.
    pub main: String,
}

/// What is wrong with an adapter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AdapterError {
    /// The file that is run is not there.
    #[error("main: found {found}, allowed is one of the files beside it")]
    NoMain {
        /// What was named.
        found: String,
    },
    /// Nothing, or several files, say which class plays.
    #[error("{found} of its files hold {HOLE}, allowed is one")]
    Hole {
        /// How many.
        found: usize,
    },
    /// No class would be known by it.
    #[error("known_by: found nothing, wanted what the head of a class says")]
    KnownByNothing,
}

/// Why an upload cannot be adapted, for its owner.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotAdapted {
    /// Several of its classes could play.
    #[error(
        "{n} classes could be what plays ({classes}): leave out the others, or call the one that \
         is meant Bot or Main"
    )]
    Several {
        /// How many.
        n: usize,
        /// Some of them.
        classes: String,
    },
    /// None of its classes can play.
    #[error(
        "none of the classes in it can play ({classes}): one can that is not abstract, that no \
         other one extends, and that is called otherwise than the judge's own classes"
    )]
    Nobody {
        /// Some of them.
        classes: String,
    },
    /// A file that gives way to one of the adapter's holds what is to play.
    #[error(
        "{path} gives way to the judge's own `{own}`, and `{class}` is in it: put that into a \
         file of its own, with another name"
    )]
    Mixed {
        /// The file.
        path: String,
        /// What the adapter has.
        own: String,
        /// What would be lost.
        class: String,
    },
    /// A file lies where a folder is needed, or the other way round.
    #[error("the judge puts the file {own} beside {found}, and cannot: call that otherwise")]
    Place {
        /// What was found.
        found: String,
        /// The adapter's.
        own: String,
    },
    /// A name is none that is allowed.
    #[error(
        "the name `{0}` is not allowed here: a class or package has letters from a to z, digits \
         and _, and at most {CLASS_BYTES_MAX} of them"
    )]
    Name(String),
}

impl Adapter {
    /// An adapter of these files.
    ///
    /// # Errors
    ///
    /// What is wrong with it, for whoever wrote it.
    pub fn new(table: AdapterTable, files: Vec<File>) -> Result<Adapter, AdapterError> {
        if !files.iter().any(|it| it.path == table.main) {
            return Err(AdapterError::NoMain { found: table.main });
        }
        let found = files.iter().filter(|it| has_hole(it)).count();
        if found != 1 {
            return Err(AdapterError::Hole { found });
        }
        if !table.known_by.iter().any(|it| !words(it).is_empty()) {
            return Err(AdapterError::KnownByNothing);
        }
        let all = files.iter().flat_map(|it| declared(&table, &it.bytes));
        let own = all.map(|it| it.path()).collect();
        Ok(Adapter { table, files, own })
    }

    /// The language it is for.
    pub fn language(&self) -> &str {
        &self.table.language
    }

    /// What it is for, in a sentence.
    pub fn about(&self) -> &str {
        &self.table.about
    }

    /// Its own files: what comes of an upload depends on them.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// Whether an upload has a class that is to play by it.
    pub fn serves(&self, upload: &Sources) -> bool {
        let classes = self.classes(upload);
        self.kinship(&classes).known().next().is_some()
    }

    /// The upload's files and its own, without those of the upload that are meant to be its own:
    /// who wrote for another judge may have packed that one's files along.
    ///
    /// # Errors
    ///
    /// Where it is not plain which class is to play, or the files do not go together.
    pub fn adapt(&self, upload: &Sources) -> Result<Adapted, NotAdapted> {
        let classes = self.classes(upload);
        let kinship = self.kinship(&classes);
        let player = self.player(&kinship)?;
        if !is_class(&player) {
            return Err(NotAdapted::Name(player));
        }
        let known: HashSet<String> = kinship.known().map(Declared::path).collect();
        let mut files = Vec::new();
        for (file, classes) in &classes {
            // A file that came alone may be called anything; a compiler wants it called as its
            // public class, or at least as one of this language.
            let path = match upload.format {
                Format::File => {
                    let named = classes.iter().find(|it| it.is_public).or(classes.first());
                    let named = named.map(|it| it.name.as_str()).filter(|it| is_class(it));
                    let simple = player.rsplit_once('.').map_or(player.as_str(), |it| it.1);
                    format!("{}.{}", named.unwrap_or(simple), self.extension())
                }
                Format::Zip | Format::TarGz => file.path.clone(),
            };
            let paths = classes.iter().map(Declared::path);
            let own = paths.clone().find(|it| self.own.contains(it));
            let own = own.or(self.files.iter().find(|it| it.path == path).map(|_| path.clone()));
            let Some(own) = own else {
                files.push(File { path, bytes: file.bytes.clone() });
                continue;
            };
            let lost = paths.clone().find(|it| known.contains(it) && !self.own.contains(it));
            if let Some(class) = lost {
                return Err(NotAdapted::Mixed { path: file.path.clone(), own, class });
            }
        }
        for own in &self.files {
            let is_in = |one: &str, other: &str| {
                one.strip_prefix(other).is_some_and(|it| it.starts_with('/'))
            };
            let mut found = files.iter().map(|it| it.path.as_str());
            let found = found.find(|it| is_in(it, &own.path) || is_in(&own.path, it));
            if let Some(found) = found {
                return Err(NotAdapted::Place { found: found.to_owned(), own: own.path.clone() });
            }
        }
        let own = self.files.iter().map(|it| match has_hole(it) {
            true => {
                let text = String::from_utf8_lossy(&it.bytes).replace(HOLE, &player);
                File { path: it.path.clone(), bytes: text.into_bytes() }
            }
            false => it.clone(),
        });
        files.extend(own);
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let sources = Sources { format: Format::TarGz, files };
        Ok(Adapted { sources, main: self.table.main.clone() })
    }

    /// The class that plays: the only one that can, or the only one of them with a name that says
    /// so.
    fn player(&self, kinship: &Kinship<'_>) -> Result<String, NotAdapted> {
        let is_theirs = |it: &&Declared| !self.own.contains(&it.path());
        let players: Vec<&Declared> = kinship.players().filter(is_theirs).collect();
        let named = players.iter().filter(|it| matches!(it.name.as_str(), "Bot" | "Main"));
        let named: Vec<&&Declared> = named.collect();
        match (players.as_slice(), named.as_slice()) {
            ([one], _) => Ok(one.path()),
            (_, [one]) => Ok(one.path()),
            ([], _) => Err(NotAdapted::Nobody { classes: some_of(kinship.known()) }),
            (several, _) => Err(NotAdapted::Several {
                n: several.len(),
                classes: some_of(several.iter().copied()),
            }),
        }
    }

    /// All files, and what those of this language declare at the top.
    fn classes<'a>(&self, upload: &'a Sources) -> Vec<(&'a File, Vec<Declared>)> {
        let is_its = |it: &File| {
            let ending = it.path.rsplit_once('.').map(|it| it.1);
            upload.format == Format::File
                || ending.is_some_and(|it| it.eq_ignore_ascii_case(self.extension()))
        };
        let of = |it: &'a File| match is_its(it) {
            true => (it, declared(&self.table, &it.bytes)),
            false => (it, Vec::new()),
        };
        upload.files.iter().map(of).collect()
    }

    fn kinship<'a>(&self, classes: &'a [(&File, Vec<Declared>)]) -> Kinship<'a> {
        Kinship::of(classes.iter().flat_map(|it| &it.1).collect(), &self.own)
    }

    /// Of its own files, and so of those that it looks at.
    fn extension(&self) -> &str {
        self.table.main.rsplit_once('.').map_or("", |it| it.1)
    }
}

/// Names for a message.
fn some_of<'a>(classes: impl Iterator<Item = &'a Declared>) -> String {
    classes.take(NAMED_MAX).map(Declared::path).collect::<Vec<_>>().join(", ")
}

fn has_hole(file: &File) -> bool {
    file.bytes.windows(HOLE.len()).any(|it| it == HOLE.as_bytes())
}

fn is_class(name: &str) -> bool {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let part = |it: &str| !it.is_empty() && it.chars().all(is_plain);
    name.len() <= CLASS_BYTES_MAX && name.split('.').all(part)
}

#[cfg(test)]
mod tests;
