//! A paused program does nothing, and what it did is measured.

use std::{
    fs::{self, File},
    io::{Read, Write},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use sandbox::{How, Jail, Start};

use crate::{
    Case,
    kit::{Kit, file, read_line, spec},
};

pub(crate) const CASES: &[Case] = &[
    ("threads do not think while paused", threads),
    ("processes do not think while paused", processes),
    ("no runtime thinks while paused, with its threads and its children", runtimes),
    ("a program that starts paused does nothing before it is let go", starts_paused),
    ("a paused program can be killed", killed_while_paused),
    ("a program that has ended can be paused and measured", paused_after_its_end),
    ("many threads use no more than the processor time allowed", one_core),
    ("time spent waiting for a processor is told", stall),
    ("a thousand turns, each paused, lose nothing", turns),
];

fn threads(kit: &mut Kit) {
    no_thinking(kit, "threads");
}

fn processes(kit: &mut Kit) {
    no_thinking(kit, "processes");
}

/// Threads that think, and a child, where a runtime has an easy way to one.
fn runtimes(kit: &mut Kit) {
    let java = "class Think { public static void main(String[] a) throws Exception { \
                for (int i = 0; i < 2; i++) new Thread(() -> { for (long n = 0; ; n++); }).start(); \
                if (a.length == 0) { new ProcessBuilder(\"sh\", \"-c\", \"while :; do :; done\").start(); } \
                System.out.println(\"thinking\"); System.out.flush(); Thread.sleep(60000); } }";
    let node = "const { Worker } = require('worker_threads'); new Worker('for (;;) {}', { eval: true }); \
                require('child_process').spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }); \
                console.log('thinking'); setInterval(() => {}, 1);";
    let mono = "using System; using System.Threading; class Think { static void Main() { \
                for (int i = 0; i < 2; i++) new Thread(() => { for (long n = 0; ; n++) {} }).Start(); \
                Console.WriteLine(\"thinking\"); Thread.Sleep(60000); } }";
    let python = "import os, threading, time\n\
                  def think():\n    while True: pass\n\
                  if os.fork() == 0: think()\n\
                  threading.Thread(target=think, daemon=True).start()\n\
                  print('thinking', flush=True)\ntime.sleep(60)\n";
    for (name, file_name, source, compile, run) in [
        (
            "Java",
            "Think.java",
            java,
            &["javac", "-d", "."][..],
            &["java", "-Xmx64m", "-XX:+UseSerialGC", "-cp", "/bot", "Think"][..],
        ),
        ("Node", "think.js", node, &[], &["node", "--max-old-space-size=64", "/bot/think.js"]),
        ("mono", "Think.cs", mono, &["mcs", "-out:think.exe"], &["mono", "/bot/think.exe"]),
        ("Python", "think.py", python, &[], &["/usr/bin/python3", "-I", "-S", "/bot/think.py"]),
    ] {
        let folder = kit.folder.path().join(format!("think-{name}"));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(file_name), source).expect("a file");
        if let [program, args @ ..] = compile {
            let mut compiler = Command::new(program);
            match compiler.args(args).arg(file_name).current_dir(&folder).status() {
                Ok(status) => assert!(status.success(), "{name} does not compile"),
                Err(_) => {
                    println!("       this host has no {name}");
                    continue;
                }
            }
        }
        let mut spec = spec(run);
        spec.limits.memory_bytes_max = 384 << 20;
        spec.limits.processes_max = 64;
        let mut jail = kit.spawn(&spec, &[("/bot", &folder)]).expect("a jail");
        let from = file(jail.take_stdout());
        assert_eq!(read_line(&from), "thinking", "{name}");
        thread::sleep(Duration::from_millis(100));
        never_thinks(&jail, name);
    }
}

fn no_thinking(kit: &mut Kit, what: &str) {
    let (jail, _from) = think(kit, &[what, "4"], None);
    never_thinks(&jail, what);
}

fn never_thinks(jail: &Jail, what: &str) {
    for _ in 0..3 {
        jail.freeze().expect("frozen");
        assert!(jail.frozen().expect("a state"));
        let before = jail.cpu().expect("a figure");
        thread::sleep(Duration::from_millis(200));
        // What a thread used on its way to standing still can be booked late.
        let thought = jail.cpu().expect("a figure") - before;
        assert!(
            thought < Duration::from_millis(1),
            "{what}: it thought for {thought:?} while it was paused"
        );
        jail.thaw().expect("thawed");
        let until = Instant::now() + Duration::from_secs(5);
        while jail.cpu().expect("a figure") < before + Duration::from_millis(20) {
            assert!(Instant::now() < until, "it does not go on");
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn starts_paused(kit: &mut Kit) {
    let program = kit.program("think");
    let mut spec = spec(&["/bot/bot", "threads", "1"]);
    spec.start = Start::Frozen;
    let mut jail = kit.spawn(&spec, &[("/bot", &program)]).expect("a jail");
    thread::sleep(Duration::from_millis(100));
    assert!(jail.frozen().expect("a state"));
    assert!(jail.cpu().expect("a figure") < Duration::from_millis(1), "it has not even begun");
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
