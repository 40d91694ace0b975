//! What a game is: pure rules, and the text each bot is spoken to in.
//!
//! This crate knows no clock, no process, no file and no other crate of ours.
//! It builds without `std`, so that the judge, a laptop and a browser can run
//! one and the same rules.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod fraction;
mod outcome;
mod seat;
mod talk;
mod turn;

use alloc::vec::Vec;
use core::{fmt::Debug, time::Duration};

use serde::{Serialize, de::DeserializeOwned};

pub use crate::{
    fraction::Fraction,
    outcome::{Better, Measure, Outcome},
    seat::{PerSeat, Seat, Sitter},
    talk::{Remark, RemarkKind, Talk},
    turn::{Answer, Ask, Clock, End, Fault, Illegal, Ply, Starts, Turn},
};

/// The position of one match, and the rules that move it on.
///
/// Everything is a function of [`Setup`](Game::Setup), of who sits where, and
/// of the plies played: a stored match is those three and nothing else, and
/// every viewer recomputes the rest. Time never enters. That an answer came
/// *too late* does, as a [`Fault`], because the rules say what that costs.
pub trait Game: Clone + Sized + 'static {
    /// Name in URLs, in the database and in stored matches: `[a-z][a-z0-9-]*`. Never changes.
    const ID: &'static str;
    /// Raised whenever the same plies could come to another end.
    const RULES: u32;
    /// The role of each seat, in order; a bot is entered for one. A game without
    /// roles names the same one for every seat (`player`).
    const ROLES: &'static [&'static str];
    /// What [`Outcome::measures`] holds, the first tie-break first.
    const MEASURES: &'static [Measure];
    /// The parts of a set-up that a person may fill in, for forms and command lines.
    const FIELDS: &'static [Field];

    /// All that is fixed before the first ply: course, mode, limits. Its keys are [`Field::name`]s.
    type Setup: Clone + Debug + Serialize + DeserializeOwned;
    /// One answer by one player.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// Something that happened, told to bots and drawn by viewers.
    type Event: Clone + Debug + Serialize;
    /// All that one pair of eyes may know of the position.
    type View: Debug + Serialize;

    /// Sets up a match, or says what is wrong with `setup`.
    ///
    /// `sitters` has one entry for each of [`ROLES`](Game::ROLES): rules may
    /// price a person's lateness otherwise than a bot's.
    ///
    /// # Errors
    ///
    /// [`Illegal`] names the field, what was found and what is allowed.
    fn start(
        setup: &Self::Setup,
        sitters: &PerSeat<Sitter>,
        events: &mut Vec<Self::Event>,
    ) -> Result<Self, Illegal>;

    /// Whom the match now waits for, or how it ended.
    fn turn(&self) -> Turn;

    /// Whether `seat` may answer `action` now.
    ///
    /// Asked for people only, who are told and may try again. A bot's action
    /// always reaches [`play`](Game::play), which judges it.
    ///
    /// # Errors
    ///
    /// Why not, in words for the person at the board.
    fn check(&self, seat: Seat, action: &Self::Action) -> Result<(), Illegal>;

    /// Plays one ply: an answer from each seat that [`turn`](Game::turn) asked.
    ///
    /// Total: any action and any fault is judged here, and never panics. An
    /// answer of a seat that was not asked is ignored; a missing one counts as
    /// [`Fault::Gone`].
    fn play(&mut self, ply: &Ply<Self::Action>, events: &mut Vec<Self::Event>);

    /// The position as `eye` sees it; `None` sees everything.
    fn view(&self, eye: Option<Seat>) -> Self::View;

    /// Whether `seat` learns of `event`. Games of open information keep this.
    fn hears(&self, seat: Seat, event: &Self::Event) -> bool {
        let _ = (seat, event);
        true
    }

    /// Counts up with every race or fight within the match.
    fn round(&self) -> u32;
}

/// One bot's end of the conversation: events and questions out, answers in.
///
/// Made afresh for each bot process, and knows bytes but neither clocks nor
/// pipes. People have one too, for the console of the board.
pub trait Dialect<G: Game>: Default + 'static {
    /// How long one bot process lives.
    const LIFETIME: Lifetime;
    /// What becomes of bytes that come before they are asked for.
    const AHEAD: Ahead;

    /// Writes what `event` means to the bot, if anything.
    fn tell(&mut self, me: Seat, event: &G::Event, out: &mut Vec<u8>);

    /// Writes the question. `left` is what remains of the clock it is asked on.
    fn ask(&mut self, me: Seat, view: &G::View, left: Duration, out: &mut Vec<u8>);

    /// Reads on in the answer to the question last asked.
    ///
    /// `input` starts with the first byte that no earlier call has taken. What
    /// is said meanwhile, and does not end the answer, goes into `talk`.
    fn read(&mut self, input: &[u8], talk: &mut Talk) -> Read<G::Action>;

    /// The turn was late and the process lives on: what it still owes must not
    /// answer the next question.
    fn missed(&mut self);
}

/// How long one bot process lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// Started anew whenever [`Game::round`] goes up.
    Round,
    /// Kept for the whole match.
    Match,
}

/// What becomes of bytes that come before they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// They wait, and the full pipe holds the bot back: no more is read than the turn needs.
    Keep,
    /// They are against the protocol: [`Fault::Garbled`].
    Fault,
    /// They are dropped, with a remark.
    Drop,
}

/// What [`Dialect::read`] made of the bytes so far. Counts are of bytes of `input` that are done with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Read<A> {
    /// No whole answer yet.
    More(usize),
    /// An answer.
    Action(A, usize),
    /// These bytes can never become an answer; why, in words for the bot's owner.
    Garbled(alloc::borrow::Cow<'static, str>),
}

/// One part of a set-up that a person may fill in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Field {
    /// Key in the set-up.
    pub name: &'static str,
    /// What a form calls it.
    pub label: &'static str,
    /// What it may hold.
    pub kind: FieldKind,
}

/// What a [`Field`] may hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum FieldKind {
    /// A whole number from `min` to `max`.
    Whole {
        /// Least value allowed.
        min: u32,
        /// Greatest value allowed.
        max: u32,
        /// Value of an untouched form.
        default: u32,
    },
    /// One of some words; the first is the default.
    Choice {
        /// `(value in the set-up, what a form calls it)`.
        options: &'static [(&'static str, &'static str)],
    },
}
