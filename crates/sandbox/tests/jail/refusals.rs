//! What a launcher is not made for, and says so.

use std::{fs, path::PathBuf, thread, time::Duration};

use sandbox::{Client, HelloError, Policy, SpawnError, launcher};

use crate::{
    Case,
    kit::{Kit, spec, wait_for},
};

pub(crate) const CASES: &[Case] = &[
    ("what is missing is said, and no jail is made", missing),
    ("a policy that makes no sense is refused", bad_policy),
    ("a launcher is not made from a process with threads", no_threads),
];

fn missing(kit: &mut Kit) {
    let mut policy = kit.policy.clone();
    policy.toolchain.required.push(PathBuf::from("/no/such/toolchain"));
    policy.toolchain.optional.push(PathBuf::from("/no/matter"));
    let (socket, launcher) = launcher::fork(&policy).expect("a launcher");
    let client = Client::new(socket);
    match client.hello() {
        Err(HelloError::Missing(missing)) => {
            let missing: Vec<String> = missing.iter().map(ToString::to_string).collect();
            assert_eq!(
                missing,
                ["the toolchain's /no/such/toolchain: No such file or directory (os error 2)"]
            );
        }
        other => panic!("{other:?}"),
    }
    let refused = client.spawn(&spec(&["true"]), &[]);
    assert!(matches!(refused, Err(SpawnError::Missing(_))), "{refused:?}");
    drop(client);
    assert_eq!(wait_for(launcher), Some(1));
}

fn bad_policy(kit: &mut Kit) {
    for (change, message) in [
        (
            (|policy| policy.uids.first = 0) as fn(&mut Policy),
            "uids 0 + 25: the first is below 1000, where the users of the host live",
        ),
        (|policy| policy.uids.count = 1, "uids 71000 + 1: two are the least"),
        (|policy| policy.uids.first = u32::MAX - 10, "the range goes beyond the largest id"),
        (
            |policy| policy.warm_slots = 1000,
            "warm_slots is 1000, with these uids at most 24 jails can live",
        ),
        (
            |policy| policy.cgroup.parent = "../x".to_owned(),
            "cgroup.parent \"../x\" is no plain name",
        ),
        (
            |policy| policy.toolchain.required.push("/".into()),
            "toolchain path \"/\": the whole host",
        ),
        (
            |policy| policy.toolchain.required.push("usr".into()),
            "toolchain path \"usr\": it does not start with '/'",
        ),
        (|policy| policy.toolchain.required.push("/usr/../x".into()), "it holds '..'"),
        (
            |policy| policy.toolchain.required.push("/proc/x".into()),
            "a folder that is the jail's own",
        ),
        (
            |policy| policy.ceilings.processes_max = 0,
            "ceilings.processes_max is 0, at least 1 is needed",
        ),
        (
            |policy| policy.seccomp.otherwise = "NO".to_owned(),
            "seccomp: \"NO\" is no error known here",
        ),
    ] {
        let mut policy = kit.policy.clone();
        change(&mut policy);
        let error = launcher::fork(&policy).map(drop).expect_err("it is refused").to_string();
        assert!(error.contains(message), "{error:?}, not {message:?}");
    }
}

fn no_threads(kit: &mut Kit) {
    let (tell, told) = std::sync::mpsc::channel::<()>();
    let other = thread::spawn(move || told.recv());
    let refused = launcher::fork(&kit.policy).map(drop).expect_err("it is refused").to_string();
    assert_eq!(
        refused,
        "the launcher has 2 threads; it must be started before there are any but the first"
    );
    drop(tell);
    let _ = other.join();
    // The kernel takes a moment to forget a thread.
    while fs::read_dir("/proc/self/task").expect("proc").count() > 1 {
        thread::sleep(Duration::from_millis(1));
    }
}
