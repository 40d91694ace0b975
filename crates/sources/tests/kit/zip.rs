//! A zip, written by hand.

use std::io::Write;

use flate2::{Compression, Crc, write::DeflateEncoder};
use serde::Deserialize;

use super::{Contents, name, unhex};

/// A zip and its lies.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Zip {
    pub entries: Vec<Entry>,
    /// Its comment.
    #[serde(default)]
    pub comment: String,
    /// How many entries it says it has.
    #[serde(default)]
    pub n_said: Option<u16>,
    /// Whether a zip64 record stands before its end.
    #[serde(default)]
    pub zip64: bool,
    /// Bytes between its list and its end.
    #[serde(default)]
    pub before_end: String,
    /// Its end says that it is on this disk of several.
    #[serde(default)]
    pub disk: u16,
}

/// An entry and its lies.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub name: String,
    /// As many of it.
    #[serde(default)]
    pub n: Option<u32>,
    #[serde(default)]
    pub has: Contents,
    /// Another name before the file than in the list.
    #[serde(default)]
    pub local_name: Option<String>,
    /// Unix mode, with the kind of file.
    #[serde(default)]
    pub mode: u32,
    /// Size that is said.
    #[serde(default)]
    pub said: Option<u32>,
    /// Packed size that is said.
    #[serde(default)]
    pub packed_said: Option<u32>,
    /// Method that is said; 8 packs, all others do not.
    #[serde(default)]
    pub method: u16,
    #[serde(default)]
    pub flags: u16,
    /// Whether the sum is wrong.
    #[serde(default)]
    pub wrong_sum: bool,
    /// In hex.
    #[serde(default)]
    pub extra: String,
    /// It has no bytes of its own: they are those of the entry before.
    #[serde(default)]
    pub shares: bool,
    /// It is not in the list.
    #[serde(default)]
    pub unlisted: bool,
    /// Its packed bytes, in hex.
    #[serde(default)]
    pub packed: Option<String>,
}

impl Zip {
    /// Of files that are no lie.
    pub fn of(files: &[(&str, &str)]) -> Zip {
        let entry = |(name, text): &(&str, &str)| Entry {
            name: (*name).to_owned(),
            has: Contents { text: (*text).to_owned(), ..Contents::default() },
            method: 8,
            ..Entry::default()
        };
        Zip { entries: files.iter().map(entry).collect(), ..Zip::default() }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let (mut out, mut list, mut n_listed, mut last) = (Vec::new(), Vec::new(), 0_u32, 0);
        for entry in &self.entries {
            for n in 0..entry.n.unwrap_or(1) {
                if !entry.shares {
                    last = out.len();
                    out.extend(entry.local(n));
                }
                if !entry.unlisted {
                    list.extend(entry.listed(n, last));
                    n_listed += 1;
                }
            }
        }
        let at = out.len();
        out.extend(&list);
        out.extend(self.before_end.as_bytes());
        if self.zip64 {
            let here = out.len() as u64;
            let (n, at, size) = (u64::from(n_listed), at as u64, list.len() as u64);
            let record = [44, 45 | 45 << 16, 0, n, n, size, at].map(u64::to_le_bytes);
            // Size, versions, disks, then counts, size and place of the list.
            let [length, versions, disks, rest @ ..] = record;
            out.extend([&b"PK\x06\x06"[..], &length, &versions[..4], &disks].concat());
            out.extend(rest.concat());
            out.extend([&b"PK\x06\x07\0\0\0\0"[..], &here.to_le_bytes(), &[1, 0, 0, 0]].concat());
        }
        let n = self.n_said.unwrap_or(n_listed as u16).to_le_bytes();
        let [at, size] = [at, list.len()].map(|it| (it as u32).to_le_bytes());
        let comment = self.comment.as_bytes();
        let length = (comment.len() as u16).to_le_bytes();
        let disk = self.disk.to_le_bytes();
        let end: [&[u8]; 9] = [b"PK\x05\x06", &disk, &[0, 0], &n, &n, &size, &at, &length, comment];
        out.extend(end.concat());
        out
    }
}

impl Entry {
    fn packed(&self) -> Vec<u8> {
        if let Some(hex) = &self.packed {
            return unhex(hex);
        }
        let bytes = self.has.bytes();
        if self.method != 8 {
            return bytes;
        }
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
        deflate.write_all(&bytes).unwrap();
        deflate.finish().unwrap()
    }

    /// What list and file both say, from the version on to the lengths of names.
    fn about(&self, name: &[u8]) -> Vec<u8> {
        let bytes = self.has.bytes();
        let mut sum = Crc::new();
        sum.update(&bytes);
        let sum = if self.wrong_sum { !sum.sum() } else { sum.sum() };
        let size = self.said.unwrap_or(bytes.len() as u32);
        let packed = self.packed_said.unwrap_or_else(|| self.packed().len() as u32);
        let fields: [&[u8]; 9] = [
            &20u16.to_le_bytes(),
            &self.flags.to_le_bytes(),
            &self.method.to_le_bytes(),
            &[0, 0, 0x21, 0],
            &sum.to_le_bytes(),
            &packed.to_le_bytes(),
            &size.to_le_bytes(),
            &(name.len() as u16).to_le_bytes(),
            &(unhex(&self.extra).len() as u16).to_le_bytes(),
        ];
        fields.concat()
    }

    fn local(&self, n: u32) -> Vec<u8> {
        let name = name(self.local_name.as_ref().unwrap_or(&self.name), n);
        let parts: [&[u8]; 5] =
            [b"PK\x03\x04", &self.about(&name), &name, &unhex(&self.extra), &self.packed()];
        parts.concat()
    }

    fn listed(&self, n: u32, at: usize) -> Vec<u8> {
        let name = name(&self.name, n);
        let parts: [&[u8]; 7] = [
            // Made by a Unix.
            b"PK\x01\x02\x14\x03",
            &self.about(&name),
            &[0; 6],
            &(self.mode << 16).to_le_bytes(),
            &(at as u32).to_le_bytes(),
            &name,
            &unhex(&self.extra),
        ];
        parts.concat()
    }
}
