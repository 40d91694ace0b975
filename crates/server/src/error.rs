//! What a request may come to instead of an answer, and the one place where
//! that becomes an HTTP status.
//!
//! It answers as `application/problem+json`; for browsers the pages make a
//! page of the [`Problem`] among the response's extensions.

use std::fmt;

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request is not answered as asked.
#[derive(Debug)]
pub enum Error {
    /// It is not in the form it must have; what is wrong, and what is right.
    Malformed(String),
    /// Nobody has shown who he is, or his token is none.
    Unauthenticated(&'static str),
    /// Not his to do.
    Forbidden(String),
    /// There is no such thing.
    NotFound(&'static str),
    /// There is no such thing, in a sentence of its own.
    Missing(String),
    /// No such method here.
    Method,
    /// It clashes with what is there.
    Conflict(String),
    /// It is no more as whoever asks has seen it.
    Changed(String),
    /// It was once, and is no longer.
    Gone(String),
    /// More bytes than may be.
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// How many bytes it may have.
        allowed: u64,
    },
    /// It is of a kind that is not understood here.
    Unsupported {
        /// What it says it is; may be empty.
        found: String,
        /// What it may be.
        allowed: &'static str,
    },
    /// It has the right form and makes no sense.
    Invalid(String),
    /// It makes no sense in these fields of a form.
    Fields(Vec<FieldError>),
    /// Too often.
    TooOften {
        /// When to try again, in seconds.
        retry_s: u64,
    },
    /// We cannot just now.
    Unavailable(&'static str),
    /// Ours. Whoever asked learns nothing of it; the log does.
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

/// What is wrong with one field of a form.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FieldError {
    /// Its name.
    pub field: &'static str,
    /// What is wrong with it, in words for whoever filled it in.
    pub why: String,
}

/// An error, as it is told (RFC 9457).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// The status in words.
    pub title: &'static str,
    /// What happened, and what to do.
    pub detail: String,
    /// Which fields are wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldError>,
}

impl Error {
    /// Ours.
    pub fn internal(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error::Internal(why.into())
    }

    /// Its HTTP status. Decided here and nowhere else.
    pub fn status(&self) -> StatusCode {
        match self {
            Error::Malformed(_) => StatusCode::BAD_REQUEST,
            Error::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
            Error::Forbidden(_) => StatusCode::FORBIDDEN,
            Error::NotFound(_) | Error::Missing(_) => StatusCode::NOT_FOUND,
            Error::Method => StatusCode::METHOD_NOT_ALLOWED,
            Error::Conflict(_) => StatusCode::CONFLICT,
            Error::Changed(_) => StatusCode::PRECONDITION_FAILED,
            Error::Gone(_) => StatusCode::GONE,
            Error::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Error::Unsupported { .. } => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Error::Invalid(_) | Error::Fields(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Error::TooOften { .. } => StatusCode::TOO_MANY_REQUESTS,
            Error::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Error::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// As it is told.
    pub fn problem(&self) -> Problem {
        let fields = match self {
            Error::Fields(fields) => fields.clone(),
            _ => Vec::new(),
        };
        let status = self.status();
        let title = match self {
            Error::Malformed(_) => "This cannot be read",
            Error::Unauthenticated(_) => "Who are you?",
            Error::Forbidden(_) => "Not yours to do",
            Error::NotFound(_) | Error::Missing(_) => "There is no such page",
            Error::Method => "Not here",
            Error::Conflict(_) => "Not possible as things are",
            Error::Changed(_) => "Changed meanwhile",
            Error::Gone(_) => "No longer there",
            Error::TooLarge { .. } => "Too large",
            Error::Unsupported { .. } => "This cannot be read",
            Error::Invalid(_) | Error::Fields(_) => "This does not fit",
            Error::TooOften { .. } => "Too many requests",
            Error::Unavailable(_) => "Not just now",
            Error::Internal(_) => "Our fault",
        };
        Problem { status: status.as_u16(), title, detail: self.to_string(), fields }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Malformed(why)
            | Error::Forbidden(why)
            | Error::Conflict(why)
            | Error::Changed(why)
            | Error::Gone(why)
            | Error::Missing(why)
            | Error::Invalid(why) => f.write_str(why),
            Error::Unauthenticated(why) | Error::Unavailable(why) => f.write_str(why),
            Error::NotFound(what) => write!(f, "There is no such {what}."),
            Error::Method => f.write_str("This address does not take such a request."),
            Error::TooLarge { what, allowed } => {
                write!(
                    f,
                    "{what} is too large; it may have at most {}.",
                    crate::views::bytes(*allowed)
                )
            }
            Error::Unsupported { found, allowed } if found.is_empty() => {
                write!(f, "The request does not say what it holds; {allowed} is expected.")
            }
            Error::Unsupported { found, allowed } => {
                let found: String = found.chars().take(60).collect();
                write!(f, "The request holds “{found}”; {allowed} is expected.")
            }
            Error::Fields(fields) => {
                let all: Vec<_> =
                    fields.iter().map(|it| format!("{}: {}", it.field, it.why)).collect();
                f.write_str(&all.join("; "))
            }
            Error::TooOften { retry_s } => {
                let unit = if *retry_s == 1 { "second" } else { "seconds" };
                write!(f, "That was too often. Try again in {retry_s} {unit}.")
            }
            Error::Internal(_) => f.write_str(
                "Something went wrong on our side, and has been noted. Trying again may help.",
            ),
        }
    }
}

impl std::error::Error for Error {}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        if let Error::Internal(why) = &self {
            let mut causes = why.to_string();
            let mut cause = why.source();
            while let Some(it) = cause {
                causes = format!("{causes}: {it}");
                cause = it.source();
            }
            tracing::error!(%causes, "a request failed");
        }
        let problem = self.problem();
        let mut response = (self.status(), Json(&problem)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        match self {
            Error::TooOften { retry_s } => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(retry_s));
            }
            Error::Unavailable(_) => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from(5));
            }
            Error::Unauthenticated(_) => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response.extensions_mut().insert(problem);
        response
    }
}

impl From<store::Error> for Error {
    fn from(why: store::Error) -> Error {
        Error::internal(why)
    }
}

impl From<store::BlobError> for Error {
    fn from(why: store::BlobError) -> Error {
        match why {
            store::BlobError::TooLarge { allowed } => {
                Error::TooLarge { what: "This file", allowed }
            }
            store::BlobError::Unknown { .. } | store::BlobError::NoDigest => {
                Error::NotFound("file")
            }
            why => Error::internal(why),
        }
    }
}
