//! A match with bots that babble, and a clock that is a number.

use std::{mem, time::Duration};

use game::{Ahead, Dialect, End, Game, PerSeat, Seat, Sitter};
use proptest::prelude::*;
use referee::{AnyGame, AnyReferee, Effect, Input, Now, Referee, Spent};
use serde_json::Value as Json;

/// Something a simulated bot does, if it is awake.
#[derive(Clone, Debug)]
pub enum Step {
    /// Says so many bytes, having thought for so long.
    Say(Seat, Vec<u8>, Duration),
    /// Lets its time run out.
    Sleep(Seat),
    /// Ends.
    End(Seat, End),
}

/// Effects after which a match that has not ended never will.
const EFFECTS_MAX: usize = 2_000_000;

/// Plays a match of `steps`, and then of silence, to its end. What a bot says
/// reaches the referee `chunk_bytes` at a time. Every question that no step
/// answers goes unanswered until its time is over.
///
/// # Panics
///
/// Where the match does not end, or ends as void.
pub fn simulate<G: Game, D: Dialect<G>>(
    setup: &G::Setup,
    steps: &[Step],
    chunk_bytes: usize,
) -> Referee<G, D> {
    let sitters = PerSeat::new(G::ROLES.len(), |_| Sitter::Bot);
    let referee = Referee::<G, D>::new(setup, sitters).expect("the set-ups of a kit are legal");
    go_on(referee, steps, chunk_bytes)
}

/// The same of a game whose types are not known.
///
/// # Panics
///
/// As [`simulate`], and where the set-up is not the game's.
pub fn simulate_any(
    game: &dyn AnyGame,
    setup: &Json,
    steps: &[Step],
    chunk_bytes: usize,
) -> Box<dyn AnyReferee> {
    let n_seats = game.roles().len();
    let sitters = PerSeat::new(n_seats, |_| Sitter::Bot);
    let referee = game.referee(setup, sitters).expect("the set-up is one that was checked");
    run(referee, n_seats, steps, chunk_bytes)
}

/// The same from any position on.
pub(crate) fn go_on<G: Game, D: Dialect<G>>(
    referee: Referee<G, D>,
    steps: &[Step],
    chunk_bytes: usize,
) -> Referee<G, D> {
    run(referee, G::ROLES.len(), steps, chunk_bytes)
}

fn run<R: Driven>(referee: R, n_seats: usize, steps: &[Step], chunk_bytes: usize) -> R {
    let mut simulation = Simulation {
        referee,
        bots: PerSeat::new(n_seats, |_| Bot::default()),
        chunk_bytes,
        now: Duration::ZERO,
        over: false,
        n_effects: 0,
    };
    simulation.work_off();
    for step in steps {
        simulation.take(step);
    }
    while !simulation.over {
        let asleep = "a match that is not over has a question open";
        let (seat, _) = simulation.bots.iter().find(|(_, it)| it.awake).expect(asleep);
        simulation.take(&Step::Sleep(seat));
    }
    simulation.referee
}

