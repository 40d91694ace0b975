//! Replays every line of the golden files: whole matches, positions, points, conversations.
//!
//! `AGON_GOLDEN_DIR` names another directory with files of the same names.

mod common;

use std::{collections::BTreeMap, io::Write, path::Path};

use common::{BOTS, ask, board, golden_dir, mode, play, read, read_lines, remarks, start};
use game::{Answer, Fraction, Game, Read, RemarkKind, Seat, Talk, Turn};
use labyrinth::{
    ADVENTURER, ARCHITECT, Action, Ending, Event, Labyrinth, Lines, Reason, Setup,
    architect_points, par, round_limit,
};
use serde_json::{Value, json};

/// What checks one line of a file, by its kind.
type Check = fn(&Value);

const FILES: [(&str, &[(&str, Check)]); 2] = [
    (
        "games.jsonl.gz",
        &[
            ("header", check_header),
            ("game", check_game),
            ("position", check_position),
            ("score", check_score),
        ],
    ),
    ("transcripts.jsonl.gz", &[("header", check_header), ("transcript", check_transcript)]),
];

#[test]
fn every_line_of_every_golden_file_comes_out_as_written() {
    let dir = golden_dir();
    let there: Vec<_> = FILES.iter().filter(|(name, _)| dir.join(name).exists()).collect();
    let here = std::path::absolute(&dir).unwrap();
    assert!(!there.is_empty(), "{} holds no golden file of labyrinth", here.display());
    if std::env::var_os("AGON_GOLDEN_DIR").is_none() {
        assert_eq!(there.len(), FILES.len(), "a golden file of this crate is missing");
    }
    for (name, checks) in there {
        report(name, check_file(&dir.join(name), checks));
    }
}

fn check_file(path: &Path, checks: &[(&str, Check)]) -> BTreeMap<String, usize> {
    let mut n_checked = BTreeMap::new();
    for line in read_lines(path) {
        let kind = text(&line["kind"]);
        let check = checks.iter().find(|(name, _)| *name == kind);
        let (_, check) = check.unwrap_or_else(|| panic!("{}: kind {kind}", path.display()));
        check(&line);
        *n_checked.entry(kind.to_owned()).or_default() += 1;
    }
    n_checked
}

/// Past the capture of test output, so that the counts are always seen.
fn report(name: &str, n_checked: BTreeMap<String, usize>) {
    let n_lines: usize = n_checked.values().sum();
    let kinds: Vec<_> = n_checked.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    let text = format!("golden {name}: {n_lines} lines checked ({})\n", kinds.join(", "));
    std::io::stdout().write_all(text.as_bytes()).unwrap();
}

fn check_header(line: &Value) {
    assert_eq!(line["version"], 1);
}

fn check_game(line: &Value) {
    let id = &line["id"];
    let setup = setup(line);
    assert_eq!(line["limit"], round_limit(setup.size, setup.mode), "game {id}");
    assert_eq!(line["par"], par(setup.size), "game {id}");

    let mut game = start(&setup, BOTS);
    let (mut flags, mut path, mut hedges) = ([String::new(), String::new()], vec![], vec![]);
    let rounds = list(&line["arch"]).iter().zip(list(&line["adv"]));
    assert_eq!(list(&line["arch"]).len(), list(&line["adv"]).len(), "game {id}");
    for (architect, adventurer) in rounds {
        for (seat, said) in [(ARCHITECT, architect), (ADVENTURER, adventurer)] {
            assert!(game.ending().is_none(), "game {id} is over too soon");
            let events = play(&mut game, seat, Answer::Action(action(said)));
            flags[usize::from(seat.0)].push(flag(seat, &events[0]));
            if let Event::Planted { cell } = events[0] {
                hedges.extend([cell.x(), cell.y()]);
            }
        }
        path.extend([game.board().adventurer().x(), game.board().adventurer().y()]);
    }
    assert_eq!(line["arch_flags"], flags[0], "game {id}");
    assert_eq!(line["adv_flags"], flags[1], "game {id}");
    assert_eq!(line["path"], json!(path), "game {id}");
    assert_eq!(line["hedges"], json!(hedges), "game {id}");
    assert_eq!(line["redundant"], json!(game.redundant()), "game {id}");
    assert_eq!(line["clock"], game.clock(), "game {id}");

    let (result, t) = match game.ending() {
        Some(Ending::Treasure { round }) => ("treasure", Some(*round)),
        Some(Ending::Limit { rounds }) => {
            assert_eq!(line["limit"], *rounds, "game {id}");
            ("limit", None)
        }
        other => panic!("game {id} ended by {other:?}"),
    };
    assert_eq!((&line["result"], &line["t"]), (&json!(result), &json!(t)), "game {id}");
    let whole = round_limit(setup.size, setup.mode) + 1 - par(setup.size);
    let part = t.map_or(whole, |t| t - par(setup.size));
    assert_eq!(line["share"], json!([part, whole]), "game {id}");
    assert_eq!(line["points"], json!(game.points()), "game {id}");
    check_outcome(&game, &line["points"]);
    if !line["final_map"].is_null() {
        assert_eq!(replies(&game, ARCHITECT, "MazeMap"), strings(&line["final_map"]), "game {id}");
    }
}

