//! The rules: whose turn it is, what a decision does, and how the points are shared out.

use alloc::{borrow::Cow, format, string::String, vec::Vec};
use core::time::Duration;

use game::{
    Answer, Ask, Better, Clock, End, Fault, Field, Fraction, Game, Illegal, Measure, Outcome,
    PerSeat, Ply, Seat, Sitter, Starts, Turn,
};
use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Cell, Reason},
    points::{POINTS_ALL, architect_points, round_limit},
    setup::{self, Mode, Setup},
    view::{Decided, Ended, Fields, View},
};

/// The seat that plants hedges.
pub const ARCHITECT: Seat = Seat(0);
/// The seat that walks to the treasure.
pub const ADVENTURER: Seat = Seat(1);

/// Time of a person for one turn.
pub const PERSON_TURN_MS: u32 = 100_000;
/// Turns in a row that a person may not be late without losing.
pub const LATE_IN_A_ROW_MAX: u32 = 3;

const N_SEATS: usize = 2;

/// A match of Labyrinth.
#[derive(Clone, Debug)]
pub struct Labyrinth {
    setup: Setup,
    sitters: [Sitter; N_SEATS],
    board: Board,
    clock: u32,
    to_move: Seat,
    redundant: [u32; N_SEATS],
    late_in_a_row: [u32; N_SEATS],
    last: Option<Decided>,
    ending: Option<Ending>,
}

/// What a player decides in a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Nothing.
    Pass,
    /// The role's own command, but with parameters that mean nothing.
    Malformed,
    /// A hedge in this column and row. What is beyond 32 bits is as far off as they go.
    Plant(i32, i32),
    /// A step in the direction of this number: 0 north, 1 east, 2 south, 3 west.
    Step(i32),
}

/// Something that happened on the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The architect planted a hedge.
    Planted {
        /// Where.
        cell: Cell,
    },
    /// The adventurer made a step.
    Moved {
        /// To where.
        to: Cell,
    },
    /// A decision changed nothing.
    Redundant {
        /// Whose.
        seat: Seat,
        /// Why.
        reason: Reason,
    },
    /// A person let a turn pass without deciding.
    Late {
        /// Who.
        seat: Seat,
        /// Turns of theirs in a row, this one counted.
        in_a_row: u32,
    },
    /// The match is over.
    Ended {
        /// By what.
        by: Ending,
        /// Points of each seat.
        points: [u32; N_SEATS],
    },
}

/// By what a match ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Ending {
    /// The adventurer reached the treasure.
    Treasure {
        /// In this round.
        round: u32,
    },
    /// It did not, in all the rounds there were.
    Limit {
        /// How many.
        rounds: u32,
    },
    /// A bot did not answer as it must.
    Fault {
        /// Whose.
        seat: Seat,
        /// What it did instead.
        fault: Fault,
    },
    /// A person was late too often in a row.
    Late {
        /// Who.
        seat: Seat,
    },
}

impl Labyrinth {
    /// A match that begins in round 1 on `board`: for puzzles, and for trying out a position.
    ///
    /// # Errors
    ///
    /// As [`Game::start`]; and where the board is of another size, has the
    /// adventurer on a hedge or the treasure, or no path between them.
    pub fn start_on(
        board: Board,
        setup: &Setup,
        sitters: &PerSeat<Sitter>,
    ) -> Result<Labyrinth, Illegal> {
        setup.check()?;
        let illegal = |text: String| Err(Illegal(text.into()));
        let (Some(architect), Some(adventurer), N_SEATS) =
            (sitters.get(ARCHITECT), sitters.get(ADVENTURER), sitters.n_seats())
        else {
            return illegal(format!("sitters: found {}, allowed are {N_SEATS}", sitters.n_seats()));
        };
        if board.size() != setup.size {
            return illegal(format!(
                "board: found size {}, set up is {}",
                board.size(),
                setup.size
            ));
        }
        if board.is_solved() {
            return illegal("board: found the adventurer on the treasure".into());
        }
        if !board.is_solvable() {
            return illegal("board: found no path from the adventurer to the treasure".into());
        }
        Ok(Labyrinth {
            setup: setup.clone(),
            sitters: [*architect, *adventurer],
            board,
            clock: 1,
            to_move: ARCHITECT,
            redundant: [0; N_SEATS],
            late_in_a_row: [0; N_SEATS],
            last: None,
            ending: None,
        })
    }

    /// The hedges and the adventurer.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The round, from 1; the last one played when the match is over.
    pub fn clock(&self) -> u32 {
        self.clock
    }

    /// Decisions of each seat that changed nothing.
    pub fn redundant(&self) -> [u32; N_SEATS] {
        self.redundant
    }

