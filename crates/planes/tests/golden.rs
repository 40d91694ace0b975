//! Replays every line of the golden files: fights by both sets of rules and by one between, and the
//! tables of directions.
//!
//! `AGON_GOLDEN_DIR` names another directory. All of its `*.jsonl.gz` are read: the rules are those
//! that the file is named for, and those of `controller` where it is named for none.

mod common;

use std::{fs, fs::File, io::Write, path::Path};

use common::{A, B, BOTS, direction, golden_dir, heard, lines, play, read_lines, short, start};
use flate2::read::GzDecoder;
use game::{Answer, Fraction, Game, Turn};
use planes::{Action, Cell, Death, Direction, Event, Fight, How, Letters, RuleSet, Setup, Sides};
use planes::{Name, Switches};
use serde_json::Value;

/// Files of this crate, and their rules.
const FILES: [(&str, Rules); 4] = [
    ("controller", Rules::Set(RuleSet::Controller)),
    ("pierce", Rules::Set(RuleSet::Controller)),
    ("prose", Rules::Set(RuleSet::Prose)),
    ("stop", Rules::Switched(Switches { bullets_pierce: false, ..CONTROLLER })),
];
const HELPERS: &str = "helpers.json.gz";
const CONTROLLER: Switches = RuleSet::Controller.switches();

#[derive(Clone, Copy)]
enum Rules {
    /// Rules that a match can be played by.
    Set(RuleSet),
    /// Rules of a single fight.
    Switched(Switches),
}

#[test]
fn every_line_of_every_golden_file_comes_out_as_written() {
    let dir = golden_dir();
    let mut names: Vec<_> = fs::read_dir(&dir)
        .unwrap_or_else(|error| panic!("{}: {error}", dir.display()))
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .filter(|it| it.ends_with(".jsonl.gz"))
        .collect();
    names.sort();
    let here = std::path::absolute(&dir).unwrap();
    let has_helpers = dir.join(HELPERS).exists();
    assert!(has_helpers || !names.is_empty(), "{} holds no golden file of planes", here.display());
    if std::env::var_os("AGON_GOLDEN_DIR").is_none() {
        assert!(
            has_helpers && names.len() == FILES.len(),
            "a golden file of this crate is missing"
        );
    }
    for name in names {
        let stem = name.trim_end_matches(".jsonl.gz");
        let rules = FILES.iter().find(|it| it.0 == stem).unwrap_or(&FILES[0]).1;
        let fights = read_lines(&dir.join(&name));
        assert!(!fights.is_empty(), "{name} is empty");
        for line in &fights {
            check_fight(line, rules, &format!("{name}: fight {} ({})", line["id"], line["policy"]));
        }
        report(&name, &format!("{} fights", fights.len()));
    }
    if has_helpers {
        report(HELPERS, &format!("{} entries", check_helpers(&dir.join(HELPERS))));
    }
}

/// Past the capture of test output, so that the counts are always seen.
fn report(name: &str, counted: &str) {
    let text = format!("golden {name}: {counted} checked\n");
    std::io::stdout().write_all(text.as_bytes()).unwrap();
}

