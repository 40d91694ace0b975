//! What matches come to: a table for each role, who stands where in the end, and how each behaved.

use contest::{Encounter, Row, standings};
use game::{Better, Fraction, Outcome, Seat};
use referee::AnyGame;
use serde_json::Value as Json;

use super::{Contest, boards::Met};
use crate::play::has_fault;

/// All that was played.
pub(in crate::play) struct Done {
    pub(super) contest: Contest,
    pub(super) stages: Vec<Stage>,
    pub(super) n_boards: usize,
    pub(super) jail: bool,
}

/// All who were in it met each other, or those of the other role.
pub(super) struct Stage {
    pub(super) name: &'static str,
    pub(super) setup: Json,
    pub(super) met: Vec<Met>,
    /// One for each role.
    pub(super) tables: Vec<Table>,
}

/// Those of one role.
pub(super) struct Table {
    pub(super) role: Option<&'static str>,
    pub(super) lines: Vec<Line>,
}

/// One bot in a table.
pub(super) struct Line {
    pub(super) row: Row,
    /// Sums of what the game counts.
    pub(super) measures: Vec<Fraction>,
}

/// Where a bot stands when all is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) rank: usize,
    pub(super) bot: usize,
}

/// What a bot did that it should not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Conduct {
    pub(super) faults: u32,
    /// Matches with a fault of its own.
    pub(super) matches: u32,
    pub(super) first: Option<FirstFault>,
    pub(super) warnings: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FirstFault {
    pub(super) against: usize,
    pub(super) ply: u32,
    pub(super) why: String,
    /// Its last words.
    pub(super) stderr: String,
}

impl Done {
    pub(in crate::play) fn has_fault(&self) -> bool {
        self.stages.iter().flat_map(|it| &it.met).any(|it| has_fault(&it.seats))
    }

    /// The end of each role: who was in the last stage by that, and the others by the one before.
    pub(super) fn ranking(&self) -> Vec<(Option<&'static str>, Vec<Placed>)> {
        let n_roles = self.stages.first().map_or(0, |it| it.tables.len());
        let of_role = |role: usize| {
            let mut placed: Vec<Placed> = Vec::new();
            for stage in self.stages.iter().rev() {
                for Line { row, .. } in &stage.tables[role].lines {
                    if placed.iter().all(|it| it.bot != row.entrant) {
                        placed.push(Placed { rank: row.rank, bot: row.entrant });
                    }
                }
            }
            (self.stages[0].tables[role].role, placed)
        };
        (0..n_roles).map(of_role).collect()
    }

    pub(super) fn conduct(&self, bot: usize) -> Conduct {
        let mut conduct = Conduct::default();
        for met in self.stages.iter().flat_map(|it| &it.met) {
            for (seat, report) in met.seats.iter() {
                if met.bots[usize::from(seat.0)] != bot {
                    continue;
                }
                conduct.warnings += report.warnings;
                conduct.faults += report.faults;
                let Some((ply, fault)) = &report.fault else { continue };
                conduct.matches += 1;
                conduct.first.get_or_insert_with(|| FirstFault {
                    against: met.bots[1 - usize::from(seat.0)],
                    ply: *ply,
                    why: fault.to_string(),
                    stderr: report.stderr.clone(),
                });
            }
        }
        conduct
    }
}

impl Stage {
    pub(super) fn new(
        contest: &Contest,
        name: &'static str,
        setup: &Json,
        groups: &[Vec<usize>],
        met: Vec<Met>,
    ) -> Stage {
        let encounters: Vec<_> = met.iter().map(|it| encounter(contest.game, it)).collect();
        let n_measures = contest.game.measures().len();
        let measures = |bot: usize| {
            let mut sums = vec![Fraction::ZERO; n_measures];
            for met in met.iter() {
                let Some(own) = met.bots.iter().position(|it| *it == bot) else { continue };
                for (sum, values) in sums.iter_mut().zip(&met.outcome.measures) {
                    *sum = *sum + values[Seat(own as u8)];
                }
            }
            sums
        };
        let line = |row: Row| Line { measures: measures(row.entrant), row };
        let table = |(role, group): (usize, &Vec<usize>)| {
            let rows = standings(group, &encounters);
            Table { role: contest.role(role), lines: rows.into_iter().map(line).collect() }
        };
        let tables = groups.iter().enumerate().map(table).collect();
        Stage { name, setup: setup.clone(), tables, met }
    }
}

impl Table {
    /// The first so many, and whoever shares the rank of the last of them.
    pub(super) fn best(&self, n_best: usize) -> Vec<usize> {
        let best = self.lines.iter().filter(|it| it.row.rank <= n_best);
        best.map(|it| it.row.entrant).collect()
    }
}

/// A match is worth two points, shared as the game shares its score; what counts among those with
/// equal points is the first thing that the game counts.
fn encounter(game: &dyn AnyGame, met: &Met) -> Encounter {
    let Outcome { score, measures, .. } = &met.outcome;
    let points = [0, 1].map(|it| score[Seat(it)] + score[Seat(it)]);
    let margin = match (game.measures().first(), measures.first()) {
        (Some(measure), Some(of)) => match measure.better {
            Better::More => less(of[Seat(0)], of[Seat(1)]),
            Better::Less => less(of[Seat(1)], of[Seat(0)]),
        },
        (None, _) | (_, None) => Fraction::ZERO,
    };
    Encounter { entrants: met.bots, points, margin }
}

fn less(one: Fraction, other: Fraction) -> Fraction {
    one + Fraction::new(-other.num(), other.den())
}
