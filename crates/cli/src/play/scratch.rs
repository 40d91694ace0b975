//! A folder for what bots are built of and run from.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use super::Failure;

/// How long processes that were ended may still write into it.
const EMPTY_WAIT: Duration = Duration::from_secs(2);
const TRY_EVERY: Duration = Duration::from_millis(10);

/// It goes when it is dropped, with all that is in it.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn new() -> Result<Scratch, Failure> {
        let folder = tempfile::Builder::new().prefix("agon-play-").tempdir();
        let folder = folder.map_err(|it| Failure::Judge(format!("making a folder: {it}")))?;
        Ok(Scratch(folder.keep()))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let until = Instant::now() + EMPTY_WAIT;
        while let Err(error) = fs::remove_dir_all(&self.0) {
            if error.kind() == ErrorKind::NotFound {
                break;
            }
            if Instant::now() > until {
                crate::say::note!("agon play: {} is left behind: {error}", self.0.display());
                break;
            }
            thread::sleep(TRY_EVERY);
        }
    }
}
