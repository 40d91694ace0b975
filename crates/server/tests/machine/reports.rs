//! Plies and results, and what follows from them.

use axum::http::StatusCode;
use game::{End, Fault, Fraction, Seat};
use jobs::{
    BUILD_LOG_BYTES_MAX, BuildReport, Failure, Job, MatchReport, Report, STDERR_BYTES_MAX, Uploaded,
};
use serde_json::json;
use store::{BotState, MatchState, Purpose, VersionState, digest_of, testing};
use uuid::Uuid;

use crate::kit::*;

#[tokio::test]
async fn a_bot_is_built_validated_and_on_the_ladder() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let one = site.ready(&worker, ROLES[0]).await;
    let state = async |bot: Bot| site.store().bot_page(bot.bot).await.unwrap().unwrap().state;
    assert_eq!(state(one).await, BotState::Validating);
    assert!(worker.lease(1, 0).await.is_empty(), "nobody is there to play against");

    // The second to come finds the first: both are tried in one match.
    let two = site.ready(&worker, ROLES[1]).await;
    let leased = worker.lease_one().await;
    let Job::Match(it) = &leased.job else { panic!("{leased:?}") };
    let versions: Vec<Uuid> =
        it.seats.iter().filter_map(|it| Some(it.1.as_ref()?.version)).collect();
    assert_eq!(versions, [one.version, two.version]);
    let page = site.store().match_page(it.match_id).await.unwrap().unwrap();
    assert_eq!((page.row.state, page.row.purpose), (MatchState::Running, Purpose::Validation));
    assert_eq!(worker.report_played(&leased, Course::Wait).await.status, StatusCode::NO_CONTENT);
    assert_eq!([state(one).await, state(two).await], [BotState::Active; 2]);
    assert!(site.store().ratings(GAME).await.unwrap().is_empty(), "validation is not rated");

    // A new version of a bot that has been validated plays on without another.
    let newer = site.upload(one.account, one.bot).await;
    let build = worker.lease_one().await;
    worker.report_built(&build).await;
    let page = site.store().bot_page(one.bot).await.unwrap().unwrap();
    assert_eq!((page.state, page.active_version), (BotState::Active, Some(newer.version)));
    assert!(worker.lease(1, 0).await.is_empty());
}

#[tokio::test]
async fn whoever_loses_its_first_match_by_a_fault_is_benched_with_the_reason() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    site.pair(&worker).await;
    for (loser, benched) in [(Seat(0), true), (Seat(1), false)] {
        let newcomer = site.ready(&worker, ROLES[0]).await;
        let leased = worker.lease_one().await;
        let done = worker.report_played(&leased, Course::Crash(loser)).await;
        assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
        let page = site.store().bot_page(newcomer.bot).await.unwrap().unwrap();
        assert_eq!(page.state == BotState::Benched, benched);
        if benched {
            let why = page.benched_why.unwrap();
            assert!(why.contains("at step 1") && why.contains("segmentation fault"), "{why}");
            let again = site.store().activate_bot(newcomer.bot, newcomer.account).await.unwrap();
            assert_eq!(again, BotState::Validating);
        }
    }
}

#[tokio::test]
async fn a_source_that_does_not_compile_is_refused_with_the_compilers_words() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let bot = site.uploaded(ROLES[0]).await;
    let leased = worker.lease_one().await;
    let done = worker.report(&leased, &Report::Built(Box::new(built(None)))).await;
    assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
    let versions = site.store().versions_of(bot.bot, 9).await.unwrap();
    assert_eq!(versions[0].state, VersionState::Refused);
    assert_eq!(versions[0].why.as_deref(), Some("line 1: no\u{fffd}thing"));
}

