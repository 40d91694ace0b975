//! What pages do for people, for programs: REST at `/api/v1`, described by OpenAPI.
//!
//! One act, two faces: what an operation does lies beneath the pages, and here is how it is asked
//! and how it is told. An operation is a handler, one line in the list below, and a row in the
//! table of roles (`tests/api/roles.rs`).

mod account;
mod bots;
mod caller;
mod document;
mod etags;
mod games;
mod idempotency;
mod input;
mod invitations;
mod listing;
mod matches;
mod new_match;
mod pools;
mod quotas;
mod refusals;
mod setups;
mod shapes;
mod status;
mod ui;
mod versions;

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::DefaultBodyLimit,
    middleware::{from_fn, from_fn_with_state},
    routing::get,
};
use utoipa::OpenApi as _;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) use self::{
    document::{ABOUT, OperationGroup},
    quotas::Quotas,
};
use crate::AppState;

/// Where it is. Another root would be another version.
pub(crate) const ROOT: &str = "/api/v1";

/// Every operation.
fn operations() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(document::Root::openapi())
        .routes(routes!(account::show_account))
        .routes(routes!(account::list_own_bots))
        .routes(routes!(account::list_tokens, account::create_token))
        .routes(routes!(account::revoke_token))
        .routes(routes!(games::list_games))
        .routes(routes!(games::show_game))
        .routes(routes!(games::show_rules))
        .routes(routes!(games::show_leaderboard))
        .routes(routes!(games::list_ready_bots))
        .routes(routes!(pools::list_pools, pools::create_pool))
        .routes(routes!(pools::show_pool, pools::change_pool, pools::delete_pool))
        .routes(routes!(setups::list_setups))
        .routes(routes!(setups::show_setup, setups::keep_setup, setups::remove_setup))
        .routes(routes!(bots::create_bot))
        .routes(routes!(bots::show_bot))
        .routes(routes!(bots::bench_bot))
        .routes(routes!(bots::activate_bot))
        .routes(routes!(bots::choose_version))
        .routes(routes!(bots::list_failures))
        .routes(routes!(bots::list_ratings))
        .routes(routes!(versions::list_versions, versions::create_version))
        .routes(routes!(versions::show_version))
        .routes(routes!(versions::send_source))
        .routes(routes!(matches::list_matches, new_match::create_match))
        .routes(routes!(matches::show_match))
        .routes(routes!(matches::send_replay))
        .routes(routes!(matches::send_record))
        .routes(routes!(invitations::list_invitations))
        .routes(routes!(invitations::accept_invitation))
        .routes(routes!(invitations::decline_invitation))
        .routes(routes!(invitations::withdraw_invitation))
        .routes(routes!(status::show_status))
        .routes(routes!(status::list_languages))
}

/// Every operation, for people: what there is of what, each with method, address and a few words.
pub(crate) fn listed_operations() -> Vec<OperationGroup> {
    document::listed(&document::finished(operations().into_openapi()))
}

/// Every operation, the document that describes them, and the page on which to try them.
pub(crate) fn router(state: &AppState) -> Router<AppState> {
    let (operations, document) = operations().split_for_parts();
    let document = Arc::new(document::finished(document));
    let show_document = move || async move { Json((*document).clone()) };
    let api = operations
        .route("/openapi.json", get(show_document))
        .fallback(refusals::show_nothing)
        // What is read whole has a limit of its own, where it is read.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state(state.clone(), idempotency::once))
        .layer(from_fn(etags::tag))
        .layer(from_fn_with_state(state.clone(), caller::admit))
        .layer(from_fn(refusals::describe));
    Router::new().nest(ROOT, api).merge(ui::router())
}
