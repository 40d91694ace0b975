//! Stages in which who meets whom is known before the first match: each meets each of its group,
//! or each of the other role.

use super::play::{Arena, Met, Spot};
use crate::{every_one_with_every_other, round_robin};

/// Who is in which group: a snake, so that groups are about as strong.
pub(super) fn snake(n_entrants: usize, n_groups: usize) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new(); n_groups];
    for it in 0..n_entrants {
        let (row, at) = (it / n_groups, it % n_groups);
        groups[if row % 2 == 0 { at } else { n_groups - 1 - at }].push(it);
    }
    groups
}

/// Who meets whom, round by round: each time with the place of the pair and its seats.
pub(super) fn round_robin_schedule(groups: &[Vec<usize>], turns: u32) -> Vec<(Spot, [usize; 2])> {
    let largest = groups.iter().map(Vec::len).max().unwrap_or(0);
    // Numbers of pairings leave room for the largest group, so that they do not move.
    let pairs_max = largest / 2;
    let rounds_max = if largest < 2 { 0 } else { largest - 1 + largest % 2 };
    let mut schedule = Vec::new();
    for turn in 0..turns as usize {
        for (group, members) in groups.iter().enumerate() {
            let pairs = round_robin(members.len());
            for (round, pairs) in pairs.chunks((members.len() / 2).max(1)).enumerate() {
                for (at, pair) in pairs.iter().enumerate() {
                    let spot = spot(turn * rounds_max + round, group * pairs_max + at, group);
                    schedule.push((spot, turned(pair.map(|it| members[it]), turn)));
                }
            }
        }
    }
    schedule
}

/// Each of the first with each of the second, who sit on the second seat.
pub(super) fn bipartite_schedule(roles: [&[usize]; 2], turns: u32) -> Vec<(Spot, [usize; 2])> {
    let sizes = roles.map(<[usize]>::len);
    let pairs = every_one_with_every_other(sizes[0], sizes[1]);
    let at_once = sizes[0].min(sizes[1]).max(1);
    let n_rounds = pairs.len() / at_once;
    let turn = |turn: usize| {
        pairs.iter().enumerate().map(move |(no, [one, two])| {
            let spot = spot(turn * n_rounds + no / at_once, no % at_once, 0);
            (spot, [roles[0][*one], roles[1][*two]])
        })
    };
    (0..turns as usize).flat_map(turn).collect()
}

/// All matches of a schedule that are over, and whether these are all. Every one is played as soon
/// as there is room: rounds say only in which order.
pub(super) fn play<'a>(
    arena: &mut Arena<'a>,
    schedule: &[(Spot, [usize; 2])],
) -> (Vec<Met<'a>>, bool) {
    let mut all = Vec::with_capacity(schedule.len());
    let mut is_over = true;
    for (spot, pair) in schedule {
        let (met, all_met) = arena.meet(*spot, *pair);
        all.extend(met);
        is_over &= all_met;
    }
    (all, is_over)
}

fn spot(round: usize, pairing: usize, group: usize) -> Spot {
    Spot { round: round as u16, pairing: pairing as u32, group: group as u16 }
}

fn turned(pair: [usize; 2], turn: usize) -> [usize; 2] {
    if turn % 2 == 1 { [pair[1], pair[0]] } else { pair }
}
