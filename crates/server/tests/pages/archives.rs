//! Archives as uploads: judged before anything is kept, and kept as they came.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use axum::http::{Method, StatusCode, header};
use jobs::Job;
use serde::Deserialize;
use server::Config;

use crate::{
    archive_kit::{self, Recipe},
    kit::{Answer, Browser, Part, Site, Worker},
};

/// Uploads of one account before it has to wait.
const UPLOADS_IN_A_ROW: usize = 25;
const FILES: [(&str, &str); 2] = [("bot/main.py", "import plan\n"), ("bot/plan.py", "# <plan>\n")];

/// What is needed of a case of the corpus.
#[derive(Deserialize)]
struct Case {
    refused: Option<String>,
    #[serde(default)]
    says: String,
    name: Option<String>,
    limits: Option<toml::Table>,
    tries: Vec<Recipe>,
}

/// A site where Python and C++ take archives, and Java does not.
async fn site(set: impl FnOnce(&mut Config)) -> (Site, tempfile::TempDir) {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
    let shipped = shipped.canonicalize().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let languages = dir.path().join("languages");
    fs::create_dir(&languages).unwrap();
    std::os::unix::fs::symlink(shipped.join("games"), dir.path().join("games")).unwrap();
    for (language, entries) in
        [("python3", "['bot.py', 'main.py']"), ("cpp", "['bot.cpp', 'main.cpp']"), ("java", "")]
    {
        let file = format!("{language}.toml");
        let text = fs::read_to_string(shipped.join("languages").join(&file)).unwrap();
        let mut table: toml::Table = text.parse().unwrap();
        table.remove("archive");
        if !entries.is_empty() {
            table
                .insert("archive".into(), toml::from_str(&format!("entries = {entries}")).unwrap());
        }
        fs::write(languages.join(file), table.to_string()).unwrap();
    }
    let site = Site::with(|it| {
        it.config_dir = dir.path().to_owned();
        set(it);
    });
    (site.await, dir)
}

fn good_zip() -> Vec<u8> {
    archive_kit::zip::Zip::of(&FILES).bytes()
}

fn good_tar_gz() -> Vec<u8> {
    archive_kit::tar::Tar::of(&FILES).gzip()
}

async fn upload(browser: &mut Browser<'_>, name: &str, file: (&str, &[u8])) -> Answer {
    let parts: [Part; 3] = [
        ("plays", None, b"labyrinth/architect"),
        ("name", None, name.as_bytes()),
        ("file", Some(file.0), file.1),
    ];
    browser.upload(&parts).await
}

/// Blobs, kept or on their way. What is on its way out goes a moment later.
async fn blobs(site: &Site) -> usize {
    let folder = site.state.config.server.data_dir.join("blobs");
    let count = || {
        let mut folders = vec![folder.clone()];
        let mut n = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path: PathBuf = entry.unwrap().path();
                if path.is_dir() { folders.push(path) } else { n += 1 }
            }
        }
        n
    };
    for _ in 0..200 {
        if count() == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    count()
}

#[tokio::test]
async fn hostile_archives_are_refused_beside_the_field_and_leave_nothing() {
    let (site, _config) = site(|_| {}).await;
    Worker::connect(&site).await;
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sources/tests/hostile");
    let mut ada = site.signed_up("Ada0").await;
    let mut n_tried = 0;
    for entry in fs::read_dir(corpus).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path().join("expect.toml")).unwrap();
        let case: Case = toml::from_str(&text).unwrap();
        let (Some(refused), None) = (&case.refused, &case.limits) else { continue };
        // Before it is looked at, a form says that its file is empty.
        if refused == "Empty" {
            continue;
        }
        n_tried += 1;
        if n_tried % UPLOADS_IN_A_ROW == 0 {
            ada = site.signed_up(&format!("Ada{n_tried}")).await;
        }
        let name = case.name.as_deref().unwrap_or("bot.zip");
        let answer = upload(&mut ada, "Hedger", (name, &case.tries[0].bytes())).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{text}");
        let page = answer.text().replace("&#39;", "'").replace("&#38;", "&");
        assert!(page.contains("This upload is not taken: "), "{text}: {page}");
        assert!(page.contains(&case.says), "{text}: {page}");
        assert!(ada.get("/me").await.text().contains("You have none yet."), "{text}");
    }
    assert!(n_tried > 35, "only {n_tried} were tried");
    assert_eq!(blobs(&site).await, 0, "something was kept");
    assert!(site.state.store.status().await.unwrap().lanes.iter().all(|it| it.queued == 0));
}

