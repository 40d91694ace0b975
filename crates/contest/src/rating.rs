//! Ratings: Glicko-2, one match after the other, in the order they were counted.
//!
//! A rating is a fold over the log of rated matches. The live path and
//! [`recompute`] call the same [`count`], so they agree bit for bit.

use std::collections::BTreeMap;

use game::{Fraction, PerSeat, Seat};
use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, glicko2},
};

/// How many seats a rated match has.
pub const SEATS_RATED: usize = 2;
/// What a new version adds to the deviation: the two add up as independent
/// errors do, `sqrt(old² + 150²)`, and never pass [`Rating::NEW`]'s.
///
/// A version is new where it is not the one that played the bot's last rated
/// match; so the log alone says when.
pub const NEW_VERSION_DEVIATION: f64 = 150.0;

/// A bot has a place on its leaderboard while its deviation is at most this:
/// its strength is then known to within some 200 points, 95 times of 100.
///
/// Not what [`Pace::settled_deviation`](crate::Pace::settled_deviation) is, which
/// is never above this: a bot gets its place soon, and goes on being matched at
/// full pace until more matches would hardly move it.
pub const PLACED_DEVIATION_MAX: f64 = 110.0;

/// How strong a bot seems.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The middle of what it may be.
    pub rating: f64,
    /// One standard deviation of that.
    pub deviation: f64,
    /// How much it moves by itself.
    pub volatility: f64,
}

impl Rating {
    /// Before the first match.
    pub const NEW: Rating = Rating { rating: 1500.0, deviation: 350.0, volatility: 0.06 };

    fn with_new_version(self) -> Rating {
        let deviation = self.deviation.hypot(NEW_VERSION_DEVIATION).min(Rating::NEW.deviation);
        Rating { deviation, ..self }
    }
}

impl Default for Rating {
    fn default() -> Rating {
        Rating::NEW
    }
}

impl From<Rating> for Glicko2Rating {
    fn from(it: Rating) -> Glicko2Rating {
        let Rating { rating, deviation, volatility } = it;
        Glicko2Rating { rating, deviation, volatility }
    }
}

/// A rating, and what it rests on. `V` names versions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing<V> {
    /// How strong the bot seems.
    pub rating: Rating,
    /// Rated matches it has finished.
    pub matches: u32,
    /// In how many of them it made a fault.
    pub faults: u32,
    /// The version that played the last of them.
    pub last_version: V,
}

/// What a rated match came to for one seat. `B` names bots, `V` their versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatResult<B, V> {
    /// Which bot.
    pub bot: B,
    /// With which version.
    pub version: V,
    /// Its part of 1.
    pub score: Fraction,
    /// Whether it made a fault.
    pub faulted: bool,
}

/// Why a match cannot be rated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    /// It has too few or too many seats.
    #[error("a rated match has {SEATS_RATED} seats, and this has {found}")]
    Seats {
        /// How many it has.
        found: usize,
    },
    /// The scores are no parts of 1.
    #[error("scores are parts of 1 that add up to 1, and these are {found}")]
    Scores {
        /// What they are.
        found: String,
    },
}

/// Ratings after a match.
///
/// Glicko-2 knows losses, draws and wins. A score between two of them moves a
/// rating between where those two would: linearly, which for the rating itself
/// is Glicko-2's own formula.
///
/// # Errors
///
/// Where there are not two seats, or the scores do not add up to 1.
pub fn rate(
    before: &PerSeat<Rating>,
    scores: &PerSeat<Fraction>,
) -> Result<PerSeat<Rating>, RateError> {
    if before.n_seats() != SEATS_RATED || scores.n_seats() != SEATS_RATED {
        return Err(RateError::Seats { found: before.n_seats().max(scores.n_seats()) });
    }
    let (one, two) = (scores[Seat(0)], scores[Seat(1)]);
    let sum = one.checked_add(two);
    if sum != Some(Fraction::ONE) || one < Fraction::ZERO || two < Fraction::ZERO {
        return Err(RateError::Scores { found: format!("{one} and {two}") });
    }
    let first = before[Seat(0)].into();
    let second = before[Seat(1)].into();
    let after = |outcome| glicko2(&first, &second, &outcome, &Glicko2Config::new());
    let half = Fraction::new(1, 2);
    let score = one.to_f64();
    let (low, high, part) = match one {
        it if it == Fraction::ZERO => (Outcomes::LOSS, Outcomes::LOSS, 0.0),
        it if it == half => (Outcomes::DRAW, Outcomes::DRAW, 0.0),
        it if it == Fraction::ONE => (Outcomes::WIN, Outcomes::WIN, 0.0),
        it if it < half => (Outcomes::LOSS, Outcomes::DRAW, score * 2.0),
        _ => (Outcomes::DRAW, Outcomes::WIN, score * 2.0 - 1.0),
    };
    let (low, high) = (after(low), after(high));
    Ok(vec![between(low.0, high.0, part), between(low.1, high.1, part)].into())
}

