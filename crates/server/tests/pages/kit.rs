//! A whole server without a socket, browsers that keep their cookie, and a
//! worker that plays by the book.

use std::{
    net::SocketAddr,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::ConnectInfo,
    http::{HeaderMap, Method, Request, StatusCode, header},
};
use game::{PerSeat, Seat, Sitter};
use http_body_util::BodyExt;
use jobs::{
    BuildReport, Compliance, Hello, Job, Language, LeaseAnswer, LeaseRequest, Leased, MatchReport,
    Report, SeatReport, Upload, Uploaded,
};
use referee::{AnyReferee, Effect, Input, Spent};
use server::{AppState, Config, Games};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;
use uuid::Uuid;

/// A server with a database of its own.
pub(crate) struct Site {
    pub(crate) state: AppState,
    app: Router,
    _dir: tempfile::TempDir,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).map_or("", |it| it.to_str().unwrap())
    }

    /// Where it leads.
    pub(crate) fn location(&self) -> String {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.text());
        self.header(header::LOCATION).to_owned()
    }

    /// The id after `prefix` in where it leads.
    pub(crate) fn id_after(&self, prefix: &str) -> Uuid {
        let location = self.location();
        let rest = location.strip_prefix(prefix).unwrap_or_else(|| panic!("{location}"));
        rest.split(['?', '/']).next().unwrap().parse().unwrap()
    }
}

impl Site {
    pub(crate) async fn open() -> Site {
        Site::with(|_| {}).await
    }

    pub(crate) async fn with(set: impl FnOnce(&mut Config)) -> Site {
        let dir = tempfile::tempdir().unwrap();
        let mut config = Config::default();
        config.database.url = store::testing::database().await;
        config.server.data_dir = dir.path().to_owned();
        config.config_dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
        set(&mut config);
        let state =
            AppState::open(config, Games(games::GAMES), CancellationToken::new()).await.unwrap();
        Site { app: server::router(state.clone()), state, _dir: dir }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let (parts, body) = self.app.clone().oneshot(request).await.unwrap().into_parts();
        // Streams are read by their own tests.
        let body = match parts.headers.get(header::CONTENT_TYPE) {
            Some(it) if it == "text/event-stream" => Bytes::new(),
            _ => body.collect().await.unwrap().to_bytes(),
        };
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// Opens a stream, and gives what comes within `wait`.
    pub(crate) async fn listen(&self, path: &str, wait: Duration) -> String {
        self.listen_to(Request::get(path).body(Body::empty()).unwrap(), wait).await
    }

    async fn listen_to(&self, request: Request<Body>, wait: Duration) -> String {
        let path = request.uri().to_string();
        let answer = self.app.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        let mut body = answer.into_body();
        let mut heard = Vec::new();
        let until = tokio::time::Instant::now() + wait;
        while let Ok(Some(Ok(frame))) = tokio::time::timeout_at(until, body.frame()).await {
            heard.extend_from_slice(&frame.into_data().unwrap_or_default());
        }
        String::from_utf8(heard).unwrap()
    }

    /// A visitor at an address of its own.
    pub(crate) fn visitor(&self) -> Browser<'_> {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let no = NEXT.fetch_add(1, Ordering::Relaxed);
        let ip = [10, (no >> 16) as u8, (no >> 8) as u8, no as u8];
        Browser { site: self, cookie: None, peer: SocketAddr::from((ip, 4000)) }
    }

    /// Somebody who has just signed up.
    pub(crate) async fn signed_up(&self, name: &str) -> Browser<'_> {
        let mut browser = self.visitor();
        let answer = browser.post("/signup", &[("name", name), ("password", PASSWORD)]).await;
        assert_eq!(answer.location(), "/me?done=welcome");
        browser
    }
}

impl Site {
    /// Somebody who has just signed up, and runs contests.
    pub(crate) async fn organiser(&self, name: &str) -> Browser<'_> {
        let browser = self.signed_up(name).await;
        let store = &self.state.store;
        let account = server::auth::find_account(store, name).await.unwrap().unwrap();
        store.set_role(account, store::Role::Organiser).await.unwrap();
        browser
    }
}

