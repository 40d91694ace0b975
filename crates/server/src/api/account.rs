//! Who one is, one's own bots, and the tokens of one's account.

use axum::{
    Json,
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use store::{ApiToken, OwnBot, Scope};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    ROOT,
    caller::{Caller, Known, Reader},
    idempotency::KeptAs,
    input::Body,
    listing::{Listed, Page, PageParams},
    shapes::StandingShape,
};
use crate::{
    AppState,
    auth::{self, TokenRequest},
    pages::{Path, Refusal, parse_id},
};

/// An account.
#[derive(Debug, Serialize, ToSchema)]
struct Account {
    id: Uuid,
    name: String,
    /// `contestant`, `organiser` or `admin`; may grow.
    role: &'static str,
    created_at: DateTime<Utc>,
    /// By which token you ask.
    token: Token,
}

/// What a token lets its holder do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum TokenScope {
    /// See what the account sees.
    Read,
    /// Enter bots, and ask for matches.
    Play,
    /// Run contests, as far as the account may.
    Organise,
}

/// A token of the account.
#[derive(Debug, Serialize, ToSchema)]
struct Token {
    id: Uuid,
    /// What it is called.
    name: String,
    scopes: Vec<TokenScope>,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    /// When it was last used, to a minute.
    used_at: Option<DateTime<Utc>>,
}

/// A token to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewToken {
    /// What it is called, so that you know it again.
    #[schema(min_length = 1, max_length = 60)]
    name: String,
    /// What it may do: nothing that the token by which you ask may not.
    #[schema(min_items = 1, max_items = 3)]
    scopes: Vec<TokenScope>,
    /// For how many days it is good; it ends no later than the token by which you ask.
    #[schema(minimum = 1, maximum = 3650)]
    days: u32,
}

/// A token that was just made.
#[derive(Debug, Serialize, ToSchema)]
struct CreatedToken {
    /// The token itself. It is shown once: a repeated answer comes without it.
    secret: Option<String>,
    #[serde(flatten)]
    token: Token,
}

/// A bot of one's own.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OwnBot)]
struct OwnBotShape {
    id: Uuid,
    game: String,
    role: String,
    name: String,
    /// `waiting`, `validating`, `active` or `benched`; may grow.
    state: &'static str,
    /// Number of the version that plays.
    active_version: Option<i32>,
    /// Number of the version uploaded last.
    newest_version: Option<i32>,
    /// Where that stands: `queued`, `building`, `ready`, `refused` or `failed`; may grow.
    newest_version_state: Option<&'static str>,
    standing: Option<StandingShape>,
}

impl From<Scope> for TokenScope {
    fn from(scope: Scope) -> TokenScope {
        match scope {
            Scope::Read => TokenScope::Read,
            Scope::Play => TokenScope::Play,
            Scope::Organise => TokenScope::Organise,
        }
    }
}

impl From<TokenScope> for Scope {
    fn from(scope: TokenScope) -> Scope {
        match scope {
            TokenScope::Read => Scope::Read,
            TokenScope::Play => Scope::Play,
            TokenScope::Organise => Scope::Organise,
        }
    }
}

impl From<ApiToken> for Token {
    fn from(it: ApiToken) -> Token {
        Token {
            id: it.id,
            name: it.name,
            scopes: it.scopes.into_iter().map(TokenScope::from).collect(),
            created_at: it.created_at,
            expires_at: it.expires_at,
            used_at: it.used_at,
        }
    }
}

/// Who you are
#[utoipa::path(
    get, path = "/me", tag = "account", security(("token" = ["read"])),
    responses((status = 200, description = "Your account", body = Account))
)]
pub(super) async fn show_account(Reader(caller): Reader) -> impl IntoResponse {
    let Caller { account, token } = caller;
    Json(Account {
        id: account.id,
        name: account.name,
        role: account.role.as_str(),
        created_at: account.created_at,
        token: token.into(),
    })
}

