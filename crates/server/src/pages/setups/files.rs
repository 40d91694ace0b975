//! Set-ups as files: in a game's own format, or in one of others.

use axum::{
    body::Bytes,
    extract::{Multipart, Request, multipart::MultipartError},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use game::{PerSeat, Sitter};
use referee::AnyGame;
use serde_json::Value;
use store::NewSetup;
use tokio::task::spawn_blocking;

use super::{OWN, Refusal, attachment};
use crate::{
    AppState,
    views::{bytes, sentence},
};

/// Most bytes of a file that holds a set-up.
pub(crate) const FILE_BYTES_MAX: usize = 1 << 20;
/// Most bytes of all files that are sent at once.
pub(in super::super) const FILES_BYTES_MAX: usize = 16 << 20;
/// Most files that are sent at once.
const FILES_MAX: usize = 200;

/// Has set-ups read, judged or drawn a few at a time, on a thread that nobody else waits for: large
/// ones take their time.
pub(super) async fn aside<T: Send + 'static>(
    state: &AppState,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let permit = state.site.judging.clone().acquire_owned().await.map_err(Refusal::ours)?;
    let work = spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    work.await.map_err(Refusal::ours)
}

/// A set-up as a file to be saved.
pub(super) fn file(
    game: &dyn AnyGame,
    format: &str,
    name: &str,
    setup: &Value,
) -> Result<Response, Refusal> {
    let formats = game.setup_formats();
    let (extension, content_type, file) = match format {
        "" | OWN => {
            let text = format!("{setup}\n");
            ("json", "application/json", text.into_bytes())
        }
        format => {
            let Some(format) = formats.iter().find(|it| it.name == format) else {
                let found: String = format.chars().take(40).collect();
                let allowed: Vec<_> = formats.iter().map(|it| it.name).chain([OWN]).collect();
                return Err(Refusal::malformed(format!(
                    "There is no format “{found}”; allowed are {}.",
                    allowed.join(", ")
                )));
            };
            let file = game.write_setup(format.name, setup);
            let file = file.map_err(|why| Refusal::invalid(sentence(why.to_string())))?;
            (format.extension, "application/octet-stream", file)
        }
    };
    Ok(attachment(&format!("{name}.{extension}"), content_type, file).into_response())
}

/// Reads a file by how its name ends, and where that says nothing, in each format that there is.
///
/// # Errors
///
/// What is wrong with it, in words for whoever sent it.
pub(super) fn read(game: &dyn AnyGame, file_name: &str, file: &[u8]) -> Result<Value, String> {
    let formats = game.setup_formats();
    let extension = file_name.rsplit_once('.').map_or("", |it| it.1);
    if let Some(format) = formats.iter().find(|it| it.extension.eq_ignore_ascii_case(extension)) {
        return game.read_setup(format.name, file).map_err(|why| why.to_string());
    }
    let own = own(game, file);
    own.or_else(|why| {
        let mut read = formats.iter().map(|it| game.read_setup(it.name, file));
        read.find_map(Result::ok).ok_or(why)
    })
}

/// Reads a set-up in the game's own format, as one that matches can be played on.
fn own(game: &dyn AnyGame, file: &[u8]) -> Result<Value, String> {
    let setup: Value =
        serde_json::from_slice(file).map_err(|why| format!("file: found no JSON ({why})"))?;
    let sitters = PerSeat::new(game.roles().len(), |_| Sitter::Bot);
    game.check_setup(&setup, &sitters).map_err(|why| why.to_string())
}

/// Reads files that were sent by a form, each of them a good set-up. What is wrong with any of them
/// is told of all.
pub(super) async fn receive(
    state: &AppState,
    game: &'static dyn AnyGame,
    mut form: Multipart,
) -> Result<Result<Vec<NewSetup>, Vec<String>>, Refusal> {
    let mut setups = Vec::new();
    let mut wrong = Vec::new();
    while let Some(field) = form.next_field().await.map_err(broken)? {
        if field.name() != Some("files") {
            continue;
        }
        let given = field.file_name().unwrap_or_default().to_owned();
        let file = field.bytes().await.map_err(broken)?;
        if given.is_empty() && file.is_empty() {
            continue;
        }
        if setups.len() + wrong.len() == FILES_MAX {
            return Ok(Err(vec![format!("More than {FILES_MAX} files; send them in parts.")]));
        }
        let shown: String = given.chars().take(60).collect();
        match aside(state, move || judge(game, &given, &file)).await? {
            Ok(setup) => setups.push(setup),
            Err(why) => wrong.push(format!("{shown}: {}", sentence(&why))),
        }
    }
    if setups.is_empty() && wrong.is_empty() {
        wrong.push("Choose one file or several.".to_owned());
    }
    Ok(if wrong.is_empty() { Ok(setups) } else { Err(wrong) })
}

fn judge(game: &dyn AnyGame, given: &str, file: &[u8]) -> Result<NewSetup, String> {
    if file.len() > FILE_BYTES_MAX {
        let (found, allowed) = (bytes(file.len()), bytes(FILE_BYTES_MAX));
        return Err(format!("found {found}, allowed are {allowed}"));
    }
    let setup = read(game, given, file)?;
    let setup = game.inspect_setup(&setup).map_err(|why| why.to_string())?;
    let name = name_of(given).ok_or("found a name without letters, allowed are a-z, A-Z, 0-9")?;
    Ok(NewSetup { name, setup })
}

/// What a file's set-up is called: the name of the file, as far as it can be.
pub(super) fn name_of(file_name: &str) -> Option<String> {
    let last = file_name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = last.rsplit_once('.').map_or(last, |it| it.0);
    let fit = |it: char| if it.is_ascii_alphanumeric() || "._-".contains(it) { it } else { '-' };
    let name: String = stem.chars().map(fit).collect();
    let name = name.trim_start_matches(['.', '_', '-']);
    let name: String = name.chars().take(store::SETUP_NAME_CHARS_MAX).collect();
    store::is_setup_name(&name).then_some(name)
}

/// The body of a request that is a set-up, or a file with one.
pub(super) async fn body(request: Request, bytes_max: usize) -> Result<Bytes, Refusal> {
    let body = axum::body::to_bytes(request.into_body(), bytes_max).await;
    body.map_err(|_| Refusal::too_large("This file", bytes_max as u64))
}

/// A set-up that a script sends: JSON.
pub(super) fn json(body: &[u8]) -> Result<Value, Refusal> {
    let setup: Value = serde_json::from_slice(body)
        .map_err(|_| Refusal::malformed("This is not the JSON of a set-up."))?;
    match setup.is_object() {
        true => Ok(setup),
        false => Err(Refusal::malformed("This is not the JSON of a set-up.")),
    }
}

fn broken(why: MultipartError) -> Refusal {
    match why.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            Refusal::too_large("What was sent", FILES_BYTES_MAX as u64)
        }
        _ => Refusal::malformed(format!(
            "The form broke off or is damaged ({}). Please send it again.",
            why.body_text()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_ups_are_called_as_their_files() {
        let table = [
            ("official-00.crs", Some("official-00")),
            ("C:\\courses\\my course (2).json", Some("my-course--2-")),
            ("../../.hidden", None),
            ("..crs", None),
            ("Kurs", Some("Kurs")),
            ("über.crs", Some("ber")),
            ("", None),
        ];
        for (given, name) in table {
            assert_eq!(name_of(given).as_deref(), name, "{given:?}");
        }
        assert_eq!(name_of(&"a".repeat(100)).unwrap().len(), store::SETUP_NAME_CHARS_MAX);
    }
}
