//! Every route with what it cannot do: the status, and a page that says what to do.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};

use crate::kit::Site;

const UNKNOWN: &str = "00000000-0000-0000-0000-000000000000";

#[tokio::test]
async fn pages_that_are_not_there_say_so_in_words() {
    let site = Site::open().await;
    let paths = [
        "/nothing",
        "/games/chess",
        "/games/chess/leaderboard",
        "/games/labyrinth/leaderboard?role=king",
        "/games/labyrinth/leaderboard?page=2",
        "/games/labyrinth/leaderboard?page=-1",
        "/games/labyrinth/bots/none.py",
        "/games/labyrinth/bots/..%2Fgame.toml",
        "/bots/1",
        &format!("/bots/{UNKNOWN}"),
        &format!("/bots/{UNKNOWN}/live"),
        &format!("/bots/{UNKNOWN}/versions/1"),
        &format!("/bots/{UNKNOWN}/versions/x"),
        "/matches/x",
        &format!("/matches/{UNKNOWN}"),
        &format!("/matches/{UNKNOWN}/live"),
        &format!("/matches/{UNKNOWN}/replay.json"),
        &format!("/matches/{UNKNOWN}/record"),
        "/matches?game=chess",
        "/matches?bot=x",
        &format!("/matches?bot={UNKNOWN}"),
        "/matches?before=x",
        "/setup/nonsense",
        "/assets/none.js",
        "/assets/..%2Fmanifest.json",
    ];
    for path in paths {
        let answer = site.visitor().get(path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert!(answer.header(header::CONTENT_TYPE).starts_with("text/html"), "{path}");
        assert!(
            answer.text().contains("There is no") || answer.text().contains("This link"),
            "{path}"
        );
        assert!(answer.text().contains("Back to the start"), "{path}");
    }
}

#[tokio::test]
async fn questions_of_no_sense_are_told_what_makes_some() {
    let site = Site::open().await;
    let table = [
        ("/matches?state=asleep", StatusCode::BAD_REQUEST, "allowed are finished, running"),
        ("/matches?purpose=fun", StatusCode::BAD_REQUEST, "allowed are ladder"),
        (
            "/games/labyrinth/leaderboard?page=x",
            StatusCode::UNPROCESSABLE_ENTITY,
            "not as expected",
        ),
        ("/matches?state=%FF", StatusCode::UNPROCESSABLE_ENTITY, "not UTF-8"),
        ("/matches?state=%00", StatusCode::UNPROCESSABLE_ENTITY, "NUL"),
    ];
    for (path, status, words) in table {
        let answer = site.visitor().get(path).await;
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.text().contains(words), "{path}: {}", answer.text());
    }
}

