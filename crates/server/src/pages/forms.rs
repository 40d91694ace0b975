//! Reading what browsers send: addresses, forms and queries, and what is wrong with them, by field.

use std::collections::HashSet;

use axum::{
    extract::{self, FromRequest, FromRequestParts, RawQuery, Request},
    http::{StatusCode, Uri, header, request::Parts},
    response::{Html, IntoResponse, Response},
};
use serde::de::DeserializeOwned;

use super::{FORM_BYTES_MAX, Refusal};
use crate::{Error, FieldError};

/// Most characters of a field's name that are repeated to who sent it.
const NAME_CHARS_SHOWN: usize = 40;

/// A form, sent by POST.
pub(crate) struct Posted<T, const BYTES_MAX: usize = FORM_BYTES_MAX>(pub(crate) T);

impl<S, T, const BYTES_MAX: usize> FromRequest<S> for Posted<T, BYTES_MAX>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Posted<T, BYTES_MAX>, Refusal> {
        let content_type = request.headers().get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|it| it.to_str().ok()).unwrap_or_default();
        let essence = content_type.split(';').next().unwrap_or_default().trim();
        if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            return Err(Refusal::unsupported(
                content_type.to_owned(),
                "application/x-www-form-urlencoded",
            ));
        }
        let body = axum::body::to_bytes(request.into_body(), BYTES_MAX).await;
        let body = body.map_err(|_| Refusal::too_large("This form", BYTES_MAX as u64))?;
        Ok(Posted(decode(&body)?))
    }
}

/// The parts of an address that vary.
pub(crate) struct Path<T>(pub(crate) T);

impl<S, T> FromRequestParts<S> for Path<T>
where
    S: Send + Sync,
    T: DeserializeOwned + Send,
{
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, Refusal> {
        match extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(extract::Path(it)) => Ok(Path(it)),
            Err(why) if why.status().is_client_error() => Err(Refusal::missing(
                "There is no page at this address: a part of it is not UTF-8 text.",
            )),
            Err(why) => Err(Refusal::ours(why)),
        }
    }
}

/// The part of an address after `?`.
pub(crate) struct Query<T>(pub(crate) T);

impl<S, T> FromRequestParts<S> for Query<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
{
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, Refusal> {
        let query = match RawQuery::from_request_parts(parts, state).await {
            Ok(RawQuery(query)) => query.unwrap_or_default(),
        };
        Ok(Query(decode(query.as_bytes())?))
    }
}

/// A page with its form once more, which says what is wrong with what was filled in.
pub(crate) fn shown_again(html: String) -> Response {
    (StatusCode::UNPROCESSABLE_ENTITY, Html(html)).into_response()
}

/// What is wrong with a form, by the name of the field.
#[derive(Clone, Debug, Default)]
pub(crate) struct FormErrors(Vec<(&'static str, String)>);

impl FormErrors {
    pub(crate) fn add(&mut self, field: &'static str, what: impl Into<String>) {
        self.0.push((field, what.into()));
    }

    /// The same for a program.
    pub(crate) fn into_error(self) -> Error {
        let fields = self.0.into_iter();
        Error::Fields(fields.map(|(field, why)| FieldError { field, why }).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All that is wrong with one field.
    pub(crate) fn of(&self, field: &str) -> Vec<&str> {
        self.0.iter().filter(|(it, _)| *it == field).map(|(_, what)| what.as_str()).collect()
    }

    /// The value of `aria-invalid`.
    pub(crate) fn invalid(&self, field: &str) -> &'static str {
        if self.0.iter().any(|(it, _)| *it == field) { "true" } else { "false" }
    }
}

/// Where to go after signing in: a path of this site, and nothing else.
pub(crate) fn safe_next(next: &str) -> &str {
    let one_slash = next.starts_with('/') && !next.starts_with("//");
    let plain = next.bytes().all(|it| it.is_ascii_graphic() && it != b'\\');
    let is_page = next.parse::<Uri>().is_ok_and(|it| it.authority().is_none());
    if one_slash && plain && is_page && next.len() <= 1000 { next } else { "/me" }
}

/// Decodes pairs, each name at most once. They must be text without NULs:
/// neither pages nor Postgres have a use for others.
fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let mut names = HashSet::new();
    for pair in bytes.split(|it| *it == b'&') {
        let mut halves = pair.splitn(2, |it| *it == b'=');
        let name = percent_decoded(halves.next().unwrap_or_default());
        let value = percent_decoded(halves.next().unwrap_or_default());
        let name: String = String::from_utf8_lossy(&name).chars().take(NAME_CHARS_SHOWN).collect();
        match std::str::from_utf8(&value) {
            Ok(text) if text.contains('\0') => {
                return Err(Refusal::invalid(format!(
                    "The field “{name}” holds a NUL character, which no text may."
                )));
            }
            Ok(_) => {}
            Err(_) => {
                return Err(Refusal::invalid(format!("The field “{name}” is not UTF-8 text.")));
            }
        }
        if !pair.is_empty() && !names.insert(name.clone()) {
            return Err(Refusal::invalid(format!(
                "The field “{name}” comes more than once; it may come once."
            )));
        }
    }
    serde_urlencoded::from_bytes(bytes)
        .map_err(|why| Refusal::invalid(format!("This form is not as expected: {why}.")))
}

fn percent_decoded(bytes: &[u8]) -> Vec<u8> {
    let spaced: Vec<u8> = bytes.iter().map(|it| if *it == b'+' { b' ' } else { *it }).collect();
    percent_encoding::percent_decode(&spaced).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn only_paths_of_this_site_come_next() {
        let table = [
            ("/upload", "/upload"),
            ("/matches?bot=1#x", "/matches?bot=1#x"),
            ("", "/me"),
            ("//evil.example", "/me"),
            ("/\\evil.example", "/me"),
            ("https://evil.example", "/me"),
            ("/a\r\nb", "/me"),
            ("/ü", "/me"),
        ];
        for (given, expected) in table {
            assert_eq!(safe_next(given), expected, "{given:?}");
        }
    }

    #[test]
    fn forms_are_text_without_nuls() {
        let table = [
            ("a=b&c=d+e%C3%BC", true),
            ("", true),
            ("a=%FF", false),
            ("a=%00", false),
            ("a=b%", true),
            ("a=b&a=c", false),
            ("&&a=b&", true),
        ];
        for (body, fine) in table {
            let decoded = decode::<BTreeMap<String, String>>(body.as_bytes());
            assert_eq!(decoded.is_ok(), fine, "{body}");
        }
    }
}
