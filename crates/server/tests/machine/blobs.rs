//! Bytes at signed addresses.

use axum::http::{StatusCode, header};
use jobs::Job;
use store::{digest_of, testing};

use crate::kit::*;

#[tokio::test]
async fn a_worker_fetches_what_it_was_given_and_nothing_else() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    site.uploaded(ROLES[0]).await;
    let Job::Build(build) = worker.lease_one().await.job else { panic!("no build") };
    let answer = site.get(&build.source.url).await;
    assert_eq!((answer.status, &answer.body[..]), (StatusCode::OK, &b"print('#END')"[..]));
    assert_eq!(answer.headers[header::CONTENT_LENGTH], build.source.bytes.to_string());
    assert_eq!(digest_of(&answer.body), build.source.digest);

    let url = &build.source.url;
    let (path, query) = url.split_once('?').unwrap();
    let digest = digest_of(b"another");
    for url in [
        path.to_owned(),
        format!("/blobs/{digest}?{query}"),
        format!("/blobs/%2e%2e%2fsecrets?{query}"),
        url.replace("until=", "until=1"),
        url.replace("bytes=", "bytes=1"),
        format!("{path}?until=x&bytes=y&sig=z"),
        format!("{url}0"),
    ] {
        site.get(&url).await.refused(403, "signed");
    }
}

#[tokio::test]
async fn an_upload_is_taken_while_the_lease_lives_and_up_to_its_limit() {
    let site = Site::with(|it| it.limits.artefact_bytes_max = 2048).await;
    let worker = site.worker("worker").await;
    site.uploaded(ROLES[0]).await;
    let leased = worker.lease_one().await;
    let Job::Build(build) = &leased.job else { panic!("no build") };
    let url = &build.artefact.url;
    assert_eq!(build.artefact.bytes_max, 2048);
    site.put(url, "x".repeat(2049)).await.refused(413, "2\u{a0}KiB");
    let chunks = futures::stream::iter((0..3).map(|_| Ok::<_, std::io::Error>("x".repeat(1000))));
    let streamed = axum::body::Body::from_stream(chunks);
    site.put(url, streamed).await.refused(413, "2\u{a0}KiB");
    site.put(&url.replace("bytes=2048", "bytes=9000"), "x").await.refused(403, "signed");
    site.put(url.split_once('?').unwrap().0, "x").await.refused(403, "signed");
    site.put("/blobs/uploads/none?until=1&bytes=1&sig=", "x").await.refused(404, "lease");
    assert_eq!(site.put(url, "first").await.status, StatusCode::NO_CONTENT);
    assert_eq!(site.put(url, "x".repeat(2048)).await.status, StatusCode::NO_CONTENT);

    testing::sql(site.store(), "update jobs set deadline = now() - interval '1 second'").await;
    site.store().reap_leases(&site.state.config.queue_limits()).await.unwrap();
    site.put(url, "late").await.refused(410, "lost");
}
