//! Pools of set-ups, and what organisers do with them.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    ROOT,
    account::Nothing,
    caller::Organiser,
    etags::require_match,
    input::Body,
    listing::{Listed, Page, PageParams},
};
use crate::{
    AppState,
    pages::{
        Path, Refusal,
        setups::{self, Change, Found, PoolView},
    },
};

/// A pool of set-ups.
#[derive(Debug, Serialize, ToSchema)]
struct Pool {
    /// In addresses.
    name: String,
    /// On pages.
    label: String,
    about: String,
    /// How many set-ups are in it.
    setups: usize,
    /// How often the ladder plays each of them, in proportion to all others; 0: not at all. None:
    /// it is shipped, and cannot be changed.
    weight: Option<u32>,
}

/// A pool to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPool {
    /// In addresses; made of the label where nothing is said.
    #[schema(min_length = 1, max_length = 24, pattern = "^[a-z0-9][a-z0-9-]*$")]
    name: Option<String>,
    /// On pages.
    #[schema(min_length = 1, max_length = 60)]
    label: String,
}

/// What to change about a pool; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PoolChange {
    /// On pages.
    #[schema(min_length = 1, max_length = 60)]
    label: Option<String>,
    /// How often the ladder plays each of its set-ups; 0: not at all.
    #[schema(maximum = 1000)]
    weight: Option<u32>,
}

impl From<PoolView> for Pool {
    fn from(it: PoolView) -> Pool {
        let PoolView { name, label, about, setups: _, n_setups, weight } = it;
        Pool { name, label, about, setups: n_setups, weight }
    }
}

/// Its pools
#[utoipa::path(
    get, path = "/games/{game}/pools", tag = "pools", security((), ("token" = ["read"])),
    params(("game" = String, Path, description = "Of which game"), PageParams),
    responses((status = 200, description = "Those that are shipped first", content(
        (Page<Pool> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_pools(
    State(state): State<AppState>,
    Path(game): Path<String>,
    listed: Listed<Nothing>,
) -> Result<Response, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    let pools = setups::pools_of(&state, game).await?;
    let page = listed.part("pools", pools.into_iter().map(Pool::from).collect())?;
    listed.respond(&page)
}

/// Make a pool
///
/// It is empty, and the ladder does not play it.
#[utoipa::path(
    post, path = "/games/{game}/pools", tag = "pools", security(("token" = ["organise"])),
    params(("game" = String, Path, description = "Of which game")),
    request_body = NewPool,
    responses((status = 201, description = "The pool", body = Pool))
)]
pub(super) async fn create_pool(
    State(state): State<AppState>,
    Organiser(caller): Organiser,
    Path(game): Path<String>,
    Body(new): Body<NewPool>,
) -> Result<Response, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    let account = setups::acting(&state, &caller.account)?;
    let name = new.name.unwrap_or_default();
    let made = setups::create(&state, game, account, &name, &new.label).await?;
    let name = made.map_err(|errors| errors.into_error())?;
    let pool = setups::find(&state, game, &name).await?.view(&state).await?;
    let location = format!("{ROOT}/games/{}/pools/{name}", game.id);
    let location = HeaderValue::from_str(&location).map_err(Refusal::ours)?;
    let told = Json(Pool::from(pool));
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], told).into_response())
}

/// One pool
#[utoipa::path(
    get, path = "/games/{game}/pools/{pool}", tag = "pools", security((), ("token" = ["read"])),
    params(
        ("game" = String, Path, description = "Of which game"),
        ("pool" = String, Path, description = "Which"),
    ),
    responses((status = 200, description = "The pool", body = Pool))
)]
pub(super) async fn show_pool(
    State(state): State<AppState>,
    Path((game, pool)): Path<(String, String)>,
) -> Result<impl IntoResponse, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    let found = setups::find(&state, game, &pool).await?;
    Ok(Json(Pool::from(found.view(&state).await?)))
}

/// Change a pool
#[utoipa::path(
    patch, path = "/games/{game}/pools/{pool}", tag = "pools", security(("token" = ["organise"])),
    params(
        ("game" = String, Path, description = "Of which game"),
        ("pool" = String, Path, description = "Which"),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of the pool as you saw it"),
    ),
    request_body = PoolChange,
    responses(
        (status = 200, description = "The pool as it is now", body = Pool),
        (status = 412, description = "It has changed since you saw it", body = crate::Problem,
            content_type = "application/problem+json"),
    )
)]
pub(super) async fn change_pool(
    State(state): State<AppState>,
    Organiser(caller): Organiser,
    Path((game, pool)): Path<(String, String)>,
    headers: HeaderMap,
    Body(new): Body<PoolChange>,
) -> Result<impl IntoResponse, Refusal> {
    let Change { game, kept, account } = Change::of(&state, &game, &pool, &caller.account).await?;
    let found = Found::Kept(kept.clone());
    require_match(&headers, Some(&Pool::from(found.view(&state).await?)))?;
    let label = new.label.unwrap_or_else(|| kept.label.clone());
    let weight = new.weight.unwrap_or(kept.weight).to_string();
    let changed = setups::change(&state, &kept, account, &label, &weight).await?;
    changed.map_err(|errors| errors.into_error())?;
    let found = setups::find(&state, game, &pool).await?;
    Ok(Json(Pool::from(found.view(&state).await?)))
}

/// Delete a pool
///
/// With all that is in it. Matches on its set-ups stay.
#[utoipa::path(
    delete, path = "/games/{game}/pools/{pool}", tag = "pools", security(("token" = ["organise"])),
    params(
        ("game" = String, Path, description = "Of which game"),
        ("pool" = String, Path, description = "Which"),
        ("If-Match" = Option<String>, Header, description = "The `ETag` of the pool as you saw it"),
    ),
    responses(
        (status = 204, description = "It is gone"),
        (status = 412, description = "It has changed since you saw it", body = crate::Problem,
            content_type = "application/problem+json"),
    )
)]
pub(super) async fn delete_pool(
    State(state): State<AppState>,
    Organiser(caller): Organiser,
    Path((game, pool)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    let Change { kept, account, .. } = Change::of(&state, &game, &pool, &caller.account).await?;
    let found = Found::Kept(kept.clone());
    require_match(&headers, Some(&Pool::from(found.view(&state).await?)))?;
    state.store.delete_pool(kept.id, account).await?;
    Ok(StatusCode::NO_CONTENT)
}
