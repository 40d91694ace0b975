//! What is stored of a match, and how to see it again.

mod costs;

use std::{borrow::Cow, time::Duration};

use game::{Game, Illegal, PerSeat, Ply, Remark, Sitter, Turn};
use serde::{Deserialize, Serialize};

/// A match, as stored: set-up, sitters, and every answer, faults among them.
///
/// Positions and outcome are recomputed from it. Times and remarks are for
/// people, and never for the rules.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "", deny_unknown_fields)]
pub struct Record<G: Game> {
    /// [`Game::ID`].
    pub game: Cow<'static, str>,
    /// [`Game::RULES`] it was played under.
    pub rules: u32,
    /// What was fixed before the first ply.
    pub setup: G::Setup,
    /// Who sat where.
    pub sitters: PerSeat<Sitter>,
    /// All answers, in order.
    pub plies: Vec<Ply<G::Action>>,
    /// What each of them cost.
    #[serde(with = "costs")]
    pub spent: Vec<PerSeat<Option<Spent>>>,
    /// What bots said for their owners, and warnings, by ply.
    pub remarks: Vec<Remark>,
}

/// Of a stored [`Record`] of any game, what its answers cost.
#[derive(Clone, Debug, Deserialize)]
pub struct Costs {
    /// By ply.
    #[serde(deserialize_with = "costs::deserialize")]
    pub spent: Vec<PerSeat<Option<Spent>>>,
}

/// One ply with all that belongs to it, as streamed while the match runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "A: Deserialize<'de>"), deny_unknown_fields)]
pub struct Frame<A> {
    /// The answers.
    pub ply: Ply<A>,
    /// What each of them cost.
    pub spent: PerSeat<Option<Spent>>,
    /// What was said meanwhile.
    pub remarks: Vec<Remark>,
}

/// What an answer cost. In records: whole microseconds, `[charged, wall, cpu, stall]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u64; 4]", into = "[u64; 4]")]
pub struct Spent {
    /// What its clock pays: the wall time less the stall, and never less than the processor time.
    pub charged: Duration,
    /// From the clock's start to the whole answer.
    pub wall: Duration,
    /// Processor time of the bot, all its threads and children.
    pub cpu: Duration,
    /// Time it could have run and had no processor: the host's doing.
    pub stall: Duration,
}

impl Spent {
    /// Charges what was measured.
    pub fn charge(wall: Duration, cpu: Duration, stall: Duration) -> Spent {
        Spent { charged: wall.saturating_sub(stall).max(cpu), wall, cpu, stall }
    }
}

impl From<Spent> for [u64; 4] {
    fn from(it: Spent) -> [u64; 4] {
        [it.charged, it.wall, it.cpu, it.stall].map(|it| it.as_micros() as u64)
    }
}

impl From<[u64; 4]> for Spent {
    fn from(it: [u64; 4]) -> Spent {
        let [charged, wall, cpu, stall] = it.map(Duration::from_micros);
        Spent { charged, wall, cpu, stall }
    }
}

/// Why a record cannot be replayed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// It is of another game.
    #[error("the record is of the game `{found}`; `{wanted}` was asked for")]
    OtherGame {
        /// In the record.
        found: String,
        /// Asked for.
        wanted: &'static str,
    },
    /// It was played under other rules.
    #[error("the record was played under rules {found} of {game}; these are rules {wanted}")]
    OtherRules {
        /// Which game.
        game: &'static str,
        /// In the record.
        found: u32,
        /// Ours.
        wanted: u32,
    },
    /// It is no record at all.
    #[error("the record cannot be read: {0}")]
    Unreadable(String),
    /// Its set-up is refused by the rules.
    #[error("the set-up of the record is refused: {0}")]
    Setup(Illegal),
    /// It cannot be told in a format of others.
    #[error("{0}")]
    Format(Illegal),
    /// It has more or fewer seats than the game.
    #[error("{place} has {found} seats; {game} has {wanted}")]
    Seats {
        /// Where in the record.
        place: &'static str,
        /// There.
        found: usize,
        /// Which game.
        game: &'static str,
        /// In the game.
        wanted: usize,
    },
    /// A ply answers what was not asked, or fails to answer what was.
    #[error("ply {ply} does not answer what was asked")]
    NotAsked {
        /// Its index.
        ply: usize,
    },
    /// It goes on after the end.
    #[error("the match is over after {plies} plies, and the record goes on")]
    PastEnd {
        /// How many were played.
        plies: usize,
    },
    /// Whoever asked for it would not wait any longer.
    #[error("the replay was stopped after {plies} plies")]
    Stopped {
        /// How many were played.
        plies: usize,
    },
}

