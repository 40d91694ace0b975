//! A match that was broken off goes on.

use std::time::Duration;

use game::{Answer, Dialect, Fault, Game, Lifetime, PerSeat, Seat, Sitter, Turn};

use super::Referee;
use crate::{
    Frame, ReplayError, Spent,
    record::{advance, open},
};

impl<G: Game, D: Dialect<G>> Referee<G, D> {
    /// Opens a match that was played before as far as `frames` go, and was broken off.
    ///
    /// Every bot gets a new process, which is asked once more all that the lost one was asked. What
    /// was answered then counts, whatever is answered now, and however late: so the bot comes to
    /// know what it knew, and nothing that was played can be played otherwise. It is not waited for
    /// where it was late, and people are asked nothing twice.
    ///
    /// # Errors
    ///
    /// Where the plies are none of a match of this set-up.
    pub fn resume(
        setup: &G::Setup,
        sitters: PerSeat<Sitter>,
        mut frames: Vec<Frame<G::Action>>,
    ) -> Result<Referee<G, D>, ReplayError> {
        let mut events = Vec::new();
        let game = open::<G>(setup, &sitters, &mut events)?;
        let told_from = last_lives_begin::<G, D>(game.clone(), &frames)?;
        let script = frames.split_off(told_from);
        let mut referee = Referee::bare(game, setup, sitters);
        for frame in frames {
            events.clear();
            referee.pass(frame, &mut events);
        }
        referee.script = script.into();
        referee.begin(&events);
        Ok(referee)
    }

    /// Goes over a ply of before of which no bot need hear.
    fn pass(&mut self, frame: Frame<G::Action>, events: &mut Vec<G::Event>) {
        if let Turn::Ask(asks) = self.game.turn() {
            for (seat, ask) in asks.iter() {
                let (Some(ask), Some(answer)) = (ask, &frame.ply[seat]) else { continue };
                let chair = &mut self.chairs[seat];
                chair.open(Duration::ZERO, ask);
                chair.close(answer.clone(), frame.spent[seat].unwrap_or_default());
                chair.answer = None;
            }
        }
        self.game.play(&frame.ply, events);
        self.store(frame);
    }

    /// A bot that was late when the match was played before is late once more, without waiting for
    /// it. The question has been written all the same: its answer is owed, as it was then.
    pub(super) fn miss_again(&mut self, seat: Seat, fault: Fault, spent: Spent) {
        let chair = &mut self.chairs[seat];
        chair.dialect.missed();
        chair.owes = true;
        chair.close(Answer::Fault(fault), spent);
    }
}

/// The first ply that the processes which now run were asked for; all are looked at.
fn last_lives_begin<G: Game, D: Dialect<G>>(
    mut game: G,
    frames: &[Frame<G::Action>],
) -> Result<usize, ReplayError> {
    let mut begin = 0;
    let mut events = Vec::new();
    for (ply_no, Frame { ply, spent, remarks }) in frames.iter().enumerate() {
        let round = game.round();
        events.clear();
        advance(&mut game, ply_no, ply, &mut events)?;
        let n_seats = ply.n_seats();
        let stray = remarks.iter().find(|it| usize::from(it.seat.0) >= n_seats);
        let found = stray.map_or(spent.n_seats(), |it| usize::from(it.seat.0) + 1);
        if found != n_seats {
            let (place, game, wanted) = ("what belongs to a ply", G::ID, n_seats);
            return Err(ReplayError::Seats { place, found, game, wanted });
        }
        let goes_on = matches!(game.turn(), Turn::Ask(_));
        if !goes_on || (D::LIFETIME == Lifetime::Round && game.round() != round) {
            begin = ply_no + 1;
        }
    }
    Ok(begin)
}
