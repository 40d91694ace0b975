//! The rules of a match: fight after fight between the same two, who is asked on which clock, and
//! what an answer or its absence costs.

use alloc::{format, string::String, vec::Vec};
use core::{cmp::Ordering, time::Duration};

use game::{
    Answer, Ask, Better, Clock, End, Fault, Field, Fraction, Game, Illegal, Measure, Outcome,
    PerSeat, Ply, Seat, Sitter, Starts, Turn,
};

use crate::{
    action::{Action, Move},
    event::{Cause, Event, How, Name},
    fight::{Death, Fight, Flight, Round},
    setup::{self, Setup, Sides},
    view::{Ended, Sight, View},
};

/// Late turns of a match with which a seat is out.
pub const LATE_TURNS_MAX: u32 = 5;
/// Time of a person for one round.
pub const PERSON_ROUND_MS: u32 = 60_000;

const N_SEATS: usize = 2;
const SEATS: [usize; N_SEATS] = [0, 1];
/// Planes of each seat.
const PLANES: [usize; 2] = [0, 1];

/// A match of Planes.
#[derive(Clone, Debug)]
pub struct Planes {
    setup: Setup,
    /// Which fight, from 0; the last one that was fought when the match is over.
    fight_no: u32,
    /// Which round of it, from 0.
    round_no: u32,
    fight: Fight,
    won: [u32; N_SEATS],
    drawn: u32,
    late: [u32; N_SEATS],
    /// In which fight a seat dropped out, and why.
    out: [Option<(u32, Cause)>; N_SEATS],
    is_over: bool,
}

impl Planes {
    /// The fight under way, or the last one.
    pub fn fight(&self) -> &Fight {
        &self.fight
    }

    /// Which round comes next in it, from 0.
    pub fn round_no(&self) -> u32 {
        self.round_no
    }

    /// Fights won, by seat.
    pub fn won(&self) -> [u32; N_SEATS] {
        self.won
    }

    /// Fights drawn.
    pub fn drawn(&self) -> u32 {
        self.drawn
    }

    /// Who dropped out in which fight, from 0, and why, by seat.
    pub fn out(&self) -> &[Option<(u32, Cause)>; N_SEATS] {
        &self.out
    }

    /// The seat that is player 1, or 2, in the fight under way: the same table serves both ways.
    fn seat_of(&self, player: usize) -> usize {
        match self.setup.sides {
            Sides::Alternate if self.fight_no % 2 == 1 => 1 - player,
            Sides::Alternate | Sides::Fixed => player,
        }
    }

    /// Which plane of the fight is that of a seat.
    fn plane_of(&self, seat: usize, no: usize) -> usize {
        2 * self.seat_of(seat) + no
    }

    fn name_of(&self, plane: usize) -> Name {
        Name { seat: Seat(self.seat_of(plane / 2) as u8), no: (plane % 2) as u8 }
    }

    /// A value for each plane of the fight, by seat.
    fn by_seat<T>(&self, mut of: impl FnMut(usize) -> T) -> [[T; 2]; N_SEATS] {
        SEATS.map(|seat| PLANES.map(|no| of(self.plane_of(seat, no))))
    }

    fn is_asked(&self, seat: usize) -> bool {
        !self.is_over && self.out[seat].is_none()
    }

    /// What the answer of a seat that was asked comes to.
    fn hear(
        &mut self,
        seat: usize,
        answer: Option<&Answer<Action>>,
        events: &mut Vec<Event>,
    ) -> [Option<Move>; 2] {
        let name = Seat(seat as u8);
        let cause = match answer {
            Some(Answer::Action(Action(moves))) => {
                for no in PLANES {
                    let flies = self.fight.planes()[self.plane_of(seat, no)].alive;
                    if moves[no].is_none() && flies {
                        events.push(Event::Garbled { plane: Name { seat: name, no: no as u8 } });
                    }
                }
                return *moves;
            }
            Some(Answer::Fault(Fault::Late)) => {
                self.late[seat] += 1;
                let turns = self.late[seat];
                events.push(Event::Late { seat: name, turns });
                if turns < LATE_TURNS_MAX {
                    return [None; 2];
                }
                Cause::Late
            }
            Some(Answer::Fault(Fault::LateTotal)) => Cause::Total,
            Some(Answer::Fault(Fault::Gone(end))) => Cause::Gone { end: *end },
            Some(Answer::Fault(Fault::Garbled(why))) => Cause::Protocol { why: why.clone() },
            None => Cause::Gone { end: End::ClosedOutput },
        };
        self.out[seat] = Some((self.fight_no, cause.clone()));
        events.push(Event::Out { seat: name, cause });
        [None; 2]
    }

