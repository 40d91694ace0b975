//! Set-ups of pools: shown in full, kept and taken out.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::{
    account::Nothing,
    caller::{Admitted, Organiser},
    etags::require_match,
    input::Body,
    listing::{Listed, Page, PageParams},
};
use crate::{
    AppState,
    auth::Act,
    pages::{
        Path, Refusal,
        setups::{self, Change, Found},
    },
};

/// Most bytes of a set-up that is sent.
const SETUP_SENT_BYTES_MAX: usize = store::SETUP_BYTES_MAX;

/// The name of a set-up.
#[derive(Debug, Serialize, ToSchema)]
struct SetupName {
    name: String,
    /// What a match asks for it by.
    preset: String,
}

/// Its set-ups
#[utoipa::path(
    get, path = "/games/{game}/pools/{pool}/setups", tag = "pools",
    security((), ("token" = ["read"])),
    params(
        ("game" = String, Path, description = "Of which game"),
        ("pool" = String, Path, description = "Of which pool"),
        PageParams,
    ),
    responses((status = 200, description = "In the order of their names", content(
        (Page<SetupName> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_setups(
    State(state): State<AppState>,
    Path((game, pool)): Path<(String, String)>,
    listed: Listed<Nothing>,
) -> Result<Response, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    let view = setups::find(&state, game, &pool).await?.view(&state).await?;
    let names =
        view.setups.into_iter().map(|name| SetupName { preset: format!("{pool}/{name}"), name });
    let page = listed.part("setups", names.collect())?;
    listed.respond(&page)
}

/// One set-up
#[utoipa::path(
    get, path = "/games/{game}/pools/{pool}/setups/{setup}", tag = "pools",
    security((), ("token" = ["read"])),
    params(
        ("game" = String, Path, description = "Of which game"),
        ("pool" = String, Path, description = "Of which pool"),
        ("setup" = String, Path, description = "Which"),
    ),
    responses((status = 200, description = "In full, as the game has it", body = Object))
)]
pub(super) async fn show_setup(
    State(state): State<AppState>,
    admitted: Admitted,
    Path((game, pool, name)): Path<(String, String, String)>,
) -> Result<impl IntoResponse, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    state.site.limits.count_address(Act::SendSetup, admitted.address)?;
    let found = setups::find(&state, game, &pool).await?;
    Ok(Json(setups::setup_of(&state, &found, &name).await?))
}

/// Keep a set-up
///
/// It has to make a good match; one of that name is replaced.
#[utoipa::path(
    put, path = "/games/{game}/pools/{pool}/setups/{setup}", tag = "pools",
    security(("token" = ["organise"])),
    params(
        ("game" = String, Path, description = "Of which game"),
        ("pool" = String, Path, description = "Into which pool"),
        ("setup" = String, Path, description = "What it is to be called"),
        ("If-Match" = Option<String>, Header,
            description = "The `ETag` of the one that is replaced, as you saw it"),
    ),
    request_body = Object,
    responses(
        (status = 204, description = "It is kept"),
        (status = 412, description = "It has changed since you saw it, or is not there",
            body = crate::Problem, content_type = "application/problem+json"),
    )
)]
pub(super) async fn keep_setup(
    State(state): State<AppState>,
    Organiser(caller): Organiser,
    Path((game, pool, name)): Path<(String, String, String)>,
    headers: HeaderMap,
    Body(setup): Body<Value, SETUP_SENT_BYTES_MAX>,
) -> Result<StatusCode, Refusal> {
    let Change { game, kept, account } = Change::of(&state, &game, &pool, &caller.account).await?;
    if store::is_setup_name(&name) {
        require_match(&headers, state.store.pool_setup(kept.id, &name).await?.as_ref())?;
    }
    let body = setup.to_string().into();
    setups::keep(&state, game, &kept, account, &name, body, true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Take a set-up out
#[utoipa::path(
    delete, path = "/games/{game}/pools/{pool}/setups/{setup}", tag = "pools",
    security(("token" = ["organise"])),
    params(
        ("game" = String, Path, description = "Of which game"),
        ("pool" = String, Path, description = "Out of which pool"),
        ("setup" = String, Path, description = "Which"),
        ("If-Match" = Option<String>, Header, description = "Its `ETag`, as you saw it"),
    ),
    responses(
        (status = 204, description = "It is out"),
        (status = 412, description = "It has changed since you saw it", body = crate::Problem,
            content_type = "application/problem+json"),
    )
)]
pub(super) async fn remove_setup(
    State(state): State<AppState>,
    Organiser(caller): Organiser,
    Path((game, pool, name)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let Change { kept, account, .. } = Change::of(&state, &game, &pool, &caller.account).await?;
    let setup = setups::setup_of(&state, &Found::Kept(kept.clone()), &name).await?;
    require_match(&headers, Some(&setup))?;
    setups::remove(&state, &kept, account, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
