//! What is kept of a build: plain files in a compressed archive, the same bytes
//! for the same files.

use std::{
    collections::HashMap,
    fs::{self, File, OpenOptions},
    io::{self, BufReader, BufWriter, Read, Seek, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Component, Path},
};

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::language::is_entry;

/// Most files of one pack.
pub const FILES_MAX: u64 = 4096;
/// Most bytes of all its files together.
pub const FILES_BYTES_MAX: u64 = 1 << 30;
/// Longest path of a file in it.
const PATH_BYTES_MAX: usize = 512;
/// Names what is run, where a bot has more than one file.
pub(crate) const ENTRY_NAME: &str = "agon.entry";
const ENTRY_BYTES_MAX: u64 = 512;
/// Memory that unpacking may take for what it has seen, as a power of two.
const WINDOW_LOG_MAX: u32 = 27;
const LEVEL: i32 = 3;

/// A finished pack.
#[derive(Debug)]
pub struct Pack {
    /// Its bytes, from the start.
    pub file: File,
    /// SHA-256, in lower-case hex.
    pub digest: String,
    /// How many bytes it has.
    pub bytes: u64,
}

/// Why something is no pack, or does not become one.
#[derive(Debug, Error)]
pub enum PackError {
    /// There are more files than allowed.
    #[error("more than {FILES_MAX} files")]
    TooManyFiles,
    /// The files are larger than allowed.
    #[error("{path}: with this file, more than {FILES_BYTES_MAX} bytes")]
    TooManyBytes {
        /// The one that was too much.
        path: String,
    },
    /// The pack itself is larger than allowed.
    #[error("more than {allowed} bytes even when compressed")]
    TooLarge {
        /// Most bytes allowed.
        allowed: u64,
    },
    /// A path is not plain.
    #[error("{path:?} is no path for a file of a pack")]
    Path {
        /// As found.
        path: String,
    },
    /// Two files cannot lie there both.
    #[error("{path:?} is there twice, or is the name of a file and of a folder")]
    Taken {
        /// The second of them.
        path: String,
    },
    /// Something in it is no plain file.
    #[error("{path:?} is no regular file")]
    Kind {
        /// As found.
        path: String,
    },
    /// It does not say what to run.
    #[error("a pack begins with {ENTRY_NAME}, which names what is run")]
    NoEntry,
    /// It cannot be read, or not be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Packs files as they are handed over.
pub(crate) struct Packer {
    tar: tar::Builder<zstd::Encoder<'static, Bounded>>,
    contents: Contents,
}

impl Packer {
    /// Packs into `file`, and at most `bytes_max`. `entry` names what is run.
    pub(crate) fn new(file: File, bytes_max: u64, entry: &str) -> Result<Packer, PackError> {
        if !is_entry(entry) {
            return Err(PackError::NoEntry);
        }
        let bounded =
            Bounded { out: BufWriter::new(file), digest: Sha256::new(), bytes: 0, bytes_max };
        let tar = tar::Builder::new(zstd::Encoder::new(bounded, LEVEL)?);
        let mut packer = Packer { tar, contents: Contents::default() };
        packer.put(ENTRY_NAME, entry.len() as u64, false, entry.as_bytes())?;
        Ok(packer)
    }

    /// Adds a file. The order of calls is the order in the pack.
    pub(crate) fn add(
        &mut self,
        path: &str,
        bytes: u64,
        executable: bool,
        contents: impl Read,
    ) -> Result<(), PackError> {
        self.contents.admit(path, bytes)?;
        self.put(path, bytes, executable, contents)
    }

    /// The pack. Its error says whether there was too much of it.
    pub(crate) fn finish(self) -> Result<Pack, PackError> {
        let bounded = self.tar.into_inner()?.finish()?;
        let (digest, bytes) = (hex::encode(bounded.digest.finalize()), bounded.bytes);
        let mut file = bounded.out.into_inner().map_err(|error| error.into_error())?;
        file.rewind()?;
        Ok(Pack { file, digest, bytes })
    }

    fn put(
        &mut self,
        path: &str,
        bytes: u64,
        executable: bool,
        contents: impl Read,
    ) -> Result<(), PackError> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Regular);
        header.set_mode(if executable { 0o755 } else { 0o644 });
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_size(bytes);
        let mut counted = Counted { from: contents.take(bytes), bytes: 0 };
        self.tar.append_data(&mut header, path, &mut counted)?;
        if counted.bytes != bytes {
            let why = format!("{path}: {} bytes of {bytes} could be read", counted.bytes);
            return Err(io::Error::other(why).into());
        }
        Ok(())
    }
}

