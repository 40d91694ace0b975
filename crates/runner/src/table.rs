//! A match at the table: carries out what the referee wants, and tells it what happens.

mod clock;

use std::{
    collections::VecDeque,
    future::poll_fn,
    ops::ControlFlow,
    task::Poll,
    time::{Duration, Instant},
};

use game::{End, Outcome, PerSeat, Seat};
use nix::sys::signal::Signal;
use referee::{AnyReferee, Effect, Input, Spent, Void};
use serde_json::Value as Json;
use thiserror::Error;
use tokio::sync::mpsc;

use self::clock::{Clock, Timer};
use crate::{
    fairness::{Charge, Disturbance, Fairness, Host, Verdict, Watch},
    feed::Feed,
    play::{Deed, FromPeople, Terms},
    player::{CHUNK_BYTES, Happening, Player},
    process::{Ended, Program, Rest, StartError, Trouble},
    tally::Tally,
};

/// Less than this, in which an answer neither ran nor waited for a processor, is not looked into.
const FORGIVEN_FROM: Duration = Duration::from_millis(1);

/// Decisions of people that wait for their ply. Nobody can decide more than the one that comes next.
const DECIDED_MAX: usize = 64;
/// A pause that takes no longer to take hold makes nobody late.
const EXCUSED_FROM: Duration = Duration::from_micros(200);

/// Why a match was not finished: never a bot's fault.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The referee cannot go on.
    #[error("the match cannot be finished: {0}")]
    Void(#[from] Void),
    /// It went on longer than any match may.
    #[error("the match was not over after {} s, the most that any match may take", .0.as_secs())]
    TooLong(Duration),
    /// A process could not be handled.
    #[error("seat {}: {trouble}", seat.0)]
    Trouble {
        /// Whose process.
        seat: Seat,
        /// What happened.
        trouble: Trouble,
    },
    /// A bot was late, and the host may be why.
    #[error("seat {}, ply {ply}: {disturbance}", seat.0)]
    Disturbed {
        /// Whose answer.
        seat: Seat,
        /// Index of the ply it would have been of.
        ply: u32,
        /// What was measured.
        disturbance: Disturbance,
    },
    /// A bot is asked, and there is no program for it.
    #[error("no program sits on seat {}", .0.0)]
    NoProgram(Seat),
}

/// A match under way.
pub(crate) struct Table<'a, P: Program> {
    pub(crate) referee: Box<dyn AnyReferee>,
    pub(crate) tally: Tally,
    pub(crate) feed: Feed,
    programs: &'a PerSeat<Option<P>>,
    players: PerSeat<Option<Player<P::Process>>>,
    /// What happened, and is to be told next.
    told: VecDeque<Input<Json>>,
    /// Where decisions of people come in.
    people: Option<mpsc::Receiver<FromPeople>>,
    /// What came in, and is not told yet.
    decided: VecDeque<Deed>,
    clock: Clock,
    fairness: Fairness,
    host: Box<dyn Watch>,
    /// What the host had cost before each bot's question.
    lost_before: PerSeat<Duration>,
    timer: Timer,
    chunk: Vec<u8>,
    /// Who is looked at first; it goes round.
    first: usize,
}

/// How a match came to its end here.
pub(crate) enum Finish {
    Over(Outcome),
    /// Enough was seen.
    Broken,
}

enum Event {
    Player(Seat, Happening),
    Decided(Deed),
    Due,
}

