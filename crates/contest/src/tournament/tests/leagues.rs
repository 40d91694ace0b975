//! Each meets each, and what their tables say.

use super::*;

#[test]
fn everybody_meets_as_promised_and_on_either_seat() {
    for n in 2..=20_u32 {
        for turns in 1..=2 {
            let plan = plan(&format!("kind = \"round_robin\", turns = {turns}"), "");
            let none = BTreeMap::new();
            let all = unfold(&plan, &Field::of(n), 0, &none, &mut Memo::default()).unwrap();
            let mut met: BTreeMap<[u64; 2], u32> = BTreeMap::new();
            let mut busy: BTreeMap<(u16, EntrantId), u32> = BTreeMap::new();
            for it in all.due() {
                *met.entry(it.seats.map(|it| it.0)).or_default() += 1;
                for entrant in it.seats {
                    *busy.entry((it.key.round, entrant)).or_default() += 1;
                }
            }
            let n_pairs = n * (n - 1) / 2;
            assert_eq!(met.values().sum::<u32>(), turns * n_pairs);
            if turns == 2 {
                assert_eq!(met.len() as u32, 2 * n_pairs, "each pair once on either seat");
            }
            assert!(busy.values().all(|it| *it == 1), "{n}: one match a round");
        }
    }
}

#[test]
fn groups_are_a_snake_and_meet_nobody_else() {
    let plan = plan("kind = \"round_robin\", groups = 3", "");
    let (all, _) = play_out(&plan, &Field::of(8), &by_seed, None);
    let members = |it: &Table| it.rows.iter().map(|it| it.entrant.0).collect::<Vec<_>>();
    let tables: Vec<_> = all.stages[0].tables.iter().map(members).collect();
    assert_eq!(tables, [vec![1, 6, 7], vec![2, 5, 8], vec![3, 4]]);
    assert_eq!(all.matches.len(), 3 + 3 + 1);
    // All firsts, then all seconds; the places in the end are shared by rank.
    let expected = [(1, 1), (2, 1), (3, 1), (6, 4), (5, 4), (4, 4), (7, 7), (8, 7)];
    assert_eq!(places(&all), expected);
}

#[test]
fn a_meeting_of_two_swaps_seats_on_one_set_up() {
    let plan = plan("kind = \"round_robin\"", "meeting = { games = 2 }");
    let none = BTreeMap::new();
    let all = unfold(&plan, &Field::of(4), 0, &none, &mut Memo::default()).unwrap();
    for both in all.matches.chunks(2) {
        assert_eq!(both[0].seats, [both[1].seats[1], both[1].seats[0]]);
        assert_eq!(both[0].setup_no, both[1].setup_no);
        assert_eq!(both[0].setup_no, u32::from(both[0].key.round));
    }
}

/// The rows of a round robin of these results: who met, and fights won of each.
fn rows(n: u32, tie_breaks: &str, fought: &[(u64, u64, i64, i64)]) -> Vec<Row> {
    let plan = plan("kind = \"round_robin\"", tie_breaks);
    let rule = |it: &Match| {
        let [one, two] = it.seats.map(|it| it.0);
        let found = fought.iter().find_map(|&(a, b, won, lost)| match (a, b) {
            it if it == (one, two) => Some((won, lost)),
            it if it == (two, one) => Some((lost, won)),
            _ => None,
        });
        let (won, lost) = found.expect("everybody meets everybody");
        score(it, won, lost)
    };
    play_out(&plan, &Field::of(n), &rule, None).0.stages[0].tables[0].rows.clone()
}

const PLANES: &str =
    "tie_breaks = [{ by = \"met\" }, { by = \"met_margin\", measure = \"fights_won\" }]";

