//! What golden data does not tell: who is asked on which clock, people, faults, the sum of two
//! races, and who may see what.

mod common;

use std::time::Duration;

use common::{BOTS, accelerate, course, play, ready, start};
use game::{Answer, End, Fault, Fraction, Game, Illegal, Seat, Sitter, Turn};
use jockey::{Action, Cause, Event, Jockey, PERSON_STEP_MS, Setup};
use serde_json::json;

const A: Seat = Seat(0);
const B: Seat = Seat(1);
const PEOPLE: [Sitter; 2] = [Sitter::Person, Sitter::Person];
const MIXED: [Sitter; 2] = [Sitter::Person, Sitter::Bot];

/// Grass, 3 wide and 3 long.
fn meadow() -> Setup {
    course(&["000", "000", "000"])
}

#[test]
fn bots_are_asked_on_one_bank_a_race_and_people_on_a_clock_a_step() {
    let mut game = start(&meadow(), MIXED);
    // People need not say that they are ready.
    assert_eq!(asked(&game), [false, true]);
    play(&mut game, [None, Some(Answer::Action(Action::Ready))]);
    assert_eq!(asked(&game), [true, true]);
    let mut people = Vec::new();
    for _ in 0..2 {
        for _ in 0..2 {
            let Turn::Ask(asks) = game.turn() else { panic!("over") };
            let [Some(person), Some(bot)] = [asks[A], asks[B]] else { panic!("{asks:?}") };
            assert_eq!(person.person.budget, Duration::from_millis(PERSON_STEP_MS.into()));
            people.push(person.person.id);
            assert_eq!((bot.bot.id, bot.bot.budget), (game.round(), Duration::from_secs(11)));
            assert_eq!(bot.bot_total, None);
            play(&mut game, [accelerate(0, 1), accelerate(0, 1)]);
        }
        if game.round() == 1 && !game.is_ready() {
            play(&mut game, [None, Some(Answer::Action(Action::Ready))]);
        }
    }
    people.sort_unstable();
    people.dedup();
    assert_eq!(people.len(), 4, "each step has a clock of its own");
    // Two people begin at once.
    let game = start(&meadow(), PEOPLE);
    assert_eq!((asked(&game), game.is_ready()), ([true, true], true));
}

#[test]
fn a_person_who_misses_a_step_rolls_on_and_is_out_after_three_in_a_row() {
    let setup = course(&["000"; 40]);
    let late = || Some(Answer::Fault(Fault::Late));
    let mut game = start(&setup, PEOPLE);
    let missed = |events: &[Event]| {
        events.iter().find_map(|it| match it {
            Event::Missed { seat: A, in_a_row } => Some(*in_a_row),
            _ => None,
        })
    };
    play(&mut game, [accelerate(0, 1), accelerate(0, 0)]);
    for expected in [1, 2] {
        assert_eq!(missed(&play(&mut game, [late(), accelerate(0, 0)])), Some(expected));
    }
    assert_eq!(game.race().players()[0].at.y, 3, "it rolls on");
    play(&mut game, [accelerate(0, 0), accelerate(0, 0)]);
    // What is typed wrong is no absence.
    play(&mut game, [Some(Answer::Fault(Fault::Garbled("?".into()))), accelerate(0, 0)]);
    for expected in [1, 2, 3] {
        assert_eq!(missed(&play(&mut game, [late(), accelerate(0, 0)])), Some(expected));
    }
    assert!(!game.race().is_racing(0) && game.race().is_racing(1));
    assert_eq!(game.disqualified(), [(0, 0, Cause::Absent)]);
}

