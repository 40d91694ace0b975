//! A match somebody wants to see: choose a game, a bot for each role, and a set-up.
//!
//! Such a match is friendly: it moves no rating.

use std::{collections::BTreeMap, time::Duration};

use askama::Template;
use axum::{
    extract::State,
    http::StatusCode,
    response::{Html, IntoResponse, Redirect, Response},
};
use game::FieldKind;
use serde_json::{Map, Value};
use store::{MatchError, NewMatch, NewSeat, Purpose, ReadyBot};
use uuid::Uuid;

use super::{
    FormErrors, Game, Page, Posted, Query, Refusal,
    bots::parse_id,
    invitations,
    setups::{self, Chosen},
};
use crate::{
    AppState,
    auth::{self, Act, SignedIn},
    views::{Frame, News},
};

/// What a seat's field holds where whoever makes the match plays.
const ME: &str = "me";
/// What it holds where somebody else is to be invited, by name.
const GUEST: &str = "guest";
/// Most bots offered for one seat.
const BOTS_MAX: i64 = 5000;

/// The whole form, by field: `game`, `seat-0`, `seat-1` … (a bot each), and
/// `setup-<name>` for each of the game's fields; or instead of these `setup`, one of a pool, or
/// `own-setup`, the text of a file.
type Form = BTreeMap<String, String>;

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
    let game = chosen_game(catalogue.games(), &form)?;
    let html = fill(&state, page.frame, game, &form, FormErrors::default()).await?;
    Ok(Html(html))
}

/// `POST /matches`
pub(super) async fn start_match(
    State(state): State<AppState>,
    who: SignedIn,
    page: Page,
    Posted(form): Posted<Form>,
) -> Result<Response, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = chosen_game(catalogue.games(), &form)?;
    let mut errors = FormErrors::default();
    let seats = read_seats(&state, game, &form, who.account.id, &mut errors).await?;
    let setup = match setups::chosen(&state, game, &form).await? {
        None => read_setup(game, &form, &mut errors).map(|setup| Chosen { setup, preset: None }),
        Some(Ok(chosen)) => Some(chosen),
        Some(Err(why)) => {
            errors.add("own-setup", why);
            None
        }
    };
    let (Some(seats), Some(setup), true) = (seats, setup, errors.is_empty()) else {
        let html = fill(&state, page.frame, game, &form, errors).await?;
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, Html(html)).into_response());
    };
    state.site.limits.count_account(Act::StartMatch, who.account.id)?;
    let new = NewMatch {
        game: game.id.to_owned(),
        rules: game.any().rules(),
        setup: setup.setup,
        preset: setup.preset,
        purpose: Purpose::Friendly,
        rated: false,
        created_by: Some(who.account.id),
        seats: seats.into(),
    };
    let limits = &state.config.limits;
    let me = NewSeat::Person { account: who.account.id };
    let is_guest = |it: &NewSeat| matches!(it, NewSeat::Person { .. }) && *it != me;
    if new.seats.iter().any(|(_, it)| is_guest(it)) {
        state.site.limits.count_account(Act::Invite, who.account.id)?;
        let life = Duration::from_secs(limits.invitation_h * 3600);
        state.store.invite(&new, who.account.id, limits.invitations_max, life).await?;
        return Ok(invitations::back(News::Invited).into_response());
    }
    let waiting_max = match new.has_people() {
        true => limits.people_matches_max,
        false => limits.matches_waiting_max,
    };
    let id = state.store.create_match(&new, waiting_max).await?;
    state
        .store
        .note_act(store::Act {
            account: Some(who.account.id),
            act: "match.start",
            object: &id.to_string(),
            detail: serde_json::json!({}),
        })
        .await?;
    let next = format!("/matches/{id}?done={}", News::MatchStarted.as_str());
    Ok(Redirect::to(&next).into_response())
}

impl From<MatchError> for Refusal {
    fn from(why: MatchError) -> Refusal {
        match why {
            MatchError::Store(why) => why.into(),
            why => Refusal::conflict(format!("{}.", crate::views::capital(&why.to_string()))),
        }
    }
}

fn chosen_game<'a>(games: &'a [Game], form: &Form) -> Result<&'a Game, Refusal> {
    match form.get("game").map(String::as_str) {
        None | Some("") => games.first().ok_or_else(|| Refusal::missing("There is no game yet.")),
        Some(id) => games.iter().find(|it| it.id == id).ok_or_else(|| Refusal::unknown("game")),
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
        let role_name = game.role_name(role);
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
                errors.add("seats", format!("Choose a bot for the {role_name}."));
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
        let value = match field.kind {
            FieldKind::Whole { min, max, default } => match given {
                "" => Ok(default.into()),
                text => match text.parse::<u32>() {
                    Ok(it) if (min..=max).contains(&it) => Ok(it.into()),
                    _ => Err(format!(
                        "{}: “{}” was given; a whole number from {min} to {max} is allowed.",
                        field.label,
                        shortened(text)
                    )),
                },
            },
            FieldKind::Choice { options } => match (given, options.first()) {
                ("", Some((first, _))) => Ok((*first).into()),
                (text, _) => match options.iter().find(|(it, _)| *it == text) {
                    Some((it, _)) => Ok((*it).into()),
                    None => Err(format!(
                        "{}: “{}” was given; choose one of those offered.",
                        field.label,
                        shortened(text)
                    )),
                },
            },
        };
        match value {
            Ok(value) => {
                setup.insert(field.name.to_owned(), value);
            }
            Err(what) => errors.add("setup", what),
        }
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
        role: game.role_name(role).to_owned(),
        bots: bots.iter().filter(|it| it.role == *role).cloned().collect(),
        chosen: form.get(&seat_name(no)).cloned().unwrap_or_default(),
        guest_field: guest_name(no),
        guest: form.get(&guest_name(no)).cloned().unwrap_or_default(),
    });
    let fields = game.any().fields().iter().map(|field| {
        let name = field_name(field.name);
        let given = form.get(&name).cloned();
        FieldChoice {
            value: given.unwrap_or_else(|| match field.kind {
                FieldKind::Whole { default, .. } => default.to_string(),
                FieldKind::Choice { options } => {
                    options.first().map_or(String::new(), |(it, _)| (*it).to_owned())
                }
            }),
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

fn guest_name(no: usize) -> String {
    format!("guest-{no}")
}

fn seat_name(no: usize) -> String {
    format!("seat-{no}")
}

fn field_name(name: &str) -> String {
    format!("setup-{name}")
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}
