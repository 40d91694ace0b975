//! The bots we ship play: real processes over real pipes, judged by the rules.
//!
//! Ours need `python3` and `g++`, and one language each for the adventurers beside
//! them. The old listings also want `javac`, `mcs` and a Python 2 (`AGON_PYTHON2`
//! names one); what is missing is skipped by name.

mod common;

use std::{
    fs,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use common::{BOTS, ask, play, start};
use game::{Answer, Dialect, End, Fault, Game, Read, RemarkKind, Seat, Talk, Turn};
use labyrinth::{
    ADVENTURER, ARCHITECT, Action, Board, Ending, Event, Labyrinth, Lines, Mode, Setup,
};
use tempfile::TempDir;

/// Hedges of the documented architect, by size of the board.
const N_HEDGES: [(u32, usize); 5] = [(5, 3), (10, 27), (15, 70), (20, 170), (25, 263)];
/// How long a bot that draws its ways is given to draw the one into the dead end.
const DEAD_END_WITHIN: Duration = Duration::from_secs(60);

#[test]
fn our_architects_plant_the_documented_walls() {
    let dir = tempfile::tempdir().unwrap();
    for bot in [python3("bots/architect.py"), cpp("bots/architect.cpp", &dir)] {
        for (size, n_hedges) in N_HEDGES {
            assert_eq!(planted_by(&bot, size), n_hedges, "{} on {size}", bot.name);
        }
    }
}

#[test]
fn our_adventurers_go_straight_on_and_turn_back_only_in_dead_ends() {
    let dir = tempfile::tempdir().unwrap();
    let ours = [python3("bots/adventurer.py"), cpp("bots/adventurer.cpp", &dir)];
    for bot in ours.into_iter().chain(TONGUES.iter().filter_map(|it| it.bot(&dir))) {
        for mode in [Mode::Map, Mode::NoMap] {
            keeps_straight_on(&bot, mode);
        }
    }
}

#[test]
fn our_bots_play_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let architects = [python3("bots/architect.py"), cpp("bots/architect.cpp", &dir)];
    let adventurers = [python3("bots/adventurer.py"), cpp("bots/adventurer.cpp", &dir)];
    for (architect, adventurer) in architects.iter().zip(adventurers.iter().rev()) {
        for mode in [Mode::Map, Mode::NoMap] {
            let mut game = start(&Setup::new(12, mode), BOTS);
            let mut seats = [Some(Process::start(architect)), Some(Process::start(adventurer))];
            let warnings = play_on(&mut game, &mut seats, |_| Action::Pass);
            assert_eq!(warnings, 0, "{} and {}", architect.name, adventurer.name);
            let fault = matches!(game.ending(), Some(Ending::Fault { .. }));
            assert!(!fault, "{} and {}: {:?}", architect.name, adventurer.name, game.ending());
        }
    }
}

#[test]
fn the_old_listings_play_unmodified() {
    let dir = tempfile::tempdir().unwrap();
    let [architect, adventurer] = ["architect", "adventurer"].map(|role| {
        let listing = |extension| format!("seed-bots/{role}/{role}.{extension}");
        [
            python2(&listing("py")),
            Some(cpp(&listing("cpp"), &dir)),
            csharp(&listing("cs"), &dir),
            java(&format!("seed-bots/{role}"), &dir),
        ]
    });
    for bot in architect.iter().flatten() {
        for (size, n_hedges) in N_HEDGES {
            assert_eq!(planted_by(bot, size), n_hedges, "{} on {size}", bot.name);
        }
    }
    for bot in adventurer.iter().flatten() {
        // On an open board nobody gets into a dead end; in one, some crash.
        let mut game = start(&Setup::new(8, Mode::NoMap), BOTS);
        let mut seats = [None, Some(Process::start(bot))];
        assert_eq!(play_on(&mut game, &mut seats, |_| Action::Pass), 0, "{}", bot.name);
        assert!(!matches!(game.ending(), Some(Ending::Fault { .. })), "{}", bot.name);
        assert_eq!(game.redundant()[1], 0, "{}", bot.name);

        let crashes = bot.name.ends_with(".cs") || bot.name.ends_with("adventurer.java");
        assert_eq!(dies_in_a_dead_end(bot), crashes, "{}", bot.name);
    }
}

