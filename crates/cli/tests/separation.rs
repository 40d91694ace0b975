//! The worker, which runs hostile code, reaches neither the database nor the server's files.

mod common;

use std::{
    os::unix::{fs::PermissionsExt, process::CommandExt},
    process::Command,
    time::Duration,
};

use common::{AGON, Machine, Part, alive};
use nix::unistd::User;

#[test]
fn the_parts_of_a_machine_cannot_reach_each_other() {
    let mut machine = Machine::start(&[], &[]);
    // The worker is the last to come.
    let deadline = std::time::Instant::now() + Duration::from_secs(30);
    while machine.part(Part::Worker).is_none() {
        assert!(std::time::Instant::now() < deadline, "there is no worker");
        std::thread::sleep(Duration::from_millis(50));
    }
    let data = machine.data.clone();
    let run = data.join("run").display().to_string();
    let at = |part: &str| data.join(part).display().to_string();
    let socket = format!("{run}/.s.PGSQL.5432");
    let psql = |user: &str| {
        ["psql", "-h", &run, "-U", user, "-d", "agon", "-c", "select 1"].map(str::to_owned).to_vec()
    };
    let ls = |part: &str| vec!["ls".to_owned(), at(part)];

    // Who tries what, and whether it works: the allowed ones show that the attempts are real.
    let attempts = [
        ("agon-server", psql("agon"), true),
        ("agon-worker", psql("agon"), false),
        ("agon-worker", psql("agon-db"), false),
        ("agon-server", psql("agon-db"), false),
        ("nobody", psql("agon"), false),
        ("agon-worker", vec!["ls".to_owned(), socket.clone()], false),
        ("agon-server", vec!["ls".to_owned(), socket], true),
        ("agon-server", ls("server"), true),
        ("agon-worker", ls("server"), false),
        ("agon-worker", ls("postgres"), false),
        ("agon-server", ls("postgres"), false),
        ("agon-worker", ls("worker"), true),
        ("agon-server", ls("worker"), false),
        ("agon-worker", vec!["cat".to_owned(), at("worker-token")], false),
        ("agon-worker", ls("log"), false),
    ];
    for (user, command, works) in attempts {
        let account = User::from_name(user).unwrap().unwrap();
        let output = Command::new(&command[0])
            .args(&command[1..])
            .uid(account.uid.as_raw())
            .gid(account.gid.as_raw())
            .env("HOME", "/nonexistent")
            .current_dir("/")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), works, "{user}: {command:?}: {said}");
    }

    // What each part runs as is what was tried.
    for (part, user) in
        [(Part::Worker, "agon-worker"), (Part::Server, "agon-server"), (Part::Postgres, "agon-db")]
    {
        let pid = machine.part(part).unwrap();
        let account = User::from_name(user).unwrap().unwrap();
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let uids = status.lines().find_map(|it| it.strip_prefix("Uid:")).unwrap();
        let all_theirs = uids.split_whitespace().all(|it| it == account.uid.to_string());
        assert!(all_theirs, "{part:?} runs as {uids}");
        let groups = status.lines().find_map(|it| it.strip_prefix("Groups:")).unwrap();
        assert_eq!(groups.trim(), "", "{part:?} is in other groups");
    }

    let parts: Vec<_> = Part::ALL.iter().filter_map(|&it| machine.part(it)).collect();
    machine.stop();
    assert!(parts.iter().all(|&it| !alive(it)), "something outlives the machine");
}

#[test]
fn who_is_not_root_is_told_what_is_needed() {
    // Where everybody can start it.
    let dir = tempfile::Builder::new().prefix("agon-test-").tempdir_in("/var/tmp").unwrap();
    std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let agon = dir.path().join("agon");
    std::fs::copy(AGON, &agon).unwrap();
    let nobody = User::from_name("nobody").unwrap().unwrap();
    for command in ["up", "worker"] {
        let mut agon = Command::new(&agon);
        agon.arg(command).uid(nobody.uid.as_raw()).gid(nobody.gid.as_raw()).current_dir("/");
        let output = agon.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && said.contains("as root"), "agon {command}: {said}");
    }
}
