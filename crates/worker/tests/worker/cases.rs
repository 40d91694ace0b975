//! What a worker makes of jobs, of a server in trouble, and of its own end.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use game::{End, Fault, PerSeat, Seat};
use jobs::{BuildJob, Failure, Job, KnownBuild, MatchJob, MatchReport, Report};
use serde_json::json;
use uuid::Uuid;
use worker::WorkerError;

use crate::{kit::*, stand_in::StandIn};

/// A statement, and what shows it.
pub(crate) const CASES: &[(&str, fn())] = &[
    ("bots are built, and play", builds_and_plays),
    ("sources that do not build say why", refuses),
    ("what was built before is not built again, unless by another recipe", builds_once),
    ("archives are built whole, and judged once more", builds_archives),
    ("bots that go wrong in their first dialogue are told so", tells_of_first_faults),
    ("our failures are told as such", fails),
    ("a person plays, and a match goes on where a worker was lost", plays_with_people),
    ("a lost lease ends its match at once", loses_a_lease),
    ("at the end, what runs is given up at once", stops),
    ("a server in trouble is waited for, and told the same again", is_patient),
    ("a worker does not work in jails that do not hold", refuses_holes),
    ("a worker without a launcher gives up, after one job", ends_with_its_launcher),
    // The last: its launcher removes what the one that was killed has left.
    ("a worker that is not known gives up", gives_up),
];

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

fn builds_once() {
    with_worker(async |it, _stop, _worked| {
        let first = built(&it, "python3", ENDS_TURNS, Seat(1)).await;
        let recipe = first.recipe.clone().expect("a recipe");
        assert!(!first.reused, "{first:?}");
        let known = |recipe: &str, digest: &str| KnownBuild {
            recipe: recipe.to_owned(),
            artefact: jobs::Input {
                digest: digest.to_owned(),
                url: format!("/blobs/{digest}"),
                ..seat(&it, "python3", &first).artefact
            },
        };
        let digest = &first.artefact.as_ref().expect("it was built").digest;
        let nobodys = "0".repeat(64);
        // By another recipe, or of what cannot be had: built as if nothing were known.
        for (known, reused) in [
            (known(&recipe, digest), true),
            (known(&nobodys, digest), false),
            (known(&recipe, &nobodys), false),
        ] {
            let n_uploads = it.said(|it| it.uploads.len());
            let job = BuildJob {
                known: vec![known],
                ..build_job(&it, "python3", ENDS_TURNS.as_bytes(), Seat(1))
            };
            let report = report_of(&it, job).await;
            assert_eq!((report.reused, &report.artefact), (reused, &first.artefact), "{report:?}");
            assert_eq!((report.recipe.as_ref(), report.why.as_ref()), (Some(&recipe), None));
            let compliance = report.compliance.as_ref().expect("it is asked all the same");
            assert_eq!(compliance.answers, 2);
            let put = it.said(|it| it.uploads.len()) - n_uploads;
            assert_eq!(put, usize::from(!reused), "what is used again is put nowhere");
        }
        let another = built(&it, "python3", &format!("{ENDS_TURNS}#\n"), Seat(1)).await;
        assert_eq!(another.recipe, Some(recipe), "a recipe says nothing of the source");
    });
}

