//! What pages show: rows put together for reading, and nothing that changes any.

mod boards;
mod bots;
mod invitations;
mod live;
mod matches;
mod overview;
mod versions;
mod waiting;

pub use self::{
    boards::{BoardRow, Standing},
    bots::{BotPage, FailureRow, OwnBot, ReadyBot},
    invitations::{Invitation, InvitedSeat},
    live::LivePlies,
    matches::{Competitor, MatchFilter, MatchPage, MatchRow, MatchSeat},
    overview::GameCount,
    versions::{VersionPage, VersionRow},
    waiting::{Pace, Waiting},
};