/// Unpacks into `dir`, which is empty, and returns what is run and the bytes of all files.
pub(crate) fn unpack(pack: impl Read, dir: &Path) -> Result<(String, u64), PackError> {
    let mut decoder = zstd::Decoder::new(pack)?;
    decoder.window_log_max(WINDOW_LOG_MAX)?;
    let mut archive = tar::Archive::new(BufReader::new(decoder));
    let (mut entry, mut contents) = (None, Contents::default());
    for member in archive.entries()? {
        let mut member = member?;
        let path = String::from_utf8_lossy(&member.path_bytes()).into_owned();
        if member.header().entry_type() != tar::EntryType::Regular {
            return Err(PackError::Kind { path });
        }
        if entry.is_none() {
            let mut name = String::new();
            (&mut member).take(ENTRY_BYTES_MAX).read_to_string(&mut name)?;
            if path != ENTRY_NAME || !is_entry(&name) {
                return Err(PackError::NoEntry);
            }
            entry = Some(name);
            continue;
        }
        contents.admit(&path, member.size())?;
        let executable = member.header().mode()? & 0o100 != 0;
        let to = dir.join(&path);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        let mode = if executable { 0o755 } else { 0o644 };
        let mut out = OpenOptions::new().write(true).create_new(true).mode(mode).open(&to)?;
        io::copy(&mut member, &mut out)?;
    }
    Ok((entry.ok_or(PackError::NoEntry)?, contents.bytes))
}

/// What a pack holds so far. Who packs and who unpacks hold it to the same rules, so that no build
/// leaves what nobody can unpack.
#[derive(Default)]
struct Contents {
    files: u64,
    bytes: u64,
    /// Each path and each folder above it, and whether it is a file.
    taken: HashMap<String, bool>,
}

impl Contents {
    fn admit(&mut self, path: &str, bytes: u64) -> Result<(), PackError> {
        if path == ENTRY_NAME || !is_plain(path) {
            return Err(PackError::Path { path: path.to_owned() });
        }
        self.files += 1;
        if self.files > FILES_MAX {
            return Err(PackError::TooManyFiles);
        }
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > FILES_BYTES_MAX {
            return Err(PackError::TooManyBytes { path: path.to_owned() });
        }
        let folders = path.match_indices('/').map(|(end, _)| (&path[..end], false));
        for (name, is_file) in folders.chain([(path, true)]) {
            let before = self.taken.insert(name.to_owned(), is_file);
            if before.is_some_and(|before| before || is_file) {
                return Err(PackError::Taken { path: path.to_owned() });
            }
        }
        Ok(())
    }
}

/// Names one after the other, none of them with a meaning of its own.
pub(crate) fn is_plain(path: &str) -> bool {
    let names = Path::new(path).components().all(|it| matches!(it, Component::Normal(_)));
    let clean = !path.contains(['\0', '\\']) && !path.contains("//") && !path.ends_with('/');
    names && clean && !path.is_empty() && path.len() <= PATH_BYTES_MAX
}

