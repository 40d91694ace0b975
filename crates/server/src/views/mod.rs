//! What pages are made of beyond their own words: the frame around them, and
//! how states, times, sizes, ratings and results are shown, the same everywhere.

mod badge;
mod charts;
mod frame;
mod numbers;
mod result;
mod when;
mod words;

pub(crate) use self::{
    badge::{Badge, bot_badge, version_badge},
    charts::{RatingCurve, SplitBar, TurnTimes, Whisker, WhiskerScale},
    frame::{Frame, News},
    numbers::{Rated, Trend, about_s, bytes, chance, count, duration_ms, percent},
    result::{
        MatchLine, SeatLine, is_told, limit_words, match_line, seen_setup, setup_words, told_setup,
    },
    when::{When, when},
    words::{capital, fault_cause, fault_words, sentence},
};
