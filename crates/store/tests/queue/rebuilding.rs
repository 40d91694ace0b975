//! What was built of a source is used again, and only of that source.

use store::{
    Blob, BuildDecision, FinishError, Finished, LeasedBuild, LeasedJob, Made, NewVersion, Poll,
    Store, VersionState, testing,
};

use crate::kit::*;
use uuid::Uuid;

/// Uploads the kit's source once more, and leases its build.
async fn lease_again(store: &Store, bot: Bot, worker: Uuid) -> (Uuid, LeasedBuild) {
    upload(store, bot.account, bot.bot).await;
    let leased = lease_one(store, worker).await;
    match leased.job {
        LeasedJob::Build(build) => (leased.lease, build),
        LeasedJob::Match(_) => panic!("a match"),
    }
}

async fn finish(
    store: &Store,
    (lease, worker): (Uuid, Uuid),
    made: Made<'_>,
    recipe: &str,
) -> Result<Finished, FinishError<NoReason>> {
    let (Made::Anew(artefact) | Made::Before { artefact, .. }) = made;
    let decision = BuildDecision {
        recipe: Some(recipe.to_owned()),
        log: "of this build".to_owned(),
        build_ms: 0,
        ..ready(artefact, None)
    };
    store.finish_build(&reporting(lease, worker, "built"), Some(made), |_| Ok(decision)).await
}

#[tokio::test]
async fn a_source_that_was_built_before_comes_with_what_came_of_it() {
    let store = testing::store().await;
    let (one, two) = (bot(&store, "architect").await, bot(&store, "adventurer").await);
    let worker = worker(&store, "worker").await;
    let (lease, build) = lease_again(&store, two, worker).await;
    let recipe = blob("recipe").digest;
    assert_eq!(build.known, [(recipe.clone(), blob("artefact"))], "once for each recipe");

    let made = Made::Before { artefact: &blob("artefact"), recipe: &recipe };
    assert_eq!(finish(&store, (lease, worker), made, &recipe).await.unwrap(), Finished::Counted);
    let page = store.version_page(two.bot, None).await.unwrap().unwrap();
    assert_eq!((page.state, page.reused), (VersionState::Ready, true));
    assert_eq!((page.build_log.as_deref(), page.build_ms), (Some("fine"), Some(5)), "of then");
    let page = store.version_page(one.bot, None).await.unwrap().unwrap();
    assert!(!page.reused);
}

#[tokio::test]
async fn what_was_not_built_of_this_source_by_this_recipe_is_not_used() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let worker = worker(&store, "worker").await;
    let (lease, _) = lease_again(&store, one, worker).await;
    let (artefact, recipe) = (blob("artefact"), blob("recipe").digest);
    let longer = Blob { bytes: artefact.bytes + 1, ..artefact.clone() };
    let table = [
        (&blob("another artefact"), &recipe),
        (&longer, &recipe),
        (&artefact, &blob("another recipe").digest),
    ];
    for (artefact, recipe) in table {
        let made = Made::Before { artefact, recipe };
        let refused = finish(&store, (lease, worker), made, recipe).await;
        assert!(matches!(refused, Err(FinishError::NotKnown { .. })), "{refused:?}");
    }
    // The lease lives on, and what is built anew counts.
    store.note_upload(lease, &blob("newer")).await.unwrap();
    let newer = blob("newer recipe").digest;
    finish(&store, (lease, worker), Made::Anew(&blob("newer")), &newer).await.unwrap();

    // Each recipe once, the newest first; of another source, or in another language, nothing.
    let (_, build) = lease_again(&store, one, worker).await;
    assert_eq!(build.known, [(newer, blob("newer")), (recipe, artefact)]);
    let another = blob("another source");
    let new = NewVersion {
        bot: one.bot,
        account: one.account,
        language: LANGUAGE,
        file_name: "bot.py",
        source: &another,
        builds_waiting_max: 1000,
    };
    for new in [new.clone(), NewVersion { language: "python2", source: &blob("source"), ..new }] {
        store.create_version(&new).await.unwrap();
    }
    let polls = [Poll { languages: vec!["python2".into(), LANGUAGE.into()], ..poll(worker, 2) }];
    for leased in store.lease(&polls, &limits()).await.unwrap().remove(0) {
        let LeasedJob::Build(build) = leased.job else { panic!("a match") };
        assert_eq!(build.known, [], "{build:?}");
    }
}

#[tokio::test]
async fn what_a_dismissed_worker_has_built_is_not_used_again() {
    let store = testing::store().await;
    let one = bot(&store, "architect").await;
    let other = worker(&store, "another").await;
    let (lease, build) = lease_again(&store, one, other).await;
    let [(recipe, artefact)] = &build.known[..] else { panic!("{build:?}") };
    let made = Made::Before { artefact, recipe };
    finish(&store, (lease, other), made, recipe).await.unwrap();
    let (lease, build) = lease_again(&store, one, other).await;
    assert_eq!(build.known.len(), 1);

    // Who built it first is gone by now, whoever has used it since.
    assert!(store.dismiss_worker("builder").await.unwrap());
    let refused = finish(&store, (lease, other), made, recipe).await;
    assert!(matches!(refused, Err(FinishError::NotKnown { .. })), "{refused:?}");
    let (_, build) = lease_again(&store, one, other).await;
    assert_eq!(build.known, []);
}
