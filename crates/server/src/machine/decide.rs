//! What a result means: ratings, who may stay on the ladder, what is played next.
//!
//! Called by the store while it holds everything that could change meanwhile,
//! so these are functions of what they are given.

use super::ratings::count;
use crate::{error::Error, state::AppState};
use contest::SeatResult;
use game::{Fraction, Outcome, PerSeat, Seat};
use jobs::{BuildReport, MatchReport, SeatReport};
use store::{
    Blob, BotState, BuildDecision, BuildState, Built, CountedSeat, MatchDecision, PlayedMatch,
    PlayedSeat, Purpose, Rating, SeatVerdict,
};

/// Whether a report can be one of a match of this game.
pub(super) fn makes_sense(state: &AppState, game: &str, report: &MatchReport) -> Result<(), Error> {
    let game =
        state.games.get(game).ok_or_else(|| Error::internal(format!("no game {game} here")))?;
    let n_seats = game.roles().len();
    check_outcome(&report.outcome, n_seats, game.measures().len())?;
    if report.seats.n_seats() != n_seats {
        let found = report.seats.n_seats();
        return Err(Error::Invalid(format!("{found} seats are reported, and {n_seats} played.")));
    }
    let plies_max = state.config.limits.plies_max;
    if report.plies > plies_max {
        let found = report.plies;
        return Err(Error::Invalid(format!("{found} plies; a match has at most {plies_max}.")));
    }
    Ok(())
}

/// What a match means, whose report makes sense.
pub(super) fn result(
    state: &AppState,
    played: &PlayedMatch,
    report: &MatchReport,
    play: Option<[u8; 32]>,
) -> Result<MatchDecision, Error> {
    makes_sense(state, &played.game, report)?;
    let n_seats = played.seats.n_seats();
    let ratings = match played.rated {
        true => Some(rated(played, report)?),
        false => None,
    };
    let mut seats = Vec::with_capacity(n_seats);
    for (seat, before) in played.seats.iter() {
        let of_bot = &report.seats[seat];
        seats.push(CountedSeat {
            report: serde_json::to_value(of_bot).map_err(Error::internal)?,
            rating: ratings.as_ref().map(|it| it[seat]),
            verdict: match before {
                Some(before) => verdict(played, seat, before, &report.outcome, of_bot),
                None => SeatVerdict::Stays,
            },
        });
    }
    Ok(MatchDecision {
        outcome: report.outcome.clone(),
        plies: report.plies,
        record: Blob { digest: report.record.digest.clone(), bytes: report.record.bytes },
        play,
        seats: seats.into(),
        follow_up: Vec::new(),
    })
}

/// What a build means.
pub(super) fn build(
    state: &AppState,
    build: &BuildState,
    report: BuildReport,
    artefact: Option<&Blob>,
) -> Result<BuildDecision, Error> {
    let mut follow_up = Vec::new();
    let built = match artefact {
        None => Built::Refused(report.why.unwrap_or_default()),
        Some(artefact) => {
            let newest = build.active_number.is_none_or(|it| it < build.number);
            let next = match build.state {
                BotState::Active => BotState::Active,
                BotState::Benched if build.benched_by_owner => BotState::Benched,
                BotState::Waiting | BotState::Validating | BotState::Benched => {
                    BotState::Validating
                }
            };
            if newest && next == BotState::Validating {
                follow_up.extend(state.ladders.first_match(state.games, build));
            }
            Built::Ready { artefact: artefact.clone(), active: newest.then_some(next) }
        }
    };
    let compliance =
        report.compliance.map(serde_json::to_value).transpose().map_err(Error::internal)?;
    let BuildReport { log, toolchain, recipe, build_ms, .. } = report;
    Ok(BuildDecision { built, log, toolchain, recipe, build_ms, compliance, follow_up })
}

fn rated(played: &PlayedMatch, report: &MatchReport) -> Result<PerSeat<Rating>, Error> {
    let mut results = Vec::new();
    let mut before = Vec::new();
    for (seat, it) in played.seats.iter() {
        let it = it.as_ref();
        let it = it.ok_or_else(|| Error::internal("a rated match with a person".to_owned()))?;
        before.push(it.rating);
        results.push(SeatResult {
            bot: it.bot,
            version: Some(it.version),
            score: report.outcome.score[seat],
            faulted: report.seats[seat].faults > 0,
        });
    }
    count(&before.into(), &results.into()).map_err(|why| Error::Invalid(format!("{why}.")))
}

fn check_outcome(outcome: &Outcome, n_seats: usize, n_measures: usize) -> Result<(), Error> {
    let Outcome { places, score, measures, why } = outcome;
    let wrong = if places.n_seats() != n_seats || score.n_seats() != n_seats {
        "has not one place and one score for each seat"
    } else if places.iter().any(|it| *it.1 == 0 || usize::from(*it.1) > n_seats) {
        "has places that are none"
    } else if score.iter().any(|it| *it.1 < Fraction::ZERO || *it.1 > Fraction::ONE) {
        "has a score that is no part of 1"
    } else if measures.len() != n_measures || measures.iter().any(|it| it.n_seats() != n_seats) {
        "has not each of the game's measures for each seat"
    } else if why.len() > 1000 {
        "needs more than 1000 bytes to say how it came about"
    } else {
        return Ok(());
    };
    Err(Error::Invalid(format!("The outcome {wrong}.")))
}

fn verdict(
    played: &PlayedMatch,
    seat: Seat,
    before: &PlayedSeat,
    outcome: &Outcome,
    report: &SeatReport,
) -> SeatVerdict {
    let newcomer = played.purpose == Purpose::Validation
        && before.state == BotState::Validating
        && before.version_active;
    if !newcomer {
        return SeatVerdict::Stays;
    }
    let alone_first = outcome.places[seat] == 1
        && outcome.places.iter().all(|(other, place)| other == seat || *place > 1);
    match &report.fault {
        Some((ply, fault)) if !alone_first => SeatVerdict::Failed(format!(
            "In its first match it lost by a fault, at step {}: {fault}.",
            ply + 1
        )),
        _ => SeatVerdict::Validated,
    }
}
