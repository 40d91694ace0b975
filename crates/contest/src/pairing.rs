//! Who meets whom on a ladder.
//!
//! A match is worth what it teaches: most where both could win and at least
//! one of them is little known. Whoever is due gets a match, the least known
//! first; set-ups take turns by their weights.

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
        let unsure = |it: &Candidate| it.rating.deviation > pace.settled_deviation;
        let known = |it: &Candidate| if unsure(it) { -it.rating.deviation } else { 0.0 };
        let waited = |it: &Candidate| it.since_last_s.unwrap_or(f64::INFINITY);
        known(first)
            .total_cmp(&known(second))
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
        if candidate.rating.deviation > pace.settled_deviation {
            return self.pending[it] < pace.pending;
        }
        self.pending[it] == 0 && candidate.since_last_s.is_none_or(|it| it >= pace.interval_s)
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
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use game::{Fraction, PerSeat, Seat};
    use proptest::prelude::*;

    use super::*;
    use crate::rate;

    const PACE: Pace = Pace { pending: 2, settled_deviation: 80.0, interval_s: 600.0 };

    fn candidate(account: u128, role: usize, rating: f64, deviation: f64) -> Candidate {
        Candidate {
            account,
            role,
            validating: false,
            house: false,
            rating: Rating { rating, deviation, volatility: 0.06 },
            pending: 0,
            since_last_s: None,
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
            (20..40)
                .map(|it| Candidate { since_last_s: Some(0.0), ..candidate(it, 1, 1500.0, 60.0) }),
        );
        let pairings = pair(&candidates, [0, 1], &[1], &PACE, 7);
        let first: Vec<usize> = pairings[..20].iter().map(|it| it.seats[0]).collect();
        assert_eq!(first, (0..20).rev().collect::<Vec<_>>());
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
        for (n, best) in [
            (7, Some(6)),
            (6, Some(5)),
            (5, Some(4)),
            (4, Some(3)),
            (3, Some(2)),
            (2, None),
            (1, None),
        ] {
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
}
