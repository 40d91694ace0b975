//! Games, their rules, their leaderboards, and who can play now.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use contest::PLACED_DEVIATION_MAX;
use game::{Better, FieldKind};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{
    account::Nothing,
    listing::{Listed, Page, PageParams, cursor},
    shapes::StandingShape,
};
use crate::{
    AppState,
    pages::{self, Path, Refusal},
};

/// Most bots of a list of those that can play.
const READY_BOTS_MAX: i64 = 5000;

/// A game.
#[derive(Debug, Serialize, ToSchema)]
struct Game {
    /// In addresses.
    id: &'static str,
    /// On pages.
    name: String,
    /// In a sentence.
    summary: String,
    /// Version of its rules.
    rules: u32,
    /// The role of each seat.
    seats: Vec<&'static str>,
    roles: Vec<Role>,
    /// What the set-up of a match is made of.
    fields: Vec<Field>,
    /// What is counted of each seat, in the order in which ties are broken.
    measures: Vec<GameMeasure>,
    /// Formats of files of others that hold set-ups.
    setup_formats: Vec<&'static str>,
    /// Documented bots, to begin with.
    documented_bots: Vec<DocumentedBot>,
}

/// A role of a game.
#[derive(Debug, Serialize, ToSchema)]
struct Role {
    id: String,
    name: String,
    about: String,
}

/// A part of a set-up.
#[derive(Debug, Serialize, ToSchema)]
struct Field {
    name: &'static str,
    label: &'static str,
    /// Least value, of a whole number.
    min: Option<u32>,
    /// Greatest value, of a whole number.
    max: Option<u32>,
    /// What it may be, where it is one of some words.
    options: Option<Vec<&'static str>>,
    /// What it is where nothing is said.
    default: String,
}

/// Something that is counted of each seat.
#[derive(Debug, Serialize, ToSchema)]
struct GameMeasure {
    name: &'static str,
    label: &'static str,
    /// `more` or `less`.
    better: &'static str,
}

/// A documented bot.
#[derive(Debug, Serialize, ToSchema)]
struct DocumentedBot {
    name: String,
    role: String,
    language: String,
    about: String,
    /// Where its source is.
    source: String,
}

/// The rules of a game.
#[derive(Debug, Serialize, ToSchema)]
struct Rules {
    /// Their version: raised whenever the same plies could come to another end.
    version: u32,
    /// Their text, as HTML.
    html: String,
}

/// One line of a leaderboard.
#[derive(Debug, Serialize, ToSchema)]
struct BoardLine {
    /// None while the rating is too unsure for one.
    place: Option<i64>,
    bot: Uuid,
    name: String,
    /// Its owner, by name.
    owner: String,
    /// Whether it is a documented bot of the house.
    house: bool,
    /// `waiting`, `validating`, `active` or `benched`; may grow.
    state: &'static str,
    /// Of the version that plays.
    language: Option<String>,
    /// Number of the version that plays.
    version: Option<i32>,
    standing: StandingShape,
}

/// A bot that can play now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReadyBot)]
struct ReadyBotShape {
    id: Uuid,
    name: String,
    role: String,
    /// Number of the version that plays.
    version: i32,
    /// Its owner, by name.
    owner: String,
    /// Whether it is a documented bot of the house.
    house: bool,
}

/// Which leaderboard.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardParams {
    /// Of which role; of the first where nothing is said.
    role: Option<String>,
}

/// All games
#[utoipa::path(
    get, path = "/games", tag = "games", security((), ("token" = ["read"])), params(PageParams),
    responses((status = 200, description = "In the order of the site", content(
        (Page<Game> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_games(
    State(state): State<AppState>,
    listed: Listed<Nothing>,
) -> Result<Response, Refusal> {
    let games = state.site.catalogue.games().iter().map(told);
    let page = listed.part("games", games.collect())?;
    listed.respond(&page)
}

/// One game
#[utoipa::path(
    get, path = "/games/{game}", tag = "games", security((), ("token" = ["read"])),
    params(("game" = String, Path, description = "Which")),
    responses((status = 200, description = "The game", body = Game))
)]
pub(super) async fn show_game(
    State(state): State<AppState>,
    Path(game): Path<String>,
) -> Result<impl IntoResponse, Refusal> {
    Ok(Json(told(state.site.catalogue.find(&game)?)))
}

/// Its rules
#[utoipa::path(
    get, path = "/games/{game}/rules", tag = "games", security((), ("token" = ["read"])),
    params(("game" = String, Path, description = "Which")),
    responses((status = 200, description = "The rules", body = Rules))
)]
pub(super) async fn show_rules(
    State(state): State<AppState>,
    Path(game): Path<String>,
) -> Result<impl IntoResponse, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    Ok(Json(Rules { version: game.any().rules(), html: game.rules.clone() }))
}

