//! Every route there is, and what comes of asking it wrongly: no session,
//! somebody else's, nothing there, and bodies of the wrong kind, size or
//! content. A route that is not in the table fails the first test.

mod table;

use std::collections::BTreeSet;

use axum::{
    body::Body,
    http::{Method, Request, header},
};
use serde_json::Value;

use self::table::{
    By::{Account, Anybody, Organiser, Owner, Signed, Worker as AWorker},
    Known, MISSING, NOTHING, QUERIES, ROUTES,
    Takes::{Bytes, Files, Form, Head, Json, Nothing, Setup, Upload},
    UNKNOWN,
};
use crate::kit::{Answer, Browser, RUNNER, Site, Worker};

const FORM: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data; boundary=cut";

/// Things that are there, to be put into addresses.
struct Fixture<'a> {
    site: &'a Site,
    ada: Browser<'a>,
    bob: Browser<'a>,
    /// Runs contests, and has a pool.
    olga: Browser<'a>,
    /// Of Ada, with a version.
    bot: String,
    /// Between Ada's bot and Bob's, finished.
    played: String,
    /// A link to set a password by.
    token: String,
    worker: Worker<'a>,
}

impl<'a> Fixture<'a> {
    async fn make(site: &'a Site) -> Fixture<'a> {
        let worker = Worker::connect(site).await;
        let mut ada = site.signed_up("Ada").await;
        let mut bob = site.signed_up("Bob").await;
        let mut olga = site.organiser("Olga").await;
        let made = olga.post("/games/jockey/pools", &[("label", "Spring")]).await;
        assert_eq!(made.location(), "/games/jockey/setups/spring?done=pool-made");
        let hill = site.visitor().get("/games/jockey/editor/draw?seed=3&length=20").await.body;
        let path = "/games/jockey/pools/spring/save?setup=hill";
        let kept = olga.ask(Method::POST, path, "application/json", hill.into()).await;
        assert_eq!(kept.status, 200, "{}", kept.text());
        let bot = ada.upload_bot("architect", "Hedger").await.to_string();
        let other = bob.upload_bot("adventurer", "Walker").await.to_string();
        worker.work(RUNNER).await;
        let fields = [("seat-0", &*bot), ("seat-1", &*other)];
        let played = ada.post("/matches", &fields).await.id_after("/matches/").to_string();
        worker.work(RUNNER).await;
        let token = server::auth::first_admin(&site.state.store).await.unwrap().unwrap();
        Fixture { site, ada, bob, olga, bot, played, token, worker }
    }

    /// A path with things that are there in all its places, but `wrong` in that of `place`.
    fn path(&self, path: &str, place: &str, wrong: &str) -> String {
        let is_of_jockey =
            ["archive", "/setups", "/pools", "/editor"].iter().any(|it| path.contains(it));
        let first_file = if path.contains("pictures") { "board.svg" } else { "architect.py" };
        let there = [
            ("game", if is_of_jockey { "jockey" } else { "labyrinth" }),
            ("pool", "spring"),
            ("setup", "hill"),
            ("archive", "final2019"),
            ("past", "FR5M1R1F0"),
            ("bot", &self.bot),
            ("number", "1"),
            ("match", &self.played),
            ("token", &self.token),
            ("invitation", UNKNOWN),
            ("api_token", UNKNOWN),
            ("file", if path.contains("assets") { "mark.svg" } else { first_file }),
            ("lease", UNKNOWN),
            ("digest", "0"),
        ];
        there.iter().fold(plain(path), |path, (name, value)| {
            path.replace(&format!("{{{name}}}"), if *name == place { wrong } else { value })
        })
    }

    /// Asks as somebody who may.
    async fn ask(&mut self, of: &Known, path: &str, kind: &str, body: Vec<u8>) -> Answer {
        let method: Method = of.0.parse().unwrap();
        match of.2 {
            Account | Owner => self.ada.ask(method, path, kind, body.into()).await,
            Organiser => self.olga.ask(method, path, kind, body.into()).await,
            Anybody => self.site.visitor().ask(method, path, kind, body.into()).await,
            AWorker | Signed => {
                let request = Request::builder().method(method).uri(path);
                let request = request.header(header::AUTHORIZATION, self.worker.bearer());
                self.site.send(request.body(body.into()).unwrap()).await
            }
        }
    }
}

/// A route whose places are all written alike, whether they hold one part of a path or many.
fn plain(route: &str) -> String {
    route.replace("{*", "{")
}

/// What an answer that says no says: the sentence of a page, or of a problem.
fn told(answer: &Answer) -> String {
    let text = answer.text();
    let kind = answer.header(header::CONTENT_TYPE);
    if kind == "application/problem+json" {
        let problem: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(problem["status"], answer.status.as_u16());
        return problem["detail"].as_str().unwrap().to_owned();
    }
    assert!(kind.starts_with("text/html"), "{kind}: {text}");
    // A page of its own, or the form again with what is wrong in it.
    let marks = ["<p class=\"error\"", "role=\"alert\"", "<p class=\"lead\""];
    let mark = marks.iter().find_map(|it| text.split_once(it)).unwrap_or_else(|| panic!("{text}"));
    let inside = mark.1.split_once("</p>").unwrap().0;
    let words = inside.rsplit('>').next().unwrap();
    words.replace("&#38;", "&").replace("&#39;", "'").replace("&#34;", "\"")
}

/// Refused with this status, in words that a person understands.
fn refused(answer: &Answer, what: &str, status: u16, words: &str) {
    let said = told(answer);
    println!("{what}: {} {said}", answer.status.as_u16());
    assert_eq!(answer.status.as_u16(), status, "{what}: {said}");
    assert!(said.contains(words), "{what}: {words:?} is not in {said:?}");
    let first = said.chars().next().unwrap();
    assert!(first.is_uppercase() && said.ends_with(['.', '?']), "{what}: no sentence: {said:?}");
    // Programs may hear the names of their own fields.
    if what.contains("/worker/") {
        return;
    }
    for debris in ["::", "Err(", "Some(", "{", "invalid digit", "missing field", "sqlx", "  "] {
        assert!(!said.contains(debris), "{what}: {debris:?} in {said:?}");
    }
}

#[tokio::test]
async fn every_route_is_in_the_table() {
    let site = Site::open().await;
    let routes = server::routes(&site.state);
    let there: BTreeSet<_> = routes.iter().map(|it| (it.method.as_str(), it.path)).collect();
    let tried: BTreeSet<_> = ROUTES.iter().map(|it| (it.0, it.1)).collect();
    assert_eq!(there.len(), routes.len(), "no route is there twice");
    assert_eq!(there, tried);
}

#[tokio::test]
async fn an_address_of_nothing_says_what_is_not_there() {
    let site = Site::open().await;
    let mut known = Fixture::make(&site).await;
    for of in ROUTES {
        for (place, words) in
            MISSING.iter().filter(|it| plain(of.1).contains(&format!("{{{}}}", it.0)))
        {
            for wrong in NOTHING {
                let path = known.path(of.1, place, wrong);
                let kind = if matches!(of.3, Form(..)) { FORM } else { "" };
                let body = if matches!(of.3, Json) { "{\"from\":0,\"plies\":[]}" } else { "" };
                let answer = known.ask(of, &path, kind, body.into()).await;
                let what = format!("{} {path}", of.0);
                let not_text = *wrong == "%FF";
                match *place {
                    // A report has to be read before its lease is looked at.
                    "lease"
                        if *wrong == UNKNOWN
                            && (of.1.ends_with("report") || of.1.ends_with("deeds")) =>
                    {
                        refused(&answer, &what, 400, "This is not the JSON that belongs here");
                    }
                    "lease" if *wrong == UNKNOWN && of.2 == Signed => {
                        refused(&answer, &what, 403, "This address is not signed.");
                    }
                    "lease" if *wrong == UNKNOWN => refused(&answer, &what, 410, "is lost"),
                    "digest" if not_text => refused(&answer, &what, 404, "There is no such file."),
                    "digest" => refused(&answer, &what, 403, words),
                    "lease" => refused(&answer, &what, 404, words),
                    _ if not_text => refused(&answer, &what, 404, "is not UTF-8 text"),
                    _ => refused(&answer, &what, 404, words),
                }
            }
        }
    }
    refused(
        &site.visitor().get("/nothing").await,
        "/nothing",
        404,
        "There is no page at /nothing.",
    );
}

#[tokio::test]
async fn what_needs_an_account_sends_to_sign_in_and_changes_nothing() {
    let site = Site::open().await;
    let known = Fixture::make(&site).await;
    for of in ROUTES {
        let path = known.path(of.1, "", "");
        let what = format!("{} {path}", of.0);
        let method: Method = of.0.parse().unwrap();
        let mut visitor = site.visitor();
        let bare = |value: Option<&str>| {
            let request = Request::builder().method(method.clone()).uri(&path);
            let request = match value {
                Some(value) => request.header(header::AUTHORIZATION, value),
                None => request,
            };
            request.body(Body::empty()).unwrap()
        };
        match (of.2, of.0) {
            (Account | Owner | Organiser, "GET") => {
                let location = visitor.get(&path).await.location();
                let encoded = path.replace('/', "%2F").replace('-', "%2D");
                assert_eq!(location, format!("/login?next={encoded}"));
            }
            (Account | Owner | Organiser, _) => {
                let answer = visitor.ask(method.clone(), &path, FORM, Body::empty()).await;
                refused(&answer, &what, 401, "Sign in first, then send this again.");
            }
            (AWorker, _) => {
                let table = [
                    (None, "A worker shows its token"),
                    (Some("Basic YTpi"), "This is no bearer token."),
                    (Some("Bearer agonw_0"), "No worker has this token, or it was dismissed."),
                ];
                for (value, words) in table {
                    refused(&site.send(bare(value)).await, &what, 401, words);
                }
            }
            (Signed, _) => {
                let words = "This address is not signed.";
                refused(&site.send(bare(None)).await, &what, 403, words);
            }
            (Anybody, _) => {}
        }
    }
}

#[tokio::test]
async fn somebody_elses_bot_is_left_alone() {
    let site = Site::open().await;
    let mut known = Fixture::make(&site).await;
    for of in ROUTES.iter().filter(|it| it.2 == Owner) {
        let path = known.path(of.1, "", "");
        let method: Method = of.0.parse().unwrap();
        let body = "version=00000000-0000-0000-0000-000000000000";
        let answer = known.bob.ask(method, &path, FORM, body.into()).await;
        refused(&answer, &format!("{} {path}", of.0), 403, "its owner");
    }
    let bot = known.bot.clone();
    let parts = [("bot", None, bot.as_bytes()), ("file", Some("bot.py"), &b"x = 1"[..])];
    let answer = known.bob.upload(&parts).await;
    refused(&answer, "POST /upload", 403, "The bot “Hedger” is Ada’s");
    let seen = known.ada.get(&format!("/bots/{bot}")).await.text();
    assert!(seen.contains("on the ladder") || seen.contains("first match to come"), "{seen}");
    assert!(!seen.contains("Version 2"));
}

#[tokio::test]
async fn pools_are_changed_by_organisers_alone() {
    let site = Site::open().await;
    let mut known = Fixture::make(&site).await;
    for of in ROUTES.iter().filter(|it| it.2 == Organiser) {
        let path = known.path(of.1, "", "");
        let method: Method = of.0.parse().unwrap();
        let kind = if matches!(of.3, Files) { MULTIPART } else { FORM };
        let answer = known.bob.ask(method, &path, kind, "label=x".into()).await;
        let what = format!("{} {path}", of.0);
        refused(&answer, &what, 403, "Pools are changed by organisers alone.");
    }
    let seen = known.bob.get("/games/jockey/setups/spring").await.text();
    assert!(seen.contains("hill") && !seen.contains("Delete the pool"), "{seen}");
}

#[tokio::test]
async fn bodies_of_the_wrong_kind_size_or_content_are_refused() {
    let site = Site::open().await;
    let mut known = Fixture::make(&site).await;
    for of in ROUTES {
        let path = known.path(of.1, "", "");
        // That of a match carries the largest file of a set-up there may be.
        let (form_bytes_max, allowed) = match of.1 {
            "/matches" => (3 * (1 << 20) + (64 << 10), "3.1\u{a0}MiB"),
            _ => (64 << 10, "64\u{a0}KiB"),
        };
        let too_large = format!("This form is too large; it may have at most {allowed}.");
        let form = format!("a={}", "a".repeat(form_bytes_max - 1)).into_bytes();
        let large = format!("a={}", "a".repeat(70_000)).into_bytes();
        let json = "application/json";
        let table: Vec<(&str, Vec<u8>, u16, &str)> = match of.3 {
            Nothing | Bytes => continue,
            Form(status, words) => vec![
                ("", b"a=b".to_vec(), 415, "does not say what it holds"),
                (json, b"{}".to_vec(), 415, "The request holds “application/json”"),
                ("text/plain", b"a=b".to_vec(), 415, "The request holds “text/plain”"),
                (MULTIPART, b"--cut--\r\n".to_vec(), 415, "The request holds “multipart/form-data"),
                (FORM, form, 413, &too_large),
                (FORM, b"a=%FF".to_vec(), 422, "The field “a” is not UTF-8 text."),
                (FORM, b"a=\xff".to_vec(), 422, "The field “a” is not UTF-8 text."),
                (FORM, b"a=%00".to_vec(), 422, "The field “a” holds a NUL character"),
                (FORM, b"a=1&a=2".to_vec(), 422, "The field “a” comes more than once"),
                (FORM, Vec::new(), status, words),
                (FORM, b"[1, 2]".to_vec(), status, words),
            ],
            Upload => {
                let field = |content: &[u8]| {
                    let head = b"--cut\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n";
                    [&head[..], content, b"\r\n--cut--\r\n"].concat()
                };
                vec![
                    ("", b"a=b".to_vec(), 415, "does not say what it holds"),
                    (FORM, b"a=b".to_vec(), 415, "multipart/form-data"),
                    (json, b"{}".to_vec(), 415, "multipart/form-data"),
                    ("multipart/form-data", b"--cut--".to_vec(), 415, "multipart/form-data"),
                    (MULTIPART, Vec::new(), 400, "The form broke off or is damaged"),
                    (MULTIPART, b"--cut\r\nno head".to_vec(), 400, "The form broke off"),
                    (MULTIPART, b"--cut--\r\n".to_vec(), 422, "Choose what the bot plays."),
                    (MULTIPART, field(b"\xff"), 422, "The field “name” is not UTF-8 text."),
                    (MULTIPART, field(b"a\0"), 422, "The field “name” holds a NUL character"),
                    (MULTIPART, field(&large), 413, "A field of the form is too large"),
                ]
            }
            Files => vec![
                ("", b"a=b".to_vec(), 415, "does not say what it holds"),
                (FORM, b"a=b".to_vec(), 415, "multipart/form-data"),
                ("multipart/form-data", b"--cut--".to_vec(), 415, "multipart/form-data"),
                (MULTIPART, Vec::new(), 400, "The form broke off or is damaged"),
                (MULTIPART, b"--cut\r\nno head".to_vec(), 400, "The form broke off"),
                (MULTIPART, b"--cut--\r\n".to_vec(), 422, "Choose one file or several."),
            ],
            Setup => vec![
                (json, Vec::new(), 400, "This is not the JSON of a set-up."),
                (json, b"hello".to_vec(), 400, "This is not the JSON of a set-up."),
                (json, b"[]".to_vec(), 400, "This is not the JSON of a set-up."),
                (json, b"\xff\xfe".to_vec(), 400, "This is not the JSON of a set-up."),
                (json, vec![b' '; 1_100_000], 413, "This file is too large"),
            ],
            Head => vec![("", large, 413, "The beginning of a source is too large")],
            Json => vec![
                (json, Vec::new(), 400, "This is not the JSON that belongs here"),
                (json, b"hello".to_vec(), 400, "This is not the JSON that belongs here"),
                (json, b"[]".to_vec(), 400, "This is not the JSON that belongs here"),
                (json, b"{\"a\":1}".to_vec(), 400, "This is not the JSON that belongs here"),
                (json, b"\xff\xfe".to_vec(), 400, "This is not the JSON that belongs here"),
            ],
        };
        for (kind, body, status, words) in table {
            let what = format!("{} {path} as {kind:?}, {} bytes", of.0, body.len());
            let answer = known.ask(of, &path, kind, body).await;
            refused(&answer, &what, status, words);
        }
    }
}

#[tokio::test]
async fn queries_of_no_sense_are_told_what_makes_some() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    for (path, status, words) in QUERIES {
        let answer = match path.starts_with("/signup") || path.starts_with("/login") {
            true => site.visitor().get(path).await,
            false => ada.get(path).await,
        };
        refused(&answer, path, *status, words);
    }
}

