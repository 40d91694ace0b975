//! The side of the server that machines talk to: workers, and whoever watches
//! that we are well.
//!
//! What is said is fixed in the crate `jobs`; here is who may say it, and what
//! comes of it.

mod addresses;
mod blobs;
mod chores;
mod decide;
mod dispatcher;
mod door;
mod input;
mod ladder;
mod leases;
mod ratings;
mod reports;
mod status;
mod verify;

use axum::{
    Router,
    routing::{get, post, put},
};

pub(crate) use self::{
    addresses::Signer,
    chores::start_chores,
    dispatcher::Dispatcher,
    ladder::{LadderError, Ladders},
};
pub use self::{
    door::{new_token, token_digest},
    ratings::{RatingDifference, RecomputeError, check_ratings, recompute_ratings},
};
use crate::state::AppState;

/// Requests that are over at once.
pub(crate) fn router() -> Router<AppState> {
    Router::new()
        .route("/worker/v1/hello", post(leases::greet_worker))
        .route("/worker/v1/leases/{lease}/renew", post(leases::renew_lease))
        .route("/worker/v1/leases/{lease}/plies", post(reports::send_plies))
        .route("/worker/v1/leases/{lease}/report", post(reports::send_report))
        .route("/healthz", get(status::show_health))
        .route("/status.json", get(status::show_status))
}

/// Requests that take their time: waiting for a job, or moving many bytes.
pub(crate) fn slow_router() -> Router<AppState> {
    Router::new()
        .route("/worker/v1/lease", post(leases::lease_jobs))
        .route("/blobs/{digest}", get(blobs::get_blob))
        .route("/blobs/uploads/{lease}", put(blobs::put_upload))
}
