//! The files of a tar in gzip. A tar has no list of what is in it: it is read from its first block
//! to its last, and all that comes out of the gzip is counted, headers and padding too.

use std::{
    cell::{Cell, RefCell},
    io::{self, Read},
};

use flate2::bufread::GzDecoder;
use tar::{Entry, EntryType};

use crate::{
    Rejected,
    gather::{Gathered, Stopped, Unpacked, read_file},
    names,
};

/// What damage to the whole is told of.
const ARCHIVE: &str = "the archive";
/// Keys of an extended header that say which bytes are the entry's, or how it is called.
const PATH: &[u8] = b"path";
const SIZE: &[u8] = b"size";
const SPARSE: &[u8] = b"GNU.sparse.";

/// Reads all of it.
pub(crate) fn read(
    bytes: &[u8],
    gathered: &mut Gathered<'_>,
    unpacked: &mut Unpacked,
) -> Result<(), Rejected> {
    let watch = Watch {
        unpacked: RefCell::new(unpacked),
        at: RefCell::new(ARCHIVE.to_owned()),
        stopped: RefCell::new(None),
        is_at_end: Cell::new(false),
    };
    if !begins_like_a_tar(bytes) {
        return Err(Rejected::NotTar);
    }
    let mut archive = tar::Archive::new(Stream { members: Members::new(bytes), watch: &watch });
    let entries = archive.entries().map_err(|error| watch.rejected(ARCHIVE, &error))?;
    for entry in entries {
        let mut entry = entry.map_err(|error| watch.rejected(ARCHIVE, &error))?;
        gathered.count()?;
        take(&mut entry, &watch, gathered)?;
    }
    // A tar says where it ends, by a block of zeros. What was cut off between two files does not.
    if watch.is_at_end.get() {
        let why = "its end is missing".to_owned();
        return Err(Rejected::Damaged { path: ARCHIVE.to_owned(), why });
    }
    let mut rest = archive.into_inner();
    let mut chunk = [0; 4096];
    loop {
        match rest.read(&mut chunk) {
            Ok(0) => return Ok(()),
            Ok(n) if chunk[..n].iter().all(|it| *it == 0) => {}
            Ok(_) => return Err(Rejected::Junk { place: "after the end of the tar" }),
            Err(error) => return Err(watch.rejected(ARCHIVE, &error)),
        }
    }
}

/// Whether what comes out of a gzip has a first block as a tar has: with the sum of its bytes, or
/// of zeros. What is damaged or too short to tell is told later.
fn begins_like_a_tar(bytes: &[u8]) -> bool {
    let mut block = tar::Header::new_old();
    let mut members = Members::new(bytes);
    let mut n_bytes = 0;
    while n_bytes < block.as_bytes().len() {
        match members.read(&mut block.as_mut_bytes()[n_bytes..]) {
            Ok(0) => return false,
            Ok(n) => n_bytes += n,
            Err(_) => return true,
        }
    }
    let bytes = block.as_bytes();
    // The sum is taken with blanks in its own place.
    let before = bytes[..148].iter().chain(&bytes[156..]).map(|it| u32::from(*it)).sum::<u32>();
    let sum = before + 8 * u32::from(b' ');
    bytes.iter().all(|it| *it == 0) || block.cksum().is_ok_and(|it| it == sum)
}

fn take<R: Read>(
    entry: &mut Entry<'_, R>,
    watch: &Watch<'_>,
    gathered: &mut Gathered<'_>,
) -> Result<(), Rejected> {
    let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    watch.at.replace(names::shown(&path));
    let kind = entry.header().entry_type();
    extended(entry, &path, watch)?;
    if kind == EntryType::XGlobalHeader {
        return Ok(());
    }
    // So does `tar` itself call what it was given as `.`.
    let plain = path.strip_prefix("./").unwrap_or(&path);
    let is_folder = kind == EntryType::Directory || kind == EntryType::Regular && ends(plain);
    if is_folder {
        if entry.size() > 0 {
            let kind = "a folder with bytes of its own".to_owned();
            return Err(Rejected::Kind { path: names::shown(&path), kind });
        }
        let is_top = path == "./" || path == ".";
        return if is_top { Ok(()) } else { gathered.folder(plain) };
    }
    if kind != EntryType::Regular {
        return Err(Rejected::Kind { path: names::shown(&path), kind: kind_of(kind) });
    }
    let kept = gathered.file(plain)?;
    let (limits, said) = (gathered.limits, entry.size());
    // The stream counts already what may come in all.
    let mut found = 0;
    let count = |n| {
        found += n;
        Ok(())
    };
    let bytes =
        read_file(plain, kept.is_some(), limits, entry, count).map_err(
            |stopped| match stopped {
                Stopped::Rejected(rejected) => rejected,
                Stopped::Failed(error) => watch.rejected(&path, &error),
            },
        )?;
    if found != said {
        return Err(Rejected::Size { path: names::shown(&path), said, found });
    }
    kept.map_or(Ok(()), |path| gathered.keep(path, bytes))
}

