//! Knock-out: a tree of ties, for any number of entrants. Where nobody is on one side of a tie,
//! who is on the other goes on.

use serde::Serialize;

use super::{
    Elimination, EntrantId, MatchKey,
    play::{Arena, Series, Spot},
};

/// The ties of a stage: the winners' part first, each part in the order of rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bracket {
    /// All of them, those with nobody on one side or both included.
    pub knots: Vec<Knot>,
}

/// One tie of a bracket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Knot {
    /// Its first match: the others have the same stage, round and pairing.
    pub key: MatchKey,
    /// Where in the bracket.
    pub part: Part,
    /// Round of its part, from 1.
    pub round: u16,
    /// Who meets, the higher seed first; none: not known yet, or nobody.
    pub sides: [Option<EntrantId>; 2],
    /// Nobody is on one side, or both: nothing is played.
    pub is_bye: bool,
    /// Meetings won.
    pub won: [u32; 2],
    /// Who goes on.
    pub winner: Option<EntrantId>,
    /// It was drawn to the end, and the higher seed went on.
    pub by_seed: bool,
}

/// A part of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Who has not lost yet; its last tie is the final where one loss is the end.
    Winners,
    /// Who has lost once.
    Losers,
    /// Best of the winners against best of the losers.
    Final,
    /// Once more, where the best of the losers won the final: now both have lost once.
    Decider,
    /// The losers of the semi-finals.
    ThirdPlace,
}

/// Who comes to one side of a tie.
#[derive(Clone, Copy, Debug)]
enum Source {
    Seed(usize),
    WinnerOf(usize),
    LoserOf(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Unknown,
    Nobody,
    Is(usize),
}

/// A tie before anybody is known.
#[derive(Clone, Copy, Debug)]
struct Tie {
    part: Part,
    /// Of its part, from 1.
    round: usize,
    /// Of the stage.
    slot: u16,
    pairing: u32,
    from: [Source; 2],
}

/// What a bracket came to.
pub(super) struct Outcome {
    pub(super) bracket: Bracket,
    /// Who has a place, with it: who went out in the same round shares one.
    pub(super) places: Vec<(usize, u32)>,
    pub(super) is_over: bool,
}

/// Plays the bracket of all of the stage, seeded as usual: the first two meet in the last round.
pub(super) fn play(
    arena: &mut Arena<'_>,
    elimination: Elimination,
    third_place: bool,
    series: Series,
) -> Outcome {
    let n = arena.seeds.len();
    let ties = match elimination {
        Elimination::Single => single(n, third_place),
        Elimination::Double => double(n),
    };
    let mut ends: Vec<[Side; 2]> = Vec::with_capacity(ties.len());
    let mut knots = Vec::with_capacity(ties.len());
    for tie in &ties {
        let side = |from: Source| match from {
            Source::Seed(it) if it < n => Side::Is(it),
            Source::Seed(_) => Side::Nobody,
            Source::WinnerOf(it) => ends[it][0],
            Source::LoserOf(it) => ends[it][1],
        };
        let mut sides = tie.from.map(side);
        if tie.part == Part::Decider {
            sides = decider(&ends, &ties, sides);
        }
        let (knot, end) = knot(arena, tie, sides, series);
        knots.push(knot);
        ends.push(end);
    }
    let places = places(&ties, &ends, n);
    let is_over = places.len() == n;
    Outcome { bracket: Bracket { knots }, places, is_over }
}

/// The decider has sides only where who came from the losers won the final.
fn decider(ends: &[[Side; 2]], ties: &[Tie], sides: [Side; 2]) -> [Side; 2] {
    let last = ties.len() - 2;
    let Source::WinnerOf(of_winners) = ties[last].from[0] else { return sides };
    match (ends[of_winners][0], sides[0]) {
        (_, Side::Unknown) => [Side::Unknown; 2],
        (unbeaten, winner) if unbeaten == winner => [winner, Side::Nobody],
        _ => sides,
    }
}

fn knot(arena: &mut Arena<'_>, tie: &Tie, sides: [Side; 2], series: Series) -> (Knot, [Side; 2]) {
    let key = MatchKey {
        stage: arena.stage_no,
        round: tie.slot,
        pairing: tie.pairing,
        game: 0,
        redraw: 0,
    };
    let id = |arena: &Arena<'_>, side: Side| match side {
        Side::Is(it) => Some(arena.seeds[it].id),
        Side::Unknown | Side::Nobody => None,
    };
    let mut knot = Knot {
        key,
        part: tie.part,
        round: tie.round as u16,
        sides: sides.map(|it| id(arena, it)),
        is_bye: sides.contains(&Side::Nobody),
        won: [0; 2],
        winner: None,
        by_seed: false,
    };
    let end = match sides {
        [Side::Nobody, other] | [other, Side::Nobody] => [other, Side::Nobody],
        [Side::Is(one), Side::Is(two)] => {
            let pair = [one.min(two), one.max(two)];
            let spot = Spot { round: tie.slot, pairing: tie.pairing, group: 0 };
            let score = arena.tie(spot, pair, series);
            knot.sides = pair.map(|it| Some(arena.seeds[it].id));
            knot.won = score.won;
            knot.by_seed = score.by_seed;
            match score.winner {
                Some(it) => [Side::Is(pair[it]), Side::Is(pair[1 - it])],
                None => [Side::Unknown; 2],
            }
        }
        _ => [Side::Unknown; 2],
    };
    knot.winner = id(arena, end[0]);
    (knot, end)
}