/// The adventurer in another language: what makes a program of `{source}` in the folder `{out}`,
/// where one is made, and what runs it.
struct Tongue {
    file: &'static str,
    make: &'static [&'static str],
    run: &'static [&'static str],
}

#[rustfmt::skip]
const TONGUES: &[Tongue] = &[
    Tongue { file: "adventurer.d", make: &["ldc2", "-od={out}", "-of={out}/bot", "{source}"], run: &["{out}/bot"] },
    Tongue { file: "adventurer.kt", make: &["kotlinc", "-include-runtime", "-d", "{out}/bot.jar", "{source}"], run: &["java", "-XX:+UseSerialGC", "-jar", "{out}/bot.jar"] },
    Tongue { file: "adventurer.lua", make: &[], run: &["luajit", "{source}"] },
    Tongue { file: "adventurer.ml", make: &["ocamlopt", "-o", "{out}/bot", "{copy}"], run: &["{out}/bot"] },
    Tongue { file: "adventurer.pas", make: &["fpc", "-FU{out}", "-o{out}/bot", "{source}"], run: &["{out}/bot"] },
    Tongue { file: "adventurer.php", make: &[], run: &["php", "{source}"] },
    Tongue { file: "adventurer.pl", make: &[], run: &["perl", "{source}"] },
    Tongue { file: "adventurer.rb", make: &[], run: &["ruby", "{source}"] },
    Tongue { file: "adventurer.ts", make: &["tsc", "--target", "es2022", "--lib", "es2022", "--module", "commonjs", "--typeRoots", "{out}", "--outDir", "{out}", "{source}", "{types}"], run: &["node", "{out}/adventurer.js"] },
];

/// Of Node's types, those that the adventurer speaks of: not every Node brings its own.
const NODE_TYPES: &str = "declare module \"readline\"; declare var console: any, process: any;\n";

impl Tongue {
    /// None where this machine lacks the language.
    fn bot(&self, dir: &TempDir) -> Option<Bot> {
        let out = dir.path().join(self.file.replace('.', "-"));
        fs::create_dir_all(&out).unwrap();
        // OCaml writes beside its source.
        let (copy, types) = (out.join(self.file), out.join("node.d.ts"));
        let source = config(&format!("bots/{}", self.file));
        fs::copy(&source, &copy).unwrap();
        fs::write(&types, NODE_TYPES).unwrap();
        let holes =
            [("{out}", &out), ("{source}", &source), ("{copy}", &copy), ("{types}", &types)];
        let fill = |word: &&str| {
            let fill = |word: String, (hole, path): &(&str, &PathBuf)| {
                word.replace(hole, path.to_str().unwrap())
            };
            PathBuf::from(holes.iter().fold(word.to_string(), fill))
        };
        if let Some(program) = self.make.first().or(self.run.first())
            && Command::new(program).arg("--version").output().is_err()
        {
            return skipped(self.file, &format!("no {program}"));
        }
        if let [program, words @ ..] = self.make {
            let words: Vec<PathBuf> = words.iter().map(fill).collect();
            run(program, &words.iter().map(PathBuf::as_path).collect::<Vec<_>>());
        }
        let command: Vec<PathBuf> = self.run.iter().map(fill).collect();
        Some(Bot { name: self.file.to_owned(), command })
    }
}

/// How to run a bot.
struct Bot {
    name: String,
    command: Vec<PathBuf>,
}

impl Bot {
    fn new(name: &str, command: &[&Path]) -> Bot {
        let command = command.iter().map(|it| it.to_path_buf()).collect();
        Bot { name: name.to_owned(), command }
    }
}

/// A bot at the board.
struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    inbox: Vec<u8>,
    lines: Lines,
}

