//! What changes when a result does: for the preview before a match is played again, and for the
//! audit trail after.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    EntrantId, Field, Match, MatchKey, Memo, Plan, Played, Status, Tournament, UnfoldError, unfold,
};

/// What tells two tournaments of one plan apart.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Matches that are no more.
    pub fallen: Vec<Match>,
    /// Matches that were not before.
    pub appeared: Vec<Match>,
    /// Matches in which others sit: before, and after.
    pub reseated: Vec<[Match; 2]>,
    /// Results that counted, and do no more.
    pub idle_results: Vec<MatchKey>,
    /// Places in tables and in the end that are others, were not, or are no more.
    pub places: Vec<PlaceChange>,
    /// Stages that were over and are not, or the other way.
    pub stages: Vec<u16>,
}

/// Somebody stands elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlaceChange {
    /// In the tables of which stage; none: in the end.
    pub stage: Option<u16>,
    /// Who.
    pub entrant: EntrantId,
    /// None: it had no place.
    pub before: Option<u32>,
    /// None: it has no place.
    pub after: Option<u32>,
}

impl Difference {
    /// Nothing follows.
    pub fn is_empty(&self) -> bool {
        *self == Difference::default()
    }
}

/// What has changed from one to the other.
pub fn difference(before: &Tournament, after: &Tournament) -> Difference {
    let by_key = |it: &Tournament| -> BTreeMap<MatchKey, Match> {
        it.matches.iter().map(|it| (it.key, it.clone())).collect()
    };
    let (old, new) = (by_key(before), by_key(after));
    let only_in = |one: &BTreeMap<MatchKey, Match>, other: &BTreeMap<MatchKey, Match>| {
        one.values().filter(|it| !other.contains_key(&it.key)).cloned().collect()
    };
    let both = old.values().filter_map(|it| Some((it, new.get(&it.key)?)));
    let reseated = both.filter(|it| it.0.seats != it.1.seats);
    let was_idle: BTreeSet<MatchKey> = before.idle_results.iter().copied().collect();
    let is_new = |it: &&MatchKey| !was_idle.contains(it);
    let is_over = |it: &Tournament| -> Vec<bool> {
        it.stages.iter().map(|it| it.status == Status::Over).collect()
    };
    let stages = is_over(before).into_iter().zip(is_over(after)).zip(0..);
    Difference {
        fallen: only_in(&old, &new),
        appeared: only_in(&new, &old),
        reseated: reseated.map(|it| [it.0.clone(), it.1.clone()]).collect(),
        idle_results: after.idle_results.iter().filter(is_new).copied().collect(),
        places: places(before, after),
        stages: stages.filter(|it| it.0.0 != it.0.1).map(|it| it.1).collect(),
    }
}

/// What would change if these results were others; none: if it had not been played. Nothing is
/// changed by asking.
///
/// # Errors
///
/// As [`unfold`].
pub fn what_if(
    plan: &Plan,
    field: &Field,
    seed: u64,
    played: &BTreeMap<MatchKey, Played>,
    changed: &BTreeMap<MatchKey, Option<Played>>,
    memo: &mut Memo,
) -> Result<Difference, UnfoldError> {
    let before = unfold(plan, field, seed, played, memo)?;
    let mut others = played.clone();
    for (key, it) in changed {
        match it {
            Some(it) => others.insert(*key, it.clone()),
            None => others.remove(key),
        };
    }
    // A copy: rounds as they are now stay remembered.
    let after = unfold(plan, field, seed, &others, &mut memo.clone())?;
    Ok(difference(&before, &after))
}

fn places(before: &Tournament, after: &Tournament) -> Vec<PlaceChange> {
    let (old, new) = (all_places(before), all_places(after));
    let keys: BTreeSet<_> = old.keys().chain(new.keys()).copied().collect();
    let change = |(stage, entrant): (Option<u16>, EntrantId)| {
        let of = |it: &BTreeMap<_, u32>| it.get(&(stage, entrant)).copied();
        PlaceChange { stage, entrant, before: of(&old), after: of(&new) }
    };
    keys.into_iter().map(change).filter(|it| it.before != it.after).collect()
}

fn all_places(of: &Tournament) -> BTreeMap<(Option<u16>, EntrantId), u32> {
    let tables = (0..).zip(&of.stages).flat_map(|(stage, state)| {
        let rows = state.tables.iter().flat_map(|it| &it.rows);
        rows.map(move |it| ((Some(stage), it.entrant), it.place))
    });
    tables.chain(of.places.iter().map(|it| ((None, it.entrant), it.place))).collect()
}
