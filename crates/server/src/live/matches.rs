//! Running matches. However many watch one, its plies are read and played
//! again once; each of them then gets the same text.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use axum::{
    extract::State,
    http::HeaderMap,
    response::{
        IntoResponse, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use futures::stream;
use game::{PerSeat, RemarkKind, Seat, Sitter};
use referee::{AnyPosition, ReplayFrame};
use serde::Deserialize;
use store::{MatchPage, MatchState, Notice};
use tokio::sync::{broadcast::error::RecvError, watch};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{KEEP_ALIVE, STREAM_MAX, StreamGuard};
use crate::{
    AppState,
    pages::{Page, Path, Query, REPLAY_FORMAT, Refusal, ReplayFile, parse_id, replay_seats},
};

/// Whose eyes watchers see with: nobody plays who could learn from them.
const EYES: Option<Seat> = None;
/// Plies read from the database at once.
const PLIES_MAX: i64 = 500;

/// All matches that somebody watches.
#[derive(Default)]
pub(crate) struct LiveMatches(Mutex<HashMap<Uuid, Weak<LiveMatch>>>);

/// One match that somebody watches.
struct LiveMatch {
    /// What a viewer is told first.
    start: String,
    seen: Mutex<Seen>,
    /// Counts changes of `seen`.
    version: watch::Sender<u64>,
}

/// What is known of it.
struct Seen {
    attempt: i32,
    /// Frames after the first, as JSON.
    frames: Vec<Arc<str>>,
    state: MatchState,
}

impl LiveMatches {
    /// Begins to follow a match, or joins those who do.
    async fn watch(&self, state: &AppState, page: MatchPage) -> Result<Arc<LiveMatch>, Refusal> {
        let id = page.row.id;
        if let Some(known) = self.known(id) {
            return Ok(known);
        }
        let (live, position) = open(state, page)?;
        let live = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.retain(|_, it| it.strong_count() > 0);
            if let Some(known) = all.get(&id).and_then(Weak::upgrade) {
                return Ok(known);
            }
            all.insert(id, Arc::downgrade(&live));
            live
        };
        tokio::spawn(follow(state.clone(), id, Arc::downgrade(&live), position));
        Ok(live)
    }

    fn known(&self, id: Uuid) -> Option<Arc<LiveMatch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id)?.upgrade()
    }
}

fn open(
    state: &AppState,
    page: MatchPage,
) -> Result<(Arc<LiveMatch>, Box<dyn AnyPosition>), Refusal> {
    let row = &page.row;
    let any = state.games.get(&row.game).ok_or_else(|| Refusal::unknown("game"))?;
    let sitters = PerSeat::new(any.roles().len(), |_| Sitter::Bot);
    let position = any.position(&row.setup, &sitters).map_err(Refusal::ours)?;
    let start = serde_json::to_string(&ReplayFile {
        format: REPLAY_FORMAT,
        game: any.id(),
        rules: any.rules(),
        match_id: row.id,
        setup: &any.shown_setup(&row.setup, EYES),
        seats: replay_seats(any.roles(), row),
        frames: &[position.frame(EYES)],
        outcome: None,
    });
    let live = LiveMatch {
        start: start.map_err(Refusal::ours)?,
        seen: Mutex::new(Seen { attempt: 0, frames: Vec::new(), state: row.state }),
        version: watch::Sender::new(0),
    };
    Ok((Arc::new(live), position))
}

/// Keeps a match up to date until it is over or nobody watches.
async fn follow(
    state: AppState,
    id: Uuid,
    live: Weak<LiveMatch>,
    mut position: Box<dyn AnyPosition>,
) {
    let mut notices = state.store.notices();
    loop {
        match catch_up(&state, id, &live, &mut position).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(why) => {
                tracing::warn!(%id, %why, "cannot follow a match");
                return;
            }
        }
        loop {
            let heard = tokio::select! {
                heard = tokio::time::timeout(STREAM_MAX, notices.recv()) => heard,
                () = state.stopping.cancelled() => return,
            };
            match heard {
                Ok(Ok(Notice::Match(it) | Notice::Plies(it, _))) if it == id => break,
                Ok(Ok(Notice::Missed)) | Ok(Err(RecvError::Lagged(_))) | Err(_) => break,
                Ok(Ok(_)) => {}
                Ok(Err(RecvError::Closed)) => return,
            }
            if live.strong_count() == 0 {
                return;
            }
        }
    }
}

