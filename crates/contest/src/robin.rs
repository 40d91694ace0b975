//! Who meets whom where each meets each.

/// Every pair of `n_entrants` once, round by round, so that nobody waits long for the next match.
///
/// Who comes first in a pair sits on the first seat: each does so as often as on the second, but
/// for one match where the number of its matches is odd.
pub fn round_robin(n_entrants: usize) -> Vec<[usize; 2]> {
    // All but the last sit in a circle that turns; whoever faces the empty chair rests.
    let circle = n_entrants.saturating_sub(1) | 1;
    let mut pairs = Vec::new();
    for round in 0..circle {
        for step in 0..=circle / 2 {
            let one = (round + step) % circle;
            let two = match step {
                0 => circle,
                _ => (round + circle - step) % circle,
            };
            if one.max(two) < n_entrants {
                pairs.push(seated(one.min(two), one.max(two)));
            }
        }
    }
    pairs
}

/// Every one of the first so many with every one of the second, each pair in this order: where a
/// game has two roles, and each entrant plays one of them.
pub fn every_one_with_every_other(n_first: usize, n_second: usize) -> Vec<[usize; 2]> {
    let n_rounds = n_first.max(n_second);
    let pair = |round: usize, it: usize| match n_first <= n_second {
        true => [it, (it + round) % n_second],
        false => [(it + round) % n_first, it],
    };
    let n_at_once = n_first.min(n_second);
    (0..n_rounds).flat_map(|round| (0..n_at_once).map(move |it| pair(round, it))).collect()
}

/// Neighbours in number by turns, which comes out even for everybody.
fn seated(lower: usize, higher: usize) -> [usize; 2] {
    match (lower + higher) % 2 {
        1 => [lower, higher],
        _ => [higher, lower],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_meets_each_once_on_either_seat_by_turns() {
        for n_entrants in 0..40 {
            let pairs = round_robin(n_entrants);
            let mut met = BTreeSet::new();
            let mut seats = vec![[0_i32; 2]; n_entrants];
            for [one, two] in &pairs {
                assert_ne!(one, two, "{n_entrants}");
                assert!(met.insert([one.min(two), one.max(two)]), "{n_entrants}: {one}, {two}");
                seats[*one][0] += 1;
                seats[*two][1] += 1;
            }
            assert_eq!(met.len(), n_entrants * n_entrants.saturating_sub(1) / 2);
            let uneven = seats.iter().find(|[one, two]| (one - two).abs() > 1);
            assert!(uneven.is_none(), "{n_entrants}: {uneven:?}");
        }
    }

    #[test]
    fn nobody_plays_twice_in_a_round() {
        for n_entrants in 2..40_usize {
            for round in round_robin(n_entrants).chunks(n_entrants / 2) {
                let all: BTreeSet<usize> = round.iter().flatten().copied().collect();
                assert_eq!(all.len(), 2 * round.len(), "{n_entrants}: {round:?}");
            }
        }
    }

    #[test]
    fn every_one_of_a_role_meets_every_one_of_the_other_once() {
        for (n_first, n_second) in [(0, 3), (1, 1), (2, 3), (3, 2), (5, 5), (1, 7)] {
            let pairs = every_one_with_every_other(n_first, n_second);
            let met: BTreeSet<[usize; 2]> = pairs.iter().copied().collect();
            assert_eq!((met.len(), pairs.len()), (n_first * n_second, n_first * n_second));
            assert!(met.iter().all(|[one, two]| *one < n_first && *two < n_second));
        }
    }
}
