//! What is said to a bot, byte for byte, and what becomes of what it says: the conversation of the
//! rule document, that of our own rules page, and every odd answer.

mod common;

use std::{fs, time::Duration};

use common::{BOTS, accelerate, config, course, play, ready, start};
use game::{Answer, Dialect, Fault, Game, Read, Seat, Talk};
use jockey::{ANSWER_BYTES_MAX, Action, Jockey, Numbers, Setup};

const A: Seat = Seat(0);
const B: Seat = Seat(1);

/// The cells of the document's example, of which the last four rows are out of sight.
const DOCUMENT: [&str; 20] = [
    "0000000000000000",
    "0000000000000000",
    "0000000000010111",
    "2222202220000000",
    "2222222111100000",
    "2222002200000000",
    "2222000200000000",
    "2222222200000000",
    "0000000000000000",
    "0000111111100000",
    "0000011111100000",
    "0000010100000000",
    "0000000000000000",
    "0222000000011100",
    "0222000111111100",
    "0000002221110000",
    "1111111111111111",
    "0000000000000000",
    "2222222222222222",
    "0000000000000000",
];

#[test]
fn the_conversation_of_the_rule_document_comes_out_byte_for_byte() {
    let setup = Setup {
        width: 16,
        length: 20,
        vision: 10,
        step_limit: 100,
        think_ms: 120_000,
        x0: 3,
        x1: 7,
        rows: DOCUMENT.map(String::from).into(),
    };
    let mut game = start(&setup, BOTS);
    let mut numbers = Numbers::default();
    assert_eq!(ask(&game, A, &mut numbers, 120_000), "120000\n100\n16 20\n10\n");
    assert_eq!(read(&mut numbers, b"0\n"), Read::Action(Action::Ready, 2));
    ready(&mut game);
    for (first, second) in [((1, 1), (-1, 1)), ((0, -1), (0, 1)), ((-1, 0), (0, 1))] {
        ask(&game, A, &mut numbers, 119_000);
        play(&mut game, [accelerate(first.0, first.1), accelerate(second.0, second.1)]);
    }
    let mut expected = "3\n118628\n5 1 0 0\n4 6 -1 3\n".to_owned();
    for (y, row) in DOCUMENT.iter().enumerate() {
        let cell = |it: char| if y < 16 { it.to_string() } else { "-1".to_owned() };
        expected += &row.chars().map(cell).collect::<Vec<_>>().join(" ");
        expected.push('\n');
    }
    assert_eq!(ask(&game, A, &mut numbers, 118_628), expected);
    assert_eq!(read(&mut numbers, b"-1 1\n"), Read::Action(Action::Accelerate(-1, 1), 5));
    // The other one is told the same, seen from its place.
    let asked = ask(&game, B, &mut Numbers::default(), 5);
    assert!(asked.starts_with("3\n5\n4 6 -1 3\n5 1 0 0\n0 0 0"), "{asked}");
}

#[test]
fn the_worked_example_of_the_rules_page_is_what_is_said() {
    let page = fs::read_to_string(config("rules.md")).unwrap();
    let block = |kind: &str| {
        let mut blocks = page.split("```").filter_map(|it| it.strip_prefix(kind));
        blocks.next().unwrap_or_else(|| panic!("no {kind} block")).to_owned()
    };
    // The picture has the goal at the top, and the numbers of some rows beside it.
    let picture = block("\n");
    let row = |line: &str| line.split_whitespace().next().unwrap_or_default().to_owned();
    let rows: Vec<_> = picture.lines().take(6).map(row).collect();
    let letter = |it: char| match it {
        '.' => '0',
        '#' => '1',
        _ => '2',
    };
    let rows: Vec<String> = rows.iter().map(|it| it.chars().map(letter).collect()).collect();
    let rows: Vec<_> = rows.iter().map(String::as_str).collect();
    let setup = Setup { x0: 1, x1: 3, vision: 3, ..course(&rows) };
    assert_eq!(Jockey::inspect(&setup), Ok(()));

    let mut game = start(&setup, BOTS);
    let mut numbers = Numbers::default();
    let (mut expected, mut n_answers) = (String::new(), 0);
    for line in block("conversation\n").lines() {
        if let Some(asked) = line.strip_prefix("< ") {
            expected += &format!("{asked}\n");
            continue;
        }
        let said = line.strip_prefix("> ").unwrap_or_else(|| panic!("{line}"));
        assert_eq!(ask(&game, A, &mut numbers, 11_000), expected);
        expected.clear();
        let Read::Action(action, _) = read(&mut numbers, format!("{said}\n").as_bytes()) else {
            panic!("{said} is no answer");
        };
        play(&mut game, [Some(Answer::Action(action)), Some(Answer::Action(action))]);
        n_answers += 1;
    }
    assert_eq!(n_answers, 3);
}

#[test]
fn whoever_is_out_is_told_of_as_being_at_the_goal() {
    let mut game = start(&course(&["000", "000"]), BOTS);
    let failed = Some(Answer::Fault(Fault::Late));
    play(&mut game, [Some(Answer::Action(Action::Ready)), failed.clone()]);
    let asked = ask(&game, A, &mut Numbers::default(), 1);
    assert_eq!(asked, "0\n1\n0 0 0 0\n0 2 0 0\n0 0 0\n0 0 0\n");
    // And in the second race everybody is there again, on the other side.
    play(&mut game, [failed, None]);
    assert_eq!(game.round(), 1);
    ready(&mut game);
    let asked = ask(&game, A, &mut Numbers::default(), 1);
    assert_eq!(asked, "0\n1\n1 0 0 0\n0 0 0 0\n0 0 0\n0 0 0\n");
}

