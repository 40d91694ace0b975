//! People play: what they may do, what they and others are told, and how they are invited.

use std::time::Duration;

use axum::http::StatusCode;
use game::{PerSeat, Sitter};
use jobs::{Deeds, DeedsRequest, Job, Leased, MatchJob};
use referee::{AnyReferee, Effect, Input, Spent};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Browser, RUNNER, Site, Worker};

/// Streams are listened to for so long.
const LISTEN: Duration = Duration::from_millis(600);

/// A match under way at a worker that plays by the book.
struct Table<'a> {
    worker: &'a Worker<'a>,
    leased: Leased,
    referee: Box<dyn AnyReferee>,
    now: Duration,
    last: i64,
    n_sent: u32,
}

impl<'a> Table<'a> {
    /// Leases the one match there is, and begins it. A bot passes always.
    async fn begin(worker: &'a Worker<'a>) -> Table<'a> {
        let leased = worker.lease().await.pop().expect("there is a match");
        let Job::Match(job) = &leased.job else { panic!("{leased:?}") };
        let MatchJob { setup, seats, played, left_s, .. } = job;
        assert!(left_s.is_some_and(|it| it > 60), "{left_s:?}");
        let sitters: PerSeat<Sitter> =
            seats.map(|_, it| if it.is_some() { Sitter::Bot } else { Sitter::Person });
        let game = games::find(&job.game).unwrap();
        let referee = match played.is_empty() {
            true => game.referee(setup, sitters).unwrap(),
            false => game.resume(setup, sitters, played).unwrap(),
        };
        let n_sent = played.len() as u32;
        let mut table = Table { worker, leased, referee, now: Duration::ZERO, last: 0, n_sent };
        table.go_on().await;
        table
    }

    /// Plays until it waits for a person or is over, and tells the server.
    async fn go_on(&mut self) {
        while let Some(effect) = self.referee.poll() {
            let spent = Spent::default();
            let input = match effect {
                Effect::Wake(seat, _) => Input::Output { seat, bytes: b"#END\n".to_vec(), spent },
                Effect::Rest(seat) => Input::Rested { seat, bytes: Vec::new() },
                _ => continue,
            };
            self.referee.handle(self.now, input).unwrap();
        }
        let n_plies = self.referee.n_plies();
        if n_plies > self.n_sent {
            let plies: Vec<_> =
                (self.n_sent..n_plies).map(|it| self.referee.frame(it).unwrap()).collect();
            let path = format!("/worker/v1/leases/{}/plies", self.leased.lease);
            let frames = json!({ "from": self.n_sent, "plies": plies });
            assert_eq!(self.worker.post(&path, &frames).await.status, StatusCode::NO_CONTENT);
            self.n_sent = n_plies;
        }
    }

    /// Takes in what people have decided; says how much.
    async fn hear(&mut self) -> usize {
        let path = format!("/worker/v1/leases/{}/deeds", self.leased.lease);
        let request = DeedsRequest { after: self.last, wait_s: 0 };
        let answer = self.worker.post(&path, &request).await;
        let Deeds { deeds, last } = serde_json::from_slice(&answer.body).unwrap();
        self.last = last;
        let mut n_deeds = 0;
        // What was decided for plies that were played counts for nothing.
        for it in deeds.into_iter().filter(|it| it.ply >= self.n_sent) {
            assert_eq!(it.ply, self.referee.n_plies());
            n_deeds += 1;
            let input = Input::Act { seat: it.seat, action: it.action, log: it.log };
            self.referee.handle(self.now, input).unwrap();
        }
        self.go_on().await;
        n_deeds
    }

    /// Lets everybody be late until the match is over, and reports it.
    async fn let_pass(mut self) {
        while self.referee.outcome().is_none() {
            self.now = self.referee.poll_timeout().expect("somebody is asked");
            self.referee.handle(self.now, Input::Tick).unwrap();
            self.go_on().await;
        }
        self.worker.report_played(&self.leased, &*self.referee).await;
    }
}