pub(crate) const PASSWORD: &str = "correct horse battery";

/// A browser: it keeps its cookie, and says where its requests come from.
pub(crate) struct Browser<'a> {
    site: &'a Site,
    pub(crate) cookie: Option<String>,
    peer: SocketAddr,
}

/// A part of an upload: field, file name if it is a file, content.
pub(crate) type Part<'a> = (&'a str, Option<&'a str>, &'a [u8]);

impl Browser<'_> {
    pub(crate) async fn get(&mut self, path: &str) -> Answer {
        self.ask(Method::GET, path, "", Body::empty()).await
    }

    pub(crate) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = serde_urlencoded::to_string(fields).unwrap();
        self.ask(Method::POST, path, "application/x-www-form-urlencoded", body.into()).await
    }

    pub(crate) async fn upload(&mut self, parts: &[Part<'_>]) -> Answer {
        self.send_parts("/upload", parts).await
    }

    /// Sends a form with files.
    pub(crate) async fn send_parts(&mut self, path: &str, parts: &[Part<'_>]) -> Answer {
        let mut body = Vec::new();
        for (name, file, content) in parts {
            let file = file.map_or(String::new(), |it| format!("; filename=\"{it}\""));
            let head =
                format!("--cut\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n");
            body.extend_from_slice(head.as_bytes());
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        }
        body.extend_from_slice(b"--cut--\r\n");
        let content_type = "multipart/form-data; boundary=cut";
        self.ask(Method::POST, path, content_type, body.into()).await
    }

    /// Opens a stream as whoever is signed in, and gives what comes within `wait`.
    pub(crate) async fn listen(&mut self, path: &str, wait: Duration) -> String {
        let request = Request::get(path).header(header::COOKIE, self.cookie.as_deref().unwrap());
        self.site.listen_to(request.body(Body::empty()).unwrap(), wait).await
    }

    /// Decides something in a match, and gives status and answer.
    pub(crate) async fn decide(
        &mut self,
        match_id: Uuid,
        what: serde_json::Value,
    ) -> (u16, serde_json::Value) {
        let path = format!("/matches/{match_id}/deeds");
        let body = what.to_string().into();
        let answer = self.ask(Method::POST, &path, "application/json", body).await;
        let told = match answer.header(header::CONTENT_TYPE) {
            "application/json" => serde_json::from_slice(&answer.body).unwrap(),
            _ => serde_json::Value::String(answer.text()),
        };
        (answer.status.as_u16(), told)
    }

    /// Uploads a new Labyrinth bot.
    pub(crate) async fn upload_bot(&mut self, role: &str, name: &str) -> Uuid {
        let plays = format!("labyrinth/{role}");
        let parts: [Part; 3] = [
            ("plays", None, plays.as_bytes()),
            ("name", None, name.as_bytes()),
            ("file", Some("bot.py"), b"import sys\nprint('#END')\n"),
        ];
        self.upload(&parts).await.id_after("/bots/")
    }

    pub(crate) async fn ask(
        &mut self,
        method: Method,
        path: &str,
        content_type: &str,
        body: Body,
    ) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "agon.test")
            .header(header::USER_AGENT, "Firefox/140.0 (X11; Linux)")
            .header(header::ACCEPT, "text/html")
            .header("sec-fetch-site", "same-origin")
            .extension(ConnectInfo(self.peer));
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        if !content_type.is_empty() {
            request = request.header(header::CONTENT_TYPE, content_type);
        }
        let answer = self.site.send(request.body(body).unwrap()).await;
        if let Some(set) = answer.headers.get(header::SET_COOKIE) {
            let pair = set.to_str().unwrap().split(';').next().unwrap();
            self.cookie = (!pair.ends_with('=')).then(|| pair.to_owned());
        }
        answer
    }
}

