//! What we tell people is true: the roles, set-ups and bots of `game.toml`, and what `rules.md`
//! says of limits.

mod common;

use std::{collections::HashSet, fs};

use common::config;
use game::Game;
use jockey::{ANSWER_BYTES_MAX, Jockey, MISSED_IN_A_ROW_MAX, OFFICIAL_COURSE, PERSON_STEP_MS};
use toml::{Table, Value};

#[test]
fn the_game_file_names_roles_pools_and_bots_that_there_are() {
    let file: Table = fs::read_to_string(config("game.toml")).unwrap().parse().unwrap();
    let roles: Vec<_> = entries(&file, "roles").map(|it| text(it, "id")).collect();
    assert_eq!(roles, Jockey::ROLES[..1]);
    let mut n_courses = 0;
    for it in entries(&file, "ladder") {
        assert!(it["weight"].as_integer().unwrap() > 0);
        for entry in fs::read_dir(config(text(it, "pool"))).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|it| it == OFFICIAL_COURSE.extension) {
                let setup = (OFFICIAL_COURSE.read)(&fs::read(&path).unwrap()).unwrap();
                assert_eq!(Jockey::inspect(&setup), Ok(()), "{}", path.display());
                // What rules.md says of them.
                assert!((5..=20).contains(&setup.width) && (50..=100).contains(&setup.length));
                n_courses += 1;
            }
        }
    }
    assert_eq!(n_courses, 50);

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
    let page = fs::read_to_string(config("rules.md")).unwrap();
    assert_eq!((ANSWER_BYTES_MAX, PERSON_STEP_MS, MISSED_IN_A_ROW_MAX), (4_096, 30_000, 3));
    for said in ["at most 4,096 bytes", "30 seconds for a step", "the third time in a row"] {
        assert!(page.contains(said), "{said}");
    }
}

fn entries<'a>(file: &'a Table, key: &str) -> impl Iterator<Item = &'a Value> {
    file[key].as_array().unwrap().iter()
}

fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().unwrap()
}
