//! Signing up, in and out; devices; passwords; links.

use axum::http::{StatusCode, header};

use crate::kit::{PASSWORD, Site};

#[tokio::test]
async fn whoever_signs_up_is_signed_in_and_can_come_back() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    let me = ada.get("/me").await;
    assert_eq!(me.status, StatusCode::OK);
    assert!(me.text().contains("You have none yet."), "{}", me.text());
    let first = ada.cookie.clone();

    assert_eq!(ada.post("/logout", &[]).await.location(), "/?done=signed-out");
    assert_eq!(ada.cookie, None);
    let mut thief = site.visitor();
    thief.cookie = first.clone();
    assert_eq!(thief.get("/me").await.location(), "/login?next=%2Fme");

    for name in ["Ada", "ada", " ADA ", "Ａｄａ"] {
        let mut again = site.visitor();
        let fields = [("name", name), ("password", PASSWORD), ("next", "/upload")];
        assert_eq!(again.post("/login", &fields).await.location(), "/upload", "{name}");
        assert_ne!(again.cookie, first);
        assert_eq!(again.get("/upload").await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn cookies_are_made_for_the_address_of_the_site() {
    let table = [
        ("http://10.0.0.7:8080", "agon=", ""),
        ("https://agon.example", "__Host-agon=", "; Secure"),
    ];
    for (url, begins, ends) in table {
        let site = Site::with(|it| it.server.public_url = url.into()).await;
        let mut ada = site.visitor();
        let answer = ada.post("/signup", &[("name", "Ada"), ("password", PASSWORD)]).await;
        let cookie = answer.header(header::SET_COOKIE);
        assert!(cookie.starts_with(begins) && cookie.ends_with(ends), "{cookie}");
        assert!(cookie.contains("; HttpOnly; SameSite=Lax"), "{cookie}");
        assert!(cookie.contains("; Path=/;") && !cookie.contains("Domain"), "{cookie}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_new_account_is_said_beside_the_field() {
    let site = Site::open().await;
    site.signed_up("Ada").await;
    let long = "a".repeat(201);
    let table = [
        ("", PASSWORD, StatusCode::UNPROCESSABLE_ENTITY, "Choose a name."),
        ("x", PASSWORD, StatusCode::UNPROCESSABLE_ENTITY, "This name has 1 characters; 2 to 32"),
        ("<b>", PASSWORD, StatusCode::UNPROCESSABLE_ENTITY, "This name holds “&#60;”"),
        (
            "pаul",
            PASSWORD,
            StatusCode::UNPROCESSABLE_ENTITY,
            "mixes letters of different alphabets",
        ),
        ("Bob", "short", StatusCode::UNPROCESSABLE_ENTITY, "This password has 5 characters"),
        ("Bob", &long, StatusCode::UNPROCESSABLE_ENTITY, "at most 200 are allowed"),
        ("ada", PASSWORD, StatusCode::CONFLICT, "This name is taken"),
    ];
    for (name, password, status, words) in table {
        let mut browser = site.visitor();
        let answer = browser.post("/signup", &[("name", name), ("password", password)]).await;
        assert_eq!(answer.status, status, "{name}");
        assert!(answer.text().contains(words), "{name}: {}", answer.text());
        assert!(answer.text().contains("aria-invalid=\"true\""));
        assert!(!answer.text().contains(password), "a password is never sent back");
        assert_eq!(browser.cookie, None);
    }
}

#[tokio::test]
async fn a_wrong_name_and_a_wrong_password_are_one_answer() {
    let site = Site::open().await;
    site.signed_up("Ada").await;
    let mut answers = Vec::new();
    for (name, password) in [("Ada", "wrong password"), ("Nobody", "wrong password")] {
        let answer = site.visitor().post("/login", &[("name", name), ("password", password)]).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        answers.push(answer.text().replace(name, "X"));
    }
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].contains("No account has this name and this password."));
}

#[tokio::test]
async fn guessing_passwords_ends_in_a_wait_that_is_told() {
    let site = Site::open().await;
    site.signed_up("Ada").await;
    let fields = [("name", "Ada"), ("password", "")];
    for _ in 0..10 {
        let answer = site.visitor().post("/login", &fields).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    // Whoever guesses from many addresses is counted by the name.
    let answer = site.visitor().post("/login", &fields).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    let retry_s: u64 = answer.header(header::RETRY_AFTER).parse().unwrap();
    assert!((1..=30).contains(&retry_s));
    assert!(answer.text().contains("That was too often. Try again in"), "{}", answer.text());
    // Others are not kept out by it.
    let mut bob = site.signed_up("Bob").await;
    bob.post("/logout", &[]).await;
    let fields = [("name", "Bob"), ("password", PASSWORD)];
    assert_eq!(bob.post("/login", &fields).await.location(), "/me");
}

#[tokio::test]
async fn one_address_makes_so_many_accounts() {
    let site = Site::open().await;
    let mut browser = site.visitor();
    for no in 0..20 {
        browser.cookie = None;
        let name = format!("Bot maker {no}");
        let answer = browser.post("/signup", &[("name", &name), ("password", PASSWORD)]).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
    }
    let answer = browser.post("/signup", &[("name", "One more"), ("password", PASSWORD)]).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.header(header::RETRY_AFTER).parse::<u64>().is_ok());
}

#[tokio::test]
async fn devices_are_listed_and_signed_out_one_by_one_or_all_together() {
    let site = Site::open().await;
    let mut here = site.signed_up("Ada").await;
    let mut others = Vec::new();
    for _ in 0..3 {
        let mut other = site.visitor();
        other.post("/login", &[("name", "Ada"), ("password", PASSWORD)]).await;
        others.push(other);
    }
    let me = here.get("/me").await.text();
    assert_eq!(me.matches("Firefox on Linux").count(), 4);
    let ids: Vec<&str> = me
        .split("name=\"session\" value=\"")
        .skip(1)
        .map(|it| it.split('"').next().unwrap())
        .collect();
    assert_eq!(ids.len(), 3);

    let mut bob = site.signed_up("Bob").await;
    let stolen = bob.post("/me/sessions/end", &[("session", ids[0])]).await;
    assert_eq!(stolen.status, StatusCode::NOT_FOUND);
    for junk in ["", "xyz", &"0".repeat(64)] {
        let answer = here.post("/me/sessions/end", &[("session", junk)]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
    }

    let ended = here.post("/me/sessions/end", &[("session", ids[0])]).await;
    assert_eq!(ended.location(), "/me?done=session-ended");
    assert_eq!(here.get("/me").await.text().matches("Firefox on Linux").count(), 3);
    let ended = here.post("/me/sessions/end-others", &[]).await;
    assert_eq!(ended.location(), "/me?done=other-sessions-ended");
    for other in &mut others {
        assert_eq!(other.get("/me").await.status, StatusCode::SEE_OTHER);
    }
    assert_eq!(here.get("/me").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_new_password_signs_every_other_device_out() {
    let site = Site::open().await;
    let mut here = site.signed_up("Ada").await;
    let mut other = site.visitor();
    other.post("/login", &[("name", "Ada"), ("password", PASSWORD)]).await;
    let table = [
        ("", "a new password", "Type the password you have now."),
        ("wrong wrong", "a new password", "This is not the password you have now."),
        (PASSWORD, "short", "This password has 5 characters"),
    ];
    for (current, new, words) in table {
        let answer = here.post("/me/password", &[("current", current), ("password", new)]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(answer.text().contains(words), "{}", answer.text());
    }
    let fields = [("current", PASSWORD), ("password", "a new password")];
    assert_eq!(here.post("/me/password", &fields).await.location(), "/me?done=password-changed");
    assert_eq!(other.get("/me").await.status, StatusCode::SEE_OTHER);
    assert_eq!(here.get("/me").await.status, StatusCode::OK);
    let old = [("name", "Ada"), ("password", PASSWORD)];
    assert_eq!(site.visitor().post("/login", &old).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_first_admin_comes_in_by_a_link_that_works_once() {
    let site = Site::open().await;
    let store = &site.state.store;
    let forgotten = server::auth::first_admin(store).await.unwrap().unwrap();
    let token = server::auth::first_admin(store).await.unwrap().unwrap();
    assert_ne!(token, forgotten);
    let path = format!("/setup/{token}");
    let mut admin = site.visitor();
    assert_eq!(admin.get(&format!("/setup/{forgotten}")).await.status, StatusCode::NOT_FOUND);
    assert!(admin.get(&path).await.text().contains("For the account “admin”"));
    let short = admin.post(&path, &[("password", "short")]).await;
    assert_eq!(short.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(admin.post(&path, &[("password", PASSWORD)]).await.location(), "/me?done=signed-in");
    assert!(admin.get("/me").await.text().contains("runs this server"));
    assert_eq!(site.visitor().get(&path).await.status, StatusCode::NOT_FOUND);
    let again = site.visitor().post(&path, &[("password", PASSWORD)]).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);
    assert_eq!(server::auth::first_admin(store).await.unwrap(), None);

    let account = server::auth::find_account(store, "ADMIN").await.unwrap().unwrap();
    let token = server::auth::make_link(store, account).await.unwrap();
    let path = format!("/setup/{token}");
    let reset = site.visitor().post(&path, &[("password", "another password")]).await;
    assert_eq!(reset.status, StatusCode::SEE_OTHER);
    assert_eq!(admin.get("/me").await.status, StatusCode::SEE_OTHER, "old sessions are over");
    assert_eq!(server::auth::find_account(store, "nobody").await.unwrap(), None);
}
