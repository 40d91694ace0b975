//! Matches in which people play: slots of their own, decisions that travel, and what survives.

use std::time::Duration;

use game::Seat;
use serde_json::json;
use store::{
    DeedError, Lane, LeasedJob, LeasedMatch, MatchError, NewDeed, NewMatch, NewSeat, Notice, Poll,
    Purpose, QueueLimits, Store, testing,
};
use tokio::sync::broadcast::Receiver;
use uuid::Uuid;

use crate::kit::*;

/// A bot plants, a person walks.
pub fn by_hand(architect: Bot, account: Uuid) -> NewMatch {
    let seats = vec![
        NewSeat::Bot { bot: architect.bot, version: architect.version },
        NewSeat::Person { account },
    ];
    NewMatch {
        created_by: Some(account),
        seats: seats.into(),
        ..new_match(Purpose::Friendly, architect, architect)
    }
}

async fn lease_people(store: &Store, worker: Uuid) -> Vec<store::Leased> {
    let poll = Poll { jobs_max: 0, people_max: 2, ..poll(worker, 0) };
    store.lease(&[poll], &limits()).await.unwrap().remove(0)
}

fn played(leased: &store::Leased) -> &LeasedMatch {
    let LeasedJob::Match(it) = &leased.job else { panic!("{leased:?}") };
    it
}

#[tokio::test]
async fn matches_with_people_have_slots_of_their_own() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let account = testing::account(&store).await;
    let of_people = store.create_match(&by_hand(one, account), 5).await.unwrap();
    let of_bots = ladder_match(&store, one, two).await;
    assert_eq!(queued(&store).await, [(Lane::Ladder, 1), (Lane::People, 1)]);
    let waits = store.waiting(&[of_people, of_bots]).await.unwrap();
    assert_eq!(waits[&of_bots].matches_ahead, 0, "nobody waits for people");
    assert!(waits[&of_people].with_people && !waits[&of_bots].with_people);
    assert_eq!(waits[&of_people].languages, [LANGUAGE]);

    let worker = worker(&store, "worker").await;
    let leased = lease(&store, worker, 5).await;
    assert_eq!(leased.iter().map(match_of).collect::<Vec<_>>(), [of_bots]);
    let leased = lease_people(&store, worker).await;
    let it = played(&leased[0]);
    assert_eq!(it.match_id, of_people);
    assert!(it.seats[Seat(0)].is_some() && it.seats[Seat(1)].is_none());
    assert!(it.played.is_empty());
    assert!(lease_people(&store, worker).await.is_empty());

    // Who cannot run the bot cannot play against it either.
    store.give_back(&[leased[0].lease]).await.unwrap();
    let other = Poll { worker, languages: vec!["cpp".into()], jobs_max: 5, people_max: 5 };
    assert!(store.lease(&[other], &limits()).await.unwrap()[0].is_empty());
    assert_eq!(lease_people(&store, worker).await.len(), 1);
}

#[tokio::test]
async fn a_result_with_people_counts_for_no_rating() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let account = testing::account(&store).await;
    let id = store.create_match(&by_hand(one, account), 5).await.unwrap();
    let worker = worker(&store, "worker").await;
    let lease = lease_people(&store, worker).await[0].lease;
    assert_eq!(store.calls_for(account).await.unwrap(), 1);
    let terms = store.match_terms(lease, worker).await.unwrap().unwrap();
    assert_eq!(json!(terms.sitters), json!(["bot", "person"]));
    finish(&store, worker, lease, 30).await.unwrap();
    let page = store.match_page(id).await.unwrap().unwrap();
    assert_eq!(page.row.seat_of(account), Some(Seat(1)));
    assert_eq!(page.row.people(), [Seat(1)]);
    assert_eq!(page.row.seats[0].bot, Some((one.bot, 1)));
    assert_eq!(page.seats[1].language, None);
    assert!(page.seats.iter().all(|it| it.after.is_none()));
    assert!(store.ratings(GAME).await.unwrap().is_empty());
    assert!(recomputed(&store).await.is_empty());
    assert_eq!(store.calls_for(account).await.unwrap(), 0);
}

/// Whether somebody is told of what is about them, within a moment.
async fn is_told(news: &mut Receiver<Notice>, account: Uuid) -> bool {
    let heard = tokio::time::timeout(Duration::from_secs(1), async {
        while news.recv().await.unwrap() != Notice::Invitation(account) {}
    });
    let heard = heard.await.is_ok();
    while news.try_recv().is_ok() {}
    heard
}

