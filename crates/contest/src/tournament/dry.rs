//! A tournament that nobody plays: how many matches there will be, and how long they may take.

use std::{cmp::Reverse, collections::BinaryHeap, time::Duration};

use serde::Serialize;

use super::{Entering, Format, Plan, PlanError, Stage, bracket, league};
use crate::chance::Chance;

/// Most durations of former matches; of more, hand in the latest.
pub const PAST_MAX: usize = 100_000;
/// Most matches that run at once.
pub const SLOTS_MAX: u32 = 10_000;
/// How often the tournament is tried with other durations.
const TRIALS: usize = 100;
/// Of more matches that wait for each other in no way, so many are tried and the rest follows.
const TRIED_MAX: u64 = 2_000;

/// How a tournament will go.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Schedule {
    /// As in the plan.
    pub stages: Vec<StageSchedule>,
    /// Fewest and most matches.
    pub matches: [u64; 2],
    /// From the first match to the last.
    pub lasts: Span,
}

/// How a stage will go.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageSchedule {
    /// As in the plan.
    pub name: String,
    /// How many take part.
    pub entrants: u32,
    /// From the first on.
    pub rounds: Vec<RoundSchedule>,
    /// Fewest and most matches.
    pub matches: [u64; 2],
    /// From its first match to its last.
    pub lasts: Span,
}

/// How a round will go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RoundSchedule {
    /// From 0, as in [`MatchKey`](super::MatchKey).
    pub round: u16,
    /// Fewest and most matches: ties end early, or are drawn.
    pub matches: [u64; 2],
    /// It begins when the one before is over; else it is played as there is room.
    pub waits: bool,
}

/// How long something takes, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Span {
    /// 9 of 10 times it takes longer.
    pub low_s: f64,
    /// Half the times.
    pub expected_s: f64,
    /// 1 of 10 times.
    pub high_s: f64,
}

/// Why nothing can be said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the parts are")]
pub enum DryError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error("durations of former matches: found {found}, allowed are 1 to {PAST_MAX}")]
    Past { found: usize },
    #[error("matches at once: found {found}, allowed are 1 to {SLOTS_MAX}")]
    Slots { found: u32 },
}

/// How a tournament of so many will go where matches take as long as those before and so many run
/// at once. The same seed gives the same answer.
///
/// # Errors
///
/// Where plan and entrants do not fit, and where there is nothing to go by.
pub fn dry_run(
    plan: &Plan,
    entering: Entering,
    past: &[Duration],
    slots: u32,
    seed: u64,
) -> Result<Schedule, DryError> {
    plan.check(entering)?;
    if !(1..=PAST_MAX).contains(&past.len()) {
        return Err(DryError::Past { found: past.len() });
    }
    if !(1..=SLOTS_MAX).contains(&slots) {
        return Err(DryError::Slots { found: slots });
    }
    let mut entering = entering;
    let mut counted = Vec::new();
    for stage in &plan.stages {
        counted.push((stage, entering, rounds(stage, entering)));
        entering = next(stage, entering);
    }
    let mut dice = Dice { past, slots, chance: Chance::new(seed) };
    let mut trials = vec![Vec::with_capacity(TRIALS); counted.len()];
    let mut whole = Vec::with_capacity(TRIALS);
    for _ in 0..TRIALS {
        let mut sum_s = 0.0;
        for ((_, _, rounds), trials) in counted.iter().zip(&mut trials) {
            let lasts_s = dice.stage_s(rounds);
            trials.push(lasts_s);
            sum_s += lasts_s;
        }
        whole.push(sum_s);
    }
    let stage = |((stage, entering, rounds), trials): ((&Stage, Entering, Vec<_>), Vec<f64>)| {
        let entrants = match entering {
            Entering::Any(n) => n,
            Entering::Roles(n) => n[0] + n[1],
        };
        let matches = sum(rounds.iter().map(|it: &RoundSchedule| it.matches));
        let name = stage.name.clone();
        StageSchedule { name, entrants, rounds, matches, lasts: span(trials) }
    };
    let stages: Vec<StageSchedule> = counted.into_iter().zip(trials).map(stage).collect();
    let matches = sum(stages.iter().map(|it| it.matches));
    Ok(Schedule { stages, matches, lasts: span(whole) })
}

