//! Requests that come twice are done once, and what has changed is not overwritten unseen.

use axum::http::header;
use serde_json::json;
use store::{Role, Scope};

use crate::{
    kit::Site,
    program::{Program, Sends, account, json as json_of, refused},
};

const SOURCE: &[u8] = b"import sys\nprint('#END')\n";

#[tokio::test]
async fn a_request_with_a_key_is_done_once_and_its_answer_given_again() {
    let site = Site::open().await;
    let ada = account(&site, "Ada", Role::Contestant).await;
    let bob = account(&site, "Bob", Role::Contestant).await;
    let program = Program::of(&site, ada, &Scope::ALL).await;
    let path = "/bots?game=labyrinth&role=architect&name=Hedger&language=python3";
    let sends = |source: &[u8]| Sends::bytes(source).with("idempotency-key", "upload-1");
    let first = program.ask("POST", path, sends(SOURCE)).await;
    assert_eq!(first.status, 201, "{}", first.text());
    assert!(!first.headers.contains_key("idempotency-replayed"));
    let again = program.ask("POST", path, sends(SOURCE)).await;
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    assert_eq!(again.headers["idempotency-replayed"], "true");
    assert_eq!(again.header(header::LOCATION), first.header(header::LOCATION));
    assert_eq!(json_of(&program.get("/me/bots").await)["items"].as_array().unwrap().len(), 1);

    // Another body, another address, and nobody else's key.
    refused(&program.ask("POST", path, sends(b"x = 1\n")).await, 422, "belongs to another request");
    let other = path.replace("Hedger", "Walker");
    refused(&program.ask("POST", &other, sends(SOURCE)).await, 422, "belongs to another request");
    let stranger = Program::of(&site, bob, &Scope::ALL).await;
    assert_eq!(stranger.ask("POST", &other, sends(SOURCE)).await.status, 201);
    // Without a key it is a request like any other.
    refused(&program.ask("POST", path, Sends::bytes(SOURCE)).await, 409, "has this name");
}

#[tokio::test]
async fn an_answer_that_says_no_is_not_kept() {
    let site = Site::open().await;
    let olga = account(&site, "Olga", Role::Organiser).await;
    let program = Program::of(&site, olga, &Scope::ALL).await;
    let sends = || Sends::json(&json!({ "label": "Spring" })).with("idempotency-key", "k");
    let made =
        program.ask("POST", "/games/jockey/pools", Sends::json(&json!({ "label": "Spring" })));
    assert_eq!(made.await.status, 201);
    refused(&program.ask("POST", "/games/jockey/pools", sends()).await, 422, "already");
    let gone = program.ask("DELETE", "/games/jockey/pools/spring", Sends::default()).await;
    assert_eq!(gone.status, 204);
    assert_eq!(program.ask("POST", "/games/jockey/pools", sends()).await.status, 201);
    let wrong = Sends::json(&json!({ "label": "x" })).with("idempotency-key", "a".repeat(256));
    refused(&program.ask("POST", "/games/jockey/pools", wrong).await, 400, "1 to 255");
}

#[tokio::test]
async fn of_two_at_once_one_is_done() {
    let site = Site::open().await;
    let ada = account(&site, "Ada", Role::Contestant).await;
    let program = Program::of(&site, ada, &Scope::ALL).await;
    let body = json!({ "name": "made", "scopes": ["read"], "days": 1 });
    let ask = || program.ask("POST", "/me/tokens", Sends::json(&body).with("idempotency-key", "k"));
    let answers = futures::future::join_all((0..8).map(|_| ask())).await;
    for answer in &answers {
        match answer.status.as_u16() {
            201 => {}
            _ => refused(answer, 409, "is under way"),
        }
    }
    let tokens = json_of(&program.get("/me/tokens").await);
    assert_eq!(tokens["items"].as_array().unwrap().len(), 2, "{tokens}");
    // What is shown once is not kept for those who ask again.
    let shown = answers.iter().filter(|it| it.status == 201);
    let shown = shown.filter(|it| json_of(it)["secret"].is_string()).count();
    assert_eq!(shown, 1);
    let again = ask().await;
    assert_eq!(again.headers["idempotency-replayed"], "true");
    assert!(json_of(&again)["secret"].is_null(), "{}", again.text());
}

#[tokio::test]
async fn keys_are_kept_for_a_while_and_not_without_end() {
    let site = Site::with(|config| config.api.idempotency_keys_max = 2).await;
    let olga = account(&site, "Olga", Role::Organiser).await;
    let program = Program::of(&site, olga, &Scope::ALL).await;
    let ask = |key: &'static str| {
        let sends = Sends::json(&json!({ "label": key })).with("idempotency-key", key);
        program.ask("POST", "/games/jockey/pools", sends)
    };
    for key in ["a", "b", "c"] {
        assert_eq!(ask(key).await.status, 201);
    }
    assert!(ask("c").await.headers.contains_key("idempotency-replayed"));
    refused(&ask("a").await, 422, "already");
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_and_what_has_is_not_overwritten() {
    let site = Site::open().await;
    let olga = account(&site, "Olga", Role::Organiser).await;
    let program = Program::of(&site, olga, &Scope::ALL).await;
    let made = program.post("/games/jockey/pools", &json!({ "label": "Spring" })).await;
    assert_eq!(made.header(header::LOCATION), "/api/v1/games/jockey/pools/spring");
    let path = "/games/jockey/pools/spring";
    let seen = program.get(path).await.header(header::ETAG).to_owned();
    let again = Sends::default().with("if-none-match", &*seen);
    let answer = program.ask("GET", path, again.clone()).await;
    assert_eq!((answer.status.as_u16(), answer.body.len()), (304, 0));
    assert_eq!(answer.header(header::ETAG), seen);

    let change = |label: &str, tag: &str| {
        program.ask("PATCH", path, Sends::json(&json!({ "label": label })).with("if-match", tag))
    };
    assert_eq!(json_of(&change("Summer", &seen).await)["label"], "Summer");
    refused(&change("Autumn", &seen).await, 412, "It has changed since you saw it");
    assert_eq!(program.ask("GET", path, again).await.status, 200);
    let gone = Sends::default().with("if-match", &*seen);
    refused(&program.ask("DELETE", path, gone).await, 412, "It has changed since you saw it");
    assert_eq!(change("Autumn", "*").await.status, 200);
    let course = json!({
        "width": 3, "length": 3, "vision": 5, "step_limit": 10, "think_ms": 3000, "x0": 0, "x1": 2,
        "rows": ["000", "010", "000"],
    });
    let hill = format!("{path}/setups/hill");
    let absent = Sends::json(&course).with("if-match", "*");
    refused(&program.ask("PUT", &hill, absent).await, 412, "It has changed");
    assert_eq!(program.ask("PUT", &hill, Sends::json(&course)).await.status, 204);
    let tag = program.get(&hill).await.header(header::ETAG).to_owned();
    let replaced = Sends::json(&course).with("if-match", tag);
    assert_eq!(program.ask("PUT", &hill, replaced).await.status, 204);
}
