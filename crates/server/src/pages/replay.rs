//! Replays, records and times, all derived from the one stored record.

use std::{
    collections::VecDeque,
    error::Error,
    io::Read,
    sync::{Mutex, PoisonError},
};

use axum::{
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use game::Seat;
use referee::{AnyGame, Costs, ReplayFile, ReplaySeat};
use serde::Serialize;
use store::{MatchPage, MatchRow, MatchState};
use tokio::task::spawn_blocking;
use uuid::Uuid;

use super::{Path, Refusal, assets::accepts_gzip, bots::parse_id, games::attachment};
use crate::{AppState, views::TurnTimes};

pub(super) type BoxError = Box<dyn Error + Send + Sync>;

/// Most bytes of a stored record, as it is stored.
const STORED_BYTES_MAX: u64 = 64 << 20;
/// Most bytes of a record once it is unpacked.
const RECORD_BYTES_MAX: u64 = 512 << 20;
/// Bytes of replays kept ready.
const CACHE_BYTES_MAX: usize = 64 << 20;
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Who sat where, for a viewer of a match of ours.
#[derive(Serialize)]
pub(crate) struct Sitting<'a> {
    #[serde(flatten)]
    seat: ReplaySeat<'a>,
    /// None: a person.
    bot: Option<Uuid>,
    owner: &'a str,
    version: Option<i32>,
    person: bool,
}

/// Who sat where, seat by seat.
pub(crate) fn sittings<'a>(any: &dyn AnyGame, row: &'a MatchRow) -> Vec<Sitting<'a>> {
    let seats = row.seats.iter().enumerate().map(|(no, it)| Sitting {
        seat: ReplaySeat::new(any, no, &it.name),
        bot: it.bot.map(|it| it.0),
        owner: &it.owner,
        version: it.bot.map(|it| it.1),
        person: it.bot.is_none(),
    });
    seats.collect()
}

/// Replays that were asked for last, packed.
#[derive(Default)]
pub(crate) struct ReplayCache(Mutex<VecDeque<(Uuid, Bytes)>>);

impl ReplayCache {
    fn get(&self, id: Uuid) -> Option<Bytes> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(it, _)| *it == id).map(|(_, gzip)| gzip.clone())
    }

    fn keep(&self, id: Uuid, gzip: Bytes) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|(it, _)| *it != id);
        kept.push_back((id, gzip));
        let mut total: usize = kept.iter().map(|(_, it)| it.len()).sum();
        while total > CACHE_BYTES_MAX {
            let Some((_, dropped)) = kept.pop_front() else { break };
            total -= dropped.len();
        }
    }
}

/// `GET /matches/{match}/replay.json`
pub(super) async fn send_replay(
    State(state): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let id = parse_id("match", &id)?;
    replay_of(&state, id, &headers).await
}

/// The replay of a match, for viewers.
pub(crate) async fn replay_of(
    state: &AppState,
    id: Uuid,
    headers: &HeaderMap,
) -> Result<Response, Refusal> {
    let gzip = match state.site.replays.get(id) {
        Some(gzip) => gzip,
        None => {
            let page = finished(state, id).await?;
            let gzip = derive(state, page).await?;
            state.site.replays.keep(id, gzip.clone());
            gzip
        }
    };
    Ok(([(header::CACHE_CONTROL, FOR_EVER)], packed_json(headers, gzip).await?).into_response())
}

/// JSON that was packed, for those who unpack it and for those who do not.
pub(super) async fn packed_json(headers: &HeaderMap, gzip: Bytes) -> Result<Response, Refusal> {
    let common: [(HeaderName, HeaderValue); 2] = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    if accepts_gzip(headers) {
        return Ok((common, [(header::CONTENT_ENCODING, "gzip")], gzip).into_response());
    }
    let plain = spawn_blocking(move || {
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_end(&mut plain).map(|_| plain)
    });
    let plain = plain.await.map_err(Refusal::ours)?.map_err(Refusal::ours)?;
    Ok((common, plain).into_response())
}

/// `GET /matches/{match}/record`
pub(super) async fn send_record(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let id = parse_id("match", &id)?;
    record_of(&state, id).await
}

