//! One match of a tournament: what it is called for ever, who sits in it, and how it ended.

use std::{collections::BTreeMap, fmt};

use game::Fraction;
use serde::{Deserialize, Serialize};

use super::EntrantId;

/// Which match: the same place in the plan has the same key, whoever comes to sit there. All parts
/// count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchKey {
    /// Of the plan.
    pub stage: u16,
    /// Of the stage.
    pub round: u16,
    /// Of the round.
    pub pairing: u32,
    /// Of the pairing: matches of its meetings, one after the other.
    pub game: u16,
    /// 0 in the regular meetings; the how-manieth further try where they came out even.
    pub redraw: u16,
}

/// A match that is to be played, or was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Match {
    /// Which.
    pub key: MatchKey,
    /// The group of its stage, from 0.
    pub group: u16,
    /// Who sits where.
    pub seats: [EntrantId; 2],
    /// Which set-up of the stage, from 0: matches with the same number are played on the same one,
    /// and no tie is played twice on one.
    pub setup_no: u32,
    /// How far it is.
    pub progress: Progress,
}

/// How far a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// To be played now.
    Due,
    /// It was played.
    Played,
    /// It was given up, or somebody left: nothing is to be played.
    Forfeit,
}

/// What became of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Played {
    /// Who sat where. Where others sit by now, the result counts for nothing.
    pub seats: [EntrantId; 2],
    /// How it ended.
    pub end: End,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum End {
    /// By the game's rules.
    Result {
        /// Place of each seat, from 1; the same for both is a draw.
        places: [u8; 2],
        /// What the game counts, by its names.
        measures: BTreeMap<String, [Fraction; 2]>,
    },
    /// By decision: who is marked has lost, the other has won; both can have lost.
    Forfeit {
        /// For each seat.
        lost: [bool; 2],
    },
    /// It counts for nothing and is to be played again.
    Void,
}

impl fmt::Display for MatchKey {
    /// As people count: `stage 1, round 3, pairing 12, match 1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MatchKey { stage, round, pairing, game, redraw } = *self;
        let [stage, round, game] = [stage, round, game].map(|it| u32::from(it) + 1);
        write!(
            f,
            "stage {stage}, round {round}, pairing {}, match {game}",
            u64::from(pairing) + 1
        )?;
        match redraw {
            0 => Ok(()),
            _ => write!(f, ", redraw {redraw}"),
        }
    }
}
