//! Rounds that others have published, and laws that hold for any.

use proptest::prelude::*;

use super::*;

/// Points in halves, seats as `W` first and `B` second, opponents by seed from 1, and rounds
/// before the last two in which somebody went down or up.
struct Card {
    halves: u32,
    met: &'static [usize],
    seats: &'static str,
    floats: [Float; 2],
    byes: u32,
}

const DOWN: [Float; 2] = [Float::Down, Float::No];
const DOWN_BEFORE: [Float; 2] = [Float::No, Float::Down];
const UP_BEFORE: [Float; 2] = [Float::No, Float::Up];
const NO: [Float; 2] = [Float::No; 2];

fn card(
    halves: u32,
    met: &'static [usize],
    seats: &'static str,
    floats: [Float; 2],
    byes: u32,
) -> Card {
    Card { halves, met, seats, floats, byes }
}

/// Pairs by seed from 1, the first seat first, in any order; and who sits out.
fn paired(cards: &[(usize, Card)]) -> (Vec<[usize; 2]>, Option<usize>) {
    let mut scores: Vec<u32> = cards.iter().map(|it| it.1.halves).collect();
    scores.sort_unstable_by(|one, two| two.cmp(one));
    scores.dedup();
    let group = |halves: u32| scores.iter().position(|it| *it == halves).unwrap() as u32;
    let mut players: Vec<Player> = cards
        .iter()
        .map(|(no, card)| Player {
            no: no - 1,
            group: group(card.halves),
            met: card.met.iter().map(|it| it - 1).collect(),
            seats: card.seats.chars().map(|it| u8::from(it == 'B')).collect(),
            floats: card.floats,
            byes: card.byes,
        })
        .collect();
    players.sort_by_key(|it| (it.group, it.no));
    let found = pair_round(&players, 7);
    let mut pairs: Vec<_> = found.pairs.iter().map(|it| it.map(|it| it + 1)).collect();
    pairs.sort_unstable();
    (pairs, found.bye.map(|it| it + 1))
}

fn sorted<const N: usize>(mut pairs: [[usize; 2]; N]) -> Vec<[usize; 2]> {
    pairs.sort_unstable();
    pairs.to_vec()
}

/// The tournament of fourteen that M. Held worked out by hand in `Mastering the Dutch` (FIDE
/// Arbiters' Manual 2014, pages 65 to 92): scores, seats and pairings of rounds 1 to 4. In round 2
/// number 12 is away; in round 3 number 6 wins against number 11 without a match.
#[test]
fn a_published_tournament_by_the_dutch_system_is_paired_alike() {
    let first: Vec<(usize, Card)> = (1..=14).map(|it| (it, card(0, &[], "", NO, 0))).collect();
    let expected = [[1, 8], [9, 2], [3, 10], [11, 4], [5, 12], [13, 6], [7, 14]];
    assert_eq!(paired(&first), (sorted(expected), None), "round 1");

    let second = [
        (1, card(2, &[8], "W", NO, 0)),
        (2, card(2, &[9], "B", NO, 0)),
        (3, card(2, &[10], "W", NO, 0)),
        (4, card(1, &[11], "B", NO, 0)),
        (5, card(2, &[12], "W", NO, 0)),
        (6, card(2, &[13], "B", NO, 0)),
        (7, card(2, &[14], "W", NO, 0)),
        (8, card(0, &[1], "B", NO, 0)),
        (9, card(0, &[2], "W", NO, 0)),
        (10, card(0, &[3], "B", NO, 0)),
        (11, card(1, &[4], "W", NO, 0)),
        (13, card(0, &[6], "W", NO, 0)),
        (14, card(0, &[7], "B", NO, 0)),
    ];
    let expected = [[5, 1], [2, 7], [6, 3], [4, 9], [8, 11], [10, 13]];
    assert_eq!(paired(&second), (sorted(expected), Some(14)), "round 2");

    let up = [Float::Up, Float::No];
    let third = [
        (1, card(2, &[8, 5], "WB", NO, 0)),
        (2, card(4, &[9, 7], "BW", NO, 0)),
        (3, card(3, &[10, 6], "WB", NO, 0)),
        (4, card(3, &[11, 9], "BW", DOWN, 0)),
        (5, card(4, &[12, 1], "WW", NO, 0)),
        (6, card(3, &[13, 3], "BW", NO, 0)),
        (7, card(2, &[14, 2], "WB", NO, 0)),
        (8, card(0, &[1, 11], "BW", up, 0)),
        (9, card(0, &[2, 4], "WB", up, 0)),
        (10, card(2, &[3, 13], "BW", NO, 0)),
        (11, card(3, &[4, 8], "WB", DOWN, 0)),
        (12, card(0, &[5], "B", NO, 0)),
        (13, card(0, &[6, 10], "WB", NO, 0)),
        (14, card(2, &[7], "B", DOWN, 1)),
    ];
    let expected = [[14, 1], [2, 5], [3, 4], [11, 6], [7, 10], [12, 8], [9, 13]];
    assert_eq!(paired(&third), (sorted(expected), None), "round 3");

    let fourth = [
        (1, card(4, &[8, 5, 14], "WBB", NO, 0)),
        (2, card(5, &[9, 7, 5], "BWW", NO, 0)),
        (3, card(4, &[10, 6, 4], "WBW", NO, 0)),
        (4, card(4, &[11, 9, 3], "BWB", DOWN_BEFORE, 0)),
        (5, card(5, &[12, 1, 2], "WWB", NO, 0)),
        (6, card(5, &[13, 3], "BW", DOWN, 0)),
        (7, card(4, &[14, 2, 10], "WBW", NO, 0)),
        (8, card(1, &[1, 11, 12], "BWB", UP_BEFORE, 0)),
        (9, card(2, &[2, 4, 13], "WBW", UP_BEFORE, 0)),
        (10, card(2, &[3, 13, 7], "BWB", NO, 0)),
        (11, card(3, &[4, 8], "WB", DOWN_BEFORE, 0)),
        (12, card(1, &[5, 8], "BW", NO, 0)),
        (13, card(0, &[6, 10, 9], "WBB", NO, 0)),
        (14, card(2, &[7, 1], "BW", DOWN_BEFORE, 1)),
    ];
    let expected = [[1, 3], [6, 2], [4, 5], [11, 7], [8, 9], [10, 14], [13, 12]];
    assert_eq!(paired(&fourth), (sorted(expected), None), "round 4");
}

