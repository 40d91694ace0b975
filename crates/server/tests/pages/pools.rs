//! Set-ups to play on: what everybody sees of pools, what organisers do with them, and what the
//! editor asks.

use axum::http::{Method, header};
use serde_json::{Value, json};

use crate::kit::{Answer, Browser, Site};

const JSON: &str = "application/json";

/// A course that a wall cuts in two.
fn walled() -> Value {
    json!({
        "width": 3, "length": 3, "vision": 5, "step_limit": 10, "think_ms": 3000, "x0": 0, "x1": 2,
        "rows": ["000", "111", "000"],
    })
}

fn open() -> Value {
    let mut setup = walled();
    setup["rows"][1] = "010".into();
    setup
}

/// The course as a file of others.
fn official(setup: &Value) -> Vec<u8> {
    games::find("jockey").unwrap().write_setup("official", setup).unwrap()
}

fn json_of(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.body).unwrap_or_else(|why| panic!("{why}: {}", answer.text()))
}

async fn check(browser: &mut Browser<'_>, query: &str, body: impl Into<Vec<u8>>) -> Answer {
    let path = format!("/games/jockey/editor/check{query}");
    browser.ask(Method::POST, &path, JSON, body.into().into()).await
}

async fn save(browser: &mut Browser<'_>, pool: &str, query: &str, setup: &Value) -> Answer {
    let path = format!("/games/jockey/pools/{pool}/save?{query}");
    browser.ask(Method::POST, &path, JSON, setup.to_string().into()).await
}

#[tokio::test]
async fn everybody_sees_the_pools_that_are_shipped_and_can_take_home_what_is_in_them() {
    let site = Site::open().await;
    let mut visitor = site.visitor();
    let list = visitor.get("/games/jockey/setups").await.text();
    assert!(list.contains("Sample courses of 2018-19") && list.contains(">50 courses<"), "{list}");
    assert!(!list.contains("Make a pool"), "{list}");
    let pool = visitor.get("/games/jockey/setups/courses").await.text();
    assert_eq!(pool.matches("/picture.svg").count(), 50);
    let one = visitor.get("/games/jockey/setups/courses/official-07").await.text();
    for words in
        ["official-07", "Step limit", "/matches/new?game=jockey&amp;setup=courses/official-07"]
    {
        assert!(one.contains(words), "{words}: {one}");
    }
    let picture = visitor.get("/games/jockey/setups/courses/official-07/picture.svg").await;
    assert_eq!(picture.header(header::CONTENT_TYPE), "image/svg+xml");
    assert!(picture.text().starts_with("<svg "), "{}", picture.text());

    let path = "/games/jockey/setups/courses/official-07/file";
    let file = visitor.get(&format!("{path}?format=official")).await;
    let name = "attachment; filename=\"official-07.crs\"";
    assert_eq!(file.header(header::CONTENT_DISPOSITION), name);
    let shipped = site.state.config.config_dir.join("games/jockey/courses/official-07.crs");
    let shipped: Value = serde_json::from_slice(&std::fs::read(shipped).unwrap()).unwrap();
    assert_eq!(json_of(&file), shipped);
    let own = json_of(&visitor.get(path).await);
    assert_eq!(own["rows"].as_array().unwrap().len(), own["length"].as_u64().unwrap() as usize);

    // A game whose set-ups have no picture and no pools has the pages all the same.
    let none = visitor.get("/games/labyrinth/setups").await.text();
    assert!(none.contains("There is no pool yet."), "{none}");
}

