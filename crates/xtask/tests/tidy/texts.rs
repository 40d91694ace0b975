//! Faults in what files hold and what they are called.

use xtask::tidy::{self, FILE_LINES_MAX, FILE_LINES_WANTED, HEAD_LINES_MAX};

use crate::sound::{assert_one, sound, with, wrong};

#[test]
fn every_file_has_a_head_and_it_says_something() {
    let long = "//! one two three\n".repeat(HEAD_LINES_MAX + 1);
    let cases = [
        ("crates/store/src/rows.rs", "fn f() {}\n", "no `//!` head"),
        ("crates/store/src/rows.rs", "// A comment is no head.\n", "no `//!` head"),
        ("crates/store/tests/rows.rs", "\n//! A head comes first.\n", "no `//!` head"),
        ("crates/store/src/rows.rs", long.as_str(), "a head of 6 lines"),
        ("crates/store/src/rows.rs", "//! Rows.\n", "says nothing"),
        ("crates/store/src/lib.rs", "//!\n", "says nothing"),
        ("crates/store/src/lib.rs", "//! store\n//!\n", "says nothing"),
        (
            "crates/store/src/lib.rs",
            "//! People, bots and matches.\n",
            "what the crate does not know",
        ),
        ("crates/cli/src/main.rs", "//! The program agon.\n", "what the crate does not know"),
    ];
    for (path, text, says) in cases {
        assert_one(with(path, text), path, 1, says);
    }
    let page = format!("//! Knows no games.\n{}", "//! More of it.\n".repeat(HEAD_LINES_MAX));
    assert_eq!(
        tidy::check(&with("crates/store/src/lib.rs", &page)),
        [],
        "a crate's page may be longer"
    );
    for path in ["crates/labyrinth/tests/fixtures/bot.rs", "crates/labyrinth/bots/mouse/main.rs"] {
        assert_eq!(tidy::check(&with(path, "fn main() {}\n")), [], "{path} is not ours");
    }
}

#[test]
fn no_file_holds_what_is_unfinished_unsafe_or_never_run() {
    let cases = [
        ("crates/store/src/rows.rs", "unsafe { f() }", "`unsafe`"),
        ("crates/store/src/rows.rs", "unsafe fn f() {}", "`unsafe`"),
        ("crates/game/tests/all.rs", "unsafe impl Send for It {}", "`unsafe`"),
        ("crates/sandbox/src/jail.rs", "unsafe { f() }", "that nothing defends"),
        (
            "crates/sandbox/src/jail.rs",
            "// It is safe.\nunsafe impl Send for It {}",
            "that nothing defends",
        ),
        ("crates/store/src/rows.rs", "fn f() { todo!() }", "`todo!`"),
        ("crates/store/src/rows.rs", "fn f() { unimplemented!(\"later\") }", "`unimplemented!`"),
        ("crates/store/tests/rows.rs", "#[test]\n#[ignore]\nfn f() {}", "`#[ignore]`"),
        ("crates/store/tests/rows.rs", "#[ignore = \"slow\"]\nfn f() {}", "`#[ignore]`"),
        ("crates/store/tests/rows.rs", "#[cfg_attr(unix, ignore)]\nfn f() {}", "`#[ignore]`"),
        (
            "crates/store/src/rows.rs",
            "/// ```ignore\n/// f()\n/// ```\nfn f() {}",
            "marked `ignore`",
        ),
    ];
    for (path, code, says) in cases {
        let text = format!("//! Opens with its idea.\n{code}\n");
        let line = 1 + (1..).zip(code.lines()).find(|it| is_fault(it.1)).expect("a faulty line").0;
        assert_one(with(path, &text), path, line, says);
    }
    let sound = [
        (
            "crates/store/src/rows.rs",
            "// unsafe todo!() #[ignore]\nconst A: &str = \"unsafe todo!()\";",
        ),
        ("crates/store/src/rows.rs", "#![forbid(unsafe_code)]\nlet ignore = [ignore];"),
        ("crates/sandbox/src/jail.rs", "// SAFETY: nobody else holds it.\nunsafe { f() }"),
        ("crates/sandbox/src/jail.rs", "/// # Safety\n///\n/// Once.\npub unsafe fn f() {}"),
    ];
    for (path, code) in sound {
        let text = format!("//! Opens with its idea.\n{code}\n");
        assert_eq!(tidy::check(&with(path, &text)), [], "{code}");
    }
}