/// Babble for `n_seats` bots: whole words of the protocol, pieces of them, and noise.
pub(crate) fn steps(n_seats: usize, words: &[&'static [u8]]) -> impl Strategy<Value = Vec<Step>> {
    let seat = (0..n_seats as u8).prop_map(Seat);
    let words = words.to_vec();
    let word = prop_oneof![
        8 => proptest::sample::select(words.clone()).prop_map(<[u8]>::to_vec),
        1 => (proptest::sample::select(words), any::<prop::sample::Index>())
            .prop_map(|(it, cut)| it[..cut.index(it.len() + 1)].to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..20),
    ];
    let bytes = proptest::collection::vec(word, 1..6).prop_map(|it| it.concat());
    let thought = (0_u64..30).prop_map(Duration::from_millis);
    let end = prop_oneof![Just(End::Exited(0)), Just(End::Signalled(11)), Just(End::OutOfMemory)];
    let step = prop_oneof![
        40 => (seat.clone(), bytes, thought).prop_map(|(seat, it, thought)| Step::Say(seat, it, thought)),
        2 => seat.clone().prop_map(Step::Sleep),
        1 => (seat, end).prop_map(|(seat, end)| Step::End(seat, end)),
    ];
    proptest::collection::vec(step, 0..60)
}

/// A referee, with types that are known or not.
trait Driven {
    /// What people decide; here are none.
    type Action;
    fn handle(&mut self, now: Now, input: Input<Self::Action>);
    fn poll(&mut self) -> Option<Effect>;
    fn drains(&self) -> bool;
}

impl<G: Game, D: Dialect<G>> Driven for Referee<G, D> {
    type Action = G::Action;
    fn handle(&mut self, now: Now, input: Input<G::Action>) {
        Referee::handle(self, now, input);
    }
    fn poll(&mut self) -> Option<Effect> {
        Referee::poll(self)
    }
    fn drains(&self) -> bool {
        D::AHEAD != Ahead::Keep
    }
}

impl Driven for Box<dyn AnyReferee> {
    type Action = Json;
    fn handle(&mut self, now: Now, input: Input<Json>) {
        (**self).handle(now, input).expect("nobody decides by hand");
    }
    fn poll(&mut self) -> Option<Effect> {
        (**self).poll()
    }
    fn drains(&self) -> bool {
        (**self).drains()
    }
}

struct Simulation<R> {
    referee: R,
    bots: PerSeat<Bot>,
    chunk_bytes: usize,
    now: Duration,
    over: bool,
    n_effects: usize,
}

#[derive(Default)]
struct Bot {
    awake: bool,
    /// Said, but not read yet by the referee.
    pipe: Vec<u8>,
    /// What the question has cost so far.
    spent: Spent,
}

impl<R: Driven> Simulation<R> {
    fn take(&mut self, step: &Step) {
        let (Step::Say(seat, ..) | Step::Sleep(seat) | Step::End(seat, _)) = *step;
        if self.over || !self.bots[seat].awake {
            return;
        }
        match step {
            Step::Say(_, bytes, thought) => {
                self.now += *thought;
                let bot = &mut self.bots[seat];
                bot.pipe.extend_from_slice(bytes);
                bot.spent = Spent::charge(*thought, *thought / 2, Duration::ZERO);
            }
            Step::Sleep(_) => {
                let day = Duration::from_secs(24 * 60 * 60);
                self.now += day;
                let spent = Spent::charge(day, Duration::ZERO, Duration::ZERO);
                self.referee.handle(self.now, Input::Waited { seat, spent });
            }
            Step::End(_, end) => {
                let (end, spent) = (*end, Spent::default());
                self.referee.handle(self.now, Input::Ended { seat, end, spent });
            }
        }
        self.work_off();
    }

    /// Does what the referee wants, and lets it hear the pipes of bots that are awake.
    fn work_off(&mut self) {
        loop {
            while let Some(effect) = self.referee.poll() {
                self.obey(effect);
            }
            let heard = |(_, it): &(Seat, &mut Bot)| it.awake && !it.pipe.is_empty();
            let Some((seat, bot)) = self.bots.iter_mut().find(heard) else { return };
            let n_bytes = self.chunk_bytes.min(bot.pipe.len());
            let bytes = bot.pipe.drain(..n_bytes).collect();
            let spent = bot.spent;
            self.referee.handle(self.now, Input::Output { seat, bytes, spent });
        }
    }

    fn obey(&mut self, effect: Effect) {
        self.n_effects += 1;
        assert!(self.n_effects < EFFECTS_MAX, "the match does not end");
        assert!(!self.over, "{effect:?} after the end");
        match effect {
            Effect::Start(seat) | Effect::Stop(seat) => self.bots[seat] = Bot::default(),
            Effect::Send(seat, bytes) => {
                let n_bytes = bytes.len();
                self.referee.handle(self.now, Input::Written { seat, n_bytes });
            }
            Effect::Wake(seat, _) => {
                let bot = &mut self.bots[seat];
                (bot.awake, bot.spent) = (true, Spent::default());
            }
            Effect::Rest(seat) => {
                self.bots[seat].awake = false;
                let bytes = match self.referee.drains() {
                    true => mem::take(&mut self.bots[seat].pipe),
                    false => Vec::new(),
                };
                self.referee.handle(self.now, Input::Rested { seat, bytes });
            }
            Effect::Refuse(..) | Effect::Played(_) => (),
            Effect::Over(_) => self.over = true,
            Effect::Void(why) => panic!("the match is void: {why}"),
        }
    }
}
