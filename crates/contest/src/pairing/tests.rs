//! Ladders of made-up bots: who meets whom, and who comes first.

use std::collections::{BTreeMap, BTreeSet};

use game::{Fraction, PerSeat, Seat};
use proptest::prelude::*;

use super::*;
use crate::rate;

const PACE: Pace = Pace {
    pending: 2,
    settled_deviation: 80.0,
    interval_s: 600.0,
    promise_s: 1e9,
    room: usize::MAX,
};

fn candidate(account: u128, role: usize, rating: f64, deviation: f64) -> Candidate {
    Candidate {
        account,
        role,
        validating: false,
        house: false,
        rating: Rating { rating, deviation, volatility: 0.06 },
        pending: 0,
        since_last_s: None,
        waited_s: 0.0,
        exhausted: false,
        setups: Vec::new(),
    }
}

fn any_candidate() -> impl Strategy<Value = Candidate> {
    (0..12_u128, 0..2_usize, 900.0..2100.0, 30.0..350.0, any::<bool>(), 0..4_u32, 0.0..2000.0)
        .prop_map(|(account, role, rating, deviation, validating, pending, since)| Candidate {
            validating,
            pending,
            since_last_s: Some(since),
            ..candidate(account, role, rating, deviation)
        })
}

proptest! {
    #[test]
    fn own_bots_never_meet_and_each_seat_has_its_role(
        candidates in prop::collection::vec(any_candidate(), 0..40),
        seed: u64,
        roles in prop::sample::select(vec![[0, 1], [0, 0]]),
    ) {
        let pairings = pair(&candidates, roles, &[1, 0, 3], &PACE, seed);
        for it in &pairings {
            let [one, two] = it.seats.map(|it| &candidates[it]);
            prop_assert_ne!(one.account, two.account);
            prop_assert_eq!([one.role, two.role], roles);
            prop_assert!(!one.validating && !two.validating);
            prop_assert_ne!(it.setup, 1);
        }
        prop_assert_eq!(&pairings, &pair(&candidates, roles, &[1, 0, 3], &PACE, seed));
    }

    #[test]
    fn whoever_is_due_and_has_an_opponent_is_paired(
        candidates in prop::collection::vec(any_candidate(), 0..40),
        seed: u64,
    ) {
        let pairings = pair(&candidates, [0, 1], &[1], &PACE, seed);
        for (it, me) in candidates.iter().enumerate() {
            let unsure = me.rating.deviation > PACE.settled_deviation;
            let due = !me.validating && match unsure {
                true => me.pending < PACE.pending,
                false => me.pending == 0 && me.since_last_s >= Some(PACE.interval_s),
            };
            let has_opponent = candidates.iter().any(|other| {
                !other.validating && other.account != me.account && other.role != me.role
            });
            let paired = pairings.iter().any(|pairing| pairing.seats.contains(&it));
            prop_assert!(paired || !due || !has_opponent, "candidate {}", it);
        }
    }
}

#[test]
fn the_least_known_come_first() {
    let mut candidates: Vec<_> =
        (0..20).map(|it| candidate(it, 0, 1500.0, 100.0 + 10.0 * it as f64)).collect();
    candidates.extend(
        (20..40).map(|it| Candidate { since_last_s: Some(0.0), ..candidate(it, 1, 1500.0, 60.0) }),
    );
    let pairings = pair(&candidates, [0, 1], &[1], &PACE, 7);
    let first: Vec<usize> = pairings[..20].iter().map(|it| it.seats[0]).collect();
    assert_eq!(first, (0..20).rev().collect::<Vec<_>>());
}

