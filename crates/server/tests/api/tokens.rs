//! Tokens: made on a page and by programs, shown once, ended; and cookies, which count for nothing.

use axum::{
    body::Body,
    http::{Method, Request, header},
};
use serde_json::json;
use store::{Role, Scope};

use crate::{
    kit::Site,
    program::{Program, ROOT, Sends, account, json as json_of, refused},
};

#[tokio::test]
async fn a_token_is_made_on_a_page_shown_once_used_and_revoked() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    let form = [("name", "laptop"), ("days", "30"), ("scope-read", "yes"), ("scope-play", "yes")];
    let made = ada.post("/me/tokens", &form).await;
    assert_eq!((made.status.as_u16(), made.header(header::CACHE_CONTROL)), (200, "no-store"));
    let text = made.text();
    let token = text.split("<code>agon_").nth(1).unwrap().split('<').next().unwrap();
    let token = format!("agon_{token}");
    let page = ada.get("/me/tokens").await.text();
    assert!(page.contains("laptop") && page.contains("never") && !page.contains(&token), "{page}");

    let program = Program::bare(&site).showing(token);
    let me = json_of(&program.get("/me").await);
    assert_eq!((&me["name"], &me["role"]), (&json!("Ada"), &json!("contestant")));
    assert_eq!(me["token"]["scopes"], json!(["read", "play"]));
    let used = json_of(&program.get("/me/tokens").await);
    assert!(used["items"][0]["used_at"].is_string(), "{used}");

    let id = me["token"]["id"].as_str().unwrap();
    let gone = ada.post(&format!("/me/tokens/{id}/revoke"), &[]).await;
    assert_eq!(gone.location(), "/me/tokens?done=token-revoked");
    refused(&program.get("/me").await, 401, "was revoked");
    refused(&program.get("/games").await, 401, "was revoked");
}

#[tokio::test]
async fn what_is_wrong_with_a_new_token_is_said_by_field() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    let long = "a".repeat(61);
    let table = [
        (vec![("days", "1"), ("scope-read", "yes")], "Choose what the token is called"),
        (vec![("name", &*long), ("days", "1"), ("scope-read", "yes")], "This has 61 characters"),
        (vec![("name", "x"), ("days", "1")], "Choose what the token may do"),
        (vec![("name", "x"), ("days", "366"), ("scope-read", "yes")], "1 to 365 days"),
        (vec![("name", "x"), ("days", "soon"), ("scope-read", "yes")], "1 to 365 days"),
    ];
    for (form, words) in table {
        let answer = ada.post("/me/tokens", &form).await;
        assert_eq!(answer.status, 422);
        assert!(answer.text().contains(words), "{words}: {}", answer.text());
    }
    let account = server::auth::find_account(&site.state.store, "Ada").await.unwrap().unwrap();
    let program = Program::of(&site, account, &[Scope::Read]).await;
    let answer =
        program.post("/me/tokens", &json!({ "name": "", "scopes": ["read"], "days": 999 })).await;
    refused(&answer, 422, "name: Choose what the token is called");
    assert_eq!(json_of(&answer)["fields"][1]["field"], "days");
}

#[tokio::test]
async fn no_token_makes_or_ends_one_that_could_do_more_or_lasts_longer() {
    let site = Site::open().await;
    let ada = account(&site, "Ada", Role::Contestant).await;
    let strong = Program::of(&site, ada, &Scope::ALL).await;
    let weak = Program::of(&site, ada, &[Scope::Read]).await;
    let wanted = |scope: &str| json!({ "name": "child", "scopes": [scope], "days": 30 });
    refused(&weak.post("/me/tokens", &wanted("play")).await, 403, "“play”");
    let child = json_of(&weak.post("/me/tokens", &wanted("read")).await);
    let me = json_of(&weak.get("/me").await);
    assert_eq!(child["expires_at"], me["token"]["expires_at"], "it ends with its parent");
    let strong_id = json_of(&strong.get("/me").await)["token"]["id"].as_str().unwrap().to_owned();
    let end = |id: &str| format!("/me/tokens/{id}");
    refused(&weak.ask("DELETE", &end(&strong_id), Sends::default()).await, 403, "“play”");
    let child = child["id"].as_str().unwrap();
    assert_eq!(weak.ask("DELETE", &end(child), Sends::default()).await.status, 204);
    let own = me["token"]["id"].as_str().unwrap();
    assert_eq!(weak.ask("DELETE", &end(own), Sends::default()).await.status, 204, "itself");
    refused(&weak.get("/me").await, 401, "was revoked");
}

