//! Requests that come twice are done once: by the header `Idempotency-Key`, the first answer to a
//! POST is kept for a while and given again. One that says no is not kept: it has changed nothing.
//!
//! A request whose end nobody knows, because the server was killed, is never done again by itself.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    extract::{OriginalUri, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};
use store::{IDEMPOTENCY_KEY_CHARS_MAX, KEPT_ANSWER_BYTES_MAX, KeptAnswer, KeyState, KeyedRequest};
use uuid::Uuid;

use super::caller::Admitted;
use crate::{
    AppState, Error,
    pages::{Refusal, upload_bytes_max},
};

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// What is kept of an answer instead of its body, where that is told once only.
#[derive(Clone)]
pub(super) struct KeptAs(pub(super) Vec<u8>);

/// Does a request with a key once.
pub(super) async fn once(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let caller = request.extensions().get::<Admitted>().and_then(|it| it.caller.clone());
    let given = request.headers().get(IDEMPOTENCY_KEY).cloned();
    match (request.method(), given, caller) {
        (&Method::POST, Some(key), Some(caller)) => {
            let done = done_once(state, caller.account.id, &key, request, next).await;
            done.unwrap_or_else(IntoResponse::into_response)
        }
        _ => next.run(request).await,
    }
}

async fn done_once(
    state: AppState,
    account: Uuid,
    key: &HeaderValue,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let key = read_key(key)?;
    let (parts, body) = request.into_parts();
    let most = usize::try_from(upload_bytes_max(&state.config)).unwrap_or(usize::MAX);
    let body = axum::body::to_bytes(body, most).await;
    let body = body.map_err(|_| Refusal::too_large("The request", most as u64))?;
    let uri = parts.extensions.get::<OriginalUri>().map_or(&parts.uri, |it| &it.0);
    let asked = KeyedRequest {
        account,
        key: &key,
        request: digest(&uri.to_string(), &parts.headers, &body),
        life: Duration::from_secs(state.config.api.idempotency_h * 3600),
        keys_max: state.config.api.idempotency_keys_max,
    };
    match state.store.take_key(&asked).await? {
        KeyState::New => {}
        KeyState::Answered(answer) => return again(answer),
        KeyState::UnderWay => {
            return Err(Refusal::conflict(
                "A request with this Idempotency-Key is under way, or nobody knows how it ended. Look whether it was done, and else send it with another key.",
            ));
        }
        KeyState::Other => {
            return Err(Refusal::invalid(
                "This Idempotency-Key belongs to another request. Take a new key for each.",
            ));
        }
    }
    let request = Request::from_parts(parts, Body::from(body));
    // To its end, even where whoever asked has gone.
    let work = tokio::spawn(async move {
        let response = next.run(request).await;
        keep(&state, account, &key, response).await
    });
    work.await.map_err(Refusal::ours)?
}

fn read_key(given: &HeaderValue) -> Result<String, Refusal> {
    let key = given.to_str().ok().map(str::trim);
    let key = key.filter(|it| (1..=IDEMPOTENCY_KEY_CHARS_MAX).contains(&it.len()));
    key.map(str::to_owned).ok_or_else(|| {
        Refusal::malformed(format!(
            "Idempotency-Key has to be 1 to {IDEMPOTENCY_KEY_CHARS_MAX} visible ASCII characters."
        ))
    })
}

fn digest(uri: &str, headers: &HeaderMap, body: &Bytes) -> [u8; 32] {
    let kind = headers.get(header::CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let mut digest = Sha256::new();
    // What may hold anything comes last, and no part before it holds a line end.
    for part in [uri.as_bytes(), b"\n", kind, b"\n", body] {
        digest.update(part);
    }
    digest.finalize().into()
}

/// Keeps an answer that says yes, and gives it.
async fn keep(
    state: &AppState,
    account: Uuid,
    key: &str,
    response: Response,
) -> Result<Response, Refusal> {
    if !response.status().is_success() {
        state.store.give_key_back(account, key).await?;
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body = axum::body::to_bytes(body, KEPT_ANSWER_BYTES_MAX).await.map_err(Refusal::ours)?;
    let location = parts.headers.get(header::LOCATION).and_then(|it| it.to_str().ok());
    let answer = KeptAnswer {
        status: parts.status.as_u16(),
        location: location.map(str::to_owned),
        body: parts.extensions.get::<KeptAs>().map_or_else(|| body.to_vec(), |it| it.0.clone()),
    };
    state.store.keep_answer(account, key, &answer).await?;
    Ok(Response::from_parts(parts, Body::from(body)))
}

fn again(answer: KeptAnswer) -> Result<Response, Refusal> {
    let status = StatusCode::from_u16(answer.status).map_err(Error::internal)?;
    let mut response = (status, answer.body.clone()).into_response();
    let headers = response.headers_mut();
    headers.remove(header::CONTENT_TYPE);
    if !answer.body.is_empty() {
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    if let Some(location) = answer.location {
        headers
            .insert(header::LOCATION, HeaderValue::from_str(&location).map_err(Error::internal)?);
    }
    Ok(response)
}