/// Plays a fight alone, and where a match can have such rules, twice in one with the seats swapped.
fn check_fight(line: &Value, rules: Rules, id: &str) {
    let size = line["size"].as_u64().unwrap() as u32;
    let switches = match rules {
        Rules::Set(set) => set.switches(),
        Rules::Switched(switches) => switches,
    };
    let mut fight = Fight::new(size, switches);
    let rounds = line["r"].as_array().unwrap();
    let n_rounds = line["rounds"].as_u64().unwrap() as usize;
    assert!(!rounds.is_empty() && rounds.len() <= n_rounds, "{id}");
    for (no, round) in rounds.iter().enumerate() {
        let at = format!("{id}: round {no}");
        assert!(fight.left().iter().all(|it| *it > 0), "{at}: the fight is over before");
        let [Action([a, b]), Action([c, d])] = [0, 1].map(|it| said(&round[it]));
        let flown = fight.play([a, b, c, d]);
        assert_eq!(lines(fight.planes()).as_slice(), texts(&round[2]), "{at}");
        let told = (0..4).filter_map(|it| Some((it, flown.0[it]?)));
        let mut events = Vec::new();
        let all_ahead = |plane: usize, shot: planes::Shot| {
            let hit = (0..4).filter(|it| shot.hit[*it]).map(|it| it.to_string());
            let nearest_first = ordered(hit.collect(), plane, &flown);
            nearest_first.iter().fold(format!("fire {plane}"), |text, it| format!("{text} {it}"))
        };
        for death in [Death::Wall, Death::Crash] {
            let what = if death == Death::Wall { "wall" } else { "crash" };
            let died = told.clone().filter(|(_, it)| it.death == Some(death));
            events.extend(died.map(|(plane, _)| format!("{what} {plane}")));
        }
        let shots = told.clone().filter_map(|(plane, it)| Some((plane, it.shot?)));
        events.extend(shots.map(|(plane, shot)| all_ahead(plane, shot)));
        assert_eq!(events, expected_events(&round[3], switches.bullets_pierce), "{at}: events");
    }
    let [one, other] = fight.left();
    assert_eq!(line["alive"], serde_json::json!([one, other]), "{id}: planes left");
    let is_out = one == 0 || other == 0;
    assert!(is_out || rounds.len() == n_rounds, "{id}: it goes on");
    if let Rules::Set(set) = rules {
        check_match(line, size, n_rounds as u32, set, id);
    }
}

/// The numbers of planes that were hit, the nearest to the shooter first.
fn ordered(mut hit: Vec<String>, shooter: usize, flown: &planes::Round) -> Vec<String> {
    let cell = |it: usize| flown.0[it].unwrap().plane.at;
    let far = |it: &String| {
        let (Cell { x, y, z }, from) = (cell(it.parse().unwrap()), cell(shooter));
        [x - from.x, y - from.y, z - from.z].map(i8::abs).into_iter().max()
    };
    hit.sort_by_key(far);
    hit
}

/// The events of a round. Files name every plane ahead; bullets that end at the first hit that one
/// alone. `pierce` says of a round that it would be another by the other rules.
fn expected_events(round: &Value, bullets_pierce: bool) -> Vec<String> {
    let events = texts(round).into_iter().filter(|it| it != "pierce");
    let cut = |it: String| match it.starts_with("fire") && !bullets_pierce {
        true => it.split(' ').take(3).collect::<Vec<_>>().join(" "),
        false => it,
    };
    events.map(cut).collect()
}

/// The same fight as the first of a match and, on the other sides, as the second.
fn check_match(line: &Value, size: u32, rounds: u32, rules: RuleSet, id: &str) {
    let setup = Setup { size, rules, sides: Sides::Alternate, ..short(2, rounds) };
    let mut game = start(&setup, BOTS);
    let result = line["result"].as_i64().unwrap();
    let seats = |fight: u32| if fight == 0 { [A, B] } else { [B, A] };
    for fight in 0..2 {
        let mut ended = None;
        for round in line["r"].as_array().unwrap() {
            assert_eq!((ended.clone(), game.round()), (None, fight), "{id}: it is over too soon");
            let mut answers = [0, 1].map(|it| Some(Answer::Action(said(&round[it]))));
            if fight == 1 {
                answers.reverse();
            }
            let events = play(&mut game, answers);
            ended = events.into_iter().find(|it| matches!(it, Event::FightEnded { .. }));
            if ended.is_none() {
                assert_eq!(lines(game.fight().planes()).as_slice(), texts(&round[2]), "{id}");
            }
        }
        let how = match line["end"].as_str().unwrap() {
            "both_out" => How::BothOut,
            "out" => How::Out,
            _ => How::Rounds,
        };
        let alive = |player: usize| line["alive"][player].as_u64().unwrap() as u8;
        let mut left = [alive(0), alive(1)];
        if fight == 1 {
            left.reverse();
        }
        let winner = match result {
            1 => Some(seats(fight)[0]),
            -1 => Some(seats(fight)[1]),
            _ => None,
        };
        let rounds = line["r"].as_array().unwrap().len() as u32;
        assert_eq!(ended, Some(Event::FightEnded { fight, rounds, winner, how, left }), "{id}");
    }
    // Each has won the fight once, or it was drawn twice.
    let won = result.unsigned_abs() as u32;
    assert_eq!((game.won(), game.drawn()), ([won; 2], 2 - 2 * won), "{id}");
    let Turn::Over(outcome) = game.turn() else { panic!("{id}: the match goes on") };
    assert_eq!(outcome.score, vec![Fraction::new(1, 2); 2].into(), "{id}");
}

