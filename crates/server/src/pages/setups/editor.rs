//! The editor of set-ups, where a game has one, and what any such tool asks of the rules: to check
//! a set-up, to make one by lot, to read and to write files.

use std::collections::BTreeMap;

use askama::Template;
use axum::{
    Json,
    extract::{Request, State},
    response::{Html, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    Game, Page, Path, Query, Refusal, files,
    files::{FILE_BYTES_MAX, body},
    find, setup_of,
};
use crate::{
    AppState,
    auth::Act,
    views::{Frame, sentence},
};

/// Name of the script that is a game's editor.
pub(super) fn script(game: &Game) -> String {
    format!("editor-{}.js", game.id)
}

#[derive(Template)]
#[template(path = "editor.html")]
struct EditorPage<'a> {
    frame: Frame,
    game: &'a Game,
    script: String,
    /// What the script needs to know, as JSON.
    told: String,
}

/// What the script needs to know.
#[derive(Serialize)]
struct Told<'a> {
    game: &'a str,
    /// To begin with.
    setup: Option<Value>,
    /// Where that is from: pool and name.
    from: Option<(String, String)>,
    /// Pools that the visitor may save to.
    pools: Vec<PoolTold>,
    signed_in: bool,
    organises: bool,
    formats: Vec<referee::Format>,
    /// The fields of a set-up that is made by lot.
    fields: &'a [game::Field],
}

#[derive(Serialize)]
struct PoolTold {
    name: String,
    label: String,
}

/// `from`: `pool/name` of what is opened to begin with.
#[derive(Deserialize)]
pub(in super::super) struct EditorQuery {
    #[serde(default)]
    from: String,
}

/// `GET /games/{game}/editor?from=`
pub(in super::super) async fn show_editor(
    State(state): State<AppState>,
    Path(game): Path<String>,
    Query(query): Query<EditorQuery>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?;
    if !super::has_editor(&state, game) {
        return Err(Refusal::missing(format!(
            "There is no editor for the {} of {}.",
            game.setups.many, game.name
        )));
    }
    let from = match query.from.as_str() {
        "" => None,
        from => {
            let (pool, name) = from.split_once('/').ok_or_else(|| Refusal::unknown("set-up"))?;
            let found = find(&state, game, pool).await?;
            let setup = setup_of(&state, &found, name).await?;
            Some((setup, (pool.to_owned(), name.to_owned())))
        }
    };
    let organises = page.account().is_some_and(|it| it.role.organises());
    let pools = match organises {
        true => state.store.pools(game.id).await?,
        false => Vec::new(),
    };
    let (setup, from) = from.unzip();
    let told = Told {
        game: game.id,
        setup,
        from,
        pools: pools.into_iter().map(|it| PoolTold { name: it.name, label: it.label }).collect(),
        signed_in: page.who.is_some(),
        organises,
        formats: game.any().setup_formats(),
        fields: game.any().fields(),
    };
    let told = serde_json::to_string(&told).map_err(Refusal::ours)?;
    let html = EditorPage { script: script(game), frame: page.frame, game, told };
    Ok(Html(html.render()?))
}

/// `file`: the name of a file that the body is; none: the body is a set-up in our own format.
#[derive(Deserialize)]
pub(in super::super) struct CheckQuery {
    file: Option<String>,
}

/// `POST /games/{game}/editor/check?file=`: what is wrong with a set-up, and where. What cannot be
/// read as one at all is refused if it is a file, and flawed if it is not.
pub(in super::super) async fn check_setup(
    State(state): State<AppState>,
    Path(game): Path<String>,
    Query(query): Query<CheckQuery>,
    page: Page,
    request: Request,
) -> Result<Json<Value>, Refusal> {
    let game = state.site.catalogue.find(&game)?.any();
    state.site.limits.count_address(Act::ReadSetup, page.address)?;
    let body = body(request, FILE_BYTES_MAX).await?;
    let checked = files::aside(&state, move || {
        let unusable =
            |why: String| Refusal::invalid(format!("This file cannot be used: {}", dot(&why)));
        let setup = match &query.file {
            Some(name) => files::read(game, name, &body).map_err(unusable)?,
            None => files::json(&body)?,
        };
        Ok(match game.inspect_setup(&setup) {
            Ok(setup) => json!({ "setup": setup, "flaw": null }),
            Err(flaw) => {
                let flaw = json!({ "why": sentence(&flaw.why.0), "at": flaw.at });
                json!({ "setup": setup, "flaw": flaw })
            }
        })
    });
    checked.await?.map(Json)
}

/// `GET /games/{game}/editor/draw?…`: a set-up made of the game's fields.
pub(in super::super) async fn draw_setup(
    State(state): State<AppState>,
    Path(game): Path<String>,
    Query(query): Query<BTreeMap<String, String>>,
    page: Page,
) -> Result<Json<Value>, Refusal> {
    let game = state.site.catalogue.find(&game)?.any();
    state.site.limits.count_address(Act::ReadSetup, page.address)?;
    let filled: Map<String, Value> =
        query.into_iter().map(|(name, value)| (name, value.into())).collect();
    let setup = files::aside(&state, move || game.set_up(&filled)).await?;
    setup.map(Json).map_err(|why| Refusal::invalid(sentence(why.to_string())))
}

/// `POST /games/{game}/editor/write?format=`: a set-up as a file.
pub(in super::super) async fn write_setup(
    State(state): State<AppState>,
    Path(game): Path<String>,
    Query(query): Query<super::FormatQuery>,
    page: Page,
    request: Request,
) -> Result<Response, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    state.site.limits.count_address(Act::ReadSetup, page.address)?;
    let body = body(request, FILE_BYTES_MAX).await?;
    let (any, name) = (game.any(), game.setups.one.clone());
    let file =
        files::aside(&state, move || files::file(any, &query.format, &name, &files::json(&body)?));
    file.await?
}

fn dot(why: &str) -> String {
    if why.ends_with('.') { why.to_owned() } else { format!("{why}.") }
}