#[tokio::test]
async fn who_plays_is_told_when_the_match_begins_ends_or_is_void() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let account = testing::account(&store).await;
    let worker = worker(&store, "worker").await;
    let mut news = store.notices();
    store.create_match(&by_hand(one, account), 5).await.unwrap();
    let lease = lease_people(&store, worker).await[0].lease;
    assert!(is_told(&mut news, account).await, "it has begun");
    finish(&store, worker, lease, 30).await.unwrap();
    assert!(is_told(&mut news, account).await, "it has ended");

    store.create_match(&by_hand(one, account), 5).await.unwrap();
    lease_people(&store, worker).await.remove(0);
    assert!(is_told(&mut news, account).await, "another has begun");
    testing::sql(&store, "update jobs set deadline = now() - interval '1 s'").await;
    let once = QueueLimits { attempts_max: 1, ..limits() };
    assert_eq!(store.reap_leases(&once).await.unwrap().void, 1);
    assert!(is_told(&mut news, account).await, "it is void");
}

#[tokio::test]
async fn what_was_played_and_decided_outlives_a_worker() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let account = testing::account(&store).await;
    let match_id = store.create_match(&by_hand(one, account), 5).await.unwrap();
    let worker = worker(&store, "worker").await;
    let lost = lease_people(&store, worker).await.remove(0);
    store.add_plies(lost.lease, worker, 0, &frames(&["1", "2", "3"]), 100).await.unwrap();
    let log = ["a line".to_owned(), String::new(), "a flag: \u{1f3c1}".to_owned()];
    let deed = |attempt: i32, ply: u32| NewDeed {
        match_id,
        attempt,
        ply,
        seat: Seat(1),
        account,
        action: &serde_json::Value::Null,
        log: &log,
    };
    store.add_deed(&deed(1, 3)).await.unwrap();
    let live = store.live_plies(match_id, 1, 0, 10).await.unwrap().unwrap();
    assert_eq!((live.plies.len(), live.decided.as_slice()), (3, &[Seat(1)][..]));
    assert!(live.asked_for_s.is_some_and(|it| it < 60.0));

    store.fail_attempt(&reporting(lost.lease, worker, "x"), "x", &limits()).await.unwrap();
    assert!(matches!(store.add_deed(&deed(1, 3)).await, Err(DeedError::NotPlayed)));
    let live = store.live_plies(match_id, 1, 0, 10).await.unwrap().unwrap();
    assert_eq!((live.plies.len(), live.asked_for_s), (3, None), "nobody's clock runs meanwhile");

    let again = lease_people(&store, worker).await.remove(0);
    assert_eq!(played(&again).played, ["1", "2", "3"]);
    assert!(played(&again).played_s >= 0.0);
    let deeds = store.deeds_since(again.lease, worker, 0).await.unwrap().unwrap();
    assert_eq!(deeds.deeds.len(), 1, "what they had decided is not asked again");
    assert_eq!((deeds.deeds[0].1.ply, deeds.deeds[0].1.seat), (3, Seat(1)));
    assert_eq!(deeds.deeds[0].1.log, log);
    assert!(store.deeds_since(lost.lease, worker, 0).await.unwrap().is_none());
    assert!(matches!(store.add_deed(&deed(2, 3)).await, Err(DeedError::Again)));
    store.add_plies(again.lease, worker, 3, &frames(&["4"]), 100).await.unwrap();
    let live = store.live_plies(match_id, 2, 0, 10).await.unwrap().unwrap();
    assert_eq!(live.plies, ["1", "2", "3", "4"]);
}