/// Eight with equal scores: upper half 1 to 4, lower half 5 to 8, and the first transposition of
/// the list in the FIDE Handbook (C.04.1, D.1: 5-6-8-7, 5-7-6-8, 5-7-8-6, 5-8-6-7, ...) that lets
/// nobody meet again.
#[test]
fn the_lower_half_is_transposed_in_the_order_of_the_handbook() {
    type Row = (&'static [[usize; 2]], [usize; 4]);
    let table: &[Row] = &[
        (&[], [5, 6, 7, 8]),
        (&[[4, 8]], [5, 6, 8, 7]),
        (&[[3, 7], [4, 7]], [5, 7, 6, 8]),
        (&[[4, 8], [3, 8]], [5, 8, 6, 7]),
        (&[[2, 6], [4, 8], [3, 8]], [5, 8, 6, 7]),
        (&[[4, 8], [4, 7], [2, 6]], [5, 7, 8, 6]),
        (&[[1, 5]], [6, 5, 7, 8]),
        (&[[1, 5], [4, 8]], [6, 5, 8, 7]),
    ];
    for (met, expected) in table {
        let players: Vec<Player> = (0..8)
            .map(|no| Player {
                met: met
                    .iter()
                    .filter(|it| it.contains(&(no + 1)))
                    .map(|it| it[0] + it[1] - no - 2)
                    .collect(),
                ..player(no, 0)
            })
            .collect();
        let pairs = pair_round(&players, 0).pairs;
        let lower = |upper: usize| {
            let pair = pairs.iter().find(|it| it.contains(&upper)).unwrap();
            pair[0] + pair[1] - upper + 1
        };
        assert_eq!([0, 1, 2, 3].map(lower), *expected, "{met:?}");
    }
}

fn player(no: usize, group: u32) -> Player {
    let (met, seats, floats) = Default::default();
    Player { no, group, met, seats, floats, byes: 0 }
}

/// Plays rounds by a seed; the result of each match is a lot.
fn tournament(n: usize, rounds: usize, seed: u64) -> (Vec<Vec<Player>>, Vec<Pairs>) {
    let mut chance = crate::chance::Chance::new(seed);
    let mut points = vec![0; n];
    let mut players: Vec<Player> = (0..n).map(|it| player(it, 0)).collect();
    let (mut before, mut rounds_played) = (Vec::new(), Vec::new());
    for round in 0..rounds {
        let mut scores: Vec<u32> = points.clone();
        scores.sort_unstable_by(|one, two| two.cmp(one));
        scores.dedup();
        for it in &mut players {
            it.group = scores.iter().position(|score| *score == points[it.no]).unwrap() as u32;
        }
        let mut order = players.clone();
        order.sort_by_key(|it| (it.group, it.no));
        let pairs = pair_round(&order, round as u64);
        for it in &mut players {
            it.floats = [Float::No, it.floats[0]];
        }
        if let Some(it) = pairs.bye {
            points[it] += 2;
            players[it].byes += 1;
            players[it].floats[0] = Float::Down;
        }
        for &[one, two] in &pairs.pairs {
            let score = (chance.next() % 3) as u32;
            points[one] += score;
            points[two] += 2 - score;
            for (own, it, other) in [(0, one, two), (1, two, one)] {
                let groups = (players[it].group, players[other].group);
                players[it].floats[0] = match groups.0.cmp(&groups.1) {
                    std::cmp::Ordering::Less => Float::Down,
                    std::cmp::Ordering::Equal => Float::No,
                    std::cmp::Ordering::Greater => Float::Up,
                };
                players[it].met.insert(other);
                players[it].seats.push(own);
            }
        }
        before.push(order);
        rounds_played.push(pairs);
    }
    (before, rounds_played)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn everybody_plays_or_sits_out_and_nobody_meets_twice(
        n in 2..40_usize, rounds in 1..9_usize, seed in any::<u64>()
    ) {
        let rounds = rounds.min(n - 1 + n % 2);
        let (before, played) = tournament(n, rounds, seed);
        for (players, pairs) in before.iter().zip(&played) {
            let mut all: Vec<usize> = pairs.pairs.iter().flatten().copied().collect();
            all.extend(pairs.bye);
            all.sort_unstable();
            prop_assert_eq!(all, (0..n).collect::<Vec<_>>());
            let by_no = |no: usize| players.iter().find(|it| it.no == no).unwrap();
            // A round robin need not go through to its end: then, and only then, some meet again.
            let again = pairs.pairs.iter().filter(|it| by_no(it[0]).met.contains(&it[1])).count();
            if n >= 2 * rounds {
                prop_assert_eq!(again, 0, "{:?}", pairs);
            }
            if let Some(bye) = pairs.bye {
                let fewest = players.iter().map(|it| it.byes).min().unwrap();
                prop_assert_eq!(by_no(bye).byes, fewest);
            }
        }
    }

    #[test]
    fn seats_come_out_nearly_even(n in 8..40_usize, seed in any::<u64>()) {
        let (before, _) = tournament(n, 4, seed);
        for it in before.last().unwrap() {
            let first = it.seats.iter().filter(|it| **it == 0).count() as i32;
            prop_assert!((2 * first - it.seats.len() as i32).abs() <= 3, "{:?}", it);
        }
    }
}

#[test]
fn a_round_robin_can_be_played_out_as_swiss() {
    // Whoever is left to meet is met: the matching finds it where there is one.
    for n in [4, 6, 8] {
        let (_, played) = tournament(n, n / 2, 5);
        let mut met: Vec<[usize; 2]> = played.iter().flat_map(|it| it.pairs.clone()).collect();
        met.iter_mut().for_each(|it| it.sort_unstable());
        met.sort_unstable();
        let n_met = met.len();
        met.dedup();
        assert_eq!((met.len(), n_met), (n * (n / 2) / 2, n * (n / 2) / 2));
    }
}

#[test]
fn a_large_field_is_paired_without_anybody_meeting_twice() {
    let (before, played) = tournament(301, 12, 11);
    for (players, pairs) in before.iter().zip(&played) {
        for [one, two] in &pairs.pairs {
            let one = players.iter().find(|it| it.no == *one).unwrap();
            assert!(!one.met.contains(two), "{one:?}");
        }
        // Nearly all meet somebody with as many points, or next to it.
        let group = |no: usize| players.iter().find(|it| it.no == no).unwrap().group;
        let far = pairs.pairs.iter().filter(|it| group(it[0]).abs_diff(group(it[1])) > 1).count();
        assert!(far <= 8, "{far} pairs are far apart");
    }
}
