//! Set-ups to play on: pools that are shipped, pools of organisers, and what is in them.

mod choice;
mod described;
mod editor;
mod files;
mod picture;
mod pools;

use askama::Template;
use axum::{
    extract::State,
    http::header,
    response::{Html, IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::Value;
use store::{Account, Pool};

use self::described::ShippedPool;
pub(super) use self::{
    choice::{Chosen, address_of, chosen},
    described::{Entry, Setups},
    editor::{check_setup, draw_setup, show_editor, write_setup},
    files::FILES_BYTES_MAX,
    pools::{change_pool, delete_pool, keep_files, make_pool, remove_setup, save_setup},
};
pub(crate) use self::{
    files::FILE_BYTES_MAX,
    pools::{Change, acting, change, create, keep, remove},
};
use super::{FormErrors, Game, Page, Path, Query, Refusal, games::attachment};
use crate::{AppState, auth::Act, shipped::preset, views::Frame};

/// What our own format is asked for by.
const OWN: &str = "own";

/// A pool, wherever it is kept.
pub(crate) enum Found<'a> {
    Shipped(&'a ShippedPool),
    Kept(Pool),
}

/// What a page says of a pool.
pub(crate) struct PoolView {
    pub(crate) name: String,
    pub(crate) label: String,
    pub(crate) about: String,
    /// Names of its set-ups.
    pub(crate) setups: Vec<String>,
    pub(crate) n_setups: usize,
    /// Of a pool that organisers can change: its weight in the ladder.
    pub(crate) weight: Option<u32>,
}

/// A format to download a set-up in.
struct FormatLine {
    name: &'static str,
    extension: &'static str,
    about: &'static str,
}

#[derive(Template)]
#[template(path = "setups.html")]
struct SetupsPage<'a> {
    frame: Frame,
    game: &'a Game,
    pools: Vec<PoolView>,
    has_editor: bool,
    name: String,
    label: String,
    errors: FormErrors,
}

#[derive(Template)]
#[template(path = "pool.html")]
struct PoolPage<'a> {
    frame: Frame,
    game: &'a Game,
    pool: PoolView,
    has_editor: bool,
    has_pictures: bool,
    extensions: String,
    errors: FormErrors,
}

#[derive(Template)]
#[template(path = "one_setup.html")]
struct OneSetupPage<'a> {
    frame: Frame,
    game: &'a Game,
    pool: PoolView,
    name: String,
    preset: String,
    facts: Vec<(String, String)>,
    formats: Vec<FormatLine>,
    /// Width and height of its picture.
    picture: Option<(usize, usize)>,
    has_editor: bool,
}

impl Found<'_> {
    pub(crate) async fn view(&self, state: &AppState) -> Result<PoolView, Refusal> {
        Ok(match self {
            Found::Shipped(pool) => shipped_view(pool),
            Found::Kept(pool) => {
                let setups = state.store.pool_setups(pool.id).await?;
                PoolView { n_setups: setups.len(), setups, ..kept_view(pool) }
            }
        })
    }

    async fn setup(&self, state: &AppState, name: &str) -> Result<Option<Value>, Refusal> {
        Ok(match self {
            Found::Shipped(pool) => pool.setup(name).cloned(),
            Found::Kept(pool) => state.store.pool_setup(pool.id, name).await?,
        })
    }
}

impl PoolView {
    fn is_kept(&self) -> bool {
        self.weight.is_some()
    }

    fn is_in_ladder(&self) -> bool {
        self.weight.is_some_and(|it| it > 0)
    }

    fn weight_text(&self) -> String {
        self.weight.unwrap_or_default().to_string()
    }
}

/// `GET /games/{game}/setups`
pub(super) async fn show_setups(
    State(state): State<AppState>,
    Path(game): Path<String>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?;
    list(&state, page.frame, game, ("", ""), FormErrors::default()).await.map(Html)
}

