//! One's own page: bots, devices, password.

use askama::Template;
use axum::{
    extract::State,
    response::{Html, IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use store::{OpenSession, OwnBot, SessionDigest};

use super::{FormErrors, Page, Posted, Refusal, shown_again};
use crate::{
    AppState,
    auth::{self, Act, SignedIn},
    views::{Badge, Frame, News, Rated, When, bot_badge, version_badge},
};

#[derive(Template)]
#[template(path = "me.html")]
struct MePage {
    frame: Frame,
    name: String,
    since: When,
    bots: Vec<BotLine>,
    sessions: Vec<SessionLine>,
    errors: FormErrors,
}

struct BotLine {
    bot: OwnBot,
    game_name: String,
    role_name: String,
    badge: Badge,
    newest: Option<(i32, Badge)>,
    rated: Option<Rated>,
}

struct SessionLine {
    id: String,
    browser: String,
    seen: When,
    created: When,
    is_this: bool,
}

/// `GET /me`
pub(super) async fn show_me(
    State(state): State<AppState>,
    who: SignedIn,
    page: Page,
) -> Result<Html<String>, Refusal> {
    Ok(Html(fill(&state, &who, page.frame, FormErrors::default()).await?))
}

/// `current` and `password`.
#[derive(Deserialize)]
pub(super) struct PasswordForm {
    #[serde(default)]
    current: String,
    #[serde(default)]
    password: String,
}

/// `POST /me/password`
pub(super) async fn change_password(
    State(state): State<AppState>,
    who: SignedIn,
    page: Page,
    Posted(form): Posted<PasswordForm>,
) -> Result<Response, Refusal> {
    let mut errors = FormErrors::default();
    if let Some(why) = auth::complaint(&form.password) {
        errors.add("password", why);
    }
    if form.current.is_empty() {
        errors.add("current", "Type the password you have now.");
    }
    if errors.is_empty() {
        state.site.limits.count_account(Act::SignInAs, who.account.id)?;
        let hash =
            state.store.credentials_of(who.account.id).await?.and_then(|it| it.password_hash);
        if !state.site.passwords.verify(form.current, hash).await? {
            errors.add("current", "This is not the password you have now.");
        }
    }
    if !errors.is_empty() {
        let html = fill(&state, &who, page.frame, errors).await?;
        return Ok(shown_again(html));
    }
    let hash = state.site.passwords.hash(form.password).await?;
    state.store.change_password(who.account.id, &hash, Some(who.session)).await?;
    Ok(back(News::PasswordChanged))
}

/// `session`: the digest of a session, in hex.
#[derive(Deserialize)]
pub(super) struct SessionForm {
    #[serde(default)]
    session: String,
}

/// `POST /me/sessions/end`
pub(super) async fn end_session(
    State(state): State<AppState>,
    who: SignedIn,
    Posted(form): Posted<SessionForm>,
) -> Result<Response, Refusal> {
    let unknown = || Refusal::missing("This device is signed out already.");
    let digest: SessionDigest =
        hex::decode(&form.session).ok().and_then(|it| it.try_into().ok()).ok_or_else(unknown)?;
    match state.store.end_session(who.account.id, digest).await? {
        true => Ok(back(News::SessionEnded)),
        false => Err(unknown()),
    }
}

/// `POST /me/sessions/end-others`
pub(super) async fn end_other_sessions(
    State(state): State<AppState>,
    who: SignedIn,
) -> Result<Response, Refusal> {
    state.store.end_other_sessions(who.account.id, who.session).await?;
    Ok(back(News::OtherSessionsEnded))
}

fn back(news: News) -> Response {
    Redirect::to(&format!("/me?done={}", news.as_str())).into_response()
}

async fn fill(
    state: &AppState,
    who: &SignedIn,
    frame: Frame,
    errors: FormErrors,
) -> Result<String, Refusal> {
    let catalogue = &state.site.catalogue;
    let bots = state.store.bots_of(who.account.id).await?;
    let bots = bots.into_iter().map(|bot| {
        let game = catalogue.game(&bot.game);
        BotLine {
            game_name: game.map_or(bot.game.clone(), |it| it.name.clone()),
            role_name: game.map_or(bot.role.clone(), |it| it.role_name(&bot.role).to_owned()),
            badge: bot_badge(bot.state),
            newest: bot
                .newest
                .filter(|(number, _)| Some(*number) != bot.active_number)
                .map(|(number, state)| (number, version_badge(state))),
            rated: bot.standing.map(Rated::from),
            bot,
        }
    });
    let sessions = state.store.sessions_of(who.account.id).await?;
    let sessions = sessions.into_iter().map(|it: OpenSession| SessionLine {
        id: hex::encode(it.digest),
        browser: browser(&it.user_agent),
        seen: When(it.seen_at),
        created: When(it.created_at),
        is_this: it.digest == who.session,
    });
    let html = MePage {
        name: who.account.name.clone(),
        since: When(who.account.created_at),
        bots: bots.collect(),
        sessions: sessions.collect(),
        frame,
        errors,
    };
    Ok(html.render()?)
}

/// What a person would call the program and the machine that a User-Agent names.
fn browser(user_agent: &str) -> String {
    let named = |table: &[(&'static str, &'static str)]| {
        table.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    let program = named(&[
        ("Firefox/", "Firefox"),
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
        ("curl/", "curl"),
    ]);
    let machine = named(&[
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Macintosh", "Mac"),
        ("Linux", "Linux"),
    ]);
    match (program, machine) {
        (Some(program), Some(machine)) => format!("{program} on {machine}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => user_agent.chars().take(60).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_agents_become_what_people_call_them() {
        let table = [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36 Edg/156.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.1", "curl"),
            ("unknown", "unknown"),
        ];
        for (user_agent, expected) in table {
            assert_eq!(browser(user_agent), expected);
        }
    }
}
