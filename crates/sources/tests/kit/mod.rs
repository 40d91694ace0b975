//! Writes archives that no library would: every field can be a lie.

pub mod tar;
pub mod zip;

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use serde::Deserialize;

/// An archive to make, or bytes to take.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// What it is made as.
    #[serde(flatten)]
    made: Made,
    /// What stands before it.
    #[serde(default)]
    before: String,
    /// What stands after it.
    #[serde(default)]
    after: String,
    /// Bytes cut off at its end.
    #[serde(default)]
    cut: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Made {
    /// A zip.
    Zip(zip::Zip),
    /// A tar in gzip.
    Tar(tar::Tar),
    /// A gzip of a text.
    Gzip(String),
    /// Bytes as they are, in hex; then zeros.
    Hex(String),
}

impl Recipe {
    /// Makes it.
    pub fn bytes(&self) -> Vec<u8> {
        let made = match &self.made {
            Made::Zip(it) => it.bytes(),
            Made::Tar(it) => it.gzip(),
            Made::Gzip(text) => gzip(text.as_bytes()),
            Made::Hex(text) => unhex(text),
        };
        let mut bytes = [self.before.as_bytes(), &made, self.after.as_bytes()].concat();
        bytes.truncate(bytes.len() - self.cut);
        bytes
    }
}

/// What is in an entry.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contents {
    /// Text.
    #[serde(default)]
    text: String,
    /// So many zeros after it.
    #[serde(default)]
    zeros: usize,
    /// A zip of a text instead.
    #[serde(default)]
    zip_of: Option<String>,
}

impl Contents {
    fn bytes(&self) -> Vec<u8> {
        if let Some(text) = &self.zip_of {
            return zip::Zip::of(&[("inner.py", text)]).bytes();
        }
        [self.text.as_bytes(), &vec![0; self.zeros]].concat()
    }
}

/// Makes `{n}` in a name into a number, and `%NN` into a byte.
fn name(pattern: &str, n: u32) -> Vec<u8> {
    let pattern = pattern.replace("{n}", &n.to_string());
    let mut bytes = Vec::new();
    let mut rest = pattern.as_str();
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        bytes.extend(unhex(&after[..2]));
        rest = &after[2..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).unwrap();
    gzip.finish().unwrap()
}

fn unhex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    let pairs = digits.as_bytes().chunks(2).map(|it| str::from_utf8(it).unwrap());
    pairs.map(|it| u8::from_str_radix(it, 16).unwrap()).collect()
}
