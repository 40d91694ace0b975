//! What a worker makes of jobs, of a server in trouble, and of its own end.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use game::{End, Fault, PerSeat, Seat};
use jobs::{BuildJob, BuildReport, Failure, Job, MatchJob, MatchReport, Report, SeatJob};
use runner::{
    Client, Languages,
    sandbox::{self, Policy, Seccomp, launcher},
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::oneshot, time::timeout};
use uuid::Uuid;
use worker::{Config, Token, WorkerError};

use crate::stand_in::StandIn;

/// A statement, and what shows it.
pub(crate) const CASES: &[(&str, fn())] = &[
    ("bots are built, and play", builds_and_plays),
    ("sources that do not build say why", refuses),
    ("bots that go wrong in their first dialogue are told so", tells_of_first_faults),
    ("our failures are told as such", fails),
    ("a lost lease ends its match at once", loses_a_lease),
    ("at the end, what runs is given up at once", stops),
    ("a server in trouble is waited for, and told the same again", is_patient),
    ("a worker does not work in jails that do not hold", refuses_holes),
    ("a worker without a launcher gives up, after one job", ends_with_its_launcher),
    // The last: its launcher removes what the one that was killed has left.
    ("a worker that is not known gives up", gives_up),
];

/// Languages that these cases need; all of them are in every installation.
const LANGUAGES: [&str; 2] = ["c", "python3"];

const ENDS_TURNS: &str =
    "while True:\n    print('Clock', flush=True)\n    input()\n    print('#END', flush=True)\n";
const SLEEPS: &str = "import time\ntime.sleep(60)\n";

fn builds_and_plays() {
    with_worker(async |it, stop, worked| {
        let play = "#include <stdio.h>\nint main(void) { while (puts(\"#PRINT hm\\n#END\") >= 0) fflush(stdout); return 0; }\n";
        let architect = built(&it, "c", play, Seat(0)).await;
        let adventurer = built(&it, "python3", ENDS_TURNS, Seat(1)).await;
        assert!(!architect.toolchain.is_empty() && architect.log.is_empty(), "{architect:?}");
        for (report, answers) in [(&architect, 3), (&adventurer, 2)] {
            let compliance = report.compliance.as_ref().expect("a dialogue");
            assert_eq!((compliance.answers, &compliance.fault), (answers, &None), "{report:?}");
        }
        let remarks = &architect.compliance.as_ref().expect("a dialogue").remarks;
        assert_eq!(remarks[0].1, "hm");

        let seats = [seat(&it, "c", &architect), seat(&it, "python3", &adventurer)];
        let setup = json!({ "size": 10, "mode": "map" });
        let lease = it.hand_out(Job::Match(match_job(&it, seats, setup)));
        let report = match it.report(lease).await {
            Report::Played(report) => *report,
            other => panic!("{other:?}"),
        };
        let MatchReport { outcome, record, plies, seats } = report;
        assert_eq!((plies, outcome.places[Seat(0)]), (200, 1), "{outcome:?}");
        assert!(seats.iter().all(|(_, it)| it.fault.is_none() && it.memory_peak_bytes > 0));
        let stored = it.said(|it| it.uploads["record"].clone());
        assert_eq!(stored.len() as u64, record.bytes);
        let stored = zstd::decode_all(&*stored).expect("zstd");
        let replay = games::find("labyrinth").expect("a game").replay(&stored, None);
        assert_eq!(replay.expect("a record").frames.len(), 201);
        assert_eq!(it.said(|it| it.plies[&lease].len()), 200);
        assert_eq!(it.said(|it| it.hellos.len()), 1);
        let _ = stop.send(());
        worked.await.expect("a clean end");
    });
}

fn refuses() {
    with_worker(async |it, _stop, _worked| {
        let table = [
            ("c", "int main(void) { return x; }", "does not compile", "undeclared"),
            ("python3", "print(", "does not pass the check", "SyntaxError"),
        ];
        for (language, source, why, log) in table {
            let report = build(&it, language, source, Seat(0)).await;
            assert_eq!((&report.artefact, &report.compliance), (&None, &None), "{report:?}");
            assert!(report.why.as_ref().is_some_and(|it| it.contains(why)), "{report:?}");
            assert!(report.log.contains(log), "{report:?}");
        }
    });
}

