//! What organisers do with their pools.

use axum::{
    Json,
    body::Bytes,
    extract::{Multipart, Request, State, multipart::MultipartRejection},
    http::{HeaderMap, header},
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};
use store::{
    Account, NewPool, NewSetup, POOL_LABEL_CHARS_MAX, POOL_NAME_CHARS_MAX, POOL_WEIGHT_MAX, Pool,
    PoolError, SETUP_BYTES_MAX, SETUP_NAME_CHARS_MAX,
};
use uuid::Uuid;

use super::{
    FormErrors, Found, Game, Page, Path, Query, Refusal, files, files::body, find, list, organiser,
    show,
};
use crate::{
    AppState,
    auth::{Act, SignedIn},
    pages::{Posted, shown_again},
    views::{News, sentence},
};

/// `label`, and what it is called in addresses; where that is left out, it is made of the label.
#[derive(Deserialize)]
pub(in super::super) struct NewPoolForm {
    #[serde(default)]
    name: String,
    #[serde(default)]
    label: String,
}

/// `POST /games/{game}/pools`
pub(in super::super) async fn make_pool(
    State(state): State<AppState>,
    Path(game): Path<String>,
    who: SignedIn,
    page: Page,
    Posted(form): Posted<NewPoolForm>,
) -> Result<Response, Refusal> {
    let game = state.site.catalogue.find(&game)?;
    let account = acting(&state, &who.account)?;
    match create(&state, game, account, &form.name, &form.label).await? {
        Ok(name) => Ok(back(game, &name, News::PoolMade)),
        Err(errors) => {
            let html = list(&state, page.frame, game, (&form.name, &form.label), errors).await?;
            Ok(shown_again(html))
        }
    }
}

/// Makes an empty pool, and gives its name; or says by field what is wrong.
pub(crate) async fn create(
    state: &AppState,
    game: &Game,
    account: Uuid,
    name: &str,
    label: &str,
) -> Result<Result<String, FormErrors>, Refusal> {
    let mut errors = FormErrors::default();
    let label = read_label(label, &mut errors);
    let name = match name.trim() {
        "" => slug(label),
        name => name.to_owned(),
    };
    if errors.is_empty() && !store::is_pool_name(&name) {
        errors.add(
            "name",
            format!(
                "“{}” cannot stand in an address: use 1 to {POOL_NAME_CHARS_MAX} small letters, \
                 digits and hyphens.",
                name.chars().take(40).collect::<String>()
            ),
        );
    }
    if errors.is_empty() && game.setups.pool(&name).is_some() {
        errors.add("name", sentence(PoolError::PoolNameTaken(name.clone()).to_string()));
    }
    if !errors.is_empty() {
        return Ok(Err(errors));
    }
    let new = NewPool { game: game.id, name: &name, label, account };
    match state.store.create_pool(new).await {
        Ok(_) => Ok(Ok(name)),
        Err(why @ PoolError::PoolNameTaken(_)) => {
            errors.add("name", sentence(why.to_string()));
            Ok(Err(errors))
        }
        Err(why) => Err(why.into()),
    }
}

/// `label` and `weight`.
#[derive(Deserialize)]
pub(in super::super) struct PoolForm {
    #[serde(default)]
    label: String,
    #[serde(default)]
    weight: String,
}

/// `POST /games/{game}/pools/{pool}/change`
pub(in super::super) async fn change_pool(
    State(state): State<AppState>,
    Path((game, pool)): Path<(String, String)>,
    who: SignedIn,
    page: Page,
    Posted(form): Posted<PoolForm>,
) -> Result<Response, Refusal> {
    let Change { game, kept, account } = Change::of(&state, &game, &pool, &who.account).await?;
    match change(&state, &kept, account, &form.label, &form.weight).await? {
        Ok(()) => Ok(back(game, &pool, News::PoolChanged)),
        Err(errors) => {
            let html = show(&state, page.frame, game, &Found::Kept(kept), errors).await?;
            Ok(shown_again(html))
        }
    }
}

