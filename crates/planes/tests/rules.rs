//! Single cases of the rules that the golden files do not reach: lateness, dropping out, people,
//! and the words in which somebody is told.

mod common;

use std::time::Duration;

use common::{A, B, BOTS, action, direction, go, late, play, says, short, start};
use game::{Answer, End, Fault, Fraction, Game, Illegal, PerSeat, Seat, Sitter, Turn};
use planes::{
    Cause, Cell, Event, FIGHTS_MAX, Fight, How, LATE_TURNS_MAX, Name, PERSON_ROUND_MS, Plane,
    Planes, ROUNDS_MAX, RuleSet, Setup, Sides, TURN_MS_MAX,
};
use referee::{RECORD_BYTES_MAX, REMARKS_BYTES_MAX, Spent};

/// Straight on, for either seat on either side.
const STRAIGHT: &str = "? ?";

#[test]
fn a_round_has_its_clock_and_the_match_one_for_all() {
    let setup = Setup { turn_ms: 700, total_ms: 5_000, ..short(2, 30) };
    let mut game = start(&setup, [Sitter::Bot, Sitter::Person]);
    let mut ids = Vec::new();
    while let Turn::Ask(asks) = game.turn() {
        for seat in [A, B] {
            let ask = asks[seat].unwrap();
            assert_eq!(ask.bot.budget, Duration::from_millis(700));
            let total = ask.bot_total.unwrap();
            assert_eq!((total.id, total.budget), (0, Duration::from_millis(5_000)));
            assert_eq!(ask.person.budget, Duration::from_millis(PERSON_ROUND_MS.into()));
            assert_eq!(ask.person.id, ask.bot.id);
        }
        ids.push(asks[A].unwrap().bot.id);
        play(&mut game, [says(STRAIGHT), says(STRAIGHT)]);
    }
    let n_ids = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), n_ids, "no two rounds share a clock");
    assert!(ids.is_sorted());
}

#[test]
fn a_late_turn_is_flown_straight_on_and_the_fifth_is_the_last() {
    let mut game = start(&short(10, 100), BOTS);
    // One dives into a wall at once; the other is late, as often as it may be.
    for turns in 1..=LATE_TURNS_MAX {
        let is_asked = |game: &Planes| match game.turn() {
            Turn::Ask(asks) => asks.map(|_, it| it.is_some()),
            Turn::Over(_) => panic!("it is over"),
        };
        assert_eq!(is_asked(&game), vec![true, true].into());
        let events = play(&mut game, [late(), says(STRAIGHT)]);
        assert_eq!(events[0], Event::Late { seat: A, turns });
        let out = events.contains(&Event::Out { seat: A, cause: Cause::Late });
        assert_eq!(out, turns == LATE_TURNS_MAX);
    }
    let planes = game.fight().planes();
    let cells = planes.map(|it| it.at);
    let at = Cell::new;
    assert_eq!(cells, [at(5, 5, 0), at(5, 8, 0), at(8, 8, 13), at(8, 5, 13)]);
    let Turn::Ask(asks) = game.turn() else { panic!("the fight goes on") };
    assert_eq!(asks.map(|_, it| it.is_some()), vec![false, true].into());
    assert_eq!(game.view(None).out, [true, false]);

    // The fight is flown to its end, and may be won; all the others are lost.
    let mut events = Vec::new();
    while let Turn::Ask(_) = game.turn() {
        // Upwards out of the arena.
        events.extend(play(&mut game, [None, says("NU NU")]));
    }
    assert_eq!((game.won(), game.drawn()), ([1, 9], 0));
    let ended: Vec<_> = events.iter().filter(|it| matches!(it, Event::FightEnded { .. })).collect();
    let (winner, how, left) = (Some(A), How::Out, [2, 0]);
    assert_eq!(ended, [&Event::FightEnded { fight: 0, rounds: 6, winner, how, left }]);
    let [.., forfeited, last] = &events[..] else { panic!("{events:?}") };
    assert_eq!(*forfeited, Event::Forfeited { fights: 9, winner: Some(B) });
    assert_eq!(*last, Event::Ended { won: [1, 9], drawn: 0 });
    let Turn::Over(outcome) = game.turn() else { panic!("it is over") };
    assert_eq!(
        outcome.why,
        "1 fights won against 9, 0 drawn; the first was out from fight 1: 5 turns were late"
    );
}

