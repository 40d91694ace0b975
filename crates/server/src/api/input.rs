//! Reading what programs send: queries, JSON, bytes; each with its limit, and with an answer that
//! says what is wrong.

use std::collections::HashSet;

use axum::{
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request},
    http::{HeaderMap, header, request::Parts},
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    AppState,
    pages::{Refusal, upload_bytes_max},
    views::bytes,
};

/// Most bytes of JSON, where an operation does not say otherwise.
pub(super) const JSON_BYTES_MAX: usize = 64 << 10;
/// Most bytes of a query.
const QUERY_BYTES_MAX: usize = 8 << 10;

/// A body of JSON.
pub(super) struct Body<T, const BYTES_MAX: usize = JSON_BYTES_MAX>(pub(super) T);
/// The query, as filters and the like; what it does not know, it refuses.
pub(super) struct Params<T>(pub(super) T);
/// A body of bytes, as large as an upload may be.
pub(super) struct Raw(pub(super) Bytes);

impl<T: DeserializeOwned, const BYTES_MAX: usize> FromRequest<AppState> for Body<T, BYTES_MAX> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &AppState) -> Result<Body<T, BYTES_MAX>, Refusal> {
        require_type(request.headers(), "application/json")?;
        let body = read(request, "This JSON", BYTES_MAX).await?;
        Ok(Body(json(&body)?))
    }
}

impl<T: DeserializeOwned> FromRequestParts<AppState> for Params<T> {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Params<T>, Refusal> {
        let pairs = pairs(parts.uri.query().unwrap_or_default())?;
        Ok(Params(decoded(&pairs)?))
    }
}

impl FromRequest<AppState> for Raw {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &AppState) -> Result<Raw, Refusal> {
        require_type(request.headers(), "application/octet-stream")?;
        let most = usize::try_from(upload_bytes_max(&state.config)).unwrap_or(usize::MAX);
        Ok(Raw(read(request, "The upload", most).await?))
    }
}

/// The pairs of a query, each name at most once.
pub(super) fn pairs(query: &str) -> Result<Vec<(String, String)>, Refusal> {
    if query.len() > QUERY_BYTES_MAX {
        return Err(Refusal::malformed(format!(
            "The query has {}; allowed are {}.",
            bytes(query.len()),
            bytes(QUERY_BYTES_MAX)
        )));
    }
    if percent_encoding::percent_decode_str(query).decode_utf8().is_err() {
        return Err(Refusal::malformed("The query is not UTF-8 text."));
    }
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query)
        .map_err(|why| Refusal::malformed(format!("The query cannot be read: {why}.")))?;
    let mut names = HashSet::new();
    for (name, value) in &pairs {
        let shown: String = name.chars().take(40).collect();
        if name.contains('\0') || value.contains('\0') {
            return Err(Refusal::malformed(format!(
                "The parameter “{}” holds a NUL character, which no text may.",
                shown.replace('\0', "")
            )));
        }
        if !names.insert(name) {
            return Err(Refusal::malformed(format!(
                "The parameter “{shown}” comes more than once; it may come once."
            )));
        }
    }
    Ok(pairs)
}

/// What pairs of a query say.
pub(super) fn decoded<T: DeserializeOwned>(pairs: &[(String, String)]) -> Result<T, Refusal> {
    let text = serde_urlencoded::to_string(pairs).map_err(Refusal::ours)?;
    serde_urlencoded::from_str(&text)
        .map_err(|why| Refusal::malformed(format!("The query is not as expected: {why}.")))
}

fn require_type(headers: &HeaderMap, allowed: &'static str) -> Result<(), Refusal> {
    let found = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let found = found.unwrap_or_default();
    let essence = found.split(';').next().unwrap_or_default().trim();
    match essence.eq_ignore_ascii_case(allowed) {
        true => Ok(()),
        false => Err(Refusal::unsupported(found, allowed)),
    }
}

async fn read(request: Request, what: &'static str, most: usize) -> Result<Bytes, Refusal> {
    let body = axum::body::to_bytes(request.into_body(), most).await;
    body.map_err(|_| Refusal::too_large(what, most as u64))
}

/// What a JSON object says. Text with NULs is refused: Postgres has no use for it.
pub(super) fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    let value: Value = serde_json::from_slice(body)
        .map_err(|why| Refusal::malformed(format!("The body is no JSON: {why}.")))?;
    if !value.is_object() {
        return Err(Refusal::invalid("The JSON has to be an object."));
    }
    if holds_nul(&value) {
        return Err(Refusal::invalid("The JSON holds a NUL character, which no text may."));
    }
    serde_json::from_value(value)
        .map_err(|why| Refusal::invalid(format!("The JSON is not as expected: {why}.")))
}

fn holds_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(all) => all.iter().any(holds_nul),
        Value::Object(all) => all.iter().any(|(name, it)| name.contains('\0') || holds_nul(it)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_text_without_nuls() {
        let table = [
            (r#"{"a": "b"}"#, true),
            (r#"{"a": "\u0000"}"#, false),
            (r#"{"b": [{"a\u0000": 1}]}"#, false),
            (r#"["b"]"#, false),
            ("{", false),
            ("", false),
            ("\u{feff}{}", false),
        ];
        for (text, fine) in table {
            assert_eq!(json::<Value>(text.as_bytes()).is_ok(), fine, "{text}");
        }
    }

    #[test]
    fn a_query_is_text_with_each_name_once() {
        let table =
            [("a=b&c=d", true), ("", true), ("a=%FF", false), ("a=%00", false), ("a=b&a=c", false)];
        for (query, fine) in table {
            assert_eq!(pairs(query).is_ok(), fine, "{query}");
        }
    }
}
