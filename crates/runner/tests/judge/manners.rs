//! What bots may do, and what the judge owes them.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use game::{PerSeat, Seat};
use runner::{PlayError, Terms, Wires};
use serde_json::json;
use tokio::sync::mpsc;

use crate::{
    Case,
    kit::{Ground, Kit, OLD_ARCHITECT, block_on, quick, referee, terms},
};

const SEATS: [Seat; 2] = [Seat(0), Seat(1)];
/// What a match may cost the judge beyond an idle one.
const RSS_KB_MAX: u64 = 32 << 10;

pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = vec![
        Case::plain("paused bots use no processor", |kit: &mut Kit| pauses(kit)),
        Case::plain("plies are streamed in order and without a gap", |kit: &mut Kit| streams(kit)),
        Case::plain("a slow watcher holds up nobody", |kit: &mut Kit| ignores_slow_watchers(kit)),
        Case::plain("a match that lasts too long is void", |kit: &mut Kit| {
            ends_what_lasts_too_long(kit)
        }),
        Case::plain("dropping a match ends its processes", |kit: &mut Kit| {
            ends_what_is_dropped(kit)
        }),
        Case::plain("the first questions are asked of a bot alone", |kit: &mut Kit| complies(kit)),
    ];
    for ground in [Ground::Plain, Ground::Jailed] {
        let case = |name: &str, case: fn(&Kit, Ground)| -> Case {
            Case::plain(format!("{name} ({ground:?})"), move |kit: &mut Kit| case(kit, ground))
        };
        cases.extend([
            case("a good match has no fault", plays_well),
            case("bots that hear nothing play on", hears_nothing),
            case("complaints are kept in part and block nobody", keeps_complaints),
            case("a flood of answers plays all 1875 rounds in bounded memory", survives_a_flood),
        ]);
    }
    cases
}

fn plays_well(kit: &Kit, ground: Ground) {
    let played = kit.play(ground, ["floods_answers.c", "walks.py"], &quick()).unwrap();
    for seat in SEATS {
        let report = &played.seats[seat];
        assert_eq!((&report.fault, report.warnings), (&None, 0), "{report:?}");
        assert!(report.answers > 0 && report.cpu > Duration::ZERO, "{report:?}");
    }
}

fn hears_nothing(kit: &Kit, ground: Ground) {
    let played = kit.play(ground, ["closes_input.c", "stays_put.c"], &quick()).unwrap();
    assert!(SEATS.iter().all(|&it| played.seats[it].fault.is_none()), "{:?}", played.seats);
}

fn keeps_complaints(kit: &Kit, ground: Ground) {
    let setup = json!({ "size": 5, "mode": "map" });
    let played = kit.play(ground, ["floods_errors.c", "floods_errors.c"], &setup).unwrap();
    for seat in SEATS {
        let report = &played.seats[seat];
        assert!(report.fault.is_none(), "{report:?}");
        let text = &report.stderr;
        assert!(text.len() <= terms().stderr_bytes_max && !text.contains('\0'));
        assert!(text.starts_with("first words\n") && text.ends_with("last words\n"), "{text}");
        assert!(text.contains("bytes are left out here"));
    }
}

fn survives_a_flood(kit: &Kit, ground: Ground) {
    for architect in ["floods_answers.c", OLD_ARCHITECT] {
        survives_a_flood_of(kit, ground, architect);
    }
}

