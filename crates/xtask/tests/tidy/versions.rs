//! Faults in which version of a crate is imported, and where that is said.

use xtask::tidy;

use crate::sound::{assert_one, put, with};

const ROOT: &str = "Cargo.toml";
const STORE: &str = "crates/store/Cargo.toml";

#[test]
fn what_the_workspace_names_is_imported() {
    let cases = [
        ("[workspace.dependencies]\nhex = \"0.4\"\nserde = \"1\"\n", 2),
        ("[workspace.dependencies]\nserde = \"1\"\n\n# Why.\nhex = { version = \"0.4\" }\n", 5),
        (
            "[workspace.dependencies]\nserde = \"1\"\n[workspace.dependencies.hex]\nversion = \"0.4\"\n",
            3,
        ),
    ];
    for (root, line) in cases {
        let mut tree = with(ROOT, root);
        put(&mut tree, STORE, "[package]\n[dependencies]\nserde.workspace = true\n");
        assert_one(tree.clone(), ROOT, line, "found hex, which no crate uses");
        put(
            &mut tree,
            "crates/jobs/Cargo.toml",
            "[package]\n[dev-dependencies]\nhex.workspace = true\n",
        );
        assert_eq!(tidy::check(&tree), [], "{root}");
    }
}

#[test]
fn no_crate_has_a_version_of_its_own() {
    let cases = [
        ("[dependencies]\nhex = \"0.4\"\n", 3),
        ("[dev-dependencies]\nserde.workspace = true\nhex = { version = \"0.4\" }\n", 4),
        ("[build-dependencies.hex]\npath = \"../hex\"\n", 2),
        ("[target.'cfg(unix)'.dependencies]\nhex = { workspace = false, version = \"0.4\" }\n", 3),
    ];
    for (sections, line) in cases {
        let manifest = format!("[package]\n{sections}");
        assert_one(with(STORE, &manifest), STORE, line, "allowed is `hex.workspace = true`");
    }
    let itself =
        "[package]\n[dev-dependencies]\nstore = { path = \".\", features = [\"testing\"] }\n";
    assert_eq!(tidy::check(&with(STORE, itself)), []);
}

#[test]
fn a_manifest_is_toml() {
    assert_one(with(STORE, "[package]\nname store\n"), STORE, 2, "found no TOML");
}
