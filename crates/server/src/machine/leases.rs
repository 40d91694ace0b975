//! Workers introduce themselves, take jobs, and keep what they have.

use std::time::Duration;

use axum::{
    Json,
    body::Body,
    extract::{Path, State, rejection::PathRejection},
};
use game::{PerSeat, Seat};
use jobs::{
    BuildJob, Hello, Job, KnownBuild, LeaseAnswer, LeaseRequest, Leased, MatchJob, POLL_S_MAX,
    Renewed, SeatJob, Welcome,
};
use store::{LeasedBuild, LeasedJob, LeasedMatch, Poll};
use uuid::Uuid;

use super::{door::Caller, input};
use crate::{error::Error, state::AppState};

const HELLO_BYTES_MAX: u64 = 64 << 10;
const LEASE_BYTES_MAX: u64 = 1 << 10;
/// Slots of one worker, and jobs in one answer.
const JOBS_MAX: u32 = 256;
const LANGUAGES_MAX: usize = 100;

/// `POST /worker/v1/hello`
pub(super) async fn greet_worker(
    State(state): State<AppState>,
    Caller(worker): Caller,
    body: Body,
) -> Result<Json<Welcome>, Error> {
    let hello: Hello = input::parse_clean(&input::read(body, "A hello", HELLO_BYTES_MAX).await?)?;
    if !(1..=JOBS_MAX).contains(&hello.slots) {
        let found = hello.slots;
        return Err(Error::Invalid(format!("slots is {found}; it has to be 1 to {JOBS_MAX}.")));
    }
    if hello.people_slots > JOBS_MAX {
        let found = hello.people_slots;
        return Err(Error::Invalid(format!(
            "people_slots is {found}; it has to be 0 to {JOBS_MAX}."
        )));
    }
    if hello.languages.len() > LANGUAGES_MAX {
        let found = hello.languages.len();
        return Err(Error::Invalid(format!(
            "There are {found} languages; there may be {LANGUAGES_MAX}."
        )));
    }
    let reaped = state.store.greet_worker(worker.id, &hello, &state.config.queue_limits()).await?;
    tracing::info!(
        worker = worker.name,
        version = hello.version,
        slots = hello.slots,
        ?reaped,
        "hello"
    );
    Ok(Json(Welcome { worker: worker.name, renew_s: state.config.queue.renew_s }))
}

/// `POST /worker/v1/lease`
pub(super) async fn lease_jobs(
    State(state): State<AppState>,
    Caller(worker): Caller,
    body: Body,
) -> Result<Json<LeaseAnswer>, Error> {
    let request: LeaseRequest =
        input::parse(&input::read(body, "A lease request", LEASE_BYTES_MAX).await?)?;
    let (jobs_max, people_max) = (request.jobs_max, request.people_max);
    if jobs_max > JOBS_MAX || people_max > JOBS_MAX || jobs_max + people_max == 0 {
        return Err(Error::Invalid(format!(
            "jobs_max is {jobs_max} and people_max {people_max}; each has to be 0 to {JOBS_MAX}, and one of them 1."
        )));
    }
    if request.wait_s > POLL_S_MAX {
        let found = request.wait_s;
        return Err(Error::Invalid(format!("wait_s is {found}; it has to be 0 to {POLL_S_MAX}.")));
    }
    let hello = worker.hello.ok_or_else(|| {
        Error::Conflict("A worker says hello before it asks for jobs.".to_owned())
    })?;
    state.store.see_worker(worker.id).await?;
    let mut languages: Vec<String> =
        hello.languages.into_iter().filter(|it| it.toolchain.is_ok()).map(|it| it.id).collect();
    languages.sort();
    let poll = Poll { worker: worker.id, languages, jobs_max, people_max };
    // Even who does not want to wait gives the dispatcher a moment.
    let wait = Duration::from_secs(request.wait_s).max(Duration::from_millis(200));
    let Some(handout) = state.dispatcher.wait(poll, wait).await? else {
        return Ok(Json(LeaseAnswer::default()));
    };
    let mut jobs = Vec::new();
    for it in handout.iter() {
        let job = match &it.job {
            LeasedJob::Build(build) => Job::Build(build_job(&state, it.lease, build)?),
            LeasedJob::Match(played) => Job::Match(match_job(&state, it.lease, played)?),
        };
        jobs.push(Leased { lease: it.lease, attempt: it.attempt, job });
    }
    handout.take();
    Ok(Json(LeaseAnswer { jobs }))
}

/// `POST /worker/v1/leases/{lease}/renew`
pub(super) async fn renew_lease(
    State(state): State<AppState>,
    Caller(worker): Caller,
    path: Result<Path<Uuid>, PathRejection>,
) -> Result<Json<Renewed>, Error> {
    let lease = input::lease(path)?;
    let limits = state.config.queue_limits();
    state.store.see_worker(worker.id).await?;
    match state.store.renew(lease, worker.id, &limits).await? {
        true => Ok(Json(Renewed { runs_s: limits.lease.as_secs() })),
        false => Err(lost()),
    }
}

/// What is told of a lease that is not, or no longer, the caller's.
pub(super) fn lost() -> Error {
    Error::Gone("This lease is lost: the job is somebody else's, or over.".to_owned())
}

fn build_job(state: &AppState, lease: Uuid, build: &LeasedBuild) -> Result<BuildJob, Error> {
    let game = state
        .games
        .get(&build.game)
        .ok_or_else(|| Error::internal(format!("no game {} here", build.game)))?;
    let seat = game.roles().iter().position(|it| *it == build.role).unwrap_or_default();
    let setup = state
        .ladders
        .of(&build.game)
        .first()
        .ok_or_else(|| Error::internal(format!("no ladder of {}", build.game)))?;
    let known = build.known.iter().map(|(recipe, artefact)| KnownBuild {
        recipe: recipe.clone(),
        artefact: state.signer.input(artefact),
    });
    let known = known.collect();
    Ok(BuildJob {
        version: build.version,
        game: build.game.clone(),
        seat: Seat(seat as u8),
        language: build.language.clone(),
        file_name: build.file_name.clone(),
        source: state.signer.input(&build.source),
        artefact: state.signer.upload(lease, state.config.limits.artefact_bytes_max),
        known,
        setup: setup.setup.clone(),
    })
}

fn match_job(state: &AppState, lease: Uuid, played: &LeasedMatch) -> Result<MatchJob, Error> {
    let seats: PerSeat<Option<SeatJob>> = played.seats.map(|_, it| {
        it.as_ref().map(|it| SeatJob {
            version: it.version,
            language: it.language.clone(),
            artefact: state.signer.input(&it.artefact),
        })
    });
    let has_people = seats.iter().any(|(_, it)| it.is_none());
    let left_s = (state.config.queue.people_match_s as f64 - played.played_s).max(1.0) as u64;
    let frame = |it: &String| serde_json::from_str(it).map_err(Error::internal);
    Ok(MatchJob {
        match_id: played.match_id,
        game: played.game.clone(),
        rules: played.rules,
        setup: played.setup.clone(),
        seats,
        played: played.played.iter().map(frame).collect::<Result<_, _>>()?,
        left_s: has_people.then_some(left_s),
        record: state.signer.upload(lease, state.config.limits.record_bytes_max),
    })
}
