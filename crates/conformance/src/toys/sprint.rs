//! Sprint: both run at once, on a bank of time, with a fresh process each race.
//!
//! The shape of Jockey: a handshake, answers at the same time on one snapshot,
//! disqualification for one race only, starts swapped in the second.

use std::{str, time::Duration};

use game::{
    Ahead, Answer, Ask, Better, Clock, Dialect, Fault, Field, FieldKind, Fraction, Game, Illegal,
    Lifetime, Measure, Outcome, PerSeat, Ply, Read, Seat, Sitter, Starts, Talk, Turn,
};
use serde::{Deserialize, Serialize};

/// What is fixed before a sprint.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Cells from start to goal, 2 to 100.
    pub length: u32,
    /// Steps after which a runner is out, 1 to 1,000.
    #[serde(default = "steps_max_default")]
    pub steps_max: u32,
    /// Thinking time for one race, in milliseconds.
    #[serde(default = "think_ms_default")]
    pub think_ms: u64,
}

fn steps_max_default() -> u32 {
    20
}

fn think_ms_default() -> u64 {
    1000
}

/// A position.
#[derive(Clone, Debug)]
pub struct Sprint {
    setup: Setup,
    race: u32,
    /// `None` until both have said that they are ready.
    step: Option<u32>,
    runners: PerSeat<Runner>,
    times: PerSeat<u32>,
}

/// One runner, as everybody sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Runner {
    at: i32,
    speed: i32,
    racing: bool,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Action {
    /// To the handshake.
    Ready,
    /// To a step: -1, 0 or 1.
    Accelerate(i32),
}

/// What happens.
#[derive(Clone, Debug, Serialize)]
pub enum Event {
    /// A race begins.
    RaceStarted(Setup),
    /// A runner is out of this race.
    Disqualified(Seat, String),
}

/// What everybody sees.
#[derive(Debug, Serialize)]
pub struct View {
    step: Option<u32>,
    runners: PerSeat<Runner>,
}

const RACES: u32 = 2;
/// Longest line.
const LINE_BYTES_MAX: usize = 100;

impl Game for Sprint {
    const ID: &'static str = "toy-sprint";
    const RULES: u32 = 1;
    const ROLES: &'static [&'static str] = &["player", "player"];
    const MEASURES: &'static [Measure] =
        &[Measure { name: "time", label: "Time (steps)", better: Better::Less }];
    const FIELDS: &'static [Field] = &[Field {
        name: "length",
        label: "Length",
        kind: FieldKind::Whole { min: 2, max: 100, default: 10 },
    }];
    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type View = View;

    fn start(
        setup: &Setup,
        _: &PerSeat<Sitter>,
        events: &mut Vec<Event>,
    ) -> Result<Sprint, Illegal> {
        if !(2..=100).contains(&setup.length) || !(1..=1000).contains(&setup.steps_max) {
            return Err(Illegal("length is 2 to 100, steps_max 1 to 1000".into()));
        }
        let mut game = Sprint {
            setup: setup.clone(),
            race: 0,
            step: None,
            runners: PerSeat::new(2, |_| Runner { at: 0, speed: 0, racing: true }),
            times: PerSeat::new(2, |_| 0),
        };
        game.line_up(events);
        Ok(game)
    }

    fn turn(&self) -> Turn {
        if self.race == RACES {
            return Turn::Over(self.outcome());
        }
        let clock = Clock { id: self.race, budget: Duration::from_millis(self.setup.think_ms) };
        let ask = Ask { bot: clock, bot_total: None, person: clock, starts: Starts::WhenWritten };
        Turn::Ask(self.runners.map(|_, it| it.racing.then_some(ask)))
    }

    fn check(&self, _: Seat, action: &Action) -> Result<(), Illegal> {
        self.judge(action).map_err(|why| Illegal(why.into()))
    }

    fn play(&mut self, ply: &Ply<Action>, events: &mut Vec<Event>) {
        if self.race == RACES {
            return;
        }
        for seat in self.runners.seats() {
            if !self.runners[seat].racing {
                continue;
            }
            let why = match ply.get(seat).and_then(Option::as_ref) {
                Some(Answer::Action(action)) => match self.judge(action) {
                    Ok(()) => {
                        self.run(seat, action);
                        continue;
                    }
                    Err(why) => why.to_owned(),
                },
                Some(Answer::Fault(fault)) => fault.to_string(),
                None => Fault::Late.to_string(),
            };
            self.disqualify(seat, why, events);
        }
        self.step = Some(self.step.map_or(0, |it| it + 1));
        if self.step == Some(self.setup.steps_max) {
            for seat in self.runners.seats() {
                if self.runners[seat].racing {
                    self.disqualify(seat, "out of steps".to_owned(), events);
                }
            }
        }
        if self.runners.iter().all(|(_, it)| !it.racing) {
            self.race += 1;
            if self.race < RACES {
                self.line_up(events);
            }
        }
    }

    fn view(&self, _: Option<Seat>) -> View {
        View { step: self.step, runners: self.runners.clone() }
    }

    fn shared_eyes(seats: &[Seat]) -> Option<Seat> {
        seats.first().copied()
    }

    fn round(&self) -> u32 {
        self.race
    }
}

