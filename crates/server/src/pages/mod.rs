//! The human side: one handler a route, one line here for each.
//!
//! Handlers are thin: they read the request, ask the store, and fill a
//! template. What went wrong is a [`Refusal`], and how that looks and which
//! status it has is decided in one file.

mod account;
mod archive;
mod archives;
mod assets;
mod boards;
mod bots;
mod by_hand;
mod catalogue;
mod forms;
mod games;
mod guess;
mod home;
mod invitations;
mod log;
mod markdown;
mod matches;
mod me;
mod new_match;
mod programs;
mod refusal;
mod replay;
mod setup;
pub(crate) mod setups;
mod site;
mod status;
mod tokens;
mod upload;
mod versions;
mod waits;

use axum::{
    Router, extract::DefaultBodyLimit, handler::Handler as _, middleware::from_fn_with_state,
};
use tower_http::csrf::CsrfLayer;

use crate::{AppState, live, routes::Routes};

pub(crate) use self::{
    assets::Assets,
    bots::{bench, own_bot, parse_id},
    catalogue::{Catalogue, Game, Language, availabilities, awake},
    forms::{FormErrors, Path, Posted, Query, safe_next, shown_again},
    invitations::{accept, decline, withdraw},
    new_match::{Form, GUEST, ME, MadeMatch, field_name, guest_name, make_match, seat_name},
    refusal::{Refusal, usual_problem},
    replay::{record_of, replay_of, sittings},
    site::Page,
    upload::{NotReceived, Received, read_bytes, receive_version, upload_bytes_max},
    versions::{find_version, send_source_to},
    waits::Waits,
};
pub use self::{
    assets::AssetsError,
    catalogue::CatalogueError,
    site::{Site, SiteError},
};

/// Most bytes of a form that carries no file.
const FORM_BYTES_MAX: usize = 64 << 10;
/// Most bytes of the form for a match: it carries the largest file of a set-up, whose bytes take
/// three each on the way at worst, and other fields.
const MATCH_FORM_BYTES_MAX: usize = 3 * setups::FILE_BYTES_MAX + FORM_BYTES_MAX;

/// Every page, and what pages ask for.
pub(crate) fn routes(state: &AppState) -> Routes {
    let upload_limit = DefaultBodyLimit::max(upload::bytes_max(&state.config));
    let files_limit = DefaultBodyLimit::max(setups::FILES_BYTES_MAX);
    Routes::default()
        .get("/", home::show_home)
        .get("/games/{game}", games::show_game)
        .get("/games/{game}/bots/{*file}", games::send_bot)
        .get("/games/{game}/pictures/{file}", games::send_picture)
        .get("/games/{game}/archive/{archive}", archive::show_archive)
        .get("/games/{game}/archive/{archive}/{past}", archive::show_past)
        .get("/games/{game}/archive/{archive}/{past}/replay.json", archive::send_past)
        .get("/games/{game}/leaderboard", boards::show_leaderboard)
        .get("/games/{game}/log.jsonl", log::send_log)
        .get("/games/{game}/ratings.json", log::send_ratings)
        .get("/games/{game}/setups", setups::show_setups)
        .get("/games/{game}/setups/{pool}", setups::show_pool)
        .get("/games/{game}/setups/{pool}/{setup}", setups::show_setup)
        .get("/games/{game}/setups/{pool}/{setup}/file", setups::send_setup)
        .get("/games/{game}/setups/{pool}/{setup}/picture.svg", setups::send_picture)
        .post("/games/{game}/pools", setups::make_pool)
        .post("/games/{game}/pools/{pool}/change", setups::change_pool)
        .post("/games/{game}/pools/{pool}/delete", setups::delete_pool)
        .post("/games/{game}/pools/{pool}/files", setups::keep_files.layer(files_limit))
        .post("/games/{game}/pools/{pool}/save", setups::save_setup)
        .post("/games/{game}/pools/{pool}/{setup}/remove", setups::remove_setup)
        .get("/games/{game}/editor", setups::show_editor)
        .post("/games/{game}/editor/check", setups::check_setup)
        .get("/games/{game}/editor/draw", setups::draw_setup)
        .post("/games/{game}/editor/write", setups::write_setup)
        .get("/bots/{bot}", bots::show_bot)
        .get("/bots/{bot}/live", live::stream_bot)
        .post("/bots/{bot}/bench", bots::bench_bot)
        .post("/bots/{bot}/activate", bots::activate_bot)
        .post("/bots/{bot}/active-version", bots::choose_version)
        .get("/bots/{bot}/versions/{number}", versions::show_version)
        .get("/bots/{bot}/versions/{number}/source", versions::send_source)
        .get("/upload", upload::show_upload)
        .post("/upload", upload::receive_upload.layer(upload_limit))
        .post("/upload/guess", guess::guess_language)
        .get("/languages.json", guess::list_languages)
        .get("/matches", matches::list_matches)
        .post("/matches", new_match::start_match)
        .get("/matches/new", new_match::show_new_match)
        .get("/matches/{match}", matches::show_match)
        .get("/matches/{match}/live", live::stream_match)
        .post("/matches/{match}/deeds", live::decide_turn)
        .get("/matches/{match}/replay.json", replay::send_replay)
        .get("/matches/{match}/record", replay::send_record)
        .get("/invitations", invitations::list_invitations)
        .get("/invitations/live", live::stream_invitations)
        .post("/invitations/{invitation}/accept", invitations::accept_invitation)
        .post("/invitations/{invitation}/decline", invitations::decline_invitation)
        .post("/invitations/{invitation}/withdraw", invitations::withdraw_invitation)
        .get("/signup", account::show_signup)
        .post("/signup", account::sign_up)
        .get("/login", account::show_login)
        .post("/login", account::sign_in)
        .post("/logout", account::sign_out)
        .get("/setup/{token}", setup::show_setup)
        .post("/setup/{token}", setup::set_password)
        .get("/me", me::show_me)
        .post("/me/password", me::change_password)
        .post("/me/sessions/end", me::end_session)
        .post("/me/sessions/end-others", me::end_other_sessions)
        .get("/me/tokens", tokens::list_tokens)
        .post("/me/tokens", tokens::create_token)
        .post("/me/tokens/{api_token}/revoke", tokens::revoke_token)
        .get("/api", programs::show_api)
        .get("/status", status::show_status)
        .get("/assets/{file}", assets::send_asset)
}

/// Pages, with what is around all of them.
pub(crate) fn router(state: &AppState) -> Router<AppState> {
    routes(state)
        .into_router()
        .fallback(refusal::show_nothing)
        .layer(CsrfLayer::new())
        .layer(from_fn_with_state(state.clone(), refusal::dress))
}
