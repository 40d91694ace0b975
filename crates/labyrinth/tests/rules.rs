//! What the golden matches leave out: lateness and faults, the running points, refusals to people, set-ups.

mod common;

use std::time::Duration;

use common::{BOTS, play, start};
use game::{Answer, End, Fault, Fraction, Game, PerSeat, Seat, Sitter, Starts, Turn};
use labyrinth::{
    ADVENTURER, ARCHITECT, Action, Board, Ending, Event, Labyrinth, Mode, Reason, Setup,
};
use serde_json::json;

const PEOPLE: [Sitter; 2] = [Sitter::Person, Sitter::Person];

fn pass() -> Answer<Action> {
    Answer::Action(Action::Pass)
}

fn pass_rounds(game: &mut Labyrinth, n_rounds: u32) {
    for _ in 0..n_rounds {
        play(game, ARCHITECT, pass());
        play(game, ADVENTURER, pass());
    }
}

#[test]
fn a_fault_of_a_bot_gives_all_points_to_the_other_seat() {
    let faults = [
        (Fault::Late, "no answer within the time of the turn"),
        (Fault::LateTotal, "the thinking time of the match is used up"),
        (Fault::Gone(End::Exited(1)), "the program ended by itself with exit code 1"),
        (Fault::Garbled("nonsense".into()), "against the protocol: nonsense"),
    ];
    for (fault, words) in faults {
        for (seat, role, points) in
            [(ARCHITECT, "architect", [0, 100]), (ADVENTURER, "adventurer", [100, 0])]
        {
            let mut game = start(&Setup::new(5, Mode::Map), BOTS);
            if seat == ADVENTURER {
                play(&mut game, ARCHITECT, pass());
            }
            let events = play(&mut game, seat, Answer::Fault(fault.clone()));
            let by = Ending::Fault { seat, fault: fault.clone() };
            assert_eq!(events, [Event::Ended { by, points }]);
            let Turn::Over(outcome) = game.turn() else { panic!("{fault:?} of {role} goes on") };
            assert_eq!(outcome.why, format!("the {role} lost: {words}"));
            assert_eq!(outcome.places[seat], 2);
            assert_eq!(outcome.score[seat], Fraction::ZERO);
            assert_eq!(outcome.measures[0][Seat(1 - seat.0)], Fraction::from(100));
        }
    }
}

#[test]
fn a_missing_answer_is_a_fault_and_one_of_a_seat_not_asked_is_nothing() {
    let mut game = start(&Setup::new(5, Mode::Map), BOTS);
    game.play(&PerSeat::new(2, |_| Some(pass())), &mut Vec::new());
    let Turn::Ask(asks) = game.turn() else { panic!("over") };
    assert_eq!([ARCHITECT, ADVENTURER].map(|it| asks[it].is_some()), [false, true]);
    for empty in [PerSeat::new(0, |_| None), PerSeat::new(9, |_| None)] {
        let mut game = game.clone();
        game.play(&empty, &mut Vec::new());
        assert!(matches!(game.ending(), Some(Ending::Fault { seat: ADVENTURER, .. })));
        // What is over stays over.
        let mut events = Vec::new();
        game.play(&PerSeat::new(2, |_| Some(pass())), &mut events);
        assert_eq!((game.points(), events.len()), ([100, 0], 0));
    }
}

#[test]
fn a_person_loses_by_the_third_late_turn_in_a_row() {
    // Turns of the adventurer: `.` in time, `l` late, `x` a garbled console; and the lost one.
    let table = [
        ("ll.ll.ll.", None),
        ("lll", Some(3)),
        ("ll.lll", Some(6)),
        ("xxxxxx", None),
        ("lxlxl", Some(5)),
        (".l.l.l", None),
    ];
    for (turns, lost_in) in table {
        let mut game = start(&Setup::new(5, Mode::Map), [Sitter::Bot, Sitter::Person]);
        for (turn_no, turn) in (1..).zip(turns.chars()) {
            play(&mut game, ARCHITECT, pass());
            let answer = match turn {
                '.' => pass(),
                'l' => Answer::Fault(Fault::Late),
                _ => Answer::Fault(Fault::Garbled("?".into())),
            };
            let events = play(&mut game, ADVENTURER, answer);
            if lost_in == Some(turn_no) {
                let by = Ending::Late { seat: ADVENTURER };
                assert_eq!(events.last(), Some(&Event::Ended { by, points: [100, 0] }), "{turns}");
            } else {
                let reason = Reason::NoCommand;
                let redundant = Event::Redundant { seat: ADVENTURER, reason };
                assert_eq!(events.last(), Some(&redundant), "{turns}");
            }
        }
        assert_eq!(game.ending().is_some(), lost_in.is_some(), "{turns}");
    }
}