/// The data of all events of one kind.
fn events(heard: &str, kind: &str) -> Vec<Value> {
    let mut found = Vec::new();
    for event in heard.split("\n\n") {
        let field = |name: &str| event.lines().find_map(|it| it.strip_prefix(name));
        if field("event: ") == Some(kind) {
            found.extend(field("data: ").map(|it| serde_json::from_str(it).unwrap()));
        }
    }
    found
}

/// Views, events and plies that a stream has told, as one text.
fn told(heard: &str) -> String {
    let frames = events(heard, "start").into_iter().chain(events(heard, "ply"));
    frames.map(|it| it.to_string()).collect()
}

async fn architect(site: &Site, worker: &Worker<'_>) -> String {
    let mut bob = site.signed_up("Bob").await;
    let bot = bob.upload_bot("architect", "Hedger").await;
    bob.upload_bot("adventurer", "Walker").await;
    worker.work(RUNNER).await;
    bot.to_string()
}

#[tokio::test]
async fn a_person_plays_and_is_told_what_they_may_know_and_nobody_more() {
    let site = Site::with(|it| it.ladder.enabled = false).await;
    let worker = Worker::connect(&site).await;
    let bot = architect(&site, &worker).await;
    let mut ada = site.signed_up("Ada").await;
    let mut eve = site.signed_up("Eve").await;
    let fields = [
        ("game", "labyrinth"),
        ("seat-0", &*bot),
        ("seat-1", "me"),
        ("setup-size", "7"),
        ("setup-mode", "nomap"),
    ];
    let id = ada.post("/matches", &fields).await.id_after("/matches/");
    let path = format!("/matches/{id}");
    assert!(ada.get(&path).await.text().contains("You play in this match."));
    assert!(ada.get("/").await.text().contains("To play <span class=\"count\">1</span>"));
    let early = ada.decide(id, json!({ "ply": 0, "action": "pass" })).await;
    assert!(early.0 == 409 && early.1.to_string().contains("has not begun yet"), "{early:?}");

    let mut table = Table::begin(&worker).await;
    assert!(ada.get(&path).await.text().contains("<agon-play game=\"labyrinth\" seat=\"1\""));
    let others = site.visitor().get(&path).await.text();
    assert!(others.contains("<agon-replay") && !others.contains("<agon-play"));

    let own = ada.listen(&format!("{path}/live?as=player"), LISTEN).await;
    let asked = events(&own, "asked");
    assert_eq!(asked.len(), 1, "{own}");
    assert_eq!((&asked[0]["ply"], &asked[0]["asked"]), (&json!(1), &json!(true)));
    let left_ms = asked[0]["left_ms"].as_u64().unwrap();
    assert!((90_000..=100_000).contains(&left_ms), "{left_ms}");
    let seen = site.listen(&format!("{path}/live"), LISTEN).await;
    assert!(events(&seen, "asked").is_empty());
    for heard in [&own, &seen] {
        assert!(told(heard).contains("????"), "fields are hidden: {heard}");
        assert!(!told(heard).contains("no_command"), "what the architect did is not told");
    }
    assert_eq!(eve.get(&format!("{path}/live?as=player")).await.status, StatusCode::FORBIDDEN);

    // What, as whom, for which ply: what comes of it.
    let act = |ply: u32, action: Value| json!({ "ply": ply, "action": action });
    let step = json!({ "step": 0 });
    for (hers, what, status, words) in [
        (false, act(1, step.clone()), 403, "You do not play in this match"),
        (true, act(0, step.clone()), 409, "The match has gone on meanwhile"),
        (true, act(2, step.clone()), 409, "The match has gone on meanwhile"),
        (true, act(1, json!({ "step": 1 })), 422, "No step 1: a hedge is in the way."),
        (true, act(1, json!({ "plant": [2, 2] })), 422, "only the architect plants"),
        (true, act(1, json!("fly")), 422, "This is no action of the game."),
        (true, json!({ "ply": 1 }), 400, "either an action or a line"),
    ] {
        let by = if hers { &mut ada } else { &mut eve };
        let (found, said) = by.decide(id, what.clone()).await;
        assert_eq!(found, status, "{what}: {said}");
        assert!(said.as_str().unwrap().contains(words), "{what}: {said}");
    }
    assert_eq!(table.hear().await, 0, "nothing of that reaches the match");

    // The console: queries are answered at once, an error is told, and the last word counts.
    let line =
        |ply: u32, before: &str, line: &str| json!({ "ply": ply, "before": before, "line": line });
    let (_, it) = ada.decide(id, line(1, "", "AdventurerPosition\n")).await;
    assert_eq!((&it["replies"], &it["taken"]), (&json!("7 7\n"), &json!(false)));
    let (_, it) = ada.decide(id, line(1, "", "MazeMap\n")).await;
    assert_eq!(it["remarks"], json!([["warning", "MazeMap not available"]]));
    let (_, it) = ada.decide(id, line(1, "MakeStep 2\n", "#END\n")).await;
    assert_eq!(it["refused"], "No step 2: a hedge is in the way.");
    let (_, it) = ada.decide(id, line(1, "MakeStep 0\n", "#PRINT  left \u{0}\n")).await;
    assert_eq!(it["remarks"], json!([["log", " left \u{fffd}"]]));
    let (_, it) =
        ada.decide(id, line(1, "MakeStep 0\n#PRINT  left \u{0}\n#PRINT\n", "#END\n")).await;
    assert_eq!((&it["taken"], &it["refused"]), (&json!(true), &Value::Null));
    let (status, said) = ada.decide(id, act(1, step.clone())).await;
    assert!(status == 409 && said.to_string().contains("You have decided already"), "{said}");
    let waiting = ada.listen(&format!("{path}/live?as=player"), LISTEN).await;
    assert_eq!(events(&waiting, "asked").last().unwrap()["decided"], true);

    assert_eq!(table.hear().await, 1);
    let (status, said) = ada.decide(id, act(1, step.clone())).await;
    assert!(status == 409 && said.to_string().contains("gone on meanwhile"), "{said}");
    let own = ada.listen(&format!("{path}/live?as=player"), LISTEN).await;
    assert_eq!(events(&own, "ply").len(), 3);
    assert_eq!(events(&own, "ply")[1]["ply"][1]["action"]["step"], 0);
    assert_eq!(events(&own, "asked").last().unwrap()["ply"], 3);
    let by_board = json!({ "ply": 3, "action": "pass", "before": "#PRINT by hand\n" });
    assert_eq!(ada.decide(id, by_board).await.0, 200);
    assert_eq!(table.hear().await, 1);
    for path in ["replay.json", "record"] {
        let answer = ada.get(&format!("/matches/{id}/{path}")).await;
        assert_eq!(answer.status, StatusCode::CONFLICT, "{path}");
    }

    table.let_pass().await;
    let page = ada.get(&path).await.text();
    assert!(page.contains("<agon-replay") && page.contains("late 3 turns in a row"), "{page}");
    // What was said for the log was kept with its turn.
    let record = ada.get(&format!("{path}/record")).await;
    let record = zstd::decode_all(&record.body[..]).unwrap();
    let record: Value = serde_json::from_slice(&record).unwrap();
    let remark =
        |ply: u32, text: &str| json!({ "ply": ply, "seat": 1, "kind": "log", "text": text });
    let said = json!([remark(1, " left \u{fffd}"), remark(1, ""), remark(3, "by hand")]);
    assert_eq!(record["remarks"], said);
    let replay = site.visitor().get(&format!("{path}/replay.json")).await.text();
    assert!(!replay.contains("????") && replay.contains("no_command"), "now all is told");
    assert!(!ada.get("/").await.text().contains("class=\"count\""));
}

