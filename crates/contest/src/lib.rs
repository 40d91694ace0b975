//! Ratings, statistics, pairings, tables and tournaments, as pure functions.
//!
//! This crate knows no database, no clock and no chance: what was played, how
//! late it is and a seed are arguments, and the same ones give the same answer
//! for ever. It knows no game either, but what [`game`] calls things.

#![forbid(unsafe_code)]

mod chance;
mod fit;
mod ledger;
mod log;
mod pairing;
mod published;
mod rating;
mod robin;
mod table;
#[cfg(test)]
mod testing;
pub mod tournament;
mod trial;

pub use crate::{
    fit::{
        Effect, Evidence, FIT_LEVELS_MAX, FIT_STRENGTHS_MAX, Fit, FitError, FitOptions, Strength,
        fit,
    },
    ledger::{Counted, Ledger, LedgerError},
    log::{LOG_LINE_BYTES_MAX, LogError, LogReader, LoggedMatch, LoggedSeat},
    pairing::{Candidate, Pace, Pairing, have_opponents, pair, validation_opponent},
    published::{PublishedRating, PublishedRatings},
    rating::{
        NEW_VERSION_DEVIATION, PLACED_DEVIATION_MAX, RateError, Rating, SEATS_RATED, SeatResult,
        Standing, count, rate, recompute,
    },
    robin::{every_one_with_every_other, round_robin},
    table::{Encounter, Row, Settled, Tie, standings},
    trial::{Bounds, BoundsError, PAIRS_MAX, PairError, PairOn, Progress, Trial, Verdict},
};
