//! Which language an upload is written in: a file by its first line, its name, its content; an
//! archive by what its files are called. People may know better.

use std::cmp::Reverse;

use serde::Deserialize;

use crate::{Archive, File, Format, Sources};

/// How much of a source is looked at, in bytes.
pub const LOOK_BYTES_MAX: usize = 64 << 10;

/// What a language is known by: the table `[guess]` of its file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clues {
    /// Of file names, in lower case and without the dot; the first is the usual one.
    pub extensions: Vec<String>,
    /// Programs on a `#!` line.
    #[serde(default)]
    pub shebangs: Vec<String>,
    /// Pieces of text that hint at it.
    #[serde(default)]
    pub contents: Vec<String>,
    /// Among equals the lowest is guessed.
    #[serde(default = "usual_rank")]
    pub rank: u32,
}

fn usual_rank() -> u32 {
    50
}

impl Clues {
    /// Whether a file of this name has one of the extensions, in whichever case. A name that is
    /// nothing else, as `.py`, has none.
    pub fn has_extension(&self, path: &str) -> bool {
        let found = extension(path);
        found.is_some_and(|found| self.extensions.iter().any(|it| it.eq_ignore_ascii_case(found)))
    }

    fn n_hints(&self, text: &str) -> usize {
        self.contents.iter().filter(|it| text.contains(it.as_str())).count()
    }
}

/// A language that an upload may be written in.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Its id.
    pub id: &'a str,
    /// What it is known by.
    pub clues: &'a Clues,
    /// How it takes an archive, if it does.
    pub archive: Option<&'a Archive>,
}

/// A language, and what it was told by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess<'a> {
    /// Its id.
    pub language: &'a str,
    /// In words that follow "because".
    pub why: String,
}

/// Guesses by the files of an upload: nothing where nothing speaks for any language.
pub fn guess<'a>(candidates: &[Candidate<'a>], sources: &Sources) -> Option<Guess<'a>> {
    if let (Format::File, [file]) = (sources.format, sources.files.as_slice()) {
        return guess_file(candidates, &file.path, &file.bytes);
    }
    let fits: Vec<Fit<'a, '_>> = candidates.iter().map(|it| Fit::of(*it, sources)).collect();
    let key = fits.iter().map(Fit::key).max().filter(|it| *it > NO_FIT)?;
    let mut best: Vec<&Fit<'a, '_>> = fits.iter().filter(|it| it.key() == key).collect();
    best.sort_by_key(|it| (it.candidate.clues.rank, it.candidate.id));
    let first = *best.first()?;
    // Versions of one language call their files the same: what is in them tells.
    let by_content = first.entry.and_then(|it| sources.get(it)).and_then(|entry| {
        let equals: Vec<Candidate<'a>> = best.iter().map(|it| it.candidate).collect();
        let id = guess_file(&equals, &entry.path, &entry.bytes)?.language;
        best.iter().find(|it| it.candidate.id == id).copied()
    });
    let Fit { candidate, entry, n_files, .. } = by_content.unwrap_or(first);
    let why = match (entry, n_files) {
        (Some(entry), _) => format!("it holds {entry}"),
        (None, 1) => "of how one of its files ends".to_owned(),
        (None, n) => format!("of how {n} of its files end"),
    };
    Some(Guess { language: candidate.id, why })
}

/// Guesses by one file, of which the first [`LOOK_BYTES_MAX`] bytes are looked at. It need not have
/// a name.
pub fn guess_file<'a>(
    candidates: &[Candidate<'a>],
    file_name: &str,
    bytes: &[u8],
) -> Option<Guess<'a>> {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(LOOK_BYTES_MAX)]);
    let likeliest = |fits: &dyn Fn(&Clues) -> bool| {
        let fitting = candidates.iter().filter(|it| fits(it.clues));
        fitting.min_by_key(|it| (Reverse(it.clues.n_hints(&text)), it.clues.rank, it.id))
    };
    let told = |it: &Candidate<'a>, why: String| Guess { language: it.id, why };
    if let Some(program) = shebang(&text)
        && let Some(it) = likeliest(&|it| it.shebangs.iter().any(|it| it == program))
    {
        return Some(told(it, format!("its first line says {program}")));
    }
    if let Some(it) = likeliest(&|it| it.has_extension(file_name)) {
        let extension = extension(file_name).unwrap_or_default().to_ascii_lowercase();
        return Some(told(it, format!("its name ends in .{extension}")));
    }
    let it = likeliest(&|it| it.n_hints(&text) > 0)?;
    Some(told(it, "it looks like it".to_owned()))
}

/// How well an archive fits a language.
struct Fit<'l, 's> {
    candidate: Candidate<'l>,
    /// It has a file of the very name.
    is_named: bool,
    /// What would be compiled or run.
    entry: Option<&'s str>,
    /// Files with one of its extensions.
    n_files: usize,
}

const NO_FIT: (bool, bool, usize) = (false, false, 0);

impl<'l, 's> Fit<'l, 's> {
    fn of(candidate: Candidate<'l>, sources: &'s Sources) -> Fit<'l, 's> {
        let Candidate { clues, archive, .. } = candidate;
        let has_name = |it: &Archive| it.entries.iter().any(|it| sources.get(it).is_some());
        let is_its = |it: &&File| clues.has_extension(&it.path);
        Fit {
            candidate,
            is_named: archive.is_some_and(has_name),
            entry: archive.and_then(|it| it.entry(sources, clues).ok()),
            n_files: sources.files.iter().filter(is_its).count(),
        }
    }