#[test]
fn ties_are_broken_as_each_games_rules_say_and_explained() {
    type Fought = (u64, u64, i64, i64);
    let jockey = "tie_breaks = [{ by = \"measure\", measure = \"time\", better = \"less\" }, { by = \"lot\" }]";
    type Row<'a> = (&'a str, u32, &'a str, &'a [Fought], &'a [(u64, u32, &'a str)]);
    let table: &[Row] = &[
        (
            "points decide",
            3,
            PLANES,
            &[(1, 2, 3, 7), (1, 3, 1, 9), (2, 3, 5, 4)],
            &[
                (2, 1, "1st with 4 points"),
                (3, 2, "2nd with 2 points"),
                (1, 3, "3rd with 0 points"),
            ],
        ),
        (
            "of two the match between them decides",
            4,
            PLANES,
            &[(1, 2, 43, 57), (1, 3, 9, 0), (2, 3, 0, 9), (1, 4, 9, 0), (2, 4, 5, 4), (3, 4, 0, 1)],
            &[
                (2, 1, "1st with 4 points; tied with E1, match between the tied: beat E1 57 to 43"),
                (
                    1,
                    2,
                    "2nd with 4 points; tied with E2, match between the tied: lost to E2 43 to 57",
                ),
                (4, 3, "3rd with 2 points; tied with E3, match between the tied: beat E3 1 to 0"),
                (
                    3,
                    4,
                    "4th with 2 points; tied with E4, match between the tied: lost to E4 0 to 1",
                ),
            ],
        ),
        (
            "who beat each other in a circle are told apart by their fights, or share",
            3,
            PLANES,
            &[(1, 2, 6, 4), (2, 3, 8, 2), (3, 1, 7, 3)],
            &[
                (
                    2,
                    1,
                    "1st with 2 points; tied with E1 and E3, points of the matches between the \
                     tied: 2 (lost to E1 4 to 6, beat E3 8 to 2); fights won between the tied, \
                     own less the others': 4",
                ),
                (
                    1,
                    2,
                    "2nd with 2 points; tied with E2 and E3, points of the matches between the \
                     tied: 2 (beat E2 6 to 4, lost to E3 3 to 7); fights won between the tied, \
                     own less the others': -2; the place is shared",
                ),
                (
                    3,
                    2,
                    "2nd with 2 points; tied with E1 and E2, points of the matches between the \
                     tied: 2 (lost to E2 2 to 8, beat E1 7 to 3); fights won between the tied, \
                     own less the others': -2; the place is shared",
                ),
            ],
        ),
        (
            "Jockey: less time first",
            3,
            jockey,
            &[(1, 2, 1, 1), (1, 3, 0, 1), (2, 3, 1, 0)],
            &[(2, 1, "1st with 3 points"), (3, 2, "2nd with 2 points"), (1, 3, "3rd with 1 point")],
        ),
    ];
    for (what, n, tie_breaks, fought, expected) in table {
        let rows = rows(*n, tie_breaks, fought);
        for (row, (entrant, place, text)) in rows.iter().zip(*expected) {
            assert_eq!((row.entrant.0, row.place), (*entrant, *place), "{what}");
            let found = row.explain(|it| format!("E{it}"));
            // The order of a row's matches is the rounds'.
            let words = |it: &str| {
                let mut words: Vec<char> = it.chars().filter(|it| *it != ',').collect();
                words.sort_unstable();
                words
            };
            assert_eq!(words(&found), words(text), "{what}: {found}");
        }
        assert_eq!(rows.len(), expected.len());
    }
}

