//! Laws that hold for every match and every conversation, tried on random ones.

mod common;

use std::collections::{HashSet, VecDeque};

use common::{BOTS, ask, play, start};
use game::{Answer, Dialect, End, Fault, Game, Read, Sitter, Talk, Turn};
use labyrinth::{
    ADVENTURER, ARCHITECT, Action, Board, Cell, Event, Labyrinth, Lines, Mode, Reason, Setup,
};
use proptest::prelude::*;

proptest! {
    #[test]
    fn bytes_come_to_the_same_in_whatever_pieces_they_come(
        input in conversation(),
        cuts in prop::collection::vec(1usize..40, 1..60),
        me in prop::sample::select(vec![ARCHITECT, ADVENTURER]),
        mode in mode(),
    ) {
        let game = start(&Setup::new(6, mode), BOTS);
        let whole = converse(&game, me, &input, &[input.len()]);
        prop_assert_eq!(&whole, &converse(&game, me, &input, &cuts));
        prop_assert_eq!(&whole, &converse(&game, me, &input, &[1]));
    }

    #[test]
    fn every_match_keeps_a_path_and_comes_to_an_end(
        setup in setup(),
        answers in prop::collection::vec(answer(), 1..200),
        people in prop::collection::vec(prop::bool::ANY, 2..3),
    ) {
        let sitters = [0, 1].map(|it: usize| if people[it] { Sitter::Person } else { Sitter::Bot });
        let mut game = start(&setup, sitters);
        for answer in answers.iter().cycle().take(6 * 12 * 12 + 2) {
            let Turn::Ask(asks) = game.turn() else { break };
            let seat = if asks[ARCHITECT].is_some() { ARCHITECT } else { ADVENTURER };
            let allowed = matches!(answer, Answer::Action(it) if game.check(seat, it).is_ok());
            let before = game.clone();
            let events = play(&mut game, seat, answer.clone());
            if matches!(events[0], Event::Planted { .. }) {
                prop_assert!(way_length(game.board(), None).is_some());
            }
            // Whoever is let do it, gets it done; a decision does just what its event says.
            let done = matches!(events[0], Event::Planted { .. } | Event::Moved { .. });
            let passed = *answer == Answer::Action(Action::Pass);
            prop_assert_eq!(done || passed, allowed, "{:?}: {:?}", answer, events);
            prop_assert_eq!(done, game.board() != before.board());
        }
        let Turn::Over(outcome) = game.turn() else { panic!("no end") };
        prop_assert_eq!(game.points().iter().sum::<u32>(), 100);
        prop_assert_eq!(outcome.score[ARCHITECT] + outcome.score[ADVENTURER], 1.into());
        prop_assert!(game.view(None).end.is_some());
    }

    #[test]
    fn the_verdicts_agree_with_a_plain_search(board in grown_board()) {
        let all: Vec<_> = board.verdicts().collect();
        prop_assert_eq!(all.len(), (board.size() * board.size()) as usize);
        for (cell, verdict) in all {
            let one = board.judge_planting(cell.x() as i32, cell.y() as i32);
            prop_assert_eq!(one.err(), verdict, "{}", cell);
            if matches!(verdict, None | Some(Reason::BlocksPath)) {
                let blocked = way_length(&board, Some(cell)).is_none();
                prop_assert_eq!(verdict, blocked.then_some(Reason::BlocksPath), "{}", cell);
            }
        }
    }

    #[test]
    fn any_hedges_leave_a_path_or_do_not(
        size in 5u32..=25,
        hedges in prop::collection::vec((1i32..=25, 1i32..=25), 0..400),
    ) {
        let mut board = Board::new(size).unwrap();
        for cell in hedges.iter().filter_map(|(x, y)| board.cell(*x, *y)).collect::<Vec<_>>() {
            board.plant(cell);
        }
        prop_assert_eq!(board.is_solvable(), way_length(&board, None).is_some());
    }

    #[test]
    fn an_adventurer_without_map_cannot_tell_what_is_out_of_sight(
        seed in board_and_far_fields(),
        action in action(),
    ) {
        // Two matches that differ in hedges out of sight alone.
        let (board, far) = seed;
        let mut other = board.clone();
        for cell in far {
            if other.judge_planting(cell.x() as i32, cell.y() as i32).is_ok() {
                other.plant(cell);
            }
        }
        let setup = Setup::new(board.size(), Mode::NoMap);
        let mut games = [board, other]
            .map(|it| Labyrinth::start_on(it, &setup, &Vec::from(BOTS).into()).unwrap());
        // What the architect tries, and whether it fails, is out of sight too.
        let at = games[0].board().adventurer();
        let out_of_sight = match action {
            Action::Plant(x, y) => !sees(at, x, y),
            _ => true,
        };
        let acts = if out_of_sight { [action, Action::Pass] } else { [Action::Pass, Action::Pass] };
        for (game, act) in games.iter_mut().zip(acts) {
            for event in play(game, ARCHITECT, Answer::Action(act)) {
                prop_assert!(!game.hears(ADVENTURER, &event), "{:?}", event);
                prop_assert!(game.hears(ARCHITECT, &event));
            }
        }
        let views = games.each_ref().map(|it| serde_json::to_string(&it.view(Some(ADVENTURER))).unwrap());
        prop_assert_eq!(&views[0], &views[1]);
        let fields = games[0].view(Some(ADVENTURER)).fields;
        for cell in games[0].board().cells() {
            let (x, y) = (cell.x() as i32, cell.y() as i32);
            prop_assert_eq!(fields.letter(x, y) == Some(b'?'), !sees(at, x, y));
        }
        let told = games.each_ref().map(|it| converse(it, ADVENTURER, ALL_QUERIES, &[999]));
        prop_assert_eq!(&told[0], &told[1]);
        // And when it is over, all is shown.
        for game in &mut games {
            play(game, ADVENTURER, Answer::Fault(Fault::Late));
            prop_assert_eq!(game.view(Some(ADVENTURER)), game.view(None));
        }
    }

    #[test]
    fn an_adventurer_with_map_knows_all_but_where_not_to_plant(board in grown_board()) {
        let setup = Setup::new(board.size(), Mode::Map);
        let mut game = Labyrinth::start_on(board, &setup, &Vec::from(BOTS).into()).unwrap();
        let plain = |letter: &u8| if *letter == b'h' { b'h' } else { b'.' };
        let seen = game.view(Some(ADVENTURER)).fields;
        let all = game.view(None).fields;
        prop_assert_eq!(seen.letters(), all.letters().iter().map(plain).collect::<Vec<_>>());
        prop_assert_eq!(&game.view(Some(ARCHITECT)), &game.view(None));
        play(&mut game, ARCHITECT, Answer::Action(Action::Pass));
        prop_assert_eq!(game.view(Some(ADVENTURER)), game.view(None));
    }

    #[test]
    fn set_ups_are_read_or_refused_but_never_choked_on(text in ".{0,80}", size in any::<i64>()) {
        let _ = serde_json::from_str::<Setup>(&text);
        let read = serde_json::from_str::<Setup>(&format!(r#"{{"size":{size},"mode":"map"}}"#));
        prop_assert_eq!(read.is_ok(), (5..=25).contains(&size));
    }
}

const ALL_QUERIES: &[u8] =
    b"Clock\nWithMap\nMazeSize\nAdventurerPosition\nMazeMap\nFieldOfView\n#END\n";

/// Everything a conversation comes to: actions, replies, remarks, and how much
/// was taken. Asks anew after each action, up to ten turns.
fn converse(game: &Labyrinth, me: game::Seat, input: &[u8], cuts: &[usize]) -> String {
    let (mut lines, mut talk) = (Lines::default(), Talk::default());
    let (mut actions, mut inbox, mut rest, mut taken) = (Vec::new(), Vec::new(), input, 0);
    ask(game, me, &mut lines);
    let mut cuts = cuts.iter().cycle();
    'arrivals: while !rest.is_empty() && actions.len() < 10 {
        let (piece, later) = rest.split_at(*cuts.next().unwrap().min(&rest.len()));
        inbox.extend_from_slice(piece);
        rest = later;
        loop {
            let n = match lines.read(&inbox, &mut talk) {
                Read::More(0) => break,
                Read::More(n) => n,
                Read::Action(action, n) => {
                    actions.push(Ok(action));
                    ask(game, me, &mut lines);
                    n
                }
                Read::Garbled(why) => {
                    actions.push(Err(why));
                    break 'arrivals;
                }
            };
            inbox.drain(..n);
            taken += n;
            if actions.len() == 10 {
                break;
            }
        }
    }
    let replies = String::from_utf8(talk.replies).unwrap();
    let garbled = matches!(actions.last(), Some(Err(_)));
    // What is taken of a garbled turn depends on the pieces and is nobody's business.
    format!("{actions:?} {replies:?} {:?} {:?}", talk.remarks, (!garbled).then_some(taken))
}

fn conversation() -> impl Strategy<Value = Vec<u8>> {
    let known = [
        "Clock",
        "WithMap",
        "MazeSize",
        "AdventurerPosition",
        "MazeMap",
        "FieldOfView",
        "MakeStep 0",
        "MakeStep  -3",
        "MakeStep",
        "PlaceObstacle 3 4",
        "PlaceObstacle 3 x",
        "#PRINT",
        "#PRINT  a b ",
        "#END",
        "#END",
        "#END x",
        "",
        "\r",
        " \t",
        "hello",
        "MazeMap x",
        "\0",
    ];
    let line = prop_oneof![
        8 => prop::sample::select(known.to_vec()).prop_map(|it| it.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..30),
        1 => (0usize..4).prop_map(|it| vec![b'#'; it * 25_000]),
    ];
    let ended = (line, prop::sample::select(vec!["\n", "\n", "\n", " \n", "\r\n", ""]));
    let ended = ended.prop_map(|(line, end)| [line, end.as_bytes().to_vec()].concat());
    prop::collection::vec(ended, 0..130).prop_map(|it| it.concat())
}

fn mode() -> impl Strategy<Value = Mode> {
    prop::sample::select(vec![Mode::Map, Mode::NoMap])
}

fn setup() -> impl Strategy<Value = Setup> {
    (5u32..=12, mode()).prop_map(|(size, mode)| Setup::new(size, mode))
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        1 => Just(Action::Pass),
        1 => Just(Action::Malformed),
        1 => (any::<i32>(), any::<i32>()).prop_map(|(x, y)| Action::Plant(x, y)),
        9 => (0..27, 0..27).prop_map(|(x, y)| Action::Plant(x, y)),
        1 => any::<i32>().prop_map(Action::Step),
        9 => (0..4).prop_map(Action::Step),
    ]
}

