//! What the golden conversations leave out: odd lines, limits, bytes ahead, and full logs.

mod common;

use common::{BOTS, ask, board, read, remarks, start};
use game::{Dialect, Game, Read, RemarkKind, Seat, Talk};
use labyrinth::{
    ADVENTURER, ARCHITECT, Action, LINE_BYTES_MAX, LOG_BYTES_MAX, Labyrinth, Lines, Mode,
    REPLY_BYTES_A_CALL_MAX, Setup, TURN_BYTES_MAX, WARNINGS_MAX,
};

const SIZE: u32 = 5;

const MAP: &str = "O O O O O O O\nO T - - - - O\nO - - - - - O\nO - - - - - O\n\
                   O - - - - - O\nO - - - - A O\nO O O O O O O\n";

/// A seat in its first turn, asked.
fn seat(seat: Seat, mode: Mode) -> Lines {
    let mut lines = Lines::default();
    ask(&start(&Setup::new(SIZE, mode), BOTS), seat, &mut lines);
    lines
}

/// What `input` comes to, all of it read in one turn.
fn hear(lines: &mut Lines, input: &[u8]) -> (Read<Action>, Talk) {
    let mut talk = Talk::default();
    (read(lines, input, &mut talk), talk)
}

#[test]
fn a_turn_comes_to_its_last_command_whatever_else_is_said() {
    use Action::{Malformed, Pass, Plant, Step};
    const NONE: &[&str] = &[];
    let table: &[(Seat, &str, Action, &[&str])] = &[
        (ADVENTURER, "#END", Pass, NONE),
        (ADVENTURER, "MakeStep 0\n#END", Step(0), NONE),
        (ADVENTURER, "MakeStep +1\n#END", Step(1), NONE),
        (ADVENTURER, "MakeStep 007\n#END", Step(7), NONE),
        (ADVENTURER, "MakeStep 003\n#END", Step(3), NONE),
        (ADVENTURER, "  MakeStep 0\n \t #END \r", Step(0), NONE),
        (ADVENTURER, "MakeStep 0\nMakeStep 9\n#END", Step(9), NONE),
        (ADVENTURER, "MakeStep 0\nMakeStep\n#END", Malformed, &["malformed command"]),
        (ADVENTURER, "MakeStep\nMakeStep 0\n#END", Step(0), &["malformed command"]),
        (ADVENTURER, "MakeStep 1x\n#END", Malformed, &["malformed command"]),
        (ADVENTURER, "MakeStep 99999999999999999999999999\n#END", Step(i32::MAX), NONE),
        (
            ADVENTURER,
            "MakeStep 0\nPlaceObstacle 1 4\n#END",
            Step(0),
            &["command of the other role"],
        ),
        (ADVENTURER, "PlaceObstacle\n#END", Pass, &["command of the other role"]),
        (ADVENTURER, "MakeStep 0\n#END x", Step(0), &["text after #END"]),
        (ADVENTURER, "MakeStep 0\n#END #END", Step(0), &["text after #END"]),
        (ADVENTURER, "#ENDE\nMakeStep 2\n#END", Step(2), &["unknown message"]),
        (ARCHITECT, "PlaceObstacle 3 4\n#END", Plant(3, 4), NONE),
        (ARCHITECT, "PlaceObstacle +3 004\n#END", Plant(3, 4), NONE),
        (ARCHITECT, "PlaceObstacle -1 0\n#END", Plant(-1, 0), NONE),
        (
            ARCHITECT,
            "PlaceObstacle -99999999999999999999 99999999999999999999\n#END",
            Plant(i32::MIN, i32::MAX),
            NONE,
        ),
        (ARCHITECT, "PlaceObstacle 3\n#END", Malformed, &["malformed command"]),
        (ARCHITECT, "MakeStep 1\n#END", Pass, &["command of the other role"]),
        (ARCHITECT, "MakeStep\n#END", Pass, &["command of the other role"]),
        (ARCHITECT, "\n\r\n   \n#END", Pass, NONE),
        (ARCHITECT, "hello\n\n#END", Pass, &["unknown message"]),
    ];
    for (me, input, action, warnings) in table {
        let (read, talk) = hear(&mut seat(*me, Mode::Map), format!("{input}\n").as_bytes());
        assert_eq!(read, Read::Action(action.clone(), input.len() + 1), "{input}");
        assert_eq!(remarks(&talk, RemarkKind::Warning), *warnings, "{input}");
        assert!(talk.replies.is_empty(), "{input}");
    }
}

