//! What a server says to a worker, from memory and without a database.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{get, post, put},
};
use jobs::{
    Deed, Deeds, DeedsRequest, Frames, Hello, Input, Job, LeaseAnswer, LeaseRequest, Leased,
    MatchJob, Renewed, Report, Upload, Welcome,
};
use sha2::{Digest, Sha256};
use tokio::{net::TcpListener, sync::Notify};
use uuid::Uuid;

/// Shared by all handlers and the case.
#[derive(Clone, Default)]
pub(crate) struct StandIn(Arc<Inner>);

#[derive(Default)]
struct Inner {
    said: Mutex<Said>,
    changed: Notify,
}

/// What was said, and what is to be answered.
#[derive(Default)]
pub(crate) struct Said {
    pub(crate) hellos: Vec<Hello>,
    jobs: VecDeque<Leased>,
    with_people: VecDeque<Leased>,
    /// What the person of a match does in each of their turns, which are all the odd plies.
    pub(crate) does: Vec<serde_json::Value>,
    /// Plies for which that was told.
    told: Vec<(Uuid, u32)>,
    blobs: HashMap<String, Vec<u8>>,
    /// By the last part of their address.
    pub(crate) uploads: HashMap<String, Vec<u8>>,
    pub(crate) plies: HashMap<Uuid, Vec<String>>,
    pub(crate) renewals: u32,
    pub(crate) reports: Vec<(Uuid, Report)>,
    /// Every report that came, as it came.
    pub(crate) report_bytes: Vec<Bytes>,
    pub(crate) turns_away: bool,
    pub(crate) leases_are_lost: bool,
    /// Requests of each kind that fail before one gets through.
    pub(crate) failures: u32,
}

impl StandIn {
    pub(crate) fn router(&self) -> Router {
        Router::new()
            .route("/worker/v1/hello", post(hello))
            .route("/worker/v1/lease", post(lease))
            .route("/worker/v1/leases/{lease}/renew", post(renew))
            .route("/worker/v1/leases/{lease}/plies", post(plies))
            .route("/worker/v1/leases/{lease}/deeds", post(deeds))
            .route("/worker/v1/leases/{lease}/report", post(report))
            .route("/blobs/{digest}", get(blob))
            .route("/uploads/{name}", put(upload))
            .layer(axum::extract::DefaultBodyLimit::max(64 << 20))
            .with_state(self.clone())
    }

    pub(crate) async fn serve(self, listener: TcpListener) {
        axum::serve(listener, self.router()).await.expect("serving");
    }

    pub(crate) fn said<T>(&self, look: impl FnOnce(&mut Said) -> T) -> T {
        look(&mut self.0.said.lock().expect("no handler panics"))
    }

    /// Hands out a match with a person in it.
    pub(crate) fn hand_out_with_people(&self, attempt: u32, job: MatchJob) -> Uuid {
        let lease = Uuid::new_v4();
        self.said(|it| {
            let known = job.played.iter().map(ToString::to_string).collect();
            it.plies.insert(lease, known);
            it.with_people.push_back(Leased { lease, attempt, job: Job::Match(job) });
        });
        self.0.changed.notify_waiters();
        lease
    }

    /// Hands out a job.
    pub(crate) fn hand_out(&self, job: Job) -> Uuid {
        let lease = Uuid::new_v4();
        self.said(|it| it.jobs.push_back(Leased { lease, attempt: 1, job }));
        self.0.changed.notify_waiters();
        lease
    }

    /// Bytes to be fetched.
    pub(crate) fn input(&self, bytes: &[u8]) -> Input {
        let digest = hex::encode(Sha256::digest(bytes));
        self.said(|it| it.blobs.insert(digest.clone(), bytes.to_vec()));
        Input { url: format!("/blobs/{digest}"), digest, bytes: bytes.len() as u64 }
    }

    pub(crate) fn upload(&self, name: &str) -> Upload {
        Upload { url: format!("/uploads/{name}"), bytes_max: 16 << 20 }
    }

    /// Waits until something is there to see.
    pub(crate) async fn wait_for<T>(&self, mut look: impl FnMut(&mut Said) -> Option<T>) -> T {
        let waited = async {
            loop {
                let changed = self.0.changed.notified();
                if let Some(found) = self.said(&mut look) {
                    return found;
                }
                let _ = tokio::time::timeout(Duration::from_millis(20), changed).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), waited).await.expect("it comes in time")
    }

