//! Laws that hold for every fight, tried on random ones, and bullets and turns against another way
//! to find them.

mod common;

use std::collections::HashSet;

use common::{A, B, BOTS, play, short, start};
use game::{Answer, Dialect, Fault, Game, Read, Talk, Turn};
use planes::{
    Action, Cell, Death, Direction, Event, Fight, Letters, Move, Plane, Radio, Round, Setup, Sides,
    Switches,
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn planes_stay_inside_and_apart_and_fly_as_planes_do(fight in fight(), moves in moves()) {
        let (size, switches, planes) = fight;
        let mut fight = Fight::with_planes(size, switches, planes);
        for moves in moves {
            let before = *fight.planes();
            let Round(flights) = fight.play(moves);
            for no in 0..4 {
                let (old, new) = (before[no], fight.planes()[no]);
                let Some(flight) = flights[no] else {
                    prop_assert!(!old.alive && !new.alive, "dead planes do nothing");
                    prop_assert_eq!(old.at, new.at);
                    continue;
                };
                prop_assert!(old.alive);
                prop_assert_eq!(flight.plane, new);
                prop_assert_eq!(new.alive, flight.death.is_none());
                let way = [new.at.x - old.at.x, new.at.y - old.at.y, new.at.z - old.at.z];
                let way = Direction::new(way[0].into(), way[1].into(), way[2].into());
                let way = way.expect("a plane never stays where it is");
                prop_assert_eq!(old.at.next(way), new.at, "one cell in a round");
                prop_assert!(old.heading.allows(way));
                prop_assert!(new.heading == old.heading || new.heading == way);
                prop_assert!(!flight.refused || (way, new.heading) == (old.heading, old.heading));
                let inside = is_inside(new.at, size);
                prop_assert_eq!(flight.death == Some(Death::Wall), !inside);
                // Who shoots shows a cooldown of 1 after it, and everybody else 0.
                prop_assert_eq!(new.cooldown, u8::from(flight.shot.is_some()));
                let may_shoot = old.cooldown == 0 && moves[no].is_some_and(|it| it.shoots);
                prop_assert!(flight.shot.is_none() || may_shoot);
                let is_hurt = matches!(flight.death, Some(Death::Wall | Death::Crash));
                prop_assert!(flight.shot.is_none() || !is_hurt, "who is down does not shoot");
                if may_shoot && !is_hurt && !flight.refused {
                    prop_assert!(flight.shot.is_some(), "a shot is not lost");
                }
            }
            let flying = fight.planes().iter().filter(|it| it.alive);
            let cells: HashSet<_> = flying.clone().map(|it| it.at).collect();
            prop_assert_eq!(cells.len(), flying.count(), "no two planes share a cell");
        }
    }

    /// Nothing is nearer to one corner than to another: turned and mirrored fights go the same way.
    #[test]
    fn turned_and_mirrored_fights_are_turned_and_mirrored(
        fight in fight(),
        moves in moves(),
        axes in Just([0usize, 1, 2]).prop_shuffle(),
        flips in any::<[bool; 3]>(),
    ) {
        let (size, switches, planes) = fight;
        // Contradictions are settled by letter, and letters are not alike.
        let switches = Switches { first_letter_wins: false, ..switches };
        let sides = |of: [i8; 3], flip: fn(i8, i8) -> i8| {
            [0, 1, 2].map(|axis| {
                let part = of[axes[axis]];
                if flips[axis] { flip(part, size as i8) } else { part }
            })
        };
        let turn_cell = |it: Cell| {
            let [x, y, z] = sides([it.x, it.y, it.z], |part, size| size - 1 - part);
            Cell::new(x, y, z)
        };
        let turn = |it: Direction| {
            let [x, y, z] = sides(it.signs(), |part, _| -part);
            Direction::new(x.into(), y.into(), z.into()).unwrap()
        };
        let turn_plane = |it: Plane| Plane { at: turn_cell(it.at), heading: turn(it.heading), ..it };
        let turn_letters = |it: Letters| match it.direction(false) {
            Some(to) => turn(to).into(),
            None => it,
        };
        let turn_move = |it: Move| Move { letters: turn_letters(it.letters), ..it };
        let mut one = Fight::with_planes(size, switches, planes);
        let mut other = Fight::with_planes(size, switches, planes.map(turn_plane));
        for moves in moves {
            let Round(flights) = one.play(moves);
            let Round(turned) = other.play(moves.map(|it| it.map(turn_move)));
            for (it, image) in flights.into_iter().zip(turned) {
                let expected = it.map(|it| planes::Flight {
                    plane: turn_plane(it.plane),
                    shot: it.shot.map(|it| planes::Shot { to: turn_cell(it.to), ..it }),
                    ..it
                });
                prop_assert_eq!(image, expected);
            }
        }
    }

    /// No plane comes before another one: in another order they fly the same way.
    #[test]
    fn the_order_of_planes_makes_no_difference(
        fight in fight(),
        moves in moves(),
        order in Just([0usize, 1, 2, 3]).prop_shuffle(),
    ) {
        let (size, switches, planes) = fight;
        let mut one = Fight::with_planes(size, switches, planes);
        let mut other = Fight::with_planes(size, switches, order.map(|it| planes[it]));
        for moves in moves {
            let Round(flights) = one.play(moves);
            let Round(shuffled) = other.play(order.map(|it| moves[it]));
            for (no, image) in shuffled.into_iter().enumerate() {
                let expected = flights[order[no]].map(|it| planes::Flight {
                    shot: it.shot.map(|it| planes::Shot { hit: order.map(|other| it.hit[other]), ..it }),
                    ..it
                });
                prop_assert_eq!(image, expected);
            }
        }
    }

    #[test]
    fn bullets_hit_what_is_met_cell_by_cell(fight in fight(), moves in moves()) {
        let (size, switches, planes) = fight;
        let mut fight = Fight::with_planes(size, switches, planes);
        for moves in moves {
            let Round(flights) = fight.play(moves);
            let mut shot_down = [false; 4];
            for flight in flights.into_iter().flatten() {
                let Some(shot) = flight.shot else { continue };
                let mut hit = [false; 4];
                let mut to = flight.plane.at;
                loop {
                    let next = to.next(flight.plane.heading);
                    if !is_inside(next, size) {
                        break;
                    }
                    to = next;
                    let target = flights.iter().position(|it| it.is_some_and(|it| {
                        let is_down = matches!(it.death, Some(Death::Wall | Death::Crash));
                        it.plane.at == to && !is_down
                    }));
                    if let Some(target) = target {
                        hit[target] = true;
                        if !switches.bullets_pierce {
                            break;
                        }
                    }
                }
                prop_assert_eq!((shot.to, shot.hit), (to, hit));
                shot_down = [0, 1, 2, 3].map(|it| shot_down[it] || hit[it]);
            }
            for (flight, hit) in flights.into_iter().zip(shot_down) {
                let died = flight.is_some_and(|it| it.death == Some(Death::Shot));
                prop_assert_eq!(died, hit);
            }
        }
    }

    /// In every other fight the seats are exchanged, and that is all.
    #[test]
    fn sides_that_alternate_are_fixed_ones_with_the_seats_exchanged(
        setup in setup(),
        answers in prop::collection::vec([answer(), answer()], 1..60),
    ) {
        let mut fixed = start(&Setup { sides: Sides::Fixed, ..setup.clone() }, BOTS);
        let mut game = start(&setup, BOTS);
        for [a, b] in answers {
            let is_exchanged = game.round() % 2 == 1;
            let by_side = if is_exchanged { [b.clone(), a.clone()] } else { [a.clone(), b.clone()] };
            play(&mut game, [a, b].map(Some));
            play(&mut fixed, by_side.map(Some));
            // Seats drop out, and not sides.
            if [&game, &fixed].iter().any(|it| it.out().iter().any(Option::is_some)) {
                break;
            }
            prop_assert_eq!(game.fight().planes(), fixed.fight().planes());
            prop_assert_eq!((game.round(), game.drawn()), (fixed.round(), fixed.drawn()));
            prop_assert_eq!(game.won().iter().sum::<u32>(), fixed.won().iter().sum::<u32>());
        }
    }

    #[test]
    fn every_fight_is_counted_once(
        setup in setup(),
        answers in prop::collection::vec([answer(), answer()], 1..80),
    ) {
        let mut game = start(&setup, BOTS);
        let (mut won, mut drawn, mut n_flown) = ([0; 2], 0, 0);
        let mut count = |events: &[Event]| {
            for event in events {
                let (winner, fights) = match event {
                    Event::FightEnded { winner, .. } => (winner, 1),
                    Event::Forfeited { winner, fights } => (winner, *fights),
                    Event::Flown { .. } => {
                        n_flown += 1;
                        continue;
                    }
                    _ => continue,
                };
                match winner {
                    Some(seat) => won[usize::from(seat.0)] += fights,
                    None => drawn += fights,
                }
            }
            (won, drawn, n_flown)
        };
        let mut counted = ([0; 2], 0, 0);
        for answers in &answers {
            counted = count(&play(&mut game, answers.clone().map(Some)));
            prop_assert_eq!((game.won(), game.drawn()), (counted.0, counted.1));
        }
        let fought: u32 = counted.0.iter().sum::<u32>() + counted.1;
        prop_assert!(counted.2 <= setup.fights * setup.rounds);
        match game.turn() {
            Turn::Over(_) => prop_assert_eq!(fought, setup.fights),
            Turn::Ask(_) => prop_assert_eq!(fought, game.round()),
        }
    }

    /// What a player says goes through lines and records unchanged.
    #[test]
    fn moves_are_read_as_they_are_written(one in a_move(), other in a_move()) {
        let flag = u8::from;
        let line = |it: Move| format!("{} {} {}\n", it.letters, flag(it.turns), flag(it.shoots));
        let mut radio = Radio::default();
        let view = start(&Setup::default(), BOTS).view(Some(A));
        radio.ask(A, &view, Default::default(), &mut Vec::new());
        let said = line(one) + &line(other);
        let read = radio.read(said.as_bytes(), &mut Talk::default());
        let action = Action([Some(one), Some(other)]);
        prop_assert_eq!(read, Read::Action(action, said.len()));
        let text = serde_json::to_string(&action).unwrap();
        prop_assert_eq!(serde_json::from_str::<Action>(&text).unwrap(), action);
    }

    /// The seats of a question are told alike: what one calls its own the other calls the enemy's.
    #[test]
    fn both_are_told_of_the_same_planes(
        setup in setup(),
        answers in prop::collection::vec([answer(), answer()], 1..40),
    ) {
        let mut game = start(&setup, BOTS);
        for answers in answers {
            play(&mut game, answers.map(Some));
            let told = |me| {
                let mut out = Vec::new();
                Radio::default().ask(me, &game.view(Some(me)), Default::default(), &mut out);
                let text = String::from_utf8(out).unwrap();
                text.lines().map(str::to_owned).collect::<Vec<_>>()
            };
            let (one, other) = (told(A), told(B));
            prop_assert_eq!(one.len(), 6);
            prop_assert_eq!(&one[..2], &other[..2]);
            prop_assert_eq!((&one[2..4], &one[4..]), (&other[4..], &other[2..4]));
        }
    }
}

