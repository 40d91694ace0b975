//! Labyrinth: a hedge architect against a treasure seeker.
//!
//! The whole game: the rules, what each seat may see, and the lines a bot
//! writes and reads. It knows no clock, no process and no file, holds no
//! floating point number, and draws nothing.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod board;
mod dialect;
mod message;
mod path;
mod points;
mod rules;
mod setup;
mod view;

pub use crate::{
    board::{Board, Cell, Direction, Reason},
    dialect::{
        LINE_BYTES_MAX, LOG_BYTES_MAX, Lines, REPLY_BYTES_A_CALL_MAX, TURN_BYTES_MAX, WARNINGS_MAX,
    },
    points::{architect_points, par, round_limit},
    rules::{
        ADVENTURER, ARCHITECT, Action, Ending, Event, LATE_IN_A_ROW_MAX, Labyrinth, PERSON_TURN_MS,
    },
    setup::{
        Mode, SIZE_DEFAULT, SIZE_MAX, SIZE_MIN, Setup, TOTAL_MS_DEFAULT, TOTAL_MS_MAX,
        TOTAL_MS_MIN, TURN_MS_DEFAULT, TURN_MS_MAX, TURN_MS_MIN,
    },
    view::{Decided, Ended, Fields, View},
};
