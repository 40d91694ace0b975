//! Laws that hold for every race, tried on random ones, and geometry against another way to do it.

mod common;

use std::sync::Arc;

use common::{BOTS, accelerate, play, ready, start};
use game::{Dialect, Game, Seat};
use jockey::{
    Answered, Course, How, Jockey, Line, Numbers, Race, Setup, Standing, Vector, inspect,
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn players_never_share_a_cell_and_the_limit_of_sight_never_falls(
        setup in setup(),
        answers in answers(),
    ) {
        let mut race = new_race(&setup);
        for answer in answers {
            if race.is_over() || race.is_out_of_steps() {
                break;
            }
            let before = race.clone();
            let moves = race.play(answer.map(Some));
            prop_assert!(race.sees() >= before.sees());
            let [one, other] = race.players().each_ref();
            let both_race = one.standing == Standing::Racing && other.standing == Standing::Racing;
            prop_assert!(!both_race || one.at != other.at, "both are at {:?}", one.at);
            for (no, it) in moves.iter().enumerate() {
                let Some(it) = it else {
                    prop_assert_eq!(race.players()[no], before.players()[no]);
                    continue;
                };
                let ground = race.course().ground(it.to);
                prop_assert!(ground != jockey::Ground::Obstacle);
                prop_assert!((0..race.course().width()).contains(&it.to.x));
                let stays = matches!(it.how, How::OffCourse { .. } | How::Collided { .. } | How::Disqualified);
                prop_assert_eq!(it.to, if stays { it.from } else { it.planned });
                let keeps = !stays && it.how != How::Splashed;
                let velocity = if keeps { it.to - it.from } else { Vector::ZERO };
                prop_assert_eq!(it.velocity, velocity);
            }
        }
    }

    /// Left and right are alike, but where priority falls to the one farther left.
    #[test]
    fn mirrored_courses_make_mirrored_races(setup in setup(), answers in answers()) {
        let mirror = |x: i32| setup.width as i32 - 1 - x;
        let mirrored = Setup {
            rows: setup.rows.iter().map(|it| it.chars().rev().collect()).collect(),
            x0: mirror(setup.x0 as i32) as u32,
            x1: mirror(setup.x1 as i32) as u32,
            ..setup.clone()
        };
        let (mut one, mut other) = (new_race(&setup), new_race(&mirrored));
        for answer in answers {
            if one.is_over() || one.is_out_of_steps() {
                break;
            }
            let rows = one.players().map(|it| it.at.y);
            let turned = answer.map(|it| match it {
                Answered::Accelerate(by) => Answered::Accelerate(Vector::new(-by.x, by.y)),
                Answered::Failed => Answered::Failed,
            });
            let moves = one.play(answer.map(Some));
            let by_priority = moves.iter().flatten().any(|it| it.how == How::Collided { touched_cell: false });
            let mirrored_moves = other.play(turned.map(Some));
            if by_priority && rows[0] == rows[1] {
                // Here the two go different ways, and the mirror is of no more use.
                break;
            }
            for (it, image) in moves.iter().zip(&mirrored_moves) {
                let (Some(it), Some(image)) = (it, image) else {
                    prop_assert_eq!(it, image);
                    continue;
                };
                prop_assert_eq!(it.how, image.how);
                prop_assert_eq!((mirror(it.to.x), it.to.y), (image.to.x, image.to.y));
                prop_assert_eq!((-it.velocity.x, it.velocity.y), (image.velocity.x, image.velocity.y));
            }
            prop_assert_eq!(one.sees(), other.sees());
        }
    }

    /// The seats of the players make no difference.
    #[test]
    fn exchanged_players_make_exchanged_races(setup in setup(), answers in answers()) {
        let exchanged = Setup { x0: setup.x1, x1: setup.x0, ..setup.clone() };
        let (mut one, mut other) = (new_race(&setup), new_race(&exchanged));
        for answer in answers {
            if one.is_over() || one.is_out_of_steps() {
                break;
            }
            let [a, b] = answer.map(Some);
            let moves = one.play([a, b]);
            let [b, a] = other.play([b, a]);
            prop_assert_eq!(moves, [a, b]);
        }
    }

    #[test]
    fn lines_meet_where_another_computation_says_so(a in line(), b in line()) {
        prop_assert_eq!(a.meets(b), meets(a, b), "{:?} {:?}", a, b);
        prop_assert_eq!(a.meets(b), b.meets(a));
        let turned = Line::new(a.to, a.from);
        prop_assert_eq!(a.meets(b), turned.meets(b));
    }

    #[test]
    fn lines_touch_cells_where_another_computation_says_so(it in line(), cell in vector()) {
        prop_assert_eq!(it.touches(cell), touches(it, cell), "{:?} {:?}", it, cell);
    }

    #[test]
    fn obstacles_are_hit_where_their_cells_are_touched(setup in setup(), ends in [cell(), cell()]) {
        let course = Course::new(&setup).unwrap();
        let width = course.width();
        let [from, to] = ends.map(|it| Vector::new(it.x.rem_euclid(width), it.y));
        let line = Line::new(from, to);
        let cells = (0..course.length()).flat_map(|y| (0..width).map(move |x| Vector::new(x, y)));
        let mut obstacles = cells.filter(|it| course.ground(*it) == jockey::Ground::Obstacle);
        prop_assert_eq!(course.is_obstructed(line), obstacles.any(|it| touches(line, it)));
    }

    /// Question after question is the text that a bot asked for the first time would get.
    #[test]
    fn questions_are_the_same_whatever_was_asked_before(setup in setup(), answers in answers()) {
        let mut game = start(&setup, BOTS);
        let mut numbers = [Numbers::default(), Numbers::default()];
        ready(&mut game);
        for answer in answers {
            if game.round() == 1 {
                break;
            }
            for (no, numbers) in numbers.iter_mut().enumerate() {
                let [mut text, mut fresh] = [Vec::new(), Vec::new()];
                let seat = Seat(no as u8);
                let view = game.view(Some(seat));
                numbers.ask(seat, &view, Default::default(), &mut text);
                Numbers::default().ask(seat, &view, Default::default(), &mut fresh);
                prop_assert_eq!(&text, &fresh);
                prop_assert_eq!(String::from_utf8(text).unwrap(), question(&game, no));
            }
            let accelerate = |no: usize| match answer[no] {
                Answered::Accelerate(by) if game.race().is_racing(no) => {
                    accelerate(by.x as i8, by.y as i8)
                }
                _ => None,
            };
            let answers = [accelerate(0), accelerate(1)];
            play(&mut game, answers);
        }
    }

    #[test]
    fn the_check_agrees_with_a_plain_search(setup in setup()) {
        let course = Course::new(&setup).unwrap();
        prop_assert_eq!(inspect(&setup).is_ok(), goes_back_little(&course), "{:?}", setup.rows);
    }
}

