//! A tar, written by hand.

use serde::Deserialize;

use super::{Contents, gzip, name};

const BLOCK: usize = 512;

/// A tar and its lies.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tar {
    pub members: Vec<Member>,
    /// It ends where its last file does.
    #[serde(default)]
    pub endless: bool,
    /// After its end.
    #[serde(default)]
    pub junk: String,
    /// Its gzip is as many, one after the other.
    #[serde(default)]
    pub gzips: Option<usize>,
}

/// A member and its lies.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    pub name: String,
    /// As many of it.
    #[serde(default)]
    pub n: Option<u32>,
    /// One character; a file where there is none.
    #[serde(default)]
    pub kind: Option<char>,
    #[serde(default)]
    pub has: Contents,
    /// Where a link leads.
    #[serde(default)]
    pub link: String,
    #[serde(default)]
    pub mode: Option<u32>,
    /// Size that is said.
    #[serde(default)]
    pub said: Option<u64>,
    /// Of an extended header: `key=value`, each with its length before it.
    #[serde(default)]
    pub records: Vec<String>,
    /// Whether the sum is wrong.
    #[serde(default)]
    pub wrong_sum: bool,
    /// As tars were before there was a standard: no magic.
    #[serde(default)]
    pub old: bool,
    /// Devices have numbers.
    #[serde(default)]
    pub device: bool,
}

impl Tar {
    /// Of files that are no lie.
    pub fn of(files: &[(&str, &str)]) -> Tar {
        let member = |(name, text): &(&str, &str)| Member {
            name: (*name).to_owned(),
            has: Contents { text: (*text).to_owned(), ..Contents::default() },
            ..Member::default()
        };
        Tar { members: files.iter().map(member).collect(), ..Tar::default() }
    }

    pub fn gzip(&self) -> Vec<u8> {
        let bytes = self.bytes();
        let n = self.gzips.unwrap_or(1);
        bytes.chunks(bytes.len().div_ceil(n).max(1)).flat_map(gzip).collect()
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for member in &self.members {
            (0..member.n.unwrap_or(1)).for_each(|n| out.extend(member.bytes(n)));
        }
        if !self.endless {
            out.extend([0; 2 * BLOCK]);
        }
        out.extend(self.junk.as_bytes());
        out
    }
}

impl Member {
    fn bytes(&self, n: u32) -> Vec<u8> {
        let records: Vec<u8> = self.records.iter().flat_map(|it| record(it)).collect();
        let contents = [records, self.has.bytes()].concat();
        let mut header = [0; BLOCK];
        let name = name(&self.name, n);
        header[..name.len().min(100)].copy_from_slice(&name[..name.len().min(100)]);
        octal(&mut header[100..108], u64::from(self.mode.unwrap_or(0o644)));
        octal(&mut header[108..116], 0);
        octal(&mut header[116..124], 0);
        octal(&mut header[124..136], self.said.unwrap_or(contents.len() as u64));
        octal(&mut header[136..148], 0);
        header[148..156].fill(b' ');
        header[156] = self.kind.map_or(b'0', |it| it as u8);
        header[157..157 + self.link.len()].copy_from_slice(self.link.as_bytes());
        if !self.old {
            // Long names and sparse files are GNU's, all else is of the standard.
            let is_gnu = self.kind.is_some_and(|it| "LKS".contains(it));
            header[257..265].copy_from_slice(if is_gnu { b"ustar  \0" } else { b"ustar\x0000" });
            if self.kind == Some('S') {
                octal(&mut header[483..495], 0);
            }
            if self.device {
                octal(&mut header[329..337], 1);
                octal(&mut header[337..345], 3);
            }
        }
        let sum: u64 = header.iter().map(|it| u64::from(*it)).sum();
        octal(&mut header[148..156], sum + u64::from(self.wrong_sum));
        let padding = vec![0; contents.len().next_multiple_of(BLOCK) - contents.len()];
        [&header, &contents[..], &padding].concat()
    }
}

fn octal(field: &mut [u8], value: u64) {
    let digits = field.len() - 1;
    let text = format!("{value:0digits$o}");
    if text.len() > digits {
        // As GNU writes what has no room in octal.
        let n = field.len();
        field[n - 8..].copy_from_slice(&value.to_be_bytes());
        field[0] = 0x80;
        return;
    }
    field[..digits].copy_from_slice(text.as_bytes());
}

/// A record says how long it is, its own length among it.
fn record(text: &str) -> Vec<u8> {
    let rest = text.len() + 2;
    let length = (1..4).map(|digits| rest + digits).find(|it| it.to_string().len() + rest == *it);
    format!("{} {text}\n", length.unwrap()).into_bytes()
}
