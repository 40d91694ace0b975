//! Whoever reads our lines may be gone before they are written: Ctrl-C ends the reader of a
//! machine's lines as well, and `head` has soon seen enough of a course.

mod common;

use std::{
    fs,
    io::{self, BufRead, BufReader},
    os::unix::fs::PermissionsExt,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use common::{AGON, alive, config_dir, descendants};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

#[test]
fn a_machine_that_nobody_listens_to_works_on_and_ends_in_order() {
    assert!(nix::unistd::geteuid().is_root(), "`agon up` makes jails: run the tests as root");
    let dir = tempfile::Builder::new().prefix("agon-test-").tempdir_in("/var/tmp").unwrap();
    fs::set_permissions(dir.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let data = dir.path().join("data");
    let mut command = Command::new(AGON);
    command.args(["up", "--port", "0", "--config-dir"]).arg(config_dir());
    command.arg("--data").arg(&data).stdin(Stdio::null());
    let mut up = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = Pid::from_raw(up.id() as i32);
    drop(up.stderr.take());
    let mut lines = BufReader::new(up.stdout.take().unwrap()).lines();
    assert!(lines.any(|it| it.unwrap().contains("the site is up at ")), "it ended by itself");
    drop(lines);

    let parts = descendants(pid);
    assert!(parts.len() >= 3, "Postgres, server and more: {parts:?}");
    kill(pid, Signal::SIGINT).unwrap();
    let deadline = Instant::now() + Duration::from_secs(90);
    let status = loop {
        if let Some(status) = up.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < deadline, "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "agon up ended with {status}");
    let left: Vec<Pid> = parts.into_iter().filter(|it| alive(*it)).collect();
    assert!(left.is_empty(), "{left:?} live on");
    assert!(!data.join("postgres/postmaster.pid").exists(), "Postgres was not stopped in order");
}

#[test]
fn commands_that_nobody_listens_to_do_their_work_and_do_not_fall_over() {
    let courses = config_dir().join("games/jockey/courses");
    let past = config_dir().join("games/jockey/replays/final2019/FR5M1R1F0.json");
    let dir = tempfile::tempdir().unwrap();
    let [good, bad, log, out] = [
        &*courses.join("official-00.crs"),
        &*dir.path().join("bad.crs"),
        &*past,
        &*dir.path().join("record.json"),
    ]
    .map(|it| it.to_str().unwrap().to_owned());
    fs::write(&bad, "{}").unwrap();
    let from_log = ["replay", &log, "--from", "official-log", "--game", "jockey"];
    // What is typed, and the exit code.
    let table: &[(&[&str], i32)] = &[
        (&["setup", "jockey", "new"], 0),
        (&["setup", "jockey", "show", &good], 0),
        (&["setup", "jockey", "check", &good], 0),
        (&["setup", "jockey", "check", &bad], 1),
        (&["setup", "jockey", "show", &bad], 2),
        (&["setup", "jockey", "convert", &good, "--to", "own"], 0),
        (&from_log, 0),
        (&[&from_log[..], &["--to", "own", "--out", &out]].concat(), 0),
        (&["replay", &bad], 1),
        (&["replay", &good, &log], 2),
    ];
    for (args, expected) in table {
        let mut command = Command::new(AGON);
        command.args(*args).stdin(Stdio::null()).stdout(unheard()).stderr(unheard());
        assert_eq!(command.status().unwrap().code(), Some(*expected), "agon {}", args.join(" "));
    }
    assert!(fs::metadata(&out).unwrap().len() > 0);
}

/// A pipe whose reader is gone.
fn unheard() -> io::PipeWriter {
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    writer
}