fn ends(path: &str) -> bool {
    path.ends_with('/')
}

/// Judges what an extended header says besides: readers that differ on it see other files.
fn extended<R: Read>(
    entry: &mut Entry<'_, R>,
    path: &str,
    watch: &Watch<'_>,
) -> Result<(), Rejected> {
    let is_global = entry.header().entry_type() == EntryType::XGlobalHeader;
    let said = entry.path_bytes().into_owned();
    let size = entry.header().entry_size().map_err(|error| watch.rejected(path, &error))?;
    let (mut n_paths, mut n_sizes) = (0, 0);
    let Some(extensions) = entry.pax_extensions().map_err(|it| watch.rejected(path, &it))? else {
        return Ok(());
    };
    for extension in extensions {
        let extension = extension.map_err(|error| watch.rejected(path, &error))?;
        let key = extension.key_bytes();
        if key.starts_with(SPARSE) {
            let kind = "a sparse file".to_owned();
            return Err(Rejected::Kind { path: names::shown(path), kind });
        }
        n_paths += u32::from(key == PATH);
        n_sizes += u32::from(key == SIZE);
        let is_other = key == PATH && !is_global && extension.value_bytes() != said;
        // There is room for any size that is allowed where all have it.
        let is_other =
            is_other || key == SIZE && extension.value_bytes() != size.to_string().as_bytes();
        if n_paths > 1 || n_sizes > 1 || is_other || is_global && n_paths + n_sizes > 0 {
            let why = "its extended header names it, or its size, in two ways".to_owned();
            return Err(Rejected::Damaged { path: names::shown(path), why });
        }
    }
    Ok(())
}

fn kind_of(kind: EntryType) -> String {
    let kind = match kind {
        EntryType::Symlink => "a symbolic link",
        EntryType::Link => "a hard link",
        EntryType::Char => "a device (character)",
        EntryType::Block => "a device (block)",
        EntryType::Fifo => "a FIFO",
        EntryType::GNUSparse => "a sparse file",
        EntryType::Continuous => "a contiguous file",
        other => return format!("an entry of the type {:?}", char::from(other.as_byte())),
    };
    kind.to_owned()
}

/// What is known of a stream by those who do not hold it.
struct Watch<'a> {
    unpacked: RefCell<&'a mut Unpacked>,
    /// The entry being read.
    at: RefCell<String>,
    /// Why the stream gives no more.
    stopped: RefCell<Option<Rejected>>,
    is_at_end: Cell<bool>,
}

impl Watch<'_> {
    /// Why a reader of the stream failed: for the stream's reason, if it has one.
    fn rejected(&self, path: &str, error: &io::Error) -> Rejected {
        let own = || Rejected::Damaged { path: names::shown(path), why: error.to_string() };
        self.stopped.borrow().clone().unwrap_or_else(own)
    }
}

/// What comes out of the gzip, counted.
struct Stream<'a, 'w> {
    members: Members<'a>,
    watch: &'w Watch<'w>,
}

impl Read for Stream<'_, '_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let stop = |rejected: Rejected| {
            let error = io::Error::other(rejected.to_string());
            self.watch.stopped.replace(Some(rejected));
            error
        };
        let n = self.members.read(into).map_err(stop)?;
        if n == 0 && !into.is_empty() {
            self.watch.is_at_end.set(true);
        }
        let at = self.watch.at.borrow();
        self.watch.unpacked.borrow_mut().count(&at, n as u64).map_err(stop)?;
        Ok(n)
    }
}

/// A gzip may be several, one after the other; together they are one stream.
struct Members<'a> {
    member: Option<GzDecoder<&'a [u8]>>,
}

impl<'a> Members<'a> {
    fn new(bytes: &'a [u8]) -> Members<'a> {
        Members { member: Some(GzDecoder::new(bytes)) }
    }

    fn read(&mut self, into: &mut [u8]) -> Result<usize, Rejected> {
        while let Some(member) = &mut self.member {
            match member.read(into) {
                Ok(0) if !into.is_empty() => {
                    let rest = self.member.take().map(GzDecoder::into_inner).unwrap_or_default();
                    match rest {
                        [0x1f, 0x8b, ..] => self.member = Some(GzDecoder::new(rest)),
                        // As `gzip` does: tapes and tools pad with zeros.
                        rest if rest.iter().all(|it| *it == 0) => {}
                        _ => return Err(Rejected::Junk { place: "after the end of the gzip" }),
                    }
                }
                Ok(n) => return Ok(n),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let why = format!("gzip: {error}");
                    return Err(Rejected::Damaged { path: ARCHIVE.to_owned(), why });
                }
            }
        }
        Ok(0)
    }
}
