//! A whole server on a socket, tended by its own chores, with a worker that
//! plays by the book.

use std::{
    fs::{self, File},
    net::{SocketAddr, TcpListener},
    path::PathBuf,
    time::{Duration, Instant, SystemTime},
};

use jobs::{Job, LeaseAnswer, Leased, Report};
use serde_json::json;
use store::{NewBot, NewVersion, Store, digest_of, testing};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::oneshot,
};
use uuid::Uuid;

use crate::kit::*;

/// One request on a connection of its own.
async fn ask(
    at: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
    body: impl AsRef<[u8]>,
) -> (u16, String) {
    let body = body.as_ref();
    let mut stream = TcpStream::connect(at).await.unwrap();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\
         Authorization: Bearer {token}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(&[request.as_bytes(), body].concat()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), body.to_owned())
}

async fn lease(at: SocketAddr, token: &str, wait_s: u64) -> Vec<Leased> {
    let request = json!({ "jobs_max": 4, "wait_s": wait_s }).to_string();
    let (status, body) = ask(at, "POST", "/worker/v1/lease", token, &request).await;
    if status == 503 {
        return Vec::new();
    }
    assert_eq!(status, 200, "{body}");
    serde_json::from_str::<LeaseAnswer>(&body).unwrap().jobs
}

async fn work(at: SocketAddr, token: &str, leased: &Leased) {
    let (url, bytes, report) = match &leased.job {
        Job::Build(it) => {
            let (status, source) = ask(at, "GET", &it.source.url, "", "").await;
            assert_eq!((status, digest_of(source.as_bytes())), (200, it.source.digest.clone()));
            let artefact = b"artefact".to_vec();
            let report = Report::Built(Box::new(built(Some(uploaded(&artefact)))));
            (&it.artefact.url, artefact, report)
        }
        Job::Match(it) => {
            let course = match it.match_id.as_bytes()[15] % 3 {
                0 => Course::Walk,
                _ => Course::Wait,
            };
            let frames = json!({ "from": 0, "plies": [1, 2, 3] }).to_string();
            let path = format!("/worker/v1/leases/{}/plies", leased.lease);
            assert_eq!(ask(at, "POST", &path, token, &frames).await.0, 204);
            let Played { record, report } = played(leased, course);
            (&it.record.url, record, Report::Played(Box::new(report)))
        }
    };
    assert_eq!(ask(at, "PUT", url, "", bytes).await.0, 204);
    let report = serde_json::to_string(&report).unwrap();
    let path = format!("/worker/v1/leases/{}/report", leased.lease);
    let (status, body) = ask(at, "POST", &path, token, &report).await;
    assert_eq!(status, 204, "{body}");
}

async fn enter(store: &Store, blobs: &store::Blobs, role: &str) {
    let account = testing::account(store).await;
    let name = Uuid::new_v4().simple().to_string();
    let new = NewBot { account, game: GAME, role, name: &name, name_key: &name, bots_max: 9 };
    let bot = store.create_bot(&new).await.unwrap();
    let source = blobs.put("print('#END')".into()).await.unwrap();
    let version = NewVersion {
        bot,
        account,
        language: LANGUAGE,
        file_name: "bot.py",
        source: &source,
        builds_waiting_max: 9,
    };
    store.create_version(&version).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_go_from_source_to_ladder_by_themselves_and_the_server_stops_when_asked() {
    let dir = tempfile::tempdir().unwrap();
    let database = testing::database().await;
    let token = server::new_token().unwrap();
    let mut config = config(dir.path(), database.clone());
    config.server.local_worker_token_digest = hex::encode(server::token_digest(&token));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server::serve(config, listener, async {
        let _ = stopped.await;
    }));
    let store = Store::connect(&database, Default::default()).await.unwrap();
    let blobs = store::Blobs::on_disk(&dir.path().join("blobs")).unwrap();
    for it in 0..6 {
        enter(&store, &blobs, ROLES[it % 2]).await;
    }
    let since = Instant::now();
    while ask(at, "POST", "/worker/v1/hello", &token, &hello()).await.0 != 200 {
        assert!(since.elapsed() < Duration::from_secs(20), "the local worker is not admitted");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    while store.rated_log(GAME, 0, 40).await.unwrap().len() < 30 {
        assert!(since.elapsed() < Duration::from_secs(60), "the ladder stands still");
        for leased in lease(at, &token, 5).await {
            work(at, &token, &leased).await;
        }
    }
    assert!(server::check_ratings(&store, GAME).await.unwrap().is_empty());
    let ratings = store.ratings(GAME).await.unwrap();
    assert_eq!(ratings.len(), 6);
    assert!(ratings.values().all(|it| it.matches >= 5), "{ratings:?}");

    // A worker that can run nothing waits in vain, is let go, and all comes to an end.
    let mut unable: serde_json::Value = serde_json::from_str(&hello()).unwrap();
    unable["languages"] = json!([]);
    ask(at, "POST", "/worker/v1/hello", &token, &unable.to_string()).await;
    let waiting = {
        let token = token.clone();
        tokio::spawn(async move { lease(at, &token, 20).await })
    };
    tokio::time::sleep(Duration::from_millis(300)).await;
    let since = Instant::now();
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
    assert!(waiting.await.unwrap().is_empty());
    assert!(since.elapsed() < Duration::from_secs(5), "{:?}", since.elapsed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn blobs_that_nothing_refers_to_are_cleared_away_by_and_by() {
    let dir = tempfile::tempdir().unwrap();
    let old = SystemTime::now() - 2 * store::UNREFERENCED_LIFE;
    // One in each part, of which a round takes one.
    for part in 0..=u8::MAX {
        let folder = dir.path().join(format!("blobs/sha256/{part:02x}"));
        fs::create_dir_all(&folder).unwrap();
        let blob = File::create(folder.join(format!("{part:02x}{}", "0".repeat(62)))).unwrap();
        blob.set_modified(old).unwrap();
    }
    let config = config(dir.path(), testing::database().await);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(server::serve(config, listener, async {
        let _ = stopped.await;
    }));
    // By day of that; the folders are there a moment before the blob is.
    let doomed = || -> Vec<PathBuf> {
        let in_it =
            |it: PathBuf| fs::read_dir(it).into_iter().flatten().map(|it| it.unwrap().path());
        in_it(dir.path().join("blobs/doomed")).flat_map(in_it).collect()
    };
    let since = Instant::now();
    while doomed().is_empty() {
        assert!(since.elapsed() < Duration::from_secs(20), "nothing is cleared away");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.send(()).unwrap();
    serving.await.unwrap().unwrap();
    assert_eq!(doomed().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_cannot_run_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let serve = async |set: &dyn Fn(&mut server::Config)| {
        let mut config = config(dir.path(), testing::database().await);
        set(&mut config);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let why = server::serve(config, listener, std::future::pending()).await.unwrap_err();
        let mut words = why.to_string();
        let mut cause = std::error::Error::source(&why);
        while let Some(it) = cause {
            words = format!("{words}: {it}");
            cause = it.source();
        }
        words
    };
    let nowhere = dir.path().join("nowhere");
    for (words, said) in [
        ("database.url", serve(&|it| it.database.url.clear()).await),
        ("database", serve(&|it| it.database.url = "postgres://127.0.0.1:1/x".to_owned()).await),
        ("game.toml", serve(&|it| it.config_dir = nowhere.clone()).await),
        ("data_dir", serve(&|it| it.server.data_dir = "/proc/none".into()).await),
    ] {
        assert!(said.contains(words), "{words:?} is not in {said:?}");
    }
}
