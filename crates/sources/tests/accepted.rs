//! Archives as people make them are taken, with the files that are in them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use sources::{Format, Limits, Sources};

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
