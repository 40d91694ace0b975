//! Is one version better than another? A sequential test on pairs of matches (Wald; for pairs the
//! generalised test that engine tests use).
//!
//! A pair is one match of each version against the same opponent on the same set-up and seat. A
//! match of many fights is one score: its fights are not independent, and are never counted singly.

use std::collections::{BTreeMap, BTreeSet};

use game::Fraction;

/// Weight of the observations that stand for all not yet seen, one each of -1, 0 and 1: without
/// them a few pairs that all came out alike would settle everything.
const UNSEEN: f64 = 1e-3;
/// What 1 is among differences.
const ONE: i64 = 1_000_000_000;
/// Interval halvings; more than a number of 64 bits can tell apart.
const HALVINGS: u32 = 100;

/// What is asked, and how sure the answer has to be.
///
/// Both bounds are in Elo: by how much one version has to be stronger than the other, where their
/// opponents are about as strong as the other. `0 .. 20` asks whether it is better, and takes
/// pains to notice an advantage of 20.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    elo: [f64; 2],
    alpha: f64,
    beta: f64,
    pairs_max: u32,
}

/// Why bounds are none.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BoundsError {
    /// They are too far out, or the wrong way round.
    #[error(
        "the bounds are {low} and {high} Elo; they have to rise, within -400 to 400, at least 1 apart"
    )]
    Elo {
        /// The lower one.
        low: f64,
        /// The upper one.
        high: f64,
    },
    /// A chance of error is none.
    #[error("the chance of an error is {found}; it has to be 0.001 to 0.4")]
    Chance {
        /// What it is.
        found: f64,
    },
    /// There would be no pair, or too many.
    #[error("{found} pairs at most; it has to be 1 to {PAIRS_MAX}")]
    Pairs {
        /// What it is.
        found: u32,
    },
}

/// Most pairs of a trial.
pub const PAIRS_MAX: u32 = 100_000;

impl Bounds {
    /// `elo[0]` is what is not enough, `elo[1]` what is. `alpha` is the chance to call a version
    /// better that is stronger by `elo[0]` only, `beta` to miss one that is stronger by `elo[1]`.
    /// After `pairs_max` pairs it ends without an answer.
    ///
    /// # Errors
    ///
    /// Where the bounds do not rise by 1 at least, or a value is out of its range.
    pub fn new(
        elo: [f64; 2],
        alpha: f64,
        beta: f64,
        pairs_max: u32,
    ) -> Result<Bounds, BoundsError> {
        let [low, high] = elo;
        let is_in = |it: f64| (-400.0..=400.0).contains(&it);
        if !is_in(low) || !is_in(high) || high - low < 1.0 {
            return Err(BoundsError::Elo { low, high });
        }
        if let Some(found) = [alpha, beta].into_iter().find(|it| !(0.001..=0.4).contains(it)) {
            return Err(BoundsError::Chance { found });
        }
        match pairs_max {
            1..=PAIRS_MAX => Ok(Bounds { elo, alpha, beta, pairs_max }),
            found => Err(BoundsError::Pairs { found }),
        }
    }

    /// Wald's: at the first or below there is no gain, at the second or above there is one.
    pub fn thresholds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// Both bounds, in Elo.
    pub fn elo(&self) -> [f64; 2] {
        self.elo
    }

    /// Most pairs it may take.
    pub fn pairs_max(&self) -> u32 {
        self.pairs_max
    }

    /// The mean difference of scores that each bound comes to.
    fn differences(&self) -> [f64; 2] {
        self.elo.map(|it| 1.0 / (1.0 + 10_f64.powf(-it / 400.0)) - 0.5)
    }
}

impl Default for Bounds {
    /// Whether it is better at all, 5 errors of 100 allowed, an advantage of 30 being noticed.
    fn default() -> Bounds {
        Bounds { elo: [0.0, 30.0], alpha: 0.05, beta: 0.05, pairs_max: 2_000 }
    }
}

/// What a pair was played on: no pair of these counts twice, for it would come out the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairOn {
    /// Against which version.
    pub opponent: u128,
    /// On which set-up: its digest, or its name where names are unique.
    pub setup: String,
    /// On which seat the versions sat that are compared.
    pub seat: u8,
}

/// Why a pair does not count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairError {
    /// It has been counted.
    #[error("a pair against {:032x} on {} with seat {} was counted before", .0.opponent, .0.setup, .0.seat)]
    Again(PairOn),
    /// A score is no part of 1.
    #[error("the scores are {found}; each has to be from 0 to 1")]
    Scores {
        /// What they are.
        found: String,
    },
}

/// A test under way.
#[derive(Clone, Debug)]
pub struct Trial {
    bounds: Bounds,
    seen: BTreeSet<PairOn>,
    /// How often each difference of scores came up.
    differences: BTreeMap<i64, u32>,
}

