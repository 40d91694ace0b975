//! The table of a group: points, and what tells apart who has as many.

use std::collections::{BTreeMap, BTreeSet};

use game::Fraction;
use serde::Serialize;

use super::{
    Amount, Better, EntrantId, Points, TieBreak,
    amount::Sum,
    play::{Arena, Met, Verdict},
};
use crate::chance::Chance;

/// How many of the tied a row names, and up to how many it lists the matches between them.
pub const TIED_NAMED_MAX: usize = 16;

/// The standings of one group, or of one role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Which group or role, from 0.
    pub group: u16,
    /// The best first; who shares a place by seed.
    pub rows: Vec<Row>,
    /// Nothing in it can change any more but by a decision.
    pub is_final: bool,
}

/// One line of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Whose.
    pub entrant: EntrantId,
    /// From 1; who shares one has the same, and the next are left out.
    pub place: u32,
    /// In all, byes and walkovers included.
    pub points: Amount,
    /// Matches that are over, walkovers included.
    pub played: u32,
    /// Of them won.
    pub won: u32,
    /// Drawn.
    pub drawn: u32,
    /// Lost.
    pub lost: u32,
    /// Rounds sat out.
    pub byes: u32,
    /// It was disqualified, and stands last for that.
    pub is_out: bool,
    /// Each tie-break that was asked, in order; none where nobody has as many points.
    pub ties: Vec<Broken>,
}

/// What one tie-break said of one of the tied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// Which.
    pub by: TieBreak,
    /// What it came to.
    pub value: Amount,
    /// Who was equal until then, by seed, up to [`TIED_NAMED_MAX`] of them.
    pub with: Vec<EntrantId>,
    /// How many were.
    pub n_with: u32,
    /// Nobody of them has the same value.
    pub decides: bool,
    /// The matches between the tied, where these are asked and not too many.
    pub met: Vec<Against>,
}

/// A match between the tied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Against {
    /// The other.
    pub other: EntrantId,
    /// Own points, and the other's.
    pub points: [Amount; 2],
    /// What the game counted of each, where the table asks for it; none in a walkover.
    pub score: Option<[Amount; 2]>,
}

/// What one has by all its matches.
#[derive(Clone, Debug, Default)]
struct Line {
    sum: Sum,
    points: Option<Amount>,
    played: u32,
    won: u32,
    drawn: u32,
    lost: u32,
    byes: u32,
    /// Rounds in which it met nobody, or somebody who was not there.
    unplayed: u32,
    opponents: Vec<(usize, Verdict)>,
}

/// All that a table is made of.
pub(super) struct Tally<'t, 'a> {
    arena: &'t Arena<'a>,
    met: &'t [Met<'a>],
    /// By entrant: which of `met`.
    of: Vec<Vec<u32>>,
    lines: Vec<Line>,
    /// By entrant: the how-manieth lot it drew, from 1.
    lots: Vec<u32>,
}

