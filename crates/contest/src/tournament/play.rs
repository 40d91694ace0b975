//! The matches of one stage: which there are, and what those that were played brought.
//!
//! Entrants are numbers here, from 0 in the order of the stage's seeds.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use game::Fraction;

use super::{End, Entrant, Match, MatchKey, Played, Points, Progress, Seats, Stage};

/// Where the matches of a stage are collected as a format asks for them.
pub(super) struct Arena<'a> {
    pub(super) stage_no: u16,
    pub(super) stage: &'a Stage,
    pub(super) seeds: &'a [Entrant],
    pub(super) played: &'a BTreeMap<MatchKey, Played>,
    pub(super) matches: Vec<Match>,
    /// Matches of ties that are over.
    pub(super) met: Vec<Met<'a>>,
    /// Results that counted.
    pub(super) counted: BTreeSet<MatchKey>,
}

/// Where in a stage two meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) round: u16,
    pub(super) pairing: u32,
    pub(super) group: u16,
}

/// A match that is over.
#[derive(Clone, Debug)]
pub(super) struct Met<'a> {
    /// Who sat where.
    pub(super) pair: [usize; 2],
    pub(super) verdicts: [Verdict; 2],
    pub(super) points: [Fraction; 2],
    /// What the game counted; none where nothing was played.
    measures: Option<&'a BTreeMap<String, [Fraction; 2]>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Won,
    Drawn,
    Lost,
}

/// How far two are who meet until one goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TieScore {
    /// Meetings won.
    pub(super) won: [u32; 2],
    /// 0 or 1, where it is decided.
    pub(super) winner: Option<usize>,
    /// It came out even to the end.
    pub(super) by_seed: bool,
}

/// How long two meet until one goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    pub(super) best_of: u32,
    pub(super) redraws: u32,
}

impl Met<'_> {
    pub(super) fn is_played(&self) -> bool {
        self.measures.is_some()
    }

    /// What the game counted of each; nothing in a walkover.
    pub(super) fn measure(&self, name: &str) -> [Fraction; 2] {
        // That a result has what its stage asks for was checked before.
        let found = self.measures.and_then(|it| it.get(name));
        found.copied().unwrap_or([Fraction::ZERO; 2])
    }
}