    pub(crate) async fn report(&self, lease: Uuid) -> Report {
        self.wait_for(|it| {
            it.reports.iter().find(|(of, _)| *of == lease).map(|(_, report)| report.clone())
        })
        .await
    }
}

async fn hello(State(it): State<StandIn>, Json(hello): Json<Hello>) -> Response {
    if it.said(|it| it.turns_away) {
        return (StatusCode::UNAUTHORIZED, "who are you?").into_response();
    }
    if let Some(failure) = fails(&it) {
        return failure;
    }
    it.said(|it| it.hellos.push(hello));
    Json(Welcome { worker: "w".to_owned(), renew_s: 1 }).into_response()
}

async fn lease(State(it): State<StandIn>, Json(request): Json<LeaseRequest>) -> Response {
    if it.said(|it| it.turns_away) {
        return (StatusCode::UNAUTHORIZED, "who are you?").into_response();
    }
    let wait = Duration::from_secs(request.wait_s.min(2));
    let take = || {
        it.said(|it| {
            let n = (request.jobs_max as usize).min(it.jobs.len());
            let n_people = (request.people_max as usize).min(it.with_people.len());
            let people = it.with_people.drain(..n_people).collect::<Vec<_>>();
            it.jobs.drain(..n).chain(people).collect::<Vec<_>>()
        })
    };
    let changed = it.0.changed.notified();
    let mut jobs = take();
    if jobs.is_empty() {
        let _ = tokio::time::timeout(wait, changed).await;
        jobs = take();
    }
    Json(LeaseAnswer { jobs }).into_response()
}

async fn renew(State(it): State<StandIn>) -> Response {
    let lost = it.said(|it| {
        it.renewals += 1;
        it.leases_are_lost
    });
    match lost {
        true => (StatusCode::GONE, "lost").into_response(),
        false => Json(Renewed { runs_s: 3 }).into_response(),
    }
}

async fn plies(
    State(it): State<StandIn>,
    Path(lease): Path<Uuid>,
    Json(frames): Json<Frames>,
) -> Response {
    it.said(|it| {
        let plies = it.plies.entry(lease).or_default();
        if frames.from as usize != plies.len() {
            return (StatusCode::CONFLICT, "a gap").into_response();
        }
        plies.extend(frames.plies.iter().map(|it| it.get().to_owned()));
        StatusCode::NO_CONTENT.into_response()
    })
}

/// What the person does next, as soon as the match waits for them.
async fn deeds(
    State(it): State<StandIn>,
    Path(lease): Path<Uuid>,
    Json(request): Json<DeedsRequest>,
) -> Json<Deeds> {
    let next = || {
        it.said(|it| {
            let ply = it.plies.get(&lease).map_or(0, Vec::len) as u32;
            let action = it.does.get(ply as usize / 2).filter(|_| ply % 2 == 1)?.clone();
            if it.told.contains(&(lease, ply)) {
                return None;
            }
            it.told.push((lease, ply));
            Some(Deed { ply, seat: game::Seat(1), action, log: Vec::new() })
        })
    };
    for _ in 0..request.wait_s * 100 {
        if let Some(deed) = next() {
            let last = i64::from(deed.ply) + 1;
            return Json(Deeds { deeds: vec![deed], last });
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Json(Deeds { deeds: Vec::new(), last: request.after })
}

async fn report(State(it): State<StandIn>, Path(lease): Path<Uuid>, body: Bytes) -> Response {
    it.said(|it| it.report_bytes.push(body.clone()));
    if let Some(failure) = fails(&it) {
        return failure;
    }
    let report = serde_json::from_slice(&body).expect("a report");
    it.said(|it| it.reports.push((lease, report)));
    it.0.changed.notify_waiters();
    StatusCode::NO_CONTENT.into_response()
}

async fn blob(State(it): State<StandIn>, Path(digest): Path<String>) -> Response {
    match it.said(|it| it.blobs.get(&digest).cloned()) {
        Some(bytes) => bytes.into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn upload(State(it): State<StandIn>, Path(name): Path<String>, body: Bytes) -> StatusCode {
    it.said(|it| it.uploads.insert(name, body.to_vec()));
    StatusCode::NO_CONTENT
}

fn fails(it: &StandIn) -> Option<Response> {
    it.said(|it| {
        it.failures = it.failures.checked_sub(1)?;
        Some((StatusCode::SERVICE_UNAVAILABLE, "not now").into_response())
    })
}
