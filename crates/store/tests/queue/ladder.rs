//! Bots come onto the ladder and leave it.

use store::{
    Bench, BotError, BotState, BuildDecision, Built, FinishError, LadderState, Made, NewBot,
    NewVersion, Purpose, SeatVerdict, Store, VersionError, VersionState, testing,
};
use uuid::Uuid;

use crate::kit::*;

async fn state(store: &Store, bot: Uuid) -> BotState {
    store.bot_page(bot).await.unwrap().unwrap().state
}

async fn ladder(store: &Store) -> LadderState {
    let mut seen = None;
    store
        .top_up(GAME, |it| {
            seen = Some(it.clone());
            Vec::new()
        })
        .await
        .unwrap()
        .expect("nobody else is at it");
    seen.unwrap()
}

/// Plays the next match of the queue, with this verdict for each seat.
async fn play(store: &Store, worker: Uuid, verdicts: [SeatVerdict; 2]) {
    let lease = lease_one(store, worker).await.lease;
    store.note_upload(lease, &blob("record")).await.unwrap();
    let it = reporting(lease, worker, "played");
    store
        .finish_match(&it, &blob("record"), |played| {
            let mut decision = decide(played, 50, false);
            for ((_, seat), verdict) in decision.seats.iter_mut().zip(verdicts) {
                seat.verdict = verdict;
            }
            Ok::<_, NoReason>(decision)
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_bot_is_validated_by_its_first_match_and_benched_by_a_fault_in_it() {
    let store = testing::store().await;
    let opponent = bot(&store, "adventurer").await;
    let account = testing::account(&store).await;
    let id = new_bot(&store, account, "architect").await;
    assert_eq!(state(&store, id).await, BotState::Waiting);
    let version = upload(&store, account, id).await;
    build(&store, version, Some(BotState::Validating)).await;
    assert_eq!(state(&store, id).await, BotState::Validating);
    let newcomer = Bot { account, bot: id, version };
    let first = new_match(Purpose::Validation, newcomer, opponent);
    let worker = worker(&store, "worker").await;

    store.create_match(&first, 0).await.unwrap();
    let why = "it crashed".to_owned();
    play(&store, worker, [SeatVerdict::Failed(why), SeatVerdict::Stays]).await;
    let page = store.bot_page(id).await.unwrap().unwrap();
    assert_eq!(page.state, BotState::Benched);
    assert_eq!(page.benched_why.as_deref(), Some("it crashed"));
    assert_eq!(ladder(&store).await.bots.len(), 1);

    // Its owner may try again; it has still to be validated.
    assert_eq!(store.activate_bot(id, account).await.unwrap(), BotState::Validating);
    store.create_match(&first, 0).await.unwrap();
    play(&store, worker, [SeatVerdict::Validated, SeatVerdict::Stays]).await;
    assert_eq!(state(&store, id).await, BotState::Active);

    // Once it has been, the bench is its owner's alone.
    let bench = Bench { bot: id, account, why: "holiday" };
    store.bench_bot(&bench).await.unwrap();
    assert_eq!(state(&store, id).await, BotState::Benched);
    assert_eq!(store.activate_bot(id, account).await.unwrap(), BotState::Active);
}

#[tokio::test]
async fn a_verdict_on_a_version_that_was_replaced_says_nothing() {
    let store = testing::store().await;
    let opponent = bot(&store, "adventurer").await;
    let account = testing::account(&store).await;
    let id = new_bot(&store, account, "architect").await;
    let version = upload(&store, account, id).await;
    build(&store, version, Some(BotState::Validating)).await;
    let newcomer = Bot { account, bot: id, version };
    store.create_match(&new_match(Purpose::Validation, newcomer, opponent), 0).await.unwrap();
    let worker = worker(&store, "worker").await;
    let old = lease_one(&store, worker).await.lease;
    let newer = upload(&store, account, id).await;
    build(&store, newer, Some(BotState::Validating)).await;

    store.note_upload(old, &blob("record")).await.unwrap();
    let it = reporting(old, worker, "played");
    store
        .finish_match(&it, &blob("record"), |played| {
            let active = |it: u8| played.seats[game::Seat(it)].as_ref().map(|it| it.version_active);
            assert_eq!((active(0), active(1)), (Some(false), Some(true)));
            let mut decision = decide(played, 50, false);
            decision.seats[game::Seat(0)].verdict = SeatVerdict::Failed("crash".to_owned());
            Ok::<_, NoReason>(decision)
        })
        .await
        .unwrap();
    assert_eq!(state(&store, id).await, BotState::Validating);
}

#[tokio::test]
async fn matches_of_a_benched_bot_that_nobody_has_started_are_taken_back() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let three = bot(&store, "architect").await;
    let worker = worker(&store, "worker").await;
    let running = ladder_match(&store, one, two).await;
    let lease = lease_one(&store, worker).await.lease;
    let waiting = ladder_match(&store, one, two).await;
    let other = ladder_match(&store, three, two).await;
    let friendly = store.create_match(&new_match(Purpose::Friendly, one, two), 0).await.unwrap();
    store.bench_bot(&Bench { bot: one.bot, account: one.account, why: "" }).await.unwrap();
    for (id, stays) in [(running, true), (waiting, false), (other, true), (friendly, true)] {
        assert_eq!(store.match_page(id).await.unwrap().is_some(), stays);
    }
    finish(&store, worker, lease, 50).await.unwrap();
    assert_eq!(state(&store, one.bot).await, BotState::Benched);
}

#[tokio::test]
async fn the_ladder_knows_ratings_what_is_pending_and_which_set_ups_were_met() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    for _ in 0..3 {
        ladder_match(&store, one, two).await;
    }
    let worker = worker(&store, "worker").await;
    let lease = lease_one(&store, worker).await.lease;
    finish(&store, worker, lease, 90).await.unwrap();
    lease_one(&store, worker).await;
    let seen = ladder(&store).await;
    assert_eq!(seen.bots.iter().map(|it| it.bot).collect::<Vec<_>>(), [one.bot, two.bot]);
    let architect = &seen.bots[0];
    assert_eq!((architect.account, architect.version), (one.account, one.version));
    assert_eq!((architect.ladder_pending, architect.validations_pending), (2, 0));
    assert!(architect.rating > Some(1500.0) && architect.deviation < Some(350.0));
    assert_eq!(architect.presets.get("small"), Some(&3));
    assert!(architect.last_made_at.is_some_and(|it| it <= seen.now));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_server_at_a_time_makes_matches() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let (inside, entered) = std::sync::mpsc::channel();
    let (leave, left) = std::sync::mpsc::channel::<()>();
    let first = {
        let store = store.clone();
        tokio::spawn(async move {
            store
                .top_up(GAME, move |_| {
                    inside.send(()).unwrap();
                    tokio::task::block_in_place(|| left.recv().unwrap());
                    vec![new_match(Purpose::Ladder, one, two)]
                })
                .await
        })
    };
    tokio::task::spawn_blocking(move || entered.recv().unwrap()).await.unwrap();
    let second = store.top_up(GAME, |_| panic!("not while another is at it")).await.unwrap();
    assert_eq!(second, None);
    leave.send(()).unwrap();
    assert_eq!(first.await.unwrap().unwrap().unwrap().len(), 1);
}

#[tokio::test]
async fn a_source_that_does_not_compile_is_refused_and_the_bot_plays_on() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    upload(&store, one.account, one.bot).await;
    let worker = worker(&store, "worker").await;
    let lease = lease_one(&store, worker).await.lease;
    let refuse = BuildDecision {
        built: Built::Refused("line 1: no".to_owned()),
        ..ready(&blob("artefact"), None)
    };
    let it = reporting(lease, worker, "refused");
    store.finish_build(&it, None, |_| Ok::<_, NoReason>(refuse)).await.unwrap();
    let versions = store.versions_of(one.bot, 10).await.unwrap();
    assert_eq!(versions[0].state, VersionState::Refused);
    assert_eq!(state(&store, one.bot).await, BotState::Active);
    assert_eq!(ladder(&store).await.bots[0].version, one.version);
}

