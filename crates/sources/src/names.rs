//! Which paths are plain: such as every system reads the same way, and no tool takes for anything
//! but a file.

use crate::{Limits, What};

/// Allowed in a path, besides letters and digits of ASCII, `/` and space. No quotes, no braces, no
/// wildcards: some compilers and templates read those.
pub const PLAIN: &str = "._-+=@#~$!,()[]";
/// Most characters of a path in a message.
const SHOWN_CHARS_MAX: usize = 120;
/// Longest extension that is kept of a name that is not plain.
const EXTENSION_BYTES_MAX: usize = 16;
/// What names of archives end with. Among them are kinds not read here, to say so.
const ARCHIVES: &[&str] = &[
    "zip", "jar", "gz", "tgz", "tar", "7z", "rar", "xz", "txz", "bz2", "tbz2", "tbz", "zst",
    "lzma", "lz", "lz4", "z", "cab", "iso", "war", "whl", "egg",
];
/// What systems and tools put into archives by themselves: left out.
const LITTER: &[&str] = &["__MACOSX", ".git", ".DS_Store", "Thumbs.db", "desktop.ini"];

/// A path that is allowed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Name<'a> {
    /// Of something to keep.
    Kept(&'a str),
    /// Of something to leave out.
    Litter,
}

/// Whether it can stand in a plain name.
pub(crate) fn is_plain_extension(it: &str) -> bool {
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || it == b'+';
    (1..=EXTENSION_BYTES_MAX).contains(&it.len()) && it.bytes().all(is_plain)
}

/// Judges the path of a file or, without its last `/`, of a folder.
pub(crate) fn judge<'a>(path: &'a str, limits: &Limits) -> Result<Name<'a>, What> {
    if path.is_empty() {
        return Err(What::Unnamed);
    }
    if let Some(found) = path.chars().find(|it| it.is_control()) {
        return Err(What::Character { found: called(found) });
    }
    if path.contains('\\') {
        return Err(What::Backslash);
    }
    if path.starts_with('/') {
        return Err(What::Absolute);
    }
    if matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic()) {
        return Err(What::Drive);
    }
    if path.split('/').any(|it| it == "..") {
        return Err(What::Up);
    }
    if path.split('/').any(|it| it.is_empty() || it == ".") {
        return Err(What::EmptyPart);
    }
    // What is left out is written nowhere, so that its characters are nobody's concern.
    if path.split('/').any(|it| LITTER.iter().any(|litter| litter.eq_ignore_ascii_case(it))) {
        return Ok(Name::Litter);
    }
    if path.len() > limits.path_bytes_max as usize {
        return Err(What::Long { found: path.len(), allowed: limits.path_bytes_max });
    }
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "/ ".contains(it) || PLAIN.contains(it);
    if let Some(found) = path.chars().find(|it| !is_plain(*it)) {
        return Err(What::Character { found: called(found) });
    }
    for part in path.split('/') {
        // `@file` has some compilers read options from that file.
        if let Some(found) = part.chars().next().filter(|it| "-@".contains(*it)) {
            return Err(What::LikeAnOption { found });
        }
        if part.starts_with(' ') || part.ends_with(' ') || part.ends_with('.') {
            return Err(What::Edge);
        }
    }
    let depth = path.split('/').count();
    if depth > limits.depth_max as usize {
        return Err(What::Deep { found: depth, allowed: limits.depth_max });
    }
    Ok(Name::Kept(path))
}

/// A path as it may stand in a message: escaped, and not too long.
pub(crate) fn shown(path: &str) -> String {
    let is_plain = |it: char| it.is_ascii_graphic() || it == ' ';
    let mut shown = String::new();
    for (n, it) in path.chars().enumerate() {
        if n >= SHOWN_CHARS_MAX {
            shown.push_str("...");
            break;
        }
        match it {
            it if is_plain(it) => shown.push(it),
            it => shown.extend(it.escape_unicode()),
        }
    }
    if shown.is_empty() { "(no name)".to_owned() } else { shown }
}

/// A character that is not allowed, in characters that are.
fn called(it: char) -> String {
    if it.is_ascii_graphic() { format!("`{it}`") } else { format!("U+{:04X}", u32::from(it)) }
}

/// What the name of an archive ends with.
pub(crate) fn archive_extension(file_name: &str) -> Option<&'static str> {
    let (_, extension) = file_name.rsplit_once('.')?;
    ARCHIVES.iter().find(|it| it.eq_ignore_ascii_case(extension)).copied()
}