fn survives_a_flood_of(kit: &Kit, ground: Ground, architect: &str) {
    let setup = json!({ "size": 25, "mode": "nomap" });
    let idle_kb = rss_kb();
    let (at_200, most_later) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let (to, mut batches) = mpsc::channel::<runner::Batch>(16);
    let (early, late) = (at_200.clone(), most_later.clone());
    let watch = async move {
        while let Some(batch) = batches.recv().await {
            let counter = if batch.from < 2 * 200 { &early } else { &late };
            counter.fetch_max(rss_kb(), Ordering::Relaxed);
        }
    };
    let bots = [architect, "stays_put.c"];
    let (referee, terms) = (referee(&setup), terms());
    let played = match ground {
        Ground::Plain => {
            let programs: Vec<_> = bots.map(|it| Some(kit.plain(it))).into();
            let programs = PerSeat::from(programs);
            block_on(async {
                tokio::join!(
                    runner::play(
                        referee,
                        &programs,
                        &terms,
                        Wires { plies: Some(to), ..Wires::default() }
                    ),
                    watch
                )
                .0
            })
        }
        Ground::Jailed => {
            let programs: Vec<_> = bots.map(|it| Some(kit.jailed(it))).into();
            let programs = PerSeat::from(programs);
            block_on(async {
                tokio::join!(
                    runner::play(
                        referee,
                        &programs,
                        &terms,
                        Wires { plies: Some(to), ..Wires::default() }
                    ),
                    watch
                )
                .0
            })
        }
    }
    .unwrap();
    assert_eq!(played.plies, 2 * 1875, "{:?}", played.outcome);
    assert!(SEATS.iter().all(|&it| played.seats[it].fault.is_none()), "{:?}", played.seats);
    let (early, late) = (at_200.load(Ordering::Relaxed), most_later.load(Ordering::Relaxed));
    println!("       memory: idle {idle_kb} kB, round 200 {early} kB, most later {late} kB");
    assert!(late < idle_kb + RSS_KB_MAX, "{idle_kb} kB grew to {late} kB");
    // The record itself grows, by some hundred bytes a ply.
    assert!(late < early + (2 << 10), "{early} kB at round 200, {late} kB later");
}

fn pauses(kit: &Kit) {
    let setup = json!({ "size": 5, "mode": "map", "total_ms": 60_000 });
    for thinker in ["thinks_while_paused.c", "thinks_in_a_child_while_paused.c"] {
        let begun = Instant::now();
        let played = kit.play(Ground::Jailed, [thinker, "takes_its_time.c"], &setup).unwrap();
        let report = &played.seats[Seat(0)];
        assert_eq!(report.answers, 25, "{report:?}");
        assert!(begun.elapsed() > Duration::from_millis(25 * 50));
        // In its own turns it may compute; in the others' second and a quarter it may not.
        assert!(report.cpu < Duration::from_millis(400), "{thinker}: {report:?}");
        // And what it took is charged, but for what came after its last answer.
        assert!(report.charged + Duration::from_millis(20) > report.cpu, "{thinker}: {report:?}");
    }
}

fn streams(kit: &Kit) {
    let setup = json!({ "size": 20, "mode": "map" });
    let (to, mut batches) = mpsc::channel::<runner::Batch>(1);
    let watch = async move {
        let mut next = 0;
        while let Some(batch) = batches.recv().await {
            assert_eq!(batch.from, next);
            assert!(!batch.plies.is_empty() && batch.plies.len() <= 256, "{}", batch.plies.len());
            next += batch.plies.len() as u32;
        }
        next
    };
    let programs: Vec<_> = ["floods_answers.c", "stays_put.c"].map(|it| Some(kit.plain(it))).into();
    let programs = PerSeat::from(programs);
    let terms = terms();
    let play = runner::play(
        referee(&setup),
        &programs,
        &terms,
        Wires { plies: Some(to), ..Wires::default() },
    );
    let (played, seen) = block_on(async { tokio::join!(play, watch) });
    assert_eq!((played.unwrap().plies, seen), (800, 800));
}

fn ignores_slow_watchers(kit: &Kit) {
    // Held, and never read.
    let (to, _batches) = mpsc::channel::<runner::Batch>(1);
    let programs: Vec<_> = ["floods_answers.c", "stays_put.c"].map(|it| Some(kit.plain(it))).into();
    let programs = PerSeat::from(programs);
    let setup = json!({ "size": 20, "mode": "map" });
    let begun = Instant::now();
    let terms = terms();
    let played = block_on(runner::play(
        referee(&setup),
        &programs,
        &terms,
        Wires { plies: Some(to), ..Wires::default() },
    ))
    .unwrap();
    assert_eq!(played.plies, 800);
    assert!(begun.elapsed() < Duration::from_secs(10));
}

