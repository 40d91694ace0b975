//! A late answer on a host that stands in for a busy one.

use std::{
    io::{BufRead, BufReader, Write},
    os::fd::OwnedFd,
    sync::{Arc, Mutex},
    task::{Context, Poll},
    thread,
};

use game::{Fraction, Illegal, Remark, Starts};
use nix::{fcntl::OFlag, unistd::pipe2};
use referee::Now;
use serde_json::value::RawValue;

use super::*;
use crate::{Charge, Pipes, Process};

const LEFT: Duration = Duration::from_millis(100);
const QUESTION: &[u8] = b"?\n";

/// What the kernel would say of a bot.
#[derive(Clone, Copy, Default)]
struct Figures {
    answers_after: Option<Duration>,
    cpu: Duration,
    stall: Duration,
    stands_after: Duration,
}

struct Bot(Figures);

struct Running {
    figures: Figures,
    /// It has been asked since it was woken, so its figures count.
    asked: bool,
}

impl Program for Bot {
    type Process = Running;

    fn start(&self, _: &[String]) -> Result<(Running, Pipes), StartError> {
        let pipe = || pipe2(OFlag::O_CLOEXEC).expect("a pipe");
        let ((stdin, to_stdin), (from_stdout, stdout), (from_stderr, stderr)) =
            (pipe(), pipe(), pipe());
        let after = self.0.answers_after;
        thread::spawn(move || answer(stdin, stdout, stderr, after));
        let pipes = Pipes::new(to_stdin, from_stdout, from_stderr)?;
        Ok((Running { figures: self.0, asked: false }, pipes))
    }
}

fn answer(stdin: OwnedFd, stdout: OwnedFd, _stderr: OwnedFd, after: Option<Duration>) {
    let mut line = String::new();
    let mut from = BufReader::new(std::fs::File::from(stdin));
    let _ = from.read_line(&mut line);
    if let Some(after) = after {
        thread::sleep(after);
        let _ = std::fs::File::from(stdout).write_all(b"!\n");
    }
    // It ends when it is told no more.
    let _ = from.read_line(&mut line);
}

impl Process for Running {
    fn thaw(&mut self) -> Result<(), Trouble> {
        self.asked = true;
        Ok(())
    }
    fn freeze(&mut self) -> Result<Rest, Trouble> {
        thread::sleep(self.figures.stands_after);
        Ok(Rest::Rests)
    }
    fn cpu(&mut self) -> Result<Duration, Trouble> {
        Ok(if self.asked { self.figures.cpu } else { Duration::ZERO })
    }
    fn stall(&mut self) -> Result<Duration, Trouble> {
        Ok(if self.asked { self.figures.stall } else { Duration::ZERO })
    }
    fn out_of_memory(&mut self) -> Result<bool, Trouble> {
        Ok(false)
    }
    fn memory_peak_bytes(&mut self) -> Result<u64, Trouble> {
        Ok(0)
    }
    fn poll_ended(&mut self, _: &mut Context<'_>) -> Poll<Result<Ended, Trouble>> {
        Poll::Pending
    }
    fn kill(&mut self) -> Result<(), Trouble> {
        Ok(())
    }
}

/// Asks once, and is over when there is an answer, or too much time has passed.
struct Once {
    effects: VecDeque<Effect>,
    /// Once the questions are out.
    then: VecDeque<Effect>,
    due: Now,
    told: Arc<Mutex<Vec<(bool, Spent)>>>,
}

