//! What we tell people is true: the set-ups and bots of `game.toml`, the example and numbers of `rules.md`.

mod common;

use std::{collections::HashSet, fs, path::PathBuf};

use common::{BOTS, ask, mode, play, read, start};
use game::{Answer, Game, Read, Seat, Talk};
use labyrinth::{Event, Labyrinth, Lines, Mode, Reason, Setup, architect_points, par, round_limit};
use toml::{Table, Value};

#[test]
fn the_game_file_names_roles_set_ups_and_bots_that_there_are() {
    let file: Table = fs::read_to_string(config("game.toml")).unwrap().parse().unwrap();
    let roles: Vec<_> = entries(&file, "roles").map(|it| text(it, "id")).collect();
    assert_eq!(roles, Labyrinth::ROLES);

    assert_eq!(setup(&file["setup"]), Setup::default());
    let mut modes = HashSet::new();
    for it in entries(&file, "ladder") {
        let setup = setup(&it["setup"]);
        start(&setup, BOTS);
        modes.insert(setup.mode);
        assert!(it["weight"].as_integer().unwrap() > 0);
    }
    assert_eq!(modes.len(), 2);

    let own = entries(&file, "bots").map(|it| (it, config("bots").join(text(it, "file"))));
    let demo = entries(&file, "demo").map(|it| (it, config(text(it, "file"))));
    let mut names = HashSet::new();
    for (bot, path) in own.chain(demo) {
        assert!(path.is_file(), "{}", path.display());
        assert!(roles.contains(&text(bot, "role")), "{bot:?}");
        let language = format!("../../languages/{}.toml", text(bot, "language"));
        assert!(config(&language).is_file(), "{language}");
        assert!(names.insert(text(bot, "name")), "{bot:?}: the name is taken");
    }
}

#[test]
fn the_worked_example_of_the_rules_is_what_happens() {
    let rules = fs::read_to_string(config("rules.md")).unwrap();
    let mut game = start(&Setup::new(5, Mode::NoMap), BOTS);
    let mut seats = [Lines::default(), Lines::default()];
    let (mut events, mut n_blocks) = (Vec::new(), 0);
    for (role, lines) in conversations(&rules) {
        let seat = Labyrinth::ROLES.iter().position(|it| *it == role).unwrap();
        let (dialect, seat) = (&mut seats[seat], Seat(seat as u8));
        ask(&game, seat, dialect);
        let (mut talk, mut expected) = (Talk::default(), String::new());
        let mut action = None;
        for line in lines {
            match line.split_at(2) {
                ("> ", said) => match read(dialect, format!("{said}\n").as_bytes(), &mut talk) {
                    Read::Action(it, _) => action = Some(it),
                    Read::More(_) => (),
                    Read::Garbled(why) => panic!("{why}"),
                },
                ("< ", reply) => expected += &format!("{reply}\n"),
                _ => panic!("{line}"),
            }
        }
        n_blocks += 1;
        assert_eq!(String::from_utf8(talk.replies).unwrap(), expected);
        events.extend(play(&mut game, seat, Answer::Action(action.unwrap())));
    }
    assert_eq!(n_blocks, 3);
    let cell = |x, y| game.board().cell(x, y).unwrap();
    let redundant = Event::Redundant { seat: Seat(0), reason: Reason::NearAdventurer };
    let told = [Event::Planted { cell: cell(3, 3) }, Event::Moved { to: cell(4, 5) }, redundant];
    assert_eq!(events, told);
}

#[test]
fn the_table_of_points_is_computed_right() {
    let rules = fs::read_to_string(config("rules.md")).unwrap();
    let table = rules.lines().skip_while(|it| !it.starts_with("| n | mode")).skip(2);
    let mut n_rows = 0;
    for row in table.take_while(|it| it.starts_with('|')) {
        let columns: Vec<_> = row.split('|').map(str::trim).collect();
        let [_, size, name, m, limit, t, architect, adventurer, _] = columns[..] else {
            panic!("{row}")
        };
        let size: u32 = size.parse().unwrap();
        let mode = mode(if name == "with map" { "map" } else { "nomap" });
        let limit: u32 = limit.parse().unwrap();
        assert_eq!((m.parse(), limit), (Ok(par(size)), round_limit(size, mode)), "{row}");
        let t = t.parse().unwrap_or(limit + 1);
        let points = architect_points(size, mode, t);
        assert_eq!(
            (architect.parse(), adventurer.parse()),
            (Ok(points), Ok(100 - points)),
            "{row}"
        );
        n_rows += 1;
    }
    assert_eq!(n_rows, 5);
}

/// The blocks marked `conversation`, each with its role and lines.
fn conversations<'a>(rules: &'a str) -> Vec<(&'a str, Vec<&'a str>)> {
    let blocks = rules.split("```").filter_map(|it| it.strip_prefix("conversation "));
    let split = |block: &'a str| {
        let (role, lines) = block.split_once('\n').unwrap();
        (role, lines.lines().collect())
    };
    blocks.map(split).collect()
}

fn entries<'a>(file: &'a Table, key: &str) -> impl Iterator<Item = &'a Value> {
    file[key].as_array().unwrap().iter()
}

fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key].as_str().unwrap()
}

fn setup(it: &Value) -> Setup {
    it.clone().try_into().unwrap()
}

fn config(path: &str) -> PathBuf {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/games/labyrinth");
    PathBuf::from(folder).join(path)
}