#[tokio::test]
async fn a_decision_is_taken_once_and_of_who_sits_there() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let account = testing::account(&store).await;
    let stranger = testing::account(&store).await;
    let match_id = store.create_match(&by_hand(one, account), 5).await.unwrap();
    let action = json!({ "step": 0 });
    let deed = |seat: u8, account: Uuid, ply: u32| NewDeed {
        match_id,
        attempt: 1,
        ply,
        seat: Seat(seat),
        account,
        action: &action,
        log: &[],
    };
    assert!(matches!(store.add_deed(&deed(1, account, 0)).await, Err(DeedError::NotPlayed)));
    let worker = worker(&store, "worker").await;
    let lease = lease_people(&store, worker).await[0].lease;
    for (seat, account) in [(0, account), (0, one.account), (1, stranger), (7, account)] {
        let refused = store.add_deed(&deed(seat, account, 0)).await;
        assert!(matches!(refused, Err(DeedError::NotTheirs)), "{seat}");
    }
    store.add_deed(&deed(1, account, 1)).await.unwrap();
    assert!(matches!(store.add_deed(&deed(1, account, 1)).await, Err(DeedError::Again)));
    store.add_deed(&deed(1, account, 3)).await.unwrap();
    let all = store.deeds_since(lease, worker, 0).await.unwrap().unwrap();
    let plies: Vec<u32> = all.deeds.iter().map(|it| it.1.ply).collect();
    assert_eq!((all.match_id, plies), (match_id, vec![1, 3]));
    assert_eq!(all.deeds[0].1.action, action);
    let rest = store.deeds_since(lease, worker, all.deeds[0].0).await.unwrap().unwrap();
    assert_eq!(rest.deeds.len(), 1);
    let other = crate::kit::worker(&store, "other").await;
    assert!(store.deeds_since(lease, other, 0).await.unwrap().is_none());
}

#[tokio::test]
async fn a_match_with_people_that_takes_too_long_is_void_and_does_not_come_again() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let account = testing::account(&store).await;
    let id = store.create_match(&by_hand(one, account), 5).await.unwrap();
    let worker = worker(&store, "worker").await;
    let lease = lease_people(&store, worker).await[0].lease;
    let brief = QueueLimits { people_match: Duration::ZERO, ..limits() };
    store.fail_attempt(&reporting(lease, worker, "x"), "it took too long", &brief).await.unwrap();
    let page = store.match_page(id).await.unwrap().unwrap();
    assert_eq!(page.row.state, store::MatchState::Void);
    assert!(page.void_why.unwrap().contains("it took too long"));
}

#[tokio::test]
async fn people_sit_on_one_seat_and_in_so_many_matches() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let account = testing::account(&store).await;
    let seats = vec![NewSeat::Person { account }, NewSeat::Person { account }];
    let both = NewMatch { seats: seats.into(), ..by_hand(one, account) };
    assert!(matches!(store.create_match(&both, 9).await, Err(MatchError::SamePerson)));
    store.create_match(&by_hand(one, account), 2).await.unwrap();
    store.create_match(&by_hand(one, account), 2).await.unwrap();
    let refused = store.create_match(&by_hand(one, account), 2).await;
    assert!(matches!(refused, Err(MatchError::TooManyWithPeople { found: 2 })));
    let of_bots = NewMatch { created_by: Some(account), ..new_match(Purpose::Friendly, one, two) };
    store.create_match(&of_bots, 2).await.unwrap();
}

#[tokio::test]
async fn of_what_people_decide_at_once_nothing_is_passed_over() {
    const N_PLIES: u32 = 60;
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let (left, right) = (testing::account(&store).await, testing::account(&store).await);
    let seats = vec![NewSeat::Person { account: left }, NewSeat::Person { account: right }];
    let new = NewMatch { seats: seats.into(), ..by_hand(one, left) };
    let match_id = store.create_match(&new, 5).await.unwrap();
    let worker = worker(&store, "worker").await;
    let lease = lease_people(&store, worker).await[0].lease;
    let decide = async |seat: u8, account: Uuid| {
        for ply in 0..N_PLIES {
            let (seat, action) = (Seat(seat), &json!(ply));
            let deed = NewDeed { match_id, attempt: 1, ply, seat, account, action, log: &[] };
            store.add_deed(&deed).await.unwrap();
        }
    };
    let hear = async {
        let (mut after, mut n_heard) = (0, 0);
        // As a worker does: whatever comes after what it has heard.
        while n_heard < 2 * N_PLIES as usize {
            let since = store.deeds_since(lease, worker, after).await.unwrap().unwrap();
            n_heard += since.deeds.len();
            after = since.deeds.last().map_or(after, |it| it.0);
        }
    };
    let all = async { tokio::join!(decide(0, left), decide(1, right), hear) };
    tokio::time::timeout(Duration::from_secs(60), all).await.expect("all is heard");
}
