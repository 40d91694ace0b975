//! Every key in the files of games is explained in the README beside them.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use toml::{Table, Value};

#[test]
fn every_key_in_the_files_of_games_is_explained() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/games");
    let readme = fs::read_to_string(games.join("README.md")).expect("a README");
    let parts: Vec<&str> = readme.split("\n## ").collect();
    for name in ["game.toml", "adapter.toml"] {
        let part = parts.iter().find(|it| it.starts_with(name)).expect("a part for each kind");
        let keys = keys_of(&games, name);
        assert!(keys.len() >= 5, "{name}: {keys:?}");
        for key in keys {
            assert!(part.contains(&format!("`{key}`")), "{name}: `{key}` is not explained");
        }
    }
}

/// All keys of all files of that name, with the tables they are in.
fn keys_of(folder: &Path, name: &str) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path: PathBuf = entry.expect("an entry").path();
        if path.is_dir() {
            keys.extend(keys_of(&path, name));
        } else if path.file_name().is_some_and(|it| it == name) {
            let table: Table = fs::read_to_string(&path).expect("text").parse().expect("TOML");
            gather(&table, "", &mut keys);
        }
    }
    keys
}

fn gather(table: &Table, before: &str, keys: &mut BTreeSet<String>) {
    for (key, value) in table {
        let path = format!("{before}{key}");
        // What is in these is the game's own, or characters.
        let is_ours = !["setup", "elite", "by_hand.setup", "ladder.setup", "setups.picture"]
            .contains(&path.as_str());
        let tables: Vec<&Table> = match value {
            Value::Table(table) => vec![table],
            Value::Array(all) => all.iter().filter_map(Value::as_table).collect(),
            _ => Vec::new(),
        };
        for table in tables.into_iter().filter(|_| is_ours) {
            gather(table, &format!("{path}."), keys);
        }
        keys.insert(path);
    }
}