#[tokio::test]
async fn what_needs_an_account_sends_to_sign_in_and_changes_nothing() {
    let site = Site::open().await;
    for path in ["/me", "/upload?game=labyrinth", "/matches/new"] {
        let location = site.visitor().get(path).await.location();
        assert!(location.starts_with("/login?next=%2F"), "{path}: {location}");
    }
    let source = format!("/bots/{UNKNOWN}/versions/1/source");
    assert!(site.visitor().get(&source).await.location().starts_with("/login"));
    let posts = [
        "/upload",
        "/matches",
        "/me/password",
        "/me/sessions/end",
        "/me/sessions/end-others",
        &format!("/bots/{UNKNOWN}/bench"),
        &format!("/bots/{UNKNOWN}/activate"),
        &format!("/bots/{UNKNOWN}/active-version"),
    ];
    for path in posts {
        let answer = site.visitor().post(path, &[]).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
        assert!(answer.text().contains("Sign in first"), "{path}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_bot_is_changed_by_its_owner_alone() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    let bot = ada.upload_bot("architect", "Hedger").await;
    let mut bob = site.signed_up("Bob").await;
    for act in ["bench", "activate"] {
        let path = format!("/bots/{bot}/{act}");
        let answer = bob.post(&path, &[]).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{act}");
        assert!(answer.text().contains("The bot “Hedger” is Ada’s"), "{}", answer.text());
        let path = format!("/bots/{UNKNOWN}/{act}");
        assert_eq!(bob.post(&path, &[]).await.status, StatusCode::NOT_FOUND);
    }
    let fields = [("version", UNKNOWN)];
    let path = format!("/bots/{bot}/active-version");
    assert_eq!(bob.post(&path, &fields).await.status, StatusCode::FORBIDDEN);
    assert_eq!(ada.post(&path, &fields).await.status, StatusCode::CONFLICT);
    assert_eq!(ada.post(&path, &[("version", "x")]).await.status, StatusCode::NOT_FOUND);
    assert_eq!(ada.post(&path, &[]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    let source = format!("/bots/{bot}/versions/1/source");
    assert_eq!(bob.get(&source).await.status, StatusCode::FORBIDDEN);
    let taken = ada.get(&source).await;
    assert_eq!(taken.status, StatusCode::OK);
    assert_eq!(taken.header(header::CONTENT_DISPOSITION), "attachment; filename=\"bot.py\"");
    // It has no version that is ready, so there is nothing to put on the ladder.
    let activate = ada.post(&format!("/bots/{bot}/activate"), &[]).await;
    assert_eq!(activate.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn forms_of_the_wrong_kind_or_size_are_refused_before_they_are_read() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    let form = "application/x-www-form-urlencoded";
    let large = format!("name={}", "a".repeat(70_000));
    let table: [(&str, &str, Vec<u8>, StatusCode, &str); 9] = [
        ("/login", "", b"name=a".to_vec(), StatusCode::UNSUPPORTED_MEDIA_TYPE, "expected"),
        ("/login", "application/json", b"{}".to_vec(), StatusCode::UNSUPPORTED_MEDIA_TYPE, "json"),
        ("/login", form, large.into_bytes(), StatusCode::PAYLOAD_TOO_LARGE, "65536"),
        ("/login", form, b"name=%FF".to_vec(), StatusCode::UNPROCESSABLE_ENTITY, "not UTF-8"),
        ("/login", form, b"name=a%00b".to_vec(), StatusCode::UNPROCESSABLE_ENTITY, "NUL"),
        ("/signup", "text/plain", b"x".to_vec(), StatusCode::UNSUPPORTED_MEDIA_TYPE, "text/plain"),
        ("/matches", "text/plain", b"x".to_vec(), StatusCode::UNSUPPORTED_MEDIA_TYPE, "text/plain"),
        ("/me/password", form, b"".to_vec(), StatusCode::UNPROCESSABLE_ENTITY, "Choose a password"),
        ("/upload", form, b"name=a".to_vec(), StatusCode::UNSUPPORTED_MEDIA_TYPE, "multipart"),
    ];
    for (path, content_type, body, status, words) in table {
        let answer = ada.ask(Method::POST, path, content_type, body.into()).await;
        assert_eq!(answer.status, status, "{path} {content_type}");
        assert!(answer.text().contains(words), "{path}: {}", answer.text());
    }
}

#[tokio::test]
async fn methods_that_do_not_exist_are_told_which_do() {
    let site = Site::open().await;
    for (method, path, allow) in [
        (Method::POST, "/", "GET"),
        (Method::DELETE, "/login", "GET"),
        (Method::GET, "/logout", "POST"),
        (Method::PUT, "/upload", "GET"),
    ] {
        let answer = site.visitor().ask(method, path, "", Body::empty()).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert!(answer.header(header::ALLOW).contains(allow), "{path}");
        assert!(answer.text().contains("does not take such a request"), "{path}");
    }
}

#[tokio::test]
async fn a_form_sent_from_another_site_is_refused() {
    let site = Site::open().await;
    let table = [
        ("sec-fetch-site", "cross-site", StatusCode::FORBIDDEN),
        ("sec-fetch-site", "same-site", StatusCode::FORBIDDEN),
        ("origin", "https://evil.example", StatusCode::FORBIDDEN),
        ("sec-fetch-site", "same-origin", StatusCode::SEE_OTHER),
        ("origin", "http://agon.test", StatusCode::SEE_OTHER),
    ];
    for (header_name, value, status) in table {
        let request = Request::post("/logout")
            .header(header::HOST, "agon.test")
            .header(header_name, value)
            .body(Body::empty())
            .unwrap();
        let answer = site.send(request).await;
        assert_eq!(answer.status, status, "{header_name}: {value}");
        if status == StatusCode::FORBIDDEN {
            assert!(answer.text().contains("came from another site"), "{}", answer.text());
        }
    }
}

#[tokio::test]
async fn programs_are_told_in_json() {
    let site = Site::open().await;
    let request = Request::get("/games/chess")
        .header(header::ACCEPT, "application/json")
        .body(Body::empty())
        .unwrap();
    let answer = site.send(request).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(answer.header(header::CONTENT_TYPE), "application/problem+json");
    let problem: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(problem["detail"], "There is no such game.");
}
