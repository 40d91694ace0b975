//! Tournaments that are played out: what every one of them keeps to.

mod brackets;
mod changes;
mod known;
mod leagues;
mod refusals;

use std::collections::BTreeMap;

use game::Fraction;

use super::*;
use crate::chance::Chance;

/// What a match is decided by in a test.
type Rule<'a> = &'a dyn Fn(&Match) -> Played;

/// One of those in `presets`.
fn preset(name: &str) -> Plan {
    let text = match name {
        "planes" => include_str!("presets/planes.toml"),
        "samurai" => include_str!("presets/samurai.toml"),
        _ => include_str!("presets/labyrinth.toml"),
    };
    toml::from_str(text).unwrap()
}

/// A plan of one stage.
fn plan(format: &str, more: &str) -> Plan {
    let text = format!("[[stages]]\nname = \"Only\"\nformat = {{ {format} }}\n{more}\n");
    toml::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Fights or points of the first seat, and of the second; more is better. It took the winner 100
/// steps and the loser 200.
fn score(it: &Match, own: i64, other: i64) -> Played {
    let both = |one: i64, two: i64| [one, two].map(Fraction::from);
    let (places, time) = match own.cmp(&other) {
        std::cmp::Ordering::Greater => ([1, 2], both(100, 200)),
        std::cmp::Ordering::Equal => ([1, 1], both(150, 150)),
        std::cmp::Ordering::Less => ([2, 1], both(200, 100)),
    };
    let fights = both(own, other);
    let measures = [("fights_won", fights), ("points", fights), ("time", time)];
    let measures = measures.into_iter().map(|it| (it.0.to_owned(), it.1)).collect();
    Played { seats: it.seats, end: End::Result { places, measures } }
}

/// The lower number wins.
fn by_seed(it: &Match) -> Played {
    match it.seats[0] < it.seats[1] {
        true => score(it, 60, 40),
        false => score(it, 40, 60),
    }
}

/// Wins, draws and losses by who plays and where, so that any order of playing gives the same.
fn by_lot(salt: u64) -> impl Fn(&Match) -> Played {
    move |it: &Match| {
        let MatchKey { round, game, redraw, .. } = it.key;
        let [one, two] = it.seats.map(|it| it.0);
        let more = u64::from(round) << 8 ^ u64::from(game) << 16 ^ u64::from(redraw) << 24;
        let mut chance = Chance::new(salt ^ one << 32 ^ two << 48 ^ more);
        let won = (chance.next() % 5) as i64;
        score(it, won, 4 - won)
    }
}

/// Plays until nothing is due; `pick` says which of the due ones is next, or all of them.
fn play_out(
    plan: &Plan,
    field: &Field,
    rule: Rule<'_>,
    mut pick: Option<Chance>,
) -> (Tournament, BTreeMap<MatchKey, Played>) {
    let mut played = BTreeMap::new();
    let mut memo = Memo::default();
    loop {
        let now = unfold(plan, field, 7, &played, &mut memo).unwrap();
        let due: Vec<&Match> = now.due().collect();
        if due.is_empty() {
            return (now, played);
        }
        let next = match &mut pick {
            Some(chance) => {
                let at = chance.next() as usize % due.len();
                &due[at..=at]
            }
            None => &due[..],
        };
        played.extend(next.iter().map(|it| (it.key, rule(it))));
    }
}

/// Places in the end, by number of the entrant.
fn places(it: &Tournament) -> Vec<(u64, u32)> {
    it.places.iter().map(|it| (it.entrant.0, it.place)).collect()
}

#[test]
fn the_presets_are_played_to_their_end() {
    let (planes, _) = play_out(&preset("planes"), &Field::of(6), &by_seed, None);
    assert_eq!(places(&planes), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (6, 6)]);
    assert_eq!(planes.matches.len(), 15 + 6);

    let (samurai, _) = play_out(&preset("samurai"), &Field::of(20), &by_seed, None);
    assert_eq!(samurai.matches.len(), 190 + 16);
    let expected = [1, 2, 3, 4, 5, 5, 5, 5, 9, 9, 9, 9, 9, 9, 9, 9, 17, 18, 19, 20];
    let found: Vec<u32> = samurai.places.iter().map(|it| it.place).collect();
    assert_eq!(found, expected);

    let mut field = Field::of(11);
    field.entrants.iter_mut().for_each(|it| it.role = Some(u8::from(it.id.0 > 5)));
    let (labyrinth, _) = play_out(&preset("labyrinth"), &field, &by_seed, None);
    assert_eq!(labyrinth.matches.len(), 5 * 6 + 2 * 4 * 4);
    // An architect always sits on the first seat.
    assert!(labyrinth.matches.iter().all(|it| it.seats[0].0 <= 5 && it.seats[1].0 > 5));
    assert_eq!(labyrinth.stages[1].tables.len(), 2);
    assert_eq!(labyrinth.stages[1].tables[0].rows[0].points.to_string(), "480");
}

