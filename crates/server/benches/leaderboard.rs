//! What pages cost the server: with 1,000 bots and 20,000 matches in the
//! database, from the request to the last byte of the packed answer.
//!
//! `cargo bench -p server` fails where the leaderboard is over its budget.

#[path = "../tests/pages/kit.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod kit;

use std::time::{Duration, Instant};

use axum::{
    body::Body,
    http::{Request, StatusCode, header},
};
use game::{Fault, Fraction, Outcome, PerSeat};
use jobs::SeatReport;
use kit::Site;
use store::{Store, testing};

/// The budget: what a leaderboard may take, most often.
const LEADERBOARD_MAX: Duration = Duration::from_millis(20);
const BOTS: u32 = 1000;
const MATCHES: u32 = 20_000;
const RUNS: usize = 200;
const WARM_UP: usize = 20;

#[tokio::main]
async fn main() {
    let site = Site::open().await;
    fill(&site.state.store).await;
    let bot = "00000001-0000-7000-8000-0000000000b0";
    let table = [
        ("leaderboard", "/games/labyrinth/leaderboard?role=architect".to_owned()),
        ("leaderboard, its last page", "/games/labyrinth/leaderboard?role=architect&page=5".into()),
        ("list of matches", "/matches".into()),
        ("matches of a bot", format!("/matches?bot={bot}")),
        ("finished ladder matches", "/matches?state=finished&purpose=ladder".into()),
        ("page of a bot", format!("/bots/{bot}")),
        ("page of the game", "/games/labyrinth".into()),
        ("start page", "/".into()),
        ("status", "/status".into()),
    ];
    println!("{BOTS} bots, {MATCHES} matches; {RUNS} requests each, one after the other");
    let mut good = true;
    for (what, path) in table {
        let mut times = Vec::with_capacity(RUNS);
        let mut bytes = 0;
        for run in 0..WARM_UP + RUNS {
            let request = Request::get(&path)
                .header(header::ACCEPT_ENCODING, "gzip")
                .body(Body::empty())
                .expect("the address is one");
            let begun = Instant::now();
            let answer = site.send(request).await;
            if run >= WARM_UP {
                times.push(begun.elapsed());
            }
            assert_eq!(answer.status, StatusCode::OK, "{path}");
            bytes = answer.body.len();
        }
        times.sort();
        let (median, p95) = (times[RUNS / 2], times[RUNS * 95 / 100]);
        let is_bound = what.starts_with("leaderboard");
        let budget =
            if is_bound { format!(" (budget {LEADERBOARD_MAX:?})") } else { String::new() };
        println!("{what}: {median:.1?}, 95 % within {p95:.1?}{budget}, {bytes} bytes packed");
        good &= !is_bound || median <= LEADERBOARD_MAX;
    }
    if !good {
        println!("over budget");
        std::process::exit(1);
    }
}

