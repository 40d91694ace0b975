//! Leases that are lost, attempts that fail, jobs that are void.

use std::{collections::BTreeMap, time::Duration};

use jobs::Hello;
use store::{
    Blob, BotState, FinishError, Finished, MatchState, PlayedMatch, PlyError, QueueLimits, Reaped,
    VersionState, testing,
};
use uuid::Uuid;

use crate::kit::*;

const RAN_OUT: &str =
    "update jobs set deadline = now() - interval '1 second' where state = 'leased'";

#[tokio::test]
async fn a_late_report_of_a_lost_lease_counts_nothing() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let late = lease_one(&store, worker).await;
    store.note_upload(late.lease, &blob("record")).await.unwrap();
    testing::sql(&store, RAN_OUT).await;
    assert_eq!(store.reap_leases(&limits()).await.unwrap(), Reaped { requeued: 1, void: 0 });

    assert!(!store.note_upload(late.lease, &blob("record")).await.unwrap());
    assert!(matches!(finish(&store, worker, late.lease, 90).await, Err(FinishError::Lost)));
    let failed = store.fail_attempt(&reporting(late.lease, worker, "x"), "x", &limits()).await;
    assert!(matches!(failed, Err(FinishError::Lost)));
    assert!(store.ratings(GAME).await.unwrap().is_empty());

    let again = lease_one(&store, worker).await;
    assert_eq!(again.attempt, 2);
    assert_ne!(again.lease, late.lease);
    assert!(matches!(finish(&store, worker, late.lease, 90).await, Err(FinishError::Lost)));
    assert_eq!(finish(&store, worker, again.lease, 10).await.unwrap(), Finished::Counted);
    assert!(matches!(finish(&store, worker, late.lease, 90).await, Err(FinishError::Lost)));
    let ratings = store.ratings(GAME).await.unwrap();
    assert!(ratings[&one.bot].rating < 1500.0 && ratings[&one.bot].matches == 1);
}

#[tokio::test]
async fn a_worker_cannot_touch_a_lease_of_another() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    ladder_match(&store, one, two).await;
    let owner = worker(&store, "owner").await;
    let thief = worker(&store, "thief").await;
    let leased = lease_one(&store, owner).await;
    assert!(!store.renew(leased.lease, thief, &limits()).await.unwrap());
    assert!(matches!(finish(&store, thief, leased.lease, 90).await, Err(FinishError::Lost)));
    let plies = store.add_plies(leased.lease, thief, 0, &[], 100).await;
    assert!(matches!(plies, Err(PlyError::Lost)));
    let failed = store.fail_attempt(&reporting(leased.lease, thief, "x"), "x", &limits()).await;
    assert!(matches!(failed, Err(FinishError::Lost)));

    assert_eq!(finish(&store, owner, leased.lease, 40).await.unwrap(), Finished::Counted);
    assert!(matches!(finish(&store, thief, leased.lease, 40).await, Err(FinishError::Lost)));
}

#[tokio::test]
async fn a_match_is_void_after_as_many_attempts_as_may_be_and_its_failures_are_kept() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let match_id = ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    for attempt in 1..=limits().attempts_max {
        let leased = lease_one(&store, worker).await;
        assert_eq!(leased.attempt, attempt);
        if attempt == 2 {
            testing::sql(&store, RAN_OUT).await;
            store.reap_leases(&limits()).await.unwrap();
            continue;
        }
        let report = reporting(leased.lease, worker, "failed");
        let failed = store.fail_attempt(&report, &"no jail ".repeat(1000), &limits()).await;
        assert_eq!(failed.unwrap(), Finished::Counted);
        let again = store.fail_attempt(&report, "no jail", &limits()).await;
        assert_eq!(again.unwrap(), Finished::Again);
    }
    assert!(lease(&store, worker, 1).await.is_empty());
    let page = store.match_page(match_id).await.unwrap().unwrap();
    assert_eq!(page.row.state, MatchState::Void);
    let kept = store.failed_attempts(match_id).await.unwrap();
    let kept: Vec<_> = kept.iter().map(|it| (it.attempt, it.expired, it.what.as_str())).collect();
    let cut = "no jail ".repeat(1000);
    let ran_out = "the worker stopped renewing its lease";
    assert_eq!(kept, [(1, false, &cut[..4000]), (2, true, ran_out), (3, false, &cut[..4000])]);
    assert_eq!(store.status().await.unwrap().matches_void, 1);
    assert!(store.ratings(GAME).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_report_that_is_not_believed_voids_its_attempt_and_its_record_is_kept() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let match_id = ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let leased = lease_one(&store, worker).await;
    let terms = store.match_terms(leased.lease, worker).await.unwrap().unwrap();
    assert_eq!((terms.match_id, terms.game.as_str()), (match_id, GAME));
    let it = reporting(leased.lease, worker, "played");
    let refuse = async || store.refuse_report(&it, &blob("record"), "untrue", &limits()).await;
    assert!(matches!(refuse().await, Err(FinishError::NotUploaded { .. })));
    store.note_upload(leased.lease, &blob("record")).await.unwrap();
    assert_eq!(refuse().await.unwrap(), Finished::Counted);

    // The same report again is told the same, whatever would be made of it now.
    assert!(matches!(refuse().await, Err(FinishError::Disbelieved(why)) if why == "untrue"));
    let decided = |played: &PlayedMatch| Ok::<_, NoReason>(decide(played, 50, false));
    let again = store.finish_match(&it, &blob("record"), decided).await;
    assert!(matches!(again, Err(FinishError::Disbelieved(why)) if why == "untrue"));
    assert!(store.match_terms(leased.lease, worker).await.unwrap().is_none());
    let kept = store.failed_attempts(match_id).await.unwrap();
    let kept: Vec<_> = kept.into_iter().map(|it| (it.what, it.record)).collect();
    assert_eq!(kept, [("untrue".to_owned(), Some(blob("record")))]);
    assert!(store.ratings(GAME).await.unwrap().is_empty());

    let next = lease_one(&store, worker).await;
    assert_eq!(next.attempt, 2);
    assert_eq!(finish(&store, worker, next.lease, 50).await.unwrap(), Finished::Counted);
}