#[test]
fn each_fault_of_a_bot_disqualifies_for_one_race_with_its_cause() {
    let table = [
        (Answer::Fault(Fault::Late), Cause::Clock),
        (Answer::Fault(Fault::LateTotal), Cause::Clock),
        (Answer::Fault(Fault::Gone(End::Signalled(11))), Cause::Gone { end: End::Signalled(11) }),
        (Answer::Fault(Fault::Garbled("?".into())), Cause::Protocol { why: "?".into() }),
        (
            Answer::Action(Action::Accelerate(2, 0)),
            Cause::Protocol { why: "found the acceleration 2 0, allowed are -1, 0 and 1".into() },
        ),
        (
            Answer::Action(Action::Ready),
            Cause::Protocol { why: "found `ready`, allowed is an acceleration".into() },
        ),
    ];
    for (answer, cause) in table {
        let mut game = start(&meadow(), BOTS);
        ready(&mut game);
        play(&mut game, [Some(answer.clone()), accelerate(0, 1)]);
        assert_eq!(game.disqualified(), [(0, 0, cause.clone())], "{answer:?}");
        assert_eq!(asked(&game), [false, true]);
        play(&mut game, [None, accelerate(0, 1)]);
        // 2 x 50 steps for one, 1 and a half for the other; and the next race is anybody's.
        let times = [Fraction::from(100), Fraction::new(3, 2) + Fraction::new(1, 2)];
        assert_eq!(game.times()[0], times.map(Some), "{answer:?}");
        assert_eq!((game.round(), asked(&game)), (1, [true, true]));
    }
    // Before the first step there is no step of its own.
    let mut game = start(&meadow(), BOTS);
    let events =
        play(&mut game, [Some(Answer::Fault(Fault::Late)), Some(Answer::Action(Action::Ready))]);
    assert!(matches!(events[..], [Event::Disqualified { race: 0, seat: A, cause: Cause::Clock }]));
    assert_eq!((game.race().step(), asked(&game)), (0, [false, true]));
}

#[test]
fn a_goal_in_the_last_step_counts_and_whoever_races_on_is_out() {
    let setup = Setup { step_limit: 2, ..meadow() };
    let mut game = start(&setup, BOTS);
    ready(&mut game);
    play(&mut game, [accelerate(0, 1), accelerate(0, 0)]);
    let events = play(&mut game, [accelerate(0, 1), accelerate(0, 1)]);
    let [
        Event::Stepped { .. },
        Event::Disqualified { seat: B, cause: Cause::Steps, .. },
        Event::RaceOver { times, .. },
        Event::RaceStarted { race: 1, starts },
    ] = &events[..]
    else {
        panic!("{events:?}")
    };
    assert_eq!(*times, [Fraction::from(2), Fraction::from(4)]);
    assert_eq!(starts.map(|it| it.x), [1, 0], "the starts are swapped");
}

#[test]
fn the_lower_sum_of_exact_times_wins() {
    // Straight on takes 1 + 2/2; a step to the side first, 1 + 1 + 2/2.
    let run = |slow: [usize; 2]| {
        let mut game = start(&meadow(), BOTS);
        for slow in slow {
            ready(&mut game);
            let step = |first: bool| {
                [0, 1].map(|no| {
                    let waits = first && no == slow;
                    Some(Answer::Action(Action::Accelerate(0, i8::from(!waits))))
                })
            };
            play(&mut game, step(true));
            play(&mut game, step(false));
            if game.race().is_racing(slow) && game.is_ready() {
                let mut last = [None, None];
                last[slow] = accelerate(0, 1);
                play(&mut game, last);
            }
        }
        let Turn::Over(outcome) = game.turn() else { panic!("it goes on") };
        (outcome, game)
    };
    let (outcome, game) = run([1, 1]);
    assert_eq!(outcome.places, vec![1, 2].into());
    assert_eq!(outcome.score, vec![Fraction::ONE, Fraction::ZERO].into());
    assert_eq!(outcome.measures, [vec![Fraction::from(4), Fraction::from(6)].into()]);
    assert_eq!(outcome.why, "both races took 4 against 6 steps");
    assert_eq!(game.view(Some(A)).end.unwrap().sums, [4.into(), 6.into()]);
    let (outcome, _) = run([0, 1]);
    assert_eq!(outcome.places, vec![1, 1].into());
    assert_eq!(outcome.score, vec![Fraction::new(1, 2); 2].into());
}

