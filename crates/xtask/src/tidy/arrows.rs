//! Who may import whom: the architecture, as two tables that are read against the manifests.

use std::collections::BTreeSet;

use crate::{
    tidy::{Finding, games},
    tree::{Dependency, Kind, Package, Tree},
};

/// What a crate of ours may import of ours.
#[derive(Clone, Copy, Debug)]
pub struct Arrows {
    /// Who imports.
    pub name: &'static str,
    /// Whom it may import; build scripts are bound by the same.
    pub may: &'static [&'static str],
    /// Whom its tests, benches and examples may import besides.
    pub tests_may: &'static [&'static str],
}

/// A crate of others that only some of ours may import, because it is what they are for.
#[derive(Clone, Copy, Debug)]
pub struct Reserved {
    /// The crates of others.
    pub names: &'static [&'static str],
    /// Ours that may import them.
    pub may: &'static [&'static str],
    /// Ours whose tests may import them besides.
    pub tests_may: &'static [&'static str],
}

/// Stands for each game, in both directions. Which crates are games, the crate `games` says.
pub const EVERY_GAME: &str = "<every game>";

/// Ours. Where a crate is missing here and is no game, it has no place in the architecture yet.
///
/// Two things run through all of it. The server never sees `runner` or `sandbox`, not even in
/// tests: what faces the internet cannot start a bot. The worker never sees `store`: what runs
/// hostile code cannot reach the database. Tests that need both ends belong to `cli`.
/// `game` is vocabulary (seat, clock, fault, outcome), which anyone above it may speak.
#[rustfmt::skip]
pub const ARROWS: &[Arrows] = &[
    // The pure core.
    Arrows { name: "game",        may: &[],                              tests_may: &[] },
    Arrows { name: EVERY_GAME,    may: &["game"],                        tests_may: &["conformance", "referee"] },
    Arrows { name: "referee",     may: &["game"],                        tests_may: &["conformance"] },
    Arrows { name: "games",       may: &["game", "referee", EVERY_GAME], tests_may: &["conformance"] },
    Arrows { name: "contest",     may: &["game"],                        tests_may: &[] },
    // A test kit: no crate imports it but for its tests.
    Arrows { name: "conformance", may: &["game", "referee"],             tests_may: &[] },
    // Every reader of bytes that strangers write, to be tried: no crate imports it.
    Arrows { name: "fuzz",        may: &["conformance", "game", "games", "referee", "runner", "sources"], tests_may: &[] },

    // Machines and memory. The queue in the store holds what `jobs` spells; what follows from a
    // result is told to the store by whoever calls it, so that only its tests see `contest`.
    Arrows { name: "sandbox",     may: &[],                              tests_may: &[] },
    Arrows { name: "sources",     may: &[],                              tests_may: &[] },
    Arrows { name: "jobs",        may: &["game"],                        tests_may: &[] },
    Arrows { name: "store",       may: &["game", "jobs"],                tests_may: &["contest"] },
    Arrows { name: "runner",      may: &["game", "referee", "sandbox", "sources"],  tests_may: &["conformance", "games"] },

    // The processes, and the program that is all of them.
    Arrows { name: "server", may: &["contest", "game", "games", "jobs", "referee", "sources", "store"],
             tests_may: &[] },
    Arrows { name: "worker", may: &["game", "games", "jobs", "referee", "runner"],
             tests_may: &[] },
    Arrows { name: "cli",    may: &["contest", "game", "games", "jobs", "referee", "runner", "sandbox", "server", "sources", "store", "worker"],
             tests_may: &["conformance"] },

    // Beside the product.
    Arrows { name: "xtask",  may: &[], tests_may: &[] },
];

/// Those who may wait, in tasks of tokio's.
const ASYNC: &[&str] = &["runner", "store", "server", "worker", "cli"];

/// Those who may ask what time it is.
const CLOCKED: &[&str] = &["jobs", "store", "server", "worker", "cli"];

/// Theirs. What no row names, anyone may import.
#[rustfmt::skip]
pub const THEIRS: &[Reserved] = &[
    // The database and the blobs have one door.
    Reserved { names: &["sqlx", "object_store"], may: &["store"], tests_may: &[] },
    // So has the web; a worker's tests may stand in for a server.
    Reserved { names: &["axum", "axum-extra"], may: &["server"], tests_may: &["worker", "cli"] },
    Reserved { names: &["askama", "tower-http", "tower_governor", "rust-embed"], may: &["server"], tests_may: &[] },
    // The kernel's mechanisms: jails, the descriptors that lead into them, and the supervisor's uids.
    Reserved { names: &["seccompiler"], may: &["sandbox"], tests_may: &[] },
    Reserved { names: &["nix", "libc"], may: &["sandbox", "runner", "cli"], tests_may: &["store"] },
    // The core has no clock, no I/O and no randomness of its own.
    Reserved { names: &["tokio", "tokio-util", "tokio-stream", "reqwest"], may: ASYNC, tests_may: &[] },
    Reserved { names: &["chrono"], may: CLOCKED, tests_may: &[] },
    Reserved { names: &["getrandom"], may: CLOCKED, tests_may: &[] },
    // Only what a person sees knows the command line.
    Reserved { names: &["clap", "indicatif"], may: &["cli"], tests_may: &[] },
    // What is in an archive is judged in one place, before it is anywhere.
    Reserved { names: &["zip"], may: &["sources"], tests_may: &[] },
    Reserved { names: &["anyhow"], may: &["cli", "xtask"], tests_may: &[] },
];