fn between(low: Glicko2Rating, high: Glicko2Rating, part: f64) -> Rating {
    let mix = |low: f64, high: f64| low + (high - low) * part;
    Rating {
        rating: mix(low.rating, high.rating),
        deviation: mix(low.deviation, high.deviation).min(Rating::NEW.deviation),
        volatility: mix(low.volatility, high.volatility),
    }
}

/// Standings after a match; none is a bot's before its first.
///
/// # Errors
///
/// As [`rate`].
pub fn count<B, V: Copy + PartialEq>(
    before: &PerSeat<Option<Standing<V>>>,
    played: &PerSeat<SeatResult<B, V>>,
) -> Result<PerSeat<Standing<V>>, RateError> {
    if before.n_seats() != played.n_seats() {
        return Err(RateError::Seats { found: before.n_seats() });
    }
    let ratings = before.map(|seat, it| match it {
        None => Rating::NEW,
        Some(it) if it.last_version != played[seat].version => it.rating.with_new_version(),
        Some(it) => it.rating,
    });
    let after = rate(&ratings, &played.map(|_, it| it.score))?;
    Ok(after.map(|seat, &rating| {
        let played = &played[seat];
        let (matches, faults) = before[seat].map_or((0, 0), |it| (it.matches, it.faults));
        Standing {
            rating,
            matches: matches + 1,
            faults: faults + u32::from(played.faulted),
            last_version: played.version,
        }
    }))
}

