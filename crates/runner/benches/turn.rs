//! What a jail and its pauses cost: the same driver and bots, over plain pipes and jailed.
//!
//! Both are measured in turn in one run, so that a busy machine is busy for both.
//! Run as root: `cargo bench -p runner`.

#[path = "../../sandbox/tests/shared/cases.rs"]
#[allow(dead_code, reason = "there are no cases here")]
mod cases;
#[path = "../tests/judge/kit.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod kit;
#[path = "../../sandbox/tests/shared/outside.rs"]
#[allow(dead_code, reason = "the tests look at it")]
mod outside;

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use game::{Fault, Illegal, Outcome, PerSeat, Remark, Seat, Sitter};
use kit::{Kit, block_on, referee, terms};
use referee::{AnyReferee, Effect, Input, Now, Spent};
use runner::{Program, Wires};
use serde_json::{Value, json, value::RawValue};

const RUNS: usize = 5;
/// The budgets: what a paused turn may cost more, and what a match of documented bots may take.
const TURN_MAX: Duration = Duration::from_micros(50);
const MATCH_MAX: Duration = Duration::from_secs(1);
/// What a match of races may take beyond 1.2 times its bots' processor time.
const MATCH_MORE_MAX: Duration = Duration::from_millis(100);

fn main() {
    if !nix::unistd::geteuid().is_root() {
        eprintln!("only root can make jails, and so only root can measure them");
        std::process::exit(1);
    }
    let kit = Kit::new();
    let mut good = turns(&kit);
    good &= documented(&kit);
    good &= races(&kit);
    if !good {
        println!("over budget");
        std::process::exit(1);
    }
}

/// One query, one reply and one answer a turn, 3750 turns a match.
fn turns(kit: &Kit) -> bool {
    let setup = json!({ "size": 25, "mode": "nomap" });
    let file = "stays_put.c";
    let plain = |core: Option<u32>| {
        let mut program = kit.plain(file);
        program.pauses = false;
        if let Some(core) = core {
            program.argv.splice(0..0, ["taskset", "-c", &core.to_string()].map(str::to_owned));
        }
        Some(program)
    };
    let jailed = |core| {
        let mut program = kit.jailed(file);
        program.spec.core = core;
        Some(program)
    };
    let mut good = true;
    for (what, cores) in [("", [None, None]), (", a core for each", [Some(0), Some(1)])] {
        let plain = PerSeat::from(cores.map(plain).into_iter().collect::<Vec<_>>());
        let jailed = PerSeat::from(cores.map(jailed).into_iter().collect::<Vec<_>>());
        let (mut over_plain, mut over_jailed) = (Vec::new(), Vec::new());
        for _ in 0..RUNS {
            over_plain.extend(turn_times(&plain, &setup));
            over_jailed.extend(turn_times(&jailed, &setup));
        }
        let (plain, jailed) = (median(over_plain), median(over_jailed));
        let more = jailed.saturating_sub(plain);
        println!(
            "a turn over plain pipes{what}: {plain:.1?}; in a jail, paused: {jailed:.1?}; more by {more:.1?} (budget {TURN_MAX:?})"
        );
        good &= more <= TURN_MAX;
    }
    good
}

/// The bots that are shipped, on a large board.
fn documented(kit: &Kit) -> bool {
    let setup = json!({ "size": 20, "mode": "map" });
    let bots = kit::config().join("games/labyrinth/bots");
    let bot = |name: &str, core| {
        let mut program = kit.jailed_from(&bots.join(name));
        program.spec.core = Some(core);
        Some(program)
    };
    let programs = PerSeat::from(vec![bot("architect.cpp", 0), bot("adventurer.cpp", 1)]);
    let times = (0..RUNS).map(|_| one(&programs, &setup)).collect();
    let median = median(times);
    println!("a match of the documented C++ bots, n = 20: {median:.1?} (budget {MATCH_MAX:?})");
    median <= MATCH_MAX
}

