//! A large group, pair by pair down the upper half: each meets the first of the lower half whom it
//! may meet and with whom both get their seat, or else the first whom it may meet.

use super::{Float, Paired, Round, seats::Strength};

/// None where somebody is left whom no exchange helps.
pub(super) fn pair(
    round: &Round<'_>,
    members: &[usize],
    n_moved: usize,
    below: &[usize],
) -> Option<Paired> {
    let mut left = members.to_vec();
    let mut floating = Vec::new();
    if left.len() % 2 == 1 {
        let at = floater(round, members, n_moved, below)?;
        floating.push(left.remove(at));
    } else if !round.leaves_completable(&[], below) {
        return None;
    }
    let mut pairs = Vec::with_capacity(left.len() / 2);
    let mut stuck = Vec::new();
    // Who came down is paired first, unless these are the larger part.
    let n_moved = left.partition_point(|it| members[..n_moved].contains(it));
    if n_moved * 2 <= left.len() {
        let mut residents = left.split_off(n_moved);
        meet(round, &left, &mut residents, &mut pairs, &mut stuck);
        left = residents;
        left.sort_unstable();
    }
    // Who is stuck needs one of these: as many of the last wait for them.
    let n_waiting = stuck.len().min(left.len());
    let waiting = left.split_off(left.len() - n_waiting);
    let mut lower = left.split_off(left.len() / 2);
    meet(round, &left, &mut lower, &mut pairs, &mut stuck);
    lower.extend(waiting);
    for one in stuck {
        let two = lower.pop()?;
        exchange(round, one, two, &mut pairs)?;
    }
    lower.is_empty().then_some(Paired { pairs, floating })
}

fn meet(
    round: &Round<'_>,
    upper: &[usize],
    lower: &mut Vec<usize>,
    pairs: &mut Vec<[usize; 2]>,
    stuck: &mut Vec<usize>,
) {
    for &one in upper {
        let may = |it: &usize| round.may_meet(one, *it);
        let suits = |it: &usize| may(it) && round.clash(one, *it) == Strength::None;
        let found = lower.iter().position(suits).or_else(|| lower.iter().position(may));
        match found {
            Some(at) => pairs.push([one, lower.remove(at)]),
            None => stuck.push(one),
        }
    }
}

/// Pairs two who may not meet, by taking another pair apart.
fn exchange(round: &Round<'_>, one: usize, two: usize, pairs: &mut Vec<[usize; 2]>) -> Option<()> {
    if round.may_meet(one, two) {
        pairs.push([one, two]);
        return Some(());
    }
    for at in (0..pairs.len()).rev() {
        let [a, b] = pairs[at];
        for [a, b] in [[a, b], [b, a]] {
            if round.may_meet(one, b) && round.may_meet(a, two) {
                pairs[at] = [one, b];
                pairs.push([a, two]);
                return Some(());
            }
        }
    }
    None
}

/// Who goes down: the last of the group who did not lately, and leaves the others a pairing.
fn floater(round: &Round<'_>, members: &[usize], n_moved: usize, below: &[usize]) -> Option<usize> {
    let has_floated = |at: &usize| round.players[members[*at]].floats.contains(&Float::Down);
    let residents = (n_moved..members.len()).rev();
    let moved = (0..n_moved).rev();
    let fresh = residents.clone().filter(|it| !has_floated(it));
    let others = residents.filter(has_floated).chain(moved);
    fresh.chain(others).find(|it| round.leaves_completable(&[members[*it]], below))
}
