//! From source to a version that can play.

use game::{Fault, RemarkKind};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Input, Upload, Uploaded};

/// What is kept of a compiler's output, in bytes.
pub const BUILD_LOG_BYTES_MAX: usize = 64 << 10;

/// Most earlier builds of one source that a job tells of: one for each toolchain of a mixed fleet.
pub const KNOWN_MAX: usize = 4;

/// Make a version ready to play.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BuildJob {
    /// Which version.
    pub version: Uuid,
    /// Game it is entered for.
    pub game: String,
    /// Seat of its role.
    pub seat: game::Seat,
    /// Name of a file in `config/languages`.
    pub language: String,
    /// Name the source was uploaded under: one plain file name.
    pub file_name: String,
    /// The source.
    pub source: Input,
    /// Where the artefact goes.
    pub artefact: Upload,
    /// What was built of the same source before, at most [`KNOWN_MAX`].
    #[serde(default)]
    pub known: Vec<KnownBuild>,
    /// A set-up for the compliance dialogue.
    pub setup: serde_json::Value,
}

/// A program that was built of the same source in the same language.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KnownBuild {
    /// [`BuildReport::recipe`] of that build: who would build by the same one need not.
    pub recipe: String,
    /// What was built.
    pub artefact: Input,
}

/// What came of a build.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BuildReport {
    /// What was built; none where the compiler refused the source.
    pub artefact: Option<Uploaded>,
    /// What the compiler said, at most [`BUILD_LOG_BYTES_MAX`], NULs replaced.
    pub log: String,
    /// Why there is no artefact, in words for the owner.
    pub why: Option<String>,
    /// What the toolchain says of its version.
    pub toolchain: String,
    /// SHA-256, in lower-case hex, of all that decides what comes of a source: toolchain,
    /// commands, names. None where no name for the source was found.
    #[serde(default)]
    pub recipe: Option<String>,
    /// The artefact is one of [`BuildJob::known`], and was not built, nor put anywhere. Then
    /// `log` and `build_ms` count for nothing: those of the build it comes from are known.
    #[serde(default)]
    pub reused: bool,
    /// Time the build took, in milliseconds.
    pub build_ms: u64,
    /// How the program answered when asked alone; none where it was not built.
    pub compliance: Option<Compliance>,
}

/// How a program answered its first questions, before it meets anybody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compliance {
    /// Questions it answered.
    pub answers: u32,
    /// What ended the dialogue before its time.
    pub fault: Option<Fault>,
    /// Its log lines, and our warnings.
    pub remarks: Vec<(RemarkKind, String)>,
    /// The last of its standard error.
    pub stderr: String,
    /// Time to the first answer, in milliseconds.
    pub first_answer_ms: u64,
}
