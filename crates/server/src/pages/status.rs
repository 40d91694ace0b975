//! How busy the server is, for operators and for those who wait.

use askama::Template;
use axum::{extract::State, response::Html};
use store::{Lane, LaneStatus, WorkerStatus};

use super::{
    Language, Page, Refusal,
    catalogue::{Availability, availabilities},
};
use crate::{
    AppState,
    machine::waits,
    views::{Frame, When, duration_ms},
};

#[derive(Template)]
#[template(path = "status.html")]
struct StatusPage<'a> {
    frame: Frame,
    status: store::Status,
    pace: store::Pace,
    languages: Vec<(&'a Language, Availability)>,
    ladders: Vec<LadderLine>,
    promise: String,
}

/// How long the bots of a game's ladder wait.
struct LadderLine {
    game: String,
    bots: usize,
    queued: u32,
    longest: String,
    is_kept: bool,
}

impl StatusPage<'_> {
    fn lane_words(&self, lane: &LaneStatus) -> &'static str {
        match lane.lane {
            Lane::Build => "builds",
            Lane::Friendly => "friendly matches",
            Lane::Validation => "first matches",
            Lane::Ladder => "ladder matches",
            Lane::People => "matches with people",
        }
    }

    fn wait_words(&self, lane: &LaneStatus) -> String {
        lane.oldest_wait_s.map_or("–".into(), |it| duration_ms(it * 1000.0))
    }

    fn seen(&self, worker: &WorkerStatus) -> Option<When> {
        worker.seen_at.map(When)
    }
}

/// `GET /status`
pub(super) async fn show_status(
    State(state): State<AppState>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let status = state.store.status().await?;
    let catalogue = state.site.catalogue.clone();
    let mut available = availabilities(catalogue.languages(), &status.workers);
    let languages = catalogue.languages().iter();
    let languages = languages.filter_map(|it| Some((it, available.remove(&it.id)?))).collect();
    let pace = state.store.pace().await?;
    let promise_s = state.config.ladder.promise_s as f64;
    let ladders = waits(&state).await?.into_iter();
    let ladders = ladders.filter(|it| it.1.bots > 0 && state.config.ladder.enabled);
    let ladders = ladders.map(|(game, it)| LadderLine {
        game: catalogue.game(game).map_or(game.to_owned(), |it| it.name.clone()),
        bots: it.bots,
        queued: it.queued,
        longest: it.longest_s.map_or("–".to_owned(), |it| duration_ms(it * 1000.0)),
        is_kept: it.longest_s.is_none_or(|it| it <= promise_s),
    });
    let html = StatusPage {
        frame: page.frame,
        status,
        pace,
        languages,
        ladders: ladders.collect(),
        promise: duration_ms(promise_s * 1000.0),
    };
    Ok(Html(html.render()?))
}
