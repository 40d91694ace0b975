//! The human side: one handler a route, one line here for each.
//!
//! Handlers are thin: they read the request, ask the store, and fill a
//! template. What went wrong is a [`Refusal`], and how that looks and which
//! status it has is decided in one file.

mod account;
mod assets;
mod boards;
mod bots;
mod catalogue;
mod forms;
mod games;
mod guess;
mod home;
mod markdown;
mod matches;
mod me;
mod new_match;
mod refusal;
mod replay;
mod setup;
mod site;
mod status;
mod upload;
mod versions;

use axum::{
    Router,
    extract::DefaultBodyLimit,
    middleware::from_fn_with_state,
    routing::{get, post},
};
use tower_http::csrf::CsrfLayer;

use crate::{AppState, live};

pub(crate) use self::{
    assets::Assets,
    bots::parse_id,
    catalogue::{Catalogue, Game, Language},
    forms::{FormErrors, Posted, Query, safe_next},
    refusal::Refusal,
    replay::{REPLAY_FORMAT, ReplayFile, replay_seats},
    site::Page,
};
pub use self::{
    assets::AssetsError,
    catalogue::CatalogueError,
    site::{Site, SiteError},
};

/// Most bytes of a form that carries no program.
const FORM_BYTES_MAX: usize = 64 << 10;

/// Every page.
pub(crate) fn router(state: &AppState) -> Router<AppState> {
    let upload_limit = DefaultBodyLimit::max(upload::bytes_max(&state.config));
    Router::new()
        .route("/", get(home::show_home))
        .route("/games/{game}", get(games::show_game))
        .route("/games/{game}/bots/{file}", get(games::send_bot))
        .route("/games/{game}/leaderboard", get(boards::show_leaderboard))
        .route("/bots/{bot}", get(bots::show_bot))
        .route("/bots/{bot}/live", get(live::stream_bot))
        .route("/bots/{bot}/bench", post(bots::bench_bot))
        .route("/bots/{bot}/activate", post(bots::activate_bot))
        .route("/bots/{bot}/active-version", post(bots::choose_version))
        .route("/bots/{bot}/versions/{number}", get(versions::show_version))
        .route("/bots/{bot}/versions/{number}/source", get(versions::send_source))
        .route("/upload", get(upload::show_upload).post(upload::receive_upload).layer(upload_limit))
        .route("/upload/guess", post(guess::guess_language))
        .route("/languages.json", get(guess::list_languages))
        .route("/matches", get(matches::list_matches).post(new_match::start_match))
        .route("/matches/new", get(new_match::show_new_match))
        .route("/matches/{match}", get(matches::show_match))
        .route("/matches/{match}/live", get(live::stream_match))
        .route("/matches/{match}/replay.json", get(replay::send_replay))
        .route("/matches/{match}/record", get(replay::send_record))
        .route("/signup", get(account::show_signup).post(account::sign_up))
        .route("/login", get(account::show_login).post(account::sign_in))
        .route("/logout", post(account::sign_out))
        .route("/setup/{token}", get(setup::show_setup).post(setup::set_password))
        .route("/me", get(me::show_me))
        .route("/me/password", post(me::change_password))
        .route("/me/sessions/end", post(me::end_session))
        .route("/me/sessions/end-others", post(me::end_other_sessions))
        .route("/status", get(status::show_status))
        .route("/assets/{file}", get(assets::send_asset))
        .fallback(refusal::show_nothing)
        .layer(CsrfLayer::new())
        .layer(from_fn_with_state(state.clone(), refusal::dress))
}
