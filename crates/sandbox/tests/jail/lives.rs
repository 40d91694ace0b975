//! Whatever dies, and whenever, nothing of it is left.
#![allow(unsafe_code, reason = "it forks")]

use std::{
    fs::{self, File},
    io::{Read, Write},
    path::Path,
    thread,
    time::{Duration, Instant, SystemTime},
};

use nix::{
    sys::signal::{Signal, kill},
    sys::wait::waitpid,
    unistd::{ForkResult, Gid, Pid, Uid, fork, pipe, setgroups, setresgid, setresuid},
};
use sandbox::{
    Build, Client, How, Jail, JailError, Policy, SpawnError, Start, Unreachable, launcher,
};

use crate::{
    Case,
    cases::{Kit as _, slowness},
    kit::{Kit, file, read_line, spec, wait_for},
    outside::processes_of,
};

pub(crate) const CASES: &[Case] = &[
    ("two hundred jails leave nothing", soak),
    ("jails that are dropped at any moment leave nothing", dropped),
    (
        "two hundred jails, eight at once, that are killed at any moment leave nothing",
        killed_at_any,
    ),
    ("an unprivileged client can do all of it", unprivileged),
    ("several threads can ask at once", threads),
    (
        "a launcher that is killed takes its jails along, and the next removes what it left",
        killed_launcher,
    ),
    ("a launcher that is killed while it starts leaves nothing for long", killed_at_its_start),
    ("a launcher ends when its client is killed, and nothing is left", killed_client),
    ("signals that are sent to everybody do not end a launcher", signals),
    ("a launcher whose client hangs up ends, and its jails with it", hung_up),
    ("a launcher's priority is not its programs'", priority),
    ("two launchers leave each other alone", two_launchers),
    ("jails do not see each other's files", apart),
    ("jails of one bot do not meet, at once or one after the other", one_bot),
];

fn soak(kit: &mut Kit) {
    let program = kit.program("echo");
    for turn in 0..200 {
        let mut jail = kit.spawn(&spec(&["/bot/bot"]), &[("/bot", &program)]).expect("a jail");
        let (mut to, from) = (file(jail.take_stdin()), file(jail.take_stdout()));
        writeln!(to, "{turn}").expect("a pipe");
        assert_eq!(read_line(&from), turn.to_string());
        match turn % 3 {
            0 => drop(to),
            1 => jail.kill().expect("killed"),
            _ => continue,
        }
        let how = if turn % 3 == 0 { How::Exited(0) } else { How::Signalled(libc::SIGKILL) };
        assert_eq!(jail.wait().expect("an end").how, how);
    }
}

fn dropped(kit: &mut Kit) {
    let program = kit.program("think");
    for turn in 0..60 {
        let mut spec = spec(&["/bot/bot", "processes", "8"]);
        spec.start = if turn % 4 == 0 { Start::Frozen } else { Start::Running };
        spec.build = (turn % 3 == 0).then_some(Build { bytes_max: 1 << 20, files_max: 16 });
        let jail = kit.spawn(&spec, &[("/bot", &program)]).expect("a jail");
        thread::sleep(Duration::from_micros(137 * turn));
        let begun = Instant::now();
        drop(jail);
        assert!(begun.elapsed() < Duration::from_millis(50) * slowness(), "dropping waits");
    }
}

/// Before it is executed, while it is, in a turn, in a pause, and while others come and go.
fn killed_at_any(kit: &mut Kit) {
    let (program, turns_of_each, at_once) = (kit.program("echo"), 25, 8);
    let of_launcher =
        || fs::read_dir(format!("/proc/{}/fd", kit.launcher)).expect("it lives").count();
    let before = settled(of_launcher);
    let kit = &*kit;
    thread::scope(|scope| {
        for thread in 0..at_once {
            let program = &program;
            scope.spawn(move || {
                (0..turns_of_each).for_each(|turn| one_killed(kit, program, thread, turn));
            });
        }
    });
    // As many as there may be: no user and no place is lost.
    let many = kit.policy.jails_max();
    let spawn = |_| kit.spawn(&spec(&["sleep", "100"]), &[]);
    let spawn = |n| {
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            match spawn(n) {
                // Those before are removed within moments.
                Err(SpawnError::NoRoom { .. }) if Instant::now() < until => {
                    thread::sleep(Duration::from_millis(5));
                }
                made => return made.unwrap_or_else(|error| panic!("{n} of {many}: {error}")),
            }
        }
    };
    drop((0..many).map(spawn).collect::<Vec<Jail>>());
    kit.outside().quiet();
    let after = settled(of_launcher);
    assert!(after <= before, "the launcher holds {after} descriptors, {before} before");
}

