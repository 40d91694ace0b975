//! What people decide: from the board or the console of the page to the worker that plays.
//!
//! The rules are asked here already, so that whoever may not do something is told at once, and
//! their clock runs on. The referee asks them once more; its clock alone decides who was late.

use axum::{
    Json,
    body::Body,
    extract::{Request, State},
    http::header,
};
use game::RemarkKind;
use referee::{Eyes, Heard};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::{DeedError, MatchState, NewDeed};

use super::matches::own_seat;
use crate::{
    AppState, Error,
    auth::Act,
    pages::{Page, Path, Refusal, parse_id},
    views::sentence,
};

/// Most bytes of what a person does or says at once, with what they said before in the turn.
const DEED_BYTES_MAX: usize = 64 << 10;

/// What a person does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Done {
    /// For which ply.
    ply: u32,
    /// The game's action; or else a line is said.
    action: Option<Value>,
    /// What is said at the console, with the end of its line.
    line: Option<String>,
    /// What was said there before, since the question was asked.
    #[serde(default)]
    before: String,
}

/// What became of it.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Taken {
    /// It decides the turn.
    taken: bool,
    /// Answers to queries.
    replies: String,
    /// What the judge remarks, and what was said for the log.
    remarks: Vec<(RemarkKind, String)>,
    /// Why it does not decide the turn, though it should.
    refused: Option<String>,
}

/// `POST /matches/{match}/deeds`
pub(crate) async fn decide_turn(
    State(state): State<AppState>,
    Path(id): Path<String>,
    page: Page,
    request: Request,
) -> Result<Json<Taken>, Refusal> {
    let who = page.who.as_ref().ok_or_else(Refusal::sign_in_first)?;
    let account = who.account.id;
    let id = parse_id("match", &id)?;
    let found = state.store.match_page(id).await?.ok_or_else(|| Refusal::unknown("match"))?;
    let Done { ply, action, line, before } = read(request).await?;
    let seat = own_seat(&page, &found.row)?;
    state.site.limits.count_account(Act::Decide, account)?;
    match found.row.state {
        MatchState::Running => {}
        MatchState::Queued if found.failed_attempts > 0 => return Err(interrupted()),
        MatchState::Queued => return Err(Refusal::conflict("The match has not begun yet.")),
        MatchState::Finished | MatchState::Void => {
            return Err(Refusal::conflict("The match is over."));
        }
    }
    let live = state.site.live.watch(&state, &found, Eyes::Of(seat)).await?;
    live.catch_up(&state).await.map_err(Refusal::ours)?;
    let judged = live
        .at(|position, attempt, next| {
            if next != ply {
                let words = "The match has gone on meanwhile; look at the board again.";
                return Err(Refusal::conflict(words));
            }
            if position.asked(seat).is_none() {
                return Err(Refusal::conflict("It is not your turn."));
            }
            let refused = |why: game::Illegal| Refusal::invalid(sentence(why.to_string()));
            let heard = match (&action, &line) {
                (Some(action), None) => {
                    let action = Some(position.check(seat, action).map_err(refused)?);
                    let log = position.hear(seat, &before, "").map_err(refused)?.log;
                    Heard { action, log, ..Heard::default() }
                }
                (None, Some(line)) => position.hear(seat, &before, line).map_err(refused)?,
                (Some(_), Some(_)) | (None, None) => {
                    let words = "There has to be either an action or a line of the console.";
                    return Err(Refusal::malformed(words));
                }
            };
            Ok((attempt, heard))
        })
        .await;
    let (attempt, heard) = judged?;
    let Heard { replies, remarks, action, log, refused } = heard;
    if let Some(action) = &action {
        let new = NewDeed { match_id: id, attempt, ply, seat, account, action, log: &log };
        state.store.add_deed(&new).await?;
    }
    let refused = refused.map(sentence);
    Ok(Json(Taken { taken: action.is_some(), replies, remarks, refused }))
}

/// Between two attempts at a match nothing can be decided, which is ours: the board tries again.
fn interrupted() -> Refusal {
    Error::Unavailable("The match is interrupted, and goes on in a moment.").into()
}

async fn read(request: Request) -> Result<Done, Refusal> {
    let content_type = request.headers().get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|it| it.to_str().ok()).unwrap_or_default();
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Refusal::unsupported(content_type.to_owned(), "application/json"));
    }
    let body: Body = request.into_body();
    let bytes = axum::body::to_bytes(body, DEED_BYTES_MAX).await;
    let bytes = bytes.map_err(|_| Refusal::too_large("This turn", DEED_BYTES_MAX as u64))?;
    serde_json::from_slice(&bytes)
        .map_err(|_| Refusal::malformed("This is not the JSON that belongs here."))
}

impl From<DeedError> for Refusal {
    fn from(why: DeedError) -> Refusal {
        match why {
            DeedError::Store(why) => why.into(),
            DeedError::NotTheirs => Refusal::not_yours(sentence(why.to_string())),
            DeedError::Again => Refusal::conflict(sentence(why.to_string())),
            DeedError::NotPlayed => interrupted(),
        }
    }
}