fn said(lines: &Value) -> Action {
    let lines = texts(lines);
    heard(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|it| it.as_str().unwrap().to_owned()).collect()
}

/// The tables of the first judge, as far as the rules have the same function.
fn check_helpers(path: &Path) -> usize {
    let file = GzDecoder::new(File::open(path).unwrap());
    let tables: Value = serde_json::from_reader(file).unwrap();
    let mut n_checked = 0;

    let directions = tables["directions"].as_object().unwrap();
    let all: Vec<_> = Direction::all().map(|it| it.letters().to_owned()).collect();
    assert_eq!(
        directions.keys().cloned().collect::<std::collections::BTreeSet<_>>(),
        all.iter().cloned().collect()
    );
    for (name, it) in directions {
        let from = direction(name);
        let signs: Vec<i64> = from.signs().map(i64::from).into();
        assert_eq!(it["v"], serde_json::json!(signs), "{name}");
        let turns: Vec<_> = from.turns().map(|it| it.letters().to_owned()).collect();
        assert_eq!(turns, texts(&it["possible"]), "{name}");
        for to in Direction::all() {
            assert_eq!(from.allows(to), turns.contains(&to.to_string()), "{name} to {to}");
        }
        n_checked += 1;
    }

    for (text, canonical) in tables["parse"].as_object().unwrap() {
        // The first judge looked for letters in any text; a move is letters alone.
        let Some(letters) = Letters::parse(text.as_bytes()) else {
            let is_letters = !text.is_empty() && text.bytes().all(|it| b"NSWEDU".contains(&it));
            assert!(!is_letters, "{text}");
            continue;
        };
        let canonical = canonical.as_str().unwrap();
        assert_eq!(letters.direction(true).map(|it| it.letters()), Some(canonical), "{text}");
        let contradicts =
            ["NS", "WE", "DU"].iter().any(|pair| pair.chars().all(|it| text.contains(it)));
        let by_text = letters.direction(false).map(|it| it.letters());
        assert_eq!(by_text, (!contradicts).then_some(canonical), "{text}");
        n_checked += 1;
    }
    let int_ctor = Direction::new(-7, 5, 9).map(|it| it.to_string());
    assert_eq!(int_ctor.as_deref(), tables["int_ctor"].as_str());

    let size = 14_i8;
    for (name, table) in tables["shoot_range_len"].as_object().unwrap() {
        let cells = (0..size)
            .flat_map(|x| (0..size).flat_map(move |y| (0..size).map(move |z| Cell::new(x, y, z))));
        let lengths = table.as_str().unwrap().bytes().map(|it| (it - b'a') as i8);
        for (cell, length) in cells.zip(lengths) {
            assert_eq!(cell.cells_ahead(direction(name), size), length, "{name} from {cell:?}");
            n_checked += 1;
        }
    }
    for (wall, distance) in tables["wall_distance_size14_at_3_5_9"].as_object().unwrap() {
        // Of letters that name no wall the rules know nothing.
        let Some(to) = Letters::parse(wall.as_bytes()).and_then(|it| it.direction(false)) else {
            continue;
        };
        assert_eq!(i64::from(Cell::new(3, 5, 9).cells_ahead(to, size)), distance.as_i64().unwrap());
        n_checked += 1;
    }
    n_checked
}

#[test]
fn names_of_planes_are_those_of_their_seats() {
    // Player 2 of the second fight is the first seat.
    let setup = Setup { rules: RuleSet::Prose, ..short(2, 1) };
    let mut game = start(&setup, BOTS);
    let straight = || common::says("S S");
    play(&mut game, [straight(), common::says("N N")]);
    let events = play(&mut game, [common::says("N! N"), straight()]);
    let shot = events.iter().find_map(|it| match it {
        Event::Shot { plane, from, .. } => Some((*plane, *from)),
        _ => None,
    });
    assert_eq!(shot, Some((Name { seat: A, no: 0 }, Cell::new(12, 8, 13))));
}