#[tokio::test]
async fn methods_that_do_not_exist_are_told_which_do() {
    let site = Site::open().await;
    let known = Fixture::make(&site).await;
    let paths: BTreeSet<&str> = ROUTES.iter().map(|it| it.1).collect();
    for path in paths {
        let of_path = || ROUTES.iter().filter(|it| it.1 == path);
        let mut expected: BTreeSet<&str> = of_path().map(|it| it.0).collect();
        let wrong = ["PATCH", "DELETE", "PUT", "POST", "GET"];
        if expected.contains("GET") {
            expected.insert("HEAD");
        }
        for method in wrong.into_iter().filter(|it| !expected.contains(it)) {
            let address = known.path(path, "", "");
            let answer =
                site.visitor().ask(method.parse().unwrap(), &address, "", Body::empty()).await;
            assert_eq!(answer.status.as_u16(), 405, "{method} {path}: {}", answer.text());
            let allow: BTreeSet<&str> = answer.header(header::ALLOW).split(',').collect();
            assert_eq!(allow, expected, "{method} {path}");
            if !matches!(of_path().next().unwrap().2, AWorker | Signed)
                && !["/healthz", "/status.json"].contains(&path)
            {
                let what = format!("{method} {path}");
                refused(&answer, &what, 405, "This address does not take such a request.");
            }
        }
    }
}

#[tokio::test]
async fn what_another_site_sends_is_refused() {
    let site = Site::open().await;
    let known = Fixture::make(&site).await;
    let changing = ROUTES.iter().filter(|it| it.0 == "POST" && it.2 != AWorker);
    for of in changing {
        let path = known.path(of.1, "", "");
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("origin", "https://evil.example"),
            ("origin", "null"),
        ] {
            let request = Request::post(&path).header(header::HOST, "agon.test");
            let request = request.header(header::CONTENT_TYPE, FORM).header(name, value);
            let answer = site.send(request.body(Body::empty()).unwrap()).await;
            let what = format!("POST {path}, {name}: {value}");
            refused(&answer, &what, 403, "The request came from another site.");
        }
    }
}
