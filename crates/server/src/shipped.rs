//! Pools of set-ups that are shipped: folders beside a game's configuration.

use std::path::Path;

use referee::AnyGame;
use serde_json::Value;

/// The set-ups of a folder, by file name: in the game's own format (`.json`), or in one of others.
/// Every one of them has to make a good match.
pub(crate) fn read_folder(
    game: &'static dyn AnyGame,
    folder: &Path,
) -> Result<Vec<(String, Value)>, String> {
    let at = |path: &Path, why: String| format!("{}: {why}", path.display());
    let entries = std::fs::read_dir(folder).map_err(|why| at(folder, why.to_string()))?;
    let mut setups = Vec::new();
    for entry in entries {
        let path = entry.map_err(|why| at(folder, why.to_string()))?.path();
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        let Some(name) = path.file_stem().and_then(|it| it.to_str()).map(str::to_owned) else {
            continue;
        };
        let format = game.setup_formats().into_iter().find(|it| it.extension == extension);
        if format.is_none() && extension != "json" {
            continue;
        }
        let bytes = std::fs::read(&path).map_err(|why| at(&path, why.to_string()))?;
        let setup = match format {
            Some(format) => game.read_setup(format.name, &bytes).map_err(|it| it.to_string()),
            None => serde_json::from_slice(&bytes).map_err(|it| it.to_string()),
        };
        let setup = setup.map_err(|why| at(&path, why))?;
        let setup = game.inspect_setup(&setup).map_err(|why| at(&path, why.to_string()))?;
        if !store::is_setup_name(&name) {
            let allowed = store::SETUP_NAME_CHARS_MAX;
            return Err(at(
                &path,
                format!("allowed in its name are 1 to {allowed} of a-z, A-Z, 0-9, -, _ and ."),
            ));
        }
        setups.push((name, setup));
    }
    setups.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(setups)
}

/// What a match on a set-up of a pool is said to be on.
pub(crate) fn preset(pool: &str, setup: &str) -> String {
    format!("{pool}/{setup}")
}

/// What a match is said to be on whose set-up has no name: its parts, `mode map, size 8`.
pub(crate) fn spell_out(setup: &Value) -> String {
    spelled(setup).join(", ")
}

/// Whether a name says only what `setup` says as well, as that of a set-up without one does.
pub(crate) fn is_spelled_out(name: &str, setup: &Value) -> bool {
    let parts = spelled(setup);
    name.split(", ").all(|it| parts.iter().any(|part| part == it))
}

fn spelled(setup: &Value) -> Vec<String> {
    let Some(fields) = setup.as_object() else { return vec![setup.to_string()] };
    let field = |(key, value): (&String, &Value)| match value.as_str() {
        Some(text) => format!("{key} {text}"),
        None => format!("{key} {value}"),
    };
    fields.iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_that_say_no_more_than_the_set_up_are_told_apart() {
        let setup = json!({ "size": 8, "mode": "map", "turn_ms": 1000 });
        for (name, is_spelled) in [
            (spell_out(&setup), true),
            (spell_out(&json!({ "size": 8, "mode": "map" })), true),
            (spell_out(&json!({ "size": 9 })), false),
            ("small".to_owned(), false),
            (preset("courses", "size 8"), false),
        ] {
            assert_eq!(is_spelled_out(&name, &setup), is_spelled, "{name}");
        }
    }
}
