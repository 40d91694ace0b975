//! Who is invited to which match, and what waits for the visitor to play.

use askama::Template;
use axum::{
    extract::State,
    response::{Html, Redirect},
};
use store::{Accepted, Invitation, InvitationError, InvitationState};
use uuid::Uuid;

use super::{Page, Path, Refusal, bots::parse_id, waits::Waits};
use crate::{
    AppState,
    auth::{Act, SignedIn},
    views::{Frame, MatchLine, News, When, seen_setup, sentence, setup_words},
};

#[derive(Template)]
#[template(path = "invitations.html")]
struct InvitationsPage {
    frame: Frame,
    /// Matches to be played.
    matches: Vec<MatchLine>,
    open: Vec<Line>,
    ended: Vec<Line>,
}

/// An invitation, in words.
struct Line {
    it: Invitation,
    game_name: String,
    setup: String,
    created: When,
    expires: When,
    /// Whether the visitor made it.
    is_own: bool,
    /// Whether it waits for the visitor's answer.
    asks: bool,
    seats: Vec<SeatLine>,
}

struct SeatLine {
    role: String,
    name: String,
    words: &'static str,
}

/// `GET /invitations`
pub(super) async fn list_invitations(
    State(state): State<AppState>,
    who: SignedIn,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let account = who.account.id;
    let catalogue = &state.site.catalogue;
    let mut rows = Vec::new();
    for id in state.store.matches_to_play(account).await? {
        rows.extend(state.store.match_page(id).await?.map(|it| it.row));
    }
    let mut matches: Vec<_> = rows.iter().map(|it| catalogue.line(it)).collect();
    Waits::of(&state, &rows).await?.tell(&mut matches);
    let all = state.store.invitations_of(account).await?.into_iter();
    let lines = all.map(|it| line(&state, account, it));
    let (open, ended) = lines.partition(|it| it.it.state == InvitationState::Open);
    Ok(Html(InvitationsPage { frame: page.frame, matches, open, ended }.render()?))
}

fn line(state: &AppState, account: Uuid, it: Invitation) -> Line {
    let game = state.site.catalogue.game(&it.game);
    let roles = game.map_or(&[][..], |game| game.any().roles());
    let seats = it.seats.iter().enumerate().map(|(no, seat)| SeatLine {
        role: match (game, roles.get(no)) {
            (Some(game), Some(role)) => game.role_name(role).to_owned(),
            _ => format!("Seat {}", no + 1),
        },
        name: seat.name.clone(),
        words: match (seat.account, seat.accepted) {
            (None, _) => "a bot",
            (Some(_), true) => "will play",
            (Some(_), false) => "has not answered yet",
        },
    });
    let mine = it.seats.iter().find(|seat| seat.account == Some(account));
    Line {
        game_name: game.map_or(it.game.clone(), |game| game.name.clone()),
        setup: game.map_or(String::new(), |game| {
            setup_words(Some(game.any()), &seen_setup(game.any(), &it.setup))
        }),
        created: When(it.created_at),
        expires: When(it.expires_at),
        is_own: it.created_by == account,
        asks: mine.is_some_and(|seat| !seat.accepted),
        seats: seats.collect(),
        it,
    }
}

/// `POST /invitations/{invitation}/accept`
pub(super) async fn accept_invitation(
    State(state): State<AppState>,
    Path(id): Path<String>,
    who: SignedIn,
) -> Result<Redirect, Refusal> {
    match accept(&state, &id, who.account.id).await? {
        Accepted::Waits => Ok(back(News::Accepted)),
        Accepted::Match(id) => {
            Ok(Redirect::to(&format!("/matches/{id}?done={}", News::MatchStarted.as_str())))
        }
    }
}

/// Accepts an invitation.
pub(crate) async fn accept(state: &AppState, id: &str, account: Uuid) -> Result<Accepted, Refusal> {
    let id = parse_id("invitation", id)?;
    state.site.limits.count_account(Act::Invite, account)?;
    let most = state.config.limits.people_matches_max;
    let rules_of = |game: &str| Some(state.games.get(game)?.rules());
    Ok(state.store.accept_invitation(id, account, most, rules_of).await?)
}

/// Declines an invitation.
pub(crate) async fn decline(state: &AppState, id: &str, account: Uuid) -> Result<(), Refusal> {
    let id = parse_id("invitation", id)?;
    state.site.limits.count_account(Act::Invite, account)?;
    Ok(state.store.decline_invitation(id, account).await?)
}

/// Takes an invitation back.
pub(crate) async fn withdraw(state: &AppState, id: &str, account: Uuid) -> Result<(), Refusal> {
    let id = parse_id("invitation", id)?;
    state.site.limits.count_account(Act::Invite, account)?;
    Ok(state.store.withdraw_invitation(id, account).await?)
}

/// `POST /invitations/{invitation}/decline`
pub(super) async fn decline_invitation(
    State(state): State<AppState>,
    Path(id): Path<String>,
    who: SignedIn,
) -> Result<Redirect, Refusal> {
    decline(&state, &id, who.account.id).await?;
    Ok(back(News::Declined))
}

/// `POST /invitations/{invitation}/withdraw`
pub(super) async fn withdraw_invitation(
    State(state): State<AppState>,
    Path(id): Path<String>,
    who: SignedIn,
) -> Result<Redirect, Refusal> {
    withdraw(&state, &id, who.account.id).await?;
    Ok(back(News::Withdrawn))
}

/// To the list, with news.
pub(super) fn back(news: News) -> Redirect {
    Redirect::to(&format!("/invitations?done={}", news.as_str()))
}

impl From<InvitationError> for Refusal {
    fn from(why: InvitationError) -> Refusal {
        match why {
            InvitationError::Store(why) => why.into(),
            InvitationError::Match(why) => why.into(),
            InvitationError::Unknown => Refusal::unknown("invitation"),
            why @ (InvitationError::TooMany { .. }
            | InvitationError::Over(_)
            | InvitationError::MakerBusy
            | InvitationError::OtherRules) => Refusal::conflict(sentence(why.to_string())),
        }
    }
}