#[test]
fn whoever_has_waited_long_comes_before_all_others_while_there_is_room() {
    let pace = Pace { promise_s: 1000.0, room: 3, ..PACE };
    let mut candidates: Vec<_> = (0..10).map(|it| candidate(it, 0, 1500.0, 350.0)).collect();
    let settled = |account, waited_s| Candidate {
        since_last_s: Some(1.0),
        waited_s,
        ..candidate(account, 0, 1500.0, 50.0)
    };
    candidates.extend([settled(10, 499.0), settled(11, 500.0), settled(12, 900.0)]);
    candidates.push(Candidate { pending: 1, ..settled(13, 900.0) });
    candidates.push(Candidate { since_last_s: Some(0.0), ..candidate(14, 1, 1500.0, 50.0) });
    let pairings = pair(&candidates, [0, 1], &[1], &pace, 5);
    let first: Vec<usize> = pairings.iter().map(|it| it.seats[0]).collect();
    assert_eq!((first.len(), &first[..2]), (3, &[12, 11][..]), "{first:?}");
    assert!(first[2] < 10, "{first:?}");
    assert!(pair(&candidates, [0, 1], &[1], &Pace { room: 0, ..pace }, 5).is_empty());
}

#[test]
fn whoever_has_played_all_there_is_is_matched_as_if_settled() {
    let bot = |exhausted, since: f64| Candidate {
        exhausted,
        since_last_s: Some(since),
        ..candidate(1, 0, 1500.0, 300.0)
    };
    let other = Candidate { since_last_s: Some(0.0), ..candidate(2, 1, 1500.0, 50.0) };
    for (exhausted, since, n) in [(false, 0.0, 2), (true, 0.0, 0), (true, 600.0, 1)] {
        let candidates = [bot(exhausted, since), other.clone()];
        assert_eq!(pair(&candidates, [0, 1], &[1], &PACE, 1).len(), n, "{exhausted} {since}");
    }
}

#[test]
fn an_opponent_is_somebody_elses_and_of_the_other_role() {
    let role = |account, role| candidate(account, role, 1500.0, 100.0);
    let newcomer = Candidate { validating: true, ..role(9, 1) };
    for (candidates, roles, expected) in [
        (vec![role(1, 0), role(1, 1)], [0, 1], vec![false, false]),
        (vec![role(1, 0), role(1, 1), role(2, 1)], [0, 1], vec![true, false, true]),
        (vec![role(1, 0), newcomer], [0, 1], vec![false, false]),
        (vec![role(1, 0), role(1, 0), role(2, 0)], [0, 0], vec![true, true, true]),
        (vec![role(1, 0), role(2, 7)], [0, 0], vec![false, false]),
    ] {
        assert_eq!(have_opponents(&candidates, roles), expected, "{candidates:?}");
    }
}

#[test]
fn opponents_are_near_in_strength() {
    let mut candidates = vec![candidate(0, 0, 1800.0, 200.0)];
    candidates.extend((0..20).map(|it| Candidate {
        since_last_s: Some(0.0),
        ..candidate(it + 1, 1, 1000.0 + 50.0 * it as f64, 60.0)
    }));
    for seed in 0..50 {
        for it in pair(&candidates, [0, 1], &[1], &PACE, seed) {
            let away = (candidates[it.seats[1]].rating.rating - 1800.0).abs();
            assert!(away <= 400.0, "{away} away");
        }
    }
}

#[test]
fn a_first_opponent_is_known_to_play_if_anybody_is() {
    let newcomer = Candidate { validating: true, ..candidate(1, 0, 1500.0, 350.0) };
    let own = candidate(1, 1, 1500.0, 100.0);
    let other_newcomer = Candidate { validating: true, ..candidate(2, 1, 1500.0, 350.0) };
    let busy = Candidate { pending: 3, ..candidate(3, 1, 1500.0, 100.0) };
    let idle = candidate(4, 1, 1500.0, 100.0);
    let house = Candidate { house: true, pending: 9, ..candidate(5, 1, 1500.0, 100.0) };
    let other_role = candidate(6, 0, 1500.0, 100.0);
    let all = [&newcomer, &other_role, &other_newcomer, &own, &busy, &idle, &house];
    // As they are taken away from the end, the next best is chosen.
    for (n, best) in
        [(7, Some(6)), (6, Some(5)), (5, Some(4)), (4, Some(3)), (3, Some(2)), (2, None), (1, None)]
    {
        let some: Vec<Candidate> = all[..n].iter().map(|&it| it.clone()).collect();
        assert_eq!(validation_opponent(&some, 0, [0, 1], 3), best, "among {n}");
    }
}

