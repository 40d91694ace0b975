//! Planes: two players, each with two planes, shoot at each other in a walled cube.
//!
//! The whole game: the rules in both sets, and what a bot is told and says. It
//! knows no clock, no process and no file, holds no floating point number, and
//! draws nothing.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod action;
mod arena;
mod dialect;
mod direction;
mod event;
mod fight;
mod rules;
mod setup;
mod view;

pub use crate::{
    action::{Action, LETTERS_MAX, Letters, Move},
    arena::{Cell, Plane},
    dialect::{FLOOD_BYTES_MAX, LINE_BYTES_MAX, Radio},
    direction::Direction,
    event::{Cause, Event, How, Name},
    fight::{Death, Fight, Flight, Round, Shot, Switches},
    rules::{LATE_TURNS_MAX, PERSON_ROUND_MS, Planes},
    setup::{
        FIGHTS_DEFAULT, FIGHTS_MAX, ROUNDS_DEFAULT, ROUNDS_MAX, RuleSet, SIZE_DEFAULT, SIZE_MAX,
        SIZE_MIN, Setup, Sides, TOTAL_MS_DEFAULT, TOTAL_MS_MAX, TOTAL_MS_MIN, TURN_MS_DEFAULT,
        TURN_MS_MAX, TURN_MS_MIN,
    },
    view::{Ended, Sight, View},
};
