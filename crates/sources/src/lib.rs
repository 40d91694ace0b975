//! What an upload may be, and the files in it: one file, a zip, or a tar in gzip.
//!
//! Bytes come in, files come out, or the reason why not; nothing is written anywhere before all
//! of it is judged. It knows no language's details, no server, no jail, and does no I/O but to read
//! the adapters that are shipped, by which programs for other judges play.
//!
//! What an archive says of itself is never believed: bytes, entries and names are counted and
//! compared as they are read, and the first that is too much ends it. Modes, owners and times are
//! left alone. An archive among the files is a file like any other: it is not opened.

#![forbid(unsafe_code)]

mod adapter;
mod entry;
mod gather;
mod guess;
mod names;
mod rejected;
mod tarred;
mod words;
mod zipped;

pub use adapter::{
    Adapted, Adapter, AdapterError, AdapterTable, Adapters, AdaptersError, NotAdapted,
};
pub use entry::{Archive, NoEntry};
pub use guess::{Candidate, Clues, Guess, LOOK_BYTES_MAX, guess, guess_file};
pub use names::PLAIN;
pub use rejected::{Rejected, What};
pub use words::words;

use gather::{Gathered, Unpacked};

/// What an upload is, told by its first bytes and not by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One file.
    File,
    /// A zip archive.
    Zip,
    /// A gzip, which has to hold a tar.
    TarGz,
}

impl Format {
    /// As it is called in sentences.
    pub fn label(self) -> &'static str {
        match self {
            Format::File => "a file",
            Format::Zip => "a zip",
            Format::TarGz => "a tar.gz",
        }
    }
}

/// How much an upload may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of an archive, as it comes.
    pub bytes_max: u64,
    /// Files in an archive.
    pub files_max: u32,
    /// Entries of an archive: files, folders, and what is left out.
    pub entries_max: u32,
    /// Bytes of all that is in an archive; of a tar, all of it.
    pub unpacked_bytes_max: u64,
    /// Bytes of one file, in an archive or alone.
    pub file_bytes_max: u64,
    /// Bytes unpacked for each byte of the archive, beyond [`RATIO_FREE_BYTES`].
    pub ratio_max: u32,
    /// Parts of a path, the file's name among them.
    pub depth_max: u32,
    /// Bytes of a path.
    pub path_bytes_max: u32,
}

/// What any archive may unpack to, however small it is.
pub const RATIO_FREE_BYTES: u64 = 1 << 20;

impl Limits {
    /// The most that anybody may be allowed: whoever builds takes as much.
    pub const CEILING: Limits = Limits {
        bytes_max: 64 << 20,
        files_max: 4_000,
        entries_max: 20_000,
        unpacked_bytes_max: 256 << 20,
        file_bytes_max: 128 << 20,
        ratio_max: 1_000,
        depth_max: 16,
        path_bytes_max: 400,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            bytes_max: 8 << 20,
            files_max: 500,
            entries_max: 2_000,
            unpacked_bytes_max: 32 << 20,
            file_bytes_max: 16 << 20,
            ratio_max: 100,
            depth_max: 8,
            path_bytes_max: 200,
        }
    }
}

/// The files of an upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// What they came in.
    pub format: Format,
    /// Sorted by path, no path twice, and no two that differ by case alone. Never none.
    pub files: Vec<File>,
}

/// One file.
#[derive(Clone, PartialEq, Eq)]
pub struct File {
    /// Plain and relative, `/` between its parts. A file that came alone has the name it came
    /// under, if that is plain; else `source`, and its extension if that is.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for File {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} bytes)", self.path, self.bytes.len())
    }
}

impl Sources {
    /// Reads and judges an upload that came as `file_name`. Takes memory for what is in it, at
    /// most [`unpacked_bytes_max`](Limits::unpacked_bytes_max), and for one file twice.
    ///
    /// # Errors
    ///
    /// Why it is not taken, in words for its owner.
    pub fn read(file_name: &str, bytes: &[u8], limits: &Limits) -> Result<Sources, Rejected> {
        if bytes.is_empty() {
            return Err(Rejected::Empty);
        }
        let format = format(bytes);
        if format != Format::File && bytes.len() as u64 > limits.bytes_max {
            let found = bytes.len() as u64;
            return Err(Rejected::TooManyBytes { found, allowed: limits.bytes_max });
        }
        let mut gathered = Gathered::new(limits);
        let mut unpacked = Unpacked::new(limits, bytes.len() as u64);
        match format {
            Format::File => return alone(file_name, bytes, limits),
            Format::Zip => zipped::read(bytes, &mut gathered, &mut unpacked)?,
            Format::TarGz => tarred::read(bytes, &mut gathered, &mut unpacked)?,
        }
        Ok(Sources { format, files: gathered.finish()? })
    }

    /// The file at this path.
    pub fn get(&self, path: &str) -> Option<&File> {
        let at = self.files.binary_search_by(|it| it.path.as_str().cmp(path)).ok()?;
        self.files.get(at)
    }
}

/// What begins with these bytes: four tell.
pub fn format(head: &[u8]) -> Format {
    match head {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] | [b'P', b'K', 7, 8, ..] => Format::Zip,
        [0x1f, 0x8b, ..] => Format::TarGz,
        _ => Format::File,
    }
}

/// A file that is no archive, unless it says that it is one, or is one that is not read here.
fn alone(file_name: &str, bytes: &[u8], limits: &Limits) -> Result<Sources, Rejected> {
    if let Some(kind) = other_archive(bytes) {
        return Err(Rejected::OtherArchive { kind });
    }
    if let Some(extension) = names::archive_extension(file_name) {
        return Err(Rejected::NotAsNamed { extension });
    }
    if bytes.len() as u64 > limits.file_bytes_max {
        let (found, allowed) = (bytes.len() as u64, limits.file_bytes_max);
        return Err(Rejected::FileTooLarge { path: names::shown(file_name), found, allowed });
    }
    let path = match names::judge(file_name, limits) {
        Ok(_) if !file_name.contains('/') => file_name.to_owned(),
        _ => match guess::extension(file_name).filter(|it| names::is_plain_extension(it)) {
            Some(extension) => format!("source.{extension}"),
            None => "source".to_owned(),
        },
    };
    Ok(Sources { format: Format::File, files: vec![File { path, bytes: bytes.to_vec() }] })
}

/// The kinds of archive that a person might try, by their first bytes.
fn other_archive(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: &[(usize, &[u8], &str)] = &[
        (0, b"7z\xbc\xaf\x27\x1c", "7z"),
        (0, b"Rar!\x1a\x07", "rar"),
        (0, b"\xfd7zXZ\0", "xz"),
        (0, b"\x28\xb5\x2f\xfd", "zstd"),
        (257, b"ustar", "tar without gzip"),
    ];
    let is_bzip2 = bytes.starts_with(b"BZh") && bytes.get(4..10) == Some(b"1AY&SY");
    let mut kinds = KINDS.iter();
    let found = kinds.find(|(at, magic, _)| bytes.get(*at..*at + magic.len()) == Some(magic));
    found.map(|it| it.2).or(is_bzip2.then_some("bzip2"))
}