#[tokio::test]
async fn the_same_source_comes_with_what_was_built_of_it_and_nothing_else_is_taken_for_that() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let bot = site.uploaded(ROLES[0]).await;
    let first = worker.lease_one().await;
    let Job::Build(job) = &first.job else { panic!("{first:?}") };
    assert!(job.known.is_empty());
    let made = worker.upload(&first, b"artefact").await;
    let recipe = digest_of(b"recipe");
    let report = BuildReport { recipe: Some(recipe.clone()), ..built(Some(made.clone())) };
    let done = worker.report(&first, &Report::Built(Box::new(report))).await;
    assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());

    site.upload(bot.account, bot.bot).await;
    let second = worker.lease_one().await;
    let Job::Build(job) = &second.job else { panic!("{second:?}") };
    let [known] = &job.known[..] else { panic!("{job:?}") };
    assert_eq!((&known.recipe, &known.artefact.digest), (&recipe, &made.digest));
    let fetched = site.get(&known.artefact.url).await;
    assert_eq!((fetched.status, &fetched.body[..]), (StatusCode::OK, &b"artefact"[..]));
    let reused = |artefact: Option<Uploaded>, recipe: Option<&str>| {
        let recipe = recipe.map(str::to_owned);
        Report::Built(Box::new(BuildReport { recipe, reused: true, ..built(artefact) }))
    };
    let other = Uploaded { digest: digest_of(b"other"), ..made.clone() };
    let table = [
        (reused(Some(other), Some(&recipe)), "was not built of this source by the recipe"),
        (reused(Some(made.clone()), Some(&digest_of(b"x"))), "was not built of this source"),
        (reused(Some(made.clone()), Some("x")), "it has to be a SHA-256 in lower-case hex"),
        (reused(Some(made.clone()), None), "has an artefact and a recipe"),
        (reused(None, Some(&recipe)), "has an artefact and a recipe"),
    ];
    for (report, wanted) in table {
        let done = worker.report(&second, &report).await;
        assert_eq!(done.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", done.text());
        assert!(done.text().contains(wanted), "{}", done.text());
    }
    let done = worker.report(&second, &reused(Some(made.clone()), Some(&recipe))).await;
    assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
    let page = site.store().version_page(bot.bot, None).await.unwrap().unwrap();
    assert_eq!((page.state, page.reused), (VersionState::Ready, true));
}

#[tokio::test]
async fn a_rated_result_moves_both_ratings_once() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let bots = site.pair(&worker).await;
    site.ladder_match(bots).await;
    let leased = worker.lease_one().await;
    let Played { record, report } = played(&leased, Course::Wait);
    worker.upload(&leased, &record).await;
    for _ in 0..3 {
        let done = worker.report(&leased, &Report::Played(Box::new(report.clone()))).await;
        assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
    }
    let ratings = site.store().ratings(GAME).await.unwrap();
    let [winner, loser] = bots.map(|it| ratings[&it.bot]);
    assert!(winner.rating > 1600.0 && loser.rating < 1400.0, "{winner:?} {loser:?}");
    assert_eq!((winner.matches, loser.matches), (1, 1));
    assert!(server::check_ratings(site.store(), GAME).await.unwrap().is_empty());
    testing::sql(site.store(), "update ratings set rating = rating + 1e-9 where rating > 1500")
        .await;
    let differences = server::check_ratings(site.store(), GAME).await.unwrap();
    assert_eq!(differences.iter().map(|it| it.bot).collect::<Vec<_>>(), [bots[0].bot]);
}