/// The text of a question, put together anew.
fn question(game: &Jockey, me: usize) -> String {
    let (race, course) = (game.race(), game.course());
    let mut text = format!("{}\n0\n", race.step());
    for no in [me, 1 - me] {
        let player = race.players()[no];
        let numbers = match race.is_racing(no) {
            true => [player.at.x, player.at.y, player.velocity.x, player.velocity.y],
            false => [0, course.length(), 0, 0],
        };
        text += &numbers.map(|it| it.to_string()).join(" ");
        text.push('\n');
    }
    for y in 0..course.length() {
        let cell = |x| match y < race.sees() {
            true => char::from(course.ground(Vector::new(x, y)).letter()).to_string(),
            false => "-1".to_owned(),
        };
        text += &(0..course.width()).map(cell).collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
    text
}

/// Whether two segments share a point: their equations, solved with fractions.
fn meets(a: Line, b: Line) -> bool {
    let [p, q, r, s] = [a.from, a.to, b.from, b.to].map(|it| (i64::from(it.x), i64::from(it.y)));
    let (d, e) = ((q.0 - p.0, q.1 - p.1), (s.0 - r.0, s.1 - r.1));
    let cross = |a: (i64, i64), b: (i64, i64)| a.0 * b.1 - a.1 * b.0;
    let to = (r.0 - p.0, r.1 - p.1);
    let mut den = cross(d, e);
    if den != 0 {
        // p + d * t = r + e * u
        let (mut t, mut u) = (cross(to, e), cross(to, d));
        if den < 0 {
            (t, u, den) = (-t, -u, -den);
        }
        return (0..=den).contains(&t) && (0..=den).contains(&u);
    }
    // Parallel, or points: an end of one lies on the other.
    let on = |p: (i64, i64), d: (i64, i64), at: (i64, i64)| {
        let to = (at.0 - p.0, at.1 - p.1);
        let along = to.0 * d.0 + to.1 * d.1;
        cross(d, to) == 0
            && (0..=d.0 * d.0 + d.1 * d.1).contains(&along)
            && (d != (0, 0) || to == (0, 0))
    };
    on(p, d, r) || on(p, d, s) || on(r, e, p) || on(r, e, q)
}

/// Whether a segment touches a square: what is left of it between the sides, cut with fractions.
fn touches(line: Line, cell: Vector) -> bool {
    let double = |from: i32, to: i32, cell: i32| {
        let (from, to, cell) = (i64::from(from), i64::from(to), i64::from(cell));
        (2 * from, 2 * (to - from), 2 * cell - 1, 2 * cell + 1)
    };
    // The part [low, high] of the way at which the segment is between both sides, over one
    // denominator.
    let axes = [double(line.from.x, line.to.x, cell.x), double(line.from.y, line.to.y, cell.y)];
    let den: i64 = axes.iter().map(|it| it.1.abs().max(1)).product();
    let (mut low, mut high) = (0, den);
    for (from, span, first, last) in axes {
        if span == 0 {
            if !(first..=last).contains(&from) {
                return false;
            }
            continue;
        }
        let part = |at: i64| (at - from) * (den / span.abs()) * span.signum();
        let (enters, leaves) = if span > 0 { (first, last) } else { (last, first) };
        low = low.max(part(enters));
        high = high.min(part(leaves));
    }
    low <= high
}

/// The rule about going back, word for word: for each cell that can be reached a search of its own.
fn goes_back_little(course: &Course) -> bool {
    let (width, length) = (course.width(), course.length());
    let flood = |from: Vector, above: i32| {
        let mut seen = std::collections::HashSet::from([from]);
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                let to = Vector::new(at.x + dx, at.y + dy);
                let inside = (0..width).contains(&to.x) && (above + 1..=length).contains(&to.y);
                if inside && course.ground(to) != jockey::Ground::Obstacle && seen.insert(to) {
                    open.push(to);
                }
            }
        }
        seen
    };
    let from = Vector::new(course.starts()[0], 0);
    let reachable = flood(from, -4);
    let to_goal = |it: &Vector| {
        it.y >= length || flood(*it, it.y - course.vision()).iter().any(|it| it.y == length)
    };
    reachable.iter().all(to_goal)
}