/// `GET /games/{game}/setups/{pool}`
pub(super) async fn show_pool(
    State(state): State<AppState>,
    Path((game, pool)): Path<(String, String)>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?;
    let found = find(&state, game, &pool).await?;
    show(&state, page.frame, game, &found, FormErrors::default()).await.map(Html)
}

/// `GET /games/{game}/setups/{pool}/{setup}`
pub(super) async fn show_setup(
    State(state): State<AppState>,
    Path((game, pool, name)): Path<(String, String, String)>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?;
    let found = find(&state, game, &pool).await?;
    let setup = setup_of(&state, &found, &name).await?;
    let facts = facts(game, &setup);
    let drawing = drawing(&state, game, setup).await?;
    let others = game.any().setup_formats().into_iter().map(|it| FormatLine {
        name: it.name,
        extension: it.extension,
        about: it.about,
    });
    let own = FormatLine { name: OWN, extension: "json", about: "Agon’s own files" };
    let html = OneSetupPage {
        preset: preset(&pool, &name),
        facts,
        formats: others.chain([own]).collect(),
        picture: drawing.map(|it| picture::size(&it)),
        has_editor: has_editor(&state, game),
        pool: found.view(&state).await?,
        frame: page.frame,
        game,
        name,
    };
    Ok(Html(html.render()?))
}

/// `format`: of one of the game's formats; none: our own.
#[derive(Deserialize)]
pub(super) struct FormatQuery {
    #[serde(default)]
    format: String,
}

/// `GET /games/{game}/setups/{pool}/{setup}/file?format=`
pub(super) async fn send_setup(
    State(state): State<AppState>,
    Path((game, pool, name)): Path<(String, String, String)>,
    Query(query): Query<FormatQuery>,
    page: Page,
) -> Result<Response, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?;
    state.site.limits.count_address(Act::SendSetup, page.address)?;
    let found = find(&state, game, &pool).await?;
    let setup = setup_of(&state, &found, &name).await?;
    let any = game.any();
    files::aside(&state, move || files::file(any, &query.format, &name, &setup)).await?
}

/// `GET /games/{game}/setups/{pool}/{setup}/picture.svg`
pub(super) async fn send_picture(
    State(state): State<AppState>,
    Path((game, pool, name)): Path<(String, String, String)>,
    page: Page,
) -> Result<Response, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?;
    state.site.limits.count_address(Act::SendSetup, page.address)?;
    let found = find(&state, game, &pool).await?;
    let setup = setup_of(&state, &found, &name).await?;
    let drawing = drawing(&state, game, setup).await?;
    let drawing = drawing.ok_or_else(|| Refusal::unknown("picture"))?;
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::CACHE_CONTROL, "public, max-age=300"),
        // It brings its own colours, for light and for dark, and nothing else.
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
    ];
    Ok((headers, picture::svg(&drawing, &game.setups.picture)).into_response())
}

/// What its picture is made of, where the game has pictures.
async fn drawing(state: &AppState, game: &Game, setup: Value) -> Result<Option<String>, Refusal> {
    if !has_pictures(game) {
        return Ok(None);
    }
    let any = game.any();
    // What the rules no longer know has no picture either.
    files::aside(state, move || any.draw_setup(&setup).ok().flatten()).await
}

/// A pool of a game.
pub(crate) async fn find<'a>(
    state: &AppState,
    game: &'a Game,
    name: &str,
) -> Result<Found<'a>, Refusal> {
    if let Some(pool) = game.setups.pool(name) {
        return Ok(Found::Shipped(pool));
    }
    let found = match store::is_pool_name(name) {
        true => state.store.find_pool(game.id, name).await?,
        false => None,
    };
    found.map(Found::Kept).ok_or_else(|| Refusal::unknown("pool"))
}

pub(crate) async fn setup_of(
    state: &AppState,
    pool: &Found<'_>,
    name: &str,
) -> Result<Value, Refusal> {
    let found = match store::is_setup_name(name) {
        true => pool.setup(state, name).await?,
        false => None,
    };
    found.ok_or_else(|| Refusal::unknown("set-up"))
}

