//! The files of a zip. A zip says everything twice, in a list at its end and before each file:
//! both have to agree, every entry has bytes of its own, and no byte is nobody's.
//!
//! The crate `zip` reads what is said. It leaves open how long the list is, forgets all but one of
//! the entries of one name, and looks neither before nor after the archive: that is done here.

use std::{
    collections::BTreeSet,
    io::{self, Cursor, Read},
};

use flate2::{Crc, bufread::DeflateDecoder};
use zip::{
    CompressionMethod, ZipArchive,
    read::{ArchiveOffset, Config, ZipFileEntry},
    result::ZipError,
};

use crate::{
    Rejected,
    gather::{Gathered, Stopped, Unpacked, read_file},
    names,
};

/// What damage to the whole is told of.
const ARCHIVE: &str = "the archive";
/// Begins an entry of the list, and how many bytes it has without its names.
const LISTED: &[u8] = b"PK\x01\x02";
const LISTED_BYTES: usize = 46;
/// Begins the record at the end, and how many bytes it has without its comment.
const END: &[u8] = b"PK\x05\x06";
const END_BYTES: usize = 22;
/// Begins what stands before that record in a zip64, and how many bytes it has.
const ZIP64: &[u8] = b"PK\x06\x07";
const ZIP64_BYTES: usize = 20;
/// Where in an entry of the list its flags are, and the one by which its sum and sizes stand after
/// it, as a stream has them; then after this, mostly.
const FLAGS_AT: usize = 8;
const SAID_AFTER: usize = 8;
const AFTER: &[u8] = b"PK\x07\x08";
/// Of a Unix mode: which kind of file.
const KIND: u32 = 0o170_000;

/// Reads all of it.
pub(crate) fn read(
    bytes: &[u8],
    gathered: &mut Gathered<'_>,
    unpacked: &mut Unpacked,
) -> Result<(), Rejected> {
    count(bytes, gathered)?;
    // Only now, when the list is known to be short, and no name to be there twice.
    let config = Config { archive_offset: ArchiveOffset::Known(0) };
    let mut archive =
        ZipArchive::with_config(config, Cursor::new(bytes)).map_err(|it| damaged(ARCHIVE, &it))?;
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_data(index).map_err(|it| damaged(ARCHIVE, &it))?;
        // What is no text has no plain characters either, and is refused for that.
        let path = String::from_utf8_lossy(entry.name_raw()).into_owned();
        judge(&entry, &path)?;
        if path.ends_with('/') {
            gathered.folder(&path)?;
        } else {
            let is_kept = gathered.file(&path)?.is_some();
            files.push((index, path, is_kept));
        }
    }
    if archive.has_overlapping_entries().map_err(|it| damaged(ARCHIVE, &it))? {
        return Err(Rejected::Overlap);
    }
    archive.validate_header_consistency().map_err(|it| damaged(ARCHIVE, &it))?;
    every_byte_is_somebodys(bytes, &mut archive)?;
    for (index, path, is_kept) in files {
        let contents = unpack(&mut archive, index, &path, is_kept, gathered, unpacked)?;
        if is_kept {
            gathered.keep(&path, contents)?;
        }
    }
    Ok(())
}

/// Counts the entries of the list, and sees that it ends where it should, as the archive does.
fn count(bytes: &[u8], gathered: &mut Gathered<'_>) -> Result<(), Rejected> {
    let missing = |what: &str| {
        let why = format!("{what} is missing");
        Rejected::Damaged { path: ARCHIVE.to_owned(), why }
    };
    let from = bytes.len().saturating_sub(END_BYTES + usize::from(u16::MAX));
    let at = bytes[from..].windows(END.len()).rposition(|it| it == END);
    let end = from + at.ok_or_else(|| missing("the list of its entries"))?;
    if end >= ZIP64_BYTES && bytes[end - ZIP64_BYTES..].starts_with(ZIP64) {
        return Err(Rejected::Zip64);
    }
    let comment_bytes = short(bytes, end + 20).ok_or_else(|| missing("a part of its end"))?;
    match bytes.len().cmp(&(end + END_BYTES + comment_bytes)) {
        std::cmp::Ordering::Less => return Err(missing("a part of its comment")),
        std::cmp::Ordering::Equal => {}
        std::cmp::Ordering::Greater => {
            return Err(Rejected::Junk { place: "after the end of the zip" });
        }
    }
    let n_listed = short(bytes, end + 8).unwrap_or_default();
    let mut at = long(bytes, end + 16).unwrap_or_default();
    let mut names = BTreeSet::new();
    for _ in 0..n_listed {
        gathered.count()?;
        let entry = bytes.get(at..end).filter(|it| it.starts_with(LISTED));
        let entry = entry.ok_or_else(|| missing("an entry of its list"))?;
        let [name, extra, comment] = [28, 30, 32].map(|it| short(entry, it).unwrap_or_default());
        let name_end = LISTED_BYTES + name;
        let name = entry.get(LISTED_BYTES..name_end).ok_or_else(|| missing("a name"))?;
        if !names.insert(name) {
            let path = names::shown(&String::from_utf8_lossy(name));
            return Err(Rejected::Duplicate { path });
        }
        at += name_end + extra + comment;
    }
    if at != end {
        return Err(Rejected::Junk { place: "between the list of entries and its end" });
    }
    Ok(())
}

