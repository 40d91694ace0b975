//! Who gets which job.

use std::time::Duration;

use store::{
    Error, Lane, LeasedJob, LeasedSeat, MatchError, NewMatch, Notice, Poll, Purpose, testing,
};
use uuid::Uuid;

use crate::kit::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn eight_leasers_at_once_never_share_a_job() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    for _ in 0..120 {
        ladder_match(&store, one, two).await;
    }
    let mut tasks = Vec::new();
    for it in 0..8 {
        let store = store.clone();
        let worker = worker(&store, &format!("worker {it}")).await;
        tasks.push(tokio::spawn(async move {
            let mut taken = Vec::new();
            loop {
                let jobs = lease(&store, worker, 1 + it % 3).await;
                if jobs.is_empty() {
                    return taken;
                }
                taken.extend(jobs);
            }
        }));
    }
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await.unwrap());
    }
    assert_eq!(all.len(), 120);
    assert_eq!(distinct(all.iter().map(match_of)), 120);
    assert_eq!(distinct(all.iter().map(|it| it.lease)), 120);
    assert!(all.iter().all(|it| it.attempt == 1 && it.lease.get_version_num() == 4));
}

#[tokio::test]
async fn one_transaction_serves_all_who_wait_and_each_only_what_it_can_run() -> Result<(), Error> {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    for _ in 0..4 {
        ladder_match(&store, one, two).await;
    }
    let poll = |languages: &[&str], worker: Uuid| Poll {
        worker,
        languages: languages.iter().map(|&it| it.to_owned()).collect(),
        people_max: 0,
        jobs_max: 3,
    };
    let mut workers = Vec::new();
    for name in ["a", "b", "c"] {
        workers.push(worker(&store, name).await);
    }
    let polls = [
        poll(&["cpp", "java"], workers[0]),
        poll(&["cpp", LANGUAGE], workers[1]),
        poll(&[LANGUAGE], workers[2]),
    ];
    let dealt = store.lease(&polls, &limits()).await?;
    assert_eq!(dealt.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1, 3]);
    for (jobs, worker) in dealt.iter().zip(workers) {
        for it in jobs {
            assert!(store.holds(it.lease, worker).await?);
        }
    }
    Ok(())
}

#[tokio::test]
async fn a_leased_match_comes_with_all_that_is_needed_to_play_it() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let match_id = ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let LeasedJob::Match(it) = lease_one(&store, worker).await.job else { panic!("no match") };
    assert_eq!((it.match_id, it.game.as_str(), it.rules), (match_id, GAME, 1));
    assert_eq!(it.setup, serde_json::json!({ "size": 8 }));
    let versions: Vec<Uuid> =
        it.seats.iter().filter_map(|it| Some(it.1.as_ref()?.version)).collect();
    assert_eq!(versions, [one.version, two.version]);
    let artefact = |it: &LeasedSeat| it.artefact == blob("artefact");
    assert!(it.seats.iter().all(|it| it.1.as_ref().is_some_and(artefact)));
}

#[tokio::test]
async fn lanes_go_out_in_order() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    for purpose in [Purpose::Ladder, Purpose::Friendly, Purpose::Validation] {
        store.create_match(&new_match(purpose, one, two), 0).await.unwrap();
    }
    upload(&store, one.account, one.bot).await;
    // People have a lane beside these.
    let lanes = [Lane::Build, Lane::Validation, Lane::Friendly, Lane::Ladder];
    assert_eq!(queued(&store).await, lanes.map(|it| (it, 1)));
    let worker = worker(&store, "worker").await;
    for lane in lanes {
        lease_one(&store, worker).await;
        assert!(queued(&store).await.iter().all(|it| it.0 > lane));
    }
}

#[tokio::test]
async fn whoever_asks_for_one_match_does_not_wait_for_all_of_another() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let friendly =
        |account| NewMatch { created_by: Some(account), ..new_match(Purpose::Friendly, one, two) };
    for _ in 0..10 {
        store.create_match(&friendly(one.account), 10).await.unwrap();
    }
    let modest = store.create_match(&friendly(two.account), 10).await.unwrap();
    let worker = worker(&store, "worker").await;
    let first: Vec<Uuid> = lease(&store, worker, 2).await.iter().map(match_of).collect();
    assert!(first.contains(&modest));
}