impl Sprint {
    fn line_up(&mut self, events: &mut Vec<Event>) {
        let race = self.race;
        self.step = None;
        // The second race swaps the starts: the outer one is a cell ahead.
        self.runners = PerSeat::new(2, |seat| {
            let ahead = (u32::from(seat.0) + race) % 2 == 1;
            Runner { at: i32::from(ahead), speed: 0, racing: true }
        });
        events.push(Event::RaceStarted(self.setup.clone()));
    }

    fn judge(&self, action: &Action) -> Result<(), &'static str> {
        match (self.step, action) {
            (None, Action::Ready) | (Some(_), Action::Accelerate(-1..=1)) => Ok(()),
            (None, _) => Err("0 was expected"),
            (Some(_), _) => Err("-1, 0 or 1 was expected"),
        }
    }

    fn run(&mut self, seat: Seat, action: &Action) {
        let (Some(step), Action::Accelerate(by)) = (self.step, action) else { return };
        let runner = &mut self.runners[seat];
        runner.speed += by;
        runner.at += runner.speed;
        if self.setup.length as i32 <= runner.at {
            runner.racing = false;
            self.times[seat] += step + 1;
        }
    }

    fn disqualify(&mut self, seat: Seat, why: String, events: &mut Vec<Event>) {
        self.runners[seat].racing = false;
        self.times[seat] += 2 * self.setup.steps_max;
        events.push(Event::Disqualified(seat, why));
    }

    fn outcome(&self) -> Outcome {
        let faster =
            |seat: Seat| self.times.iter().filter(|(_, it)| **it < self.times[seat]).count();
        let places = PerSeat::new(2, |seat| faster(seat) as u8 + 1);
        let all_equal = places.iter().all(|(_, it)| *it == 1);
        let score = places.map(|_, place| match (all_equal, place) {
            (true, _) => Fraction::new(1, 2),
            (false, 1) => Fraction::ONE,
            (false, _) => Fraction::ZERO,
        });
        let measures = vec![self.times.map(|_, it| Fraction::from(i64::from(*it)))];
        Outcome { places, score, measures, why: "both races are run".into() }
    }
}

/// Whole numbers, a line each; the time left in every question.
#[derive(Default)]
pub struct Numbers {
    racing: bool,
}

impl Dialect<Sprint> for Numbers {
    const LIFETIME: Lifetime = Lifetime::Round;
    const AHEAD: Ahead = Ahead::Fault;

    fn tell(&mut self, _: Seat, event: &Event, out: &mut Vec<u8>) {
        if let Event::RaceStarted(Setup { length, steps_max, think_ms }) = event {
            out.extend(format!("{think_ms} {steps_max} {length}\n").bytes());
        }
    }

    fn ask(&mut self, me: Seat, view: &View, left: Duration, out: &mut Vec<u8>) {
        self.racing = view.step.is_some();
        let Some(step) = view.step else { return };
        let runner = &view.runners[me];
        let left_ms = left.as_millis();
        out.extend(format!("{step} {left_ms} {} {}\n", runner.at, runner.speed).bytes());
    }

    fn read(&mut self, input: &[u8], _: &mut Talk) -> Read<Action> {
        let end = input.iter().position(|&it| it == b'\n');
        // Whether it came in one piece or in many.
        if end.unwrap_or(input.len()) > LINE_BYTES_MAX {
            return Read::Garbled("a line of over 100 bytes".into());
        }
        let Some(end) = end else { return Read::More(0) };
        let number = str::from_utf8(&input[..end]).ok().and_then(|it| it.trim().parse().ok());
        match (self.racing, number) {
            (false, Some(0)) => Read::Action(Action::Ready, end + 1),
            (true, Some(by)) => Read::Action(Action::Accelerate(by), end + 1),
            _ => Read::Garbled("a whole number was expected".into()),
        }
    }

    fn missed(&mut self) {}
}
