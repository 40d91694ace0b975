//! Whole commands, as they would be typed.

use std::{fs, path::Path, process::ExitCode};

use clap::{Args, Command as Clap, FromArgMatches};

use super::{Options, run};

fn typed(args: &[&str]) -> Result<ExitCode, String> {
    let command = Options::augment_args(Clap::new("setup"));
    let matches = command.try_get_matches_from(["setup"].iter().chain(args));
    let matches = matches.map_err(|it| it.to_string())?;
    Ok(run(Options::from_arg_matches(&matches).map_err(|it| it.to_string())?))
}

fn code(args: &[&str]) -> String {
    format!("{:?}", typed(args).unwrap())
}

fn success() -> String {
    format!("{:?}", ExitCode::SUCCESS)
}

#[test]
fn the_courses_that_we_ship_are_good_and_come_back_as_they_were() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/games/jockey/courses");
    let dir = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|it| it == "crs") {
            files.push(path.to_str().unwrap().to_owned());
        }
    }
    assert_eq!(files.len(), 50);
    let names: Vec<_> = files.iter().map(String::as_str).collect();
    assert_eq!(code(&[&["jockey", "check"], &names[..]].concat()), success());
    assert_eq!(code(&["jockey", "show", names[0], names[1]]), success());
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    for name in &names[..3] {
        let (own, back) = (at("own.json"), at("back.crs"));
        assert_eq!(code(&["jockey", "convert", name, "--to", "own", "--out", &own]), success());
        let args = ["jockey", "convert", &own, "--to", "official", "--out", &back];
        assert_eq!(code(&args), success());
        let value = |path: &Path| -> serde_json::Value {
            serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
        };
        assert_eq!(value(Path::new(&back)), value(Path::new(name)));
    }
}

#[test]
fn series_are_made_by_lot_and_good() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("drawn");
    let out = out.to_str().unwrap();
    let args = ["jockey", "new", "--seed", "7", "--width", "9", "--to", "official", "--count", "5"];
    assert_eq!(code(&[&args[..], &["--out", out]].concat()), success());
    let files: Vec<_> = fs::read_dir(out).unwrap().map(|it| it.unwrap().path()).collect();
    let files: Vec<_> = files.iter().map(|it| it.to_str().unwrap()).collect();
    assert_eq!(files.len(), 5);
    assert_eq!(code(&[&["jockey", "check"], &files[..]].concat()), success());
    assert_eq!(code(&["labyrinth", "new", "--size", "8"]), success());
}

#[test]
fn what_is_wrong_is_told_by_the_exit_code() {
    let dir = tempfile::tempdir().unwrap();
    let bad = dir.path().join("bad.crs");
    fs::write(&bad, "{}").unwrap();
    let bad = bad.to_str().unwrap();
    let table: [(&[&str], ExitCode); 8] = [
        (&["jockey", "new", "--size", "99"], ExitCode::from(2)),
        (&["jockey", "check", bad], ExitCode::FAILURE),
        (&["jockey", "check", "/no/such/file"], ExitCode::FAILURE),
        (&["jockey", "show", bad], ExitCode::from(2)),
        (&["jockey", "new", "--width", "4"], ExitCode::from(2)),
        (&["jockey", "new", "--to", "pdf"], ExitCode::from(2)),
        (&["chess", "new"], ExitCode::from(2)),
        (&["labyrinth", "new", "--count", "2", "--out", bad], ExitCode::from(2)),
    ];
    for (args, expected) in table {
        assert_eq!(code(args), format!("{expected:?}"), "{args:?}");
    }
    assert!(typed(&["jockey", "new", "--count", "2"]).is_err());
}
