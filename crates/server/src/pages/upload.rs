//! A program comes in: read with care, judged, kept, and put into the queue to be built.

mod judging;
mod reading;

use std::collections::BTreeMap;

use askama::Template;
use axum::{
    extract::{Multipart, State, multipart::MultipartRejection},
    http::{HeaderMap, StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use store::{BotError, Entry, EntryBot, EntryError, NewBot, OwnBot, VersionError};
use uuid::Uuid;

pub(crate) use self::reading::{read_bytes, upload_bytes_max};
use self::{
    judging::{Judged, judge, refused},
    reading::{Sent, Source, plain_file_name, read_form},
};
use super::{
    FormErrors, Game, Language, Page, Query, Refusal,
    bots::parse_id,
    catalogue::{Availability, availabilities},
};
use crate::{
    AppState, Config,
    auth::{Act, Name, SignedIn},
    config::Limits,
    views::{Frame, News},
};

/// When to come back where too many builds wait, in seconds.
const BUILD_WAIT_S: u16 = 5;
/// What is read of an upload that is too large, so that its sender hears why.
const DRAINED_BYTES_MAX: usize = 16 << 20;

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Received {
    /// The bot, new or known.
    pub(crate) bot: Uuid,
    /// The number of its new version.
    pub(crate) number: i32,
}

/// Why nothing was made.
pub(crate) enum NotReceived {
    /// The fields say what is wrong.
    Form(StatusCode, FormErrors),
    /// The request as a whole cannot be done.
    Refused(Refusal),
}

impl<E: Into<Refusal>> From<E> for NotReceived {
    fn from(why: E) -> NotReceived {
        NotReceived::Refused(why.into())
    }
}

/// `bot` or `game` and `role`, chosen before.
#[derive(Default, Deserialize)]
pub(super) struct UploadQuery {
    #[serde(default)]
    bot: String,
    #[serde(default)]
    game: String,
    #[serde(default)]
    role: String,
}

#[derive(Template)]
#[template(path = "upload.html")]
struct UploadPage<'a> {
    frame: Frame,
    games: &'a [Game],
    bots: Vec<OwnBot>,
    languages: Vec<(&'a Language, Availability)>,
    fields: BTreeMap<String, String>,
    limits: &'a Limits,
    errors: FormErrors,
}

impl UploadPage<'_> {
    fn value(&self, field: &str) -> &str {
        self.fields.get(field).map_or("", String::as_str)
    }

    fn has(&self, field: &str, value: &str) -> bool {
        self.value(field) == value
    }

    fn is_bot(&self, bot: &OwnBot) -> bool {
        self.value("bot") == bot.id.to_string()
    }

    fn is_role(&self, game: &Game, role: &str) -> bool {
        let plays = self.value("plays").split_once('/');
        match plays.unwrap_or((self.value("game"), self.value("role"))) {
            // Nothing is left to choose.
            (id, "") => id == game.id && game.roles.len() == 1,
            chosen => chosen == (game.id, role),
        }
    }

    fn role_name(&self, bot: &OwnBot) -> String {
        let game = self.games.iter().find(|it| it.id == bot.game);
        game.map_or(bot.role.clone(), |it| format!("{}, {}", it.name, it.role_name(&bot.role)))
    }
}

/// Most bytes of the whole request.
pub(super) fn bytes_max(config: &Config) -> usize {
    usize::try_from(upload_bytes_max(config))
        .unwrap_or(usize::MAX)
        .saturating_add(DRAINED_BYTES_MAX)
}

/// `GET /upload?bot=&game=&role=`
pub(super) async fn show_upload(
    State(state): State<AppState>,
    Query(query): Query<UploadQuery>,
    who: SignedIn,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let fields = [("bot", query.bot), ("game", query.game), ("role", query.role)];
    let fields = fields.map(|(name, value)| (name.to_owned(), value)).into();
    Ok(Html(fill(&state, &who, page.frame, fields, FormErrors::default()).await?))
}

/// `POST /upload`, `multipart/form-data`, with these fields:
///
/// | field | holds |
/// |---|---|
/// | `bot` | id of a bot of one's own, to give it a new version; empty for a new bot |
/// | `game`, `role`, `name` | of a new bot |
/// | `plays` | game and role in one, as `game/role`, instead of both |
/// | `language` | id of a language; empty to let it be guessed |
/// | `file` | the source as a file, or several in a zip or a tar.gz |
/// | `source` | or the source as text |
/// | `file_name` | what pasted text is called (optional) |
///
/// Success is 303 to the bot's page; what is wrong is said beside the field it is about.
pub(super) async fn receive_upload(
    State(state): State<AppState>,
    who: SignedIn,
    page: Page,
    headers: HeaderMap,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Response, Refusal> {
    let form = form.map_err(|_| {
        let kind = headers.get(header::CONTENT_TYPE).and_then(|it| it.to_str().ok());
        Refusal::unsupported(kind.unwrap_or_default(), "multipart/form-data with its boundary")
    })?;
    state.site.limits.count_address(Act::Upload, page.address)?;
    state.site.limits.count_account(Act::UploadAs, who.account.id)?;
    let (sent, too_large) = read_form(&state, who.account.id, form).await?;
    let fields = sent.fields.clone();
    let received = match too_large {
        None => receive_version(&state, sent).await,
        Some(errors) => Err(NotReceived::Form(StatusCode::PAYLOAD_TOO_LARGE, errors)),
    };
    match received {
        Ok(Received { bot, .. }) => {
            let next = format!("/bots/{bot}?done={}", News::Uploaded.as_str());
            Ok(Redirect::to(&next).into_response())
        }
        Err(NotReceived::Form(status, errors)) => {
            let html = fill(&state, &who, page.frame, fields, errors).await?;
            let mut response = (status, Html(html)).into_response();
            if status == StatusCode::TOO_MANY_REQUESTS {
                response.headers_mut().insert(header::RETRY_AFTER, BUILD_WAIT_S.into());
            }
            Ok(response)
        }
        Err(NotReceived::Refused(why)) => Err(why),
    }
}

/// Judges what was sent, keeps the source, and makes version and build job,
/// with a bot if it is a new one: all of it or nothing.
pub(crate) async fn receive_version(state: &AppState, sent: Sent) -> Result<Received, NotReceived> {
    let Sent { account, fields, mut sources } = sent;
    let value = |name: &str| fields.get(name).map_or("", |it| it.trim());
    let catalogue = &state.site.catalogue;
    let mut errors = FormErrors::default();

    let (game_id, role) = match value("plays").split_once('/') {
        Some((game, role)) => (game, role),
        None => (value("game"), value("role")),
    };
    let (known, game_id) = match value("bot") {
        "" => (None, game_id.to_owned()),
        id => {
            let (bot, game) = own_bot(state, account, id).await?;
            (Some(bot), game)
        }
    };
    let game = match &known {
        Some(_) => None,
        None => {
            let game = catalogue.game(&game_id);
            if game.is_none_or(|it| it.role(role).is_none()) {
                errors.add("role", "Choose what the bot plays.");
            }
            game
        }
    };
    let name = match &known {
        Some(_) => None,
        None => Name::parse(value("name")).map_err(|why| errors.add("name", why.to_string())).ok(),
    };
    let source = match (sources.pop(), sources.pop()) {
        (Some(source), None) if source.bytes > 0 => Some(source),
        (Some(_), None) => {
            errors.add("file", "This file is empty. Choose the file with your bot’s source.");
            None
        }
        (Some(_), Some(_)) => {
            errors.add("file", "Both a file and pasted text came. Send one of them.");
            None
        }
        (None, _) => {
            errors.add("file", "Choose a file, or paste the source below.");
            None
        }
    };
    // Judged before it is kept, and before anything is made of it.
    let mut file_name = None;
    let source = match source {
        None => None,
        Some(Source { file_name: given, incoming, .. }) => {
            file_name = plain_file_name(&given).or_else(|| plain_file_name(value("file_name")));
            let sealed = incoming.seal().await?;
            let name = file_name.as_deref().unwrap_or_default();
            let judged = judge(state, name, (&game_id, value("language")), &sealed).await?;
            judged.map_err(|why| errors.add("file", refused(&why))).ok().map(|it| (sealed, it))
        }
    };
    let language = match &source {
        Some((_, judged)) => choose_language(state, value("language"), judged, &mut errors).await?,
        None => None,
    };
    let (Some((sealed, _)), Some(language), true) = (source, language, errors.is_empty()) else {
        return Err(NotReceived::Form(StatusCode::UNPROCESSABLE_ENTITY, errors));
    };

    let limits = &state.config.limits;
    let file_name = file_name.unwrap_or_else(|| language.source_name.clone());
    let bot = match (known, game, &name) {
        (Some(bot), ..) => EntryBot::Known(bot),
        (None, Some(game), Some(name)) => EntryBot::New(NewBot {
            account,
            game: game.id,
            role,
            name: name.shown(),
            name_key: name.key(),
            bots_max: limits.bots_max,
        }),
        (None, ..) => return Err(NotReceived::Form(StatusCode::UNPROCESSABLE_ENTITY, errors)),
    };
    let source = sealed.keep().await?;
    let entry = Entry {
        account,
        bot,
        language: &language.id,
        file_name: &file_name,
        source: &source,
        builds_waiting_max: limits.builds_waiting_max,
    };
    match state.store.enter(&entry).await {
        Ok(entered) => Ok(Received { bot: entered.bot, number: entered.number }),
        Err(EntryError::Bot(BotError::NameTaken)) => {
            errors.add(
                "name",
                "A bot of this game has this name, or one that looks the same. Choose another.",
            );
            Err(NotReceived::Form(StatusCode::CONFLICT, errors))
        }
        Err(EntryError::Bot(why)) => Err(why.into()),
        Err(EntryError::Version(VersionError::UnknownBot)) => {
            Err(Refusal::missing("You have no such bot.").into())
        }
        Err(EntryError::Version(VersionError::TooMany { found })) => {
            errors.add("file", format!("{found} of your uploads are still being built, which is as many as may wait. Try again when one of them is done."));
            Err(NotReceived::Form(StatusCode::TOO_MANY_REQUESTS, errors))
        }
        Err(EntryError::Version(VersionError::Store(why)) | EntryError::Store(why)) => {
            Err(why.into())
        }
    }
}

/// A bot of the account, and its game.
async fn own_bot(state: &AppState, account: Uuid, id: &str) -> Result<(Uuid, String), Refusal> {
    let id = parse_id("bot", id)?;
    let bot = state.store.bot_page(id).await?;
    let bot = bot.ok_or_else(|| Refusal::unknown("bot"))?;
    match bot.account == account {
        true => Ok((id, bot.game)),
        false => Err(Refusal::not_yours(format!(
            "The bot “{}” is {}’s; only its owner can upload to it.",
            bot.name, bot.owner
        ))),
    }
}

async fn choose_language<'a>(
    state: &'a AppState,
    chosen: &str,
    judged: &Judged,
    errors: &mut FormErrors,
) -> Result<Option<&'a Language>, Refusal> {
    let catalogue = &state.site.catalogue;
    let language = match chosen {
        "" => {
            match judged.guessed.as_ref().and_then(|it| catalogue.language(it)) {
                Some(language) => language,
                None => {
                    let what = judged.noun();
                    errors.add(
                    "language",
                    format!("Nothing in this {what} says which language it is written in. Choose one."),
                );
                    return Ok(None);
                }
            }
        }
        id => match catalogue.language(id) {
            Some(language) => language,
            None => {
                errors.add("language", "There is no such language. Choose one of those offered.");
                return Ok(None);
            }
        },
    };
    if let Some(why) = &judged.no_entry {
        errors.add("file", why);
        return Ok(None);
    }
    match language.availability(&state.store.status().await?.workers) {
        Availability::No(why) => {
            errors.add("language", format!("{} cannot be used here now: {why}.", language.label));
            Ok(None)
        }
        Availability::Yes(_) | Availability::Unknown => Ok(Some(language)),
    }
}

async fn fill(
    state: &AppState,
    who: &SignedIn,
    frame: Frame,
    fields: BTreeMap<String, String>,
    errors: FormErrors,
) -> Result<String, Refusal> {
    let catalogue = &state.site.catalogue;
    let mut available = availabilities(catalogue.languages(), &state.store.status().await?.workers);
    let languages = catalogue.languages().iter();
    let html = UploadPage {
        games: catalogue.games(),
        bots: state.store.bots_of(who.account.id).await?,
        languages: languages.filter_map(|it| Some((it, available.remove(&it.id)?))).collect(),
        fields,
        limits: &state.config.limits,
        frame,
        errors,
    };
    Ok(html.render()?)
}