/// Bots of 250 accounts, half of them architects, with a version each; and
/// matches between them, one in twenty with a fault.
async fn fill(store: &Store) {
    let outcome = |share: i64| {
        let first = Fraction::new(share, 100);
        let second = Fraction::new(100 - share, 100);
        let whole = |it: i64| Fraction::from(it);
        let places = if share >= 50 { vec![1, 2] } else { vec![2, 1] };
        let outcome = Outcome {
            places: PerSeat::from(places),
            score: PerSeat::from(vec![first, second]),
            measures: vec![PerSeat::from(vec![whole(share), whole(100 - share)])],
            why: "the adventurer reached the treasure in round 31".into(),
        };
        serde_json::to_string(&outcome).expect("an outcome is JSON")
    };
    let report = |fault: Option<(u32, Fault)>| {
        let report = SeatReport {
            faults: fault.iter().count() as u32,
            fault,
            warnings: 0,
            charged_ms: 100,
            slowest_ms: 12,
            cpu_ms: 80,
            memory_peak_bytes: 9 << 20,
            stderr: String::new(),
        };
        serde_json::to_string(&report).expect("a report is JSON")
    };
    let [won, lost] = [outcome(71), outcome(29)];
    let [fine, late] = [report(None), report(Some((11, Fault::Late)))];
    let statements = format!(
        r#"
        create function account_id(n integer) returns uuid immutable language sql as
            $$ select (lpad(to_hex(n % 250), 8, '0') || '-0000-7000-8000-0000000000a0')::uuid $$;
        create function bot_id(n integer) returns uuid immutable language sql as
            $$ select (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-0000000000b0')::uuid $$;
        create function version_id(n integer) returns uuid immutable language sql as
            $$ select (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-0000000000c0')::uuid $$;
        create function match_id(n integer) returns uuid immutable language sql as
            $$ select (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-0000000000d0')::uuid $$;
        insert into accounts (id, name, name_key)
            select account_id(n), 'Contestant ' || n, 'contestant ' || n
            from generate_series(0, 249) n;
        insert into bots (id, account, game, role, name, name_key, state)
            select bot_id(n), account_id(n), 'labyrinth',
                   (array['architect', 'adventurer'])[n % 2 + 1], 'Bot ' || n, 'bot ' || n, 'waiting'
            from generate_series(0, {BOTS} - 1) n;
        insert into versions (id, bot, number, language, file_name, source_digest, source_bytes,
                              state, toolchain, build_ms, artefact_digest, artefact_bytes, built_at)
            select version_id(n), bot_id(n), 1, (array['cpp', 'python3', 'java'])[n % 3 + 1],
                   'bot.txt', repeat('0', 64), 4000, 'ready', 'a compiler', 800, repeat('1', 64),
                   90000, now()
            from generate_series(0, {BOTS} - 1) n;
        update bots set active_version = version_id(('x' || left(id::text, 8))::bit(32)::integer),
                        state = 'active', validated_at = now();
        insert into ratings (bot, game, role, rating, deviation, volatility, matches, faults, last_version)
            select bot_id(n), 'labyrinth', (array['architect', 'adventurer'])[n % 2 + 1],
                   1500 + 300 * sin(n * 0.77), 45 + n % 120, 0.06, 20 + n % 300, n % 7, version_id(n)
            from generate_series(0, {BOTS} - 1) n;
        insert into matches (id, game, rules, setup, preset, purpose, rated, state, created_at,
                             started_at, finished_at, finish_no, outcome, plies, record_digest, record_bytes)
            select match_id(n), 'labyrinth', 1,
                   '{{"size": 10, "mode": "map", "turn_ms": 10000, "total_ms": 120000}}', 'one', 'ladder',
                   true, 'finished', began, began, began + interval '800 milliseconds', n + 1,
                   case when n % 2 = 0 then $w${won}$w$::jsonb else $w${lost}$w$::jsonb end,
                   62, repeat('2', 64), 5000
            from (select n, now() - make_interval(secs => ({MATCHES} - n) * 10) as began
                  from generate_series(0, {MATCHES} - 1) n) it;
        insert into match_seats (match, seat, bot, version, account, rated, place, score, report,
                                 rating_before, deviation_before, rating_after, deviation_after)
            select match_id(m), seat, bot_id(n), version_id(n), account_id(n), true, 1 + (m + seat) % 2,
                   0.5, case when m % 20 = 0 and seat = 1 then $r${late}$r$::jsonb else $r${fine}$r$::jsonb end,
                   1500 + 300 * sin(n * 0.77), 60, 1505 + 300 * sin(n * 0.77), 59
            from (select m, seat, case seat when 0 then (m * 2) % {BOTS}
                                            else (m * 2 + 1 + 2 * (m / ({BOTS} / 2))) % {BOTS} end as n
                  from generate_series(0, {MATCHES} - 1) m, generate_series(0, 1) seat) it;
        insert into workers (id, name, token_digest) values (match_id(-1), 'w', decode(repeat('3', 64), 'hex'));
        insert into jobs (id, kind, match, lane, state, languages, attempt, lease, worker, leased_at, ended_at)
            select match_id(n), 'match', match_id(n), 3, 'done', array['cpp'], 1, gen_random_uuid(),
                   match_id(-1), now(), now() + interval '800 milliseconds'
            from generate_series(0, {MATCHES} - 1) n;
        insert into ladders values ('labyrinth', {MATCHES});
        analyze;
        "#
    );
    testing::sql(store, &statements).await;
}