#[test]
fn whoever_is_gone_loses_what_is_left_and_both_gone_draw() {
    let faults = [
        (Fault::Gone(End::Exited(1)), Cause::Gone { end: End::Exited(1) }),
        (Fault::LateTotal, Cause::Total),
        (Fault::Garbled("noise".into()), Cause::Protocol { why: "noise".into() }),
    ];
    for (fault, cause) in faults {
        let failed = || Some(Answer::Fault(fault.clone()));
        for (answers, won, drawn) in [
            ([failed(), says(STRAIGHT)], [0, 9], 1),
            ([says(STRAIGHT), failed()], [9, 0], 1),
            ([failed(), failed()], [0, 0], 10),
        ] {
            let mut game = start(&short(10, 100), BOTS);
            let mut events = play(&mut game, answers.clone());
            let told = answers.iter().zip([A, B]).filter(|(it, _)| **it == failed());
            for (_, seat) in told {
                let out = Event::Out { seat, cause: cause.clone() };
                assert!(events.contains(&out), "{events:?}");
            }
            while let Turn::Ask(_) = game.turn() {
                events.extend(play(&mut game, [says(STRAIGHT), says(STRAIGHT)]));
            }
            // All of them fly into the wall on the other side in the same round.
            assert_eq!((game.won(), game.drawn()), (won, drawn), "{fault:?}");
            let how = How::BothOut;
            let ended = Event::FightEnded { fight: 0, rounds: 14, winner: None, how, left: [0, 0] };
            assert!(events.contains(&ended), "{events:?}");
            assert_eq!(game.round(), 0, "no other fight is fought");
        }
    }
    // An answer that is missing is that of a program that is gone.
    let mut game = start(&short(2, 3), BOTS);
    let cause = Cause::Gone { end: End::ClosedOutput };
    assert!(play(&mut game, [None, says(STRAIGHT)]).contains(&Event::Out { seat: A, cause }));
}

#[test]
fn late_turns_of_a_person_count_alike() {
    let mut game = start(&short(3, 100), [Sitter::Person, Sitter::Bot]);
    for _ in 0..LATE_TURNS_MAX {
        play(&mut game, [late(), says(STRAIGHT)]);
    }
    assert_eq!(game.out().clone(), [Some((0, Cause::Late)), None]);
}

#[test]
fn sides_change_with_every_fight_where_they_do() {
    for (sides, firsts) in [(Sides::Alternate, [A, B, A, B]), (Sides::Fixed, [A; 4])] {
        let mut game = start(&Setup { sides, ..short(4, 1) }, BOTS);
        for first in firsts {
            let view = game.view(None);
            assert_eq!(view.first, first);
            let own = view.planes[usize::from(first.0)];
            assert_eq!(own.map(|it| it.unwrap().at), [Cell::new(0, 5, 0), Cell::new(0, 8, 0)]);
            play(&mut game, [says(STRAIGHT), says(STRAIGHT)]);
        }
        assert!(matches!(game.turn(), Turn::Over(_)));
    }
}

#[test]
fn planes_start_where_the_rules_say() {
    let table = [(4, [0, 3]), (5, [0, 3]), (6, [1, 4]), (13, [4, 7]), (14, [5, 8]), (20, [8, 11])];
    for (size, [west, east]) in table {
        let fight = Fight::new(size, RuleSet::Prose.switches());
        let last = size as i8 - 1;
        let south = |y| Plane::new(Cell::new(0, y, 0), direction("S"));
        let north = |y| Plane::new(Cell::new(last, y, last), direction("N"));
        assert_eq!(*fight.planes(), [south(west), south(east), north(east), north(west)]);
    }
}