#[tokio::test]
async fn a_match_that_lost_its_worker_goes_on_where_it_was() {
    let site = Site::with(|it| {
        it.ladder.enabled = false;
        it.queue.backoff_s = 0;
    })
    .await;
    let worker = Worker::connect(&site).await;
    let bot = architect(&site, &worker).await;
    let mut ada = site.signed_up("Ada").await;
    let fields = [("game", "labyrinth"), ("seat-0", &*bot), ("seat-1", "me")];
    let id = ada.post("/matches", &fields).await.id_after("/matches/");
    let step = |ply: u32| json!({ "ply": ply, "action": { "step": 0 } });
    let mut table = Table::begin(&worker).await;
    assert_eq!(ada.decide(id, step(1)).await.0, 200);
    table.hear().await;
    let lost = table.leased.lease;
    // Decided, and not yet heard when the worker is lost.
    assert_eq!(ada.decide(id, step(3)).await.0, 200);
    let failed = jobs::Report::Failed(jobs::Failure { what: "killed".into() });
    let answer = worker.post(&format!("/worker/v1/leases/{lost}/report"), &failed).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT);
    let meanwhile = ada.decide(id, step(3)).await;
    assert!(meanwhile.0 == 503 && meanwhile.1.to_string().contains("interrupted"), "{meanwhile:?}");

    let mut table = Table::begin(&worker).await;
    assert_eq!((table.leased.attempt, table.n_sent), (2, 3));
    assert_eq!(table.hear().await, 1, "it need not be decided again");
    assert_eq!(table.referee.n_plies(), 5);
    let own = ada.listen(&format!("/matches/{id}/live?as=player"), LISTEN).await;
    assert_eq!(events(&own, "ply").len(), 5);
    assert_eq!(ada.decide(id, step(5)).await.0, 200);
    table.let_pass().await;
    assert!(ada.get(&format!("/matches/{id}")).await.text().contains("<agon-replay"));
}

