//! Which of the files is compiled or run: one rule, in which only the names are a language's.

use serde::Deserialize;
use thiserror::Error;

use crate::{Clues, File, Sources, names};

/// Most candidates that a message names.
const NAMED_MAX: usize = 5;

/// How a language takes an archive: the table `[archive]` of its file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Archive {
    /// What the file that is compiled or run is called; the first is the usual one. May have
    /// folders before it, as in `src/main.rs`.
    pub entries: Vec<String>,
    /// What builds an archive, where it is not what builds one file.
    #[serde(default)]
    pub command: Vec<String>,
    /// Anything else an author should know.
    #[serde(default)]
    pub about: String,
}

/// Why no file is the one to compile or run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoEntry {
    /// Several are called so, and none lies at the top.
    #[error(
        "{n} files are called as what is compiled or run ({candidates}): \
         put the one that is meant at the top, or leave the others out"
    )]
    SeveralNamed {
        /// How many.
        n: usize,
        /// Some of them.
        candidates: String,
    },
    /// Several could be it by their extension.
    #[error(
        "none of the files is called {names}, and {n} could be what is compiled or run \
         ({candidates}): give one of them that name"
    )]
    Several {
        /// How it should be called.
        names: String,
        /// How many.
        n: usize,
        /// Some of them.
        candidates: String,
    },
    /// No file has the name, nor the extension.
    #[error(
        "none of the files is called {names}, and none ends with {extensions}; there are {found}"
    )]
    NoneAtAll {
        /// How it should be called.
        names: String,
        /// Extensions of the language.
        extensions: String,
        /// Some of the files.
        found: String,
    },
}

impl Archive {
    /// The file that is compiled or run: the first of [`entries`](Archive::entries) that lies at
    /// the top; else the only file anywhere that is called so; else the only file at the top with
    /// one of the language's extensions; else the only one anywhere.
    ///
    /// # Errors
    ///
    /// If several could be it, or none.
    pub fn entry<'a>(&self, sources: &'a Sources, clues: &Clues) -> Result<&'a str, NoEntry> {
        for name in &self.entries {
            if let Some(file) = sources.get(name) {
                return Ok(&file.path);
            }
        }
        let named = matching(sources, |file| self.entries.iter().any(|it| is_called(file, it)));
        let with_extension = matching(sources, |file| clues.has_extension(&file.path));
        let at_top: Vec<&str> =
            with_extension.iter().filter(|it| !it.contains('/')).copied().collect();
        let names = || one_of(&self.entries);
        match (named.as_slice(), at_top.as_slice(), with_extension.as_slice()) {
            ([one], ..) | ([], [one], _) | ([], [], [one]) => Ok(one),
            ([_, ..], ..) => {
                Err(NoEntry::SeveralNamed { n: named.len(), candidates: some(&named) })
            }
            ([], [], []) => Err(NoEntry::NoneAtAll {
                names: names(),
                extensions: one_of(
                    &clues.extensions.iter().map(|it| format!(".{it}")).collect::<Vec<_>>(),
                ),
                found: some(&matching(sources, |_| true)),
            }),
            ([], [], several) | ([], several, _) => Err(NoEntry::Several {
                names: names(),
                n: several.len(),
                candidates: some(several),
            }),
        }
    }
}

fn matching(sources: &Sources, is_it: impl Fn(&File) -> bool) -> Vec<&str> {
    sources.files.iter().filter(|it| is_it(it)).map(|it| it.path.as_str()).collect()
}

fn is_called(file: &File, name: &str) -> bool {
    let before = file.path.strip_suffix(name);
    before.is_some_and(|it| it.is_empty() || it.ends_with('/'))
}

fn one_of(names: &[String]) -> String {
    match names {
        [] => "anything known".to_owned(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
    }
}

/// The first few, and how many more there are.
fn some(paths: &[&str]) -> String {
    let shown: Vec<String> = paths.iter().take(NAMED_MAX).map(|it| names::shown(it)).collect();
    match paths.len().saturating_sub(NAMED_MAX) {
        0 => shown.join(", "),
        more => format!("{}, and {more} more", shown.join(", ")),
    }
}