impl<'a, P: Program> Table<'a, P> {
    pub(crate) fn new(
        referee: Box<dyn AnyReferee>,
        programs: &'a PerSeat<Option<P>>,
        terms: &Terms,
        tally: Tally,
        feed: Feed,
    ) -> Table<'a, P> {
        let started = Instant::now();
        let wall_max = terms.wall_max;
        Table {
            referee,
            tally,
            feed,
            programs,
            players: programs.map(|_, _| None),
            told: VecDeque::new(),
            people: None,
            decided: VecDeque::new(),
            clock: Clock::new(started, wall_max),
            fairness: terms.fairness,
            host: Box::new(Host::new()),
            lost_before: programs.map(|_, _| Duration::ZERO),
            timer: Timer::new(started + wall_max),
            chunk: vec![0; CHUNK_BYTES],
            first: 0,
        }
    }

    /// Has another tell what the host costs.
    #[cfg(test)]
    pub(crate) fn watch(&mut self, host: Box<dyn Watch>) {
        self.host = host;
    }

    /// Has what people decide come in here.
    pub(crate) fn listen_to(&mut self, people: Option<mpsc::Receiver<FromPeople>>) {
        self.people = people;
    }

    /// Lets people's time pass at once, as none are there.
    pub(crate) fn skip_people(&mut self) {
        self.clock.skips_people = true;
    }

    /// Plays on until the end, or until `after` has seen enough of the plies.
    pub(crate) async fn play(
        &mut self,
        mut after: impl FnMut(&Tally) -> ControlFlow<()>,
    ) -> Result<Finish, PlayError> {
        loop {
            while let Some(effect) = self.referee.poll() {
                if let Some(outcome) = self.carry_out(effect)? {
                    return Ok(Finish::Over(outcome));
                }
                if after(&self.tally).is_break() {
                    return Ok(Finish::Broken);
                }
            }
            if let Some(input) = self.told.pop_front() {
                self.tell(input);
                continue;
            }
            if self.act() {
                continue;
            }
            if self.clock.skips_people && self.skip() {
                continue;
            }
            match self.next().await? {
                Event::Player(seat, happening) => self.happened(seat, happening)?,
                Event::Decided(deed) if self.decided.len() < DECIDED_MAX => {
                    self.decided.push_back(deed);
                }
                Event::Decided(_) => {}
                Event::Due => self.look_at_clocks()?,
            }
        }
    }

    /// Ends all processes.
    pub(crate) fn clear(&mut self) -> Result<(), PlayError> {
        self.players.seats().try_for_each(|seat| self.stop(seat))
    }

    fn carry_out(&mut self, effect: Effect) -> Result<Option<Outcome>, PlayError> {
        match effect {
            Effect::Start(seat) => self.start(seat)?,
            Effect::Stop(seat) => self.stop(seat)?,
            Effect::Send(seat, bytes) => {
                let Some(player) = &mut self.players[seat] else { return Ok(None) };
                let n_bytes = player.send(&bytes);
                if n_bytes > 0 {
                    self.told.push_back(Input::Written { seat, n_bytes });
                }
            }
            Effect::Wake(seat, starts) => {
                if let Some(player) = &mut self.players[seat] {
                    self.lost_before[seat] = self.host.lost_lately(Instant::now());
                    player.wake(starts).map_err(at(seat))?;
                }
            }
            Effect::Rest(seat) => self.rest(seat).map_err(at(seat))?,
            Effect::Played(ply_no) => {
                self.tally.played(ply_no, &*self.referee);
                self.feed.played(Instant::now(), &*self.referee);
            }
            Effect::Refuse(seat, why) => tracing::debug!(seat = seat.0, %why, "refused"),
            Effect::Over(outcome) => return Ok(Some(outcome)),
            Effect::Void(void) => return Err(void.into()),
        }
        Ok(None)
    }

    fn start(&mut self, seat: Seat) -> Result<(), PlayError> {
        // What an earlier process of this seat did is told no more.
        self.stop(seat)?;
        let program = self.programs[seat].as_ref().ok_or(PlayError::NoProgram(seat))?;
        match program.start(&self.referee.arguments()) {
            Ok((process, pipes)) => {
                // Where bots may write ahead, they may also have heard enough.
                let must_hear = self.referee.drains();
                self.players[seat] = Some(Player::new(process, pipes, must_hear));
            }
            Err(StartError::Program(why)) => {
                self.tally.stderr[seat].push(why.as_bytes());
                let (end, spent) = (End::NotStarted, Spent::default());
                self.told.push_back(Input::Ended { seat, end, spent });
            }
            Err(StartError::Trouble(trouble)) => return Err(PlayError::Trouble { seat, trouble }),
        }
        Ok(())
    }

    fn rest(&mut self, seat: Seat) -> Result<(), Trouble> {
        let Some(player) = &mut self.players[seat] else { return Ok(()) };
        let begun = Instant::now();
        let rest = player.rest()?;
        // One that takes long to stand must not make another late, who is asked at the same time.
        let held = begun.elapsed();
        for other in self.players.seats().filter(|it| *it != seat && held >= EXCUSED_FROM) {
            if let Some(player) = &mut self.players[other] {
                player.excuse(held);
            }
        }
        let Some(player) = &mut self.players[seat] else { return Ok(()) };
        let drains = self.referee.drains();
        let bytes = if drains { player.drain(&mut self.chunk) } else { Vec::new() };
        self.told.push_back(Input::Rested { seat, bytes });
        if player.out_of_memory()? {
            let (end, spent) = (End::OutOfMemory, Spent::default());
            self.told.push_back(Input::Ended { seat, end, spent });
        } else if rest == Rest::Killed {
            let (end, spent) = (End::Signalled(Signal::SIGKILL as i32), Spent::default());
            self.told.push_back(Input::Ended { seat, end, spent });
        }
        Ok(())
    }

    fn stop(&mut self, seat: Seat) -> Result<(), PlayError> {
        self.told.retain(|it| !is_of(it, seat));
        let Some(player) = self.players[seat].take() else { return Ok(()) };
        let bill = player.stop(&mut self.chunk, &mut self.tally.stderr[seat]).map_err(at(seat))?;
        self.tally.stopped(seat, &bill);
        Ok(())
    }

    fn happened(&mut self, seat: Seat, happening: Happening) -> Result<(), PlayError> {
        let Some(player) = &mut self.players[seat] else { return Ok(()) };
        let input = match happening {
            Happening::Written(n_bytes) => Input::Written { seat, n_bytes },
            Happening::Output(bytes) => {
                let spent = player.spent(self.fairness.charge).map_err(at(seat))?;
                let spent = self.weigh(seat, spent, true)?;
                Input::Output { seat, bytes, spent }
            }
            Happening::Ended(Ended { end, why: _ }) => {
                let spent = player.spent(self.fairness.charge).map_err(at(seat))?;
                Input::Ended { seat, end, spent }
            }
        };
        self.tell(input);
        Ok(())
    }

    /// Tells what people have decided, if it is what they are asked now. What is for a ply that
    /// has been played counts for nothing; what is for one to come waits, as a match that goes
    /// on may take a while to come to where it was.
    fn act(&mut self) -> bool {
        let next = self.referee.n_plies();
        self.decided.retain(|it| it.ply >= next);
        let Some(at) = self.decided.iter().position(|it| it.ply == next) else { return false };
        let Some(Deed { seat, action, log, .. }) = self.decided.remove(at) else { return false };
        self.tell(Input::Act { seat, action, log });
        true
    }

    /// Tells what every bot that is awake has cost so far.
    fn look_at_clocks(&mut self) -> Result<(), PlayError> {
        let now = Instant::now();
        if now >= self.clock.started + self.clock.wall_max {
            return Err(PlayError::TooLong(self.clock.wall_max));
        }
        if self.feed.due().is_some_and(|it| it <= now) {
            self.feed.send(now, &*self.referee);
        }
        let due = self.referee.poll_timeout().and_then(|it| self.clock.instant(it));
        if due.is_none_or(|it| it > now) {
            return Ok(());
        }
        let mut nobody = true;
        for seat in self.players.seats() {
            let player = self.players[seat].as_mut().filter(|it| it.is_awake());
            let Some(player) = player else { continue };
            nobody = false;
            let spent = player.spent(self.fairness.charge).map_err(at(seat))?;
            let input = if player.out_of_memory().map_err(at(seat))? {
                Input::Ended { seat, end: End::OutOfMemory, spent }
            } else if let Some(end) = player.lost_pipe() {
                Input::Ended { seat, end, spent }
            } else {
                Input::Waited { seat, spent: self.weigh(seat, spent, false)? }
            };
            self.told.push_back(input);
        }
        if nobody {
            self.told.push_back(Input::Tick);
        }
        Ok(())
    }

    /// Holds what a question has cost against what the host did meanwhile.
    fn weigh(&mut self, seat: Seat, spent: Spent, answered: bool) -> Result<Spent, PlayError> {
        let Some(left) = self.referee.left(seat).filter(|it| spent.charged > *it) else {
            return Ok(self.forgive(seat, spent));
        };
        let lost = self.host.lost().saturating_sub(self.lost_before[seat]);
        match self.fairness.verdict(&Disturbance { spent, left, lost }) {
            Verdict::Stands => Ok(spent),
            // It gets as much longer as we may have been late to look.
            Verdict::Doubt if !answered => Ok(Spent { charged: left, ..spent }),
            Verdict::Doubt => Err(PlayError::Disturbed {
                seat,
                ply: self.referee.n_plies(),
                disturbance: Disturbance { spent, left, lost },
            }),
        }
    }

    /// Takes off what we were late to look at an answer in time. Of an account that many answers
    /// share, nothing else would be left on a busy host.
    fn forgive(&mut self, seat: Seat, spent: Spent) -> Spent {
        let idle = spent.charged.saturating_sub(spent.cpu);
        if self.fairness.charge == Charge::Wall || idle < FORGIVEN_FROM {
            return spent;
        }
        let lost = self.host.lost().saturating_sub(self.lost_before[seat]).min(idle);
        Spent::charge(spent.wall, spent.cpu, spent.stall + lost)
    }

    /// Lets a person's time pass, if the match waits for nothing else.
    fn skip(&mut self) -> bool {
        if self.players.iter().any(|(_, it)| it.as_ref().is_some_and(Player::is_awake)) {
            return false;
        }
        let Some(due) = self.referee.poll_timeout() else { return false };
        self.clock.skipped += due.saturating_sub(self.clock.now(Instant::now()));
        self.tell(Input::Tick);
        true
    }

    fn tell(&mut self, input: Input<Json>) {
        let now = self.clock.now(Instant::now());
        if let Err(why) = self.referee.handle(now, input) {
            tracing::debug!(%why, "refused");
        }
    }

    async fn next(&mut self) -> Result<Event, PlayError> {
        poll_fn(|cx| {
            loop {
                let now = Instant::now();
                let n_seats = self.players.n_seats();
                self.first = (self.first + 1) % n_seats.max(1);
                let mut due = self.clock.started + self.clock.wall_max;
                for it in 0..n_seats {
                    let seat = Seat(((self.first + it) % n_seats) as u8);
                    let Some(player) = &mut self.players[seat] else { continue };
                    let stderr = &mut self.tally.stderr[seat];
                    if let Poll::Ready(happening) = player.poll(now, &mut self.chunk, stderr, cx) {
                        let event = happening.map(|it| Event::Player(seat, it));
                        return Poll::Ready(event.map_err(at(seat)));
                    }
                    due = due.min(player.due().unwrap_or(due));
                }
                while let Some(people) = &mut self.people {
                    match people.poll_recv(cx) {
                        Poll::Ready(Some(FromPeople::Decided(deed))) => {
                            return Poll::Ready(Ok(Event::Decided(deed)));
                        }
                        Poll::Ready(Some(FromPeople::Away)) => self.clock.halt(now),
                        Poll::Ready(Some(FromPeople::Back)) => self.clock.go_on(now),
                        Poll::Ready(None) => {
                            self.people = None;
                            self.clock.go_on(now);
                        }
                        Poll::Pending => break,
                    }
                }
                let clocks = self.referee.poll_timeout().and_then(|it| self.clock.instant(it));
                due = due.min(clocks.unwrap_or(due)).min(self.feed.due().unwrap_or(due));
                if due <= now {
                    return Poll::Ready(Ok(Event::Due));
                }
                if self.timer.poll(due, cx).is_pending() {
                    return Poll::Pending;
                }
            }
        })
        .await
    }
}

fn at(seat: Seat) -> impl Fn(Trouble) -> PlayError {
    move |trouble| PlayError::Trouble { seat, trouble }
}

fn is_of(input: &Input<Json>, whose: Seat) -> bool {
    match input {
        Input::Written { seat, .. }
        | Input::Output { seat, .. }
        | Input::Rested { seat, .. }
        | Input::Ended { seat, .. }
        | Input::Waited { seat, .. } => *seat == whose,
        Input::Act { .. } | Input::Tick => false,
    }
}

#[cfg(test)]
mod tests;