#[tokio::test]
async fn a_zip_and_a_tar_gz_are_built_shown_to_their_owner_and_given_back() {
    let (site, _config) = site(|_| {}).await;
    let worker = Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let mut bob = site.signed_up("Bob").await;
    for (name, bytes, content_type) in [
        ("my bot.zip", good_zip(), "application/zip"),
        ("bot.tgz", good_tar_gz(), "application/gzip"),
    ] {
        let bot = upload(&mut ada, name.split('.').next().unwrap(), (name, &bytes)).await;
        let bot = bot.id_after("/bots/");
        let version = site.state.store.version_page(bot, None).await.unwrap().unwrap();
        assert_eq!((&*version.language, &*version.file_name), ("python3", name));
        let jobs = worker.lease().await;
        assert!(matches!(&jobs[..], [it] if matches!(it.job, Job::Build(_))), "{name}");
        worker.build(&jobs[0], true).await;

        let page = ada.get(&format!("/bots/{bot}/versions/1")).await.text();
        assert!(page.contains("<code>main.py</code>") && page.contains("12\u{a0}bytes"), "{page}");
        assert!(page.contains("<code>plan.py</code>"), "{page}");
        let page = bob.get(&format!("/bots/{bot}/versions/1")).await.text();
        assert!(!page.contains("main.py"), "{page}");

        let source = ada.get(&format!("/bots/{bot}/versions/1/source")).await;
        assert_eq!(source.body, bytes, "{name}");
        assert_eq!(source.header(header::CONTENT_TYPE), content_type);
        let file_name = format!("attachment; filename=\"{}\"", name.replace(' ', "_"));
        assert_eq!(source.header(header::CONTENT_DISPOSITION), file_name);
    }
}

#[tokio::test]
async fn limits_of_archives_are_those_that_are_set() {
    let (site, _config) = site(|it| {
        it.limits.source_bytes_max = 2_000;
        it.limits.archive_bytes_max = 4_000;
        it.limits.archive_files_max = 1;
    })
    .await;
    Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let pk = |n: usize| [&b"PK\x03\x04"[..], &vec![b'x'; n]].concat();
    let (invalid, large) = (StatusCode::UNPROCESSABLE_ENTITY, StatusCode::PAYLOAD_TOO_LARGE);
    let table: [(Vec<u8>, StatusCode, &str); 4] = [
        (vec![b'x'; 2_001], large, "The source is larger than the 2\u{a0}KiB"),
        (pk(3_000), invalid, "the list of its entries is missing"),
        (pk(4_000), large, "The archive is larger than the 3.9\u{a0}KiB"),
        (good_zip(), invalid, "with this file, the archive has more than 1"),
    ];
    for (bytes, status, words) in table {
        let answer = upload(&mut ada, "Hedger", ("bot.py", &bytes)).await;
        assert_eq!(answer.status, status, "{words}");
        assert!(answer.text().contains(words), "{words}: {}", answer.text());
    }
}

#[tokio::test]
async fn what_is_compiled_or_run_has_to_be_found_in_a_language_that_takes_archives() {
    let (site, _config) = site(|_| {}).await;
    Worker::connect(&site).await;
    let mut ada = site.signed_up("Ada").await;
    let zip = |files: &[(&str, &str)]| archive_kit::zip::Zip::of(files).bytes();
    let table: [(&[(&str, &str)], &str, &str); 4] = [
        (&[("a.py", ""), ("b.py", "")], "", "2 could be what is compiled or run (a.py, b.py)"),
        (&[("a.txt", "")], "", "Nothing in this archive says which language"),
        (&[("a.py", "")], "java", "A bot in Java is one source file here"),
        (&[("a.py", "")], "cpp", "As a bot in C++, this archive is not taken"),
    ];
    for (files, language, words) in table {
        let parts: [Part; 4] = [
            ("plays", None, b"labyrinth/architect"),
            ("name", None, b"Hedger"),
            ("file", Some("bot.zip"), &zip(files)),
            ("language", None, language.as_bytes()),
        ];
        let answer = ada.upload(&parts).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{words}");
        assert!(answer.text().contains(words), "{words}: {}", answer.text());
    }
    assert_eq!(blobs(&site).await, 0, "something was kept");
}

#[tokio::test]
async fn the_language_of_an_archive_is_guessed_on_request_if_it_is_there_whole() {
    let (site, _config) = site(|_| {}).await;
    let whole = good_zip();
    let table = [
        (whole.clone(), Some("python3"), None),
        (good_tar_gz(), Some("python3"), None),
        (whole[..whole.len() - 5].to_vec(), None, Some("is missing")),
    ];
    for (bytes, language, refused) in table {
        let answer = site
            .visitor()
            .ask(Method::POST, "/upload/guess?file_name=x", "application/zip", bytes.into())
            .await;
        let told: serde_json::Value = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!(told["language"].as_str(), language, "{told}");
        let why = told["refused"].as_str();
        assert_eq!(why.is_some(), refused.is_some(), "{told}");
        assert!(why.unwrap_or_default().contains(refused.unwrap_or_default()), "{told}");
    }
}

#[tokio::test]
async fn whoever_has_archives_read_without_end_waits_and_uploads_do_not() {
    let (site, _config) = site(|_| {}).await;
    let mut visitor = site.visitor();
    let mut guess = async |bytes: Vec<u8>| {
        let path = "/upload/guess?file_name=x";
        visitor.ask(Method::POST, path, "application/octet-stream", bytes.into()).await.status
    };
    let mut statuses = Vec::new();
    for _ in 0..70 {
        statuses.push(guess(good_zip()).await);
    }
    assert_eq!(statuses[0], StatusCode::OK);
    assert_eq!(statuses[69], StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(guess(b"print(1)".to_vec()).await, StatusCode::OK, "a file takes no turn");
}
