//! Everything that reads bytes of bots and uploads, each as a function of bytes that must not panic.
//!
//! Tried for seconds by this crate's test, and for as long as one likes by the programs of `/fuzz`.
//! It knows no way to make up bytes.

#![forbid(unsafe_code)]

mod files;
mod matches;

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::Path,
};

use flate2::{Compression, Crc, write::GzEncoder};
use runner::{Cache, Excerpt, Languages, sandbox};
use sources::{Adapters, File, Format, Limits, Sources};

/// Something that reads bytes, with bytes to begin from.
pub struct Target {
    /// Its name, and that of its program in `/fuzz`.
    pub name: &'static str,
    /// Panics where something is wrong.
    pub run: fn(&[u8]),
    /// What it is used to read, so that changes of it reach deep.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "dialect", run: matches::dialect, seeds: matches::conversations },
    Target { name: "sprint", run: matches::sprint, seeds: matches::conversations },
    Target { name: "duel", run: matches::duel, seeds: matches::conversations },
    Target { name: "record", run: matches::record, seeds: matches::records },
    Target { name: "setup", run: files::setup, seeds: files::setups },
    Target { name: "setup_file", run: files::setup_file, seeds: files::setup_files },
    Target { name: "record_file", run: files::record_file, seeds: files::record_files },
    Target { name: "pack", run: pack, seeds: packs },
    Target { name: "upload", run: upload, seeds: uploads },
    Target { name: "tar", run: tar, seeds: tars },
    Target { name: "class", run: class, seeds: sources },
    Target { name: "message", run: message, seeds: messages },
    Target { name: "excerpt", run: excerpt, seeds: sources },
];

/// Target of this name, for the programs of `/fuzz`.
///
/// # Panics
///
/// Where there is none.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|it| it.name == name).expect("a target of that name");
    (target.run)(bytes);
}

/// As it is, and as what would come of it if it were compressed. What is taken lies in its folder.
fn pack(bytes: &[u8]) {
    let digest = "0".repeat(64);
    let packed = zstd::encode_all(bytes, 1).expect("bytes can be compressed");
    for pack in [bytes, &packed] {
        let folder = tempfile::tempdir().expect("a folder");
        let beside = folder.path().join("beside");
        std::fs::create_dir(&beside).expect("a folder");
        let cache = Cache::open(&folder.path().join("cache"), 1 << 20).expect("an empty folder");
        let _ = cache.put(&digest, pack);
        let count = |path: &Path| std::fs::read_dir(path).expect("a folder").count();
        assert_eq!((count(folder.path()), count(&beside)), (2, 0), "something lies beside");
    }
}

/// What is taken is within all limits, and every path in it is one that any system can have.
fn upload(bytes: &[u8]) {
    let limits = Limits {
        bytes_max: 1 << 20,
        files_max: 20,
        entries_max: 40,
        unpacked_bytes_max: 1 << 20,
        file_bytes_max: 1 << 18,
        ratio_max: 50,
        depth_max: 4,
        path_bytes_max: 60,
    };
    let Ok(sources) = Sources::read("bot.py", bytes, &limits) else { return };
    let files = &sources.files;
    assert!(!files.is_empty() && files.len() <= 20, "{files:?}");
    assert!(files.iter().map(|it| it.bytes.len()).sum::<usize>() <= 1 << 20, "{files:?}");
    let folded: BTreeSet<String> = files.iter().map(|it| it.path.to_lowercase()).collect();
    assert_eq!(folded.len(), files.len(), "{files:?}");
    assert!(files.is_sorted_by_key(|it| it.path.as_str()), "{files:?}");
    for file in files {
        let components = Path::new(&file.path).components();
        let parts: Vec<&str> = file.path.split('/').collect();
        let plain = components.filter(|it| matches!(it, std::path::Component::Normal(_)));
        assert_eq!(plain.count(), parts.len(), "{files:?}");
        assert!(file.path.is_ascii() && parts.iter().all(|it| !it.starts_with('-')), "{files:?}");
        let above = file.path.match_indices('/').map(|(at, _)| &file.path[..at]);
        assert!(above.into_iter().all(|it| sources.get(it).is_none()), "{files:?}");
        assert_eq!(sources.get(&file.path), Some(file));
    }
}

