//! Drives a referee with jailed processes, and builds uploads.
//!
//! Knows processes, pipes and clocks, and languages as data; knows no game, no
//! server and no job.

#![forbid(unsafe_code)]

mod build;
mod cache;
mod command;
mod compliance;
mod excerpt;
mod fairness;
mod feed;
mod jailed;
mod language;
mod pack;
mod plain;
mod plan;
mod play;
mod player;
mod probe;
mod process;
mod table;
mod tally;

/// Who makes jails, and what it says of them: passed through, so that a worker needs no more of them.
pub use sandbox::{Client, HelloError, Report, doctor};

/// What an upload may be: passed through likewise.
pub use sources::{self, Sources};

/// All of it, for tests that need a launcher.
#[cfg(feature = "test-kit")]
pub use sandbox;

pub use crate::{
    build::{BuildError, Built, Order, SAID_BYTES_MAX, build},
    cache::{Artefact, Cache, CacheError},
    compliance::{ANSWERS_MAX, Compliance, ComplianceError, REMARKS_MAX, comply},
    excerpt::Excerpt,
    fairness::{Charge, Disturbance, Fairness},
    feed::{BATCH_PLIES_MAX, BATCH_WAIT, Batch},
    jailed::{Jailed, JailedProgram},
    language::{
        Build, Class, ClassError, FILE_BYTES_MAX, Keeps, LANGUAGES_MAX, Language, LanguageError,
        Languages, PATH, Places, Run, Source, Toolchain,
    },
    pack::{FILES_BYTES_MAX, FILES_MAX, Pack, PackError},
    plain::{Plain, PlainProgram},
    plan::{Plan, PlanError},
    play::{Deed, FromPeople, Played, Terms, Wires, pack_record, play},
    probe::{stamp, version, warm_up},
    process::{Ended, Pipes, Process, Program, Rest, StartError, Trouble, causes},
    table::PlayError,
    tally::SeatReport,
};