#[test]
fn people_are_told_which_plane_may_not_do_what() {
    let mut game = start(&short(2, 100), [Sitter::Person; 2]);
    let table = [
        ("S! S~", None),
        ("SU~ SED!", None),
        ("N S", Some("the first plane: found the turn N, allowed from S are SWD, SW, SWU, SD, S,")),
        ("S DU", Some("the second plane: found the turn DU, allowed from S are")),
        ("? S", Some("the first plane has no move")),
        ("S ?", Some("the second plane has no move")),
    ];
    for (said, why) in table {
        let told = game.check(A, &action(said));
        assert_eq!(told.is_ok(), why.is_none(), "{said}: {told:?}");
        if let (Err(Illegal(told)), Some(why)) = (told, why) {
            assert!(told.starts_with(why), "{said}: {told}");
        }
    }
    assert_eq!(game.check(Seat(2), &action("S S")), Err(Illegal("it is not asked now".into())));
    // Of a plane that is dead nothing is wanted.
    play(&mut game, [says("SD S"), says("N N")]);
    assert!(game.check(A, &action("? S")).is_ok());
    assert!(game.check(A, &action("DU S")).is_ok());
    assert!(game.check(A, &action("? N")).is_err());
}

#[test]
fn what_is_no_move_is_told_of_unless_the_plane_is_dead() {
    let mut game = start(&short(2, 100), BOTS);
    let garbled = |events: &[Event]| {
        let plane = |it: &Event| match it {
            Event::Garbled { plane } => Some(*plane),
            _ => None,
        };
        events.iter().filter_map(plane).collect::<Vec<_>>()
    };
    let name = |seat, no| Name { seat, no };
    let events = play(&mut game, [says("SD ?"), says("? ?")]);
    assert_eq!(garbled(&events), [name(A, 1), name(B, 0), name(B, 1)]);
    let events = play(&mut game, [says("? S"), says("N NN")]);
    assert_eq!(garbled(&events), []);
}

#[test]
fn turns_that_are_refused_are_told_of() {
    for (rules, shoots) in [(RuleSet::Prose, false), (RuleSet::Controller, true)] {
        let mut game = start(&Setup { rules, ..short(1, 100) }, BOTS);
        let events = play(&mut game, [says("N! S"), says("N N")]);
        let plane = Name { seat: A, no: 0 };
        let refused = events.iter().any(
            |it| matches!(it, Event::Refused { plane: it, turn } if *it == plane && turn.to_string() == "N"),
        );
        assert!(refused, "{events:?}");
        let shot = events.iter().any(|it| matches!(it, Event::Shot { .. }));
        assert_eq!(shot, shoots, "{rules:?}");
    }
}

#[test]
fn a_bullet_ends_where_it_hits_or_at_the_wall() {
    let plane = |x, y, z, heading| Plane::new(Cell::new(x, y, z), direction(heading));
    let planes =
        [plane(2, 2, 2, "S"), plane(6, 2, 2, "S"), plane(10, 2, 2, "W"), plane(0, 0, 9, "E")];
    let stay = [go(direction("S"), true, true), go(direction("S"), true, false), None, None];
    for (rules, to, hit) in [
        (RuleSet::Prose, Cell::new(7, 2, 2), [false, true, false, false]),
        (RuleSet::Controller, Cell::new(13, 2, 2), [false, true, false, false]),
    ] {
        let mut fight = Fight::with_planes(14, rules.switches(), planes);
        let shot = fight.play(stay).0[0].unwrap().shot.unwrap();
        assert_eq!((shot.to, shot.hit), (to, hit), "{rules:?}");
    }
    // At the wall there is no cell ahead.
    let planes = [plane(12, 2, 2, "S"), planes[1], planes[2], planes[3]];
    let mut fight = Fight::with_planes(14, RuleSet::Prose.switches(), planes);
    let shot = fight.play(stay).0[0].unwrap().shot.unwrap();
    assert_eq!((shot.to, shot.hit), (Cell::new(13, 2, 2), [false; 4]));
}