/// Changes of a gzip would hardly ever reach what reads the tar in it.
fn tar(bytes: &[u8]) {
    upload(&gzipped(bytes));
}

fn uploads() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = tars().iter().map(|it| gzipped(it)).collect();
    seeds.push([gzipped(&tars()[0][..512]), gzipped(&tars()[0][512..])].concat());
    seeds.push(zipped(&[("bot/main.py", b"import plan\n"), ("bot/plan.py", b"#")]));
    seeds.push(zipped(&[("main.py", b"x"), ("../out", b"x")]));
    seeds.push(zipped(&[("a/", b""), ("a/main.py", b"x"), ("A", b"x")]));
    seeds.push(b"print(1)\n".to_vec());
    seeds
}

fn tars() -> Vec<Vec<u8>> {
    let end = vec![0; 1024];
    vec![
        [
            member("bot/main.py", b'0', b"import plan\n"),
            member("bot/plan.py", b'0', b"#"),
            end.clone(),
        ]
        .concat(),
        [member("x", b'x', b"20 path=bot/main.py\n"), member("y", b'0', b"x"), end.clone()]
            .concat(),
        [member("x", b'L', b"bot/main.py\0"), member("y", b'0', b"x"), end.clone()].concat(),
        [member("bot/", b'5', b""), member("bot/link", b'2', b""), end].concat(),
    ]
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(bytes).and_then(|()| gzip.finish()).expect("a vector takes all that is written")
}

/// A zip of stored files.
fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut local, mut list) = (Vec::new(), Vec::new());
    for (name, contents) in files {
        let mut sum = Crc::new();
        sum.update(contents);
        let n_bytes = (contents.len() as u32).to_le_bytes();
        let about: &[&[u8]] = &[
            &[20, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            &sum.sum().to_le_bytes(),
            &n_bytes,
            &n_bytes,
            &(name.len() as u32).to_le_bytes(),
        ];
        let (about, at) = (about.concat(), (local.len() as u32).to_le_bytes());
        local.extend([b"PK\x03\x04", &about[..], name.as_bytes(), contents].concat());
        list.extend([b"PK\x01\x02\x14\0", &about[..], &[0; 10], &at, name.as_bytes()].concat());
    }
    let n = (files.len() as u16).to_le_bytes();
    let [at, n_bytes] = [local.len(), list.len()].map(|it| (it as u32).to_le_bytes());
    let end = [b"PK\x05\x06\0\0\0\0", &n[..], &n, &n_bytes, &at, &[0, 0]].concat();
    [local, list, end].concat()
}

