//! Matches: in lists, one with all that is known of it, its replay and its record.

use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use store::{MatchFilter, MatchSeat, MatchState, Purpose};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{
    caller::Anybody,
    listing::{Listed, Page, PageParams, cursor},
    shapes::MatchShape,
};
use crate::{
    AppState,
    pages::{Path, Refusal, Waits, parse_id, record_of, replay_of},
    shipped::is_spelled_out,
    views::is_told,
};

/// What a list is narrowed to.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchParams {
    /// Of this game.
    game: Option<String>,
    /// With this bot.
    bot: Option<Uuid>,
    /// In this state.
    #[param(inline)]
    state: Option<StateParam>,
    /// Made for this purpose.
    #[param(inline)]
    purpose: Option<PurposeParam>,
    /// In which order.
    #[param(inline)]
    sort: Option<Sort>,
}

/// A state of matches.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum StateParam {
    Queued,
    Running,
    Finished,
    Void,
}

/// What matches are for.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum PurposeParam {
    Validation,
    Ladder,
    Friendly,
}

/// An order of matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Sort {
    /// Those made last first; so it is where nothing is said.
    Newest,
    /// Those made first first.
    Oldest,
}

/// A match, with all that is known of it.
#[derive(Debug, Serialize, ToSchema)]
struct MatchDetail {
    #[serde(flatten)]
    row: MatchShape,
    /// Version of the rules.
    rules: i32,
    /// What its set-up is called, where it is one of the ladder or of a pool.
    preset: Option<String>,
    /// Why it is void.
    void_why: Option<String>,
    /// Who wanted it, by name; none: the ladder.
    created_by: Option<String>,
    /// How it waits, in words.
    wait: Option<String>,
    /// Plies played; of a running match, those that are known.
    plies: i32,
    record_sha256: Option<String>,
    record_bytes: Option<i64>,
    /// Attempts that failed, by our fault.
    failed_attempts: i64,
    /// What is known of each seat, in their order.
    reports: Vec<ReportShape>,
}

/// What is known of a seat.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeatReport)]
struct ReportShape {
    language: Option<String>,
    rating_before: Option<f64>,
    deviation_before: Option<f64>,
    rating_after: Option<f64>,
    deviation_after: Option<f64>,
    faults: Option<u32>,
    warnings: Option<u32>,
    /// Thinking time charged.
    charged_ms: Option<u64>,
    /// Longest single answer.
    slowest_ms: Option<u64>,
    /// Processor time used.
    cpu_ms: Option<u64>,
    memory_peak_bytes: Option<u64>,
    /// Its standard error; for its owner.
    stderr: Option<String>,
}

impl ReportShape {
    fn of(seat: MatchSeat, sees_all: bool) -> ReportShape {
        let report = seat.report.as_ref();
        ReportShape {
            rating_before: seat.before.map(|it| it.0),
            deviation_before: seat.before.map(|it| it.1),
            rating_after: seat.after.map(|it| it.0),
            deviation_after: seat.after.map(|it| it.1),
            faults: report.map(|it| it.faults),
            warnings: report.map(|it| it.warnings),
            charged_ms: report.map(|it| it.charged_ms),
            slowest_ms: report.map(|it| it.slowest_ms),
            cpu_ms: report.map(|it| it.cpu_ms),
            memory_peak_bytes: report.map(|it| it.memory_peak_bytes),
            language: seat.language,
            stderr: seat.report.filter(|_| sees_all).map(|it| it.stderr),
        }
    }
}