/// All standings, from the log of rated matches in the order they were counted.
///
/// # Errors
///
/// As [`rate`].
pub fn recompute<B: Ord + Copy, V: Copy + PartialEq>(
    log: impl IntoIterator<Item = PerSeat<SeatResult<B, V>>>,
) -> Result<BTreeMap<B, Standing<V>>, RateError> {
    let mut standings = BTreeMap::new();
    for played in log {
        let before = played.map(|_, it| standings.get(&it.bot).copied());
        let after = count(&before, &played)?;
        for (seat, &standing) in after.iter() {
            standings.insert(played[seat].bot, standing);
        }
    }
    Ok(standings)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use skillratings::glicko2::glicko2_rating_period;

    use super::*;

    fn scores(num: i64, den: i64) -> PerSeat<Fraction> {
        vec![Fraction::new(num, den), Fraction::new(den - num, den)].into()
    }

    fn new_ones() -> PerSeat<Rating> {
        vec![Rating::NEW, Rating::NEW].into()
    }

    #[test]
    fn the_three_plain_results_are_those_of_the_library() {
        for (num, den, outcome) in
            [(0, 1, Outcomes::LOSS), (1, 2, Outcomes::DRAW), (1, 1, Outcomes::WIN)]
        {
            let ours = rate(&new_ones(), &scores(num, den)).unwrap();
            let new = Glicko2Rating::new();
            let (one, two) = glicko2(&new, &new, &outcome, &Glicko2Config::new());
            assert_eq!(Glicko2Rating::from(ours[Seat(0)]), one);
            assert_eq!(Glicko2Rating::from(ours[Seat(1)]), two);
        }
    }

    /// Glickman, Example of the Glicko-2 system, 2022: a player of 1500 beats one of 1400, and loses
    /// to 1550 and 1700, all in one period. What the library makes of it is what the paper does, and
    /// what we make of a match is what the library does of a period of one.
    #[test]
    fn the_library_computes_as_its_inventor_does() {
        let rated = |rating, deviation| Rating { rating, deviation, volatility: 0.06 };
        let games = [
            (rated(1400.0, 30.0), Outcomes::WIN),
            (rated(1550.0, 100.0), Outcomes::LOSS),
            (rated(1700.0, 300.0), Outcomes::LOSS),
        ];
        let games = games.map(|(opponent, outcome)| (Glicko2Rating::from(opponent), outcome));
        let player = Glicko2Rating::from(rated(1500.0, 200.0));
        let config = Glicko2Config::new();
        let after = glicko2_rating_period(&player, &games, &config);
        assert!((after.rating - 1464.06).abs() < 0.02, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.01, "{after:?}");
        assert!((after.volatility - 0.059_99).abs() < 0.000_01, "{after:?}");

        let alone = glicko2_rating_period(&player, &games[..1], &config);
        let before = vec![rated(1500.0, 200.0), rated(1400.0, 30.0)].into();
        let ours = rate(&before, &scores(1, 1)).unwrap()[Seat(0)];
        assert!((ours.rating - alone.rating).abs() < 1e-9, "{ours:?} and {alone:?}");
        assert!((ours.deviation - alone.deviation).abs() < 1e-9, "{ours:?} and {alone:?}");
    }

    #[test]
    fn more_points_are_never_worth_less() {
        let mut last = f64::MIN;
        for points in 0..=100 {
            let after = rate(&new_ones(), &scores(points, 100)).unwrap();
            assert!(after[Seat(0)].rating > last, "{points}");
            last = after[Seat(0)].rating;
        }
    }

    #[test]
    fn scores_that_are_no_parts_of_one_are_refused() {
        let half = Fraction::new(1, 2);
        for (one, two) in [
            (half, Fraction::ONE),
            (Fraction::ZERO, Fraction::ZERO),
            (Fraction::new(3, 2), Fraction::new(-1, 2)),
            (Fraction::new(i64::MAX, 1), Fraction::new(1, i64::MAX)),
        ] {
            let refused = rate(&new_ones(), &vec![one, two].into());
            assert!(matches!(refused, Err(RateError::Scores { .. })), "{one} {two}");
        }
        for n_seats in [0, 1, 3] {
            let before = PerSeat::new(n_seats, |_| Rating::NEW);
            let scores = PerSeat::new(n_seats, |_| Fraction::ZERO);
            assert_eq!(rate(&before, &scores), Err(RateError::Seats { found: n_seats }));
        }
    }

    #[test]
    fn a_new_version_makes_a_rating_unsure_again_and_an_old_one_does_not() {
        let standing = |version| Standing {
            rating: Rating { rating: 1700.0, deviation: 60.0, volatility: 0.06 },
            matches: 40,
            faults: 2,
            last_version: version,
        };
        let played =
            |version, bot| SeatResult { bot, version, score: Fraction::new(1, 2), faulted: true };
        let before = vec![Some(standing(1)), Some(standing(7))].into();
        let after = count(&before, &vec![played(2, 'a'), played(7, 'b')].into()).unwrap();
        assert!(after[Seat(0)].rating.deviation > 120.0);
        assert!(after[Seat(1)].rating.deviation < 65.0);
        assert_eq!((after[Seat(0)].matches, after[Seat(0)].faults), (41, 3));
        assert_eq!(after[Seat(0)].last_version, 2);
    }

    fn any_log() -> impl Strategy<Value = Vec<PerSeat<SeatResult<u8, u8>>>> {
        let seat = |bots: std::ops::Range<u8>| (bots, 0_u8..3, any::<bool>());
        let played = (seat(0..6), seat(6..12), 0_i64..=100).prop_map(|(one, two, points)| {
            let seat = |(bot, version, faulted), points| SeatResult {
                bot,
                version,
                score: Fraction::new(points, 100),
                faulted,
            };
            vec![seat(one, points), seat(two, 100 - points)].into()
        });
        prop::collection::vec(played, 0..200)
    }

    proptest! {
        #[test]
        fn a_fold_step_by_step_is_the_fold_at_once_and_stays_in_bounds(log in any_log()) {
            let mut live: BTreeMap<u8, Standing<u8>> = BTreeMap::new();
            for played in &log {
                let before = played.map(|_, it| live.get(&it.bot).copied());
                let after = count(&before, played).unwrap();
                for (seat, standing) in after.iter() {
                    let Rating { rating, deviation, volatility } = standing.rating;
                    prop_assert!(rating.is_finite() && (0.0..=350.0).contains(&deviation));
                    prop_assert!(volatility > 0.0 && volatility < 1.0);
                    live.insert(played[seat].bot, *standing);
                }
            }
            prop_assert_eq!(recompute(log).unwrap(), live);
        }
    }
}
