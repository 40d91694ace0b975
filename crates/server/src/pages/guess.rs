//! Which language a source is written in: by its first line, its name, its content; an archive by
//! what its files are called.

use axum::{
    Json,
    extract::{Request, State},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sources::{File, Format, Sources};

use super::{
    Language, Page, Query, Refusal,
    catalogue::{Availability, availabilities},
};
use crate::{AppState, auth::Act};

/// How much of a source is looked at.
pub(super) const HEAD_BYTES_MAX: usize = 64 << 10;

/// A language, and what it was told by.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Guessed<'a> {
    pub(super) language: &'a str,
    pub(super) why: String,
}

/// Guesses; nothing where nothing speaks for any language.
pub(super) fn guess<'a>(
    languages: &'a [Language],
    file_name: &str,
    head: &[u8],
) -> Option<Guessed<'a>> {
    let text = String::from_utf8_lossy(head);
    if let Some(program) = shebang(&text) {
        let fits = |it: &&Language| it.guess.shebangs.iter().any(|it| *it == program);
        if let Some(it) = best(languages.iter().filter(fits), &text) {
            return Some(Guessed {
                language: &it.id,
                why: format!("its first line says {program}"),
            });
        }
    }
    let extension = file_name.rsplit_once('.').map(|(_, it)| it.to_lowercase());
    if let Some(extension) = extension {
        let fits = |it: &&Language| it.guess.extensions.contains(&extension);
        if let Some(it) = best(languages.iter().filter(fits), &text) {
            return Some(Guessed {
                language: &it.id,
                why: format!("its name ends in .{extension}"),
            });
        }
    }
    let it = best(languages.iter().filter(|it| hints(it, &text) > 0), &text)?;
    Some(Guessed { language: &it.id, why: "it looks like it".into() })
}

/// Guesses by the files of an upload.
pub(super) fn guess_files<'a>(languages: &'a [Language], sources: &Sources) -> Option<Guessed<'a>> {
    if let (Format::File, [file]) = (sources.format, sources.files.as_slice()) {
        return guess(languages, &file.path, head_of(file));
    }
    let fits: Vec<Fit<'a, '_>> = languages.iter().map(|it| Fit::of(it, sources)).collect();
    let fits: Vec<&Fit<'a, '_>> = fits.iter().filter(|it| it.key() > NO_FIT).collect();
    let key = fits.iter().map(|it| it.key()).max()?;
    let mut best: Vec<&Fit<'a, '_>> = fits.into_iter().filter(|it| it.key() == key).collect();
    best.sort_by_key(|it| it.language.guess.rank);
    // Versions of one language call their files the same: what is in them tells.
    let by_content = best.first()?.entry.and_then(|it| sources.get(it)).and_then(|entry| {
        let equals: Vec<Language> = best.iter().map(|it| it.language.clone()).collect();
        let id = guess(&equals, &entry.path, head_of(entry))?.language.to_owned();
        best.iter().find(|it| it.language.id == id).copied()
    });
    let Fit { language, entry, n_files, .. } = by_content.or(best.first().copied())?;
    let why = match (entry, n_files) {
        (Some(entry), _) => format!("it holds {entry}"),
        (None, 1) => "of how one of its files ends".to_owned(),
        (None, n) => format!("of how {n} of its files end"),
    };
    Some(Guessed { language: &language.id, why })
}

/// How well an archive fits a language.
struct Fit<'l, 's> {
    language: &'l Language,
    /// It has a file of the very name.
    is_named: bool,
    /// What would be compiled or run.
    entry: Option<&'s str>,
    /// Files with one of its extensions.
    n_files: usize,
}

const NO_FIT: (bool, bool, usize) = (false, false, 0);