impl AnyReferee for Once {
    fn handle(&mut self, now: Now, input: Input<Json>) -> Result<(), Illegal> {
        let by_person = Spent { charged: now, wall: now, ..Spent::default() };
        let (answered, spent) = match input {
            Input::Output { spent, .. } => (true, spent),
            Input::Waited { spent, .. } => (false, spent),
            Input::Act { .. } => (true, by_person),
            Input::Tick => (false, by_person),
            _ => return Ok(()),
        };
        self.told.lock().expect("one thread").push((answered, spent));
        self.due = now + Duration::from_millis(1);
        self.effects.append(&mut self.then);
        if answered || spent.charged > LEFT {
            let none = || PerSeat::new(1, |_| Fraction::new(0, 1));
            self.effects.push_back(Effect::Over(Outcome {
                places: PerSeat::new(1, |_| 1),
                score: none(),
                measures: Vec::new(),
                why: "it is over".into(),
            }));
        }
        Ok(())
    }
    fn poll(&mut self) -> Option<Effect> {
        self.effects.pop_front()
    }
    fn poll_timeout(&self) -> Option<Now> {
        Some(self.due)
    }
    fn left(&self, _: Seat) -> Option<Duration> {
        Some(LEFT)
    }
    fn arguments(&self) -> Vec<String> {
        Vec::new()
    }
    fn drains(&self) -> bool {
        false
    }
    fn view(&self, _: Option<Seat>) -> Json {
        Json::Null
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn n_plies(&self) -> u32 {
        7
    }
    fn frame(&self, _: u32) -> Option<Box<RawValue>> {
        None
    }
    fn faults(&self, _: u32) -> Vec<(Seat, game::Fault)> {
        Vec::new()
    }
    fn spent(&self, _: u32) -> Vec<(Seat, Spent)> {
        Vec::new()
    }
    fn remarks(&self) -> &[Remark] {
        &[]
    }
    fn record(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// Says that so much was lost as soon as a question is out.
struct Busy {
    lost: Duration,
}

impl Watch for Busy {
    fn lost(&mut self) -> Duration {
        self.lost
    }
    fn lost_lately(&mut self, _: Instant) -> Duration {
        Duration::ZERO
    }
}

/// What came of a match, and what the referee was told.
type Came = (Result<(), PlayError>, Vec<(bool, Spent)>);

/// One question to one bot.
fn ask(figures: Figures, lost: Duration) -> Came {
    let seat = Seat(0);
    let effects = [
        Effect::Start(seat),
        Effect::Send(seat, QUESTION.to_vec()),
        Effect::Wake(seat, Starts::AtOnce),
    ];
    play(vec![figures], effects.into(), VecDeque::new(), lost)
}

fn play(
    bots: Vec<Figures>,
    effects: VecDeque<Effect>,
    then: VecDeque<Effect>,
    lost: Duration,
) -> Came {
    let told: Arc<Mutex<Vec<_>>> = Arc::default();
    let due = if then.is_empty() { LEFT } else { ms(5) };
    let once = Once { effects, then, due, told: Arc::clone(&told) };
    let terms = terms();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let played = runtime.expect("a runtime").block_on(async {
        let tally = Tally::new(bots.len(), 0);
        let programs = PerSeat::from(bots.into_iter().map(|it| Some(Bot(it))).collect::<Vec<_>>());
        let mut table = Table::new(Box::new(once), &programs, &terms, tally, Feed::new(None, 0));
        table.watch(Box::new(Busy { lost }));
        let played = table.play(|_| ControlFlow::Continue(())).await.map(drop);
        table.clear().expect("nothing is left");
        played
    });
    let told = told.lock().expect("one thread").clone();
    (played, told)
}

fn terms() -> Terms {
    let disturbance_max = Duration::from_millis(20);
    Terms {
        wall_max: Duration::from_secs(10),
        stderr_bytes_max: 0,
        fairness: Fairness { charge: Charge::WallLessStall, disturbance_max },
    }
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

#[test]
fn a_match_is_void_whose_late_answer_may_be_the_hosts_doing() {
    let slow = Figures { answers_after: Some(ms(130)), ..Figures::default() };
    // We may have been late by so much that it was in time.
    let (played, told) = ask(slow, ms(200));
    let Err(PlayError::Disturbed { seat: Seat(0), ply: 7, disturbance }) = played else {
        panic!("{played:?}");
    };
    assert!(disturbance.spent.charged > LEFT && disturbance.lost == ms(200), "{disturbance}");
    assert!(told.iter().all(|(answered, spent)| !answered && spent.charged <= LEFT), "{told:?}");
    // And less than the bound is nothing: its time was up, and nobody waited for it.
    let (played, told) = ask(slow, ms(15));
    played.expect("a verdict");
    assert!(
        told.last().is_some_and(|(answered, spent)| !answered && spent.charged > LEFT),
        "{told:?}"
    );
}

#[test]
fn a_bot_that_worked_too_much_is_late_on_any_host() {
    let works = Figures { answers_after: Some(ms(150)), cpu: ms(101), ..Figures::default() };
    let (played, told) = ask(works, ms(500));
    played.expect("a verdict");
    assert!(told.last().is_some_and(|(_, spent)| spent.charged > LEFT), "{told:?}");
}

#[test]
fn a_bot_that_says_nothing_is_late_by_as_much_longer_as_we_were() {
    let (played, told) = ask(Figures::default(), ms(60));
    played.expect("a verdict");
    let (answered, spent) = *told.last().expect("it was told");
    assert!(!answered && spent.charged > LEFT + ms(60), "{told:?}");
    // Before that, it was not held to be late.
    let before = &told[..told.len() - 1];
    assert!(!before.is_empty() && before.iter().all(|(_, it)| it.charged <= LEFT), "{told:?}");
}

#[test]
fn what_the_host_took_from_a_bot_is_not_charged() {
    let waited =
        Figures { answers_after: Some(ms(150)), cpu: ms(30), stall: ms(90), ..Figures::default() };
    let (played, told) = ask(waited, Duration::ZERO);
    played.expect("a verdict");
    let (answered, spent) = *told.last().expect("it was told");
    assert!(answered && spent.charged <= LEFT && spent.wall > LEFT, "{told:?}");
}

#[test]
fn a_bot_that_takes_long_to_stand_makes_no_other_late() {
    // The second has answered, and stands only when the time of the first is up.
    let slow = Figures { stands_after: ms(150), ..Figures::default() };
    for (answers_after, is_late) in [(20, false), (250, true)] {
        let first = Figures { answers_after: Some(ms(answers_after)), ..Figures::default() };
        let asked = [Seat(0), Seat(1)].into_iter().flat_map(|seat| {
            let sent = Effect::Send(seat, QUESTION.to_vec());
            [Effect::Start(seat), sent, Effect::Wake(seat, Starts::AtOnce)]
        });
        let then = [Effect::Rest(Seat(1))].into();
        let (played, told) = play(vec![first, slow], asked.collect(), then, Duration::ZERO);
        played.expect("a verdict");
        let (answered, spent) = *told.last().expect("it was told");
        assert_eq!((!answered, spent.charged > LEFT), (is_late, is_late), "{told:?}");
    }
}

/// One question to one person, of whom is heard what `tell` says.
fn ask_person(tell: impl FnOnce(mpsc::Sender<FromPeople>) + Send + 'static) -> (bool, Spent) {
    let told: Arc<Mutex<Vec<_>>> = Arc::default();
    let (effects, then) = (VecDeque::new(), VecDeque::new());
    let once = Once { effects, then, due: LEFT, told: Arc::clone(&told) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let programs = PerSeat::new(1, |_| None::<Bot>);
        let (terms, tally) = (terms(), Tally::new(1, 0));
        let mut table = Table::new(Box::new(once), &programs, &terms, tally, Feed::new(None, 0));
        let (to, from) = mpsc::channel(1);
        table.listen_to(Some(from));
        thread::spawn(move || tell(to));
        table.play(|_| ControlFlow::Continue(())).await.map(drop).expect("a verdict");
    });
    let told = told.lock().expect("one thread");
    *told.last().expect("it was told")
}

fn decided() -> FromPeople {
    FromPeople::Decided(Deed { ply: 7, seat: Seat(0), action: Json::Null, log: Vec::new() })
}

#[test]
fn the_clocks_of_people_stand_still_while_they_cannot_be_heard() {
    let tell = |to: &mpsc::Sender<FromPeople>, it| drop(to.blocking_send(it));
    let (answered, spent) = ask_person(move |to| {
        tell(&to, FromPeople::Away);
        thread::sleep(3 * LEFT);
        tell(&to, decided());
        tell(&to, FromPeople::Back);
    });
    assert!(answered && spent.wall < LEFT, "{spent:?}");
    // They go on where they stood.
    let (answered, spent) = ask_person(move |to| {
        tell(&to, FromPeople::Away);
        thread::sleep(3 * LEFT);
        tell(&to, FromPeople::Back);
        thread::sleep(20 * LEFT);
    });
    assert!(!answered && spent.wall >= LEFT && spent.wall < 3 * LEFT, "{spent:?}");
    // And for whoever says nothing, or is heard no more, they run.
    for says_nothing in [true, false] {
        let begun = Instant::now();
        let (answered, spent) = ask_person(move |to| match says_nothing {
            true => thread::sleep(20 * LEFT),
            false => tell(&to, FromPeople::Away),
        });
        assert!(!answered && spent.wall >= LEFT, "{spent:?}");
        assert!(begun.elapsed() < 15 * LEFT);
    }
}
