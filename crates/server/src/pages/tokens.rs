//! Tokens by which programs act for an account: made, shown once, and revoked.

use std::collections::BTreeMap;

use askama::Template;
use axum::{
    extract::State,
    http::header,
    response::{Html, IntoResponse, Redirect, Response},
};
use store::{API_TOKEN_NAME_CHARS_MAX, ApiToken, Scope};

use super::{FormErrors, Page, Path, Posted, Refusal, bots::parse_id, shown_again};
use crate::{
    AppState,
    auth::{Act, SignedIn, TokenRequest, make_token},
    views::{Frame, News, When},
};

/// For how many days a token is good, where nothing is chosen.
const DAYS_DEFAULT: i64 = 90;

/// `name`, `days`, and `scope-<name>` for each scope that is ticked.
type Form = BTreeMap<String, String>;

#[derive(Template)]
#[template(path = "tokens.html")]
struct TokensPage {
    frame: Frame,
    tokens: Vec<TokenLine>,
    scopes: Vec<ScopeChoice>,
    name: String,
    days: String,
    days_max: u32,
    /// The token that was just made.
    made: Option<String>,
    errors: FormErrors,
}

struct TokenLine {
    id: String,
    name: String,
    scopes: String,
    created: When,
    expires: When,
    used: Option<When>,
}

struct ScopeChoice {
    field: String,
    name: &'static str,
    words: &'static str,
    chosen: bool,
}

/// `GET /me/tokens`
pub(super) async fn list_tokens(
    State(state): State<AppState>,
    who: SignedIn,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let form = Form::from([
        (field(Scope::Read), "yes".to_owned()),
        ("days".to_owned(), DAYS_DEFAULT.to_string()),
    ]);
    Ok(Html(fill(&state, &who, page.frame, &form, None, FormErrors::default()).await?))
}

/// `POST /me/tokens`. The answer shows the token, and is kept by no browser.
pub(super) async fn create_token(
    State(state): State<AppState>,
    who: SignedIn,
    page: Page,
    Posted(form): Posted<Form>,
) -> Result<Response, Refusal> {
    state.site.limits.count_account(Act::MakeToken, who.account.id)?;
    let scopes: Vec<Scope> =
        Scope::ALL.into_iter().filter(|it| form.contains_key(&field(*it))).collect();
    let name = form.get("name").map_or("", String::as_str);
    let days = form.get("days").and_then(|it| it.trim().parse().ok()).unwrap_or(0);
    let wanted = TokenRequest { name, scopes: &scopes, days };
    match make_token(&state, who.account.id, &wanted, None).await? {
        Err(errors) => {
            let html = fill(&state, &who, page.frame, &form, None, errors).await?;
            Ok(shown_again(html))
        }
        Ok(made) => {
            let (form, made) = (Form::new(), Some(made.text));
            let html = fill(&state, &who, page.frame, &form, made, FormErrors::default()).await?;
            Ok(([(header::CACHE_CONTROL, "no-store")], Html(html)).into_response())
        }
    }
}

/// `POST /me/tokens/{api_token}/revoke`
pub(super) async fn revoke_token(
    State(state): State<AppState>,
    Path(id): Path<String>,
    who: SignedIn,
) -> Result<Redirect, Refusal> {
    let id = parse_id("token", &id)?;
    match state.store.revoke_api_token(who.account.id, id).await? {
        true => Ok(Redirect::to(&format!("/me/tokens?done={}", News::TokenRevoked.as_str()))),
        false => Err(Refusal::missing("You have no such token; it is good no more.")),
    }
}

async fn fill(
    state: &AppState,
    who: &SignedIn,
    frame: Frame,
    form: &Form,
    made: Option<String>,
    errors: FormErrors,
) -> Result<String, Refusal> {
    let tokens = state.store.api_tokens_of(who.account.id).await?;
    let line = |it: ApiToken| TokenLine {
        id: it.id.to_string(),
        name: it.name,
        scopes: it.scopes.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", "),
        created: When(it.created_at),
        expires: When(it.expires_at),
        used: it.used_at.map(When),
    };
    let offered = Scope::ALL.into_iter();
    let offered = offered.filter(|it| *it != Scope::Organise || who.account.role.organises());
    let scopes = offered.map(|it| ScopeChoice {
        field: field(it),
        name: it.as_str(),
        words: words(it),
        chosen: form.contains_key(&field(it)),
    });
    let html = TokensPage {
        scopes: scopes.collect(),
        tokens: tokens.into_iter().map(line).collect(),
        name: form.get("name").cloned().unwrap_or_default(),
        days: form.get("days").cloned().unwrap_or_else(|| DAYS_DEFAULT.to_string()),
        days_max: state.config.api.token_days_max,
        frame,
        made,
        errors,
    };
    Ok(html.render()?)
}

fn field(scope: Scope) -> String {
    format!("scope-{}", scope.as_str())
}

fn words(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "See what you see, your logs and sources included.",
        Scope::Play => "Upload bots, put them on and off the ladder, ask for matches.",
        Scope::Organise => "Change pools, as organisers may.",
    }
}
