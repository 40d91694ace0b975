//! What pages show: rows put together for reading, and nothing that changes any.

mod boards;
mod bots;
mod invitations;
mod live;
mod log;
mod matches;
mod overview;
mod rivals;
mod versions;
mod waiting;

pub use self::{
    boards::{BoardRow, FitHead, Fitted, Standing},
    bots::{BotPage, FailureRow, OwnBot, ReadyBot},
    invitations::{Invitation, InvitedSeat},
    live::LivePlies,
    log::{PublishedMatch, PublishedRating, PublishedSeat},
    matches::{Competitor, MatchFilter, MatchPage, MatchRow, MatchSeat},
    overview::GameCount,
    rivals::Rival,
    versions::{VersionPage, VersionRow},
    waiting::{Pace, Waiting},
};
