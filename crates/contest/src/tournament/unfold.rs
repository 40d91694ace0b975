//! The whole of a tournament from what was played so far.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    Bracket, End, Entrant, EntrantId, Field, Format, Match, MatchKey, Plan, PlanError, Played,
    Progress, Stage, Table,
    bracket::{self},
    league,
    play::{Arena, Series},
    standing::Tally,
    swiss,
};

/// All that follows from a plan and what was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tournament {
    /// As in the plan.
    pub stages: Vec<StageState>,
    /// Every match that is known, by key: to be played, played, or given up.
    pub matches: Vec<Match>,
    /// Results that count for nothing: there is no such match, others sit there, or it is decided
    /// otherwise.
    pub idle_results: Vec<MatchKey>,
    /// Who has a place in the end, the winner first.
    pub places: Vec<Placing>,
    /// All stages are over.
    pub is_over: bool,
}

/// A stage, as far as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StageState {
    /// As in the plan.
    pub name: String,
    /// How far.
    pub status: Status,
    /// Who takes part, the highest seed first.
    pub entrants: Vec<EntrantId>,
    /// One for each group or role.
    pub tables: Vec<Table>,
    /// Of a knock-out.
    pub bracket: Option<Bracket>,
    /// Of a Swiss stage: for each round that is paired, from the first, who sits out.
    pub byes: Vec<Option<EntrantId>>,
    /// Who goes on, the highest seed of the next stage first; nobody while it is not over.
    pub going_on: Vec<EntrantId>,
}

/// How far a stage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The one before is not over.
    Waiting,
    /// There are matches to be played.
    Running,
    /// All is played.
    Over,
}

/// Where somebody stands in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Placing {
    /// Who.
    pub entrant: EntrantId,
    /// From 1; who shares one has the same.
    pub place: u32,
    /// How far it came, from 0.
    pub stage: u16,
}

/// What [`unfold`] need not find again: hand the same one in each time. It changes nothing but how
/// long that takes; a new one does.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    swiss: swiss::Remembered,
}

/// Why nothing can be unfolded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the parts are")]
pub enum UnfoldError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error("{key}: found a result without `{measure}`, which its stage counts")]
    Measure { key: MatchKey, measure: String },
}

impl Tournament {
    /// What is to be played now, in the order of rounds.
    pub fn due(&self) -> impl Iterator<Item = &Match> {
        self.matches.iter().filter(|it| it.progress == Progress::Due)
    }
}

/// Says what follows from what was played. The same arguments give the same answer, in whatever
/// order results came.
///
/// # Errors
///
/// Where plan and field do not fit, or a result lacks what its stage counts.
pub fn unfold(
    plan: &Plan,
    field: &Field,
    seed: u64,
    played: &BTreeMap<MatchKey, Played>,
    memo: &mut Memo,
) -> Result<Tournament, UnfoldError> {
    plan.check(field.entering()?)?;
    check_results(plan, played)?;
    let mut entrants = Some(present(&field.entrants, 0));
    let mut stages = Vec::new();
    let mut matches = Vec::new();
    let mut counted = BTreeSet::new();
    for (no, stage) in (0..).zip(&plan.stages) {
        let Some(seeds) = entrants.take() else {
            stages.push(StageState::waiting(stage));
            continue;
        };
        let mut arena = Arena::new(no, stage, &seeds, played);
        let mut state = play(&mut arena, seed, memo);
        matches.append(&mut arena.matches);
        counted.append(&mut arena.counted);
        if state.status == Status::Over {
            let next = go_on(&state, &seeds, no + 1, stage.go_on.unwrap_or(0));
            state.going_on = next.iter().map(|it| it.id).collect();
            entrants = Some(next);
        }
        stages.push(state);
    }
    matches.sort_unstable_by_key(|it| it.key);
    let idle_results = played.keys().filter(|it| !counted.contains(it)).copied().collect();
    let places = places(&stages);
    let is_over = stages.iter().all(|it| it.status == Status::Over);
    Ok(Tournament { stages, matches, idle_results, places, is_over })
}

fn check_results(plan: &Plan, played: &BTreeMap<MatchKey, Played>) -> Result<(), UnfoldError> {
    let measures: Vec<BTreeSet<&str>> =
        plan.stages.iter().map(|it| it.measures().collect()).collect();
    for (key, it) in played {
        let End::Result { measures: found, .. } = &it.end else { continue };
        let wanted = measures.get(usize::from(key.stage)).into_iter().flatten();
        if let Some(missing) = wanted.into_iter().find(|it| !found.contains_key(**it)) {
            let measure = (*missing).to_owned();
            return Err(UnfoldError::Measure { key: *key, measure });
        }
    }
    Ok(())
}

/// Those who are there when a stage begins.
fn present(entrants: &[Entrant], stage: u16) -> Vec<Entrant> {
    entrants.iter().filter(|it| !it.is_gone(stage, 0)).copied().collect()
}