/// A worker that speaks to the server as real ones do, and plays Labyrinth itself.
pub(crate) struct Worker<'a> {
    site: &'a Site,
    token: String,
}

/// What a worker makes of a match: what each bot says in each of its turns.
pub(crate) type Script = fn(Seat, u32) -> &'static [u8];

/// The architect passes, the adventurer runs straight to the treasure.
pub(crate) const RUNNER: Script = |seat, turn| match (seat.0, turn) {
    (0, _) => b"#END\n",
    (_, 0..4) => b"MakeStep 0\n#END\n",
    _ => b"MakeStep 3\n#END\n",
};

impl<'a> Worker<'a> {
    pub(crate) async fn connect(site: &'a Site) -> Worker<'a> {
        let token = server::new_token().unwrap();
        site.state.store.admit_worker("tester", &server::token_digest(&token)).await.unwrap();
        let worker = Worker { site, token };
        let language = |id: &str, toolchain: Result<&str, &str>| Language {
            id: id.into(),
            toolchain: toolchain.map(str::to_owned).map_err(str::to_owned),
        };
        let hello = Hello {
            version: "test".into(),
            start: Uuid::new_v4(),
            slots: 4,
            people_slots: 2,
            languages: vec![
                language("python3", Ok("Python 3.11.2")),
                language("cpp", Ok("g++ 12.2")),
                language("python2", Err("no interpreter is configured")),
            ],
            jail: Default::default(),
        };
        assert_eq!(worker.post("/worker/v1/hello", &hello).await.status, StatusCode::OK);
        worker
    }

    /// What it shows at the door.
    pub(crate) fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    /// Takes all jobs that wait, builds, and plays by `script`, until nothing is left.
    pub(crate) async fn work(&self, script: Script) {
        loop {
            let jobs = self.lease().await;
            if jobs.is_empty() {
                return;
            }
            for it in jobs {
                match &it.job {
                    Job::Build(_) => self.build(&it, true).await,
                    Job::Match(_) => self.play(&it, script).await,
                }
            }
        }
    }

    pub(crate) async fn lease(&self) -> Vec<Leased> {
        let answer = self
            .post("/worker/v1/lease", &LeaseRequest { jobs_max: 8, people_max: 8, wait_s: 0 })
            .await;
        serde_json::from_slice::<LeaseAnswer>(&answer.body).unwrap().jobs
    }

    /// Reports a build.
    pub(crate) async fn build(&self, it: &Leased, fine: bool) {
        let Job::Build(job) = &it.job else { panic!("no build") };
        let artefact = match fine {
            true => Some(self.put(&job.artefact, b"program".to_vec()).await),
            false => None,
        };
        let report = BuildReport {
            artefact,
            log: if fine { String::new() } else { "bot.py:1: <unclosed> bracket".into() },
            why: (!fine).then(|| "The compiler ended with exit code 1.".to_owned()),
            toolchain: "Python 3.11.2".into(),
            recipe: None,
            reused: false,
            build_ms: 120,
            compliance: fine.then(|| Compliance {
                answers: 3,
                fault: None,
                remarks: Vec::new(),
                stderr: String::new(),
                first_answer_ms: 20,
            }),
        };
        self.report(it, &Report::Built(Box::new(report))).await;
    }

    /// Plays a match, streams its plies, and reports it.
    pub(crate) async fn play(&self, it: &Leased, script: Script) {
        let played = self.begin(it, script, u32::MAX).await;
        self.report_played(it, &*played).await;
    }

    /// Plays a match, streams its first plies, and leaves it at that.
    pub(crate) async fn begin(
        &self,
        it: &Leased,
        script: Script,
        plies_max: u32,
    ) -> Box<dyn AnyReferee> {
        let Job::Match(job) = &it.job else { panic!("no match") };
        let played = run(&job.setup, script);
        let n_plies = played.n_plies().min(plies_max);
        let plies: Vec<_> = (0..n_plies).map(|ply| played.frame(ply).unwrap()).collect();
        let path = format!("/worker/v1/leases/{}/plies", it.lease);
        let frames = serde_json::json!({ "from": 0, "plies": plies });
        assert_eq!(self.post(&path, &frames).await.status, StatusCode::NO_CONTENT);
        played
    }

    /// Reports a match as its referee has it.
    pub(crate) async fn report_played(&self, it: &Leased, referee: &dyn AnyReferee) {
        let Job::Match(job) = &it.job else { panic!("no match") };
        let record = zstd::encode_all(&referee.record()[..], 3).unwrap();
        let n_plies = referee.n_plies();
        let faults: Vec<_> = (0..n_plies)
            .flat_map(|ply| referee.faults(ply).into_iter().map(move |it| (ply, it)))
            .collect();
        let seats = PerSeat::new(2, |seat| {
            let mut own = faults.iter().filter(|(_, (of, _))| *of == seat);
            SeatReport {
                faults: own.clone().count() as u32,
                fault: own.next().map(|(ply, (_, fault))| (*ply, fault.clone())),
                warnings: 0,
                charged_ms: 100,
                slowest_ms: 12,
                cpu_ms: 80,
                memory_peak_bytes: 9 << 20,
                stderr: format!("secret of seat {}", seat.0),
            }
        });
        let report = MatchReport {
            outcome: referee.outcome().unwrap(),
            record: self.put(&job.record, record).await,
            plies: n_plies,
            seats,
        };
        self.report(it, &Report::Played(Box::new(report))).await;
    }

    async fn put(&self, to: &Upload, bytes: Vec<u8>) -> Uploaded {
        let uploaded = Uploaded { digest: store::digest_of(&bytes), bytes: bytes.len() as u64 };
        let request = Request::put(&to.url).body(Body::from(bytes)).unwrap();
        assert_eq!(self.site.send(request).await.status, StatusCode::NO_CONTENT);
        uploaded
    }

    pub(crate) async fn report(&self, it: &Leased, report: &Report) {
        let path = format!("/worker/v1/leases/{}/report", it.lease);
        let answer = self.post(&path, report).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text());
    }