/// Where a test stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Pairs counted.
    pub pairs: u32,
    /// Mean of the new version's score less the old one's, from -1 to 1.
    pub mean: f64,
    /// Half of its 95 % interval; none with fewer than two pairs.
    pub half_width: Option<f64>,
    /// What speaks for the upper bound, in Wald's units: the logarithm of a likelihood ratio.
    pub llr: f64,
    /// Where it ends, either way.
    pub thresholds: [f64; 2],
    /// How near it is to the threshold it moves to, from 0 to 1.
    pub part: f64,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Play on.
    Open,
    /// The new version is better, by the bounds and chances that were set.
    Better,
    /// It is not, by the same.
    NotBetter,
    /// No set-up is left that was not played, and neither has been shown.
    OutOfSetups,
    /// As many pairs as were allowed have shown neither.
    OutOfPairs,
}

impl Trial {
    /// Nothing is played yet.
    pub fn new(bounds: Bounds) -> Trial {
        Trial { bounds, seen: BTreeSet::new(), differences: BTreeMap::new() }
    }

    /// Counts a pair: the scores of the new version and of the old one.
    ///
    /// # Errors
    ///
    /// Where one on the same was counted, or a score is no part of 1; then nothing has changed.
    pub fn add(&mut self, on: PairOn, new: Fraction, old: Fraction) -> Result<(), PairError> {
        if [new, old].iter().any(|it| *it < Fraction::ZERO || *it > Fraction::ONE) {
            return Err(PairError::Scores { found: format!("{new} and {old}") });
        }
        if self.seen.contains(&on) {
            return Err(PairError::Again(on));
        }
        self.seen.insert(on);
        let difference = (new.to_f64() - old.to_f64()) * ONE as f64;
        *self.differences.entry(difference.round() as i64).or_default() += 1;
        Ok(())
    }

    /// Where it stands.
    pub fn progress(&self) -> Progress {
        let seen =
            || self.differences.iter().map(|(it, n)| (*it as f64 / ONE as f64, f64::from(*n)));
        let n: f64 = seen().map(|it| it.1).sum();
        let mean = seen().map(|(it, n)| it * n).sum::<f64>() / n.max(1.0);
        let squares: f64 = seen().map(|(it, n)| n * (it - mean).powi(2)).sum();
        let llr = self.llr();
        let thresholds = self.bounds.thresholds();
        let end = if llr < 0.0 { thresholds[0] } else { thresholds[1] };
        Progress {
            pairs: n as u32,
            mean,
            half_width: (n >= 2.0).then(|| 1.96 * (squares / (n - 1.0) / n).sqrt()),
            llr,
            thresholds,
            part: (llr / end).clamp(0.0, 1.0),
        }
    }

    /// What it says, where `setups_left` more pairs could be played on what was not played yet.
    pub fn verdict(&self, setups_left: u64) -> Verdict {
        let llr = self.llr();
        let [low, high] = self.bounds.thresholds();
        match () {
            () if llr >= high => Verdict::Better,
            () if llr <= low => Verdict::NotBetter,
            () if self.seen.len() as u64 >= u64::from(self.bounds.pairs_max) => Verdict::OutOfPairs,
            () if setups_left == 0 => Verdict::OutOfSetups,
            () => Verdict::Open,
        }
    }

    /// The best explanation with the upper bound for a mean, against the best one with the lower:
    /// the logarithm of how many times as likely it makes what was seen.
    fn llr(&self) -> f64 {
        if self.differences.is_empty() {
            return 0.0;
        }
        let mut seen: BTreeMap<i64, f64> =
            [-ONE, 0, ONE].into_iter().map(|it| (it, UNSEEN)).collect();
        for (difference, n) in &self.differences {
            *seen.entry(*difference).or_default() += f64::from(*n);
        }
        let seen: Vec<(f64, f64)> =
            seen.into_iter().map(|(it, n)| (it as f64 / ONE as f64, n)).collect();
        let [low, high] = self.bounds.differences().map(|it| tilt(&seen, it));
        seen.iter().map(|(it, n)| n * (low.of(*it) / high.of(*it)).ln()).sum()
    }
}

impl Verdict {
    /// The same in words, for a page.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Open => "Not decided yet: more pairs are to be played.",
            Verdict::Better => "The new version is better.",
            Verdict::NotBetter => "The new version is not better by what was asked for.",
            Verdict::OutOfSetups => {
                "Not decided: every set-up has been played, and the same ones would say nothing new. \
                 More set-ups or more opponents would."
            }
            Verdict::OutOfPairs => "Not decided with as many pairs as a test may have.",
        }
    }
}

/// The likeliest distribution of what was seen that has a given mean: each weight divided by
/// `1 + slope * (it - mean)` (Owen's empirical likelihood).
struct Tilt {
    mean: f64,
    slope: f64,
}

impl Tilt {
    fn of(&self, it: f64) -> f64 {
        1.0 + self.slope * (it - self.mean)
    }
}

/// `seen` holds -1 and 1, so that every mean between them has one.
fn tilt(seen: &[(f64, f64)], mean: f64) -> Tilt {
    // All divisors are above 0 in between, and the sum falls all the way.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / (1.0 + mean));
    for _ in 0..HALVINGS {
        let slope = (low + high) / 2.0;
        let sum: f64 =
            seen.iter().map(|(it, n)| n * (it - mean) / (1.0 + slope * (it - mean))).sum();
        match sum > 0.0 {
            true => low = slope,
            false => high = slope,
        }
    }
    Tilt { mean, slope: (low + high) / 2.0 }
}

#[cfg(test)]
mod tests;