impl Process {
    fn start(bot: &Bot) -> Process {
        let mut child = Command::new(&bot.command[0])
            .args(&bot.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{:?}: {error}", bot.command));
        let stdin = child.stdin.take().unwrap();
        let stdout = child.stdout.take().unwrap();
        Process { child, stdin, stdout, inbox: Vec::new(), lines: Lines::default() }
    }

    /// The bot's answer to the question of this turn. Reads no more than it takes.
    fn answer(&mut self, game: &Labyrinth, seat: Seat, talk: &mut Talk) -> Answer<Action> {
        ask(game, seat, &mut self.lines);
        loop {
            match self.lines.read(&self.inbox, talk) {
                Read::Action(action, n) => {
                    self.inbox.drain(..n);
                    return Answer::Action(action);
                }
                Read::More(n) => drop(self.inbox.drain(..n)),
                Read::Garbled(why) => return Answer::Fault(Fault::Garbled(why)),
            }
            // A bot that has ended reads nothing; that it has will show below.
            let _ = self.stdin.write_all(&std::mem::take(&mut talk.replies));
            let mut piece = [0; 4096];
            match self.stdout.read(&mut piece).unwrap() {
                0 => return Answer::Fault(Fault::Gone(End::ClosedOutput)),
                n => self.inbox.extend_from_slice(&piece[..n]),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself, which is just as well.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Plays to the end. Seats without a process decide by `otherwise`. Returns how many warnings there were.
fn play_on(
    game: &mut Labyrinth,
    seats: &mut [Option<Process>; 2],
    mut otherwise: impl FnMut(&Labyrinth) -> Action,
) -> usize {
    let mut n_warnings = 0;
    while let Turn::Ask(asks) = game.turn() {
        let seat = if asks[ARCHITECT].is_some() { ARCHITECT } else { ADVENTURER };
        let mut talk = Talk::default();
        let answer = match &mut seats[usize::from(seat.0)] {
            Some(process) => process.answer(game, seat, &mut talk),
            None => Answer::Action(otherwise(game)),
        };
        // A full log is no fault.
        let warnings = common::remarks(&talk, RemarkKind::Warning);
        n_warnings += warnings.iter().filter(|it| !it.starts_with("the log is full")).count();
        play(game, seat, answer);
    }
    n_warnings
}

/// How many hedges `bot` plants while the adventurer stays where it is.
fn planted_by(bot: &Bot, size: u32) -> usize {
    let mut game = start(&Setup::new(size, Mode::Map), BOTS);
    let mut seats = [Some(Process::start(bot)), None];
    assert_eq!(play_on(&mut game, &mut seats, |_| Action::Pass), 0, "{}", bot.name);
    assert!(matches!(game.ending(), Some(Ending::Limit { .. })), "{:?}", game.ending());
    game.board().cells().filter(|it| !game.board().is_open(*it)).count()
}

/// Checks every step of `bot` against the documented strategy, between hedges that grow all over the board.
fn keeps_straight_on(bot: &Bot, mode: Mode) {
    let mut game = start(&Setup::new(9, mode), BOTS);
    let mut process = Process::start(bot);
    let mut last: Option<i32> = None;
    let mut place = 0;
    while game.ending().is_none() {
        place = (place + 29) % 81;
        play(&mut game, ARCHITECT, Answer::Action(Action::Plant(place % 9 + 1, place / 9 + 1)));
        let open: Vec<_> = (0..4).filter(|it| game.board().judge_step(*it).is_ok()).collect();
        let answer = process.answer(&game, ADVENTURER, &mut Talk::default());
        let Answer::Action(Action::Step(number)) = answer else { panic!("{answer:?}") };
        assert!(open.contains(&number), "{}: {number} of {open:?}", bot.name);
        if let Some(last) = last {
            let back = (last + 2) % 4;
            assert!(number == last || !open.contains(&last), "{}: left {last}", bot.name);
            assert!(number != back || open == [back], "{}: turned back", bot.name);
        }
        last = Some(number);
        let events = play(&mut game, ADVENTURER, Answer::Action(Action::Step(number)));
        assert!(matches!(events[0], Event::Moved { .. }), "{events:?}");
    }
}

/// Whether `bot` does not survive a dead end.
fn dies_in_a_dead_end(bot: &Bot) -> bool {
    // The bottom row is a corridor, open at its right end alone, where the adventurer starts.
    let mut board = Board::new(5).unwrap();
    for x in 1..=4 {
        board.plant(board.cell(x, 4).unwrap());
    }
    let setup = Setup::new(5, Mode::NoMap);
    // It may go west into the corridor or north out of it: try until it has been at the end. Where
    // it draws by the clock's seconds, it goes the same way for all of one.
    let begun = Instant::now();
    while begun.elapsed() < DEAD_END_WITHIN {
        let mut game = Labyrinth::start_on(board.clone(), &setup, &Vec::from(BOTS).into()).unwrap();
        let mut seats = [None, Some(Process::start(bot))];
        let mut was_in = false;
        play_on(&mut game, &mut seats, |game| {
            let at = game.board().adventurer();
            was_in |= (at.x(), at.y()) == (1, 5);
            Action::Pass
        });
        if was_in {
            let by = game.ending();
            return matches!(by, Some(Ending::Fault { seat: ADVENTURER, .. }));
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("{} never went into the dead end", bot.name)
}

fn config(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/games/labyrinth").join(path)
}

fn python3(path: &str) -> Bot {
    Bot::new(path, &[Path::new("python3"), &config(path)])
}

fn cpp(path: &str, dir: &TempDir) -> Bot {
    let program = dir.path().join(path.replace('/', "-"));
    let flags = ["-std=c++17", "-O2", "-o"].map(Path::new);
    run("g++", &[&flags[..], &[&program, &config(path)]].concat());
    Bot::new(path, &[&program])
}

fn csharp(path: &str, dir: &TempDir) -> Option<Bot> {
    if !there("mcs", &["--version"]) || !there("mono", &["--version"]) {
        return skipped(path, "no mcs and mono");
    }
    let program = dir.path().join(path.replace('/', "-"));
    let out = format!("-out:{}", program.display());
    run("mcs", &[Path::new(&out), &config(path)]);
    Some(Bot::new(path, &[Path::new("mono"), &program]))
}

fn java(folder: &str, dir: &TempDir) -> Option<Bot> {
    let name = format!("{folder}.java");
    if !there("javac", &["-version"]) {
        return skipped(&name, "no javac");
    }
    let out = dir.path().join(folder.replace('/', "-"));
    let source = config(folder).join("program.java");
    run("javac", &[Path::new("-nowarn"), Path::new("-d"), &out, &source]);
    let command = ["java", "-XX:+UseSerialGC", "-cp"].map(Path::new);
    Some(Bot::new(&name, &[&command[..], &[&out, Path::new("program")]].concat()))
}

fn python2(path: &str) -> Option<Bot> {
    let named = std::env::var("AGON_PYTHON2").ok();
    let probe = ["-c", "import sys; sys.exit(sys.version_info[0] != 2)"];
    let names = named.as_deref().into_iter().chain(["python2", "python2.7"]);
    match names.into_iter().find(|it| there(it, &probe)) {
        Some(python) => Some(Bot::new(path, &[Path::new(python), Path::new("-u"), &config(path)])),
        None => skipped(path, "no Python 2"),
    }
}

fn skipped(path: &str, why: &str) -> Option<Bot> {
    let text = format!("skipped {path}: {why}\n");
    std::io::stdout().write_all(text.as_bytes()).unwrap();
    None
}

/// Whether `program` can be run.
fn there(program: &str, args: &[&str]) -> bool {
    let command = Command::new(program).args(args).output();
    command.is_ok_and(|it| it.status.success())
}

fn run(program: &str, args: &[&Path]) {
    let output = Command::new(program).args(args).output();
    let output = output.unwrap_or_else(|error| panic!("this test needs {program}: {error}"));
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&said));
}
