//! Bytes for workers and from them, at signed addresses.

use axum::{
    body::Body,
    extract::rejection::{PathRejection, QueryRejection},
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use http_body_util::BodyExt;
use uuid::Uuid;

use super::{addresses::Seal, input};
use crate::{error::Error, state::AppState};

/// `GET /blobs/{digest}`
pub(super) async fn get_blob(
    State(state): State<AppState>,
    path: Result<Path<String>, PathRejection>,
    seal: Result<Query<Seal>, QueryRejection>,
) -> Result<Response, Error> {
    let Path(digest) = path.map_err(|_| Error::NotFound("file"))?;
    state.signer.check("GET", &digest, &sealed(seal)?)?;
    let (bytes, parts) = state.blobs.stream(&digest).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_LENGTH, bytes.to_string()),
        (header::CACHE_CONTROL, "private, no-transform".to_owned()),
    ];
    Ok((headers, Body::from_stream(parts)).into_response())
}

/// `PUT /blobs/uploads/{lease}`
pub(super) async fn put_upload(
    State(state): State<AppState>,
    path: Result<Path<Uuid>, PathRejection>,
    seal: Result<Query<Seal>, QueryRejection>,
    headers: HeaderMap,
    mut body: Body,
) -> Result<StatusCode, Error> {
    let lease = input::lease(path)?;
    let allowed = state.signer.check("PUT", &lease.to_string(), &sealed(seal)?)?;
    let lost = || Error::Gone("The lease is lost.".to_owned());
    if !state.store.lease_lives(lease).await? {
        return Err(lost());
    }
    let announced =
        headers.get(header::CONTENT_LENGTH).and_then(|it| it.to_str().ok()?.parse().ok());
    if announced.is_some_and(|it: u64| it > allowed) {
        return Err(Error::TooLarge { what: "This upload", allowed });
    }
    let mut incoming = state.blobs.receive(allowed);
    while let Some(frame) = body.frame().await {
        let frame =
            frame.map_err(|why| Error::Malformed(format!("The connection broke off: {why}.")))?;
        if let Ok(bytes) = frame.into_data() {
            incoming.write(bytes).await?;
        }
    }
    let blob = incoming.finish().await?;
    match state.store.note_upload(lease, &blob).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(lost()),
    }
}

fn sealed(seal: Result<Query<Seal>, QueryRejection>) -> Result<Seal, Error> {
    seal.map(|it| it.0).map_err(|_| Error::Forbidden("This address is not signed.".to_owned()))
}