fn builds_archives() {
    with_worker(async |it, _stop, _worked| {
        let tar_gz = |files: &[(&str, &str)]| {
            let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            let mut tar = tar::Builder::new(gzip);
            for (path, text) in files {
                let mut header = tar::Header::new_gnu();
                header.set_size(text.len() as u64);
                tar.append_data(&mut header, path, text.as_bytes()).expect("memory");
            }
            tar.into_inner().and_then(|it| it.finish()).expect("memory")
        };
        let main = format!("from words import END\n{}", ENDS_TURNS.replace("'#END'", "END"));
        let good = tar_gz(&[("bot/main.py", &main), ("bot/words.py", "END = '#END'\n")]);
        let mut job = build_job(&it, "python3", &good, Seat(1));
        job.file_name = "bot.tar.gz".to_owned();
        let report = report_of(&it, job).await;
        let compliance = report.compliance.as_ref().unwrap_or_else(|| panic!("{report:?}"));
        assert_eq!((compliance.answers, &compliance.fault), (2, &None), "{report:?}");

        // The server has judged these already; who unpacks them does not rely on it.
        let table = [
            (tar_gz(&[("main.py", "1"), ("MAIN.PY", "1")]), "MAIN.PY"),
            (good[..good.len() / 2].to_vec(), ""),
            (tar_gz(&[("x.txt", "1")]), "none of the files is called bot.py"),
        ];
        for (bytes, wanted) in table {
            let report = report_of(&it, build_job(&it, "python3", &bytes, Seat(1))).await;
            let why = report.why.as_deref().unwrap_or_else(|| panic!("{report:?}"));
            assert!(why.contains(wanted) && report.artefact.is_none(), "{report:?}");
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

fn plays_with_people() {
    with_worker(async |it, _stop, _worked| {
        let architect = built(&it, "python3", ENDS_TURNS, Seat(0)).await;
        // Four steps to the north, and four to the west.
        let path = [0, 0, 0, 0, 3, 3, 3, 3].map(|it| json!({ "step": it }));
        it.said(|it| it.does = path.to_vec());
        let job = |played: Vec<serde_json::Value>| {
            let bots = [(); 2].map(|()| seat(&it, "python3", &architect));
            let mut job = match_job(&it, bots, json!({ "size": 5, "mode": "map" }));
            job.seats[Seat(1)] = None;
            (job.played, job.left_s) = (played, Some(60));
            job
        };
        // The first attempt is lost in the middle of it.
        it.said(|it| it.does.truncate(3));
        let lost = it.hand_out_with_people(1, job(Vec::new()));
        it.wait_for(|it| (it.plies.get(&lost)?.len() == 7).then_some(())).await;
        assert!(sleepers() > 0);
        it.said(|it| it.leases_are_lost = true);
        gone(Duration::from_secs(5)).await;
        let before = it.said(|it| it.plies[&lost].clone());
        it.said(|it| {
            it.leases_are_lost = false;
            it.does = path.to_vec();
        });
        let frame = |it: &String| serde_json::from_str(it).expect("JSON");
        let lease = it.hand_out_with_people(2, job(before.iter().map(frame).collect()));
        let report = match it.report(lease).await {
            Report::Played(report) => *report,
            other => panic!("{other:?}"),
        };
        assert!(report.outcome.why.contains("treasure in round 8"), "{:?}", report.outcome);
        assert_eq!(report.plies, 16);
        assert!(report.seats.iter().all(|(_, it)| it.fault.is_none()), "{:?}", report.seats);
        assert_eq!(it.said(|it| it.plies[&lease].len()), 16, "what was told is not told again");
        let stored = it.said(|it| it.uploads["record"].clone());
        let stored = zstd::decode_all(&*stored).expect("zstd");
        let record: serde_json::Value = serde_json::from_slice(&stored).expect("a record");
        assert_eq!(record["sitters"], json!(["bot", "person"]));
        let first: serde_json::Value = serde_json::from_str(&before[1]).expect("a frame");
        assert_eq!(record["plies"][1], first["ply"]);
        let replay = games::find("labyrinth").expect("a game").replay(&stored, None);
        let shown = json!(replay.expect("a record").frames[2].spent);
        for seat in 0..2 {
            let ms = first["spent"][seat][1].as_f64().map(|it| it / 1000.0);
            assert_eq!(shown[seat]["wall_ms"].as_f64(), ms);
        }
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
            (with(&|it| bot(it).language = "cobol".into()), "no language cobol"),
            (with(&|it| bot(it).language = "go".into()), "go is not available"),
            (with(&|it| it.seats = PerSeat::from(vec![])), "has 0 seats"),
            (with(&|it| bot(it).artefact.digest = "0".repeat(64)), "with digest"),
            (with(&|it| bot(it).artefact.url = "/blobs/x".into()), "404"),
            (with(&|it| bot(it).artefact.url = "file:///etc/passwd".into()), "no address"),
            (with(&|it| it.record.bytes_max = 10), "allowed are 10"),
        ];
        // The first artefact is in the cache by now; these are to be fetched.
        let other = it.input(b"no artefact");
        let broken = with(&|job| bot(job).artefact = other.clone());
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
        && let Some(seat) = it.seats.get(Seat(0)).cloned().flatten()
        && !seat.artefact.url.contains(&seat.artefact.digest)
    {
        bot(it).artefact.digest = "f".repeat(64);
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
