//! How busy the server is, and which languages it takes.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    account::Nothing,
    listing::{Listed, Page, PageParams},
};
use crate::{
    AppState,
    machine::{StatusJson, status_told},
    pages::{Refusal, availabilities},
};

/// A language bots can be written in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Language)]
struct LanguageShape {
    id: String,
    /// On pages.
    name: String,
    /// Which libraries a bot can use.
    libraries: String,
    /// What else an author should know.
    notes: Option<String>,
    /// Most memory a bot may use.
    memory_mib: u64,
    /// Whether it can be several files in an archive.
    archives: bool,
    /// What the toolchain says of its version, where a worker has it now.
    toolchain: Option<String>,
    /// Why it cannot be used now.
    unavailable: Option<String>,
}

/// How busy the server is
#[utoipa::path(
    get, path = "/status", tag = "status", security((), ("token" = ["read"])),
    responses((status = 200, description = "Queue, workers and counts", body = StatusJson))
)]
pub(super) async fn show_status(
    State(state): State<AppState>,
) -> Result<impl IntoResponse, Refusal> {
    Ok(Json(status_told(&state).await?))
}

/// Languages
#[utoipa::path(
    get, path = "/languages", tag = "status", security((), ("token" = ["read"])),
    params(PageParams),
    responses((status = 200, description = "All that are on offer", content(
        (Page<LanguageShape> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_languages(
    State(state): State<AppState>,
    listed: Listed<Nothing>,
) -> Result<Response, Refusal> {
    let catalogue = &state.site.catalogue;
    let now = availabilities(catalogue.languages(), &state.store.status().await?.workers);
    let languages = catalogue.languages().iter().map(|it| {
        let now = now.get(&it.id);
        LanguageShape {
            id: it.id.clone(),
            name: it.label.clone(),
            libraries: it.libraries.clone(),
            notes: it.notes.clone(),
            memory_mib: it.memory_mib,
            archives: it.archive.is_some(),
            toolchain: now.and_then(|it| it.toolchain()).map(str::to_owned),
            unavailable: now.and_then(|it| it.reason()).map(str::to_owned),
        }
    });
    let page = listed.part("languages", languages.collect())?;
    listed.respond(&page)
}