#[tokio::test]
async fn cookies_count_for_nothing() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    assert_eq!(ada.get("/me").await.status, 200, "the cookie is good");
    refused(&ada.get(&format!("{ROOT}/me")).await, 401, "Show a token");
    let body = || Body::from(r#"{"name":"x","scopes":["read"],"days":1}"#);
    let path = format!("{ROOT}/me/tokens");
    let answer = ada.ask(Method::POST, &path, "application/json", body()).await;
    refused(&answer, 401, "Show a token");
    let cookie = ada.cookie.clone().unwrap();
    let request = Request::post(&path)
        .header(header::COOKIE, cookie)
        .header(header::CONTENT_TYPE, "application/json")
        .header("sec-fetch-site", "cross-site");
    refused(&site.send(request.body(body()).unwrap()).await, 401, "Show a token");
}

#[tokio::test]
async fn every_refusal_is_a_problem_whoever_says_no() {
    let site = Site::open().await;
    let ada = account(&site, "Ada", Role::Contestant).await;
    let program = Program::of(&site, ada, &Scope::ALL).await;
    let json_of_kind = |kind, body: &[u8]| Sends { kind, body: body.to_vec(), headers: Vec::new() };
    let large = vec![b' '; 70_000];
    let table = [
        ("GET", "/nothing", Sends::default(), 404, "There is nothing at /api/v1/nothing"),
        ("PUT", "/me", Sends::default(), 405, "Allow says which"),
        ("GET", "/matches?limit=0", Sends::default(), 400, "allowed are 1 to 500"),
        ("GET", "/matches?limit=x", Sends::default(), 400, "The query is not as expected"),
        ("GET", "/matches?colour=red", Sends::default(), 400, "colour"),
        ("GET", "/matches?state=asleep", Sends::default(), 400, "asleep"),
        ("GET", "/matches?game=%00", Sends::default(), 400, "NUL"),
        ("GET", "/matches?game=%FF", Sends::default(), 400, "UTF-8"),
        ("GET", "/matches?cursor=zz", Sends::default(), 400, "none of this list"),
        ("GET", "/matches?game=chess", Sends::default(), 404, "There is no such game."),
        ("GET", "/bots/x", Sends::default(), 404, "There is no such bot."),
        ("GET", "/games/%FF", Sends::default(), 404, "UTF-8"),
        ("POST", "/matches", Sends::default(), 415, "application/json is expected"),
        ("POST", "/matches", json_of_kind("text/plain", b"{}"), 415, "“text/plain”"),
        ("POST", "/matches", json_of_kind("application/json", b"{"), 400, "no JSON"),
        ("POST", "/matches", json_of_kind("application/json", b"{}"), 422, "game"),
        ("POST", "/me/tokens", json_of_kind("application/json", &large), 413, "64\u{a0}KiB"),
        ("POST", "/bots?game=jockey", Sends::bytes(b"x"), 400, "role"),
        ("POST", "/bots?game=jockey&role=racer&name=Dot", Sends::default(), 415, "octet-stream"),
    ];
    for (method, path, sends, status, words) in table {
        println!("{method} {path}");
        refused(&program.ask(method, path, sends).await, status, words);
    }
}

#[tokio::test]
async fn requests_are_counted_and_one_too_many_is_refused() {
    let site = Site::with(|config| {
        config.api.account_requests_per_minute = 3;
        config.api.address_requests_per_minute = 2;
    })
    .await;
    let ada = account(&site, "Ada", Role::Contestant).await;
    let [first, second] = [
        Program::of(&site, ada, &[Scope::Read]).await,
        Program::of(&site, ada, &[Scope::Read]).await,
    ];
    let nobody = Program::bare(&site);
    let told = |answer: &crate::kit::Answer| {
        let of = |name: &str| answer.headers[name].to_str().unwrap().to_owned();
        (of("ratelimit-policy"), of("ratelimit"))
    };
    let answer = first.get("/me").await;
    let expected = ("\"account\";q=3;w=60".to_owned(), "\"account\";r=2;t=20".to_owned());
    assert_eq!(told(&answer), expected);
    // Of one account, whichever the token.
    assert_eq!(second.get("/me").await.status, 200);
    assert_eq!(first.get("/me").await.status, 200);
    let answer = second.get("/me").await;
    refused(&answer, 429, "That was too often");
    assert!(told(&answer).1.starts_with("\"account\";r=0;"));
    let wait: u32 = answer.header(header::RETRY_AFTER).parse().unwrap();
    assert!((1..=20).contains(&wait));
    // Nobody's requests are counted by address, with wrong tokens too.
    assert_eq!(nobody.get("/games").await.status, 200);
    let wrong = nobody.showing("agon_x");
    refused(&wrong.get("/games").await, 401, "This token is none");
    refused(&wrong.get("/games").await, 429, "That was too often");
    assert_eq!(Program::bare(&site).get("/games").await.status, 200, "another address");
}
