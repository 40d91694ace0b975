//! The page of a game: what it is, how to take part, its rules and documented bots.

use askama::Template;
use axum::{
    extract::State,
    http::header,
    response::{Html, IntoResponse, Response},
};
use game::FieldKind;

use super::{Game, Page, Path, Refusal, boards::Board, catalogue::HouseBot};
use crate::{AppState, views::Frame};

const BOARD_ROWS: i64 = 5;

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage<'a> {
    frame: Frame,
    game: &'a Game,
    boards: Vec<Board>,
    parameters: Vec<(&'static str, String)>,
}

impl GamePage<'_> {
    fn language<'b>(&'b self, bot: &'b HouseBot) -> &'b str {
        self.frame.catalogue.language_label(&bot.language)
    }
}

/// `GET /games/{game}`
pub(super) async fn show_game(
    State(state): State<AppState>,
    Path(game): Path<String>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?;
    let mut boards = Vec::new();
    for role in &game.roles {
        boards.push(Board::load(&state, game, role, 0, BOARD_ROWS).await?);
    }
    let parameters = game.any().fields().iter().map(|field| {
        let allowed = match field.kind {
            FieldKind::Whole { min, max, default } => {
                format!("{min} to {max}, {default} if nothing is said")
            }
            FieldKind::Choice { options } => {
                options.iter().map(|(_, label)| *label).collect::<Vec<_>>().join(" or ")
            }
        };
        (field.label, allowed)
    });
    let html = GamePage { frame: page.frame, parameters: parameters.collect(), game, boards };
    Ok(Html(html.render()?))
}

/// `GET /games/{game}/bots/{*file}`
pub(super) async fn send_bot(
    State(state): State<AppState>,
    Path((game, file)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    let bot = game.bots.iter().find(|it| it.file == file);
    let bot = bot.ok_or_else(|| Refusal::unknown("bot"))?;
    let name = bot.file.rsplit('/').next().unwrap_or_default();
    Ok(attachment(name, "text/plain; charset=utf-8", bot.source.clone()).into_response())
}

/// `GET /games/{game}/pictures/{file}`
pub(super) async fn send_picture(
    State(state): State<AppState>,
    Path((game, file)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    let picture = game.pictures.get(&file).ok_or_else(|| Refusal::unknown("picture"))?;
    let headers = [
        (header::CONTENT_TYPE, picture.content_type),
        (header::CACHE_CONTROL, "public, max-age=3600"),
        // A drawing brings its own colours, for light and for dark, and nothing else.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
    ];
    Ok((headers, picture.bytes.clone()).into_response())
}

/// Bytes to be saved as a file.
pub(super) fn attachment(
    file_name: &str,
    content_type: &'static str,
    bytes: impl Into<axum::body::Bytes>,
) -> impl IntoResponse {
    // A file name here is one of ours, or one that an upload was allowed to have.
    let plain: String = file_name
        .chars()
        .map(|it| if it.is_ascii_graphic() && it != '"' && it != '\\' { it } else { '_' })
        .collect();
    (
        [
            (header::CONTENT_TYPE, content_type.to_owned()),
            (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{plain}\"")),
        ],
        bytes.into(),
    )
}