    pub(crate) async fn post(&self, path: &str, body: &impl serde::Serialize) -> Answer {
        let request = Request::post(path)
            .header(header::AUTHORIZATION, self.bearer())
            .header(header::CONTENT_TYPE, "application/json")
            .body(serde_json::to_vec(body).unwrap().into())
            .unwrap();
        self.site.send(request).await
    }
}

/// A match between two scripts. A turn with nothing said ends the program.
fn run(setup: &serde_json::Value, script: Script) -> Box<dyn AnyReferee> {
    let game = games::find("labyrinth").unwrap();
    let sitters = PerSeat::new(2, |_| Sitter::Bot);
    let mut referee = game.referee(setup, sitters).unwrap();
    let mut turns = [0, 0];
    let mut now = Duration::ZERO;
    loop {
        let Some(effect) = referee.poll() else { panic!("the match waits for nobody") };
        now += Duration::from_micros(100);
        let spent =
            Spent::charge(Duration::from_millis(3), Duration::from_millis(2), Duration::ZERO);
        let input = match effect {
            Effect::Wake(seat, _) => {
                let turn = &mut turns[usize::from(seat.0)];
                let bytes = script(seat, *turn).to_vec();
                *turn += 1;
                match bytes.is_empty() {
                    true => Input::Ended { seat, end: game::End::Signalled(11), spent },
                    false => Input::Output { seat, bytes, spent },
                }
            }
            Effect::Rest(seat) => Input::Rested { seat, bytes: Vec::new() },
            Effect::Send(seat, bytes) => Input::Written { seat, n_bytes: bytes.len() },
            Effect::Over(_) => return referee,
            Effect::Void(why) => panic!("void: {why}"),
            Effect::Start(_) | Effect::Stop(_) | Effect::Refuse(..) | Effect::Played(_) => continue,
        };
        referee.handle(now, input).unwrap();
    }
}
