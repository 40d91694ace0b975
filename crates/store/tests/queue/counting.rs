//! Each result counts once, in an order all agree on.

use std::collections::BTreeMap;

use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use store::{FinishError, Finished, MatchState, Store, testing};
use uuid::Uuid;

use crate::kit::*;

#[tokio::test]
async fn the_same_report_twice_counts_once() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let match_id = ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let leased = lease_one(&store, worker).await;
    assert_eq!(finish(&store, worker, leased.lease, 70).await.unwrap(), Finished::Counted);
    let before = store.ratings(GAME).await.unwrap();
    for _ in 0..3 {
        assert_eq!(finish(&store, worker, leased.lease, 70).await.unwrap(), Finished::Again);
    }
    let other = finish(&store, worker, leased.lease, 30).await;
    assert!(matches!(other, Err(FinishError::Lost)), "another report of the same lease");
    assert_eq!(store.ratings(GAME).await.unwrap(), before);
    assert_eq!(before.len(), 2);
    assert_eq!(store.rated_log(GAME, 0, 10).await.unwrap().len(), 1);
    let page = store.match_page(match_id).await.unwrap().unwrap();
    assert_eq!(page.row.state, MatchState::Finished);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_same_report_from_many_at_once_counts_once() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let lease = lease_one(&store, worker).await.lease;
    store.note_upload(lease, &blob("record")).await.unwrap();
    let mut tasks = Vec::new();
    for _ in 0..8 {
        let store = store.clone();
        tasks.push(tokio::spawn(async move {
            let it = reporting(lease, worker, "played");
            let record = blob("record");
            store.finish_match(&it, &record, |it| Ok::<_, NoReason>(decide(it, 50, true))).await
        }));
    }
    let mut counted = 0;
    for task in tasks {
        counted += u32::from(task.await.unwrap().unwrap() == Finished::Counted);
    }
    assert_eq!(counted, 1);
    let ratings = store.ratings(GAME).await.unwrap();
    assert_eq!((ratings[&two.bot].matches, ratings[&two.bot].faults), (1, 1));
    assert_eq!((ratings[&one.bot].matches, ratings[&one.bot].faults), (1, 0));
}

#[tokio::test]
async fn what_is_not_committed_has_not_happened() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let lease = lease_one(&store, worker).await.lease;
    store.note_upload(lease, &blob("record")).await.unwrap();

    // Refused by whoever decides.
    let it = reporting(lease, worker, "played");
    let refused = store.finish_match(&it, &blob("record"), |_| Err(NoReason)).await;
    assert!(matches!(refused, Err(FinishError::Refused(NoReason))));
    // Cut off in the middle: a panic while everything is locked, as a kill would be.
    let cut = {
        let (store, it) = (store.clone(), it.clone());
        tokio::spawn(async move {
            let record = blob("record");
            store.finish_match(&it, &record, |_| -> Result<_, NoReason> { panic!("cut off") }).await
        })
    };
    assert!(cut.await.unwrap_err().is_panic());
    // A follow-up that cannot be made: all or nothing.
    let nobody = Bot { account: one.account, bot: one.bot, version: Uuid::new_v4() };
    let follow_up = new_match(store::Purpose::Ladder, nobody, two);
    let failed = store
        .finish_match(&it, &blob("record"), |played| {
            let decided = decide(played, 50, false);
            Ok::<_, NoReason>(store::MatchDecision { follow_up: vec![follow_up], ..decided })
        })
        .await;
    assert!(matches!(failed, Err(FinishError::FollowUp(_))));

    assert!(store.ratings(GAME).await.unwrap().is_empty());
    assert!(store.holds(lease, worker).await.unwrap());
    assert_eq!(finish(&store, worker, lease, 50).await.unwrap(), Finished::Counted);
    let log = store.rated_log(GAME, 0, 10).await.unwrap();
    assert_eq!(log.iter().map(|it| it.finish_no).collect::<Vec<_>>(), [1]);
}

#[tokio::test]
async fn what_follows_from_a_result_is_made_with_it() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let lease = lease_one(&store, worker).await.lease;
    store.note_upload(lease, &blob("record")).await.unwrap();
    let it = reporting(lease, worker, "played");
    store
        .finish_match(&it, &blob("record"), |played| {
            let follow_up = vec![new_match(store::Purpose::Ladder, one, two)];
            Ok::<_, NoReason>(store::MatchDecision { follow_up, ..decide(played, 50, false) })
        })
        .await
        .unwrap();
    lease_one(&store, worker).await;
}

/// 300 random matches, some of them with new versions, reported by eight at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn finish_numbers_are_dense_and_ratings_are_those_recomputed() {
    const MATCHES: usize = 300;
    const TASKS: usize = 8;
    let store = testing::store().await;
    let mut architects = Vec::new();
    let mut adventurers = Vec::new();
    for _ in 0..6 {
        architects.push(bot(&store, "architect").await);
        adventurers.push(bot(&store, "adventurer").await);
    }
    // The same bots with second versions.
    for bots in [&mut architects, &mut adventurers] {
        for it in bots.clone() {
            let version = upload(&store, it.account, it.bot).await;
            build(&store, version, None).await;
            bots.push(Bot { version, ..it });
        }
    }
    let plan = prop::collection::vec((0..12_usize, 0..12_usize, 0..=100_i64), MATCHES);
    let plan = plan.new_tree(&mut TestRunner::deterministic()).unwrap().current();
    let mut points = BTreeMap::new();
    for &(one, two, it) in &plan {
        points.insert(ladder_match(&store, architects[one], adventurers[two]).await, it);
    }
    let points = std::sync::Arc::new(points);
    let mut tasks = Vec::new();
    for it in 0..TASKS {
        let store = store.clone();
        let points = points.clone();
        let worker = worker(&store, &format!("worker {it}")).await;
        tasks.push(tokio::spawn(play_all(store, worker, points)));
    }
    let mut played = 0;
    for task in tasks {
        played += task.await.unwrap();
    }
    assert_eq!(played, MATCHES);
    let log = store.rated_log(GAME, 0, 10_000).await.unwrap();
    let numbers: Vec<i64> = log.iter().map(|it| it.finish_no).collect();
    assert_eq!(numbers, (1..=MATCHES as i64).collect::<Vec<_>>());
    let ratings = store.ratings(GAME).await.unwrap();
    assert_eq!(ratings, recomputed(&store).await);
    assert_eq!(ratings.values().map(|it| it.matches as usize).sum::<usize>(), 2 * MATCHES);
}

async fn play_all(
    store: Store,
    worker: Uuid,
    points: std::sync::Arc<BTreeMap<Uuid, i64>>,
) -> usize {
    let mut played = 0;
    loop {
        let jobs = lease(&store, worker, 3).await;
        if jobs.is_empty() {
            return played;
        }
        for it in jobs {
            let points = points[&match_of(&it)];
            assert_eq!(finish(&store, worker, it.lease, points).await.unwrap(), Finished::Counted);
            played += 1;
        }
    }
}
