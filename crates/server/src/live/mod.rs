//! Streams to pages that are open: what changed about a bot, and the plies of
//! a running match as they fall.
//!
//! Server-sent events, so a page that loses its connection takes up where it
//! was. A page without scripts has a link to load it anew.

mod deeds;
mod matches;

use std::{
    collections::HashMap,
    convert::Infallible,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    extract::State,
    response::{
        IntoResponse, Response, Sse,
        sse::{Event, KeepAlive},
    },
};
use futures::stream;
use store::Notice;
use tokio::sync::broadcast::error::RecvError;

pub(crate) use self::{
    deeds::decide_turn,
    matches::{LiveMatches, stream_match},
};
use crate::{
    AppState, Error,
    auth::SignedIn,
    pages::{Page, Path, Refusal, parse_id},
};

/// News closer together than this are told as one.
const PAUSE: Duration = Duration::from_millis(400);
/// After so long a page asks anew, so that forgotten ones do not hold a connection for ever.
const STREAM_MAX: Duration = Duration::from_secs(15 * 60);
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// Most streams open at once to one address; browsers open six at most to one server.
const STREAMS_MAX: u32 = 24;

/// Open streams, counted by address.
#[derive(Clone, Default)]
pub(crate) struct Streams(Arc<Mutex<HashMap<IpAddr, u32>>>);

/// One open stream.
pub(crate) struct StreamGuard {
    streams: Streams,
    address: IpAddr,
}

impl Streams {
    pub(crate) fn enter(&self, address: IpAddr) -> Result<StreamGuard, Refusal> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let n = open.entry(address).or_default();
        if *n >= STREAMS_MAX {
            return Err(Error::TooOften { retry_s: 10 }.into());
        }
        *n += 1;
        Ok(StreamGuard { streams: self.clone(), address })
    }
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = open.get_mut(&self.address) {
            *n -= 1;
            if *n == 0 {
                open.remove(&self.address);
            }
        }
    }
}

/// `GET /invitations/live`: `changed` whenever something happens to an invitation or a match in
/// which the visitor is to play.
pub(crate) async fn stream_invitations(
    State(state): State<AppState>,
    who: SignedIn,
    page: Page,
) -> Result<Response, Refusal> {
    let account = who.account.id;
    let guard = state.site.streams.enter(page.address)?;
    let about = move |notice| match notice {
        Notice::Invitation(it) => it == account,
        Notice::Missed => true,
        Notice::Bot(_) | Notice::Match(_) | Notice::Plies(..) | Notice::Deed(_) | Notice::Queue => {
            false
        }
    };
    Ok(changes(&state, guard, about))
}

/// `GET /bots/{bot}/live`: `changed` whenever the bot, one of its versions or
/// one of its matches did.
pub(crate) async fn stream_bot(
    State(state): State<AppState>,
    Path(id): Path<String>,
    page: Page,
) -> Result<Response, Refusal> {
    let bot = parse_id("bot", &id)?;
    let guard = state.site.streams.enter(page.address)?;
    if state.store.bot_name(bot).await?.is_none() {
        return Err(Refusal::unknown("bot"));
    }
    let about = move |notice| match notice {
        Notice::Bot(it) => it == bot,
        Notice::Missed => true,
        Notice::Match(_)
        | Notice::Plies(..)
        | Notice::Deed(_)
        | Notice::Invitation(_)
        | Notice::Queue => false,
    };
    Ok(changes(&state, guard, about))
}

/// Tells a page at once, and whenever there are notices that it is about.
fn changes(
    state: &AppState,
    guard: StreamGuard,
    about: impl Fn(Notice) -> bool + Copy + Send + 'static,
) -> Response {
    let notices = state.store.notices();
    let until = tokio::time::Instant::now() + STREAM_MAX;
    let from = (notices, true, guard, state.stopping.clone());
    let events = stream::unfold(from, move |(mut notices, first, guard, stopping)| async move {
        if first {
            // The page was made before this stream was opened.
            return Some((changed(), (notices, false, guard, stopping)));
        }
        loop {
            let heard = tokio::select! {
                heard = tokio::time::timeout_at(until, notices.recv()) => heard,
                () = stopping.cancelled() => return None,
            };
            match heard {
                Ok(Ok(notice)) if about(notice) => break,
                Ok(Err(RecvError::Lagged(_))) => break,
                Ok(Ok(_)) => {}
                Ok(Err(RecvError::Closed)) | Err(_) => return None,
            }
        }
        tokio::time::sleep(PAUSE).await;
        while notices.try_recv().is_ok() {}
        Some((changed(), (notices, false, guard, stopping)))
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response()
}

fn changed() -> Result<Event, Infallible> {
    Ok(Event::default().event("changed").data("{}"))
}