/// Plays one stage as far as it goes.
fn play(arena: &mut Arena<'_>, seed: u64, memo: &mut Memo) -> StageState {
    let everybody: Vec<usize> = (0..arena.seeds.len()).collect();
    let seed = seed ^ u64::from(arena.stage_no) << 32;
    let mut state = StageState::waiting(arena.stage);
    state.entrants = arena.seeds.iter().map(|it| it.id).collect();
    let is_over = match arena.stage.format {
        Format::RoundRobin { turns, groups } => {
            let groups = league::snake(everybody.len(), groups as usize);
            let schedule = league::round_robin_schedule(&groups, turns);
            league(arena, &mut state, &schedule, &groups, seed)
        }
        Format::Bipartite { turns } => {
            let of = |role: u8| {
                let is_of = |it: &usize| arena.seeds[*it].role == Some(role);
                everybody.iter().copied().filter(is_of).collect::<Vec<_>>()
            };
            let roles = [of(0), of(1)];
            let schedule = league::bipartite_schedule([&roles[0], &roles[1]], turns);
            league(arena, &mut state, &schedule, &roles, seed)
        }
        Format::Swiss { rounds, bye } => {
            let outcome = swiss::play(arena, rounds, bye, seed, &mut memo.swiss);
            let byes: Vec<usize> = outcome.byes.iter().flatten().copied().collect();
            let brings = swiss::bye_points(&arena.stage.points, bye);
            let tally = Tally::new(arena, &outcome.met, &byes, brings, seed);
            state.tables = vec![tally.table(0, &everybody, outcome.is_over)];
            let id = |it: usize| arena.seeds[it].id;
            state.byes = outcome.byes.into_iter().map(|it| it.map(id)).collect();
            outcome.is_over
        }
        Format::Knockout { elimination, third_place, best_of, redraws } => {
            let series = Series { best_of, redraws };
            let outcome = bracket::play(arena, elimination, third_place, series);
            let met = std::mem::take(&mut arena.met);
            let tally = Tally::new(arena, &met, &[], 0, seed);
            state.tables = vec![tally.placed(&outcome.places, outcome.is_over)];
            state.bracket = Some(outcome.bracket);
            outcome.is_over
        }
    };
    state.status = if is_over { Status::Over } else { Status::Running };
    state
}

fn league(
    arena: &mut Arena<'_>,
    state: &mut StageState,
    schedule: &[(super::play::Spot, [usize; 2])],
    groups: &[Vec<usize>],
    seed: u64,
) -> bool {
    let (met, is_over) = league::play(arena, schedule);
    let tally = Tally::new(arena, &met, &[], 0, seed);
    let table = |(group, members): (u16, &Vec<usize>)| tally.table(group, members, is_over);
    state.tables = (0..).zip(groups).map(table).collect();
    is_over
}

/// The best of each table who are there when the next stage begins: all firsts, then all seconds.
fn go_on(state: &StageState, seeds: &[Entrant], next: u16, top: u32) -> Vec<Entrant> {
    let by_id: BTreeMap<EntrantId, &Entrant> = seeds.iter().map(|it| (it.id, it)).collect();
    let of_table = |table: &Table| -> Vec<Entrant> {
        let rows = table.rows.iter().filter_map(|it| by_id.get(&it.entrant));
        rows.filter(|it| !it.is_gone(next, 0)).take(top as usize).map(|it| **it).collect()
    };
    let tables: Vec<Vec<Entrant>> = state.tables.iter().map(of_table).collect();
    let ranks = tables.iter().map(Vec::len).max().unwrap_or(0);
    let of_rank = |rank: usize| tables.iter().filter_map(move |it| it.get(rank).copied());
    (0..ranks).flat_map(of_rank).collect()
}

/// Those of the last stage first, then who came as far as the one before it, and so on. Who is in
/// a stage that is not over has no place yet.
fn places(stages: &[StageState]) -> Vec<Placing> {
    let mut places = Vec::new();
    let mut settled: BTreeSet<EntrantId> = BTreeSet::new();
    for (stage, state) in stages.iter().enumerate().rev() {
        if state.status == Status::Over {
            let before = settled.len() as u32;
            let rows = state.tables.iter().flat_map(|it| &it.rows);
            let mut rows: Vec<_> = rows.filter(|it| !settled.contains(&it.entrant)).collect();
            rows.sort_by_key(|it| it.place);
            let better = |place: u32| rows.partition_point(|it| it.place < place) as u32;
            let placing = |row: &&super::Row| {
                let place = before + better(row.place) + 1;
                Placing { entrant: row.entrant, place, stage: stage as u16 }
            };
            places.extend(rows.iter().map(placing));
        }
        settled.extend(&state.entrants);
    }
    places
}

impl StageState {
    fn waiting(stage: &Stage) -> StageState {
        StageState {
            name: stage.name.clone(),
            status: Status::Waiting,
            entrants: Vec::new(),
            tables: Vec::new(),
            bracket: None,
            byes: Vec::new(),
            going_on: Vec::new(),
        }
    }
}
