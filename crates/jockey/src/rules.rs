//! The rules of a match: two races with the starts swapped, who is asked on which clock, and what
//! an answer or its absence costs.

use alloc::{borrow::Cow, format, string::String, sync::Arc, vec::Vec};
use core::time::Duration;

use crate::{
    check,
    course::{Course, Ground},
    event::{Action, Cause, Event},
    generate::{self, Order},
    geometry::Vector,
    log, official,
    race::{Answered, Race, Standing},
    setup::{self, Setup},
    view::{Ended, Rows, Runner, View},
};
use game::{
    Answer, Ask, Better, Clock, End, Fault, Field, Filled, Flaw, Fraction, Game, Illegal, Measure,
    Outcome, PerSeat, Ply, RecordFormat, Seat, SetupFormat, Sitter, Starts, Turn,
};

/// Races of a match.
pub const RACES: u32 = 2;
/// Time of a person for one step.
pub const PERSON_STEP_MS: u32 = 30_000;
/// Steps in a row that a person misses without being disqualified, and one more.
pub const MISSED_IN_A_ROW_MAX: u32 = 3;

const N_SEATS: usize = 2;
const SEATS: [usize; N_SEATS] = [0, 1];

/// A match of Jockey.
#[derive(Clone, Debug)]
pub struct Jockey {
    course: Arc<Course>,
    sitters: [Sitter; N_SEATS],
    /// Which race, from 0; the last one when the match is over.
    race_no: u32,
    race: Race,
    /// All bots of the race have said that they are ready.
    is_ready: bool,
    missed_in_a_row: [u32; N_SEATS],
    times: [[Option<Fraction>; N_SEATS]; RACES as usize],
    /// Who was disqualified in which race, and why, in this order.
    disqualified: Vec<(u32, usize, Cause)>,
    is_over: bool,
}

/// The goal time of whoever is disqualified.
pub fn disqualified_time(step_limit: u32) -> Fraction {
    Fraction::from(2 * i64::from(step_limit))
}

impl Jockey {
    /// The course.
    pub fn course(&self) -> &Arc<Course> {
        &self.course
    }

    /// The race under way, or the last one.
    pub fn race(&self) -> &Race {
        &self.race
    }

    /// Whether all bots of the race have said that they are ready.
    pub fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Times of both races, by race and by seat, as far as they are known.
    pub fn times(&self) -> [[Option<Fraction>; N_SEATS]; RACES as usize] {
        self.times
    }

    /// Who was disqualified in which race, and why: race and seat from 0, in order.
    pub fn disqualified(&self) -> &[(u32, usize, Cause)] {
        &self.disqualified
    }

    /// Where the players of a race start, by seat: the second race swaps the starts.
    fn starts(course: &Course, race_no: u32) -> [i32; N_SEATS] {
        let [one, other] = course.starts();
        if race_no.is_multiple_of(2) { [one, other] } else { [other, one] }
    }

    fn line_up(&mut self, events: &mut Vec<Event>) {
        let starts = Jockey::starts(&self.course, self.race_no);
        self.race = Race::new(self.course.clone(), starts);
        // People need not be asked whether they are ready.
        self.is_ready = self.sitters.iter().all(|it| *it == Sitter::Person);
        self.missed_in_a_row = [0; N_SEATS];
        let starts = starts.map(|x| Vector::new(x, 0));
        events.push(Event::RaceStarted { race: self.race_no, starts });
    }

    fn is_asked(&self, no: usize) -> bool {
        let is_bot = self.sitters[no] == Sitter::Bot;
        !self.is_over && self.race.is_racing(no) && (self.is_ready || is_bot)
    }

