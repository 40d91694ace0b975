//! What is promised of every language: its bot needs no more than a quarter of its limits, files
//! that are cold change no verdict, and a program that goes too far ends as it should.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    process::Command,
};

use game::Seat;
use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use runner::{JailedProgram, build};
use sandbox::Start;
use serde_json::json;

use crate::{
    Case,
    builds::{alone, order},
    hostile::{built, copy, sit, words},
    kit::{Kit, block_on, config, patient},
};

/// A language, and how it shows what is promised.
struct Trial {
    id: &'static str,
    /// An adventurer, below `config/games/labyrinth`.
    bot: &'static str,
    /// How the paths begin of what its runtime reads at the start.
    files: &'static [&'static str],
    /// Only where the corpus of hostile bots has nothing in this language.
    limits: Option<Limits>,
}

/// A program that does not compile, and what comes of one that goes too far.
struct Limits {
    wrong: &'static str,
    /// A piece of what the compiler says to it.
    said: &'static str,
    /// What comes of `languages/trial.*`, told to fill its heap.
    heap: &'static str,
    /// Told to go deeper and deeper.
    stack: &'static str,
}

/// Where a runtime knows no limit of its heap, the kernel does.
const OUT_OF_MEMORY: &str = "out of memory";

const fn limits(
    (wrong, said): (&'static str, &'static str),
    heap: &'static str,
    stack: &'static str,
) -> Option<Limits> {
    Some(Limits { wrong, said, heap, stack })
}

#[rustfmt::skip]
const TRIALS: &[Trial] = &[
    Trial { id: "cpp", bot: "bots/adventurer.cpp", files: &["/usr/lib/x86_64-linux-gnu/libstdc++"], limits: None },
    Trial { id: "csharp", bot: "seed-bots/adventurer/adventurer.cs", files: &["/usr/bin/mono", "/usr/lib/mono"], limits: None },
    Trial { id: "d", bot: "bots/adventurer.d", files: &["/usr/lib/x86_64-linux-gnu/libphobos2", "/usr/lib/x86_64-linux-gnu/libdruntime"],
        limits: limits(("void main() { int n = \"one\"; }", "cannot implicitly convert"), OUT_OF_MEMORY, "signalled 11") },
    Trial { id: "java", bot: "seed-bots/adventurer/program.java", files: &["/usr/lib/jvm"],
        limits: limits(("class A { int n = \"one\"; }", "incompatible types"), "exited 1", "exited 1") },
    Trial { id: "kotlin", bot: "bots/adventurer.kt", files: &["/usr/lib/jvm", "/usr/share/java/kotlin-stdlib"],
        limits: limits(("fun main() { val n: Int = \"one\" }", "type mismatch"), "exited 1", "exited 1") },
    Trial { id: "lua", bot: "bots/adventurer.lua", files: &["/usr/bin/luajit", "/usr/lib/x86_64-linux-gnu/libluajit"],
        limits: limits(("local n = = 1", "unexpected symbol near"), OUT_OF_MEMORY, "exited 1") },
    Trial { id: "ocaml", bot: "bots/adventurer.ml", files: &[],
        limits: limits(("let n : int = \"one\"", "This expression has type string"), OUT_OF_MEMORY, "exited 2") },
    Trial { id: "pascal", bot: "bots/adventurer.pas", files: &[],
        limits: limits(("begin n := 1; end.", "Identifier not found"), OUT_OF_MEMORY, "signalled 11") },
    Trial { id: "perl", bot: "bots/adventurer.pl", files: &["/usr/bin/perl", "/usr/lib/x86_64-linux-gnu/perl", "/usr/share/perl"],
        limits: limits(("use strict; $n = 1;", "Global symbol"), OUT_OF_MEMORY, OUT_OF_MEMORY) },
    Trial { id: "php", bot: "bots/adventurer.php", files: &["/usr/bin/php", "/usr/lib/php"],
        limits: limits(("<?php $n = = 1;", "unexpected token"), "exited 255", "exited 255") },
    Trial { id: "pypy3", bot: "bots/adventurer.py", files: &["/usr/lib/pypy3"], limits: None },
    Trial { id: "python2", bot: "seed-bots/adventurer/adventurer.py", files: &[], limits: None },
    Trial { id: "python3", bot: "bots/adventurer.py", files: &["/usr/bin/python3", "/usr/lib/python3"], limits: None },
    Trial { id: "ruby", bot: "bots/adventurer.rb", files: &["/usr/bin/ruby", "/usr/lib/ruby", "/usr/lib/x86_64-linux-gnu/ruby", "/usr/lib/x86_64-linux-gnu/libruby"],
        limits: limits(("n = = 1", "syntax error"), OUT_OF_MEMORY, "exited 1") },
    Trial { id: "typescript", bot: "bots/adventurer.ts", files: &["/usr/bin/node", "/usr/lib/x86_64-linux-gnu/libnode"],
        limits: limits(("const n: number = \"one\";", "TS2322"), "signalled 6", "exited 1") },
];

pub(crate) fn cases() -> Vec<Case> {
    let named = |trial: &Trial, what: &str| format!("languages/{}: {what}", trial.id);
    let plays = TRIALS.iter().map(|trial| {
        let named = named(trial, "a quarter of what it may use is enough, with cold files too");
        Case::plain(named, move |kit: &mut Kit| plays(kit, trial))
    });
    let ends = TRIALS.iter().filter_map(|trial| {
        let limits = trial.limits.as_ref()?;
        let named = named(trial, "what is wrong is refused, and what goes too far ends");
        Some(Case::with_verdict(named, move |kit: &mut Kit| ends(kit, trial, limits)))
    });
    let warmed =
        Case::plain("languages: what was warmed up costs nobody memory", |kit: &mut Kit| {
            warmed_up(kit)
        });
    plays.chain(ends).chain([warmed]).collect()
}

