//! Versions of bots: uploads, what came of building them, and their sources.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use game::RemarkKind;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    account::Nothing,
    bots::{self, Uploaded},
    caller::{Admitted, Anybody, Player, Reader},
    input::{Params, Raw},
    listing::{Listed, Page, PageParams},
};
use crate::{
    AppState,
    pages::{Path, Refusal, find_version, own_bot, parse_id, send_source_to},
    views::fault_words,
};

/// Most versions that are listed.
const VERSIONS_MAX: i64 = 5000;

/// A version of a bot.
#[derive(Debug, Serialize, ToSchema)]
struct Version {
    /// Counts from 1 for each bot.
    number: i32,
    language: String,
    /// What the source was called.
    file_name: String,
    source_bytes: i64,
    /// `queued`, `building`, `ready`, `refused` or `failed`; may grow.
    state: &'static str,
    /// Why it cannot play.
    why: Option<String>,
    created_at: DateTime<Utc>,
    /// Whether it is the one that plays.
    active: bool,
    /// Finished matches.
    matches: i64,
    /// Finished matches in which it was at fault.
    faults: i64,
}

/// A version, with all that is known of it.
#[derive(Debug, Serialize, ToSchema)]
struct VersionDetail {
    /// Counts from 1 for each bot.
    number: i32,
    language: String,
    /// What the source was called.
    file_name: String,
    source_sha256: String,
    source_bytes: i64,
    /// `queued`, `building`, `ready`, `refused` or `failed`; may grow.
    state: &'static str,
    /// Why it cannot play.
    why: Option<String>,
    created_at: DateTime<Utc>,
    built_at: Option<DateTime<Utc>>,
    /// Whether it is the one that plays.
    active: bool,
    /// What the toolchain says of its version.
    toolchain: Option<String>,
    build_ms: Option<i64>,
    /// Whether another version of the same source was built by the same recipe before.
    reused: bool,
    artefact_bytes: Option<i64>,
    /// What the compiler said; for its owner.
    build_log: Option<String>,
    /// How it answered its first questions, alone; for its owner.
    compliance: Option<ComplianceShape>,
}

/// How a version answered when it was asked alone.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Compliance)]
struct ComplianceShape {
    /// Questions it answered.
    answers: u32,
    /// What ended the dialogue before its time.
    fault: Option<String>,
    /// Its log lines, and warnings of the judge.
    remarks: Vec<RemarkShape>,
    /// The last of its standard error.
    stderr: String,
    first_answer_ms: u64,
}

/// Something it said for the log, or the judge of it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Remark)]
struct RemarkShape {
    /// `log` or `warning`.
    kind: &'static str,
    text: String,
}

/// A version to be made. Its source is the body: a file, or several in a zip or a tar.gz.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct NewVersion {
    /// In which language it is written; guessed where nothing is said.
    language: Option<String>,
    /// What the source is called; of some languages this matters.
    file_name: Option<String>,
}

