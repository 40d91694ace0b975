//! Fits against published ones, and against strengths that the tests have made up themselves.

use std::collections::BTreeMap;

use game::{PerSeat, Seat};
use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::{log::LoggedMatch, rating::RateError, testing::logged};

/// As the published fits are: nothing is known before, and results vary as won and lost games do.
fn plain(has_seat_effect: bool) -> FitOptions {
    FitOptions {
        strength_deviation: 1e6,
        effect_deviation: 1e6,
        has_seat_effect,
        is_dispersion_fitted: false,
        draws: 1,
        ..FitOptions::default()
    }
}

/// Everybody in one role.
fn alike(mut it: LoggedMatch) -> LoggedMatch {
    for (_, seat) in it.seats.iter_mut() {
        seat.role = "player".to_owned();
    }
    it
}

fn add_wins(evidence: &mut Evidence, bots: [u128; 2], n: u32) {
    for _ in 0..n {
        let no = evidence.matches() + 1;
        evidence.add(&alike(logged(no, bots, [1, 1]))).unwrap();
    }
}

/// Log-odds of each against the first.
fn against_the_first(fit: &Fit) -> Vec<f64> {
    let first = fit.strengths[0].strength;
    fit.strengths.iter().map(|it| (it.strength - first) / POINTS).collect()
}

fn assert_near(found: &[f64], published: &[f64], off: f64) {
    assert_eq!(found.len(), published.len());
    for (one, two) in found.iter().zip(published) {
        assert!((one - two).abs() < off, "{found:?}, and published is {published:?}");
    }
}

/// Baseball, American League, Eastern Division, 1987: for each home team its wins and losses
/// against each of the others (Agresti, Categorical Data Analysis, 2nd edition 2002, table 10.10).
/// Baltimore, Boston, Cleveland, Detroit, Milwaukee, New York, Toronto.
const BASEBALL: [[[u32; 2]; 7]; 7] = [
    [[0, 0], [1, 6], [3, 4], [1, 5], [2, 5], [2, 4], [1, 6]],
    [[6, 0], [0, 0], [5, 2], [2, 5], [5, 1], [4, 2], [3, 3]],
    [[2, 4], [4, 2], [0, 0], [3, 3], [2, 5], [4, 3], [3, 4]],
    [[4, 3], [6, 0], [6, 1], [0, 0], [3, 3], [4, 3], [4, 2]],
    [[6, 0], [6, 1], [4, 2], [4, 3], [0, 0], [4, 3], [4, 2]],
    [[6, 1], [4, 3], [4, 2], [5, 1], [3, 3], [0, 0], [2, 5]],
    [[6, 0], [4, 3], [4, 2], [4, 3], [2, 5], [2, 4], [0, 0]],
];

fn baseball() -> Evidence {
    let mut evidence = Evidence::default();
    for (home, row) in BASEBALL.iter().enumerate() {
        for (away, [won, lost]) in row.iter().enumerate() {
            let bots = [home as u128 + 1, away as u128 + 1];
            add_wins(&mut evidence, bots, *won);
            for _ in 0..*lost {
                let no = evidence.matches() + 1;
                evidence.add(&alike(logged(no, bots, [0, 1]))).unwrap();
            }
        }
    }
    evidence
}

/// Turner and Firth, Bradley-Terry Models in R: The BradleyTerry2 Package, Journal of Statistical
/// Software 48 (9), 2012, section 2.3: without and with home advantage.
#[test]
fn baseball_is_fitted_as_it_was_published() {
    let fit = fit(&baseball(), &plain(false)).unwrap();
    let published = [0.0, 1.1077, 0.6839, 1.4364, 1.5814, 1.2476, 1.2945];
    assert_near(&against_the_first(&fit), &published, 6e-5);

    let fit = super::fit(&baseball(), &plain(true)).unwrap();
    let published = [0.0, 1.1438, 0.7047, 1.4754, 1.6196, 1.2813, 1.3271];
    assert_near(&against_the_first(&fit), &published, 6e-5);
    assert_eq!(fit.effects[0].of, None);
    assert_near(&[fit.effects[0].points / POINTS], &[0.3023], 6e-5);
}

