//! Jockey: two racers on one course, with momentum and little to see.
//!
//! The whole game: the rules, what a bot writes and reads, courses and their
//! files, and the official log of a race. It knows no clock, no process and no
//! file system, holds no floating point number, and draws nothing.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod check;
mod course;
mod dialect;
mod event;
mod generate;
mod geometry;
mod log;
mod official;
mod race;
mod rules;
mod setup;
mod view;

pub use crate::{
    check::{Offence, inspect, step_limit_of, think_ms_of, vision_needed},
    course::{Course, Ground},
    dialect::{ANSWER_BYTES_MAX, Numbers},
    event::{Action, Cause, Event},
    generate::{Order, generate},
    geometry::{Line, Vector},
    log::{LOG_BYTES_MAX, OFFICIAL_LOG},
    official::{COURSE_BYTES_MAX, OFFICIAL_COURSE},
    race::{Answered, Barred, How, Move, Player, Race, Standing},
    rules::{Jockey, MISSED_IN_A_ROW_MAX, PERSON_STEP_MS, RACES, disqualified_time},
    setup::{LENGTH_MAX, STEP_LIMIT_MAX, Setup, THINK_MS_MAX, VISION_MAX, WIDTH_MAX, WIDTH_MIN},
    view::{Ended, Rows, Runner, View},
};