#[test]
fn queries_are_answered_with_or_without_a_warning() {
    const DENIED: &[&str] = &["MazeMap not available"];
    const DENIED_TWICE: &[&str] = &["MazeMap not available", "query with parameters"];
    const EXTRA: &[&str] = &["query with parameters"];
    const VIEW: &str = "- - - O O\n- - - O O\n- - A O O\nO O O O O\nO O O O O\n";
    let table: &[(Seat, Mode, &str, &str, &[&str])] = &[
        (ARCHITECT, Mode::Map, "Clock", "1\n", &[]),
        (ARCHITECT, Mode::Map, "  Clock\t ", "1\n", &[]),
        (ARCHITECT, Mode::Map, "Clock 7", "1\n", EXTRA),
        (ARCHITECT, Mode::Map, "WithMap", "Yes\n", &[]),
        (ADVENTURER, Mode::NoMap, "WithMap", "No\n", &[]),
        (ADVENTURER, Mode::NoMap, "MazeSize", "7\n", &[]),
        (ADVENTURER, Mode::NoMap, "AdventurerPosition x", "5 5\n", EXTRA),
        (ADVENTURER, Mode::NoMap, "FieldOfView", VIEW, &[]),
        (ARCHITECT, Mode::Map, "FieldOfView", VIEW, &[]),
        (ARCHITECT, Mode::NoMap, "MazeMap", MAP, &[]),
        (ARCHITECT, Mode::NoMap, "MazeMap x", MAP, EXTRA),
        (ADVENTURER, Mode::Map, "MazeMap", MAP, &[]),
        (ADVENTURER, Mode::Map, "MazeMap x", MAP, EXTRA),
        (ADVENTURER, Mode::NoMap, "MazeMap", "!\n", DENIED),
        (ADVENTURER, Mode::NoMap, "MazeMap x y", "!\n", DENIED_TWICE),
        (ADVENTURER, Mode::Map, "clock", "", &["unknown message"]),
    ];
    for (me, mode, query, reply, warnings) in table {
        let (read, talk) = hear(&mut seat(*me, *mode), format!("{query}\n").as_bytes());
        assert_eq!(read, Read::More(query.len() + 1), "{query}");
        assert_eq!(str::from_utf8(&talk.replies).unwrap(), *reply, "{query}");
        assert_eq!(remarks(&talk, RemarkKind::Warning), *warnings, "{query}");
    }
}

#[test]
fn the_log_keeps_what_follows_one_blank() {
    let table: &[(&[u8], &str)] = &[
        (b"#PRINT", ""),
        (b"#PRINT ", ""),
        (b"#PRINT\r", ""),
        (b"#PRINT a", "a"),
        (b"#PRINT   two  blanks ", "  two  blanks"),
        (b"  #PRINT\ta\tb", "a\tb"),
        (b"#PRINT #END", "#END"),
        (b"#PRINT MakeStep 0", "MakeStep 0"),
        ("#PRINT żółw".as_bytes(), "żółw"),
        (b"#PRINT \xff\0", "\u{fffd}\u{fffd}"),
    ];
    for (line, text) in table {
        let (read, talk) = hear(&mut seat(ARCHITECT, Mode::Map), &[line, &b"\n"[..]].concat());
        assert_eq!(read, Read::More(line.len() + 1));
        assert_eq!(remarks(&talk, RemarkKind::Log), [*text], "{}", line.escape_ascii());
        assert_eq!(talk.remarks.len(), 1);
    }
}

#[test]
fn what_follows_the_end_of_a_turn_is_left_for_the_next() {
    let mut game = start(&Setup::new(SIZE, Mode::Map), BOTS);
    let mut lines = Lines::default();
    let flood = "PlaceObstacle 3 3\n#END\nPlaceObstacle 3 4\n#END x\n#END\nClock\nPlaceObst";
    let mut rest = flood;
    for (action, left) in [
        (Action::Plant(3, 3), "PlaceObstacle 3 4\n#END x\n#END\nClock\nPlaceObst"),
        (Action::Plant(3, 4), "#END\nClock\nPlaceObst"),
        (Action::Pass, "Clock\nPlaceObst"),
    ] {
        ask(&game, ARCHITECT, &mut lines);
        let (read, talk) = hear(&mut lines, rest.as_bytes());
        let Read::Action(read, n) = read else { panic!("{read:?}") };
        rest = &rest[n..];
        assert_eq!((read, rest), (action, left));
        assert!(talk.replies.is_empty());
        for seat in [ARCHITECT, ADVENTURER] {
            common::play(&mut game, seat, game::Answer::Action(Action::Pass));
        }
    }
    ask(&game, ARCHITECT, &mut lines);
    let (read, talk) = hear(&mut lines, rest.as_bytes());
    assert_eq!((read, talk.replies), (Read::More("Clock\n".len()), b"4\n".to_vec()));
}

