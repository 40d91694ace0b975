//! Who may do what: every operation, asked by everybody. An operation that is not in the table
//! fails the test.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use serde_json::{Value, json};
use store::{Role, Scope};
use uuid::Uuid;

use crate::{
    document,
    kit::{RUNNER, Site, Worker},
    program::{Program, Sends, account, json as json_of, refused},
};

/// Method and path; then what becomes of it when it is asked by: nobody, a contestant (of another's
/// things), the owner, an organiser, an admin, an expired token, a token without the scope.
type Row = (&'static str, &'static str, [u16; 7]);

const EVERYBODY: [u16; 7] = [200, 200, 200, 200, 200, 401, 200];
const ONESELF: [u16; 7] = [401, 200, 200, 200, 200, 401, 403];

const TABLE: &[Row] = &[
    ("GET", "/me", ONESELF),
    ("GET", "/me/bots", ONESELF),
    ("GET", "/me/tokens", ONESELF),
    ("POST", "/me/tokens", [401, 201, 201, 201, 201, 401, 403]),
    ("DELETE", "/me/tokens/{token}", [401, 404, 204, 404, 404, 401, 403]),
    ("GET", "/games", EVERYBODY),
    ("GET", "/games/{game}", EVERYBODY),
    ("GET", "/games/{game}/rules", EVERYBODY),
    ("GET", "/games/{game}/leaderboard", EVERYBODY),
    ("GET", "/games/{game}/bots", EVERYBODY),
    ("GET", "/games/{game}/pools", EVERYBODY),
    ("POST", "/games/{game}/pools", [401, 403, 403, 201, 201, 401, 403]),
    ("GET", "/games/{game}/pools/{pool}", EVERYBODY),
    ("PATCH", "/games/{game}/pools/{pool}", [401, 403, 403, 200, 200, 401, 403]),
    ("DELETE", "/games/{game}/pools/{pool}", [401, 403, 403, 204, 204, 401, 403]),
    ("GET", "/games/{game}/pools/{pool}/setups", EVERYBODY),
    ("GET", "/games/{game}/pools/{pool}/setups/{setup}", EVERYBODY),
    ("PUT", "/games/{game}/pools/{pool}/setups/{setup}", [401, 403, 403, 204, 204, 401, 403]),
    ("DELETE", "/games/{game}/pools/{pool}/setups/{setup}", [401, 403, 403, 204, 204, 401, 403]),
    ("POST", "/bots", [401, 201, 201, 201, 201, 401, 403]),
    ("GET", "/bots/{bot}", EVERYBODY),
    ("POST", "/bots/{bot}/bench", [401, 403, 204, 403, 403, 401, 403]),
    ("POST", "/bots/{bot}/activate", [401, 403, 204, 403, 403, 401, 403]),
    ("PUT", "/bots/{bot}/active-version", [401, 403, 204, 403, 403, 401, 403]),
    ("GET", "/bots/{bot}/failures", [401, 403, 200, 403, 200, 401, 403]),
    ("GET", "/bots/{bot}/ratings", EVERYBODY),
    ("GET", "/bots/{bot}/versions", EVERYBODY),
    ("POST", "/bots/{bot}/versions", [401, 403, 201, 403, 403, 401, 403]),
    ("GET", "/bots/{bot}/versions/{number}", EVERYBODY),
    ("GET", "/bots/{bot}/versions/{number}/source", [401, 403, 200, 403, 403, 401, 403]),
    ("GET", "/matches", EVERYBODY),
    ("POST", "/matches", [401, 201, 201, 201, 201, 401, 403]),
    ("GET", "/matches/{match}", EVERYBODY),
    ("GET", "/matches/{match}/replay", EVERYBODY),
    ("GET", "/matches/{match}/record", EVERYBODY),
    ("GET", "/invitations", ONESELF),
    ("POST", "/invitations/{invitation}/accept", [401, 404, 200, 404, 404, 401, 403]),
    ("POST", "/invitations/{invitation}/decline", [401, 404, 204, 404, 404, 401, 403]),
    ("POST", "/invitations/{invitation}/withdraw", [401, 404, 204, 404, 404, 401, 403]),
    ("GET", "/status", EVERYBODY),
    ("GET", "/languages", EVERYBODY),
];