#[tokio::test]
async fn a_build_is_decided_by_what_holds_when_it_is_done() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let two = bot(&store, "adventurer").await;
    let version = upload(&store, two.account, two.bot).await;
    let worker = worker(&store, "worker").await;
    let lease = lease_one(&store, worker).await.lease;
    store.bench_bot(&Bench { bot: two.bot, account: two.account, why: "" }).await.unwrap();
    store.note_upload(lease, &blob("artefact")).await.unwrap();
    let it = reporting(lease, worker, "built");
    let refused = store
        .finish_build(&it, Some(Made::Anew(&blob("artefact"))), |build| {
            assert_eq!((build.version, build.number, build.active_number), (version, 2, Some(1)));
            assert_eq!((build.state, build.benched_by_owner), (BotState::Benched, true));
            let ladder: Vec<Uuid> = build.ladder.bots.iter().map(|it| it.bot).collect();
            assert_eq!(ladder, [one.bot]);
            let newcomer = build.as_newcomer();
            assert_eq!((newcomer.bot, newcomer.version), (two.bot, version));
            Err(NoReason)
        })
        .await;
    assert!(matches!(refused, Err(FinishError::Refused(NoReason))));
    let kind = store
        .finish_match(&it, &blob("artefact"), |_| -> Result<_, NoReason> { panic!("a build") })
        .await;
    assert!(matches!(kind, Err(FinishError::OtherKind)));
    store
        .finish_build(&it, Some(Made::Anew(&blob("artefact"))), |_| {
            Ok::<_, NoReason>(ready(&blob("artefact"), Some(BotState::Benched)))
        })
        .await
        .unwrap();
    assert_eq!(state(&store, two.bot).await, BotState::Benched);
    let page = store.bot_page(two.bot).await.unwrap().unwrap();
    assert_eq!(page.active_version, Some(version));
}

