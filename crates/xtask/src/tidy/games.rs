//! No game without golden data and the conformance kit.

use crate::{
    tidy::{Finding, games},
    tree::Tree,
};

pub(super) fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    for game in games(tree) {
        let tests = format!("{}/tests", game.folder);
        let has = |path: &str| tree.paths.contains(&format!("{tests}/{path}"));
        let golden = format!("{tests}/golden/");
        let has_golden_files =
            tree.paths.iter().any(|it| it.starts_with(&golden) && !it.ends_with(".rs"));
        let mut lacks = |what: &str| {
            let manifest = format!("{}/Cargo.toml", game.folder);
            let text = format!("found the game {} without {what}; allowed is none", game.name);
            findings.push(Finding::wrong(&manifest, 1, text));
        };
        if !has_golden_files {
            lacks("golden data in tests/golden/");
        }
        if !has("golden.rs") && !has("golden/main.rs") {
            lacks("a test of its golden data, tests/golden.rs");
        }
        if !has("conformance.rs") {
            lacks("the laws of all games, tests/conformance.rs");
        }
    }
}
