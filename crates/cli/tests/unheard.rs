//! Ctrl-C ends whoever reads the machine's lines as well, and the machine still ends in order.

mod common;

use std::{
    fs,
    io::{BufRead, BufReader},
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
