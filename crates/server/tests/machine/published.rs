//! The published log of rated matches, and what anybody can make of it.

use axum::http::{StatusCode, header};
use contest::{
    Counted, Evidence, FitOptions, Ledger, LogReader, LoggedMatch, PublishedRatings, fit,
};
use game::Seat;
use serde_json::json;
use store::testing;
use uuid::Uuid;

use crate::kit::*;

const LOG: &str = "/games/labyrinth/log.jsonl";

/// Plays a rated match, which is the next job there is.
async fn play(site: &Site, worker: &Worker<'_>, bots: [Bot; 2], course: Course) -> Uuid {
    let id = site.ladder_match(bots).await;
    let leased = worker.lease_one().await;
    let done = worker.report_played(&leased, course).await;
    assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
    id
}

async fn log(site: &Site, path: &str) -> Vec<LoggedMatch> {
    let answer = site.get(path).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    assert_eq!(answer.headers[header::CONTENT_TYPE], "application/jsonl; charset=utf-8");
    LogReader::new(&*answer.body).collect::<Result<_, _>>().unwrap()
}

#[tokio::test]
async fn ratings_recomputed_from_the_published_log_are_the_servers_to_the_last_digit() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    assert!(log(&site, LOG).await.is_empty());
    let [one, two] = site.pair(&worker).await;
    play(&site, &worker, [one, two], Course::Walk).await;
    play(&site, &worker, [one, two], Course::Wait).await;
    play(&site, &worker, [one, two], Course::Crash(Seat(1))).await;
    // A new version, which makes a rating unsure, and so what was played before new.
    let newer = site.upload(one.account, one.bot).await;
    let build = worker.lease_one().await;
    worker.report_built(&build).await;
    let again = play(&site, &worker, [newer, two], Course::Walk).await;
    // Void ones are not there.
    site.ladder_match([newer, two]).await;
    let void = "update matches set state = 'void', void_why = 'test', finished_at = now()
                where state = 'queued'";
    testing::sql(site.store(), void).await;

    let logged = log(&site, LOG).await;
    assert_eq!(logged.len(), 4);
    assert_eq!(logged[3].match_id, again);
    assert_eq!(logged[3].seats[Seat(0)].version, newer.version);
    assert_eq!((logged[0].seats[Seat(0)].number, logged[3].seats[Seat(0)].number), (1, 2));
    assert_eq!(logged[0].covariates["size"], "8");
    assert!(logged[2].seats[Seat(1)].faulted && !logged[2].seats[Seat(0)].faulted);
    assert_eq!(logged[0].play, logged[3].play, "both went alike");

    let mut ledger = Ledger::default();
    for it in &logged {
        assert_eq!(ledger.count(it).unwrap(), Counted::Rated);
    }
    let recomputed = PublishedRatings {
        game: GAME.to_owned(),
        last_no: ledger.last_no(),
        ratings: ledger.published(),
        fit: None,
    };
    let published = site.get("/games/labyrinth/ratings.json").await.text();
    assert_eq!(published, serde_json::to_string(&recomputed).unwrap());
    assert!(recomputed.ratings.iter().all(|it| it.matches == 4 && it.name.len() == 32));

    let rest = log(&site, &format!("{LOG}?after={}", logged[1].no)).await;
    assert_eq!(rest, logged[2..]);
    assert!(log(&site, &format!("{LOG}?after={}", logged[3].no)).await.is_empty());
}

