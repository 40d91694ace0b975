//! A server without a socket, and workers that say anything.

use std::{path::Path, time::Duration};

use axum::{
    Router,
    body::{Body, Bytes},
    http::{HeaderMap, Method, Request, StatusCode, header},
};
use game::{End, PerSeat, Seat, Sitter};
use http_body_util::BodyExt;
use jobs::{BuildReport, Hello, Job, Language, Leased, MatchReport, Report, SeatReport, Uploaded};
use referee::{Effect, Faults, Input, Judged, Spent};
use serde_json::{Value, json};
use server::{AppState, Config, Games, token_digest};
use store::{NewBot, NewMatch, NewSeat, NewVersion, Purpose, Store, digest_of, testing};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use uuid::Uuid;

pub const GAME: &str = "labyrinth";
pub const ROLES: [&str; 2] = ["architect", "adventurer"];
pub const LANGUAGE: &str = "python3";

pub struct Site {
    pub state: AppState,
    pub app: Router,
    _dir: tempfile::TempDir,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("{}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Checks that it is refused with this status, and in words that say why.
    pub fn refused(&self, status: u16, words: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        assert_eq!(self.headers[header::CONTENT_TYPE], "application/problem+json");
        let problem = self.json();
        assert_eq!(problem["status"], status);
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(words), "{words:?} is not in {detail:?}");
    }
}

pub fn config(dir: &Path, database: String) -> Config {
    let mut config = Config::default();
    config.database.url = database;
    config.server.data_dir = dir.to_owned();
    config.config_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
    config
}

impl Site {
    pub async fn open() -> Site {
        Site::with(|_| {}).await
    }

    pub async fn with(set: impl FnOnce(&mut Config)) -> Site {
        let dir = tempfile::tempdir().unwrap();
        let mut config = config(dir.path(), testing::database().await);
        set(&mut config);
        let stopping = CancellationToken::new();
        let state = AppState::open(config, Games(games::GAMES), stopping).await.unwrap();
        Site { app: server::router(state.clone()), state, _dir: dir }
    }

    pub fn store(&self) -> &Store {
        &self.state.store
    }

    pub async fn send(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: impl Into<Body>,
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(body.into()).unwrap();
        let answer = self.app.clone().oneshot(request).await.unwrap();
        let (parts, body) = answer.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, None, Body::empty()).await
    }

    pub async fn put(&self, path: &str, bytes: impl Into<Body>) -> Answer {
        self.send(Method::PUT, path, None, bytes).await
    }

    /// A worker that has said hello.
    pub async fn worker(&self, name: &str) -> Worker<'_> {
        let worker = self.stranger(name).await;
        let answer = worker.post("hello", hello()).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        worker
    }

    /// A worker that has not.
    pub async fn stranger(&self, name: &str) -> Worker<'_> {
        let token = server::new_token().unwrap();
        self.store().admit_worker(name, &token_digest(&token)).await.unwrap();
        Worker { site: self, token }
    }

    /// A bot of an account of its own, with a version that waits to be built.
    pub async fn uploaded(&self, role: &str) -> Bot {
        let account = testing::account(self.store()).await;
        let name = Uuid::new_v4().simple().to_string();
        let new = NewBot { account, game: GAME, role, name: &name, name_key: &name, bots_max: 9 };
        let bot = self.store().create_bot(&new).await.unwrap();
        self.upload(account, bot).await
    }

    pub async fn upload(&self, account: Uuid, bot: Uuid) -> Bot {
        let source = self.state.blobs.put(Bytes::from_static(b"print('#END')")).await.unwrap();
        let new = NewVersion {
            bot,
            account,
            language: LANGUAGE,
            file_name: "bot.py",
            source: &source,
            builds_waiting_max: 99,
        };
        let version = self.store().create_version(&new).await.unwrap();
        Bot { account, bot, version }
    }

    /// The same, built.
    pub async fn ready(&self, worker: &Worker<'_>, role: &str) -> Bot {
        let bot = self.uploaded(role).await;
        let leased = worker.lease_one().await;
        worker.report_built(&leased).await;
        bot
    }

    /// An architect and an adventurer on the ladder.
    pub async fn pair(&self, worker: &Worker<'_>) -> [Bot; 2] {
        let one = self.ready(worker, ROLES[0]).await;
        let two = self.ready(worker, ROLES[1]).await;
        let validation = worker.lease_one().await;
        let done = worker.report_played(&validation, Course::Wait).await;
        assert_eq!(done.status, StatusCode::NO_CONTENT, "{}", done.text());
        [one, two]
    }

    pub async fn ladder_match(&self, bots: [Bot; 2]) -> Uuid {
        let seats = bots.map(|it| NewSeat::Bot { bot: it.bot, version: it.version });
        let new = NewMatch {
            game: GAME.to_owned(),
            rules: 1,
            setup: json!({ "size": 8, "mode": "map" }),
            preset: None,
            purpose: Purpose::Ladder,
            rated: true,
            created_by: None,
            seats: seats.to_vec().into(),
        };
        self.store().create_match(&new, 0).await.unwrap()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Bot {
    pub account: Uuid,
    pub bot: Uuid,
    pub version: Uuid,
}

pub fn hello() -> String {
    let languages = [(LANGUAGE, Ok("Python 3")), ("java", Err("no javac here"))];
    let hello = Hello {
        start: Uuid::from_u128(1),
        version: "1".to_owned(),
        slots: 2,
        people_slots: 2,
        languages: languages
            .map(|(id, toolchain)| Language {
                id: id.to_owned(),
                toolchain: toolchain.map(str::to_owned).map_err(str::to_owned),
            })
            .to_vec(),
        jail: [("network".to_owned(), "none".to_owned())].into(),
    };
    serde_json::to_string(&hello).unwrap()
}

pub struct Worker<'a> {
    pub site: &'a Site,
    pub token: String,
}

