//! Which language a source is written in: by its first line, its name, its content.

use axum::{
    Json,
    extract::{Request, State},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Language, Query, Refusal,
    catalogue::{Availability, availabilities},
};
use crate::AppState;

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

/// `POST /upload/guess?file_name=`
pub(super) async fn guess_language(
    State(state): State<AppState>,
    Query(query): Query<GuessQuery>,
    request: Request,
) -> Result<Json<Value>, Refusal> {
    let head = axum::body::to_bytes(request.into_body(), HEAD_BYTES_MAX).await;
    let head =
        head.map_err(|_| Refusal::too_large("The beginning of a source", HEAD_BYTES_MAX as u64))?;
    let languages = state.site.catalogue.languages();
    let guessed = guess(languages, &query.file_name, &head);
    Ok(Json(match guessed {
        Some(it) => json!({ "language": it.language, "why": it.why }),
        None => json!({ "language": null, "why": null }),
    }))
}

/// A language, for programs.
#[derive(Serialize)]
pub(super) struct LanguageLine {
    id: String,
    label: String,
    libraries: String,
    notes: Option<String>,
    extensions: Vec<String>,
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
}
