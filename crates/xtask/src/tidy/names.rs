//! Names are the field's own nouns: a word that fits everything names nothing.

use crate::{
    tidy::{Finding, code, our_rust},
    tree::Tree,
};

/// Endings of types that say nothing, as they are written in a type and in a module.
const EMPTY_WORDS: &[(&str, &str)] = &[
    ("Manager", "manager"),
    ("Helper", "helper"),
    ("Helpers", "helpers"),
    ("Util", "util"),
    ("Utils", "utils"),
    ("Data", "data"),
];

const ALLOWED: &str = "allowed are the nouns of the field: player, seat, match, round, clock";

pub(super) fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    for package in &tree.packages {
        if is_empty_module(&package.name) {
            let text = format!("found the crate {}; {ALLOWED}", package.name);
            findings.push(Finding::wrong(&format!("{}/Cargo.toml", package.folder), 1, text));
        }
    }
    for file in our_rust(tree) {
        let stem = file.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs");
        if is_empty_module(stem) {
            findings.push(Finding::wrong(
                &file.path,
                1,
                format!("found the file {stem}.rs; {ALLOWED}"),
            ));
        }
        let code = code::only_code(&file.text);
        let words: Vec<(usize, &str)> = code::words(&code).collect();
        for pair in words.windows(2) {
            let [(_, keyword), (line, name)] = [pair[0], pair[1]];
            let is_empty = match keyword {
                "struct" | "enum" | "union" | "trait" | "type" => is_empty_type(name),
                "mod" => is_empty_module(name),
                _ => false,
            };
            if is_empty {
                findings.push(Finding::wrong(
                    &file.path,
                    line,
                    format!("found {keyword} `{name}`; {ALLOWED}"),
                ));
            }
        }
    }
}

fn is_empty_type(name: &str) -> bool {
    EMPTY_WORDS.iter().any(|(ending, _)| name.ends_with(ending))
}

fn is_empty_module(name: &str) -> bool {
    name.split(['_', '-']).next_back().is_some_and(|last| EMPTY_WORDS.iter().any(|it| it.1 == last))
}
