//! What is said to a bot, byte for byte, and what becomes of what it says: the conversation of the
//! first judge, and every odd line.

mod common;

use std::{fs, time::Duration};

use common::{A, B, BOTS, heard, lines, own_golden_dir, play, says, short, start};
use game::{Answer, Dialect, Game, Read, RemarkKind, Seat, Sitter, Talk, Turn};
use planes::{
    Action, Direction, Event, FLOOD_BYTES_MAX, LINE_BYTES_MAX, Move, Planes, Radio, RuleSet, Setup,
    Sides,
};

/// One process talked to for a whole contest in 2014; for us each opponent is a match, so that only
/// the first block opens with the contest.
#[test]
fn the_conversation_of_the_first_judge_comes_out_byte_for_byte() {
    let path = own_golden_dir().join("wrapper_transcript.txt");
    let text = fs::read_to_string(path).unwrap();
    let (arguments, text) = text.split_once('\n').unwrap();
    let setup = Setup { rules: RuleSet::Controller, sides: Sides::Fixed, ..short(2, 3) };
    let told: Vec<String> = Radio::arguments(&setup);
    assert_eq!(arguments, format!("ARGV {}", told.join(" ")));
    let opening = "> NEW CONTEST 14 3\n";
    let blocks = text.strip_prefix(opening).unwrap().split_inclusive("> NEW OPPONENT 2\n");
    // What ends a block opens the next one.
    let blocks: Vec<_> =
        blocks.skip(1).map(|it| it.trim_end_matches("> NEW OPPONENT 2\n")).collect();
    assert_eq!(blocks.len(), 2);
    for (block, me) in blocks.into_iter().zip([A, B]) {
        let block = format!("{opening}> NEW OPPONENT 2\n{block}");
        replay(&setup, me, &block);
    }
}

/// Plays a match of which one side is known, and of the other one what it led to.
fn replay(setup: &Setup, me: Seat, block: &str) {
    let mut radio = Radio::default();
    let (mut events, mut asked) = (Vec::new(), Vec::new());
    let mut game = Planes::start(setup, &Vec::from(BOTS).into(), &mut events).unwrap();
    // Question and answer by turns.
    let mut turns: Vec<(String, String)> = vec![Default::default()];
    for line in block.lines() {
        match (line.strip_prefix("> "), line.strip_prefix("< ")) {
            (Some(told), _) => {
                if !turns.last().unwrap().1.is_empty() {
                    turns.push(Default::default());
                }
                turns.last_mut().unwrap().0 += &format!("{told}\n");
            }
            (_, Some(said)) => turns.last_mut().unwrap().1 += &format!("{said}\n"),
            _ => panic!("{line}"),
        }
    }
    assert_eq!(turns.len(), 6);
    for (no, (told, said)) in turns.iter().enumerate() {
        for event in events.drain(..) {
            radio.tell(me, &event, &mut asked);
        }
        radio.ask(me, &game.view(Some(me)), Duration::from_secs(1), &mut asked);
        assert_eq!(String::from_utf8(std::mem::take(&mut asked)).unwrap(), *told, "question {no}");
        let Read::Action(own, n_bytes) = radio.read(said.as_bytes(), &mut Talk::default()) else {
            panic!("{said} is no answer");
        };
        assert_eq!(n_bytes, said.len());
        let next = turns.get(no + 1).map(|it| it.0.as_str());
        let (after, happened) = followed_by(&game, me, own, next);
        game = after;
        events = happened;
    }
    assert!(matches!(game.turn(), Turn::Over(_)));
}

/// The position that comes of `own` and of whatever the other side must have answered, if `next` is
/// what is said then.
fn followed_by(game: &Planes, me: Seat, own: Action, next: Option<&str>) -> (Planes, Vec<Event>) {
    let moves = || {
        let flags = [(true, false), (true, true), (false, false), (false, true)];
        Direction::all().flat_map(move |to| {
            flags.into_iter().map(move |(turns, shoots)| Move { letters: to.into(), turns, shoots })
        })
    };
    for one in moves() {
        for other in moves() {
            let theirs = Action([Some(one), Some(other)]);
            let mut answers = [own, theirs].map(|it| Some(Answer::Action(it)));
            if me == B {
                answers.reverse();
            }
            let mut after = game.clone();
            let events = play(&mut after, answers);
            let mut radio = Radio::default();
            let mut told = Vec::new();
            for event in &events {
                radio.tell(me, event, &mut told);
            }
            if matches!(after.turn(), Turn::Ask(_)) {
                radio.ask(me, &after.view(Some(me)), Duration::ZERO, &mut told);
            }
            if told == next.unwrap_or_default().as_bytes() {
                return (after, events);
            }
        }
    }
    panic!("no answer of the other side leads to {next:?}");
}

