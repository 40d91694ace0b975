//! Where matches stand in the queue, and how fast it moves.

use store::{Purpose, Waiting, testing};

use crate::kit::*;

#[tokio::test]
async fn a_match_stands_behind_all_that_is_leased_before_it() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let ladder = [ladder_match(&store, one, two).await, ladder_match(&store, one, two).await];
    let friendly = new_match(Purpose::Friendly, one, two);
    let friendly = store.create_match(&friendly, 100).await.unwrap();
    let other = new_bot(&store, one.account, "architect").await;
    upload(&store, one.account, other).await;

    let all = [ladder[0], ladder[1], friendly];
    let stands = store.waiting(&all).await.unwrap();
    let expected = |builds_ahead, matches_ahead| {
        let languages = vec![LANGUAGE.to_owned()];
        Some(Waiting { builds_ahead, matches_ahead, languages, with_people: false })
    };
    for (id, wanted) in
        [(friendly, expected(1, 0)), (ladder[0], expected(1, 1)), (ladder[1], expected(1, 2))]
    {
        assert_eq!(stands.get(&id).cloned(), wanted);
    }

    let worker = worker(&store, "worker").await;
    let leased = lease(&store, worker, 2).await;
    let stands = store.waiting(&all).await.unwrap();
    assert_eq!(stands.len(), 2, "what is leased waits no more");
    assert_eq!(stands.get(&ladder[0]).cloned(), expected(0, 0));

    let pace = store.pace().await.unwrap();
    assert_eq!((pace.builds_running_s.len(), pace.matches_running_s.len()), (1, 1));
    assert_eq!(pace.match_s, None, "none was played");
    assert!(pace.build_s.is_some(), "two bots were built");
    let played = leased.iter().find(|it| matches!(it.job, store::LeasedJob::Match(_))).unwrap();
    testing::sql(&store, "update jobs set leased_at = now() - interval '7 s' where kind = 'match' and state = 'leased'").await;
    finish(&store, worker, played.lease, 60).await.unwrap();
    let took_s = store.pace().await.unwrap().match_s.unwrap();
    assert!((7.0..60.0).contains(&took_s), "{took_s}");
}
