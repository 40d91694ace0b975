//! The official log: the races of the 2019 final as we ship them, and logs that are broken.

mod common;

use std::{fs, time::Duration};

use common::{config, golden_answers, golden_setup, read_lines};
use game::{Answer, Fault, Game, Illegal, PerSeat, Seat, Sitter, Story};
use jockey::{Action, Jockey, OFFICIAL_LOG, Standing};
use serde_json::{Value, json};

/// Writes the shipped files anew where this is set.
const WRITES: &str = "AGON_WRITE_REPLAYS";

#[test]
fn the_shipped_logs_are_the_races_of_the_final() {
    let folder = config("replays/final2019");
    let lines = read_lines(&concat_path("tests/golden/final2019.jsonl.gz"));
    assert_eq!(lines.len(), 18);
    let mut n_matches = 0;
    for line in lines {
        let name = line["name"].as_str().unwrap();
        let files = (OFFICIAL_LOG.write)(&story(&line)).unwrap();
        let [file] = &files[..] else { panic!("{name}: {} files", files.len()) };
        let log: Value = serde_json::from_slice(file).unwrap();
        // Times are printed as they were published; the file has more digits.
        for no in [0, 1] {
            let printed = log["finished"][no].as_f64().unwrap();
            let published = line["official_time"][no].as_f64().unwrap();
            assert!((printed - published).abs() < 1e-3, "{name}: {printed}, {published}");
        }
        let path = folder.join(format!("{name}.json"));
        if std::env::var_os(WRITES).is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&path, file).unwrap();
        }
        assert!(fs::read(&path).unwrap() == *file, "{} is not the race", path.display());
        check_log(&log, &line);
        // And it is read back as what was played; with its other race, as a match.
        if let Some(first) = name.strip_suffix("F1")
            && let Ok(first) = fs::read(folder.join(format!("{first}F0.json")))
        {
            let read = (OFFICIAL_LOG.read)(&[&first, file]);
            assert!(read.is_ok(), "{name}: {:?}", read.err());
            n_matches += 1;
        }
        let read = (OFFICIAL_LOG.read)(&[file]).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert_eq!(read.plies, story(&line).plies, "{name}");
        assert_eq!(read.setup, golden_setup(&line), "{name}");
        // Nobody published how long the players thought, and nothing is made up.
        assert!(read.charged.iter().all(|it| it.iter().all(|(_, it)| it.is_none())), "{name}");
    }
    assert_eq!(n_matches, 4);
}

/// What a log says is what the golden file does.
fn check_log(log: &Value, line: &Value) {
    let steps = log["log"].as_array().unwrap();
    let golden = line["steps"].as_array().unwrap();
    assert_eq!(steps.len(), golden.len());
    for (step, golden) in steps.iter().zip(golden) {
        assert_eq!(step["visibility"], golden[0]);
        for no in [0, 1] {
            let (after, golden) = (&step["after"][no], &golden[no + 1]);
            assert_eq!(after.is_null(), golden.is_null());
            assert_eq!(step["before"][no].is_null(), golden.is_null());
            if !golden.is_null() && golden[0] != "D" {
                let found = ["x", "y", "vx", "vy"].map(|it| after[it].clone());
                assert_eq!(json!(found), json!(golden.as_array().unwrap()[1..]));
            }
        }
    }
}

#[test]
fn both_races_of_a_match_come_back_with_names_swapped_and_times() {
    let files = (OFFICIAL_LOG.write)(&match_of_two()).unwrap();
    let logs: Vec<Value> = files.iter().map(|it| serde_json::from_slice(it).unwrap()).collect();
    assert_eq!(logs.len(), 2);
    assert_eq!(logs[0]["names"], json!(["ann", "bob"]));
    assert_eq!(logs[1]["names"], json!(["bob", "ann"]));
    // Each answer took 10 ms, the one that says ready too.
    assert_eq!(logs[0]["log"][0]["before"][0]["timeLeft"], 20_990);
    assert_eq!(logs[0]["log"][0]["after"][0]["timeLeft"], 20_980);
    assert_eq!(logs[1]["log"][2]["before"][1]["timeLeft"], 20_970);
    let slices: Vec<_> = files.iter().map(Vec::as_slice).collect();
    let read = (OFFICIAL_LOG.read)(&slices).unwrap();
    let played = match_of_two();
    assert_eq!((&read.plies, &read.charged), (&played.plies, &played.charged));
    assert_eq!(read.names, played.names);
}