fn new_race(setup: &Setup) -> Race {
    let course = Arc::new(Course::new(setup).unwrap());
    let starts = course.starts();
    Race::new(course, starts)
}

/// Small courses, on which much happens.
fn setup() -> impl Strategy<Value = Setup> {
    let shape = (2u32..=7, 1u32..=9, 1u32..=4, any::<prop::sample::Index>());
    shape
        .prop_flat_map(|(width, length, vision, starts)| {
            let cells = prop::collection::vec(
                prop_oneof![6 => Just('0'), 1 => Just('1'), 1 => Just('2')],
                (width * length) as usize,
            );
            (Just((width, length, vision, starts)), cells)
        })
        .prop_map(|((width, length, vision, starts), mut cells)| {
            let pairs: Vec<_> = (0..width)
                .flat_map(|a| (0..width).map(move |b| (a, b)))
                .filter(|(a, b)| a != b)
                .collect();
            let (x0, x1) = pairs[starts.index(pairs.len())];
            for x in [x0, x1] {
                if cells[x as usize] == '1' {
                    cells[x as usize] = '0';
                }
            }
            let rows = cells.chunks(width as usize).map(|it| it.iter().collect()).collect();
            let (step_limit, think_ms) = (40, 1_000);
            Setup { width, length, vision, step_limit, think_ms, x0, x1, rows }
        })
}

fn answers() -> impl Strategy<Value = Vec<[Answered; 2]>> {
    let by = (-1..=1i32, prop_oneof![2 => Just(1i32), 1 => Just(0), 1 => Just(-1)]);
    let answer = prop_oneof![
        60 => by.prop_map(|(x, y)| Answered::Accelerate(Vector::new(x, y))),
        1 => Just(Answered::Failed),
    ];
    prop::collection::vec([answer.clone(), answer], 1..45)
}

fn line() -> impl Strategy<Value = Line> {
    prop_oneof![
        8 => (vector(), vector()).prop_map(|(from, to)| Line::new(from, to)),
        1 => vector().prop_map(Line::point),
        1 => (far(), far()).prop_map(|(from, to)| Line::new(from, to)),
    ]
}

fn vector() -> impl Strategy<Value = Vector> {
    (-6..=6, -6..=6).prop_map(|(x, y)| Vector::new(x, y))
}

fn far() -> impl Strategy<Value = Vector> {
    (-1000..=1000, -1000..=1000).prop_map(|(x, y)| Vector::new(x, y))
}

/// A cell of a small course or near it.
fn cell() -> impl Strategy<Value = Vector> {
    (0..=6, -4..=14).prop_map(|(x, y)| Vector::new(x, y))
}
