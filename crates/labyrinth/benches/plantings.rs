//! How many plantings are judged in a second, on the positions of the golden matches of size 20.
//!
//! Read the `fields/s` of `judge_every_field_one_by_one`: each is one planting
//! attempted and judged in full, with nothing remembered from the one before.

use std::{collections::BTreeSet, fs::File, io::BufReader, path::Path};

use divan::{Bencher, black_box, counter::ItemsCount};
use flate2::read::GzDecoder;
use game::{Answer, Game, PerSeat, Sitter};
use labyrinth::{ADVENTURER, ARCHITECT, Action, Board, Labyrinth, Mode, Setup};
use serde_json::{Deserializer, Value};

const SIZE: u32 = 20;

fn main() {
    divan::main();
}

/// One planting after the other: every inner field of every position.
#[divan::bench]
fn judge_every_field_one_by_one(bencher: Bencher) {
    let boards = boards();
    let side = 1..=SIZE as i32;
    bencher.counter(ItemsCount::new(boards.len() * (SIZE * SIZE) as usize)).bench(|| {
        let mut n_plantable = 0;
        for board in black_box(&boards) {
            for (x, y) in side.clone().flat_map(|y| side.clone().map(move |x| (x, y))) {
                n_plantable += usize::from(board.judge_planting(x, y).is_ok());
            }
        }
        n_plantable
    });
}

/// The plantings that the golden architects attempted, as whole plies played on a match.
#[divan::bench]
fn play_what_the_golden_architects_tried(bencher: Bencher) {
    let matches = matches();
    let n_attempts: usize = matches.iter().map(|it| it.plies.len() / 2).sum();
    bencher.counter(ItemsCount::new(n_attempts)).bench(|| {
        for it in black_box(&matches) {
            let mut game = it.start();
            let mut events = Vec::new();
            for ply in &it.plies {
                events.clear();
                game.play(ply, &mut events);
            }
            black_box(game);
        }
    });
}

/// All verdicts of a position at once, as they are drawn.
#[divan::bench]
fn judge_every_field_at_once(bencher: Bencher) {
    let boards = boards();
    bencher.counter(ItemsCount::new(boards.len() * (SIZE * SIZE) as usize)).bench(|| {
        let verdicts = |it: &Board| it.verdicts().filter(|(_, reason)| reason.is_none()).count();
        black_box(&boards).iter().map(verdicts).sum::<usize>()
    });
}

/// One whole view of each position.
#[divan::bench]
fn view_every_position(bencher: Bencher) {
    let setup = Setup::new(SIZE, Mode::Map);
    let sitters = PerSeat::new(2, |_| Sitter::Bot);
    let start = |board| Labyrinth::start_on(board, &setup, &sitters).unwrap();
    let games: Vec<_> = boards().into_iter().map(start).collect();
    bencher
        .counter(ItemsCount::new(games.len()))
        .bench(|| black_box(&games).iter().map(|it| it.view(None).points[0]).sum::<u32>());
}

struct Match {
    setup: Setup,
    plies: Vec<PerSeat<Option<Answer<Action>>>>,
}

impl Match {
    fn start(&self) -> Labyrinth {
        let sitters = PerSeat::new(2, |_| Sitter::Bot);
        Labyrinth::start(&self.setup, &sitters, &mut Vec::new()).unwrap()
    }
}

/// The position before every architect's turn of the golden matches, each once.
fn boards() -> Vec<Board> {
    let (mut boards, mut seen) = (Vec::new(), BTreeSet::new());
    for it in matches() {
        let mut game = it.start();
        for (ply_no, ply) in it.plies.iter().enumerate() {
            if ply_no % 2 == 0 && seen.insert(format!("{:?}", game.board())) {
                boards.push(game.board().clone());
            }
            game.play(ply, &mut Vec::new());
        }
    }
    boards
}

fn matches() -> Vec<Match> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/games.jsonl.gz");
    let file = BufReader::new(GzDecoder::new(File::open(path).unwrap()));
    let lines = Deserializer::from_reader(file).into_iter::<Value>().map(Result::unwrap);
    lines.filter(|it| it["kind"] == "game" && it["n"] == SIZE).map(|it| read_match(&it)).collect()
}

fn read_match(line: &Value) -> Match {
    let setup = Setup::new(SIZE, serde_json::from_value(line["mode"].clone()).unwrap());
    let decisions = line["arch"].as_array().unwrap().iter().zip(line["adv"].as_array().unwrap());
    let ply = |seat, said: &Value| {
        PerSeat::new(2, |it| (it == seat).then(|| Answer::Action(action(said))))
    };
    let plies = decisions.flat_map(|(architect, adventurer)| {
        [ply(ARCHITECT, architect), ply(ADVENTURER, adventurer)]
    });
    Match { setup, plies: plies.collect() }
}

fn action(said: &Value) -> Action {
    let whole = |it: &Value| it.as_i64().unwrap_or_default() as i32;
    match said {
        Value::Null => Action::Pass,
        Value::Array(it) => Action::Plant(whole(&it[0]), whole(&it[1])),
        Value::String(_) => Action::Malformed,
        number => Action::Step(whole(number)),
    }
}
