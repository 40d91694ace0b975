//! A match somebody asks for: who sits where, and on which set-up. It is the form of the page, put
//! otherwise, and goes the same way.

use std::collections::BTreeMap;

use axum::{
    Json,
    extract::State,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    ROOT,
    caller::{Admitted, Player},
    input::Body,
};
use crate::{
    AppState,
    pages::{
        Form, GUEST, ME, MadeMatch, Refusal, field_name, guest_name, make_match, seat_name,
        setups::FILE_BYTES_MAX,
    },
};

/// Most bytes of what asks for a match: a set-up is the largest part of it.
const NEW_MATCH_BYTES_MAX: usize = FILE_BYTES_MAX + (64 << 10);

/// A match to be made. It is friendly: it moves no rating.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewMatch {
    /// Of which game.
    game: String,
    /// Who plays, in the order of the game's seats.
    #[schema(min_items = 1, max_items = 8)]
    seats: Vec<NewSeat>,
    /// On which set-up; on the game's default where nothing is said.
    setup: Option<NewSetup>,
}

/// Who plays on a seat.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum NewSeat {
    /// A bot, with the version that plays.
    Bot(Uuid),
    /// Somebody by name, in person, who is invited.
    Person(String),
    /// You, in person; has to be true.
    Me(bool),
}

/// On which set-up to play.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum NewSetup {
    /// One of a pool: `pool/name`.
    Pool(String),
    /// Made of the game's fields, by their names; what is left out has its default.
    Fields(BTreeMap<String, FieldValue>),
    /// In full, as the game has it.
    #[schema(value_type = Object)]
    Own(Map<String, Value>),
}

/// The value of a field: a whole number or a word, as the field says.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
enum FieldValue {
    Whole(u32),
    Word(String),
}

/// What was made.
#[derive(Debug, Serialize, ToSchema)]
struct MadeMatchShape {
    /// The match, which begins when its turn comes.
    #[serde(rename = "match")]
    match_id: Option<Uuid>,
    /// Where people are invited: the invitation, of which a match becomes when all have accepted.
    invitation: Option<Uuid>,
}

/// Ask for a match
#[utoipa::path(
    post, path = "/matches", tag = "matches", security(("token" = ["play"])),
    request_body = NewMatch,
    responses((status = 201, description = "The match, or an invitation to it", body = MadeMatchShape))
)]
pub(super) async fn create_match(
    State(state): State<AppState>,
    Player(caller): Player,
    admitted: Admitted,
    Body(new): Body<NewMatch, NEW_MATCH_BYTES_MAX>,
) -> Result<Response, Refusal> {
    let game = state.site.catalogue.find(&new.game)?;
    let (found, allowed) = (new.seats.len(), game.any().roles().len());
    if found != allowed {
        return Err(Refusal::invalid(format!(
            "“seats” has {found}; {} has {allowed} seats.",
            game.name
        )));
    }
    let form = form(new)?;
    let made = make_match(&state, caller.account.id, admitted.address, &form).await?;
    let (told, location) = match made.map_err(|errors| errors.into_error())? {
        MadeMatch::Match(id) => (
            MadeMatchShape { match_id: Some(id), invitation: None },
            format!("{ROOT}/matches/{id}"),
        ),
        MadeMatch::Invitation(id) => {
            (MadeMatchShape { match_id: None, invitation: Some(id) }, format!("{ROOT}/invitations"))
        }
    };
    let location = HeaderValue::from_str(&location).map_err(Refusal::ours)?;
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(told)).into_response())
}

fn form(new: NewMatch) -> Result<Form, Refusal> {
    let mut form = Form::from([("game".to_owned(), new.game)]);
    for (no, seat) in new.seats.into_iter().enumerate() {
        let chosen = match seat {
            NewSeat::Bot(id) => id.to_string(),
            NewSeat::Me(true) => ME.to_owned(),
            NewSeat::Me(false) => {
                return Err(Refusal::invalid(
                    "“me” is false; where you do not play, say who does.",
                ));
            }
            NewSeat::Person(name) => {
                form.insert(guest_name(no), name);
                GUEST.to_owned()
            }
        };
        form.insert(seat_name(no), chosen);
    }
    match new.setup {
        None => {}
        Some(NewSetup::Pool(preset)) => {
            form.insert("setup".to_owned(), preset);
        }
        Some(NewSetup::Own(setup)) => {
            form.insert("own-setup".to_owned(), Value::Object(setup).to_string());
        }
        Some(NewSetup::Fields(fields)) => {
            let fields = fields.into_iter().map(|(name, value)| {
                let value = match value {
                    FieldValue::Whole(number) => number.to_string(),
                    FieldValue::Word(word) => word,
                };
                (field_name(&name), value)
            });
            form.extend(fields);
        }
    }
    Ok(form)
}
