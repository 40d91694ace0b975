//! Who is at the door: a worker, known by its token.

use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};
use sha2::{Digest, Sha256};
use store::Worker;

use crate::{error::Error, state::AppState};

const PREFIX: &str = "agonw_";
/// A token is the prefix and 64 hex digits; nothing longer is looked at.
const TOKEN_BYTES_MAX: usize = 128;

/// A token for a worker: whoever has it leases jobs and reports results. It is
/// told once; the database keeps its digest.
///
/// # Errors
///
/// Where the system has no randomness to give.
pub fn new_token() -> Result<String, getrandom::Error> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret)?;
    Ok(format!("{PREFIX}{}", hex::encode(secret)))
}

/// What the database keeps of a token. Tokens are found by their digest, so
/// how long a comparison takes says nothing of any token.
pub fn token_digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// A worker that has shown its token.
pub(super) struct Caller(pub(super) Worker);

impl FromRequestParts<AppState> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Caller, Error> {
        let token = parts
            .headers
            .get(header::AUTHORIZATION)
            .ok_or(Error::Unauthenticated("A worker shows its token: Authorization: Bearer ..."))?
            .to_str()
            .ok()
            .and_then(|it| it.strip_prefix("Bearer "))
            .filter(|it| it.len() <= TOKEN_BYTES_MAX)
            .ok_or(Error::Unauthenticated("This is no bearer token."))?;
        let worker = state.store.worker_by_token(&token_digest(token)).await?;
        worker
            .map(Caller)
            .ok_or(Error::Unauthenticated("No worker has this token, or it was dismissed."))
    }
}