#[tokio::test]
async fn the_same_match_of_the_same_versions_on_the_same_seats_counts_once() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let bots = site.pair(&worker).await;
    let first = play(&site, &worker, bots, Course::Walk).await;
    let before = site.store().ratings(GAME).await.unwrap();
    let second = play(&site, &worker, bots, Course::Walk).await;
    assert_eq!(site.store().ratings(GAME).await.unwrap(), before);
    assert!(server::check_ratings(site.store(), GAME).await.unwrap().is_empty());
    let page = site.get(&format!("/matches/{second}")).await.text();
    assert!(page.contains(&format!("<a href=\"/matches/{first}\">an earlier match</a>")), "{page}");

    // Both are published, and whoever counts them comes to the same.
    let logged = log(&site, LOG).await;
    assert_eq!([logged[0].match_id, logged[1].match_id], [first, second]);
    let mut ledger = Ledger::default();
    let counted: Vec<_> = logged.iter().map(|it| ledger.count(it).unwrap()).collect();
    assert_eq!(counted, [Counted::Rated, Counted::Repeat]);
    for (bot, standing) in ledger.standings() {
        assert_eq!(standing.rating.rating.to_bits(), before[bot].rating.to_bits());
        assert_eq!(standing.matches, 1);
    }

    // Six of them in a row say that there is nothing new for these two.
    let is_exhausted = async || {
        let ladder = site.store().ladder(GAME).await.unwrap();
        ladder.bots.iter().map(|it| it.exhausted).collect::<Vec<_>>()
    };
    for _ in 0..5 {
        assert_eq!(is_exhausted().await, [false, false]);
        play(&site, &worker, bots, Course::Walk).await;
    }
    assert_eq!(is_exhausted().await, [true, true]);
    play(&site, &worker, bots, Course::Wait).await;
    assert_eq!(is_exhausted().await, [false, false]);
}

#[tokio::test]
async fn strengths_are_fitted_and_shown_with_how_unsure_they_are() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    let [one, two] = site.pair(&worker).await;
    let board = async || {
        let board = site.get("/games/labyrinth/leaderboard?role=architect").await;
        assert_eq!(board.status, StatusCode::OK, "{}", board.text());
        board.text()
    };
    let ladder = &site.state.config.ladder;
    assert!(!server::fit_strengths(site.store(), GAME, ladder).await.unwrap());
    play(&site, &worker, [one, two], Course::Walk).await;
    assert!(!board().await.contains("In the top 3"));
    assert!(server::fit_strengths(site.store(), GAME, ladder).await.unwrap());
    assert!(!server::fit_strengths(site.store(), GAME, ladder).await.unwrap(), "nothing is new");
    play(&site, &worker, [one, two], Course::Wait).await;
    assert!(!server::fit_strengths(site.store(), GAME, ladder).await.unwrap(), "it is young");
    testing::sql(site.store(), "update fits set made_at = now() - interval '1 day'").await;
    assert!(server::fit_strengths(site.store(), GAME, ladder).await.unwrap());

    let mut evidence = Evidence::default();
    for it in log(&site, LOG).await {
        evidence.add(&it).unwrap();
    }
    let fitted = fit(&evidence, &FitOptions::default()).unwrap();
    let published = site.get("/games/labyrinth/ratings.json").await.json();
    assert_eq!(published["fit"].to_string(), json!(fitted).to_string());
    assert_eq!(published["fit"]["strengths"].as_array().unwrap().len(), 2);

    let text = board().await;
    for words in ["In the top 3", "explain 2 matches", "over 99.9\u{a0}%", "±", LOG] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let page = site.get(&format!("/bots/{}", one.bot)).await.text();
    for words in ["By all matches at once", "Head to head", "data-label=\"Matches\">2<"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    // A version that has not played is not in it.
    site.upload(one.account, one.bot).await;
    let build = worker.lease_one().await;
    worker.report_built(&build).await;
    assert!(board().await.contains("The version that plays is not in the fit yet"));
}

#[tokio::test]
async fn the_promise_and_whether_it_is_kept_are_shown() {
    let site = Site::open().await;
    let worker = site.worker("worker").await;
    site.pair(&worker).await;
    let labyrinth = async || {
        let all = site.get("/status.json").await.json();
        let all = all["ladders"].as_array().unwrap().clone();
        all.into_iter().find(|it| it["game"] == GAME).unwrap()
    };
    let now = labyrinth().await;
    assert_eq!(now["promise_s"], 1800);
    assert_eq!((&now["bots"], &now["queued"]), (&json!(2), &json!(0)));
    assert!(now["longest_wait_s"].as_f64().unwrap() < 60.0, "{now}");
    assert!(site.get("/status").await.text().contains("at least every 30\u{a0}min"));
    assert!(site.get("/status").await.text().contains(">kept<"));

    testing::sql(site.store(), "update bots set active_since = now() - interval '1 hour'").await;
    let waited = labyrinth().await["longest_wait_s"].as_f64().unwrap();
    assert!((3600.0..3700.0).contains(&waited), "{waited}");
    assert!(site.get("/status").await.text().contains("<b>not kept</b>"));
}
