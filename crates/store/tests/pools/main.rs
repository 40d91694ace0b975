//! Pools of set-ups against a real Postgres: who may keep what is the server's to say, how much
//! may be kept is said here.

use serde_json::{Value, json};
use store::{
    LADDER_SETUPS_MAX, NewPool, NewSetup, POOL_SETUPS_MAX, POOLS_MAX, PoolError, Role,
    SETUP_BYTES_MAX, Store, is_pool_name, is_setup_name, testing,
};
use uuid::Uuid;

const GAME: &str = "jockey";

fn setup(name: &str, no: i64) -> NewSetup {
    NewSetup { name: name.to_owned(), setup: json!({ "no": no }) }
}

async fn pool(store: &Store, account: Uuid, name: &str) -> Uuid {
    let new = NewPool { game: GAME, name, label: "Spring", account };
    store.create_pool(new).await.unwrap()
}

async fn keep(store: &Store, pool: Uuid, by: Uuid, new: &[NewSetup]) -> Result<(), String> {
    store.keep_setups(pool, new, false, by).await.map_err(|why| why.to_string())
}

#[tokio::test]
async fn a_pool_holds_what_was_put_into_it_until_it_is_taken_out() {
    let store = testing::store().await;
    let by = testing::account(&store).await;
    let id = pool(&store, by, "spring").await;
    keep(&store, id, by, &[setup("b", 2), setup("a", 1), setup("A.1_x-y", 3)]).await.unwrap();
    assert_eq!(store.pool_setups(id).await.unwrap(), ["A.1_x-y", "a", "b"]);
    assert_eq!(store.pool_setup(id, "b").await.unwrap(), Some(json!({ "no": 2 })));
    assert_eq!(store.pool_setup(id, "c").await.unwrap(), None);
    let found = store.find_pool(GAME, "spring").await.unwrap().unwrap();
    assert_eq!((found.id, found.n_setups, found.weight), (id, 3, 0));
    assert!(store.find_pool("labyrinth", "spring").await.unwrap().is_none());

    store.change_pool(id, "Summer", 7, by).await.unwrap();
    store.keep_setups(id, &[setup("b", 4)], true, by).await.unwrap();
    store.remove_setup(id, "a", by).await.unwrap();
    let [listed] = &store.pools(GAME).await.unwrap()[..] else { panic!("one pool") };
    assert_eq!((listed.label.as_str(), listed.weight, listed.n_setups), ("Summer", 7, 2));
    assert_eq!(store.pool_setup(id, "b").await.unwrap(), Some(json!({ "no": 4 })));

    store.delete_pool(id, by).await.unwrap();
    assert!(store.pools(GAME).await.unwrap().is_empty());
    assert!(store.pool_setups(id).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_a_pool_does_not_take_changes_nothing() {
    let store = testing::store().await;
    let by = testing::account(&store).await;
    let id = pool(&store, by, "spring").await;
    keep(&store, id, by, &[setup("a", 1)]).await.unwrap();
    let large = json!({ "rows": "0".repeat(SETUP_BYTES_MAX) });
    let large = NewSetup { name: "large".into(), setup: large };
    let many: Vec<_> = (0..POOL_SETUPS_MAX).map(|no| setup(&format!("s{no}"), no + 10)).collect();
    let table: [(&[NewSetup], &str); 5] = [
        (&[setup("b", 2), setup("a", 3)], "the pool has one called a already"),
        (&[setup("b", 1)], "b is the same as a, which the pool has already"),
        (&[setup("b", 2), setup("c", 2)], "c is the same as b, which the pool has already"),
        (&[setup("b", 2), large], "large has 262156 bytes; allowed are 262144"),
        (&many, "the pool would hold 501; allowed are 500"),
    ];
    for (new, why) in table {
        let found = keep(&store, id, by, new).await.unwrap_err();
        assert!(found.starts_with(why), "{found}");
        assert_eq!(store.pool_setups(id).await.unwrap(), ["a"]);
    }
    let none = store.remove_setup(id, "b", by).await.unwrap_err();
    assert!(matches!(none, PoolError::NoSetup(name) if name == "b"));
    let taken = NewPool { game: GAME, name: "spring", label: "Again", account: by };
    let taken = store.create_pool(taken).await.unwrap_err();
    assert!(matches!(taken, PoolError::PoolNameTaken(_)), "{taken}");
    // Another game has names of its own.
    let other = NewPool { game: "labyrinth", name: "spring", label: "Again", account: by };
    store.create_pool(other).await.unwrap();

    let gone = Uuid::new_v4();
    for done in [
        store.change_pool(gone, "x", 0, by).await,
        store.delete_pool(gone, by).await,
        store.keep_setups(gone, &[setup("a", 1)], false, by).await,
        store.remove_setup(gone, "a", by).await,
    ] {
        assert!(matches!(done, Err(PoolError::NoPool)), "{done:?}");
    }
}

#[tokio::test]
async fn the_ladder_plays_pools_that_weigh_something_and_hears_of_every_change() {
    let store = testing::store().await;
    let by = testing::account(&store).await;
    let (one, other) = (pool(&store, by, "one").await, pool(&store, by, "other").await);
    keep(&store, one, by, &[setup("a", 1)]).await.unwrap();
    keep(&store, other, by, &[setup("a", 1)]).await.unwrap();
    assert!(store.ladder_setups(GAME).await.unwrap().is_empty());
    store.change_pool(one, "One", 3, by).await.unwrap();
    let [it] = &store.ladder_setups(GAME).await.unwrap()[..] else { panic!("one set-up") };
    assert_eq!((it.pool.as_str(), it.name.as_str(), it.weight), ("one", "a", 3));
    assert_eq!(it.setup, json!({ "no": 1 }));

    let mut seen = vec![store.ladder_pools(GAME).await.unwrap()];
    keep(&store, one, by, &[setup("b", 2)]).await.unwrap();
    seen.push(store.ladder_pools(GAME).await.unwrap());
    store.remove_setup(one, "a", by).await.unwrap();
    seen.push(store.ladder_pools(GAME).await.unwrap());
    store.change_pool(one, "One", 4, by).await.unwrap();
    seen.push(store.ladder_pools(GAME).await.unwrap());
    store.delete_pool(one, by).await.unwrap();
    seen.push(store.ladder_pools(GAME).await.unwrap());
    assert!(seen.windows(2).all(|it| it[0] != it[1]), "{seen:?}");
}

#[tokio::test]
async fn pools_and_the_ladder_have_room_for_so_many() {
    let store = testing::store().await;
    let by = testing::account(&store).await;
    let (one, other) = (pool(&store, by, "one").await, pool(&store, by, "other").await);
    let many: Vec<_> = (0..LADDER_SETUPS_MAX).map(|no| setup(&format!("s{no}"), no)).collect();
    keep(&store, one, by, &many).await.unwrap();
    keep(&store, other, by, &many[..1]).await.unwrap();
    store.change_pool(one, "One", 1, by).await.unwrap();
    let full = store.change_pool(other, "Other", 1, by).await.unwrap_err();
    assert!(matches!(full, PoolError::LadderFull { found: 501 }), "{full}");
    store.change_pool(other, "Other", 0, by).await.unwrap();

    for no in 2..POOLS_MAX {
        pool(&store, by, &format!("p{no}")).await;
    }
    let new = NewPool { game: GAME, name: "more", label: "More", account: by };
    let full = store.create_pool(new).await.unwrap_err();
    assert!(matches!(full, PoolError::TooManyPools { found: POOLS_MAX }), "{full}");
}

#[tokio::test]
async fn two_changes_at_once_cannot_fill_the_ladder_beyond_its_room() {
    let store = testing::store().await;
    let by = testing::account(&store).await;
    let many: Vec<_> = (0..LADDER_SETUPS_MAX).map(|no| setup(&format!("s{no}"), no)).collect();
    for round in 0..5 {
        let (one, other) = (format!("one-{round}"), format!("other-{round}"));
        let (one, other) = (pool(&store, by, &one).await, pool(&store, by, &other).await);
        keep(&store, one, by, &many).await.unwrap();
        keep(&store, other, by, &many).await.unwrap();
        let (first, second) = tokio::join!(
            store.change_pool(one, "One", 1, by),
            store.change_pool(other, "Other", 1, by)
        );
        let full = [first, second].into_iter().filter_map(Result::err);
        let full: Vec<_> = full.map(|why| why.to_string()).collect();
        assert_eq!(full, ["the ladder would play 1000 out of pools; allowed are 500"]);
        store.delete_pool(one, by).await.unwrap();
        store.delete_pool(other, by).await.unwrap();
    }
}

#[test]
fn names_are_such_that_addresses_and_matches_can_carry_them() {
    let pools = [
        ("spring-2026", true),
        ("1", true),
        (&"a".repeat(24), true),
        (&"a".repeat(25), false),
        ("", false),
        ("-a", false),
        ("Spring", false),
        ("a b", false),
        ("ü", false),
        ("a/b", false),
    ];
    for (name, fine) in pools {
        assert_eq!(is_pool_name(name), fine, "{name}");
    }
    let setups = [
        ("official-00", true),
        ("A.b_c", true),
        (&"a".repeat(39), true),
        (&"a".repeat(40), false),
        ("", false),
        (".a", false),
        ("..", false),
        ("a/b", false),
        ("a b", false),
    ];
    for (name, fine) in setups {
        assert_eq!(is_setup_name(name), fine, "{name}");
    }
}

#[tokio::test]
async fn who_did_what_to_a_pool_is_noted() {
    let store = testing::store().await;
    let by = testing::account(&store).await;
    let id = pool(&store, by, "spring").await;
    keep(&store, id, by, &[setup("a", 1)]).await.unwrap();
    store.change_pool(id, "Summer", 1, by).await.unwrap();
    store.remove_setup(id, "a", by).await.unwrap();
    store.delete_pool(id, by).await.unwrap();
    let acts = testing::acts(&store, &id.to_string()).await;
    let wanted = ["pool.create", "pool.keep", "pool.change", "pool.remove", "pool.delete"];
    assert_eq!(acts.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), wanted);
    assert!(acts.iter().all(|it| it.1 == Some(by)));
    let details: Vec<&Value> = acts.iter().map(|it| &it.2).collect();
    assert_eq!(details[1], &json!({ "setups": ["a"], "replaces": false }));
}

#[tokio::test]
async fn an_account_is_made_an_organiser_and_that_is_noted() {
    let store = testing::store().await;
    let by = testing::account(&store).await;
    store.set_role(by, Role::Organiser).await.unwrap();
    let acts = testing::acts(&store, &by.to_string()).await;
    let [(act, account, detail)] = &acts[..] else { panic!("{acts:?}") };
    assert_eq!((act.as_str(), account), ("account.set_role", &None));
    assert_eq!(detail, &json!({ "role": "organiser" }));
    assert!(Role::Organiser.organises() && Role::Admin.organises());
    assert!(!Role::Contestant.organises());
}
