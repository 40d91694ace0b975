//! The files of an archive as they come, counted and compared, whatever it is that they come in.

use std::{
    collections::BTreeMap,
    io::{self, Read},
};

use crate::{
    File, Limits, RATIO_FREE_BYTES, Rejected,
    names::{self, Name},
};

/// Most bytes read at a time.
const CHUNK_BYTES: usize = 64 << 10;

/// What came so far.
pub(crate) struct Gathered<'a> {
    pub(crate) limits: &'a Limits,
    files: Vec<File>,
    /// Every path and every folder above it, by what it is on systems that know no case.
    taken: BTreeMap<String, Taken>,
    n_entries: u32,
}

struct Taken {
    path: String,
    is_file: bool,
}

/// How much an archive has unpacked to, and may.
pub(crate) struct Unpacked {
    bytes: u64,
    bytes_max: u64,
    packed_bytes: u64,
    ratio_max: u32,
}

/// Why no more could be read of an entry.
pub(crate) enum Stopped {
    Rejected(Rejected),
    Failed(io::Error),
}

impl<'a> Gathered<'a> {
    pub(crate) fn new(limits: &'a Limits) -> Gathered<'a> {
        Gathered { limits, files: Vec::new(), taken: BTreeMap::new(), n_entries: 0 }
    }

    /// Counts an entry, of whatever kind.
    pub(crate) fn count(&mut self) -> Result<(), Rejected> {
        self.n_entries += 1;
        if self.n_entries > self.limits.entries_max {
            return Err(Rejected::TooManyEntries { allowed: self.limits.entries_max });
        }
        Ok(())
    }

    /// Takes note of a folder.
    pub(crate) fn folder(&mut self, path: &str) -> Result<(), Rejected> {
        let path = path.strip_suffix('/').unwrap_or(path);
        match names::judge(path, self.limits) {
            Ok(Name::Kept(path)) => self.take(path, false),
            Ok(Name::Litter) => Ok(()),
            Err(what) => Err(Rejected::Path { path: names::shown(path), what }),
        }
    }

    /// Judges the path of a file, before anything of it is read; none if the file is left out.
    pub(crate) fn file<'p>(&mut self, path: &'p str) -> Result<Option<&'p str>, Rejected> {
        match names::judge(path, self.limits) {
            Ok(Name::Kept(path)) => self.take(path, true).map(|()| Some(path)),
            Ok(Name::Litter) => Ok(None),
            Err(what) => Err(Rejected::Path { path: names::shown(path), what }),
        }
    }

    /// Keeps what is in a file whose path was judged.
    pub(crate) fn keep(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), Rejected> {
        if self.files.len() as u64 >= u64::from(self.limits.files_max) {
            let allowed = self.limits.files_max;
            return Err(Rejected::TooManyFiles { path: names::shown(path), allowed });
        }
        self.files.push(File { path: path.to_owned(), bytes });
        Ok(())
    }

    /// All of them, without a folder that is around all of them.
    pub(crate) fn finish(self) -> Result<Vec<File>, Rejected> {
        let mut files = self.files;
        let first = files.first().ok_or(Rejected::NoFiles)?;
        let top = first.path.split_once('/').map(|(top, _)| format!("{top}/"));
        if let Some(top) = top.filter(|it| files.iter().all(|file| file.path.starts_with(it))) {
            files.iter_mut().for_each(|it| it.path = it.path.split_off(top.len()));
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    /// Notes a path and the folders it needs, unless something else is there.
    fn take(&mut self, path: &str, is_file: bool) -> Result<(), Rejected> {
        let folders = path.match_indices('/').map(|(end, _)| (&path[..end], false));
        for (path, is_file) in folders.chain([(path, is_file)]) {
            let Some(taken) = self.taken.get(&path.to_ascii_lowercase()) else {
                let taken = Taken { path: path.to_owned(), is_file };
                self.taken.insert(path.to_ascii_lowercase(), taken);
                continue;
            };
            if taken.path != path {
                let other = names::shown(&taken.path);
                return Err(Rejected::Case { path: names::shown(path), other });
            }
            match (taken.is_file, is_file) {
                (false, false) => {}
                (true, true) => return Err(Rejected::Duplicate { path: names::shown(path) }),
                _ => return Err(Rejected::FileAndFolder { path: names::shown(path) }),
            }
        }
        Ok(())
    }
}

impl Unpacked {
    pub(crate) fn new(limits: &Limits, packed_bytes: u64) -> Unpacked {
        let (bytes_max, ratio_max) = (limits.unpacked_bytes_max, limits.ratio_max);
        Unpacked { bytes: 0, bytes_max, packed_bytes, ratio_max }
    }

    /// Counts bytes that came out of an archive, at the entry `path`.
    pub(crate) fn count(&mut self, path: &str, bytes: u64) -> Result<(), Rejected> {
        self.bytes += bytes;
        if self.bytes > self.bytes_max {
            return Err(Rejected::TooMuch { path: names::shown(path), allowed: self.bytes_max });
        }
        let (packed, ratio_max) = (self.packed_bytes, self.ratio_max);
        let allowed = packed.saturating_mul(ratio_max.into()).max(RATIO_FREE_BYTES);
        if self.bytes > allowed {
            return Err(Rejected::Ratio { path: names::shown(path), packed, allowed, ratio_max });
        }
        Ok(())
    }
}

/// Reads a file to its end; `count` is told of what comes, before it is kept. What is not `is_kept`
/// is read all the same.
pub(crate) fn read_file(
    path: &str,
    is_kept: bool,
    limits: &Limits,
    mut from: impl Read,
    mut count: impl FnMut(u64) -> Result<(), Rejected>,
) -> Result<Vec<u8>, Stopped> {
    let mut chunk = vec![0; CHUNK_BYTES];
    let (mut bytes, mut found) = (Vec::new(), 0);
    loop {
        let n = match from.read(&mut chunk) {
            Ok(0) => return Ok(bytes),
            Ok(n) => n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Stopped::Failed(error)),
        };
        found += n as u64;
        count(n as u64).map_err(Stopped::Rejected)?;
        let allowed = limits.file_bytes_max;
        if found > allowed && is_kept {
            let too_large =
                Rejected::FileTooLarge { path: names::shown(path), found: allowed + 1, allowed };
            return Err(Stopped::Rejected(too_large));
        }
        if is_kept {
            bytes.extend_from_slice(&chunk[..n]);
        }
    }
}