impl Worker<'_> {
    pub async fn post(&self, path: &str, body: impl Into<Body>) -> Answer {
        let path = format!("/worker/v1/{path}");
        self.site.send(Method::POST, &path, Some(&self.token), body).await
    }

    pub async fn lease(&self, jobs_max: u32, wait_s: u64) -> Vec<Leased> {
        let request = json!({ "jobs_max": jobs_max, "wait_s": wait_s }).to_string();
        let answer = self.post("lease", request).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        serde_json::from_value(answer.json()["jobs"].clone()).unwrap()
    }

    pub async fn lease_one(&self) -> Leased {
        self.lease(1, 10).await.pop().expect("there is a job")
    }

    pub async fn of_lease(&self, leased: &Leased, verb: &str, body: impl Into<Body>) -> Answer {
        self.post(&format!("leases/{}/{verb}", leased.lease), body).await
    }

    pub async fn report(&self, leased: &Leased, report: &Report) -> Answer {
        self.of_lease(leased, "report", serde_json::to_string(report).unwrap()).await
    }

    /// Puts bytes where the lease may; says what they are.
    pub async fn upload(&self, leased: &Leased, bytes: &[u8]) -> Uploaded {
        let url = match &leased.job {
            Job::Build(it) => &it.artefact.url,
            Job::Match(it) => &it.record.url,
        };
        let answer = self.site.put(url, bytes.to_vec()).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
        uploaded(bytes)
    }

    pub async fn report_built(&self, leased: &Leased) {
        let artefact = self.upload(leased, b"artefact").await;
        let answer = self.report(leased, &Report::Built(Box::new(built(Some(artefact))))).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
    }

    pub async fn report_played(&self, leased: &Leased, course: Course) -> Answer {
        let Played { record, report } = played(leased, course);
        self.upload(leased, &record).await;
        self.report(leased, &Report::Played(Box::new(report))).await
    }
}

pub fn uploaded(bytes: &[u8]) -> Uploaded {
    Uploaded { digest: digest_of(bytes), bytes: bytes.len() as u64 }
}

pub fn built(artefact: Option<Uploaded>) -> BuildReport {
    BuildReport {
        why: artefact.is_none().then(|| "line 1: no\0thing".to_owned()),
        artefact,
        log: "all \0 well".to_owned(),
        toolchain: "Python 3".to_owned(),
        recipe: None,
        reused: false,
        build_ms: 5,
        compliance: None,
    }
}

/// How a match goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// Nobody does anything, which is how the architect wins.
    Wait,
    /// The adventurer walks to the treasure, and the architect lets it.
    Walk,
    /// This bot crashes at its first question, and loses.
    Crash(Seat),
}

/// A match that was played.
pub struct Played {
    /// As it is stored.
    pub record: Vec<u8>,
    pub report: MatchReport,
}

impl Played {
    /// Changes the record, and nothing in the report.
    pub fn change_record(&mut self, change: impl Fn(&mut Value)) {
        let record = zstd::decode_all(&*self.record).unwrap();
        let mut record = serde_json::from_slice(&record).unwrap();
        change(&mut record);
        self.record = zstd::encode_all(record.to_string().as_bytes(), 1).unwrap();
    }
}

/// Plays the match of a lease.
pub fn played(leased: &Leased, course: Course) -> Played {
    let Job::Match(job) = &leased.job else { panic!("{leased:?}") };
    let game = games::find(GAME).unwrap();
    let sitters = PerSeat::new(ROLES.len(), |_| Sitter::Bot);
    let mut referee = game.referee(&job.setup, sitters).unwrap();
    let now = Duration::ZERO;
    let mut n_steps = 0;
    while let Some(effect) = referee.poll() {
        let spent = Spent::default();
        let input = match effect {
            Effect::Wake(seat, _) if course == Course::Crash(seat) => {
                Input::Ended { seat, end: End::Signalled(11), spent }
            }
            Effect::Wake(seat @ Seat(1), _) if course == Course::Walk => {
                n_steps += 1;
                let direction = if n_steps % 2 == 0 { 0 } else { 3 };
                let bytes = format!("MakeStep {direction}\n#END\n").into_bytes();
                Input::Output { seat, bytes, spent }
            }
            Effect::Wake(seat, _) => Input::Output { seat, bytes: b"#END\n".to_vec(), spent },
            Effect::Rest(seat) => Input::Rested { seat, bytes: Vec::new() },
            _ => continue,
        };
        referee.handle(now, input).unwrap();
    }
    let record = referee.record();
    let Judged { verdict, .. } = game.judge(&record, &mut || true).unwrap();
    let record = zstd::encode_all(&*record, 1).unwrap();
    let report = MatchReport {
        outcome: verdict.outcome.expect("it is over"),
        record: uploaded(&record),
        plies: verdict.plies,
        seats: verdict.faults.map(|_, it| {
            let Faults { first, n } = it.clone();
            SeatReport { fault: first, faults: n, ..quiet() }
        }),
    };
    Played { record, report }
}

pub fn quiet() -> SeatReport {
    SeatReport {
        fault: None,
        faults: 0,
        warnings: 0,
        charged_ms: 1,
        slowest_ms: 1,
        cpu_ms: 1,
        memory_peak_bytes: 1,
        stderr: String::new(),
    }
}
