//! Games behind one object-safe face, with JSON for what differs.

use std::{marker::PhantomData, time::Duration};

use game::{
    Ahead, Dialect, Field, Game, Illegal, Measure, Outcome, PerSeat, Remark, Seat, Sitter, Turn,
};
use serde::Serialize;
use serde_json::{Value as Json, value::RawValue};

use crate::{
    AnyTools, Effect, Input, Now, Record, Referee, ReplayError, Spent, Verdict, judge,
    position::{AnyPosition, Eyes, Position, frame_of, in_ms, own},
    record::open,
};

/// A game whose types are not known here.
pub trait AnyGame: AnyTools + Send + Sync {
    /// [`Game::ID`].
    fn id(&self) -> &'static str;
    /// [`Game::RULES`].
    fn rules(&self) -> u32;
    /// [`Game::ROLES`].
    fn roles(&self) -> &'static [&'static str];
    /// [`Game::MEASURES`].
    fn measures(&self) -> &'static [Measure];
    /// [`Game::FIELDS`].
    fn fields(&self) -> &'static [Field];
    /// The set-up in full, as it is stored: what was left out has its default.
    ///
    /// # Errors
    ///
    /// What is wrong with it, for whoever made it.
    fn check_setup(&self, setup: &Json, sitters: &PerSeat<Sitter>) -> Result<Json, Illegal>;
    /// Opens a match.
    ///
    /// # Errors
    ///
    /// As [`check_setup`](AnyGame::check_setup).
    fn referee(
        &self,
        setup: &Json,
        sitters: PerSeat<Sitter>,
    ) -> Result<Box<dyn AnyReferee>, Illegal>;
    /// Opens a match that was broken off after `frames`, each a [`Frame`] as JSON; see
    /// [`Referee::resume`].
    ///
    /// # Errors
    ///
    /// Where they are no plies of a match of this set-up.
    fn resume(
        &self,
        setup: &Json,
        sitters: PerSeat<Sitter>,
        frames: &[Json],
    ) -> Result<Box<dyn AnyReferee>, ReplayError>;
    /// By whose eyes others may watch while people play on these seats; `None`: by nobody's.
    fn eyes_of_watchers(&self, people: &[Seat]) -> Option<Eyes>;
    /// The first position of a match, to be moved on frame by frame: for live viewers.
    ///
    /// # Errors
    ///
    /// Where the set-up is not the game's.
    fn position(
        &self,
        setup: &Json,
        sitters: &PerSeat<Sitter>,
    ) -> Result<Box<dyn AnyPosition>, ReplayError>;
    /// A stored match as `eye` sees it: its set-up, a frame for each position, and the end.
    ///
    /// The end is everybody's to know, and the set-up as [`AnyTools::shown_setup`] says; of the
    /// plies an eye learns as [`ReplayFrame`] says.
    ///
    /// # Errors
    ///
    /// Where the JSON is no record of this game and these rules.
    fn replay(&self, record: &[u8], eye: Option<Seat>) -> Result<Replay, ReplayError>;
    /// What the rules make of a stored match, with nothing made for viewers; see [`judge`].
    ///
    /// # Errors
    ///
    /// Where the JSON is no record of this game and these rules, or `goes_on` says no.
    fn judge(
        &self,
        record: &[u8],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Judged, ReplayError>;
}

/// What the rules make of a stored match, and which match that is.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// As it was stored.
    pub setup: Json,
    /// Who sat where.
    pub sitters: PerSeat<Sitter>,
    /// All that follows.
    pub verdict: Verdict,
}

/// A stored match, made for viewers.
#[derive(Debug)]
pub struct Replay {
    /// As it was stored, less what the eye may not see.
    pub setup: Json,
    /// The first is before any ply.
    pub frames: Vec<ReplayFrame>,
    /// None where the record stops before the end.
    pub outcome: Option<Outcome>,
}

/// One position, and how it came about, as some eye sees it.
///
/// Eyes of a seat find the seat's own answer, its cost and its remarks here.
/// What the others did they know from `view` and `events`, or not at all: rules
/// that hide an action would be of no use if the ply told it.
#[derive(Debug, Serialize)]
pub struct ReplayFrame {
    /// [`Game::view`].
    pub view: Box<RawValue>,
    /// What happened, as far as the eye hears it.
    pub events: Vec<Box<RawValue>>,
    /// The answers; none before the first ply.
    pub ply: Option<Box<RawValue>>,
    /// What each of them cost.
    pub spent: Option<PerSeat<Option<SpentMs>>>,
    /// What bots said meanwhile.
    pub remarks: Vec<Remark>,
}

/// [`Spent`], for people: milliseconds.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SpentMs {
    charged_ms: f64,
    wall_ms: f64,
    cpu_ms: f64,
    stall_ms: f64,
}

