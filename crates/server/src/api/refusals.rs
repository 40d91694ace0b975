//! Every answer that says no is a problem (RFC 9457), whoever gives it: a handler, an extractor or
//! the router.

use axum::{
    Json,
    extract::{OriginalUri, Request},
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

use crate::{
    Error, Problem,
    pages::{Refusal, usual_problem},
};

/// Where nothing is.
pub(super) async fn show_nothing(OriginalUri(uri): OriginalUri) -> Refusal {
    let path: String = uri.path().chars().take(100).collect();
    Refusal::missing(format!("There is nothing at {path}. What there is: /api/v1/openapi.json."))
}

/// Makes a problem of every answer that says no and is none yet.
pub(super) async fn describe(request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let status = response.status();
    let says_no = status.is_client_error() || status.is_server_error();
    if !says_no || is_problem(response.headers()) {
        return response;
    }
    let problem = match status {
        StatusCode::METHOD_NOT_ALLOWED => Problem {
            detail: "This address does not take such a request; Allow says which it takes.".into(),
            ..Error::Method.problem()
        },
        status => usual_problem(status),
    };
    let mut headers = response.headers().clone();
    for described in [header::CONTENT_TYPE, header::CONTENT_LENGTH, header::CONTENT_ENCODING] {
        headers.remove(described);
    }
    let content_type = [(header::CONTENT_TYPE, "application/problem+json")];
    (status, headers, content_type, Json(problem)).into_response()
}

fn is_problem(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    kind.is_some_and(|it| it.as_bytes().starts_with(b"application/problem+json"))
}