fn ends_what_lasts_too_long(kit: &Kit) {
    let programs: Vec<_> = ["takes_its_time.c", "stays_put.c"].map(|it| Some(kit.plain(it))).into();
    let programs = PerSeat::from(programs);
    let terms = Terms { wall_max: Duration::from_millis(200), ..terms() };
    let setup = json!({ "size": 25, "mode": "nomap" });
    let error =
        block_on(runner::play(referee(&setup), &programs, &terms, Wires::default())).unwrap_err();
    assert!(matches!(error, PlayError::TooLong(_)), "{error}");
}

fn ends_what_is_dropped(kit: &Kit) {
    let setup = json!({ "size": 25, "mode": "nomap" });
    let named = "sleeps_deaf_to_signals.c";
    let terms = terms();
    let plain = PerSeat::from(vec![Some(kit.plain(named)), Some(kit.plain(named))]);
    let jailed = PerSeat::from(vec![Some(kit.jailed(named)), Some(kit.jailed(named))]);
    let wait = Duration::from_millis(200);
    block_on(async {
        let play = runner::play(referee(&setup), &plain, &terms, Wires::default());
        assert!(tokio::time::timeout(wait, play).await.is_err());
        let play = runner::play(referee(&setup), &jailed, &terms, Wires::default());
        assert!(tokio::time::timeout(wait, play).await.is_err());
    });
    let until = Instant::now() + Duration::from_secs(5);
    let ours = |it: &String| it == "/bot/bot" || it.contains(named);
    while let Some(left) = commands().into_iter().find(ours) {
        assert!(Instant::now() < until, "{left} lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn complies(kit: &Kit) {
    use game::{End, Fault};
    let game = games::find("labyrinth").unwrap();
    let table = [
        ("floods_answers.c", Seat(0), 3, None),
        ("stays_put.c", Seat(0), 3, None),
        // Two turns of the absent architect pass, and with the third it loses.
        ("stays_put.c", Seat(1), 2, None),
        ("answers_then_exits.c", Seat(0), 1, Some(Fault::Gone(End::Exited(0)))),
        ("exits.c", Seat(1), 0, Some(Fault::Gone(End::Exited(3)))),
        ("sleeps.c", Seat(1), 0, Some(Fault::Late)),
    ];
    for (file, seat, answers, fault) in table {
        let begun = Instant::now();
        let program = kit.jailed(file);
        let complied = block_on(runner::comply(game, &quick(), seat, program, &terms())).unwrap();
        assert_eq!((complied.answers, &complied.fault), (answers, &fault), "{file}: {complied:?}");
        assert_eq!(complied.first_answer.is_some(), answers > 0, "{file}: {complied:?}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{file}");
    }
    let program = kit.jailed("floods_answers.c");
    let complied = block_on(runner::comply(game, &quick(), Seat(0), program, &terms())).unwrap();
    assert!(complied.remarks.iter().any(|(_, text)| text == "go UP"), "{complied:?}");
}

/// What this process holds in memory.
fn rss_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("proc");
    let line = status.lines().find(|it| it.starts_with("VmRSS:")).expect("VmRSS");
    line.split_whitespace().nth(1).and_then(|it| it.parse().ok()).expect("a number")
}

/// The first words of all processes' commands.
fn commands() -> Vec<String> {
    let dirs = fs::read_dir("/proc").expect("proc").flatten();
    dirs.filter_map(|it| fs::read_to_string(it.path().join("cmdline")).ok())
        .filter_map(|it| it.split('\0').next().map(str::to_owned))
        .collect()
}
