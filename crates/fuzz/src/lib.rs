//! Everything that reads bytes of bots and uploads, each as a function of bytes that must not panic.
//!
//! Tried for seconds by this crate's test, and for as long as one likes by the programs of `/fuzz`.
//! It knows no way to make up bytes.

#![forbid(unsafe_code)]

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::Path,
    time::Duration,
};

use conformance::{
    Step, simulate,
    toys::{duel, sprint},
};
use flate2::{Compression, Crc, write::GzEncoder};
use game::{Dialect, End, Game, Seat};
use labyrinth::{Labyrinth, Lines, Mode};
use referee::AnyGame;
use runner::{Cache, Excerpt, Languages, sandbox};
use sources::{Limits, Sources};

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
    Target { name: "labyrinth", run: labyrinth, seeds: conversations },
    Target { name: "sprint", run: sprint, seeds: conversations },
    Target { name: "duel", run: duel, seeds: conversations },
    Target { name: "record", run: record, seeds: records },
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

fn labyrinth(bytes: &[u8]) {
    let (first, rest) = bytes.split_first().unwrap_or((&0, &[]));
    let mode = if first % 2 == 0 { Mode::Map } else { Mode::NoMap };
    converse::<Labyrinth, Lines>(&labyrinth::Setup::new(5, mode), rest);
}

fn sprint(bytes: &[u8]) {
    let setup = sprint::Setup { length: 6, steps_max: 12, think_ms: 200 };
    converse::<sprint::Sprint, sprint::Numbers>(&setup, bytes);
}

fn duel(bytes: &[u8]) {
    converse::<duel::Duel, duel::Blocks>(&duel::Setup { fights: 2, turns: 3 }, bytes);
}

/// Plays a whole match of what the bytes say that bots do. It ends, its record can be replayed,
/// and nothing hangs on the pieces in which bytes come.
fn converse<G: Game, D: Dialect<G>>(setup: &G::Setup, bytes: &[u8]) {
    let steps = steps(bytes);
    let whole = simulate::<G, D>(setup, &steps, usize::MAX);
    let record = serde_json::to_string(whole.record()).expect("a record is JSON");
    for chunk_bytes in [1, 7] {
        let pieces = simulate::<G, D>(setup, &steps, chunk_bytes);
        let other = serde_json::to_string(pieces.record()).expect("a record is JSON");
        assert_eq!(record, other, "in pieces of {chunk_bytes}");
    }
    // A database of ours has no such character.
    assert!(whole.record().remarks.iter().all(|it| !it.text.contains('\0')), "a NUL in {record}");
    let read: referee::Record<G> = serde_json::from_str(&record).expect("what was written is read");
    referee::replay::<G>(&read).expect("a record can be replayed");
}

/// A byte says who does what and for how long; after one that says something comes its length.
fn steps(mut bytes: &[u8]) -> Vec<Step> {
    let mut steps = Vec::new();
    while let [what, rest @ ..] = bytes {
        let seat = Seat(what & 1);
        bytes = rest;
        steps.push(match what >> 1 & 15 {
            0 => Step::Sleep(seat),
            1 => Step::End(seat, End::Exited(0)),
            2 => Step::End(seat, End::OutOfMemory),
            _ => {
                let [length, rest @ ..] = bytes else { break };
                let (said, rest) = rest.split_at(usize::from(*length).min(rest.len()));
                bytes = rest;
                Step::Say(seat, said.to_vec(), Duration::from_millis(u64::from(what >> 5)))
            }
        });
    }
    steps
}

fn conversations() -> Vec<Vec<u8>> {
    let lines: &[&[u8]] = &[
        b"MazeSize\nMazeMap\nClock\n#END\n",
        b"PlaceObstacle 2 3\n#END\n",
        b"FieldOfView\nMakeStep 0\n#PRINT here\n#END\n",
        b"#END\n#END\n#END\n",
        b"0\n1\n",
        b"-1\n",
        b"1\n1\n",
        b"2\n3\n4\n",
    ];
    let said = |seat: u8, line: &[u8]| [&[seat | 0x26, line.len() as u8], line].concat();
    let one = lines.iter().flat_map(|line| [said(0, line), said(1, line)]);
    let all: Vec<Vec<u8>> = one.collect();
    let together = all.concat();
    all.into_iter().chain([together]).map(|it| [&[0], it.as_slice()].concat()).collect()
}

/// Records come from our own storage, which may have been damaged.
fn record(bytes: &[u8]) {
    for game in games::GAMES.iter().copied().chain([SPRINT, DUEL]) {
        let seats = (0..3).map(|it| Some(Seat(it))).chain([None]);
        for eye in seats {
            let _ = game.replay(bytes, eye);
        }
    }
}

const SPRINT: &dyn AnyGame = &referee::Entry::<sprint::Sprint, sprint::Numbers>::NEW;
const DUEL: &dyn AnyGame = &referee::Entry::<duel::Duel, duel::Blocks>::NEW;

fn records() -> Vec<Vec<u8>> {
    let says = |seat, line: &[u8]| Step::Say(Seat(seat), line.to_vec(), Duration::from_millis(1));
    let steps: Vec<Step> = (0..6)
        .flat_map(|_| [says(0, b"#END\n1\n1\n"), says(1, b"MakeStep 0\n#END\n1\n1\n")])
        .collect();
    let setup = labyrinth::Setup::new(5, Mode::Map);
    let maze = simulate::<Labyrinth, Lines>(&setup, &steps, 64);
    let setup = duel::Setup { fights: 2, turns: 3 };
    let fight = simulate::<duel::Duel, duel::Blocks>(&setup, &steps, 64);
    let json = "a record is JSON";
    vec![
        serde_json::to_vec(maze.record()).expect(json),
        serde_json::to_vec(fight.record()).expect(json),
    ]
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
    static LANGUAGES: RefCell<Option<Languages>> = const { RefCell::new(None) };
}

/// The guess of a language, and the names that a source is built by.
fn class(bytes: &[u8]) {
    LANGUAGES.with_borrow_mut(|languages| {
        let languages = languages.get_or_insert_with(|| {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/languages");
            Languages::load(&folder, &BTreeMap::new()).expect("the languages of the product")
        });
        for name in [None, Some("x.java"), Some("x.py"), Some("")] {
            languages.guess_file(name, bytes);
        }
        for language in languages.iter() {
            let Ok((name, entry)) = language.names("../x.mjs", bytes) else { continue };
            let is_plain = |it: &str| !it.is_empty() && !it.contains(['/', '\0', '\n', ' ']);
            assert!(is_plain(&name) && is_plain(&entry), "{name:?} {entry:?}");
        }
    });
}

fn sources() -> Vec<Vec<u8>> {
    let texts: &[&[u8]] = &[
        b"package a.b;\npublic final class Bot { public static void main(String[] a) { } }\n",
        b"// class No\n/* class No */ class A { String s = \"class B {\"; } class C { void main() {} }",
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