/// Starts one and ends it, at a moment and in a way that its numbers say.
fn one_killed(kit: &Kit, program: &Path, thread: u64, turn: u64) {
    let mut asked = spec(&["/bot/bot"]);
    let way = (thread + turn) % 5;
    asked.start = if way < 2 { Start::Frozen } else { Start::Running };
    asked.build = turn.is_multiple_of(3).then_some(Build { bytes_max: 1 << 20, files_max: 16 });
    let mut jail = kit.spawn(&asked, &[("/bot", program)]).expect("a jail");
    let kept = jail.take_build();
    let (mut to, from) = (file(jail.take_stdin()), file(jail.take_stdout()));
    let moment = Duration::from_micros((thread * 1009 + turn * 337) % 4000);
    match way {
        // Before its first instruction, in a pause.
        0 => thread::sleep(moment),
        // As it is executed.
        1 => {
            jail.thaw().expect("thawed");
            thread::sleep(moment / 4);
        }
        // In a turn: it may have heard, and may have answered.
        2 => writeln!(to, "{turn}").expect("a pipe"),
        // Between two turns, paused.
        3 => {
            writeln!(to, "{turn}").expect("a pipe");
            assert_eq!(read_line(&from), turn.to_string());
            jail.freeze().expect("frozen");
        }
        // It ends by itself meanwhile.
        _ => drop((to, from)),
    }
    if turn.is_multiple_of(2) {
        jail.kill().expect("killed");
        let how = jail.wait().expect("an end").how;
        let is_usual = how == How::Signalled(libc::SIGKILL) || way == 4;
        assert!(is_usual, "{how:?}");
    }
    drop((jail, kept));
}

/// The number that comes to stay, of things that go within moments.
fn settled(count: impl Fn() -> usize) -> usize {
    let mut least = usize::MAX;
    for _ in 0..50 {
        least = least.min(count());
        thread::sleep(Duration::from_millis(2));
    }
    least
}

/// A client in a process of its own, as nobody. It does `work`, tells its
/// result, and then waits to be killed.
fn other_client(policy: &Policy, work: impl FnOnce(Client) -> String) -> (Pid, Pid, File) {
    let (socket, launcher) = launcher::fork(policy).expect("a launcher");
    let (from, to) = pipe().expect("a pipe");
    // SAFETY: this process has one thread.
    match unsafe { fork() }.expect("a process") {
        ForkResult::Parent { child } => (child, launcher, File::from(from)),
        ForkResult::Child => {
            let (uid, gid) = (Uid::from_raw(65534), Gid::from_raw(65534));
            setgroups(&[]).expect("no groups");
            setresgid(gid, gid, gid).expect("a group");
            setresuid(uid, uid, uid).expect("a user");
            let said = work(Client::new(socket));
            writeln!(File::from(to), "{said}").expect("a pipe");
            loop {
                thread::sleep(Duration::from_secs(1));
            }
        }
    }
}

fn unprivileged(kit: &mut Kit) {
    let program = kit.program("echo");
    let (client, launcher, from) = other_client(&kit.policy, |client| {
        let folder = File::open(&program).expect("a folder");
        let dirs = [("/bot", std::os::fd::AsFd::as_fd(&folder))];
        let mut spec = spec(&["/bot/bot"]);
        spec.build = Some(Build { bytes_max: 1 << 20, files_max: 16 });
        let mut jail = client.spawn(&spec, &dirs).unwrap_or_else(|error| panic!("{error}"));
        let (mut to, from) = (file(jail.take_stdin()), file(jail.take_stdout()));
        jail.freeze().expect("frozen");
        jail.thaw().expect("thawed");
        // A coarse clock books whole ticks, so a line or two may cost nothing there.
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            writeln!(to, "hello").expect("a pipe");
            assert_eq!(read_line(&from), "hello");
            if jail.cpu().expect("a figure") > Duration::ZERO {
                break;
            }
            assert!(Instant::now() < until, "no processor time is ever booked");
        }
        jail.stall().expect("a figure");
        jail.memory_peak_bytes().expect("a figure");
        assert!(!jail.out_of_memory().expect("a figure"));
        jail.kill().expect("killed");
        let ending = jail.wait().expect("an end");
        format!("{:?}", ending.how)
    });
    let said = read_line(&from);
    end(client, launcher);
    assert_eq!(said, "Signalled(9)");
}

