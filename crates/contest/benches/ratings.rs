//! What ratings cost: 1,000 bots and 1,000,000 games, from the lines of the log to both kinds of
//! rating, with intervals and chances.
//!
//! `cargo bench -p contest --bench ratings` fails where the fit is over its budget.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use contest::{
    Bounds, Counted, Evidence, FitOptions, Ledger, LogReader, LoggedMatch, LoggedSeat, PairOn,
    Trial, fit,
};
use game::Fraction;
use uuid::Uuid;

/// The budget: what a fit of all may take, the reading of its log not counted.
const FIT_MAX: Duration = Duration::from_secs(10);
const BOTS: u64 = 1_000;
const GAMES: u64 = 1_000_000;
const PAIRS: u32 = 2_000;

fn main() {
    let mut chance = Lcg(20_261_130);
    let strength: Vec<f64> = (0..BOTS).map(|_| chance.part() * 1000.0 - 500.0).collect();
    let begun = Instant::now();
    let mut log = Vec::new();
    for no in 1..=GAMES {
        let line = serde_json::to_writer(&mut log, &game(no, &strength, &mut chance));
        line.expect("a match is JSON");
        log.push(b'\n');
    }
    println!("{BOTS} bots, {GAMES} games, a log of {} MB", log.len() / 1_000_000);
    println!("made up in {:.1?}", begun.elapsed());

    let begun = Instant::now();
    let n = LogReader::new(&log[..]).filter(|it| it.is_ok()).count();
    assert_eq!(n as u64, GAMES);
    println!("read: {:.1?} for {n} lines", begun.elapsed());

    let begun = Instant::now();
    let (mut ledger, mut evidence) = (Ledger::default(), Evidence::default());
    for it in LogReader::new(&log[..]) {
        let it = it.expect("a match");
        if ledger.count(&it).expect("it can be rated") == Counted::Rated {
            evidence.add(&it).expect("it has two seats");
        }
    }
    println!("read, live ratings, evidence for the fit: {:.1?}", begun.elapsed());

    let begun = Instant::now();
    let fitted = fit(&evidence, &FitOptions::default()).expect("it can be fitted");
    let took = begun.elapsed();
    // Strengths are told by their distance from the mean of their role, of which each has half.
    let (low, high) = strength.split_at(strength.len() / 2);
    let mean = |it: &[f64]| it.iter().sum::<f64>() / it.len() as f64;
    let means = [mean(low), mean(high)];
    let off = fitted.strengths.iter().map(|it| {
        let bot = it.bot.as_u128() as usize - 1;
        (it.strength - 1500.0 - strength[bot] + means[bot / low.len()]).abs()
    });
    println!(
        "fit: {took:.1?} (budget {FIT_MAX:?}) for {} strengths, {:.1} points off in the mean",
        fitted.strengths.len(),
        off.sum::<f64>() / fitted.strengths.len() as f64
    );

    let mut trial = Trial::new(Bounds::default());
    for no in 0..PAIRS {
        let on = PairOn { opponent: 1, setup: no.to_string(), seat: 0 };
        let score = |it: f64| Fraction::new((it * 100.0) as i64, 100);
        trial.add(on, score(chance.part()), score(chance.part())).expect("it is new");
    }
    let begun = Instant::now();
    let verdict = trial.verdict(1);
    println!("verdict of a trial of {PAIRS} pairs: {:.1?} ({verdict:?})", begun.elapsed());
    if took > FIT_MAX {
        println!("over budget");
        std::process::exit(1);
    }
}

/// Half of the bots are architects; who is near in strength meets most often.
fn game(no: u64, strength: &[f64], chance: &mut Lcg) -> LoggedMatch {
    let half = BOTS / 2;
    let bots = [chance.next() % half, half + chance.next() % half];
    let size = chance.next() % 3;
    let gap = strength[bots[0] as usize] - strength[bots[1] as usize] + size as f64 * 40.0 - 40.0;
    let p = 1.0 / (1.0 + 10_f64.powf(-gap / 400.0));
    let share = ((p + 0.2 * (chance.part() - 0.5)) * 100.0).round().clamp(0.0, 100.0) as i64;
    let seat = |it: usize, share: i64| LoggedSeat {
        bot: Uuid::from_u128(u128::from(bots[it]) + 1),
        name: format!("bot {}", bots[it]),
        version: Uuid::from_u128(u128::from(bots[it]) + 1_000_001),
        number: 1,
        role: ["architect", "adventurer"][it].to_owned(),
        score: Fraction::new(share, 100),
        faulted: false,
    };
    LoggedMatch {
        match_id: Uuid::from_u128(u128::from(no)),
        no,
        game: "labyrinth".to_owned(),
        finished_at: "2026-11-30T12:00:00Z".to_owned(),
        preset: None,
        covariates: BTreeMap::from([("size".to_owned(), (10 + size).to_string())]),
        play: Some(format!("{no:064x}")),
        seats: vec![seat(0, share), seat(1, 100 - share)].into(),
    }
}

/// Numbers that look random (Knuth's).
struct Lcg(u64);

impl Lcg {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn part(&mut self) -> f64 {
        self.next() as f64 / (1_u64 << 31) as f64
    }
}
