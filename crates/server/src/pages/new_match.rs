//! A match somebody wants to see: choose a game, a bot for each role, and a set-up.
//!
//! Such a match is friendly: it moves no rating.

use std::{collections::BTreeMap, net::IpAddr, time::Duration};

use askama::Template;
use axum::{
    extract::State,
    response::{Html, IntoResponse, Redirect, Response},
};
use game::FieldKind;
use serde_json::{Map, Value};
use store::{MatchError, NewMatch, NewSeat, Purpose, ReadyBot};
use uuid::Uuid;

use super::{
    Catalogue, FormErrors, Game, MATCH_FORM_BYTES_MAX, Page, Posted, Query, Refusal,
    bots::parse_id,
    invitations,
    setups::{self, Chosen},
    shown_again,
};
use crate::{
    AppState,
    auth::{self, Act, SignedIn},
    views::{Frame, News},
};

/// What a seat's field holds where whoever makes the match plays.
pub(crate) const ME: &str = "me";
/// What it holds where somebody else is to be invited, by name.
pub(crate) const GUEST: &str = "guest";
/// Most bots offered for one seat.
const BOTS_MAX: i64 = 5000;

/// The whole form, by field: `game`, `seat-0`, `seat-1` … (a bot each), and
/// `setup-<name>` for each of the game's fields; or instead of these `setup`, one of a pool, or
/// `own-setup`, the text of a file.
pub(crate) type Form = BTreeMap<String, String>;

/// What was made of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MadeMatch {
    /// A match, which begins when its turn comes.
    Match(Uuid),
    /// An invitation, of which a match becomes.
    Invitation(Uuid),
}

#[derive(Template)]
#[template(path = "new_match.html")]
struct NewMatchPage<'a> {
    frame: Frame,
    games: &'a [Game],
    game: &'a Game,
    seats: Vec<SeatChoice>,
    fields: Vec<FieldChoice>,
    /// A set-up of a pool, instead of the fields.
    pooled: Option<String>,
    own_setup: String,
    errors: FormErrors,
}

/// Who may sit on a seat, and who is chosen.
struct SeatChoice {
    name: String,
    role: String,
    bots: Vec<ReadyBot>,
    chosen: String,
    /// Field for the name of who is invited, and what is in it.
    guest_field: String,
    guest: String,
}

/// One field of the set-up, and what is filled in.
struct FieldChoice {
    name: String,
    label: &'static str,
    kind: FieldKind,
    value: String,
}

impl NewMatchPage<'_> {
    fn is_chosen(&self, game: &Game) -> bool {
        self.game.id == game.id
    }
}

impl SeatChoice {
    fn is_me(&self) -> bool {
        self.chosen == ME
    }

    fn is_guest(&self) -> bool {
        self.chosen == GUEST
    }

    fn is_chosen(&self, bot: &ReadyBot) -> bool {
        self.chosen == bot.id.to_string()
    }
}

impl FieldChoice {
    fn whole(&self) -> Option<(u32, u32)> {
        match self.kind {
            FieldKind::Whole { min, max, .. } => Some((min, max)),
            FieldKind::Choice { .. } => None,
        }
    }

    fn options(&self) -> Vec<(&'static str, &'static str, bool)> {
        let options = match self.kind {
            FieldKind::Whole { .. } => &[],
            FieldKind::Choice { options } => options,
        };
        options.iter().map(|(value, label)| (*value, *label, self.value == *value)).collect()
    }
}

/// `GET /matches/new?game=&seat-0=…`
pub(super) async fn show_new_match(
    State(state): State<AppState>,
    Query(form): Query<Form>,
    _: SignedIn,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = chosen_game(&catalogue, &form)?;
    let html = fill(&state, page.frame, game, &form, FormErrors::default()).await?;
    Ok(Html(html))
}

/// `POST /matches`
pub(super) async fn start_match(
    State(state): State<AppState>,
    who: SignedIn,
    page: Page,
    Posted(form): Posted<Form, MATCH_FORM_BYTES_MAX>,
) -> Result<Response, Refusal> {
    match make_match(&state, who.account.id, page.address, &form).await? {
        Ok(MadeMatch::Match(id)) => {
            let next = format!("/matches/{id}?done={}", News::MatchStarted.as_str());
            Ok(Redirect::to(&next).into_response())
        }
        Ok(MadeMatch::Invitation(_)) => Ok(invitations::back(News::Invited).into_response()),
        Err(errors) => {
            let game = chosen_game(&state.site.catalogue, &form)?;
            Ok(shown_again(fill(&state, page.frame, game, &form, errors).await?))
        }
    }
}

