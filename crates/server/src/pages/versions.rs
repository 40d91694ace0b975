//! The page of one version: its build log, its first answers, its source.

use askama::Template;
use axum::{
    extract::State,
    response::{Html, IntoResponse, Response},
};
use game::RemarkKind;
use store::{BotPage as Bot, VersionPage as Version, VersionState};

use super::{Page, Path, Refusal, bots::parse_id, games::attachment};
use crate::{
    AppState,
    auth::SignedIn,
    views::{Badge, Frame, version_badge},
};

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
    let (bot, version) = find(&state, &bot, &number).await?;
    let html = VersionPage {
        language: state.site.catalogue.language_label(&version.language).to_owned(),
        badge: version_badge(version.state),
        is_active: bot.active_version == Some(version.id),
        is_owner: page.account().is_some_and(|it| it.id == bot.account),
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
    let (bot, version) = find(&state, &bot, &number).await?;
    if bot.account != who.account.id {
        return Err(Refusal::not_yours("A source is for its owner alone."));
    }
    let bytes_max = state.config.limits.source_bytes_max.max(version.source_bytes as u64);
    let source = state.blobs.get(&version.source_digest, bytes_max).await?;
    // Never shown in the browser: whatever it holds, it is not a page of ours.
    Ok(attachment(&version.file_name, "application/octet-stream", source).into_response())
}

async fn find(state: &AppState, bot: &str, number: &str) -> Result<(Bot, Version), Refusal> {
    let id = parse_id("bot", bot)?;
    let unknown = || Refusal::unknown("version");
    let number: i32 = number.parse().map_err(|_| unknown())?;
    let bot = state.store.bot_page(id).await?.ok_or_else(|| Refusal::unknown("bot"))?;
    let version = state.store.version_page(id, Some(number)).await?.ok_or_else(unknown)?;
    Ok((bot, version))
}