/// Stigler, Citation Patterns in the Journals of Statistics and Probability, Statistical Science
/// 9, 1994; fitted with standard errors by Turner and Firth 2012, section 2.1.
#[test]
fn citations_are_fitted_with_their_published_errors() {
    // Biometrika, Communications in Statistics, JASA, JRSS-B: how often each was cited by each.
    let cited = [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]];
    let mut evidence = Evidence::default();
    for (one, row) in cited.iter().enumerate() {
        for (two, n) in row.iter().enumerate() {
            add_wins(&mut evidence, [one as u128 + 1, two as u128 + 1], *n);
        }
    }
    let fit = fit(&evidence, &plain(false)).unwrap();
    assert_near(&against_the_first(&fit), &[0.0, -2.94907, -0.47957, 0.26895], 6e-6);

    let design = Design::new(&evidence, false, FIT_LEVELS_MAX);
    let (_, root, _) = solve(&design, &plain(false)).unwrap();
    let error = |it: usize| {
        let mut weights = vec![0.0; 4];
        (weights[0], weights[it]) = (-1.0, 1.0);
        root.variance(&weights).sqrt()
    };
    assert_near(&[error(1), error(2), error(3)], &[0.10255, 0.06059, 0.07083], 6e-6);
}

#[test]
fn roles_are_strengths_apart_and_set_ups_are_effects() {
    let mut chance = Chance::new(3);
    let mut evidence = Evidence::default();
    let (architects, adventurers) = ([-120.0, 0.0, 120.0], [-250.0, -50.0, 50.0, 250.0]);
    for no in 1..=12_000_u64 {
        let (one, two) = ((chance.next() % 3) as usize, (chance.next() % 4) as usize);
        let size = (chance.next() % 2) as usize;
        let points = 60.0 + architects[one] - adventurers[two] + [80.0, -80.0][size];
        let won = chance.part() < 1.0 / (1.0 + (-points / POINTS).exp());
        let mut it = logged(no, [1 + one as u128, 11 + two as u128], [i64::from(won), 1]);
        it.covariates = BTreeMap::from([
            ("size".to_owned(), ["10", "20"][size].to_owned()),
            ("turn_ms".to_owned(), "10000".to_owned()),
            ("seed".to_owned(), (no % 100).to_string()),
        ]);
        evidence.add(&it).unwrap();
    }
    let fit = fit(&evidence, &FitOptions::default()).unwrap();
    let of = |role: &str| {
        let of_role = fit.strengths.iter().filter(|it| it.role == role);
        of_role.map(|it| it.strength - 1500.0).collect::<Vec<_>>()
    };
    assert_near(&of("architect"), &architects, 25.0);
    assert_near(&of("adventurer"), &adventurers, 25.0);
    let named: Vec<_> = fit.effects.iter().map(|it| it.of.clone().map(|it| it.1)).collect();
    assert_eq!(named, [None, Some("10".to_owned()), Some("20".to_owned())]);
    assert_near(&[fit.effects[1].points - fit.effects[2].points], &[160.0], 25.0);
    assert_eq!(fit.left_out, ["seed"]);
    assert!((fit.dispersion - 1.0).abs() < 0.1, "{}", fit.dispersion);
}

#[test]
fn a_former_version_is_another_strength() {
    let mut evidence = Evidence::default();
    for no in 1..=200_u64 {
        let mut it = alike(logged(no, [1, 2], [i64::from(no > 100), 1]));
        if no <= 100 {
            it.seats[Seat(0)].version = Uuid::from_u128(500);
        }
        evidence.add(&it).unwrap();
    }
    let fit = fit(&evidence, &FitOptions::default()).unwrap();
    assert_eq!(fit.strengths.len(), 2);
    assert_eq!((fit.strengths[0].version.as_u128(), fit.strengths[0].matches), (1001, 100));
    assert!(fit.strengths[0].strength > fit.strengths[1].strength + 300.0, "{fit:?}");
}

#[test]
fn who_won_all_or_played_little_still_has_a_strength() {
    let mut evidence = Evidence::default();
    add_wins(&mut evidence, [1, 2], 50);
    add_wins(&mut evidence, [3, 2], 1);
    let fit = fit(&evidence, &FitOptions { top: 1, ..FitOptions::default() }).unwrap();
    let [all, none, little] = &fit.strengths[..] else { panic!("{fit:?}") };
    assert!(all.strength > little.strength && little.strength > none.strength, "{fit:?}");
    assert!(little.deviation > 200.0 && all.strength < 2500.0, "{fit:?}");
    let sum: f64 = fit.strengths.iter().map(|it| it.top_chance).sum();
    assert!((sum - 1.0).abs() < 1e-9 && all.top_chance > little.top_chance, "{fit:?}");
}

