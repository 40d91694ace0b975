//! What each bot did in a match, counted as it falls.

use std::time::Duration;

use game::{Fault, PerSeat, RemarkKind};
use referee::AnyReferee;

use crate::{excerpt::Excerpt, player::Bill};

/// What one bot did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatReport {
    /// Its first fault, with the index of the ply it answered.
    pub fault: Option<(u32, Fault)>,
    /// How many faults there were.
    pub faults: u32,
    /// Answers it gave.
    pub answers: u32,
    /// Warnings of the judge.
    pub warnings: u32,
    /// Thinking time charged.
    pub charged: Duration,
    /// Longest single answer.
    pub slowest: Duration,
    /// Wall time of the first answer.
    pub first_answer: Option<Duration>,
    /// Processor time used; of plain programs, that of their first process.
    pub cpu: Duration,
    /// Most memory held at once; 0 where nobody counts.
    pub memory_peak_bytes: u64,
    /// The first half and the last of its standard error, readable.
    pub stderr: String,
}

/// The reports while the match runs.
pub(crate) struct Tally {
    pub(crate) seats: PerSeat<SeatReport>,
    pub(crate) stderr: PerSeat<Excerpt>,
}

impl Tally {
    pub(crate) fn new(n_seats: usize, stderr_bytes_max: usize) -> Tally {
        Tally {
            seats: PerSeat::new(n_seats, |_| SeatReport::default()),
            stderr: PerSeat::new(n_seats, |_| Excerpt::new(stderr_bytes_max)),
        }
    }

    /// A ply was played.
    pub(crate) fn played(&mut self, ply_no: u32, referee: &dyn AnyReferee) {
        let faults = referee.faults(ply_no);
        for (seat, spent) in referee.spent(ply_no) {
            let report = &mut self.seats[seat];
            report.charged += spent.charged;
            report.slowest = report.slowest.max(spent.charged);
            if faults.iter().all(|(it, _)| *it != seat) {
                report.answers += 1;
                report.first_answer.get_or_insert(spent.wall);
            }
        }
        for (seat, fault) in faults {
            let report = &mut self.seats[seat];
            report.faults += 1;
            report.fault.get_or_insert((ply_no, fault));
        }
    }

    /// A process has ended.
    pub(crate) fn stopped(&mut self, seat: game::Seat, bill: &Bill) {
        let report = &mut self.seats[seat];
        report.cpu += bill.cpu;
        report.memory_peak_bytes = report.memory_peak_bytes.max(bill.memory_peak_bytes);
    }

    pub(crate) fn finish(self, referee: &dyn AnyReferee) -> PerSeat<SeatReport> {
        let Tally { mut seats, mut stderr } = self;
        for remark in referee.remarks().iter().filter(|it| it.kind == RemarkKind::Warning) {
            seats[remark.seat].warnings += 1;
        }
        for (seat, report) in seats.iter_mut() {
            let text = std::mem::replace(&mut stderr[seat], Excerpt::new(0));
            report.stderr = text.into_text();
        }
        seats
    }
}
