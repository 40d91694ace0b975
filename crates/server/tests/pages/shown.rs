//! What pages show: empty ones, and ones with bots and matches.

use std::time::Duration;

use axum::http::{StatusCode, header};
use game::Seat;
use jobs::Job;

use crate::kit::{RUNNER, Script, Site, Worker};

/// The architect's program crashes in its first turn.
const CRASHER: Script = |seat, turn| match seat {
    Seat(0) => b"",
    _ => RUNNER(seat, turn),
};

#[tokio::test]
async fn an_empty_site_says_what_to_do_next() {
    let site = Site::open().await;
    let table = [
        ("/", "Nothing is being played at this moment."),
        ("/games/labyrinth", "Upload the first one."),
        ("/games/labyrinth/leaderboard", "Upload the first one."),
        ("/games/labyrinth/leaderboard?role=adventurer", "Upload the first one."),
        ("/matches", "No match fits."),
        ("/status", "No worker is known"),
        ("/signup", "A name and a password are enough."),
        ("/login", "Sign up"),
    ];
    for (path, words) in table {
        let answer = site.visitor().get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert!(answer.text().contains(words), "{path}: {}", answer.text());
        assert!(answer.header(header::CONTENT_SECURITY_POLICY).contains("default-src 'self'"));
    }
}

#[tokio::test]
async fn no_page_needs_what_its_policy_forbids() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    for path in ["/", "/games/labyrinth", "/me", "/upload", "/matches/new", "/status"] {
        let html = ada.get(path).await.text();
        for forbidden in [" style=", "<style", "onclick", "javascript:", "http://", "https://"] {
            let found = html.find(forbidden).map(|at| &html[at.saturating_sub(60)..at + 60]);
            // The drawings' own name is no address anybody asks.
            let found = found.filter(|it| !it.contains("www.w3.org"));
            assert_eq!(found, None, "{path}: {forbidden}");
        }
        assert!(!html.contains("<script>"), "{path}");
    }
}