#[tokio::test]
async fn what_people_have_to_find_out_is_told_when_the_match_is_over() {
    let site = Site::with(|it| it.ladder.enabled = false).await;
    let worker = Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let parts: [crate::kit::Part; 3] = [
        ("plays", None, b"jockey/player"),
        ("name", None, b"Runner"),
        ("file", Some("bot.py"), b"import sys\n"),
    ];
    let bot = ada.upload(&parts).await.id_after("/bots/").to_string();
    for it in worker.lease().await {
        worker.build(&it, true).await;
    }
    let fields =
        [("game", "jockey"), ("seat-0", &*bot), ("seat-1", "me"), ("setup", "courses/official-07")];
    let id = ada.post("/matches", &fields).await.id_after("/matches/");
    let pages = [format!("/matches/{id}"), "/matches".to_owned(), "/invitations".to_owned()];
    let tells = async |ada: &mut Browser<'_>| {
        let mut telling = Vec::new();
        for it in &pages {
            let page = ada.get(it).await.text();
            telling.push(page.contains("official-07"));
        }
        telling
    };
    assert_eq!(tells(&mut ada).await, [false; 3], "while it waits");
    let table = Table::begin(&worker).await;
    assert_eq!(tells(&mut ada).await, [false; 3], "while it is played");
    table.let_pass().await;
    assert_eq!(tells(&mut ada).await, [true, false, false], "when it is over");
}

async fn invite(maker: &mut Browser<'_>, guest: &str) -> String {
    let fields = [
        ("game", "labyrinth"),
        ("seat-0", "me"),
        ("seat-1", "guest"),
        ("guest-1", guest),
        ("setup-size", "7"),
        ("setup-mode", "nomap"),
    ];
    let answer = maker.post("/matches", &fields).await;
    match answer.status {
        StatusCode::SEE_OTHER => answer.location(),
        _ => answer.text(),
    }
}