/// Things that are there, and everybody who may ask for them.
struct Fixture<'a> {
    site: &'a Site,
    ada: Uuid,
    /// In the order of the columns, but the last.
    asking: Vec<Program<'a>>,
    /// Tokens of the owner, or of the organiser: without one scope each.
    lacking: [Program<'a>; 3],
    /// Of somebody else, who invites and is invited.
    cleo: Program<'a>,
    bot: String,
    other: String,
    played: String,
    fresh: u32,
}

impl<'a> Fixture<'a> {
    async fn make(site: &'a Site) -> Fixture<'a> {
        let worker = Worker::connect(site).await;
        let ada = account(site, "Ada", Role::Contestant).await;
        let bob = account(site, "Bob", Role::Contestant).await;
        let cleo = account(site, "Cleo", Role::Contestant).await;
        let olga = account(site, "Olga", Role::Organiser).await;
        let root = account(site, "Root", Role::Admin).await;
        let all = Scope::ALL;
        let asking = vec![
            Program::bare(site),
            Program::of(site, bob, &all).await,
            Program::of(site, ada, &all).await,
            Program::of(site, olga, &all).await,
            Program::of(site, root, &all).await,
            Program::until(site, ada, &all, TimeDelta::hours(-1)).await,
        ];
        let lacking = [
            Program::of(site, ada, &[Scope::Play, Scope::Organise]).await,
            Program::of(site, ada, &[Scope::Read, Scope::Organise]).await,
            Program::of(site, olga, &[Scope::Read, Scope::Play]).await,
        ];
        let cleo = Program::of(site, cleo, &all).await;
        let (owner, stranger) = (&asking[2], &asking[1]);
        let bot = enter(owner, "architect", "Hedger").await;
        let other = enter(stranger, "adventurer", "Walker").await;
        worker.work(RUNNER).await;
        let ask = json!({ "game": "labyrinth", "seats": [{ "bot": bot }, { "bot": other }] });
        let made = json_of(&owner.post("/matches", &ask).await);
        let played = made["match"].as_str().unwrap().to_owned();
        worker.work(RUNNER).await;
        Fixture { site, ada, asking, lacking, cleo, bot, other, played, fresh: 0 }
    }

    /// The path with things that are there, made anew where asking changes them; and what is sent.
    async fn request(&mut self, method: &str, path: &str) -> (String, Sends) {
        self.fresh += 1;
        let no = self.fresh;
        let organiser = &self.asking[3];
        let mut path = path.replace("{game}", "jockey").replace("{number}", "1");
        path = path.replace("{bot}", &self.bot).replace("{match}", &self.played);
        if path.contains("{pool}") {
            let pool = format!("pool-{no}");
            let new = json!({ "name": pool, "label": pool });
            assert_eq!(organiser.post("/games/jockey/pools", &new).await.status, 201);
            let setup = format!("/games/jockey/pools/{pool}/setups/hill");
            let kept = organiser.ask("PUT", &setup, Sends::json(&course())).await;
            assert_eq!(kept.status, 204, "{}", kept.text());
            path = path.replace("{pool}", &pool).replace("{setup}", "hill");
        }
        if path.contains("{token}") {
            let token = Program::of(self.site, self.ada, &[Scope::Read, Scope::Play]).await;
            let token = json_of(&token.get("/me").await)["token"]["id"].clone();
            path = path.replace("{token}", token.as_str().unwrap());
        }
        if path.contains("{invitation}") {
            // To Ada, or by her.
            let (maker, guest) = match path.ends_with("withdraw") {
                true => (&self.asking[2], "Cleo"),
                false => (&self.cleo, "Ada"),
            };
            let seats = json!([{ "person": guest }, { "bot": self.other }]);
            let made =
                maker.post("/matches", &json!({ "game": "labyrinth", "seats": seats })).await;
            let id = json_of(&made)["invitation"].clone();
            path = path.replace("{invitation}", id.as_str().unwrap());
        }
        let sends = match (method, path.rsplit('/').next().unwrap_or_default()) {
            ("POST", "tokens") => {
                Sends::json(&json!({ "name": "made", "scopes": ["read"], "days": 1 }))
            }
            ("POST", "pools") => Sends::json(&json!({ "label": format!("Pool {no}") })),
            ("PATCH", _) => Sends::json(&json!({ "label": "Summer" })),
            ("PUT", "active-version") => Sends::json(&json!({ "version": 1 })),
            ("PUT", _) => Sends::json(&course()),
            ("POST", "bots") => {
                path += &format!("?game=labyrinth&role=architect&name=Bot {no}&language=python3");
                path = path.replace(' ', "%20");
                Sends::bytes(SOURCE)
            }
            ("POST", "versions") => {
                path += "?language=python3";
                Sends::bytes(SOURCE)
            }
            ("POST", "matches") => Sends::json(&json!({
                "game": "labyrinth",
                "seats": [{ "bot": self.bot }, { "bot": self.other }],
                "setup": { "fields": { "size": 8 } },
            })),
            _ => Sends::default(),
        };
        (path, sends)
    }
}

const SOURCE: &[u8] = b"import sys\nprint('#END')\n";

async fn enter(program: &Program<'_>, role: &str, name: &str) -> String {
    let path = format!("/bots?game=labyrinth&role={role}&name={name}&language=python3");
    let answer = program.ask("POST", &path, Sends::bytes(SOURCE)).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    json_of(&answer)["bot"].as_str().unwrap().to_owned()
}

fn course() -> Value {
    json!({
        "width": 3, "length": 3, "vision": 5, "step_limit": 10, "think_ms": 3000, "x0": 0, "x1": 2,
        "rows": ["000", "010", "000"],
    })
}

/// The scope that an operation needs.
fn scope(document: &Value, method: &str, path: &str) -> Option<Scope> {
    let security = &document["paths"][path][method.to_lowercase()]["security"];
    let named = security.as_array().unwrap().iter().find_map(|it| it["token"].as_array())?;
    Scope::parse(named.first()?.as_str()?)
}

#[tokio::test]
async fn every_operation_is_asked_by_everybody() {
    let site = Site::with(|config| {
        config.api.account_requests_per_minute = 100_000;
        config.limits.builds_waiting_max = 100;
        config.limits.invitations_max = 100;
    })
    .await;
    let document = document::served(&site).await;
    let there: BTreeSet<_> = document::operations(&document).into_iter().collect();
    let tried: BTreeSet<_> = TABLE.iter().map(|it| (it.0.to_owned(), it.1.to_owned())).collect();
    assert_eq!(there, tried, "the table of roles has to have every operation");

    let mut known = Fixture::make(&site).await;
    for (method, path, expected) in TABLE {
        let lacks = match scope(&document, method, path) {
            // Making a token that could read, by one that cannot.
            Some(Scope::Read) | None => 0,
            Some(Scope::Play) => 1,
            Some(Scope::Organise) => 2,
        };
        let makes_anew = *method != "GET" && !path.contains("{invitation}");
        let mut request = known.request(method, path).await;
        // The owner last: what an invitation asks is answered once.
        for column in [0, 1, 3, 4, 5, 6, 2] {
            let status = &expected[column];
            if makes_anew {
                request = known.request(method, path).await;
            }
            let (address, sends) = request.clone();
            let program = known.asking.get(column).unwrap_or(&known.lacking[lacks]);
            let answer = program.ask(method, &address, sends).await;
            let what = format!("{method} {path}, column {column}");
            assert_eq!(answer.status.as_u16(), *status, "{what}: {}", answer.text());
            let responses = &document["paths"][path][method.to_lowercase()]["responses"];
            assert!(responses[status.to_string()].is_object(), "{what}: {status} is not described");
            if *status >= 400 {
                refused(&answer, *status, "");
            }
        }
    }
}

#[tokio::test]
async fn logs_are_for_their_owner_alone() {
    let site = Site::open().await;
    let known = Fixture::make(&site).await;
    let match_path = format!("/matches/{}", known.played);
    let version_path = format!("/bots/{}/versions/1", known.bot);
    // Nobody, a stranger, the owner, an organiser, an admin; then the owner without the scope.
    let expected = [false, false, true, false, true];
    let rows = known.asking.iter().zip(expected).chain([(&known.lacking[0], false)]);
    for (program, sees) in rows {
        let seen = json_of(&program.get(&match_path).await);
        assert_eq!(seen["reports"][0]["stderr"].is_string(), sees, "{seen}");
        let seen = json_of(&program.get(&version_path).await);
        assert_eq!(seen["compliance"].is_object(), sees, "{seen}");
    }
    // The other seat is Bob's.
    let seen = json_of(&known.asking[1].get(&match_path).await);
    assert!(seen["reports"][1]["stderr"].is_string(), "{seen}");
}
