//! How many plane-moves are judged in a second on one core, on the golden fights: each is one plane
//! that flies, shoots, is told of, and dies, as in a match. Fails where it is less than the budget.

use std::{fs::File, hint::black_box, io::BufReader, path::Path, process::ExitCode, time::Instant};

use flate2::read::GzDecoder;
use game::{Answer, Dialect, Game, PerSeat, Ply, Read, Seat, Sitter, Talk, Turn};
use planes::{Action, Planes, Radio, RuleSet, Setup};
use serde_json::{Deserializer, Value};

/// Plane-moves a second that the rules must judge.
const BUDGET: f64 = 4_000_000.0;
/// Times that all is played; the fastest counts, since others use the machine too.
const RUNS: usize = 20;

fn main() -> ExitCode {
    let fights = [("prose", RuleSet::Prose), ("controller", RuleSet::Controller)];
    let fights: Vec<Played> = fights.into_iter().flat_map(|(file, set)| read(file, set)).collect();
    let n_moves: usize = fights.iter().map(|it| it.n_moves).sum();
    let whole = best(n_moves, || play_whole_plies(&fights));
    let alone = best(n_moves, || fly_rounds_alone(&fights));
    let questions: usize = fights.iter().map(|it| it.plies.len()).sum();
    let asked = best(questions, || write_questions(&fights));
    println!("{} fights, {n_moves} plane-moves, budget {BUDGET:.0} a second", fights.len());
    println!("whole plies, told and counted: {whole:.0} plane-moves a second");
    println!("rounds alone: {alone:.0} plane-moves a second");
    println!("questions written: {asked:.0} a second");
    if whole < BUDGET {
        println!("that is too few");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Items a second, in the fastest of some runs.
fn best(n_items: usize, mut run: impl FnMut()) -> f64 {
    let seconds = |_| {
        let begun = Instant::now();
        run();
        begun.elapsed().as_secs_f64()
    };
    let fastest = (0..RUNS).map(seconds).fold(f64::INFINITY, f64::min);
    n_items as f64 / fastest
}

/// As a match: plies in, events out.
fn play_whole_plies(fights: &[Played]) {
    let mut events = Vec::new();
    for it in fights {
        let mut game = it.start();
        for ply in &it.plies {
            events.clear();
            game.play(black_box(ply), &mut events);
            black_box(&events);
        }
        assert!(matches!(game.turn(), Turn::Over(_)));
    }
}

/// Nothing but the rounds.
fn fly_rounds_alone(fights: &[Played]) {
    for it in fights {
        let mut fight = it.start().fight().clone();
        for moves in &it.moves {
            black_box(fight.play(black_box(*moves)));
        }
    }
}

/// The text of every question of one seat, view included.
fn write_questions(fights: &[Played]) {
    let mut text = Vec::new();
    for it in fights {
        let mut game = it.start();
        let mut radio = Radio::default();
        let mut events = Vec::new();
        for ply in &it.plies {
            text.clear();
            let view = game.view(Some(Seat(0)));
            radio.ask(Seat(0), &view, Default::default(), &mut text);
            black_box(&text);
            events.clear();
            game.play(ply, &mut events);
        }
    }
}

struct Played {
    setup: Setup,
    plies: Vec<Ply<Action>>,
    moves: Vec<[Option<planes::Move>; 4]>,
    n_moves: usize,
}

impl Played {
    fn start(&self) -> Planes {
        let sitters = PerSeat::new(2, |_| Sitter::Bot);
        Planes::start(&self.setup, &sitters, &mut Vec::new()).expect("a golden set-up")
    }
}

fn read(name: &str, rules: RuleSet) -> Vec<Played> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.jsonl.gz"));
    let file = BufReader::new(GzDecoder::new(File::open(path).expect("a golden file")));
    let lines = Deserializer::from_reader(file).into_iter::<Value>();
    lines.map(|it| read_fight(&it.expect("a line of JSON"), rules)).collect()
}

fn read_fight(line: &Value, rules: RuleSet) -> Played {
    let number = |it: &Value| it.as_u64().expect("a number") as u32;
    let setup = Setup {
        size: number(&line["size"]),
        rounds: number(&line["rounds"]),
        fights: 1,
        rules,
        ..Setup::default()
    };
    let rounds = line["r"].as_array().expect("rounds");
    let said: Vec<[Action; 2]> = rounds.iter().map(|it| [said(&it[0]), said(&it[1])]).collect();
    let plies = said.iter().map(|it| Vec::from(it.map(|it| Some(Answer::Action(it)))).into());
    let moves = said.iter().map(|[Action([a, b]), Action([c, d])]| [*a, *b, *c, *d]).collect();
    let mut played = Played { setup, plies: plies.collect(), moves, n_moves: 0 };
    // Planes that fly are moved; of the dead none.
    let mut fight = played.start().fight().clone();
    for moves in &played.moves {
        played.n_moves += fight.left().iter().map(|it| usize::from(*it)).sum::<usize>();
        fight.play(*moves);
    }
    played
}

fn said(lines: &Value) -> Action {
    let line = |no: usize| lines.get(no).and_then(Value::as_str).unwrap_or_default();
    let said = format!("{}\n{}\n", line(0), line(1));
    match Radio::default().read(said.as_bytes(), &mut Talk::default()) {
        Read::Action(action, _) => action,
        other => panic!("{said}: {other:?}"),
    }
}