/// Counts and hashes what is written, and refuses more than is allowed.
struct Bounded {
    out: BufWriter<File>,
    digest: Sha256,
    bytes: u64,
    bytes_max: u64,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes += bytes.len() as u64;
        if self.bytes > self.bytes_max {
            let why = PackError::TooLarge { allowed: self.bytes_max };
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        self.digest.update(bytes);
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

struct Counted<R> {
    from: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.from.read(into)?;
        self.bytes += n_bytes as u64;
        Ok(n_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack(files: &[(&str, &[u8], bool)]) -> Result<Pack, PackError> {
        let mut packer = Packer::new(tempfile::tempfile()?, 1 << 20, "bot")?;
        for (path, contents, executable) in files {
            packer.add(path, contents.len() as u64, *executable, *contents)?;
        }
        packer.finish()
    }

    /// A pack made by hand, as a hostile one would be.
    fn forged(members: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
        let mut tar = tar::Builder::new(zstd::Encoder::new(Vec::new(), 1).unwrap());
        for (path, kind, contents) in members {
            let mut header = tar::Header::new_gnu();
            // The library would refuse such paths.
            header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
            header.set_entry_type(*kind);
            header.set_mode(0o755);
            header.set_size(contents.len() as u64);
            if kind.is_symlink() || kind.is_hard_link() {
                header.set_link_name("/etc/passwd").unwrap();
            }
            header.set_cksum();
            tar.append(&header, *contents).unwrap();
        }
        tar.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn a_pack_comes_back_as_it_was_and_its_bytes_depend_on_nothing_else() {
        let files: &[(&str, &[u8], bool)] = &[("a/b", b"one", false), ("bot", b"two", true)];
        let (first, second) = (pack(files).unwrap(), pack(files).unwrap());
        assert_eq!(first.digest, second.digest);
        assert_eq!(first.bytes, first.file.metadata().unwrap().len());

        let dir = tempfile::tempdir().unwrap();
        let (entry, bytes) = unpack(first.file, dir.path()).unwrap();
        assert_eq!((entry.as_str(), bytes), ("bot", 6));
        assert_eq!(fs::read(dir.path().join("a/b")).unwrap(), b"one");
        assert_eq!(fs::read(dir.path().join("bot")).unwrap(), b"two");
        use std::os::unix::fs::PermissionsExt;
        let mode = |name| fs::metadata(dir.path().join(name)).unwrap().permissions().mode();
        assert_eq!((mode("bot") & 0o111 != 0, mode("a/b") & 0o111 != 0), (true, false));
        assert!(!dir.path().join(ENTRY_NAME).exists());
    }

    #[test]
    fn a_pack_has_a_largest_size() {
        let mut noise = vec![0_u8; 2 << 20];
        let mut state = 1_u32;
        for byte in &mut noise {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = (state >> 24) as u8;
        }
        let error = pack(&[("bot", &noise, true)]).expect_err("too large").to_string();
        assert!(error.contains("more than 1048576 bytes even when compressed"), "{error}");
    }

    #[test]
    fn what_could_not_be_unpacked_is_not_packed() {
        let table: [(&[(&str, &[u8], bool)], &str); 5] = [
            (&[("a", b"", false), ("a", b"", false)], "twice"),
            (&[("a/b", b"", false), ("a/b/c", b"", false)], "a folder"),
            (&[("a/b/c", b"", false), ("a/b", b"", false)], "a folder"),
            (&[("../a", b"", false)], "no path"),
            (&[("agon.entry", b"", false)], "no path"),
        ];
        for (files, why) in table {
            let error = pack(files).expect_err(why).to_string();
            assert!(error.contains(why), "{why}: {error}");
        }
        let names: Vec<String> = (0..=FILES_MAX).map(|n| format!("d/{n}")).collect();
        let files: Vec<_> = names.iter().map(|it| (it.as_str(), &b""[..], false)).collect();
        assert!(pack(&files[1..]).is_ok());
        assert!(matches!(pack(&files), Err(PackError::TooManyFiles)));
        assert!(Packer::new(tempfile::tempfile().unwrap(), 1 << 20, "-rf").is_err());
    }

    #[test]
    fn hostile_packs_are_refused_and_write_nothing_outside() {
        use tar::EntryType as Kind;
        let entry = (ENTRY_NAME, Kind::Regular, &b"bot"[..]);
        type Member<'a> = (&'a str, Kind, &'a [u8]);
        let table: [(&str, &[Member<'_>]); 14] = [
            ("begins with", &[]),
            ("begins with", &[("bot", Kind::Regular, b"x")]),
            ("begins with", &[(ENTRY_NAME, Kind::Regular, b"--evil")]),
            ("no path", &[entry, ("../up", Kind::Regular, b"x")]),
            ("no path", &[entry, ("a/../../up", Kind::Regular, b"x")]),
            ("no path", &[entry, ("/abs", Kind::Regular, b"x")]),
            ("no path", &[entry, entry]),
            ("no regular file", &[entry, ("link", Kind::Symlink, b"")]),
            ("no regular file", &[entry, ("link", Kind::Link, b"")]),
            ("no regular file", &[entry, ("pipe", Kind::Fifo, b"")]),
            ("no regular file", &[entry, ("dir/", Kind::Directory, b"")]),
            ("twice", &[entry, ("bot", Kind::Regular, b"x"), ("bot", Kind::Regular, b"y")]),
            ("a folder", &[entry, ("bot", Kind::Regular, b"x"), ("bot/x", Kind::Regular, b"y")]),
            ("a folder", &[entry, ("bot/x", Kind::Regular, b"x"), ("bot", Kind::Regular, b"y")]),
        ];
        for (why, members) in table {
            let outer = tempfile::tempdir().unwrap();
            let dir = outer.path().join("in");
            fs::create_dir(&dir).unwrap();
            let error = unpack(&*forged(members), &dir).expect_err(why).to_string();
            assert!(error.contains(why), "{why}: {error}");
            assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
        }
        let dir = tempfile::tempdir().unwrap();
        assert!(unpack(&b"no pack at all"[..], dir.path()).is_err());
    }
}