/// Of intervals that hold 95 times of 100, about so many do.
#[test]
fn intervals_hold_as_often_as_they_say() {
    let mut chance = Chance::new(11);
    let (mut held, mut all) = (0, 0);
    for _ in 0..60 {
        let strength: Vec<f64> = (0..10).map(|_| 200.0 * chance.normal()).collect();
        let mean = strength.iter().sum::<f64>() / 10.0;
        let mut evidence = Evidence::default();
        for no in 1..=3000 {
            let one = (chance.next() % 10) as usize;
            let two = (one + 1 + (chance.next() % 9) as usize) % 10;
            let p = 1.0 / (1.0 + ((strength[two] - strength[one]) / POINTS).exp());
            // Shares of points: far less by chance than a coin.
            let noise = 16.0 * (p * (1.0 - p)).sqrt() * chance.normal();
            let share = (100.0 * p + noise).round().clamp(0.0, 100.0) as i64;
            let bots = [one as u128 + 1, two as u128 + 1];
            evidence.add(&alike(logged(no, bots, [share, 100]))).unwrap();
        }
        let fit = fit(&evidence, &FitOptions::default()).unwrap();
        assert!(fit.dispersion < 0.05, "{}", fit.dispersion);
        for (it, true_strength) in fit.strengths.iter().zip(&strength) {
            let off = it.strength - 1500.0 - (true_strength - mean);
            held += u32::from(off.abs() < 1.96 * it.deviation);
            all += 1;
        }
    }
    let share = f64::from(held) / f64::from(all);
    assert!((0.93..0.995).contains(&share), "{share}");
}

#[test]
fn what_cannot_be_fitted_is_refused() {
    let evidence = baseball();
    for deviation in [0.0, f64::NAN] {
        let options = FitOptions { strength_deviation: deviation, ..FitOptions::default() };
        assert_eq!(fit(&evidence, &options), Err(FitError::NoSolution));
    }
    let nobody = fit(&Evidence::default(), &FitOptions::default()).unwrap();
    assert_eq!((nobody.strengths.len(), nobody.matches), (0, 0));
    let mut alone = logged(1, [1, 2], [1, 1]);
    alone.seats = PerSeat::from(vec![alone.seats[Seat(0)].clone()]);
    assert_eq!(Evidence::default().add(&alone), Err(RateError::Seats { found: 1 }));
    let mut crowd = Evidence::default();
    for no in 0..=FIT_STRENGTHS_MAX as u64 / 2 {
        let bots = [2 * u128::from(no), 2 * u128::from(no) + 1];
        crowd.add(&logged(no, bots, [1, 2])).unwrap();
    }
    let why = FitError::TooMany { found: FIT_STRENGTHS_MAX + 2 };
    assert_eq!(fit(&crowd, &FitOptions::default()), Err(why));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn the_order_of_matches_changes_no_digit(
        games in prop::collection::vec((0..5_u128, 1..5_u128, 0..=100_i64), 1..60).prop_shuffle(),
        turn in 0..60_usize,
    ) {
        let log: Vec<LoggedMatch> = games
            .iter()
            .enumerate()
            .map(|(no, (one, step, points))| {
                alike(logged(no as u64 + 1, [*one, (one + step) % 5], [*points, 100]))
            })
            .collect();
        let fitted = |log: &mut dyn Iterator<Item = &LoggedMatch>| {
            let mut evidence = Evidence::default();
            log.for_each(|it| evidence.add(it).unwrap());
            fit(&evidence, &FitOptions { draws: 20, ..FitOptions::default() }).unwrap()
        };
        let turn = turn % log.len();
        let turned = fitted(&mut log[turn..].iter().chain(&log[..turn]));
        prop_assert_eq!(&turned, &fitted(&mut log.iter().rev()));
        prop_assert_eq!(&turned, &fitted(&mut log.iter()));
        prop_assert!(turned.strengths.iter().all(|it| it.strength.is_finite()));
    }
}
