//! Matches at once: each board is a thread that takes the next pair until none is left.

use std::{
    path::Path,
    pin::Pin,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use game::{Outcome, PerSeat, Sitter};
use runner::{Fairness, PlayError, Played, Program, SeatReport, Terms, Wires, causes};
use serde_json::Value as Json;
use tokio::{
    runtime::{Builder, Runtime},
    sync::{mpsc, watch},
};

use super::{CORES_OF_A_BOARD, Contest, names};
use crate::play::{Failure, MATCH_WAIT, store};

/// What is kept of a bot's standard error, for each match.
const STDERR_BYTES_MAX: usize = 4 << 10;
/// How often a match is played that the host has disturbed.
const ATTEMPTS_MAX: u32 = 20;

/// Where matches are played.
pub(super) struct Boards<'a> {
    pub(super) n_boards: usize,
    /// Cores that a bot can have for itself; none where bots run on any.
    pub(super) cores: Vec<u32>,
    pub(super) disturbance_max: Duration,
    /// The folder for records.
    pub(super) records: Option<&'a Path>,
}

/// Matches that are to be played.
pub(super) struct Order<'a> {
    pub(super) contest: &'a Contest,
    pub(super) stage: &'static str,
    pub(super) setup: &'a Json,
    pub(super) pairs: &'a [[usize; 2]],
}

/// A match that was played.
#[derive(Clone, Debug)]
pub(super) struct Met {
    /// Who sat where.
    pub(super) bots: [usize; 2],
    pub(super) outcome: Outcome,
    pub(super) plies: u32,
    pub(super) seats: PerSeat<SeatReport>,
    /// The last of these was not disturbed by the host.
    pub(super) attempts: u32,
    /// The file of its record, in the folder for them.
    pub(super) record: Option<String>,
}

impl Boards<'_> {
    /// Plays all of them, in no order, and gives them in theirs. When this returns nothing of them
    /// runs any more, however it ended.
    pub(super) fn play<P: Program>(
        &self,
        order: &Order<'_>,
        runtime: &Runtime,
        ending: Pin<&mut impl Future<Output = ()>>,
        seated: &(impl Fn(usize, Option<u32>) -> P + Sync),
        mut one_more: impl FnMut(),
    ) -> Result<Vec<Met>, Failure> {
        let next = AtomicUsize::new(0);
        let (tell, mut told) = mpsc::unbounded_channel();
        // Dropping one end tells all boards to stop.
        let (go_on, stop) = watch::channel(());
        thread::scope(|scope| {
            for board in 0..self.n_boards.min(order.pairs.len()) {
                let (next, tell, stop) = (&next, tell.clone(), stop.clone());
                let sit = move || self.sit(board, order, next, seated, &tell, stop);
                let sitting = thread::Builder::new().name(format!("board-{board}"));
                let sitting = sitting.spawn_scoped(scope, sit);
                sitting.map_err(|error| Failure::Judge(format!("starting a thread: {error}")))?;
            }
            drop(tell);
            let collect = async {
                let mut all = Vec::new();
                while let Some((no, met)) = told.recv().await {
                    all.push((no, met?));
                    one_more();
                }
                all.sort_unstable_by_key(|it: &(usize, Met)| it.0);
                Ok(all.into_iter().map(|it| it.1).collect())
            };
            let met = runtime.block_on(super::unless(ending, collect));
            drop(go_on);
            met
        })
    }

    fn sit<P: Program>(
        &self,
        board: usize,
        order: &Order<'_>,
        next: &AtomicUsize,
        seated: &impl Fn(usize, Option<u32>) -> P,
        tell: &mpsc::UnboundedSender<(usize, Result<Met, Failure>)>,
        mut stop: watch::Receiver<()>,
    ) {
        let starting = |error| Failure::Judge(format!("starting: {error}"));
        let runtime = match Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                // Who does not listen any more has ended already.
                let _ = tell.send((0, Err(starting(error))));
                return;
            }
        };
        loop {
            let no = next.fetch_add(1, Ordering::Relaxed);
            let Some(bots) = order.pairs.get(no) else { return };
            let core = |seat| self.core(board, seat);
            let programs = [0, 1].map(|seat| Some(seated(bots[seat], core(seat))));
            let programs = PerSeat::from(Vec::from(programs));
            let met = runtime.block_on(async {
                tokio::select! {
                    biased;
                    _ = stop.changed() => None,
                    met = self.meet(order, no, &programs) => Some(met),
                }
            });
            let Some(met) = met else { return };
            let failed = met.is_err();
            if tell.send((no, met)).is_err() || failed {
                return;
            }
        }
    }

    /// One match, until it is one that the host has not disturbed.
    async fn meet<P: Program>(
        &self,
        order: &Order<'_>,
        no: usize,
        programs: &PerSeat<Option<P>>,
    ) -> Result<Met, Failure> {
        let bots = order.pairs[no];
        let names = bots.map(|it| order.contest.entrants[it].name.as_str());
        let fairness = Fairness { disturbance_max: self.disturbance_max, ..Fairness::default() };
        let terms = Terms { wall_max: MATCH_WAIT, stderr_bytes_max: STDERR_BYTES_MAX, fairness };
        let mut attempts = 1;
        let played = loop {
            let sitters = programs.map(|_, _| Sitter::Bot);
            let referee = order.contest.game.referee(order.setup, sitters);
            let referee = referee.map_err(|why| Failure::Usage(format!("the set-up: {why}")))?;
            match runner::play(referee, programs, &terms, Wires::default()).await {
                Ok(played) => break played,
                Err(PlayError::Disturbed { .. }) if attempts < ATTEMPTS_MAX => attempts += 1,
                Err(error) => {
                    let why = causes(&error);
                    return Err(Failure::Judge(format!(
                        "{} against {}: {why}",
                        names[0], names[1]
                    )));
                }
            }
        };
        let Played { outcome, record, plies, seats } = played;
        let file = self.records.map(|folder| {
            let file = names::record_file(order.stage, no, names);
            store(&folder.join(&file), &record).map(|()| file)
        });
        Ok(Met { bots, outcome, plies, seats, attempts, record: file.transpose()? })
    }

    /// Each bot has a core for itself where there are enough; else the kernel finds room for them.
    fn core(&self, board: usize, seat: usize) -> Option<u32> {
        match self.n_boards * CORES_OF_A_BOARD <= self.cores.len() {
            true => self.cores.get(board * CORES_OF_A_BOARD + seat).copied(),
            false => None,
        }
    }
}
