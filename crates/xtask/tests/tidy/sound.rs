//! A tree with nothing wrong in it, for faults to be planted in.

use std::path::{Path, PathBuf};

use xtask::{
    tidy::{self, ARROWS, EVERY_GAME},
    tree::{Dependency, File, Kind, Package, Tree},
};

/// Its games.
pub(crate) const GAMES: [&str; 2] = ["labyrinth", "planes"];

pub(crate) fn sound() -> Tree {
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
    put(&mut tree, "Cargo.toml", "[workspace.dependencies]\n");
    put(&mut tree, "migrations/README.md", "Expand, then contract.\n");
    put(&mut tree, "migrations/20261129213001_create_schema.sql", "select 1;\n");
    tree
}

pub(crate) fn with(path: &str, text: &str) -> Tree {
    let mut tree = sound();
    put(&mut tree, path, text);
    tree
}

pub(crate) fn put(tree: &mut Tree, path: &str, text: &str) {
    tree.files.retain(|it| it.path != path);
    tree.files.push(File { path: path.to_owned(), text: text.to_owned() });
    tree.paths.insert(path.to_owned());
}

pub(crate) fn package(name: &str, imports: &[&str]) -> Package {
    let root = if ["cli", "xtask"].contains(&name) { "main" } else { "lib" };
    Package {
        name: name.to_owned(),
        folder: format!("crates/{name}"),
        dependencies: imports.iter().map(|it| dependency(it, it, Kind::Normal)).collect(),
        roots: vec![format!("crates/{name}/src/{root}.rs")],
    }
}

pub(crate) fn dependency(name: &str, key: &str, kind: Kind) -> Dependency {
    Dependency { name: name.to_owned(), key: key.to_owned(), kind }
}

pub(crate) fn wrong(tree: &Tree) -> Vec<String> {
    let findings = tidy::check(tree).into_iter().filter(|it| !it.is_warning);
    findings.map(|it| it.to_string()).collect()
}

pub(crate) fn assert_one(tree: Tree, path: &str, line: usize, says: &str) {
    let found = wrong(&tree);
    assert_eq!(found.len(), 1, "{path} {says}: {found:?}");
    assert!(found[0].starts_with(&format!("{path}:{line}: ")), "{}", found[0]);
    assert!(found[0].contains(says), "`{says}` in {}", found[0]);
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