#[tokio::test]
async fn an_older_version_can_be_chosen_again_but_only_a_ready_one_of_the_bot() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let other = bot(&store, "architect").await;
    let newer = upload(&store, one.account, one.bot).await;
    let unready = store.choose_version(one.bot, one.account, newer).await;
    assert!(matches!(unready, Err(BotError::NotReady)));
    build(&store, newer, Some(BotState::Active)).await;
    assert_eq!(ladder(&store).await.bots[0].version, newer);
    store.choose_version(one.bot, one.account, one.version).await.unwrap();
    assert_eq!(ladder(&store).await.bots[0].version, one.version);
    let foreign = store.choose_version(one.bot, one.account, other.version).await;
    assert!(matches!(foreign, Err(BotError::NotReady)));
}

#[tokio::test]
async fn nobody_touches_the_bot_of_another() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let thief = testing::account(&store).await;
    let bench = Bench { bot: one.bot, account: thief, why: "mine" };
    assert!(matches!(store.bench_bot(&bench).await, Err(BotError::Unknown)));
    assert!(matches!(store.activate_bot(one.bot, thief).await, Err(BotError::Unknown)));
    let chosen = store.choose_version(one.bot, thief, one.version).await;
    assert!(matches!(chosen, Err(BotError::Unknown)));
    let source = blob("source");
    let uploaded = store
        .create_version(&NewVersion {
            bot: one.bot,
            account: thief,
            language: LANGUAGE,
            file_name: "bot.py",
            source: &source,
            builds_waiting_max: 5,
        })
        .await;
    assert!(matches!(uploaded, Err(VersionError::UnknownBot)));
}

#[tokio::test]
async fn names_are_unique_in_a_game_and_bots_are_limited() {
    let store = testing::store().await;
    let account = testing::account(&store).await;
    let new = |key, bots_max| NewBot {
        account,
        game: GAME,
        role: "architect",
        name: "Name",
        name_key: key,
        bots_max,
    };
    let id = store.create_bot(&new("name", 2)).await.unwrap();
    assert!(matches!(store.create_bot(&new("name", 2)).await, Err(BotError::NameTaken)));
    let elsewhere = NewBot { game: "jockey", ..new("name", 3) };
    store.create_bot(&elsewhere).await.unwrap();
    assert!(matches!(
        store.create_bot(&new("other", 2)).await,
        Err(BotError::TooMany { found: 2 })
    ));
    assert!(matches!(store.activate_bot(id, account).await, Err(BotError::NoVersion)));

    upload(&store, account, id).await;
    let source = blob("source");
    let more = store
        .create_version(&NewVersion {
            bot: id,
            account,
            language: LANGUAGE,
            file_name: "bot.py",
            source: &source,
            builds_waiting_max: 1,
        })
        .await;
    assert!(matches!(more, Err(VersionError::TooMany { found: 1 })));
}
