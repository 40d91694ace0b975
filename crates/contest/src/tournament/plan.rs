//! What a tournament is to be: stages, each with who meets whom, what a match brings, and how many
//! go on.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Most stages of a plan.
pub const STAGES_MAX: usize = 8;
/// Most who enter.
pub const ENTRANTS_MAX: u32 = 2000;
/// Most rounds of a Swiss stage.
pub const ROUNDS_MAX: u32 = 40;
/// How often two meet at most where each meets each.
pub const TURNS_MAX: u32 = 10;
/// Most groups of a stage.
pub const GROUPS_MAX: u32 = 128;
/// Most matches of one meeting.
pub const GAMES_MAX: u32 = 16;
/// Longest series of a knock-out tie.
pub const BEST_OF_MAX: u32 = 15;
/// Most further tries where a tie is drawn.
pub const REDRAWS_MAX: u32 = 16;
/// Most matches of a stage, redraws left out.
pub const MATCHES_MAX: u64 = 250_000;
/// Most points that one match brings.
pub const POINTS_MAX: u32 = 10_000;
/// Most tie-breaks of a stage.
pub const TIE_BREAKS_MAX: usize = 8;
/// Longest name of a stage or a parameter.
pub const NAME_CHARS_MAX: usize = 60;
/// Most parameters of a stage.
pub const PARAMETERS_MAX: usize = 40;
/// Longest text in a parameter.
pub const TEXT_CHARS_MAX: usize = 200;

/// A tournament before anybody has entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// From the first to the last; 1 to [`STAGES_MAX`].
    pub stages: Vec<Stage>,
}

/// A part of a tournament after which a table is closed and some go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// What people call it, up to [`NAME_CHARS_MAX`] characters.
    pub name: String,
    /// Who meets whom.
    pub format: Format,
    /// What two do who meet.
    #[serde(default)]
    pub meeting: Meeting,
    /// What a match brings.
    #[serde(default)]
    pub points: Points,
    /// What tells apart who has equal points, the first first. Who is equal in all shares a place.
    #[serde(default)]
    pub tie_breaks: Vec<TieBreak>,
    /// How many of each table (each group, or each role) go on; none after the last stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub go_on: Option<u32>,
    /// The set-up of its matches, as the game understands it: fights of a match, size, pool.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub setup: BTreeMap<String, Parameter>,
}

/// Who meets whom in a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Format {
    /// Each meets each of its group.
    RoundRobin {
        /// How often: 1 single, 2 double, up to [`TURNS_MAX`]. Every other turn with seats swapped.
        #[serde(default = "one")]
        turns: u32,
        /// How many groups, filled as a snake by seeds; up to [`GROUPS_MAX`].
        #[serde(default = "one")]
        groups: u32,
    },
    /// Round by round, who has as many points meets; nobody twice.
    Swiss {
        /// How many, up to [`ROUNDS_MAX`].
        rounds: u32,
        /// What it brings to sit out where the number is odd.
        #[serde(default)]
        bye: Bye,
    },
    /// Who loses is out.
    Knockout {
        /// After the first loss, or the second.
        #[serde(default)]
        elimination: Elimination,
        /// The losers of the semi-finals play for the third place; single elimination only.
        #[serde(default)]
        third_place: bool,
        /// Meetings of a tie, odd, up to [`BEST_OF_MAX`]; it ends when one cannot be caught up with.
        #[serde(default = "one")]
        best_of: u32,
        /// Further meetings, each on another set-up, while the tie is drawn, up to
        /// [`REDRAWS_MAX`]; drawn still, the higher seed goes on.
        #[serde(default)]
        redraws: u32,
    },
    /// Each of one role meets each of the other: for entrants with one role each.
    Bipartite {
        /// How often, up to [`TURNS_MAX`].
        #[serde(default = "one")]
        turns: u32,
    },
}