fn refuses_holes() {
    let kit = Kit::with(|policy| {
        let seccomp = &mut policy.seccomp;
        seccomp.when.retain(|it| it.call != "socket");
        seccomp.allow[0].calls.push("socket".to_owned());
    });
    block_on(async {
        let (it, config) = kit.stand_in().await;
        let done = worker::run(config, kit.client(), std::future::pending()).await;
        match done {
            Err(WorkerError::Machine(why)) => {
                let why = why.to_string();
                assert!(why.contains("network: a socket of the family inet"), "{why}");
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(it.said(|it| it.hellos.len()), 0, "it introduced itself");
    });
}

fn tells_of_first_faults() {
    with_worker(async |it, _stop, _worked| {
        let source = "import sys\nsys.exit('oh dear')\n";
        let report = built(&it, "python3", source, Seat(1)).await;
        let compliance = report.compliance.expect("a dialogue");
        assert_eq!(compliance.fault, Some(Fault::Gone(End::Exited(1))), "{compliance:?}");
        assert!(compliance.stderr.contains("oh dear"), "{compliance:?}");
    });
}

fn fails() {
    with_worker(async |it, _stop, _worked| {
        let good = built(&it, "python3", ENDS_TURNS, Seat(0)).await;
        let seats = || [seat(&it, "python3", &good), seat(&it, "python3", &good)];
        let good = || match_job(&it, seats(), json!({ "size": 5, "mode": "map" }));
        let with = |change: &dyn Fn(&mut MatchJob)| {
            let mut job = good();
            change(&mut job);
            Job::Match(job)
        };
        let table = [
            (with(&|it| it.rules = 99), "has rules 1 of labyrinth, the match wants 99"),
            (with(&|it| it.game = "chess".into()), "no game chess"),
            (with(&|it| it.setup = json!({ "size": 1000, "mode": "map" })), "size"),
            (with(&|it| it.seats[Seat(0)].language = "cobol".into()), "no language cobol"),
            (with(&|it| it.seats[Seat(0)].language = "go".into()), "go is not available"),
            (with(&|it| it.seats = PerSeat::from(vec![])), "has 0 seats"),
            (with(&|it| it.seats[Seat(0)].artefact.digest = "0".repeat(64)), "with digest"),
            (with(&|it| it.seats[Seat(0)].artefact.url = "/blobs/x".into()), "404"),
            (
                with(&|it| it.seats[Seat(0)].artefact.url = "file:///etc/passwd".into()),
                "no address",
            ),
            (with(&|it| it.record.bytes_max = 10), "allowed are 10"),
        ];
        // The first artefact is in the cache by now; these are to be fetched.
        let other = it.input(b"no artefact");
        let broken = with(&|job| job.seats[Seat(0)].artefact = other.clone());
        for (job, why) in table.into_iter().chain([(broken, "artefact")]) {
            let lease = it.hand_out(refresh(job));
            match it.report(lease).await {
                Report::Failed(Failure { what }) => assert!(what.contains(why), "{why}: {what}"),
                other => panic!("{why}: {other:?}"),
            }
        }
    });
}

/// A digest that is in no cache, where the case is about fetching.
fn refresh(mut job: Job) -> Job {
    if let Job::Match(it) = &mut job
        && let Some(seat) = it.seats.get(Seat(0)).cloned()
        && !seat.artefact.url.contains(&seat.artefact.digest)
    {
        it.seats[Seat(0)].artefact.digest = "f".repeat(64);
    }
    job
}

fn loses_a_lease() {
    with_worker(async |it, _stop, _worked| {
        let lease = hand_out_a_long_match(&it).await;
        assert!(sleepers() > 0);
        it.said(|it| it.leases_are_lost = true);
        gone(Duration::from_secs(5)).await;
        assert_eq!(it.said(|it| it.reports.iter().filter(|(of, _)| *of == lease).count()), 0);
        // And it goes on with other work.
        it.said(|it| it.leases_are_lost = false);
        built(&it, "python3", ENDS_TURNS, Seat(0)).await;
    });
}

fn stops() {
    with_worker(async |it, stop, worked| {
        let lease = hand_out_a_long_match(&it).await;
        let begun = Instant::now();
        let _ = stop.send(());
        let Report::Failed(Failure { what }) = it.report(lease).await else { panic!("a result") };
        assert_eq!(what, "the worker is stopping");
        worked.await.expect("a clean end");
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        gone(Duration::from_secs(5)).await;
    });
}

fn is_patient() {
    with_worker(async |it, _stop, _worked| {
        it.said(|it| it.failures = 2);
        it.wait_for(|it| (it.hellos.len() == 1).then_some(())).await;
        it.said(|it| it.failures = 2);
        let report = build(&it, "python3", ENDS_TURNS, Seat(0)).await;
        assert!(report.artefact.is_some());
        it.said(|it| {
            assert_eq!(it.report_bytes.len(), 3);
            assert!(it.report_bytes.windows(2).all(|it| it[0] == it[1]), "not the same again");
        });
    });
}

fn gives_up() {
    let kit = Kit::new();
    let worked = block_on(async {
        let (it, config) = kit.stand_in().await;
        it.said(|it| it.turns_away = true);
        worker::run(config, kit.client(), std::future::pending()).await
    });
    assert!(matches!(worked, Err(WorkerError::TurnedAway(_))), "{worked:?}");
}

fn ends_with_its_launcher() {
    let kit = Kit::new();
    let (worked, n_reports) = block_on(async {
        let (it, config) = kit.stand_in().await;
        let worker = worker::run(config, kit.client(), std::future::pending());
        let kill = async {
            let architect = built(&it, "c", "int main(void) { return 0; }", Seat(0)).await;
            let killed = Command::new("kill").args(["-9", &kit.launcher]).status();
            assert!(killed.expect("kill").success());
            for _ in 0..3 {
                let seats = [seat(&it, "c", &architect), seat(&it, "c", &architect)];
                let setup = json!({ "size": 5, "mode": "map" });
                it.hand_out(Job::Match(match_job(&it, seats, setup)));
            }
            std::future::pending::<()>().await
        };
        let worked = tokio::select! {
            worked = worker => worked,
            () = kill => unreachable!("it waits for ever"),
        };
        (worked, it.said(|it| it.reports.len()))
    });
    assert!(matches!(worked, Err(WorkerError::Jail(_))), "{worked:?}");
    assert_eq!(n_reports, 2);
}

async fn hand_out_a_long_match(it: &StandIn) -> Uuid {
    let sleeper = build(it, "python3", SLEEPS, Seat(0)).await;
    let seats = [seat(it, "python3", &sleeper), seat(it, "python3", &sleeper)];
    let setup = json!({ "size": 5, "mode": "map", "turn_ms": 60_000 });
    let lease = it.hand_out(Job::Match(match_job(it, seats, setup)));
    let renewals = it.said(|it| it.renewals);
    it.wait_for(|it| (it.renewals > renewals + 1).then_some(())).await;
    lease
}

/// Builds, and takes in what was made.
async fn built(it: &StandIn, language: &str, source: &str, seat: Seat) -> BuildReport {
    let report = build(it, language, source, seat).await;
    assert!(report.artefact.is_some(), "{report:?}");
    report
}

async fn build(it: &StandIn, language: &str, source: &str, seat: Seat) -> BuildReport {
    let name = Uuid::new_v4().to_string();
    let lease = it.hand_out(Job::Build(BuildJob {
        version: Uuid::new_v4(),
        game: "labyrinth".to_owned(),
        seat,
        language: language.to_owned(),
        file_name: "../bot".to_owned(),
        source: it.input(source.as_bytes()),
        artefact: it.upload(&name),
        setup: json!({ "size": 5, "mode": "map", "turn_ms": 1000 }),
    }));
    let report = match it.report(lease).await {
        Report::Built(report) => report,
        other => panic!("{other:?}"),
    };
    if let Some(artefact) = &report.artefact {
        let bytes = it.said(|it| it.uploads[&name].clone());
        assert_eq!(it.input(&bytes).digest, artefact.digest);
    }
    report
}

fn seat(it: &StandIn, language: &str, report: &BuildReport) -> SeatJob {
    let artefact = report.artefact.clone().expect("it was built");
    let url = format!("/blobs/{}", artefact.digest);
    let artefact = jobs::Input { digest: artefact.digest, bytes: artefact.bytes, url };
    let _ = it;
    SeatJob { version: Uuid::new_v4(), language: language.to_owned(), artefact }
}

fn match_job(it: &StandIn, seats: [SeatJob; 2], setup: Value) -> MatchJob {
    MatchJob {
        match_id: Uuid::new_v4(),
        game: "labyrinth".to_owned(),
        rules: games::find("labyrinth").expect("a game").rules(),
        setup,
        seats: PerSeat::from(Vec::from(seats)),
        record: it.upload("record"),
    }
}

/// Runs a case beside a worker; sending to `stop` ends the worker, `worked` is its end.
fn with_worker(case: impl AsyncFnOnce(StandIn, oneshot::Sender<()>, oneshot::Receiver<()>)) {
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

fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

/// A launcher, forked while there is one thread, and folders.
struct Kit {
    client: std::cell::Cell<Option<Client>>,
    /// Its process id.
    launcher: String,
    folder: tempfile::TempDir,
    languages: Languages,
}

impl Kit {
    fn new() -> Kit {
        Kit::with(|_| ())
    }

    /// With a policy that differs.
    fn with(change: fn(&mut Policy)) -> Kit {
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

    fn client(&self) -> Client {
        self.client.take().expect("it is taken once")
    }

    async fn stand_in(&self) -> (StandIn, Config) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let it = StandIn::default();
        tokio::spawn(it.clone().serve(listener));
        let config = Config {
            server_url: url.parse().expect("an address"),
            token: Token::new("agonw_test".to_owned()),
            slots: 0,
            work_dir: self.folder.path().join("work"),
            cache_mib: 64,
            match_s_max: 60,
            fairness: runner::Fairness::default(),
            languages: self.languages.clone(),
        };
        (it, config)
    }
}

fn policy(config: &Path, languages: &Languages) -> Policy {
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
fn sleepers() -> usize {
    let is_bot = |it: PathBuf| {
        let command = fs::read(it.join("cmdline")).unwrap_or_default();
        let status = fs::read_to_string(it.join("status")).unwrap_or_default();
        let uid = status.lines().find_map(|it| it.strip_prefix("Uid:")?.split_whitespace().next());
        let uid: u32 = uid.and_then(|it| it.parse().ok()).unwrap_or_default();
        (73_000..73_017).contains(&uid) && command.windows(7).any(|it| it == b"/bot/bo")
    };
    fs::read_dir("/proc").expect("proc").flatten().filter(|it| is_bot(it.path())).count()
}

async fn gone(within: Duration) {
    let until = Instant::now() + within;
    while sleepers() > 0 {
        assert!(Instant::now() < until, "{} bots live on", sleepers());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
