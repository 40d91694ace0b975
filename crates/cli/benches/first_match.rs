//! How long a contestant waits: from the upload of a Python bot to its first finished match,
//! on a whole machine with the demo's bots, through the site's own forms.
//!
//! Run as root: `cargo bench -p cli --bench first_match`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use common::{Machine, config_dir};
use reqwest::{
    Client, StatusCode,
    header::{COOKIE, SET_COOKIE},
    multipart,
    redirect::Policy,
};

const UPLOADS: usize = 5;
/// The budget.
const FIRST_RESULT_MAX: Duration = Duration::from_secs(10);
/// How long the demo may take to be there before anything is measured.
const DEMO_MAX: Duration = Duration::from_secs(600);

fn main() {
    if !nix::unistd::geteuid().is_root() {
        eprintln!("only root can make jails, and so only root can measure them");
        std::process::exit(1);
    }
    // Fails only where one is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut machine = Machine::start(&["--demo"], &[]);
    machine.line("the demo is complete", DEMO_MAX);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let mut waits = runtime.expect("a runtime").block_on(waits(&machine));
    machine.stop();
    waits.sort();
    let worst = waits.last().expect("there were uploads");
    let median = waits[waits.len() / 2];
    println!("upload of a Python bot to its first result: median {median:.2?}, worst {worst:.2?}");
    if *worst > FIRST_RESULT_MAX {
        println!("over budget: {FIRST_RESULT_MAX:?}");
        std::process::exit(1);
    }
}

async fn waits(machine: &Machine) -> Vec<Duration> {
    let client = Client::builder().redirect(Policy::none()).build().expect("a client");
    let form = [("name", "prudence"), ("password", "long enough for anybody")];
    let signup = client.post(format!("{}/signup", machine.url)).form(&form);
    let answer = signup.send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::SEE_OTHER, "signing up");
    let cookies = answer.headers().get_all(SET_COOKIE).iter();
    let cookies: Vec<&str> = cookies.filter_map(|it| it.to_str().ok()?.split(';').next()).collect();
    let cookies = cookies.join("; ");
    let source = config_dir().join("games/labyrinth/bots/adventurer.py");
    let source = std::fs::read(source).expect("the documented bot");

    let mut waits = Vec::new();
    for upload_no in 1..=UPLOADS {
        let name = format!("Stopwatch {upload_no}");
        let file = multipart::Part::bytes(source.clone()).file_name("adventurer.py");
        let form = multipart::Form::new()
            .text("game", "labyrinth")
            .text("role", "adventurer")
            .text("name", name.clone())
            .text("language", "python3")
            .part("file", file);
        let upload = client.post(format!("{}/upload", machine.url)).header(COOKIE, &cookies);
        let started = Instant::now();
        let answer = upload.multipart(form).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "uploading {name}");
        let finished = format!(
            "select count(*) from match_seats s join matches m on m.id = s.match
             join bots b on b.id = s.bot where b.name = '{name}' and m.state = 'finished'"
        );
        machine.wait_sql(&finished, |it| it != "0", 3 * FIRST_RESULT_MAX);
        waits.push(started.elapsed());
        println!("{name}: {:.2?}", started.elapsed());
    }
    waits
}
