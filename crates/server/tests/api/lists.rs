//! Lists: page by page, in each form, narrowed and sorted.

use axum::http::header;
use serde_json::{Value, json};
use store::{Role, Scope};

use crate::{
    kit::{RUNNER, Site, Worker},
    program::{Program, ROOT, Sends, account, json as json_of, refused},
};

/// Everything of a list, by following where each page says the next is.
async fn all(program: &Program<'_>, first: &str) -> Vec<Value> {
    let mut items = Vec::new();
    let mut path = first.to_owned();
    loop {
        let answer = program.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        let page = json_of(&answer);
        items.extend(page["items"].as_array().unwrap().iter().cloned());
        let link = answer.header(header::LINK).to_owned();
        match page["next"].as_str() {
            None => {
                assert_eq!(link, "");
                return items;
            }
            Some(cursor) => {
                let address = link.strip_suffix(">; rel=\"next\"").unwrap();
                let address = address.strip_prefix(&format!("<{ROOT}")).unwrap();
                assert!(address.contains(cursor), "{link}");
                path = address.to_owned();
            }
        }
    }
}

async fn with_matches(site: &Site) -> (Program<'_>, Vec<String>, String) {
    let worker = Worker::connect(site).await;
    let ada = account(site, "Ada", Role::Contestant).await;
    let program = Program::of(site, ada, &Scope::ALL).await;
    let mut bots = Vec::new();
    for (role, name) in [("architect", "Hedger"), ("adventurer", "Walker")] {
        let path = format!("/bots?game=labyrinth&role={role}&name={name}&file_name=bot.py");
        let made = program.ask("POST", &path, Sends::bytes(b"import sys\nprint('#END')\n")).await;
        assert_eq!(made.status, 201, "{}", made.text());
        bots.push(json_of(&made)["bot"].as_str().unwrap().to_owned());
    }
    worker.work(RUNNER).await;
    let mut ids = Vec::new();
    for size in 5..10 {
        let ask = json!({
            "game": "labyrinth",
            "seats": [{ "bot": bots[0] }, { "bot": bots[1] }],
            "setup": { "fields": { "size": size } },
        });
        let made = program.post("/matches", &ask).await;
        assert_eq!(made.status, 201, "{}", made.text());
        ids.push(json_of(&made)["match"].as_str().unwrap().to_owned());
        if size == 7 {
            worker.work(RUNNER).await;
        }
    }
    (program, ids, bots.remove(0))
}

