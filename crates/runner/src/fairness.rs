//! What a bot's time is, and whether the host, and not the bot, decided a turn.
//!
//! A bot pays for its wall time less the time it waited for a processor, and never less than the
//! processor time it used. Where it was late by no more than the judge was late to look, or the
//! whole machine was away, nobody knows whether it was, and the match is played again.

use std::{
    fmt,
    fs::File,
    os::unix::fs::FileExt,
    time::{Duration, Instant},
};

use referee::Spent;

/// What the kernel says of waiting is off by at most this part of it.
const STALL_ERROR_PART: u32 = 8;
/// The kernel tells the time that was taken from a virtual machine in these.
const STOLEN_TICK: Duration = Duration::from_millis(10);
/// A figure of the host that is not older counts as one of now.
const LATELY: Duration = Duration::from_millis(50);

/// What is charged for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charge {
    /// `max(cpu, wall - stall)`: what the host took from a bot is free.
    WallLessStall,
    /// `max(cpu, wall)`: all that passes.
    Wall,
}

/// How time is charged, and when a late answer is the host's doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fairness {
    /// What is charged.
    pub charge: Charge,
    /// The most by which the host may have held up a turn that ends late. Beyond
    /// it, a match whose turn is late by no more than that is void.
    pub disturbance_max: Duration,
}

impl Default for Fairness {
    fn default() -> Fairness {
        Fairness { charge: Charge::WallLessStall, disturbance_max: Duration::from_millis(20) }
    }
}

/// A late answer that may be the host's doing, with all that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disturbance {
    /// What the answer cost.
    pub spent: Spent,
    /// What it might have cost.
    pub left: Duration,
    /// Time in which the judge waited for a processor, or the machine below ran
    /// somebody else.
    pub lost: Duration,
}

impl fmt::Display for Disturbance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disturbance { spent: Spent { charged, wall, cpu, stall }, left, lost } = self;
        write!(
            f,
            "the answer was late, and the host may be why: charged {charged:.1?} of {left:.1?} \
             (wall {wall:.1?}, processor {cpu:.1?}, waited for one {stall:.1?}), while the judge \
             or the whole machine was held up for {lost:.1?}"
        )
    }
}

/// Whether a late answer is late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is.
    Stands,
    /// The host may be why.
    Doubt,
}

impl Charge {
    pub(crate) fn of(self, wall: Duration, cpu: Duration, stall: Duration) -> Spent {
        let spent = Spent::charge(wall, cpu, stall);
        match self {
            Charge::WallLessStall => spent,
            Charge::Wall => Spent { charged: wall.max(cpu), ..spent },
        }
    }
}

impl Fairness {
    /// Judges an answer that was charged more than was left.
    pub(crate) fn verdict(&self, it: &Disturbance) -> Verdict {
        let Disturbance { spent, left, lost } = *it;
        // Its own work alone was too much.
        if spent.cpu > left {
            return Verdict::Stands;
        }
        let doubt = match self.charge {
            Charge::WallLessStall => lost + spent.stall / STALL_ERROR_PART,
            Charge::Wall => lost + spent.stall,
        };
        match doubt > self.disturbance_max && spent.charged.saturating_sub(doubt) <= left {
            true => Verdict::Doubt,
            false => Verdict::Stands,
        }
    }
}

/// Who tells what the host has cost so far.
pub(crate) trait Watch: Send {
    /// Up to now.
    fn lost(&mut self) -> Duration;

    /// Up to a moment ago, which takes no time to find out.
    fn lost_lately(&mut self, now: Instant) -> Duration;
}

/// The kernel, asked by the thread that judges.
pub(crate) struct Host {
    /// Of this thread: time run, time waited for a processor, in nanoseconds.
    thread: Option<File>,
    /// Of the whole machine: `cpu user nice system idle iowait irq softirq steal`.
    machine: Option<File>,
    lately: Option<(Instant, Duration)>,
}

impl Host {
    pub(crate) fn new() -> Host {
        Host {
            // What a kernel does not tell is not held against anybody.
            thread: File::open("/proc/thread-self/schedstat").ok(),
            machine: File::open("/proc/stat").ok(),
            lately: None,
        }
    }
}