#[tokio::test]
async fn an_account_may_have_so_many_matches_waiting_and_no_more() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let new = NewMatch { created_by: Some(one.account), ..new_match(Purpose::Friendly, one, two) };
    let mut tasks = Vec::new();
    for _ in 0..6 {
        let (store, new) = (store.clone(), new.clone());
        tasks.push(tokio::spawn(async move { store.create_match(&new, 4).await }));
    }
    let mut made = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(_) => made += 1,
            Err(why) => assert!(matches!(why, MatchError::TooMany { found: 4 }), "{why}"),
        }
    }
    assert_eq!(made, 4);
}

#[tokio::test]
async fn own_bots_never_meet_in_rated_play() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let two = bot_of(&store, one.account, "adventurer").await;
    let refused = store.create_match(&new_match(Purpose::Ladder, one, two), 0).await;
    assert!(matches!(refused, Err(MatchError::OwnBots)));
    assert!(queued(&store).await.is_empty());
    store.create_match(&new_match(Purpose::Friendly, one, two), 0).await.unwrap();
}

#[tokio::test]
async fn only_versions_that_are_ready_and_the_bots_own_can_play() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let unbuilt = upload(&store, two.account, two.bot).await;
    for version in [unbuilt, one.version, Uuid::new_v4()] {
        let wrong = Bot { version, ..two };
        let refused = store.create_match(&new_match(Purpose::Ladder, one, wrong), 0).await;
        assert!(matches!(refused, Err(MatchError::NotReady { seat }) if seat.0 == 1));
    }
}

#[tokio::test]
async fn a_lease_lives_as_long_as_it_is_renewed() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    let leased = lease_one(&store, worker).await;
    testing::sql(&store, "update jobs set deadline = now() - interval '1 second'").await;
    assert!(store.renew(leased.lease, worker, &limits()).await.unwrap());
    assert_eq!(store.reap_leases(&limits()).await.unwrap().requeued, 0);
    assert!(store.holds(leased.lease, worker).await.unwrap());
}

#[tokio::test]
async fn jobs_given_back_cost_no_attempt() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    ladder_match(&store, one, two).await;
    let worker = worker(&store, "worker").await;
    for attempt in 1..=10 {
        let leased = lease_one(&store, worker).await;
        assert_eq!(leased.attempt, attempt);
        store.give_back(&[leased.lease]).await.unwrap();
        assert!(!store.renew(leased.lease, worker, &limits()).await.unwrap());
    }
    let leased = lease_one(&store, worker).await;
    finish(&store, worker, leased.lease, 60).await.unwrap();
}

#[tokio::test]
async fn news_of_the_queue_reach_every_server() {
    let address = testing::database().await;
    let here = store::Store::connect(&address, Default::default()).await.unwrap();
    let there = store::Store::connect(&address, Default::default()).await.unwrap();
    let mut news = there.notices();
    let (one, two) = (bot(&here, "architect").await, bot(&here, "adventurer").await);
    let match_id = ladder_match(&here, one, two).await;
    let mut heard = Vec::new();
    while !heard.contains(&Notice::Match(match_id)) {
        let next = tokio::time::timeout(Duration::from_secs(5), news.recv()).await;
        heard.push(next.expect("news come soon").unwrap());
    }
    assert!(heard.contains(&Notice::Queue));
    assert!(heard.contains(&Notice::Bot(one.bot)));
}

#[tokio::test]
async fn any_number_of_servers_may_start_at_once_on_an_empty_database() {
    let address = testing::empty_database().await;
    let starts = (0..6).map(|_| {
        let address = address.clone();
        tokio::spawn(async move { store::Store::connect(&address, Default::default()).await })
    });
    let starts: Vec<_> = starts.collect();
    let mut keys = Vec::new();
    for start in starts {
        let store = start.await.unwrap().unwrap();
        keys.push(store.secret("key").await.unwrap());
    }
    keys.dedup();
    assert_eq!(keys.len(), 1);
}