#[test]
fn the_warning_after_the_last_that_is_forgiven_loses() {
    let mut lines = seat(ADVENTURER, Mode::NoMap);
    let game = start(&Setup::new(SIZE, Mode::NoMap), BOTS);
    // Warnings add up over turns.
    for turn in 0..2 {
        let nonsense = "nonsense\n".repeat(WARNINGS_MAX as usize / 2);
        let (read, talk) = hear(&mut lines, format!("{nonsense}#END\n").as_bytes());
        assert!(matches!(read, Read::Action(Action::Pass, _)), "turn {turn}: {read:?}");
        assert_eq!(talk.remarks.len(), WARNINGS_MAX as usize / 2);
        ask(&game, ADVENTURER, &mut lines);
    }
    // All is well as long as nothing else is wrong.
    let (read, talk) = hear(&mut lines, b"Clock\nMakeStep 9\n#PRINT x\n");
    assert_eq!((read, talk.replies), (Read::More(26), b"1\n".to_vec()));

    let table = [
        ("nonsense", "unknown message"),
        ("MakeStep x", "malformed command"),
        ("PlaceObstacle 1 1", "command of the other role"),
        ("Clock 1", "query with parameters"),
        ("MazeMap", "MazeMap not available"),
        ("#END x", "text after #END"),
    ];
    for (line, warning) in table {
        let (read, talk) = hear(&mut lines, format!("{line}\n").as_bytes());
        let why = format!("more than 100 warnings; this one: {warning}");
        assert_eq!(read, Read::Garbled(why.into()), "{line}");
        assert!(talk.remarks.is_empty());
    }
}

#[test]
fn a_denied_map_with_parameters_is_two_warnings() {
    let mut lines = seat(ADVENTURER, Mode::NoMap);
    let nonsense = "nonsense\n".repeat(WARNINGS_MAX as usize - 1);
    let (read, _) = hear(&mut lines, format!("{nonsense}MazeMap x\n").as_bytes());
    let why = "more than 100 warnings; this one: query with parameters";
    assert_eq!(read, Read::Garbled(why.into()));
}

#[test]
fn lines_and_turns_have_a_greatest_length() {
    let long = |n: usize| [vec![b'x'; n], b"\n".to_vec()].concat();
    let print = |n: usize| [b"#PRINT ".to_vec(), long(n - 7)].concat();
    let too_long = "a line of more than 65536 bytes";
    let too_much = "more than 1048576 bytes in one turn";
    // 16 lines of 65,536 bytes and their ends leave no room for `#END`.
    let nearly = print(LINE_BYTES_MAX).repeat(15);
    let fill = TURN_BYTES_MAX - nearly.len() - "#END\n".len();
    let table: [(&str, Vec<u8>, Option<&str>); 8] = [
        ("a whole line that fits", print(LINE_BYTES_MAX), None),
        ("a whole line that does not", print(LINE_BYTES_MAX + 1), Some(too_long)),
        (
            "a part that does not",
            long(LINE_BYTES_MAX + 1)[..=LINE_BYTES_MAX].to_vec(),
            Some(too_long),
        ),
        ("a part that still may", long(LINE_BYTES_MAX)[..LINE_BYTES_MAX].to_vec(), None),
        ("a turn that fits", [nearly.clone(), print(fill - 1), b"#END\n".to_vec()].concat(), None),
        (
            "a turn that does not",
            [nearly.clone(), print(fill), b"#END\n".to_vec()].concat(),
            Some(too_much),
        ),
        ("a part of one that does not", print(LINE_BYTES_MAX).repeat(16), Some(too_much)),
        ("empty lines without end", b"\n".repeat(TURN_BYTES_MAX + 1), Some(too_much)),
    ];
    for (what, input, verdict) in table {
        let (read, _) = hear(&mut seat(ARCHITECT, Mode::Map), &input);
        match verdict {
            Some(why) => assert_eq!(read, Read::Garbled(why.into()), "{what}"),
            None => assert!(!matches!(read, Read::Garbled(_)), "{what}: {read:?}"),
        }
    }
}

#[test]
fn a_new_turn_may_be_as_long_as_the_last() {
    let mut lines = seat(ARCHITECT, Mode::Map);
    let game = start(&Setup::new(SIZE, Mode::Map), BOTS);
    for _ in 0..3 {
        ask(&game, ARCHITECT, &mut lines);
        let (read, _) =
            hear(&mut lines, &[b"\n".repeat(TURN_BYTES_MAX - 5), b"#END\n".to_vec()].concat());
        assert_eq!(read, Read::Action(Action::Pass, TURN_BYTES_MAX));
    }
}

