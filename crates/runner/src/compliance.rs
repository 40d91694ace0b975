//! A bot alone at the board: whether it speaks the protocol, before it meets anybody.

use std::{ops::ControlFlow, time::Duration};

use game::{Fault, Illegal, PerSeat, RemarkKind, Seat, Sitter};
use referee::AnyGame;
use serde_json::Value as Json;
use thiserror::Error;

use crate::{
    feed::Feed,
    play::Terms,
    process::Program,
    table::{PlayError, Table},
    tally::Tally,
};

/// Answers that are enough.
pub const ANSWERS_MAX: u32 = 3;
/// Remarks that are told of the dialogue.
pub const REMARKS_MAX: usize = 100;

/// How a program answered its first questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compliance {
    /// Questions it answered.
    pub answers: u32,
    /// What ended the dialogue before its time.
    pub fault: Option<Fault>,
    /// Its log lines, and warnings of the judge; the first [`REMARKS_MAX`].
    pub remarks: Vec<(RemarkKind, String)>,
    /// What it wrote to its standard error.
    pub stderr: String,
    /// Time to the first answer.
    pub first_answer: Option<Duration>,
}

/// Why the dialogue could not be held.
#[derive(Debug, Error)]
pub enum ComplianceError {
    /// The set-up is refused.
    #[error("the set-up of the compliance dialogue is refused: {0}")]
    Setup(#[from] Illegal),
    /// As with any match.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Asks `program`, on `seat` of a match by `setup`, its first questions. All
/// others let their time pass, which takes none.
///
/// # Errors
///
/// Only ours: a bot's fault is a result.
pub async fn comply<P: Program>(
    game: &dyn AnyGame,
    setup: &Json,
    seat: Seat,
    program: P,
    terms: &Terms,
) -> Result<Compliance, ComplianceError> {
    let n_seats = game.roles().len();
    let sitters = PerSeat::new(n_seats, |it| match it == seat {
        true => Sitter::Bot,
        false => Sitter::Person,
    });
    let referee = game.referee(setup, sitters)?;
    let mut program = Some(program);
    let programs = PerSeat::new(n_seats, |it| program.take_if(|_| it == seat));
    let tally = Tally::new(n_seats, terms.stderr_bytes_max);
    let mut table = Table::new(referee, &programs, terms, tally, Feed::new(None, 0));
    table.skip_people();
    let seen_enough = |tally: &Tally| match tally.seats.get(seat) {
        Some(report) if report.answers >= ANSWERS_MAX || report.fault.is_some() => {
            ControlFlow::Break(())
        }
        _ => ControlFlow::Continue(()),
    };
    table.play(seen_enough).await?;
    table.clear()?;

    let Table { referee, tally, .. } = table;
    let remarks = referee.remarks().iter().filter(|it| it.seat == seat);
    let remarks = remarks.take(REMARKS_MAX).map(|it| (it.kind, it.text.clone().into_owned()));
    let remarks = remarks.collect();
    let seats = tally.finish(&*referee);
    let report = seats.get(seat).cloned().unwrap_or_default();
    Ok(Compliance {
        answers: report.answers,
        fault: report.fault.map(|(_, it)| it),
        remarks,
        stderr: report.stderr,
        first_answer: report.first_answer,
    })
}
