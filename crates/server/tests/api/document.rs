//! The OpenAPI document: as it is kept beside the code, and true to what it promises.

use std::{collections::BTreeSet, env, fs, path::Path};

use serde_json::Value;

use crate::{
    kit::Site,
    program::{Program, json},
};

/// The document as it is served.
pub(crate) async fn served(site: &Site) -> Value {
    json(&Program::bare(site).get("/openapi.json").await)
}

/// Every operation: method and path.
pub(crate) fn operations(document: &Value) -> Vec<(String, String)> {
    let paths = document["paths"].as_object().unwrap();
    let of = |(path, item): (&String, &Value)| {
        let methods = item.as_object().unwrap().keys();
        methods.map(|it| (it.to_uppercase(), path.clone())).collect::<Vec<_>>()
    };
    paths.iter().flat_map(of).collect()
}

#[tokio::test]
async fn the_document_is_the_one_that_is_kept() {
    let site = Site::open().await;
    let served = serde_json::to_string_pretty(&served(&site).await).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    if env::var_os("AGON_RENEW_OPENAPI").is_some() {
        fs::write(&path, &served).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == served,
        "the API has changed: look whether it keeps its promise, then renew crates/server/openapi.json by AGON_RENEW_OPENAPI=1 cargo test --workspace --test api"
    );
}

#[tokio::test]
async fn every_operation_is_described_in_full() {
    let site = Site::open().await;
    let document = served(&site).await;
    assert_eq!(document["openapi"], "3.1.0");
    let mut ids = BTreeSet::new();
    for (method, path) in operations(&document) {
        let it = &document["paths"][&path][method.to_lowercase()];
        let what = format!("{method} {path}");
        assert!(ids.insert(it["operationId"].as_str().unwrap().to_owned()), "{what}");
        assert!(!it["summary"].as_str().unwrap().is_empty(), "{what}");
        assert!(it["security"].is_array(), "{what} does not say who may");
        let responses = it["responses"].as_object().unwrap();
        let good = responses.keys().filter(|it| it.starts_with('2')).count();
        assert_eq!(good, 1, "{what}");
        for (status, response) in responses {
            let is_refusal = status.starts_with(['4', '5']);
            let is_problem = response["content"]["application/problem+json"].is_object();
            assert_eq!(is_refusal, is_problem, "{what} {status}");
        }
        for status in ["400", "401", "429", "500", "503"] {
            assert!(responses.contains_key(status), "{what} {status}");
        }
    }
}

#[tokio::test]
async fn the_page_of_the_api_has_the_promise_and_every_operation() {
    let site = Site::open().await;
    let page = site.visitor().get("/api").await.text();
    assert!(page.contains("What we promise."), "{page}");
    for (method, path) in operations(&served(&site).await) {
        assert!(page.contains(&format!("<code>{method} {path}</code>")), "{method} {path}");
    }
    // The page to try it on has no script but from here.
    let tried = site.visitor().get("/api/ui/").await;
    assert_eq!(tried.status, 200);
    assert!(tried.headers["content-security-policy"].to_str().unwrap().contains("'self'"));
    let html = tried.text();
    assert!(!html.contains("http://") && !html.contains("https://"), "{html}");
    let inline = html.split("<script").skip(1).filter(|it| !it.contains("src="));
    assert_eq!(inline.count(), 0, "{html}");
    let start = site.visitor().get("/api/ui/swagger-initializer.js").await.text();
    assert!(start.contains("/api/v1/openapi.json"), "{start}");
}
