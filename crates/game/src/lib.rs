//! What a game is: pure rules, and the text each bot is spoken to in.
//!
//! This crate knows no clock, no process, no file and no other crate of ours.
//! It builds without `std`, so that the judge, a laptop and a browser can run
//! one and the same rules.

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod bounds;
mod fraction;
mod outcome;
mod seat;
mod talk;
mod tools;
mod turn;

use alloc::{string::String, vec::Vec};
use core::{fmt::Debug, time::Duration};

use serde::{Serialize, de::DeserializeOwned};

pub use crate::{
    bounds::Bounds,
    fraction::Fraction,
    outcome::{Better, Measure, Outcome},
    seat::{PerSeat, Seat, Sitter},
    talk::{Remark, RemarkKind, Talk},
    tools::{Field, FieldKind, Filled, Flaw, Place, RecordFormat, SetupFormat, Story, Value},
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
    /// What a person may fill in to get a set-up, on forms and command lines; see
    /// [`set_up`](Game::set_up).
    const FIELDS: &'static [Field];
    /// Keys of the set-up whose values a seat finds out during the match, if at all: nobody who
    /// plays is shown them.
    const SECRETS: &'static [&'static str] = &[];
    /// Files of others that hold set-ups.
    const SETUP_FORMATS: &'static [SetupFormat<Self::Setup>] = &[];
    /// Files of others that hold what was played.
    const RECORD_FORMATS: &'static [RecordFormat<Self>] = &[];

    /// All that is fixed before the first ply: course, mode, limits.
    type Setup: Clone + Debug + Serialize + DeserializeOwned + 'static;
    /// One answer by one player.
    type Action: Clone + Debug + PartialEq + Serialize + DeserializeOwned;
    /// Something that happened, told to bots and drawn by viewers.
    type Event: Clone + Debug + Serialize;
    /// All that one pair of eyes may know of the position.
    type View: Debug + Serialize;

    /// Makes a set-up of what was filled in: the same for the same values, so that chance comes
    /// in as a seed among them.
    ///
    /// Where nothing else is said, the fields are keys of the set-up.
    ///
    /// # Errors
    ///
    /// Where the values, each allowed, do not go together.
    fn set_up(filled: &Filled) -> Result<Self::Setup, Illegal> {
        filled.read()
    }

    /// Looks at what [`start`](Game::start) does not mind and whoever picks set-ups for others
    /// does: whether a match on this one makes a good match.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, and where.
    fn inspect(setup: &Self::Setup) -> Result<(), Flaw> {
        let _ = setup;
        Ok(())
    }

    /// The set-up as a picture of characters, where there is something to see.
    fn draw(setup: &Self::Setup) -> Option<String> {
        let _ = setup;
        None
    }

    /// Opens a match, or says what is wrong with `setup`.
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

    /// The seat whose eyes see nothing that any of `seats` may not see: by these, others watch
    /// while people play on `seats`, of which there are at least two.
    ///
    /// `None` where there is none; then others see the match when it is over. Games of open
    /// information name any seat.
    fn shared_eyes(seats: &[Seat]) -> Option<Seat> {
        let _ = seats;
        None
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

    /// Arguments that a bot's program is started with.
    fn arguments(setup: &G::Setup) -> Vec<String> {
        let _ = setup;
        Vec::new()
    }

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

    /// How many bytes of `input`, said between a turn that was late and the next question, pay off
    /// what is owed; the rest is said ahead. They come again, before all else, with the next
    /// [`read`](Dialect::read).
    ///
    /// Asked where [`AHEAD`](Dialect::AHEAD) is not to keep it. Where nothing else is said, all of
    /// it is owed.
    fn owes(&self, input: &[u8]) -> usize {
        input.len()
    }
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