/// 200 bots of hidden strength play for some hours; matches take a while.
#[test]
fn over_a_long_run_nobody_starves_and_set_ups_keep_their_weights() {
    const LOOK_S: f64 = 60.0;
    let weights = [3, 1, 2];
    let mut chance = Chance::new(20_261_129);
    let mut bots: Vec<Candidate> = (0..200)
        .map(|it| Candidate {
            since_last_s: Some(1e9),
            setups: vec![0; weights.len()],
            ..candidate(it as u128 / 3, it % 2, 1500.0, 350.0)
        })
        .collect();
    let strength: Vec<f64> = bots.iter().map(|_| 1100.0 + 800.0 * chance.part()).collect();
    let mut running: BTreeMap<(u64, usize), Pairing> = BTreeMap::new();
    let mut last_played = vec![0_u64; bots.len()];
    let mut longest_wait = 0;
    let mut opponents: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); bots.len()];
    for look in 1..=300_u64 {
        for (n, pairing) in pair(&bots, [0, 1], &weights, &PACE, look).into_iter().enumerate() {
            for it in pairing.seats {
                bots[it].pending += 1;
                bots[it].since_last_s = Some(0.0);
                bots[it].setups[pairing.setup] += 1;
                longest_wait = longest_wait.max(look - last_played[it]);
                last_played[it] = look;
            }
            running.insert((look + 1 + chance.next() % 3, n + 1000 * look as usize), pairing);
        }
        let over: Vec<_> = running.range(..(look + 1, 0)).map(|it| *it.0).collect();
        for key in over {
            let [one, two] = running.remove(&key).unwrap().seats;
            let wins = 1.0 / (1.0 + 10_f64.powf((strength[two] - strength[one]) / 400.0));
            let points = if chance.part() < wins { 100 } else { 0 };
            let before = vec![bots[one].rating, bots[two].rating].into();
            let scores: PerSeat<Fraction> =
                vec![Fraction::new(points, 100), Fraction::new(100 - points, 100)].into();
            let after = rate(&before, &scores).unwrap();
            for (it, seat, other) in [(one, Seat(0), two), (two, Seat(1), one)] {
                bots[it].rating = after[seat];
                bots[it].pending -= 1;
                opponents[it].insert(other);
            }
        }
        for bot in &mut bots {
            bot.since_last_s = bot.since_last_s.map(|it| it + LOOK_S);
        }
    }
    assert!(longest_wait as f64 * LOOK_S <= 2.0 * PACE.interval_s, "{longest_wait} looks");
    for (it, bot) in bots.iter().enumerate() {
        let n: u32 = bot.setups.iter().sum();
        assert!(n >= 25, "bot {it} played {n}");
        assert!(bot.rating.deviation <= 110.0, "bot {it} is not known: {:?}", bot.rating);
        assert!(opponents[it].len() >= 10, "bot {it} met {}", opponents[it].len());
        for (setup, &weight) in weights.iter().enumerate() {
            let share = f64::from(bot.setups[setup]) / f64::from(n);
            let wanted = f64::from(weight) / 6.0;
            assert!((share - wanted).abs() < 0.12, "bot {it}: {share} of set-up {setup}");
        }
    }
    let off: f64 = bots.iter().zip(&strength).map(|(it, s)| (it.rating.rating - s).abs()).sum();
    assert!(off / 200.0 < 120.0, "ratings are {} off", off / 200.0);
}