    /// What an action of a seat that was asked does, or why it is against the protocol.
    fn judge(&self, action: &Action) -> Result<Vector, Cow<'static, str>> {
        match (self.is_ready, *action) {
            (false, Action::Ready) => Ok(Vector::ZERO),
            (true, Action::Accelerate(x @ -1..=1, y @ -1..=1)) => {
                Ok(Vector::new(x.into(), y.into()))
            }
            (true, Action::Accelerate(x, y)) => {
                Err(format!("found the acceleration {x} {y}, allowed are -1, 0 and 1").into())
            }
            (true, Action::Ready) => Err("found `ready`, allowed is an acceleration".into()),
            (false, Action::Accelerate(..)) => {
                Err("found an acceleration, allowed is `ready`".into())
            }
        }
    }

    /// What the answer of a seat that was asked comes to.
    fn hear(
        &mut self,
        no: usize,
        answer: Option<&Answer<Action>>,
        events: &mut Vec<Event>,
    ) -> Result<Vector, Cause> {
        let fault = match answer {
            Some(Answer::Action(action)) => {
                self.missed_in_a_row[no] = 0;
                return self.judge(action).map_err(|why| Cause::Protocol { why });
            }
            Some(Answer::Fault(fault)) => fault.clone(),
            None => Fault::Gone(End::ClosedOutput),
        };
        if self.sitters[no] == Sitter::Person {
            return self.miss(no, &fault, events);
        }
        Err(match fault {
            Fault::Late | Fault::LateTotal => Cause::Clock,
            Fault::Gone(end) => Cause::Gone { end },
            Fault::Garbled(why) => Cause::Protocol { why },
        })
    }

    /// A person did not answer: the step passes.
    fn miss(&mut self, no: usize, fault: &Fault, events: &mut Vec<Event>) -> Result<Vector, Cause> {
        // What a person types never costs them the race, so it is not counted.
        if matches!(fault, Fault::Garbled(_)) {
            return Ok(Vector::ZERO);
        }
        self.missed_in_a_row[no] += 1;
        let in_a_row = self.missed_in_a_row[no];
        events.push(Event::Missed { seat: Seat(no as u8), in_a_row });
        if in_a_row < MISSED_IN_A_ROW_MAX { Ok(Vector::ZERO) } else { Err(Cause::Absent) }
    }

    fn disqualify(&mut self, no: usize, cause: Cause, events: &mut Vec<Event>) {
        let race = self.race_no;
        self.race.disqualify(no);
        self.disqualified.push((race, no, cause.clone()));
        events.push(Event::Disqualified { race, seat: Seat(no as u8), cause });
    }

    fn step(&mut self, answers: [Option<Result<Vector, Cause>>; N_SEATS], events: &mut Vec<Event>) {
        let step = self.race.step();
        let answered = |it: &Option<Result<Vector, Cause>>| match it {
            Some(Ok(by)) => Some(Answered::Accelerate(*by)),
            Some(Err(_)) => Some(Answered::Failed),
            None => None,
        };
        let moves = self.race.play([answered(&answers[0]), answered(&answers[1])]);
        events.push(Event::Stepped { race: self.race_no, step, moves });
        for (no, answer) in answers.into_iter().enumerate() {
            if let Some(Err(cause)) = answer {
                self.disqualify(no, cause, events);
            }
        }
        if self.race.is_out_of_steps() {
            for no in SEATS {
                if self.race.is_racing(no) {
                    self.disqualify(no, Cause::Steps, events);
                }
            }
        }
    }

    /// The race is over: the next one begins, or the match is over too.
    fn pass_on(&mut self, events: &mut Vec<Event>) {
        let limit = self.course.step_limit();
        let times = SEATS.map(|no| match self.race.players()[no].standing {
            Standing::Finished(time) => time,
            Standing::Racing | Standing::Disqualified => disqualified_time(limit),
        });
        events.push(Event::RaceOver { race: self.race_no, times });
        self.times[self.race_no as usize] = times.map(Some);
        if self.race_no + 1 < RACES {
            self.race_no += 1;
            self.line_up(events);
        } else {
            self.is_over = true;
            events.push(Event::Ended { sums: self.sums() });
        }
    }

    /// The sums of both races, as far as they are known.
    fn sums(&self) -> [Fraction; N_SEATS] {
        SEATS.map(|no| {
            let times = self.times.iter().filter_map(|it| it[no]);
            times.fold(Fraction::ZERO, |sum, it| sum + it)
        })
    }

    fn outcome(&self) -> Outcome {
        let sums = PerSeat::from(Vec::from(self.sums()));
        let place = |_, own: &Fraction| 1 + sums.iter().filter(|(_, it)| *it < own).count() as u8;
        let places = sums.map(place);
        let is_draw = places.iter().all(|(_, it)| *it == 1);
        let score = places.map(|_, place| match (is_draw, place) {
            (true, _) => Fraction::new(1, 2),
            (false, 1) => Fraction::ONE,
            (false, _) => Fraction::ZERO,
        });
        Outcome { places, score, measures: [sums].into(), why: self.why().into() }
    }

    fn why(&self) -> String {
        let [one, other] = self.sums().map(Fraction::mixed);
        let mut why = format!("both races took {one} against {other} steps");
        for (race, no, cause) in &self.disqualified {
            let who = ["the first", "the second"][*no];
            why += &format!("; {who} was disqualified in race {}: {cause}", race + 1);
        }
        why
    }
}

