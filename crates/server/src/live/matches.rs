//! Running matches. However many watch one, its plies are read and played
//! again once; each of them then gets the same text.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::Duration,
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
use game::{RemarkKind, Seat};
use referee::{AnyPosition, Eyes, Replay, ReplayFile, ReplayFrame};
use serde::Deserialize;
use store::{LivePlies, MatchPage, MatchRow, MatchState, Notice};
use tokio::{
    sync::{broadcast::error::RecvError, watch},
    time::Instant,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{KEEP_ALIVE, STREAM_MAX, StreamGuard};
use crate::{
    AppState,
    pages::{Page, Path, Query, Refusal, parse_id, sittings},
};

/// Plies read from the database at once.
const PLIES_MAX: i64 = 500;
/// What no attempt is: they are counted from 1, and a job that waits for the first has 0.
const NO_ATTEMPT: i32 = -1;
/// How long one waits before one tries again to follow a match; then twice as long each time.
const RETRY_MIN: Duration = Duration::from_secs(1);
const RETRY_MAX: Duration = Duration::from_secs(30);

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// All matches that somebody watches, by whose eyes.
#[derive(Default)]
pub(crate) struct LiveMatches(Mutex<HashMap<(Uuid, Eyes), Weak<LiveMatch>>>);

/// One match that somebody watches.
pub(crate) struct LiveMatch {
    id: Uuid,
    eyes: Eyes,
    /// What a viewer is told first.
    start: String,
    at: tokio::sync::Mutex<At>,
    seen: Mutex<Seen>,
    /// Counts changes of `seen`.
    version: watch::Sender<u64>,
}

/// The position that was come to last.
struct At {
    position: Box<dyn AnyPosition>,
    /// Of which attempt it is: [`NO_ATTEMPT`] where all is to be read from the first ply.
    attempt: i32,
    /// Index of the ply that comes next.
    ply: u32,
}

/// What is known of it.
struct Seen {
    attempt: i32,
    /// Frames after the first, as JSON.
    frames: Vec<Arc<str>>,
    state: MatchState,
    /// What the person is asked by whose eyes it is seen.
    asked: Option<Asked>,
}

/// A question that is open to a person.
#[derive(Clone, Copy, Debug)]
struct Asked {
    ply: u32,
    until: Instant,
    /// It has been answered, and the answer is on its way.
    decided: bool,
}

impl LiveMatches {
    /// Begins to follow a match, or joins those who do.
    pub(super) async fn watch(
        &self,
        state: &AppState,
        page: &MatchPage,
        eyes: Eyes,
    ) -> Result<Arc<LiveMatch>, Refusal> {
        let key = (page.row.id, eyes);
        if let Some(known) = self.known(&key) {
            return Ok(known);
        }
        let live = Arc::new(open(state, page, key.1.clone())?);
        {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.retain(|_, it| it.strong_count() > 0);
            if let Some(known) = all.get(&key).and_then(Weak::upgrade) {
                return Ok(known);
            }
            all.insert(key, Arc::downgrade(&live));
        }
        tokio::spawn(follow(state.clone(), live.id, Arc::downgrade(&live)));
        Ok(live)
    }

    fn known(&self, key: &(Uuid, Eyes)) -> Option<Arc<LiveMatch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key)?.upgrade()
    }
}

fn open(state: &AppState, page: &MatchPage, eyes: Eyes) -> Result<LiveMatch, Refusal> {
    let row = &page.row;
    let any = state.site.catalogue.find(&row.game)?.any();
    let position = any.position(&row.setup, &row.sitters()).map_err(Refusal::ours)?;
    let begun = Replay {
        setup: any.shown_setup(&row.setup, eyes.seat()),
        frames: vec![position.frame(&eyes)],
        outcome: None,
    };
    let file = ReplayFile::new(any, &begun, sittings(any, row)).of_match(row.id.to_string());
    let start = serde_json::to_string(&file);
    Ok(LiveMatch {
        id: row.id,
        eyes,
        start: start.map_err(Refusal::ours)?,
        at: tokio::sync::Mutex::new(At { position, attempt: 0, ply: 0 }),
        seen: Mutex::new(Seen { attempt: 0, frames: Vec::new(), state: row.state, asked: None }),
        version: watch::Sender::new(0),
    })
}

