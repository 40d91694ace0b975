//! A ladder with 500 bots that come in bursts, few workers, and matches of uneven length: nobody
//! waits for longer than was promised, whatever newcomers want.

use std::collections::{BTreeMap, VecDeque};

use contest::{Candidate, Pace, Pairing, Rating, have_opponents, pair, rate};
use game::{Fraction, PerSeat, Seat};

const BOTS: usize = 500;
const SLOTS: usize = 8;
const LOOK_S: f64 = 10.0;
const HOURS: f64 = 8.0;
const PROMISE_S: f64 = 1800.0;
/// Matches take 5 to 45 seconds; in the mean, about so many.
const MATCH_S: f64 = 25.0;

struct Bot {
    arrives_s: f64,
    strength: f64,
    /// When its last match began; at first, when it came.
    began_s: f64,
    made_s: Option<f64>,
    rating: Rating,
    pending: u32,
    played: u32,
}

/// A match that waits or runs, with when it is over.
struct Match {
    bots: [usize; 2],
    takes_s: f64,
}

#[test]
fn of_500_bots_that_come_in_bursts_none_starves() {
    let mut chance = Lcg(20_261_130);
    let mut bots: Vec<Bot> = (0..BOTS).map(|it| bot(it, &mut chance)).collect();
    let mut queue: VecDeque<Match> = VecDeque::new();
    let mut running: Vec<(f64, [usize; 2])> = Vec::new();
    let mut longest_s: f64 = 0.0;
    let mut gone = BTreeMap::new();
    let n_looks = (HOURS * 3600.0 / LOOK_S) as u64;
    for look in 1..=n_looks {
        let now_s = look as f64 * LOOK_S;
        // Between two looks workers take what waits, one after the other.
        finish(now_s, &mut running, &mut bots, &mut chance);
        while running.len() < SLOTS {
            let Some(it) = queue.pop_front() else { break };
            for bot in it.bots {
                bots[bot].began_s = now_s;
            }
            running.push((now_s + it.takes_s, it.bots));
        }
        // In the fifth hour a third leave.
        let there = |it: usize| {
            bots[it].arrives_s <= now_s && (now_s < 5.0 * 3600.0 || !it.is_multiple_of(3))
        };
        let ids: Vec<usize> = (0..BOTS).filter(|&it| there(it)).collect();
        let candidates: Vec<Candidate> =
            ids.iter().map(|&it| candidate(it, &bots[it], now_s)).collect();
        let can_play = have_opponents(&candidates, [0, 1]);
        for (&it, _) in ids.iter().zip(can_play).filter(|it| it.1) {
            longest_s = longest_s.max(now_s - bots[it].began_s);
        }
        let queued_max = (PROMISE_S / 3.0 * SLOTS as f64 / MATCH_S) as usize;
        let pace = Pace {
            pending: 2,
            settled_deviation: 80.0,
            interval_s: 600.0,
            promise_s: PROMISE_S,
            room: queued_max.saturating_sub(queue.len()),
        };
        for Pairing { seats, .. } in pair(&candidates, [0, 1], &[1], &pace, look) {
            let pair = seats.map(|it| ids[it]);
            for it in pair {
                bots[it].pending += 1;
                bots[it].made_s = Some(now_s);
            }
            queue.push_back(Match { bots: pair, takes_s: 5.0 + 40.0 * chance.part() });
        }
        gone.insert(look, queue.len());
    }
    assert!(longest_s <= PROMISE_S, "somebody waited for {longest_s} s");
    let least = bots.iter().map(|it| it.played).min();
    assert!(least >= Some(5), "somebody played {least:?} matches");
    // What is left over goes to those that are little known: they are known in the end.
    let unknown = bots.iter().filter(|it| it.rating.deviation > 110.0).count();
    assert!(unknown * 20 <= BOTS, "{unknown} bots are not known");
    // It was a test: there was always more to play than workers could.
    let busy = gone.values().filter(|it| **it > 0).count();
    assert!(busy as u64 * 10 > n_looks * 9, "matches waited at {busy} of {n_looks} looks");
}

/// 50 are there from the start, 300 come within five minutes an hour later, the others by and by.
fn bot(it: usize, chance: &mut Lcg) -> Bot {
    let arrives_s = match it {
        0..50 => 0.0,
        50..350 => 3600.0 + 300.0 * chance.part(),
        _ => 4.0 * 3600.0 * chance.part(),
    };
    Bot {
        arrives_s,
        strength: 1100.0 + 800.0 * chance.part(),
        began_s: arrives_s,
        made_s: None,
        rating: Rating::NEW,
        pending: 0,
        played: 0,
    }
}

fn candidate(it: usize, bot: &Bot, now_s: f64) -> Candidate {
    Candidate {
        account: it as u128 / 2,
        role: (it / 3) % 2,
        validating: false,
        house: false,
        rating: bot.rating,
        pending: bot.pending,
        since_last_s: bot.made_s.map(|made_s| now_s - made_s),
        waited_s: now_s - bot.began_s,
        exhausted: false,
        setups: Vec::new(),
    }
}

fn finish(now_s: f64, running: &mut Vec<(f64, [usize; 2])>, bots: &mut [Bot], chance: &mut Lcg) {
    let (over, left): (Vec<_>, Vec<_>) = running.drain(..).partition(|it| it.0 <= now_s);
    *running = left;
    for (_, [one, two]) in over {
        let gap = bots[two].strength - bots[one].strength;
        let won = chance.part() < 1.0 / (1.0 + 10_f64.powf(gap / 400.0));
        let score = |won: bool| Fraction::from(i64::from(won));
        let scores: PerSeat<Fraction> = vec![score(won), score(!won)].into();
        let before = vec![bots[one].rating, bots[two].rating].into();
        let after = rate(&before, &scores).unwrap();
        for (it, seat) in [(one, Seat(0)), (two, Seat(1))] {
            bots[it].rating = after[seat];
            bots[it].pending -= 1;
            bots[it].played += 1;
        }
    }
}

/// Numbers that look random (Knuth's).
struct Lcg(u64);

impl Lcg {
    fn part(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as f64 / (1_u64 << 31) as f64
    }
}
