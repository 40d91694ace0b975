//! A worker, its launcher and its jobs, as each case wants them.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use game::{PerSeat, Seat};
use jobs::{BuildJob, BuildReport, Job, MatchJob, Report, SeatJob};
use runner::{
    Client, Languages,
    sandbox::{self, Policy, Seccomp, launcher},
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::oneshot, time::timeout};
use uuid::Uuid;
use worker::{Config, Token};

use crate::stand_in::StandIn;

/// Languages that these cases need; all of them are in every installation.
const LANGUAGES: [&str; 2] = ["c", "python3"];

/// Builds, and takes in what was made.
pub(crate) async fn built(it: &StandIn, language: &str, source: &str, seat: Seat) -> BuildReport {
    let report = build(it, language, source, seat).await;
    assert!(report.artefact.is_some(), "{report:?}");
    report
}

pub(crate) async fn build(it: &StandIn, language: &str, source: &str, seat: Seat) -> BuildReport {
    report_of(it, build_job(it, language, source.as_bytes(), seat)).await
}

pub(crate) fn build_job(it: &StandIn, language: &str, source: &[u8], seat: Seat) -> BuildJob {
    BuildJob {
        version: Uuid::new_v4(),
        game: "labyrinth".to_owned(),
        seat,
        language: language.to_owned(),
        file_name: "../bot".to_owned(),
        source: it.input(source),
        artefact: it.upload(&Uuid::new_v4().to_string()),
        known: Vec::new(),
        setup: json!({ "size": 5, "mode": "map", "turn_ms": 1000 }),
    }
}

pub(crate) async fn report_of(it: &StandIn, job: BuildJob) -> BuildReport {
    let name = job.artefact.url.trim_start_matches("/uploads/").to_owned();
    let lease = it.hand_out(Job::Build(job));
    let report = match it.report(lease).await {
        Report::Built(report) => *report,
        other => panic!("{other:?}"),
    };
    if let Some(artefact) = report.artefact.as_ref().filter(|_| !report.reused) {
        let bytes = it.said(|it| it.uploads[&name].clone());
        assert_eq!(it.input(&bytes).digest, artefact.digest);
    }
    report
}

pub(crate) fn seat(it: &StandIn, language: &str, report: &BuildReport) -> SeatJob {
    let artefact = report.artefact.clone().expect("it was built");
    let url = format!("/blobs/{}", artefact.digest);
    let artefact = jobs::Input { digest: artefact.digest, bytes: artefact.bytes, url };
    let _ = it;
    SeatJob { version: Uuid::new_v4(), language: language.to_owned(), artefact }
}

pub(crate) fn match_job(it: &StandIn, seats: [SeatJob; 2], setup: Value) -> MatchJob {
    MatchJob {
        match_id: Uuid::new_v4(),
        game: "labyrinth".to_owned(),
        rules: games::find("labyrinth").expect("a game").rules(),
        setup,
        seats: PerSeat::from(Vec::from(seats.map(Some))),
        played: Vec::new(),
        left_s: None,
        record: it.upload("record"),
    }
}

/// The bot on the first seat.
pub(crate) fn bot(job: &mut MatchJob) -> &mut SeatJob {
    job.seats[game::Seat(0)].as_mut().expect("bots play")
}

