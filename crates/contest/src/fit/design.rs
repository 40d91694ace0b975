//! The columns of a fit: one for each strength, one for the first seat, one for each value of what
//! changes a set-up; and meetings as rows over them.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use super::evidence::{Evidence, Meeting, Scores};

/// A strength to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Unit {
    pub(super) role: usize,
    pub(super) bot: Uuid,
    /// Of versions that no longer play, all together.
    pub(super) is_former: bool,
}

/// All that is fitted, and what to.
#[derive(Debug)]
pub(super) struct Design {
    /// In the order of [`Evidence`]'s names of roles, sorted.
    pub(super) roles: Vec<String>,
    /// Sorted; each is a column.
    pub(super) units: Vec<Unit>,
    /// Which version each plays with, and in how many matches.
    pub(super) versions: Vec<(Uuid, u64)>,
    /// Whether the next column is the advantage of the first seat.
    pub(super) has_seat: bool,
    /// The columns after that: covariate and value.
    pub(super) levels: Vec<(String, String)>,
    /// Covariates with more values than can be told apart.
    pub(super) left_out: Vec<String>,
    pub(super) rows: Vec<Row>,
}

/// Meetings with one chance to win.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Column of the first seat's strength, and of the second's.
    pub(super) units: [usize; 2],
    /// Which other columns add to the first seat's chance, as an index into a list of lists.
    pub(super) others: Vec<usize>,
    pub(super) scores: Scores,
}

impl Design {
    /// Covariates with more than `levels_max` values are left out.
    pub(super) fn new(evidence: &Evidence, has_seat: bool, levels_max: usize) -> Design {
        let mut roles = evidence.roles.clone();
        roles.sort();
        let role_at: Vec<usize> =
            evidence.roles.iter().map(|it| roles.binary_search(it).unwrap_or_default()).collect();

        // The version that played last is the one that plays now.
        let mut now: BTreeMap<(usize, Uuid), (u64, Uuid)> = BTreeMap::new();
        for it in &evidence.players {
            let last = now.entry((role_at[it.role], it.bot)).or_insert((it.last_no, it.version));
            *last = (*last).max((it.last_no, it.version));
        }
        let unit_of = |it: &super::evidence::Player| {
            let role = role_at[it.role];
            let is_former = now.get(&(role, it.bot)).is_some_and(|now| now.1 != it.version);
            Unit { role, bot: it.bot, is_former }
        };
        let units: BTreeSet<Unit> = evidence.players.iter().map(unit_of).collect();
        let units = Vec::from_iter(units);
        let column: Vec<usize> = evidence
            .players
            .iter()
            .map(|it| units.binary_search(&unit_of(it)).unwrap_or_default())
            .collect();
        let mut versions = vec![(Uuid::nil(), 0); units.len()];
        for (it, &column) in evidence.players.iter().zip(&column) {
            let (version, matches) = &mut versions[column];
            *version = it.version;
            *matches += it.matches;
        }

        let mut values: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, value) in evidence.conditions.iter().flatten() {
            values.entry(name).or_default().insert(value);
        }
        let is_too_long = |it: &BTreeSet<&str>| it.len() > levels_max;
        let left_out = values.iter().filter(|it| is_too_long(it.1)).map(|it| it.0.to_string());
        let left_out = left_out.collect();
        // What has one value alone changes nothing between matches.
        values.retain(|_, it| it.len() > 1 && !is_too_long(it));
        let levels: Vec<(String, String)> = values
            .iter()
            .flat_map(|(name, all)| all.iter().map(|it| (name.to_string(), it.to_string())))
            .collect();
        let first_level = units.len() + usize::from(has_seat);
        let others_of = |conditions: &BTreeMap<String, String>| {
            let seat = has_seat.then_some(units.len());
            let levels = conditions.iter().filter_map(|(name, value)| {
                let found = levels
                    .binary_search_by(|it| (it.0.as_str(), it.1.as_str()).cmp(&(name, value)));
                Some(first_level + found.ok()?)
            });
            seat.into_iter().chain(levels).collect::<Vec<usize>>()
        };
        let others: Vec<Vec<usize>> = evidence.conditions.iter().map(others_of).collect();
        let mut rows: BTreeMap<([usize; 2], &[usize]), Scores> = BTreeMap::new();
        for (Meeting { players, conditions }, scores) in &evidence.meetings {
            let key = (players.map(|it| column[it]), &others[*conditions][..]);
            rows.entry(key).or_default().add(*scores);
        }
        let row = |((units, others), scores): (([usize; 2], &[usize]), Scores)| Row {
            units,
            others: others.to_vec(),
            scores,
        };
        let rows = rows.into_iter().map(row).collect();
        Design { roles, versions, has_seat, levels, left_out, rows, units }
    }

    pub(super) fn n_columns(&self) -> usize {
        self.units.len() + usize::from(self.has_seat) + self.levels.len()
    }
}
