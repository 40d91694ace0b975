//! Why an upload is not taken: which entry, what was found, what is allowed.

use thiserror::Error;

/// Why an upload is not taken. Names in it are shortened, and safe to print.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejected {
    /// Nothing came.
    #[error("the upload is empty (0 bytes)")]
    Empty,
    /// There are folders at most.
    #[error("there is no file in the archive")]
    NoFiles,
    /// It is named like an archive and begins like none.
    #[error(
        "it is named *.{extension}, but is no zip and no tar.gz: \
         upload one source file, a zip or a tar.gz"
    )]
    NotAsNamed {
        /// What its name ends with.
        extension: &'static str,
    },
    /// It is an archive of another kind.
    #[error("it is an archive of the kind {kind}: upload one source file, a zip or a tar.gz")]
    OtherArchive {
        /// Which.
        kind: &'static str,
    },
    /// It is a gzip of something else.
    #[error("it is a gzip, but there is no tar in it: upload one source file, a zip or a tar.gz")]
    NotTar,
    /// The archive has too many bytes.
    #[error("the archive has {found} bytes; allowed are {allowed}")]
    TooManyBytes {
        /// How many.
        found: u64,
        /// At most.
        allowed: u64,
    },
    /// One file has too many bytes.
    #[error("{path}: the file has {}{found} bytes; allowed are {allowed}", more_than(*.found, *.allowed))]
    FileTooLarge {
        /// Which.
        path: String,
        /// How many there are at least.
        found: u64,
        /// At most.
        allowed: u64,
    },
    /// There is too much in it.
    #[error(
        "{path}: with this entry, more than {allowed} bytes are in the archive, which is the most allowed"
    )]
    TooMuch {
        /// Where it was noticed.
        path: String,
        /// At most.
        allowed: u64,
    },
    /// It grows by too much.
    #[error(
        "{path}: with this entry, an archive of {packed} bytes unpacks to more than {allowed}; \
         allowed are {ratio_max} for each byte, or 1 MiB"
    )]
    Ratio {
        /// Where it was noticed.
        path: String,
        /// Bytes of the archive.
        packed: u64,
        /// Bytes that it may unpack to.
        allowed: u64,
        /// For each byte.
        ratio_max: u32,
    },
    /// There are too many entries.
    #[error(
        "the archive has more than {allowed} entries, counting folders and what is left out, \
         such as .git"
    )]
    TooManyEntries {
        /// At most.
        allowed: u32,
    },
    /// There are too many files.
    #[error(
        "{path}: with this file, the archive has more than {allowed}, which is the most allowed"
    )]
    TooManyFiles {
        /// The one that was too much.
        path: String,
        /// At most.
        allowed: u32,
    },
    /// A path may not be so.
    #[error("{path}: {what}")]
    Path {
        /// Which.
        path: String,
        /// What is wrong with it.
        what: What,
    },
    /// An entry is neither a file nor a folder.
    #[error("{path}: it is {kind}; allowed are files and folders")]
    Kind {
        /// Which.
        path: String,
        /// What it is.
        kind: String,
    },
    /// Two entries have one path.
    #[error("{path}: there are two entries of this path")]
    Duplicate {
        /// Which.
        path: String,
    },
    /// Two paths differ by case only.
    #[error(
        "{path}: there is {other} as well, which differs by case only; not every system can tell them apart"
    )]
    Case {
        /// The later one.
        path: String,
        /// The earlier one.
        other: String,
    },
    /// A file lies where a folder has to be.
    #[error("{path}: it is a file, and also a folder with other entries in it")]
    FileAndFolder {
        /// Which.
        path: String,
    },
    /// An entry is encrypted.
    #[error("{path}: it is encrypted; allowed are archives without a password")]
    Encrypted {
        /// Which.
        path: String,
    },
    /// An entry is packed in a way not read here.
    #[error("{path}: it is packed by {method}; allowed are stored and deflated")]
    Method {
        /// Which.
        path: String,
        /// As the archive tells it.
        method: String,
    },
    /// Entries share bytes.
    #[error("entries of the archive overlap: some of its bytes belong to more than one")]
    Overlap,
    /// An entry is said to have another size than it has.
    #[error("{path}: it is said to have {said} bytes, and has {found}")]
    Size {
        /// Which.
        path: String,
        /// What is said.
        said: u64,
        /// What there is: of what is longer than said, one more.
        found: u64,
    },
    /// The archive is of the kind for more than 4 GiB.
    #[error("the archive is a zip64, made for more than 4 GiB; allowed is a plain zip")]
    Zip64,
    /// There are bytes that belong to nothing.
    #[error("{place} there are bytes that do not belong to the archive")]
    Junk {
        /// Where.
        place: &'static str,
    },
    /// Its bytes make no sense, or not all of them are there.
    #[error("{path}: it is damaged, or not all of it is there ({why})")]
    Damaged {
        /// The entry, or the archive.
        path: String,
        /// What the reader said.
        why: String,
    },
}

/// What is wrong with a path.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum What {
    /// It has no character.
    #[error("an entry without a name")]
    Unnamed,
    /// It begins at the root.
    #[error("an absolute path; allowed are paths inside the archive")]
    Absolute,
    /// It begins with a drive.
    #[error("a path with a drive letter; allowed are paths inside the archive")]
    Drive,
    /// It goes up.
    #[error("a path with `..`, which leads out of its folder")]
    Up,
    /// It has a part that is `.` or empty.
    #[error("a path with an empty part or `.`; allowed is one name between two `/`")]
    EmptyPart,
    /// It has a backslash.
    #[error("a path with a backslash; between folders stands `/`")]
    Backslash,
    /// It has a character outside those allowed.
    #[error(
        "a path with the character {found}; allowed are letters and digits of ASCII, space, and {}",
        crate::PLAIN
    )]
    Character {
        /// Which, or its number in Unicode.
        found: String,
    },
    /// A part begins with what might be taken for an option.
    #[error("a name that begins with `{found}`, as options do")]
    LikeAnOption {
        /// With what.
        found: char,
    },
    /// A part begins or ends with a space, or ends with a dot.
    #[error(
        "a name that begins or ends with a space, or ends with a dot, which not every system keeps"
    )]
    Edge,
    /// It has too many parts.
    #[error("a path of {found} parts; allowed are {allowed}")]
    Deep {
        /// How many.
        found: usize,
        /// At most.
        allowed: u32,
    },
    /// It is too long.
    #[error("a path of {found} bytes; allowed are {allowed}")]
    Long {
        /// How many.
        found: usize,
        /// At most.
        allowed: u32,
    },
}

/// What is read only until it is too much was not counted to its end.
fn more_than(found: u64, allowed: u64) -> &'static str {
    if found == allowed + 1 { "at least " } else { "" }
}