/// Calls a pool otherwise, and weighs it; or says by field what is wrong.
pub(crate) async fn change(
    state: &AppState,
    kept: &Pool,
    account: Uuid,
    label: &str,
    weight: &str,
) -> Result<Result<(), FormErrors>, Refusal> {
    let mut errors = FormErrors::default();
    let label = read_label(label, &mut errors);
    let given = weight;
    let weight = given.trim().parse().ok().filter(|it| *it <= POOL_WEIGHT_MAX);
    if weight.is_none() {
        let found: String = given.chars().take(40).collect();
        errors.add(
            "weight",
            format!("“{found}” was given; a whole number from 0 to {POOL_WEIGHT_MAX} is allowed."),
        );
    }
    match weight {
        Some(weight) if errors.is_empty() => {
            state.store.change_pool(kept.id, label, weight, account).await?;
            Ok(Ok(()))
        }
        _ => Ok(Err(errors)),
    }
}

/// `POST /games/{game}/pools/{pool}/delete`
pub(in super::super) async fn delete_pool(
    State(state): State<AppState>,
    Path((game, pool)): Path<(String, String)>,
    who: SignedIn,
) -> Result<Response, Refusal> {
    let Change { game, kept, account } = Change::of(&state, &game, &pool, &who.account).await?;
    state.store.delete_pool(kept.id, account).await?;
    let next = format!("/games/{}/setups?done={}", game.id, News::PoolDeleted.as_str());
    Ok(Redirect::to(&next).into_response())
}

/// `POST /games/{game}/pools/{pool}/files`, `multipart/form-data`: `files`, several.
pub(in super::super) async fn keep_files(
    State(state): State<AppState>,
    Path((game, pool)): Path<(String, String)>,
    who: SignedIn,
    page: Page,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refusal> {
    let Change { game, kept, account } = Change::of(&state, &game, &pool, &who.account).await?;
    let form = form.map_err(|_| {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        Refusal::unsupported(kind.unwrap_or_default(), "multipart/form-data with its boundary")
    })?;
    let wrong = match files::receive(&state, game.any(), form).await? {
        Ok(setups) => match state.store.keep_setups(kept.id, &setups, false, account).await {
            Ok(()) => return Ok(back(game, &pool, News::SetupsKept)),
            Err(PoolError::Store(why)) => return Err(why.into()),
            Err(PoolError::NoPool) => return Err(PoolError::NoPool.into()),
            Err(why) => vec![sentence(why.to_string())],
        },
        Err(wrong) => wrong,
    };
    let mut errors = FormErrors::default();
    for it in wrong {
        errors.add("files", it);
    }
    let html = show(&state, page.frame, game, &Found::Kept(kept), errors).await?;
    Ok(shown_again(html))
}

/// `setup`: what it is called. `replaces`: `yes`, where one of that name is to go.
#[derive(Deserialize)]
pub(in super::super) struct SaveQuery {
    #[serde(default)]
    setup: String,
    #[serde(default)]
    replaces: String,
}

/// `POST /games/{game}/pools/{pool}/save?setup=&replaces=`: a set-up in our own format, from a
/// script. Says where it is now.
pub(in super::super) async fn save_setup(
    State(state): State<AppState>,
    Path((game, pool)): Path<(String, String)>,
    Query(query): Query<SaveQuery>,
    who: SignedIn,
    request: Request,
) -> Result<Json<Value>, Refusal> {
    let Change { game, kept, account } = Change::of(&state, &game, &pool, &who.account).await?;
    let body = body(request, SETUP_BYTES_MAX).await?;
    keep(&state, game, &kept, account, &query.setup, body, query.replaces == "yes").await?;
    let address = format!("/games/{}/setups/{pool}/{}", game.id, query.setup);
    Ok(Json(json!({ "address": address })))
}

/// Keeps a set-up, which has to be a good one, in a pool.
pub(crate) async fn keep(
    state: &AppState,
    game: &Game,
    kept: &Pool,
    account: Uuid,
    name: &str,
    body: Bytes,
    replaces: bool,
) -> Result<(), Refusal> {
    let any = game.any();
    let setup = files::aside(state, move || {
        let inspected = any.inspect_setup(&files::json(&body)?);
        inspected.map_err(|it| Refusal::invalid(sentence(&it.why.0)))
    });
    let setup = setup.await??;
    if !store::is_setup_name(name) {
        return Err(Refusal::invalid(format!(
            "Choose a name of 1 to {SETUP_NAME_CHARS_MAX} letters (a to z), digits, hyphens, low \
             lines and dots; a letter or a digit comes first."
        )));
    }
    let new = [NewSetup { name: name.to_owned(), setup }];
    Ok(state.store.keep_setups(kept.id, &new, replaces, account).await?)
}

/// `POST /games/{game}/pools/{pool}/{setup}/remove`
pub(in super::super) async fn remove_setup(
    State(state): State<AppState>,
    Path((game, pool, name)): Path<(String, String, String)>,
    who: SignedIn,
) -> Result<Response, Refusal> {
    let Change { game, kept, account } = Change::of(&state, &game, &pool, &who.account).await?;
    remove(&state, &kept, account, &name).await?;
    Ok(back(game, &pool, News::SetupRemoved))
}

/// Takes a set-up out of a pool.
pub(crate) async fn remove(
    state: &AppState,
    kept: &Pool,
    account: Uuid,
    name: &str,
) -> Result<(), Refusal> {
    if !store::is_setup_name(name) {
        return Err(Refusal::unknown("set-up"));
    }
    Ok(state.store.remove_setup(kept.id, name, account).await?)
}

impl From<PoolError> for Refusal {
    fn from(why: PoolError) -> Refusal {
        match why {
            PoolError::Store(why) => why.into(),
            PoolError::NoPool => Refusal::unknown("pool"),
            PoolError::NoSetup(_) => Refusal::unknown("set-up"),
            why => Refusal::conflict(sentence(why.to_string())),
        }
    }
}

/// A pool that is to be changed.
pub(crate) struct Change<'a> {
    pub(crate) game: &'a Game,
    pub(crate) kept: Pool,
    /// Who changes it.
    pub(crate) account: Uuid,
}