/// What two do who meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Meeting {
    /// How many matches, 1 to [`GAMES_MAX`].
    #[serde(default = "one")]
    pub games: u32,
    /// Who sits where in the matches after the first.
    #[serde(default)]
    pub seats: Seats,
}

/// Who sits where in further matches of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seats {
    /// Seats, and so roles, are swapped from match to match, two of them on the same set-up.
    #[default]
    Swapped,
    /// As in the first.
    Kept,
}

/// What a match brings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Points {
    /// By how it ended; each up to [`POINTS_MAX`].
    Outcome {
        /// For a win.
        win: u32,
        /// For a draw.
        draw: u32,
        /// For a loss.
        loss: u32,
    },
    /// A measure of the game, as the points of 100 that the two share.
    Measure {
        /// The game's name for it.
        measure: String,
        /// How much there is to share: so much a walkover or a bye brings. Up to [`POINTS_MAX`].
        whole: u32,
    },
}

/// What sitting out brings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bye {
    /// As much as a win.
    #[default]
    Win,
    /// As much as a draw.
    Draw,
    /// Nothing.
    Nothing,
}

/// After how many losses one is out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Elimination {
    /// The first.
    #[default]
    Single,
    /// The second.
    Double,
}

/// What tells apart who has equal points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum TieBreak {
    /// Points of the matches between the tied.
    Met,
    /// A measure, own less the other's, in the matches between the tied.
    MetMargin {
        /// The game's name for it.
        measure: String,
    },
    /// A measure, own less the other's, in all matches.
    Margin {
        /// The game's name for it.
        measure: String,
    },
    /// A measure, summed over all matches.
    Measure {
        /// The game's name for it.
        measure: String,
        /// Which way is better.
        better: Better,
    },
    /// Matches won.
    Wins,
    /// Points of all opponents; a round without one counts as one against somebody equal.
    Buchholz,
    /// Points of those beaten, and half the points of those drawn with.
    SonnebornBerger,
    /// The higher seed.
    Seed,
    /// A lot, drawn by the tournament's seed.
    Lot,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// As with points.
    More,
    /// As with times.
    Less,
}

/// A value of a set-up, opaque here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Parameter {
    /// A number.
    Whole(i64),
    /// Yes or no.
    Flag(bool),
    /// A word.
    Text(String),
}

impl Default for Meeting {
    fn default() -> Meeting {
        Meeting { games: 1, seats: Seats::Swapped }
    }
}

impl Default for Points {
    fn default() -> Points {
        Points::Outcome { win: 2, draw: 1, loss: 0 }
    }
}

impl Points {
    /// What a win without a match brings.
    pub(super) fn walkover(&self) -> u32 {
        match self {
            Points::Outcome { win, .. } => *win,
            Points::Measure { whole, .. } => *whole,
        }
    }

    pub(super) fn loss(&self) -> u32 {
        match self {
            Points::Outcome { loss, .. } => *loss,
            Points::Measure { .. } => 0,
        }
    }
}

impl TieBreak {
    /// The measure it looks at.
    pub(super) fn measure(&self) -> Option<&str> {
        match self {
            TieBreak::MetMargin { measure }
            | TieBreak::Margin { measure }
            | TieBreak::Measure { measure, .. } => Some(measure),
            _ => None,
        }
    }

    /// It looks at matches between the tied alone.
    pub(super) fn is_among_tied(&self) -> bool {
        matches!(self, TieBreak::Met | TieBreak::MetMargin { .. })
    }
}

impl Stage {
    /// Every measure of the game that a result must have.
    pub(super) fn measures(&self) -> impl Iterator<Item = &str> {
        let points = match &self.points {
            Points::Measure { measure, .. } => Some(measure.as_str()),
            Points::Outcome { .. } => None,
        };
        points.into_iter().chain(self.tie_breaks.iter().filter_map(TieBreak::measure))
    }
}

fn one() -> u32 {
    1
}
