//! What pages show: rows put together for reading, and nothing that changes any.

mod boards;
mod bots;
mod matches;
mod overview;
mod versions;

pub use self::{
    boards::{BoardRow, Standing},
    bots::{BotPage, FailureRow, OwnBot, ReadyBot},
    matches::{Competitor, MatchFilter, MatchPage, MatchRow, MatchSeat},
    overview::GameCount,
    versions::{VersionPage, VersionRow},
};
