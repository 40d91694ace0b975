//! Bots that are ready, workers that lease, results that are plausible.

use std::collections::BTreeSet;

use contest::{SeatResult, Standing};
use game::{Fault, Fraction, Outcome, PerSeat, Seat};
use jobs::SeatReport;
use serde_json::{json, value::RawValue};
use store::{
    Blob, BotState, BuildDecision, Built, CountedSeat, FinishError, Finished, Lane, Leased,
    LeasedJob, Made, MatchDecision, NewBot, NewMatch, NewSeat, NewVersion, PlayedMatch, PlayedSeat,
    Poll, Purpose, QueueLimits, Rating, Reporting, SeatVerdict, Store, digest_of, testing,
};
use uuid::Uuid;

pub const GAME: &str = "labyrinth";
pub const LANGUAGE: &str = "python3";

/// Short and without waits.
pub fn limits() -> QueueLimits {
    QueueLimits {
        lease: std::time::Duration::from_secs(60),
        attempts_max: 3,
        backoff: std::time::Duration::ZERO,
        backoff_max: std::time::Duration::ZERO,
        ..QueueLimits::default()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Bot {
    pub account: Uuid,
    pub bot: Uuid,
    pub version: Uuid,
}

pub async fn worker(store: &Store, name: &str) -> Uuid {
    let digest = hex::decode(digest_of(name.as_bytes())).unwrap();
    store.admit_worker(name, &digest.try_into().unwrap()).await.unwrap()
}

pub fn poll(worker: Uuid, jobs_max: u32) -> Poll {
    Poll { worker, languages: vec![LANGUAGE.to_owned()], jobs_max, people_max: 0 }
}

/// Leases up to `jobs_max` jobs.
pub async fn lease(store: &Store, worker: Uuid, jobs_max: u32) -> Vec<Leased> {
    store.lease(&[poll(worker, jobs_max)], &limits()).await.unwrap().remove(0)
}

pub async fn lease_one(store: &Store, worker: Uuid) -> Leased {
    lease(store, worker, 1).await.pop().expect("there is a job")
}

pub fn report_digest(text: &str) -> [u8; 32] {
    hex::decode(digest_of(text.as_bytes())).unwrap().try_into().unwrap()
}

pub fn reporting(lease: Uuid, worker: Uuid, text: &str) -> Reporting {
    Reporting { lease, worker, digest: report_digest(text) }
}

pub fn blob(text: &str) -> Blob {
    Blob { digest: digest_of(text.as_bytes()), bytes: text.len() as u64 }
}

/// A bot of an account of its own, built and on the ladder.
pub async fn bot(store: &Store, role: &str) -> Bot {
    bot_of(store, testing::account(store).await, role).await
}

pub async fn bot_of(store: &Store, account: Uuid, role: &str) -> Bot {
    let bot = new_bot(store, account, role).await;
    let version = upload(store, account, bot).await;
    build(store, version, Some(BotState::Active)).await;
    Bot { account, bot, version }
}

pub async fn new_bot(store: &Store, account: Uuid, role: &str) -> Uuid {
    let name = Uuid::new_v4().simple().to_string();
    let new = NewBot { account, game: GAME, role, name: &name, name_key: &name, bots_max: 1000 };
    store.create_bot(&new).await.unwrap()
}

pub async fn upload(store: &Store, account: Uuid, bot: Uuid) -> Uuid {
    let source = blob("source");
    let new = NewVersion {
        bot,
        account,
        language: LANGUAGE,
        file_name: "bot.py",
        source: &source,
        builds_waiting_max: 1000,
    };
    store.create_version(&new).await.unwrap()
}

/// Leases jobs until the build of `version` is among them, and reports it as ready.
pub async fn build(store: &Store, version: Uuid, active: Option<BotState>) {
    let builder = worker(store, "builder").await;
    let leased = lease_one(store, builder).await;
    assert!(matches!(&leased.job, LeasedJob::Build(it) if it.version == version));
    let artefact = blob("artefact");
    store.note_upload(leased.lease, &artefact).await.unwrap();
    let finished = store
        .finish_build(
            &reporting(leased.lease, builder, "built"),
            Some(Made::Anew(&artefact)),
            |_| Ok::<_, NoReason>(ready(&artefact, active)),
        )
        .await
        .unwrap();
    assert_eq!(finished, Finished::Counted);
}

pub fn ready(artefact: &Blob, active: Option<BotState>) -> BuildDecision {
    BuildDecision {
        built: Built::Ready { artefact: artefact.clone(), active },
        log: "fine".to_owned(),
        toolchain: "Python 3".to_owned(),
        recipe: Some(blob("recipe").digest),
        build_ms: 5,
        compliance: None,
        follow_up: Vec::new(),
    }
}

pub fn new_match(purpose: Purpose, architect: Bot, adventurer: Bot) -> NewMatch {
    let seat = |it: Bot| NewSeat::Bot { bot: it.bot, version: it.version };
    NewMatch {
        game: GAME.to_owned(),
        rules: 1,
        setup: json!({ "size": 8 }),
        preset: Some("small".to_owned()),
        purpose,
        rated: purpose == Purpose::Ladder,
        created_by: None,
        seats: vec![seat(architect), seat(adventurer)].into(),
    }
}

pub async fn ladder_match(store: &Store, architect: Bot, adventurer: Bot) -> Uuid {
    store.create_match(&new_match(Purpose::Ladder, architect, adventurer), 0).await.unwrap()
}

pub fn outcome(points: i64) -> Outcome {
    let score: PerSeat<Fraction> =
        vec![Fraction::new(points, 100), Fraction::new(100 - points, 100)].into();
    let first = match points {
        50 => vec![1, 1],
        51.. => vec![1, 2],
        _ => vec![2, 1],
    };
    Outcome { places: first.into(), measures: vec![score.clone()], score, why: "played".into() }
}

/// What the server decides: the fold of `contest`.
pub fn decide(played: &PlayedMatch, points: i64, faulted: bool) -> MatchDecision {
    let outcome = outcome(points);
    let faults = |seat: Seat| u32::from(faulted && seat == Seat(1));
    let after = played.rated.then(|| {
        let bot = |it: &Option<PlayedSeat>| it.clone().expect("bots alone play rated matches");
        let results = played.seats.map(|seat, it| SeatResult {
            bot: bot(it).bot,
            version: Some(bot(it).version),
            score: outcome.score[seat],
            faulted: faults(seat) > 0,
        });
        let before = played.seats.map(|_, it| bot(it).rating.map(|it| standing(&it)));
        contest::count(&before, &results).unwrap()
    });
    let seats = played.seats.map(|seat, _| CountedSeat {
        report: serde_json::to_value(report(faults(seat))).unwrap(),
        rating: after.as_ref().map(|it| rating(&it[seat])),
        verdict: SeatVerdict::Stays,
    });
    let record = blob("record");
    MatchDecision { outcome, plies: 3, record, play: None, seats, follow_up: Vec::new() }
}

fn report(faults: u32) -> SeatReport {
    SeatReport {
        fault: (faults > 0).then_some((0, Fault::Late)),
        faults,
        warnings: 0,
        charged_ms: 1,
        slowest_ms: 1,
        cpu_ms: 1,
        memory_peak_bytes: 1,
        stderr: String::new(),
    }
}

pub fn standing(it: &Rating) -> Standing<Option<Uuid>> {
    let Rating { rating, deviation, volatility, matches, faults, last_version } = *it;
    let rating = contest::Rating { rating, deviation, volatility };
    Standing { rating, matches, faults, last_version }
}

pub fn rating(it: &Standing<Option<Uuid>>) -> Rating {
    let contest::Rating { rating, deviation, volatility } = it.rating;
    let Standing { matches, faults, last_version, .. } = *it;
    Rating { rating, deviation, volatility, matches, faults, last_version }
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no reason")]
pub struct NoReason;

/// Uploads a record and reports a result.
pub async fn finish(
    store: &Store,
    worker: Uuid,
    lease: Uuid,
    points: i64,
) -> Result<Finished, FinishError<NoReason>> {
    store.note_upload(lease, &blob("record")).await?;
    let text = format!("{points} points");
    store
        .finish_match(&reporting(lease, worker, &text), &blob("record"), |played| {
            Ok(decide(played, points, false))
        })
        .await
}

pub fn match_of(leased: &Leased) -> Uuid {
    match &leased.job {
        LeasedJob::Match(it) => it.match_id,
        LeasedJob::Build(_) => panic!("a match was to be played"),
    }
}

pub async fn recomputed(store: &Store) -> std::collections::BTreeMap<Uuid, Rating> {
    let log = store.rated_log(GAME, 0, 1_000_000).await.unwrap();
    let numbers: Vec<i64> = log.iter().map(|it| it.finish_no).collect();
    assert!(numbers.is_sorted(), "{numbers:?}");
    let log = log.into_iter().map(|it| {
        it.seats.map(|_, seat| SeatResult {
            bot: seat.bot,
            version: Some(seat.version),
            score: seat.score,
            faulted: seat.faulted,
        })
    });
    contest::recompute(log).unwrap().iter().map(|(&bot, it)| (bot, rating(it))).collect()
}

/// How many jobs wait in each lane.
pub async fn queued(store: &Store) -> Vec<(Lane, i64)> {
    let status = store.status().await.unwrap();
    status.lanes.iter().filter(|it| it.queued > 0).map(|it| (it.lane, it.queued)).collect()
}

pub fn distinct(ids: impl IntoIterator<Item = Uuid>) -> usize {
    ids.into_iter().collect::<BTreeSet<_>>().len()
}

/// Plies, as a worker tells them.
pub fn frames(texts: &[&str]) -> Vec<Box<RawValue>> {
    texts.iter().map(|it| RawValue::from_string((*it).to_owned()).unwrap()).collect()
}
