//! Tokens by which programs act for an account: what one may be, and how it is made. A page and
//! the API make them alike.

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use store::{API_TOKEN_NAME_CHARS_MAX, ApiToken, ApiTokenError, NewApiToken, Scope};
use uuid::Uuid;

use super::session::{Token, random_token};
use crate::{
    AppState,
    pages::{FormErrors, Refusal},
    views::sentence,
};

/// What a token begins with, so that one that got lost is known for what it is.
const PREFIX: &str = "agon_";

/// What somebody wants a token to be.
#[derive(Clone, Debug)]
pub(crate) struct TokenRequest<'a> {
    /// What it is called.
    pub(crate) name: &'a str,
    /// What it lets its holder do.
    pub(crate) scopes: &'a [Scope],
    /// For how many days it is good.
    pub(crate) days: i64,
}

/// A token that was just made.
pub(crate) struct NewToken {
    /// Itself: shown once, and kept nowhere.
    pub(crate) text: String,
    /// What is kept of it.
    pub(crate) kept: ApiToken,
}

/// What a token is kept as.
pub(crate) fn api_token_digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// Makes a token; or says by field what is wrong. It is good until `until` at most.
pub(crate) async fn make_token(
    state: &AppState,
    account: Uuid,
    wanted: &TokenRequest<'_>,
    until: Option<DateTime<Utc>>,
) -> Result<Result<NewToken, FormErrors>, Refusal> {
    let mut errors = FormErrors::default();
    let name = wanted.name.trim();
    let found = name.chars().count();
    if found == 0 {
        errors.add("name", "Choose what the token is called, so that you know it again.");
    } else if found > API_TOKEN_NAME_CHARS_MAX {
        errors.add(
            "name",
            format!("This has {found} characters; at most {API_TOKEN_NAME_CHARS_MAX} are allowed."),
        );
    } else if name.chars().any(char::is_control) {
        errors.add("name", "This holds a character that cannot be shown; write it anew.");
    }
    let mut scopes = wanted.scopes.to_vec();
    scopes.sort_unstable();
    scopes.dedup();
    if scopes.is_empty() {
        errors.add("scopes", "Choose what the token may do: at least one.");
    }
    let days_max = i64::from(state.config.api.token_days_max);
    if !(1..=days_max).contains(&wanted.days) {
        let found = wanted.days;
        errors.add("days", format!("{found} was given; 1 to {days_max} days are allowed."));
    }
    if !errors.is_empty() {
        return Ok(Err(errors));
    }
    let expires_at = Utc::now() + TimeDelta::days(wanted.days);
    let expires_at = until.map_or(expires_at, |it| it.min(expires_at));
    let Token { text, .. } = random_token()?;
    let text = format!("{PREFIX}{text}");
    let digest = api_token_digest(&text);
    let new = NewApiToken { account, name, digest, scopes: &scopes, expires_at };
    match state.store.create_api_token(&new).await {
        Ok(kept) => Ok(Ok(NewToken { text, kept })),
        Err(why @ ApiTokenError::TooMany { .. }) => {
            Err(Refusal::conflict(sentence(why.to_string())))
        }
        Err(ApiTokenError::Store(why)) => Err(why.into()),
    }
}
