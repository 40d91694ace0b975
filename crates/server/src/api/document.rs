//! The OpenAPI document: what the handlers say of themselves, and what all of them have in common.

use serde_json::{Map, Value, json};
use utoipa::OpenApi;

/// What the document begins with.
pub(crate) const ABOUT: &str = include_str!("about.md");

/// The root of the document; operations come from the router.
#[derive(OpenApi)]
#[openapi(
    info(title = "Agon", version = "1.0.0", license(name = "MIT OR Apache-2.0")),
    tags(
        (name = "account", description = "Who you are, and the tokens of your account"),
        (name = "games", description = "Games, their rules and leaderboards"),
        (name = "bots", description = "Bots and their versions"),
        (name = "matches", description = "Matches, replays and records"),
        (name = "invitations", description = "Matches that people play by hand"),
        (name = "pools", description = "Set-ups to play on, and pools of them"),
        (name = "status", description = "The queue, the workers, the languages")
    ),
    components(schemas(crate::Problem))
)]
pub(super) struct Root;

/// What may come of every operation, and what of some of them: status, when, and in which words.
const REFUSALS: [(&str, When, &str); 11] = [
    ("400", When::Always, "It cannot be read: the query, a header or the JSON is malformed."),
    (
        "401",
        When::Always,
        "No token, where one is needed; or one that is none, was revoked or has expired.",
    ),
    ("403", When::WithScope, "The token lacks the scope, or this is not yours to do."),
    ("404", When::WithPlace, "There is no such thing."),
    ("409", When::Changes, "Not possible as things are."),
    ("413", When::WithBody, "The body is larger than allowed."),
    ("415", When::WithBody, "The body is of another kind than expected."),
    (
        "422",
        When::Changes,
        "It can be read and makes no sense; `fields` says what is wrong, where it is a field.",
    ),
    ("429", When::Always, "Too many requests; `Retry-After` says when to come again."),
    ("500", When::Always, "Our fault."),
    ("503", When::Always, "Not just now; `Retry-After` says when to come again."),
];

#[derive(Clone, Copy)]
enum When {
    Always,
    WithScope,
    WithPlace,
    WithBody,
    Changes,
}

impl When {
    fn holds(self, path: &str, method: &str, operation: &Map<String, Value>) -> bool {
        match self {
            When::Always => true,
            When::WithScope => operation.contains_key("security"),
            When::WithPlace => {
                path.contains('{') || operation.contains_key("requestBody") || filters(operation)
            }
            When::WithBody => operation.contains_key("requestBody"),
            When::Changes => method != "get",
        }
    }
}

/// Whether it is narrowed to something that has to be there.
fn filters(operation: &Map<String, Value>) -> bool {
    let parameters = operation.get("parameters").and_then(Value::as_array);
    parameters.into_iter().flatten().any(|it| it["name"] == "game" || it["name"] == "bot")
}

/// The whole document.
pub(super) fn finished(operations: utoipa::openapi::OpenApi) -> Value {
    let mut document =
        serde_json::to_value(operations).expect("an OpenAPI document has no keys but text");
    document["info"]["description"] = ABOUT.into();
    document["servers"] = json!([{ "url": "/api/v1" }]);
    document["components"]["securitySchemes"] = json!({
        "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token of your account: `Authorization: Bearer agon_…`.",
        }
    });
    let problem = json!({
        "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } }
    });
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    for (path, item) in paths {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            let Some(operation) = operation.as_object_mut() else { continue };
            for (status, when, words) in REFUSALS {
                if !when.holds(path, method, operation) {
                    continue;
                }
                let refusal = json!({ "description": words, "content": problem });
                let responses = operation.entry("responses").or_insert_with(|| json!({}));
                if let Some(all) = responses.as_object_mut() {
                    all.entry(status).or_insert(refusal);
                }
            }
            if method == "get" {
                let words = "It is as `If-None-Match` names it.";
                let responses = operation.entry("responses").or_insert_with(|| json!({}));
                responses["304"] = json!({ "description": words });
            }
            if method == "post" {
                let parameters = operation.entry("parameters").or_insert_with(|| json!([]));
                if let Some(all) = parameters.as_array_mut() {
                    all.push(idempotency_key());
                }
            }
        }
    }
    document
}

fn idempotency_key() -> Value {
    json!({
        "name": "Idempotency-Key",
        "in": "header",
        "required": false,
        "description": "A name of your own for this request: sent again with the same key, it is \
                        not done again, and the first answer is given again.",
        "schema": { "type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$" },
    })
}

/// Operations about one kind of thing, for people.
pub(crate) struct OperationGroup {
    /// What they are about.
    pub(crate) about: String,
    /// Method, address and what it does.
    pub(crate) operations: Vec<(String, String, String)>,
}

/// What a document has, in the order of its tags.
pub(super) fn listed(document: &Value) -> Vec<OperationGroup> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let tags = document["tags"].as_array().into_iter().flatten();
    let groups = tags.map(|tag| {
        let mut operations = Vec::new();
        for (path, item) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in item.as_object().into_iter().flatten() {
                if operation["tags"][0] == tag["name"] {
                    let words = text(&operation["summary"]);
                    operations.push((method.to_uppercase(), path.clone(), words));
                }
            }
        }
        OperationGroup { about: text(&tag["description"]), operations }
    });
    groups.collect()
}
