//! What is on now, for whoever comes by.

use askama::Template;
use axum::{extract::State, response::Html};
use store::{GameCount, MatchFilter, MatchState};

use super::{Page, Refusal, boards::Board};
use crate::{
    AppState,
    views::{Frame, MatchLine},
};

const RUNNING_MAX: i64 = 4;
const RESULTS_MAX: i64 = 6;
const BOARD_ROWS: i64 = 5;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    frame: Frame,
    running: Vec<MatchLine>,
    results: Vec<MatchLine>,
    boards: Vec<Board>,
    /// By what each game is called.
    counts: Vec<(String, GameCount)>,
}

/// `GET /`
pub(super) async fn show_home(
    State(state): State<AppState>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let filter = MatchFilter {
        state: Some(MatchState::Running),
        matches_max: RUNNING_MAX,
        ..MatchFilter::default()
    };
    let running = state.store.matches(&filter).await?;
    let results = state.store.latest_results(RESULTS_MAX).await?;
    let mut boards = Vec::new();
    for game in state.site.catalogue.games() {
        for role in &game.roles {
            boards.push(Board::load(&state, game, role, 0, BOARD_ROWS).await?);
        }
    }
    let line = |it| state.site.catalogue.line(it);
    let html = HomePage {
        running: running.iter().map(line).collect(),
        results: results.iter().map(line).collect(),
        boards,
        counts: named(&state, state.store.game_counts().await?),
        frame: page.frame,
    };
    Ok(Html(html.render()?))
}

fn named(state: &AppState, counts: Vec<GameCount>) -> Vec<(String, GameCount)> {
    let name = |id: &str| state.site.catalogue.game(id).map_or(id, |it| &it.name).to_owned();
    counts.into_iter().map(|it| (name(&it.game), it)).collect()
}