#[test]
fn players_see_what_is_below_the_limit_and_everybody_all_when_it_is_over() {
    let setup = Setup { vision: 1, step_limit: 3, ..course(&["010", "020", "000"]) };
    let mut game = start(&setup, BOTS);
    ready(&mut game);
    let rows = |game: &Jockey, eye| serde_json::to_value(game.view(eye).rows).unwrap();
    assert_eq!(rows(&game, Some(A)), json!(["000"]));
    assert_eq!(rows(&game, None), json!(["000", "020", "010"]));
    play(&mut game, [accelerate(0, 1), accelerate(0, 0)]);
    assert_eq!(rows(&game, Some(B)), json!(["000", "020"]));
    while let Turn::Ask(asks) = game.turn() {
        let action = if game.is_ready() { Action::Accelerate(0, 0) } else { Action::Ready };
        play(&mut game, [A, B].map(|it| asks[it].map(|_| Answer::Action(action))));
    }
    assert_eq!(rows(&game, Some(A)), json!(["000", "020", "010"]));
}

#[test]
fn people_are_told_what_they_may_not_do() {
    let mut game = start(&meadow(), MIXED);
    let why = |game: &Jockey, seat, action| match game.check(seat, &action) {
        Ok(()) => String::new(),
        Err(Illegal(why)) => why.into_owned(),
    };
    assert_eq!(why(&game, A, Action::Accelerate(0, 1)), "it is not asked now");
    play(&mut game, [None, Some(Answer::Action(Action::Ready))]);
    assert_eq!(why(&game, A, Action::Accelerate(0, 1)), "");
    let wrong = why(&game, A, Action::Accelerate(0, -2));
    assert_eq!(wrong, "found the acceleration 0 -2, allowed are -1, 0 and 1");
    assert_eq!(why(&game, A, Action::Ready), "found `ready`, allowed is an acceleration");
    assert_eq!(why(&game, Seat(2), Action::Ready), "it is not asked now");
}

fn asked(game: &Jockey) -> [bool; 2] {
    match game.turn() {
        Turn::Ask(asks) => [A, B].map(|it| asks[it].is_some()),
        Turn::Over(_) => [false; 2],
    }
}

#[test]
fn two_people_race_twice_with_the_starts_swapped() {
    type Match = referee::Referee<Jockey, jockey::Numbers>;
    let mut referee = Match::new(&meadow(), Vec::from(PEOPLE).into()).unwrap();
    let starts = |it: &Match| [0, 1].map(|no| it.game().race().players()[no].at.x);
    let first = starts(&referee);
    let mut now = Duration::ZERO;
    let mut over = None;
    while over.is_none() {
        for seat in [A, B] {
            // Each has a time of their own for every step, and none is lost between the races.
            let step = Duration::from_millis(PERSON_STEP_MS.into());
            assert_eq!(referee.left(seat), Some(step), "race {}", referee.game().round());
        }
        now += Duration::from_secs(1);
        for seat in [B, A] {
            let (action, log) = (Action::Accelerate(0, 1), Vec::new());
            referee.handle(now, referee::Input::Act { seat, action, log });
        }
        if referee.game().round() == 1 && referee.game().race().step() == 0 {
            let [one, other] = first;
            assert_eq!(starts(&referee), [other, one]);
        }
        while let Some(effect) = referee.poll() {
            match effect {
                referee::Effect::Played(_) => {}
                referee::Effect::Over(outcome) => over = Some(outcome),
                other => panic!("no process is there, and all is legal: {other:?}"),
            }
        }
    }
    assert_eq!(over.unwrap().places, vec![1, 1].into());
    assert_eq!(referee.record().plies.len(), 4, "two steps to the goal, in each of two races");
}