impl Watch for Host {
    fn lost(&mut self) -> Duration {
        let waited = self.thread.as_ref().and_then(|it| field(it, 1)).map(Duration::from_nanos);
        let ticks = self.machine.as_ref().and_then(|it| field(it, 8)).unwrap_or(0);
        // Of all cores together, as it may all have been the one the bot is on.
        let stolen = STOLEN_TICK * u32::try_from(ticks).unwrap_or(u32::MAX);
        let lost = waited.unwrap_or_default() + stolen;
        self.lately = Some((Instant::now(), lost));
        lost
    }

    fn lost_lately(&mut self, now: Instant) -> Duration {
        match self.lately {
            Some((when, lost)) if now.saturating_duration_since(when) < LATELY => lost,
            _ => self.lost(),
        }
    }
}

/// A number on the first line of one of the kernel's files.
fn field(file: &File, nth: usize) -> Option<u64> {
    let mut text = [0; 256];
    let length = file.read_at(&mut text, 0).ok()?;
    std::str::from_utf8(&text[..length])
        .ok()?
        .lines()
        .next()?
        .split_ascii_whitespace()
        .nth(nth)?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn a_late_answer_is_in_doubt_only_where_the_host_could_have_made_it_late() {
        let bound = ms(20);
        // wall, processor, waited for one, lost; left is 100 ms.
        for (what, [wall, cpu, stall, lost], less_stall, all) in [
            ("it slept", [130, 1, 0, 0], Verdict::Stands, Verdict::Stands),
            ("it worked", [130, 130, 0, 0], Verdict::Stands, Verdict::Stands),
            (
                "it worked too much, on a busy host",
                [400, 101, 280, 200],
                Verdict::Stands,
                Verdict::Stands,
            ),
            (
                "it slept, and we were a little late",
                [103, 1, 0, 15],
                Verdict::Stands,
                Verdict::Stands,
            ),
            (
                "it slept, and we were as late as that",
                [130, 1, 0, 31],
                Verdict::Doubt,
                Verdict::Doubt,
            ),
            (
                "it slept longer than we were late",
                [160, 1, 0, 31],
                Verdict::Stands,
                Verdict::Stands,
            ),
            (
                "it waited, and the count may be off",
                [305, 90, 200, 0],
                Verdict::Doubt,
                Verdict::Stands,
            ),
            (
                "it waited, but slept long as well",
                [500, 10, 200, 0],
                Verdict::Stands,
                Verdict::Stands,
            ),
            (
                "it would have had time without waiting",
                [150, 90, 55, 0],
                Verdict::Stands,
                Verdict::Doubt,
            ),
        ] {
            for (charge, wanted) in [(Charge::WallLessStall, less_stall), (Charge::Wall, all)] {
                let spent = charge.of(ms(wall), ms(cpu), ms(stall));
                let found = Disturbance { spent, left: ms(100), lost: ms(lost) };
                let fairness = Fairness { charge, disturbance_max: bound };
                assert_eq!(fairness.verdict(&found), wanted, "{what}, {charge:?}");
            }
        }
    }

    #[test]
    fn what_is_charged_is_never_less_than_the_work() {
        for (charge, [wall, cpu, stall], charged) in [
            (Charge::WallLessStall, [100, 20, 0], 100),
            (Charge::WallLessStall, [100, 20, 70], 30),
            (Charge::WallLessStall, [100, 50, 70], 50),
            (Charge::WallLessStall, [100, 150, 200], 150),
            (Charge::Wall, [100, 20, 70], 100),
            (Charge::Wall, [100, 150, 0], 150),
        ] {
            assert_eq!(charge.of(ms(wall), ms(cpu), ms(stall)).charged, ms(charged));
        }
    }

    #[test]
    fn this_host_tells_that_a_thread_waited() {
        let mut host = Host::new();
        let before = host.lost();
        assert_eq!(host.lost_lately(Instant::now()), before);
        assert!(host.lost() >= before);
    }
}
