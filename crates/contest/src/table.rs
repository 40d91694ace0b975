//! The table of those who met each other: points, and who stands before whom where they are equal.
//!
//! Equal points are judged by what the tied did among themselves: first their points, then by how
//! much they won. Who is equal in that too shares a rank.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use game::Fraction;

/// A match of two, as far as a table counts it. Entrants are numbers of the caller's, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// Who met.
    pub entrants: [usize; 2],
    /// What it brought each; who got more has won.
    pub points: [Fraction; 2],
    /// By how much the first did better than the second in what the game counts, as in fights won
    /// less fights lost; below 0 where it did worse.
    pub margin: Fraction,
}

/// A line of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Whose.
    pub entrant: usize,
    /// From 1; who shares one stands on the same, and the next ranks are left out.
    pub rank: usize,
    /// In all matches.
    pub points: Fraction,
    /// Matches won.
    pub won: u32,
    /// Matches drawn.
    pub drawn: u32,
    /// Matches lost.
    pub lost: u32,
    /// What its matches came to against those with as many points; none where nobody has.
    pub tie: Option<Tie>,
}

/// How one stands among those with equal points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The others, by number.
    pub with: Vec<usize>,
    /// Points of the matches against them.
    pub points: Fraction,
    /// Margins of the matches against them.
    pub margin: Fraction,
    /// What it came to.
    pub settled: Settled,
}

/// What settles a tie for one of the tied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Settled {
    /// Nobody has as many points among the tied.
    ByPoints,
    /// Somebody has, but with another margin.
    ByMargin,
    /// Somebody has the same of both: they share the rank.
    NotAtAll,
}

/// The table of `entrants`, the best first; those who share a rank by number. Who is none of them
/// counts as an opponent all the same: those of another role, say.
pub fn standings(entrants: &[usize], encounters: &[Encounter]) -> Vec<Row> {
    let entrants = BTreeSet::from_iter(entrants.iter().copied());
    let sums = sums(encounters, |_| true);
    let of = |entrant: usize| sums.get(&entrant).copied().unwrap_or(Sum::ZERO);
    let mut by_points: BTreeMap<Fraction, Vec<usize>> = BTreeMap::new();
    for &entrant in &entrants {
        by_points.entry(of(entrant).points).or_default().push(entrant);
    }
    let mut rows = Vec::with_capacity(entrants.len());
    for tied in by_points.into_values().rev() {
        let first = rows.len() + 1;
        let row = |entrant: usize, rank: usize, tie: Option<Tie>| {
            let Sum { points, won, drawn, lost, .. } = of(entrant);
            Row { entrant, rank, points, won, drawn, lost, tie }
        };
        match tied.as_slice() {
            [one] => rows.push(row(*one, first, None)),
            tied => {
                rows.extend(settle(tied, encounters).map(|it| row(it.0, first + it.1, Some(it.2))));
            }
        }
    }
    rows
}

/// Those with equal points in their order, each with how many of them stand before it.
fn settle(
    tied: &[usize],
    encounters: &[Encounter],
) -> impl Iterator<Item = (usize, usize, Tie)> + use<> {
    let is_tied = |entrant: &usize| tied.binary_search(entrant).is_ok();
    let sums = sums(encounters, |it| it.entrants.iter().all(is_tied));
    let of = |entrant: usize| {
        let Sum { points, margin, .. } = sums.get(&entrant).copied().unwrap_or(Sum::ZERO);
        (points, margin)
    };
    let mut order = tied.to_vec();
    // Sorting is stable: by number, which they came by.
    order.sort_by_key(|it| std::cmp::Reverse(of(*it)));
    let settled = |entrant: usize| {
        let (points, margin) = of(entrant);
        let others = tied.iter().filter(|it| **it != entrant).map(|it| of(*it));
        others.fold(Settled::ByPoints, |so_far, other| match other.0 == points {
            true if other.1 == margin => Settled::NotAtAll,
            true => so_far.max(Settled::ByMargin),
            false => so_far,
        })
    };
    let line = |entrant: usize| {
        let n_before = tied.iter().filter(|it| of(**it) > of(entrant)).count();
        let with = tied.iter().copied().filter(|it| *it != entrant).collect();
        let (points, margin) = of(entrant);
        (entrant, n_before, Tie { with, points, margin, settled: settled(entrant) })
    };
    order.into_iter().map(line).collect::<Vec<_>>().into_iter()
}

/// What matches come to for one.
#[derive(Clone, Copy)]
struct Sum {
    points: Fraction,
    margin: Fraction,
    won: u32,
    drawn: u32,
    lost: u32,
}

impl Sum {
    const ZERO: Sum =
        Sum { points: Fraction::ZERO, margin: Fraction::ZERO, won: 0, drawn: 0, lost: 0 };
}

fn sums(encounters: &[Encounter], counts: impl Fn(&Encounter) -> bool) -> BTreeMap<usize, Sum> {
    let mut sums = BTreeMap::new();
    for it in encounters.iter().filter(|it| counts(it)) {
        for (own, other, margin) in [(0, 1, it.margin), (1, 0, minus(it.margin))] {
            let sum: &mut Sum = sums.entry(it.entrants[own]).or_insert(Sum::ZERO);
            sum.points = sum.points + it.points[own];
            sum.margin = sum.margin + margin;
            match it.points[own].cmp(&it.points[other]) {
                Ordering::Greater => sum.won += 1,
                Ordering::Equal => sum.drawn += 1,
                Ordering::Less => sum.lost += 1,
            }
        }
    }
    sums
}

fn minus(it: Fraction) -> Fraction {
    Fraction::new(-it.num(), it.den())
}

#[cfg(test)]
mod tests;
