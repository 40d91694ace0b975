//! The rules of the house that no compiler checks, each a function from a tree to findings.
//! A finding says where, what was found, and what is allowed.

mod arrows;
mod code;
mod games;
mod heads;
mod migrations;
mod names;
mod pure;
mod texts;
mod versions;

use std::fmt;

pub use self::{
    arrows::{ARROWS, Arrows, EVERY_GAME, Reserved, THEIRS},
    heads::HEAD_LINES_MAX,
    texts::{FILE_LINES_MAX, FILE_LINES_WANTED},
};
use crate::tree::{File, Kind, Package, Tree};

/// Files whose authors are others: bots, and what tests feed on.
const NOT_OURS: &[&str] = &["bots", "fixtures", "golden", "hostile"];

/// Something that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The file, from the top of the tree.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What was found and what is allowed.
    pub text: String,
    /// To watch, but not wrong yet.
    pub is_warning: bool,
}

/// Everything that is wrong with `tree`, by file and line.
pub fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    arrows::check(tree, &mut findings);
    versions::check(tree, &mut findings);
    heads::check(tree, &mut findings);
    texts::check(tree, &mut findings);
    pure::check(tree, &mut findings);
    names::check(tree, &mut findings);
    games::check(tree, &mut findings);
    migrations::check(tree, &mut findings);
    findings.sort();
    findings
}

impl Finding {
    fn wrong(path: &str, line: usize, text: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, text: text.into(), is_warning: false }
    }

    fn to_watch(path: &str, line: usize, text: impl Into<String>) -> Finding {
        Finding { is_warning: true, ..Finding::wrong(path, line, text) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { path, line, text, is_warning } = self;
        let weight = if *is_warning { "watch: " } else { "" };
        write!(f, "{path}:{line}: {weight}{text}")
    }
}

/// The games: what the list of them imports and the table of arrows does not name.
fn games(tree: &Tree) -> Vec<&Package> {
    let listed = tree.package("games").map_or(&[][..], |it| it.dependencies.as_slice());
    let is_listed = |name: &str| listed.iter().any(|it| it.kind == Kind::Normal && it.name == name);
    let is_named = |name: &str| ARROWS.iter().any(|it| it.name == name);
    tree.packages.iter().filter(|it| is_listed(&it.name) && !is_named(&it.name)).collect()
}

/// The Rust files that house rules bind.
fn our_rust(tree: &Tree) -> impl Iterator<Item = &File> {
    tree.files.iter().filter(|it| it.path.ends_with(".rs") && is_ours(&it.path))
}

fn is_ours(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    !folders.any(|it| NOT_OURS.contains(&it))
}
