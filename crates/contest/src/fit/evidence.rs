//! What a log comes to for a fit: who met whom under which conditions, how often, with what score.
//!
//! All of it is whole numbers, so that the order in which matches come changes nothing.

use std::collections::{BTreeMap, HashMap};

use game::Seat;
use uuid::Uuid;

use crate::{
    log::LoggedMatch,
    rating::{RateError, SEATS_RATED},
};

/// What 1 is in sums of scores.
pub(super) const ONE: f64 = (1_u64 << 32) as f64;

/// The matches of one game, for a fit. It grows with pairs that met, not with matches.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    pub(super) roles: Vec<String>,
    pub(super) players: Vec<Player>,
    by_version: HashMap<(Uuid, Uuid, usize), usize>,
    pub(super) conditions: Vec<BTreeMap<String, String>>,
    by_condition: HashMap<BTreeMap<String, String>, usize>,
    pub(super) meetings: HashMap<Meeting, Scores>,
    matches: u64,
}

/// A version of a bot, in a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Player {
    pub(super) bot: Uuid,
    pub(super) version: Uuid,
    pub(super) role: usize,
    /// Number of the last match it played.
    pub(super) last_no: u64,
    pub(super) matches: u64,
}

/// Who met, by seat, and under which conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Meeting {
    pub(super) players: [usize; 2],
    pub(super) conditions: usize,
}

/// Scores of the first seat, in parts of [`ONE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Scores {
    pub(super) n: u64,
    pub(super) sum: u64,
    pub(super) squares: u64,
}

impl Evidence {
    /// Adds a match. Which of a log count, a [`Ledger`](crate::Ledger) says.
    ///
    /// # Errors
    ///
    /// Where it has not two seats.
    pub fn add(&mut self, logged: &LoggedMatch) -> Result<(), RateError> {
        let found = logged.seats.n_seats();
        if found != SEATS_RATED {
            return Err(RateError::Seats { found });
        }
        let players = [Seat(0), Seat(1)].map(|seat| self.player(logged, seat));
        let conditions = match self.by_condition.get(&logged.covariates) {
            Some(&it) => it,
            None => {
                let it = self.conditions.len();
                self.by_condition.insert(logged.covariates.clone(), it);
                self.conditions.push(logged.covariates.clone());
                it
            }
        };
        let score = logged.seats[Seat(0)].score.to_f64().clamp(0.0, 1.0);
        let one = Scores {
            n: 1,
            sum: (score * ONE).round() as u64,
            squares: (score * score * ONE).round() as u64,
        };
        self.meetings.entry(Meeting { players, conditions }).or_default().add(one);
        self.matches += 1;
        Ok(())
    }

    /// How many matches there are in it.
    pub fn matches(&self) -> u64 {
        self.matches
    }

    fn player(&mut self, logged: &LoggedMatch, seat: Seat) -> usize {
        let it = &logged.seats[seat];
        let role = self.roles.iter().position(|role| *role == it.role).unwrap_or_else(|| {
            self.roles.push(it.role.clone());
            self.roles.len() - 1
        });
        let players = &mut self.players;
        let at = *self.by_version.entry((it.bot, it.version, role)).or_insert_with(|| {
            let (bot, version) = (it.bot, it.version);
            players.push(Player { bot, version, role, last_no: 0, matches: 0 });
            players.len() - 1
        });
        let player = &mut self.players[at];
        player.last_no = player.last_no.max(logged.no);
        player.matches += 1;
        at
    }
}

impl Scores {
    pub(super) fn add(&mut self, it: Scores) {
        self.n += it.n;
        self.sum += it.sum;
        self.squares += it.squares;
    }
}
