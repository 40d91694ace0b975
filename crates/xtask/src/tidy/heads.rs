//! Every file opens with `//!` and its idea; the root of a crate also says what it does not know.

use crate::{
    tidy::{Finding, our_rust},
    tree::Tree,
};

/// Lines in the head of a file.
pub const HEAD_LINES_MAX: usize = 5;

/// Lines in the head of a crate's root, which is the crate's own page.
const ROOT_HEAD_LINES_MAX: usize = 40;

/// Fewer words say nothing.
const WORDS_MIN: usize = 3;

/// One of these stands in every sentence about what a crate does not know.
const NEGATIONS: &[&str] =
    &["no", "not", "none", "nothing", "never", "neither", "nor", "nobody", "without", "cannot"];

pub(super) fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    for file in our_rust(tree) {
        let is_root = tree.packages.iter().any(|it| it.roots.contains(&file.path));
        // A crate's page is its library's root where it has one, else its program's.
        let is_page = tree.packages.iter().any(|it| it.roots.first() == Some(&file.path));
        let head: Vec<&str> = file
            .text
            .lines()
            .skip_while(|it| it.starts_with("#!/"))
            .map_while(|it| it.strip_prefix("//!"))
            .collect();
        let lines_max = if is_root { ROOT_HEAD_LINES_MAX } else { HEAD_LINES_MAX };
        let words: Vec<String> = head
            .iter()
            .flat_map(|it| it.split(|it: char| !it.is_alphanumeric()))
            .filter(|it| !it.is_empty())
            .map(str::to_lowercase)
            .collect();
        let fault = if head.is_empty() {
            format!(
                "found no `//!` head; allowed are 1 to {lines_max} lines that say what the file is for"
            )
        } else if head.len() > lines_max {
            format!("found a head of {} lines; allowed are 1 to {lines_max}", head.len())
        } else if words.len() < WORDS_MIN {
            format!(
                "found a head that says nothing: `//!{}`; allowed is a sentence",
                head.join(" ")
            )
        } else if is_page && !words.iter().any(|it| NEGATIONS.contains(&it.as_str())) {
            "found the head of a crate that leaves out what the crate does not know; allowed is one \
             that says both what it is and what it does not know"
                .to_owned()
        } else {
            continue;
        };
        findings.push(Finding::wrong(&file.path, 1, fault));
    }
}
