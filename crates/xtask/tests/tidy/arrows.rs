//! Wrong arrows: in values for every pair of crates, and in a copy of the real manifests for every
//! way to write one.

use std::{fs, path::Path};

use tempfile::TempDir;
use xtask::{
    tidy::{ARROWS, EVERY_GAME, THEIRS},
    tree::{Kind, Tree},
};

use crate::sound::{GAMES, dependency, package, root, sound, wrong};

const KINDS: [Kind; 3] = [Kind::Normal, Kind::Dev, Kind::Build];

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

fn arrows_of(tree: &Tree) -> Vec<String> {
    wrong(tree).into_iter().filter(|it| it.contains(" imports ")).collect()
}

fn assert_names(found: &str, from: &str, to: &str) {
    let start = format!("crates/{from}/Cargo.toml:1: ");
    assert!(found.starts_with(&start), "{found}");
    assert!(found.contains(&format!("{from} imports {to}; allowed")), "{found}");
}

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