/// A header of 512 bytes, and contents padded to as many.
fn member(name: &str, kind: u8, contents: &[u8]) -> Vec<u8> {
    let mut header = [0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[100..107].copy_from_slice(b"0000644");
    header[124..135].copy_from_slice(format!("{:011o}", contents.len()).as_bytes());
    header[148..156].fill(b' ');
    header[156] = kind;
    header[257..265].copy_from_slice(b"ustar  \0");
    let sum: u32 = header.iter().map(|it| u32::from(*it)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let padding = vec![0; contents.len().next_multiple_of(512) - contents.len()];
    [&header, contents, &padding].concat()
}

fn packs() -> Vec<Vec<u8>> {
    let entry = member("agon.entry", b'0', b"bot");
    vec![
        [entry.clone(), member("bot", b'0', b"#!/bin/sh\n"), vec![0; 1024]].concat(),
        [entry.clone(), member("../out", b'0', b"x"), vec![0; 1024]].concat(),
        [entry, member("link", b'2', b""), vec![0; 1024]].concat(),
        member("agon.entry", b'0', b"../bot"),
    ]
}

thread_local! {
    static LANGUAGES: RefCell<Option<(Languages, Adapters)>> = const { RefCell::new(None) };
}

/// The guess of a language, the names that a source is built by, and what adapters make of it.
fn class(bytes: &[u8]) {
    LANGUAGES.with_borrow_mut(|loaded| {
        let (languages, adapters) = loaded.get_or_insert_with(|| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config");
            let languages = Languages::load(&folder.join("languages"), &BTreeMap::new());
            let adapters = Adapters::load(&folder.join("games")).expect("those of the product");
            (languages.expect("the languages of the product"), adapters)
        });
        for name in [None, Some("x.java"), Some("x.py"), Some("")] {
            languages.guess_file(name, bytes);
        }
        for language in languages.iter() {
            let Ok((name, entry)) = language.names("../x.mjs", bytes) else { continue };
            let is_plain = |it: &str| !it.is_empty() && !it.contains(['/', '\0', '\n', ' ']);
            assert!(is_plain(&name) && is_plain(&entry), "{name:?} {entry:?}");
        }
        // Alone, and among others.
        for (format, path) in [(Format::File, "source"), (Format::Zip, "a/X.java")] {
            let files = vec![File { path: path.to_owned(), bytes: bytes.to_vec() }];
            let upload = Sources { format, files };
            let Ok(Some(adapted)) = adapters.adapt("planes", "java", &upload) else { continue };
            let own = adapters.of("planes").next().map_or(0, |it| it.files().len());
            let mut paths: Vec<_> = adapted.sources.files.iter().map(|it| &it.path).collect();
            assert!(adapted.sources.get(&adapted.main).is_some(), "{paths:?}");
            paths.dedup();
            assert_eq!(paths.len(), own + 1, "the class that plays is in none: {paths:?}");
            assert!(paths.iter().all(|it| !it.contains(['\0', '\n', ' '])), "{paths:?}");
        }
    });
}

fn sources() -> Vec<Vec<u8>> {
    let texts: &[&[u8]] = &[
        b"package a.b;\npublic final class Bot { public static void main(String[] a) { } }\n",
        b"// class No\n/* class No */ class A { String s = \"class B {\"; } class C { void main() {} }",
        b"package a; @A({B.class}) abstract class C<T extends B> extends PlaneControl {} record R(int x) {} public class D extends C<B> implements I { String s = \"\"\"\n\\\"\"\"\"\"\"; }",
        b"#!/usr/bin/python3\nimport sys\nprint('x')\n",
        b"#include <stdio.h>\nint main(void) { return 0; }\n",
        "using System; namespace \u{fc} { class P { static void Main() { } } }".as_bytes(),
    ];
    texts.iter().map(|it| it.to_vec()).collect()
}

/// What launcher and client say to each other, where the other side is not what it should be.
fn message(bytes: &[u8]) {
    sandbox::try_message(bytes);
}

fn messages() -> Vec<Vec<u8>> {
    let texts: &[&[u8]] = &[
        br#""Hello""#,
        br#"{"Spawn":{"spec":{"argv":["true"],"env":[["A","b"]],"cwd":"/","limits":{"memory_bytes_max":1,"processes_max":1,"cpu_percent_max":1,"descriptors_max":1,"file_bytes_max":1,"stack_bytes_max":1,"tmp_bytes_max":1,"tmp_files_max":1,"shm_bytes_max":1},"core":null,"start":"Running","build":null},"dirs":["/bot"]}}"#,
        br#"{"Ended":{"how":{"Exited":0},"out_of_memory":false,"cpu":{"secs":0,"nanos":1},"wall":{"secs":0,"nanos":1},"memory_peak_bytes":null}}"#,
        br#"{"Refused":{"NoRoom":{"jails_max":1}}}"#,
        br#"{"Failed":{"step":"a","why":"b"}}"#,
        br#"{"Started":{"peak":true,"pressure":false,"build":true}}"#,
    ];
    texts.iter().map(|it| it.to_vec()).collect()
}

/// What is kept of a standard error is text, and no longer than it may be.
fn excerpt(bytes: &[u8]) {
    for bytes_max in [264, 1000] {
        let mut excerpt = Excerpt::new(bytes_max);
        bytes.chunks(7).for_each(|chunk| excerpt.push(chunk));
        let text = excerpt.into_text();
        assert!(text.len() <= bytes_max && !text.contains('\0'), "{text:?}");
    }
}
