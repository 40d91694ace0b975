//! Signing up, in and out.

use askama::Template;
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode, header::RETRY_AFTER},
    response::{Html, IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use store::{AccountError, NewAccount, Role};

use super::{FormErrors, Page, Posted, Query, Refusal, safe_next};
use crate::{
    AppState, Error,
    auth::{self, Act, Name, SignedIn},
    views::{Frame, News},
};

#[derive(Default, Deserialize)]
pub(super) struct NextQuery {
    #[serde(default)]
    next: String,
}

/// `name`, `password`, and where to go then.
#[derive(Deserialize)]
pub(super) struct AccountForm {
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    next: String,
}

#[derive(Template)]
#[template(path = "signup.html")]
struct SignupPage {
    frame: Frame,
    name: String,
    next: String,
    errors: FormErrors,
}

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage {
    frame: Frame,
    name: String,
    next: String,
    error: Option<String>,
}

/// `GET /signup`
pub(super) async fn show_signup(
    Query(query): Query<NextQuery>,
    page: Page,
) -> Result<Response, Refusal> {
    if page.who.is_some() {
        return Ok(Redirect::to("/me").into_response());
    }
    let html = SignupPage {
        frame: page.frame,
        name: String::new(),
        next: query.next,
        errors: FormErrors::default(),
    };
    Ok(Html(html.render()?).into_response())
}

/// `POST /signup`
pub(super) async fn sign_up(
    State(state): State<AppState>,
    headers: HeaderMap,
    page: Page,
    Posted(form): Posted<AccountForm>,
) -> Result<Response, Refusal> {
    let mut errors = FormErrors::default();
    let name = Name::parse(&form.name);
    if let Err(why) = &name {
        errors.add("name", why.to_string());
    }
    if let Some(why) = auth::complaint(&form.password) {
        errors.add("password", why);
    }
    let again = |status, errors| -> Result<Response, Refusal> {
        let html = SignupPage {
            frame: page.frame.clone(),
            name: form.name.clone(),
            next: form.next.clone(),
            errors,
        };
        Ok((status, Html(html.render()?)).into_response())
    };
    let (Ok(name), true) = (name, errors.is_empty()) else {
        return again(StatusCode::UNPROCESSABLE_ENTITY, errors);
    };
    state.site.limits.count_address(Act::SignUp, page.address)?;
    let password_hash = state.site.passwords.hash(form.password.clone()).await?;
    let new = NewAccount {
        name: name.shown(),
        name_key: name.key(),
        password_hash: Some(&password_hash),
        role: Role::Contestant,
        house: false,
    };
    let account = match state.store.create_account(new).await {
        Ok(account) => account,
        Err(AccountError::NameTaken) => {
            errors.add("name", "This name is taken, or looks like one that is. Choose another.");
            return again(StatusCode::CONFLICT, errors);
        }
        Err(AccountError::Store(why)) => return Err(why.into()),
    };
    let cookie = auth::open_session(&state, &headers, account).await?;
    let next = match form.next.as_str() {
        "" => format!("/me?done={}", News::Welcome.as_str()),
        next => safe_next(next).to_owned(),
    };
    Ok((cookie, Redirect::to(&next)).into_response())
}

/// `GET /login?next=`
pub(super) async fn show_login(
    Query(query): Query<NextQuery>,
    page: Page,
) -> Result<Response, Refusal> {
    if page.who.is_some() {
        return Ok(Redirect::to(safe_next(&query.next)).into_response());
    }
    let html = LoginPage { frame: page.frame, name: String::new(), next: query.next, error: None };
    Ok(Html(html.render()?).into_response())
}

/// `POST /login`
pub(super) async fn sign_in(
    State(state): State<AppState>,
    headers: HeaderMap,
    page: Page,
    Posted(form): Posted<AccountForm>,
) -> Result<Response, Refusal> {
    let again = |status, error: String| -> Result<Response, Refusal> {
        let html = LoginPage {
            frame: page.frame.clone(),
            name: form.name.clone(),
            next: form.next.clone(),
            error: Some(error),
        };
        Ok((status, Html(html.render()?)).into_response())
    };
    let name_key = auth::key_of(&form.name);
    let limits = &state.site.limits;
    let counted = limits
        .count_address(Act::SignIn, page.address)
        .and_then(|()| limits.count_name(Act::SignInAs, &name_key));
    if let Err(too_many) = counted {
        // The form stays, so that nothing has to be typed again.
        let why = Error::from(too_many);
        let words = why.to_string();
        let told = why.into_response();
        let mut page = again(told.status(), words)?;
        page.headers_mut()
            .extend(told.headers().get(RETRY_AFTER).map(|it| (RETRY_AFTER, it.clone())));
        return Ok(page);
    }
    if form.name.trim().is_empty() || form.password.is_empty() {
        let error = "Type both your name and your password.".to_owned();
        return again(StatusCode::UNPROCESSABLE_ENTITY, error);
    }
    // A password that is too long to be one is not worth hashing.
    let fits = form.password.chars().count() <= auth::PASSWORD_CHARS_MAX;
    let password = if fits { form.password.clone() } else { String::new() };
    let credentials = state.store.credentials(&name_key).await?;
    let (account, hash) =
        credentials.map_or((None, None), |it| (Some(it.account), it.password_hash));
    let matches = state.site.passwords.verify(password, hash).await?;
    let (Some(account), true) = (account, matches) else {
        let error = "No account has this name and this password.".to_owned();
        return again(StatusCode::UNAUTHORIZED, error);
    };
    let cookie = auth::open_session(&state, &headers, account).await?;
    Ok((cookie, Redirect::to(safe_next(&form.next))).into_response())
}

/// `POST /logout`
pub(super) async fn sign_out(
    State(state): State<AppState>,
    who: Option<SignedIn>,
) -> Result<Response, Refusal> {
    let cookie = auth::close_session(&state, who.as_ref()).await?;
    let next = format!("/?done={}", News::SignedOut.as_str());
    Ok((cookie, Redirect::to(&next)).into_response())
}