#[test]
fn a_stage_of_planes_has_the_table_of_a_round_robin_on_the_command_line() {
    let plan = plan("kind = \"round_robin\"", PLANES);
    for salt in 0..100 {
        let rule = by_lot(salt);
        let n = 3 + salt as usize % 6;
        let (all, _) = play_out(&plan, &Field::of(n as u32), &rule, None);
        let encounter = |it: &Match| {
            let End::Result { measures, .. } = rule(it).end else { panic!("{it:?}") };
            let [won, lost] = measures["fights_won"].map(|it| it.num());
            crate::Encounter {
                entrants: it.seats.map(|it| it.0 as usize - 1),
                points: match won.cmp(&lost) {
                    std::cmp::Ordering::Greater => [2, 0].map(Fraction::from),
                    std::cmp::Ordering::Equal => [1, 1].map(Fraction::from),
                    std::cmp::Ordering::Less => [0, 2].map(Fraction::from),
                },
                margin: (won - lost).into(),
            }
        };
        let met: Vec<_> = all.matches.iter().map(encounter).collect();
        let everybody: Vec<usize> = (0..n).collect();
        let expected = crate::standings(&everybody, &met);
        let expected: Vec<_> = expected.iter().map(|it| (it.entrant as u64 + 1, it.rank)).collect();
        let rows = &all.stages[0].tables[0].rows;
        let found: Vec<_> = rows.iter().map(|it| (it.entrant.0, it.place as usize)).collect();
        assert_eq!(found, expected, "{salt}");
    }
}

#[test]
fn a_lot_is_drawn_by_the_seed_and_is_nobodys() {
    let plan = plan("kind = \"round_robin\"", "tie_breaks = [{ by = \"lot\" }]");
    let drawn = |it: &Match| score(it, 1, 1);
    let (_, played) = play_out(&plan, &Field::of(5), &drawn, None);
    let mut firsts: BTreeMap<u64, u32> = BTreeMap::new();
    for seed in 0..200 {
        let all = unfold(&plan, &Field::of(5), seed, &played, &mut Memo::default()).unwrap();
        let rows = &all.stages[0].tables[0].rows;
        let places: Vec<u32> = rows.iter().map(|it| it.place).collect();
        assert_eq!(places, [1, 2, 3, 4, 5]);
        *firsts.entry(rows[0].entrant.0).or_default() += 1;
    }
    assert!(firsts.len() == 5 && firsts.values().all(|it| *it >= 20), "{firsts:?}");
}

#[test]
fn who_leaves_loses_what_it_has_not_played() {
    let plan = plan("kind = \"round_robin\"", "go_on = 2");
    let mut plan = plan;
    plan.stages.extend(self::plan("kind = \"knockout\"", "").stages);
    let leaving = |how: Leaving, stage: u16, round: u16| {
        let mut field = Field::of(4);
        field.entrants[0].left = Some(Left { how, stage, round });
        field
    };
    // From the second round on, having won the first.
    let (all, _) = play_out(&plan, &leaving(Leaving::Withdrawn, 0, 1), &by_seed, None);
    let first = |it: &Tournament| it.stages[0].tables[0].rows.clone();
    let row = first(&all).into_iter().find(|it| it.entrant.0 == 1).unwrap();
    assert_eq!((row.won, row.lost), (1, 2));
    assert_eq!(all.stages[1].entrants.iter().map(|it| it.0).collect::<Vec<_>>(), [2, 3]);

    let (all, _) = play_out(&plan, &leaving(Leaving::Disqualified, 0, 1), &by_seed, None);
    let last = first(&all).pop().unwrap();
    assert_eq!((last.entrant.0, last.is_out), (1, true));
    assert!(last.explain(|it| it.to_string()).contains("disqualified"));

    // After the first stage: it has won, and the third goes on in its stead.
    let (all, _) = play_out(&plan, &leaving(Leaving::Withdrawn, 1, 0), &by_seed, None);
    assert_eq!(first(&all)[0].entrant.0, 1);
    assert_eq!(all.stages[1].entrants.iter().map(|it| it.0).collect::<Vec<_>>(), [2, 3]);

    // What was played before somebody is known to have left counts; of the disqualified nothing.
    let (_, played) = play_out(&plan, &Field::of(4), &by_seed, None);
    for (how, won) in [(Leaving::Withdrawn, 3), (Leaving::Disqualified, 1)] {
        let field = leaving(how, 0, 1);
        let all = unfold(&plan, &field, 7, &played, &mut Memo::default()).unwrap();
        let row = first(&all).into_iter().find(|it| it.entrant.0 == 1).unwrap();
        assert_eq!(row.won, won, "{how:?}");
        assert!(!all.idle_results.is_empty(), "the final has others in it");
    }
}
