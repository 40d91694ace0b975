//! A match as some eyes see it, moved on ply by ply: for whoever watches, and for people who play.

use std::{marker::PhantomData, time::Duration};

use game::{Dialect, Game, Illegal, Outcome, PerSeat, Read, RemarkKind, Seat, Sitter, Talk, Turn};
use serde::Serialize;
use serde_json::{Value as Json, value::RawValue};

use crate::{
    Frame, ReplayError, ReplayFrame, Spent, SpentMs,
    any::{outcome_of, raw, refuse, unreadable},
    chair::{Account, charge},
    match_play::drop_front,
    record::advance,
};

/// Whose eyes see.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Eyes {
    /// Nothing is hidden from them.
    All,
    /// Those of whoever sits there.
    Of(Seat),
    /// Those of others while people play on several seats: they see what each of these sees.
    Between {
        /// Whose view that is.
        view: Seat,
        /// Where the people sit.
        people: Vec<Seat>,
    },
}

impl Eyes {
    /// Whose view they have; `None`: of everything.
    pub fn seat(&self) -> Option<Seat> {
        match self {
            Eyes::All => None,
            Eyes::Of(seat) | Eyes::Between { view: seat, .. } => Some(*seat),
        }
    }

    /// Whether they may know what `seat` answered and said.
    pub(crate) fn know(&self, seat: Seat) -> bool {
        match self {
            Eyes::All => true,
            Eyes::Of(own) => *own == seat,
            Eyes::Between { .. } => false,
        }
    }

    fn hear<G: Game>(&self, game: &G, event: &G::Event) -> bool {
        match self {
            Eyes::All => true,
            Eyes::Of(seat) => game.hears(*seat, event),
            Eyes::Between { view, people } => {
                game.hears(*view, event) && people.iter().all(|it| game.hears(*it, event))
            }
        }
    }
}

impl From<Option<Seat>> for Eyes {
    fn from(eye: Option<Seat>) -> Eyes {
        eye.map_or(Eyes::All, Eyes::Of)
    }
}

/// What a person has said at the console, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Heard {
    /// Answers to queries, as a bot would read them.
    pub replies: String,
    /// What the judge remarks, and what was said for the log.
    pub remarks: Vec<(RemarkKind, String)>,
    /// The turn is decided, by this action.
    pub action: Option<Json>,
    /// All that was said for the log since the question was asked. It is kept with the turn.
    pub log: Vec<String>,
    /// Why not: against the rules, or no protocol. All of the turn is to be said anew then.
    pub refused: Option<String>,
}

/// A position whose types are not known here.
pub trait AnyPosition: Send {
    /// The position as some eyes see it, with nothing of how it came about.
    fn frame(&self, eyes: &Eyes) -> ReplayFrame;
    /// Plays the next [`Frame`] of a match, given as JSON.
    ///
    /// # Errors
    ///
    /// Where it is no frame, or does not answer what was asked; the position is then as before.
    fn advance(&mut self, frame: &str, eyes: &Eyes) -> Result<ReplayFrame, ReplayError>;
    /// The time that the person on `seat` has for the question that is open to them, counted from
    /// when it was asked; `None` where none is, or where no person sits.
    fn asked(&self, seat: Seat) -> Option<Duration>;
    /// Whether the person on `seat` may do this now; the action in full, as it is stored.
    ///
    /// # Errors
    ///
    /// Why not, in words for them.
    fn check(&self, seat: Seat, action: &Json) -> Result<Json, Illegal>;
    /// Hears `line` of a person's console in the game's own protocol. `before` is what was said
    /// since the question was asked, and is not answered again.
    ///
    /// # Errors
    ///
    /// Where the person is not asked.
    fn hear(&self, seat: Seat, before: &str, line: &str) -> Result<Heard, Illegal>;
    /// How the match ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
}

pub(crate) struct Position<G, D> {
    game: G,
    n_plies: usize,
    sitters: PerSeat<Sitter>,
    /// Clocks of people, as at the start of the questions that are open.
    accounts: PerSeat<Option<Account>>,
    dialect: PhantomData<fn() -> D>,
}

impl<G: Game, D> Position<G, D> {
    pub(crate) fn new(game: G, sitters: &PerSeat<Sitter>) -> Position<G, D> {
        let accounts = sitters.map(|_, _| None);
        let sitters = sitters.clone();
        let dialect = PhantomData;
        let mut position = Position { game, n_plies: 0, sitters, accounts, dialect };
        position.open_accounts();
        position
    }

    fn open_accounts(&mut self) {
        let Turn::Ask(asks) = self.game.turn() else { return };
        for (seat, ask) in asks.iter() {
            if let (Some(ask), Sitter::Person) = (ask, self.sitters[seat]) {
                charge(&mut self.accounts[seat], ask.person);
            }
        }
    }

    fn is_asked(&self, seat: Seat) -> bool {
        let Turn::Ask(asks) = self.game.turn() else { return false };
        asks.get(seat).is_some_and(Option::is_some)
            && self.sitters.get(seat) == Some(&Sitter::Person)
    }

    fn need_asked(&self, seat: Seat) -> Result<(), Illegal> {
        match self.is_asked(seat) {
            true => Ok(()),
            false => Err(Illegal("it is not your turn".into())),
        }
    }
}