    /// By what the match ended, if it did.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Points of each seat: at the end, or if the treasure were reached in this round.
    pub fn points(&self) -> [u32; N_SEATS] {
        let architect = match &self.ending {
            None => architect_points(self.setup.size, self.setup.mode, self.clock),
            Some(Ending::Treasure { round }) => {
                architect_points(self.setup.size, self.setup.mode, *round)
            }
            Some(Ending::Limit { .. }) => POINTS_ALL,
            Some(Ending::Fault { seat, .. } | Ending::Late { seat }) if *seat == ARCHITECT => 0,
            Some(Ending::Fault { .. } | Ending::Late { .. }) => POINTS_ALL,
        };
        [architect, POINTS_ALL - architect]
    }

    /// What `action` of the seat to move would do, or why nothing.
    fn judge(&self, action: &Action) -> Result<Cell, Reason> {
        match *action {
            Action::Plant(x, y) if self.to_move == ARCHITECT => self.board.judge_planting(x, y),
            Action::Step(number) if self.to_move == ADVENTURER => self.board.judge_step(number),
            Action::Malformed => Err(Reason::Malformed),
            // A command of the other role is none.
            Action::Pass | Action::Plant(..) | Action::Step(_) => Err(Reason::NoCommand),
        }
    }

    /// Carries out `action` of the seat to move.
    fn decide(&mut self, action: Action, events: &mut Vec<Event>) {
        let seat = self.to_move;
        let verdict = self.judge(&action);
        match verdict {
            Ok(cell) if seat == ARCHITECT => {
                self.board.plant(cell);
                events.push(Event::Planted { cell });
            }
            Ok(to) => {
                self.board.put_adventurer(to);
                events.push(Event::Moved { to });
            }
            Err(reason) => {
                *of(&mut self.redundant, seat) += 1;
                events.push(Event::Redundant { seat, reason });
            }
        }
        self.last = Some(Decided { seat, action, reason: verdict.err() });
        self.pass_on(events);
    }

    /// Ends the turn, and with the adventurer's the round.
    fn pass_on(&mut self, events: &mut Vec<Event>) {
        if self.to_move == ARCHITECT {
            self.to_move = ADVENTURER;
            return;
        }
        let rounds = round_limit(self.setup.size, self.setup.mode);
        if self.board.is_solved() {
            self.end(Ending::Treasure { round: self.clock }, events);
        } else if self.clock == rounds {
            self.end(Ending::Limit { rounds }, events);
        } else {
            self.clock += 1;
            self.to_move = ARCHITECT;
        }
    }

    fn end(&mut self, by: Ending, events: &mut Vec<Event>) {
        self.ending = Some(by.clone());
        events.push(Event::Ended { by, points: self.points() });
    }

    /// A fault of the seat to move: a bot loses by it, a person's turn passes.
    fn fail(&mut self, fault: Fault, events: &mut Vec<Event>) {
        let seat = self.to_move;
        if *of(&mut self.sitters, seat) == Sitter::Bot {
            return self.end(Ending::Fault { seat, fault }, events);
        }
        // What a person types never loses them the match, so it is not counted.
        if !matches!(fault, Fault::Garbled(_)) {
            let in_a_row = of(&mut self.late_in_a_row, seat);
            *in_a_row += 1;
            let in_a_row = *in_a_row;
            events.push(Event::Late { seat, in_a_row });
            if in_a_row == LATE_IN_A_ROW_MAX {
                return self.end(Ending::Late { seat }, events);
            }
        }
        self.decide(Action::Pass, events);
    }

    fn outcome(&self, ending: &Ending) -> Outcome {
        let points = PerSeat::from(Vec::from(self.points()));
        let place = |seat, own: &u32| {
            1 + points.iter().filter(|(other, it)| *other != seat && *it > own).count() as u8
        };
        Outcome {
            places: points.map(place),
            score: points.map(|_, it| Fraction::new(i64::from(*it), i64::from(POINTS_ALL))),
            measures: [points.map(|_, it| Fraction::from(i64::from(*it)))].into(),
            why: why(ending).into(),
        }
    }

    fn hides_from(&self, eye: Option<Seat>) -> bool {
        let sees_all = eye.is_none_or(|it| it == ARCHITECT);
        !sees_all && self.setup.mode == Mode::NoMap && self.ending.is_none()
    }
}

