//! A migration is named by when it was written and what it does: `20261129213000_add_bots.sql`.

use crate::{tidy::Finding, tree::Tree};

const FOLDER: &str = "migrations/";
const ALLOWED: &str = "allowed is YYYYMMDDhhmmss_verb_noun.sql, each second once";

pub(super) fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    let mut last = "";
    for path in tree.paths.iter().filter(|it| it.starts_with(FOLDER)) {
        let name = &path[FOLDER.len()..];
        if name == "README.md" {
            continue;
        }
        match moment(name) {
            Some(moment) if moment != last => last = moment,
            _ => {
                findings.push(Finding::wrong(path, 1, format!("found the name {name}; {ALLOWED}")))
            }
        }
    }
}

/// When it was written, where the name is well formed.
fn moment(name: &str) -> Option<&str> {
    let (moment, rest) = name.strip_suffix(".sql")?.split_once('_')?;
    let words: Vec<&str> = rest.split('_').collect();
    let is_word = |it: &&str| {
        !it.is_empty() && it.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit())
    };
    let starts_with_a_verb = rest.starts_with(|it: char| it.is_ascii_lowercase());
    let is_deed = starts_with_a_verb && words.len() >= 2 && words.iter().all(is_word);
    (is_moment(moment) && is_deed).then_some(moment)
}

fn is_moment(text: &str) -> bool {
    let is_digits = text.len() == 14 && text.bytes().all(|it| it.is_ascii_digit());
    let between = |from: usize, to: usize, least: u32, most: u32| {
        text[from..to].parse().is_ok_and(|it: u32| (least..=most).contains(&it))
    };
    is_digits
        && between(4, 6, 1, 12)
        && between(6, 8, 1, 31)
        && between(8, 10, 0, 23)
        && between(10, 12, 0, 59)
        && between(12, 14, 0, 59)
}