#[test]
fn what_is_no_answer_is_named() {
    let table: [(&[u8], &str); 18] = [
        (b"0.9 1\n", "found `0.9`, allowed are whole numbers"),
        (b"1x 0\n", "found `1x`"),
        (b"2 0\n", "found the acceleration 2 0, allowed are -1, 0 and 1"),
        (b"0 -2\n", "found the acceleration 0 -2"),
        (b"0 99999999999999999999\n", "found the acceleration 0 2147483647"),
        (b"hello\n", "found `hello`"),
        (b"1 1 1\n", "found `1` after the second number"),
        (b"0\n1 x\n", "found `x` after the second number"),
        (b"- 1\n", "found `-`"),
        (b"+-1 0\n", "found `+-1`"),
        (b"1,0\n", "found `1,0`"),
        (b"\x0c1 0\n", "found `\\u{c}1`"),
        (b"\xff\xfe 0\n", "found `\u{fffd}\u{fffd}`"),
        (b"\0 0\n", "found `\\0`"),
        (b"0x1 0\n", "found `0x1`"),
        (b"1e0 0\n", "found `1e0`"),
        ("１ 0\n".as_bytes(), "found `１`"),
        (b"0123456789012345678901234567890123456789x 1\n", "0123456789…`, allowed"),
    ];
    for (said, why) in table {
        match judge(said) {
            Read::Garbled(found) => assert!(found.contains(why), "{found}"),
            other => panic!("{:?}: {other:?}", String::from_utf8_lossy(said)),
        }
    }
    for said in [&b"1\n"[..], b"x\n", b"0 0\n", b"0 x\n", b"-1\n", b"0.0\n"] {
        match judge_ready(said) {
            Read::Garbled(_) => (),
            other => panic!("{:?}: {other:?}", String::from_utf8_lossy(said)),
        }
    }
}

#[test]
fn blanks_signs_and_ends_of_lines_stand_where_they_may() {
    let table: [(&[u8], (i8, i8)); 10] = [
        (b"0 1\n", (0, 1)),
        (b"0\n1\n", (0, 1)),
        (b"+0 01\n", (0, 1)),
        (b"-0 -1\r\n", (0, -1)),
        (b"\n\n \t1\t\n\r\n -1 \t\r\n", (1, -1)),
        (b"-1 -1   \n", (-1, -1)),
        (b"000000000000000000000000000001 1\n", (1, 1)),
        (b" 1 0\n", (1, 0)),
        (b"1 0\n\n\n", (1, 0)),
        (b"1 0\n0 1\n", (1, 0)),
    ];
    for (said, (x, y)) in table {
        match judge(said) {
            Read::Action(action, _) => assert_eq!(action, Action::Accelerate(x, y)),
            other => panic!("{:?}: {other:?}", String::from_utf8_lossy(said)),
        }
    }
    for said in [&b"0\n"[..], b"+0\n", b"\n 000 \r\n", b"-0\n"] {
        assert!(matches!(judge_ready(said), Read::Action(Action::Ready, _)), "{said:?}");
    }
}

#[test]
fn what_is_not_whole_yet_is_waited_for_up_to_a_limit() {
    for said in [&b""[..], b"1", b"1 ", b"1 0", b"1 0 ", b"1\n", b"\n\n", b"hell"] {
        assert_eq!(judge(said), Read::More(0), "{said:?}");
    }
    let why = format!("more than {ANSWER_BYTES_MAX} bytes without a whole answer");
    let blanks = |n: usize, end: &str| [&vec![b' '; n][..], end.as_bytes()].concat();
    assert_eq!(judge(&blanks(ANSWER_BYTES_MAX, "")), Read::Garbled(why.clone().into()));
    assert_eq!(judge(&blanks(ANSWER_BYTES_MAX - 1, "")), Read::More(0));
    let whole = judge(&blanks(ANSWER_BYTES_MAX - 4, "1 1\n"));
    assert_eq!(whole, Read::Action(Action::Accelerate(1, 1), ANSWER_BYTES_MAX));
    assert_eq!(judge(&blanks(ANSWER_BYTES_MAX - 3, "1 1\n")), Read::Garbled(why.into()));
}

fn ask(game: &Jockey, me: Seat, numbers: &mut Numbers, left_ms: u64) -> String {
    let mut out = Vec::new();
    // What is left is told in whole milliseconds, rounded down.
    let left = Duration::from_millis(left_ms) + Duration::from_micros(999);
    numbers.ask(me, &game.view(Some(me)), left, &mut out);
    String::from_utf8(out).unwrap()
}

fn read(numbers: &mut Numbers, said: &[u8]) -> Read<Action> {
    numbers.read(said, &mut Talk::default())
}

/// What becomes of `said` as the answer to a step.
fn judge(said: &[u8]) -> Read<Action> {
    let mut game = start(&course(&["000", "000"]), BOTS);
    ready(&mut game);
    let mut numbers = Numbers::default();
    ask(&game, A, &mut numbers, 1);
    read(&mut numbers, said)
}

/// What becomes of `said` as the answer to the first question.
fn judge_ready(said: &[u8]) -> Read<Action> {
    let mut numbers = Numbers::default();
    ask(&start(&course(&["000", "000"]), BOTS), A, &mut numbers, 1);
    read(&mut numbers, said)
}
