//! The core has no clock, no I/O and no randomness of its own, and the rules of games count in
//! whole numbers: time and seed are arguments, and every machine comes to the same end.

use crate::{
    tidy::{Finding, code, games, our_rust},
    tree::Tree,
};

/// Core beside the games.
const CORE: &[&str] = &["game", "referee", "contest"];

/// Modules and types of `std` that bring the world in.
const WORLD: &[&str] = &["env", "fs", "net", "os", "process", "thread", "SystemTime"];

pub(super) fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    let games: Vec<&str> = games(tree).into_iter().map(|it| it.name.as_str()).collect();
    for package in &tree.packages {
        let is_rules = games.contains(&package.name.as_str());
        if !is_rules && !CORE.contains(&package.name.as_str()) {
            continue;
        }
        let source = format!("{}/src/", package.folder);
        for file in our_rust(tree).filter(|it| it.path.starts_with(&source)) {
            let code = code::only_code(&file.text);
            let words: Vec<(usize, &str)> = code::words(&code).collect();
            for (line, found) in world(&words) {
                let text = format!("found `{found}` in {}; allowed are arguments", package.name);
                findings.push(Finding::wrong(&file.path, line, text));
            }
            for (line, word) in words.iter().filter(|it| is_rules && matches!(it.1, "f32" | "f64"))
            {
                let text =
                    format!("found `{word}` in rules; allowed are whole numbers and fractions");
                findings.push(Finding::wrong(&file.path, *line, text));
            }
        }
    }
}

/// Uses of [`WORLD`], by a path or in a list of imports, and readings of a clock.
fn world<'a>(words: &'a [(usize, &'a str)]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut is_std_import = false;
    for (at, &(line, word)) in words.iter().enumerate() {
        let is_path = |step: usize| words.get(at + step).is_some_and(|it| it.1 == ":");
        let next = words.get(at + 3).map_or("", |it| it.1);
        match word {
            "use" => is_std_import = words.get(at + 1).is_some_and(|it| it.1 == "std"),
            ";" => is_std_import = false,
            "std" if !is_std_import && is_path(1) && WORLD.contains(&next) => {
                found.push((line, format!("std::{next}")));
            }
            "Instant" if is_path(1) && next == "now" => found.push((line, "Instant::now".into())),
            _ if is_std_import && WORLD.contains(&word) => {
                found.push((line, format!("std::{word}")))
            }
            _ => {}
        }
    }
    found
}
