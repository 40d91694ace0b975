//! The live ratings of a log, match after match, as the server counts them.

use std::collections::{BTreeMap, HashSet};

use uuid::Uuid;

use crate::{
    log::LoggedMatch,
    published::PublishedRating,
    rating::{RateError, Rating, SeatResult, Standing, count},
};

/// Standings of one game that grow with its log.
///
/// A match that went the same way to the last ply as an earlier one, with the same versions on the
/// same seats, counts once: bots without chance in them would only say again what is known.
/// Its memory grows by some 60 bytes a match.
#[derive(Debug, Default)]
pub struct Ledger {
    standings: BTreeMap<Uuid, Standing<Uuid>>,
    seen: HashSet<(String, Vec<Uuid>)>,
    /// What bots are called, and which role they have.
    names: BTreeMap<Uuid, (String, String)>,
    last_no: u64,
}

/// What a match of a log came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// It moved the ratings of those who played.
    Rated,
    /// It went as an earlier one had, and moved nothing.
    Repeat,
}

/// Why a match of a log cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("match {match_id} cannot be rated: {source}")]
pub struct LedgerError {
    /// Which.
    pub match_id: Uuid,
    /// Why not.
    pub source: RateError,
}

impl Ledger {
    /// Counts the next match of the log.
    ///
    /// # Errors
    ///
    /// Where it has not two seats, or its scores do not add up to 1; then nothing has changed.
    pub fn count(&mut self, logged: &LoggedMatch) -> Result<Counted, LedgerError> {
        let before = logged.seats.map(|_, it| self.standings.get(&it.bot).copied());
        let played = logged.seats.map(|_, it| SeatResult {
            bot: it.bot,
            version: it.version,
            score: it.score,
            faulted: it.faulted,
        });
        let after = count(&before, &played)
            .map_err(|source| LedgerError { match_id: logged.match_id, source })?;
        self.last_no = logged.no;
        if let Some(play) = &logged.play {
            let versions = logged.seats.iter().map(|it| it.1.version).collect();
            if !self.seen.insert((play.clone(), versions)) {
                return Ok(Counted::Repeat);
            }
        }
        for (seat, &standing) in after.iter() {
            let it = &logged.seats[seat];
            self.standings.insert(it.bot, standing);
            self.names.insert(it.bot, (it.name.clone(), it.role.clone()));
        }
        Ok(Counted::Rated)
    }

    /// Where each bot stands now.
    pub fn standings(&self) -> &BTreeMap<Uuid, Standing<Uuid>> {
        &self.standings
    }

    /// The number of the last match counted; 0 before the first.
    pub fn last_no(&self) -> u64 {
        self.last_no
    }

    /// Where each bot stands now, as it is published.
    pub fn published(&self) -> Vec<PublishedRating> {
        let line = |(&bot, it): (&Uuid, &Standing<Uuid>)| {
            let (name, role) = self.names.get(&bot).cloned().unwrap_or_default();
            let Rating { rating, deviation, volatility } = it.rating;
            let Standing { matches, faults, last_version, .. } = *it;
            PublishedRating {
                bot,
                name,
                role,
                rating,
                deviation,
                volatility,
                matches,
                faults,
                last_version,
            }
        };
        self.standings.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use game::Fraction;

    use super::*;
    use crate::{rating::recompute, testing::logged};

    #[test]
    fn a_ledger_is_the_fold_over_its_log() {
        let mut ledger = Ledger::default();
        let log: Vec<_> = (1..200_u64)
            .map(|no| {
                logged(no, [u128::from(no % 5), 10 + u128::from(no % 7)], [no as i64 % 101, 100])
            })
            .collect();
        for it in &log {
            assert_eq!(ledger.count(it), Ok(Counted::Rated));
        }
        let results = log.iter().map(|it| {
            it.seats.map(|_, it| SeatResult {
                bot: it.bot,
                version: it.version,
                score: it.score,
                faulted: it.faulted,
            })
        });
        assert_eq!(*ledger.standings(), recompute(results).unwrap());
        assert_eq!(ledger.last_no(), 199);
        let published = ledger.published();
        assert_eq!((published.len(), published[0].name.as_str()), (12, "bot 0"));
        assert_eq!(
            (published[0].role.as_str(), published[11].role.as_str()),
            ("architect", "adventurer")
        );
    }

    #[test]
    fn the_same_game_of_the_same_versions_on_the_same_seats_counts_once() {
        let play = |no, bots, play: &str| LoggedMatch {
            play: Some(play.to_owned()),
            ..logged(no, bots, [3, 4])
        };
        let mut newer = play(5, [1, 2], "a");
        newer.seats[game::Seat(1)].version = Uuid::from_u128(77);
        let table = [
            (play(1, [1, 2], "a"), Counted::Rated),
            (play(2, [1, 2], "a"), Counted::Repeat),
            (play(3, [1, 2], "b"), Counted::Rated),
            (play(4, [2, 1], "a"), Counted::Rated),
            (newer, Counted::Rated),
            (play(6, [1, 2], "b"), Counted::Repeat),
            // Nobody knows how these went.
            (logged(7, [1, 2], [3, 4]), Counted::Rated),
            (logged(8, [1, 2], [3, 4]), Counted::Rated),
        ];
        let mut ledger = Ledger::default();
        for (it, expected) in &table {
            assert_eq!(ledger.count(it), Ok(*expected), "{}", it.no);
        }
        assert_eq!(ledger.standings()[&Uuid::from_u128(1)].matches, 6);
    }

    #[test]
    fn a_match_that_cannot_be_rated_changes_nothing() {
        let mut wrong = logged(1, [1, 2], [1, 2]);
        wrong.seats[game::Seat(0)].score = Fraction::ONE;
        let mut ledger = Ledger::default();
        let why = ledger.count(&wrong).unwrap_err();
        assert!(matches!(why.source, RateError::Scores { .. }), "{why}");
        assert!(ledger.standings().is_empty());
    }
}
