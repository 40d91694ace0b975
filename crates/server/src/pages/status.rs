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
    views::{Frame, When, duration_ms},
};

#[derive(Template)]
#[template(path = "status.html")]
struct StatusPage<'a> {
    frame: Frame,
    status: store::Status,
    pace: store::Pace,
    languages: Vec<(&'a Language, Availability)>,
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
    Ok(Html(StatusPage { frame: page.frame, status, pace, languages }.render()?))
}