fn answer() -> impl Strategy<Value = Answer<Action>> {
    let faults = vec![
        Fault::Late,
        Fault::LateTotal,
        Fault::Gone(End::Signalled(9)),
        Fault::Garbled("?".into()),
    ];
    prop_oneof![
        200 => action().prop_map(Answer::Action),
        1 => prop::sample::select(faults).prop_map(Answer::Fault),
    ]
}

/// A board on which a random architect and adventurer have been at work.
fn grown_board() -> impl Strategy<Value = Board> {
    (5u32..=25, prop::collection::vec((0..27, 0..27, 0..8), 0..900)).prop_map(|(size, turns)| {
        let mut board = Board::new(size).unwrap();
        for (x, y, number) in turns {
            if let Ok(cell) = board.judge_planting(x, y) {
                board.plant(cell);
            }
            if let Ok(to) = board.judge_step(number) {
                board.put_adventurer(to);
            }
            if board.is_solved() {
                board.put_adventurer(board.cell(2, 1).filter(|it| board.is_open(*it)).unwrap());
            }
        }
        board
    })
}

/// A board, and fields of it that the adventurer does not see.
fn board_and_far_fields() -> impl Strategy<Value = (Board, Vec<Cell>)> {
    (grown_board(), prop::collection::vec((1..=25, 1..=25), 0..50)).prop_map(|(board, fields)| {
        let at = board.adventurer();
        let far = fields.into_iter().filter(|(x, y)| !sees(at, *x, *y));
        let far = far.filter_map(|(x, y)| board.cell(x, y)).collect();
        (board, far)
    })
}

fn sees(at: Cell, x: i32, y: i32) -> bool {
    x.abs_diff(at.x() as i32) <= 2 && y.abs_diff(at.y() as i32) <= 2
}

/// Steps of a shortest way from the adventurer to the treasure, with one more
/// hedge or none: a plain search that shares nothing with the one it checks.
fn way_length(board: &Board, hedge: Option<Cell>) -> Option<u32> {
    let open = |x, y| board.cell(x, y).is_some_and(|it| board.is_open(it) && Some(it) != hedge);
    let start = (board.adventurer().x() as i32, board.adventurer().y() as i32);
    let mut queue = VecDeque::from([(start, 0)]);
    let mut seen = HashSet::from([start]);
    if !open(start.0, start.1) {
        return None;
    }
    while let Some(((x, y), length)) = queue.pop_front() {
        if (x, y) == (1, 1) {
            return Some(length);
        }
        for next in [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)] {
            if open(next.0, next.1) && seen.insert(next) {
                queue.push_back((next, length + 1));
            }
        }
    }
    None
}
