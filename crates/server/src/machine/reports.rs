//! Workers tell what happened: ply by ply, and at the end.

use axum::{
    body::Body,
    extract::{Path, State, rejection::PathRejection},
    http::StatusCode,
};
use jobs::{BUILD_LOG_BYTES_MAX, BuildReport, Frames, MatchReport, Report, STDERR_BYTES_MAX};
use sha2::{Digest, Sha256};
use store::{Blob, FinishError, Finished, Made, MatchTerms, PlyError, Reporting};
use uuid::Uuid;

use super::{
    decide,
    door::Caller,
    input,
    leases::lost,
    verify::{self, Checked},
};
use crate::{error::Error, state::AppState};

/// `POST /worker/v1/leases/{lease}/plies`
pub(super) async fn send_plies(
    State(state): State<AppState>,
    Caller(worker): Caller,
    path: Result<Path<Uuid>, PathRejection>,
    body: Body,
) -> Result<StatusCode, Error> {
    let lease = input::lease(path)?;
    let limits = &state.config.limits;
    let bytes = input::read(body, "A message with plies", limits.plies_bytes_max).await?;
    let Frames { from, plies } = input::parse(&bytes)?;
    match state.store.add_plies(lease, worker.id, from, &plies, limits.plies_max).await {
        Ok(()) => Ok(StatusCode::NO_CONTENT),
        Err(PlyError::Lost) => Err(lost()),
        Err(PlyError::Store(why)) => Err(why.into()),
        Err(why @ PlyError::Gap { .. }) => Err(Error::Conflict(why.to_string())),
        Err(why @ (PlyError::NoMatch | PlyError::TooMany { .. })) => {
            Err(Error::Invalid(why.to_string()))
        }
    }
}

/// `POST /worker/v1/leases/{lease}/report`
pub(super) async fn send_report(
    State(state): State<AppState>,
    Caller(worker): Caller,
    path: Result<Path<Uuid>, PathRejection>,
    body: Body,
) -> Result<StatusCode, Error> {
    let lease = input::lease(path)?;
    let bytes = input::read(body, "A report", state.config.limits.report_bytes_max).await?;
    let report: Report = input::parse_clean(&bytes)?;
    let digest = Sha256::digest(&bytes).into();
    let reporting = Reporting { lease, worker: worker.id, digest };
    let finished = match report {
        Report::Built(report) => finish_build(&state, &reporting, *report).await?,
        Report::Played(report) => finish_match(&state, &reporting, *report).await?,
        Report::Failed(failure) => {
            tracing::warn!(worker = worker.name, %lease, what = failure.what, "an attempt failed");
            let limits = state.config.queue_limits();
            state
                .store
                .fail_attempt(&reporting, &failure.what, &limits)
                .await
                .map_err(|why| failed(why, |never| match never {}))?
        }
    };
    tracing::debug!(worker = worker.name, %lease, ?finished, "report");
    Ok(StatusCode::NO_CONTENT)
}

async fn finish_build(
    state: &AppState,
    reporting: &Reporting,
    report: BuildReport,
) -> Result<Finished, Error> {
    within("log", report.log.len(), BUILD_LOG_BYTES_MAX)?;
    if let Some(compliance) = &report.compliance {
        within("compliance.stderr", compliance.stderr.len(), STDERR_BYTES_MAX)?;
    }
    if report.artefact.is_some() == report.why.is_some() {
        return Err(Error::Invalid("A build has either an artefact or a reason.".to_owned()));
    }
    if let Some(recipe) = report.recipe.as_deref().filter(|it| !is_digest(it)) {
        let found: String = recipe.chars().take(80).collect();
        return Err(Error::Invalid(format!(
            "recipe is {found:?}; it has to be a SHA-256 in lower-case hex."
        )));
    }
    let artefact =
        report.artefact.as_ref().map(|it| Blob { digest: it.digest.clone(), bytes: it.bytes });
    let made = match (&artefact, &report.recipe, report.reused) {
        (None, _, false) => None,
        (Some(artefact), _, false) => Some(Made::Anew(artefact)),
        (Some(artefact), Some(recipe), true) => {
            Some(Made::Before { artefact, recipe: &recipe.clone() })
        }
        (None, _, true) | (Some(_), None, true) => {
            let needs = "What is used again has an artefact and a recipe.";
            return Err(Error::Invalid(needs.to_owned()));
        }
    };
    state
        .store
        .finish_build(reporting, made, |build| {
            decide::build(state, build, report, artefact.as_ref())
        })
        .await
        .map_err(|why| failed(why, |it| it))
}

async fn finish_match(
    state: &AppState,
    reporting: &Reporting,
    report: MatchReport,
) -> Result<Finished, Error> {
    for (_, seat) in report.seats.iter() {
        within("stderr", seat.stderr.len(), STDERR_BYTES_MAX)?;
    }
    let record = Blob { digest: report.record.digest.clone(), bytes: report.record.bytes };
    let mut play = None;
    // Its set-up never changes, so this needs no lock; whether the lease lives is asked again then.
    if let Some(terms) = state.store.match_terms(reporting.lease, reporting.worker).await? {
        decide::makes_sense(state, &terms.game, &report)?;
        match verify::check(state, &terms, &report).await? {
            Checked::True(digest) => play = Some(digest),
            Checked::Untrue(why) => {
                return Err(refuse(state, reporting, &record, &terms, &why).await);
            }
            // The store says so too, with the lease in hand.
            Checked::NotHere => {}
        }
    }
    state
        .store
        .finish_match(reporting, &record, |played| decide::result(state, played, &report, play))
        .await
        .map_err(|why| failed(why, |it| it))
}

/// Voids the attempt, and keeps what there is of it for the operator.
async fn refuse(
    state: &AppState,
    reporting: &Reporting,
    record: &Blob,
    terms: &MatchTerms,
    why: &str,
) -> Error {
    let why = format!("The report is not true: {why}.");
    let (worker, lease) = (reporting.worker, reporting.lease);
    tracing::error!(%worker, %lease, match_id = %terms.match_id, record = record.digest, why);
    let limits = state.config.queue_limits();
    match state.store.refuse_report(reporting, record, &why, &limits).await {
        Ok(_) => Error::Invalid(why),
        Err(why) => failed(why, |never| match never {}),
    }
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'))
}

fn within(what: &str, found: usize, allowed: usize) -> Result<(), Error> {
    match found <= allowed {
        true => Ok(()),
        false => Err(Error::Invalid(format!("{what} has {found} bytes; {allowed} are allowed."))),
    }
}

fn failed<E>(why: FinishError<E>, refused: impl FnOnce(E) -> Error) -> Error
where
    E: std::fmt::Display,
{
    match why {
        FinishError::Lost => lost(),
        FinishError::OtherKind => {
            Error::Invalid("This lease is of another kind of job.".to_owned())
        }
        FinishError::NotUploaded { digest, bytes } => Error::Invalid(format!(
            "{digest} with {bytes} bytes was not put into this lease's upload address."
        )),
        why @ FinishError::NotKnown { .. } => Error::Invalid(format!("{why}.")),
        FinishError::Disbelieved(why) => Error::Invalid(why),
        FinishError::Refused(why) => refused(why),
        FinishError::FollowUp(why) => Error::internal(why),
        FinishError::Store(why) => why.into(),
    }
}
