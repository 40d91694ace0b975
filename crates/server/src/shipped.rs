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
        game.inspect_setup(&setup).map_err(|why| at(&path, why.to_string()))?;
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
