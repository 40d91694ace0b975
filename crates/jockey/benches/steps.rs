//! How many player-steps a second on courses of 20 x 100 cells, and what a question costs on one of
//! 20 x 200, measured on the golden races that were run there. Read the `items/s`: in
//! `play_whole_plies` each is one player asked, judged, moved and told of, as in a match;
//! `judge_steps_alone` is the same without a match around it.

use std::{fs::File, io::BufReader, path::Path, time::Duration};

use divan::{
    Bencher, black_box,
    counter::{BytesCount, ItemsCount},
};
use flate2::read::GzDecoder;
use game::{Answer, Dialect, Fault, Game, PerSeat, Ply, Seat, Sitter};
use jockey::{Action, Answered, Course, Jockey, Numbers, Race, Setup, Vector};
use serde_json::{Deserializer, Value};

fn main() {
    divan::main();
}

/// As a match: plies in, events out, both races.
#[divan::bench]
fn play_whole_plies(bencher: Bencher) {
    let races = races(100);
    let n_items: usize = races.iter().map(|it| 2 * it.n_answers()).sum();
    bencher.counter(ItemsCount::new(n_items)).bench(|| {
        let mut events = Vec::new();
        for it in black_box(&races) {
            let mut game = it.start();
            for ply in it.plies.iter().chain(&it.swapped) {
                events.clear();
                game.play(ply, &mut events);
                black_box(&events);
            }
            black_box(game);
        }
    });
}

/// Nothing but the steps of single races.
#[divan::bench]
fn judge_steps_alone(bencher: Bencher) {
    let races = races(100);
    let n_items: usize = races.iter().map(Played::n_answers).sum();
    bencher.counter(ItemsCount::new(n_items)).bench(|| {
        for it in black_box(&races) {
            let mut race = Race::new(it.course.clone(), it.course.starts());
            for step in &it.answers {
                black_box(race.play(*step));
            }
        }
    });
}

/// The text of every question of a race on 20 x 200 cells, view included.
#[divan::bench]
fn write_questions(bencher: Bencher) {
    let races = races(200);
    let asked = |it: &Played| {
        let mut game = it.start();
        let mut games = Vec::new();
        for ply in &it.plies[..it.plies.len() - 1] {
            game.play(ply, &mut Vec::new());
            games.push(game.clone());
        }
        games
    };
    let games: Vec<_> = races.iter().map(asked).collect();
    let questions = || {
        let mut n_bytes = 0;
        let mut text = Vec::new();
        for race in black_box(&games) {
            let mut numbers = Numbers::default();
            for game in race {
                text.clear();
                let view = game.view(Some(Seat(0)));
                numbers.ask(Seat(0), &view, Duration::from_secs(1), &mut text);
                n_bytes += black_box(&text).len();
            }
        }
        n_bytes
    };
    let n_questions: usize = games.iter().map(Vec::len).sum();
    bencher
        .counter(ItemsCount::new(n_questions))
        .counter(BytesCount::new(questions()))
        .bench(questions);
}

struct Played {
    setup: Setup,
    course: std::sync::Arc<Course>,
    answers: Vec<[Option<Answered>; 2]>,
    plies: Vec<Ply<Action>>,
    /// The second race of the match, the same with the seats swapped.
    swapped: Vec<Ply<Action>>,
}

impl Played {
    fn start(&self) -> Jockey {
        let sitters = PerSeat::new(2, |_| Sitter::Bot);
        Jockey::start(&self.setup, &sitters, &mut Vec::new()).unwrap()
    }

    fn n_answers(&self) -> usize {
        self.answers.iter().flatten().flatten().count()
    }
}

/// The golden races on courses of 20 x `length` cells.
fn races(length: u64) -> Vec<Played> {
    let mut races = Vec::new();
    for name in ["races.jsonl.gz", "final2019.jsonl.gz"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
        let file = BufReader::new(GzDecoder::new(File::open(path).unwrap()));
        let lines = Deserializer::from_reader(file).into_iter::<Value>().map(Result::unwrap);
        races.extend(lines.filter(|it| it["w"] == 20 && it["l"] == length).map(|it| read(&it)));
    }
    assert!(!races.is_empty());
    races
}

fn read(line: &Value) -> Played {
    let number = |it: &Value| it.as_u64().unwrap() as u32;
    let rows = line["map"].as_array().unwrap().iter();
    let setup = Setup {
        width: number(&line["w"]),
        length: number(&line["l"]),
        vision: number(&line["vision"]),
        step_limit: number(&line["limit"]),
        think_ms: 60_000,
        x0: number(&line["x"][0]),
        x1: number(&line["x"][1]),
        rows: rows.map(|it| it.as_str().unwrap().to_owned()).collect(),
    };
    let n_steps = line["steps"].as_array().unwrap().len();
    let part = |it: &Value| it.as_i64().unwrap() as i8;
    let said = |step: usize, no: usize| {
        line["a"][no].get(step).map(|it| (!it.is_null()).then(|| (part(&it[0]), part(&it[1]))))
    };
    let answer = |said: Option<(i8, i8)>| match said {
        Some((x, y)) => Answer::Action(Action::Accelerate(x, y)),
        None => Answer::Fault(Fault::Late),
    };
    let answered = |said: Option<(i8, i8)>| match said {
        Some((x, y)) => Answered::Accelerate(Vector::new(x.into(), y.into())),
        None => Answered::Failed,
    };
    let plies = |swap: usize| {
        let ready = [PerSeat::new(2, |_| Some(Answer::Action(Action::Ready)))];
        let steps = (0..n_steps)
            .map(|step| PerSeat::new(2, |it| said(step, usize::from(it.0) ^ swap).map(answer)));
        ready.into_iter().chain(steps).collect()
    };
    Played {
        course: Course::new(&setup).unwrap().into(),
        answers: (0..n_steps).map(|step| [0, 1].map(|no| said(step, no).map(answered))).collect(),
        plies: plies(0),
        swapped: plies(1),
        setup,
    }
}
