//! Matches that people play by hand: who is invited to which, and what they say.

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use store::{Accepted, Invitation};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    account::Nothing,
    caller::{Player, Reader},
    listing::{Listed, Page, PageParams},
};
use crate::{
    AppState,
    pages::{Path, Refusal, accept, decline, withdraw},
    views::seen_setup,
};

/// An invitation, to you or by you.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Invitation)]
struct InvitationShape {
    id: Uuid,
    game: String,
    /// As much of the set-up as those who play may know.
    #[schema(value_type = Object, nullable)]
    setup: Value,
    /// Who invites, by name.
    created_by: String,
    created_at: DateTime<Utc>,
    /// Until when it can be answered.
    expires_at: DateTime<Utc>,
    /// `open`, `accepted`, `declined`, `withdrawn` or `expired`; may grow.
    state: &'static str,
    /// The match that came of it.
    #[serde(rename = "match")]
    match_id: Option<Uuid>,
    /// Whether it waits for your answer.
    asks_you: bool,
    seats: Vec<InvitedSeatShape>,
}

/// Who is to play on one seat.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = InvitedSeat)]
struct InvitedSeatShape {
    /// A bot or a person.
    name: String,
    person: bool,
    /// Whether they have accepted; a bot always has.
    accepted: bool,
}

/// What came of accepting.
#[derive(Debug, Serialize, ToSchema)]
struct AcceptedShape {
    /// The match, where everybody has accepted; else it waits for the others.
    #[serde(rename = "match")]
    match_id: Option<Uuid>,
}

/// Your invitations
#[utoipa::path(
    get, path = "/invitations", tag = "invitations", security(("token" = ["read"])),
    params(PageParams),
    responses((status = 200, description = "The open ones first, then the newest", content(
        (Page<InvitationShape> = "application/json"),
        (String = "text/csv"),
        (String = "application/x-ndjson"),
    )))
)]
pub(super) async fn list_invitations(
    State(state): State<AppState>,
    Reader(caller): Reader,
    listed: Listed<Nothing>,
) -> Result<Response, Refusal> {
    let account = caller.account.id;
    let all = state.store.invitations_of(account).await?;
    let all = all.into_iter().map(|it| shape(&state, account, it));
    let page = listed.part("invitations", all.collect())?;
    listed.respond(&page)
}

fn shape(state: &AppState, account: Uuid, it: Invitation) -> InvitationShape {
    let game = state.games.get(&it.game);
    let asks_you = it.seats.iter().any(|seat| seat.account == Some(account) && !seat.accepted);
    let seats = it.seats.into_iter().map(|seat| InvitedSeatShape {
        name: seat.name,
        person: seat.account.is_some(),
        accepted: seat.accepted,
    });
    InvitationShape {
        id: it.id,
        setup: game.map_or(Value::Null, |game| seen_setup(game, &it.setup)),
        game: it.game,
        created_by: it.maker,
        created_at: it.created_at,
        expires_at: it.expires_at,
        state: it.state.as_str(),
        match_id: it.match_id,
        asks_you,
        seats: seats.collect(),
    }
}

/// Accept an invitation
#[utoipa::path(
    post, path = "/invitations/{invitation}/accept", tag = "invitations",
    security(("token" = ["play"])),
    params(("invitation" = Uuid, Path, description = "Which, to you")),
    responses((status = 200, description = "You have accepted", body = AcceptedShape))
)]
pub(super) async fn accept_invitation(
    State(state): State<AppState>,
    Player(caller): Player,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Refusal> {
    let match_id = match accept(&state, &id, caller.account.id).await? {
        Accepted::Waits => None,
        Accepted::Match(id) => Some(id),
    };
    Ok(Json(AcceptedShape { match_id }))
}

/// Decline an invitation
#[utoipa::path(
    post, path = "/invitations/{invitation}/decline", tag = "invitations",
    security(("token" = ["play"])),
    params(("invitation" = Uuid, Path, description = "Which, to you")),
    responses((status = 204, description = "You have declined"))
)]
pub(super) async fn decline_invitation(
    State(state): State<AppState>,
    Player(caller): Player,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    decline(&state, &id, caller.account.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Take an invitation back
#[utoipa::path(
    post, path = "/invitations/{invitation}/withdraw", tag = "invitations",
    security(("token" = ["play"])),
    params(("invitation" = Uuid, Path, description = "Which, by you")),
    responses((status = 204, description = "It is withdrawn"))
)]
pub(super) async fn withdraw_invitation(
    State(state): State<AppState>,
    Player(caller): Player,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    withdraw(&state, &id, caller.account.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
