//! The bots we ship fight: real processes over real pipes, judged by the rules.
//!
//! A bot whose compiler or interpreter is missing is left out, and named.

mod common;
#[path = "common/java.rs"]
mod java;

use std::{
    fs,
    io::{Read as _, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use common::{BOTS, config, play, short};
use game::{Answer, Dialect, Game, Read, Seat, Talk, Turn};
use planes::{Action, Event, Planes, Radio, Setup};
use tempfile::TempDir;

/// From the weakest to the strongest, each in all three languages; in Java as entries of 2014 are.
const STRATEGIES: [[&str; 3]; 5] = [
    ["straight.cpp", "straight.py", "java/Straight.java"],
    ["circling.cpp", "circling.py", "java/Circling.java"],
    ["beginner.cpp", "beginner.py", "java/WallAvoider.java"],
    ["shooter.cpp", "shooter.py", "java/Shooter.java"],
    ["predict.cpp", "predict.py", "java/PredictAndAvoid.java"],
];

#[test]
fn documented_bots_play_whole_matches_without_a_fault_in_arenas_of_all_sizes() {
    let dir = tempfile::tempdir().unwrap();
    for files in STRATEGIES {
        let bots: Vec<_> = files.iter().filter_map(|it| bot(it, &dir)).collect();
        for (no, one) in bots.iter().enumerate() {
            for size in [4, 7, 14, 20] {
                let setup = Setup { size, ..short(4, 60) };
                fought(&setup, [one, &bots[(no + 1) % bots.len()]]);
            }
        }
    }
}

#[test]
fn the_strategies_say_the_same_in_every_language() {
    let dir = tempfile::tempdir().unwrap();
    for files in STRATEGIES {
        let bots: Vec<_> = files.iter().filter_map(|it| bot(it, &dir)).collect();
        let setup = short(2, 100);
        let Some((first, others)) = bots.split_first() else { continue };
        let alike = fought(&setup, [first, first]);
        for other in others {
            assert_eq!(fought(&setup, [other, other]).1, alike.1, "{}", other.name);
        }
    }
}

#[test]
fn hunters_beat_those_who_do_not_hunt_and_the_best_loses_to_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let setup = short(10, 100);
    let [straight, circling, avoider, shooter, best] = [0, 1, 2, 3, 4];
    let table = [
        (shooter, straight, 1),
        (shooter, avoider, 1),
        (best, straight, 1),
        (best, avoider, 1),
        (best, shooter, 1),
        (best, circling, 1),
    ];
    for language in [0, 2] {
        let bots = STRATEGIES.map(|it| bot(it[language], &dir));
        for (strong, weak, ahead_min) in table {
            let [Some(strong), Some(weak)] = [&bots[strong], &bots[weak]] else { continue };
            let ([won, lost], _) = fought(&setup, [strong, weak]);
            let result = format!("{} {won} : {lost} {}", strong.name, weak.name);
            assert!(won >= lost + ahead_min, "{result}");
        }
    }
}

/// As it stands there, chance and all: `scripts/dumb-planes` holds its figures against those of then.
#[test]
fn the_entry_of_2014_fights_itself_a_hundred_times() {
    let dir = tempfile::tempdir().unwrap();
    let Some(dumb) = bot("../seed-bots/DumbPlanes.java", &dir) else { return };
    let (won, events) = fought(&short(100, 100), [&dumb, &dumb]);
    let n_rounds = events.iter().filter(|it| matches!(it, Event::Flown { .. })).count();
    // Fights that are alike would be won by one of them alone.
    assert!(won.iter().all(|it| *it >= 10), "{won:?}");
    assert!((500..2_000).contains(&n_rounds), "{n_rounds}");
}

#[test]
fn wall_avoiders_fly_alike_in_every_language() {
    let dir = tempfile::tempdir().unwrap();
    let endings = [
        ".c", ".cpp", ".cs", ".go", ".java", ".js", ".py", "_py2.py", ".rs", ".d", ".kt", ".lua",
        ".ml", ".pas", ".php", ".pl", ".rb", ".ts",
    ];
    let bots: Vec<_> =
        endings.iter().filter_map(|it| bot(&format!("beginner{it}"), &dir)).collect();
    assert!(bots.len() >= 2, "neither gcc nor python3 is here");
    let setup = Setup { size: 10, ..short(2, 60) };
    let (_, known) = fought(&setup, [&bots[0], &bots[0]]);
    let n_rounds = known.iter().filter(|it| matches!(it, Event::Flown { .. })).count();
    assert!(n_rounds >= 20, "they avoid walls for some time: {n_rounds} rounds");
    for pair in bots.chunks(2) {
        let [one, other] = [&pair[0], pair.get(1).unwrap_or(&pair[0])];
        let (_, found) = fought(&setup, [one, other]);
        assert_eq!(found, known, "{} and {} fly otherwise", one.name, other.name);
    }
}

/// Fights won, and all that happened. No bot ever says what is no move, or asks for a turn that it
/// may not make.
fn fought(setup: &Setup, bots: [&Bot; 2]) -> ([u32; 2], Vec<Event>) {
    let mut all = Vec::new();
    let mut game = Planes::start(setup, &Vec::from(BOTS).into(), &mut all).unwrap();
    let mut processes = bots.map(|it| Process::start(it, &Radio::arguments(setup)));
    let mut events = all.clone();
    while let Turn::Ask(_) = game.turn() {
        let answers = [0, 1].map(|no: usize| {
            Some(Answer::Action(processes[no].answer(&game, Seat(no as u8), &events)))
        });
        events = play(&mut game, answers);
        let is_bad = |it: &&Event| matches!(it, Event::Garbled { .. } | Event::Refused { .. });
        let bad = events.iter().find(is_bad);
        assert_eq!(bad, None, "{} against {}", bots[0].name, bots[1].name);
        all.extend(events.iter().cloned());
    }
    (game.won(), all)
}

struct Bot {
    name: String,
    argv: Vec<String>,
}

/// A bot of ours that can be run, if its language can be here.
fn bot(file: &str, dir: &TempDir) -> Option<Bot> {
    let source = config("bots").join(file);
    let build = dir.path().join(file.replace(['.', '/'], "_"));
    let text = |it: &Path| it.to_str().unwrap().to_owned();
    let words = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let (from, to) = (text(&source), text(&build));
    let extension = file.rsplit_once('.').unwrap().1;
    if file.starts_with("java/") || file.starts_with("../seed-bots/") {
        let library = config("adapters/java");
        let argv = match java::compile(&library, &fs::read_to_string(&source).unwrap(), &build) {
            Ok(argv) => argv,
            Err(why) => return skip(file, &why),
        };
        return Some(Bot { name: file.to_owned(), argv });
    }
    // Compilers that name what they make after the source, or leave things beside it.
    let copied = match extension {
        "java" => Some("Beginner.java"),
        "ml" => Some("bot.ml"),
        "pas" | "ts" => Some(""),
        _ => None,
    };
    let mut copy = String::new();
    if let Some(name) = copied {
        fs::create_dir_all(&build).unwrap();
        copy = text(&build.join(name));
        if !name.is_empty() {
            fs::copy(&source, &copy).unwrap();
        }
    }
    let program = format!("{to}/bot");
    let (compile, argv) = match extension {
        "c" => (words(&["gcc", "-std=gnu17", "-O2", "-o", &to, &from]), vec![to]),
        "cpp" => (words(&["g++", "-std=gnu++20", "-O2", "-o", &to, &from]), vec![to]),
        "rs" => {
            let flags = ["rustc", "--edition=2021", "-Copt-level=2", "-o", &to, &from];
            (words(&flags), vec![to])
        }
        "go" => (words(&["go", "build", "-o", &to, &from]), vec![to]),
        "cs" => (words(&["mcs", "-nologo", &format!("-out:{to}"), &from]), words(&["mono", &to])),
        "java" => {
            let argv = words(&["java", "-Xshare:auto", "-cp", &to, "Beginner"]);
            (words(&["javac", "-d", &to, &copy]), argv)
        }
        "d" => {
            let objects = format!("-od={}", text(dir.path()));
            (words(&["ldc2", "-O2", &objects, &format!("-of={to}"), &from]), vec![to])
        }
        "kt" => {
            let jar = format!("{to}.jar");
            let runtime = "-Xbootclasspath/a:/usr/share/java/kotlin-stdlib.jar";
            let argv = words(&["java", "-Xshare:auto", runtime, "-jar", &jar]);
            (words(&["kotlinc", "-no-reflect", "-d", &jar, &from]), argv)
        }
        "lua" => (words(&["luajit", "-v"]), words(&["luajit", &from])),
        "ml" => (words(&["ocamlopt", "-o", &program, &copy]), vec![program]),
        "pas" => {
            let out = [format!("-FU{to}"), format!("-o{program}")];
            (words(&["fpc", "-O2", &out[0], &out[1], &from]), vec![program])
        }
        "php" => (words(&["php", "--version"]), words(&["php", "-n", &from])),
        "pl" => (words(&["perl", "-v"]), words(&["perl", &from])),
        "rb" => (words(&["ruby", "--version"]), words(&["ruby", &from])),
        "ts" => {
            // Not every Node.js brings its types along.
            let types = format!("{to}/node.d.ts");
            fs::write(&types, "declare module \"*\";\n").unwrap();
            let target = ["tsc", "--target", "es2020", "--module", "commonjs", "--outDir", &to];
            let compile = [&target[..], &[&types, &from]].concat();
            (words(&compile), words(&["node", &format!("{to}/beginner.js")]))
        }
        "js" => (words(&["node", "--version"]), words(&["node", &from])),
        "py" if file.ends_with("py2.py") => {
            let python = std::env::var("AGON_PYTHON2").unwrap_or("python2.7".to_owned());
            (words(&[&python, "--version"]), words(&[&python, "-u", &from]))
        }
        "py" => (words(&["python3", "--version"]), words(&["python3", "-u", &from])),
        other => panic!("a language of .{other}"),
    };
    let mut compiler = Command::new(&compile[0]);
    compiler.args(&compile[1..]).env("GO111MODULE", "off").env("GOFLAGS", "-p=1");
    match compiler.output() {
        Ok(output) if output.status.success() => Some(Bot { name: file.to_owned(), argv }),
        // A shim that knows of no such version is as good as nothing.
        Ok(output) if output.status.code() == Some(127) => skip(file, "its interpreter is a shim"),
        Ok(output) => panic!(
            "{file}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => skip(file, &format!("{}: {error}", compile[0])),
    }
}

fn skip(file: &str, why: &str) -> Option<Bot> {
    println!("skipped {file}: {why}");
    None
}

struct Process {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
    radio: Radio,
    name: String,
}

impl Process {
    fn start(bot: &Bot, arguments: &[String]) -> Process {
        let mut command = Command::new(&bot.argv[0]);
        command.args(&bot.argv[1..]).args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", bot.name));
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Process { child, input, output, radio: Radio::default(), name: bot.name.clone() }
    }

    fn answer(&mut self, game: &Planes, me: Seat, events: &[Event]) -> Action {
        let mut question = Vec::new();
        events.iter().for_each(|it| self.radio.tell(me, it, &mut question));
        self.radio.ask(me, &game.view(Some(me)), Duration::from_secs(1), &mut question);
        self.input.write_all(&question).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let mut said = Vec::new();
        loop {
            let mut piece = [0; 100];
            let n_bytes = self.output.read(&mut piece).unwrap();
            assert!(n_bytes > 0, "{} is gone", self.name);
            said.extend_from_slice(&piece[..n_bytes]);
            match self.radio.read(&said, &mut Talk::default()) {
                Read::Action(action, n) => {
                    assert_eq!(n, said.len(), "{} says more than it was asked", self.name);
                    return action;
                }
                Read::More(n) => drop(said.drain(..n)),
                Read::Garbled(why) => panic!("{}: {why}", self.name),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