#[test]
fn lines_are_read_as_moves_or_named() {
    let good = [
        ("N 1 0", "N"),
        ("SU 0 1", "SU~!"),
        ("US 0 1", "SU~!"),
        ("DWN 1 1", "NWD!"),
        ("NNNNNNNNNN 0 0", "N~"),
        ("NSWEDU 1 0", "NSWEDU"),
        ("UD 1 1", "DU!"),
        ("N 1 0\r", "N"),
        ("  N\t1 \t0  ", "N"),
    ];
    for (line, text) in good {
        assert_eq!(heard(&[line, "S 0 0"]).to_string(), format!("{text} S~"), "{line:?}");
        assert_eq!(heard(&["S 0 0", line]).to_string(), format!("S~ {text}"), "{line:?}");
    }
    let long = format!("N 1 0{}", " ".repeat(LINE_BYTES_MAX - 4));
    let bad = [
        ("", "found ``, allowed are three fields, as in `SU 1 0`"),
        ("N", "found `N`, allowed are three fields"),
        ("N 1", "found `N 1`, allowed are three fields"),
        ("N 1 0 0", "found `N 1 0 0`, allowed are three fields"),
        ("n 1 0", "found the turn `n`, allowed are 1 to 10 letters of NSWEDU"),
        ("NNNNNNNNNNN 1 0", "found the turn `NNNNNNNNNNN`, allowed are"),
        ("X 1 0", "found the turn `X`"),
        ("- 1 0", "found the turn `-`"),
        ("N 2 0", "found `2` for whether to change direction, allowed are 0 and 1"),
        ("N true 0", "found `true` for whether to change direction"),
        ("N 1 01", "found `01` for whether to shoot, allowed are 0 and 1"),
        ("N 1 -1", "found `-1` for whether to shoot"),
        ("N,1,0", "found `N,1,0`"),
        ("N\u{a0}1\u{a0}0", "found `N\\u{a0}1\\u{a0}0`"),
        ("N\r1\r0", "found `N\\r1\\r0`"),
        ("\0 1 0", "found the turn `\\0`"),
        ("N 1 0 0123456789012345678901234567890123456789", "567890123…`, allowed are"),
        (&long, "found a line of more than 200 bytes"),
    ];
    for (line, why) in bad {
        let (action, warnings) = reads(&format!("{line}\nS 0 0\n"));
        assert_eq!(action.unwrap().to_string(), "? S~", "{line:?}");
        let [warning] = &warnings[..] else { panic!("{line:?}: {warnings:?}") };
        assert!(warning.starts_with("the line for the first plane is no move: "), "{warning}");
        assert!(warning.contains(why), "{warning}");
        let (action, warnings) = reads(&format!("S 0 0\n{line}\n"));
        assert_eq!(action.unwrap().to_string(), "S~ ?", "{line:?}");
        assert!(warnings[0].starts_with("the line for the second plane is no move"));
    }
}

#[test]
fn what_is_not_whole_yet_is_waited_for_in_little_room() {
    for said in ["", "N", "N 1 0", "N 1 0\r", "N 1 0\n", "N 1 0\nS 0 0", "\n"] {
        assert_eq!(reads(said).0, None, "{said:?}");
    }
    // What comes without an end of line is not kept, and ends when it is a flood.
    let mut radio = asked(&start(&short(1, 9), BOTS), A);
    for _ in 0..FLOOD_BYTES_MAX / (LINE_BYTES_MAX + 1) {
        let piece = [b'N'; LINE_BYTES_MAX + 1];
        assert_eq!(radio.read(&piece, &mut Talk::default()), Read::More(piece.len()));
    }
    let mut talk = Talk::default();
    let end = b"\nS 1 0\n";
    let Read::Action(action, n_bytes) = radio.read(end, &mut talk) else { panic!("{radio:?}") };
    assert_eq!((action.to_string().as_str(), n_bytes), ("? S", end.len()));
    assert_eq!(talk.remarks.len(), 1);
    let flood = format!("a line of more than {FLOOD_BYTES_MAX} bytes");
    for pieces in [vec![FLOOD_BYTES_MAX + 1], vec![FLOOD_BYTES_MAX, 1]] {
        let mut radio = asked(&start(&short(1, 9), BOTS), A);
        let (last, first) = pieces.split_last().unwrap();
        for n_bytes in first {
            assert_eq!(radio.read(&vec![b'N'; *n_bytes], &mut talk), Read::More(*n_bytes));
        }
        let read = radio.read(&vec![b'N'; *last], &mut talk);
        assert_eq!(read, Read::Garbled(flood.clone().into()));
    }
    // The longest line that is read.
    let line = format!("N 1 0{}", " ".repeat(LINE_BYTES_MAX - 5));
    assert_eq!(heard(&[&line, &line]).to_string(), "N N");
}

#[test]
fn lines_of_dead_planes_are_needed_and_not_looked_at() {
    let mut game = start(&short(1, 9), BOTS);
    play(&mut game, [says("SD S"), says("N NED")]);
    let (mut first, mut second) = (asked(&game, A), asked(&game, B));
    let mut talk = Talk::default();
    assert_eq!(first.read(b"what is this\n", &mut talk), Read::More(13));
    assert!(matches!(first.read(b"S 1 0\n", &mut talk), Read::Action(..)));
    assert!(talk.remarks.is_empty(), "{talk:?}");
    assert!(matches!(second.read(b"what is this\nN 1 0\n", &mut talk), Read::Action(..)));
    assert_eq!(talk.remarks.len(), 1, "both planes of the other one fly");
    let mut told = Vec::new();
    first.ask(A, &game.view(Some(A)), Duration::ZERO, &mut told);
    let told = String::from_utf8(told).unwrap();
    assert!(
        told.contains("NEW TURN\ndead 0 0 0 N 0\nalive 1 8 0 S 0\nalive 12 8 13 N 0\n"),
        "{told}"
    );
}