#[test]
fn the_seats_of_two_people_are_late_each_for_itself() {
    let mut game = start(&Setup::new(5, Mode::Map), PEOPLE);
    for _ in 0..2 {
        play(&mut game, ARCHITECT, Answer::Fault(Fault::Late));
        play(&mut game, ADVENTURER, Answer::Fault(Fault::Late));
    }
    assert!(game.ending().is_none());
    play(&mut game, ARCHITECT, Answer::Fault(Fault::Late));
    assert_eq!(game.ending(), Some(&Ending::Late { seat: ARCHITECT }));
    assert_eq!(game.points(), [0, 100]);
}

#[test]
fn the_points_bar_shows_what_the_round_would_bring() {
    let mut game = start(&Setup::new(5, Mode::Map), BOTS);
    for (clock, architect) in
        [(1, 0), (8, 0), (9, 5), (10, 11), (11, 16), (16, 44), (24, 88), (25, 94)]
    {
        let n_rounds = clock - game.clock();
        pass_rounds(&mut game, n_rounds);
        for eye in [None, Some(ARCHITECT), Some(ADVENTURER)] {
            assert_eq!(game.view(eye).points, [architect, 100 - architect], "round {clock}");
        }
    }
    pass_rounds(&mut game, 1);
    assert_eq!(game.ending(), Some(&Ending::Limit { rounds: 25 }));
    assert_eq!((game.points(), game.clock()), ([100, 0], 25));
}

#[test]
fn clocks_open_anew_each_turn_and_once_a_match() {
    let setup = Setup { turn_ms: 500, total_ms: 7_000, ..Setup::new(5, Mode::Map) };
    let mut game = start(&setup, BOTS);
    for turn_no in 1..=10 {
        let seat = Seat((turn_no as u8 + 1) % 2);
        let Turn::Ask(asks) = game.turn() else { panic!("over") };
        assert_eq!(asks[Seat(1 - seat.0)], None);
        let ask = asks[seat].unwrap();
        assert_eq!((ask.bot.id, ask.bot.budget), (turn_no, Duration::from_millis(500)));
        assert_eq!((ask.person.id, ask.person.budget), (turn_no, Duration::from_secs(100)));
        let total = ask.bot_total.unwrap();
        assert_eq!((total.id, total.budget), (0, Duration::from_secs(7)));
        assert_eq!(ask.starts, Starts::AtOnce);
        play(&mut game, seat, pass());
    }
}

#[test]
fn people_are_told_why_not() {
    let mut game = start(&Setup::new(5, Mode::Map), PEOPLE);
    play(&mut game, ARCHITECT, Answer::Action(Action::Plant(3, 3)));
    play(&mut game, ADVENTURER, pass());
    let architect = [
        (Action::Pass, None),
        (Action::Plant(2, 4), None),
        (Action::Plant(0, 3), Some("no hedge on 0 3: that is outside the board")),
        (Action::Plant(3, 3), Some("no hedge on 3 3: a hedge grows there already")),
        (Action::Plant(4, 4), Some("no hedge on 4 4: the adventurer stands there or on one of")),
        (Action::Plant(2, 2), Some("no hedge on 2 2: the treasure lies there or on one of")),
        (Action::Malformed, Some("the command's parameters must be whole numbers")),
        (Action::Step(0), Some("the architect plants, only the adventurer steps")),
    ];
    let adventurer = [
        (Action::Pass, None),
        (Action::Step(0), None),
        (Action::Step(1), Some("no step 1: a hedge is in the way")),
        (Action::Step(4), Some("no step 4: directions are 0 north, 1 east, 2 south, 3 west")),
        (Action::Plant(2, 4), Some("the adventurer steps, only the architect plants")),
    ];
    for (seat, table) in [(ARCHITECT, &architect[..]), (ADVENTURER, &adventurer[..])] {
        for (action, why) in table {
            match (game.check(seat, action), why) {
                (Ok(()), None) => (),
                (Err(found), Some(why)) if found.0.starts_with(why) => (),
                (found, _) => panic!("{action:?}: {found:?}"),
            }
        }
        let other = game.check(Seat(1 - seat.0), &Action::Pass).unwrap_err();
        assert_eq!(other.0, "it is the other player's turn");
        play(&mut game, seat, pass());
    }
    play(&mut game, ARCHITECT, Answer::Fault(Fault::Late));
}

#[test]
fn a_command_of_the_other_role_counts_as_none() {
    let mut game = start(&Setup::new(5, Mode::Map), BOTS);
    for (seat, action) in [(ARCHITECT, Action::Step(0)), (ADVENTURER, Action::Plant(3, 3))] {
        let events = play(&mut game, seat, Answer::Action(action));
        assert_eq!(events, [Event::Redundant { seat, reason: Reason::NoCommand }]);
    }
}

