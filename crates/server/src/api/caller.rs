//! Who asks: the holder of a token, or anybody. Cookies count for nothing here, so that no other
//! site can have a browser act.

use std::net::{IpAddr, SocketAddr};

use axum::{
    extract::{ConnectInfo, FromRequestParts, Request, State},
    http::{HeaderMap, header, request::Parts},
    middleware::Next,
    response::{IntoResponse, Response},
};
use store::{Account, ApiToken, Scope};

use super::quotas::{Counted, Holder};
use crate::{AppState, Error, auth, pages::Refusal};

/// Longest token that is looked up, in bytes.
const TOKEN_BYTES_MAX: usize = 200;

/// Whoever has shown a token.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) account: Account,
    pub(super) token: ApiToken,
}

/// Who was let in, from where.
#[derive(Clone, Debug)]
pub(super) struct Admitted {
    pub(super) caller: Option<Caller>,
    pub(super) address: IpAddr,
}

/// Whoever asks; a caller only where the token may read.
pub(super) struct Anybody(pub(super) Option<Caller>);
/// A caller with any token.
pub(super) struct Known(pub(super) Caller);
/// A caller whose token may read.
pub(super) struct Reader(pub(super) Caller);
/// A caller whose token may enter bots and ask for matches.
pub(super) struct Player(pub(super) Caller);
/// An organiser whose token may organise.
pub(super) struct Organiser(pub(super) Caller);

/// Finds out who asks, counts it, and says in headers how much is left.
pub(super) async fn admit(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|it| it.0);
    let address = state.site.address_of(request.headers(), peer);
    let caller = bearer(&state, request.headers()).await;
    let holder = match &caller {
        Ok(Some(it)) => Holder::Account(it.account.id),
        Ok(None) | Err(_) => Holder::Address(address),
    };
    let counted = state.quotas.count(holder);
    let mut response = match (&counted, caller) {
        (Counted { retry_s: Some(retry_s), .. }, _) => {
            Error::TooOften { retry_s: *retry_s }.into_response()
        }
        (_, Err(why)) => why.into_response(),
        (_, Ok(caller)) => {
            request.extensions_mut().insert(Admitted { caller, address });
            next.run(request).await
        }
    };
    counted.tell(response.headers_mut());
    response
}

async fn bearer(state: &AppState, headers: &HeaderMap) -> Result<Option<Caller>, Error> {
    let Some(shown) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let token = shown
        .to_str()
        .ok()
        .and_then(|it| it.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, token)| token.trim())
        .filter(|it| it.len() <= TOKEN_BYTES_MAX)
        .ok_or(Error::Unauthenticated("This is no token: Authorization: Bearer … is expected."))?;
    let holder = state.store.holder_of(auth::api_token_digest(token)).await?;
    let holder =
        holder.ok_or(Error::Unauthenticated("This token is none, was revoked, or has expired."))?;
    Ok(Some(Caller { account: holder.account, token: holder.token }))
}

impl Caller {
    pub(super) fn has(&self, scope: Scope) -> bool {
        self.token.scopes.contains(&scope)
    }

    /// Whether it is `account`, or runs the server.
    pub(super) fn may_see_all_of(&self, account: uuid::Uuid) -> bool {
        self.account.id == account || self.account.role == store::Role::Admin
    }

    fn of(parts: &Parts) -> Result<Caller, Refusal> {
        let caller = admitted(parts).and_then(|it| it.caller);
        Ok(caller.ok_or(Error::Unauthenticated(
            "Show a token: Authorization: Bearer …. You make one on the page of your account.",
        ))?)
    }

    fn with(parts: &Parts, scope: Scope) -> Result<Caller, Refusal> {
        let caller = Caller::of(parts)?;
        match caller.has(scope) {
            true => Ok(caller),
            false => Err(Refusal::not_yours(format!(
                "This token has not the scope “{}”, which this needs.",
                scope.as_str()
            ))),
        }
    }
}

fn admitted(parts: &Parts) -> Option<Admitted> {
    parts.extensions.get::<Admitted>().cloned()
}

impl FromRequestParts<AppState> for Admitted {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Admitted, Refusal> {
        admitted(parts).ok_or_else(|| Refusal::ours("a request was not admitted"))
    }
}

impl FromRequestParts<AppState> for Anybody {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Anybody, Refusal> {
        let caller = admitted(parts).and_then(|it| it.caller);
        Ok(Anybody(caller.filter(|it| it.has(Scope::Read))))
    }
}

impl FromRequestParts<AppState> for Known {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Known, Refusal> {
        Caller::of(parts).map(Known)
    }
}

impl FromRequestParts<AppState> for Reader {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Reader, Refusal> {
        Caller::with(parts, Scope::Read).map(Reader)
    }
}

impl FromRequestParts<AppState> for Player {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Player, Refusal> {
        Caller::with(parts, Scope::Play).map(Player)
    }
}

impl FromRequestParts<AppState> for Organiser {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Organiser, Refusal> {
        let caller = Caller::with(parts, Scope::Organise)?;
        match caller.account.role.organises() {
            true => Ok(Organiser(caller)),
            false => Err(Refusal::not_yours(
                "This is for organisers alone. Whoever runs this server can make you one.",
            )),
        }
    }
}
