//! Set-ups, and files of others with set-ups and matches, of every game there is.

use std::{
    fs,
    path::{Path, PathBuf},
};

use game::{PerSeat, Sitter};
use referee::AnyGame;
use serde_json::{Map, Value as Json};

use crate::matches::small_setup;

/// Files that make seeds, of each format: the smallest, which are changed the most.
const FILES_MAX: usize = 3;
/// Stands between the files of a match.
const BETWEEN: u8 = 0;

/// A set-up that is taken is one in full, survives being written, and can be played, drawn and
/// inspected.
pub(crate) fn setup(bytes: &[u8]) {
    let Ok(setup) = serde_json::from_slice::<Json>(bytes) else { return };
    for game in games::GAMES.iter().copied() {
        let _ = game.draw_setup(&setup);
        let inspected = game.inspect_setup(&setup);
        let sitters = PerSeat::new(game.roles().len(), |_| Sitter::Bot);
        match game.check_setup(&setup, &sitters) {
            Ok(full) => {
                assert_eq!(game.check_setup(&full, &sitters).as_ref(), Ok(&full));
                assert!(inspected.is_err() || inspected == Ok(full.clone()), "{full}");
                game.position(&full, &sitters).expect("a set-up that was checked");
                written(game, &full);
            }
            Err(_) => assert!(inspected.is_err(), "{setup} passes inspection"),
        }
    }
}

/// Files are read whatever they hold; what was read can be written.
pub(crate) fn setup_file(bytes: &[u8]) {
    for game in games::GAMES.iter().copied() {
        for format in game.setup_formats() {
            if let Ok(setup) = game.read_setup(format.name, bytes) {
                let _ = game.inspect_setup(&setup);
                written(game, &setup);
            }
        }
    }
}

/// What a format has words for, it reads again as the same.
fn written(game: &dyn AnyGame, setup: &Json) {
    for format in game.setup_formats() {
        let Ok(file) = game.write_setup(format.name, setup) else { continue };
        let again = game.read_setup(format.name, &file);
        assert_eq!(again.as_ref(), Ok(setup), "{}, {}", game.id(), format.name);
    }
}

/// A match may be several files. What was read and can be played can be written.
pub(crate) fn record_file(bytes: &[u8]) {
    let files: Vec<&[u8]> = bytes.split(|it| *it == BETWEEN).collect();
    for game in games::GAMES {
        for format in game.record_formats() {
            let Ok((record, names)) = game.read_record(format.name, &files) else { continue };
            if game.judge(&record, &mut || true).is_ok() {
                let _ = game.write_record(format.name, &record, &names);
            }
        }
    }
}

pub(crate) fn setups() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for game in games::GAMES.iter().copied() {
        let untouched = game.set_up(&Map::new());
        let setups = [untouched, small_setup(game, 0), small_setup(game, 1)];
        seeds.extend(setups.into_iter().flatten().map(|it| it.to_string().into_bytes()));
        for format in game.setup_formats() {
            let files = shipped(game, format.extension);
            let read = files.iter().filter_map(|it| game.read_setup(format.name, it).ok());
            seeds.extend(read.map(|it| it.to_string().into_bytes()));
        }
    }
    seeds
}

pub(crate) fn setup_files() -> Vec<Vec<u8>> {
    let mut seeds = vec![b"{}".to_vec()];
    for game in games::GAMES.iter().copied() {
        for format in game.setup_formats() {
            seeds.extend(shipped(game, format.extension));
            let written = small_setup(game, 0).map(|it| game.write_setup(format.name, &it));
            seeds.extend(written.into_iter().flatten());
        }
    }
    seeds
}

pub(crate) fn record_files() -> Vec<Vec<u8>> {
    let mut seeds = vec![b"{}".to_vec()];
    for game in games::GAMES.iter().copied() {
        for format in game.record_formats() {
            let files = shipped(game, format.extension);
            seeds.push(files.join(&BETWEEN));
            seeds.extend(files);
        }
    }
    seeds
}

/// Where a game's files are.
pub(crate) fn config(game: &dyn AnyGame) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/games").join(game.id())
}

/// The smallest files that are shipped with a game and whose names end so.
fn shipped(game: &dyn AnyGame, extension: &str) -> Vec<Vec<u8>> {
    let mut folders = vec![config(game)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of the product") {
            let path = entry.expect("a folder of the product").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == extension) {
                files.push(fs::read(path).expect("a file of the product"));
            }
        }
    }
    files.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    files.truncate(FILES_MAX);
    files
}