fn rounds(stage: &Stage, entering: Entering) -> Vec<RoundSchedule> {
    let games = u64::from(stage.meeting.games);
    let n = match entering {
        Entering::Any(n) => n as usize,
        Entering::Roles(n) => (n[0] + n[1]) as usize,
    };
    let by_schedule = |schedule: Vec<(super::play::Spot, [usize; 2])>| {
        let mut rounds: Vec<RoundSchedule> = Vec::new();
        for (spot, _) in schedule {
            let at = usize::from(spot.round);
            while rounds.len() <= at {
                let round = rounds.len() as u16;
                rounds.push(RoundSchedule { round, matches: [0; 2], waits: false });
            }
            rounds[at].matches = rounds[at].matches.map(|it| it + games);
        }
        rounds
    };
    match stage.format {
        Format::RoundRobin { turns, groups } => {
            let groups = league::snake(n, groups as usize);
            by_schedule(league::round_robin_schedule(&groups, turns))
        }
        Format::Bipartite { turns } => {
            let [first, second] = match entering {
                Entering::Roles(n) => n.map(|it| it as usize),
                Entering::Any(_) => [0; 2],
            };
            let all: Vec<usize> = (0..first + second).collect();
            let (first, second) = all.split_at(first);
            by_schedule(league::bipartite_schedule([first, second], turns))
        }
        Format::Swiss { rounds, .. } => {
            let matches = [n as u64 / 2 * games; 2];
            let round = |round| RoundSchedule { round, matches, waits: true };
            (0..rounds as u16).map(round).collect()
        }
        Format::Knockout { elimination, third_place, best_of, redraws } => {
            let fewest = u64::from(best_of / 2 + 1) * games;
            let most = u64::from(best_of + redraws) * games;
            let round = |(round, [certain, possible]): (u16, [u64; 2])| RoundSchedule {
                round,
                matches: [certain * fewest, possible * most],
                waits: true,
            };
            bracket::ties_per_round(n, elimination, third_place).into_iter().map(round).collect()
        }
    }
}

fn next(stage: &Stage, entering: Entering) -> Entering {
    let top = stage.go_on.unwrap_or(0);
    match (&stage.format, entering) {
        (_, Entering::Roles(_)) => Entering::Roles([top; 2]),
        (Format::RoundRobin { groups, .. }, _) => Entering::Any(top * groups),
        (_, Entering::Any(_)) => Entering::Any(top),
    }
}

/// Draws durations from those of former matches.
struct Dice<'a> {
    past: &'a [Duration],
    slots: u32,
    chance: Chance,
}

impl Dice<'_> {
    fn stage_s(&mut self, rounds: &[RoundSchedule]) -> f64 {
        let mut at_once = 0;
        let mut lasts_s = 0.0;
        for it in rounds {
            let [fewest, most] = it.matches;
            // Rather few: ties are seldom drawn, and often won early.
            let more = ((most - fewest) as f64 * self.chance.part() * self.chance.part()) as u64;
            match it.waits {
                true => lasts_s += self.batch_s(fewest + more),
                false => at_once += fewest + more,
            }
        }
        lasts_s + self.batch_s(at_once)
    }

    /// How long so many take that wait only for a free slot.
    fn batch_s(&mut self, n_matches: u64) -> f64 {
        let n_tried = n_matches.min(TRIED_MAX.max(u64::from(self.slots) * 4));
        let mut free_at: BinaryHeap<Reverse<Duration>> = BinaryHeap::new();
        let mut last = Duration::ZERO;
        for _ in 0..n_tried {
            let begins = match free_at.len() < self.slots as usize {
                true => Duration::ZERO,
                false => free_at.pop().map_or(Duration::ZERO, |it| it.0),
            };
            let which = (self.chance.part() * self.past.len() as f64) as usize;
            let ends = begins + self.past[which.min(self.past.len() - 1)];
            last = last.max(ends);
            free_at.push(Reverse(ends));
        }
        match n_tried {
            0 => 0.0,
            _ => last.as_secs_f64() * (n_matches as f64 / n_tried as f64),
        }
    }
}

fn span(mut trials_s: Vec<f64>) -> Span {
    trials_s.sort_by(f64::total_cmp);
    let at = |part: usize| trials_s[(trials_s.len() - 1) * part / 10];
    Span { low_s: at(1), expected_s: at(5), high_s: at(9) }
}

fn sum(all: impl Iterator<Item = [u64; 2]>) -> [u64; 2] {
    all.fold([0; 2], |sum, it| [sum[0] + it[0], sum[1] + it[1]])
}