/// The record of a match, as it is stored.
pub(crate) async fn record_of(state: &AppState, id: Uuid) -> Result<Response, Refusal> {
    let page = finished(state, id).await?;
    let stored = stored_record(state, &page).await?;
    let name = format!("{}-{id}.json.zst", page.row.game);
    Ok(([(header::CACHE_CONTROL, FOR_EVER)], attachment(&name, "application/zstd", stored))
        .into_response())
}

/// How long each answer of a finished match took.
pub(super) async fn turn_times(
    state: &AppState,
    page: &MatchPage,
) -> Result<Option<TurnTimes>, Refusal> {
    if page.row.state != MatchState::Finished || page.record_digest.is_none() {
        return Ok(None);
    }
    let stored = stored_record(state, page).await?;
    let permit = state.site.replaying.clone().acquire_owned().await;
    let times = spawn_blocking(move || {
        let _permit = permit;
        let record = unpack(&stored)?;
        Ok::<Costs, BoxError>(serde_json::from_slice(&record)?)
    });
    let times = times.await.map_err(Refusal::ours)?.map_err(Refusal::ours)?;
    let of_seat = |seat| {
        let spent = times.spent.iter().filter_map(move |it| *it.get(seat)?);
        spent.map(|it| it.charged.as_secs_f64() * 1000.0).collect()
    };
    Ok(TurnTimes::new([of_seat(Seat(0)), of_seat(Seat(1))]))
}

async fn finished(state: &AppState, id: Uuid) -> Result<MatchPage, Refusal> {
    let page = state.store.match_page(id).await?;
    let page = page.ok_or_else(|| Refusal::unknown("match"))?;
    match page.row.state {
        MatchState::Finished => Ok(page),
        MatchState::Queued | MatchState::Running => {
            Err(Refusal::conflict("This match is not over yet; its replay is made when it ends."))
        }
        MatchState::Void => Err(Refusal::gone(
            "This match is void: it could not be played, so there is nothing to see.",
        )),
    }
}

async fn stored_record(state: &AppState, page: &MatchPage) -> Result<Bytes, Refusal> {
    let digest = page.record_digest.as_ref();
    let digest = digest.ok_or_else(|| Refusal::gone("The record of this match is gone."))?;
    match state.blobs.get(digest, STORED_BYTES_MAX).await {
        Ok(stored) => Ok(stored),
        Err(store::BlobError::Unknown { .. }) => {
            Err(Refusal::gone("The record of this match is gone."))
        }
        Err(why) => Err(why.into()),
    }
}

async fn derive(state: &AppState, page: MatchPage) -> Result<Bytes, Refusal> {
    let any = state.site.catalogue.any(&page.row);
    let any = any.ok_or_else(|| {
        Refusal::gone(format!("This server does not know the game “{}” any more.", page.row.game))
    })?;
    if i64::from(any.rules()) != i64::from(page.rules) {
        return Err(Refusal::gone(format!(
            "This match was played by version {} of the rules, and this server has version {}. Its record can still be downloaded.",
            page.rules,
            any.rules()
        )));
    }
    let stored = stored_record(state, &page).await?;
    let permit = state.site.replaying.clone().acquire_owned().await;
    let derived = spawn_blocking(move || {
        let _permit = permit;
        let replay = any.replay(&unpack(&stored)?, None)?;
        let file = ReplayFile::new(any, &replay, sittings(any, &page.row));
        let file = file.of_match(page.row.id.to_string());
        packed(&file)
    });
    derived.await.map_err(Refusal::ours)?.map_err(Refusal::ours)
}

/// A file for viewers, packed as it is sent.
pub(super) fn packed(file: &impl Serialize) -> Result<Bytes, BoxError> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::new(4));
    serde_json::to_writer(&mut gzip, file)?;
    Ok(gzip.finish()?.into())
}

fn unpack(stored: &[u8]) -> Result<Vec<u8>, BoxError> {
    let mut record = Vec::new();
    zstd::Decoder::new(stored)?.take(RECORD_BYTES_MAX + 1).read_to_end(&mut record)?;
    if record.len() as u64 > RECORD_BYTES_MAX {
        return Err(format!("a record unpacks to more than {RECORD_BYTES_MAX} bytes").into());
    }
    Ok(record)
}
