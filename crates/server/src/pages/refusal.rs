//! What a page's request is answered where it cannot be done. Status and words
//! are decided in [`Error`]; here they become a page, for browsers, and stay
//! JSON for programs.

use askama::Template;
use axum::{
    Json,
    extract::{FromRequestParts, Request, State},
    http::{HeaderMap, StatusCode, Uri, header},
    middleware::Next,
    response::{Html, IntoResponse, Redirect, Response},
};
use store::BlobError;

use super::site::Page;
use crate::{
    AppState, Error, Problem,
    auth::{PasswordError, TooMany},
    views::Frame,
};

/// Why a page's request cannot be done.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Somebody must sign in; then the page is shown.
    SignInThen(String),
    /// Anything else.
    Told(Error),
}

impl Refusal {
    /// Sign in, then come back to `uri`.
    pub(crate) fn sign_in_for(uri: &Uri) -> Refusal {
        Refusal::SignInThen(uri.path_and_query().map_or("/me".into(), |it| it.to_string()))
    }

    /// Sign in, then send it again.
    pub(crate) fn sign_in_first() -> Refusal {
        let words = "Sign in first, then send this again. Nothing was changed.";
        Refusal::Told(Error::Unauthenticated(words))
    }

    /// There is no `what` of this id.
    pub(crate) fn unknown(what: &'static str) -> Refusal {
        Refusal::Told(Error::NotFound(what))
    }

    pub(crate) fn missing(words: impl Into<String>) -> Refusal {
        Refusal::Told(Error::Missing(words.into()))
    }

    pub(crate) fn not_yours(words: impl Into<String>) -> Refusal {
        Refusal::Told(Error::Forbidden(words.into()))
    }

    pub(crate) fn malformed(words: impl Into<String>) -> Refusal {
        Refusal::Told(Error::Malformed(words.into()))
    }

    pub(crate) fn invalid(words: impl Into<String>) -> Refusal {
        Refusal::Told(Error::Invalid(words.into()))
    }

    pub(crate) fn conflict(words: impl Into<String>) -> Refusal {
        Refusal::Told(Error::Conflict(words.into()))
    }

    pub(crate) fn gone(words: impl Into<String>) -> Refusal {
        Refusal::Told(Error::Gone(words.into()))
    }

    pub(crate) fn too_large(what: &'static str, allowed: u64) -> Refusal {
        Refusal::Told(Error::TooLarge { what, allowed })
    }

    pub(crate) fn unsupported(found: impl Into<String>, allowed: &'static str) -> Refusal {
        Refusal::Told(Error::Unsupported { found: found.into(), allowed })
    }

    pub(crate) fn ours(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Refusal {
        Refusal::Told(Error::internal(why))
    }
}

impl From<Error> for Refusal {
    fn from(why: Error) -> Refusal {
        Refusal::Told(why)
    }
}

impl From<store::Error> for Refusal {
    fn from(why: store::Error) -> Refusal {
        Refusal::Told(why.into())
    }
}

impl From<BlobError> for Refusal {
    fn from(why: BlobError) -> Refusal {
        Refusal::Told(why.into())
    }
}

impl From<PasswordError> for Refusal {
    fn from(why: PasswordError) -> Refusal {
        Refusal::ours(why)
    }
}

impl From<askama::Error> for Refusal {
    fn from(why: askama::Error) -> Refusal {
        Refusal::ours(why)
    }
}

impl From<TooMany> for Refusal {
    fn from(too_many: TooMany) -> Refusal {
        Refusal::Told(too_many.into())
    }
}

impl From<TooMany> for Error {
    fn from(it: TooMany) -> Error {
        Error::TooOften { retry_s: it.wait.as_millis().div_ceil(1000).max(1) as u64 }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        match self {
            Refusal::SignInThen(next) => {
                let next = percent_encoding::utf8_percent_encode(
                    &next,
                    percent_encoding::NON_ALPHANUMERIC,
                );
                Redirect::to(&format!("/login?next={next}")).into_response()
            }
            Refusal::Told(why) => why.into_response(),
        }
    }
}

/// Where no page is.
pub(super) async fn show_nothing(uri: Uri) -> Refusal {
    let path: String = uri.path().chars().take(100).collect();
    Refusal::missing(format!("There is no page at {path}."))
}

#[derive(Template)]
#[template(path = "refusal.html")]
struct RefusalPage {
    frame: Frame,
    problem: Problem,
}

impl RefusalPage {
    fn is_missing(&self) -> bool {
        self.problem.status == StatusCode::NOT_FOUND.as_u16()
    }

    fn asks_to_sign_in(&self) -> bool {
        self.problem.status == StatusCode::UNAUTHORIZED.as_u16()
    }
}

/// Makes a page of every answer that says no and has none yet.
pub(super) async fn dress(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let mut asked = parts.clone();
    let response = next.run(Request::from_parts(parts, body)).await;
    let status = response.status();
    let says_no = status.is_client_error() || status.is_server_error();
    let is_page = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|it| it.as_bytes().starts_with(b"text/html"));
    if !says_no || is_page {
        return response;
    }
    let told = response.extensions().get::<Problem>().cloned();
    let problem = told.unwrap_or_else(|| usual_problem(status));
    let mut headers = response.headers().clone();
    for described in [header::CONTENT_TYPE, header::CONTENT_LENGTH, header::CONTENT_ENCODING] {
        headers.remove(described);
    }
    if wants_json(&asked.headers) {
        let content_type = [(header::CONTENT_TYPE, "application/problem+json")];
        return (status, headers, content_type, Json(problem)).into_response();
    }
    let frame = match Page::from_request_parts(&mut asked, &state).await {
        Ok(page) => page.frame,
        // The database is what failed; the page does without it.
        Err(_) => Frame::for_nobody(&state, asked.uri.path()),
    };
    let page = RefusalPage { frame, problem };
    match page.render() {
        Ok(html) => (status, headers, Html(html)).into_response(),
        Err(_) => (status, headers, page.problem.detail).into_response(),
    }
}

fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|it| it.to_str().ok()).unwrap_or_default();
    accept.contains("json") && !accept.contains("text/html")
}

/// For answers that come from below the handlers.
pub(crate) fn usual_problem(status: StatusCode) -> Problem {
    let why = match status {
        StatusCode::FORBIDDEN => Error::Forbidden(
            "The request came from another site. If you sent it from here, open the page anew and try again.".into(),
        ),
        StatusCode::METHOD_NOT_ALLOWED => Error::Method,
        StatusCode::NOT_FOUND => Error::NotFound("page"),
        StatusCode::PAYLOAD_TOO_LARGE => {
            Error::Invalid("The request is larger than this address takes.".into())
        }
        StatusCode::REQUEST_TIMEOUT => {
            Error::Malformed("The request took too long to arrive. Please try again.".into())
        }
        status if status.is_server_error() => Error::internal("no further words"),
        _ => Error::Malformed("The request cannot be understood.".into()),
    };
    Problem { status: status.as_u16(), ..why.problem() }
}