/// Turns as the seed says it: the small cubes of a large one that are seen to touch.
#[test]
fn turns_lead_to_the_cubes_that_touch_on_a_face_of_the_large_one() {
    let faces = (0..3).flat_map(|axis| [-1, 1].map(|side| (axis, side)));
    let mut turns = HashSet::new();
    for (axis, side) in faces {
        let on_face = |it: &Direction| it.signs()[axis] == side;
        for from in Direction::all().filter(on_face) {
            for to in Direction::all().filter(on_face) {
                let far = (0..3).map(|it| (from.signs()[it] - to.signs()[it]).abs()).max();
                if far <= Some(1) {
                    turns.insert((from, to));
                }
            }
        }
    }
    for from in Direction::all() {
        for to in Direction::all() {
            assert_eq!(from.allows(to), turns.contains(&(from, to)), "{from} to {to}");
        }
        let n_letters = from.letters().len();
        assert_eq!(from.turns().count(), if n_letters == 3 { 7 } else { 9 }, "{from}");
    }
}

fn is_inside(it: Cell, size: u32) -> bool {
    [it.x, it.y, it.z].iter().all(|it| *it >= 0 && i32::from(*it) < size as i32)
}

/// Small arenas, in which much happens.
fn fight() -> impl Strategy<Value = (u32, Switches, [Plane; 4])> {
    let switches = any::<[bool; 3]>().prop_map(|[a, b, c]| Switches {
        bullets_pierce: a,
        illegal_turns_shoot: b,
        first_letter_wins: c,
    });
    (4u32..=6, switches).prop_flat_map(|(size, switches)| {
        let cells: Vec<usize> = (0..size.pow(3) as usize).collect();
        let cells = proptest::sample::subsequence(cells, 4).prop_shuffle();
        let plane = || (heading(), 0u8..=1, prop::bool::weighted(0.9));
        (cells, [plane(), plane(), plane(), plane()]).prop_map(move |(cells, planes)| {
            let edge = size as usize;
            let planes = [0, 1, 2, 3].map(|no: usize| {
                let (heading, cooldown, alive) = planes[no];
                let [x, y, z] = [1, edge, edge * edge].map(|it| (cells[no] / it % edge) as i8);
                Plane { at: Cell::new(x, y, z), heading, cooldown, alive }
            });
            (size, switches, planes)
        })
    })
}

