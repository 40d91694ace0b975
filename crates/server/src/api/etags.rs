//! Entity tags: what has not changed is not sent again, and what has changed meanwhile is not
//! overwritten unseen.

use axum::{
    body::{Body, HttpBody},
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{Error, pages::Refusal};

/// Most bytes of an answer that gets a tag here; records and replays are larger, and never change.
const TAGGED_BYTES_MAX: u64 = 4 << 20;
/// Bytes of a digest that stand in a tag.
const TAG_BYTES: usize = 16;

/// Gives every answer to a GET a tag, and says no more where whoever asks has it already.
pub(super) async fn tag(request: Request, next: Next) -> Response {
    let is_get = request.method() == Method::GET;
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let response = next.run(request).await;
    let is_small = response.body().size_hint().upper().is_some_and(|it| it <= TAGGED_BYTES_MAX);
    if !is_get || response.status() != StatusCode::OK || !is_small {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let bytes = match axum::body::to_bytes(body, TAGGED_BYTES_MAX as usize).await {
        Ok(bytes) => bytes,
        Err(why) => return Error::internal(why).into_response(),
    };
    let tag = tag_of(&bytes);
    let headers = &mut parts.headers;
    if let Ok(value) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, value);
    }
    // It may be kept, and has to be asked after each time.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private, no-cache"));
    if known.is_some_and(|it| names(&it, &tag)) {
        parts.status = StatusCode::NOT_MODIFIED;
        for it in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
            parts.headers.remove(it);
        }
        return Response::from_parts(parts, Body::empty());
    }
    Response::from_parts(parts, Body::from(bytes))
}

/// Refuses to change what is no more as whoever asks has seen it: `If-Match` has to name `seen`,
/// which is what a GET of it would send now, if it is there.
pub(super) fn require_match<T: Serialize>(
    headers: &HeaderMap,
    seen: Option<&T>,
) -> Result<(), Refusal> {
    let Some(wanted) = headers.get(header::IF_MATCH) else { return Ok(()) };
    let now = seen.map(serde_json::to_vec).transpose().map_err(Refusal::ours)?;
    match now.is_some_and(|it| names(wanted, &tag_of(&it))) {
        true => Ok(()),
        false => Err(Error::Changed(
            "It has changed since you saw it (If-Match names another state). Get it again, and decide anew."
                .into(),
        )
        .into()),
    }
}

fn tag_of(bytes: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&Sha256::digest(bytes)[..TAG_BYTES]))
}

/// Whether a list of tags names this one. Packed or not, it is the same state.
fn names(list: &HeaderValue, tag: &str) -> bool {
    let list = list.to_str().unwrap_or_default();
    list.split(',').map(str::trim).any(|it| it == "*" || it.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_a_tag_weak_or_not() {
        let tag = tag_of(b"x");
        let table = [
            (tag.clone(), true),
            (format!("W/{tag}"), true),
            (format!("\"a\", {tag}"), true),
            ("*".to_owned(), true),
            ("\"a\"".to_owned(), false),
            (tag.trim_matches('"').to_owned(), false),
            (String::new(), false),
        ];
        for (list, expected) in table {
            assert_eq!(names(&HeaderValue::from_str(&list).unwrap(), &tag), expected, "{list}");
        }
    }
}
