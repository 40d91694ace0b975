//! Whether we are well, and how busy.

use axum::{Json, extract::State, http::header, response::IntoResponse};
use chrono::{DateTime, Utc};
use serde::Serialize;
use store::Lane;
use utoipa::ToSchema;

use super::ladder::LadderWaits;
use crate::{error::Error, state::AppState};

/// How busy we are, as told to anybody.
#[derive(Serialize, ToSchema)]
#[schema(as = Status)]
pub(crate) struct StatusJson {
    /// Every lane of the queue, the most urgent first.
    lanes: Vec<LaneJson>,
    /// Every ladder.
    ladders: Vec<LadderJson>,
    /// All workers that may lease jobs.
    workers: Vec<WorkerJson>,
    /// Builds that wait or run.
    builds_waiting: i64,
    /// Matches that wait or run.
    matches_waiting: i64,
    /// Matches finished, ever.
    matches_finished: i64,
    /// Matches finished within the last hour.
    matches_finished_hour: i64,
    /// Matches that could not be played.
    matches_void: i64,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Lane)]
struct LaneJson {
    lane: &'static str,
    /// Jobs that wait.
    queued: i64,
    /// Jobs that run.
    leased: i64,
    /// How long the oldest of those that wait has waited.
    oldest_wait_s: Option<f64>,
}

/// How long the bots of a ladder wait, and what they are promised.
#[derive(Serialize, ToSchema)]
#[schema(as = LadderWait)]
struct LadderJson {
    game: &'static str,
    /// Bots that are on it.
    bots: usize,
    /// Its matches that wait.
    queued: u32,
    /// Longest time that a bot should wait for its next match.
    promise_s: u64,
    /// How long the bot has waited whose last match was made the longest ago.
    longest_wait_s: Option<f64>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = Worker)]
struct WorkerJson {
    name: String,
    /// When it was last heard of.
    seen_at: Option<DateTime<Utc>>,
    /// Jobs it can run at once.
    slots: Option<u32>,
    /// Ids of the languages it can build and run.
    languages: Vec<String>,
    /// Jobs it runs.
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
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(status_told(&state).await?)))
}

/// How busy we are.
pub(crate) async fn status_told(state: &AppState) -> Result<StatusJson, Error> {
    let status = state.store.status().await?;
    let waiting = |build: bool| {
        let lanes = status.lanes.iter().filter(|it| (it.lane == Lane::Build) == build);
        lanes.map(|it| it.queued + it.leased).sum()
    };
    let ladders = waits(state).await?.into_iter().map(|(game, it)| LadderJson {
        game,
        bots: it.bots,
        queued: it.queued,
        promise_s: state.config.ladder.promise_s,
        longest_wait_s: it.longest_s,
    });
    let lanes = status.lanes.iter().map(|it| LaneJson {
        lane: it.lane.as_str(),
        queued: it.queued,
        leased: it.leased,
        oldest_wait_s: it.oldest_wait_s,
    });
    Ok(StatusJson {
        builds_waiting: waiting(true),
        matches_waiting: waiting(false),
        lanes: lanes.collect(),
        ladders: ladders.collect(),
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
    })
}
