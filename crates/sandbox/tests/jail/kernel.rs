//! What can be tried only on a kernel that nobody else uses, because it changes all of it.

use std::{
    fs,
    os::unix::{fs::PermissionsExt, process::CommandExt},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use nix::sys::resource::{RLIM_INFINITY, Resource, setrlimit};

use crate::{
    FoundCase,
    kit::{Kit, spec},
};

const CORE_PATTERN: &str = "/proc/sys/kernel/core_pattern";

pub(crate) fn cases() -> Vec<FoundCase> {
    let named = "a crash does not call the host's helper for cores";
    vec![FoundCase::plain(named, no_helper).on_own_kernel("kernel.core_pattern")]
}

fn no_helper(kit: &mut Kit) {
    let (helper, called) = (kit.folder.path().join("helper"), kit.folder.path().join("called"));
    fs::write(&helper, format!("#!/bin/sh\necho > {}\n", called.display())).expect("a file");
    fs::set_permissions(&helper, fs::Permissions::from_mode(0o755)).expect("a mode");
    let before = fs::read_to_string(CORE_PATTERN).expect("a pattern");
    fs::write(CORE_PATTERN, format!("|{}", helper.display())).expect("a pattern");

    let crash = ["sh", "-c", "kill -SEGV $$"];
    let run = kit.run(&spec(&crash), &[], Duration::from_secs(10));
    assert_eq!(run.ending.how, sandbox::How::Signalled(libc::SIGSEGV));
    thread::sleep(Duration::from_millis(500));
    assert!(!called.exists(), "the helper was called for a jailed program");

    // It would have been, for a program that is not jailed.
    let mut plain = Command::new(crash[0]);
    plain.args(&crash[1..]);
    let raise = || Ok(setrlimit(Resource::RLIMIT_CORE, RLIM_INFINITY, RLIM_INFINITY)?);
    // SAFETY: what runs between the copy and the program is one system call.
    #[allow(unsafe_code, reason = "a limit is set between the copy and the program")]
    unsafe {
        plain.pre_exec(raise)
    };
    plain.status().expect("a shell");
    let until = Instant::now() + Duration::from_secs(5);
    while !called.exists() && Instant::now() < until {
        thread::sleep(Duration::from_millis(10));
    }
    fs::write(CORE_PATTERN, before.trim()).expect("a pattern");
    assert!(called.exists(), "the helper is not called at all");
}