/// Who won the last tie is first; who lost a tie and has no other is behind all that went further.
fn places(ties: &[Tie], ends: &[[Side; 2]], n: usize) -> Vec<(usize, u32)> {
    let goes_on = |at: usize| {
        let later = ties.iter().flat_map(|it| it.from);
        later.into_iter().any(|it| matches!(it, Source::LoserOf(from) if from == at))
    };
    let third = ties.iter().position(|it| it.part == Part::ThirdPlace);
    let Some(last) = ties.iter().rposition(|it| it.part != Part::ThirdPlace) else {
        // Who is alone has won.
        return (0..n).map(|it| (it, 1)).collect();
    };
    // How far somebody came, and who: behind it the third place, which is played in the last round.
    let mut exits: Vec<(u32, usize)> = Vec::new();
    for (at, [winner, loser]) in ends.iter().enumerate() {
        let reached = 4 * u32::from(ties[at].slot);
        let mut exit = |side: Side, how_far: u32| {
            if let Side::Is(it) = side {
                exits.push((how_far, it));
            }
        };
        if at == last {
            exit(*winner, reached + 3);
            exit(*loser, reached + 2);
        } else if Some(at) == third {
            exit(*winner, reached + 1);
            exit(*loser, reached);
        } else if !goes_on(at) {
            exit(*loser, reached);
        }
    }
    if ties[last].part == Part::Decider
        && let (Side::Is(winner), Side::Nobody) = (ends[last][0], ends[last][1])
        && let Side::Is(loser) = ends[last - 1][1]
        && loser != winner
    {
        exits.push((4 * u32::from(ties[last].slot) + 2, loser));
    }
    let place = |how_far: u32| {
        let before = exits.iter().filter(|it| it.0 > how_far).count();
        // Those who are still in come before, too.
        1 + (before + (n - exits.len())) as u32
    };
    let mut places: Vec<(usize, u32)> = exits.iter().map(|it| (it.1, place(it.0))).collect();
    places.sort_unstable_by_key(|it| (it.1, it.0));
    places
}

/// For each round of a bracket of so many: the ties that are played in any case, and with those
/// that may be.
pub(super) fn ties_per_round(
    n: usize,
    elimination: Elimination,
    third_place: bool,
) -> Vec<(u16, [u64; 2])> {
    let ties = match elimination {
        Elimination::Single => single(n, third_place),
        Elimination::Double => double(n),
    };
    let mut rounds = std::collections::BTreeMap::new();
    // Whether a tie has a winner, and a loser.
    let mut ends: Vec<[bool; 2]> = Vec::with_capacity(ties.len());
    for tie in &ties {
        let is_there = tie.from.map(|from| match from {
            Source::Seed(it) => it < n,
            Source::WinnerOf(it) => ends[it][0],
            Source::LoserOf(it) => ends[it][1],
        });
        let is_played = is_there == [true; 2];
        let round: &mut [u64; 2] = rounds.entry(tie.slot).or_default();
        round[0] += u64::from(is_played && tie.part != Part::Decider);
        round[1] += u64::from(is_played);
        ends.push([is_there.contains(&true), is_played]);
    }
    rounds.into_iter().collect()
}