/// Makes the match that a form asks for, or the invitation to it; or says by field what is wrong.
pub(crate) async fn make_match(
    state: &AppState,
    account: Uuid,
    address: IpAddr,
    form: &Form,
) -> Result<Result<MadeMatch, FormErrors>, Refusal> {
    let game = chosen_game(&state.site.catalogue, form)?;
    let mut errors = FormErrors::default();
    let seats = read_seats(state, game, form, account, &mut errors).await?;
    if form.get("own-setup").is_some_and(|it| !it.trim().is_empty()) {
        state.site.limits.count_address(Act::ReadSetup, address)?;
    }
    let setup = match setups::chosen(state, game, form).await? {
        None => read_setup(game, form, &mut errors).map(|setup| Chosen { setup, preset: None }),
        Some(Ok(chosen)) => Some(chosen),
        Some(Err(why)) => {
            errors.add("own-setup", why);
            None
        }
    };
    let (Some(seats), Some(setup), true) = (seats, setup, errors.is_empty()) else {
        return Ok(Err(errors));
    };
    state.site.limits.count_account(Act::StartMatch, account)?;
    let new = NewMatch {
        game: game.id.to_owned(),
        rules: game.any().rules(),
        setup: setup.setup,
        preset: setup.preset,
        purpose: Purpose::Friendly,
        rated: false,
        created_by: Some(account),
        seats: seats.into(),
    };
    let limits = &state.config.limits;
    let me = NewSeat::Person { account };
    let is_guest = |it: &NewSeat| matches!(it, NewSeat::Person { .. }) && *it != me;
    if new.seats.iter().any(|(_, it)| is_guest(it)) {
        state.site.limits.count_account(Act::Invite, account)?;
        let life = Duration::from_secs(limits.invitation_h * 3600);
        let id = state.store.invite(&new, account, limits.invitations_max, life).await?;
        return Ok(Ok(MadeMatch::Invitation(id)));
    }
    let waiting_max = match new.has_people() {
        true => limits.people_matches_max,
        false => limits.matches_waiting_max,
    };
    Ok(Ok(MadeMatch::Match(state.store.create_match(&new, waiting_max).await?)))
}

impl From<MatchError> for Refusal {
    fn from(why: MatchError) -> Refusal {
        match why {
            MatchError::Store(why) => why.into(),
            why => Refusal::conflict(format!("{}.", crate::views::capital(&why.to_string()))),
        }
    }
}

fn chosen_game<'a>(catalogue: &'a Catalogue, form: &Form) -> Result<&'a Game, Refusal> {
    let first = || catalogue.games().first();
    match form.get("game").map(String::as_str) {
        None | Some("") => first().ok_or_else(|| Refusal::missing("There is no game yet.")),
        Some(id) => catalogue.find(id),
    }
}

/// Who is meant by a name; or else what is wrong with it.
async fn guest(
    state: &AppState,
    account: Uuid,
    given: &str,
) -> Result<Result<Uuid, String>, Refusal> {
    if given.is_empty() {
        return Ok(Err("Type the name of whom you want to invite.".to_owned()));
    }
    let found = state.store.account_by_name(&auth::key_of(given)).await?;
    Ok(match found {
        Some(it) if it == account => Err("To play yourself, choose “Me”.".to_owned()),
        Some(it) => Ok(it),
        None => Err(format!("Nobody here is called “{}”.", shortened(given))),
    })
}

async fn read_seats(
    state: &AppState,
    game: &Game,
    form: &Form,
    account: Uuid,
    errors: &mut FormErrors,
) -> Result<Option<Vec<NewSeat>>, Refusal> {
    let mut seats = Vec::new();
    for (no, role) in game.any().roles().iter().enumerate() {
        let chosen = form.get(&seat_name(no)).map_or("", String::as_str);
        let bot = match chosen {
            "" => None,
            GUEST => {
                let given = form.get(&guest_name(no)).map_or("", |it| it.trim());
                match guest(state, account, given).await? {
                    Ok(guest) if seats.contains(&NewSeat::Person { account: guest }) => {
                        errors.add("seats", "Nobody can sit on two seats.");
                    }
                    Ok(guest) => seats.push(NewSeat::Person { account: guest }),
                    Err(why) => errors.add("seats", why),
                }
                continue;
            }
            ME => {
                if seats.contains(&NewSeat::Person { account }) {
                    errors.add("seats", "You can sit on one seat only.");
                }
                seats.push(NewSeat::Person { account });
                continue;
            }
            id => state.store.ready_bot(game.id, parse_id("bot", id)?).await?,
        };
        let role_name = seat_label(game, no);
        match bot {
            Some(bot) if bot.role == *role => {
                seats.push(NewSeat::Bot { bot: bot.id, version: bot.version });
            }
            Some(bot) => errors.add(
                "seats",
                format!(
                    "“{}” is entered as {}, so it cannot play the {role_name}.",
                    bot.name,
                    game.role_name(&bot.role)
                ),
            ),
            None if chosen.is_empty() => {
                errors.add("seats", format!("Choose who plays the {role_name}."));
            }
            None => errors.add(
                "seats",
                format!("The bot chosen for the {role_name} has no version that can play."),
            ),
        }
    }
    Ok(errors.is_empty().then_some(seats))
}

