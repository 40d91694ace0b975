//! Duel: many fights with one process, in which a late answer is forgiven.
//!
//! The shape of Planes: two lines an answer, what is said too much is dropped,
//! and lines that come after the bell are counted off before the next answer.

use std::{str, time::Duration};

use game::{
    Ahead, Answer, Ask, Better, Clock, Dialect, Fault, Field, FieldKind, Fraction, Game, Illegal,
    Lifetime, Measure, Outcome, PerSeat, Ply, Read, Seat, Sitter, Starts, Talk, Turn,
};
use serde::{Deserialize, Serialize};

/// What is fixed before a duel.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Fights, 1 to 100.
    pub fights: u32,
    /// Turns of a fight, 1 to 100.
    #[serde(default = "turns_default")]
    pub turns: u32,
}

fn turns_default() -> u32 {
    2
}

/// A position.
#[derive(Clone, Debug)]
pub struct Duel {
    setup: Setup,
    fight: u32,
    turns_left: u32,
    lead: i64,
    won: PerSeat<u32>,
    late: PerSeat<u32>,
    out: PerSeat<bool>,
}

/// Two numbers; a bad line is none, and counts as 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Action(pub [Option<i8>; 2]);

/// What happens.
#[derive(Clone, Debug, Serialize)]
pub enum Event {
    /// A fight begins.
    FightStarted(u32),
    /// A secret of one seat: what it played.
    Played(Seat, Action),
}

/// What one seat sees.
#[derive(Debug, Serialize)]
pub struct View {
    turns_left: u32,
    /// Who leads, 1, 0 or -1; by how much is known to spectators alone.
    leads: i64,
    lead: Option<i64>,
}

/// Longest line.
const LINE_BYTES_MAX: usize = 100;
/// Late turns after which a seat has lost.
const LATE_MAX: u32 = 3;

impl Game for Duel {
    const ID: &'static str = "toy-duel";
    const RULES: u32 = 1;
    const ROLES: &'static [&'static str] = &["player", "player"];
    const MEASURES: &'static [Measure] =
        &[Measure { name: "fights_won", label: "Fights won", better: Better::More }];
    const FIELDS: &'static [Field] = &[Field {
        name: "fights",
        label: "Fights",
        kind: FieldKind::Whole { min: 1, max: 100, default: 10 },
    }];
    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type View = View;

    fn start(setup: &Setup, _: &PerSeat<Sitter>, events: &mut Vec<Event>) -> Result<Duel, Illegal> {
        let Setup { fights, turns } = *setup;
        if !(1..=100).contains(&fights) || !(1..=100).contains(&turns) {
            return Err(Illegal("fights and turns are 1 to 100".into()));
        }
        events.push(Event::FightStarted(0));
        Ok(Duel {
            setup: setup.clone(),
            fight: 0,
            turns_left: turns,
            lead: 0,
            won: PerSeat::new(2, |_| 0),
            late: PerSeat::new(2, |_| 0),
            out: PerSeat::new(2, |_| false),
        })
    }

    fn turn(&self) -> Turn {
        if self.is_over() {
            return Turn::Over(self.outcome());
        }
        let id = self.fight * self.setup.turns + (self.setup.turns - self.turns_left);
        let clock = Clock { id, budget: Duration::from_secs(1) };
        let total = Clock { id: 0, budget: Duration::from_secs(60) };
        let starts = Starts::WhenWritten;
        let ask = Ask { bot: clock, bot_total: Some(total), person: clock, starts };
        Turn::Ask(self.out.map(|_, out| (!out).then_some(ask)))
    }

    fn check(&self, _: Seat, _: &Action) -> Result<(), Illegal> {
        Ok(())
    }

    fn play(&mut self, ply: &Ply<Action>, events: &mut Vec<Event>) {
        if self.is_over() {
            return;
        }
        for seat in self.out.seats() {
            match ply.get(seat).and_then(Option::as_ref) {
                _ if self.out[seat] => (),
                Some(Answer::Action(action)) => {
                    let sum: i64 = action.0.iter().flatten().map(|it| i64::from(*it)).sum();
                    self.lead += if seat.0 == 0 { sum } else { -sum };
                    events.push(Event::Played(seat, action.clone()));
                }
                Some(Answer::Fault(Fault::Late)) => {
                    self.late[seat] += 1;
                    self.out[seat] = self.late[seat] > LATE_MAX;
                }
                Some(Answer::Fault(_)) | None => self.out[seat] = true,
            }
        }
        self.turns_left -= 1;
        if self.turns_left == 0 {
            match self.lead.signum() {
                1 => self.won[Seat(0)] += 1,
                -1 => self.won[Seat(1)] += 1,
                _ => (),
            }
            (self.fight, self.turns_left, self.lead) = (self.fight + 1, self.setup.turns, 0);
            events.push(Event::FightStarted(self.fight));
        }
    }

    fn view(&self, eye: Option<Seat>) -> View {
        let lead = eye.is_none().then_some(self.lead);
        View { turns_left: self.turns_left, leads: self.lead.signum(), lead }
    }

    fn hears(&self, seat: Seat, event: &Event) -> bool {
        !matches!(event, Event::Played(whose, _) if *whose != seat)
    }

    fn round(&self) -> u32 {
        self.fight
    }
}