fn check_outcome(game: &Labyrinth, points: &Value) {
    let Turn::Over(outcome) = game.turn() else { panic!("the match goes on") };
    let points = [0, 1].map(|seat: usize| points[seat].as_i64().unwrap());
    for seat in [ARCHITECT, ADVENTURER] {
        let own = points[usize::from(seat.0)];
        assert_eq!(outcome.measures[0][seat], Fraction::from(own));
        assert_eq!(outcome.score[seat], Fraction::new(own, 100));
        assert_eq!(outcome.places[seat], if own < 50 { 2 } else { 1 });
    }
}

fn check_position(line: &Value) {
    let id = &line["id"];
    let map = strings(&line["map"]);
    let board = board(&map.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(line["n"], board.size(), "position {id}");
    assert_eq!(line["adv"], json!([board.adventurer().x(), board.adventurer().y()]), "{id}");

    let verdict = |x, y| board.judge_planting(x, y).err().map_or('.', architect_letter);
    let side = 0..board.size() as i32 + 2;
    let rows = side.clone().map(|y| side.clone().map(|x| verdict(x, y)).collect::<String>());
    assert_eq!(rows.collect::<Vec<_>>(), strings(&line["verdict"]), "position {id}");

    let setup = Setup::new(board.size(), mode("map"));
    let game = Labyrinth::start_on(board.clone(), &setup, &Vec::from(BOTS).into()).unwrap();
    assert_eq!(replies(&game, ARCHITECT, "MazeMap"), map, "position {id}");
    assert_eq!(replies(&game, ARCHITECT, "FieldOfView"), strings(&line["view"]), "position {id}");
    // The letters drawn on the architect's turn are the same verdicts, found another way.
    let view = game.view(None);
    for cell in board.cells() {
        let (x, y) = (cell.x() as i32, cell.y() as i32);
        assert_eq!(view.fields.letter(x, y), Some(verdict(x, y) as u8), "position {id}: {cell}");
    }
}

fn check_score(line: &Value) {
    let setup = setup(line);
    assert_eq!(line["par"], par(setup.size));
    assert_eq!(line["limit"], round_limit(setup.size, setup.mode));
    let columns = strings(&line["row_fields"]);
    for row in list(&line["rows"]) {
        let field = |name| &row[columns.iter().position(|it| it == name).unwrap()];
        // Not reached counts as one round after the limit.
        let t = field("t").as_u64().map_or(round_limit(setup.size, setup.mode) + 1, |t| t as u32);
        let architect = architect_points(setup.size, setup.mode, t);
        assert_eq!(*field("arch"), architect, "{setup:?} {row}");
        assert_eq!(*field("adv"), 100 - architect, "{setup:?} {row}");
        assert_eq!(*field("num"), t - par(setup.size), "{setup:?} {row}");
        let whole = round_limit(setup.size, setup.mode) + 1 - par(setup.size);
        assert_eq!(*field("den"), whole, "{setup:?} {row}");
    }
}

fn check_transcript(line: &Value) {
    let id = &line["id"];
    let mut game = start(&setup(line), BOTS);
    let mut seats = [Lines::default(), Lines::default()];
    let mut hedges = vec![];
    for (turn_no, turn) in list(&line["turns"]).iter().enumerate() {
        let at = format!("transcript {id}, turn {turn_no}");
        let seat = Labyrinth::ROLES.iter().position(|it| turn["role"] == *it).unwrap();
        let (lines, seat) = (&mut seats[seat], Seat(seat as u8));
        ask(&game, seat, lines);
        let (mut talk, mut action) = (Talk::default(), None);
        for io in list(&turn["io"]) {
            assert_eq!(action, None, "{at}: the turn ended before its last line");
            let said = format!("{}\n", text(&io[0]));
            talk.replies.clear();
            match read(lines, said.as_bytes(), &mut talk) {
                Read::More(n) => assert_eq!(n, said.len(), "{at}"),
                Read::Action(it, n) => {
                    assert_eq!(n, said.len(), "{at}");
                    action = Some(it);
                }
                Read::Garbled(why) => panic!("{at}: {why}"),
            }
            let replies: String = strings(&io[1]).iter().map(|it| format!("{it}\n")).collect();
            assert_eq!(talk.replies, replies.as_bytes(), "{at}: {}", io[0]);
        }
        let action = action.unwrap_or_else(|| panic!("{at}: the turn has no end"));
        assert_eq!(decision(&action), turn["decision"], "{at}");
        assert_eq!(json!(remarks(&talk, RemarkKind::Warning)), turn["warnings"], "{at}");
        assert_eq!(json!(remarks(&talk, RemarkKind::Log)), turn["prints"], "{at}");
        let redundant = match play(&mut game, seat, Answer::Action(action))[0] {
            Event::Redundant { reason, .. } => json!(reason),
            Event::Planted { cell } => {
                hedges.extend([cell.x(), cell.y()]);
                Value::Null
            }
            _ => Value::Null,
        };
        assert_eq!(redundant, turn["redundant"], "{at}");
    }
    let result = game.ending().map(|it| match it {
        Ending::Treasure { .. } => "treasure",
        Ending::Limit { .. } => "limit",
        other => panic!("transcript {id} ended by {other:?}"),
    });
    let adventurer = game.board().adventurer();
    let after = json!({
        "clock": game.clock(),
        "adv": [adventurer.x(), adventurer.y()],
        "hedges": hedges,
        "redundant": game.redundant(),
        "result": result,
    });
    assert_eq!(after, line["after"], "transcript {id}");
}

fn setup(line: &Value) -> Setup {
    Setup::new(line["n"].as_u64().unwrap() as u32, mode(text(&line["mode"])))
}

/// What the golden files mean by a decision.
fn action(said: &Value) -> Action {
    match said {
        Value::Null => Action::Pass,
        Value::String(it) if it == "malformed" => Action::Malformed,
        Value::Array(it) => Action::Plant(whole(&it[0]), whole(&it[1])),
        number => Action::Step(whole(number)),
    }
}

fn decision(action: &Action) -> Value {
    match action {
        Action::Pass => Value::Null,
        Action::Malformed => json!("malformed"),
        Action::Plant(x, y) => json!([x, y]),
        Action::Step(number) => json!(number),
    }
}

/// Numbers beyond 32 bits are as far off as those go.
fn whole(it: &Value) -> i32 {
    it.as_i64().unwrap_or_else(|| panic!("{it}")).clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

fn flag(seat: Seat, event: &Event) -> char {
    match event {
        Event::Planted { .. } | Event::Moved { .. } => '.',
        Event::Redundant { seat: it, reason } => {
            assert_eq!(*it, seat);
            if seat == ARCHITECT { architect_letter(*reason) } else { adventurer_letter(*reason) }
        }
        other => panic!("{other:?}"),
    }
}

fn architect_letter(reason: Reason) -> char {
    match reason {
        Reason::NoCommand => 'n',
        Reason::Malformed => 'm',
        Reason::OffBoard => 'o',
        Reason::Occupied => 'h',
        Reason::NearAdventurer => 'a',
        Reason::NearTreasure => 't',
        Reason::BlocksPath => 'p',
        Reason::BadDirection | Reason::Hedge => panic!("{reason:?} of the architect"),
    }
}

fn adventurer_letter(reason: Reason) -> char {
    match reason {
        Reason::NoCommand => 'n',
        Reason::Malformed => 'm',
        Reason::BadDirection => 'd',
        Reason::Hedge => 'h',
        _ => panic!("{reason:?} of the adventurer"),
    }
}

/// The lines that `seat` gets for `query`.
fn replies(game: &Labyrinth, seat: Seat, query: &str) -> Vec<String> {
    let (mut lines, mut talk) = (Lines::default(), Talk::default());
    ask(game, seat, &mut lines);
    read(&mut lines, format!("{query}\n").as_bytes(), &mut talk);
    String::from_utf8(talk.replies).unwrap().lines().map(str::to_owned).collect()
}

fn text(it: &Value) -> &str {
    it.as_str().unwrap_or_else(|| panic!("{it} is no text"))
}

fn list(it: &Value) -> &[Value] {
    it.as_array().unwrap_or_else(|| panic!("{it} is no list"))
}

fn strings(it: &Value) -> Vec<String> {
    list(it).iter().map(|it| text(it).to_owned()).collect()
}