/// The number of rounds in which so many are down to one.
fn depth(n: usize) -> usize {
    n.next_power_of_two().trailing_zeros() as usize
}

/// Which seeds meet in the first round: 1 and 8, 4 and 5, 2 and 7, 3 and 6, counted from 0.
fn first_round(n_rounds: usize) -> Vec<[usize; 2]> {
    let mut order = vec![0];
    for _ in 0..n_rounds {
        let last = 2 * order.len() - 1;
        order = order.iter().flat_map(|it| [*it, last - *it]).collect();
    }
    order.chunks_exact(2).map(|it| [it[0], it[1]]).collect()
}

/// The part of those who have not lost; gives its rounds, as numbers of ties.
fn winners(ties: &mut Vec<Tie>, n: usize, slot: impl Fn(usize) -> u16) -> Vec<Vec<usize>> {
    let n_rounds = depth(n);
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for round in 1..=n_rounds {
        let from: Vec<[Source; 2]> = match rounds.last() {
            None => first_round(n_rounds).iter().map(|it| it.map(Source::Seed)).collect(),
            Some(before) => paired(before).map(|it| it.map(Source::WinnerOf)).collect(),
        };
        rounds.push(add(ties, Part::Winners, round, slot(round), from));
    }
    rounds
}

fn single(n: usize, third_place: bool) -> Vec<Tie> {
    let mut ties = Vec::new();
    let rounds = winners(&mut ties, n, |round| round as u16 - 1);
    if third_place && let [.., semi, _] = rounds.as_slice() {
        let from = [semi[0], semi[1]].map(Source::LoserOf);
        add(&mut ties, Part::ThirdPlace, 1, rounds.len() as u16 - 1, vec![from]);
    }
    ties
}

/// Losers of the first round meet each other; after that rounds among those who have lost take
/// turns with rounds against those who lose next, so placed that who has met does not meet again
/// soon.
fn double(n: usize) -> Vec<Tie> {
    let mut all = Vec::new();
    let n_rounds = depth(n);
    if n_rounds == 0 {
        return all;
    }
    let slot = |round: usize| (2 * round).saturating_sub(3) as u16;
    let winners = winners(&mut all, n, slot);
    let mut in_losers: Vec<Source> = winners[0].iter().map(|it| Source::LoserOf(*it)).collect();
    let mut round = 0;
    for (no, dropping) in winners.iter().enumerate().skip(1) {
        let from: Vec<[Source; 2]> = in_losers.chunks_exact(2).map(|it| [it[0], it[1]]).collect();
        round += 1;
        let minor = add(&mut all, Part::Losers, round, round as u16, from);
        let dropping = dropped(dropping, no);
        let from = dropping.iter().zip(&minor);
        let from = from.map(|it| [Source::LoserOf(*it.0), Source::WinnerOf(*it.1)]).collect();
        round += 1;
        let major = add(&mut all, Part::Losers, round, round as u16, from);
        in_losers = major.into_iter().map(Source::WinnerOf).collect();
    }
    let last = round as u16 + 1;
    let from = vec![[Source::WinnerOf(winners[n_rounds - 1][0]), in_losers[0]]];
    let final_tie = add(&mut all, Part::Final, 1, last, from)[0];
    let again = [Source::WinnerOf(final_tie), Source::LoserOf(final_tie)];
    add(&mut all, Part::Decider, 1, last + 1, vec![again]);
    // Who knows a tie knows those before it, and rounds are in the order in which they are played.
    all
}

/// From the other end in every other round: who has crossed over once need not do so again.
fn dropped(losers: &[usize], round: usize) -> Vec<usize> {
    let mut order = losers.to_vec();
    if round % 2 == 1 {
        order.reverse();
    }
    order
}

fn paired(ties: &[usize]) -> impl Iterator<Item = [usize; 2]> {
    ties.chunks_exact(2).map(|it| [it[0], it[1]])
}

fn add(
    ties: &mut Vec<Tie>,
    part: Part,
    round: usize,
    slot: u16,
    from: Vec<[Source; 2]>,
) -> Vec<usize> {
    let first_pairing = ties.iter().filter(|it| it.slot == slot).count() as u32;
    let first = ties.len();
    for (at, from) in (0..).zip(from) {
        ties.push(Tie { part, round, slot, pairing: first_pairing + at, from });
    }
    (first..ties.len()).collect()
}
