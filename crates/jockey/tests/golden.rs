//! Replays every line of the golden files: whole races, single steps, the races of the 2019 final.
//!
//! `AGON_GOLDEN_DIR` names another directory with files of the same names.

mod common;

use std::{io::Write, path::Path, sync::Arc};

use common::{BOTS, golden_answers, golden_dir, golden_setup, play, read_lines, ready, start};
use game::Fraction;
use jockey::{Answered, Cause, Course, Event, How, Move, Player, Race, Standing, Vector};
use serde_json::{Value, json};

const FILES: [(&str, fn(&Value)); 3] = [
    ("races.jsonl.gz", check_race),
    ("single_steps.jsonl.gz", check_step),
    ("final2019.jsonl.gz", check_race),
];

#[test]
fn every_line_of_every_golden_file_comes_out_as_written() {
    let dir = golden_dir();
    let there: Vec<_> = FILES.iter().filter(|(name, _)| dir.join(name).exists()).collect();
    let here = std::path::absolute(&dir).unwrap();
    assert!(!there.is_empty(), "{} holds no golden file of jockey", here.display());
    if std::env::var_os("AGON_GOLDEN_DIR").is_none() {
        assert_eq!(there.len(), FILES.len(), "a golden file of this crate is missing");
    }
    for (name, check) in there {
        report(name, check_file(&dir.join(name), *check));
    }
}

fn check_file(path: &Path, check: fn(&Value)) -> usize {
    let lines = read_lines(path);
    assert!(!lines.is_empty(), "{} is empty", path.display());
    lines.iter().for_each(check);
    lines.len()
}

/// Past the capture of test output, so that the counts are always seen.
fn report(name: &str, n_lines: usize) {
    let text = format!("golden {name}: {n_lines} lines checked\n");
    std::io::stdout().write_all(text.as_bytes()).unwrap();
}

/// Plays a race as the first of a match, and once more as the second, with the seats swapped.
fn check_race(line: &Value) {
    let id = format!("race {} {}", line["id"], line["kind"]);
    let setup = golden_setup(line);
    let mut game = start(&setup, BOTS);
    let mut result = None;
    for race in 0..2 {
        ready(&mut game);
        let mut steps = line["steps"].as_array().unwrap().iter().enumerate();
        let vision_end = loop {
            let Some((step, expected)) = steps.next() else {
                panic!("{id}: race {race} goes on after its last step");
            };
            let at = format!("{id}: step {step} of race {race}");
            assert_eq!(expected[0], game.race().sees(), "{at}: visibility");
            let mut answers = golden_answers(line, step);
            // Who was asked is who answered.
            let players = game.race().players();
            let racing = players.map(|it| it.standing == Standing::Racing);
            swap(race, &mut answers);
            assert_eq!(answers.each_ref().map(|it| it.is_some()), racing, "{at}: who is asked");
            let last = game.clone();
            let events = play(&mut game, answers.clone());
            let (race_no, step_no, moves) = match &events[0] {
                Event::Stepped { race, step, moves } => (*race, *step, *moves),
                other => panic!("{at}: {other:?}"),
            };
            assert_eq!((race_no, step_no as usize), (race, step), "{at}");
            let mut told = moves.map(|it| it.map(told));
            swap(race, &mut told);
            for no in [0, 1] {
                let told = told[no].clone().unwrap_or(Value::Null);
                assert_eq!(told, one_class(&expected[no + 1]), "{at}: player {no}");
            }
            if let Some(Event::RaceOver { times, .. }) =
                events.iter().find(|it| matches!(it, Event::RaceOver { .. }))
            {
                let mut times = *times;
                swap(race, &mut times);
                check_times(line, times, setup.step_limit, &id);
                check_causes(&events, &id);
                result = Some(times);
                // The race itself is gone by now: its last step once more.
                let mut race = last.race().clone();
                race.play(answers.map(|it| {
                    it.map(|it| match it {
                        game::Answer::Action(jockey::Action::Accelerate(x, y)) => {
                            Answered::Accelerate(Vector::new(x.into(), y.into()))
                        }
                        _ => Answered::Failed,
                    })
                }));
                break race.sees();
            }
        };
        assert_eq!(steps.next(), None, "{id}: race {race} is over too soon");
        assert_eq!(line["vision_end"], vision_end, "{id}: visibility at the end");
    }
    // Both players have run both sides of the same race.
    let [one, other] = result.unwrap();
    let game::Turn::Over(outcome) = game::Game::turn(&game) else { panic!("{id} goes on") };
    let sum = one + other;
    assert_eq!(outcome.measures, vec![vec![sum, sum].into()], "{id}");
    assert_eq!(outcome.places, vec![1, 1].into(), "{id}");
    assert_eq!(outcome.score, vec![Fraction::new(1, 2); 2].into(), "{id}");
}

