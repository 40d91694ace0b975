//! What is kept of a match, as it is played.

use std::borrow::Cow;

use game::{Dialect, Game, Remark, RemarkKind, Seat};

use super::Referee;
use crate::{Effect, Frame, RECORD_BYTES_MAX, Void};

impl<G: Game, D: Dialect<G>> Referee<G, D> {
    /// A ply of the record with all that belongs to it.
    pub fn frame(&self, ply_no: u32) -> Option<Frame<G::Action>> {
        let (ply, spent) = (
            self.record.plies.get(ply_no as usize)?.clone(),
            self.record.spent.get(ply_no as usize)?.clone(),
        );
        let remarks = &self.record.remarks;
        let from = remarks.partition_point(|it| it.ply < ply_no);
        let to = remarks.partition_point(|it| it.ply <= ply_no);
        Some(Frame { ply, spent, remarks: remarks[from..to].to_vec() })
    }

    pub(super) fn store(&mut self, frame: Frame<G::Action>) {
        let Frame { ply, spent, remarks } = frame;
        self.record_bytes += json_bytes(&ply) + json_bytes(&spent);
        for it in remarks {
            self.record_bytes += json_bytes(&it);
            self.chairs[it.seat].keeps_remark(it.text.len());
            self.record.remarks.push(it);
        }
        let ply_no = self.record.plies.len() as u32;
        self.record.plies.push(ply);
        self.record.spent.push(spent);
        self.effects.push_back(Effect::Played(ply_no));
        if self.record_bytes > RECORD_BYTES_MAX {
            let (bytes, plies) = (self.record_bytes, self.record.plies.len());
            self.end(Effect::Void(Void::RecordFull { bytes, plies }));
        }
    }

    pub(super) fn keep_remarks(
        &mut self,
        seat: Seat,
        remarks: Vec<(RemarkKind, Cow<'static, str>)>,
    ) {
        // What was said when it was first asked is kept, and not said twice.
        if !self.script.is_empty() {
            return;
        }
        let ply = self.record.plies.len() as u32;
        for (kind, text) in remarks {
            let (kept, first_dropped) = self.chairs[seat].keeps_remark(text.len());
            let remark = match (kept, first_dropped) {
                (true, _) => Remark { ply, seat, kind, text },
                (false, true) => {
                    let (kind, text) =
                        (RemarkKind::Warning, "what it said from here on was dropped".into());
                    Remark { ply, seat, kind, text }
                }
                (false, false) => continue,
            };
            self.record_bytes += json_bytes(&remark);
            self.record.remarks.push(remark);
        }
    }
}

/// How many bytes `value` takes in a record.
fn json_bytes(value: &impl serde::Serialize) -> usize {
    struct Counter(usize);
    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    // A value that cannot be written is found when the record is; here it has no size.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}
