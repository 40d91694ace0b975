//! What no file may hold: `unsafe` outside the jail, unfinished code, tests that do not run, and
//! more lines than somebody reads in one go.

use crate::{
    tidy::{Finding, NOT_OURS, code, our_rust},
    tree::{File, Tree},
};

/// A file that passes this many lines wants to be two.
pub const FILE_LINES_WANTED: usize = 500;

/// More lines than this, no file has.
pub const FILE_LINES_MAX: usize = 800;

/// Endings of what people write line by line.
const WRITTEN: &[&str] = &[".rs", ".ts", ".js", ".css", ".html", ".sql"];

/// Where `unsafe` may stand.
const UNSAFE_FOLDER: &str = "crates/sandbox/";

/// How far above `unsafe` the comment that defends it may begin.
const SAFETY_LINES_MAX: usize = 8;

pub(super) fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in our_rust(tree) {
        let code = code::only_code(&file.text);
        check_words(file, &code, findings);
        check_fences(file, findings);
    }
    for file in &tree.files {
        check_length(file, findings);
    }
}

fn check_words(file: &File, code: &str, findings: &mut Vec<Finding>) {
    let words: Vec<(usize, &str)> = code::words(code).collect();
    let mut wrong = |line: usize, text: &str| findings.push(Finding::wrong(&file.path, line, text));
    for (at, (line, word)) in words.iter().enumerate() {
        let next = words.get(at + 1).map_or("", |it| it.1);
        match (*word, next) {
            ("unsafe", _) if !file.path.starts_with(UNSAFE_FOLDER) => {
                wrong(*line, "found `unsafe`; allowed is it in sandbox alone");
            }
            // What a caller must keep to is in the documentation of an `unsafe fn`.
            ("unsafe", "fn" | "extern" | "(") => {}
            ("unsafe", _) if !has_safety_comment(&file.text, *line) => {
                wrong(
                    *line,
                    "found `unsafe` that nothing defends; allowed is it below a comment `SAFETY: why`",
                );
            }
            ("todo" | "unimplemented", "!") => {
                wrong(*line, &format!("found `{word}!`; allowed is what works"));
            }
            ("ignore", _) if is_attribute(&words[..at]) => {
                wrong(*line, "found `#[ignore]`; allowed are tests that run");
            }
            _ => {}
        }
    }
}

/// An example that nobody compiles is an ignored test too.
fn check_fences(file: &File, findings: &mut Vec<Finding>) {
    for (line, text) in (1..).zip(file.text.lines()) {
        let text = text.trim_start();
        let Some(text) = text.strip_prefix("///").or_else(|| text.strip_prefix("//!")) else {
            continue;
        };
        if text.trim_start().starts_with("```ignore") {
            let found = "found an example marked `ignore`; allowed are ones that run, or `text`";
            findings.push(Finding::wrong(&file.path, line, found));
        }
    }
}

fn has_safety_comment(text: &str, line: usize) -> bool {
    let first = line.saturating_sub(SAFETY_LINES_MAX + 1);
    text.lines().take(line).skip(first).any(|it| it.contains("SAFETY:"))
}

/// Whether the words before stand in an attribute that is still open.
fn is_attribute(before: &[(usize, &str)]) -> bool {
    let mut depth = 0;
    for (at, (_, word)) in before.iter().enumerate().rev() {
        match *word {
            "]" => depth += 1,
            "[" if depth > 0 => depth -= 1,
            "[" => return at > 0 && matches!(before[at - 1].1, "#" | "!"),
            ";" | "{" | "}" => return false,
            _ => {}
        }
    }
    false
}

fn check_length(file: &File, findings: &mut Vec<Finding>) {
    let is_data = file.path.split('/').any(|it| NOT_OURS.contains(&it))
        || file.text.lines().take(5).any(|it| it.contains("@generated"));
    if is_data || !WRITTEN.iter().any(|it| file.path.ends_with(it)) {
        return;
    }
    let lines = file.text.lines().count();
    if lines > FILE_LINES_MAX {
        let text = format!("found {lines} lines; allowed are {FILE_LINES_MAX}");
        findings.push(Finding::wrong(&file.path, lines, text));
    } else if lines > FILE_LINES_WANTED {
        let text =
            format!("found {lines} lines; from {FILE_LINES_WANTED} on a file wants to be two");
        findings.push(Finding::to_watch(&file.path, lines, text));
    }
}