#[test]
fn a_full_log_is_marked_once_and_costs_nothing() {
    let mark = "the log is full: nothing more of it is kept";
    let line = format!("#PRINT {}\n", "x".repeat(1023));
    let n_kept = LOG_BYTES_MAX / 1024;
    let mut lines = seat(ARCHITECT, Mode::Map);
    let game = start(&Setup::new(SIZE, Mode::Map), BOTS);

    let (read, talk) = hear(&mut lines, format!("{}#END\n", line.repeat(n_kept)).as_bytes());
    assert!(matches!(read, Read::Action(..)));
    assert_eq!(remarks(&talk, RemarkKind::Log).len(), n_kept);
    assert_eq!(talk.remarks.len(), n_kept);

    ask(&game, ARCHITECT, &mut lines);
    let (_, talk) = hear(&mut lines, b"#PRINT\n#PRINT\n#PRINT a\n");
    assert_eq!(talk.remarks, [(RemarkKind::Warning, mark.into())]);
    let (_, talk) = hear(&mut lines, b"#PRINT\n#PRINT b\n");
    assert!(talk.remarks.is_empty());
    // The mark is none of the warnings that are counted.
    let (read, talk) = hear(&mut lines, &b"?\n".repeat(WARNINGS_MAX as usize));
    assert!(matches!(read, Read::More(_)));
    assert_eq!(talk.remarks.len(), WARNINGS_MAX as usize);
}

#[test]
fn empty_log_lines_fill_the_log_too() {
    let mut lines = seat(ARCHITECT, Mode::Map);
    let (read, talk) = hear(&mut lines, &b"#PRINT\n".repeat(2 * LOG_BYTES_MAX));
    assert!(matches!(read, Read::More(_)));
    assert_eq!(talk.remarks.len(), LOG_BYTES_MAX + 1);
}

#[test]
fn a_flood_of_queries_is_answered_piece_by_piece() {
    let mut lines = seat(ARCHITECT, Mode::Map);
    let flood = b"MazeMap\n".repeat(60_000);
    let mut taken = 0;
    let mut n_calls = 0;
    while taken < flood.len() {
        let mut talk = Talk::default();
        let Read::More(n) = lines.read(&flood[taken..], &mut talk) else { panic!("garbled") };
        assert!(n > 0 && talk.replies.len() <= REPLY_BYTES_A_CALL_MAX + MAP.len());
        assert_eq!(talk.replies.len(), n / b"MazeMap\n".len() * MAP.len());
        taken += n;
        n_calls += 1;
    }
    assert_eq!(n_calls, 60_000 * MAP.len() / REPLY_BYTES_A_CALL_MAX + 1);
}

#[test]
fn a_missed_turn_takes_its_command_along() {
    let game = start(&Setup::new(SIZE, Mode::Map), BOTS);
    let mut lines = seat(ADVENTURER, Mode::Map);
    assert_eq!(hear(&mut lines, b"MakeStep 0\nMake").0, Read::More(11));
    lines.missed();
    ask(&game, ADVENTURER, &mut lines);
    assert_eq!(hear(&mut lines, b"#END\n").0, Read::Action(Action::Pass, 5));
}

#[test]
fn the_worked_position_of_the_rules_is_told_as_drawn() {
    let rows = [
        "O O O O O O O O O O O O",
        "O T - - - - - O - - - O",
        "O - - - - - - - - O - O",
        "O - - - - O O O - O - O",
        "O - - - O - - A O O - O",
        "O - - O - - O - - - - O",
        "O - - O - O - O O - - O",
        "O - O - - O - - - O - O",
        "O O - - O - - - - - O O",
        "O O - O - - - - O - - O",
        "O O - - - - - - - - - O",
        "O O O O O O O O O O O O",
    ];
    let setup = Setup::new(10, Mode::Map);
    let game = Labyrinth::start_on(board(&rows), &setup, &Vec::from(BOTS).into()).unwrap();
    let mut lines = Lines::default();
    ask(&game, ARCHITECT, &mut lines);
    let said = b"WithMap\nMazeSize\nAdventurerPosition\nMazeMap\nFieldOfView\n\
                 PlaceObstacle 3 3\nPlaceObstacle 6 1\n#END\n";
    let (read, talk) = hear(&mut lines, said);
    let map = rows.join("\n");
    let view = "- - - - O\nO O O - O\n- - A O O\n- O - - -\nO - O O -";
    let replies = format!("Yes\n12\n7 4\n{map}\n{view}\n");
    assert_eq!(str::from_utf8(&talk.replies).unwrap(), replies);
    assert_eq!(read, Read::Action(Action::Plant(6, 1), said.len()));
    assert!(game.check(ARCHITECT, &Action::Plant(6, 1)).is_ok());
}

#[test]
fn the_judge_never_speaks_first_and_a_seat_never_asked_is_not_answered() {
    let mut lines = Lines::default();
    let (read, talk) = hear(&mut lines, b"Clock\nMazeMap\n");
    assert_eq!((read, talk.replies.len()), (Read::More(14), 0));
}
