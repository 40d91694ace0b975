//! Archives as people make them are taken, with the files that are in them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(dead_code, reason = "each test uses its part of the kit")]

mod kit;

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use sources::{Format, Limits, Rejected, Sources};

const FILES: [(&str, &str); 2] = [("bot/main.py", "import plan\n"), ("bot/plan.py", "# plan\n")];

fn tar_gz() -> Vec<u8> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (path, text) in FILES {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

fn zip() -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, text) in FILES {
        zip.start_file(path, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_zip_and_a_tar_gz_hold_the_same_files() {
    for (bytes, format) in [(zip(), Format::Zip), (tar_gz(), Format::TarGz)] {
        let sources = Sources::read("bot", &bytes, &Limits::default()).unwrap();
        assert_eq!(sources.format, format);
        let files: Vec<_> = sources.files.iter().map(|it| (&*it.path, &*it.bytes)).collect();
        assert_eq!(files, [("main.py", &b"import plan\n"[..]), ("plan.py", b"# plan\n")]);
    }
}

#[test]
fn a_file_is_a_file_of_its_name() {
    let sources = Sources::read("bot.py", b"print(1)\n", &Limits::default()).unwrap();
    assert_eq!((sources.format, &*sources.files[0].path), (Format::File, "bot.py"));
}

#[test]
fn an_archive_cut_at_any_byte_is_refused_and_one_changed_at_any_byte_keeps_its_files_or_is() {
    for bytes in [zip(), tar_gz()] {
        let whole = Sources::read("bot", &bytes, &Limits::default()).unwrap();
        for end in 0..bytes.len() {
            let read = Sources::read("bot.py", &bytes[..end], &Limits::default());
            let is_archive = sources::format(&bytes[..end]) != Format::File;
            assert_eq!(read.is_err(), is_archive || end == 0, "cut at {end}: {read:?}");
        }
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                let read = Sources::read("bot.py", &changed, &Limits::default());
                if let Some(found) = read.ok().filter(|it| it.format != Format::File) {
                    assert_eq!(found.files, whole.files, "bit {bit} of byte {at}");
                }
            }
        }
    }
}

#[test]
fn a_million_entries_are_refused_after_as_many_as_are_allowed() {
    let limits = Limits { bytes_max: 1 << 30, ..Limits::default() };
    let many = |n: u32, name: &str| kit::tar::Tar {
        members: vec![kit::tar::Member {
            name: name.into(),
            n: Some(n),
            kind: Some('5'),
            ..Default::default()
        }],
        endless: true,
        ..Default::default()
    };
    let tar = kit::gzip(&many(2_500, "{n}").bytes()).repeat(400);
    let zip = |n: u32, zip64: bool| {
        let entry = kit::zip::Entry { name: "{n}".into(), n: Some(n), ..Default::default() };
        kit::zip::Zip { entries: vec![entry], zip64, ..Default::default() }.bytes()
    };
    let read = |bytes: &[u8]| Sources::read("bot", bytes, &limits).unwrap_err();
    assert_eq!(read(&tar), Rejected::TooManyEntries { allowed: 2_000 });
    assert_eq!(read(&zip(65_535, false)), Rejected::TooManyEntries { allowed: 2_000 });
    assert_eq!(read(&zip(1_000_000, true)), Rejected::Zip64);
}

/// Archives by the tools that people have, of a folder, from within and from without.
#[test]
fn archives_of_common_tools_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let bot = folder.path().join("bot");
    std::fs::create_dir_all(bot.join("pkg")).unwrap();
    std::fs::write(bot.join("main.py"), "import pkg\n").unwrap();
    std::fs::write(bot.join("pkg/__init__.py"), "").unwrap();
    // As a server streams it: what is said of a file stands after it.
    let stream = "import sys, zipfile\nwith zipfile.ZipFile(sys.stdout.buffer, 'w', 8) as zip:\n for it in ['main.py', 'pkg/__init__.py']: zip.write(it)";
    let stream = format!("python3 -c \"{stream}\" | cat >../a");
    let tools: [&[&str]; 7] = [
        &["tar", "czf", "../a", "."],
        &["tar", "czf", "../a", "-C", "..", "bot"],
        &["tar", "--format=pax", "-czf", "../a", "main.py", "pkg"],
        &["tar", "--format=v7", "-czf", "../a", "main.py", "pkg"],
        &["sh", "-c", &stream],
        &["python3", "-m", "zipfile", "-c", "../a", "main.py", "pkg"],
        &["python3", "-c", "import shutil; shutil.make_archive('../a', 'gztar', '..', 'bot')"],
    ];
    for tool in tools {
        let ran = std::process::Command::new(tool[0]).args(&tool[1..]).current_dir(&bot).status();
        assert!(ran.unwrap().success(), "{tool:?}");
        let made = ["a", "a.tar.gz"].map(|it| folder.path().join(it));
        let made = made.iter().find(|it| it.exists()).unwrap();
        let bytes = std::fs::read(made).unwrap();
        std::fs::remove_file(made).unwrap();
        let sources = Sources::read("a", &bytes, &Limits::default());
        let sources = sources.unwrap_or_else(|why| panic!("{tool:?}: {why}"));
        let paths: Vec<&str> = sources.files.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, ["main.py", "pkg/__init__.py"], "{tool:?}");
    }
}
