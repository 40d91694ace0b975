//! The page of one version: its build log, its first answers, its source.

use std::sync::Arc;

use askama::Template;
use axum::{
    extract::State,
    response::{Html, IntoResponse, Response},
};
use bytes::Bytes;
use futures::TryStreamExt;
use game::RemarkKind;
use sources::{Format, Sources};
use store::{BotPage as Bot, VersionPage as Version, VersionState};
use uuid::Uuid;

use super::{Page, Path, Refusal, archives::List, bots::parse_id, games::attachment};
use crate::{
    AppState,
    auth::{Act, SignedIn},
    views::{Badge, Frame, version_badge},
};

/// How many bytes tell what a source is.
const FORMAT_BYTES: usize = 4;

#[derive(Template)]
#[template(path = "version.html")]
struct VersionPage {
    frame: Frame,
    bot: Bot,
    version: Version,
    language: String,
    badge: Badge,
    is_active: bool,
    is_owner: bool,
    /// Of an archive, for its owner: paths and bytes.
    files: List,
    sees_all: bool,
}

impl VersionPage {
    fn is_building(&self) -> bool {
        matches!(self.version.state, VersionState::Queued | VersionState::Building)
    }

    fn remarks(&self) -> Vec<(&'static str, &str)> {
        let remarks = self.version.compliance.as_ref().map_or(&[][..], |it| &it.remarks);
        let words = |it| match it {
            RemarkKind::Log => "log",
            RemarkKind::Warning => "warning",
        };
        remarks.iter().map(|(kind, text)| (words(*kind), text.as_str())).collect()
    }
}

/// `GET /bots/{bot}/versions/{number}`
pub(super) async fn show_version(
    State(state): State<AppState>,
    Path((bot, number)): Path<(String, String)>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let (bot, version) = find_version(&state, &bot, &number).await?;
    let is_owner = page.account().is_some_and(|it| it.id == bot.account);
    let html = VersionPage {
        files: match is_owner {
            true => files(&state, bot.account, &version).await?,
            false => List::default(),
        },
        language: state.site.catalogue.language_label(&version.language).to_owned(),
        badge: version_badge(version.state),
        is_active: bot.active_version == Some(version.id),
        is_owner,
        sees_all: page.may_see_all_of(bot.account),
        frame: page.frame,
        bot,
        version,
    };
    Ok(Html(html.render()?))
}

/// `GET /bots/{bot}/versions/{number}/source`
pub(super) async fn send_source(
    State(state): State<AppState>,
    Path((bot, number)): Path<(String, String)>,
    who: SignedIn,
) -> Result<Response, Refusal> {
    let (bot, version) = find_version(&state, &bot, &number).await?;
    send_source_to(&state, who.account.id, &bot, &version).await
}

/// A source as a file, for its owner.
pub(crate) async fn send_source_to(
    state: &AppState,
    account: Uuid,
    bot: &Bot,
    version: &Version,
) -> Result<Response, Refusal> {
    if bot.account != account {
        return Err(Refusal::not_yours("A source is for its owner alone."));
    }
    let source = source_of(state, version).await?;
    // Never shown in the browser: whatever it holds, it is not a page of ours.
    let content_type = match sources::format(&source) {
        Format::File => "application/octet-stream",
        Format::Zip => "application/zip",
        Format::TarGz => "application/gzip",
    };
    Ok(attachment(&version.file_name, content_type, source).into_response())
}

/// The files of an archive. One that would not be taken today has none to show.
async fn files(state: &AppState, account: Uuid, version: &Version) -> Result<List, Refusal> {
    let archives = &state.site.archives;
    if let Some(list) = archives.listed(&version.source_digest) {
        return Ok(list);
    }
    // Those who upload wait for the same turns: none is taken for a file alone.
    if is_alone(state, version).await? {
        archives.keep_list(&version.source_digest, List::default());
        return Ok(List::default());
    }
    state.site.limits.count_account(Act::ReadArchive, account)?;
    let turn = archives.turn().await?;
    let source = source_of(state, version).await?;
    let look = |sources: &Sources| -> List {
        sources.files.iter().map(|it| (it.path.clone(), it.bytes.len() as u64)).collect()
    };
    let found = archives.read(turn, &version.file_name, source, look).await?;
    let list = found.unwrap_or_default();
    archives.keep_list(&version.source_digest, Arc::clone(&list));
    Ok(list)
}

/// Whether a source is no archive, by how it begins.
async fn is_alone(state: &AppState, version: &Version) -> Result<bool, Refusal> {
    let (_, mut parts) = state.blobs.stream(&version.source_digest).await?;
    let mut head = Vec::new();
    while head.len() < FORMAT_BYTES {
        let Some(part) = parts.try_next().await? else { break };
        head.extend_from_slice(&part);
    }
    Ok(sources::format(&head) == Format::File)
}

async fn source_of(state: &AppState, version: &Version) -> Result<Bytes, Refusal> {
    let bytes_max = version.source_bytes.unsigned_abs();
    Ok(state.blobs.get(&version.source_digest, bytes_max).await?)
}

pub(crate) async fn find_version(
    state: &AppState,
    bot: &str,
    number: &str,
) -> Result<(Bot, Version), Refusal> {
    let id = parse_id("bot", bot)?;
    let unknown = || Refusal::unknown("version");
    let number: i32 = number.parse().map_err(|_| unknown())?;
    let bot = state.store.bot_page(id).await?.ok_or_else(|| Refusal::unknown("bot"))?;
    let version = state.store.version_page(id, Some(number)).await?.ok_or_else(unknown)?;
    Ok((bot, version))
}