fn threads(kit: &mut Kit) {
    let program = kit.program("echo");
    let kit = &*kit;
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let mut jail =
                        kit.spawn(&spec(&["/bot/bot"]), &[("/bot", &program)]).expect("a jail");
                    drop(jail.take_stdin());
                    assert_eq!(jail.wait().expect("an end").how, How::Exited(0));
                }
            });
        }
    });
}

fn killed_launcher(kit: &mut Kit) {
    for turn in 0..10 {
        let mut jails = busy_jails(kit, 3);
        // At another moment each time: while slots are being made, or not.
        thread::sleep(Duration::from_micros(700 * turn));
        kill(kit.launcher, Signal::SIGKILL).expect("it lives");
        for jail in &mut jails {
            assert!(matches!(jail.wait(), Err(JailError::LauncherGone)));
        }
        let gone = kit.spawn(&spec(&["true"]), &[]);
        assert!(matches!(gone, Err(SpawnError::Launcher(Unreachable::Gone))), "{gone:?}");
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            let left = processes_of(&kit.policy);
            if left.is_empty() {
                break;
            }
            assert!(Instant::now() < until, "they live on without their launcher: {left:?}");
            thread::sleep(Duration::from_millis(1));
        }
        kit.restart();
        // `assert_nothing_left` finds the groups of one launcher, as before.
        drop(jails);
    }
}

fn killed_at_its_start(kit: &mut Kit) {
    for turn in 0..80 {
        let (socket, launcher) = launcher::fork(&kit.policy).expect("a launcher");
        // At another moment each time: while it tries its groups, too, with a process of its own.
        thread::sleep(Duration::from_micros(150 * turn));
        kill(launcher, Signal::SIGKILL).expect("it lives");
        waitpid(launcher, None).expect("it is ours");
        drop(socket);
    }
    // The next removes what they left.
    kit.restart();
}

fn killed_client(kit: &mut Kit) {
    for turn in 0..5 {
        let program = kit.program("think");
        let (client, launcher, from) = other_client(&kit.policy, |client| {
            let folder = File::open(&program).expect("a folder");
            let dirs = [("/bot", std::os::fd::AsFd::as_fd(&folder))];
            let spawn = || client.spawn(&spec(&["/bot/bot", "processes", "4"]), &dirs);
            let jails: Vec<Jail> =
                (0..3).map(|_| spawn().unwrap_or_else(|error| panic!("{error}"))).collect();
            // They must not go before the process does.
            std::mem::forget((client, jails));
            "made".to_owned()
        });
        assert_eq!(read_line(&from), "made");
        thread::sleep(Duration::from_millis(turn));
        end(client, launcher);
    }
}

/// Kills a client, and waits for its launcher to end in good order.
fn end(client: Pid, launcher: Pid) {
    kill(client, Signal::SIGKILL).expect("it lives");
    waitpid(client, None).expect("it is ours");
    assert_eq!(wait_for(launcher), Some(0));
}

fn signals(kit: &mut Kit) {
    let mut jails = busy_jails(kit, 1);
    for signal in [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP] {
        kill(kit.launcher, signal).expect("it lives");
    }
    drop(kit.spawn(&spec(&["true"]), &[]).expect("it still makes jails"));
    assert_eq!(jails[0].try_wait().expect("it lives"), None);
}

fn priority(kit: &mut Kit) {
    let launcher = kit.launcher.as_raw().cast_unsigned();
    // SAFETY: no memory is involved.
    assert_eq!(unsafe { libc::setpriority(libc::PRIO_PROCESS, launcher, 7) }, 0);
    // More than there are slots that were made before.
    for _ in 0..kit.policy.warm_slots + 3 {
        let nice_and_policy = spec(&["/usr/bin/cut", "-d ", "-f19,41", "/proc/self/stat"]);
        let run = kit.run(&nice_and_policy, &[], Duration::from_secs(10));
        assert_eq!(run.stdout, "0 0\n");
    }
    kit.restart();
}

