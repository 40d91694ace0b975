//! A one-time link: its holder sets a password and is signed in.

use askama::Template;
use axum::{
    extract::State,
    http::HeaderMap,
    response::{Html, IntoResponse, Redirect, Response},
};
use serde::Deserialize;

use super::{Page, Path, Posted, Refusal, shown_again};
use crate::{
    AppState,
    auth::{self, Act},
    views::{Frame, News},
};

const NO_LINK: &str = "This link was used already, has expired, or never was one. Ask whoever runs this server for a new one.";

#[derive(Template)]
#[template(path = "setup.html")]
struct SetupPage {
    frame: Frame,
    token: String,
    name: String,
    error: Option<String>,
}

/// `password`.
#[derive(Deserialize)]
pub(super) struct PasswordForm {
    #[serde(default)]
    password: String,
}

/// `GET /setup/{token}`
pub(super) async fn show_setup(
    State(state): State<AppState>,
    Path(token): Path<String>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    state.site.limits.count_address(Act::SignIn, page.address)?;
    let name = state.store.link(auth::link_digest(&token)).await?;
    let name = name.ok_or_else(|| Refusal::missing(NO_LINK))?;
    Ok(Html(SetupPage { frame: page.frame, token, name, error: None }.render()?))
}

/// `POST /setup/{token}`
pub(super) async fn set_password(
    State(state): State<AppState>,
    Path(token): Path<String>,
    headers: HeaderMap,
    page: Page,
    Posted(form): Posted<PasswordForm>,
) -> Result<Response, Refusal> {
    state.site.limits.count_address(Act::SignIn, page.address)?;
    let digest = auth::link_digest(&token);
    let unknown = || Refusal::missing(NO_LINK);
    let name = state.store.link(digest).await?.ok_or_else(unknown)?;
    if let Some(error) = auth::complaint(&form.password) {
        let html = SetupPage { frame: page.frame, token, name, error: Some(error) };
        return Ok(shown_again(html.render()?));
    }
    let password_hash = state.site.passwords.hash(form.password).await?;
    let account = state.store.use_link(digest, &password_hash).await?.ok_or_else(unknown)?;
    let cookie = auth::open_session(&state, &headers, account).await?;
    let next = format!("/me?done={}", News::SignedIn.as_str());
    Ok((cookie, Redirect::to(&next)).into_response())
}