#[tokio::test]
async fn the_game_has_rules_parameters_and_bots_to_start_from() {
    let site = Site::open().await;
    let page = site.visitor().get("/games/labyrinth").await.text();
    for words in ["Rules and protocol", "architect.py", "adventurer.cpp", "5 to 25", "FieldOfView"]
    {
        assert!(page.contains(words), "{words}");
    }
    let table = [
        ("labyrinth/bots/architect.py", "architect.py", "#END"),
        ("planes/bots/java/Straight.java", "\"Straight.java\"", "extends PlaneControl"),
    ];
    for (path, name, words) in table {
        let file = site.visitor().get(&format!("/games/{path}")).await;
        assert_eq!(file.status, StatusCode::OK, "{path}");
        assert!(file.header(header::CONTENT_DISPOSITION).contains(name), "{path}");
        assert!(file.text().contains(words), "{path}");
    }
    for path in ["java", "java/", "../game.toml", "java/..%2f..%2frules.md", "java/None.java"] {
        let file = site.visitor().get(&format!("/games/planes/bots/{path}")).await;
        assert_eq!(file.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn forms_ask_nothing_that_is_known_and_tell_seats_of_one_role_apart() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    let table = [
        ("/upload", "checked", false),
        ("/upload?game=labyrinth", "checked", false),
        ("/upload?game=labyrinth&role=architect", r#"value="labyrinth/architect" checked"#, true),
        ("/upload?game=jockey", r#"value="jockey/player" checked"#, true),
        ("/matches/new?game=labyrinth", ">Architect</label>", true),
        ("/matches/new?game=jockey", ">Player 1</label>", true),
        ("/matches/new?game=jockey", ">Player 2</label>", true),
    ];
    for (path, words, is_there) in table {
        let html = ada.get(path).await.text();
        assert_eq!(html.contains(words), is_there, "{path}: {words}: {html}");
    }
}

#[tokio::test]
async fn a_match_is_shown_from_its_start_to_its_replay() {
    let site = Site::open().await;
    let worker = Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let mut bob = site.signed_up("Bob").await;
    let hedger = ada.upload_bot("architect", "Hedger").await;
    let walker = bob.upload_bot("adventurer", "Walker").await;
    worker.work(RUNNER).await;

    let form = ada.get("/matches/new").await.text();
    assert!(form.contains("Hedger, version 1") && form.contains("Walker, version 1"), "{form}");
    let (hedger, walker) = (hedger.to_string(), walker.to_string());
    let good = [
        ("game", "labyrinth"),
        ("seat-0", &*hedger),
        ("seat-1", &*walker),
        ("setup-size", "5"),
        ("setup-mode", "map"),
    ];
    let changed = |field: &str, value: &'static str| {
        let mut fields = good;
        for it in fields.iter_mut().filter(|it| it.0 == field) {
            it.1 = value;
        }
        fields
    };
    let table = [
        (changed("seat-0", ""), "Choose who plays the Architect."),
        (changed("setup-size", "4"), "a whole number from 5 to 25"),
        (changed("setup-size", "five"), "“five” was given"),
        (changed("setup-mode", "fog"), "choose one of those offered"),
        (changed("seat-1", "00000000-0000-0000-0000-000000000000"), "has no version that can play"),
    ];
    for (fields, words) in table {
        let answer = ada.post("/matches", &fields).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{words}");
        assert!(answer.text().contains(words), "{words}: {}", answer.text());
    }
    let mut swapped = good;
    (swapped[1].1, swapped[2].1) = (&walker, &hedger);
    let answer = ada.post("/matches", &swapped).await;
    assert!(answer.text().contains("cannot play the Architect"), "{}", answer.text());
    let fields = changed("game", "chess");
    assert_eq!(ada.post("/matches", &fields).await.status, StatusCode::NOT_FOUND);

    let id = ada.post("/matches", &good).await.id_after("/matches/");
    let path = format!("/matches/{id}");
    let waiting = site.visitor().get(&path).await.text();
    assert!(waiting.contains("waits for a worker"), "{waiting}");
    let early = site.visitor().get(&format!("{path}/replay.json")).await;
    assert_eq!(early.status, StatusCode::CONFLICT);

    let jobs = worker.lease().await;
    let job = jobs.iter().find(|it| matches!(&it.job, Job::Match(job) if job.match_id == id));
    let job = job.expect("the match is leased");
    worker.begin(job, RUNNER, 3).await;
    let running = site.visitor().get(&path).await.text();
    assert!(running.contains("being played") && running.contains("3 answers"), "{running}");
    let heard = site.listen(&format!("{path}/live"), Duration::from_millis(1500)).await;
    assert!(heard.starts_with("event: start\n"), "{heard}");
    assert_eq!(heard.matches("event: ply\n").count(), 3, "{heard}");

    let stream = format!("{path}/live?plies=no");
    let (heard, ()) = tokio::join!(site.listen(&stream, Duration::from_secs(20)), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        worker.play(job, RUNNER).await;
    });
    assert_eq!(heard.matches("event: state\ndata: {\"state\":\"finished\"}").count(), 1, "{heard}");
    assert!(heard.trim_end().ends_with("event: over\ndata: {}") && !heard.contains("event: ply"));

    let over = bob.get(&path).await.text();
    for words in ["0 : 100", "Walker", "the adventurer", "secret of seat 1", "Time of each answer"]
    {
        assert!(over.to_lowercase().contains(&words.to_lowercase()), "{words}: {over}");
    }
    assert!(!over.contains("secret of seat 0"), "only the owner reads what a bot wrote");
    assert!(!site.visitor().get(&path).await.text().contains("secret of seat"));
    assert!(over.contains(&format!("src=\"{path}/replay.json\"")));

    let replay = site.visitor().get(&format!("{path}/replay.json")).await;
    assert_eq!(replay.header(header::CACHE_CONTROL), "public, max-age=31536000, immutable");
    let replay: serde_json::Value = serde_json::from_slice(&replay.body).unwrap();
    assert_eq!(replay["format"], 1);
    assert_eq!(replay["seats"][1]["name"], "Walker");
    assert_eq!(replay["frames"].as_array().unwrap().len(), 17, "8 rounds and the start");
    let record = site.visitor().get(&format!("{path}/record")).await;
    assert!(record.header(header::CONTENT_DISPOSITION).contains(&id.to_string()));
    let unpacked = zstd::decode_all(&record.body[..]).unwrap();
    assert!(serde_json::from_slice::<serde_json::Value>(&unpacked).is_ok());
}

#[tokio::test]
async fn who_watches_sees_the_match_go_on_after_plies_that_nobody_could_read() {
    let site = Site::with(|it| {
        it.ladder.enabled = false;
        it.queue.backoff_s = 0;
    })
    .await;
    let worker = Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let hedger = ada.upload_bot("architect", "Hedger").await.to_string();
    let walker = ada.upload_bot("adventurer", "Walker").await.to_string();
    worker.work(RUNNER).await;
    let fields = [("seat-0", &*hedger), ("seat-1", &*walker)];
    let id = ada.post("/matches", &fields).await.id_after("/matches/");
    let job = worker.lease().await.pop().expect("the match is leased");
    worker.begin(&job, RUNNER, 2).await;
    let plies = format!("/worker/v1/leases/{}/plies", job.lease);
    let broken = serde_json::json!({ "from": 2, "plies": [{ "ply": "none" }] });
    assert_eq!(worker.post(&plies, &broken).await.status, StatusCode::NO_CONTENT);

    let stream = format!("/matches/{id}/live");
    let (heard, ()) = tokio::join!(site.listen(&stream, Duration::from_secs(5)), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let failed = jobs::Report::Failed(jobs::Failure { what: "killed".into() });
        worker.report(&job, &failed).await;
        let job = worker.lease().await.pop().expect("it comes again");
        worker.begin(&job, RUNNER, 3).await;
    });
    assert_eq!(heard.matches("event: ply\n").count(), 3, "{heard}");
}

#[tokio::test]
async fn a_bot_that_fails_is_told_why_and_only_its_owner_reads_the_rest() {
    let site = Site::open().await;
    let worker = Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let mut bob = site.signed_up("Bob").await;
    let broken = ada.upload_bot("architect", "Broken").await;
    for it in worker.lease().await {
        worker.build(&it, false).await;
    }
    let path = format!("/bots/{broken}");
    let own = ada.get(&path).await.text();
    assert!(
        own.contains("does not build") && own.contains("bot.py:1: &#60;unclosed&#62; bracket"),
        "{own}"
    );
    assert!(own.contains("The compiler ended with exit code 1."));
    let others = bob.get(&path).await.text();
    assert!(!others.contains("unclosed"), "{others}");
    let version = bob.get(&format!("{path}/versions/1")).await.text();
    assert!(version.contains("for its owner alone") && !version.contains("unclosed"));

    let crasher = ada.upload_bot("architect", "Crasher").await;
    let walker = bob.upload_bot("adventurer", "Walker").await;
    worker.work(RUNNER).await;
    let (crasher_id, walker_id) = (crasher.to_string(), walker.to_string());
    let fields = [("seat-0", &*crasher_id), ("seat-1", &*walker_id)];
    let id = ada.post("/matches", &fields).await.id_after("/matches/");
    worker.work(CRASHER).await;
    let over = site.visitor().get(&format!("/matches/{id}")).await.text();
    assert!(over.contains("The program crashed (segmentation fault)."), "{over}");
    let own = ada.get(&format!("/bots/{crasher}")).await.text();
    assert!(own.contains("What went wrong") && own.contains("1 match"), "{own}");
    let others = bob.get(&format!("/bots/{crasher}")).await.text();
    assert!(!others.contains("What went wrong"));
}

#[tokio::test]
async fn an_owner_benches_activates_and_chooses_versions() {
    let site = Site::open().await;
    let worker = Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let bot = ada.upload_bot("architect", "Hedger").await;
    worker.work(RUNNER).await;
    let id = bot.to_string();
    ada.upload(&[("bot", None, id.as_bytes()), ("file", Some("bot.py"), b"x = 2")]).await;
    worker.work(RUNNER).await;
    let path = format!("/bots/{bot}");
    let page = ada.get(&path).await.text();
    assert!(page.contains("version 2") && page.contains("Play with version 1"), "{page}");
    let first = site.state.store.version_page(bot, Some(1)).await.unwrap().unwrap();
    let fields = [("version", &*first.id.to_string())];
    let chosen = ada.post(&format!("{path}/active-version"), &fields).await;
    assert_eq!(chosen.location(), format!("{path}?done=version-chosen"));
    assert!(ada.get(&path).await.text().contains("Play with version 2"));
    let benched = ada.post(&format!("{path}/bench"), &[]).await;
    assert_eq!(benched.location(), format!("{path}?done=benched"));
    assert!(ada.get(&path).await.text().contains("Put it back on the ladder"));
    let activated = ada.post(&format!("{path}/activate"), &[]).await;
    assert_eq!(activated.location(), format!("{path}?done=activated"));
    let heard = site.listen(&format!("{path}/live"), Duration::from_millis(300)).await;
    assert_eq!(heard, "event: changed\ndata: {}\n\n");
}

#[tokio::test]
async fn matches_are_narrowed_by_filters_and_listed_page_by_page() {
    let site = Site::with(|it| it.limits.matches_waiting_max = 50).await;
    let worker = Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let hedger = ada.upload_bot("architect", "Hedger").await.to_string();
    let walker = ada.upload_bot("adventurer", "Walker").await.to_string();
    worker.work(RUNNER).await;
    let fields = [("seat-0", &*hedger), ("seat-1", &*walker)];
    for _ in 0..30 {
        ada.post("/matches", &fields).await.id_after("/matches/");
    }
    let answer = ada.post("/matches", &fields).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    worker.work(RUNNER).await;
    ada.post("/bots/x/bench", &[]).await;

    let count = |html: &str| html.matches("Replay and details").count();
    let first = site.visitor().get("/matches?purpose=friendly").await.text();
    assert_eq!(count(&first), 30);
    assert!(first.contains("These are all."));
    assert!(first.contains("Labyrinth: size "), "where games are mixed, each is named");
    let all =
        site.visitor().get(&format!("/matches?bot={hedger}&game=labyrinth&state=finished")).await;
    let html = all.text();
    assert!(html.contains("Matches of Hedger"));
    assert!(!html.contains("Labyrinth: size "), "where one is asked for, it goes without saying");
    let total = count(&html);
    assert_eq!(total, 30);
    for (query, empty) in [("state=void", true), ("state=queued", true), ("state=finished", false)]
    {
        let html = site.visitor().get(&format!("/matches?{query}")).await.text();
        assert_eq!(html.contains("No match fits."), empty, "{query}");
    }
    if let Some(older) = html.split("rel=\"next\" href=\"").nth(1) {
        let address = older.split('"').next().unwrap().replace("&#38;", "&");
        let html = site.visitor().get(&address).await.text();
        assert!(html.contains("Newest"));
    }
}

#[tokio::test]
async fn assets_are_kept_for_ever_and_packed_for_those_who_unpack() {
    let site = Site::open().await;
    let page = site.visitor().get("/").await.text();
    for kind in ["stylesheet\" href=\"", "type=\"module\" src=\""] {
        let address = page.split(kind).nth(1).unwrap().split('"').next().unwrap();
        let answer = site.visitor().get(address).await;
        assert_eq!(answer.status, StatusCode::OK, "{address}");
        assert!(answer.header(header::CACHE_CONTROL).contains("immutable"));
        assert!(answer.header(header::CONTENT_TYPE).starts_with("text/"));
    }
    let licences =
        page.split("<a href=\"/assets/licences").nth(1).unwrap().split('"').next().unwrap();
    let answer = site.visitor().get(&format!("/assets/licences{licences}")).await;
    assert_eq!(answer.header(header::CONTENT_TYPE), "text/plain; charset=utf-8");
    assert!(answer.text().contains("three.js authors"));
}

#[tokio::test]
async fn matches_of_the_past_can_be_watched_and_no_times_are_made_up() {
    let site = Site::open().await;
    let archive = "/games/jockey/archive/final2019";
    assert!(site.visitor().get("/games/jockey").await.text().contains(archive));
    let list = site.visitor().get(archive).await.text();
    let (mut n_matches, mut n_races) = (0, 0);
    for line in list.lines().filter(|it| it.contains(&format!("href=\"{archive}/"))) {
        let address = line.split('"').find(|it| it.starts_with(archive)).unwrap();
        let page = site.visitor().get(address).await;
        assert_eq!(page.status, StatusCode::OK, "{address}");
        assert!(page.text().contains(&format!("src=\"{address}/replay.json\"")), "{address}");
        let replay = site.visitor().get(&format!("{address}/replay.json")).await.text();
        let replay: serde_json::Value = serde_json::from_str(&replay).unwrap();
        let frames = replay["frames"].as_array().unwrap();
        let noted = |it: &serde_json::Value| {
            it["spent"].as_array().is_some_and(|it| it.iter().any(|it| !it.is_null()))
        };
        assert!(!frames.iter().any(noted), "{address}");
        let events = frames.iter().flat_map(|it| it["events"].as_array().unwrap());
        n_races += events.filter(|it| it["event"] == "race_over").count();
        n_matches += 1;
    }
    assert_eq!((n_matches, n_races), (14, 18));
}
