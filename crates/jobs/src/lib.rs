//! What server and workers say to each other: job, lease, frame, report.
//!
//! Plain JSON over HTTPS, asked by the worker, which holds nothing but its own
//! token. This crate knows neither database, nor jail, nor any game: set-ups,
//! records and outcomes pass through as they are.
//!
//! | request | body | answer |
//! |---|---|---|
//! | `POST /worker/v1/hello` | [`Hello`] | [`Welcome`] |
//! | `POST /worker/v1/lease` | [`LeaseRequest`] | [`LeaseAnswer`], after at most [`POLL_S_MAX`] |
//! | `POST /worker/v1/leases/{lease}/renew` | - | [`Renewed`], or 410 where the lease is lost |
//! | `POST /worker/v1/leases/{lease}/plies` | [`Frames`] | 204, or 410 |
//! | `POST /worker/v1/leases/{lease}/deeds` | [`DeedsRequest`] | [`Deeds`], after at most [`POLL_S_MAX`]; 410 |
//! | `POST /worker/v1/leases/{lease}/report` | [`Report`] | 204; 410 where the lease is lost and the report counts for nothing |
//! | `GET` of [`Input::url`] | - | the bytes |
//! | `PUT` to [`Upload::url`] | the bytes | 204 |
//!
//! A report may be sent again after a broken connection: the second one of the
//! same lease with the same content is answered 204 as well, and changes nothing.

mod build;
mod lease;
mod play;

pub use crate::{
    build::{BUILD_LOG_BYTES_MAX, BuildJob, BuildReport, Compliance, KNOWN_MAX, KnownBuild},
    lease::{
        Failure, Hello, Input, Job, Language, LeaseAnswer, LeaseRequest, Leased, POLL_S_MAX,
        Renewed, Report, Upload, Uploaded, Welcome,
    },
    play::{
        Deed, Deeds, DeedsRequest, Frames, MatchJob, MatchReport, STDERR_BYTES_MAX, SeatJob,
        SeatReport,
    },
};
