//! Knock-out, single and double, of any size.

use std::collections::BTreeSet;

use super::*;

fn knockout(more: &str) -> Plan {
    plan(&format!("kind = \"knockout\"{more}"), "")
}

#[test]
fn single_elimination_is_complete_for_every_size() {
    for n in 2..=70_u32 {
        for third in [false, true] {
            let plan = knockout(&format!(", third_place = {third}"));
            let (all, _) = play_out(&plan, &Field::of(n), &by_seed, None);
            let n_matches = n - 1 + u32::from(third && n >= 4);
            assert_eq!(all.matches.len() as u32, n_matches, "{n}, third place: {third}");
            assert!(all.is_over);
            let places = places(&all);
            assert_eq!(places.len() as u32, n);
            // The first two seeds meet last, and the best four are those of the semi-finals.
            assert_eq!(places[..2], [(1, 1), (2, 2)], "{n}");
            if third && n >= 4 {
                assert_eq!(places[2..4], [(3, 3), (4, 4)], "{n}");
            } else if n >= 4 {
                assert_eq!(places[2..4], [(3, 3), (4, 3)], "{n}");
            }
        }
    }
}

#[test]
fn double_elimination_is_complete_for_every_size() {
    for n in 2..=70_u32 {
        for salt in 0..3 {
            let plan = knockout(", elimination = \"double\", redraws = 1");
            let (all, _) = play_out(&plan, &Field::of(n), &by_lot(salt), None);
            assert!(all.is_over, "{n}");
            let bracket = all.stages[0].bracket.as_ref().unwrap();
            let mut lost: BTreeMap<EntrantId, u32> = BTreeMap::new();
            for it in bracket.knots.iter().filter(|it| !it.is_bye) {
                let loser = it.sides.iter().flatten().find(|side| Some(**side) != it.winner);
                *lost.entry(*loser.unwrap()).or_default() += 1;
            }
            // Everybody but the winner has lost twice, and the winner at most once.
            let winner = all.places[0].entrant;
            assert!(lost.get(&winner).copied().unwrap_or(0) <= 1, "{n}");
            let others = all.places[1..].iter().map(|it| lost.get(&it.entrant).copied());
            assert!(others.clone().all(|it| it == Some(2)), "{n}: {lost:?}");
            assert_eq!(all.places.len() as u32, n);
            let places: BTreeSet<u32> = all.places.iter().map(|it| it.place).collect();
            assert!(places.contains(&1) && places.contains(&2));
        }
    }
}

#[test]
fn nobody_who_met_meets_again_in_the_losers_part_before_its_last_rounds() {
    for n in [8_u32, 16, 32] {
        let plan = knockout(", elimination = \"double\"");
        let (all, _) = play_out(&plan, &Field::of(n), &by_seed, None);
        let bracket = all.stages[0].bracket.as_ref().unwrap();
        let mut met = BTreeSet::new();
        let n_rounds = 2 * n.ilog2() as u16 - 2;
        for it in &bracket.knots {
            let [Some(one), Some(two)] = it.sides else { continue };
            let is_early = it.part == Part::Losers && it.round + 2 <= n_rounds;
            let is_new = met.insert([one.min(two), one.max(two)]);
            assert!(is_new || !is_early, "{n}: {one} and {two} in round {}", it.round);
        }
    }
}

#[test]
fn who_comes_from_the_losers_must_win_twice() {
    let plan = knockout(", elimination = \"double\"");
    // 2 loses to 1 at first, and wins from then on.
    let rule = |it: &Match| match it.seats.map(|it| it.0) {
        [1, 2] | [2, 1] if it.key.round >= 3 => {
            score(it, 1, if it.seats[0].0 == 1 { 2 } else { 0 })
        }
        _ => by_seed(it),
    };
    let (all, _) = play_out(&plan, &Field::of(4), &rule, None);
    assert_eq!(all.matches.len(), 2 * 4 - 1);
    assert_eq!(places(&all)[..2], [(2, 1), (1, 2)]);
    let (all, _) = play_out(&plan, &Field::of(4), &by_seed, None);
    assert_eq!(all.matches.len(), 2 * 4 - 2);
    let decider = all.stages[0].bracket.as_ref().unwrap().knots.last().unwrap().clone();
    assert_eq!((decider.part, decider.is_bye), (Part::Decider, true));
}

#[test]
fn a_drawn_tie_is_played_again_on_another_set_up_and_then_the_higher_seed_goes_on() {
    let plan = knockout(", redraws = 2");
    let drawn = |it: &Match| score(it, 1, 1);
    let (all, _) = play_out(&plan, &Field::of(2), &drawn, None);
    let redraws: Vec<u16> = all.matches.iter().map(|it| it.key.redraw).collect();
    assert_eq!(redraws, [0, 1, 2]);
    let setups: BTreeSet<u32> = all.matches.iter().map(|it| it.setup_no).collect();
    assert_eq!(setups.len(), 3);
    let knot = &all.stages[0].bracket.as_ref().unwrap().knots[0];
    assert_eq!((knot.winner, knot.by_seed), (Some(EntrantId(1)), true));

    let second_time = |it: &Match| score(it, 1, i64::from(it.key.redraw));
    let (all, _) = play_out(
        &plan,
        &Field::of(2),
        &|it| match it.key.redraw {
            0 => score(it, 1, 1),
            _ if it.seats[0].0 == 2 => score(it, 2, 1),
            _ => second_time(&Match { key: MatchKey { redraw: 2, ..it.key }, ..it.clone() }),
        },
        None,
    );
    assert_eq!(all.matches.len(), 2);
    assert_eq!(places(&all), [(2, 1), (1, 2)]);
}

#[test]
fn a_series_ends_when_it_is_decided() {
    let plan = knockout(", best_of = 5");
    let (all, _) = play_out(&plan, &Field::of(2), &by_seed, None);
    assert_eq!(all.matches.len(), 3);
    // Seats take turns.
    let seats: Vec<u64> = all.matches.iter().map(|it| it.seats[0].0).collect();
    assert_eq!(seats, [1, 2, 1]);
    // Won by turns, the last decides.
    let by_turns = |it: &Match| match (it.seats[0].0 == 1) == it.key.game.is_multiple_of(2) {
        true => score(it, 1, 0),
        false => score(it, 0, 1),
    };
    let (all, _) = play_out(&plan, &Field::of(2), &by_turns, None);
    assert!(all.is_over && (3..=5).contains(&all.matches.len()));
}

#[test]
fn a_tie_of_two_matches_is_won_by_the_sum_of_points() {
    let more = "meeting = { games = 2 }\n\
                points = { kind = \"measure\", measure = \"points\", whole = 100 }";
    let plan = plan("kind = \"knockout\"", more);
    // As the architect 1 has 70 and 2 has 60.
    let rule = |it: &Match| if it.seats[0].0 == 1 { score(it, 70, 30) } else { score(it, 60, 40) };
    let (all, _) = play_out(&plan, &Field::of(2), &rule, None);
    assert_eq!(places(&all), [(1, 1), (2, 2)]);
    let points: Vec<String> =
        all.stages[0].tables[0].rows.iter().map(|it| it.points.to_string()).collect();
    assert_eq!(points, ["110", "90"]);
}
