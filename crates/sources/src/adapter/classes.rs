//! The classes at the top of sources, as far as an adapter has to know them: what each extends, and
//! so which of them play by it.

use std::collections::{HashMap, HashSet};

use super::AdapterTable;
use crate::words;

/// A class, or whatever else a file can be named after, at the top of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    /// The package of its file.
    package: Option<String>,
    /// Without the package.
    pub(super) name: String,
    pub(super) is_public: bool,
    is_abstract: bool,
    /// Whether its kind has instances that can play.
    is_class: bool,
    /// What it extends, as it is written.
    extends: Option<String>,
    /// Its head says what the adapter knows its classes by.
    says_so: bool,
}

impl Declared {
    /// With the package.
    pub(super) fn path(&self) -> String {
        path(self.package.as_deref(), &self.name)
    }
}

/// What a source declares at the top.
pub(super) fn declared(table: &AdapterTable, source: &[u8]) -> Vec<Declared> {
    let known_by: Vec<Vec<&str>> = table.known_by.iter().map(|it| words(it)).collect();
    let source = String::from_utf8_lossy(source);
    let words = words(&source);
    let mut declared = Vec::new();
    let (mut package, mut depth) = (None, 0_i32);
    // Where the head of a class begins, modifiers among it.
    let (mut begin, mut at) = (0, 0);
    while at < words.len() {
        let word = words[at];
        match word {
            "{" | "(" => depth += 1,
            "}" | ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(word, ";" | "}") {
            begin = at + 1;
        }
        if word == table.package_by && package.is_none() && declared.is_empty() {
            let parts = words[at + 1..].iter().take_while(|it| **it != ";");
            package = Some(parts.copied().collect::<String>());
        }
        let is_class = word == table.class_by;
        // `A.class` is a value.
        let declares = depth == 0
            && (is_class || table.others_by.iter().any(|it| it == word))
            && (at == 0 || words[at - 1] != ".");
        let name = words.get(at + 1).filter(|it| declares && is_identifier(it));
        at += 1;
        let Some(&name) = name else { continue };
        let before = &words[begin..at];
        let n_words = words[at..].iter().take_while(|it| !matches!(**it, "{" | ";" | "(")).count();
        // No word is in two heads, so that heads without an end take no longer than others.
        let head = without_parameters(&words[at - 1..at + n_words]);
        at += n_words;
        let says = |it: &Vec<&str>| !it.is_empty() && is_within(&head, it);
        declared.push(Declared {
            package: package.clone(),
            name: name.to_owned(),
            is_public: before.contains(&"public"),
            is_abstract: before.contains(&"abstract"),
            is_class,
            extends: extended(&head),
            says_so: is_class && known_by.iter().any(says),
        });
    }
    declared
}

/// What the classes of an upload are to an adapter.
pub(super) struct Kinship<'a> {
    classes: Vec<&'a Declared>,
    /// Which of them are known by what they extend, be it by way of others.
    is_known: Vec<bool>,
    is_extended: Vec<bool>,
}

impl<'a> Kinship<'a> {
    /// Of these classes, where some are called as the adapter's `own`.
    pub(super) fn of(classes: Vec<&'a Declared>, own: &HashSet<String>) -> Kinship<'a> {
        let mut by_path = HashMap::new();
        let mut by_name = HashMap::new();
        for (no, class) in classes.iter().enumerate() {
            by_path.entry(class.path()).or_insert(no);
            by_name.entry(class.name.as_str()).or_insert(no);
        }
        let mut is_known = vec![false; classes.len()];
        let mut is_extended = vec![false; classes.len()];
        let mut heirs = vec![Vec::new(); classes.len()];
        let mut new = Vec::new();
        for (no, class) in classes.iter().enumerate() {
            let Some(name) = class.extends.as_deref() else { continue };
            // One of its own package hides those of others.
            let near = by_path.get(&path(class.package.as_deref(), name)).copied();
            let parent = near.or_else(|| by_path.get(name).copied());
            let last = name.rsplit_once('.').map_or(name, |it| it.1);
            let parent = parent.or_else(|| by_name.get(last).copied());
            let is_theirs = |no: &usize| !own.contains(&classes[*no].path());
            // What only has the name of what the adapter's classes extend is another class.
            if class.says_so && near.filter(is_theirs).is_none() {
                is_known[no] = true;
                new.push(no);
            }
            if let Some(parent) = parent.filter(|it| *it != no) {
                is_extended[parent] = true;
                heirs[parent].push(no);
            }
        }
        while let Some(no) = new.pop() {
            for &heir in &heirs[no] {
                if !is_known[heir] {
                    is_known[heir] = true;
                    new.push(heir);
                }
            }
        }
        Kinship { classes, is_known, is_extended }
    }

    /// Those that are known by what they extend.
    pub(super) fn known(&self) -> impl Iterator<Item = &'a Declared> {
        self.classes.iter().zip(&self.is_known).filter(|it| *it.1).map(|it| *it.0)
    }

    /// Those of them that can play: not abstract, and extended by none.
    pub(super) fn players(&self) -> impl Iterator<Item = &'a Declared> {
        let all = self.classes.iter().zip(&self.is_known).zip(&self.is_extended);
        let can = |((it, is_known), is_extended): &((&&Declared, &bool), &bool)| {
            **is_known && !**is_extended && it.is_class && !it.is_abstract
        };
        all.filter(can).map(|it| *it.0.0)
    }
}

fn path(package: Option<&str>, name: &str) -> String {
    match package {
        Some(package) => format!("{package}.{name}"),
        None => name.to_owned(),
    }
}

fn is_identifier(word: &str) -> bool {
    word.starts_with(|it: char| it.is_alphanumeric() || matches!(it, '_' | '$'))
}

/// The head of a class without what stands in `<` and `>`: types there are not what it extends.
fn without_parameters<'a>(head: &[&'a str]) -> Vec<&'a str> {
    let mut depth = 0_i32;
    let mut kept = Vec::new();
    for &word in head {
        match word {
            "<" => depth += 1,
            ">" => depth -= 1,
            word if depth == 0 => kept.push(word),
            _ => {}
        }
    }
    kept
}

/// Whether `head` holds these words in a row, as whole names: `extends A` is not in `extends A.B`.
fn is_within(head: &[&str], wanted: &[&str]) -> bool {
    let ends = |at: usize| head.get(at + wanted.len()) != Some(&".");
    (0..head.len()).any(|at| head[at..].starts_with(wanted) && ends(at))
}

/// What a class extends, package included where it is written.
fn extended(head: &[&str]) -> Option<String> {
    let at = head.iter().position(|it| *it == "extends")?;
    let (first, rest) = head[at + 1..].split_first()?;
    let more = rest.chunks(2).take_while(|it| it.len() == 2 && it[0] == ".").flatten();
    Some([first].into_iter().chain(more).copied().collect())
}
