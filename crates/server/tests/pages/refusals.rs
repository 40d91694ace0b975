//! What is refused for reasons of its own, and in which form that is told.

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};

use crate::kit::Site;

const UNKNOWN: &str = "00000000-0000-0000-0000-000000000000";

#[tokio::test]
async fn a_bot_is_changed_by_its_owner_alone() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    let bot = ada.upload_bot("architect", "Hedger").await;
    let mut bob = site.signed_up("Bob").await;
    for act in ["bench", "activate"] {
        let path = format!("/bots/{bot}/{act}");
        let answer = bob.post(&path, &[]).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{act}");
        assert!(answer.text().contains("The bot “Hedger” is Ada’s"), "{}", answer.text());
        let path = format!("/bots/{UNKNOWN}/{act}");
        assert_eq!(bob.post(&path, &[]).await.status, StatusCode::NOT_FOUND);
    }
    let fields = [("version", UNKNOWN)];
    let path = format!("/bots/{bot}/active-version");
    assert_eq!(bob.post(&path, &fields).await.status, StatusCode::FORBIDDEN);
    assert_eq!(ada.post(&path, &fields).await.status, StatusCode::CONFLICT);
    assert_eq!(ada.post(&path, &[("version", "x")]).await.status, StatusCode::NOT_FOUND);
    assert_eq!(ada.post(&path, &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let source = format!("/bots/{bot}/versions/1/source");
    assert_eq!(bob.get(&source).await.status, StatusCode::FORBIDDEN);
    let taken = ada.get(&source).await;
    assert_eq!(taken.status, StatusCode::OK);
    assert_eq!(taken.header(header::CONTENT_DISPOSITION), "attachment; filename=\"bot.py\"");
    // It has no version that is ready, so there is nothing to put on the ladder.
    let activate = ada.post(&format!("/bots/{bot}/activate"), &[]).await;
    assert_eq!(activate.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn programs_are_told_in_json() {
    let site = Site::open().await;
    let request = Request::get("/games/chess")
        .header(header::ACCEPT, "application/json")
        .body(Body::empty())
        .unwrap();
    let answer = site.send(request).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(answer.header(header::CONTENT_TYPE), "application/problem+json");
    let problem: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(problem["detail"], "There is no such game.");
}
