//! Which language an upload is likely to be written in, on request, and which there are.

use axum::{
    Json,
    extract::{Request, State},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sources::{Candidate, Format, Guess, LOOK_BYTES_MAX, Sources};

use super::{
    Language, Page, Query, Refusal,
    catalogue::{Availability, availabilities},
};
use crate::{AppState, auth::Act};

/// What an upload may be written in.
pub(super) fn candidates(languages: &[Language]) -> Vec<Candidate<'_>> {
    let each = languages.iter();
    each.map(|it| Candidate { id: &it.id, clues: &it.guess, archive: it.archive.as_ref() })
        .collect()
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
    let head = axum::body::to_bytes(request.into_body(), LOOK_BYTES_MAX).await;
    let head =
        head.map_err(|_| Refusal::too_large("The beginning of a source", LOOK_BYTES_MAX as u64))?;
    let catalogue = state.site.catalogue.clone();
    let told = |it: Option<Guess<'_>>| match it {
        Some(it) => json!({ "language": it.language, "why": it.why }),
        None => json!({ "language": null, "why": null }),
    };
    if sources::format(&head) == Format::File {
        return Ok(Json(told(sources::guess_file(
            &candidates(catalogue.languages()),
            &query.file_name,
            &head,
        ))));
    }
    // Anybody may ask, and each takes a turn from those who upload.
    state.site.limits.count_address(Act::ReadArchive, page.address)?;
    let turn = state.site.archives.turn().await?;
    let look = move |it: &Sources| told(sources::guess(&candidates(catalogue.languages()), it));
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
