//! Who meets whom on a ladder.
//!
//! A match is worth what it teaches: most where both could win and at least
//! one of them is little known. Whoever is due gets a match, the least known first, but before all
//! whoever has waited for half of what nobody is to wait for; set-ups take turns by their weights.

use std::collections::BTreeMap;

use skillratings::glicko2::{Glicko2Rating, expected_score};

use crate::{Rating, chance::Chance};

/// How often matches are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Matches that may wait or run at once for a bot whose rating is not settled.
    pub pending: u32,
    /// A rating is settled once its deviation is at most this: from then on its
    /// bot is matched now and then, no longer at full pace. When a bot gets a
    /// place is another matter; see [`PLACED_DEVIATION_MAX`](crate::PLACED_DEVIATION_MAX).
    pub settled_deviation: f64,
    /// A bot whose rating is settled is due this long after its last match was made.
    pub interval_s: f64,
    /// Nobody who has an opponent is to wait longer than this for a match to begin. Who has waited
    /// for half of it is due, and comes first.
    pub promise_s: f64,
    /// Most matches that are made at once: more would wait for too long, and let those wait that
    /// come due meanwhile.
    pub room: usize,
}

/// A bot that can be paired. Accounts, roles and set-ups are numbers of the caller's.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Whose; bots of one account are never paired for rated play.
    pub account: u128,
    /// For which role it is entered.
    pub role: usize,
    /// It has yet to show that it can play: no ladder match, only validation.
    pub validating: bool,
    /// One of the house's: a good first opponent.
    pub house: bool,
    /// How strong it seems.
    pub rating: Rating,
    /// Matches that wait or run.
    pub pending: u32,
    /// Time since its last match was made; none: there was none.
    pub since_last_s: Option<f64>,
    /// Time since its last match began, or since it came onto the ladder.
    pub waited_s: f64,
    /// Its last matches all went as earlier ones had: more of them teach nothing, and it is matched
    /// as if its rating were settled.
    pub exhausted: bool,
    /// How often it has lately met each set-up.
    pub setups: Vec<u32>,
}

/// A match to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// For each seat, which candidate.
    pub seats: [usize; 2],
    /// Which set-up.
    pub setup: usize,
}

/// The matches that are due, the most wanted first.
///
/// `roles` has the role of each seat, `weights` how often each set-up is
/// played in proportion to the others; one of weight 0 never is.
pub fn pair(
    candidates: &[Candidate],
    roles: [usize; 2],
    weights: &[u32],
    pace: &Pace,
    seed: u64,
) -> Vec<Pairing> {
    let mut chance = Chance::new(seed);
    let mut plan = Plan {
        candidates,
        pending: candidates.iter().map(|it| it.pending).collect(),
        setups: candidates.iter().map(|it| it.setups.clone()).collect(),
        met: Vec::new(),
    };
    let mut due: Vec<(usize, u64)> = (0..candidates.len())
        .filter(|&it| plan.is_due(it, pace))
        .map(|it| (it, chance.next()))
        .collect();
    due.sort_by(|&(one, tie_one), &(two, tie_two)| {
        let (first, second) = (&candidates[one], &candidates[two]);
        let known = |it: &Candidate| if it.is_unsure(pace) { -it.rating.deviation } else { 0.0 };
        let waited = |it: &Candidate| it.since_last_s.unwrap_or(f64::INFINITY);
        let late = |it: &Candidate| if it.is_late(pace) { it.waited_s } else { 0.0 };
        late(second)
            .total_cmp(&late(first))
            .then(known(first).total_cmp(&known(second)))
            .then(waited(second).total_cmp(&waited(first)))
            .then(tie_one.cmp(&tie_two))
    });

    let mut pairings = Vec::new();
    if !weights.iter().any(|&it| it > 0) {
        return pairings;
    }
    // One each in turn, so that nobody's second match comes before another's first.
    loop {
        let before = pairings.len();
        for &(one, _) in &due {
            if pairings.len() >= pace.room {
                return pairings;
            }
            if !plan.is_due(one, pace) {
                continue;
            }
            let Some(two) = plan.opponent(one, roles, pace, &mut chance) else { continue };
            let seats = match candidates[one].role == candidates[two].role {
                true if chance.next().is_multiple_of(2) => [two, one],
                false if candidates[one].role != roles[0] => [two, one],
                _ => [one, two],
            };
            let setup = plan.setup(seats, weights, &mut chance);
            plan.add(seats, setup);
            pairings.push(Pairing { seats, setup });
        }
        if pairings.len() == before {
            return pairings;
        }
    }
}

/// Who should be a newcomer's first opponent: one that is known to play,
/// rather somebody else's, rather the house's, rather one that is idle.
/// Where nobody is known to play, two newcomers try each other.
pub fn validation_opponent(
    candidates: &[Candidate],
    newcomer: usize,
    roles: [usize; 2],
    seed: u64,
) -> Option<usize> {
    let mut chance = Chance::new(seed);
    let me = candidates.get(newcomer)?;
    (0..candidates.len())
        .filter(|&it| it != newcomer && can_meet(me, &candidates[it], roles))
        .map(|it| (it, chance.next()))
        .min_by_key(|&(it, tie)| {
            let other = &candidates[it];
            let own = other.account == me.account;
            (other.validating, own, !other.house, other.pending, tie)
        })
        .map(|it| it.0)
}

