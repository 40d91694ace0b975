//! Whether we are well.

use axum::http::{StatusCode, header};

use crate::kit::*;

#[tokio::test]
async fn we_are_well_as_long_as_the_database_is_there() {
    let site = Site::open().await;
    let answer = site.get("/healthz").await;
    assert_eq!((answer.status, answer.text().as_str()), (StatusCode::OK, "well\n"));
    site.store().close().await;
    site.get("/healthz").await.refused(503, "database");
}

#[tokio::test]
async fn anybody_may_see_how_busy_we_are() {
    let site = Site::open().await;
    let worker = site.worker("cellar").await;
    site.uploaded(ROLES[0]).await;
    site.uploaded(ROLES[1]).await;
    worker.lease_one().await;
    let answer = site.get("/status.json").await;
    let status = answer.json();
    assert_eq!(status["builds_waiting"], 2);
    assert_eq!(status["matches_waiting"], 0);
    assert_eq!(status["matches_finished"], 0);
    assert_eq!(status["lanes"][0]["lane"], "build");
    assert_eq!(
        (&status["lanes"][0]["queued"], &status["lanes"][0]["leased"]),
        (&1.into(), &1.into())
    );
    assert!(status["lanes"][0]["oldest_wait_s"].as_f64().is_some_and(|it| it >= 0.0));
    assert!(status["lanes"][3]["oldest_wait_s"].is_null());
    assert_eq!(status["workers"][0]["name"], "cellar");
    assert_eq!(status["workers"][0]["slots"], 2);
    assert!(!answer.text().contains(&worker.token));
}

#[tokio::test]
async fn every_answer_carries_what_protects_a_browser_and_an_id() {
    let site = Site::open().await;
    for path in ["/healthz", "/status.json", "/blobs/none", "/worker/v1/hello", "/no-such-page"] {
        let answer = site.get(path).await;
        let policy = answer.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.contains("default-src 'self'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(answer.headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert!(answer.headers.contains_key("x-request-id"), "{path}");
        assert!(!answer.headers.contains_key(header::STRICT_TRANSPORT_SECURITY));
    }
    let site = Site::with(|it| it.server.public_url = "https://agon.example".to_owned()).await;
    let answer = site.get("/healthz").await;
    assert!(answer.headers.contains_key(header::STRICT_TRANSPORT_SECURITY));
}
