//! Whatever is killed when, every match counts exactly once.

mod common;

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use common::{AGON, Machine, Part};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use proptest::test_runner::{RngAlgorithm, TestRng};
use rand::RngExt as _;

/// Moments at which each part is killed.
const MOMENTS: u32 = 20;
/// How long all bots of all games may take to be built and to play, and all matches that wait, on a
/// busy machine.
const ALL_WITHIN: Duration = Duration::from_secs(1500);
/// How long a part may take to be back, and matches to be finished again.
const BACK_WITHIN: Duration = Duration::from_secs(60);

/// A ladder that never rests, with leases that are found lost soon.
const RESTLESS: [(&str, &str); 6] = [
    ("AGON_LADDER__SETTLED_DEVIATION", "30"),
    ("AGON_LADDER__LOOK_S", "1"),
    ("AGON_LADDER__PENDING", "2"),
    ("AGON_QUEUE__RENEW_S", "1"),
    // A part that is killed twenty times must not make jobs void.
    ("AGON_QUEUE__ATTEMPTS_MAX", "100"),
    ("AGON_QUEUE__BACKOFF_S", "0"),
];

#[test]
fn every_match_counts_once_whatever_is_killed_when() {
    let seed = std::env::var("AGON_CRASH_SEED").ok().and_then(|it| it.parse().ok()).unwrap_or(1_u8);
    println!("seed {seed} (AGON_CRASH_SEED sets another)");
    let mut rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);

    let proxy = Proxy::start();
    let worker_server_url = proxy.url();
    let mut machine = Machine::start(&["--demo", "--worker-server", &worker_server_url], &RESTLESS);
    proxy.lead_to(&machine.url);
    machine.line("the demo is complete", ALL_WITHIN);
    finished_more(&machine, "before any kill");

    for moment in 0..MOMENTS {
        for part in Part::ALL {
            std::thread::sleep(Duration::from_millis(rng.random_range(0..400)));
            let Some(pid) = machine.part(part) else { panic!("there is no {part:?} to kill") };
            // Every second kill of the server comes between commit and reply.
            if part == Part::Server && moment % 2 == 0 {
                proxy.kill_after_report(pid);
            } else {
                kill(pid, Signal::SIGKILL).unwrap();
            }
            back_again(&machine, part, pid);
        }
        finished_more(&machine, &format!("after moment {moment}"));
    }
    assert!(proxy.kills() >= MOMENTS / 2, "the server was killed between commit and reply");

    // No new matches; those that are queued are played.
    machine.stop();
    let mut calm = RESTLESS.to_vec();
    calm.push(("AGON_LADDER__ENABLED", "false"));
    let mut machine = Machine::start_in(&machine.data.clone(), &[], &calm);
    let open = "select count(*) from matches where state in ('queued', 'running')";
    machine.wait_sql(open, |it| it == "0", ALL_WITHIN);

    let ask = |sql: &str| machine.sql(sql).unwrap();
    assert_eq!(ask("select count(*) from matches where state <> 'finished'"), "0", "none is void");
    assert_eq!(
        ask("select count(*) from (select from matches group by game
             having count(*) <> max(finish_no) or count(*) <> count(distinct finish_no)) wrong"),
        "0",
        "the finished matches of each game are numbered without a gap"
    );
    assert_eq!(
        ask("select count(*) from ladders l
             where finish_no <> (select count(*) from matches m where m.game = l.game)"),
        "0"
    );
    assert_eq!(
        ask(
            "select count(*) from (select job from attempts where ending = 'done' group by job having count(*) > 1) twice"
        ),
        "0",
        "no job ended twice"
    );
    assert_eq!(
        ask(
            "select count(*) from match_seats s join matches m on m.id = s.match where s.place is null"
        ),
        "0"
    );
    assert_eq!(ask("select count(*) from jobs where state not in ('done')"), "0");
    assert_eq!(ask("select count(*) from live_plies"), "0", "nothing is left of lost attempts");
    let n_lost = ask("select count(*) from attempts where ending <> 'done'");
    println!("{} matches, {n_lost} attempts lost", ask("select count(*) from matches"));

    let ratings = std::process::Command::new(AGON)
        .args(["admin", "ratings", "--check", "--data"])
        .arg(&machine.data)
        .env_remove("DATABASE_URL")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ratings.stdout) + String::from_utf8_lossy(&ratings.stderr);
    assert!(ratings.status.success(), "ratings are not those of the match log: {said}");
    machine.stop();
}