fn hung_up(kit: &mut Kit) {
    let mut jails = busy_jails(kit, 3);
    let old = kit.launcher;
    // The new client takes the place of the old, which is dropped.
    kit.start();
    assert_eq!(wait_for(old), Some(0));
    for jail in &mut jails {
        assert!(matches!(jail.wait(), Err(JailError::LauncherGone)));
        // The control group is gone, and says so by the same error.
        assert!(matches!(jail.freeze(), Err(JailError::LauncherGone)));
        assert!(matches!(jail.cpu(), Err(JailError::LauncherGone)));
    }
}

fn two_launchers(kit: &mut Kit) {
    let mut jails = busy_jails(kit, 2);
    let mut policy = kit.policy.clone();
    policy.uids.first += policy.uids.count;
    let (socket, other) = launcher::fork(&policy).expect("a launcher");
    let client = Client::new(socket);
    client.hello().expect("it works");
    let theirs = client.spawn(&spec(&["sleep", "100"]), &[]).expect("a jail");
    for jail in &mut jails {
        assert_eq!(
            jail.try_wait().expect("it lives"),
            None,
            "the other launcher has swept a living jail"
        );
    }
    drop((theirs, client));
    assert_eq!(wait_for(other), Some(0));
    for jail in &mut jails {
        assert_eq!(jail.try_wait().expect("it lives"), None);
    }
}

fn apart(kit: &mut Kit) {
    let look =
        "ls -A /tmp /dev/shm; echo mine > /tmp/mine; echo mine > /dev/shm/mine; echo made; read _";
    let jails: Vec<(Jail, File)> = (0..3)
        .map(|_| {
            let mut jail = kit.spawn(&spec(&["sh", "-c", look]), &[]).expect("a jail");
            let from = file(jail.take_stdout());
            let lines: Vec<String> = (0..4).map(|_| read_line(&from)).collect();
            assert_eq!(lines, ["/dev/shm:", "", "/tmp:", "made"]);
            (jail, from)
        })
        .collect();
    drop(jails);
}

/// A bot in two matches at once, or in two rounds with a process for each: all that one leaves, the
/// other does not find.
fn one_bot(kit: &mut Kit) {
    let program = kit.program("meets");
    let wanted = [
        "a name in the air: ECONNREFUSED",
        "one of its own: ok",
        "shared memory: ENOENT",
        "some of its own: ok",
        "a queue: ENOSYS",
        "a file in /tmp: ok",
        "a file in /dev/shm: ok",
        "a file beside it: EROFS",
        "its own file, to write: EROFS",
        "its own file, to put off: EROFS",
        "the time of a reading: as it was",
        "processes: 1",
    ];
    let read = || fs::metadata(program.join("bot")).and_then(|it| it.accessed()).expect("a time");
    // The kernel would note the next reading of what has changed since the last.
    let file = File::options().write(true).open(program.join("bot")).expect("a file");
    file.set_modified(SystemTime::now()).expect("a time");
    drop(file);
    let before = read();
    for _ in 0..2 {
        let jails: Vec<Jail> = (0..2)
            .map(|_| {
                let spawned = kit.spawn(&spec(&["/bot/bot"]), &[("/bot", &program)]);
                let mut jail = spawned.expect("a jail");
                let from = crate::kit::file(jail.take_stdout());
                for line in wanted {
                    // Landlock refuses first, where there is one.
                    assert_eq!(read_line(&from).replace("EACCES", "EROFS"), line);
                }
                jail
            })
            .collect();
        drop(jails);
    }
    assert_eq!(read(), before, "the host has noted when a bot was read");
}

fn busy_jails(kit: &Kit, many: usize) -> Vec<Jail> {
    let program = kit.program("think");
    let spawn = |_| {
        let mut jail = kit
            .spawn(&spec(&["/bot/bot", "processes", "4"]), &[("/bot", &program)])
            .expect("a jail");
        let mut line = [0; 9];
        file(jail.take_stdout()).read_exact(&mut line).expect("it thinks");
        jail
    };
    (0..many).map(spawn).collect()
}