/// For each candidate, whether anybody is there whom it could meet in rated play.
pub fn have_opponents(candidates: &[Candidate], roles: [usize; 2]) -> Vec<bool> {
    // By role: the account of somebody who plays, and whether there is another account besides.
    let mut accounts: BTreeMap<usize, (u128, bool)> = BTreeMap::new();
    for it in candidates.iter().filter(|it| !it.validating) {
        let (account, is_several) = accounts.entry(it.role).or_insert((it.account, false));
        *is_several |= *account != it.account;
    }
    let has_opponent = |it: &Candidate| {
        let other_role = match () {
            () if it.role == roles[0] => roles[1],
            () if it.role == roles[1] => roles[0],
            () => return false,
        };
        let there = accounts.get(&other_role);
        !it.validating
            && there.is_some_and(|(account, is_several)| *is_several || *account != it.account)
    };
    candidates.iter().map(has_opponent).collect()
}

impl Candidate {
    fn is_unsure(&self, pace: &Pace) -> bool {
        !self.exhausted && self.rating.deviation > pace.settled_deviation
    }

    /// Nothing is under way for it, though half of what is promised is over.
    fn is_late(&self, pace: &Pace) -> bool {
        self.pending == 0 && self.waited_s >= pace.promise_s / 2.0
    }
}

fn can_meet(one: &Candidate, two: &Candidate, roles: [usize; 2]) -> bool {
    let seats = [one.role, two.role];
    seats == roles || seats == [roles[1], roles[0]]
}

/// The ladder as it will be once what is planned so far is made.
struct Plan<'a> {
    candidates: &'a [Candidate],
    pending: Vec<u32>,
    setups: Vec<Vec<u32>>,
    met: Vec<(usize, usize)>,
}

impl Plan<'_> {
    fn is_due(&self, it: usize, pace: &Pace) -> bool {
        let candidate = &self.candidates[it];
        if candidate.validating {
            return false;
        }
        if candidate.is_unsure(pace) {
            return self.pending[it] < pace.pending;
        }
        let has_rested = candidate.since_last_s.is_none_or(|it| it >= pace.interval_s);
        self.pending[it] == 0 && (has_rested || candidate.is_late(pace))
    }

    fn opponent(
        &self,
        one: usize,
        roles: [usize; 2],
        pace: &Pace,
        chance: &mut Chance,
    ) -> Option<usize> {
        let me = &self.candidates[one];
        let mut best: Option<(f64, usize)> = None;
        for two in 0..self.candidates.len() {
            let other = &self.candidates[two];
            if two == one
                || other.validating
                || other.account == me.account
                || !can_meet(me, other, roles)
            {
                continue;
            }
            let again = self.met.contains(&(one.min(two), one.max(two)));
            let busy = 1 + self.pending[two] + if again { 4 } else { 0 };
            // Opponents need not be the best by far each time: variety teaches too.
            let variety = 0.75 + 0.5 * chance.part();
            let worth = gain(me.rating, other.rating, pace) / f64::from(busy) * variety;
            if best.is_none_or(|it| worth > it.0) {
                best = Some((worth, two));
            }
        }
        best.map(|it| it.1)
    }

    fn setup(&self, seats: [usize; 2], weights: &[u32], chance: &mut Chance) -> usize {
        let mut best: Option<(f64, usize)> = None;
        for (setup, &weight) in weights.iter().enumerate().filter(|it| *it.1 > 0) {
            let met: u32 = seats.iter().filter_map(|&it| self.setups[it].get(setup)).sum();
            let load = (f64::from(met) + 0.5 + 0.5 * chance.part()) / f64::from(weight);
            if best.is_none_or(|it| load < it.0) {
                best = Some((load, setup));
            }
        }
        best.map_or(0, |it| it.1)
    }

    fn add(&mut self, seats: [usize; 2], setup: usize) {
        self.met.push((seats[0].min(seats[1]), seats[0].max(seats[1])));
        for it in seats {
            self.pending[it] += 1;
            let met = &mut self.setups[it];
            if met.len() <= setup {
                met.resize(setup + 1, 0);
            }
            met[setup] += 1;
        }
    }
}

/// What a match between the two would teach: the variance of its result times
/// what is not known of the two. A rating that is sure counts as much less.
fn gain(one: Rating, two: Rating, pace: &Pace) -> f64 {
    let (wins, _) = expected_score(&Glicko2Rating::from(one), &Glicko2Rating::from(two));
    let unknown = |it: Rating| it.deviation.max(pace.settled_deviation / 2.0).powi(2);
    wins * (1.0 - wins) * (unknown(one) + unknown(two))
}

#[cfg(test)]
mod tests;
