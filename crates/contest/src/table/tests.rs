//! Tables by hand, with what they come to in words, and laws that hold for any.

use proptest::prelude::*;

use super::*;

/// Two matchpoints for a win, as by fights won of each.
fn encounter(one: usize, two: usize, won: i64, lost: i64) -> Encounter {
    let points = match won.cmp(&lost) {
        Ordering::Greater => [2, 0],
        Ordering::Equal => [1, 1],
        Ordering::Less => [0, 2],
    };
    let margin = (won - lost).into();
    Encounter { entrants: [one, two], points: points.map(Fraction::from), margin }
}

/// Ranks of entrants 0, 1, ...
fn ranks(rows: &[Row]) -> Vec<usize> {
    let mut ranks: Vec<(usize, usize)> = rows.iter().map(|it| (it.entrant, it.rank)).collect();
    ranks.sort_unstable();
    ranks.into_iter().map(|it| it.1).collect()
}

#[test]
fn equal_points_are_settled_among_the_tied() {
    use Settled::{ByMargin, ByPoints, NotAtAll};
    type Fought = (usize, usize, i64, i64);
    type Table = (&'static str, &'static [Fought], &'static [(usize, usize, Option<Settled>)]);
    // What was fought, and of each row the entrant, its rank and what settles its tie.
    let table: &[Table] = &[
        (
            "points decide",
            &[(0, 1, 3, 7), (0, 2, 1, 9), (1, 2, 5, 4)],
            &[(1, 1, None), (2, 2, None), (0, 3, None)],
        ),
        (
            "of two the match between them decides, however much else they won",
            // 0 and 1 have four points each; 1 has beaten 0 by a hair, and lost elsewhere by miles.
            &[(0, 1, 4, 5), (0, 2, 9, 0), (1, 2, 0, 9), (0, 3, 9, 0), (1, 3, 5, 4), (2, 3, 0, 1)],
            &[
                (1, 1, Some(ByPoints)),
                (0, 2, Some(ByPoints)),
                (3, 3, Some(ByPoints)),
                (2, 4, Some(ByPoints)),
            ],
        ),
        (
            "of two who drew the match between them both share the rank",
            &[(0, 1, 5, 5), (0, 2, 9, 0), (1, 2, 6, 0)],
            &[(0, 1, Some(NotAtAll)), (1, 1, Some(NotAtAll)), (2, 3, None)],
        ),
        (
            "who beat each other in a circle are told apart by their margins",
            &[(0, 1, 6, 4), (1, 2, 8, 2), (2, 0, 7, 3)],
            &[(1, 1, Some(ByMargin)), (0, 2, Some(NotAtAll)), (2, 2, Some(NotAtAll))],
        ),
        (
            "and share the rank where those are equal",
            &[(0, 1, 6, 4), (1, 2, 6, 4), (2, 0, 6, 4), (3, 0, 0, 9), (3, 1, 0, 8), (3, 2, 0, 7)],
            &[(0, 1, Some(NotAtAll)), (1, 1, Some(NotAtAll)), (2, 1, Some(NotAtAll)), (3, 4, None)],
        ),
        (
            "of three one stands first by points among them, and the others by their margins",
            &[
                (0, 1, 5, 5),
                (0, 2, 9, 1),
                (1, 2, 6, 4),
                // The others even it out.
                (2, 3, 9, 0),
                (2, 4, 3, 3),
                (3, 0, 1, 0),
                (3, 1, 9, 0),
                (4, 0, 9, 0),
                (4, 1, 1, 0),
                (3, 4, 5, 1),
            ],
            &[
                (3, 1, None),
                (4, 2, None),
                (0, 3, Some(ByMargin)),
                (1, 4, Some(ByMargin)),
                (2, 5, Some(ByPoints)),
            ],
        ),
        (
            "who never met share the rank",
            &[(0, 2, 5, 3), (1, 2, 9, 0)],
            &[(0, 1, Some(NotAtAll)), (1, 1, Some(NotAtAll)), (2, 3, None)],
        ),
    ];
    for (what, fought, expected) in table {
        let encounters: Vec<_> =
            fought.iter().map(|it| encounter(it.0, it.1, it.2, it.3)).collect();
        let rows = standings(&all(expected.len()), &encounters);
        let settled = |it: &Row| (it.entrant, it.rank, it.tie.as_ref().map(|it| it.settled));
        let found: Vec<_> = rows.iter().map(settled).collect();
        assert_eq!(found, *expected, "{what}: {rows:?}");
    }
}

#[test]
fn nobody_and_who_met_nobody_have_a_table_too() {
    assert_eq!(standings(&[], &[]), []);
    let rows = standings(&[0, 1], &[]);
    assert_eq!(ranks(&rows), [1, 1]);
    assert!(rows.iter().all(|it| (it.won, it.drawn, it.lost) == (0, 0, 0)));
}

fn all(n: usize) -> Vec<usize> {
    (0..n).collect()
}

#[test]
fn who_is_left_out_of_a_table_counts_as_an_opponent() {
    // Two architects, 0 and 1, each met both adventurers, 2 and 3.
    let met = [encounter(0, 2, 9, 1), encounter(0, 3, 4, 6), encounter(1, 2, 6, 4)];
    let met = [&met[..], &[encounter(1, 3, 7, 3)]].concat();
    let rows = standings(&[0, 1], &met);
    let found: Vec<_> = rows.iter().map(|it| (it.entrant, it.rank, it.won, it.lost)).collect();
    assert_eq!(found, [(1, 1, 2, 0), (0, 2, 1, 1)]);
}

/// A round robin, few fights a match so that ties are frequent.
fn played() -> impl Strategy<Value = (usize, Vec<Encounter>)> {
    (1..8_usize).prop_flat_map(|n| {
        let pairs = crate::round_robin(n);
        proptest::collection::vec((0..4_i64, 0..4_i64), pairs.len()).prop_map(move |fought| {
            let both = pairs.iter().zip(fought);
            (n, both.map(|(it, (won, lost))| encounter(it[0], it[1], won, lost)).collect())
        })
    })
}

proptest! {
    #[test]
    fn each_has_one_row_and_ranks_count_who_stands_before((n, encounters) in played()) {
        let rows = standings(&all(n), &encounters);
        let mut entrants: Vec<_> = rows.iter().map(|it| it.entrant).collect();
        entrants.sort_unstable();
        prop_assert_eq!(entrants, (0..n).collect::<Vec<_>>());
        for (at, row) in rows.iter().enumerate() {
            prop_assert_eq!((row.won + row.drawn + row.lost) as usize, n - 1);
            let n_before = rows.iter().filter(|it| it.rank < row.rank).count();
            prop_assert_eq!(row.rank, n_before + 1);
            if let Some(next) = rows.get(at + 1) {
                prop_assert!(row.rank <= next.rank && row.points >= next.points);
                // By number where nothing else tells them apart.
                prop_assert!(row.rank < next.rank || row.entrant < next.entrant);
            }
        }
    }

    #[test]
    fn neither_the_order_of_matches_nor_of_seats_matters(
        (n, encounters) in played(), turns in any::<u64>()
    ) {
        let rows = standings(&all(n), &encounters);
        let mut others = encounters;
        others.reverse();
        let by = turns as usize % others.len().max(1);
        others.rotate_left(by);
        let turned = others.iter_mut().enumerate().filter(|(at, _)| turns >> at & 1 == 1);
        for (_, it) in turned {
            it.entrants.reverse();
            it.points.reverse();
            it.margin = minus(it.margin);
        }
        prop_assert_eq!(standings(&all(n), &others), rows);
    }

    #[test]
    fn no_entrant_gains_by_its_number((n, encounters) in played(), by in 0..8_usize) {
        let before = ranks(&standings(&all(n), &encounters));
        let renamed = |it: usize| (it + by) % n;
        let mut others = encounters;
        others.iter_mut().for_each(|it| it.entrants = it.entrants.map(renamed));
        let after = ranks(&standings(&all(n), &others));
        for entrant in 0..n {
            prop_assert_eq!(before[entrant], after[renamed(entrant)]);
        }
    }

    #[test]
    fn of_two_with_equal_points_who_won_stands_before((n, encounters) in played()) {
        let rows = standings(&all(n), &encounters);
        for row in rows.iter() {
            let Some(Tie { with, settled, .. }) = &row.tie else { continue };
            let shares = rows.iter().any(|it| it.rank == row.rank && it.entrant != row.entrant);
            prop_assert_eq!(shares, *settled == Settled::NotAtAll);
            let [other] = with[..] else { continue };
            let met = encounters.iter().find(|it| {
                it.entrants == [row.entrant, other] || it.entrants == [other, row.entrant]
            });
            let met = met.expect("each meets each");
            let own = usize::from(met.entrants[1] == row.entrant);
            let rank = rows.iter().find(|it| it.entrant == other).expect("its row").rank;
            let expected = met.points[1 - own].cmp(&met.points[own]);
            prop_assert_eq!(row.rank.cmp(&rank), expected);
        }
    }
}