#[tokio::test]
async fn an_organiser_makes_fills_changes_and_deletes_a_pool() {
    let site = Site::open().await;
    let mut olga = site.organiser("Olga").await;
    let made = olga.post("/games/jockey/pools", &[("label", "Spring 2026")]).await;
    assert_eq!(made.location(), "/games/jockey/setups/spring-2026?done=pool-made");
    let address = "/games/jockey/setups/spring-2026";
    let act = |what: &str| format!("/games/jockey/pools/spring-2026/{what}");
    let empty = olga.get(address).await.text();
    assert!(empty.contains("Nothing is in this pool yet."), "{empty}");
    assert!(empty.contains("The ladder does not play its courses."), "{empty}");

    let (good, bad, broken) = (official(&open()), official(&walled()), b"{}".to_vec());
    let files = [
        ("files", Some("gate.crs"), &good[..]),
        ("files", Some("wall.crs"), &bad[..]),
        ("files", Some("none.crs"), &broken[..]),
    ];
    let answer = olga.send_parts(&act("files"), &files).await;
    assert_eq!(answer.status, 422);
    let text = answer.text();
    for words in [
        "wall.crs: Rows: found no way from the start to the goal beyond cell 0 0",
        "none.crs: Filetype: found nothing, allowed is",
        "Nothing is in this pool yet.",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let own = open().to_string();
    let twice = [files[0], ("files", Some("again.json"), own.as_bytes())];
    let text = olga.send_parts(&act("files"), &twice).await.text();
    assert!(text.contains("Again is the same as gate, which the pool has already."), "{text}");
    let kept = olga.send_parts(&act("files"), &files[..1]).await;
    assert_eq!(kept.location(), format!("{address}?done=setups-kept"));

    let changed = olga.post(&act("change"), &[("label", "Summer"), ("weight", "2")]).await;
    assert_eq!(changed.location(), format!("{address}?done=pool-changed"));
    let seen = site.visitor().get(address).await.text();
    for words in ["<h1>Summer</h1>", "gate", "The ladder plays each of its courses with weight 2."]
    {
        assert!(seen.contains(words), "{words}: {seen}");
    }
    let answer = olga.post(&act("change"), &[("label", "Summer"), ("weight", "1001")]).await;
    assert_eq!(answer.status, 422);
    assert!(answer.text().contains("“1001” was given; a whole number from 0 to 1000 is allowed."));

    let removed = olga.post(&act("gate/remove"), &[]).await;
    assert_eq!(removed.location(), format!("{address}?done=setup-removed"));
    assert_eq!(olga.post(&act("gate/remove"), &[]).await.status, 404);
    let deleted = olga.post(&act("delete"), &[]).await;
    assert_eq!(deleted.location(), "/games/jockey/setups?done=pool-deleted");
    assert_eq!(olga.get(address).await.status, 404);
}

#[tokio::test]
async fn a_pool_is_called_so_that_its_address_can_be_written() {
    let site = Site::open().await;
    let mut olga = site.organiser("Olga").await;
    let long = "a".repeat(61);
    let table = [
        ("", "spring", "Choose what the pool is called."),
        (&long, "spring", "This has 61 characters; at most 60 are allowed."),
        ("Spring", "Spring!", "“Spring!” cannot stand in an address"),
        ("迷宮", "", "“” cannot stand in an address"),
        ("Ours", "courses", "There is a pool called courses already; choose another name."),
    ];
    for (label, name, words) in table {
        let fields = [("label", label), ("name", name)];
        let answer = olga.post("/games/jockey/pools", &fields).await;
        assert_eq!(answer.status, 422, "{label}");
        assert!(answer.text().contains(words), "{label}, {name}: {}", answer.text());
    }
    let fields = [("label", "Ours"), ("name", "ours")];
    olga.post("/games/jockey/pools", &fields).await.location();
    let answer = olga.post("/games/jockey/pools", &fields).await;
    assert!(answer.text().contains("There is a pool called ours already"), "{}", answer.text());
    // Those that are shipped stay as they are.
    let answer = olga.post("/games/jockey/pools/courses/delete", &[]).await;
    assert_eq!(answer.status, 409, "{}", answer.text());
}

#[tokio::test]
async fn the_editor_saves_what_is_good_and_is_told_what_is_not() {
    let site = Site::open().await;
    let mut olga = site.organiser("Olga").await;
    olga.post("/games/jockey/pools", &[("label", "Spring")]).await.location();
    let answer = save(&mut olga, "spring", "setup=gate", &open()).await;
    assert_eq!(json_of(&answer), json!({ "address": "/games/jockey/setups/spring/gate" }));
    let mut other = open();
    other["vision"] = 6.into();
    let table = [
        ("setup=gate", &other, 409, "The pool has one called gate already; choose another name"),
        ("setup=new", &open(), 409, "New is the same as gate, which the pool has already."),
        ("setup=a b", &other, 422, "Choose a name of 1 to 39 letters"),
        ("", &other, 422, "Choose a name of 1 to 39 letters"),
        ("setup=new", &walled(), 422, "Rows: found no way from the start to the goal"),
        ("setup=new", &json!({}), 422, "Missing field `width`"),
    ];
    for (query, setup, status, words) in table {
        let answer = save(&mut olga, "spring", &query.replace(' ', "%20"), setup).await;
        assert_eq!(answer.status, status, "{query}: {}", answer.text());
        assert!(answer.text().contains(words), "{query}: {}", answer.text());
    }
    // What the rules fill in is no difference, and neither is the order.
    let labyrinth = json!({ "size": 10, "mode": "map" });
    let in_full = games::find("labyrinth").unwrap().inspect_setup(&labyrinth).unwrap();
    assert_ne!(in_full, labyrinth);
    olga.post("/games/labyrinth/pools", &[("label", "Spring")]).await.location();
    for (name, setup, status) in [("short", &labyrinth, 200), ("long", &in_full, 409)] {
        let path = format!("/games/labyrinth/pools/spring/save?setup={name}");
        let body = setup.to_string().into();
        let answer = olga.ask(Method::POST, &path, JSON, body).await;
        assert_eq!(answer.status, status, "{}", answer.text());
    }
    let kept = olga.get("/games/labyrinth/setups/spring/short/file").await;
    assert_eq!(json_of(&kept), in_full);
    let path = "/games/labyrinth/editor/check";
    let checked = olga.ask(Method::POST, path, JSON, labyrinth.to_string().into()).await;
    assert_eq!(json_of(&checked), json!({ "setup": in_full, "flaw": null }));

    let answer = save(&mut olga, "spring", "setup=gate&replaces=yes", &other).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let page = olga.get("/games/jockey/editor?from=spring/gate").await.text();
    assert!(page.contains("Spring") && page.contains("vision&#34;:6"), "{page}");
    // Nobody else is told where one could save.
    let page = site.visitor().get("/games/jockey/editor?from=spring/gate").await.text();
    assert!(!page.contains("Spring"), "{page}");
}

#[tokio::test]
async fn a_check_names_the_place_and_a_file_is_read_whatever_it_is() {
    let site = Site::open().await;
    let mut visitor = site.visitor();
    let good = json_of(&check(&mut visitor, "", open().to_string()).await);
    assert_eq!(good, json!({ "setup": open(), "flaw": null }));
    let bad = json_of(&check(&mut visitor, "", walled().to_string()).await);
    assert_eq!(bad["flaw"]["at"], json!({ "cell": [0, 0] }), "{bad}");
    assert!(bad["flaw"]["why"].as_str().unwrap().contains("no way from the start"), "{bad}");
    let mut on_rock = open();
    on_rock["x1"] = 1.into();
    on_rock["rows"][0] = "010".into();
    let bad = json_of(&check(&mut visitor, "", on_rock.to_string()).await);
    assert_eq!(bad["flaw"]["at"], json!({ "field": "x1" }), "{bad}");

    for (name, file) in [
        ("a.crs", official(&open())),
        ("a.json", official(&open())),
        ("", official(&open())),
        ("a.json", open().to_string().into_bytes()),
    ] {
        let read = json_of(&check(&mut visitor, &format!("?file={name}"), file).await);
        assert_eq!(read["setup"], open(), "{name}");
    }
    let broken =
        String::from_utf8(official(&open())).unwrap().replace("\"width\":3", "\"width\":4");
    for (name, file, words) in [
        ("a.crs", &*broken, "squares: found 9 cells, allowed are 12, width times length."),
        ("a.crs", "{", "file: found what is not JSON"),
        ("a.json", "{", "file: found no JSON"),
        ("a.json", "{}", "missing field `width`"),
    ] {
        let answer = check(&mut visitor, &format!("?file={name}"), file).await;
        assert_eq!(answer.status, 422, "{}", answer.text());
        assert!(answer.text().contains(words), "{name}: {}", answer.text());
    }

    let path = "/games/jockey/editor/write?format=official";
    let file = visitor.ask(Method::POST, path, JSON, open().to_string().into()).await;
    assert_eq!(file.body, official(&open()));
    assert_eq!(file.header(header::CONTENT_DISPOSITION), "attachment; filename=\"course.crs\"");
    let path = "/games/jockey/editor/write?format=own";
    let file = visitor.ask(Method::POST, path, JSON, walled().to_string().into()).await;
    assert_eq!(json_of(&file), walled());
}

#[tokio::test]
async fn what_set_ups_cost_has_a_limit_for_each_address() {
    let site = Site::open().await;
    let one = "/games/jockey/setups/courses/official-07";
    let (file, picture) = (format!("{one}/file"), format!("{one}/picture.svg"));
    let table = [
        (Method::POST, "/games/jockey/editor/check", open().to_string()),
        (Method::GET, &*file, String::new()),
        (Method::GET, &*picture, String::new()),
    ];
    for (method, path, body) in table {
        let ask = async |visitor: &mut Browser<'_>, body: Vec<u8>| {
            visitor.ask(method.clone(), path, JSON, body.into()).await.status
        };
        let mut visitor = site.visitor();
        let mut status = ask(&mut visitor, body.clone().into_bytes()).await;
        for _ in 0..1_000 {
            if status != 200 {
                break;
            }
            status = ask(&mut visitor, body.clone().into_bytes()).await;
        }
        assert_eq!(status, 429, "{path}");
        assert_eq!(ask(&mut site.visitor(), body.into_bytes()).await, 200, "{path}");
    }
}

