//! What Java entries are given says what it said in 2014: each of its constructors and methods,
//! against the tables of then; and speaks for
//! them by the judge's protocol, whatever they do.

#[path = "common/java.rs"]
mod entries;

use std::{
    fs::{self, File},
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use flate2::read::GzDecoder;
use serde_json::Value;

fn here() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Runs to the end, and says what was said.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|why| panic!("{command:?}: {why}"));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    String::from_utf8(output.stdout).expect("text")
}

/// Compiles the library for entries, and `sources` with it.
fn compile(sources: &[PathBuf], into: &Path) {
    let library = here().join("../../config/games/planes/adapters/java/Planes");
    let files = fs::read_dir(library).expect("a library").map(|it| it.expect("a file").path());
    let mut javac = Command::new("javac");
    javac.args(["-Xlint:all", "-Werror", "-proc:none", "-encoding", "UTF-8", "-d"]).arg(into);
    run(javac.args(files).args(sources));
}

fn tables() -> Value {
    let file = File::open(here().join("tests/golden/helpers.json.gz")).expect("tables");
    let mut text = String::new();
    GzDecoder::new(file).read_to_string(&mut text).expect("text");
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn the_library_for_java_entries_says_what_the_original_said() {
    let folder = tempfile::tempdir().expect("a folder");
    compile(&[here().join("tests/java/Api.java")], folder.path());
    let tables = tables();
    let keys = |of: &str| tables[of].as_object().expect("a table").keys().cloned();
    let sizes: Vec<_> = keys("suicidal").collect();
    let texts: String = keys("parse").map(|it| it + ",").collect();
    let mut java = Command::new("java");
    java.arg("-cp").arg(folder.path()).args(["Api", &sizes.join(","), &texts]);
    let said: Value = serde_json::from_str(&run(&mut java)).expect("JSON");
    let mut n_tables = 0;
    for (name, table) in tables.as_object().expect("tables") {
        assert_eq!(&said[name], table, "{name}");
        n_tables += 1;
    }
    assert_eq!(n_tables, 9);
    assert_eq!(said["checks"], "held");
}

/// For each fight what it must say in its first turn, and a piece of what must be in its log.
/// `Unruly.java` tells what it does in each.
const FIGHTS: [([&str; 2], &str); 27] = [
    (
        STRAIGHT,
        "newOpponent failed before the first fight: java.lang.IllegalStateException: no opp",
    ),
    (STRAIGHT, ""),
    (["SU 1 1", "E 0 0"], ""),
    (["SU 1 1", "EU 0 0"], ""),
    (STRAIGHT, ""),
    // No direction becomes one that no plane can turn to.
    (["N 1 1", "EU 0 0"], ""),
    (["NWU 1 0", "EU 0 0"], ""),
    (["S 1 0", "S 0 0"], ""),
    (
        STRAIGHT,
        "act failed in fight 9 with 7 rounds left: java.lang.RuntimeException: no\n    at Unr",
    ),
    (STRAIGHT, "Unruly$Silent (and what it says cannot be had: Unruly$Silent)"),
    (STRAIGHT, "xxx... (10000000 characters)"),
    (STRAIGHT, "... and more causes"),
    (STRAIGHT, "act failed in fight 13 with 7 rounds left: java.lang.StackOverflowError"),
    (STRAIGHT, "caused by java.lang.NullPointerException"),
    (STRAIGHT, "act failed in fight 15 with 7 rounds left: java.lang.NoClassDefFoundError"),
    (STRAIGHT, "java.lang.RuntimeException: closed"),
    (STRAIGHT, "java.lang.RuntimeException: locked"),
    (STRAIGHT, "java.lang.RuntimeException: heard -1"),
    (STRAIGHT, "java.lang.RuntimeException: set"),
    (STRAIGHT, ""),
    (["SU 1 1", "EU 0 0"], ""),
    (ANY, ""),
    (["SU 1 1", "EU 0 0"], ""),
    (STRAIGHT, "java.lang.OutOfMemoryError"),
    (STRAIGHT, "java.lang.ArrayStoreException: java.lang.String"),
    (STRAIGHT, "java.lang.Exception: sneaked"),
    (
        ["SU 1 1", "EU 0 0"],
        "newFight failed at the start of fight 27: java.lang.IllegalStateException",
    ),
];
const STRAIGHT: [&str; 2] = ["S 0 0", "E 0 0"];
/// A move that another thread changes all the time is either there or not.
const ANY: [&str; 2] = ["SU 1 1 or S 0 0", "SU 1 1 or E 0 0"];
/// Turns of a last fight, in each of which it fails.
const FAILURES: usize = 600;

#[test]
fn whatever_an_entry_does_every_turn_is_answered_and_its_log_says_why() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = here().join("../../config/games/planes/adapters/java");
    let entry = fs::read_to_string(here().join("tests/java/Unruly.java")).expect("an entry");
    let argv = entries::compile(&library, &entry, folder.path()).expect("a compiler");
    let mut judge = "NEW CONTEST 14 8\nNEW OPPONENT 28\n".to_owned();
    let turn = |left: usize| {
        format!(
            "ROUNDS LEFT {left}\nNEW TURN\nalive 5 5 5 S 0\nalive 5 9 5 E 0\n\
             alive 9 5 5 N 0\nalive 9 9 5 N 1\n"
        )
    };
    for fight in 0..FIGHTS.len() {
        judge += &format!("NEW FIGHT {fight} 0 0\n{}", turn(7));
    }
    judge += &format!("NEW FIGHT {} 0 0\n", FIGHTS.len());
    (0..FAILURES).rev().for_each(|it| judge += &turn(it));
    // The dead say no more than that they are.
    judge += "ROUNDS LEFT 0\nNEW TURN\ndead 0 0 0 N 0\nalive 5 9 5 E 0\ndead 0 0 0 N 0\ndead 0 0 0 N 0\n";

    let mut java = Command::new(&argv[0]);
    java.args(&argv[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = java.spawn().expect("java");
    let mut input = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || input.write_all(judge.as_bytes()));
    let output = child.wait_with_output().expect("its output");
    writer.join().expect("a thread").expect("it hears all");
    let said = String::from_utf8(output.stdout).expect("text");
    let log = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success(), "threads of its own hold it up: {}", output.status);

    let lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.len(), 2 * (FIGHTS.len() + FAILURES + 1), "{log}");
    let (fights, rest) = lines.split_at(2 * FIGHTS.len());
    for (fight, (wanted, piece)) in FIGHTS.iter().enumerate() {
        for (found, wanted) in fights[2 * fight..][..2].iter().zip(wanted) {
            let is_wanted = wanted.split(" or ").any(|it| it == *found);
            assert!(is_wanted, "fight {fight}: {found}, wanted {wanted}: {log}");
        }
        assert!(log.contains(piece), "fight {fight}: no {piece} in {log}");
    }
    let (failed, dead) = rest.split_at(2 * FAILURES);
    assert!(failed.chunks(2).all(|it| it == STRAIGHT));
    assert_eq!(dead, ["N 0 0", "E 0 0"]);
    assert!(log.starts_with("newOpponent failed") && log.contains("\nsaid\n"), "{log}");
    assert!(log.ends_with("failures after these are not written down\n"), "{log}");
    assert!(log.len() < 128 << 10, "{} bytes", log.len());
}