/// The id of the invitation that is open for this visitor.
async fn open_one(browser: &mut Browser<'_>) -> Uuid {
    let page = browser.get("/invitations").await.text();
    let (_, rest) = page.split_once("action=\"/invitations/").unwrap_or_else(|| panic!("{page}"));
    rest.split('/').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn two_people_meet_by_invitation_and_neither_sees_more_by_watching() {
    let site = Site::with(|it| it.limits.invitations_max = 2).await;
    let worker = Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let mut eve = site.signed_up("Eve").await;
    let mut mallory = site.signed_up("Mallory").await;
    for (guest, words) in [
        ("", "Type the name of whom you want to invite."),
        ("Nobody", "Nobody here is called “Nobody”."),
        ("ada", "To play yourself, choose “Me”."),
    ] {
        let page = invite(&mut ada, guest).await;
        assert!(page.contains(words), "{guest}: {page}");
    }
    assert_eq!(invite(&mut ada, "EVE").await, "/invitations?done=invited");
    assert!(eve.get("/").await.text().contains("To play <span class=\"count\">1</span>"));
    let id = open_one(&mut eve).await;
    let path = |verb: &str| format!("/invitations/{id}/{verb}");
    for verb in ["accept", "decline", "withdraw"] {
        assert_eq!(mallory.post(&path(verb), &[]).await.status, StatusCode::NOT_FOUND, "{verb}");
    }
    assert_eq!(eve.post(&path("decline"), &[]).await.location(), "/invitations?done=declined");
    assert!(ada.get("/invitations").await.text().contains("declined"));
    let late = eve.post(&path("accept"), &[]).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert!(late.text().contains("This invitation is over: it was declined."));

    invite(&mut ada, "Eve").await;
    let id = open_one(&mut ada).await;
    let withdrawn = ada.post(&format!("/invitations/{id}/withdraw"), &[]).await;
    assert_eq!(withdrawn.location(), "/invitations?done=withdrawn");

    invite(&mut ada, "Eve").await;
    invite(&mut ada, "Mallory").await;
    let page = invite(&mut ada, "Mallory").await;
    assert!(page.contains("2 of your invitations are open"), "{page}");
    let id = open_one(&mut eve).await;
    let match_id = eve.post(&format!("/invitations/{id}/accept"), &[]).await.id_after("/matches/");
    let path = format!("/matches/{match_id}");
    assert!(ada.get("/invitations").await.text().contains(&path));

    let mut table = Table::begin(&worker).await;
    let plant = json!({ "ply": 0, "action": { "plant": [3, 3] } });
    assert_eq!(eve.decide(match_id, plant.clone()).await.0, 409, "it is the other's turn");
    assert_eq!(ada.decide(match_id, plant).await.0, 200);
    assert_eq!(table.hear().await, 1);
    let architect = ada.listen(&format!("{path}/live?as=player"), LISTEN).await;
    assert!(told(&architect).contains("\"planted\"") && !told(&architect).contains("????"));
    for heard in [
        eve.listen(&format!("{path}/live?as=player"), LISTEN).await,
        // Neither the other player in a second window nor anybody else sees more than she does.
        eve.listen(&format!("{path}/live"), LISTEN).await,
        ada.listen(&format!("{path}/live"), LISTEN).await,
        site.listen(&format!("{path}/live"), LISTEN).await,
    ] {
        assert_eq!(events(&heard, "ply").len(), 1);
        assert!(told(&heard).contains("????"));
        assert!(!heard.contains("plant"), "{heard}");
    }
    let walk = json!({ "ply": 1, "action": { "step": 0 } });
    assert_eq!(eve.decide(match_id, walk).await.0, 200);
    table.hear().await;
    let heard = site.listen(&format!("{path}/live"), LISTEN).await;
    assert_eq!(events(&heard, "ply")[1]["ply"], json!([null, null]), "what is not for both");
    assert_eq!(events(&heard, "ply")[1]["view"]["adventurer"], json!([7, 6]), "what is");
    table.let_pass().await;
    assert!(site.visitor().get(&path).await.text().contains("<agon-replay"));
}