/// Every position of a match from its start, with the events that led there.
///
/// An unfinished record replays as far as it goes.
///
/// # Errors
///
/// At once where the record is of another game, other rules or a wrong number
/// of seats, and in place of a position where a ply does not fit.
pub fn replay<G: Game>(record: &Record<G>) -> Result<Positions<'_, G>, ReplayError> {
    ours(record)?;
    let mut events = Vec::new();
    let game = open::<G>(&record.setup, &record.sitters, &mut events)?;
    Ok(Positions { plies: &record.plies, ply_no: 0, game: Some(game), start: Some(events) })
}

/// The positions of a match, in order; see [`replay`].
pub struct Positions<'r, G: Game> {
    plies: &'r [Ply<G::Action>],
    ply_no: usize,
    /// None after an error, behind which nothing follows.
    game: Option<G>,
    /// Events of the start, until it has been handed out.
    start: Option<Vec<G::Event>>,
}

impl<G: Game> Iterator for Positions<'_, G> {
    type Item = Result<(G, Vec<G::Event>), ReplayError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(events) = self.start.take() {
            return self.game.clone().map(|it| Ok((it, events)));
        }
        let ply = self.plies.get(self.ply_no)?;
        let mut game = self.game.take()?;
        let mut events = Vec::new();
        let played = advance(&mut game, self.ply_no, ply, &mut events);
        self.ply_no += 1;
        Some(played.map(|()| {
            self.game = Some(game.clone());
            (game, events)
        }))
    }
}

/// Whether a record is of this game and these rules.
pub(crate) fn ours<G: Game>(record: &Record<G>) -> Result<(), ReplayError> {
    if record.game != G::ID {
        let found = record.game.clone().into_owned();
        return Err(ReplayError::OtherGame { found, wanted: G::ID });
    }
    if record.rules != G::RULES {
        let (game, found, wanted) = (G::ID, record.rules, G::RULES);
        return Err(ReplayError::OtherRules { game, found, wanted });
    }
    Ok(())
}

/// Starts a stored match.
pub(crate) fn open<G: Game>(
    setup: &G::Setup,
    sitters: &PerSeat<Sitter>,
    events: &mut Vec<G::Event>,
) -> Result<G, ReplayError> {
    let (game, found, wanted) = (G::ID, sitters.n_seats(), G::ROLES.len());
    if found != wanted {
        return Err(ReplayError::Seats { place: "the list of sitters", found, game, wanted });
    }
    G::start(setup, sitters, events).map_err(ReplayError::Setup)
}

/// Plays a stored ply, if it answers just what is asked.
pub(crate) fn advance<G: Game>(
    game: &mut G,
    ply_no: usize,
    ply: &Ply<G::Action>,
    events: &mut Vec<G::Event>,
) -> Result<(), ReplayError> {
    let asks = match game.turn() {
        Turn::Ask(asks) => asks,
        Turn::Over(_) => return Err(ReplayError::PastEnd { plies: ply_no }),
    };
    let (found, wanted) = (ply.n_seats(), asks.n_seats());
    if found != wanted {
        return Err(ReplayError::Seats { place: "a ply", found, game: G::ID, wanted });
    }
    if asks.iter().any(|(seat, it)| it.is_some() != ply[seat].is_some()) {
        return Err(ReplayError::NotAsked { ply: ply_no });
    }
    game.play(ply, events);
    Ok(())
}
