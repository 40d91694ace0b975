//! What a jail costs, beside what it is compared with, in one run, as root. Whatever is compared
//! takes turns, so that a busy machine is busy for both; bubblewrap is Debian's package. Ends with
//! 1 where a budget does not hold. Arguments are parts of names of what to measure.
#![allow(missing_docs, reason = "a program has no interface")]

mod figures;
mod ground;

use std::{
    fs::{self, File},
    io::{Read, Write},
    os::{fd::OwnedFd, unix::process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use sandbox::{Client, Jail, Spec};

use crate::{
    figures::{holds, last_core, load, pin, processor, timed, told, unpin},
    ground::{Ground, file, spawn, spec},
};

const LINE: &[u8; 64] = b"...............................................................\n";
/// Rounds in which everything compared has its turn, and turns in each.
const ROUNDS: usize = 60;
const TURNS_OF_ROUND: usize = 50;

fn main() -> ExitCode {
    if !nix::unistd::geteuid().is_root() {
        println!("only root can make jails; run this as root");
        return ExitCode::FAILURE;
    }
    let wanted: Vec<String> = std::env::args().skip(1).filter(|it| !it.starts_with('-')).collect();
    let ground = Ground::new();
    println!("on {}; {}, load {}", ground.host(), processor(), load());
    let mut good = true;
    for (name, bench) in [
        ("start", start as fn(&Ground) -> bool),
        ("turn", turn),
        ("runtimes", runtimes),
        ("matches", matches),
        ("kill", kill),
        ("neighbours", neighbours),
    ] {
        if wanted.is_empty() || wanted.iter().any(|it| name.contains(it.as_str())) {
            println!("\n{name} (load {})", load());
            good &= bench(&ground);
        }
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

// --- start ---

/// Until the first byte that the program's first instructions wrote.
fn start(ground: &Ground) -> bool {
    let program = ground.program("first_byte");
    let (mut plain, mut bubblewrap, mut jailed, mut rested) = (vec![], vec![], vec![], vec![]);
    for round in 0..200 {
        plain.push(timed(|| first_byte(&mut Command::new(program.join("bot")))));
        bubblewrap.push(timed(|| first_byte(&mut bwrap(&program))));
        jailed.push(timed(|| jail_first_byte(ground, &program)));
        if round < 100 {
            thread::sleep(Duration::from_millis(100));
            rested.push(timed(|| jail_first_byte(ground, &program)));
        }
    }
    let in_a_row = (0..50).map(|_| timed(|| jail_first_byte(ground, &program))).collect();
    let bubblewrap = told("bubblewrap --unshare-all", bubblewrap);
    told("the same program without a jail", plain);
    let jailed = told("jailed", jailed);
    let rested = told("jailed, after 100 ms idle", rested);
    told("jailed, 50 in a row, faster than jails can be made ready", in_a_row);
    holds("a start is at most half of bubblewrap's", jailed * 2 <= bubblewrap)
        & holds("idling does not double it", rested <= jailed * 2)
}

fn bwrap(program: &Path) -> Command {
    let mut command = Command::new("bwrap");
    let args = "--unshare-all --die-with-parent --ro-bind /usr /usr --symlink usr/lib /lib \
                --symlink usr/lib64 /lib64 --symlink usr/bin /bin --proc /proc --dev /dev --tmpfs /tmp";
    command
        .args(args.split_ascii_whitespace())
        .arg("--ro-bind")
        .arg(program)
        .args(["/bot", "/bot/bot"]);
    command
}

/// What it returns is dropped when the time is taken.
fn first_byte(command: &mut Command) -> Killed {
    let mut child = command
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error} (apt-get install bubblewrap)"));
    child.stdout.take().expect("a pipe").read_exact(&mut [0]).expect("a byte");
    Killed(child)
}

fn jail_first_byte(ground: &Ground, program: &Path) -> Jail {
    let mut jail = ground.spawn(&spec(&["/bot/bot"]), program);
    file(jail.take_stdout()).read_exact(&mut [0]).expect("a byte");
    jail
}

struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // Its group, as bubblewrap's own end does not always take along what it started.
        if let Ok(group) = i32::try_from(self.0.id()) {
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
        let _ = self.0.wait();
    }
}

// --- turns ---

/// A line there, a line back.
struct Bot {
    to: File,
    from: File,
    held_by: Held,
}

enum Held {
    Nothing(#[expect(dead_code, reason = "it is held, not used")] Killed),
    Jail(Box<Jail>),
}

impl Bot {
    fn plain(command: &mut Command, core: Option<u32>) -> Bot {
        let mut child = command
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a process");
        if let Some(core) = core {
            pin(Pid::from_raw(i32::try_from(child.id()).expect("a pid")), core);
        }
        let to = File::from(OwnedFd::from(child.stdin.take().expect("a pipe")));
        let from = File::from(OwnedFd::from(child.stdout.take().expect("a pipe")));
        Bot { to, from, held_by: Held::Nothing(Killed(child)) }
    }

    fn jailed(client: &Client, spec: &Spec, program: &Path) -> Bot {
        let mut jail = spawn(client, spec, program);
        let (to, from) = (file(jail.take_stdin()), file(jail.take_stdout()));
        Bot { to, from, held_by: Held::Jail(Box::new(jail)) }
    }

    fn jail(&self) -> &Jail {
        match &self.held_by {
            Held::Jail(jail) => jail,
            Held::Nothing(_) => unreachable!("only jails are paused"),
        }
    }

    fn turn(&mut self) {
        self.to.write_all(LINE).expect("a pipe");
        let (mut line, mut length) = ([0; 64], 0);
        while length < line.len() {
            let read = self.from.read(&mut line[length..]).expect("a pipe");
            assert!(read > 0, "the bot has ended");
            length += read;
        }
    }

    fn paused_turn(&mut self) {
        self.jail().thaw().expect("thawed");
        self.turn();
        self.jail().freeze().expect("frozen");
    }

    /// As a judge has it.
    fn measured_turn(&mut self) {
        let before = (self.jail().cpu().expect("a figure"), self.jail().stall().expect("a figure"));
        self.paused_turn();
        let after = (self.jail().cpu().expect("a figure"), self.jail().stall().expect("a figure"));
        std::hint::black_box((before, after));
    }
}

fn turn(ground: &Ground) -> bool {
    let program = ground.program("echo");
    let mut good = true;
    for (place, core) in [("on one core with the driver", 0), ("on two cores", last_core())] {
        pin(Pid::from_raw(0), 0);
        let on_core = Spec { core: Some(core), ..spec(&["/bot/bot"]) };
        let mut plain = Bot::plain(&mut Command::new(program.join("bot")), Some(core));
        let mut jailed = Bot::jailed(&ground.client, &on_core, &program);
        let mut paused = Bot::jailed(&ground.client, &on_core, &program);
        let mut measured = Bot::jailed(&ground.client, &on_core, &program);
        let mut times = [(); 4].map(|()| Vec::new());
        for _ in 0..ROUNDS {
            let [a, b, c, d] = &mut times;
            (0..TURNS_OF_ROUND).for_each(|_| a.push(timed(|| plain.turn())));
            (0..TURNS_OF_ROUND).for_each(|_| b.push(timed(|| jailed.turn())));
            (0..TURNS_OF_ROUND).for_each(|_| c.push(timed(|| paused.paused_turn())));
            (0..TURNS_OF_ROUND).for_each(|_| d.push(timed(|| measured.measured_turn())));
        }
        let [a, b, c, d] = times;
        let plain = told(&format!("plain pipes, {place}"), a);
        let jailed = told(&format!("jailed, {place}"), b);
        let paused = told(&format!("jailed and paused, {place}"), c);
        told(&format!("and measured, {place}"), d);
        good &= holds("jailed is at most 1.5 x plain", jailed * 2 <= plain * 3);
        good &=
            holds("paused is at most plain + 40 us", paused <= plain + Duration::from_micros(40));
        unpin();
    }
    good
}

/// Languages whose runtimes have threads of their own, all of which have to stand.
fn runtimes(ground: &Ground) -> bool {
    let java = "import java.io.*; class Echo { public static void main(String[] a) throws Exception { \
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in)); String line; \
                while ((line = in.readLine()) != null) { System.out.println(line); System.out.flush(); } } }";
    let node = "require('readline').createInterface({input: process.stdin}).on('line', l => process.stdout.write(l + '\\n'))";
    let mono = "using System; class Echo { static void Main() { string l; while ((l = Console.ReadLine()) != null) Console.WriteLine(l); } }";
    let python =
        "import sys\nfor line in sys.stdin:\n    sys.stdout.write(line)\n    sys.stdout.flush()\n";
    let most = Some(Duration::from_micros(300));
    let mut good = true;
    for (name, source, compile, run, most) in [
        (
            "Java",
            ("Echo.java", java),
            &["javac", "-d", "."][..],
            &[
                "java",
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:ActiveProcessorCount=1",
                "-XX:-UsePerfData",
                "-cp",
                "{bot}",
                "Echo",
            ][..],
            most,
        ),
        (
            "Node",
            ("echo.js", node),
            &[],
            &["node", "--max-old-space-size=64", "{bot}/echo.js"],
            most,
        ),
        ("Mono", ("Echo.cs", mono), &["mcs", "-out:echo.exe"], &["mono", "{bot}/echo.exe"], None),
        (
            "Python",
            ("echo.py", python),
            &[],
            &["/usr/bin/python3", "-I", "-S", "{bot}/echo.py"],
            None,
        ),
    ] {
        let Some(folder) = made(ground, name, source, compile) else {
            println!("  this host has no {name}");
            continue;
        };
        let argv =
            |bot: &str| -> Vec<String> { run.iter().map(|it| it.replace("{bot}", bot)).collect() };
        let core = Some(last_core());
        let here = argv(folder.to_str().expect("text"));
        let mut plain = Bot::plain(Command::new(&here[0]).args(&here[1..]), core);
        let mut spec = Spec { argv: argv("/bot"), core, ..spec(&["it is said before"]) };
        spec.limits.memory_bytes_max = 256 << 20;
        spec.limits.processes_max = 64;
        let mut paused = Bot::jailed(&ground.client, &spec, &folder);
        // What is compiled while it runs is compiled by then.
        for _ in 0..3000 {
            plain.turn();
            paused.turn();
        }
        paused.jail().freeze().expect("frozen");
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            (0..TURNS_OF_ROUND).for_each(|_| a.push(timed(|| plain.turn())));
            (0..TURNS_OF_ROUND).for_each(|_| b.push(timed(|| paused.paused_turn())));
        }
        told(&format!("{name}, plain pipes"), a);
        let paused = told(&format!("{name}, jailed and paused"), b);
        if let Some(most) = most {
            good &= holds(&format!("{name} is at most 0.3 ms"), paused <= most);
        }
    }
    good
}

/// A folder with a source, compiled; none where its compiler is absent.
fn made(
    ground: &Ground,
    name: &str,
    (file, source): (&str, &str),
    compile: &[&str],
) -> Option<PathBuf> {
    let folder = ground.folder.path().join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join(file), source).expect("a file");
    if let [program, args @ ..] = compile {
        let mut compiler = Command::new(program);
        let made = compiler.args(args).arg(file).current_dir(&folder).status().ok()?;
        assert!(made.success(), "{name} does not compile");
    }
    Some(folder)
}

/// Eight matches at once on two cores, each of two bots that are asked in turn.
fn matches(ground: &Ground) -> bool {
    const MATCHES: u32 = 8;
    const LASTS: Duration = Duration::from_secs(3);
    let program = ground.program("echo");
    let mut good = true;
    for (what, measures) in [("paused", false), ("paused and measured", true)] {
        let (turns, over) = (AtomicU64::new(0), AtomicBool::new(false));
        let (client, program, counted, ended) = (&ground.client, &program, &turns, &over);
        let begun = Instant::now();
        thread::scope(|scope| {
            for nth in 0..MATCHES {
                scope.spawn(move || {
                    let seat = |core| {
                        let spec = Spec { core: Some(core), ..spec(&["/bot/bot"]) };
                        let bot = Bot::jailed(client, &spec, program);
                        bot.jail().freeze().expect("frozen");
                        bot
                    };
                    // Judge and bots of a match on one core: nobody waits for another to wake.
                    let core = nth % (last_core() + 1);
                    pin(Pid::from_raw(0), core);
                    let mut bots = [seat(core), seat(core)];
                    while !ended.load(Ordering::Relaxed) {
                        for bot in &mut bots {
                            if measures {
                                bot.measured_turn()
                            } else {
                                bot.paused_turn()
                            }
                            counted.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
            thread::sleep(LASTS);
            ended.store(true, Ordering::Relaxed);
        });
        let per_s = (turns.load(Ordering::Relaxed) as f64 / begun.elapsed().as_secs_f64()) as u64;
        println!("  {what:60} {per_s:>9} turns a second");
        if !measures {
            good &= holds("at least 40,000 turns a second in all", per_s >= 40_000);
        }
    }
    good
}

// --- kill ---

/// From the kill of a fork bomb of 32 processes until nothing is left of it.
fn kill(ground: &Ground) -> bool {
    let program = ground.program("forks");
    let mut times = Vec::new();
    let mut gone = Vec::new();
    for _ in 0..40 {
        let mut spec = spec(&["/bot/bot"]);
        spec.limits.processes_max = 32;
        let mut jail = ground.spawn(&spec, &program);
        thread::sleep(Duration::from_millis(50));
        let begun = Instant::now();
        jail.kill().expect("killed");
        jail.wait().expect("an end");
        times.push(begun.elapsed());
        drop(jail);
        while used_groups(ground) > 0 {
            thread::sleep(Duration::from_micros(100));
        }
        gone.push(begun.elapsed());
    }
    told("32 processes: killed and buried", times);
    let gone = told("and their groups removed", gone);
    holds("under 30 ms", gone < Duration::from_millis(30))
}

/// Groups of slots, in all hierarchies, beyond those that are kept ready.
fn used_groups(ground: &Ground) -> usize {
    let ready = usize::try_from(ground.policy.warm_slots).expect("small");
    let mounts = fs::read_to_string("/proc/self/mounts").expect("proc");
    let points = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ');
        let (_, point, kind) = (words.next()?, words.next()?, words.next()?);
        kind.starts_with("cgroup").then(|| Path::new(point).join(&ground.policy.cgroup.parent))
    });
    let folders = |path: PathBuf| fs::read_dir(path).into_iter().flatten().filter_map(Result::ok);
    let launchers = points.flat_map(folders).filter(|it| it.path().is_dir());
    let is_slot = |it: &fs::DirEntry| it.file_name().to_string_lossy().starts_with("slot-");
    launchers.map(|it| folders(it.path()).filter(is_slot).count().saturating_sub(ready)).sum()
}

// --- neighbours ---

/// What other matches at the same time do to a bot that thinks for 5 ms.
fn neighbours(ground: &Ground) -> bool {
    const THINKS_MS: u64 = 5;
    let program = ground.program("works");
    for matches in [1_u32, 2, 4] {
        for pinned in [true, false] {
            let (client, program) = (&ground.client, &program);
            let times: Vec<(Duration, Duration, Duration)> = thread::scope(|scope| {
                let play = |nth: u32| {
                    move || {
                        let seat = |seat: u32| {
                            let core = (nth * 2 + seat) % (last_core() + 1);
                            let ms = THINKS_MS.to_string();
                            let mut spec = spec(&["/bot/bot", &ms]);
                            spec.core = pinned.then_some(core);
                            let bot = Bot::jailed(client, &spec, program);
                            bot.jail().freeze().expect("frozen");
                            bot
                        };
                        let mut bots = [seat(0), seat(1)];
                        let mut times = Vec::new();
                        for _ in 0..100 {
                            for bot in &mut bots {
                                let cpu = bot.jail().cpu().expect("a figure");
                                let stall =
                                    bot.jail().stall().expect("a figure").unwrap_or_default();
                                let wall = timed(|| bot.paused_turn());
                                let cpu = bot.jail().cpu().expect("a figure") - cpu;
                                let waited =
                                    bot.jail().stall().expect("a figure").unwrap_or_default()
                                        - stall;
                                times.push((wall, cpu, cpu.max(wall.saturating_sub(waited))));
                            }
                        }
                        times
                    }
                };
                let all: Vec<_> = (0..matches).map(|nth| scope.spawn(play(nth))).collect();
                all.into_iter().flat_map(|it| it.join().expect("a match")).collect()
            });
            let how = if pinned { "each bot on its core" } else { "wherever there is room" };
            let column = |pick: fn(&(Duration, Duration, Duration)) -> Duration| {
                let mut column: Vec<Duration> = times.iter().map(pick).collect();
                column.sort();
                format!(
                    "{:.1?} / {:.1?}",
                    column[column.len() / 2],
                    column[column.len() * 95 / 100]
                )
            };
            println!(
                "  {matches} matches, {how:24} wall {:18} processor {:18} charged {}",
                column(|it| it.0),
                column(|it| it.1),
                column(|it| it.2)
            );
        }
    }
    true
}