#[tokio::test]
async fn plies_are_taken_in_order_and_only_from_who_plays() {
    let site = Site::with(|it| {
        it.limits.plies_bytes_max = 1024;
        it.limits.plies_max = 200;
    })
    .await;
    let worker = site.worker("worker").await;
    let other = site.worker("other").await;
    let bots = site.pair(&worker).await;
    let match_id = site.ladder_match(bots).await;
    let leased = worker.lease_one().await;
    let frames = |from: u32, n: u32| json!({ "from": from, "plies": vec![json!({}); n as usize] });
    for (body, status, words) in [
        ("{}".to_owned(), 400, "from"),
        (r#"{"from":-1,"plies":[]}"#.to_owned(), 400, "-1"),
        (r#"{"from":0,"plies":[{]}"#.to_owned(), 400, "JSON"),
        (frames(1, 1).to_string(), 409, "only 0 are here"),
        (frames(0, 201).to_string(), 422, "at most 200 plies"),
        (frames(0, 400).to_string(), 413, "1\u{a0}KiB"),
    ] {
        worker.of_lease(&leased, "plies", body).await.refused(status, words);
    }
    other.of_lease(&leased, "plies", frames(0, 1).to_string()).await.refused(410, "lost");
    for _ in 0..2 {
        let sent = worker.of_lease(&leased, "plies", frames(0, 3).to_string()).await;
        assert_eq!(sent.status, StatusCode::NO_CONTENT, "{}", sent.text());
    }
    let live = site.store().live_plies(match_id, 0, 0, 100).await.unwrap().unwrap();
    assert_eq!(live.plies.len(), 3);

    site.uploaded(ROLES[0]).await;
    let build = worker.lease_one().await;
    worker.of_lease(&build, "plies", frames(0, 1).to_string()).await.refused(422, "no plies");
}

#[tokio::test]
async fn a_report_that_makes_no_sense_counts_nothing() {
    let site = Site::with(|it| it.limits.report_bytes_max = 1 << 20).await;
    let worker = site.worker("worker").await;
    let other = site.worker("other").await;
    let bots = site.pair(&worker).await;
    site.ladder_match(bots).await;
    let leased = worker.lease_one().await;
    let Played { record, report: good } = played(&leased, Course::Walk);
    let record = worker.upload(&leased, &record).await;
    let with = |change: &dyn Fn(&mut MatchReport)| {
        let mut report = good.clone();
        change(&mut report);
        Report::Played(Box::new(report))
    };
    let half = Fraction::new(1, 2);
    let table = [
        (with(&|it| it.outcome.score[Seat(0)] = Fraction::new(3, 2)), 422, "no part of 1"),
        (with(&|it| it.outcome.score = vec![half].into()), 422, "one score for each seat"),
        (with(&|it| it.outcome.places[Seat(0)] = 0), 422, "places"),
        (with(&|it| it.outcome.places[Seat(1)] = 9), 422, "places"),
        (with(&|it| it.outcome.measures.clear()), 422, "measures"),
        (with(&|it| it.outcome.why = "x".repeat(2000).into()), 422, "1000 bytes"),
        (with(&|it| it.seats = vec![quiet()].into()), 422, "1 seats are reported"),
        (with(&|it| it.plies = u32::MAX), 422, "plies"),
        (with(&|it| it.record.bytes = 7), 422, "not put into"),
        (with(&|it| it.record.digest = digest_of(b"other")), 422, "not put into"),
        (with(&|it| it.record.digest = "none".to_owned()), 422, "not put into"),
        (with(&|it| it.seats[Seat(1)].stderr = "x".repeat(STDERR_BYTES_MAX + 1)), 422, "stderr"),
        (with(&|it| it.seats[Seat(1)].stderr = "x".repeat(2 << 20)), 413, "1\u{a0}MiB"),
        (Report::Built(Box::new(built(Some(record)))), 422, "another kind"),
    ];
    for (report, status, words) in table {
        worker.report(&leased, &report).await.refused(status, words);
    }
    let text = serde_json::to_string(&with(&|_| {})).unwrap();
    let plies = format!("\"plies\":{}", good.plies);
    assert!(text.contains(&plies) && text.contains("[100,1]"), "{text}");
    for (body, words) in [
        (String::new(), "JSON"),
        ("null".to_owned(), "JSON"),
        (text.replace("played", "won"), "won"),
        (text.replace(&plies, &format!("{plies},\"more\":1")), "more"),
        (text.replace("[100,1]", "[100,0]"), "fraction"),
        (text.replace("[100,1]", "0.7"), "0.7"),
    ] {
        worker.of_lease(&leased, "report", body).await.refused(400, words);
    }
    other.report(&leased, &with(&|_| {})).await.refused(410, "lost");
    assert!(site.store().ratings(GAME).await.unwrap().is_empty());

    let done = worker.report(&leased, &with(&|_| {})).await;
    assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
    worker.report(&leased, &with(&|it| it.plies = 4)).await.refused(410, "lost");
}

#[tokio::test]
async fn a_report_that_its_record_does_not_bear_out_voids_the_attempt() {
    let site = Site::with(|it| {
        it.queue.attempts_max = 100;
        it.queue.backoff_s = 0;
    })
    .await;
    let worker = site.worker("worker").await;
    let bots = site.pair(&worker).await;
    let match_id = site.ladder_match(bots).await;
    let half = Fraction::new(1, 2);
    let crash = Some((0, Fault::Gone(End::Signalled(11))));
    let table: [(&dyn Fn(&mut Played), &str); 10] = [
        (&|it| it.report.outcome.score = vec![half, half].into(), "outcome"),
        (&|it| it.report.outcome.why = "the architect is better".into(), "outcome"),
        (&|it| it.report.plies += 1, "number of plies"),
        (&|it| it.report.seats[Seat(1)].faults = 1, "faults"),
        (&|it| it.report.seats[Seat(1)].fault = crash.clone(), "faults"),
        (&|it| it.record = b"no record".to_vec(), "cannot be judged"),
        (&|it| it.change_record(|it| it["setup"]["size"] = 10.into()), "set-up"),
        (&|it| it.change_record(|it| it["sitters"][0] = "person".into()), "sitters"),
        (&|it| it.change_record(|it| it["plies"].as_array_mut().unwrap().clear()), "outcome"),
        (&|it| it.change_record(|it| it["rules"] = 99.into()), "rules 99"),
    ];
    for (attempt, (change, words)) in (1..).zip(table) {
        let leased = worker.lease_one().await;
        assert_eq!(leased.attempt, attempt, "the match comes again");
        let mut untrue = played(&leased, Course::Wait);
        change(&mut untrue);
        let record = worker.upload(&leased, &untrue.record).await;
        untrue.report.record = record.clone();
        let report = Report::Played(Box::new(untrue.report));
        // Sent again, it is told the same.
        for _ in 0..2 {
            worker.report(&leased, &report).await.refused(422, "is not true");
            worker.report(&leased, &report).await.refused(422, words);
        }
        let failed = site.store().failed_attempts(match_id).await.unwrap();
        let last = failed.last().unwrap();
        assert!(last.what.contains(words), "{words}: {}", last.what);
        let kept = last.record.clone().unwrap();
        assert_eq!((kept.digest.as_str(), kept.bytes), (record.digest.as_str(), record.bytes));
        assert!(site.state.blobs.get(&kept.digest, 1 << 20).await.is_ok());
    }
    assert!(site.store().ratings(GAME).await.unwrap().is_empty());
    let leased = worker.lease_one().await;
    let done = worker.report_played(&leased, Course::Wait).await;
    assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
    assert_eq!(site.store().ratings(GAME).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_report_may_name_no_record_of_another_lease() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let bots = site.pair(&worker).await;
    site.ladder_match(bots).await;
    let one = worker.lease_one().await;
    let Played { record, report } = played(&one, Course::Wait);
    worker.upload(&one, &record).await;
    let report = Report::Played(Box::new(report));
    assert_eq!(worker.report(&one, &report).await.status, StatusCode::NO_CONTENT);
    site.ladder_match(bots).await;
    let two = worker.lease_one().await;
    worker.report(&two, &report).await.refused(422, "not put into");
}

#[tokio::test]
async fn a_build_has_either_an_artefact_or_a_reason_and_a_log_of_bounded_size() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    site.uploaded(ROLES[0]).await;
    let leased = worker.lease_one().await;
    let artefact = worker.upload(&leased, b"artefact").await;
    let mut both = built(Some(artefact.clone()));
    both.why = Some("why".to_owned());
    let mut neither = built(None);
    neither.why = None;
    let mut long = built(Some(artefact.clone()));
    long.log = "x".repeat(BUILD_LOG_BYTES_MAX + 1);
    let other = Uploaded { digest: digest_of(b"other"), bytes: 5 };
    for (report, words) in [
        (both, "either"),
        (neither, "either"),
        (long, "log has 65537 bytes"),
        (built(Some(other)), "not put into"),
    ] {
        worker.report(&leased, &Report::Built(Box::new(report))).await.refused(422, words);
    }
    let done = worker.report(&leased, &Report::Built(Box::new(built(Some(artefact))))).await;
    assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
}

#[tokio::test]
async fn what_is_our_fault_is_tried_again_and_never_a_bots_loss() {
    let site = Site::with(|it| {
        it.queue.attempts_max = 2;
        it.queue.backoff_s = 0;
    })
    .await;
    let worker = site.worker("worker").await;
    let bots = site.pair(&worker).await;
    let match_id = site.ladder_match(bots).await;
    for attempt in 1..=2 {
        let leased = worker.lease_one().await;
        assert_eq!(leased.attempt, attempt);
        let failure = Report::Failed(Failure { what: "the jail\0 is broken".to_owned() });
        for _ in 0..2 {
            let done = worker.report(&leased, &failure).await;
            assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
        }
    }
    assert!(worker.lease(1, 0).await.is_empty());
    let page = site.store().match_page(match_id).await.unwrap().unwrap();
    assert_eq!(page.row.state, MatchState::Void);
    assert!(page.void_why.unwrap().contains("the jail\u{fffd} is broken"));
    assert!(site.store().ratings(GAME).await.unwrap().is_empty());
    assert_eq!(site.store().failed_attempts(match_id).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_late_report_is_told_that_it_counts_for_nothing() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let bots = site.pair(&worker).await;
    site.ladder_match(bots).await;
    let leased = worker.lease_one().await;
    let Played { record, report } = played(&leased, Course::Wait);
    worker.upload(&leased, &record).await;
    testing::sql(site.store(), "update jobs set deadline = now() - interval '1 second'").await;
    site.store().reap_leases(&site.state.config.queue_limits()).await.unwrap();
    let report = Report::Played(Box::new(report));
    worker.report(&leased, &report).await.refused(410, "lost");
    assert!(site.store().ratings(GAME).await.unwrap().is_empty());
}