#[tokio::test]
async fn matches_come_page_by_page_in_both_orders_and_narrowed() {
    let site = Site::open().await;
    let (program, mut ids, bot) = with_matches(&site).await;
    let ids_of = |items: Vec<Value>| {
        items.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let friendly = "purpose=friendly&game=labyrinth";
    let table = [
        (format!("/matches?{friendly}&sort=oldest&limit=2"), &ids[..]),
        (format!("/matches?{friendly}&sort=oldest&limit=500&bot={bot}"), &ids[..]),
        (format!("/matches?{friendly}&sort=oldest&state=finished&limit=1"), &ids[..3]),
        (format!("/matches?{friendly}&sort=oldest&state=queued&bot={bot}&limit=1"), &ids[3..]),
        (format!("/matches?{friendly}&sort=oldest&state=void"), &ids[..0]),
    ];
    for (path, expected) in table {
        assert_eq!(ids_of(all(&program, &path).await), expected, "{path}");
    }
    let ids_up = ids.clone();
    ids.reverse();
    let path = format!("/matches?{friendly}&limit=2&bot={bot}");
    assert_eq!(ids_of(all(&program, &path).await), ids);
    let path = format!("/matches?{friendly}&limit=3");
    assert_eq!(ids_of(all(&program, &path).await), ids);
    // A cursor is of one order.
    let page = json_of(&program.get("/matches?limit=1").await);
    let cursor = page["next"].as_str().unwrap();
    let path = format!("/matches?sort=oldest&cursor={cursor}");
    refused(&program.get(&path).await, 400, "none of this list");

    let one = json_of(&program.get(&format!("/matches/{}", ids_up[0])).await);
    assert_eq!((&one["state"], &one["setup"]["size"]), (&json!("finished"), &json!(5)));
    assert_eq!(one["seats"][1]["role"], "adventurer");
    assert!(one["record_sha256"].is_string() && one["wait"].is_null(), "{one}");
    let waits = json_of(&program.get(&format!("/matches/{}", ids_up[4])).await);
    assert!(waits["wait"].as_str().unwrap().contains("in the queue"), "{waits}");
    let replay = program.get(&format!("/matches/{}/replay", ids_up[0])).await;
    assert_eq!(json_of(&replay)["game"], "labyrinth");
    let record = program.get(&format!("/matches/{}/record", ids_up[0])).await;
    assert_eq!(store::digest_of(&record.body), one["record_sha256"].as_str().unwrap());
    let early = program.get(&format!("/matches/{}/replay", ids_up[4])).await;
    refused(&early, 409, "not over yet");
}

#[tokio::test]
async fn every_list_is_a_table_and_lines_too() {
    let site = Site::open().await;
    let (program, _, bot) = with_matches(&site).await;
    let lists = [
        "/matches".to_owned(),
        "/games".into(),
        "/games/labyrinth/leaderboard?role=architect".into(),
        "/games/labyrinth/bots".into(),
        "/games/jockey/pools".into(),
        "/games/jockey/pools/courses/setups".into(),
        "/me/bots".into(),
        "/me/tokens".into(),
        "/invitations".into(),
        format!("/bots/{bot}/versions"),
        format!("/bots/{bot}/failures"),
        format!("/bots/{bot}/ratings"),
        "/languages".into(),
    ];
    for path in lists {
        let glue = if path.contains('?') { '&' } else { '?' };
        let rows = json_of(&program.get(&path).await)["items"].as_array().unwrap().len();
        let table = program.get(&format!("{path}{glue}format=csv")).await;
        assert_eq!(table.header(header::CONTENT_TYPE), "text/csv; charset=utf-8", "{path}");
        let mut reader = csv::Reader::from_reader(&table.body[..]);
        assert_eq!(reader.records().map(Result::unwrap).count(), rows, "{path}: {}", table.text());
        let asked = Sends::default().with("accept", "application/x-ndjson");
        let lines = program.ask("GET", &path, asked).await;
        assert_eq!(lines.header(header::CONTENT_TYPE), "application/x-ndjson", "{path}");
        let text = lines.text();
        assert_eq!(text.lines().count(), rows, "{path}: {text}");
        assert!(text.lines().all(|it| serde_json::from_str::<Value>(it).is_ok()), "{text}");
        assert_eq!(all(&program, &format!("{path}{glue}limit=1")).await.len(), rows, "{path}");
    }
    let table = program.get("/matches?format=csv&limit=1&sort=oldest").await.text();
    let head = table.lines().next().unwrap();
    for column in ["id", "setup.size", "seats.0.name", "seats.1.score"] {
        assert!(head.split(',').any(|it| it == column), "{column} is not in {head}");
    }
}

#[tokio::test]
async fn a_match_is_asked_for_as_on_the_page_and_refused_in_its_words() {
    let site = Site::open().await;
    let (program, _, bot) = with_matches(&site).await;
    let hedger = json!({ "bot": bot });
    let table = [
        (json!({ "game": "chess", "seats": [] }), 404, "There is no such game."),
        (json!({ "game": "labyrinth", "seats": [hedger] }), 422, "“seats” has 1"),
        (json!({ "game": "labyrinth", "seats": [hedger, hedger] }), 422, "is entered as"),
        (json!({ "game": "labyrinth", "seats": [hedger, { "me": false }] }), 422, "“me” is false"),
        (
            json!({ "game": "labyrinth", "seats": [hedger, { "person": "Nobody" }] }),
            422,
            "Nobody here is called",
        ),
        (
            json!({
                "game": "labyrinth",
                "seats": [hedger, { "me": true }],
                "setup": { "fields": { "size": 999 } },
            }),
            422,
            "999",
        ),
        (
            json!({
                "game": "labyrinth",
                "seats": [hedger, { "me": true }],
                "setup": { "pool": "x/y" },
            }),
            404,
            "There is no such pool.",
        ),
    ];
    for (ask, status, words) in table {
        refused(&program.post("/matches", &ask).await, status, words);
    }
    let ask = json!({ "game": "labyrinth", "seats": [hedger, { "me": true }] });
    let made = program.post("/matches", &ask).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let id = json_of(&made)["match"].as_str().unwrap().to_owned();
    assert_eq!(made.header(header::LOCATION), format!("{ROOT}/matches/{id}"));
    let seen = json_of(&program.get(&format!("/matches/{id}")).await);
    assert!(seen["seats"][1]["bot"].is_null(), "{seen}");
}
