//! Whether we are well, and how busy.

use axum::{Json, extract::State, http::header, response::IntoResponse};
use chrono::{DateTime, Utc};
use serde::Serialize;
use store::Lane;

use super::ladder::LadderWaits;
use crate::{error::Error, state::AppState};

/// How busy we are, as told to anybody.
#[derive(Serialize)]
struct StatusJson {
    lanes: Vec<LaneJson>,
    ladders: Vec<LadderJson>,
    workers: Vec<WorkerJson>,
    builds_waiting: i64,
    matches_waiting: i64,
    matches_finished: i64,
    matches_finished_hour: i64,
    matches_void: i64,
}

#[derive(Serialize)]
struct LaneJson {
    lane: &'static str,
    queued: i64,
    leased: i64,
    oldest_wait_s: Option<f64>,
}

/// How long the bots of a ladder wait, and what they are promised.
#[derive(Serialize)]
struct LadderJson {
    game: &'static str,
    bots: usize,
    queued: u32,
    promise_s: u64,
    longest_wait_s: Option<f64>,
}

#[derive(Serialize)]
struct WorkerJson {
    name: String,
    seen_at: Option<DateTime<Utc>>,
    slots: Option<u32>,
    /// Ids of the languages it can build and run.
    languages: Vec<String>,
    leased: i64,
}

fn available(hello: jobs::Hello) -> Vec<String> {
    hello.languages.into_iter().filter(|it| it.toolchain.is_ok()).map(|it| it.id).collect()
}

/// How long bots wait, game by game.
pub(crate) async fn waits(
    state: &AppState,
) -> Result<Vec<(&'static str, LadderWaits)>, store::Error> {
    let mut all = Vec::new();
    for game in state.games.iter() {
        let ladder = state.store.ladder(game.id()).await?;
        all.push((game.id(), state.ladders.waits(game, &ladder)));
    }
    Ok(all)
}

/// `GET /healthz`
pub(super) async fn show_health(State(state): State<AppState>) -> Result<&'static str, Error> {
    match state.store.ping().await {
        Ok(()) => Ok("well\n"),
        Err(why) => {
            tracing::error!(cause = ?why, "the database does not answer");
            Err(Error::Unavailable("The database does not answer."))
        }
    }
}

/// `GET /status.json`
pub(super) async fn show_status(State(state): State<AppState>) -> Result<impl IntoResponse, Error> {
    let status = state.store.status().await?;
    let waiting = |build: bool| {
        let lanes = status.lanes.iter().filter(|it| (it.lane == Lane::Build) == build);
        lanes.map(|it| it.queued + it.leased).sum()
    };
    let ladders = waits(&state).await?.into_iter().map(|(game, it)| LadderJson {
        game,
        bots: it.bots,
        queued: it.queued,
        promise_s: state.config.ladder.promise_s,
        longest_wait_s: it.longest_s,
    });
    let told = StatusJson {
        ladders: ladders.collect(),
        builds_waiting: waiting(true),
        matches_waiting: waiting(false),
        lanes: status
            .lanes
            .iter()
            .map(|it| LaneJson {
                lane: it.lane.as_str(),
                queued: it.queued,
                leased: it.leased,
                oldest_wait_s: it.oldest_wait_s,
            })
            .collect(),
        workers: status
            .workers
            .into_iter()
            .map(|it| WorkerJson {
                name: it.name,
                seen_at: it.seen_at,
                slots: it.hello.as_ref().map(|it| it.slots),
                languages: it.hello.map(available).unwrap_or_default(),
                leased: it.leased,
            })
            .collect(),
        matches_finished: status.matches_finished,
        matches_finished_hour: status.matches_finished_hour,
        matches_void: status.matches_void,
    };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(told)))
}