/// Files are counted as memory of the jail that reads them first. That one is gone before a bot
/// comes, and they stay.
fn warmed_up(kit: &Kit) {
    let compiler = Command::new("gcc").arg("-print-prog-name=cc1").output().expect("gcc");
    let file = PathBuf::from(String::from_utf8(compiler.stdout).expect("UTF-8").trim());
    let bytes = file.metadata().expect("a compiler").len();
    let mut language = kit.language("c").clone();
    let reads = vec!["cat".to_owned(), file.display().to_string()];
    let mut spec = language.bot_spec("bot", None);
    (spec.argv, spec.cwd, spec.start) = (reads.clone(), "/tmp".to_owned(), Start::Running);
    let peak_bytes = || {
        let mut jail = kit.client.spawn(&spec, &[]).expect("a jail");
        io::copy(&mut File::from(jail.take_stdout().expect("a pipe")), &mut io::sink())
            .expect("it reads aloud");
        jail.wait().expect("an end").memory_peak_bytes.expect("a figure")
    };
    cool_all(&file);
    let cold = peak_bytes();
    assert!(cold > bytes / 2, "{cold} bytes for {bytes}: it was not cold");
    cool_all(&file);
    language.toolchain.warm_up = vec![reads.clone()];
    block_on(runner::warm_up(&kit.client, &language));
    let warm = peak_bytes();
    assert!(warm < bytes / 4, "{warm} bytes for {bytes}, {cold} when cold");
}

fn plays(kit: &Kit, trial: &Trial) {
    let source = config().join("games/labyrinth").join(trial.bot);
    let Some(mut bot) = built(kit, trial.id, &source) else { return };
    bot.spec.limits.memory_bytes_max /= 4;
    bot.spec.limits.processes_max /= 4;
    assert_eq!(verdict(kit, &bot, PATIENT_MS), "none", "with warm files");
    let n_files = cool(trial.files);
    assert_eq!(verdict(kit, &bot, PATIENT_MS), "none", "with {n_files} cold files");
}

fn ends(kit: &Kit, trial: &Trial, limits: &Limits) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages/trial");
    let source = source.with_extension(Path::new(trial.bot).extension().expect("an extension"));
    let Some(bot) = built(kit, trial.id, &source) else { return String::new() };
    let upload = alone(limits.wrong.as_bytes());
    let refused = block_on(build(&kit.client, &order(kit, trial.id, &upload))).expect("a build");
    let why = refused.pack.as_ref().expect_err(limits.wrong);
    assert!(refused.log.contains(limits.said), "{why}: {}", refused.log);

    let told = |what: &str| {
        let mut bot = copy(&bot);
        bot.spec.argv.push(what.to_owned());
        bot
    };
    assert_eq!(verdict(kit, &told("heap"), PATIENT_MS), limits.heap, "heap");
    cool(trial.files);
    assert_eq!(verdict(kit, &told("heap"), PATIENT_MS), limits.heap, "heap, with cold files");
    assert_eq!(verdict(kit, &told("stack"), PATIENT_MS), limits.stack, "stack");
    assert_eq!(verdict(kit, &told("time"), BRIEF_MS), "late", "time");
    format!("{}, {}", limits.heap, limits.stack)
}

/// Time for a turn of one that has to come to an end by itself.
const PATIENT_MS: u64 = 30_000;
/// Time for a turn of one that never does.
const BRIEF_MS: u64 = 500;

/// What comes of a bot's match as adventurer, against one that plants nothing.
fn verdict(kit: &Kit, bot: &JailedProgram, turn_ms: u64) -> String {
    let (turn_ms, total_ms) = (patient(turn_ms), patient(60_000));
    let setup = json!({ "size": 5, "mode": "map", "turn_ms": turn_ms, "total_ms": total_ms });
    let game = games::find("labyrinth").expect("a game");
    let played = sit(game, &setup, Seat(1), || (copy(bot), kit.jailed("stays_put.c")));
    words(played.seats[Seat(1)].fault.as_ref().map(|(_, it)| it))
}

/// Drops files from the host's memory, as far as nobody else has them in use: the next who reads
/// them has to wait for the disk, and has them counted as its own memory. Tells how many.
fn cool(beginnings: &[&str]) -> usize {
    let mut n_files = 0;
    for beginning in beginnings.iter().map(Path::new) {
        let (folder, name) = (beginning.parent(), beginning.file_name().and_then(|it| it.to_str()));
        let (folder, name) = folder.zip(name).expect("below a folder");
        for path in entries(folder) {
            let found = path.file_name().unwrap_or_default().to_string_lossy();
            if found.starts_with(name) {
                n_files += cool_all(&path);
            }
        }
    }
    n_files
}

fn cool_all(path: &Path) -> usize {
    // A link to a folder leads out, or around; one to a file is another name of it.
    if path.is_dir() && !path.is_symlink() {
        return entries(path).iter().map(|it| cool_all(it)).sum();
    }
    if !path.is_file() {
        return 0;
    }
    let file = File::open(path).expect("a file of the toolchain");
    let cooled = posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED);
    cooled.expect("a file of the toolchain");
    1
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path()).collect()
}