impl Game for Labyrinth {
    const ID: &'static str = "labyrinth";
    const RULES: u32 = 1;
    const ROLES: &'static [&'static str] = &["architect", "adventurer"];
    const MEASURES: &'static [Measure] =
        &[Measure { name: "points", label: "Points of 100", better: Better::More }];
    const FIELDS: &'static [Field] = setup::FIELDS;

    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type View = View;

    fn start(
        setup: &Setup,
        sitters: &PerSeat<Sitter>,
        _: &mut Vec<Event>,
    ) -> Result<Labyrinth, Illegal> {
        setup.check()?;
        let board = Board::new(setup.size).expect("the size has just been checked");
        Labyrinth::start_on(board, setup, sitters)
    }

    fn turn(&self) -> Turn {
        if let Some(ending) = &self.ending {
            return Turn::Over(self.outcome(ending));
        }
        // Turns are numbered from 1, so that none shares its number with the whole match.
        let id = 2 * self.clock - 1 + u32::from(self.to_move.0);
        let clock = |id, ms: u32| Clock { id, budget: Duration::from_millis(ms.into()) };
        let ask = Ask {
            bot: clock(id, self.setup.turn_ms),
            bot_total: Some(clock(0, self.setup.total_ms)),
            person: clock(id, PERSON_TURN_MS),
            starts: Starts::AtOnce,
        };
        Turn::Ask(PerSeat::new(N_SEATS, |seat| (seat == self.to_move).then_some(ask)))
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<(), Illegal> {
        let illegal = |text: Cow<'static, str>| Err(Illegal(text));
        if self.ending.is_some() {
            return illegal("the match is over".into());
        }
        if seat != self.to_move {
            return illegal("it is the other player's turn".into());
        }
        match (action, self.judge(action)) {
            (Action::Pass, _) | (_, Ok(_)) => Ok(()),
            (Action::Plant(..), _) if seat != ARCHITECT => {
                illegal("the adventurer steps, only the architect plants".into())
            }
            (Action::Step(_), _) if seat != ADVENTURER => {
                illegal("the architect plants, only the adventurer steps".into())
            }
            (Action::Plant(x, y), Err(reason)) => {
                illegal(format!("no hedge on {x} {y}: {reason}").into())
            }
            (Action::Step(number), Err(reason)) => {
                illegal(format!("no step {number}: {reason}").into())
            }
            (Action::Malformed, Err(reason)) => illegal(format!("{reason}").into()),
        }
    }

    fn play(&mut self, ply: &Ply<Action>, events: &mut Vec<Event>) {
        if self.ending.is_some() {
            return;
        }
        match ply.get(self.to_move).and_then(Option::as_ref) {
            Some(Answer::Action(action)) => {
                *of(&mut self.late_in_a_row, self.to_move) = 0;
                self.decide(action.clone(), events);
            }
            Some(Answer::Fault(fault)) => self.fail(fault.clone(), events),
            None => self.fail(Fault::Gone(End::ClosedOutput), events),
        }
    }

    fn view(&self, eye: Option<Seat>) -> View {
        let turn = self.ending.is_none().then_some(self.to_move);
        let forbidden = turn == Some(ARCHITECT) && eye.is_none_or(|it| it == ARCHITECT);
        let mut view = View {
            size: self.setup.size,
            mode: self.setup.mode,
            limit: round_limit(self.setup.size, self.setup.mode),
            clock: self.clock,
            turn,
            adventurer: self.board.adventurer(),
            fields: Fields::new(&self.board, forbidden),
            points: self.points(),
            redundant: self.redundant.map(Some),
            last: self.last.clone(),
            end: self.ending.as_ref().map(|by| Ended { by: by.clone(), why: why(by) }),
        };
        if self.hides_from(eye) {
            view.hide(ARCHITECT);
        }
        view
    }

    fn hears(&self, seat: Seat, event: &Event) -> bool {
        let secret = match event {
            Event::Planted { .. } => true,
            Event::Redundant { seat, .. } => *seat == ARCHITECT,
            Event::Moved { .. } | Event::Late { .. } | Event::Ended { .. } => false,
        };
        !(secret && self.hides_from(Some(seat)))
    }

    /// The architect sees all that the adventurer does.
    fn shared_eyes(seats: &[Seat]) -> Option<Seat> {
        seats.iter().copied().max_by_key(|it| *it == ADVENTURER)
    }

    /// A match is one race to the treasure, however many turns it takes.
    fn round(&self) -> u32 {
        0
    }
}

/// What `per_seat` holds for `seat`, which is one of the two that ever have the turn.
fn of<T>(per_seat: &mut [T; N_SEATS], seat: Seat) -> &mut T {
    &mut per_seat[usize::from(seat.0)]
}

fn why(ending: &Ending) -> String {
    let role = |seat: &Seat| if *seat == ARCHITECT { "architect" } else { "adventurer" };
    match ending {
        Ending::Treasure { round } => {
            format!("the adventurer reached the treasure in round {round}")
        }
        Ending::Limit { rounds } => {
            format!("the adventurer did not reach the treasure in {rounds} rounds")
        }
        Ending::Fault { seat, fault } => format!("the {} lost: {fault}", role(seat)),
        Ending::Late { seat } => {
            format!("the {} lost: late {LATE_IN_A_ROW_MAX} turns in a row", role(seat))
        }
    }
}