fn heading() -> impl Strategy<Value = Direction> {
    proptest::sample::select(Direction::all().collect::<Vec<_>>())
}

fn a_move() -> impl Strategy<Value = Move> {
    let letters = prop_oneof![
        20 => heading().prop_map(Letters::from),
        1 => "[NSWEDU]{1,10}".prop_map(|it| Letters::parse(it.as_bytes()).unwrap()),
    ];
    (letters, any::<bool>(), any::<bool>()).prop_map(|(letters, turns, shoots)| Move {
        letters,
        turns,
        shoots,
    })
}

fn moves() -> impl Strategy<Value = Vec<[Option<Move>; 4]>> {
    let it = || prop::option::weighted(0.95, a_move());
    prop::collection::vec([it(), it(), it(), it()], 1..12)
}

fn setup() -> impl Strategy<Value = Setup> {
    let rules = prop_oneof![Just(planes::RuleSet::Prose), Just(planes::RuleSet::Controller)];
    (4u32..=6, 1u32..=4, 1u32..=8, rules).prop_map(|(size, fights, rounds, rules)| Setup {
        size,
        rules,
        ..short(fights, rounds)
    })
}

fn answer() -> impl Strategy<Value = Answer<Action>> {
    let said = [prop::option::weighted(0.95, a_move()), prop::option::weighted(0.95, a_move())];
    prop_oneof![
        30 => said.prop_map(|it| Answer::Action(Action(it))),
        1 => Just(Answer::Fault(Fault::Late)),
        1 => Just(Answer::Fault(Fault::LateTotal)),
    ]
}
