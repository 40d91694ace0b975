//! Whole commands, as they would be typed, with bots of a few lines.

use std::{fs, path::Path};

use clap::{Args, Command, FromArgMatches};
use serde_json::Value as Json;

use super::{Failure, Options, Tell, play};

const ENDS_TURNS: &str =
    "while True:\n    print('Clock', flush=True)\n    input()\n    print('#END', flush=True)\n";

fn options(args: &[&str]) -> Result<Options, String> {
    let command = Options::augment_args(Command::new("play"));
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config");
    let config = ["--config-dir", config];
    let args = ["play"].iter().chain(args).chain(&config);
    let matches = command.try_get_matches_from(args).map_err(|it| it.to_string())?;
    Options::from_arg_matches(&matches).map_err(|it| it.to_string())
}

fn played(args: &[&str]) -> Result<runner::Played, Failure> {
    let options = options(args).unwrap_or_else(|why| panic!("{why}"));
    play(&options, &Tell::new(&options))
}

fn path(dir: &Path, name: &str, contents: &str) -> String {
    let path = dir.join(name);
    fs::write(&path, contents).unwrap();
    path.to_str().unwrap().to_owned()
}

/// As people make one.
fn zipped(dir: &Path, files: &[(&str, &str)]) -> String {
    let folder = dir.join("zipped");
    fs::create_dir(&folder).unwrap();
    files.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
    let names = files.iter().map(|it| it.0);
    let mut zip = std::process::Command::new("python3");
    zip.args(["-m", "zipfile", "-c", "../bot.zip"]).args(names).current_dir(&folder);
    assert!(zip.status().unwrap().success());
    dir.join("bot.zip").to_str().unwrap().to_owned()
}

#[test]
fn sources_and_commands_play_and_the_record_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let source = path(dir.path(), "bot.py", ENDS_TURNS);
    let c = path(
        dir.path(),
        "bot.c",
        "#include <stdio.h>\nint main(void) { while (puts(\"#END\") >= 0) fflush(stdout); return 0; }\n",
    );
    let command = format!("python3 -u '{source}' --fast 'two words'");
    let zip = zipped(dir.path(), &[("main.py", "import plan\n"), ("plan.py", ENDS_TURNS)]);
    for (name, architect, adventurer) in
        [("a.json", &source, &command), ("b.json.zst", &c, &source), ("c.json", &zip, &source)]
    {
        let record = dir.path().join(name);
        let args = [
            "labyrinth",
            "--size",
            "6",
            "--mode",
            "nomap",
            "--set",
            "turn_ms=5000",
            "--quiet",
            "--rounds",
            "--json",
            "--seat",
            architect,
            "--seat",
            adventurer,
            "--record",
            record.to_str().unwrap(),
        ];
        let played = played(&args).unwrap();
        assert_eq!(played.plies, 2 * 3 * 36, "{:?}", played.outcome);
        assert!(played.seats.iter().all(|(_, it)| it.fault.is_none()), "{:?}", played.seats);
        let stored = fs::read(&record).unwrap();
        let stored =
            if name.ends_with("zst") { zstd::decode_all(&*stored).unwrap() } else { stored };
        let replay = games::find("labyrinth").unwrap().replay(&stored, None).unwrap();
        assert_eq!(replay.setup["turn_ms"], Json::from(5000));
    }
}

#[test]
fn whose_fault_it_was_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let good = path(dir.path(), "good.py", ENDS_TURNS);
    let crashes = path(dir.path(), "crashes.py", "raise SystemExit(3)\n");
    let broken = path(dir.path(), "broken.c", "int main(void) { return x; }\n");
    let seats = |first: &'static str, second: &str| {
        let good = if first.is_empty() { good.clone() } else { first.to_owned() };
        played(&["labyrinth", "--size", "5", "--quiet", "--seat", &good, "--seat", second])
    };
    let played = seats("", &crashes).unwrap();
    assert!(played.seats[game::Seat(1)].fault.is_some());
    let played = seats("", "/no/such/program").unwrap();
    assert!(played.seats[game::Seat(1)].stderr.contains("/no/such/program"));
    match seats("", &broken) {
        Err(Failure::Bot { seat, log, .. }) => {
            assert_eq!(seat.0, 1);
            assert!(log.contains("undeclared") && !log.contains("/src/"), "{log}");
        }
        other => panic!("{other:?}"),
    }
    for bad in ["", "'open", "  "] {
        assert!(matches!(seats("", bad), Err(Failure::Usage(_))), "{bad:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_what_is_allowed() {
    let table: [(&[&str], &str); 9] = [
        (&["chess", "--seat", "a", "--seat", "b"], "no game `chess`; there is labyrinth"),
        (
            &["labyrinth", "--seat", "a"],
            "found 1 times --seat; labyrinth wants 2, in this order: architect, adventurer",
        ),
        (
            &["labyrinth", "--seat", "a", "--seat", "b", "--size", "4"],
            "--size: found `4`, allowed is a whole number from 5 to 25",
        ),
        (&["labyrinth", "--seat", "a", "--seat", "b", "--size", "x"], "--size: found `x`"),
        (
            &["labyrinth", "--seat", "a", "--seat", "b", "--mode", "fog"],
            "--mode: found `fog`, allowed is map or nomap",
        ),
        (&["labyrinth", "--seat", "a", "--seat", "b", "--set", "size=99"], "--size: found `99`"),
        (
            &["labyrinth", "--seat", "a", "--seat", "b", "--set", "colour=1"],
            "unknown field `colour`",
        ),
        (&["labyrinth", "--seat", "a", "--seat", "b", "--set", "turn_ms=1"], "turn_ms"),
        (
            &["labyrinth", "--seat", "a", "--seat", "b", "--record", "/no/such/folder/x"],
            "no such folder",
        ),
    ];
    for (args, why) in table {
        match played(args) {
            Err(Failure::Usage(found)) => assert!(found.contains(why), "{args:?}: {found}"),
            other => panic!("{args:?}: {other:?}"),
        }
    }
    let error = options(&["labyrinth", "--seat", "a", "--set", "x"]).expect_err("no =");
    assert!(error.contains("NAME=VALUE"), "{error}");
    let error = options(&["labyrinth"]).expect_err("no seat");
    assert!(error.contains("--seat"), "{error}");
}