/// A leaderboard
#[utoipa::path(
    get, path = "/games/{game}/leaderboard", tag = "games", security((), ("token" = ["read"])),
    params(("game" = String, Path, description = "Of which game"), BoardParams, PageParams),
    responses((status = 200, description = "The strongest first; those without a place last", content(
        (Page<BoardLine> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn show_leaderboard(
    State(state): State<AppState>,
    Path(game): Path<String>,
    listed: Listed<BoardParams>,
) -> Result<Response, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    let role = match &listed.filter.role {
        None => game.roles.first(),
        Some(id) => game.role(id),
    };
    let role = role.ok_or_else(|| Refusal::unknown("role"))?;
    let from = i64::from(listed.after::<u32>("board")?.unwrap_or(0));
    let most = i64::from(listed.limit);
    let mut rows =
        state.store.board(game.id, &role.id, PLACED_DEVIATION_MAX, from, most + 1).await?;
    let next = (rows.len() as i64 > most).then(|| cursor("board", from + most));
    rows.truncate(usize::from(listed.limit));
    let lines = rows.into_iter().zip(from + 1..).map(|(it, place)| BoardLine {
        place: (it.standing.deviation <= PLACED_DEVIATION_MAX).then_some(place),
        bot: it.bot,
        name: it.name,
        owner: it.owner,
        house: it.house,
        state: it.state.as_str(),
        language: it.language,
        version: it.version,
        standing: it.standing.into(),
    });
    listed.respond(&Page { items: lines.collect(), next })
}

/// Bots that can play now
#[utoipa::path(
    get, path = "/games/{game}/bots", tag = "games", security((), ("token" = ["read"])),
    params(("game" = String, Path, description = "Of which game"), PageParams),
    responses((status = 200, description = "In the order of their names", content(
        (Page<ReadyBotShape> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_ready_bots(
    State(state): State<AppState>,
    Path(game): Path<String>,
    listed: Listed<Nothing>,
) -> Result<Response, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    let bots = state.store.ready_bots(game.id, READY_BOTS_MAX).await?;
    let bots = bots.into_iter().map(|it| ReadyBotShape {
        id: it.id,
        name: it.name,
        role: it.role,
        version: it.number,
        owner: it.owner,
        house: it.house,
    });
    let page = listed.part("ready-bots", bots.collect())?;
    listed.respond(&page)
}

fn told(game: &pages::Game) -> Game {
    let any = game.any();
    let fields = any.fields().iter().map(|it| {
        let (min, max, options) = match it.kind {
            FieldKind::Whole { min, max, .. } => (Some(min), Some(max), None),
            FieldKind::Choice { options } => {
                (None, None, Some(options.iter().map(|it| it.0).collect()))
            }
        };
        let default = it.untouched().to_string();
        Field { name: it.name, label: it.label, min, max, options, default }
    });
    let better = |it: Better| match it {
        Better::More => "more",
        Better::Less => "less",
    };
    let measures = any.measures().iter();
    let bots = game.bots.iter().map(|it| DocumentedBot {
        name: it.name.clone(),
        role: it.role.clone(),
        language: it.language.clone(),
        about: it.about.clone(),
        source: format!("/games/{}/bots/{}", game.id, it.file),
    });
    let roles = game.roles.iter().map(|it| Role {
        id: it.id.clone(),
        name: it.name.clone(),
        about: it.about.clone(),
    });
    Game {
        id: game.id,
        name: game.name.clone(),
        summary: game.summary.clone(),
        rules: any.rules(),
        seats: any.roles().to_vec(),
        roles: roles.collect(),
        fields: fields.collect(),
        measures: measures
            .map(|it| GameMeasure { name: it.name, label: it.label, better: better(it.better) })
            .collect(),
        setup_formats: any.setup_formats().iter().map(|it| it.name).collect(),
        documented_bots: bots.collect(),
    }
}
