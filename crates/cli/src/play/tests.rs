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
    let table: [(&[&str], &str); 11] = [
        (
            &["jockey", "--seat", "a", "--seat", "b", "--size", "9"],
            "--size: jockey has --seed, --width",
        ),
        (&["labyrinth", "--seat", "a", "--seat", "./b.py"], "there is no such file"),
        (&["chess", "--seat", "a", "--seat", "b"], "no game `chess`; there is labyrinth"),
        (
            &["labyrinth", "--seat", "a"],
            "found 1 times --seat; labyrinth wants 2, in this order: architect, adventurer",
        ),
        (
            &["labyrinth", "--seat", "a", "--seat", "b", "--size", "4"],
            "--size: found 4, allowed is a whole number from 5 to 25",
        ),
        (&["labyrinth", "--seat", "a", "--seat", "b", "--size", "x"], "--size: found `x`"),
        (
            &["labyrinth", "--seat", "a", "--seat", "b", "--mode", "fog"],
            "--mode: found `fog`, allowed is map or nomap",
        ),
        (&["labyrinth", "--seat", "a", "--seat", "b", "--set", "size=99"], "--size: found 99"),
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

/// A bot of Jockey in Python, as a command: what it says to the first question, and to each step.
fn jockey_bot(dir: &Path, name: &str, ready: &str, answer: &str) -> String {
    let text = format!(
        "import os, sys, time\n\
         def say(text): os.write(1, text)\n\
         def lines(n): return [sys.stdin.readline() for _ in range(n)]\n\
         lines(4)\n{ready}\nstep = 0\n\
         while lines(1) != ['']:\n    lines(3 + 6)\n    {answer}\n    step += 1\n"
    );
    // Nothing is built, and nothing is imported that is not needed: it starts in no time.
    format!("python3 -S -E {}", path(dir, &format!("{name}.py"), &text))
}

/// Every odd answer, from a process: the verdict, and that the other racer is not touched by it.
#[test]
fn jockey_judges_every_odd_answer_as_its_page_says() {
    let dir = tempfile::tempdir().unwrap();
    // Plain programs pay for a machine that has no time for them, and one that tests has little.
    let course = |name: &str, think_ms: u32| {
        let course = serde_json::json!({
            "width": 3, "length": 6, "vision": 5, "step_limit": 9, "think_ms": think_ms,
            "x0": 0, "x1": 2, "rows": vec!["000"; 6],
        });
        path(dir.path(), name, &course.to_string())
    };
    let (patient, course) = (course("patient.json", 60_000), course("course.json", 4_000));
    let (ready, answer) = ("say(b'0\\n')", "say(b'0 1\\n')");
    let good = jockey_bot(dir.path(), "good", ready, answer);
    let late = "no answer within the time";
    let table = [
        ("words", ready, "say(b'hello\\n')", "found `hello`"),
        ("decimals", ready, "say(b'0.9 1\\n')", "found `0.9`"),
        ("half-numbers", ready, "say(b'1x 0\\n')", "found `1x`"),
        ("too-fast", ready, "say(b'2 0\\n')", "found the acceleration 2 0"),
        ("surplus-number", ready, "say(b'0 1 7\\n')", "found `7` after the second number"),
        ("surplus-text", ready, "say(b'0 1\\nx')", "more characters than the answer needs"),
        ("ahead-at-once", ready, "say(b'0 1\\n0 1\\n')", "more characters than the answer needs"),
        ("ahead-later", ready, "say(b'0 1'); say(b'\\n0 1\\n')", "more characters"),
        ("no-end-of-line", ready, "say(b'0 1')", late),
        ("one-number", ready, "say(b'1\\n')", late),
        ("silence", ready, "time.sleep(90)", late),
        ("closed-output", ready, "os.close(1); time.sleep(90)", "closed its standard output"),
        ("exit", ready, "sys.exit(3)", "exit code 3"),
        ("crash", ready, "os.abort()", "(abort)"),
        ("garbage-at-start", "say(b'ready\\n')", answer, "found `ready`"),
        ("other-number-at-start", "say(b'1\\n')", answer, "found 1, allowed is 0 alone"),
        ("two-numbers-at-start", "say(b'0 0\\n')", answer, "found `0` after the number"),
        ("silence-at-start", "time.sleep(90)", answer, late),
        ("exit-at-start", "sys.exit(4)", answer, "exit code 4"),
    ];
    let judge = |(name, ready, answer, why): (&str, &str, &str, &str)| {
        let odd = jockey_bot(dir.path(), name, ready, answer);
        let course = if why == late { &course } else { &patient };
        let args = ["jockey", "--setup", course, "--quiet", "--seat", &odd, "--seat", &good];
        let played = played(&args).unwrap();
        let fault = &played.seats[game::Seat(0)].fault;
        let told = fault.as_ref().map_or_else(String::new, |it| it.1.to_string());
        assert!(told.contains(why), "{name}: {fault:?}");
        assert!(played.seats[game::Seat(1)].fault.is_none(), "{name}: {:?}", played.seats);
        // Both races, each on its own: twice 2 x 9 steps.
        let times = &played.outcome.measures[0];
        assert_eq!(times[game::Seat(0)], 36.into(), "{name}");
        assert!(times[game::Seat(1)] < 8.into(), "{name}: {times:?}");
        assert!(played.outcome.why.contains("disqualified in race 2"), "{}", played.outcome.why);
    };
    std::thread::scope(|scope| {
        for row in table.iter().filter(|it| it.3 == late) {
            // These wait for nothing but the clock.
            scope.spawn(|| judge(*row));
        }
        table.iter().filter(|it| it.3 != late).for_each(|it| judge(*it));
    });
    // A whole line more, in a write of its own, is surplus too, unless the bot was stopped before it
    // and so wrote it after the next question: nobody can know what it had read by then.
    let odd = jockey_bot(dir.path(), "ahead-again", ready, "say(b'0 1\\n'); say(b'0 1\\n')");
    let args = ["jockey", "--setup", &patient, "--quiet", "--seat", &odd, "--seat", &good];
    let seats = played(&args).unwrap().seats;
    let fault = seats[game::Seat(0)].fault.as_ref().map(|it| it.1.to_string());
    assert!(fault.is_none_or(|it| it.contains("more characters")), "{seats:?}");
    assert!(seats[game::Seat(1)].fault.is_none(), "{seats:?}");
    for (name, answer) in [
        ("on-two-lines", "say(b'0\\n'); say(b'1\\n')"),
        ("signs-and-zeros", "say(b'+0 01\\n')"),
        ("blank-lines", "say(b' \\n\\t0  1 \\r\\n\\n\\n')"),
    ] {
        let odd = jockey_bot(dir.path(), name, ready, answer);
        let args = ["jockey", "--setup", &patient, "--quiet", "--seat", &odd, "--seat", &good];
        let played = played(&args).unwrap();
        assert!(
            played.seats.iter().all(|(_, it)| it.fault.is_none()),
            "{name}: {:?}",
            played.seats
        );
        let places: Vec<_> = played.outcome.places.iter().map(|it| *it.1).collect();
        assert_eq!(places, [1, 1], "{name}");
    }
}

#[test]
fn a_course_comes_from_a_file_or_from_its_number() {
    let dir = tempfile::tempdir().unwrap();
    let good = jockey_bot(dir.path(), "good", "say(b'0\\n')", "say(b'0 1\\n')");
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/games/jockey/courses");
    let official = format!("{config}/official-07.crs");
    let record = dir.path().join("record.json");
    let seats = ["--quiet", "--seat", &good, "--seat", &good, "--record", record.to_str().unwrap()];
    let setup = |args: &[&str]| {
        played(&[&["jockey"], args, &seats[..]].concat()).unwrap();
        let record: Json = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
        record["setup"].clone()
    };
    let found = setup(&["--setup", &official, "--set", "step_limit=3"]);
    assert_eq!((&found["width"], &found["step_limit"]), (&10.into(), &3.into()));
    let found = setup(&["--seed", "5", "--width", "7", "--length", "20", "--set", "step_limit=3"]);
    assert_eq!((&found["width"], &found["length"]), (&7.into(), &20.into()));
    let seat = ["--seat", "a", "--seat", "b"];
    for (args, why) in [
        (&["--setup", "/no/such/file"][..], "/no/such/file: "),
        (&["--setup", &official, "--seed", "5"], "--seed: the set-up is that of a file"),
        (&["--set", "seed=x"], "--seed: found `x`"),
    ] {
        match played(&[&["jockey"], args, &seat[..]].concat()) {
            Err(Failure::Usage(found)) => assert!(found.contains(why), "{found}"),
            other => panic!("{args:?}: {other:?}"),
        }
    }
}
