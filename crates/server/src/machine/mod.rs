//! The side of the server that machines talk to: workers, and whoever watches
//! that we are well.
//!
//! What is said is fixed in the crate `jobs`; here is who may say it, and what
//! comes of it.

mod addresses;
mod blobs;
mod chores;
mod decide;
mod deeds;
mod dispatcher;
mod door;
mod fit;
mod input;
mod ladder;
mod leases;
mod ratings;
mod reports;
mod status;
mod verify;

pub(crate) use self::fit::{logged, stored_fit};
pub(crate) use self::{
    addresses::Signer,
    chores::start_chores,
    dispatcher::Dispatcher,
    ladder::{LadderError, Ladders},
    status::{StatusJson, status_told, waits},
};
pub use self::{
    door::{new_token, token_digest},
    fit::{FitStrengthsError, fit_strengths},
    ratings::{RatingDifference, RecomputeError, check_ratings, recompute_ratings},
};
use crate::routes::Routes;

/// Requests that are over at once.
pub(crate) fn routes() -> Routes {
    Routes::default()
        .post("/worker/v1/hello", leases::greet_worker)
        .post("/worker/v1/leases/{lease}/renew", leases::renew_lease)
        .post("/worker/v1/leases/{lease}/plies", reports::send_plies)
        .post("/worker/v1/leases/{lease}/report", reports::send_report)
        .get("/healthz", status::show_health)
        .get("/status.json", status::show_status)
}

/// Requests that take their time: waiting for a job, or moving many bytes.
pub(crate) fn slow_routes() -> Routes {
    Routes::default()
        .post("/worker/v1/lease", leases::lease_jobs)
        .post("/worker/v1/leases/{lease}/deeds", deeds::await_deeds)
        .get("/blobs/{digest}", blobs::get_blob)
        .put("/blobs/uploads/{lease}", blobs::put_upload)
}
