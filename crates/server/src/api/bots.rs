//! Bots: made by an upload, put on the ladder and taken off it, and what went wrong.

use std::collections::BTreeMap;

use axum::{
    Json,
    body::Bytes,
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::{
    ROOT,
    account::Nothing,
    caller::{Admitted, Player, Reader},
    input::{Body, Params, Raw},
    listing::{Listed, Page, PageParams},
    shapes::{FaultShape, StandingShape},
};
use crate::{
    AppState, Error,
    auth::Act,
    pages::{
        NotReceived, Path, Received, Refusal, bench, own_bot, parse_id, read_bytes, receive_version,
    },
};

/// Most failures that are listed.
const FAILURES_MAX: i64 = 5000;
/// Most points of a curve.
const RATINGS_MAX: i64 = 5000;

/// A bot.
#[derive(Debug, Serialize, ToSchema)]
struct Bot {
    id: Uuid,
    game: String,
    role: String,
    name: String,
    /// Its owner, by name.
    owner: String,
    /// Whether it is a documented bot of the house.
    house: bool,
    /// `waiting`, `validating`, `active` or `benched`; may grow.
    state: &'static str,
    /// Who took it off the ladder: `owner` or `fault`; may grow.
    benched_by: Option<&'static str>,
    /// And why.
    benched_why: Option<String>,
    /// Number of the version that plays.
    active_version: Option<i32>,
    created_at: DateTime<Utc>,
    standing: Option<StandingShape>,
}

/// A bot to be made. Its source is the body: a file, or several in a zip or a tar.gz.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(super) struct NewBot {
    /// Of which game.
    game: String,
    /// In which role.
    role: String,
    /// What it is called.
    #[param(min_length = 2, max_length = 32)]
    name: String,
    /// In which language it is written; guessed where nothing is said.
    language: Option<String>,
    /// What the source is called; of some languages this matters.
    file_name: Option<String>,
}

/// A version that was uploaded.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Uploaded {
    bot: Uuid,
    /// Counts from 1 for each bot.
    version: i32,
}

/// Which version is to play.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ActiveVersion {
    /// Its number.
    #[schema(minimum = 1)]
    version: i32,
}

/// A match in which a bot was at fault.
#[derive(Debug, Serialize, ToSchema)]
struct Failure {
    #[serde(rename = "match")]
    match_id: Uuid,
    /// Number of the version that played.
    version: i32,
    finished_at: Option<DateTime<Utc>>,
    fault: FaultShape,
}

/// A point of a rating's curve.
#[derive(Debug, Serialize, ToSchema)]
struct RatingPoint {
    rating: f64,
    deviation: f64,
}

/// Make a bot
///
/// Its source is judged, kept, and queued to be built; once that is done, it plays.
#[utoipa::path(
    post, path = "/bots", tag = "bots", security(("token" = ["play"])), params(NewBot),
    request_body(content = Vec<u8>, content_type = "application/octet-stream",
        description = "The source: a file, a zip or a tar.gz"),
    responses((status = 201, description = "It is made, with its first version", body = Uploaded))
)]
pub(super) async fn create_bot(
    State(state): State<AppState>,
    Player(caller): Player,
    admitted: Admitted,
    Params(new): Params<NewBot>,
    Raw(source): Raw,
) -> Result<Response, Refusal> {
    let NewBot { game, role, name, language, file_name } = new;
    if state.site.catalogue.find(&game)?.role(&role).is_none() {
        return Err(Refusal::unknown("role"));
    }
    let fields = [("game", Some(game)), ("role", Some(role)), ("name", Some(name))];
    let fields = fields.into_iter().chain([("language", language), ("file_name", file_name)]);
    upload(&state, &admitted, caller.account.id, fields, source).await
}

/// Receives a source, and says where its version is.
pub(super) async fn upload(
    state: &AppState,
    admitted: &Admitted,
    account: Uuid,
    fields: impl Iterator<Item = (&'static str, Option<String>)>,
    source: Bytes,
) -> Result<Response, Refusal> {
    state.site.limits.count_address(Act::Upload, admitted.address)?;
    state.site.limits.count_account(Act::UploadAs, account)?;
    let fields: BTreeMap<String, String> =
        fields.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    let sent = read_bytes(state, account, fields, source).await?;
    let Received { bot, number } = receive_version(state, sent).await.map_err(|it| match it {
        NotReceived::Refused(why) => why,
        NotReceived::Form(StatusCode::CONFLICT, errors) => {
            Refusal::conflict(errors.into_error().to_string())
        }
        NotReceived::Form(StatusCode::TOO_MANY_REQUESTS, errors) => {
            Refusal::conflict(errors.into_error().to_string())
        }
        NotReceived::Form(_, errors) => errors.into_error().into(),
    })?;
    let location = format!("{ROOT}/bots/{bot}/versions/{number}");
    let location = HeaderValue::from_str(&location).map_err(Refusal::ours)?;
    let told = Json(Uploaded { bot, version: number });
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], told).into_response())
}

