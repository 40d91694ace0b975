//! Sessions: a random cookie in the browser, its digest in the database.
//!
//! Over https the cookie is `__Host-agon` and Secure. A site that is reached
//! over plain http (on a local network) could not set such a one, so there it
//! is called `agon`; the configured address decides, never the request.

use axum::{
    extract::{FromRef, FromRequestParts, OptionalFromRequestParts},
    http::{HeaderMap, HeaderValue, Method, header, request::Parts},
};
use chrono::{TimeDelta, Utc};
use sha2::{Digest, Sha256};
use store::{Account, NewSession, SessionDigest};
use uuid::Uuid;

use crate::{AppState, pages::Refusal};

/// The longest that browsers keep a cookie. When a session ends is the database's to say.
const COOKIE_DAYS: i64 = 400;
/// 256 bits, in hex.
const TOKEN_CHARS: usize = 64;

/// How cookies are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CookieRules {
    /// Whether people reach the site over https.
    pub(crate) secure: bool,
}

impl CookieRules {
    /// Name of the cookie.
    pub(crate) fn name(self) -> &'static str {
        match self.secure {
            true => "__Host-agon",
            false => "agon",
        }
    }

    fn set(self, value: &str, max_age_s: i64) -> HeaderValue {
        let secure = if self.secure { "; Secure" } else { "" };
        let text = format!(
            "{}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={max_age_s}{secure}",
            self.name()
        );
        HeaderValue::from_str(&text).expect("hex digits and the words above are fit for a header")
    }

    fn find(self, headers: &HeaderMap) -> Option<SessionDigest> {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|it| it.to_str().ok());
        let pairs = cookies.flat_map(|it| it.split(';')).filter_map(|it| it.trim().split_once('='));
        let mut values = pairs.filter(|(name, _)| *name == self.name()).map(|(_, value)| value);
        values.find(|it| it.len() == TOKEN_CHARS).map(|it| Sha256::digest(it.as_bytes()).into())
    }
}

/// Somebody who is signed in. As an extractor it sends everybody else to sign in first.
#[derive(Clone, Debug)]
pub(crate) struct SignedIn {
    /// Who.
    pub(crate) account: Account,
    /// In which session.
    pub(crate) session: SessionDigest,
}

impl<S> OptionalFromRequestParts<S> for SignedIn
where
    AppState: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<SignedIn>, Refusal> {
        // Both the frame of a page and its handler ask; the database is asked once.
        if let Some(known) = parts.extensions.get::<Option<SignedIn>>() {
            return Ok(known.clone());
        }
        let who = session_of(&AppState::from_ref(state), &parts.headers).await?;
        parts.extensions.insert(who.clone());
        Ok(who)
    }
}

impl<S> FromRequestParts<S> for SignedIn
where
    AppState: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<SignedIn, Refusal> {
        let who =
            <SignedIn as OptionalFromRequestParts<S>>::from_request_parts(parts, state).await?;
        who.ok_or_else(|| match parts.method {
            Method::GET | Method::HEAD => Refusal::sign_in_for(&parts.uri),
            _ => Refusal::sign_in_first(),
        })
    }
}

/// A secret and what is kept of it.
pub(super) struct Token {
    pub(super) text: String,
    pub(super) digest: [u8; 32],
}

pub(super) fn random_token() -> Result<Token, store::Error> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret)?;
    let text = hex::encode(secret);
    let digest = Sha256::digest(text.as_bytes()).into();
    Ok(Token { text, digest })
}

/// Whose session a request comes with.
async fn session_of(
    state: &AppState,
    headers: &HeaderMap,
) -> Result<Option<SignedIn>, store::Error> {
    let Some(session) = state.site.cookies.find(headers) else { return Ok(None) };
    let account = state.store.session(session, session_days(state)).await?;
    Ok(account.map(|account| SignedIn { account, session }))
}

/// Opens a session in place of the one the browser has, and gives the header
/// that tells the browser.
pub(crate) async fn open_session(
    state: &AppState,
    headers: &HeaderMap,
    account: Uuid,
) -> Result<[(header::HeaderName, HeaderValue); 1], store::Error> {
    let Token { text, digest } = random_token()?;
    let user_agent =
        headers.get(header::USER_AGENT).map(|it| String::from_utf8_lossy(it.as_bytes()));
    let new = NewSession {
        digest,
        account,
        expires_at: Utc::now() + TimeDelta::days(session_days(state).into()),
        user_agent: user_agent.as_deref().unwrap_or("unknown"),
        replaces: state.site.cookies.find(headers),
    };
    state.store.open_session(new).await?;
    Ok([(header::SET_COOKIE, state.site.cookies.set(&text, COOKIE_DAYS * 86_400))])
}

/// Ends a session, and gives the header that tells the browser.
pub(crate) async fn close_session(
    state: &AppState,
    who: Option<&SignedIn>,
) -> Result<[(header::HeaderName, HeaderValue); 1], store::Error> {
    if let Some(who) = who {
        state.store.end_session(who.account.id, who.session).await?;
    }
    Ok([(header::SET_COOKIE, state.site.cookies.set("", 0))])
}

fn session_days(state: &AppState) -> i32 {
    i32::try_from(state.config.limits.session_days).unwrap_or(i32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_the_site_decides_how_cookies_are_made() {
        let table = [
            (true, "__Host-agon=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=9; Secure"),
            (false, "agon=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=9"),
        ];
        for (secure, expected) in table {
            assert_eq!(CookieRules { secure }.set("x", 9), expected);
        }
    }

    #[test]
    fn only_a_whole_cookie_of_the_right_name_is_one() {
        let token = "a".repeat(64);
        let table = [
            (format!("agon={token}"), true),
            (format!("x=1; agon={token}; y=2"), true),
            (format!("__Host-agon={token}"), false),
            (format!("agon={token}b"), false),
            ("agon=".to_owned(), false),
            ("agon".to_owned(), false),
        ];
        let rules = CookieRules { secure: false };
        for (cookie, found) in table {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, HeaderValue::from_str(&cookie).unwrap());
            assert_eq!(rules.find(&headers).is_some(), found, "{cookie}");
        }
    }
}