/// Judges all but the path.
fn judge(entry: &ZipFileEntry<'_>, path: &str) -> Result<(), Rejected> {
    let is_folder = path.ends_with('/');
    // Who made the archive says whether there is a mode; where there is none, it is 0.
    let kind = match ((entry.external_attributes() >> 16) & KIND, is_folder) {
        (0 | 0o040_000, true) if entry.size() > 0 => Some("a folder with bytes of its own"),
        (0, _) | (0o100_000, false) | (0o040_000, true) => None,
        (0o100_000, true) => Some("a file that is named like a folder"),
        (0o040_000, false) => Some("a folder that is named like a file"),
        (0o120_000, _) => Some("a symbolic link"),
        (0o020_000, _) => Some("a device (character)"),
        (0o060_000, _) => Some("a device (block)"),
        (0o010_000, _) => Some("a FIFO"),
        (0o140_000, _) => Some("a socket"),
        _ => Some("something of an unknown kind"),
    };
    if let Some(kind) = kind {
        return Err(Rejected::Kind { path: names::shown(path), kind: kind.to_owned() });
    }
    if entry.encrypted() {
        return Err(Rejected::Encrypted { path: names::shown(path) });
    }
    if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
        let method = entry.compression().to_string();
        return Err(Rejected::Method { path: names::shown(path), method });
    }
    Ok(())
}

/// Sees that entries follow each other from the first byte to the list, with nothing between them
/// but what a stream says of an entry after it.
fn every_byte_is_somebodys(
    bytes: &[u8],
    archive: &mut ZipArchive<Cursor<&[u8]>>,
) -> Result<(), Rejected> {
    let mut entries = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|it| damaged(ARCHIVE, &it))?;
        let (from, packed, size) = (entry.header_start(), entry.compressed_size(), entry.size());
        let end = entry.data_start().unwrap_or(from).saturating_add(packed);
        let listed = usize::try_from(entry.central_header_start()).unwrap_or(usize::MAX);
        let flags = short(bytes, listed.saturating_add(FLAGS_AT)).unwrap_or_default();
        let after = (flags & SAID_AFTER != 0).then_some((entry.crc32(), packed, size));
        entries.push((from, end, after));
    }
    entries.sort_unstable();
    let list = archive.central_directory_start();
    let starts = entries.iter().map(|it| it.0).skip(1).chain([list]);
    let starts: Vec<u64> = starts.collect();
    let first = entries.first().map_or(list, |it| it.0);
    let gaps = entries.iter().zip(starts).map(|((_, end, after), next)| (*end, next, *after));
    for (from, to, after) in [(0, first, None)].into_iter().chain(gaps) {
        let [from, to] = [from, to].map(|it| usize::try_from(it).unwrap_or(usize::MAX));
        let between = bytes.get(from..to).unwrap_or(&[]);
        if !between.is_empty() && !after.is_some_and(|it| says_after(between, it)) {
            return Err(Rejected::Junk { place: "between the files in the zip" });
        }
    }
    Ok(())
}

/// Whether these bytes say sum and sizes of the entry before them, with a sign before that or not.
fn says_after(bytes: &[u8], (sum, packed, size): (u32, u64, u64)) -> bool {
    let bytes = bytes.strip_prefix(AFTER).unwrap_or(bytes);
    let long = [packed, size].map(u64::to_le_bytes).concat();
    let is_short = [packed, size].map(|it| u32::try_from(it).map(u32::to_le_bytes));
    let rest = bytes.strip_prefix(&sum.to_le_bytes());
    let short = matches!(is_short, [Ok(a), Ok(b)] if rest == Some(&[a, b].concat()));
    short || rest == Some(&long)
}

/// What is in a file, if that is as long as it is said to be, and has the sum it should have.
fn unpack(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    index: usize,
    path: &str,
    is_kept: bool,
    gathered: &Gathered<'_>,
    unpacked: &mut Unpacked,
) -> Result<Vec<u8>, Rejected> {
    let path_shown = || names::shown(path);
    let mut packed = Vec::new();
    let mut raw = archive.by_index_raw(index).map_err(|error| damaged(path, &error))?;
    let (said, sum) = (raw.size(), raw.crc32());
    let method = raw.compression();
    // No more than the archive has.
    raw.read_to_end(&mut packed).map_err(|error| damaged(path, &error.into()))?;

    let mut inflate = DeflateDecoder::new(packed.as_slice());
    let mut stored = packed.as_slice();
    let is_stored = method == CompressionMethod::Stored;
    let contents: &mut dyn Read = if is_stored { &mut stored } else { &mut inflate };
    let mut summed = Summed { from: contents, sum: Crc::new() };
    let mut found = 0;
    let read = read_file(path, is_kept, gathered.limits, &mut summed, |n| {
        found += n;
        if found > said {
            return Err(Rejected::Size { path: path_shown(), said, found: said + 1 });
        }
        unpacked.count(path, n)
    });
    let contents = read.map_err(|stopped| match stopped {
        Stopped::Rejected(rejected) => rejected,
        Stopped::Failed(error) => damaged(path, &error.into()),
    })?;
    let sum_found = summed.sum.sum();
    if found != said {
        return Err(Rejected::Size { path: path_shown(), said, found });
    }
    if sum_found != sum {
        let why = "its checksum does not match".to_owned();
        return Err(Rejected::Damaged { path: path_shown(), why });
    }
    if !is_stored && inflate.total_in() != packed.len() as u64 {
        return Err(Rejected::Junk { place: "after the end of a file in the zip" });
    }
    Ok(contents)
}

/// Reads, and sums what it reads.
struct Summed<'a> {
    from: &'a mut dyn Read,
    sum: Crc,
}

impl Read for Summed<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.from.read(into)?;
        self.sum.update(&into[..n]);
        Ok(n)
    }
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(usize::from(u16::from_le_bytes(*bytes)))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    usize::try_from(u32::from_le_bytes(*bytes)).ok()
}

fn damaged(path: &str, error: &ZipError) -> Rejected {
    Rejected::Damaged { path: names::shown(path), why: error.to_string() }
}
