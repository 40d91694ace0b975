//! What we tell people is true: the roles, set-ups and bots of `game.toml`, and what `rules.md`
//! says of turns, of a match and of limits.

mod common;

use std::{collections::HashSet, fs, time::Duration};

use common::{A, BOTS, config, direction, go, play, says};
use game::{Answer, Dialect, Game, Read, Talk};
use planes::{
    Cell, Direction, Fight, LATE_TURNS_MAX, LETTERS_MAX, LINE_BYTES_MAX, PERSON_ROUND_MS, Plane,
    Planes, Radio, RuleSet, Setup,
};
use toml::{Table, Value};

#[test]
fn the_game_file_names_roles_set_ups_and_bots_that_there_are() {
    let file: Table = fs::read_to_string(config("game.toml")).unwrap().parse().unwrap();
    let roles: Vec<_> = entries(&file, "roles").map(|it| text(it, "id")).collect();
    assert_eq!(roles, Planes::ROLES[..1]);
    for it in entries(&file, "ladder") {
        assert!(it["weight"].as_integer().unwrap() > 0);
        let setup: Setup = it["setup"].clone().try_into().unwrap();
        let sitters = Vec::from(BOTS).into();
        assert!(Planes::start(&setup, &sitters, &mut Vec::new()).is_ok(), "{setup:?}");
    }

    let own = entries(&file, "bots").map(|it| (it, config("bots").join(text(it, "file"))));
    let demo = entries(&file, "demo").map(|it| (it, config(text(it, "file"))));
    let mut names = HashSet::new();
    let mut languages = HashSet::new();
    for (bot, path) in own.chain(demo) {
        assert!(path.is_file(), "{}", path.display());
        assert!(roles.contains(&text(bot, "role")), "{bot:?}");
        let language = format!("../../languages/{}.toml", text(bot, "language"));
        assert!(config(&language).is_file(), "{language}");
        assert!(names.insert(text(bot, "name")), "{bot:?}: the name is taken");
        languages.insert(text(bot, "language").to_owned());
    }
    let shipped = fs::read_dir(config("../../languages")).unwrap().map(|it| it.unwrap().path());
    let shipped = shipped.filter(|it| it.extension().is_some_and(|it| it == "toml"));
    let shipped: HashSet<_> =
        shipped.map(|it| it.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    assert_eq!(languages, shipped, "a beginner's bot in each language");
}

#[test]
fn the_numbers_of_the_rules_page_are_those_of_the_rules() {
    let page = rules();
    assert_eq!((LATE_TURNS_MAX, PERSON_ROUND_MS), (5, 60_000));
    assert_eq!((LINE_BYTES_MAX, LETTERS_MAX), (200, 10));
    let usual = Setup::default();
    assert_eq!((usual.size, usual.rounds, usual.fights), (14, 100, 100));
    assert_eq!((usual.turn_ms, usual.total_ms), (1_000, 60_000));
    for said in [
        "a cube of 14 cells an edge; other matches may have 4 to 20",
        "100 if nothing else was chosen",
        "| 1 second for a round of a bot |",
        "| 5 late rounds in a match |",
        "| 60 seconds for all rounds of a bot in a match |",
        "| 60 seconds for a round of a person |",
        "A line has at most 200 bytes",
        "there may be 1 to 10",
    ] {
        assert!(page.contains(said), "{said}");
    }
}

#[test]
fn the_turns_of_the_rules_page_are_those_of_the_rules() {
    let page = rules();
    for from in ["S", "SE", "SEU"] {
        let turns: Vec<_> = direction(from).turns().map(|it| it.letters()).collect();
        let row = format!("| {} directions | from `{from}`: `{}` |", turns.len(), turns.join(" "));
        assert!(page.contains(&row), "{row}");
    }
    assert!(
        page.contains("Turning back takes four rounds, and three from a direction of two letters.")
    );
    for from in Direction::all() {
        let [x, y, z] = from.signs().map(|it| -i32::from(it));
        let back = Direction::new(x, y, z).unwrap();
        let mut reached = HashSet::from([from]);
        let mut rounds = 0;
        while !reached.contains(&back) {
            reached = reached.iter().flat_map(|it| it.turns()).collect();
            rounds += 1;
        }
        let wanted = if from.letters().len() == 2 { 3 } else { 4 };
        assert_eq!(rounds, wanted, "{from} to {back}");
    }
}

#[test]
fn the_worked_example_of_the_rules_page_is_what_is_said() {
    let page = rules();
    let block = page.split("```conversation\n").nth(1).unwrap().split("```").next().unwrap();
    let setup = Setup::default();
    let mut events = Vec::new();
    let mut game = Planes::start(&setup, &Vec::from(BOTS).into(), &mut events).unwrap();
    let mut radio = Radio::default();
    let (mut told, mut said, mut n_answers) = (String::new(), String::new(), 0);
    for line in block.lines() {
        if let Some(line) = line.strip_prefix("< ") {
            told += &format!("{line}\n");
            continue;
        }
        said += &format!("{}\n", line.strip_prefix("> ").unwrap());
        if said.lines().count() < 2 {
            continue;
        }
        let mut out = Vec::new();
        events.drain(..).for_each(|it| radio.tell(A, &it, &mut out));
        radio.ask(A, &game.view(Some(A)), Duration::ZERO, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), told);
        let mut talk = Talk::default();
        let Read::Action(action, _) = radio.read(said.as_bytes(), &mut talk) else {
            panic!("{said} is no answer");
        };
        assert!(talk.remarks.is_empty(), "{talk:?}");
        events = play(&mut game, [Some(Answer::Action(action)), says("N N")]);
        told.clear();
        said.clear();
        n_answers += 1;
    }
    assert_eq!((n_answers, told.as_str(), said.as_str()), (3, "", ""));
}

/// A wall can be avoided while there is a cell between, and no later.
#[test]
fn a_wall_is_avoided_with_a_cell_to_spare() {
    assert!(
        rules().contains("can still turn away while there is a cell between them, and no later")
    );
    for (x, flies) in [(11, true), (12, true), (13, false)] {
        let plane = Plane::new(Cell::new(x, 5, 5), direction("S"));
        let none = Plane { alive: false, ..plane };
        let switches = RuleSet::Prose.switches();
        let mut fight = Fight::with_planes(14, switches, [plane, none, none, none]);
        for turn in ["SW", "W", "W"] {
            fight.play([go(direction(turn), true, false), None, None, None]);
        }
        assert_eq!(fight.planes()[0].alive, flies, "from {x}");
    }
}

fn rules() -> String {
    fs::read_to_string(config("rules.md")).unwrap()
}

fn entries<'a>(file: &'a Table, key: &str) -> impl Iterator<Item = &'a Value> {
    file[key].as_array().unwrap().iter()
}

fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().unwrap()
}