    /// Flies a round; moves are by seat.
    fn fly(&mut self, said: [[Option<Move>; 2]; N_SEATS], events: &mut Vec<Event>) {
        let before = *self.fight.planes();
        let moves = [0, 1, 2, 3].map(|plane| said[self.seat_of(plane / 2)][plane % 2]);
        let Round(flights) = self.fight.play(moves);
        let planes = self.by_seat(|it| flights[it].map(|it| Sight::of(&it.plane)));
        for (plane, flight) in flights.iter().enumerate() {
            if let (Some(Flight { refused: true, .. }), Some(said)) = (flight, moves[plane]) {
                events.push(Event::Refused { plane: self.name_of(plane), turn: said.letters });
            }
        }
        events.push(Event::Flown { fight: self.fight_no, round: self.round_no, planes });
        for (no, flight) in flights.iter().enumerate() {
            let Some(flight) = flight else { continue };
            let (plane, at) = (self.name_of(no), flight.plane.at);
            match flight.death {
                Some(Death::Wall) => events.push(Event::Wall { plane, from: before[no].at }),
                Some(Death::Crash) => events.push(Event::Crash { plane, at }),
                Some(Death::Shot) | None => {}
            }
            if let Some(shot) = flight.shot {
                let hit = (0..shot.hit.len()).filter(|it| shot.hit[*it]);
                let hit = hit.map(|it| self.name_of(it)).collect();
                events.push(Event::Shot { plane, from: at, to: shot.to, hit });
            }
        }
        self.round_no += 1;
        if let Some(how) = self.how_ended() {
            self.end_fight(how, events);
        }
    }

    fn how_ended(&self) -> Option<How> {
        match self.fight.left() {
            [0, 0] => Some(How::BothOut),
            [0, _] | [_, 0] => Some(How::Out),
            _ if self.round_no >= self.setup.rounds => Some(How::Rounds),
            _ => None,
        }
    }

    /// The fight is over: the next one begins, or the match is over too.
    fn end_fight(&mut self, how: How, events: &mut Vec<Event>) {
        let by_player = self.fight.left();
        let left = SEATS.map(|it| by_player[self.seat_of(it)]);
        let winner = match left {
            [one, other] if one > other => Some(0),
            [one, other] if one < other => Some(1),
            _ => None,
        };
        let (fight, rounds) = (self.fight_no, self.round_no);
        let name = winner.map(|it| Seat(it as u8));
        events.push(Event::FightEnded { fight, rounds, winner: name, how, left });
        self.count(winner, 1);
        if fight + 1 < self.setup.fights && self.out == [None, None] {
            self.fight_no += 1;
            return self.begin_fight(events);
        }
        let fights = self.setup.fights - (fight + 1);
        if fights > 0 {
            let winner = match &self.out {
                [Some(_), None] => Some(1),
                [None, Some(_)] => Some(0),
                _ => None,
            };
            events.push(Event::Forfeited { fights, winner: winner.map(|it| Seat(it as u8)) });
            self.count(winner, fights);
        }
        self.is_over = true;
        events.push(Event::Ended { won: self.won, drawn: self.drawn });
    }

    fn count(&mut self, winner: Option<usize>, fights: u32) {
        match winner {
            Some(seat) => self.won[seat] += fights,
            None => self.drawn += fights,
        }
    }

    fn begin_fight(&mut self, events: &mut Vec<Event>) {
        self.round_no = 0;
        self.fight = Fight::new(self.setup.size, self.setup.rules.switches());
        let (fight, first) = (self.fight_no, Seat(self.seat_of(0) as u8));
        events.push(Event::FightStarted { fight, first, won: self.won });
    }

    fn outcome(&self) -> Outcome {
        let [one, other] = self.won;
        // Of 2 match points each gets so many; their halves are what ratings count.
        let (places, points) = match one.cmp(&other) {
            Ordering::Greater => ([1, 2], [2, 0]),
            Ordering::Equal => ([1, 1], [1, 1]),
            Ordering::Less => ([2, 1], [0, 2]),
        };
        let halves = points.map(|it| Fraction::new(it, 2));
        let counted = [self.won, [other, one], [self.drawn; N_SEATS]];
        let counted = counted.map(|it| it.map(|it| Fraction::from(i64::from(it))));
        Outcome {
            places: Vec::from(places).into(),
            score: Vec::from(halves).into(),
            measures: counted.map(|it| Vec::from(it).into()).into(),
            why: self.why().into(),
        }
    }

    fn why(&self) -> String {
        let [one, other] = self.won;
        let mut why = format!("{one} fights won against {other}, {} drawn", self.drawn);
        for (out, who) in self.out.iter().zip(["the first", "the second"]) {
            if let Some((fight, cause)) = out {
                why += &format!("; {who} was out from fight {}: {cause}", fight + 1);
            }
        }
        why
    }
}

