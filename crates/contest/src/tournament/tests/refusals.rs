//! What does not fit is refused in words.

use super::*;

#[test]
fn plans_that_cannot_be_played_are_refused() {
    use Entering::{Any, Roles};
    let table: &[(&str, &str, Entering, &str)] = &[
        ("kind = \"knockout\"", "", Any(1), "entrants: found 1, allowed are 2 to 2000"),
        ("kind = \"knockout\"", "", Any(2001), "entrants: found 2001, allowed are 2 to 2000"),
        ("kind = \"knockout\", best_of = 4", "", Any(8), "best of: found 4, allowed are odd"),
        ("kind = \"knockout\", best_of = 17", "", Any(8), "best of: found 17, allowed are 1 to 15"),
        ("kind = \"knockout\", redraws = 99", "", Any(8), "redraws: found 99, allowed are 0 to 16"),
        (
            "kind = \"knockout\", elimination = \"double\", third_place = true",
            "",
            Any(8),
            "found a third place with double elimination",
        ),
        (
            "kind = \"swiss\", rounds = 8",
            "",
            Any(8),
            "found 8 rounds for 8 entrants, allowed are up to 7: nobody meets anybody twice",
        ),
        ("kind = \"swiss\", rounds = 41", "", Any(99), "rounds: found 41, allowed are 1 to 40"),
        ("kind = \"round_robin\", groups = 3", "", Any(5), "entrants: found 5, allowed are 6 to"),
        ("kind = \"round_robin\", turns = 0", "", Any(5), "turns: found 0, allowed are 1 to 10"),
        ("kind = \"round_robin\", turns = 2", "", Any(700), "matches: found 489300, allowed are 1"),
        ("kind = \"round_robin\"", "", Roles([2, 2]), "found entrants for one role each"),
        ("kind = \"bipartite\"", "", Any(4), "found `bipartite`, allowed is it where each"),
        ("kind = \"bipartite\"", "", Roles([0, 2]), "entrants for role 0: found 0, allowed are 1"),
        (
            "kind = \"bipartite\"",
            "meeting = { games = 2 }",
            Roles([2, 2]),
            "found seats `swapped`, allowed are `kept`",
        ),
        ("kind = \"knockout\"", "go_on = 2", Any(4), "found `go_on` 2, allowed is none"),
        (
            "kind = \"knockout\"",
            "meeting = { games = 17 }",
            Any(4),
            "games of a meeting: found 17, allowed are 1 to 16",
        ),
        (
            "kind = \"knockout\"",
            "points = { kind = \"outcome\", win = 1, draw = 2, loss = 0 }",
            Any(4),
            "found win 1, draw 2, loss 0; none may bring more than the better",
        ),
    ];
    for (format, more, entering, expected) in table {
        let found = plan(format, more).check(*entering).unwrap_err().to_string();
        assert!(found.contains(expected) && found.starts_with("stage 1 `Only`"), "{found}");
    }
    let stages = |n: usize| Plan { stages: vec![preset("planes").stages[0].clone(); n] };
    for n in [0, 9] {
        let found = stages(n).check(Any(9)).unwrap_err().to_string();
        assert_eq!(found, format!("stages: found {n}, allowed are 1 to 8"));
    }
    let mut missing = stages(2);
    missing.stages[0].go_on = None;
    let found = missing.check(Any(9)).unwrap_err().to_string();
    assert!(found.contains("found no `go_on`"), "{found}");
    let found = preset("samurai").check(Any(15)).unwrap_err().to_string();
    assert!(found.contains("go_on: found 16, allowed are 1 to 15"), "{found}");
}

#[test]
fn fields_that_make_no_sense_are_refused() {
    let table: &[(fn(&mut Field), &str)] = &[
        (|it| it.entrants[1].id = it.entrants[0].id, "entrants: found 1 twice"),
        (|it| it.entrants[1].role = Some(2), "entrant 2: found role 2, allowed are 0 and 1"),
        (|it| it.entrants[1].role = Some(1), "found 1 with one role and 3 without"),
    ];
    for (spoil, expected) in table {
        let mut field = Field::of(4);
        spoil(&mut field);
        let found = field.entering().unwrap_err().to_string();
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn a_result_without_what_its_stage_counts_is_refused() {
    let plan =
        plan("kind = \"round_robin\"", "tie_breaks = [{ by = \"margin\", measure = \"x\" }]");
    let all = unfold(&plan, &Field::of(2), 7, &BTreeMap::new(), &mut Memo::default()).unwrap();
    let only = &all.matches[0];
    let played = BTreeMap::from([(only.key, score(only, 1, 0))]);
    let found = unfold(&plan, &Field::of(2), 7, &played, &mut Memo::default()).unwrap_err();
    let expected = "stage 1, round 1, pairing 1, match 1: found a result without `x`, which its \
                    stage counts";
    assert_eq!(found.to_string(), expected);
}

#[test]
fn unknown_keys_of_a_plan_are_refused() {
    for (format, more) in [
        ("kind = \"swiss\", rounds = 3, colour = 1", ""),
        ("kind = \"knockout\"", "seats = 2"),
        ("kind = \"knockout\"", "meeting = { games = 1, sides = 2 }"),
        ("kind = \"ladder\"", ""),
    ] {
        let text = format!("[[stages]]\nname = \"Only\"\nformat = {{ {format} }}\n{more}\n");
        assert!(toml::from_str::<Plan>(&text).is_err(), "{text}");
    }
}

#[test]
fn results_that_fit_nothing_are_told_and_do_no_harm() {
    let plan = plan("kind = \"swiss\", rounds = 2", "");
    let far = MatchKey { stage: 7, round: 900, pairing: 4_000_000_000, game: 65_535, redraw: 9 };
    let end = End::Forfeit { lost: [true, true] };
    let played = Played { seats: [EntrantId(1), EntrantId(1)], end };
    let played = BTreeMap::from([(far, played)]);
    let all = unfold(&plan, &Field::of(4), 7, &played, &mut Memo::default()).unwrap();
    assert_eq!(all.idle_results, [far]);
}

#[test]
fn who_is_left_alone_has_won() {
    for format in [
        "kind = \"round_robin\"",
        "kind = \"swiss\", rounds = 3",
        "kind = \"knockout\", third_place = true",
        "kind = \"knockout\", elimination = \"double\"",
    ] {
        let plan = plan(format, "");
        let mut field = Field::of(4);
        for it in &mut field.entrants[1..] {
            it.left = Some(Left { how: Leaving::Withdrawn, stage: 0, round: 0 });
        }
        let (all, _) = play_out(&plan, &field, &by_seed, None);
        assert!(all.is_over, "{format}");
        assert_eq!(places(&all), [(1, 1)], "{format}");
        field.entrants[0].left = field.entrants[1].left;
        let (all, _) = play_out(&plan, &field, &by_seed, None);
        assert!(all.is_over && all.places.is_empty(), "{format}");
        // Those who leave after the first round lose the rest.
        for it in &mut field.entrants {
            it.left = None;
        }
        field.entrants[0].left = Some(Left { how: Leaving::Withdrawn, stage: 0, round: 1 });
        let (all, _) = play_out(&plan, &field, &by_seed, None);
        assert!(all.is_over && all.places.len() == 4, "{format}");
    }
}
