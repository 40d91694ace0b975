//! What people decide, on its way to the worker that plays their match.

use std::time::Duration;

use axum::{
    Json,
    body::Body,
    extract::{Path, State, rejection::PathRejection},
};
use jobs::{Deeds, DeedsRequest, POLL_S_MAX};
use store::Notice;
use tokio::{
    sync::broadcast::error::RecvError,
    time::{Instant, timeout_at},
};
use uuid::Uuid;

use super::{door::Caller, input, leases::lost};
use crate::{error::Error, state::AppState};

const DEEDS_BYTES_MAX: u64 = 1 << 10;

/// `POST /worker/v1/leases/{lease}/deeds`
pub(super) async fn await_deeds(
    State(state): State<AppState>,
    Caller(worker): Caller,
    path: Result<Path<Uuid>, PathRejection>,
    body: Body,
) -> Result<Json<Deeds>, Error> {
    let lease = input::lease(path)?;
    let request = input::read(body, "A request for decisions", DEEDS_BYTES_MAX).await?;
    let DeedsRequest { after, wait_s } = input::parse(&request)?;
    if wait_s > POLL_S_MAX {
        return Err(Error::Invalid(format!("wait_s is {wait_s}; it has to be 0 to {POLL_S_MAX}.")));
    }
    let until = Instant::now() + Duration::from_secs(wait_s);
    // From here on nothing is missed.
    let mut news = state.store.notices();
    loop {
        let since = state.store.deeds_since(lease, worker.id, after).await?.ok_or_else(lost)?;
        if let Some((last, _)) = since.deeds.last() {
            let last = *last;
            let deeds = since.deeds.into_iter().map(|it| it.1).collect();
            return Ok(Json(Deeds { deeds, last }));
        }
        loop {
            let heard = tokio::select! {
                heard = timeout_at(until, news.recv()) => heard,
                () = state.stopping.cancelled() => return Ok(nothing(after)),
            };
            match heard {
                // That it was lost is to be said, too.
                Ok(Ok(Notice::Deed(it) | Notice::Match(it))) if it == since.match_id => break,
                Ok(Ok(Notice::Missed)) | Ok(Err(RecvError::Lagged(_))) => break,
                Ok(Ok(_)) => {}
                Ok(Err(RecvError::Closed)) | Err(_) => return Ok(nothing(after)),
            }
        }
    }
}

fn nothing(after: i64) -> Json<Deeds> {
    Json(Deeds { deeds: Vec::new(), last: after })
}