/// Runs a case beside a worker; sending to `stop` ends the worker, `worked` is its end.
pub(crate) fn with_worker(
    case: impl AsyncFnOnce(StandIn, oneshot::Sender<()>, oneshot::Receiver<()>),
) {
    let kit = Kit::new();
    block_on(async {
        let (it, config) = kit.stand_in().await;
        let (stop, stopped) = oneshot::channel::<()>();
        let (tell, worked) = oneshot::channel();
        let client = kit.client();
        let worker = tokio::spawn(async move {
            let shutdown = async {
                // A case that lets go of it does not mean to stop.
                if stopped.await.is_err() {
                    std::future::pending::<()>().await;
                }
            };
            let done = worker::run(config, client, shutdown).await;
            done.expect("a worker that works");
            let _ = tell.send(());
        });
        timeout(Duration::from_secs(120), case(it, stop, worked)).await.expect("an end in time");
        worker.abort();
    });
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

/// A launcher, forked while there is one thread, and folders.
pub(crate) struct Kit {
    pub(crate) client: std::cell::Cell<Option<Client>>,
    /// Its process id.
    pub(crate) launcher: String,
    pub(crate) folder: tempfile::TempDir,
    pub(crate) languages: Languages,
}

impl Kit {
    pub(crate) fn new() -> Kit {
        Kit::with(|_| ())
    }

    /// With a policy that differs.
    pub(crate) fn with(change: fn(&mut Policy)) -> Kit {
        let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
        let folder = tempfile::tempdir().expect("a folder");
        let ours = folder.path().join("languages");
        fs::create_dir(&ours).expect("a folder");
        for id in LANGUAGES {
            let name = format!("{id}.toml");
            fs::copy(config.join("languages").join(&name), ours.join(&name)).expect("a language");
        }
        // One that this host does not have.
        let go = fs::read_to_string(config.join("languages/go.toml")).expect("a language");
        let go = go.replace("version = [\"go\"", "version = [\"no-such-go\"");
        fs::write(ours.join("go.toml"), go).expect("a language");
        let languages = Languages::load(&ours, &BTreeMap::new()).expect("languages");
        let mut policy = policy(&config, &languages);
        change(&mut policy);
        let (socket, launcher) = launcher::fork(&policy).expect("a launcher");
        let client = std::cell::Cell::new(Some(Client::new(socket)));
        Kit { client, launcher: launcher.to_string(), folder, languages }
    }

    pub(crate) fn client(&self) -> Client {
        self.client.take().expect("it is taken once")
    }

    pub(crate) async fn stand_in(&self) -> (StandIn, Config) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let it = StandIn::default();
        tokio::spawn(it.clone().serve(listener));
        let config = Config {
            server_url: url.parse().expect("an address"),
            token: Token::new("agonw_test".to_owned()),
            slots: 0,
            people_slots: 1,
            work_dir: self.folder.path().join("work"),
            cache_mib: 64,
            match_s_max: 60,
            fairness: runner::Fairness::default(),
            languages: self.languages.clone(),
            adapters: runner::sources::Adapters::default(),
        };
        (it, config)
    }
}

pub(crate) fn policy(config: &Path, languages: &Languages) -> Policy {
    let text = fs::read_to_string(config.join("seccomp.toml")).expect("a file");
    let seccomp: Seccomp = toml::from_str(&text).unwrap_or_else(|it| panic!("{it}"));
    let (ceilings, build_ceiling) = languages.ceilings();
    let environment = [("HOME", "/tmp"), ("LANG", "C.UTF-8"), ("PATH", runner::PATH)];
    Policy {
        toolchain: languages.toolchain(),
        environment: environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        uids: sandbox::Uids { first: 73_000, count: 17 },
        ceilings,
        build_ceiling,
        cgroup: sandbox::Cgroup { parent: "agon-worker-test".to_owned(), under: None },
        warm_slots: 2,
        seccomp,
    }
}

/// Bots of ours that are alive.
pub(crate) fn sleepers() -> usize {
    let is_bot = |it: PathBuf| {
        let command = fs::read(it.join("cmdline")).unwrap_or_default();
        let status = fs::read_to_string(it.join("status")).unwrap_or_default();
        let uid = status.lines().find_map(|it| it.strip_prefix("Uid:")?.split_whitespace().next());
        let uid: u32 = uid.and_then(|it| it.parse().ok()).unwrap_or_default();
        (73_000..73_017).contains(&uid) && command.windows(7).any(|it| it == b"/bot/bo")
    };
    fs::read_dir("/proc").expect("proc").flatten().filter(|it| is_bot(it.path())).count()
}

pub(crate) async fn gone(within: Duration) {
    let until = Instant::now() + within;
    while sleepers() > 0 {
        assert!(Instant::now() < until, "{} bots live on", sleepers());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
