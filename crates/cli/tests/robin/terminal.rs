//! Progress for who looks on, and an end for who has seen enough.

use std::{
    fs::{self, File},
    io::Read,
    os::fd::OwnedFd,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use nix::{
    pty::{Winsize, openpty},
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::{
    common::{alive, descendants},
    kit::{Kit, PATIENT, shipped, text},
};

/// How long whatever was started may take to be there, or to be gone.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// How long a process that was killed may take to go.
const GONE_MAX: Duration = Duration::from_secs(5);

#[test]
fn progress_is_shown_on_a_terminal_and_nowhere_else() {
    let kit = Kit::new();
    let bots = ["straight.cpp", "circling.cpp"].map(shipped);
    let robin = ["--fights", "2", "--round-robin", &bots[0], &bots[1], &bots[0]];
    let args = [&["planes"], &PATIENT[..], &robin].concat();
    let (seen, told) = on_terminal(kit.command(&args));
    assert!(seen.contains("of 3 matches") && seen.contains(" left"), "{seen:?}");
    assert!(told.starts_with("round robin\n"), "{told}");
    let (seen, _) =
        on_terminal(kit.command(&[&["planes", "--quiet"], &PATIENT[..], &robin].concat()));
    assert_eq!(seen, "");
    let output = kit.run(&args);
    let said = text(&output.stderr);
    assert!(!said.contains("matches") && !said.contains('\u{1b}'), "{said:?}");
    assert!(text(&output.stdout).starts_with("round robin\n"), "{output:?}");
}

#[test]
fn whoever_has_seen_enough_leaves_nothing_behind() {
    let kit = Kit::new();
    // Asked once, it says nothing for a minute; it has a child, too.
    let silent = kit.bot(
        "silent.py",
        "import os, time\nif os.fork() == 0:\n    time.sleep(999)\ntime.sleep(999)\n",
    );
    let compiled = kit.bot("silent.c", "#include <unistd.h>\nint main(void) { sleep(999); }\n");
    for (jail, signal) in [
        ("", Signal::SIGINT),
        ("", Signal::SIGTERM),
        ("--jail", Signal::SIGINT),
        ("--jail", Signal::SIGTERM),
    ] {
        let robin = ["--at-once", "2", "--round-robin", &silent, &compiled, &silent];
        let mut args = vec!["planes"];
        args.extend([jail].iter().filter(|it| !it.is_empty()));
        let mut command = kit.command(&[&args[..], &PATIENT, &robin].concat());
        let mut agon = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_raw(agon.id() as i32);
        // Two matches of two bots, however they are started.
        let is_bot = |it: &Pid| {
            fs::read_to_string(format!("/proc/{it}/cmdline")).is_ok_and(|it| {
                it.contains(kit.temporary.path().to_str().unwrap()) || it.contains("/bot/")
            })
        };
        let begun = Instant::now();
        let bots = loop {
            let bots: Vec<Pid> = descendants(pid).into_iter().filter(is_bot).collect();
            if bots.len() >= 4 {
                break descendants(pid);
            }
            assert!(begun.elapsed() < WAIT_MAX, "{jail}: {bots:?}");
            thread::sleep(Duration::from_millis(10));
        };
        kill(pid, signal).unwrap();
        let begun = Instant::now();
        let status = loop {
            match agon.try_wait().unwrap() {
                Some(status) => break status,
                None => assert!(begun.elapsed() < WAIT_MAX, "{jail}: it does not end"),
            }
            thread::sleep(Duration::from_millis(10));
        };
        let mut said = String::new();
        agon.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(status.code(), Some(130), "{jail} {signal}: {said}");
        assert!(said.ends_with("agon play: interrupted\n"), "{said}");
        // Who was killed may take a moment to go.
        let begun = Instant::now();
        while bots.iter().any(|it| alive(*it)) {
            assert!(begun.elapsed() < GONE_MAX, "{jail} {signal}: some of {bots:?} live on");
            thread::sleep(Duration::from_millis(10));
        }
        kit.leaves_nothing();
    }
}

/// What a command with a terminal for its complaints shows there, and tells on standard output.
fn on_terminal(mut command: Command) -> (String, String) {
    let size = Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    let pty = openpty(Some(&size), None).unwrap();
    let (master, slave): (OwnedFd, OwnedFd) = (pty.master, pty.slave);
    let child = command.env("TERM", "xterm").stdout(Stdio::piped()).stderr(slave).spawn().unwrap();
    // Ours are the only other ends.
    drop(command);
    let reader = thread::spawn(move || {
        let mut seen = Vec::new();
        // Reading ends with an error once nobody has the other end.
        let _ = File::from(master).read_to_end(&mut seen);
        text(&seen)
    });
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    (reader.join().unwrap(), text(&output.stdout))
}
