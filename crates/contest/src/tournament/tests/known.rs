//! Tables and brackets that others have published.

use super::*;

/// Four who met twice each, from the page on Sonneborn-Berger of Sensei's Library
/// (senseis.xmp.net/?SonnebornBerger): A and B have won four each, and their scores are 11 and 9.
#[test]
fn a_published_sonneborn_berger_table_is_found() {
    // Who won of each pair: in the first turn the one named first always, in the second these.
    let second = [([1, 2], 2), ([1, 3], 1), ([1, 4], 4), ([2, 3], 3), ([2, 4], 2), ([3, 4], 3)];
    let plan = plan(
        "kind = \"round_robin\", turns = 2",
        "points = { kind = \"outcome\", win = 1, draw = 0, loss = 0 }\n\
         tie_breaks = [{ by = \"sonneborn_berger\" }]",
    );
    let rule = |it: &Match| {
        let [one, two] = it.seats.map(|it| it.0);
        let pair = [one.min(two), one.max(two)];
        let winner = match it.key.round {
            0..3 => pair[0],
            _ => second.iter().find(|it| it.0 == pair).unwrap().1,
        };
        if winner == one { score(it, 1, 0) } else { score(it, 0, 1) }
    };
    let (all, _) = play_out(&plan, &Field::of(4), &rule, None);
    let rows = &all.stages[0].tables[0].rows;
    let found: Vec<_> =
        rows.iter().map(|it| (it.entrant.0, it.place, it.points.to_string())).collect();
    let expected = [(1, 1, "4"), (2, 2, "4"), (3, 3, "3"), (4, 4, "1")];
    assert_eq!(found, expected.map(|it| (it.0, it.1, it.2.to_owned())));
    let values: Vec<String> = rows[..2].iter().map(|it| it.ties[0].value.to_string()).collect();
    assert_eq!(values, ["11", "9"]);
}

/// Each beats the next and draws with all others.
#[test]
fn a_draw_counts_half_in_sonneborn_berger() {
    let plan = plan(
        "kind = \"round_robin\"",
        "points = { kind = \"outcome\", win = 2, draw = 1, loss = 0 }\n\
         tie_breaks = [{ by = \"sonneborn_berger\" }, { by = \"buchholz\" }]",
    );
    // 1 beats 2, 2 beats 3, 3 beats 4, all else is drawn: 1 has 4, 2 and 3 have 3, 4 has 2.
    let rule = |it: &Match| match it.seats.map(|it| it.0) {
        [one, two] if one + 1 == two => score(it, 1, 0),
        [one, two] if two + 1 == one => score(it, 0, 1),
        _ => score(it, 1, 1),
    };
    let (all, _) = play_out(&plan, &Field::of(4), &rule, None);
    let rows = &all.stages[0].tables[0].rows;
    let found: Vec<_> = rows.iter().map(|it| (it.entrant.0, it.points.to_string())).collect();
    assert_eq!(found, [(1, "4"), (2, "3"), (3, "3"), (4, "2")].map(|it| (it.0, it.1.to_owned())));
    // 2 has beaten 3 and drawn with 4: 3 and half of 2. 3 has beaten 4 and drawn with 1: 2 and half
    // of 4.
    let values: Vec<String> = rows[1..3].iter().map(|it| it.ties[0].value.to_string()).collect();
    assert_eq!(values, ["4", "4"]);
    // So Buchholz is asked, and of a round robin it says the same for all with as many points.
    let values: Vec<String> = rows[1..3].iter().map(|it| it.ties[1].value.to_string()).collect();
    assert_eq!(values, ["9", "9"]);
    assert_eq!((rows[1].place, rows[2].place), (2, 2));
}

/// The usual bracket of eight with double elimination, as in published templates (Axe-Api,
/// `server/template8DoubleBracket.py`): losers of the upper half of the second round cross over to
/// the lower half of the losers' part. By seeds: who meets whom, part by part.
#[test]
fn the_usual_double_elimination_bracket_of_eight_is_found() {
    let plan = plan("kind = \"knockout\", elimination = \"double\"", "");
    let (all, _) = play_out(&plan, &Field::of(8), &by_seed, None);
    let bracket = all.stages[0].bracket.as_ref().unwrap();
    let of = |part: Part| -> Vec<(u16, [u64; 2])> {
        let knots = bracket.knots.iter().filter(|it| it.part == part && !it.is_bye);
        knots.map(|it| (it.round, it.sides.map(|it| it.unwrap().0))).collect()
    };
    let winners =
        [(1, [1, 8]), (1, [4, 5]), (1, [2, 7]), (1, [3, 6]), (2, [1, 4]), (2, [2, 3]), (3, [1, 2])];
    assert_eq!(of(Part::Winners), winners);
    let losers = [(1, [5, 8]), (1, [6, 7]), (2, [3, 5]), (2, [4, 6]), (3, [3, 4]), (4, [2, 3])];
    assert_eq!(of(Part::Losers), losers);
    assert_eq!(of(Part::Final), [(1, [1, 2])]);
    assert_eq!(of(Part::Decider), []);
    let expected = [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 5), (7, 7), (8, 7)];
    assert_eq!(places(&all), expected);
}