/// Matches
#[utoipa::path(
    get, path = "/matches", tag = "matches", security((), ("token" = ["read"])),
    params(MatchParams, PageParams),
    responses((status = 200, description = "In the order in which they were made", content(
        (Page<MatchShape> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_matches(
    State(state): State<AppState>,
    listed: Listed<MatchParams>,
) -> Result<Response, Refusal> {
    let MatchParams { game, bot, state: of_state, purpose, sort } = &listed.filter;
    if let Some(game) = game {
        state.site.catalogue.find(game)?;
    }
    if let Some(bot) = bot {
        state.store.bot_name(*bot).await?.ok_or_else(|| Refusal::unknown("bot"))?;
    }
    let oldest_first = *sort == Some(Sort::Oldest);
    let kind = if oldest_first { "matches-up" } else { "matches" };
    let (before, after) = match (oldest_first, listed.after::<Uuid>(kind)?) {
        (true, position) => (None, position),
        (false, position) => (position, None),
    };
    let filter = MatchFilter {
        game: game.clone(),
        bot: *bot,
        state: of_state.map(MatchState::from),
        purpose: purpose.map(Purpose::from),
        before,
        after,
        oldest_first,
        matches_max: i64::from(listed.limit) + 1,
    };
    let mut rows = state.store.matches(&filter).await?;
    let more = rows.len() > usize::from(listed.limit);
    rows.truncate(usize::from(listed.limit));
    let next = rows.last().filter(|_| more).map(|it| cursor(kind, it.id));
    let items = rows.iter().map(|it| MatchShape::of(&state, it)).collect();
    listed.respond(&Page { items, next })
}

/// One match
#[utoipa::path(
    get, path = "/matches/{match}", tag = "matches", security((), ("token" = ["read"])),
    params(("match" = Uuid, Path, description = "Which")),
    responses((status = 200, description = "The match", body = MatchDetail))
)]
pub(super) async fn show_match(
    State(state): State<AppState>,
    Anybody(caller): Anybody,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Refusal> {
    let page = state.store.match_page(parse_id("match", &id)?).await?;
    let page = page.ok_or_else(|| Refusal::unknown("match"))?;
    let waits = Waits::of(&state, [&page.row]).await?;
    let sees_all_of = |no: usize| {
        let owner = page.row.seats.get(no).map(|it| it.account);
        owner.is_some_and(|owner| caller.as_ref().is_some_and(|it| it.may_see_all_of(owner)))
    };
    let reports = page.seats.into_iter().enumerate();
    let reports = reports.map(|(no, it)| ReportShape::of(it, sees_all_of(no))).collect();
    // Its name alone would lead whoever plays by hand to what they have yet to find out.
    let preset = page.preset.filter(|_| is_told(&page.row));
    Ok(Json(MatchDetail {
        reports,
        preset: preset.filter(|name| !is_spelled_out(name, &page.row.setup)),
        rules: page.rules,
        void_why: page.void_why,
        created_by: page.created_by,
        wait: waits.words(page.row.id).map(str::to_owned),
        plies: page.plies,
        record_sha256: page.record_digest,
        record_bytes: page.record_bytes,
        failed_attempts: page.failed_attempts,
        row: MatchShape::of(&state, &page.row),
    }))
}

/// Its replay
///
/// Every position, for viewers. It never changes.
#[utoipa::path(
    get, path = "/matches/{match}/replay", tag = "matches", security((), ("token" = ["read"])),
    params(("match" = Uuid, Path, description = "Of which match; it has to be finished")),
    responses(
        (status = 200, description = "The replay", body = Object, content_type = "application/json"),
        (status = 409, description = "The match is not over yet", body = crate::Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "There is none any more", body = crate::Problem,
            content_type = "application/problem+json"),
    )
)]
pub(super) async fn send_replay(
    State(state): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    replay_of(&state, parse_id("match", &id)?, &headers).await
}

/// Its record
///
/// Set-up, plies and times, as they are stored: JSON, packed by Zstandard. It never changes.
#[utoipa::path(
    get, path = "/matches/{match}/record", tag = "matches", security((), ("token" = ["read"])),
    params(("match" = Uuid, Path, description = "Of which match; it has to be finished")),
    responses(
        (status = 200, description = "The record", body = Vec<u8>, content_type = "application/zstd"),
        (status = 409, description = "The match is not over yet", body = crate::Problem,
            content_type = "application/problem+json"),
        (status = 410, description = "There is none any more", body = crate::Problem,
            content_type = "application/problem+json"),
    )
)]
pub(super) async fn send_record(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    record_of(&state, parse_id("match", &id)?).await
}

impl From<StateParam> for MatchState {
    fn from(it: StateParam) -> MatchState {
        match it {
            StateParam::Queued => MatchState::Queued,
            StateParam::Running => MatchState::Running,
            StateParam::Finished => MatchState::Finished,
            StateParam::Void => MatchState::Void,
        }
    }
}

impl From<PurposeParam> for Purpose {
    fn from(it: PurposeParam) -> Purpose {
        match it {
            PurposeParam::Validation => Purpose::Validation,
            PurposeParam::Ladder => Purpose::Ladder,
            PurposeParam::Friendly => Purpose::Friendly,
        }
    }
}