#[test]
fn what_a_late_bot_owes_is_counted_off_before_its_next_answer() {
    // Lines said in time, lines said late, whether the second is whole.
    let cases = [
        ("", "A 1 0\nB 1 0\n"),
        ("A 1 0\n", "B 1 0\n"),
        ("A 1 0\nB 1", " 0\n"),
        ("A", " 1 0\nB 1 0\n"),
    ];
    for (in_time, late) in cases {
        let mut radio = asked(&start(&short(1, 9), BOTS), A);
        let mut inbox = in_time.to_owned();
        let mut talk = Talk::default();
        take(&mut radio, &mut inbox, &mut talk);
        let n_said = talk.remarks.len();
        radio.missed();
        let ahead = format!("{inbox}{late}E 1 0\n");
        assert_eq!(radio.owes(ahead.as_bytes()), ahead.len() - 6, "{in_time:?} {late:?}");
        assert_eq!(radio.owes(b""), 0);
        assert_eq!(radio.owes(b"half a li"), 9);
        inbox += late;
        inbox += "SU 1 0\nS 1 0\n";
        let action = take(&mut radio, &mut inbox, &mut talk);
        assert_eq!(action.unwrap().to_string(), "SU S", "{in_time:?} {late:?}");
        assert_eq!(talk.remarks.len(), n_said, "lines that are late are not judged");
        assert_eq!(radio.owes(b"N 1 0\n"), 0);
    }
    // Who misses two turns in a row owes both.
    let mut radio = asked(&start(&short(1, 9), BOTS), A);
    radio.missed();
    radio.missed();
    let mut inbox = "1\n2\n3\n4\nN 1 0\nS 1 0\n".to_owned();
    let action = take(&mut radio, &mut inbox, &mut Talk::default());
    assert_eq!(action.unwrap().to_string(), "N S");
}

#[test]
fn each_side_is_told_of_its_own_planes_first_and_of_its_own_score() {
    let mut game = start(&short(4, 30), [Sitter::Bot; 2]);
    // The planes of whoever is player 2 leave the arena at once.
    let mut events = play(&mut game, [says("S S"), says("NE NW")]);
    for _ in 0..9 {
        events = play(&mut game, [says("S S"), says("NE NW")]);
        if game.round() == 1 {
            break;
        }
    }
    assert_eq!((game.round(), game.won()), (1, [1, 0]));
    let told = |me: Seat| {
        let mut radio = Radio::default();
        let mut out = Vec::new();
        for event in &events {
            radio.tell(me, event, &mut out);
        }
        radio.ask(me, &game.view(Some(me)), Duration::ZERO, &mut out);
        String::from_utf8(out).unwrap()
    };
    let [one, two, three, four] = lines(game.fight().planes());
    // In the second fight the second seat is player 1.
    let planes = format!("ROUNDS LEFT 29\nNEW TURN\n{one}\n{two}\n{three}\n{four}\n");
    assert_eq!(told(B), format!("NEW FIGHT 1 0 1\n{planes}"));
    let planes = format!("ROUNDS LEFT 29\nNEW TURN\n{three}\n{four}\n{one}\n{two}\n");
    assert_eq!(told(A), format!("NEW FIGHT 1 1 0\n{planes}"));
}

#[test]
fn a_program_is_started_with_size_and_rounds() {
    let setup = Setup { size: 20, ..short(3, 77) };
    assert_eq!(Radio::arguments(&setup), ["20", "77"]);
}

/// Somebody who was asked in this position.
fn asked(game: &Planes, me: Seat) -> Radio {
    let mut radio = Radio::default();
    radio.ask(me, &game.view(Some(me)), Duration::ZERO, &mut Vec::new());
    radio
}

/// Reads on in `inbox`, and takes out of it what is done with.
fn take(radio: &mut Radio, inbox: &mut String, talk: &mut Talk) -> Option<Action> {
    let (action, n_bytes) = match radio.read(inbox.as_bytes(), talk) {
        Read::Action(action, n_bytes) => (Some(action), n_bytes),
        Read::More(n_bytes) => (None, n_bytes),
        Read::Garbled(why) => panic!("{why}"),
    };
    inbox.drain(..n_bytes);
    action
}

/// What comes of `said` as the answer to the first question, with the warnings.
fn reads(said: &str) -> (Option<Action>, Vec<String>) {
    let mut radio = asked(&start(&short(1, 9), BOTS), A);
    let mut talk = Talk::default();
    let action = take(&mut radio, &mut said.to_owned(), &mut talk);
    assert!(talk.remarks.iter().all(|(kind, _)| *kind == RemarkKind::Warning));
    (action, talk.remarks.into_iter().map(|(_, text)| text.into_owned()).collect())
}
