//! Ratings of a game as they are published: the server writes this of what it has stored, and
//! `agon ratings` of what it has recomputed, so that the two can be compared as text.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::fit::Fit;

/// All ratings of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublishedRatings {
    /// Which game.
    pub game: String,
    /// Number of the last rated match in them; 0 where there is none.
    pub last_no: u64,
    /// A line for each bot that has played, by id.
    pub ratings: Vec<PublishedRating>,
    /// Strengths that explain all matches at once, where there is a fit.
    #[serde(default)]
    pub fit: Option<Fit>,
}

/// The live rating of a bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublishedRating {
    /// Which.
    pub bot: Uuid,
    /// What it is called.
    pub name: String,
    /// In which role.
    pub role: String,
    /// Glicko-2.
    pub rating: f64,
    /// One standard deviation of it.
    pub deviation: f64,
    /// How unsteady it is.
    pub volatility: f64,
    /// Rated matches it comes from.
    pub matches: u32,
    /// In how many of them it made a fault.
    pub faults: u32,
    /// The version that played the last of them.
    pub last_version: Uuid,
}