#[test]
fn presets_are_written_as_they_are_read() {
    for name in ["planes", "samurai", "labyrinth"] {
        let plan = preset(name);
        let json = serde_json::to_string(&plan).unwrap();
        assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan, "{json}");
    }
}

/// Plans of every kind, for 12 entrants.
fn all_kinds() -> Vec<Plan> {
    let tie_breaks = "tie_breaks = [{ by = \"met\" }, { by = \"buchholz\" }, { by = \"lot\" }]";
    let two = "meeting = { games = 2 }\npoints = { kind = \"measure\", measure = \"points\", \
               whole = 4 }";
    let mut all = vec![
        plan("kind = \"round_robin\", turns = 2", tie_breaks),
        plan("kind = \"round_robin\", groups = 3", two),
        plan("kind = \"swiss\", rounds = 5", tie_breaks),
        plan("kind = \"swiss\", rounds = 4, bye = \"draw\"", two),
        plan("kind = \"knockout\", best_of = 3, redraws = 2, third_place = true", ""),
        plan("kind = \"knockout\", elimination = \"double\"", two),
    ];
    let mut both = all[1].clone();
    both.stages[0].go_on = Some(2);
    both.stages.extend(all[5].stages.clone());
    all.push(both);
    all
}

#[test]
fn the_order_in_which_matches_end_changes_nothing() {
    for (no, plan) in all_kinds().iter().enumerate() {
        let field = Field::of(12);
        let rule = by_lot(no as u64);
        let (expected, played) = play_out(plan, &field, &rule, None);
        assert!(expected.is_over, "plan {no}");
        for order in 0..2 {
            let chance = Some(Chance::new(order));
            assert_eq!(play_out(plan, &field, &rule, chance).0, expected, "plan {no}");
        }
        // Nothing hangs on what is remembered.
        let anew = unfold(plan, &field, 7, &played, &mut Memo::default()).unwrap();
        assert_eq!(anew, expected, "plan {no}");
        assert_eq!(expected.idle_results, []);
        assert_eq!(expected.places.len(), 12, "plan {no}");
    }
}

#[test]
fn nobody_plays_itself_and_every_key_is_there_once() {
    for (no, plan) in all_kinds().iter().enumerate() {
        for n in [2_u32, 3, 5, 8, 9, 12, 13] {
            let field = Field::of(n);
            let Ok(()) = plan.check(Entering::Any(n)) else { continue };
            let (tournament, _) = play_out(plan, &field, &by_lot(3), None);
            assert!(tournament.is_over, "plan {no} of {n}");
            let mut keys: Vec<MatchKey> = tournament.matches.iter().map(|it| it.key).collect();
            let n_keys = keys.len();
            keys.dedup();
            assert_eq!(keys.len(), n_keys, "plan {no} of {n}");
            assert!(tournament.matches.iter().all(|it| it.seats[0] != it.seats[1]));
            assert_eq!(tournament.places.len(), n as usize, "plan {no} of {n}");
        }
    }
}
