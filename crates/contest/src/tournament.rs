//! Tournaments, as one function: [`unfold`] tells all that follows from a plan, those who entered
//! and what was played so far.
//!
//! Nothing is remembered between two calls but what [`Memo`] saves; so a result that is replaced,
//! or comes in another order, leads to what it would have led to from the start.

mod amount;
mod bracket;
mod change;
mod check;
mod dry;
mod explain;
mod field;
mod key;
mod league;
mod plan;
mod play;
mod standing;
mod swiss;
mod unfold;

pub use self::{
    amount::Amount,
    bracket::{Bracket, Knot, Part},
    change::{Difference, PlaceChange, difference, what_if},
    check::{Entering, PlanError},
    dry::{DryError, PAST_MAX, RoundSchedule, SLOTS_MAX, Schedule, Span, StageSchedule, dry_run},
    field::{Entrant, EntrantId, Field, Leaving, Left},
    key::{End, Match, MatchKey, Played, Progress},
    plan::{
        BEST_OF_MAX, Better, Bye, ENTRANTS_MAX, Elimination, Format, GAMES_MAX, GROUPS_MAX,
        MATCHES_MAX, Meeting, NAME_CHARS_MAX, PARAMETERS_MAX, POINTS_MAX, Parameter, Plan, Points,
        REDRAWS_MAX, ROUNDS_MAX, STAGES_MAX, Seats, Stage, TEXT_CHARS_MAX, TIE_BREAKS_MAX,
        TURNS_MAX, TieBreak,
    },
    standing::{Against, Broken, Row, TIED_NAMED_MAX, Table},
    unfold::{Memo, Placing, StageState, Status, Tournament, UnfoldError, unfold},
};

#[cfg(test)]
mod tests;
