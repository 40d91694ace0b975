//! The bots we ship race: real processes over real pipes, judged by the rules.
//!
//! A bot whose compiler or interpreter is missing is left out, and named.

mod common;

use std::{
    fs,
    io::{Read as _, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::Duration,
};

use common::{BOTS, config, play, start};
use game::{Answer, Dialect, Fraction, Game, Read, Seat, Talk, Turn};
use jockey::{Jockey, Numbers, OFFICIAL_COURSE, Setup};
use tempfile::TempDir;

#[test]
fn greedy_racers_reach_the_goal_well_before_walkers_would() {
    let dir = tempfile::tempdir().unwrap();
    let bots = [bot("greedy.cpp", &dir), bot("greedy.py", &dir)];
    let [Some(cpp), Some(python)] = bots else { return };
    for course in ["official-00.crs", "official-02.crs", "official-07.crs"] {
        let setup = official(course);
        for [sum, times @ ..] in times(&setup, [&cpp, &python]) {
            let walked = Fraction::from(2 * i64::from(setup.step_limit));
            let half = Fraction::new(walked.num(), 2);
            assert!(sum < half, "{course}: {times:?}, walkers take up to {walked}");
        }
    }
}

#[test]
fn walkers_walk_alike_in_every_language() {
    let dir = tempfile::tempdir().unwrap();
    let files = [
        "beginner.c",
        "beginner.cpp",
        "beginner.cs",
        "beginner.go",
        "beginner.java",
        "beginner.js",
        "beginner.py",
        "beginner_py2.py",
        "beginner.rs",
        "beginner.d",
        "beginner.kt",
        "beginner.lua",
        "beginner.ml",
        "beginner.pas",
        "beginner.php",
        "beginner.pl",
        "beginner.rb",
        "beginner.ts",
    ];
    let walkers: Vec<_> = files.iter().filter_map(|it| bot(it, &dir)).collect();
    assert!(walkers.len() >= 2, "neither gcc nor python3 is here");
    let setup = official("official-07.crs");
    let mut known = None;
    for pair in walkers.chunks(2) {
        let [one, other] = [&pair[0], pair.get(1).unwrap_or(&pair[0])];
        let found = times(&setup, [one, other]);
        // Step limits leave a walker nothing to spare; whoever is held up does not make it.
        let limit = Fraction::from(i64::from(setup.step_limit));
        let arrives = found.iter().flat_map(|it| &it[1..]).any(|it| *it < limit);
        assert!(arrives, "{} {}: {found:?}", one.name, other.name);
        let known = *known.get_or_insert(found);
        assert_eq!(found, known, "{} and {} race otherwise", one.name, other.name);
    }
}

/// Sum and times of both races, by seat.
fn times(setup: &Setup, bots: [&Bot; 2]) -> [[Fraction; 3]; 2] {
    let mut game = start(setup, BOTS);
    let mut processes: Option<[Process; 2]> = None;
    let mut round = None;
    while let Turn::Ask(asks) = game.turn() {
        if round != Some(game.round()) {
            round = Some(game.round());
            processes = Some(bots.map(Process::start));
        }
        let processes = processes.as_mut().unwrap();
        let answers = [0, 1].map(|no: usize| {
            let seat = Seat(no as u8);
            asks[seat].as_ref().map(|_| processes[no].answer(&game, seat))
        });
        play(&mut game, answers);
    }
    assert!(
        game.disqualified().iter().all(|it| it.2 == jockey::Cause::Steps),
        "{:?}",
        game.disqualified()
    );
    let [first, second] = game.times().map(|it| it.map(Option::unwrap));
    [0, 1].map(|no| [first[no] + second[no], first[no], second[no]])
}

fn official(name: &str) -> Setup {
    (OFFICIAL_COURSE.read)(&fs::read(config("courses").join(name)).unwrap()).unwrap()
}

struct Bot {
    name: String,
    argv: Vec<String>,
}

/// A bot of ours that can be run, if its language can be here.
fn bot(file: &str, dir: &TempDir) -> Option<Bot> {
    let source = config("bots").join(file);
    let build = dir.path().join(file.replace('.', "_"));
    let text = |it: &Path| it.to_str().unwrap().to_owned();
    let words = |it: &[&str]| it.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let (source_text, build_text) = (text(&source), text(&build));
    let (compile, argv): (Vec<String>, Vec<String>) = match file.rsplit_once('.').unwrap().1 {
        "c" => (
            words(&["gcc", "-std=gnu17", "-O2", "-o", &build_text, &source_text]),
            vec![build_text],
        ),
        "cpp" => (
            words(&["g++", "-std=gnu++20", "-O2", "-o", &build_text, &source_text]),
            vec![build_text],
        ),
        "rs" => {
            let argv = words(&[
                "rustc",
                "--edition=2021",
                "-Copt-level=2",
                "-o",
                &build_text,
                &source_text,
            ]);
            (argv, vec![build_text])
        }
        "go" => (words(&["go", "build", "-o", &build_text, &source_text]), vec![build_text]),
        "cs" => (
            words(&["mcs", "-nologo", &format!("-out:{build_text}"), &source_text]),
            words(&["mono", &build_text]),
        ),
        "java" => {
            fs::create_dir(&build).unwrap();
            // A public class wants a file of its name.
            let main = build.join("Beginner.java");
            fs::copy(&source, &main).unwrap();
            let argv = words(&["java", "-Xshare:auto", "-cp", &build_text, "Beginner"]);
            (words(&["javac", "-d", &build_text, &text(&main)]), argv)
        }
        "d" => {
            let argv =
                words(&["ldc2", "-O2", "-od=/tmp", &format!("-of={build_text}"), &source_text]);
            (argv, vec![build_text])
        }
        "kt" => {
            let jar = format!("{build_text}.jar");
            let argv = words(&["kotlinc", "-no-reflect", "-d", &jar, &source_text]);
            let runtime = "-Xbootclasspath/a:/usr/share/java/kotlin-stdlib.jar";
            (argv, words(&["java", "-Xshare:auto", runtime, "-jar", &jar]))
        }
        "lua" => (words(&["luajit", "-v"]), words(&["luajit", &source_text])),
        "ml" => {
            fs::create_dir(&build).unwrap();
            // What the compiler makes beside the source stays in a folder of its own.
            let main = text(&build.join("bot.ml"));
            fs::copy(&source, &main).unwrap();
            let program = text(&build.join("bot"));
            (words(&["ocamlopt", "-o", &program, &main]), vec![program])
        }
        "pas" => {
            fs::create_dir(&build).unwrap();
            let program = text(&build.join("bot"));
            let out = [format!("-FU{build_text}"), format!("-o{program}")];
            (words(&["fpc", "-O2", &out[0], &out[1], &source_text]), vec![program])
        }
        "php" => (words(&["php", "--version"]), words(&["php", "-n", &source_text])),
        "pl" => (words(&["perl", "-v"]), words(&["perl", &source_text])),
        "rb" => (words(&["ruby", "--version"]), words(&["ruby", &source_text])),
        "ts" => {
            fs::create_dir(&build).unwrap();
            // Not every Node.js brings its types along.
            let types = build.join("node.d.ts");
            fs::write(&types, "declare module \"*\";\n").unwrap();
            let (types, main) = (text(&types), text(&build.join("beginner.js")));
            let argv = words(&[
                "tsc",
                "--target",
                "es2020",
                "--module",
                "commonjs",
                "--outDir",
                &build_text,
                &types,
                &source_text,
            ]);
            (argv, words(&["node", &main]))
        }
        "js" => (words(&["node", "--version"]), words(&["node", &source_text])),
        "py" if file.ends_with("py2.py") => {
            let python = std::env::var("AGON_PYTHON2").unwrap_or("python2.7".to_owned());
            (words(&[&python, "--version"]), words(&[&python, "-u", &source_text]))
        }
        "py" => (words(&["python3", "--version"]), words(&["python3", "-u", &source_text])),
        other => panic!("a language of .{other}"),
    };
    let mut compiler = Command::new(&compile[0]);
    compiler.args(&compile[1..]).env("GO111MODULE", "off").env("GOFLAGS", "-p=1");
    match compiler.output() {
        Ok(output) if output.status.success() => Some(Bot { name: file.to_owned(), argv }),
        // A shim that knows of no such version is as good as nothing.
        Ok(output) if output.status.code() == Some(127) => skip(file, "its interpreter is a shim"),
        Ok(output) => panic!("{file}: {}", String::from_utf8_lossy(&output.stderr)),
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
    numbers: Numbers,
    name: String,
}

impl Process {
    fn start(bot: &Bot) -> Process {
        let mut command = Command::new(&bot.argv[0]);
        command.args(&bot.argv[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", bot.name));
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Process { child, input, output, numbers: Numbers::default(), name: bot.name.clone() }
    }

    fn answer(&mut self, game: &Jockey, seat: Seat) -> Answer<jockey::Action> {
        let mut question = Vec::new();
        let left = Duration::from_secs(60);
        self.numbers.ask(seat, &game.view(Some(seat)), left, &mut question);
        self.input.write_all(&question).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        let mut said = Vec::new();
        loop {
            let mut piece = [0; 100];
            let n_bytes = self.output.read(&mut piece).unwrap();
            assert!(n_bytes > 0, "{} is gone", self.name);
            said.extend_from_slice(&piece[..n_bytes]);
            match self.numbers.read(&said, &mut Talk::default()) {
                Read::Action(action, n) => {
                    assert_eq!(n, said.len(), "{} says more than it was asked", self.name);
                    return Answer::Action(action);
                }
                Read::More(_) => (),
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
