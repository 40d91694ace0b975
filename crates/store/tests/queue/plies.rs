//! Plies of running matches: in order, once, and gone when the record is there.

use std::time::Duration;

use store::{Notice, PlyError, Store, testing};
use tokio::time::timeout;
use uuid::Uuid;

use crate::kit::*;

async fn live(store: &Store, match_id: Uuid) -> Vec<String> {
    store.live_plies(match_id, 0, 0, 1000).await.unwrap().unwrap().plies
}

#[tokio::test]
async fn plies_come_in_once_however_often_they_are_sent() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let match_id = ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let lease = lease_one(&store, worker).await.lease;
    let mut news = store.notices();
    let send = |from, texts| {
        let (store, frames) = (store.clone(), frames(texts));
        async move { store.add_plies(lease, worker, from, &frames, 4).await }
    };
    send(0, &[r#"{"b":1,"a":"\u0000"}"#, "2"]).await.unwrap();
    send(0, &["9", "9"]).await.unwrap();
    send(1, &["9", "3"]).await.unwrap();
    send(3, &[]).await.unwrap();
    assert_eq!(live(&store, match_id).await, [r#"{"b":1,"a":"\u0000"}"#, "2", "3"]);
    assert!(matches!(send(4, &["5"]).await, Err(PlyError::Gap { from: 4, stored: 3 })));
    let many = send(3, &["4", "5"]).await;
    assert!(matches!(many, Err(PlyError::TooMany { found: 5, allowed: 4 })));

    let mut counts = Vec::new();
    while let Ok(Ok(heard)) = timeout(Duration::from_millis(300), news.recv()).await {
        if let Notice::Plies(id, plies) = heard {
            assert_eq!(id, match_id);
            counts.push(plies);
        }
    }
    assert_eq!(counts, [2, 3], "only what is new is told");

    finish(&store, worker, lease, 50).await.unwrap();
    assert!(live(&store, match_id).await.is_empty());
    assert!(matches!(send(0, &["1"]).await, Err(PlyError::Lost)));
}

#[tokio::test]
async fn plies_of_a_lost_attempt_are_not_mixed_in() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let match_id = ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let lost = lease_one(&store, worker).await.lease;
    store.add_plies(lost, worker, 0, &frames(&["1", "2"]), 100).await.unwrap();
    store.fail_attempt(&reporting(lost, worker, "x"), "x", &limits()).await.unwrap();
    assert!(live(&store, match_id).await.is_empty());
    let lease = lease_one(&store, worker).await.lease;
    let late = store.add_plies(lost, worker, 2, &frames(&["3"]), 100).await;
    assert!(matches!(late, Err(PlyError::Lost)));
    store.add_plies(lease, worker, 0, &frames(&["10"]), 100).await.unwrap();
    assert_eq!(live(&store, match_id).await, ["10"]);
}

#[tokio::test]
async fn a_build_has_no_plies() {
    let store = testing::store().await;
    let account = testing::account(&store).await;
    let bot = new_bot(&store, account, "architect").await;
    upload(&store, account, bot).await;
    let worker = worker(&store, "worker").await;
    let lease = lease_one(&store, worker).await.lease;
    let sent = store.add_plies(lease, worker, 0, &frames(&["1"]), 100).await;
    assert!(matches!(sent, Err(PlyError::NoMatch)));
}