/// Every pool of a game, without what is in it.
pub(crate) async fn pools_of(state: &AppState, game: &Game) -> Result<Vec<PoolView>, Refusal> {
    let kept = state.store.pools(game.id).await?;
    let pools = game.setups.pools.iter().map(shipped_view).chain(kept.iter().map(kept_view));
    Ok(pools.collect())
}

/// Every pool of a game, and for organisers a form to make one more.
async fn list(
    state: &AppState,
    frame: Frame,
    game: &Game,
    (name, label): (&str, &str),
    errors: FormErrors,
) -> Result<String, Refusal> {
    let html = SetupsPage {
        pools: pools_of(state, game).await?,
        has_editor: has_editor(state, game),
        name: name.to_owned(),
        label: label.to_owned(),
        frame,
        game,
        errors,
    };
    Ok(html.render()?)
}

/// One pool, and for organisers forms to change it.
async fn show(
    state: &AppState,
    frame: Frame,
    game: &Game,
    found: &Found<'_>,
    errors: FormErrors,
) -> Result<String, Refusal> {
    let formats = game.any().setup_formats();
    let extensions = formats.iter().map(|it| it.extension).chain(["json"]);
    let html = PoolPage {
        pool: found.view(state).await?,
        has_editor: has_editor(state, game),
        has_pictures: has_pictures(game),
        extensions: extensions.map(|it| format!(".{it}")).collect::<Vec<_>>().join(","),
        frame,
        game,
        errors,
    };
    Ok(html.render()?)
}

fn shipped_view(pool: &ShippedPool) -> PoolView {
    PoolView {
        name: pool.name.clone(),
        label: pool.label.clone(),
        about: pool.about.clone(),
        setups: pool.setups.iter().map(|it| it.0.clone()).collect(),
        n_setups: pool.setups.len(),
        weight: None,
    }
}

fn kept_view(pool: &Pool) -> PoolView {
    PoolView {
        name: pool.name.clone(),
        label: pool.label.clone(),
        about: format!("Made by {}.", pool.created_by),
        setups: Vec::new(),
        n_setups: usize::try_from(pool.n_setups).unwrap_or_default(),
        weight: Some(pool.weight),
    }
}

/// What there is to say of a set-up in words: all that its picture does not show.
fn facts(game: &Game, setup: &Value) -> Vec<(String, String)> {
    let Some(parts) = setup.as_object() else { return Vec::new() };
    let told = &game.setups.facts;
    let named = told
        .iter()
        .filter_map(|(name, label)| Some((label.clone(), fact(name, parts.get(name)?)?)));
    let others = parts.iter().filter(|(name, _)| told.iter().all(|it| it.0 != **name));
    let others = others.filter_map(|(name, value)| Some((words(name), fact(name, value)?)));
    named.chain(others).collect()
}

/// By our naming, `x_ms` is a span of time.
fn fact(name: &str, value: &Value) -> Option<String> {
    match value {
        Value::Array(_) | Value::Object(_) | Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Number(ms) if name.ends_with("_ms") => Some(crate::views::duration_ms(ms.as_f64()?)),
        other => Some(other.to_string()),
    }
}

fn words(name: &str) -> String {
    crate::views::capital(&name.trim_end_matches("_ms").replace('_', " "))
}

fn has_editor(state: &AppState, game: &Game) -> bool {
    state.site.assets.has(&editor::script(game))
}

fn has_pictures(game: &Game) -> bool {
    !game.setups.picture.is_empty()
}

/// Who may change pools.
fn organiser(who: &Account) -> Result<uuid::Uuid, Refusal> {
    match who.role.organises() {
        true => Ok(who.id),
        false => Err(Refusal::not_yours(
            "Pools are changed by organisers alone. Whoever runs this server can make you one.",
        )),
    }
}
