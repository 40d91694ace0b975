//! A paused program does nothing, and what it did is measured.

use std::{
    fs::File,
    io::{Read, Write},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use sandbox::{How, Jail, Start};

use crate::{
    Case,
    kit::{Kit, file, read_line, spec},
    outside::processes_of,
};

pub(crate) const CASES: &[Case] = &[
    ("threads do not think while paused", threads),
    ("processes do not think while paused", processes),
    ("memory is not thrashed while paused", thrashing),
    ("C, with threads and children, uses no processor while paused", |kit| stands(kit, "think.c")),
    ("Java, with threads and children, uses no processor while paused", |kit| {
        stands(kit, "think.java")
    }),
    ("Node, with threads and children, uses no processor while paused", |kit| {
        stands(kit, "think.js")
    }),
    ("Python, with threads and children, uses no processor while paused", |kit| {
        stands(kit, "think.py")
    }),
    ("mono, with threads and children, uses no processor while paused", |kit| {
        stands(kit, "think.cs")
    }),
    ("Ruby, with threads and children, uses no processor while paused", |kit| {
        stands(kit, "think.rb")
    }),
    ("D, with threads and children, uses no processor while paused", |kit| stands(kit, "think.d")),
    ("a program that starts paused does nothing before it is let go", starts_paused),
    ("a paused program can be killed", killed_while_paused),
    ("a program that dies while it is paused is noticed", dies_while_paused),
    ("a program that has ended can be paused and measured", paused_after_its_end),
    ("many threads use no more than the processor time allowed", one_core),
    ("time spent waiting for a processor is told", stall),
    ("what a program's own threads wait for is not told as the host's doing", own_stall),
    ("a thousand turns, each paused, lose nothing", turns),
];

fn threads(kit: &mut Kit) {
    no_thinking(kit, "threads");
}

fn processes(kit: &mut Kit) {
    no_thinking(kit, "processes");
}

/// For how long nothing has to be booked until all of the time before a pause is, and how long
/// that may take on a host with other things to do.
const BOOKING: Duration = Duration::from_millis(20);
const BOOKED_WITHIN: Duration = Duration::from_secs(5);

fn no_thinking(kit: &mut Kit, what: &str) {
    let (jail, _from) = think(kit, &[what, "4"], None);
    for _ in 0..3 {
        jail.freeze().expect("frozen");
        assert!(jail.frozen().expect("a state"));
        let before = jail.cpu().expect("a figure");
        thread::sleep(Duration::from_millis(200));
        // What a thread used on its way to standing still can be booked late.
        let thought = jail.cpu().expect("a figure") - before;
        assert!(
            thought < Duration::from_millis(1),
            "it thought for {thought:?} while it was paused"
        );
        jail.thaw().expect("thawed");
        let until = Instant::now() + Duration::from_secs(5);
        while jail.cpu().expect("a figure") < before + Duration::from_millis(20) {
            assert!(Instant::now() < until, "it does not go on");
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn thrashing(kit: &mut Kit) {
    no_thinking(kit, "memory");
}

/// Once all of it stands, it uses nothing at all: not its threads, not its children, and not what
/// a runtime does beside them.
fn stands(kit: &mut Kit, source: &str) {
    let Some(program) = kit.found(source) else {
        return println!("       this machine lacks the language of {source}");
    };
    let words = [program.argv, &["both", "3"]].concat();
    let mut spec = spec(&words);
    (spec.limits.memory_bytes_max, spec.limits.processes_max) = (512 << 20, 64);
    let mut jail = kit.spawn(&spec, &[("/bot", &program.folder)]).expect("a jail");
    let from = file(jail.take_stdout());
    assert_eq!(read_line(&from), "thinking");
    for _ in 0..3 {
        let before = jail.cpu().expect("a figure");
        let until = Instant::now() + Duration::from_secs(10);
        while jail.cpu().expect("a figure") < before + Duration::from_millis(20) {
            assert!(Instant::now() < until, "it does not run");
            thread::sleep(Duration::from_millis(1));
        }
        jail.freeze().expect("frozen");
        assert!(jail.frozen().expect("a state"));
        // What was used on the way to standing still is booked when the last thread has left its
        // processor, a moment after it is told to stand; on a busy host it waits for one first.
        let until = Instant::now() + BOOKED_WITHIN;
        let mut standing = jail.cpu().expect("a figure");
        loop {
            thread::sleep(BOOKING);
            let now = jail.cpu().expect("a figure");
            if now == standing {
                break;
            }
            assert!(Instant::now() < until, "it goes on while it is paused");
            standing = now;
        }
        thread::sleep(Duration::from_millis(150));
        let used = jail.cpu().expect("a figure") - standing;
        assert_eq!(used, Duration::ZERO, "it used {used:?} while all of it was paused");
        assert!(jail.frozen().expect("a state"), "it has been paused all the time");
        jail.thaw().expect("thawed");
    }
}

fn starts_paused(kit: &mut Kit) {
    let program = kit.program("think");
    let mut spec = spec(&["/bot/bot", "threads", "1"]);
    spec.start = Start::Frozen;
    let mut jail = kit.spawn(&spec, &[("/bot", &program)]).expect("a jail");
    thread::sleep(Duration::from_millis(100));
    assert!(jail.frozen().expect("a state"));
    // User-mode Linux counts in hundredths of a second, and one may fall into its making.
    let is_coarse = std::env::var_os("AGON_TEST_OWN_KERNEL").is_some();
    let making = Duration::from_millis(if is_coarse { 11 } else { 1 });
    assert!(jail.cpu().expect("a figure") < making, "it has not even begun");
    assert_eq!(jail.try_wait().expect("the launcher lives"), None);
    jail.thaw().expect("thawed");
    assert_eq!(read_line(&file(jail.take_stdout())), "thinking");
}

fn killed_while_paused(kit: &mut Kit) {
    let (mut jail, mut from) = think(kit, &["processes", "8"], None);
    jail.freeze().expect("frozen");
    jail.kill().expect("killed");
    let ending = jail.wait().expect("an end");
    assert_eq!(ending.how, How::Signalled(libc::SIGKILL));
    assert_eq!(from.read(&mut [0; 16]).expect("a pipe"), 0, "nobody holds the pipe any more");
}

fn dies_while_paused(kit: &mut Kit) {
    let program = kit.program("echo");
    let mut jail = kit.spawn(&spec(&["/bot/bot"]), &[("/bot", &program)]).expect("a jail");
    // It is the program by now, and no longer about to be.
    let (mut to, from) = (file(jail.take_stdin()), file(jail.take_stdout()));
    writeln!(to, "here").expect("a pipe");
    assert_eq!(read_line(&from), "here");
    jail.freeze().expect("frozen");
    let bot = processes_of(&kit.policy).into_iter().find(|it| it.contains(" bot "));
    let pid = bot.as_ref().and_then(|it| it.split(' ').next()?.parse().ok()).expect("it lives");
    kill(Pid::from_raw(pid), Signal::SIGKILL).expect("killed by somebody else");
    assert_eq!(jail.wait().expect("an end").how, How::Signalled(libc::SIGKILL));
    jail.thaw().expect("nothing is thawed");
}

fn paused_after_its_end(kit: &mut Kit) {
    let mut jail = kit.spawn(&spec(&["true"]), &[]).expect("a jail");
    let ending = jail.wait().expect("an end");
    jail.freeze().expect("nothing is frozen soon");
    jail.thaw().expect("thawed");
    jail.kill().expect("nothing is killed");
    assert_eq!(jail.cpu().expect("a figure"), ending.cpu);
    assert_eq!(jail.memory_peak_bytes().expect("a figure"), ending.memory_peak_bytes);
}

fn one_core(kit: &mut Kit) {
    let (jail, _from) = think(kit, &["threads", "4"], None);
    let (begun, before) = (Instant::now(), jail.cpu().expect("a figure"));
    thread::sleep(Duration::from_millis(600));
    let used = jail.cpu().expect("a figure") - before;
    let wall = begun.elapsed();
    // A period of the kernel's is 100 ms, and can be begun at both ends.
    assert!(used < wall + Duration::from_millis(210), "{used:?} of processor time in {wall:?}");
}

fn stall(kit: &mut Kit) {
    let core = kit.client.hello().expect("a report").cores.first().copied();
    let (one, _from_one) = think(kit, &["threads", "1"], core);
    let (other, _from_other) = think(kit, &["threads", "1"], core);
    let Some(before) = one.stall().expect("a figure") else {
        return println!(
            "       this kernel does not tell how long a program waited for a processor"
        );
    };
    let begun = Instant::now();
    thread::sleep(Duration::from_millis(400));
    let stalled = one.stall().expect("a figure").expect("as before") - before;
    let wall = begun.elapsed();
    drop(other);
    assert!(stalled > wall / 4, "only {stalled:?} of {wall:?}, with two programs on one core");
}

/// On one core, whoever runs does not wait: both together take no longer than there was.
fn own_stall(kit: &mut Kit) {
    let core = kit.client.hello().expect("a report").cores.first().copied();
    let (jail, _from) = think(kit, &["threads", "8"], core);
    let figures = || (jail.cpu().expect("a figure"), jail.stall().expect("a figure"));
    let (begun, (cpu_before, before)) = (Instant::now(), figures());
    thread::sleep(Duration::from_millis(400));
    let (wall, (cpu, after)) = (begun.elapsed(), figures());
    let Some(stall) = after.zip(before).map(|(after, before)| after - before) else { return };
    let both = cpu - cpu_before + stall;
    assert!(both < wall * 5 / 4, "{both:?} of {wall:?}, {stall:?} of it without a processor");
}

fn turns(kit: &mut Kit) {
    let program = kit.program("echo");
    let mut jail = kit.spawn(&spec(&["/bot/bot"]), &[("/bot", &program)]).expect("a jail");
    let (mut to, from) = (file(jail.take_stdin()), file(jail.take_stdout()));
    for turn in 0..1000 {
        jail.thaw().expect("thawed");
        writeln!(to, "turn {turn}").expect("a pipe");
        assert_eq!(read_line(&from), format!("turn {turn}"));
        jail.freeze().expect("frozen");
    }
    jail.thaw().expect("thawed");
    drop(to);
    assert_eq!(jail.wait().expect("an end").how, How::Exited(0));
}

fn think(kit: &Kit, arguments: &[&str], core: Option<u32>) -> (Jail, File) {
    let program = kit.program("think");
    let mut spec = spec(&[&["/bot/bot"], arguments].concat());
    spec.core = core;
    let mut jail = kit.spawn(&spec, &[("/bot", &program)]).expect("a jail");
    let from = file(jail.take_stdout());
    assert_eq!(read_line(&from), "thinking");
    (jail, from)
}
