//! Ratings, as a fold over the log of rated matches: live, and all over again.

use std::collections::{BTreeMap, BTreeSet};

use contest::{RateError, SeatResult, Standing};
use game::PerSeat;
use store::{LoggedMatch, Rating, Store};
use uuid::Uuid;

/// Matches read at once.
const BATCH: i64 = 1000;

/// A rating that is not what the log says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingDifference {
    /// Whose.
    pub bot: Uuid,
    /// As it is stored.
    pub stored: Option<Rating>,
    /// As it follows from the log.
    pub recomputed: Option<Rating>,
}

/// Why ratings cannot be recomputed.
#[derive(Debug, thiserror::Error)]
pub enum RecomputeError {
    /// A match in the log cannot be rated.
    #[error("match {match_id} cannot be rated")]
    Match {
        /// Which.
        match_id: Uuid,
        /// Why not.
        source: RateError,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// Ratings after one more match. Live results and recomputation both come through here.
pub(super) fn count(
    before: &PerSeat<Option<Rating>>,
    played: &PerSeat<SeatResult<Uuid, Option<Uuid>>>,
) -> Result<PerSeat<Rating>, RateError> {
    let before = before.map(|_, it| {
        it.map(|it| Standing {
            rating: contest::Rating {
                rating: it.rating,
                deviation: it.deviation,
                volatility: it.volatility,
            },
            matches: it.matches,
            faults: it.faults,
            last_version: it.last_version,
        })
    });
    let after = contest::count(&before, played)?;
    Ok(after.map(|_, it| Rating {
        rating: it.rating.rating,
        deviation: it.rating.deviation,
        volatility: it.rating.volatility,
        matches: it.matches,
        faults: it.faults,
        last_version: it.last_version,
    }))
}

/// All ratings of a game as they follow from its log, and the last match that
/// is in them.
///
/// # Errors
///
/// Where the database fails or a match in the log cannot be rated.
pub async fn recompute_ratings(
    store: &Store,
    game: &str,
) -> Result<BTreeMap<Uuid, Rating>, RecomputeError> {
    let mut fold = Fold::default();
    fold.read_on(store, game).await?;
    Ok(fold.ratings)
}

/// Compares all ratings of a game with what follows from its log, bit for bit.
/// Matches may be counted meanwhile.
///
/// # Errors
///
/// As [`recompute_ratings`].
pub async fn check_ratings(
    store: &Store,
    game: &str,
) -> Result<Vec<RatingDifference>, RecomputeError> {
    let mut fold = Fold::default();
    loop {
        fold.read_on(store, game).await?;
        let stored = store.ratings(game).await?;
        // Nothing was counted between the last look at the log and now.
        if !store.rated_log(game, fold.after, 1).await?.is_empty() {
            continue;
        }
        let bots: BTreeSet<_> = stored.keys().chain(fold.ratings.keys()).copied().collect();
        let differences = bots.into_iter().map(|bot| RatingDifference {
            bot,
            stored: stored.get(&bot).copied(),
            recomputed: fold.ratings.get(&bot).copied(),
        });
        return Ok(differences.filter(|it| it.stored != it.recomputed).collect());
    }
}

#[derive(Default)]
struct Fold {
    ratings: BTreeMap<Uuid, Rating>,
    after: i64,
}

impl Fold {
    async fn read_on(&mut self, store: &Store, game: &str) -> Result<(), RecomputeError> {
        loop {
            let log = store.rated_log(game, self.after, BATCH).await?;
            if log.is_empty() {
                return Ok(());
            }
            for played in log {
                self.count(&played).map_err(|source| RecomputeError::Match {
                    match_id: played.match_id,
                    source,
                })?;
            }
        }
    }

    fn count(&mut self, played: &LoggedMatch) -> Result<(), RateError> {
        let before = played.seats.map(|_, it| self.ratings.get(&it.bot).copied());
        let results = played.seats.map(|_, it| SeatResult {
            bot: it.bot,
            version: Some(it.version),
            score: it.score,
            faulted: it.faulted,
        });
        for (seat, &rating) in count(&before, &results)?.iter() {
            self.ratings.insert(played.seats[seat].bot, rating);
        }
        self.after = played.finish_no;
        Ok(())
    }
}
