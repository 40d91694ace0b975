//! Laws every game keeps, as a test kit: a game crate calls [`check`] from its tests.
//!
//! It knows no game but the [`toys`], which have the shapes that real games
//! have and are small enough to be read at a glance.

#![forbid(unsafe_code)]

mod laws;
mod people;
mod simulation;
pub mod toys;

use game::{Dialect, Game, Seat};
use serde_json::Value as Json;

pub use crate::simulation::{Step, simulate, simulate_any};

/// What the laws need to know of a game.
pub struct Kit<G: Game> {
    /// Set-ups to try, small ones: every simulated match is played to its end.
    pub setups: Vec<G::Setup>,
    /// Words of its protocol, right and wrong, from which simulated bots babble.
    pub words: Vec<&'static [u8]>,
    /// Says what `eye` finds in `frame` and must not know: a [`ReplayFrame`]
    /// with the view, the events it heard, and what else it is told of the ply.
    ///
    /// [`ReplayFrame`]: referee::ReplayFrame
    pub leak: fn(game: &G, eye: Seat, frame: &Json) -> Option<String>,
}

/// Tries all laws, each on some hundred random matches.
///
/// # Panics
///
/// Where a law is broken; the message names the law and holds the smallest match that breaks it.
pub fn check<G, D>(kit: &Kit<G>)
where
    G: Game + Send,
    G::Setup: Send,
    G::Action: Send,
    D: Dialect<G> + Send,
{
    laws::names_and_fields_are_well_formed::<G>(kit);
    laws::filled_forms_make_set_ups::<G, D>();
    laws::what_cannot_be_started_is_flawed::<G, D>(kit);
    laws::files_of_others_lose_nothing::<G, D>(kit);
    laws::any_bytes_end_in_a_result_that_replays::<G, D>(kit);
    laws::chunks_do_not_matter::<G, D>(kit);
    laws::seats_do_not_see_what_is_hidden::<G, D>(kit);
    laws::live_and_replay_tell_the_same::<G, D>(kit);
    laws::what_seats_neither_see_nor_hear_they_are_not_told::<G, D>(kit);
    laws::play_takes_any_answer::<G, D>(kit);
    laws::damaged_records_are_refused::<G, D>(kit);
    people::watchers_see_no_more_than_all_who_play::<G, D>(kit);
    people::people_are_judged_alike_everywhere::<G, D>(kit);
    people::a_match_that_was_broken_off_goes_on::<G, D>(kit);
}
