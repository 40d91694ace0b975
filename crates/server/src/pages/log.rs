//! The published log of rated matches, and the ratings that follow from it: what anybody needs to
//! recompute them.

use std::io::Write;

use axum::{
    Json,
    body::Body,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use contest::{PublishedRating, PublishedRatings};
use futures::stream;
use serde::Deserialize;

use super::{Page, Path, Query, Refusal};
use crate::{
    AppState,
    live::StreamGuard,
    machine::{logged, stored_fit},
};

/// Matches read, and sent, at once.
const BATCH: i64 = 500;

#[derive(Deserialize)]
pub(super) struct LogQuery {
    #[serde(default)]
    after: String,
}

/// Where a log that is being sent has come to.
struct Sending {
    state: AppState,
    game: &'static str,
    after: i64,
    /// What is counted while it is sent comes with the next one.
    last: i64,
    _guard: StreamGuard,
}

/// `GET /games/{game}/log.jsonl?after=`
pub(super) async fn send_log(
    State(state): State<AppState>,
    Path(game): Path<String>,
    Query(query): Query<LogQuery>,
    page: Page,
) -> Result<Response, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?.id;
    let after = match query.after.as_str() {
        "" => Some(0),
        text => text.parse().ok().filter(|it: &i64| *it >= 0),
    };
    let after = after.ok_or_else(|| {
        let found: String = query.after.chars().take(40).collect();
        Refusal::malformed(format!(
            "The number after which the log goes on is “{found}”; it has to be whole, and 0 or more."
        ))
    })?;
    let _guard = state.site.streams.enter(page.address)?;
    let last = state.store.last_finish_no(game).await?;
    let sending = Sending { state: state.clone(), game, after, last, _guard };
    let body = Body::from_stream(stream::try_unfold(sending, next));
    let headers = [
        (header::CONTENT_TYPE, "application/jsonl; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    Ok((headers, body).into_response())
}

async fn next(mut it: Sending) -> Result<Option<(Bytes, Sending)>, store::Error> {
    if it.after >= it.last {
        return Ok(None);
    }
    let log = it.state.store.published_log(it.game, it.after, BATCH).await?;
    let Some(last) = log.last() else { return Ok(None) };
    it.after = last.finish_no;
    let mut lines = Vec::new();
    for played in log.iter().filter(|played| played.finish_no <= it.last) {
        // A list of bytes takes whatever is written.
        let _ = serde_json::to_writer(&mut lines, &logged(it.game, played));
        let _ = lines.write_all(b"\n");
    }
    Ok(Some((lines.into(), it)))
}

/// `GET /games/{game}/ratings.json`
pub(super) async fn send_ratings(
    State(state): State<AppState>,
    Path(game): Path<String>,
) -> Result<Response, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?.id;
    let (last_no, ratings) = state.store.published_ratings(game).await?;
    let line = |it: store::PublishedRating| PublishedRating {
        bot: it.bot,
        name: it.name,
        role: it.role,
        rating: it.rating,
        deviation: it.deviation,
        volatility: it.volatility,
        matches: it.matches as u32,
        faults: it.faults as u32,
        last_version: it.last_version,
    };
    let published = PublishedRatings {
        game: game.to_owned(),
        last_no: last_no as u64,
        ratings: ratings.into_iter().map(line).collect(),
        fit: stored_fit(&state.store, game).await.map_err(Refusal::ours)?,
    };
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(published)).into_response())
}
