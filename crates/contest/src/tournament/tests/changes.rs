//! Results that are replaced, and tournaments that nobody plays.

use std::time::Duration;

use super::*;

#[test]
fn what_if_is_what_unfolding_anew_finds() {
    for (no, plan) in all_kinds().iter().enumerate() {
        let field = Field::of(12);
        let (before, played) = play_out(plan, &field, &by_lot(no as u64), None);
        for at in [0, played.len() / 2, played.len() - 1] {
            let (key, old) = played.iter().nth(at).unwrap();
            let turned = match &old.end {
                End::Result { places, measures } => {
                    let measures = measures.iter().map(|it| (it.0.clone(), [it.1[1], it.1[0]]));
                    End::Result { places: [places[1], places[0]], measures: measures.collect() }
                }
                other => other.clone(),
            };
            let changes = [Some(Played { end: turned, ..old.clone() }), None];
            for change in changes {
                let changed = BTreeMap::from([(*key, change.clone())]);
                let mut memo = Memo::default();
                let found = what_if(plan, &field, 7, &played, &changed, &mut memo).unwrap();
                let mut others = played.clone();
                match change {
                    Some(it) => others.insert(*key, it),
                    None => others.remove(key),
                };
                let after = unfold(plan, &field, 7, &others, &mut Memo::default()).unwrap();
                assert_eq!(found, difference(&before, &after), "plan {no}, {key}");
            }
        }
        assert!(difference(&before, &before).is_empty());
    }
}

#[test]
fn a_final_falls_with_the_semi_final_before_it() {
    let plan = plan("kind = \"knockout\"", "");
    let (before, played) = play_out(&plan, &Field::of(4), &by_seed, None);
    let semi = before.matches[0].clone();
    assert_eq!(semi.seats.map(|it| it.0), [1, 4]);
    let changed = BTreeMap::from([(semi.key, Some(score(&semi, 1, 2)))]);
    let found = what_if(&plan, &Field::of(4), 7, &played, &changed, &mut Memo::default()).unwrap();
    let [[was, is]] = found.reseated.as_slice() else { panic!("{found:?}") };
    assert_eq!(was.seats.map(|it| it.0), [1, 2]);
    assert_eq!(is.seats.map(|it| it.0), [2, 4]);
    assert_eq!(is.progress, Progress::Due);
    assert_eq!(found.idle_results, [was.key]);
    assert_eq!((found.fallen.len(), found.appeared.len()), (0, 0));
    assert_eq!(found.stages, [0]);

    // Where it is voided, the final is gone until it is played again.
    let changed = BTreeMap::from([(semi.key, None)]);
    let found = what_if(&plan, &Field::of(4), 7, &played, &changed, &mut Memo::default()).unwrap();
    assert_eq!(found.fallen.iter().map(|it| it.key).collect::<Vec<_>>(), [was.key]);
    let winner = found.places.iter().find(|it| it.stage.is_none() && it.entrant.0 == 1).unwrap();
    assert_eq!((winner.before, winner.after), (Some(1), None));
}

#[test]
fn a_void_match_is_to_be_played_again_and_counts_for_nothing() {
    let plan = plan("kind = \"round_robin\"", "");
    let (all, mut played) = play_out(&plan, &Field::of(3), &by_seed, None);
    let key = all.matches[0].key;
    played.get_mut(&key).unwrap().end = End::Void;
    let all = unfold(&plan, &Field::of(3), 7, &played, &mut Memo::default()).unwrap();
    assert_eq!(all.due().map(|it| it.key).collect::<Vec<_>>(), [key]);
    assert!(!all.is_over && all.idle_results == [key]);
}

#[test]
fn a_dry_run_counts_what_is_played() {
    let minute = [Duration::from_secs(60)];
    for (no, plan) in all_kinds().iter().enumerate() {
        let found = dry_run(plan, Entering::Any(12), &minute, 4, 1).unwrap();
        let (all, _) = play_out(plan, &Field::of(12), &by_lot(4), None);
        let n = all.matches.len() as u64;
        let [fewest, most] = found.matches;
        assert!((fewest..=most).contains(&n), "plan {no}: {n} is not in {:?}", found.matches);
        assert_eq!(found.stages.len(), plan.stages.len());
        let lasts = found.lasts;
        assert!(lasts.low_s <= lasts.expected_s && lasts.expected_s <= lasts.high_s);
    }
    // 66 matches of a minute, four at once: 17 times.
    let all = plan("kind = \"round_robin\"", "");
    let found = dry_run(&all, Entering::Any(12), &minute, 4, 1).unwrap();
    assert_eq!(found.matches, [66, 66]);
    assert_eq!(found.lasts, Span { low_s: 1020.0, expected_s: 1020.0, high_s: 1020.0 });
    // A Swiss round waits for the one before: 3 rounds of 6 matches take 2 minutes each.
    let swiss = plan("kind = \"swiss\", rounds = 3", "");
    let found = dry_run(&swiss, Entering::Any(12), &minute, 4, 1).unwrap();
    assert_eq!(found.lasts.expected_s, 360.0);
    assert_eq!(
        dry_run(&swiss, Entering::Any(12), &[], 4, 1).unwrap_err().to_string(),
        "durations of former matches: found 0, allowed are 1 to 100000"
    );
    assert_eq!(
        dry_run(&swiss, Entering::Any(12), &minute, 0, 1).unwrap_err().to_string(),
        "matches at once: found 0, allowed are 1 to 10000"
    );
}
