//! What the rules make of a stored match: replayed for its end alone, at the price of the plies.

use game::{Answer, Fault, Game, Outcome, PerSeat, Turn};

use crate::{
    Record, ReplayError,
    record::{advance, open, ours},
};

/// All that follows from a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// How the match ended; none where the record stops before.
    pub outcome: Option<Outcome>,
    /// Plies played.
    pub plies: u32,
    /// What each seat did wrong.
    pub faults: PerSeat<Faults>,
}

/// The faults of one seat in a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The first, with the index of its ply.
    pub first: Option<(u32, Fault)>,
    /// How many there were.
    pub n: u32,
}

/// Replays a match to its end. `goes_on` is asked before every ply, because
/// whoever holds a clock may want to say when it is too much.
///
/// # Errors
///
/// Where it cannot be replayed, or `goes_on` says no.
pub fn judge<G: Game>(
    record: &Record<G>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Verdict, ReplayError> {
    ours(record)?;
    let mut events = Vec::new();
    let mut game = open::<G>(&record.setup, &record.sitters, &mut events)?;
    let mut faults = record.sitters.map(|_, _| Faults::default());
    for (ply_no, ply) in record.plies.iter().enumerate() {
        if !goes_on() {
            return Err(ReplayError::Stopped { plies: ply_no });
        }
        events.clear();
        advance(&mut game, ply_no, ply, &mut events)?;
        for (seat, answer) in ply.iter() {
            if let Some(Answer::Fault(fault)) = answer {
                faults[seat].n += 1;
                faults[seat].first.get_or_insert_with(|| (ply_no as u32, fault.clone()));
            }
        }
    }
    let outcome = match game.turn() {
        Turn::Over(outcome) => Some(outcome),
        Turn::Ask(_) => None,
    };
    Ok(Verdict { outcome, plies: record.plies.len() as u32, faults })
}