impl<'a> Arena<'a> {
    pub(super) fn new(
        stage_no: u16,
        stage: &'a Stage,
        seeds: &'a [Entrant],
        played: &'a BTreeMap<MatchKey, Played>,
    ) -> Arena<'a> {
        let (matches, met, counted) = Default::default();
        Arena { stage_no, stage, seeds, played, matches, met, counted }
    }

    pub(super) fn is_gone(&self, entrant: usize, round: u16) -> bool {
        self.seeds[entrant].is_gone(self.stage_no, round)
    }

    /// One meeting of two, the first of whom has the first seat at first: its matches that are
    /// over, and whether these are all.
    pub(super) fn meet(&mut self, spot: Spot, pair: [usize; 2]) -> (Vec<Met<'a>>, bool) {
        let first_setup = u32::from(spot.round) * self.setups_of(1);
        self.meeting(spot, pair, 0, 0, first_setup)
    }

    /// Two meet until one goes on, the higher seed first in `pair`.
    pub(super) fn tie(&mut self, spot: Spot, pair: [usize; 2], series: Series) -> TieScore {
        let Series { best_of, redraws } = series;
        let per_meeting = self.setups_of(1);
        let first_setup = u32::from(spot.round) * per_meeting * (best_of + redraws);
        let setup = |meeting: u32| first_setup + meeting * per_meeting;
        let needed = best_of / 2 + 1;
        let mut score = TieScore::default();
        let mut all_over = true;
        for meeting in 0..best_of {
            let lead = score.won[0].abs_diff(score.won[1]);
            // Those that are needed in any case are played at once.
            if lead > best_of - meeting || (meeting >= needed && !all_over) {
                break;
            }
            let (met, is_over) = self.meeting(spot, pair, meeting, 0, setup(meeting));
            all_over &= is_over;
            if is_over && let Some(winner) = better(&met, pair[0]) {
                score.won[winner] += 1;
            }
            self.met.extend(met);
        }
        if !all_over {
            return score;
        }
        score.winner = match score.won[0].cmp(&score.won[1]) {
            Ordering::Greater => Some(0),
            Ordering::Less => Some(1),
            Ordering::Equal => None,
        };
        for redraw in 1..=redraws {
            if score.winner.is_some() {
                return score;
            }
            let no = best_of + redraw - 1;
            let (met, is_over) = self.meeting(spot, pair, no, redraw as u16, setup(no));
            score.winner = if is_over { better(&met, pair[0]) } else { None };
            self.met.extend(met);
            if !is_over {
                return score;
            }
        }
        score.by_seed = score.winner.is_none();
        score.winner.get_or_insert(0);
        score
    }

    /// How many set-ups so many meetings need.
    fn setups_of(&self, meetings: u32) -> u32 {
        let games = self.stage.meeting.games;
        meetings
            * match self.stage.meeting.seats {
                Seats::Swapped => games.div_ceil(2),
                Seats::Kept => games,
            }
    }

    fn meeting(
        &mut self,
        spot: Spot,
        pair: [usize; 2],
        meeting: u32,
        redraw: u16,
        first_setup: u32,
    ) -> (Vec<Met<'a>>, bool) {
        let games = self.stage.meeting.games;
        let is_swapped = self.stage.meeting.seats == Seats::Swapped;
        let mut met = Vec::with_capacity(games as usize);
        for it in 0..games {
            let no = meeting * games + it;
            let seated = if is_swapped && no % 2 == 1 { [pair[1], pair[0]] } else { pair };
            let game = if redraw == 0 { no } else { it } as u16;
            let Spot { round, pairing, group } = spot;
            let key = MatchKey { stage: self.stage_no, round, pairing, game, redraw };
            let setup_no = first_setup + if is_swapped { it / 2 } else { it };
            let (progress, found) = self.look(&key, seated);
            let seats = seated.map(|it| self.seeds[it].id);
            self.matches.push(Match { key, group, seats, setup_no, progress });
            met.extend(found);
        }
        let is_over = met.len() == games as usize;
        (met, is_over)
    }

    fn look(&mut self, key: &MatchKey, pair: [usize; 2]) -> (Progress, Option<Met<'a>>) {
        let entrants = pair.map(|it| &self.seeds[it]);
        let gone = entrants.map(|it| it.is_gone(key.stage, key.round));
        let is_barred = entrants.iter().any(|it| it.is_disqualified(key.stage, key.round));
        let played = self.played.get(key);
        let played = played.filter(|it| it.seats == entrants.map(|it| it.id) && !is_barred);
        match played.map(|it| &it.end) {
            Some(End::Result { places, measures }) => {
                self.counted.insert(*key);
                let verdict = |own: usize| match places[own].cmp(&places[1 - own]) {
                    Ordering::Less => Verdict::Won,
                    Ordering::Equal => Verdict::Drawn,
                    Ordering::Greater => Verdict::Lost,
                };
                let verdicts = [verdict(0), verdict(1)];
                let met = self.met(pair, verdicts, Some(measures));
                (Progress::Played, Some(met))
            }
            Some(End::Forfeit { lost }) => {
                self.counted.insert(*key);
                (Progress::Forfeit, Some(self.walkover(pair, *lost)))
            }
            Some(End::Void) | None if gone == [false; 2] => (Progress::Due, None),
            Some(End::Void) | None => (Progress::Forfeit, Some(self.walkover(pair, gone))),
        }
    }

    fn walkover(&self, pair: [usize; 2], lost: [bool; 2]) -> Met<'a> {
        let verdicts = match lost {
            [false, false] => [Verdict::Drawn; 2],
            lost => lost.map(|it| if it { Verdict::Lost } else { Verdict::Won }),
        };
        self.met(pair, verdicts, None)
    }

    fn met(
        &self,
        pair: [usize; 2],
        verdicts: [Verdict; 2],
        measures: Option<&'a BTreeMap<String, [Fraction; 2]>>,
    ) -> Met<'a> {
        let whole = |it: u32| Fraction::from(i64::from(it));
        let points = match (&self.stage.points, measures) {
            (Points::Outcome { win, draw, loss }, _) => verdicts.map(|it| match it {
                Verdict::Won => whole(*win),
                Verdict::Drawn => whole(*draw),
                Verdict::Lost => whole(*loss),
            }),
            (Points::Measure { measure, .. }, Some(measures)) => {
                measures.get(measure).copied().unwrap_or([Fraction::ZERO; 2])
            }
            (Points::Measure { whole, .. }, None) => verdicts.map(|it| match it {
                Verdict::Won => Fraction::from(i64::from(*whole)),
                Verdict::Drawn => Fraction::new(i64::from(*whole), 2),
                Verdict::Lost => Fraction::ZERO,
            }),
        };
        Met { pair, verdicts, points, measures }
    }
}

/// Who of the two has more points in these matches: 0 where it is `first`.
fn better(met: &[Met<'_>], first: usize) -> Option<usize> {
    let mut sums = [super::amount::Sum::default(), super::amount::Sum::default()];
    for it in met {
        for (who, points) in it.pair.iter().zip(it.points) {
            sums[usize::from(*who != first)].add(points);
        }
    }
    match sums[0].total().cmp(&sums[1].total()) {
        Ordering::Greater => Some(0),
        Ordering::Less => Some(1),
        Ordering::Equal => None,
    }
}
