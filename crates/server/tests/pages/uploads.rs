//! The way in for programs, and what bars it.

use axum::http::{StatusCode, header};
use store::VersionState;

use crate::kit::{Part, RUNNER, Site, Worker};

const PLAYS: Part = ("plays", None, b"labyrinth/architect");

#[tokio::test]
async fn a_file_or_pasted_text_becomes_a_version_in_a_language_that_is_guessed() {
    let site = Site::open().await;
    Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let sources: [(&str, &[Part], &str, &str, &[u8]); 5] = [
        (
            "One",
            &[("file", Some("my bot.py"), b"import sys\n\xff\x00")],
            "python3",
            "my bot.py",
            b"import sys\n\xff\x00",
        ),
        (
            "Two",
            &[("source", None, b"#include <iostream>\r\nstd::cout;\r\n")],
            "cpp",
            "bot.cpp",
            b"#include <iostream>\nstd::cout;\n",
        ),
        ("Three", &[("source", None, b"x"), ("file_name", None, b"a.py")], "python3", "a.py", b"x"),
        (
            "Four",
            &[("file", Some("C:\\x\\bot.txt"), b"x"), ("language", None, b"cpp")],
            "cpp",
            "bot.txt",
            b"x",
        ),
        (
            "Five",
            &[("file", Some(""), b""), ("source", None, b"#!/usr/bin/env python3\n")],
            "python3",
            "bot.py",
            b"#!/usr/bin/env python3\n",
        ),
    ];
    for (name, parts, language, file_name, stored) in sources {
        let mut all = vec![PLAYS, ("name", None, name.as_bytes())];
        all.extend_from_slice(parts);
        let bot = ada.upload(&all).await.id_after("/bots/");
        let version = site.state.store.version_page(bot, None).await.unwrap().unwrap();
        assert_eq!((version.number, version.state), (1, VersionState::Queued), "{name}");
        assert_eq!((&*version.language, &*version.file_name), (language, file_name), "{name}");
        let source = site.state.blobs.get(&version.source_digest, 1 << 20).await.unwrap();
        assert_eq!(source, stored, "{name}");
        let page = ada.get(&format!("/bots/{bot}?done=uploaded")).await.text();
        assert!(page.contains("Uploaded.") && page.contains("waits to be built"), "{page}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_an_upload_is_said_beside_the_field_and_makes_nothing() {
    let site = Site::open().await;
    Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let named: Part = ("name", None, b"Hedger");
    let file: Part = ("file", Some("bot.py"), b"x");
    let large = vec![b'x'; (1 << 20) + 1];
    let invalid = StatusCode::UNPROCESSABLE_ENTITY;
    let table: [(&[Part], StatusCode, &str); 15] = [
        (&[], invalid, "Choose a file, or paste"),
        (&[named, file], invalid, "Choose what the bot plays."),
        (&[("plays", None, b"chess/king"), named, file], invalid, "Choose what the bot plays."),
        (&[("plays", None, b"labyrinth/king"), named, file], invalid, "Choose what the bot plays."),
        (&[PLAYS, file], invalid, "Choose a name."),
        (&[PLAYS, ("name", None, b"<i>"), file], invalid, "This name holds"),
        (&[PLAYS, named], invalid, "Choose a file, or paste"),
        (&[PLAYS, named, ("file", Some("bot.py"), b"")], invalid, "This file is empty."),
        (
            &[PLAYS, named, file, ("source", None, b"y")],
            StatusCode::UNPROCESSABLE_ENTITY,
            "Send one of them.",
        ),
        (&[PLAYS, named, ("file", Some("bot"), b"?")], invalid, "Nothing in this file says"),
        (
            &[PLAYS, named, file, ("language", None, b"latin")],
            invalid,
            "There is no such language.",
        ),
        (
            &[PLAYS, named, file, ("language", None, b"python2")],
            invalid,
            "Python 2 cannot be used here now: no interpreter is configured.",
        ),
        (
            &[PLAYS, named, ("file", Some("bot.py"), &large)],
            StatusCode::PAYLOAD_TOO_LARGE,
            "larger than the 1\u{a0}MiB",
        ),
        (&[PLAYS, ("name", None, b"\xff"), file], invalid, "not UTF-8"),
        (&[PLAYS, ("name", None, b"a\0b"), file], invalid, "NUL"),
    ];
    for (parts, status, words) in table {
        let answer = ada.upload(parts).await;
        assert_eq!(answer.status, status, "{words}");
        assert!(answer.text().contains(words), "{words}: {}", answer.text());
    }
    assert!(ada.get("/me").await.text().contains("You have none yet."));

    let bot = ada.upload(&[PLAYS, named, file]).await.id_after("/bots/");
    for name in ["Hedger", "hedger", "ＨＥＤＧＥＲ"] {
        let answer = ada.upload(&[PLAYS, ("name", None, name.as_bytes()), file]).await;
        assert_eq!(answer.status, StatusCode::CONFLICT);
        assert!(answer.text().contains("A bot of this game has this name"), "{name}");
    }
    let mut bob = site.signed_up("Bob").await;
    let id = bot.to_string();
    let table: [(&[u8], StatusCode); 3] = [
        (id.as_bytes(), StatusCode::FORBIDDEN),
        (b"00000000-0000-0000-0000-000000000000", StatusCode::NOT_FOUND),
        (b"x", StatusCode::NOT_FOUND),
    ];
    for (bot, status) in table {
        assert_eq!(bob.upload(&[("bot", None, bot), file]).await.status, status);
    }
    assert_eq!(ada.upload(&[("bot", None, id.as_bytes()), file]).await.id_after("/bots/"), bot);
    let newest = site.state.store.version_page(bot, None).await.unwrap().unwrap();
    assert_eq!(newest.number, 2);
}

#[tokio::test]
async fn bots_and_builds_of_an_account_are_limited_by_name() {
    let site = Site::with(|it| {
        it.limits.bots_max = 3;
        it.limits.builds_waiting_max = 2;
    })
    .await;
    let mut ada = site.signed_up("Ada").await;
    let file: Part = ("file", Some("bot.py"), b"x");
    ada.upload_bot("architect", "One").await;
    let two = ada.upload_bot("architect", "Two").await;
    let third: [Part; 3] = [PLAYS, ("name", None, b"Three"), file];
    let answer = ada.upload(&third).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(!answer.header(header::RETRY_AFTER).is_empty());
    assert!(answer.text().contains("2 of your uploads are still being built"));

    let worker = Worker::connect(&site).await;
    worker.work(RUNNER).await;
    ada.upload(&third).await.id_after("/bots/");
    worker.work(RUNNER).await;
    let answer = ada.upload(&[PLAYS, ("name", None, b"Four"), file]).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    assert!(answer.text().contains("You have 3 bots"), "{}", answer.text());
    let id = two.to_string();
    ada.upload(&[("bot", None, id.as_bytes()), file]).await.id_after("/bots/");
}

#[tokio::test]
async fn uploads_in_a_row_end_in_a_wait_that_is_told() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    for _ in 0..30 {
        assert_eq!(ada.upload(&[]).await.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = ada.upload(&[]).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.header(header::RETRY_AFTER).parse::<u64>().is_ok());
    assert!(answer.text().contains("Try again in"));
}

#[tokio::test]
async fn a_damaged_form_is_called_one() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    let bodies: [(&str, &[u8]); 3] = [
        ("multipart/form-data; boundary=cut", b"--cut\r\nno head"),
        ("multipart/form-data; boundary=cut", b""),
        ("multipart/form-data", b"--cut--"),
    ];
    for (content_type, body) in bodies {
        let answer =
            ada.ask(axum::http::Method::POST, "/upload", content_type, body.to_vec().into()).await;
        let status = answer.status;
        assert!(
            [StatusCode::BAD_REQUEST, StatusCode::UNSUPPORTED_MEDIA_TYPE].contains(&status),
            "{status}: {}",
            answer.text()
        );
    }
}

#[tokio::test]
async fn a_language_is_guessed_on_request() {
    let site = Site::open().await;
    let table: [(&str, &[u8], &str); 4] = [
        ("?file_name=bot.py", b"", "python3"),
        ("?file_name=a.b.java", b"\xff", "java"),
        ("", b"#!/usr/bin/python2\n", "python2"),
        ("", b"?", "null"),
    ];
    for (query, head, expected) in table {
        let path = format!("/upload/guess{query}");
        let answer = site
            .visitor()
            .ask(axum::http::Method::POST, &path, "application/octet-stream", head.to_vec().into())
            .await;
        let told: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!(told["language"].as_str().unwrap_or("null"), expected, "{path}");
    }
    let languages = site.visitor().get("/languages.json").await;
    let languages: serde_json::Value = serde_json::from_slice(&languages.body).unwrap();
    let python = languages.as_array().unwrap().iter().find(|it| it["id"] == "python3").unwrap();
    assert!(python["libraries"].as_str().unwrap().contains("numpy: no"));
    assert!(python["unavailable"].as_str().unwrap().contains("no worker"));
}