impl Game for Jockey {
    const ID: &'static str = "jockey";
    const RULES: u32 = 1;
    const ROLES: &'static [&'static str] = &["player", "player"];
    const MEASURES: &'static [Measure] =
        &[Measure { name: "time", label: "Time of both races (steps)", better: Better::Less }];
    const FIELDS: &'static [Field] = setup::FIELDS;
    const SECRETS: &'static [&'static str] = setup::SECRETS;
    const SETUP_FORMATS: &'static [SetupFormat<Setup>] = &[official::OFFICIAL_COURSE];
    const RECORD_FORMATS: &'static [RecordFormat<Jockey>] = &[log::OFFICIAL_LOG];

    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type View = View;

    fn set_up(filled: &Filled) -> Result<Setup, Illegal> {
        generate::generate(&Order::from_filled(filled))
    }

    fn inspect(setup: &Setup) -> Result<(), Flaw> {
        check::inspect(setup).map_err(Flaw::from)
    }

    fn draw(setup: &Setup) -> Option<String> {
        Course::new(setup).ok().map(|it| draw(&it))
    }

    fn start(
        setup: &Setup,
        sitters: &PerSeat<Sitter>,
        events: &mut Vec<Event>,
    ) -> Result<Jockey, Illegal> {
        let course = Arc::new(Course::new(setup)?);
        let (Some(one), Some(other), N_SEATS) =
            (sitters.get(Seat(0)), sitters.get(Seat(1)), sitters.n_seats())
        else {
            let found = sitters.n_seats();
            return Err(Illegal(format!("sitters: found {found}, allowed are {N_SEATS}").into()));
        };
        let starts = Jockey::starts(&course, 0);
        let mut game = Jockey {
            race: Race::new(course.clone(), starts),
            course,
            sitters: [*one, *other],
            race_no: 0,
            is_ready: false,
            missed_in_a_row: [0; N_SEATS],
            times: [[None; N_SEATS]; RACES as usize],
            disqualified: Vec::new(),
            is_over: false,
        };
        game.line_up(events);
        Ok(game)
    }

    fn turn(&self) -> Turn {
        if self.is_over {
            return Turn::Over(self.outcome());
        }
        let think = Duration::from_millis(self.course.think_ms().into());
        let step = u64::from(self.race.step());
        let question = u64::from(self.race_no) * u64::from(setup::STEP_LIMIT_MAX) + step;
        let person = Duration::from_millis(PERSON_STEP_MS.into());
        let ask = Ask {
            // One bank of time for a race, and for each step of a person a time of its own.
            bot: Clock { id: self.race_no, budget: think },
            bot_total: None,
            person: Clock { id: question as u32, budget: person },
            starts: Starts::WhenWritten,
        };
        Turn::Ask(PerSeat::new(N_SEATS, |it| self.is_asked(it.0.into()).then_some(ask)))
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<(), Illegal> {
        if self.is_over {
            return Err(Illegal("the match is over".into()));
        }
        let no = usize::from(seat.0);
        if no >= N_SEATS || !self.is_asked(no) {
            return Err(Illegal("it is not asked now".into()));
        }
        self.judge(action).map(|_| ()).map_err(Illegal)
    }

    fn play(&mut self, ply: &Ply<Action>, events: &mut Vec<Event>) {
        if self.is_over {
            return;
        }
        let mut answers = [None, None];
        for no in SEATS {
            if self.is_asked(no) {
                let answer = ply.get(Seat(no as u8)).and_then(Option::as_ref);
                answers[no] = Some(self.hear(no, answer, events));
            }
        }
        if self.is_ready {
            self.step(answers, events);
        } else {
            for (no, answer) in answers.into_iter().enumerate() {
                if let Some(Err(cause)) = answer {
                    self.disqualify(no, cause, events);
                }
            }
            self.is_ready = true;
        }
        if self.race.is_over() {
            self.pass_on(events);
        }
    }

    fn view(&self, eye: Option<Seat>) -> View {
        let course = &self.course;
        let sees_all = eye.is_none() || self.is_over;
        let sees = self.race.sees();
        View {
            race: self.race_no,
            step: self.is_ready.then(|| self.race.step()),
            width: course.width(),
            length: course.length(),
            vision: course.vision(),
            step_limit: course.step_limit(),
            think_ms: course.think_ms(),
            sees,
            players: SEATS.map(|no| {
                let player = self.race.players()[no];
                let racing = player.standing == Standing::Racing;
                Runner { at: player.at, velocity: player.velocity, racing }
            }),
            times: self.times,
            rows: Rows::below(course, if sees_all { course.length() } else { sees }),
            end: self.is_over.then(|| Ended { sums: self.sums(), why: self.why() }),
        }
    }

    /// Both players see the same.
    fn shared_eyes(seats: &[Seat]) -> Option<Seat> {
        seats.first().copied()
    }

    fn round(&self) -> u32 {
        self.race_no
    }
}

/// The course from the goal down to the start, with the players below.
fn draw(course: &Course) -> String {
    let mut text = String::new();
    for y in (0..course.length()).rev() {
        let row = course.row(y).unwrap_or_default();
        text.extend(row.iter().map(|it| match it {
            Ground::Flat => '.',
            Ground::Obstacle => '#',
            Ground::Pond => '~',
        }));
        text.push('\n');
    }
    let [one, other] = course.starts();
    text.extend((0..course.width()).map(|x| match x {
        _ if x == one => '0',
        _ if x == other => '1',
        _ => ' ',
    }));
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
    text
}