/// Its versions
#[utoipa::path(
    get, path = "/bots/{bot}/versions", tag = "bots", security((), ("token" = ["read"])),
    params(("bot" = Uuid, Path, description = "Of which bot"), PageParams),
    responses((status = 200, description = "The newest first", content(
        (Page<Version> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_versions(
    State(state): State<AppState>,
    Path(id): Path<String>,
    listed: Listed<Nothing>,
) -> Result<Response, Refusal> {
    let id = parse_id("bot", &id)?;
    let bot = state.store.bot_page(id).await?.ok_or_else(|| Refusal::unknown("bot"))?;
    let versions = state.store.versions_of(id, VERSIONS_MAX).await?;
    let versions = versions.into_iter().map(|it| Version {
        active: Some(it.id) == bot.active_version,
        number: it.number,
        language: it.language,
        file_name: it.file_name,
        source_bytes: it.source_bytes,
        state: it.state.as_str(),
        why: it.why,
        created_at: it.created_at,
        matches: it.matches,
        faults: it.faults,
    });
    let page = listed.part("versions", versions.collect())?;
    listed.respond(&page)
}

/// Upload a version
///
/// It is judged, kept, and queued to be built; once that is done, the bot plays with it.
#[utoipa::path(
    post, path = "/bots/{bot}/versions", tag = "bots", security(("token" = ["play"])),
    params(("bot" = Uuid, Path, description = "Of which bot, of your own"), NewVersion),
    request_body(content = Vec<u8>, content_type = "application/octet-stream",
        description = "The source: a file, a zip or a tar.gz"),
    responses((status = 201, description = "It is made", body = Uploaded))
)]
pub(super) async fn create_version(
    State(state): State<AppState>,
    Player(caller): Player,
    admitted: Admitted,
    Path(id): Path<String>,
    Params(new): Params<NewVersion>,
    Raw(source): Raw,
) -> Result<Response, Refusal> {
    let bot = own_bot(&state, &id, caller.account.id).await?.to_string();
    let NewVersion { language, file_name } = new;
    let fields = [("bot", Some(bot)), ("language", language), ("file_name", file_name)];
    bots::upload(&state, &admitted, caller.account.id, fields.into_iter(), source).await
}

/// One version
#[utoipa::path(
    get, path = "/bots/{bot}/versions/{number}", tag = "bots", security((), ("token" = ["read"])),
    params(
        ("bot" = Uuid, Path, description = "Of which bot"),
        ("number" = i32, Path, description = "Which of its versions", minimum = 1),
    ),
    responses((status = 200, description = "The version", body = VersionDetail))
)]
pub(super) async fn show_version(
    State(state): State<AppState>,
    Anybody(caller): Anybody,
    Path((bot, number)): Path<(String, String)>,
) -> Result<impl IntoResponse, Refusal> {
    let (bot, it) = find_version(&state, &bot, &number).await?;
    let sees_all = caller.is_some_and(|it| it.may_see_all_of(bot.account));
    let kind = |it| match it {
        RemarkKind::Log => "log",
        RemarkKind::Warning => "warning",
    };
    let compliance = it.compliance.map(|it| ComplianceShape {
        answers: it.answers,
        fault: it.fault.as_ref().map(fault_words),
        remarks: it
            .remarks
            .into_iter()
            .map(|(of, text)| RemarkShape { kind: kind(of), text })
            .collect(),
        stderr: it.stderr,
        first_answer_ms: it.first_answer_ms,
    });
    Ok(Json(VersionDetail {
        number: it.number,
        language: it.language,
        file_name: it.file_name,
        source_sha256: it.source_digest,
        source_bytes: it.source_bytes,
        state: it.state.as_str(),
        why: it.why,
        created_at: it.created_at,
        built_at: it.built_at,
        active: Some(it.id) == bot.active_version,
        toolchain: it.toolchain,
        build_ms: it.build_ms,
        reused: it.reused,
        artefact_bytes: it.artefact_bytes,
        build_log: it.build_log.filter(|_| sees_all),
        compliance: compliance.filter(|_| sees_all),
    }))
}

/// Its source
///
/// For its owner alone.
#[utoipa::path(
    get, path = "/bots/{bot}/versions/{number}/source", tag = "bots",
    security(("token" = ["read"])),
    params(
        ("bot" = Uuid, Path, description = "Of which bot, of your own"),
        ("number" = i32, Path, description = "Which of its versions", minimum = 1),
    ),
    responses((status = 200, description = "As it was uploaded", content(
        (Vec<u8> = "application/octet-stream"),
        (Vec<u8> = "application/zip"),
        (Vec<u8> = "application/gzip"),
    )))
)]
pub(super) async fn send_source(
    State(state): State<AppState>,
    Reader(caller): Reader,
    Path((bot, number)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let (bot, version) = find_version(&state, &bot, &number).await?;
    send_source_to(&state, caller.account.id, &bot, &version).await
}