#[tokio::test]
async fn who_asks_too_often_is_not_read_any_more() {
    let site = Site::open().await;
    let mut visitor = site.visitor();
    for path in ["/games/jockey/editor/check", "/games/jockey/editor/write"] {
        let large = || vec![b' '; (1 << 20) + 1];
        let mut status = 413.try_into().unwrap();
        for _ in 0..200 {
            if status != 413 {
                break;
            }
            status = visitor.ask(Method::POST, path, JSON, large().into()).await.status;
        }
        assert_eq!(status, 429, "{path}: too large a body is counted, too");
    }
}

#[tokio::test]
async fn a_match_is_played_on_a_set_up_of_a_pool_or_on_one_that_is_brought_along() {
    let site = Site::open().await;
    let mut ada = site.signed_up("Ada").await;
    let worker = crate::kit::Worker::connect(&site).await;
    let source = b"import sys\n";
    for name in ["One", "Other"] {
        let parts: [crate::kit::Part; 3] = [
            ("plays", None, b"jockey/player"),
            ("name", None, name.as_bytes()),
            ("file", Some("bot.py"), source),
        ];
        ada.upload(&parts).await.location();
        for it in worker.lease().await {
            worker.build(&it, true).await;
        }
    }
    let form = ada.get("/matches/new?game=jockey&setup=courses/official-07").await.text();
    assert!(form.contains("value=\"courses/official-07\""), "{form}");
    let bots: Vec<_> = form.split("<option value=\"").filter_map(|it| it.split_once('"')).collect();
    let ids: Vec<_> = bots.iter().map(|it| it.0).filter(|it| it.len() == 36).collect();
    let seats = [("game", "jockey"), ("seat-0", ids[0]), ("seat-1", ids[1])];

    let with = |more: (&'static str, String)| {
        let mut fields: Vec<(&str, String)> =
            seats.iter().map(|it| (it.0, it.1.to_owned())).collect();
        fields.push(more);
        fields
    };
    let start = async |ada: &mut Browser<'_>, fields: Vec<(&str, String)>| {
        let fields: Vec<_> = fields.iter().map(|it| (it.0, it.1.as_str())).collect();
        ada.post("/matches", &fields).await
    };
    let played = start(&mut ada, with(("setup", "courses/official-07".into()))).await;
    let page = ada.get(&played.location()).await.text();
    let link = "<a href=\"/games/jockey/setups/courses/official-07\">courses/official-07</a>";
    assert!(page.contains(link), "{page}");

    let own = start(&mut ada, with(("own-setup", walled().to_string()))).await;
    let id = own.id_after("/matches/");
    let stored = site.state.store.match_page(id).await.unwrap().unwrap();
    assert_eq!((stored.row.setup, stored.preset), (walled(), None));
    let official = String::from_utf8(official(&open())).unwrap();
    start(&mut ada, with(("own-setup", official))).await.id_after("/matches/");
    // As large as a file may be, of bytes that take three each in a form; and larger.
    let text = open().to_string();
    let spread = |n: usize| text.replacen(',', &format!(",{}", "\n".repeat(n - text.len())), 1);
    let largest = start(&mut ada, with(("own-setup", spread(1 << 20)))).await;
    largest.id_after("/matches/");
    let larger = start(&mut ada, with(("own-setup", spread((1 << 20) + 1)))).await;
    assert_eq!(larger.status, 422);
    let words = "The file has 1\u{202f}048\u{202f}577 bytes; allowed are 1\u{202f}048\u{202f}576.";
    assert!(larger.text().contains(words), "{}", larger.text());
    let wrong = start(&mut ada, with(("own-setup", "{}".into()))).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("Missing field `width`"), "{}", wrong.text());
}