impl<'l, 's> Fit<'l, 's> {
    fn of(language: &'l Language, sources: &'s Sources) -> Fit<'l, 's> {
        let extensions = &language.guess.extensions;
        let is_its = |path: &str| {
            let extension = path.rsplit_once('.').map(|(_, it)| it.to_lowercase());
            extension.is_some_and(|it| extensions.contains(&it))
        };
        let archive = language.archive.as_ref();
        Fit {
            language,
            is_named: archive
                .is_some_and(|it| it.entries.iter().any(|it| sources.get(it).is_some())),
            entry: archive.and_then(|it| it.entry(sources, extensions).ok()),
            n_files: sources.files.iter().filter(|it| is_its(&it.path)).count(),
        }
    }

    fn key(&self) -> (bool, bool, usize) {
        (self.is_named, self.entry.is_some(), self.n_files)
    }
}

fn head_of(file: &File) -> &[u8] {
    &file.bytes[..file.bytes.len().min(HEAD_BYTES_MAX)]
}

fn best<'a>(fitting: impl Iterator<Item = &'a Language>, text: &str) -> Option<&'a Language> {
    fitting.min_by_key(|it| (std::cmp::Reverse(hints(it, text)), it.guess.rank))
}

fn hints(language: &Language, text: &str) -> usize {
    language.guess.contents.iter().filter(|it| text.contains(it.as_str())).count()
}

/// The program of a `#!` line, without its folder and without `env`.
fn shebang(text: &str) -> Option<&str> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace().map(|it| it.rsplit('/').next().unwrap_or(it));
    let first = words.next()?;
    match first {
        "env" => words.find(|it| !it.starts_with('-')),
        program => Some(program),
    }
}

/// `file_name`, of the source whose beginning is the body.
#[derive(Deserialize)]
pub(super) struct GuessQuery {
    #[serde(default)]
    file_name: String,
}

/// `POST /upload/guess?file_name=`. An archive has to be there whole; a larger one than may be sent
/// is told when it is uploaded.
pub(super) async fn guess_language(
    State(state): State<AppState>,
    Query(query): Query<GuessQuery>,
    page: Page,
    request: Request,
) -> Result<Json<Value>, Refusal> {
    let head = axum::body::to_bytes(request.into_body(), HEAD_BYTES_MAX).await;
    let head =
        head.map_err(|_| Refusal::too_large("The beginning of a source", HEAD_BYTES_MAX as u64))?;
    let catalogue = state.site.catalogue.clone();
    let told = |it: Option<Guessed<'_>>| match it {
        Some(it) => json!({ "language": it.language, "why": it.why }),
        None => json!({ "language": null, "why": null }),
    };
    if sources::format(&head) == Format::File {
        return Ok(Json(told(guess(catalogue.languages(), &query.file_name, &head))));
    }
    // Anybody may ask, and each takes a turn from those who upload.
    state.site.limits.count_address(Act::ReadArchive, page.address)?;
    let turn = state.site.archives.turn().await?;
    let look = move |it: &Sources| told(guess_files(catalogue.languages(), it));
    let found = state.site.archives.read(turn, &query.file_name, head, look).await?;
    Ok(Json(found.unwrap_or_else(
        |why| json!({ "language": null, "why": null, "refused": why.to_string() }),
    )))
}

/// A language, for programs.
#[derive(Serialize)]
pub(super) struct LanguageLine {
    id: String,
    label: String,
    libraries: String,
    notes: Option<String>,
    extensions: Vec<String>,
    /// What an archive's file to compile or run is called; none where only one file is taken.
    archive_entries: Option<Vec<String>>,
    memory_mib: u64,
    /// What the workers have; none where it cannot be used now.
    toolchain: Option<String>,
    /// Why it cannot be used.
    unavailable: Option<String>,
}

/// `GET /languages.json`
pub(super) async fn list_languages(
    State(state): State<AppState>,
) -> Result<Json<Vec<LanguageLine>>, Refusal> {
    let languages = state.site.catalogue.languages();
    let available = availabilities(languages, &state.store.status().await?.workers);
    let lines = languages.iter().map(|it| {
        let availability = available.get(&it.id);
        LanguageLine {
            id: it.id.clone(),
            label: it.label.clone(),
            libraries: it.libraries.clone(),
            notes: it.notes.clone(),
            extensions: it.guess.extensions.clone(),
            archive_entries: it.archive.as_ref().map(|it| it.entries.clone()),
            memory_mib: it.memory_mib,
            toolchain: availability.and_then(Availability::toolchain).map(str::to_owned),
            unavailable: availability.and_then(Availability::reason).map(str::to_owned),
        }
    });
    Ok(Json(lines.collect()))
}