fn read_setup(game: &Game, form: &Form, errors: &mut FormErrors) -> Option<Value> {
    let mut setup = Map::new();
    for field in game.any().fields() {
        let given = form.get(&field_name(field.name)).map_or("", |it| it.trim());
        if given.is_empty() {
            continue;
        }
        if field.value(given).is_none() {
            let allowed = match field.kind {
                FieldKind::Whole { .. } => format!("{} is allowed", field.allowed()),
                FieldKind::Choice { .. } => "choose one of those offered".to_owned(),
            };
            let found = shortened(given);
            errors.add("setup", format!("{}: “{found}” was given; {allowed}.", field.label));
        }
        setup.insert(field.name.to_owned(), given.into());
    }
    if !errors.is_empty() {
        return None;
    }
    match game.any().set_up(&setup) {
        Ok(setup) => Some(setup),
        Err(why) => {
            errors.add("setup", format!("{}.", crate::views::capital(&why.to_string())));
            None
        }
    }
}

async fn fill(
    state: &AppState,
    frame: Frame,
    game: &Game,
    form: &Form,
    errors: FormErrors,
) -> Result<String, Refusal> {
    let bots = state.store.ready_bots(game.id, BOTS_MAX).await?;
    let seats = game.any().roles().iter().enumerate().map(|(no, role)| SeatChoice {
        name: seat_name(no),
        role: seat_label(game, no),
        bots: bots.iter().filter(|it| it.role == *role).cloned().collect(),
        chosen: form.get(&seat_name(no)).cloned().unwrap_or_default(),
        guest_field: guest_name(no),
        guest: form.get(&guest_name(no)).cloned().unwrap_or_default(),
    });
    let fields = game.any().fields().iter().map(|field| {
        let name = field_name(field.name);
        let given = form.get(&name).cloned();
        FieldChoice {
            value: given.unwrap_or_else(|| field.untouched().to_string()),
            name,
            label: field.label,
            kind: field.kind,
        }
    });
    let pooled = match setups::chosen(state, game, form).await? {
        Some(Ok(Chosen { preset: Some(preset), .. })) => Some(preset),
        _ => None,
    };
    let html = NewMatchPage {
        own_setup: form.get("own-setup").cloned().unwrap_or_default(),
        pooled,
        games: state.site.catalogue.games(),
        seats: seats.collect(),
        fields: fields.collect(),
        frame,
        game,
        errors,
    };
    Ok(html.render()?)
}

pub(crate) fn guest_name(no: usize) -> String {
    format!("guest-{no}")
}

/// What a seat is called in a form: its role, and which of several that have it.
fn seat_label(game: &Game, no: usize) -> String {
    let roles = game.any().roles();
    let Some(role) = roles.get(no) else { return String::new() };
    let name = game.role_name(role);
    if roles.iter().filter(|it| *it == role).count() == 1 {
        return name.to_owned();
    }
    let before = roles.iter().take(no).filter(|it| *it == role).count();
    format!("{name} {}", before + 1)
}

/// Address of the form with whoever asks on the first seat, and these fields filled in.
pub(super) fn address_by_hand(game: &str, fields: &[(&str, String)]) -> String {
    let mut address = format!("/matches/new?game={game}&{}={ME}", seat_name(0));
    for (name, value) in fields {
        address += &format!("&{}={value}", field_name(name));
    }
    address
}

pub(crate) fn seat_name(no: usize) -> String {
    format!("seat-{no}")
}

pub(crate) fn field_name(name: &str) -> String {
    format!("setup-{name}")
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