/// One bot
#[utoipa::path(
    get, path = "/bots/{bot}", tag = "bots", security((), ("token" = ["read"])),
    params(("bot" = Uuid, Path, description = "Which")),
    responses((status = 200, description = "The bot", body = Bot))
)]
pub(super) async fn show_bot(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Refusal> {
    let bot = state.store.bot_page(parse_id("bot", &id)?).await?;
    let it = bot.ok_or_else(|| Refusal::unknown("bot"))?;
    Ok(Json(Bot {
        id: it.id,
        game: it.game,
        role: it.role,
        name: it.name,
        owner: it.owner,
        house: it.house,
        state: it.state.as_str(),
        benched_by: it.benched_by.map(|it| it.as_str()),
        benched_why: it.benched_why,
        active_version: it.active_number,
        created_at: it.created_at,
        standing: it.standing.map(StandingShape::from),
    }))
}

/// Take a bot off the ladder
///
/// Matches under way are played to their end.
#[utoipa::path(
    post, path = "/bots/{bot}/bench", tag = "bots", security(("token" = ["play"])),
    params(("bot" = Uuid, Path, description = "Which, of your own")),
    responses((status = 204, description = "It is off the ladder"))
)]
pub(super) async fn bench_bot(
    State(state): State<AppState>,
    Player(caller): Player,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let bot = own_bot(&state, &id, caller.account.id).await?;
    bench(&state, bot, caller.account.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Put a bot on the ladder
#[utoipa::path(
    post, path = "/bots/{bot}/activate", tag = "bots", security(("token" = ["play"])),
    params(("bot" = Uuid, Path, description = "Which, of your own")),
    responses((status = 204, description = "It is on its way to the ladder"))
)]
pub(super) async fn activate_bot(
    State(state): State<AppState>,
    Player(caller): Player,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    let bot = own_bot(&state, &id, caller.account.id).await?;
    state.store.activate_bot(bot, caller.account.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Choose the version that plays
#[utoipa::path(
    put, path = "/bots/{bot}/active-version", tag = "bots", security(("token" = ["play"])),
    params(("bot" = Uuid, Path, description = "Which, of your own")),
    request_body = ActiveVersion,
    responses((status = 204, description = "From the next match on, it plays with that version"))
)]
pub(super) async fn choose_version(
    State(state): State<AppState>,
    Player(caller): Player,
    Path(id): Path<String>,
    Body(chosen): Body<ActiveVersion>,
) -> Result<StatusCode, Refusal> {
    let bot = own_bot(&state, &id, caller.account.id).await?;
    let version = state.store.version_page(bot, Some(chosen.version)).await?;
    let version = version.ok_or_else(|| Refusal::unknown("version"))?;
    state.store.choose_version(bot, caller.account.id, version.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What went wrong
///
/// Matches in which the bot was at fault, with any of its versions; for its owner.
#[utoipa::path(
    get, path = "/bots/{bot}/failures", tag = "bots", security(("token" = ["read"])),
    params(("bot" = Uuid, Path, description = "Which, of your own"), PageParams),
    responses((status = 200, description = "The last first", content(
        (Page<Failure> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_failures(
    State(state): State<AppState>,
    Reader(caller): Reader,
    Path(id): Path<String>,
    listed: Listed<Nothing>,
) -> Result<Response, Refusal> {
    let id = parse_id("bot", &id)?;
    let bot = state.store.bot_page(id).await?.ok_or_else(|| Refusal::unknown("bot"))?;
    if !caller.may_see_all_of(bot.account) {
        return Err(Error::Forbidden("Failures are for the owner of the bot alone.".into()).into());
    }
    let failures = state.store.failures_of(id, None, FAILURES_MAX).await?;
    let failures = failures.into_iter().map(|it| Failure {
        match_id: it.match_id,
        version: it.version,
        finished_at: it.finished_at,
        fault: FaultShape::from(&(it.ply, it.fault)),
    });
    let page = listed.part("failures", failures.collect())?;
    listed.respond(&page)
}

/// How its rating went
#[utoipa::path(
    get, path = "/bots/{bot}/ratings", tag = "bots", security((), ("token" = ["read"])),
    params(("bot" = Uuid, Path, description = "Which"), PageParams),
    responses((status = 200, description = "After each of its last rated matches, the oldest first", content(
        (Page<RatingPoint> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_ratings(
    State(state): State<AppState>,
    Path(id): Path<String>,
    listed: Listed<Nothing>,
) -> Result<Response, Refusal> {
    let id = parse_id("bot", &id)?;
    state.store.bot_name(id).await?.ok_or_else(|| Refusal::unknown("bot"))?;
    let points = state.store.ratings_of(id, RATINGS_MAX).await?;
    let points = points.into_iter().map(|(rating, deviation)| RatingPoint { rating, deviation });
    let page = listed.part("ratings", points.collect())?;
    listed.respond(&page)
}
