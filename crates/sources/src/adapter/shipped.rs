//! The adapters of all games, as `config/games/<game>/adapters/<adapter>/` holds them.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use thiserror::Error;

use super::{Adapted, Adapter, AdapterError, AdapterTable, NotAdapted};
use crate::{File, Sources};

/// Most files of an adapter.
const FILES_MAX: usize = 100;
/// Most bytes of one of them.
const FILE_BYTES_MAX: u64 = 256 << 10;

/// The adapters of all games.
#[derive(Clone, Debug, Default)]
pub struct Adapters(Vec<(String, Adapter)>);

/// Why adapters cannot be read.
#[derive(Debug, Error)]
pub enum AdaptersError {
    /// A file or folder cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// An adapter's table is no such table.
    #[error("{}: {why}", path.display())]
    Table {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file is larger, or there are more, than may be.
    #[error("{}: found more than {allowed}", path.display())]
    TooMuch {
        /// Which.
        path: PathBuf,
        /// What is allowed.
        allowed: String,
    },
    /// An adapter makes no sense.
    #[error("{}: {error}", path.display())]
    Adapter {
        /// Its folder.
        path: PathBuf,
        /// Why.
        error: AdapterError,
    },
}

impl Adapters {
    /// Reads the adapters of every game in `games`, the folder `config/games`.
    ///
    /// # Errors
    ///
    /// If one of them cannot be read, or makes no sense.
    pub fn load(games: &Path) -> Result<Adapters, AdaptersError> {
        let mut adapters = Vec::new();
        for game in folders(games)? {
            let folder = game.join("adapters");
            if !folder.is_dir() {
                continue;
            }
            let id = game.file_name().unwrap_or_default().to_string_lossy().into_owned();
            for folder in folders(&folder)? {
                adapters.push((id.clone(), read(&folder)?));
            }
        }
        Ok(Adapters(adapters))
    }

    /// All that there are for a game.
    pub fn of<'a>(&'a self, game: &'a str) -> impl Iterator<Item = &'a Adapter> {
        self.0.iter().filter(move |(of, _)| of == game).map(|it| &it.1)
    }

    /// The adapter by which an upload in `language` plays `game`, where it needs one.
    pub fn find(&self, game: &str, language: &str, upload: &Sources) -> Option<&Adapter> {
        self.0
            .iter()
            .find(|(of, it)| of == game && it.language() == language && it.serves(upload))
            .map(|it| &it.1)
    }

    /// What is to be built of an upload for `game`; none where it needs no adapter.
    ///
    /// # Errors
    ///
    /// Where it needs one, and cannot be adapted.
    pub fn adapt(
        &self,
        game: &str,
        language: &str,
        upload: &Sources,
    ) -> Result<Option<Adapted>, NotAdapted> {
        self.find(game, language, upload).map(|it| it.adapt(upload)).transpose()
    }
}

fn read(folder: &Path) -> Result<Adapter, AdaptersError> {
    let mut files = Vec::new();
    gather(folder, folder, &mut files)?;
    let path = folder.join("adapter.toml");
    let at = files.iter().position(|it| it.path == "adapter.toml");
    let table = at.map(|it| files.swap_remove(it).bytes).unwrap_or_default();
    let table = String::from_utf8_lossy(&table);
    let table: AdapterTable = toml::from_str(&table)
        .map_err(|error| AdaptersError::Table { path, why: error.to_string() })?;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    let path = folder.to_owned();
    Adapter::new(table, files).map_err(|error| AdaptersError::Adapter { path, error })
}

fn gather(top: &Path, folder: &Path, files: &mut Vec<File>) -> Result<(), AdaptersError> {
    for path in entries(folder)? {
        if path.is_dir() {
            gather(top, &path, files)?;
            continue;
        }
        let too_much = |path, allowed| Err(AdaptersError::TooMuch { path, allowed });
        let size = fs::metadata(&path).map_err(|error| io_error(&path, error))?.len();
        if size > FILE_BYTES_MAX {
            return too_much(path, format!("{FILE_BYTES_MAX} bytes"));
        }
        if files.len() == FILES_MAX {
            return too_much(top.to_owned(), format!("{FILES_MAX} files"));
        }
        let bytes = fs::read(&path).map_err(|error| io_error(&path, error))?;
        let path = path.strip_prefix(top).unwrap_or(&path).to_string_lossy().into_owned();
        files.push(File { path, bytes });
    }
    Ok(())
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>, AdaptersError> {
    Ok(entries(folder)?.into_iter().filter(|it| it.is_dir()).collect())
}

/// What is in a folder, sorted.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, AdaptersError> {
    let failed = |error| io_error(folder, error);
    let found = fs::read_dir(folder).map_err(failed)?;
    let found: Result<Vec<_>, io::Error> = found.map(|it| Ok(it?.path())).collect();
    let mut found = found.map_err(failed)?;
    found.sort();
    Ok(found)
}

fn io_error(path: &Path, error: io::Error) -> AdaptersError {
    AdaptersError::Io { path: path.to_owned(), error }
}