#[test]
fn the_core_sees_nothing_of_the_world() {
    let cases = [
        ("game", "fn f() { std::fs::read(\"a\"); }", "`std::fs`"),
        ("referee", "use std::{\n    fmt,\n    process::Command,\n};", "`std::process`"),
        ("contest", "use std::time::SystemTime;", "`std::SystemTime`"),
        ("labyrinth", "use std::net::TcpStream;", "`std::net`"),
        ("referee", "fn f() -> Instant { Instant::now() }", "`Instant::now`"),
        ("planes", "fn f(x: f64) {}", "`f64`"),
        ("labyrinth", "const A: i32 = 1.5_f32 as f32 as i32;", "`f32`"),
    ];
    for (name, code, says) in cases {
        let path = format!("crates/{name}/src/more.rs");
        let found = wrong(&with(&path, &format!("//! Opens with its idea.\n{code}\n")));
        assert!(!found.is_empty() && found.iter().all(|it| it.contains(says)), "{code}: {found:?}");
    }
    for (path, code) in [
        ("crates/contest/src/more.rs", "fn f(x: f64) {}"),
        ("crates/referee/src/more.rs", "use std::time::Instant;\nfn f(now: Instant) {}"),
        ("crates/labyrinth/tests/more.rs", "use std::fs;"),
        ("crates/worker/src/more.rs", "use std::fs;"),
    ] {
        let tree = with(path, &format!("//! Opens with its idea.\n{code}\n"));
        assert_eq!(tidy::check(&tree), [], "{path}: {code}");
    }
}

#[test]
fn names_that_fit_everything_are_refused() {
    for code in [
        "pub struct JobManager;",
        "enum MatchHelper { A }",
        "trait BotUtil {}",
        "type Data = u8;",
        "struct SeatData<T>(T);",
        "mod util;",
        "mod path_helpers { }",
    ] {
        let path = "crates/store/src/rows.rs";
        let tree = with(path, &format!("//! Opens with its idea.\n{code}\n"));
        assert_one(tree, path, 2, "allowed are the nouns of the field");
    }
    for path in ["crates/store/src/utils.rs", "crates/store/src/row_data.rs"] {
        assert_one(with(path, "//! Opens with its idea.\n"), path, 1, "found the file");
    }
    let sound =
        "//! Opens with its idea.\nstruct Metadata; struct Database; mod dataset; fn data() {}\n";
    assert_eq!(tidy::check(&with("crates/store/src/rows.rs", sound)), []);
}

#[test]
fn no_file_is_longer_than_a_reader_bears() {
    let lines = |n: usize| format!("//! Opens with its idea.\n{}", "fn f() {}\n".repeat(n - 1));
    let path = "crates/store/src/rows.rs";
    assert_one(with(path, &lines(FILE_LINES_MAX + 1)), path, FILE_LINES_MAX + 1, "found 801 lines");
    let found = tidy::check(&with(path, &lines(FILE_LINES_WANTED + 1)));
    assert!(found.len() == 1 && found[0].is_warning, "{found:?}");
    assert_eq!(tidy::check(&with(path, &lines(FILE_LINES_WANTED))), []);
    let found = wrong(&with("web/src/viewer.ts", &"f();\n".repeat(FILE_LINES_MAX + 1)));
    assert!(found[0].starts_with("web/src/viewer.ts:801: "), "{found:?}");
    assert_eq!(tidy::check(&with("crates/labyrinth/tests/golden/games.sql", &lines(2_000))), []);
}

#[test]
fn a_game_without_its_proofs_is_refused() {
    for (path, says) in [
        ("crates/planes/tests/golden/games.jsonl", "without golden data"),
        ("crates/planes/tests/golden.rs", "without a test of its golden data"),
        ("crates/planes/tests/conformance.rs", "without the laws of all games"),
    ] {
        let mut tree = sound();
        tree.paths.remove(path);
        tree.files.retain(|it| it.path != path);
        assert_one(tree, "crates/planes/Cargo.toml", 1, says);
    }
}

#[test]
fn migrations_are_named_by_moment_and_deed() {
    for name in [
        "0001_add_bots.sql",
        "20261129213000.sql",
        "20261129213000_bots.sql",
        "20261129213000_Add_bots.sql",
        "20261329213000_add_bots.sql",
        "20261129213000-add-bots.sql",
        "20261129213000_add_bots.up.sql",
        "notes.txt",
        "20261129213001_add_people.sql",
    ] {
        let path = format!("migrations/{name}");
        let found = wrong(&with(&path, "select 1;\n"));
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0].contains("allowed is YYYYMMDDhhmmss_verb_noun.sql"), "{}", found[0]);
    }
    let sound = with("migrations/20261130000000_add_bots_2.sql", "select 1;\n");
    assert_eq!(tidy::check(&sound), []);
}

fn is_fault(line: &str) -> bool {
    ["unsafe", "todo!", "unimplemented!", "ignore"].iter().any(|it| line.contains(it))
}
