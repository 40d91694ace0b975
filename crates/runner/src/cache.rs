//! Unpacked artefacts by digest, as many as have room; the least used go first.

use std::{
    collections::HashMap,
    fs::{self, File, Permissions},
    io::{self, Read},
    os::{fd::OwnedFd, unix::fs::PermissionsExt},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use thiserror::Error;

use crate::pack::{PackError, unpack};

/// What a folder is called while it is filled.
const HALF: &str = "half-";
/// A folder of unpacked artefacts.
#[derive(Debug)]
pub struct Cache {
    dir: PathBuf,
    bytes_max: u64,
    shelf: Mutex<Shelf>,
    n_halves: AtomicU64,
}

/// An unpacked artefact. As long as it is held, it stays.
#[derive(Clone, Debug)]
pub struct Artefact {
    /// Its folder, open for reading.
    pub folder: Arc<OwnedFd>,
    /// What is run of it.
    pub entry: String,
    _held: Arc<()>,
}

/// Why an artefact cannot be had.
#[derive(Debug, Error)]
pub enum CacheError {
    /// Its name is no digest.
    #[error("{0:?} is no digest: 64 digits and letters from a to f")]
    Digest(String),
    /// It is no pack.
    #[error("artefact {digest}: {error}")]
    Pack {
        /// Which.
        digest: String,
        /// What is wrong with it.
        error: PackError,
    },
    /// The folder of the cache cannot be used.
    #[error("{}: {error}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

#[derive(Debug, Default)]
struct Shelf {
    held: HashMap<String, Slot>,
    bytes: u64,
    /// Counts uses, so that the last use of each is known.
    now: u64,
}

#[derive(Debug)]
struct Slot {
    artefact: Artefact,
    bytes: u64,
    used: u64,
}

impl Cache {
    /// Opens a cache that begins empty: what an earlier one has left is removed.
    ///
    /// # Errors
    ///
    /// Where `dir` cannot be made or be emptied.
    pub fn open(dir: &Path, bytes_max: u64) -> Result<Cache, CacheError> {
        let io = |error| CacheError::Io { path: dir.to_owned(), error };
        fs::create_dir_all(dir).map_err(io)?;
        for entry in fs::read_dir(dir).map_err(io)? {
            let path = entry.map_err(io)?.path();
            let removed = if path.is_dir() && !path.is_symlink() {
                fs::remove_dir_all(&path)
            } else {
                fs::remove_file(&path)
            };
            removed.map_err(|error| CacheError::Io { path, error })?;
        }
        let (shelf, n_halves) = (Mutex::default(), AtomicU64::new(0));
        Ok(Cache { dir: dir.to_owned(), bytes_max, shelf, n_halves })
    }

    /// The artefact, if it is here.
    pub fn get(&self, digest: &str) -> Option<Artefact> {
        let mut shelf = self.shelf();
        shelf.now += 1;
        let now = shelf.now;
        let slot = shelf.held.get_mut(digest)?;
        slot.used = now;
        Some(slot.artefact.clone())
    }

    /// Unpacks an artefact and keeps it. `pack` has that digest: who fetched it has checked.
    ///
    /// # Errors
    ///
    /// Where it is no pack, or cannot be stored.
    pub fn put(&self, digest: &str, pack: impl Read) -> Result<Artefact, CacheError> {
        let is_digest =
            digest.len() == 64 && digest.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
        if !is_digest {
            return Err(CacheError::Digest(digest.chars().take(80).collect()));
        }
        let half =
            self.dir.join(format!("{HALF}{}", self.n_halves.fetch_add(1, Ordering::Relaxed)));
        let made = self.fill(&half, digest, pack);
        if made.is_err() {
            // The error that counts is the first.
            let _ = fs::remove_dir_all(&half);
        }
        let (entry, bytes) = made?;
        let io = |error| CacheError::Io { path: half.clone(), error };
        let mut shelf = self.shelf();
        if !shelf.held.contains_key(digest) {
            shelf.make_room(&self.dir, bytes, self.bytes_max);
            let path = self.dir.join(digest);
            fs::rename(&half, &path).map_err(io)?;
            let folder: OwnedFd = File::open(&path).map_err(io)?.into();
            let artefact = Artefact { folder: Arc::new(folder), entry, _held: Arc::new(()) };
            shelf.bytes += bytes;
            shelf.held.insert(digest.to_owned(), Slot { artefact, bytes, used: 0 });
        } else {
            // Somebody else was quicker, and theirs is the same.
            fs::remove_dir_all(&half).map_err(io)?;
        }
        drop(shelf);
        self.get(digest).ok_or_else(|| io(io::Error::other("it vanished at once")))
    }

    fn fill(
        &self,
        half: &Path,
        digest: &str,
        pack: impl Read,
    ) -> Result<(String, u64), CacheError> {
        let io = |error| CacheError::Io { path: half.to_owned(), error };
        fs::create_dir(half).map_err(io)?;
        let unpacked = unpack(pack, half);
        let unpacked =
            unpacked.map_err(|error| CacheError::Pack { digest: digest.to_owned(), error })?;
        open_to_all(half).map_err(io)?;
        Ok(unpacked)
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        // Nothing in there is left half done by a panic.
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Shelf {
    /// Lets the least used go until `bytes` more have room, or all that are left are in use.
    fn make_room(&mut self, dir: &Path, bytes: u64, bytes_max: u64) {
        while self.bytes + bytes > bytes_max {
            let idle =
                self.held.iter().filter(|(_, it)| Arc::strong_count(&it.artefact._held) == 1);
            let Some(digest) = idle.min_by_key(|(_, it)| it.used).map(|(digest, _)| digest.clone())
            else {
                return;
            };
            if let Some(slot) = self.held.remove(&digest) {
                self.bytes -= slot.bytes;
            }
            if let Err(error) = fs::remove_dir_all(dir.join(&digest)) {
                tracing::warn!(digest, %error, "an unpacked artefact cannot be removed");
            }
        }
    }
}

/// Bots run as users of their own, who have to read this whatever our mask is.
fn open_to_all(dir: &Path) -> io::Result<()> {
    fs::set_permissions(dir, Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_to_all(&entry.path())?;
        } else {
            let executable = entry.metadata()?.permissions().mode() & 0o100 != 0;
            let mode = if executable { 0o555 } else { 0o444 };
            fs::set_permissions(entry.path(), Permissions::from_mode(mode))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::{Pack, Packer};

    fn pack(contents: &[u8]) -> Pack {
        let mut packer = Packer::new(tempfile::tempfile().unwrap(), 1 << 20, "bot").unwrap();
        packer.add("bot", contents.len() as u64, true, contents).unwrap();
        packer.finish().unwrap()
    }

    #[test]
    fn the_least_used_goes_first_and_what_is_in_use_stays() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path(), 250).unwrap();
        let packs: Vec<Pack> = (0..4).map(|it| pack(&[it; 100])).collect();
        let digests: Vec<String> = packs.iter().map(|it| it.digest.clone()).collect();
        let mut files = packs.into_iter().map(|it| it.file);
        let mut put = |n: usize| cache.put(&digests[n], files.next().unwrap()).unwrap();
        let first = put(0);
        drop(put(1));
        drop(put(2));
        assert!(cache.get(&digests[0]).is_some(), "in use");
        assert!(cache.get(&digests[1]).is_none(), "least used");
        drop(first);
        assert!(cache.get(&digests[2]).is_some());
        drop(put(3));
        assert!(cache.get(&digests[0]).is_none());
        let mut left: Vec<_> = fs::read_dir(dir.path())
            .unwrap()
            .map(|it| it.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let mut wanted = vec![digests[2].clone(), digests[3].clone()];
        wanted.sort();
        assert_eq!(left, wanted);
    }

    #[test]
    fn names_that_are_no_digests_and_bytes_that_are_no_packs_leave_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let cache = Cache::open(dir.path(), 1 << 20).unwrap();
        for bad in ["", "../x", &"A".repeat(64), &"0".repeat(63)] {
            assert!(matches!(cache.put(bad, &b""[..]), Err(CacheError::Digest(_))), "{bad}");
        }
        let digest = "0".repeat(64);
        assert!(matches!(cache.put(&digest, &b"junk"[..]), Err(CacheError::Pack { .. })));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn opening_removes_what_an_earlier_cache_has_left() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("half-0/deep")).unwrap();
        fs::write(dir.path().join("file"), "x").unwrap();
        Cache::open(dir.path(), 1).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