fn check_times(line: &Value, times: [Fraction; 2], step_limit: u32, id: &str) {
    for (no, time) in times.into_iter().enumerate() {
        let result = &line["result"][no];
        let number = |name: &str| result[name].as_i64().unwrap();
        let expected = match result {
            Value::Null => Fraction::from(2 * i64::from(step_limit)),
            _ => Fraction::from(number("step")) + Fraction::new(number("num"), number("den")),
        };
        assert_eq!(time, expected, "{id}: time of {no}");
    }
}

/// Whoever did not finish was told why.
fn check_causes(events: &[Event], id: &str) {
    for event in events {
        if let Event::Disqualified { cause, .. } = event {
            assert!(matches!(cause, Cause::Steps | Cause::Clock), "{id}: {cause:?}");
        }
    }
}

fn check_step(line: &Value) {
    let name = &line["name"];
    let course = Arc::new(Course::for_positions(&golden_setup(line)).unwrap());
    let number = |it: &Value| it.as_i64().unwrap() as i32;
    let vector = |it: &Value, at: usize| Vector::new(number(&it[at]), number(&it[at + 1]));
    let players = [0, 1].map(|no: usize| {
        let it = &line["in"][no];
        Player { at: vector(it, 0), velocity: vector(it, 2), standing: Standing::Racing }
    });
    let sees = number(&line["vis"][0]);
    let mut race = Race::resume(course, 0, sees, players).unwrap();
    let answers = [0, 1].map(|no: usize| Answered::Accelerate(vector(&line["in"][no], 4)));
    let moves = race.play(answers.map(Some));
    for no in [0, 1] {
        let it = moves[no].unwrap();
        assert_eq!(told(it), one_class(&line["out"][no]), "{name}: player {no}");
        let time = match it.how {
            How::Finished { time } => Some(time),
            _ => None,
        };
        let expected = &line["time"][no];
        let part = |at: usize| i64::from(number(&expected[at]));
        let expected = (!expected.is_null()).then(|| Fraction::new(part(0), part(1)));
        assert_eq!(time, expected, "{name}: time of {no}");
    }
    assert_eq!(line["vis"][1], race.sees(), "{name}: visibility");
}

/// A move in the words of the golden files.
fn told(it: Move) -> Value {
    let letter = match it.how {
        How::Moved | How::Splashed => "N",
        How::Finished { .. } => "F",
        How::OffCourse { .. } | How::Collided { .. } => STAYED,
        How::Disqualified => return json!(["D"]),
    };
    json!([letter, it.to.x, it.to.y, it.velocity.x, it.velocity.y])
}

/// Golden files say of a player that went off the course now and then that it collided; so both
/// letters are one.
fn one_class(told: &Value) -> Value {
    let mut told = told.clone();
    if told[0] == "O" || told[0] == "C" {
        told[0] = json!(STAYED);
    }
    told
}

/// Off the course, or the loser of a collision.
const STAYED: &str = "O or C";

fn swap<T>(race: u32, pair: &mut [T; 2]) {
    if race == 1 {
        pair.reverse();
    }
}