/// Keeps a match up to date until it is over or nobody watches.
async fn follow(state: AppState, id: Uuid, live: Weak<LiveMatch>) {
    let mut notices = state.store.notices();
    let mut wait = RETRY_MIN;
    loop {
        let caught_up = match live.upgrade() {
            Some(live) => live.catch_up(&state).await,
            None => return,
        };
        match caught_up {
            Ok(true) => wait = RETRY_MIN,
            Ok(false) => return,
            // Whoever watches holds on to the match, so it is not given up.
            Err(why) => {
                tracing::warn!(%id, %why, "cannot follow a match; trying again");
                tokio::select! {
                    () = tokio::time::sleep(wait) => {}
                    () = state.stopping.cancelled() => return,
                }
                wait = (wait * 2).min(RETRY_MAX);
                continue;
            }
        }
        loop {
            let heard = tokio::select! {
                heard = tokio::time::timeout(STREAM_MAX, notices.recv()) => heard,
                () = state.stopping.cancelled() => return,
            };
            match heard {
                Ok(Ok(Notice::Match(it) | Notice::Plies(it, _) | Notice::Deed(it))) if it == id => {
                    break;
                }
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

impl LiveMatch {
    /// Reads what is new; says whether there may be more.
    pub(super) async fn catch_up(&self, state: &AppState) -> Result<bool, BoxError> {
        let mut at = self.at.lock().await;
        loop {
            let new = state.store.live_plies(self.id, at.attempt, at.ply, PLIES_MAX).await?;
            let Some(new) = new else { return Ok(false) };
            let restarted = new.attempt != at.attempt;
            if restarted {
                let Some(page) = state.store.match_page(self.id).await? else { return Ok(false) };
                let again = open(state, &page, self.eyes.clone());
                *at = again.map_err(|_| "the match cannot be set up")?.at.into_inner();
                at.attempt = new.attempt;
            }
            let mut frames = at.advance(&new.plies, &self.eyes)?;
            let more = new.plies.len() as i64 == PLIES_MAX;
            let asked = self.asked(&*at.position, &new);
            let changed = {
                let mut seen = self.seen();
                if restarted {
                    seen.frames.clear();
                }
                let decided = |it: &Option<Asked>| it.map(|it| (it.ply, it.decided));
                let changed = restarted
                    || !frames.is_empty()
                    || seen.state != new.state
                    || decided(&seen.asked) != decided(&asked);
                seen.attempt = new.attempt;
                seen.frames.append(&mut frames);
                seen.state = new.state;
                seen.asked = asked;
                changed
            };
            if changed {
                self.version.send_modify(|it| *it += 1);
            }
            if !more {
                return Ok(matches!(new.state, MatchState::Queued | MatchState::Running));
            }
        }
    }

    /// What the person is asked by whose eyes it is seen.
    fn asked(&self, position: &dyn AnyPosition, new: &LivePlies) -> Option<Asked> {
        let Eyes::Of(seat) = self.eyes else { return None };
        let left = position.asked(seat)?;
        let for_s = new.asked_for_s?.max(0.0);
        Some(Asked {
            ply: new.from + new.plies.len() as u32,
            until: Instant::now() + left.saturating_sub(Duration::from_secs_f64(for_s)),
            decided: new.decided.contains(&seat),
        })
    }

    /// The position that was come to last, with the attempt and the ply that comes next.
    pub(super) async fn at<T>(&self, look: impl FnOnce(&dyn AnyPosition, i32, u32) -> T) -> T {
        let at = self.at.lock().await;
        look(&*at.position, at.attempt, at.ply)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl At {
    /// Plays on, and says what viewers are told. Where that breaks off, nobody knows what was told
    /// of the plies before: then all is to be read anew.
    fn advance(&mut self, plies: &[String], eyes: &Eyes) -> Result<Vec<Arc<str>>, BoxError> {
        let attempt = std::mem::replace(&mut self.attempt, NO_ATTEMPT);
        let mut frames = Vec::with_capacity(plies.len());
        for ply in plies {
            let mut frame: ReplayFrame = self.position.advance(ply, eyes)?;
            // What bots tell their owners is shown when the match is over.
            frame.remarks.retain(|it| it.kind != RemarkKind::Log);
            frames.push(Arc::<str>::from(serde_json::to_string(&frame)?));
        }
        self.attempt = attempt;
        self.ply += plies.len() as u32;
        Ok(frames)
    }
}

/// Where one watcher is.
struct Cursor {
    live: Arc<LiveMatch>,
    version: watch::Receiver<u64>,
    /// Whether plies are wanted, or only whether the match begins and ends.
    plies: bool,
    /// Whether whoever watches plays, and is told what they are asked.
    plays: bool,
    attempt: i32,
    sent: usize,
    /// What they were told last: the attempt, the ply, and what is asked.
    told: Option<(i32, usize, Option<bool>)>,
    /// None: the page was made before this stream was opened, and may not know.
    state: Option<MatchState>,
    greets: bool,
    ended: bool,
    until: Instant,
    stopping: CancellationToken,
    _guard: StreamGuard,
}

#[derive(Default, Deserialize)]
pub(crate) struct LiveQuery {
    /// `no`: only whether the match begins and ends.
    #[serde(default)]
    plies: String,
    /// `player`: by the eyes of the seat that is the visitor's own.
    #[serde(default, rename = "as")]
    role: String,
}

/// `GET /matches/{match}/live`: `start` with the first position, `ply` for each
/// further one, `restart` where an attempt was lost, `state` when the match
/// begins and ends, and `over` at last. Who plays is told by `asked`, too, what
/// they are asked. `Last-Event-ID` resumes.
///
/// While people play, others see no more than each of them does.
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
    let plays = query.role == "player";
    let (eyes, shown) = match plays {
        true => (Eyes::Of(own_seat(&page, &found.row)?), true),
        false => {
            let any = state.site.catalogue.find(&found.row.game)?.any();
            let eyes = any.eyes_of_watchers(&found.row.people());
            let shown = eyes.is_some();
            (eyes.unwrap_or(Eyes::All), shown)
        }
    };
    let row_state = found.row.state;
    let live = state.site.live.watch(&state, &found, eyes).await?;
    if plays {
        // So that the first they hear is what they are asked.
        live.catch_up(&state).await.map_err(Refusal::ours)?;
    }
    let resumed = headers.get("last-event-id").and_then(|it| it.to_str().ok()).and_then(|it| {
        let (attempt, sent) = it.split_once('-')?;
        Some((attempt.parse().ok()?, sent.parse().ok()?))
    });
    let (attempt, sent) = match resumed {
        Some(resumed) => resumed,
        None => (live.seen().attempt, 0),
    };
    let cursor = Cursor {
        version: live.version.subscribe(),
        plies: shown && query.plies != "no",
        plays,
        attempt,
        sent,
        told: None,
        state: (query.plies != "no").then_some(row_state),
        greets: resumed.is_none(),
        ended: false,
        until: Instant::now() + STREAM_MAX,
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

/// Where the visitor sits in person.
pub(super) fn own_seat(page: &Page, row: &MatchRow) -> Result<Seat, Refusal> {
    let account = page.account().ok_or_else(Refusal::sign_in_first)?;
    let words = "You do not play in this match; you can watch it without saying that you do.";
    row.seat_of(account.id).ok_or_else(|| Refusal::not_yours(words))
}

/// What a player is told: the ply that comes next, whether they are asked for it, and how long
/// they have.
fn asked_words(ply: usize, asked: Option<Asked>) -> String {
    let left = asked.map(|it| it.until.saturating_duration_since(Instant::now()));
    serde_json::json!({
        "ply": ply,
        "asked": asked.is_some_and(|it| !it.decided),
        "decided": asked.is_some_and(|it| it.decided),
        "left_ms": left.map(|it| it.as_millis() as u64),
    })
    .to_string()
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
        let seen = self.live.seen();
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
        if self.plays && self.plies {
            let asked = seen.asked.filter(|it| it.ply as usize == self.sent);
            let now = Some((self.attempt, self.sent, asked.map(|it| it.decided)));
            if self.told != now {
                self.told = now;
                return Some(Event::default().event("asked").data(asked_words(self.sent, asked)));
            }
        }
        if self.state != Some(seen.state) {
            self.state = Some(seen.state);
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

#[cfg(test)]
mod tests {
    use game::{PerSeat, Sitter};
    use referee::{Effect, Input, Spent};
    use serde_json::json;

    use super::*;

    /// The first plies of a match in which both pass always.
    fn plies(n: u32, setup: &serde_json::Value, sitters: &PerSeat<Sitter>) -> Vec<String> {
        let game = games::find("labyrinth").unwrap();
        let mut referee = game.referee(setup, sitters.clone()).unwrap();
        while referee.n_plies() < n {
            let spent = Spent::default();
            let input = match referee.poll().expect("somebody is asked") {
                Effect::Wake(seat, _) => Input::Output { seat, bytes: b"#END\n".to_vec(), spent },
                Effect::Rest(seat) => Input::Rested { seat, bytes: Vec::new() },
                _ => continue,
            };
            referee.handle(Duration::ZERO, input).unwrap();
        }
        (0..n).map(|it| referee.frame(it).unwrap().get().to_owned()).collect()
    }

    #[test]
    fn where_plies_break_off_in_the_middle_all_is_read_anew() {
        let setup = json!({ "size": 5, "mode": "map" });
        let sitters = PerSeat::new(2, |_| Sitter::Bot);
        let position = games::find("labyrinth").unwrap().position(&setup, &sitters).unwrap();
        let mut at = At { position, attempt: 1, ply: 0 };
        let mut plies = plies(3, &setup, &sitters);
        assert_eq!(at.advance(&plies[..1], &Eyes::All).unwrap().len(), 1);
        assert_eq!((at.attempt, at.ply), (1, 1));
        plies[2] = "{}".to_owned();
        at.advance(&plies[1..], &Eyes::All).unwrap_err();
        assert_eq!(at.attempt, NO_ATTEMPT, "the position is ahead of what was told");
    }
}
