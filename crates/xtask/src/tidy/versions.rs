//! Each crate that is imported has one version, named once, in the manifest of the workspace;
//! and what is named there is imported.

use std::collections::BTreeSet;

use toml::{Table, Value};

use crate::{
    tidy::{Finding, arrows::line_of},
    tree::{MANIFEST, Tree},
};

/// Sections of a crate's manifest that import.
const SECTIONS: &[&str] = &["dependencies", "dev-dependencies", "build-dependencies"];

pub(super) fn check(tree: &Tree, findings: &mut Vec<Finding>) {
    let mut used = BTreeSet::new();
    for package in &tree.packages {
        let path = format!("{}/{MANIFEST}", package.folder);
        let text = tree.text(&path).unwrap_or_default();
        for (section, key, value) in imports(&table(&path, text, findings)) {
            if value.get("workspace").and_then(Value::as_bool) == Some(true) {
                used.insert(key);
                continue;
            }
            // A crate's tests may import the crate itself, to switch on a feature made for tests.
            if key != package.name {
                let line = line_of(text, &section, &key);
                let text = format!(
                    "found {key} with a version of its own; allowed is `{key}.workspace = true`"
                );
                findings.push(Finding::wrong(&path, line, text));
            }
        }
    }
    let text = tree.text(MANIFEST).unwrap_or_default();
    let root = table(MANIFEST, text, findings);
    let named = root.get("workspace").and_then(|it| it.get("dependencies"));
    for key in named.and_then(Value::as_table).into_iter().flat_map(Table::keys) {
        if !used.contains(key) {
            let line = line_of(text, "dependencies", key);
            let text = format!("found {key}, which no crate uses; allowed is what one does");
            findings.push(Finding::wrong(MANIFEST, line, text));
        }
    }
}

fn table(path: &str, text: &str, findings: &mut Vec<Finding>) -> Table {
    text.parse().unwrap_or_else(|why: toml::de::Error| {
        let line = why.span().map_or(1, |it| text[..it.start].lines().count().max(1));
        let text = format!("found no TOML: {}; allowed is a manifest", why.message());
        findings.push(Finding::wrong(path, line, text));
        Table::new()
    })
}

/// Section, key and value of each import, those for single platforms too.
fn imports(manifest: &Table) -> Vec<(String, String, Value)> {
    let platforms = manifest.get("target").and_then(Value::as_table);
    let platforms = platforms.into_iter().flat_map(Table::values).filter_map(Value::as_table);
    let mut imports = Vec::new();
    for place in [manifest].into_iter().chain(platforms) {
        for section in SECTIONS {
            let found = place.get(*section).and_then(Value::as_table);
            for (key, value) in found.into_iter().flatten() {
                imports.push(((*section).to_owned(), key.clone(), value.clone()));
            }
        }
    }
    imports
}
