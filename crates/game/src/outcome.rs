//! How a match ended.

use alloc::{borrow::Cow, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::{Fraction, PerSeat};

/// The end of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Place of each seat, from 1; seats that share one drew.
    pub places: PerSeat<u8>,
    /// What ratings count: a part of 1 for each seat, from 0 to 1.
    pub score: PerSeat<Fraction>,
    /// Exact values of the game's [`MEASURES`](crate::Game::MEASURES), in their order.
    pub measures: Vec<PerSeat<Fraction>>,
    /// How it came about, in a few words: `the adventurer reached the treasure in round 35`.
    pub why: Cow<'static, str>,
}

/// Something counted for each seat, by which ties are broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Measure {
    /// Key in APIs: `points`.
    pub name: &'static str,
    /// What a table calls it, unit included.
    pub label: &'static str,
    /// Which way is better.
    pub better: Better,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Points.
    More,
    /// Times.
    Less,
}