#[test]
fn the_rules_page_names_all_that_entries_can_call() {
    let game = here().join("../../config/games/planes");
    let page = fs::read_to_string(game.join("rules.md")).expect("the rules");
    let part = page.split("\n## ").find(|it| it.starts_with("Entries in Java")).expect("a part");
    let mut n_methods = 0;
    for class in ["PlaneControl", "Plane", "Direction", "Move", "Point3D"] {
        let file = game.join("adapters/java/Planes").join(class).with_extension("java");
        let source = fs::read_to_string(file).expect("a class");
        let methods = source.lines().filter_map(|it| it.trim().strip_prefix("public "));
        for method in methods.filter(|it| it.contains('(')) {
            let name = method.split('(').next().expect("a name").rsplit(' ').next().expect("one");
            // Every class has these.
            if !["toString", "hashCode"].contains(&name) && class != name {
                assert!(part.contains(&format!("`{name}(")), "{class}: {method}");
                n_methods += 1;
            }
        }
    }
    assert!(n_methods > 35, "{n_methods}");
    let straight = fs::read_to_string(game.join("bots/java/Straight.java")).expect("a bot");
    let lines = |text: &str| -> Vec<String> {
        let code = text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with("//"));
        code.map(str::to_owned).collect()
    };
    let shown = part.split("```java\n").nth(1).and_then(|it| it.split("```").next());
    assert_eq!(lines(shown.expect("an entry")), lines(&straight), "it is the documented bot");
    for said in ["of the first 20,", "up to 500", "all that begin with `Agon`"] {
        assert!(part.contains(said), "{said}");
    }
}