#[cfg(test)]
mod tests {
    use super::{super::catalogue::Guess, *};

    fn language(
        id: &str,
        extensions: &[&str],
        shebangs: &[&str],
        contents: &[&str],
        rank: u32,
    ) -> Language {
        let owned = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect();
        Language {
            id: id.into(),
            label: id.into(),
            libraries: String::new(),
            notes: None,
            memory_mib: 1,
            archive: None,
            guess: Guess {
                extensions: owned(extensions),
                shebangs: owned(shebangs),
                contents: owned(contents),
                rank,
            },
            source_name: "bot".into(),
        }
    }

    #[test]
    fn the_first_line_comes_before_the_name_and_the_name_before_the_content() {
        let languages = [
            language("python3", &["py"], &["python3", "python"], &["import sys", "print("], 10),
            language("python2", &["py"], &["python2"], &["print \"", "raw_input("], 20),
            language("cpp", &["cpp", "cc"], &[], &["#include <iostream>", "std::"], 10),
            language("c", &["c"], &[], &["#include <stdio.h>"], 10),
        ];
        let table = [
            ("bot.py", "", Some("python3")),
            ("bot.PY", "print \"a\"\nraw_input()", Some("python2")),
            ("bot.py", "#!/usr/bin/env python2\nprint(1)", Some("python2")),
            ("bot.txt", "#!/usr/bin/env -S python3 -u\n", Some("python3")),
            ("bot.cc", "#include <stdio.h>", Some("cpp")),
            ("", "#include <iostream>\nstd::cout", Some("cpp")),
            ("", "#include <stdio.h>", Some("c")),
            ("bot.xyz", "nothing known", None),
            ("", "\u{fffd}\0", None),
        ];
        for (file_name, head, expected) in table {
            let found = guess(&languages, file_name, head.as_bytes());
            assert_eq!(found.as_ref().map(|it| it.language), expected, "{file_name} {head:?}");
        }
    }

    #[test]
    fn an_archive_is_told_by_what_is_compiled_or_run_then_by_how_its_files_end() {
        let archive = |entries: &[&str]| {
            Some(sources::Archive {
                entries: entries.iter().map(|it| (*it).to_owned()).collect(),
                command: Vec::new(),
                about: String::new(),
            })
        };
        let mut languages = [
            language("python3", &["py"], &["python3"], &["print("], 10),
            language("python2", &["py"], &["python2"], &["print \""], 20),
            language("cpp", &["cpp", "h"], &[], &[], 10),
            language("c", &["c"], &[], &[], 10),
        ];
        languages[0].archive = archive(&["bot.py", "main.py"]);
        languages[1].archive = archive(&["bot.py", "main.py"]);
        languages[2].archive = archive(&["main.cpp"]);
        let table: [(&[(&str, &str)], Option<(&str, &str)>); 8] = [
            (&[("main.py", ""), ("a.cpp", ""), ("b.cpp", "")], Some(("python3", "main.py"))),
            (&[("main.py", "#!/usr/bin/python2\n")], Some(("python2", "main.py"))),
            (&[("main.py", "print \"a\"")], Some(("python2", "main.py"))),
            (&[("bots/x.py", ""), ("bots/data.txt", "")], Some(("python3", "bots/x.py"))),
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
            let found = guess_files(&languages, &sources);
            let (language, why) = expected.unzip();
            assert_eq!(found.as_ref().map(|it| it.language), language, "{files:?}");
            let told = found.map_or_else(String::new, |it| it.why);
            assert!(told.contains(why.unwrap_or_default()), "{files:?}: {told}");
        }
    }
}