#[test]
fn the_outcome_holds_points_and_fights() {
    // The second seat never flies into a wall first.
    let mut game = start(&Setup { sides: Sides::Fixed, ..short(3, 2) }, BOTS);
    play(&mut game, [says("SD S"), says("N N")]);
    play(&mut game, [says("S S"), says("N N")]);
    for _ in 0..4 {
        play(&mut game, [says("S S"), says("N N")]);
    }
    let Turn::Over(outcome) = game.turn() else { panic!("it is over") };
    let whole = |it: [i64; 2]| PerSeat::from(Vec::from(it.map(Fraction::from)));
    assert_eq!(outcome.places, vec![2, 1].into());
    assert_eq!(outcome.score, whole([0, 1]));
    assert_eq!(outcome.measures, [[0, 1], [1, 0], [2, 2]].map(whole).to_vec());
    assert_eq!(outcome.why, "0 fights won against 1, 2 drawn");

    let game = {
        let mut game = start(&short(1, 1), BOTS);
        play(&mut game, [says("S S"), says("N N")]);
        game
    };
    let Turn::Over(outcome) = game.turn() else { panic!("it is over") };
    assert_eq!(outcome.places, vec![1, 1].into());
    assert_eq!(outcome.score, vec![Fraction::new(1, 2); 2].into());
    assert_eq!(outcome.measures, [[0, 0], [0, 0], [1, 1]].map(whole).to_vec());
}

#[test]
fn set_ups_that_are_refused_start_nothing() {
    let bots = PerSeat::new(2, |_| Sitter::Bot);
    let setup = Setup { size: 3, ..Setup::default() };
    assert!(Planes::start(&setup, &bots, &mut Vec::new()).is_err());
    for n_sitters in [0, 1, 3] {
        let sitters = PerSeat::new(n_sitters, |_| Sitter::Bot);
        let Err(Illegal(why)) = Planes::start(&Setup::default(), &sitters, &mut Vec::new()) else {
            panic!("{n_sitters} sitters")
        };
        assert_eq!(why, format!("sitters: found {n_sitters}, allowed are 2"));
    }
}

#[test]
fn actions_are_short_and_read_back() {
    let table = ["S S", "SU! N~", "NSWEDU~! ?", "? ?", "D~! NWU!"];
    for text in table {
        assert_eq!(serde_json::to_value(action(text)).unwrap(), text);
    }
    let bad = ["", "S", "S S S", " S", "S ", "s S", "S!~ S", "S!! S", "?! S", "! S", "X S"];
    for text in bad {
        let read = serde_json::from_value::<planes::Action>(text.into());
        let why = read.unwrap_err().to_string();
        assert!(why.contains(&format!("`{text}`, expected two moves, as in")), "{text:?}: {why}");
    }
    assert!(serde_json::from_value::<planes::Action>(7.into()).is_err());
}

#[test]
fn the_longest_match_makes_a_record_that_can_be_kept() {
    let longest = || Some(Answer::Action(action("NSWEDU~! NSWEDU~!")));
    let ply: game::Ply<planes::Action> = vec![longest(), longest()].into();
    let slowest = Spent::charge(ms(TURN_MS_MAX), ms(TURN_MS_MAX), ms(TURN_MS_MAX));
    let spent: PerSeat<_> = vec![Some(slowest), Some(slowest)].into();
    let round_bytes = [serde_json::to_vec(&ply), serde_json::to_vec(&spent)]
        .map(|it| it.unwrap().len() + 1)
        .iter()
        .sum::<usize>();
    // Remarks are texts of some length, and what is about them takes no more room than they do.
    let remarks_bytes = 2 * 2 * REMARKS_BYTES_MAX;
    let bytes = (ROUNDS_MAX * FIGHTS_MAX) as usize * round_bytes + remarks_bytes;
    assert!(bytes < RECORD_BYTES_MAX, "{bytes} bytes");
}

fn ms(n: u32) -> Duration {
    Duration::from_millis(n.into())
}