/// Your bots
#[utoipa::path(
    get, path = "/me/bots", tag = "account", security(("token" = ["read"])), params(PageParams),
    responses((status = 200, description = "The newest first", content(
        (Page<OwnBotShape> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_own_bots(
    State(state): State<AppState>,
    Reader(caller): Reader,
    listed: Listed<Nothing>,
) -> Result<Response, Refusal> {
    let bots = state.store.bots_of(caller.account.id).await?;
    let bots = bots.into_iter().map(|it: OwnBot| OwnBotShape {
        id: it.id,
        game: it.game,
        role: it.role,
        name: it.name,
        state: it.state.as_str(),
        active_version: it.active_number,
        newest_version: it.newest.map(|it| it.0),
        newest_version_state: it.newest.map(|it| it.1.as_str()),
        standing: it.standing.map(StandingShape::from),
    });
    let page = listed.part("own-bots", bots.collect())?;
    listed.respond(&page)
}

/// Your tokens
#[utoipa::path(
    get, path = "/me/tokens", tag = "account", security(("token" = ["read"])), params(PageParams),
    responses((status = 200, description = "Those that are good, the newest first", content(
        (Page<Token> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_tokens(
    State(state): State<AppState>,
    Reader(caller): Reader,
    listed: Listed<Nothing>,
) -> Result<Response, Refusal> {
    let tokens = state.store.api_tokens_of(caller.account.id).await?;
    let page = listed.part("tokens", tokens.into_iter().map(Token::from).collect())?;
    listed.respond(&page)
}

/// Make a token
///
/// It can do no more than the token by which you ask, and for no longer.
#[utoipa::path(
    post, path = "/me/tokens", tag = "account", security(("token" = [])),
    request_body = NewToken,
    responses((status = 201, description = "The token, shown once", body = CreatedToken))
)]
pub(super) async fn create_token(
    State(state): State<AppState>,
    Known(caller): Known,
    Body(new): Body<NewToken>,
) -> Result<Response, Refusal> {
    let scopes: Vec<Scope> = new.scopes.into_iter().map(Scope::from).collect();
    if scopes.len() > Scope::ALL.len() {
        let (found, allowed) = (scopes.len(), Scope::ALL.len());
        return Err(Refusal::invalid(format!("“scopes” has {found}; allowed are 1 to {allowed}.")));
    }
    require_all(&caller, &scopes)?;
    let wanted = TokenRequest { name: &new.name, scopes: &scopes, days: new.days.into() };
    let until = Some(caller.token.expires_at);
    let made = auth::make_token(&state, caller.account.id, &wanted, until).await?;
    let made = made.map_err(|errors| errors.into_error())?;
    let location = format!("{ROOT}/me/tokens/{}", made.kept.id);
    let mut told = CreatedToken { secret: None, token: made.kept.into() };
    let kept = serde_json::to_vec(&told).map_err(Refusal::ours)?;
    told.secret = Some(made.text);
    let mut response = (StatusCode::CREATED, Json(told)).into_response();
    response.extensions_mut().insert(KeptAs(kept));
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::LOCATION, HeaderValue::from_str(&location).map_err(Refusal::ours)?);
    Ok(response)
}

/// Revoke a token
///
/// The one by which you ask, or one that can do no more.
#[utoipa::path(
    delete, path = "/me/tokens/{token}", tag = "account", security(("token" = [])),
    params(("token" = Uuid, Path, description = "Which")),
    responses((status = 204, description = "It is good no more"))
)]
pub(super) async fn revoke_token(
    State(state): State<AppState>,
    Known(caller): Known,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let id = parse_id("token", &id)?;
    let tokens = state.store.api_tokens_of(caller.account.id).await?;
    let token = tokens.iter().find(|it| it.id == id).ok_or_else(|| Refusal::unknown("token"))?;
    if token.id != caller.token.id {
        require_all(&caller, &token.scopes)?;
    }
    match state.store.revoke_api_token(caller.account.id, id).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Refusal::unknown("token")),
    }
}

/// Filters of a list that has none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// No token makes or ends one that could do more than itself.
fn require_all(caller: &Caller, scopes: &[Scope]) -> Result<(), Refusal> {
    match scopes.iter().find(|it| !caller.has(**it)) {
        None => Ok(()),
        Some(missing) => Err(Refusal::not_yours(format!(
            "The token by which you ask has not the scope “{}”, so it can neither make nor revoke one that has.",
            missing.as_str()
        ))),
    }
}
