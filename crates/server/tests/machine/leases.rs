//! Hello, lease, renew.

use std::time::{Duration, Instant};

use axum::http::{Method, StatusCode};
use jobs::{Job, Renewed, Welcome};
use serde_json::json;
use store::testing;
use uuid::Uuid;

use crate::kit::*;

#[tokio::test]
async fn nobody_is_heard_without_a_token_of_a_worker() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let dismissed = site.worker("dismissed").await;
    site.store().dismiss_worker("dismissed").await.unwrap();
    let lease = Uuid::new_v4();
    for path in [
        "hello".to_owned(),
        "lease".to_owned(),
        format!("leases/{lease}/renew"),
        format!("leases/{lease}/plies"),
        format!("leases/{lease}/report"),
    ] {
        let path = format!("/worker/v1/{path}");
        let long = "x".repeat(5000);
        for token in [None, Some(""), Some("nonsense"), Some(&long), Some(&dismissed.token)] {
            let answer = site.send(Method::POST, &path, token, "{}").await;
            answer.refused(401, "token");
            assert!(answer.headers.contains_key("www-authenticate"));
        }
        let answer = site.send(Method::GET, &path, Some(&worker.token), "").await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
    }
}

#[tokio::test]
async fn a_hello_is_answered_with_a_name_and_a_pace() {
    let site = Site::open().await;
    let worker = site.stranger("cellar").await;
    let answer = worker.post("hello", hello()).await;
    let welcome: Welcome = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(welcome, Welcome { worker: "cellar".to_owned(), renew_s: 5 });

    for (body, status, words) in [
        ("".to_owned(), 400, "JSON"),
        ("[]".to_owned(), 400, "JSON"),
        ("\u{fffd}".to_owned(), 400, "JSON"),
        (hello().replace("slots", "slot"), 400, "slot"),
        (hello().replace("\"slots\":2", "\"slots\":\"two\""), 400, "two"),
        (hello().replace("\"slots\":2", "\"slots\":0"), 422, "slots is 0"),
        (hello().replace("\"slots\":2", "\"slots\":1000"), 422, "1 to 256"),
        (hello() + &" ".repeat(70_000), 413, "64\u{a0}KiB"),
    ] {
        worker.post("hello", body).await.refused(status, words);
    }
}

#[tokio::test]
async fn a_lease_request_that_makes_no_sense_is_refused() {
    let site = Site::open().await;
    let stranger = site.stranger("stranger").await;
    let ask = |jobs_max: u32, wait_s: u64| json!({ "jobs_max": jobs_max, "wait_s": wait_s });
    stranger.post("lease", ask(1, 0).to_string()).await.refused(409, "hello");
    let worker = site.worker("worker").await;
    for (body, status, words) in [
        (json!({}), 400, "jobs_max"),
        (json!({ "jobs_max": -1, "wait_s": 0 }), 400, "-1"),
        (ask(0, 0), 422, "jobs_max is 0"),
        (ask(257, 0), 422, "0 to 256"),
        (ask(1, 21), 422, "0 to 20"),
        (json!({ "jobs_max": 1, "wait_s": 0, "more": "x".repeat(2000) }), 413, "1\u{a0}KiB"),
    ] {
        worker.post("lease", body.to_string()).await.refused(status, words);
    }
    assert!(worker.lease(1, 0).await.is_empty());
}

#[tokio::test]
async fn a_worker_that_waits_gets_a_job_as_soon_as_there_is_one() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let since = Instant::now();
    let (leased, bot) = tokio::join!(worker.lease(4, 20), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        site.uploaded(ROLES[1]).await
    });
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    let [leased] = &leased[..] else { panic!("{leased:?}") };
    let Job::Build(it) = &leased.job else { panic!("{leased:?}") };
    assert_eq!((it.version, it.seat.0, leased.attempt), (bot.version, 1, 1));
    assert_eq!((it.game.as_str(), it.language.as_str()), (GAME, LANGUAGE));
    assert_eq!(it.file_name, "bot.py");
    assert!(it.setup["size"].is_u64());
}

#[tokio::test]
async fn whoever_waits_in_vain_is_told_so_in_time() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let since = Instant::now();
    assert!(worker.lease(1, 1).await.is_empty());
    assert!((900..4000).contains(&since.elapsed().as_millis()), "{:?}", since.elapsed());
}

#[tokio::test]
async fn a_job_for_a_worker_that_has_left_goes_to_the_next_at_once() {
    let site = Site::open().await;
    let gone = site.worker("gone").await;
    let here = site.worker("here").await;
    for _ in 0..20 {
        // It leaves at about the moment at which the job comes.
        let (left, _) = tokio::join!(
            tokio::time::timeout(Duration::from_millis(20), gone.lease(1, 20)),
            async {
                tokio::time::sleep(Duration::from_millis(15)).await;
                site.uploaded(ROLES[0]).await
            }
        );
        if let Ok(jobs) = left {
            assert_eq!(jobs.len(), 1);
            continue;
        }
        let since = Instant::now();
        let leased = here.lease(1, 20).await;
        assert_eq!(leased.len(), 1);
        assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
    }
    testing::sql(site.store(), "update jobs set deadline = now() + interval '1 hour'").await;
}

#[tokio::test]
async fn a_lease_is_renewed_by_its_worker_alone() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let other = site.worker("other").await;
    site.uploaded(ROLES[0]).await;
    let leased = worker.lease_one().await;
    let answer = worker.of_lease(&leased, "renew", "").await;
    let renewed: Renewed = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(renewed, Renewed { runs_s: 15 });
    other.of_lease(&leased, "renew", "").await.refused(410, "lost");
    worker.post(&format!("leases/{}/renew", Uuid::new_v4()), "").await.refused(410, "lost");
    worker.post("leases/none/renew", "").await.refused(404, "lease");
}

#[tokio::test]
async fn a_worker_that_is_started_anew_gets_its_jobs_again_at_once() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    site.uploaded(ROLES[0]).await;
    let lost = worker.lease_one().await;
    let restarted = hello().replace(&Uuid::from_u128(1).to_string(), &Uuid::new_v4().to_string());
    assert_eq!(worker.post("hello", restarted).await.status, StatusCode::OK);
    worker.of_lease(&lost, "renew", "").await.refused(410, "lost");
    assert_eq!(worker.lease_one().await.attempt, 2);
}
