//! Plants a fault of every kind in a sound tree, and sees tidy name it. The arrows are planted in
//! values for every pair of crates, and in a copy of the real manifests for every way to write one.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use xtask::{
    tidy::{self, ARROWS, EVERY_GAME, FILE_LINES_MAX, FILE_LINES_WANTED, HEAD_LINES_MAX, THEIRS},
    tree::{Dependency, File, Kind, Package, Tree},
};

const KINDS: [Kind; 3] = [Kind::Normal, Kind::Dev, Kind::Build];

/// The games of the tree that is made here.
const GAMES: [&str; 2] = ["labyrinth", "planes"];

#[test]
fn the_tree_of_this_repository_is_tidy() {
    let tree = Tree::read(&root()).expect("the tree is readable");
    assert!(tree.packages.len() >= ARROWS.len() - 1, "found {} crates", tree.packages.len());
    let wrong: Vec<_> = wrong(&tree);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_sound_tree_has_no_findings() {
    assert_eq!(tidy::check(&sound()), []);
}

/// What the architecture says in words, apart from the table that tidy reads.
#[test]
fn the_arrows_that_the_architecture_forbids_are_not_allowed() {
    let cases = [
        ("labyrinth", "referee", "a game imports `game` only"),
        ("labyrinth", "planes", "a game imports `game` only"),
        ("labyrinth", "sandbox", "a game imports `game` only"),
        ("referee", "labyrinth", "only `games` names a game"),
        ("runner", "labyrinth", "only `games` names a game"),
        ("server", "labyrinth", "only `games` names a game"),
        ("worker", "planes", "only `games` names a game"),
        ("cli", "planes", "only `games` names a game"),
        ("referee", "games", "the core plays games it does not know"),
        ("worker", "sandbox", "only `runner` drives `sandbox`"),
        ("server", "runner", "what faces the internet cannot start a bot"),
        ("server", "sandbox", "what faces the internet cannot start a bot"),
        ("worker", "store", "what runs hostile code cannot reach the database"),
        ("runner", "store", "what runs hostile code cannot reach the database"),
        ("contest", "store", "contest is pure"),
        ("sandbox", "runner", "sandbox knows no games"),
        ("sandbox", "games", "sandbox knows no games"),
        ("store", "server", "nothing imports a process but `cli`"),
        ("server", "worker", "nothing imports a process but `cli`"),
        ("worker", "server", "nothing imports a process but `cli`"),
        ("xtask", "cli", "nothing imports a program"),
        ("server", "cli", "nothing imports a program"),
        ("server", "conformance", "conformance is for tests"),
        ("cli", "conformance", "conformance is for tests"),
        ("game", "referee", "`game` imports nothing"),
        ("jobs", "store", "jobs is what both ends say"),
    ];
    for (from, to, why) in cases {
        let found = planted(from, to, to, Kind::Normal);
        assert_eq!(found.len(), 1, "{from} -> {to}: {why}");
    }
    for (from, to, why) in [
        ("server", "sqlx", "only `store` imports sqlx"),
        ("worker", "sqlx", "only `store` imports sqlx"),
        ("store", "axum", "only `server` imports axum"),
        ("worker", "axum", "only `server` imports axum"),
        ("server", "nix", "the server makes no jails"),
        ("runner", "seccompiler", "only `sandbox` filters calls"),
        ("referee", "tokio", "the core does no I/O"),
        ("labyrinth", "chrono", "the core has no clock"),
        ("contest", "getrandom", "the core has no randomness of its own"),
        ("sandbox", "tokio", "sandbox is a synchronous core"),
    ] {
        for kind in KINDS.into_iter().filter(|it| (from, to, *it) != ("worker", "axum", Kind::Dev))
        {
            assert_eq!(planted(from, to, to, kind).len(), 1, "{from} -> {to} {kind:?}: {why}");
        }
    }
}

#[test]
fn every_pair_of_crates_is_judged_as_the_table_says() {
    let names: Vec<String> = sound().packages.iter().map(|it| it.name.clone()).collect();
    for from in &names {
        for to in &names {
            for kind in KINDS {
                let found = planted(from, to, to, kind);
                if is_allowed(from, to, kind) {
                    assert!(found.is_empty(), "{from} -> {to} {kind:?}: {found:?}");
                } else {
                    assert_eq!(found.len(), 1, "{from} -> {to} {kind:?}: {found:?}");
                    assert_names(&found[0], from, to);
                }
            }
        }
    }
}

#[test]
fn every_crate_of_others_that_is_reserved_is_refused_to_all_but_its_owners() {
    let names: Vec<String> = sound().packages.iter().map(|it| it.name.clone()).collect();
    for row in THEIRS {
        for (from, to) in names.iter().flat_map(|from| row.names.iter().map(move |to| (from, *to)))
        {
            for kind in KINDS {
                let found = planted(from, to, "renamed", kind);
                let may = row.may.contains(&from.as_str());
                if may || (kind == Kind::Dev && row.tests_may.contains(&from.as_str())) {
                    assert!(found.is_empty(), "{from} -> {to} {kind:?}: {found:?}");
                } else {
                    assert_eq!(found.len(), 1, "{from} -> {to} {kind:?}: {found:?}");
                    assert_names(&found[0], from, to);
                }
            }
        }
    }
}

#[test]
fn a_crate_without_a_place_is_refused() {
    let mut tree = sound();
    tree.packages.push(package("matchmaker", &[]));
    let found = wrong(&tree);
    assert!(found[0].starts_with("crates/matchmaker/Cargo.toml:1: "), "{found:?}");
}

/// Every way to write an import, planted in a copy of this repository's own manifests.
#[test]
fn a_wrong_arrow_is_found_however_a_manifest_writes_it() {
    let cases = [
        ("server", "[dependencies.sandbox]\nworkspace = true", "server", "sandbox"),
        ("server", "[dev-dependencies.runner]\nworkspace = true", "a test of server", "runner"),
        (
            "worker",
            "[build-dependencies.store]\nworkspace = true",
            "the build script of worker",
            "store",
        ),
        (
            "worker",
            "[dependencies]\ndb = { package = \"sqlx\", version = \"0.9\" }",
            "worker",
            "sqlx",
        ),
        (
            "worker",
            "[target.'cfg(unix)'.dependencies]\nstore = { path = \"../store\" }",
            "worker",
            "store",
        ),
        (
            "contest",
            "[dependencies]\ngame.workspace = true\nstore = { workspace = true, optional = true }",
            "contest",
            "store",
        ),
        (
            "labyrinth",
            "[target.'cfg(windows)'.dev-dependencies.store]\npath = \"../store\"",
            "a test of labyrinth",
            "store",
        ),
        (
            "referee",
            "[dependencies.labyrinth]\npath = \"../labyrinth\"\ndefault-features = false",
            "referee",
            "labyrinth",
        ),
        ("store", "[dependencies.web]\npackage = \"axum\"\nversion = \"0.8\"", "store", "axum"),
        ("jobs", "[dependencies.kernel]\npackage = \"nix\"\nversion = \"0.32\"", "jobs", "nix"),
        ("xtask", "[dependencies.server]\nworkspace = true", "xtask", "server"),
    ];
    let copy = Copy::of_manifests();
    for (package, planted, from, to) in cases {
        let path = format!("crates/{package}/Cargo.toml");
        let sound = copy.read(&path);
        // What a manifest imports it may import once only.
        let sections: Vec<&str> =
            planted.lines().filter(|it| it.starts_with('[') && sound.contains(*it)).collect();
        let text = match sections[..] {
            [] => format!("{sound}\n{planted}\n"),
            [header] => sound.replacen(header, planted, 1),
            _ => panic!("{planted} repeats sections of {path}"),
        };
        let text = without_repetition(&text);
        copy.write(&path, &text);
        let found = arrows_of(&Tree::read(copy.root()).expect("the copy is readable"));
        copy.write(&path, &sound);
        let found: Vec<_> = found.iter().filter(|it| it.starts_with(&path)).collect();
        assert_eq!(found.len(), 1, "{package}: {planted}: {found:?}");
        assert!(found[0].contains(&format!(": {from} imports {to}; allowed")), "{}", found[0]);
        let line: usize =
            found[0].split(':').nth(1).and_then(|it| it.parse().ok()).expect("a line");
        let line = text.lines().nth(line - 1).expect("the line is there");
        assert!(planted.lines().any(|it| it == line), "{} points to `{line}`", found[0]);
    }
    assert_eq!(arrows_of(&Tree::read(copy.root()).expect("the copy is readable")), [""; 0]);
}

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

// ---- a sound tree, and faults in it ---------------------------------------------------------

fn sound() -> Tree {
    let mut tree = Tree::default();
    for arrows in ARROWS.iter().filter(|it| it.name != EVERY_GAME) {
        tree.packages.push(package(arrows.name, &[]));
    }
    for game in GAMES {
        tree.packages.push(package(game, &["game"]));
    }
    let games = tree.packages.iter_mut().find(|it| it.name == "games").expect("a list of games");
    games.dependencies = GAMES.iter().map(|it| dependency(it, it, Kind::Normal)).collect();
    for package in tree.packages.clone() {
        let manifest = format!("{}/Cargo.toml", package.folder);
        put(&mut tree, &manifest, "[package]\n");
        put(&mut tree, &package.roots[0], "//! Knows itself and nothing else.\n");
    }
    for game in GAMES {
        put(&mut tree, &format!("crates/{game}/tests/golden.rs"), "//! Reads golden games.\n");
        put(&mut tree, &format!("crates/{game}/tests/conformance.rs"), "//! Keeps the laws.\n");
        put(&mut tree, &format!("crates/{game}/tests/golden/games.jsonl"), "{}\n");
    }
    put(&mut tree, "migrations/README.md", "Expand, then contract.\n");
    put(&mut tree, "migrations/20261129213001_create_schema.sql", "select 1;\n");
    tree
}

fn with(path: &str, text: &str) -> Tree {
    let mut tree = sound();
    put(&mut tree, path, text);
    tree
}

fn put(tree: &mut Tree, path: &str, text: &str) {
    tree.files.retain(|it| it.path != path);
    tree.files.push(File { path: path.to_owned(), text: text.to_owned() });
    tree.paths.insert(path.to_owned());
}

fn package(name: &str, imports: &[&str]) -> Package {
    let root = if ["cli", "xtask"].contains(&name) { "main" } else { "lib" };
    Package {
        name: name.to_owned(),
        folder: format!("crates/{name}"),
        dependencies: imports.iter().map(|it| dependency(it, it, Kind::Normal)).collect(),
        roots: vec![format!("crates/{name}/src/{root}.rs")],
    }
}

fn dependency(name: &str, key: &str, kind: Kind) -> Dependency {
    Dependency { name: name.to_owned(), key: key.to_owned(), kind }
}

/// What tidy says when `from` imports `to` besides what it imports in the sound tree.
fn planted(from: &str, to: &str, key: &str, kind: Kind) -> Vec<String> {
    let mut tree = sound();
    let importer = tree.packages.iter_mut().find(|it| it.name == from).expect("the importer");
    importer.dependencies.push(dependency(to, key, kind));
    wrong(&tree)
}

fn is_allowed(from: &str, to: &str, kind: Kind) -> bool {
    let row = if GAMES.contains(&from) { EVERY_GAME } else { from };
    let to_row = if GAMES.contains(&to) { EVERY_GAME } else { to };
    let arrows = ARROWS.iter().find(|it| it.name == row).expect("a row");
    let is_dev = kind == Kind::Dev;
    arrows.may.contains(&to_row) || (is_dev && (arrows.tests_may.contains(&to_row) || from == to))
}

fn is_fault(line: &str) -> bool {
    ["unsafe", "todo!", "unimplemented!", "ignore"].iter().any(|it| line.contains(it))
}

fn wrong(tree: &Tree) -> Vec<String> {
    let findings = tidy::check(tree).into_iter().filter(|it| !it.is_warning);
    findings.map(|it| it.to_string()).collect()
}

fn arrows_of(tree: &Tree) -> Vec<String> {
    wrong(tree).into_iter().filter(|it| it.contains(" imports ")).collect()
}

fn assert_one(tree: Tree, path: &str, line: usize, says: &str) {
    let found = wrong(&tree);
    assert_eq!(found.len(), 1, "{path} {says}: {found:?}");
    assert!(found[0].starts_with(&format!("{path}:{line}: ")), "{}", found[0]);
    assert!(found[0].contains(says), "`{says}` in {}", found[0]);
}

fn assert_names(found: &str, from: &str, to: &str) {
    let start = format!("crates/{from}/Cargo.toml:1: ");
    assert!(found.starts_with(&start), "{found}");
    assert!(found.contains(&format!("{from} imports {to}; allowed")), "{found}");
}

// ---- a copy of the real manifests -----------------------------------------------------------

struct Copy(TempDir);

impl Copy {
    /// The manifests and the Rust files of this repository, which is all that cargo looks at
    /// to say what imports what.
    fn of_manifests() -> Copy {
        let copy = Copy(TempDir::new().expect("a temporary folder"));
        let tree = Tree::read(&root()).expect("the tree is readable");
        let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the manifest");
        copy.write("Cargo.toml", &manifest);
        for file in &tree.files {
            if file.path.ends_with(".rs") || file.path.ends_with("/Cargo.toml") {
                copy.write(&file.path, &file.text);
            }
        }
        copy
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).expect("a file of the copy")
    }

    fn write(&self, path: &str, text: &str) {
        let full = self.root().join(path);
        fs::create_dir_all(full.parent().expect("a folder")).expect("the folder is made");
        fs::write(full, text).expect("the file is written");
    }
}

/// A key that a plant repeats counts where the plant has it.
fn without_repetition(manifest: &str) -> String {
    let mut seen = Vec::new();
    let mut out = String::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            seen.clear();
        } else if line.contains('=') && seen.contains(&line) {
            continue;
        }
        seen.push(line);
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
