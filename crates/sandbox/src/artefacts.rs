//! Takes regular files out of a folder that a hostile program has filled.
//!
//! Every name is opened beneath the folder it was found in, with links of any
//! kind refused by the kernel, and is looked at only through the open
//! descriptor: nothing can be swapped between a check and its use.

use std::{
    fs::File,
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

use nix::{
    dir::Dir,
    errno::Errno,
    fcntl::{OFlag, OpenHow, ResolveFlag, openat2},
    sys::stat::{SFlag, fstat},
};
use thiserror::Error;

/// Deepest folder that is looked into.
pub const DEPTH_MAX: u32 = 32;
/// Most names that are looked at, whatever they turn out to be.
pub const NAMES_MAX: u64 = 100_000;

/// The most that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArtefactLimits {
    /// Most regular files.
    pub files_max: u64,
    /// Most bytes of all of them.
    pub bytes_max: u64,
}

/// One regular file.
#[derive(Debug)]
pub struct Artefact<'a> {
    /// Its path from the folder, with `/` between names.
    pub path: &'a str,
    /// Its length; the file cannot be read beyond it.
    pub bytes: u64,
    /// Whether its owner may execute it.
    pub executable: bool,
    /// Its contents.
    pub file: io::Take<File>,
}

/// Why files were not taken.
#[derive(Debug, Error)]
pub enum ArtefactError {
    /// There are too many files.
    #[error("more than {allowed} files")]
    TooManyFiles {
        /// How many are allowed.
        allowed: u64,
    },
    /// The files are too large.
    #[error("{path}: with this file of {bytes} bytes, more than {allowed} bytes")]
    TooManyBytes {
        /// The file that was too much.
        path: String,
        /// Its length.
        bytes: u64,
        /// How many are allowed.
        allowed: u64,
    },
    /// There are too many names of any kind.
    #[error("more than {allowed} names")]
    TooManyNames {
        /// How many are allowed.
        allowed: u64,
    },
    /// Folders lie too deep in each other.
    #[error("{path}: deeper than {allowed} folders")]
    TooDeep {
        /// The folder.
        path: String,
        /// How deep is allowed.
        allowed: u32,
    },
    /// A name is not text.
    #[error("{path:?}: a file's name is not UTF-8")]
    BadName {
        /// The name, as far as it can be shown.
        path: String,
    },
    /// A file or folder could not be opened.
    #[error("{path}: {error}")]
    Open {
        /// Which one.
        path: String,
        /// What the kernel said.
        error: io::Error,
    },
    /// Whoever took the file failed.
    #[error("{path}: taking it failed: {error}")]
    Take {
        /// Which file.
        path: String,
        /// What went wrong.
        error: io::Error,
    },
}

/// Hands every regular file under `root` to `take`, and returns how many there
/// were. Links, pipes, sockets and devices are passed over; they are neither
/// followed nor waited for. Call it when the jail has ended.
pub fn collect_artefacts(
    root: BorrowedFd<'_>,
    limits: ArtefactLimits,
    take: impl FnMut(Artefact<'_>) -> io::Result<()>,
) -> Result<u64, ArtefactError> {
    let mut walk = Walk { limits, names: 0, files: 0, bytes: 0, take };
    let folder = open(root, ".", OFlag::O_DIRECTORY).map_err(|error| failed("/", error))?;
    walk.folder(folder, "", 1)?;
    Ok(walk.files)
}

struct Walk<T> {
    limits: ArtefactLimits,
    names: u64,
    files: u64,
    bytes: u64,
    take: T,
}

impl<T: FnMut(Artefact<'_>) -> io::Result<()>> Walk<T> {
    fn folder(&mut self, folder: OwnedFd, path: &str, depth: u32) -> Result<(), ArtefactError> {
        if depth > DEPTH_MAX {
            return Err(ArtefactError::TooDeep { path: path.to_owned(), allowed: DEPTH_MAX });
        }
        let listing = folder
            .try_clone()
            .map_err(|error| ArtefactError::Open { path: path.to_owned(), error })?;
        let mut listing = Dir::from_fd(listing).map_err(|error| failed(path, error))?;
        let mut names = Vec::new();
        for entry in listing.iter() {
            let entry = entry.map_err(|error| failed(path, error))?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            self.names += 1;
            if self.names > NAMES_MAX {
                return Err(ArtefactError::TooManyNames { allowed: NAMES_MAX });
            }
            match name.to_str() {
                Ok(name) => names.push(name.to_owned()),
                Err(_) => {
                    return Err(ArtefactError::BadName {
                        path: format!("{path}{}", name.to_string_lossy()),
                    });
                }
            }
        }
        // The order of a listing is chance; what is taken should not be.
        names.sort_unstable();
        for name in names {
            self.name(folder.as_fd(), &name, format!("{path}{name}"), depth)?;
        }
        Ok(())
    }

    fn name(
        &mut self,
        folder: BorrowedFd<'_>,
        name: &str,
        path: String,
        depth: u32,
    ) -> Result<(), ArtefactError> {
        let found = match open(folder, name, OFlag::O_NONBLOCK | OFlag::O_NOCTTY) {
            Ok(found) => found,
            // A link, or a socket.
            Err(Errno::ELOOP | Errno::ENXIO) => return Ok(()),
            Err(error) => return Err(failed(&path, error)),
        };
        let stat = fstat(&found).map_err(|error| failed(&path, error))?;
        let kind = SFlag::from_bits_truncate(stat.st_mode & SFlag::S_IFMT.bits());
        if kind == SFlag::S_IFDIR {
            return self.folder(found, &format!("{path}/"), depth + 1);
        }
        if kind != SFlag::S_IFREG {
            return Ok(());
        }
        let bytes = u64::try_from(stat.st_size).unwrap_or(0);
        self.files += 1;
        if self.files > self.limits.files_max {
            return Err(ArtefactError::TooManyFiles { allowed: self.limits.files_max });
        }
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.limits.bytes_max {
            return Err(ArtefactError::TooManyBytes {
                path,
                bytes,
                allowed: self.limits.bytes_max,
            });
        }
        let file = io::Read::take(File::from(found), bytes);
        let executable = stat.st_mode & 0o100 != 0;
        (self.take)(Artefact { path: &path, bytes, executable, file })
            .map_err(|error| ArtefactError::Take { path: path.clone(), error })
    }
}

fn open(folder: BorrowedFd<'_>, name: &str, how: OFlag) -> Result<OwnedFd, Errno> {
    let how =
        OpenHow::new().flags(OFlag::O_RDONLY | OFlag::O_CLOEXEC | OFlag::O_NOFOLLOW | how).resolve(
            ResolveFlag::RESOLVE_BENEATH
                | ResolveFlag::RESOLVE_NO_SYMLINKS
                | ResolveFlag::RESOLVE_NO_MAGICLINKS
                | ResolveFlag::RESOLVE_NO_XDEV,
        );
    openat2(folder, name, how)
}

fn failed(path: &str, error: Errno) -> ArtefactError {
    ArtefactError::Open { path: path.to_owned(), error: error.into() }
}