/// A match whose types are not known here.
pub trait AnyReferee: Send {
    /// [`Referee::handle`].
    ///
    /// # Errors
    ///
    /// Where a person's action is not of the game's shape; nothing has happened then.
    fn handle(&mut self, now: Now, input: Input<Json>) -> Result<(), Illegal>;
    /// [`Referee::poll`].
    fn poll(&mut self) -> Option<Effect>;
    /// [`Referee::poll_timeout`].
    fn poll_timeout(&self) -> Option<Now>;
    /// [`Referee::left`].
    fn left(&self, seat: Seat) -> Option<Duration>;
    /// [`Referee::arguments`].
    fn arguments(&self) -> Vec<String>;
    /// Whether a resting bot's pipe is drained: not where what comes ahead is kept.
    fn drains(&self) -> bool;
    /// The position as `eye` sees it.
    fn view(&self, eye: Option<Seat>) -> Json;
    /// How the match ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
    /// Plies played.
    fn n_plies(&self) -> u32;
    /// The faults, costs and remarks of one ply: [`Frame`] as JSON.
    fn frame(&self, ply_no: u32) -> Option<Box<RawValue>>;
    /// The faults of one ply, by seat.
    fn faults(&self, ply_no: u32) -> Vec<(Seat, game::Fault)>;
    /// What the answers of one ply cost, by seat.
    fn spent(&self, ply_no: u32) -> Vec<(Seat, Spent)>;
    /// All remarks.
    fn remarks(&self) -> &[Remark];
    /// The [`Record`] as JSON.
    fn record(&self) -> Vec<u8>;
}

/// Puts a [`Game`] and its [`Dialect`] behind [`AnyGame`].
pub struct Entry<G, D>(PhantomData<fn() -> (G, D)>);

impl<G, D> Entry<G, D> {
    /// The only one there is.
    pub const NEW: Entry<G, D> = Entry(PhantomData);
}

impl<G, D> AnyGame for Entry<G, D>
where
    G: Game + Send,
    G::Setup: Send,
    G::Action: Send,
    D: Dialect<G> + Send,
{
    fn id(&self) -> &'static str {
        G::ID
    }
    fn rules(&self) -> u32 {
        G::RULES
    }
    fn roles(&self) -> &'static [&'static str] {
        G::ROLES
    }
    fn measures(&self) -> &'static [Measure] {
        G::MEASURES
    }
    fn fields(&self) -> &'static [Field] {
        G::FIELDS
    }
    fn check_setup(&self, setup: &Json, sitters: &PerSeat<Sitter>) -> Result<Json, Illegal> {
        let setup = setup_of::<G>(setup)?;
        Referee::<G, D>::new(&setup, sitters.clone())?;
        serde_json::to_value(&setup).map_err(refuse)
    }
    fn referee(
        &self,
        setup: &Json,
        sitters: PerSeat<Sitter>,
    ) -> Result<Box<dyn AnyReferee>, Illegal> {
        Ok(Box::new(Referee::<G, D>::new(&setup_of::<G>(setup)?, sitters)?))
    }
    fn resume(
        &self,
        setup: &Json,
        sitters: PerSeat<Sitter>,
        frames: &[Json],
    ) -> Result<Box<dyn AnyReferee>, ReplayError> {
        let setup = setup_of::<G>(setup).map_err(ReplayError::Setup)?;
        let read = |it: &Json| serde::Deserialize::deserialize(it).map_err(unreadable);
        let frames = frames.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Box::new(Referee::<G, D>::resume(&setup, sitters, frames)?))
    }
    fn eyes_of_watchers(&self, people: &[Seat]) -> Option<Eyes> {
        match people {
            [] => Some(Eyes::All),
            [one] => Some(Eyes::Of(*one)),
            several => {
                let view = G::shared_eyes(several)?;
                Some(Eyes::Between { view, people: several.to_vec() })
            }
        }
    }
    fn position(
        &self,
        setup: &Json,
        sitters: &PerSeat<Sitter>,
    ) -> Result<Box<dyn AnyPosition>, ReplayError> {
        let setup = setup_of::<G>(setup).map_err(ReplayError::Setup)?;
        let game = open::<G>(&setup, sitters, &mut Vec::new())?;
        Ok(Box::new(Position::<G, D>::new(game, sitters)))
    }
    fn replay(&self, record: &[u8], eye: Option<Seat>) -> Result<Replay, ReplayError> {
        let record: Record<G> = serde_json::from_slice(record).map_err(unreadable)?;
        let setup = serde_json::to_value(&record.setup).map_err(unreadable)?;
        let setup = self.shown_setup(&setup, eye);
        let eyes = Eyes::from(eye);
        let mut remarks = record.remarks.iter().peekable();
        let mut frames = Vec::with_capacity(record.plies.len() + 1);
        let mut outcome = None;
        for (ply_no, position) in crate::replay(&record)?.enumerate() {
            let (game, events) = position?;
            let mut frame = frame_of(&game, &eyes, &events)?;
            if let Some(ply_no) = ply_no.checked_sub(1) {
                frame.ply = Some(raw(&own(&record.plies[ply_no], &eyes))?);
                frame.spent = record.spent.get(ply_no).map(|it| in_ms(it, &eyes));
                while let Some(it) = remarks.next_if(|it| it.ply as usize <= ply_no) {
                    frame.remarks.extend(eyes.know(it.seat).then(|| it.clone()));
                }
            }
            frames.push(frame);
            outcome = outcome_of(&game);
        }
        if let Some(last) = frames.last_mut() {
            last.remarks.extend(remarks.filter(|it| eyes.know(it.seat)).cloned());
        }
        Ok(Replay { setup, frames, outcome })
    }
    fn judge(
        &self,
        record: &[u8],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<Judged, ReplayError> {
        let record: Record<G> = serde_json::from_slice(record).map_err(unreadable)?;
        let setup = serde_json::to_value(&record.setup).map_err(unreadable)?;
        let verdict = judge(&record, goes_on)?;
        Ok(Judged { setup, sitters: record.sitters, verdict })
    }
}