#[test]
fn broken_logs_are_refused_with_field_value_and_what_is_allowed() {
    let files = (OFFICIAL_LOG.write)(&match_of_two()).unwrap();
    let logs: Vec<Value> = files.iter().map(|it| serde_json::from_slice(it).unwrap()).collect();
    let changed = |pointer: &str, value: Value| {
        let mut log = logs[0].clone();
        *log.pointer_mut(pointer).unwrap() = value;
        log
    };
    let table = [
        (changed("/filetype", json!("log")), "filetype: found \"log\", allowed is \"race log\""),
        (changed("/course", json!(1)), "course: found 1, allowed is an object"),
        (changed("/course/width", json!(0)), "course.width: found 0, allowed is"),
        (
            changed("/course/thinkTime", json!(0.5)),
            "course.thinkTime: found 0.5, allowed is a whole",
        ),
        (changed("/course/x1", json!(0)), "course.x1: found 0, which x0 is"),
        (changed("/names", json!(["a"])), "names: found a list of 1, allowed is a list of two"),
        (changed("/names/0", json!(1)), "names: found 1, allowed is a text"),
        (changed("/finished/0", json!("1")), "finished: found \"1\", allowed is a number"),
        (changed("/log", json!({})), "log: found an object, allowed is a list"),
        (changed("/log/1/step", json!(2)), "log[1].step: found 2, allowed is 1"),
        (changed("/log/1/visibility", json!(99)), "log[1].visibility: found 99, it is"),
        (changed("/log/1/before/0", json!(null)), "log[1].before[0]: found null, by the rules"),
        (changed("/log/1/before/0/x", json!(9)), "log[1].before[0]: found [9, "),
        (changed("/log/1/after/0/vy", json!(7)), "log[1].after[0]: found ["),
        (
            changed("/log/1/accel/0", json!(null)),
            "log[1].accel[0]: found null in a step that ended",
        ),
        (
            changed("/log/1/accel/0/x", json!(2)),
            "log[1].accel[0].x: found 2, allowed are -1, 0 and 1",
        ),
        (
            changed("/log/1/result/0/category", json!("won")),
            "log[1].result[0].category: found \"won\"",
        ),
        (changed("/log/1/before/0/timeLeft", json!("?")), "log[1].before[0].timeLeft: found \"?\""),
    ];
    for (log, why) in table {
        let Err(Illegal(found)) = (OFFICIAL_LOG.read)(&[log.to_string().as_bytes()]) else {
            panic!("{why}: was read")
        };
        assert!(found.starts_with(why), "{found}");
    }
    let mut short = logs[0].clone();
    short["log"].as_array_mut().unwrap().pop();
    let Err(Illegal(found)) = (OFFICIAL_LOG.read)(&[short.to_string().as_bytes()]) else {
        panic!()
    };
    assert!(found.contains("after which a player still races"), "{found}");
    let twice = [files[0].as_slice(), files[0].as_slice()];
    let Err(Illegal(found)) = (OFFICIAL_LOG.read)(&twice) else { panic!() };
    assert!(found.starts_with("race 2: names: found"), "{found}");
}

#[test]
fn every_way_to_be_disqualified_has_its_category() {
    let table = [
        (Fault::Late, "timedout"),
        (Fault::Gone(game::End::Exited(1)), "died"),
        (Fault::Garbled("?".into()), "invalid"),
    ];
    for (fault, category) in table {
        let mut story = match_of_two();
        story.plies[1] = PerSeat::new(2, |seat| match seat.0 {
            0 => Some(Answer::Fault(fault.clone())),
            _ => Some(Answer::Action(Action::Accelerate(0, 1))),
        });
        for ply in &mut story.plies[2..] {
            if ply[Seat(1)] == Some(Answer::Action(Action::Ready)) {
                break;
            }
            ply[Seat(0)] = None;
        }
        let file = &(OFFICIAL_LOG.write)(&story).unwrap()[0];
        let log: Value = serde_json::from_slice(file).unwrap();
        let step = &log["log"][0];
        assert_eq!(step["result"][0], json!({ "category": category, "info": null }));
        assert_eq!(step["accel"][0], Value::Null);
        assert_eq!(step["after"][0]["vy"], 0);
        assert_eq!(log["log"][1]["before"][0], Value::Null);
        assert_eq!(log["finished"][0], 200);
    }
}

/// Two races on a straight of grass.
fn match_of_two() -> Story<Jockey> {
    let setup = common::course(&["000"; 7]);
    let setup = jockey::Setup { step_limit: 100, think_ms: 21_000, ..setup };
    let sitters = PerSeat::new(2, |_| Sitter::Bot);
    let mut game = Jockey::start(&setup, &sitters, &mut Vec::new()).unwrap();
    let (mut plies, mut charged) = (Vec::new(), Vec::new());
    while let game::Turn::Ask(asks) = game.turn() {
        let action = match game.is_ready() {
            true => Action::Accelerate(0, 1),
            false => Action::Ready,
        };
        let ply = asks.map(|_, it| it.map(|_| Answer::Action(action)));
        charged.push(ply.map(|_, it| it.as_ref().map(|_| Duration::from_millis(10))));
        game.play(&ply, &mut Vec::new());
        plies.push(ply);
    }
    let names = vec!["ann".to_owned(), "bob".to_owned()].into();
    Story { setup, sitters, names, plies, charged }
}

/// A golden race, as the first of a match that stops there.
fn story(line: &Value) -> Story<Jockey> {
    let setup = golden_setup(line);
    let name = line["name"].as_str().unwrap();
    let mut game = common::start(&setup, common::BOTS);
    let mut plies = vec![PerSeat::new(2, |_| Some(Answer::Action(Action::Ready)))];
    common::ready(&mut game);
    for step in 0..line["steps"].as_array().unwrap().len() {
        let players = game.race().players().map(|it| it.standing);
        assert!(players.contains(&Standing::Racing));
        let answers = golden_answers(line, step);
        common::play(&mut game, answers.clone());
        plies.push(Vec::from(answers).into());
    }
    // Who they were and how long they thought is not known. In the race called F1 the two have
    // changed sides.
    let (game_name, race) = name.split_at(name.len() - 2);
    let mut names = ["first", "second"].map(|it| format!("{it} of {game_name}"));
    if race == "F1" {
        names.reverse();
    }
    let names = Vec::from(names).into();
    let charged = |it: &PerSeat<Option<_>>| it.map(|_, it| it.as_ref().map(|_| Duration::ZERO));
    let charged = plies.iter().map(charged).collect();
    Story { setup, sitters: PerSeat::new(2, |_| Sitter::Bot), names, plies, charged }
}

fn concat_path(path: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}
