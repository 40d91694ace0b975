//! Ratings, pairings, tables and tournaments, as pure functions.
//!
//! This crate knows no database, no clock and no chance: what was played, how
//! late it is and a seed are arguments, and the same ones give the same answer
//! for ever. It knows no game either, but what [`game`] calls things.

#![forbid(unsafe_code)]

mod chance;
mod pairing;
mod rating;
mod robin;
mod table;
pub mod tournament;

pub use crate::{
    pairing::{Candidate, Pace, Pairing, pair, validation_opponent},
    rating::{
        NEW_VERSION_DEVIATION, PLACED_DEVIATION_MAX, RateError, Rating, SEATS_RATED, SeatResult,
        Standing, count, rate, recompute,
    },
    robin::{every_one_with_every_other, round_robin},
    table::{Encounter, Row, Settled, Tie, standings},
};
