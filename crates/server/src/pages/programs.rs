//! The page for those who write programs for the API: how it works, what it promises, and all there
//! is to ask.

use std::sync::LazyLock;

use askama::Template;
use axum::response::Html;

use super::{Page, Refusal, markdown};
use crate::{
    api::{self, OperationGroup},
    views::Frame,
};

/// Neither changes while the program runs.
static ABOUT: LazyLock<String> = LazyLock::new(|| markdown::render(api::ABOUT, "").html);
static OPERATIONS: LazyLock<Vec<OperationGroup>> = LazyLock::new(api::listed_operations);

#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage {
    frame: Frame,
    about: &'static str,
    groups: &'static [OperationGroup],
}

/// `GET /api`
pub(super) async fn show_api(page: Page) -> Result<Html<String>, Refusal> {
    let html = ApiPage { frame: page.frame, about: &ABOUT, groups: &OPERATIONS };
    Ok(Html(html.render()?))
}
