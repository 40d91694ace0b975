//! Swiss: in each round who has as many points meets, nobody twice as long as that can be, paired
//! as the Dutch system does it: score group by score group, upper half against lower half.

mod exact;
mod large;
mod matching;
mod seats;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use self::seats::Wish;
use super::{
    Amount, Bye, Points, Seats,
    amount::Sum,
    play::{Arena, Met, Spot, Verdict},
};
use game::Fraction;

/// Groups of up to so many are searched through; in larger ones pairs are found one by one.
const EXACT_MAX: usize = 10;

/// One who is to be paired, as all former rounds have left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Player {
    /// Its seed, from 0.
    pub(super) no: usize,
    /// How many different scores are better.
    pub(super) group: u32,
    /// Whom it has met, by seed.
    pub(super) met: BTreeSet<usize>,
    /// The seat it had in each match it played, the first match first.
    pub(super) seats: Vec<u8>,
    /// In the last round, and the one before.
    pub(super) floats: [Float; 2],
    /// Rounds sat out.
    pub(super) byes: u32,
}

/// Whom one met, by score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Float {
    #[default]
    No,
    /// Somebody with less, or nobody and got points for it.
    Down,
    /// Somebody with more.
    Up,
}

/// One round.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pairs {
    /// By seed: who sits on the first seat, and on the second; the best pair first.
    pub(super) pairs: Vec<[usize; 2]>,
    /// Who sits out.
    pub(super) bye: Option<usize>,
}

/// Pairings of rounds with what they were made from: by stage and round.
pub(super) type Remembered = BTreeMap<(u16, u16), (MadeFrom, Pairs)>;

/// All that a pairing depends on: the players as they were, and the seed.
type MadeFrom = (Vec<Player>, u64);

/// What the rounds so far came to.
pub(super) struct Outcome<'a> {
    pub(super) met: Vec<Met<'a>>,
    /// For each round that is paired.
    pub(super) byes: Vec<Option<usize>>,
    pub(super) is_over: bool,
}

/// Plays as many rounds as are over, and pairs the next.
pub(super) fn play<'a>(
    arena: &mut Arena<'a>,
    rounds: u32,
    bye: Bye,
    seed: u64,
    remembered: &mut Remembered,
) -> Outcome<'a> {
    let n = arena.seeds.len();
    let mut history = History::new(n);
    let mut outcome = Outcome { met: Vec::new(), byes: Vec::new(), is_over: false };
    // Where two matches swap seats, who sat where first says nothing.
    let meeting = arena.stage.meeting;
    let balances = meeting.seats == Seats::Kept || meeting.games % 2 == 1;
    for round in 0..rounds as u16 {
        let present: Vec<usize> = (0..n).filter(|it| !arena.is_gone(*it, round)).collect();
        let made_from = (history.players(&present, balances), seed ^ u64::from(round));
        let known = remembered.get(&(arena.stage_no, round)).filter(|it| it.0 == made_from);
        let pairs = match known {
            Some((_, pairs)) => pairs.clone(),
            None => pair_round(&made_from.0, made_from.1),
        };
        let mut all_over = true;
        let mut met_now = Vec::new();
        for (pairing, pair) in (0..).zip(&pairs.pairs) {
            let (met, is_over) = arena.meet(Spot { round, pairing, group: 0 }, *pair);
            all_over &= is_over;
            met_now.push((*pair, met));
        }
        history.add(&made_from.0, &pairs, &met_now, bye_points(&arena.stage.points, bye));
        outcome.byes.push(pairs.bye);
        outcome.met.extend(met_now.into_iter().flat_map(|it| it.1));
        remembered.insert((arena.stage_no, round), (made_from, pairs));
        if !all_over {
            return outcome;
        }
    }
    outcome.is_over = true;
    outcome
}

/// What sitting out brings.
pub(super) fn bye_points(points: &Points, bye: Bye) -> u32 {
    match (bye, points) {
        (Bye::Win, _) => points.walkover(),
        (Bye::Draw, Points::Outcome { draw, .. }) => *draw,
        (Bye::Draw, Points::Measure { whole, .. }) => whole / 2,
        (Bye::Nothing, _) => points.loss(),
    }
}

/// What the rounds so far have left of each.
struct History {
    sums: Vec<Sum>,
    players: Vec<Player>,
}

impl History {
    fn new(n: usize) -> History {
        let player = |no| Player {
            no,
            group: 0,
            met: BTreeSet::new(),
            seats: Vec::new(),
            floats: [Float::No; 2],
            byes: 0,
        };
        History { sums: vec![Sum::default(); n], players: (0..n).map(player).collect() }
    }

    /// Those who are there, the best first.
    fn players(&self, present: &[usize], balances: bool) -> Vec<Player> {
        let mut by_score: BTreeMap<Amount, Vec<usize>> = BTreeMap::new();
        for &it in present {
            by_score.entry(self.sums[it].total()).or_default().push(it);
        }
        let mut players = Vec::with_capacity(present.len());
        for (group, members) in (0..).zip(by_score.into_values().rev()) {
            for it in members {
                let mut player = Player { group, ..self.players[it].clone() };
                if !balances {
                    player.seats.clear();
                }
                players.push(player);
            }
        }
        players
    }