impl<'t, 'a> Tally<'t, 'a> {
    /// `byes` has who sat out, once for each time, and what it brings is `bye_points`.
    pub(super) fn new(
        arena: &'t Arena<'a>,
        met: &'t [Met<'a>],
        byes: &[usize],
        bye_points: u32,
        seed: u64,
    ) -> Tally<'t, 'a> {
        let n = arena.seeds.len();
        let mut lines = vec![Line::default(); n];
        let mut of = vec![Vec::new(); n];
        for (no, it) in (0..).zip(met) {
            for own in 0..2 {
                let line = &mut lines[it.pair[own]];
                of[it.pair[own]].push(no);
                line.sum.add(it.points[own]);
                line.played += 1;
                match it.verdicts[own] {
                    Verdict::Won => line.won += 1,
                    Verdict::Drawn => line.drawn += 1,
                    Verdict::Lost => line.lost += 1,
                }
                match it.is_played() {
                    true => line.opponents.push((it.pair[1 - own], it.verdicts[own])),
                    false => line.unplayed += 1,
                }
            }
        }
        for &it in byes {
            lines[it].byes += 1;
            lines[it].unplayed += 1;
            lines[it].sum.add(Fraction::from(i64::from(bye_points)));
        }
        for line in &mut lines {
            line.points = Some(line.sum.total());
        }
        // By who it is, not by its seed: a lot does not change when somebody else leaves.
        let lot = |id: EntrantId| Chance::new(seed ^ id.0.wrapping_mul(0x9e37_79b9)).next();
        let mut drawn: Vec<(u64, usize)> = (0..n).map(|it| (lot(arena.seeds[it].id), it)).collect();
        drawn.sort_unstable();
        let mut lots = vec![0; n];
        for (no, (_, it)) in (1..).zip(drawn) {
            lots[it] = no;
        }
        Tally { arena, met, of, lines, lots }
    }

    pub(super) fn points(&self, entrant: usize) -> Amount {
        self.lines[entrant].points.clone().unwrap_or_else(Amount::zero)
    }

    /// The table of some of them, the others counting as opponents.
    pub(super) fn table(&self, group: u16, members: &[usize], is_final: bool) -> Table {
        let mut by_points: BTreeMap<(bool, Amount), Vec<usize>> = BTreeMap::new();
        for &it in members {
            by_points.entry((!self.is_out(it), self.points(it))).or_default().push(it);
        }
        let mut rows = Vec::with_capacity(members.len());
        let mut ties = vec![Vec::new(); self.lines.len()];
        for (_, mut tied) in by_points.into_iter().rev() {
            tied.sort_unstable();
            for shared in self.settle(tied, &mut ties) {
                let place = rows.len() as u32 + 1;
                for it in shared {
                    rows.push(self.row(it, place, std::mem::take(&mut ties[it])));
                }
            }
        }
        Table { group, rows, is_final }
    }

    /// The table of those whose places come from elsewhere, as from a bracket, in this order.
    pub(super) fn placed(&self, places: &[(usize, u32)], is_final: bool) -> Table {
        let rows = places.iter().map(|it| self.row(it.0, it.1, Vec::new())).collect();
        Table { group: 0, rows, is_final }
    }

    fn row(&self, entrant: usize, place: u32, ties: Vec<Broken>) -> Row {
        let Line { played, won, drawn, lost, byes, .. } = self.lines[entrant];
        Row {
            entrant: self.arena.seeds[entrant].id,
            place,
            points: self.points(entrant),
            played,
            won,
            drawn,
            lost,
            byes,
            is_out: self.is_out(entrant),
            ties,
        }
    }

    fn is_out(&self, entrant: usize) -> bool {
        self.arena.seeds[entrant].is_disqualified(self.arena.stage_no, u16::MAX)
    }

    /// Those with equal points, the best first; who is equal to the end is together.
    fn settle(&self, tied: Vec<usize>, ties: &mut [Vec<Broken>]) -> Vec<Vec<usize>> {
        let mut classes = vec![tied];
        // Whom matches between the tied are counted among: the same for neighbouring tie-breaks.
        let mut among: Vec<Vec<usize>> = classes.clone();
        let mut was_among_tied = false;
        for by in &self.arena.stage.tie_breaks {
            if !(by.is_among_tied() && was_among_tied) {
                among = classes.clone();
            }
            was_among_tied = by.is_among_tied();
            let mut next = Vec::with_capacity(classes.len());
            for class in classes {
                if class.len() < 2 {
                    next.push(class);
                    continue;
                }
                let within = among.iter().find(|it| it.contains(&class[0])).unwrap_or(&class);
                next.extend(self.split(by, &class, within, ties));
            }
            classes = next;
        }
        classes
    }

    fn split(
        &self,
        by: &TieBreak,
        class: &[usize],
        within: &[usize],
        ties: &mut [Vec<Broken>],
    ) -> Vec<Vec<usize>> {
        let within: BTreeSet<usize> = within.iter().copied().collect();
        let less_is_better = matches!(by, TieBreak::Measure { better: Better::Less, .. })
            || matches!(by, TieBreak::Seed | TieBreak::Lot);
        let mut by_value: BTreeMap<Amount, Vec<usize>> = BTreeMap::new();
        for &it in class {
            by_value.entry(self.value(by, it, &within)).or_default().push(it);
        }
        for (value, equal) in &by_value {
            for &it in equal {
                let others = class.iter().filter(|other| **other != it).take(TIED_NAMED_MAX);
                let lists_met = by.is_among_tied() && within.len() <= TIED_NAMED_MAX;
                ties[it].push(Broken {
                    by: by.clone(),
                    value: value.clone(),
                    with: others.map(|it| self.arena.seeds[*it].id).collect(),
                    n_with: class.len() as u32 - 1,
                    decides: equal.len() == 1,
                    met: if lists_met { self.against(it, &within) } else { Vec::new() },
                });
            }
        }
        match less_is_better {
            true => by_value.into_values().collect(),
            false => by_value.into_values().rev().collect(),
        }
    }

    fn value(&self, by: &TieBreak, entrant: usize, within: &BTreeSet<usize>) -> Amount {
        let line = &self.lines[entrant];
        let sum = |add: &dyn Fn(&mut Sum, &Met<'_>, usize)| {
            let mut sum = Sum::default();
            for (it, own) in self.matches(entrant) {
                add(&mut sum, it, own);
            }
            sum.total()
        };
        let is_among = |it: &Met<'_>, own: usize| within.contains(&it.pair[1 - own]);
        let add_margin = |sum: &mut Sum, it: &Met<'_>, own: usize, measure: &str| {
            let both = it.measure(measure);
            sum.add(both[own]);
            sum.subtract(both[1 - own]);
        };
        match by {
            TieBreak::Met => sum(&|sum, it, own| {
                if is_among(it, own) {
                    sum.add(it.points[own]);
                }
            }),
            TieBreak::MetMargin { measure } => sum(&|sum, it, own| {
                if is_among(it, own) {
                    add_margin(sum, it, own, measure);
                }
            }),
            TieBreak::Margin { measure } => sum(&|sum, it, own| add_margin(sum, it, own, measure)),
            TieBreak::Measure { measure, .. } => {
                sum(&|sum, it, own| sum.add(it.measure(measure)[own]))
            }
            TieBreak::Wins => Amount::from(line.won),
            TieBreak::Buchholz => {
                let own = self.points(entrant).times(Fraction::from(i64::from(line.unplayed)));
                line.opponents.iter().fold(own, |mut sum, it| {
                    sum.add(&self.points(it.0));
                    sum
                })
            }
            TieBreak::SonnebornBerger => {
                line.opponents.iter().fold(Amount::zero(), |mut sum, (other, verdict)| {
                    match verdict {
                        Verdict::Won => sum.add(&self.points(*other)),
                        Verdict::Drawn => sum.add(&self.points(*other).half()),
                        Verdict::Lost => {}
                    }
                    sum
                })
            }
            TieBreak::Seed => Amount::from(entrant as u32 + 1),
            TieBreak::Lot => Amount::from(self.lots[entrant]),
        }
    }

    fn matches(&self, entrant: usize) -> impl Iterator<Item = (&'t Met<'a>, usize)> {
        let met = self.met;
        let own = move |it: &'t Met<'a>| (it, usize::from(it.pair[1] == entrant));
        self.of[entrant].iter().map(move |it| own(&met[*it as usize]))
    }

    fn against(&self, entrant: usize, within: &BTreeSet<usize>) -> Vec<Against> {
        let stage = self.arena.stage;
        let shown = match &stage.points {
            Points::Measure { .. } => None,
            Points::Outcome { .. } => stage.measures().next(),
        };
        let among = |it: &(&Met<'_>, usize)| within.contains(&it.0.pair[1 - it.1]);
        let against = |(it, own): (&Met<'_>, usize)| {
            let turned = |both: [Fraction; 2]| [both[own], both[1 - own]].map(Amount::from);
            Against {
                other: self.arena.seeds[it.pair[1 - own]].id,
                points: turned(it.points),
                score: shown.filter(|_| it.is_played()).map(|name| turned(it.measure(name))),
            }
        };
        self.matches(entrant).filter(among).map(against).collect()
    }
}