pub(super) fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    let games: BTreeSet<&str> = games(tree).into_iter().map(|it| it.name.as_str()).collect();
    let ours: BTreeSet<&str> = tree.packages.iter().map(|it| it.name.as_str()).collect();
    for package in &tree.packages {
        let is_game = games.contains(package.name.as_str());
        let row = if is_game { EVERY_GAME } else { &package.name };
        let Some(arrows) = ARROWS.iter().find(|it| it.name == row) else {
            let path = format!("{}/Cargo.toml", package.folder);
            let text = format!(
                "found the crate {}, which nothing places; allowed are crates that `games` imports, \
                 and those of the table in crates/xtask/src/tidy/arrows.rs",
                package.name
            );
            findings.push(Finding::wrong(&path, 1, text));
            continue;
        };
        for dependency in &package.dependencies {
            let is_ours = ours.contains(dependency.name.as_str());
            let fault = if is_ours {
                wrong_arrow(package, arrows, dependency, &games)
            } else {
                wrong_import(package, dependency)
            };
            if let Some(text) = fault {
                let path = format!("{}/Cargo.toml", package.folder);
                let manifest = tree.text(&path).unwrap_or_default();
                let line = line_of(manifest, section(dependency.kind), &dependency.key);
                findings.push(Finding::wrong(&path, line, text));
            }
        }
    }
}

fn wrong_arrow(
    package: &Package,
    arrows: &Arrows,
    dependency: &Dependency,
    games: &BTreeSet<&str>,
) -> Option<String> {
    let mut allowed = BTreeSet::new();
    let besides = if dependency.kind == Kind::Dev { arrows.tests_may } else { &[] };
    for name in arrows.may.iter().chain(besides) {
        if *name == EVERY_GAME {
            allowed.extend(games);
        } else {
            allowed.insert(*name);
        }
    }
    let Dependency { name, kind, .. } = dependency;
    // A crate's tests may import the crate itself, to switch on a feature made for tests.
    let is_itself = *name == package.name && *kind == Kind::Dev;
    (!is_itself && !allowed.contains(name.as_str())).then(|| {
        let allowed = if allowed.is_empty() {
            "none of ours".to_owned()
        } else {
            allowed.into_iter().collect::<Vec<_>>().join(", ")
        };
        format!("{} imports {name}; allowed: {allowed}", importer(package, dependency))
    })
}

fn wrong_import(package: &Package, dependency: &Dependency) -> Option<String> {
    let Dependency { name, kind, .. } = dependency;
    let row = THEIRS.iter().find(|it| it.names.contains(&name.as_str()))?;
    let besides = if *kind == Kind::Dev { row.tests_may } else { &[] };
    let allowed: BTreeSet<&str> = row.may.iter().chain(besides).copied().collect();
    (!allowed.contains(package.name.as_str())).then(|| {
        let allowed = allowed.into_iter().collect::<Vec<_>>().join(", ");
        format!("{} imports {name}; allowed is that to: {allowed}", importer(package, dependency))
    })
}

fn importer(package: &Package, dependency: &Dependency) -> String {
    match dependency.kind {
        Kind::Normal => package.name.clone(),
        Kind::Dev => format!("a test of {}", package.name),
        Kind::Build => format!("the build script of {}", package.name),
    }
}

fn section(kind: Kind) -> &'static str {
    match kind {
        Kind::Normal => "dependencies",
        Kind::Dev => "dev-dependencies",
        Kind::Build => "build-dependencies",
    }
}

/// Where a manifest names a crate: in a section of that name, as `key = ...` or
/// `key.workspace = ...`, or in a section of its own.
pub(super) fn line_of(manifest: &str, section: &str, key: &str) -> usize {
    let mut is_inside = false;
    for (number, line) in (1..).zip(manifest.lines()) {
        if let Some(header) = line.trim().strip_prefix('[') {
            let header = header.trim_end_matches(']');
            let mut parts = header.rsplit('.');
            let last = parts.next().unwrap_or_default();
            is_inside = last == section;
            if last == key && parts.next() == Some(section) {
                return number;
            }
        } else if is_inside {
            let found = line.split(['=', '.']).next().unwrap_or_default();
            if found.trim().trim_matches('"') == key {
                return number;
            }
        }
    }
    1
}