impl Duel {
    fn is_over(&self) -> bool {
        self.fight == self.setup.fights || self.out.iter().all(|(_, it)| *it)
    }

    fn outcome(&self) -> Outcome {
        let left = self.setup.fights - self.fight;
        // Fights that a silent opponent no longer shows up for are won.
        let won = self.won.map(|seat, it| {
            let other = Seat(1 - seat.0);
            it + if self.out[other] && !self.out[seat] { left } else { 0 }
        });
        let ahead = |seat: Seat| won.iter().filter(|(_, it)| **it > won[seat]).count();
        let places = PerSeat::new(2, |seat| ahead(seat) as u8 + 1);
        let total = i64::from(won[Seat(0)] + won[Seat(1)]);
        let share = |it: u32| match total {
            0 => Fraction::new(1, 2),
            _ => Fraction::new(i64::from(it), total),
        };
        let measures = vec![won.map(|_, it| Fraction::from(i64::from(*it)))];
        Outcome {
            places,
            score: won.map(|_, it| share(*it)),
            measures,
            why: "all fights are over".into(),
        }
    }
}

/// Blocks with a heading out, two lines in.
#[derive(Default)]
pub struct Blocks {
    lines: Vec<Option<i8>>,
    owed: usize,
}

impl Dialect<Duel> for Blocks {
    const LIFETIME: Lifetime = Lifetime::Match;
    const AHEAD: Ahead = Ahead::Drop;

    fn tell(&mut self, me: Seat, event: &Event, out: &mut Vec<u8>) {
        match event {
            Event::FightStarted(fight) => out.extend(format!("NEW FIGHT {fight}\n").bytes()),
            Event::Played(seat, Action(numbers)) if *seat == me => {
                let sum: i64 = numbers.iter().flatten().map(|it| i64::from(*it)).sum();
                out.extend(format!("PLAYED {sum}\n").bytes());
            }
            Event::Played(..) => (),
        }
    }

    fn ask(&mut self, _: Seat, view: &View, _: Duration, out: &mut Vec<u8>) {
        out.extend(format!("TURN {} {}\n", view.turns_left, view.leads).bytes());
    }

    fn read(&mut self, input: &[u8], talk: &mut Talk) -> Read<Action> {
        let mut taken = 0;
        while let Some(end) = input[taken..].iter().position(|&it| it == b'\n') {
            let line = &input[taken..taken + end];
            // Whether it came in one piece or in many.
            if line.len() > LINE_BYTES_MAX {
                return Read::Garbled("a line of over 100 bytes".into());
            }
            taken += end + 1;
            if self.owed > 0 {
                self.owed -= 1;
                continue;
            }
            let number = str::from_utf8(line).ok().and_then(|it| it.trim().parse().ok());
            if number.is_none() {
                talk.warn("not a number");
            }
            self.lines.push(number);
            if let [a, b] = self.lines[..] {
                self.lines.clear();
                return Read::Action(Action([a, b]), taken);
            }
        }
        if input.len() - taken > LINE_BYTES_MAX {
            return Read::Garbled("a line of over 100 bytes".into());
        }
        Read::More(taken)
    }

    fn missed(&mut self) {
        self.owed += 2 - self.lines.len();
        self.lines.clear();
    }

    fn owes(&self, input: &[u8]) -> usize {
        let lines = input.split_inclusive(|it| *it == b'\n').take(self.owed);
        lines.map(<[u8]>::len).sum()
    }
}
