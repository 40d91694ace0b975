//! Leaderboards, one for each role of a game.

use askama::Template;
use axum::{extract::State, response::Html};
use contest::PLACED_DEVIATION_MAX;
use serde::Deserialize;
use store::{BoardRow, FitHead, Store};

use super::{Game, Page, Path, Query, Refusal, catalogue::Role};
use crate::{
    AppState,
    views::{
        Badge, Frame, Rated, Trend, When, Whisker, WhiskerScale, bot_badge, chance, count, percent,
    },
};

const ROWS_MAX: i64 = 100;

/// A part of a leaderboard.
pub(super) struct Board {
    pub(super) game_id: &'static str,
    pub(super) game_name: String,
    pub(super) role_id: String,
    pub(super) role_name: String,
    pub(super) lines: Vec<BoardLine>,
}

/// One line of it.
pub(super) struct BoardLine {
    /// None while its rating is too unsure for one.
    pub(super) place: Option<i64>,
    pub(super) row: BoardRow,
    pub(super) rated: Rated,
    /// By how much its rating has changed of late; none where there is no late.
    pub(super) trend: Option<Trend>,
    /// By all matches at once, and the chance that goes with it.
    pub(super) fitted: Option<(Rated, String)>,
    pub(super) whisker: Whisker,
    pub(super) language: String,
    /// How many matches had one, and which share of all that is.
    pub(super) faults: String,
    /// None where it plays as it should.
    pub(super) badge: Option<Badge>,
}

impl Board {
    fn is_of(&self, role: &Role) -> bool {
        self.role_id == role.id
    }

    pub(super) async fn load(
        state: &AppState,
        game: &Game,
        role: &Role,
        from: i64,
        rows_max: i64,
    ) -> Result<Board, Refusal> {
        let rows =
            state.store.board(game.id, &role.id, PLACED_DEVIATION_MAX, from, rows_max).await?;
        let scale = WhiskerScale::over(rows.iter().map(|it| it.standing.into()));
        let lines = rows.into_iter().enumerate().map(|(it, row)| {
            let rated = Rated::from(row.standing);
            BoardLine {
                place: (rated.deviation <= PLACED_DEVIATION_MAX).then_some(from + it as i64 + 1),
                faults: fault_share(&row),
                rated,
                trend: row.rating_before.map(|it| Trend(row.standing.rating - it)),
                fitted: row.fitted.map(|it| (it.into(), chance(it.top_chance))),
                whisker: scale.draw(rated),
                language: row
                    .language
                    .as_deref()
                    .map_or(String::new(), |it| state.site.catalogue.language_label(it).to_owned()),
                badge: (row.state != store::BotState::Active).then(|| bot_badge(row.state)),
                row,
            }
        });
        Ok(Board {
            game_id: game.id,
            game_name: game.name.clone(),
            role_id: role.id.clone(),
            role_name: role.name.clone(),
            lines: lines.collect(),
        })
    }
}

fn fault_share(row: &BoardRow) -> String {
    match (row.standing.faults, row.standing.matches) {
        (0, _) => "0".to_owned(),
        (faults, matches) => format!("{} ({})", count(faults), percent(faults, matches)),
    }
}

#[derive(Deserialize)]
pub(super) struct BoardQuery {
    #[serde(default)]
    role: String,
    #[serde(default)]
    page: String,
}

#[derive(Template)]
#[template(path = "board.html")]
struct BoardPage<'a> {
    frame: Frame,
    game: &'a Game,
    board: Board,
    length: i64,
    page: i64,
    pages: i64,
    stronger: Option<i64>,
    weaker: Option<i64>,
    fit: Option<FitHead>,
}

impl BoardPage<'_> {
    const TREND_MATCHES: i64 = Store::TREND_MATCHES;

    fn made(&self, fit: &FitHead) -> When {
        When(fit.made_at)
    }

    fn is_mine(&self, row: &BoardRow) -> bool {
        self.frame.who.as_ref().is_some_and(|it| it.id == row.account)
    }
}

/// `GET /games/{game}/leaderboard?role=&page=`
pub(super) async fn show_leaderboard(
    State(state): State<AppState>,
    Path(game): Path<String>,
    Query(query): Query<BoardQuery>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?;
    let role = match query.role.as_str() {
        "" => game.roles.first(),
        id => game.role(id),
    };
    let role = role.ok_or_else(|| Refusal::unknown("role"))?;
    let length = state.store.board_length(game.id, &role.id).await?;
    let pages = ((length + ROWS_MAX - 1) / ROWS_MAX).max(1);
    let number = match query.page.as_str() {
        "" => Some(1),
        text => text.parse().ok().filter(|it| (1..=pages).contains(it)),
    };
    let number = number.ok_or_else(|| {
        let found: String = query.page.chars().take(40).collect();
        Refusal::missing(format!(
            "There is no page “{found}” of this leaderboard; its pages are 1 to {pages}."
        ))
    })?;
    let board = Board::load(&state, game, role, (number - 1) * ROWS_MAX, ROWS_MAX).await?;
    let fit = state.store.fit_head(game.id).await?;
    let html = BoardPage {
        frame: page.frame,
        game,
        board,
        fit,
        length,
        page: number,
        pages,
        stronger: (number > 1).then_some(number - 1),
        weaker: (number < pages).then_some(number + 1),
    };
    Ok(Html(html.render()?))
}