#[test]
fn half_and_half_is_a_draw() {
    // Size 5 with map: 9 of 18 parts in round 17.
    let mut game = start(&Setup::new(5, Mode::Map), BOTS);
    pass_rounds(&mut game, 9);
    for number in [0, 0, 0, 0, 3, 3, 3, 3] {
        play(&mut game, ARCHITECT, pass());
        play(&mut game, ADVENTURER, Answer::Action(Action::Step(number)));
    }
    let Turn::Over(outcome) = game.turn() else { panic!("goes on in round {}", game.clock()) };
    assert_eq!(outcome.places, PerSeat::from(vec![1, 1]));
    assert_eq!(outcome.score, PerSeat::from(vec![Fraction::new(1, 2); 2]));
    assert_eq!(outcome.why, "the adventurer reached the treasure in round 17");
}

#[test]
fn matches_that_cannot_be_are_refused_with_a_reason() {
    let setup = Setup::new(5, Mode::Map);
    let two = || PerSeat::from(Vec::from(BOTS));
    let start = |setup: &Setup, sitters| Labyrinth::start(setup, &sitters, &mut Vec::new());
    let walled = {
        let mut board = Board::new(5).unwrap();
        for (x, y) in [(4, 5), (5, 4)] {
            board.plant(board.cell(x, y).unwrap());
        }
        board
    };
    let solved = {
        let mut board = Board::new(5).unwrap();
        board.put_adventurer(board.cell(1, 1).unwrap());
        board
    };
    let table = [
        (
            start(&Setup { size: 26, ..setup.clone() }, two()),
            "size: found 26, allowed is a whole number from 5 to 25",
        ),
        (start(&setup, PerSeat::new(3, |_| Sitter::Bot)), "sitters: found 3, allowed are 2"),
        (start(&setup, PerSeat::new(0, |_| Sitter::Bot)), "sitters: found 0, allowed are 2"),
        (
            Labyrinth::start_on(Board::new(6).unwrap(), &setup, &two()),
            "board: found size 6, set up is 5",
        ),
        (
            Labyrinth::start_on(walled, &setup, &two()),
            "board: found no path from the adventurer to the treasure",
        ),
        (
            Labyrinth::start_on(solved, &setup, &two()),
            "board: found the adventurer on the treasure",
        ),
    ];
    for (game, why) in table {
        assert_eq!(game.map(|_| ()).unwrap_err().0, why);
    }
}

#[test]
fn what_is_stored_and_sent_looks_like_this() {
    let actions = [
        (Action::Pass, json!("pass")),
        (Action::Malformed, json!("malformed")),
        (Action::Plant(3, -4), json!({"plant": [3, -4]})),
        (Action::Step(2), json!({"step": 2})),
    ];
    for (action, stored) in actions {
        assert_eq!(json!(action), stored);
        assert_eq!(serde_json::from_value::<Action>(stored).unwrap(), action);
    }
    let mut game = start(&Setup::new(5, Mode::NoMap), BOTS);
    let events = play(&mut game, ARCHITECT, Answer::Action(Action::Plant(2, 4)));
    assert_eq!(json!(events), json!([{"event": "planted", "cell": [2, 4]}]));
    let events = play(&mut game, ADVENTURER, Answer::Action(Action::Step(1)));
    assert_eq!(json!(events), json!([{"event": "redundant", "seat": 1, "reason": "hedge"}]));
    assert_eq!(
        json!(game.view(None)),
        json!({
            "size": 5, "mode": "nomap", "limit": 75, "clock": 2, "turn": 0, "adventurer": [5, 5],
            "fields": concat!("tt...", "tt...", ".....", ".h.aa", "...aa"),
            "points": [0, 100], "redundant": [0, 1],
            "last": {"seat": 1, "action": {"step": 1}, "reason": "hedge"}, "end": null,
        })
    );
    assert_eq!(
        json!(game.view(Some(ADVENTURER))),
        json!({
            "size": 5, "mode": "nomap", "limit": 75, "clock": 2, "turn": 0, "adventurer": [5, 5],
            "fields": concat!("?????", "?????", "??...", "??...", "??..."),
            "points": [0, 100], "redundant": [null, 1],
            "last": {"seat": 1, "action": {"step": 1}, "reason": "hedge"}, "end": null,
        })
    );
    let events = play(&mut game, ARCHITECT, Answer::Fault(Fault::Late));
    let by = json!({"kind": "fault", "seat": 0, "fault": "late"});
    assert_eq!(json!(events), json!([{"event": "ended", "by": by, "points": [0, 100]}]));
    let why = "the architect lost: no answer within the time of the turn";
    assert_eq!(json!(game.view(None).end), json!({"by": by, "why": why}));
}