/// Two racers, a match of two races, each with processes of its own.
fn races(kit: &Kit) -> bool {
    let game = games::find("jockey").expect("a game");
    let greedy = kit::config().join("games/jockey/bots/greedy.cpp");
    let bot = |core| {
        let mut program = kit.jailed_from(&greedy);
        program.spec.core = Some(core);
        Some(program)
    };
    let programs = PerSeat::from(vec![bot(0), bot(1)]);
    let mut good = true;
    for seed in 1..=RUNS {
        let filled = json!({ "width": 15, "length": 100, "seed": seed });
        let setup = game.set_up(filled.as_object().expect("an object")).expect("a course");
        let sitters = PerSeat::new(2, |_| Sitter::Bot);
        let referee = game.referee(&setup, sitters).expect("a set-up");
        let begun = Instant::now();
        let played = block_on(runner::play(referee, &programs, &terms(), Wires::default()))
            .expect("a match");
        let took = begun.elapsed();
        assert!(played.seats.iter().all(|(_, it)| it.fault.is_none()), "{:?}", played.seats);
        let cpu: Duration = played.seats.iter().map(|(_, it)| it.cpu).sum();
        let most = cpu * 6 / 5 + MATCH_MORE_MAX;
        let plies = played.plies;
        println!(
            "a match of two greedy C++ racers, course {seed} of 15 x 100, {plies} steps: {took:.1?}; \
             their processor time: {cpu:.1?} (budget {most:.1?})"
        );
        good &= took <= most;
    }
    good
}

fn one<P: Program>(programs: &PerSeat<Option<P>>, setup: &Value) -> Duration {
    let begun = Instant::now();
    let terms = terms();
    let played = block_on(runner::play(referee(setup), programs, &terms, Wires::default()))
        .expect("a match");
    assert!(played.seats.iter().all(|(_, it)| it.fault.is_none()), "{:?}", played.seats);
    begun.elapsed()
}

/// The time from each ply to the next.
fn turn_times<P: Program>(programs: &PerSeat<Option<P>>, setup: &Value) -> Vec<Duration> {
    let plies = Arc::default();
    let watched = Watched { referee: referee(setup), plies: Arc::clone(&plies) };
    let terms = terms();
    let played = block_on(runner::play(Box::new(watched), programs, &terms, Wires::default()));
    let played = played.expect("a match");
    assert!(played.seats.iter().all(|(_, it)| it.fault.is_none()), "{:?}", played.seats);
    let plies = plies.lock().expect("one thread");
    plies.windows(2).map(|it| it[1] - it[0]).collect()
}

/// A referee, and when each ply was played.
struct Watched {
    referee: Box<dyn AnyReferee>,
    plies: Arc<Mutex<Vec<Instant>>>,
}

impl AnyReferee for Watched {
    fn poll(&mut self) -> Option<Effect> {
        let effect = self.referee.poll();
        if matches!(effect, Some(Effect::Played(_))) {
            self.plies.lock().expect("one thread").push(Instant::now());
        }
        effect
    }
    fn handle(&mut self, now: Now, input: Input<Value>) -> Result<(), Illegal> {
        self.referee.handle(now, input)
    }
    fn poll_timeout(&self) -> Option<Now> {
        self.referee.poll_timeout()
    }
    fn left(&self, seat: Seat) -> Option<Duration> {
        self.referee.left(seat)
    }
    fn arguments(&self) -> Vec<String> {
        self.referee.arguments()
    }
    fn drains(&self) -> bool {
        self.referee.drains()
    }
    fn view(&self, eye: Option<Seat>) -> Value {
        self.referee.view(eye)
    }
    fn outcome(&self) -> Option<Outcome> {
        self.referee.outcome()
    }
    fn n_plies(&self) -> u32 {
        self.referee.n_plies()
    }
    fn frame(&self, ply_no: u32) -> Option<Box<RawValue>> {
        self.referee.frame(ply_no)
    }
    fn faults(&self, ply_no: u32) -> Vec<(Seat, Fault)> {
        self.referee.faults(ply_no)
    }
    fn spent(&self, ply_no: u32) -> Vec<(Seat, Spent)> {
        self.referee.spent(ply_no)
    }
    fn remarks(&self) -> &[Remark] {
        self.referee.remarks()
    }
    fn record(&self) -> Vec<u8> {
        self.referee.record()
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
