//! The page on which every operation can be tried: Swagger UI, all of it from here.

use axum::Router;
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::ROOT;
use crate::AppState;

/// Where it is.
const PLACE: &str = "/api/ui";

pub(super) fn router() -> Router<AppState> {
    let config = Config::new([format!("{ROOT}/openapi.json")])
        .try_it_out_enabled(true)
        .display_request_duration(true)
        .doc_expansion("list")
        // Nobody elsewhere is asked whether the document is good.
        .validator_url("none");
    SwaggerUi::new(PLACE).config(config).into()
}