#[tokio::test]
async fn a_build_fails_after_as_many_attempts_as_may_be_and_the_bot_stays_as_it_was() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let version = upload(&store, one.account, one.bot).await;
    let worker = worker(&store, "worker").await;
    for _ in 1..=limits().attempts_max {
        let leased = lease_one(&store, worker).await;
        let report = reporting(leased.lease, worker, &leased.lease.to_string());
        store.fail_attempt(&report, "", &limits()).await.unwrap();
    }
    assert!(lease(&store, worker, 1).await.is_empty());
    let versions = store.versions_of(one.bot, 10).await.unwrap();
    let states: Vec<VersionState> = versions.iter().map(|it| it.state).collect();
    assert_eq!(states, [VersionState::Failed, VersionState::Ready]);
    assert_eq!(versions[0].id, version);
    let page = store.bot_page(one.bot).await.unwrap().unwrap();
    assert_eq!((page.state, page.active_version), (BotState::Active, Some(one.version)));
}

#[tokio::test]
async fn a_failed_attempt_comes_again_after_a_while() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let leased = lease_one(&store, worker).await;
    let slow = QueueLimits {
        backoff: Duration::from_secs(30),
        backoff_max: Duration::from_secs(60),
        ..limits()
    };
    store.fail_attempt(&reporting(leased.lease, worker, "x"), "x", &slow).await.unwrap();
    assert!(lease(&store, worker, 1).await.is_empty());
    testing::sql(&store, "update jobs set not_before = not_before - interval '31 seconds'").await;
    assert_eq!(lease_one(&store, worker).await.attempt, 2);
}

#[tokio::test]
async fn a_worker_that_was_started_anew_loses_its_leases_at_once() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    for _ in 0..3 {
        ladder_match(&store, one, two).await;
    }
    let restarted = worker(&store, "restarted").await;
    let other = worker(&store, "other").await;
    let mut hello = Hello {
        start: Uuid::new_v4(),
        version: "1".to_owned(),
        slots: 2,
        people_slots: 0,
        languages: Vec::new(),
        jail: BTreeMap::new(),
    };
    let slow = QueueLimits { backoff: Duration::from_secs(60), ..limits() };
    store.greet_worker(restarted, &hello, &slow).await.unwrap();
    let lost = lease(&store, restarted, 2).await;
    let kept = lease_one(&store, other).await;

    let same = store.greet_worker(restarted, &hello, &slow).await.unwrap();
    assert_eq!(same, Reaped::default());
    assert!(store.holds(lost[0].lease, restarted).await.unwrap());

    hello.start = Uuid::new_v4();
    let anew = store.greet_worker(restarted, &hello, &slow).await.unwrap();
    assert_eq!(anew, Reaped { requeued: 2, void: 0 });
    assert!(!store.holds(lost[0].lease, restarted).await.unwrap());
    assert!(store.holds(kept.lease, other).await.unwrap());
    assert_eq!(lease(&store, restarted, 9).await.len(), 2);
}

#[tokio::test]
async fn what_was_not_uploaded_for_this_lease_is_no_record() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    ladder_match(&store, one, two).await;
    ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let [mine, other] = <[_; 2]>::try_from(lease(&store, worker, 2).await).unwrap();
    store.note_upload(other.lease, &blob("record")).await.unwrap();
    let report = |record: Blob| {
        let store = store.clone();
        async move {
            let it = reporting(mine.lease, worker, "played");
            store.finish_match(&it, &record, |it| Ok::<_, NoReason>(decide(it, 50, false))).await
        }
    };
    assert!(matches!(report(blob("record")).await, Err(FinishError::NotUploaded { .. })));
    store.note_upload(mine.lease, &blob("record")).await.unwrap();
    let shorter = Blob { bytes: 1, ..blob("record") };
    assert!(matches!(report(shorter).await, Err(FinishError::NotUploaded { .. })));
    assert_eq!(report(blob("record")).await.unwrap(), Finished::Counted);
}

#[tokio::test]
async fn a_dismissed_worker_is_unknown() {
    let store = testing::store().await;
    worker(&store, "worker").await;
    let digest = report_digest("worker");
    assert_eq!(store.worker_by_token(&digest).await.unwrap().unwrap().name, "worker");
    assert!(store.dismiss_worker("worker").await.unwrap());
    assert!(store.worker_by_token(&digest).await.unwrap().is_none());
    assert!(!store.dismiss_worker("worker").await.unwrap());
    assert!(store.admit_worker("other", &digest).await.is_err(), "a token is one worker's");
    store.admit_worker("worker", &digest).await.unwrap();
    assert!(store.worker_by_token(&digest).await.unwrap().is_some());
    assert!(store.admit_worker("", &digest).await.is_err());
}
