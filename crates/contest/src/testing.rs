//! Matches that never were, for the tests of this crate.

use std::collections::BTreeMap;

use game::Fraction;
use uuid::Uuid;

use crate::log::{LoggedMatch, LoggedSeat};

/// Number `no` of a log: these bots, and the score of the first as numerator and denominator.
/// Each bot has one version, whose id is the bot's and 1000 more.
pub(crate) fn logged(no: u64, bots: [u128; 2], score: [i64; 2]) -> LoggedMatch {
    let [num, den] = score;
    let roles = ["architect", "adventurer"];
    let seat = |it: usize, score| LoggedSeat {
        bot: Uuid::from_u128(bots[it]),
        name: format!("bot {}", bots[it]),
        version: Uuid::from_u128(bots[it] + 1000),
        number: 1,
        role: roles[it].to_owned(),
        score,
        faulted: false,
    };
    LoggedMatch {
        match_id: Uuid::from_u128(u128::from(no)),
        no,
        game: "labyrinth".to_owned(),
        finished_at: "2026-11-30T12:00:00Z".to_owned(),
        preset: None,
        covariates: BTreeMap::new(),
        play: None,
        seats: vec![seat(0, Fraction::new(num, den)), seat(1, Fraction::new(den - num, den))]
            .into(),
    }
}