impl Game for Planes {
    const ID: &'static str = "planes";
    const RULES: u32 = 1;
    const ROLES: &'static [&'static str] = &["player", "player"];
    const MEASURES: &'static [Measure] = &[
        Measure { name: "fights_won", label: "Fights won", better: Better::More },
        Measure { name: "fights_lost", label: "Fights lost", better: Better::Less },
        Measure { name: "fights_drawn", label: "Fights drawn", better: Better::More },
    ];
    const FIELDS: &'static [Field] = setup::FIELDS;

    type Setup = Setup;
    type Action = Action;
    type Event = Event;
    type View = View;

    fn start(
        setup: &Setup,
        sitters: &PerSeat<Sitter>,
        events: &mut Vec<Event>,
    ) -> Result<Planes, Illegal> {
        setup.check()?;
        let found = sitters.n_seats();
        if found != N_SEATS {
            return Err(Illegal(format!("sitters: found {found}, allowed are {N_SEATS}").into()));
        }
        let Setup { size, rounds, fights, .. } = *setup;
        events.push(Event::MatchStarted { size, rounds, fights });
        let mut game = Planes {
            fight: Fight::new(size, setup.rules.switches()),
            setup: setup.clone(),
            fight_no: 0,
            round_no: 0,
            won: [0; N_SEATS],
            drawn: 0,
            late: [0; N_SEATS],
            out: [None, None],
            is_over: false,
        };
        game.begin_fight(events);
        Ok(game)
    }

    fn turn(&self) -> Turn {
        if self.is_over {
            return Turn::Over(self.outcome());
        }
        let id = self.fight_no * setup::ROUNDS_MAX + self.round_no;
        let clock = |ms: u32| Clock { id, budget: Duration::from_millis(ms.into()) };
        let total = Duration::from_millis(self.setup.total_ms.into());
        let ask = Ask {
            bot: clock(self.setup.turn_ms),
            bot_total: Some(Clock { id: 0, budget: total }),
            person: clock(PERSON_ROUND_MS),
            starts: Starts::WhenWritten,
        };
        Turn::Ask(PerSeat::new(N_SEATS, |it| self.is_asked(it.0.into()).then_some(ask)))
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<(), Illegal> {
        if self.is_over {
            return Err(Illegal("the match is over".into()));
        }
        let seat = usize::from(seat.0);
        if seat >= N_SEATS || !self.is_asked(seat) {
            return Err(Illegal("it is not asked now".into()));
        }
        for (no, which) in PLANES.into_iter().zip(["first", "second"]) {
            let plane = &self.fight.planes()[self.plane_of(seat, no)];
            if !plane.alive {
                continue;
            }
            let Some(said) = action.0[no] else {
                return Err(Illegal(format!("the {which} plane has no move").into()));
            };
            let to = said.letters.direction(self.setup.rules.switches().first_letter_wins);
            if !to.is_some_and(|to| plane.heading.allows(to)) {
                let allowed: Vec<_> = plane.heading.turns().map(|it| it.letters()).collect();
                let (from, found, allowed) = (plane.heading, said.letters, allowed.join(", "));
                let text = format!(
                    "the {which} plane: found the turn {found}, allowed from {from} are {allowed}"
                );
                return Err(Illegal(text.into()));
            }
        }
        Ok(())
    }

    fn play(&mut self, ply: &Ply<Action>, events: &mut Vec<Event>) {
        if self.is_over {
            return;
        }
        let said = SEATS.map(|seat| match self.is_asked(seat) {
            true => self.hear(seat, ply.get(Seat(seat as u8)).and_then(Option::as_ref), events),
            false => [None; 2],
        });
        self.fly(said, events);
        // With nobody left to ask, the planes go straight on until the fight is over.
        while !self.is_over && SEATS.iter().all(|it| !self.is_asked(*it)) {
            self.fly([[None; 2]; N_SEATS], events);
        }
    }

    fn view(&self, _: Option<Seat>) -> View {
        let planes = self.fight.planes();
        let sight = |it: usize| planes[it].alive.then(|| Sight::of(&planes[it]));
        View {
            size: self.setup.size,
            rounds: self.setup.rounds,
            fights: self.setup.fights,
            fight: self.fight_no,
            round: self.round_no,
            first: Seat(self.seat_of(0) as u8),
            planes: self.by_seat(sight),
            won: self.won,
            drawn: self.drawn,
            late: self.late,
            out: self.out.each_ref().map(Option::is_some),
            end: self.is_over.then(|| Ended { why: self.why() }),
        }
    }

    /// All see the same.
    fn shared_eyes(seats: &[Seat]) -> Option<Seat> {
        seats.first().copied()
    }

    fn round(&self) -> u32 {
        self.fight_no
    }
}