impl<G, D> AnyPosition for Position<G, D>
where
    G: Game + Send,
    D: Dialect<G>,
{
    fn frame(&self, eyes: &Eyes) -> ReplayFrame {
        frame_of(&self.game, eyes, &[]).unwrap_or_else(|err| {
            // A view is plain data; one that does not serialize is shown as such.
            let view = serde_json::json!({ "error": err.to_string() });
            let view = raw(&view).unwrap_or_else(|_| RawValue::NULL.to_owned());
            ReplayFrame { view, events: vec![], ply: None, spent: None, remarks: vec![] }
        })
    }
    fn advance(&mut self, frame: &str, eyes: &Eyes) -> Result<ReplayFrame, ReplayError> {
        let Frame::<G::Action> { ply, spent, mut remarks } =
            serde_json::from_str(frame).map_err(unreadable)?;
        let mut events = Vec::new();
        advance(&mut self.game, self.n_plies, &ply, &mut events)?;
        self.n_plies += 1;
        for (seat, account) in self.accounts.iter_mut() {
            let spent = spent.get(seat).copied().flatten();
            if let (Some(account), Some(spent)) = (account, spent) {
                account.left = account.left.saturating_sub(spent.charged);
            }
        }
        self.open_accounts();
        remarks.retain(|it| eyes.know(it.seat));
        let (ply, spent) = (Some(raw(&own(&ply, eyes))?), Some(in_ms(&spent, eyes)));
        Ok(ReplayFrame { ply, spent, remarks, ..frame_of(&self.game, eyes, &events)? })
    }
    fn asked(&self, seat: Seat) -> Option<Duration> {
        self.accounts.get(seat)?.as_ref().filter(|_| self.is_asked(seat)).map(|it| it.left)
    }
    fn check(&self, seat: Seat, action: &Json) -> Result<Json, Illegal> {
        self.need_asked(seat)?;
        let action: G::Action = serde::Deserialize::deserialize(action)
            .map_err(|_| Illegal("this is no action of the game".into()))?;
        self.game.check(seat, &action)?;
        serde_json::to_value(action).map_err(refuse)
    }
    fn hear(&self, seat: Seat, before: &str, line: &str) -> Result<Heard, Illegal> {
        self.need_asked(seat)?;
        let mut dialect = D::default();
        let left = self.asked(seat).unwrap_or_default();
        // What a bot would be asked in is no answer, and a board shows it.
        dialect.ask(seat, &self.game.view(Some(seat)), left, &mut Vec::new());
        let mut heard = Heard::default();
        let mut inbox = before.as_bytes().to_vec();
        let mut talk = Talk::default();
        let read = dialect.read(&inbox, &mut talk);
        heard.log = logged(&talk);
        match read {
            Read::More(n_bytes) => drop_front(&mut inbox, n_bytes),
            Read::Action(..) => {
                heard.refused = Some("this turn has been decided already".to_owned());
                return Ok(heard);
            }
            Read::Garbled(why) => {
                heard.refused = Some(why.into_owned());
                return Ok(heard);
            }
        }
        inbox.extend_from_slice(line.as_bytes());
        let mut talk = Talk::default();
        let read = dialect.read(&inbox, &mut talk);
        heard.log.extend(logged(&talk));
        heard.replies = String::from_utf8_lossy(&talk.replies).into_owned();
        let remarks = talk.remarks.into_iter();
        heard.remarks = remarks.map(|(kind, text)| (kind, text.into_owned())).collect();
        match read {
            Read::More(_) => {}
            Read::Garbled(why) => heard.refused = Some(why.into_owned()),
            Read::Action(action, n_bytes) => {
                let is_blank = |it: &u8| it.is_ascii_whitespace();
                let surplus = inbox.get(n_bytes..).unwrap_or_default();
                match self.game.check(seat, &action) {
                    Err(why) => heard.refused = Some(why.0.into_owned()),
                    Ok(()) if !surplus.iter().all(is_blank) => {
                        heard.refused = Some("more was said than the turn needs".to_owned());
                    }
                    Ok(()) => heard.action = Some(serde_json::to_value(action).map_err(refuse)?),
                }
            }
        }
        Ok(heard)
    }
    fn outcome(&self) -> Option<Outcome> {
        outcome_of(&self.game)
    }
}

/// What was said for the log.
fn logged(talk: &Talk) -> Vec<String> {
    let remarks = talk.remarks.iter().filter(|(kind, _)| *kind == RemarkKind::Log);
    remarks.map(|(_, text)| text.clone().into_owned()).collect()
}

pub(crate) fn frame_of<G: Game>(
    game: &G,
    eyes: &Eyes,
    events: &[G::Event],
) -> Result<ReplayFrame, ReplayError> {
    let view = raw(&game.view(eyes.seat()))?;
    let heard = |it: &&G::Event| eyes.hear(game, it);
    let events = events.iter().filter(heard).map(raw).collect::<Result<_, _>>()?;
    Ok(ReplayFrame { view, events, ply: None, spent: None, remarks: Vec::new() })
}

pub(crate) fn in_ms(spent: &PerSeat<Option<Spent>>, eyes: &Eyes) -> PerSeat<Option<SpentMs>> {
    own(spent, eyes).map(|_, it| it.copied().map(SpentMs::from))
}

/// Of what each seat has, what `eyes` may know.
pub(crate) fn own<'a, T>(per_seat: &'a PerSeat<Option<T>>, eyes: &Eyes) -> PerSeat<Option<&'a T>> {
    PerSeat::new(per_seat.n_seats(), |seat| per_seat[seat].as_ref().filter(|_| eyes.know(seat)))
}