/// Reads what is new; says whether there may be more.
async fn catch_up(
    state: &AppState,
    id: Uuid,
    live: &Weak<LiveMatch>,
    position: &mut Box<dyn AnyPosition>,
) -> Result<bool, Box<dyn std::error::Error + Send + Sync>> {
    loop {
        let Some(live) = live.upgrade() else { return Ok(false) };
        let (attempt, from) = {
            let seen = live.seen.lock().unwrap_or_else(PoisonError::into_inner);
            (seen.attempt, seen.frames.len() as u32)
        };
        let new = state.store.live_plies(id, attempt, from, PLIES_MAX).await?;
        let Some(new) = new else { return Ok(false) };
        let restarted = new.attempt != attempt;
        if restarted {
            let page = state.store.match_page(id).await?;
            let Some(page) = page else { return Ok(false) };
            *position = open(state, page).map_err(|_| "the match cannot be set up")?.1;
        }
        let mut frames = Vec::with_capacity(new.plies.len());
        for ply in &new.plies {
            let mut frame: ReplayFrame = position.advance(ply, EYES)?;
            // What bots tell their owners is shown when the match is over.
            frame.remarks.retain(|it| it.kind != RemarkKind::Log);
            frames.push(Arc::<str>::from(serde_json::to_string(&frame)?));
        }
        let more = new.plies.len() as i64 == PLIES_MAX;
        let changed = {
            let mut seen = live.seen.lock().unwrap_or_else(PoisonError::into_inner);
            if restarted {
                seen.frames.clear();
            }
            let changed = restarted || !frames.is_empty() || seen.state != new.state;
            seen.attempt = new.attempt;
            seen.frames.append(&mut frames);
            seen.state = new.state;
            changed
        };
        if changed {
            live.version.send_modify(|it| *it += 1);
        }
        if !more {
            return Ok(matches!(new.state, MatchState::Queued | MatchState::Running));
        }
    }
}

/// Where one watcher is.
struct Cursor {
    live: Arc<LiveMatch>,
    version: watch::Receiver<u64>,
    /// Whether plies are wanted, or only whether the match begins and ends.
    plies: bool,
    attempt: i32,
    sent: usize,
    state: MatchState,
    greets: bool,
    ended: bool,
    until: tokio::time::Instant,
    stopping: CancellationToken,
    _guard: StreamGuard,
}

#[derive(Default, Deserialize)]
pub(crate) struct LiveQuery {
    /// `no`: only whether the match begins and ends.
    #[serde(default)]
    plies: String,
}

/// `GET /matches/{match}/live`: `start` with the first position, `ply` for each
/// further one, `restart` where an attempt was lost, `state` when the match
/// begins and ends, and `over` at last. `Last-Event-ID` resumes.
pub(crate) async fn stream_match(
    State(state): State<AppState>,
    Path(id): Path<String>,
    Query(query): Query<LiveQuery>,
    headers: HeaderMap,
    page: Page,
) -> Result<Response, Refusal> {
    let id = parse_id("match", &id)?;
    let guard = state.site.streams.enter(page.address)?;
    let found = state.store.match_page(id).await?.ok_or_else(|| Refusal::unknown("match"))?;
    let row_state = found.row.state;
    let live = state.site.live.watch(&state, found).await?;
    let resumed = headers.get("last-event-id").and_then(|it| it.to_str().ok()).and_then(|it| {
        let (attempt, sent) = it.split_once('-')?;
        Some((attempt.parse().ok()?, sent.parse().ok()?))
    });
    let (attempt, sent) = match resumed {
        Some(resumed) => resumed,
        None => (live.seen.lock().unwrap_or_else(PoisonError::into_inner).attempt, 0),
    };
    let cursor = Cursor {
        version: live.version.subscribe(),
        plies: query.plies != "no",
        attempt,
        sent,
        state: row_state,
        greets: resumed.is_none(),
        ended: false,
        until: tokio::time::Instant::now() + STREAM_MAX,
        stopping: state.stopping.clone(),
        live,
        _guard: guard,
    };
    let events = stream::unfold(cursor, |mut cursor| async move {
        let event = cursor.next().await?;
        Some((Ok::<Event, Infallible>(event), cursor))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}

impl Cursor {
    async fn next(&mut self) -> Option<Event> {
        if self.ended {
            return None;
        }
        if std::mem::take(&mut self.greets) && self.plies {
            return Some(Event::default().event("start").data(&self.live.start));
        }
        loop {
            self.version.borrow_and_update();
            if let Some(event) = self.ready() {
                return Some(event);
            }
            let changed = tokio::select! {
                changed = tokio::time::timeout_at(self.until, self.version.changed()) => changed,
                () = self.stopping.cancelled() => return None,
            };
            match changed {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return None,
            }
        }
    }

    fn ready(&mut self) -> Option<Event> {
        let seen = self.live.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.attempt != self.attempt {
            self.attempt = seen.attempt;
            self.sent = 0;
            if self.plies {
                return Some(Event::default().event("restart").data("{}"));
            }
        }
        if self.plies && self.sent < seen.frames.len() {
            let event = Event::default().event("ply").data(&*seen.frames[self.sent]);
            self.sent += 1;
            return Some(event.id(format!("{}-{}", self.attempt, self.sent)));
        }
        if seen.state != self.state {
            self.state = seen.state;
            let words = format!("{{\"state\":\"{}\"}}", seen.state.as_str());
            return Some(Event::default().event("state").data(words));
        }
        if matches!(seen.state, MatchState::Finished | MatchState::Void) {
            self.ended = true;
            return Some(Event::default().event("over").data("{}"));
        }
        None
    }
}