    fn key(&self) -> (bool, bool, usize) {
        (self.is_named, self.entry.is_some(), self.n_files)
    }
}

/// What stands after the last dot of a file's name, if anything stands before it.
pub(crate) fn extension(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|it| it.1)
}

/// `python3` of `#!/usr/bin/env -S python3 -u` and of `#!/usr/bin/python3`.
fn shebang(text: &str) -> Option<&str> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_ascii_whitespace();
    let base = |it: &'_ str| it.rsplit('/').next().unwrap_or_default().len();
    let named = |it| match it {
        "" => None,
        word => Some(&word[word.len() - base(word)..]),
    };
    match words.next().and_then(named)? {
        "env" => words.find(|it| !it.starts_with('-') && !it.contains('=')).and_then(named),
        program => Some(program),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Language {
        id: &'static str,
        clues: Clues,
        archive: Option<Archive>,
    }

    fn languages() -> Vec<Language> {
        let owned = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let language = |id, extensions: &[&str], shebangs: &[&str], contents: &[&str], rank| {
            let (extensions, shebangs, contents) =
                (owned(extensions), owned(shebangs), owned(contents));
            let clues = Clues { extensions, shebangs, contents, rank };
            let entries = match id {
                "python3" | "python2" => owned(&["bot.py", "main.py"]),
                "cpp" => owned(&["main.cpp"]),
                _ => return Language { id, clues, archive: None },
            };
            let archive = Archive { entries, command: Vec::new(), about: String::new() };
            Language { id, clues, archive: Some(archive) }
        };
        vec![
            language("python2", &["py"], &["python2"], &["print \"", "raw_input("], 20),
            language("python3", &["py"], &["python3", "python"], &["import sys", "print("], 10),
            language("cpp", &["cpp", "cc"], &[], &["#include <iostream>", "std::"], 10),
            language("c", &["c"], &[], &["#include <stdio.h>"], 10),
        ]
    }

    fn candidates(languages: &[Language]) -> Vec<Candidate<'_>> {
        let each = languages.iter();
        each.map(|it| Candidate { id: it.id, clues: &it.clues, archive: it.archive.as_ref() })
            .collect()
    }

    #[test]
    fn the_first_line_comes_before_the_name_and_the_name_before_the_content() {
        let languages = languages();
        let table = [
            ("bot.py", "", Some("python3")),
            ("bot.PY", "print \"a\"\nraw_input()", Some("python2")),
            ("bot.py", "#!/usr/bin/env python2\nprint(1)", Some("python2")),
            ("bot.py", "#!/usr/bin/env LANG=C /usr/bin/python2\n", Some("python2")),
            ("bot.py", "#!/opt/lua\n", Some("python3")),
            ("bot.txt", "#!/usr/bin/env -S python3 -u\n", Some("python3")),
            ("bot.cc", "#include <stdio.h>", Some("cpp")),
            ("", "#include <iostream>\nstd::cout", Some("cpp")),
            ("", "#include <stdio.h>", Some("c")),
            ("bot.py/c", "", None),
            (".py", "", None),
            ("bot.xyz", "nothing known", None),
            ("", "\u{fffd}\0", None),
            ("", "#!", None),
            ("", "#!/", None),
            ("", "#!/usr/bin/env", None),
        ];
        for (file_name, head, expected) in table {
            let found = guess_file(&candidates(&languages), file_name, head.as_bytes());
            assert_eq!(found.as_ref().map(|it| it.language), expected, "{file_name} {head:?}");
        }
    }

    #[test]
    fn an_archive_is_told_by_what_is_compiled_or_run_then_by_how_its_files_end() {
        type Row = (&'static [(&'static str, &'static str)], Option<(&'static str, &'static str)>);
        let languages = languages();
        let table: [Row; 8] = [
            (&[("a.cpp", ""), ("b.cpp", ""), ("main.py", "")], Some(("python3", "main.py"))),
            (&[("main.py", "#!/usr/bin/python2\n")], Some(("python2", "main.py"))),
            (&[("main.py", "print \"a\"")], Some(("python2", "main.py"))),
            (&[("bots/data.txt", ""), ("bots/x.py", "")], Some(("python3", "bots/x.py"))),
            (&[("a.cpp", ""), ("b.cpp", ""), ("only.py", "")], Some(("python3", "only.py"))),
            (&[("a.cpp", ""), ("b.cpp", "")], Some(("cpp", "2 of its files"))),
            (&[("a.c", "")], Some(("c", "one of its files"))),
            (&[("readme.txt", "print(1)")], None),
        ];
        for (files, expected) in table {
            let file = |(path, text): &(&str, &str)| File {
                path: (*path).to_owned(),
                bytes: text.as_bytes().to_vec(),
            };
            let sources = Sources { format: Format::Zip, files: files.iter().map(file).collect() };
            let found = guess(&candidates(&languages), &sources);
            let (language, why) = expected.unzip();
            assert_eq!(found.as_ref().map(|it| it.language), language, "{files:?}");
            let told = found.map_or_else(String::new, |it| it.why);
            assert!(told.contains(why.unwrap_or_default()), "{files:?}: {told}");
        }
    }
}