impl<G, D> AnyReferee for Referee<G, D>
where
    G: Game + Send,
    G::Setup: Send,
    G::Action: Send,
    D: Dialect<G> + Send,
{
    fn handle(&mut self, now: Now, input: Input<Json>) -> Result<(), Illegal> {
        let input = match input {
            Input::Written { seat, n_bytes } => Input::Written { seat, n_bytes },
            Input::Output { seat, bytes, spent } => Input::Output { seat, bytes, spent },
            Input::Rested { seat, bytes } => Input::Rested { seat, bytes },
            Input::Ended { seat, end, spent } => Input::Ended { seat, end, spent },
            Input::Waited { seat, spent } => Input::Waited { seat, spent },
            Input::Act { seat, action, log } => {
                Input::Act { seat, action: serde_json::from_value(action).map_err(refuse)?, log }
            }
            Input::Tick => Input::Tick,
        };
        Referee::handle(self, now, input);
        Ok(())
    }
    fn poll(&mut self) -> Option<Effect> {
        Referee::poll(self)
    }
    fn poll_timeout(&self) -> Option<Now> {
        Referee::poll_timeout(self)
    }
    fn left(&self, seat: Seat) -> Option<Duration> {
        Referee::left(self, seat)
    }
    fn arguments(&self) -> Vec<String> {
        Referee::arguments(self)
    }
    fn drains(&self) -> bool {
        D::AHEAD != Ahead::Keep
    }
    fn view(&self, eye: Option<Seat>) -> Json {
        serde_json::to_value(self.game().view(eye)).unwrap_or(Json::Null)
    }
    fn outcome(&self) -> Option<Outcome> {
        outcome_of(self.game())
    }
    fn n_plies(&self) -> u32 {
        Referee::record(self).plies.len() as u32
    }
    fn frame(&self, ply_no: u32) -> Option<Box<RawValue>> {
        raw(&Referee::frame(self, ply_no)?).ok()
    }
    fn faults(&self, ply_no: u32) -> Vec<(Seat, game::Fault)> {
        let Some(ply) = Referee::record(self).plies.get(ply_no as usize) else { return vec![] };
        let fault = |(seat, it): (Seat, &Option<_>)| match it {
            Some(game::Answer::Fault(fault)) => Some((seat, game::Fault::clone(fault))),
            Some(game::Answer::Action(_)) | None => None,
        };
        ply.iter().filter_map(fault).collect()
    }
    fn spent(&self, ply_no: u32) -> Vec<(Seat, Spent)> {
        let Some(spent) = Referee::record(self).spent.get(ply_no as usize) else { return vec![] };
        spent.iter().filter_map(|(seat, it)| Some((seat, (*it)?))).collect()
    }
    fn remarks(&self) -> &[Remark] {
        &Referee::record(self).remarks
    }
    fn record(&self) -> Vec<u8> {
        // Its parts were all written once already, to be counted.
        serde_json::to_vec(Referee::record(self)).expect("a record is plain data")
    }
}

impl From<Spent> for SpentMs {
    fn from(it: Spent) -> SpentMs {
        let ms = |it: std::time::Duration| it.as_micros() as f64 / 1000.0;
        let Spent { charged, wall, cpu, stall } = it;
        SpentMs { charged_ms: ms(charged), wall_ms: ms(wall), cpu_ms: ms(cpu), stall_ms: ms(stall) }
    }
}

pub(crate) fn setup_of<G: Game>(setup: &Json) -> Result<G::Setup, Illegal> {
    serde::Deserialize::deserialize(setup).map_err(refuse)
}

pub(crate) fn outcome_of<G: Game>(game: &G) -> Option<Outcome> {
    match game.turn() {
        Turn::Over(outcome) => Some(outcome),
        Turn::Ask(_) => None,
    }
}

pub(crate) fn raw(value: &impl Serialize) -> Result<Box<RawValue>, ReplayError> {
    serde_json::value::to_raw_value(value).map_err(unreadable)
}

pub(crate) fn unreadable(err: serde_json::Error) -> ReplayError {
    ReplayError::Unreadable(err.to_string())
}

pub(crate) fn refuse(err: serde_json::Error) -> Illegal {
    Illegal(err.to_string().into())
}
