//! The best pairing of a small group, by looking at all of them: as many pairs as can be, then
//! seats, then nobody floats again soon, then the order of the Dutch system.

use std::cmp::Reverse;

use super::{Float, Paired, Round, seats::Strength};

/// What a pairing costs, the heaviest first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    /// The score groups of those who go down, the best first: rather those with few points.
    floating: Vec<Reverse<u32>>,
    /// Pairs in which one gives up a seat: absolutely, at all, and strongly wished.
    seats: [u32; 3],
    /// Who goes down as in the last round, meets somebody above as then, and both two rounds ago.
    floats: [u32; 4],
    /// Where the pairing comes in the Dutch order.
    order: Vec<i32>,
}

/// None where no pairing of these leaves the others one.
pub(super) fn pair(
    round: &Round<'_>,
    members: &[usize],
    n_moved: usize,
    below: &[usize],
) -> Option<Paired> {
    for n_floating in (members.len() % 2..=members.len()).step_by(2) {
        let mut search = Search {
            round,
            members,
            n_moved,
            below,
            mate: vec![None; members.len()],
            completable: Vec::new(),
            best: None,
        };
        search.place(0, n_floating);
        if let Some((_, paired)) = search.best {
            return Some(paired);
        }
        if below.is_empty() {
            return None;
        }
    }
    None
}

struct Search<'s, 'a> {
    round: &'s Round<'a>,
    members: &'s [usize],
    /// So many come from groups above.
    n_moved: usize,
    below: &'s [usize],
    /// By place in the group; who is its own mate goes down.
    mate: Vec<Option<usize>>,
    /// Sets of those who go down, and whether the rest can be paired with them.
    completable: Vec<(Vec<usize>, bool)>,
    best: Option<(Cost, Paired)>,
}

impl Search<'_, '_> {
    fn place(&mut self, from: usize, n_floating: usize) {
        let Some(at) = (from..self.mate.len()).find(|it| self.mate[*it].is_none()) else {
            if n_floating == 0 {
                self.judge();
            }
            return;
        };
        for other in at + 1..self.mate.len() {
            let is_free = self.mate[other].is_none();
            if is_free && self.round.may_meet(self.members[at], self.members[other]) {
                (self.mate[at], self.mate[other]) = (Some(other), Some(at));
                self.place(at + 1, n_floating);
                (self.mate[at], self.mate[other]) = (None, None);
            }
        }
        if n_floating > 0 {
            self.mate[at] = Some(at);
            self.place(at + 1, n_floating - 1);
            self.mate[at] = None;
        }
    }

    fn judge(&mut self) {
        let cost = self.cost();
        if self.best.as_ref().is_some_and(|it| it.0 <= cost) {
            return;
        }
        let floating: Vec<usize> = self.floating().map(|it| self.members[it]).collect();
        if !self.is_completable(&floating) {
            return;
        }
        let pairs = self.pairs().map(|it| it.map(|it| self.members[it])).collect();
        self.best = Some((cost, Paired { pairs, floating }));
    }

    fn is_completable(&mut self, floating: &[usize]) -> bool {
        if let Some(it) = self.completable.iter().find(|it| it.0 == floating) {
            return it.1;
        }
        let found = self.round.leaves_completable(floating, self.below);
        self.completable.push((floating.to_vec(), found));
        found
    }

    /// By place in the group, the better one first.
    fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        let mates = self.mate.iter().enumerate();
        mates.filter_map(|(it, mate)| mate.filter(|mate| *mate > it).map(|mate| [it, mate]))
    }

    fn floating(&self) -> impl Iterator<Item = usize> {
        self.mate.iter().enumerate().filter(|it| *it.1 == Some(it.0)).map(|it| it.0)
    }

    fn cost(&self) -> Cost {
        let player = |it: usize| &self.round.players[self.members[it]];
        let mut cost = Cost {
            floating: self.floating().map(|it| Reverse(player(it).group)).collect(),
            seats: [0; 3],
            floats: [0; 4],
            order: Vec::new(),
        };
        for [one, two] in self.pairs() {
            let clash = self.round.clash(self.members[one], self.members[two]);
            cost.seats[0] += u32::from(clash == Strength::Absolute);
            cost.seats[1] += u32::from(clash > Strength::None);
            cost.seats[2] += u32::from(clash >= Strength::Strong);
            if player(one).group < player(two).group {
                cost.floats[1] += u32::from(player(two).floats[0] == Float::Up);
                cost.floats[3] += u32::from(player(two).floats[1] == Float::Up);
            }
        }
        for it in self.floating() {
            cost.floats[0] += u32::from(player(it).floats[0] == Float::Down);
            cost.floats[2] += u32::from(player(it).floats[1] == Float::Down);
        }
        cost.order = self.order();
        cost
    }

    /// Who came down first, with the best they may meet. Of the others the upper half against the
    /// lower: as few as possible change halves, the nearest first; then the lower half is tried
    /// in the order of numbers.
    fn order(&self) -> Vec<i32> {
        let n = self.members.len();
        let n_moved = if self.n_moved < n { self.n_moved } else { 0 };
        let number = |it: usize| it as i32;
        let mut order: Vec<i32> = Vec::with_capacity(2 * n);
        for it in 0..n_moved {
            let mate = self.mate[it].filter(|mate| *mate != it);
            order.push(mate.map_or(number(n), number));
        }
        let is_left = |it: &usize| self.mate[*it].is_some_and(|mate| mate >= n_moved);
        let left: Vec<usize> = (n_moved..n).filter(is_left).collect();
        let place = |it: usize| left.iter().position(|other| *other == it).map_or(0, number);
        let pairs: Vec<[i32; 2]> =
            self.pairs().filter(|it| it[0] >= n_moved).map(|it| it.map(place)).collect();
        let half = pairs.len() as i32;
        let went_up: Vec<i32> = pairs.iter().map(|it| it[0]).filter(|it| *it >= half).collect();
        let is_upper = |it: &i32| pairs.iter().any(|pair| pair[0] == *it);
        let mut went_down: Vec<i32> = (0..half).filter(|it| !is_upper(it)).collect();
        order.push(went_up.len() as i32);
        order.push(went_up.iter().sum::<i32>() - went_down.iter().sum::<i32>());
        went_down.reverse();
        order.extend(went_down.iter().map(|it| -it));
        order.extend(went_up);
        order.extend(pairs.iter().map(|it| it[1]));
        order
    }
}