fn back_again(machine: &Machine, part: Part, killed: Pid) {
    let deadline = Instant::now() + BACK_WITHIN;
    while Instant::now() < deadline {
        if machine.part(part).is_some_and(|it| it != killed) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("{part:?} is not back within {BACK_WITHIN:?}");
}

/// Waits until matches are finished again: nothing hangs.
fn finished_more(machine: &Machine, when: &str) {
    let count = "select count(*) from matches where state = 'finished'";
    let number = |it: &str| it.parse::<u32>().unwrap_or(0);
    // Postgres itself may be on its way up.
    let before = number(&machine.wait_sql(count, |_| true, BACK_WITHIN));
    machine.wait_sql(count, |it| number(it) > before, BACK_WITHIN);
    println!("{when}: {before} matches were finished, and it goes on");
}

/// Stands between worker and server, and can lose the answer to a report.
struct Proxy {
    port: u16,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    server: Mutex<String>,
    victim: Mutex<Option<Pid>>,
    kills: AtomicU32,
}

impl Proxy {
    fn start() -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let shared = Arc::new(Shared::default());
        let theirs = shared.clone();
        std::thread::spawn(move || {
            for worker in listener.incoming().flatten() {
                let shared = theirs.clone();
                std::thread::spawn(move || shared.relay(worker));
            }
        });
        Proxy { port, shared }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn lead_to(&self, url: &str) {
        let port = url.rsplit(':').next().unwrap();
        *self.shared.server.lock().unwrap() = format!("127.0.0.1:{port}");
    }

    /// Kills `server` when the next report has been answered, and loses the answer.
    fn kill_after_report(&self, server: Pid) {
        *self.shared.victim.lock().unwrap() = Some(server);
        let deadline = Instant::now() + BACK_WITHIN;
        while self.shared.victim.lock().unwrap().is_some() {
            assert!(Instant::now() < deadline, "no report came within {BACK_WITHIN:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn kills(&self) -> u32 {
        self.shared.kills.load(Ordering::SeqCst)
    }
}

impl Shared {
    fn relay(&self, mut worker: TcpStream) {
        let address = self.server.lock().unwrap().clone();
        let Ok(mut server) = TcpStream::connect(&address) else { return };
        let (mut from_worker, mut to_server) =
            (worker.try_clone().unwrap(), server.try_clone().unwrap());
        let reports = Arc::new(AtomicU32::new(0));
        let seen = reports.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 64 << 10];
            while let Ok(n @ 1..) = from_worker.read(&mut bytes) {
                // A request line is never cut here: reports are small and sent whole.
                let text = String::from_utf8_lossy(&bytes[..n]);
                if text.starts_with("POST ")
                    && text.lines().next().is_some_and(|it| it.contains("/report "))
                {
                    seen.store(1, Ordering::SeqCst);
                } else if text.starts_with("POST ")
                    || text.starts_with("GET ")
                    || text.starts_with("PUT ")
                {
                    seen.store(0, Ordering::SeqCst);
                }
                if to_server.write_all(&bytes[..n]).is_err() {
                    break;
                }
            }
            let _ = to_server.shutdown(Shutdown::Write);
        });
        let mut bytes = [0; 64 << 10];
        while let Ok(n @ 1..) = server.read(&mut bytes) {
            let good =
                bytes[..n].starts_with(b"HTTP/1.1 204") || bytes[..n].starts_with(b"HTTP/1.1 200");
            if good && reports.load(Ordering::SeqCst) == 1 {
                let mut victim = self.victim.lock().unwrap();
                if let Some(pid) = victim.take() {
                    // It has committed, for it answers; the worker never hears of it.
                    let _ = kill(pid, Signal::SIGKILL);
                    self.kills.fetch_add(1, Ordering::SeqCst);
                    break;
                }
            }
            if worker.write_all(&bytes[..n]).is_err() {
                break;
            }
        }
        let _ = worker.shutdown(Shutdown::Both);
        let _ = server.shutdown(Shutdown::Both);
    }
}
