//! Whole commands, as they would be typed.

use std::fs;

use clap::{Args, Command, FromArgMatches};
use serde_json::json;

use super::{Failure, Options, replay};

fn typed(args: &[&str]) -> Result<String, String> {
    let command = Options::augment_args(Command::new("replay"));
    let matches = command.try_get_matches_from(["replay"].iter().chain(args));
    let matches = matches.map_err(|it| it.to_string())?;
    let options = Options::from_arg_matches(&matches).map_err(|it| it.to_string())?;
    replay(&options).map_err(|it| match it {
        Failure::Usage(why) | Failure::File(why) => why,
    })
}

#[test]
fn the_final_of_2019_goes_from_logs_to_records_and_back() {
    let folder =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/games/jockey/replays/final2019");
    let logs = ["F0", "F1"].map(|race| format!("{folder}/FR5M1R1{race}.json"));
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let from = ["--game", "jockey", "--from", "official-log"];
    let told = typed(&[&from[..], &[&logs[0], &logs[1]]].concat()).unwrap();
    assert!(told.contains("both races took"), "{told}");
    for record in [at("record.json"), at("record.json.zst")] {
        let args = [&from[..], &[&logs[0], &logs[1], "--to", "own", "--out", &record]].concat();
        typed(&args).unwrap();
        let told = typed(&[&record, "--name", "a", "--name", "b"]).unwrap();
        assert!(told.contains("1. "), "{told}");
        let told = typed(&[&record, "--to", "official-log", "--out", &at("log.json")]).unwrap();
        assert_eq!(told, format!("{}\n{}\n", at("log-1.json"), at("log-2.json")));
        typed(&[&record, "--to", "viewer", "--out", &at("viewer.json")]).unwrap();
        let told = fs::read(at("viewer.json")).unwrap();
        let told: serde_json::Value = serde_json::from_slice(&told).unwrap();
        assert_eq!(told["seats"][1], json!({ "role": "player", "name": "player 2" }));
        assert!(told["frames"].as_array().unwrap().len() > 100);
        assert_eq!(told["outcome"]["places"].as_array().unwrap().len(), 2);
    }
    let told = typed(&[&from[..], &[&logs[0]]].concat()).unwrap();
    assert!(told.contains("stops before the end"), "{told}");
}

#[test]
fn what_is_wrong_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let bad = dir.path().join("bad.json");
    fs::write(&bad, "{\"game\":\"chess\"}").unwrap();
    let bad = bad.to_str().unwrap();
    let log = dir.path().join("log.json");
    fs::write(&log, "{\"filetype\":\"race\"}").unwrap();
    let log = log.to_str().unwrap();
    let table: [(&[&str], &str); 6] = [
        (&[log], "a log of others needs --from"),
        (&[bad], "there is no game `chess`"),
        (&["/no/such/file"], "/no/such/file: "),
        (&[bad, bad], "found 2 files"),
        (&[bad, "--from", "official-log", "--game", "jockey"], "filetype: found nothing"),
        (&[bad, "--from", "pdf", "--game", "jockey"], "found `pdf`"),
    ];
    for (args, why) in table {
        let told = typed(args).unwrap_err();
        assert!(told.contains(why), "{args:?}: {told}");
    }
}
