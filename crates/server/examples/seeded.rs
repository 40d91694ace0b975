//! A server with something of everything in it, for programs that try the API: it prints its
//! address and a token as JSON, and serves until its input ends. See `scripts/try-api`.

#[path = "../tests/pages/kit.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod kit;
#[path = "../tests/api/program.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod program;

use std::{
    io::{Read, Write},
    net::SocketAddr,
};

use kit::{RUNNER, Site, Worker};
use program::{Program, Sends, account, json as json_of};
use serde_json::json;
use store::{Role, Scope};

/// Requests a minute: as many as can be sent.
const NO_END: u32 = 1_000_000;

#[tokio::main]
async fn main() {
    let site = Site::with(|config| {
        config.api.account_requests_per_minute = NO_END;
        config.api.address_requests_per_minute = NO_END;
    })
    .await;
    let worker = Worker::connect(&site).await;
    let olga_id = account(&site, "Olga", Role::Organiser).await;
    let ada = account(&site, "Ada", Role::Contestant).await;
    let olga = Program::of(&site, olga_id, &Scope::ALL).await;
    let ada = Program::of(&site, ada, &Scope::ALL).await;

    let pool = json!({ "name": "spring", "label": "Spring" });
    done(&olga.post("/games/jockey/pools", &pool).await);
    let course = json!({
        "width": 3, "length": 3, "vision": 5, "step_limit": 10, "think_ms": 3000, "x0": 0, "x1": 2,
        "rows": ["000", "010", "000"],
    });
    let hill = "/games/jockey/pools/spring/setups/hill";
    done(&olga.ask("PUT", hill, Sends::json(&course)).await);
    let mut bots = Vec::new();
    for (program, role, name) in [(&olga, "architect", "Hedger"), (&ada, "adventurer", "Walker")] {
        let path = format!("/bots?game=labyrinth&role={role}&name={name}&language=python3");
        let made = program.ask("POST", &path, Sends::bytes(b"print('#END')\n")).await;
        done(&made);
        bots.push(json_of(&made)["bot"].clone());
    }
    worker.work(RUNNER).await;
    let seats = [json!({ "bot": bots[0] }), json!({ "bot": bots[1] })];
    let played = olga.post("/matches", &json!({ "game": "labyrinth", "seats": seats })).await;
    done(&played);
    worker.work(RUNNER).await;
    for guests in [json!({ "person": "Olga" }), json!({ "me": true })] {
        let seats = [json!({ "bot": bots[0] }), guests];
        done(&ada.post("/matches", &json!({ "game": "labyrinth", "seats": seats })).await);
    }

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("the socket is bound");
    let spare = Program::of(&site, olga_id, &Scope::ALL).await;
    let told = json!({
        "spare": json_of(&spare.get("/me").await)["token"]["id"],
        "url": format!("http://{address}"),
        "token": olga.token,
        "bot": bots[0],
        "match": json_of(&played)["match"],
    });
    println!("{told}");
    std::io::stdout().flush().expect("somebody listens");
    let app = server::router(site.state.clone());
    let app = app.into_make_service_with_connect_info::<SocketAddr>();
    let serving = tokio::spawn(async move { axum::serve(listener, app).await });
    let ended = tokio::task::spawn_blocking(|| {
        let mut all = Vec::new();
        std::io::stdin().read_to_end(&mut all)
    });
    tokio::select! {
        served = serving => panic!("the server ended: {served:?}"),
        _ = ended => {}
    }
}

fn done(answer: &kit::Answer) {
    assert!(answer.status.is_success(), "{}", answer.text());
}