impl Change<'_> {
    pub(crate) async fn of<'a>(
        state: &'a AppState,
        game: &str,
        pool: &str,
        who: &Account,
    ) -> Result<Change<'a>, Refusal> {
        let game = state.site.catalogue.find(game)?;
        let account = acting(state, who)?;
        match find(state, game, pool).await? {
            Found::Kept(kept) => Ok(Change { game, kept, account }),
            Found::Shipped(pool) => Err(Refusal::conflict(format!(
                "“{}” is shipped with Agon, and stays as it is. Make a pool of your own.",
                pool.label
            ))),
        }
    }
}

/// Who acts, if they may, and not too often.
pub(crate) fn acting(state: &AppState, who: &Account) -> Result<Uuid, Refusal> {
    let account = organiser(who)?;
    state.site.limits.count_account(Act::ChangePool, account)?;
    Ok(account)
}

fn back(game: &Game, pool: &str, news: News) -> Response {
    let next = format!("/games/{}/setups/{pool}?done={}", game.id, news.as_str());
    Redirect::to(&next).into_response()
}

fn read_label<'a>(given: &'a str, errors: &mut FormErrors) -> &'a str {
    let label = given.trim();
    let found = label.chars().count();
    if found == 0 {
        errors.add("label", "Choose what the pool is called.");
    } else if found > POOL_LABEL_CHARS_MAX {
        errors.add(
            "label",
            format!("This has {found} characters; at most {POOL_LABEL_CHARS_MAX} are allowed."),
        );
    } else if label.chars().any(char::is_control) {
        errors.add("label", "This holds a character that cannot be shown; write it anew.");
    }
    label
}

/// A name for addresses, made of one for pages; empty where it has nothing of use.
fn slug(label: &str) -> String {
    let mut slug = String::new();
    for it in label.chars() {
        match it.to_ascii_lowercase() {
            it if it.is_ascii_lowercase() || it.is_ascii_digit() => slug.push(it),
            _ if !slug.is_empty() && !slug.ends_with('-') => slug.push('-'),
            _ => {}
        }
    }
    let slug: String = slug.chars().take(POOL_NAME_CHARS_MAX).collect();
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_made_of_labels() {
        let table = [
            ("Spring 2026", "spring-2026"),
            (" - Ærø & co. -", "r-co"),
            ("迷宮", ""),
            ("The very long name of a pool", "the-very-long-name-of-a"),
        ];
        for (label, expected) in table {
            assert_eq!(slug(label), expected, "{label}");
        }
    }
}
