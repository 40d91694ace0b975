//! Who takes which job, until when, and what comes of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{BuildJob, BuildReport, MatchJob, MatchReport};

/// Longest wait of a lease request, in seconds.
pub const POLL_S_MAX: u64 = 20;

/// A worker introduces itself; said at start and again whenever something in it changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Version of the program.
    pub version: String,
    /// Drawn anew at each start: leases of an earlier start are lost, and their
    /// jobs can be given out again at once.
    pub start: Uuid,
    /// Most jobs it takes at once, those with people not counted.
    pub slots: u32,
    /// Most matches with people that it plays at once.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub people_slots: u32,
    /// What it can build and run, and what not and why.
    pub languages: Vec<Language>,
    /// Protections of its jail: name to what is in force.
    pub jail: BTreeMap<String, String>,
}

/// One language, as found on a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// Name of its file in `config/languages`.
    pub id: String,
    /// What its toolchain says of its version; `Err` says why it cannot be used.
    pub toolchain: Result<String, String>,
}

/// The answer to a [`Hello`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Welcome {
    /// Name under which the server knows this worker.
    pub worker: String,
    /// Renew each lease this often, in seconds; it runs for three times as long.
    pub renew_s: u64,
}

/// Asks for jobs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeaseRequest {
    /// Most jobs wanted now, those with people not counted.
    pub jobs_max: u32,
    /// Most matches with people wanted now; of all together at least 1.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub people_max: u32,
    /// How long to wait for one, in seconds, at most [`POLL_S_MAX`].
    pub wait_s: u64,
}

/// What there is to do; may be nothing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LeaseAnswer {
    /// In order of urgency.
    pub jobs: Vec<Leased>,
}

/// A job, handed out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Leased {
    /// Unguessable, and bound to the worker it was given to.
    pub lease: Uuid,
    /// Counts from 1; a job that was lost comes again with the next number.
    pub attempt: u32,
    /// What to do.
    pub job: Job,
}

/// What to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Job {
    /// Make a version ready to play.
    Build(BuildJob),
    /// Play a match.
    Match(MatchJob),
}

/// A lease runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Renewed {
    /// From now, in seconds.
    pub runs_s: u64,
}

/// Bytes to fetch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// SHA-256, in lower-case hex; the worker checks it.
    pub digest: String,
    /// How many.
    pub bytes: u64,
    /// Signed, and good for minutes. A path is meant below the server's own address.
    pub url: String,
}

/// A place to put bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upload {
    /// Signed, and good for as long as a lease can last. A path is meant below the server's own address.
    pub url: String,
    /// More is refused.
    pub bytes_max: u64,
}

/// Bytes that were put into an [`Upload`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uploaded {
    /// SHA-256, in lower-case hex.
    pub digest: String,
    /// How many.
    pub bytes: u64,
}

/// What came of a job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Report {
    /// Of a [`BuildJob`]; that the source does not compile is a result.
    Built(Box<BuildReport>),
    /// Of a [`MatchJob`]; a bot's fault is a result.
    Played(Box<MatchReport>),
    /// Ours, never a bot's: the attempt is void and the job comes again.
    Failed(Failure),
}

/// Why an attempt is void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// For the operator, causes included.
    pub what: String,
}

/// What is none need not be said: servers of before do not know the word.
fn is_zero(it: &u32) -> bool {
    *it == 0
}