    fn add(
        &mut self,
        players: &[Player],
        pairs: &Pairs,
        met: &[([usize; 2], Vec<Met<'_>>)],
        bye_points: u32,
    ) {
        let mut groups = vec![0; self.players.len()];
        players.iter().for_each(|it| groups[it.no] = it.group);
        for player in &mut self.players {
            player.floats = [Float::No, player.floats[0]];
        }
        if let Some(it) = pairs.bye {
            self.players[it].byes += 1;
            self.players[it].floats[0] = Float::Down;
            self.sums[it].add(Fraction::from(i64::from(bye_points)));
        }
        for (pair, met) in met {
            let was_played = met.iter().any(Met::is_played);
            for it in met {
                for own in 0..2 {
                    self.sums[it.pair[own]].add(it.points[own]);
                    let is_walkover = !it.is_played() && it.verdicts[own] == Verdict::Won;
                    if is_walkover && !was_played {
                        self.players[it.pair[own]].floats[0] = Float::Down;
                    }
                }
            }
            if !was_played {
                continue;
            }
            for own in 0..2 {
                let (it, other) = (pair[own], pair[1 - own]);
                self.players[it].met.insert(other);
                self.players[it].seats.push(own as u8);
                self.players[it].floats[0] = match groups[it].cmp(&groups[other]) {
                    std::cmp::Ordering::Less => Float::Down,
                    std::cmp::Ordering::Equal => Float::No,
                    std::cmp::Ordering::Greater => Float::Up,
                };
            }
        }
    }
}

/// The next round of these, who are in the order of their scores, and of their seeds within.
pub(super) fn pair_round(players: &[Player], seed: u64) -> Pairs {
    let round = Round { players, wishes: players.iter().map(Wish::of).collect(), seed };
    let mut rest: Vec<usize> = (0..players.len()).collect();
    let bye = round.bye();
    if let Some(it) = bye {
        rest.remove(it);
    }
    let mut pairs = match round.is_completable(&rest) {
        true => round.by_groups(&rest),
        // Everybody has met too many: as few as possible meet again.
        false => matching::pairs(&round, &rest, true),
    };
    pairs.iter_mut().for_each(|it| it.sort_unstable());
    pairs.sort_unstable();
    let no = |it: usize| players[it].no;
    Pairs {
        pairs: pairs.into_iter().map(|it| round.seated(it).map(no)).collect(),
        bye: bye.map(no),
    }
}

/// A round that is being paired; players are numbers in their order.
struct Round<'a> {
    players: &'a [Player],
    wishes: Vec<Wish>,
    seed: u64,
}

/// Who of a group is paired, and who goes down to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Paired {
    pairs: Vec<[usize; 2]>,
    floating: Vec<usize>,
}

impl Round<'_> {
    fn may_meet(&self, one: usize, two: usize) -> bool {
        !self.players[one].met.contains(&self.players[two].no)
    }

    /// Who sits out, where the number is odd: of those who did so least often the lowest score,
    /// and of these the lowest seed, unless the others could not all be paired then.
    fn bye(&self) -> Option<usize> {
        let n = self.players.len();
        if n.is_multiple_of(2) {
            return None;
        }
        let fewest = self.players.iter().map(|it| it.byes).min()?;
        let candidates = (0..n).rev().filter(|it| self.players[*it].byes == fewest);
        let leaves_pairs = |it: &usize| {
            let rest: Vec<usize> = (0..n).filter(|other| other != it).collect();
            self.is_completable(&rest)
        };
        let mut candidates = candidates.peekable();
        let first = candidates.peek().copied();
        candidates.find(leaves_pairs).or(first)
    }

    /// Whether all of these, an even number, can be paired without two meeting again.
    fn is_completable(&self, rest: &[usize]) -> bool {
        let is_in: BTreeSet<usize> = rest.iter().map(|it| self.players[*it].no).collect();
        let met = |it: &usize| self.players[*it].met.intersection(&is_in).count();
        let met_most = rest.iter().map(met).max().unwrap_or(0);
        // Who may meet at least half of the others each can all be paired (Dirac's theorem).
        let n = rest.len();
        n == 0
            || (n - 1).saturating_sub(met_most) >= n.div_ceil(2)
            || matching::pairs(self, rest, false).len() * 2 == n
    }

    /// Group by group from the top. Whatever a group decides leaves the rest completable.
    fn by_groups(&self, all: &[usize]) -> Vec<[usize; 2]> {
        let mut pairs = Vec::new();
        let mut moved: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < all.len() {
            let group = self.players[all[at]].group;
            let end = all.partition_point(|it| self.players[*it].group <= group);
            let n_moved = moved.len();
            let mut members = std::mem::take(&mut moved);
            members.extend_from_slice(&all[at..end]);
            let below = &all[end..];
            let paired = match members.len() <= EXACT_MAX {
                true => exact::pair(self, &members, n_moved, below),
                false => large::pair(self, &members, n_moved, below),
            };
            let paired = paired.unwrap_or_else(|| self.by_matching(&members, below));
            pairs.extend(paired.pairs);
            moved = paired.floating;
            moved.sort_unstable();
            at = end;
        }
        if !moved.is_empty() {
            pairs.extend(matching::pairs(self, &moved, true));
        }
        pairs
    }

    /// As many pairs of a group as there can be; none, where those left over would strand others.
    fn by_matching(&self, members: &[usize], below: &[usize]) -> Paired {
        let pairs = matching::pairs(self, members, false);
        let is_paired: BTreeSet<usize> = pairs.iter().flatten().copied().collect();
        let left = members.iter().copied().filter(|it| !is_paired.contains(it));
        let floating: Vec<usize> = left.collect();
        match self.leaves_completable(&floating, below) {
            true => Paired { pairs, floating },
            false => Paired { pairs: Vec::new(), floating: members.to_vec() },
        }
    }

    fn leaves_completable(&self, floating: &[usize], below: &[usize]) -> bool {
        self.is_completable(&[floating, below].concat())
    }
}
