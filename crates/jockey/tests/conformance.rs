//! The laws every game keeps, with the words of this one.

mod common;

use common::course;
use conformance::Kit;
use game::Seat;
use jockey::{Jockey, Numbers, Setup};
use serde_json::Value;

#[test]
fn jockey_keeps_the_laws_of_all_games() {
    let words: [&[u8]; 26] = [
        b"0\n",
        b"0\n",
        b"0\n",
        b"0 1\n",
        b"0 1\n",
        b"1 1\n",
        b"-1 1\n",
        b"1 0\n",
        b"-1 -1\n",
        b"+0 01\n",
        b"0\n1\n",
        b"\t-1\r\n\r\n-1 \n",
        b"0 0\n",
        b"0.9 1\n",
        b"1x 0\n",
        b"2 0\n",
        b"0 99999999999\n",
        b"1 1 1\n",
        b"hello\n",
        b"1\n",
        b"- 1\n",
        b"\xff\0\n",
        b"0 1",
        b" ",
        b"\x0c\n",
        b"\n",
    ];
    let small = Setup {
        vision: 2,
        step_limit: 8,
        think_ms: 100,
        ..course(&["00000", "01020", "00000", "20010", "00000"])
    };
    let narrow = Setup { vision: 1, step_limit: 3, think_ms: 50, ..course(&["02", "00"]) };
    let kit = Kit { setups: vec![small, narrow], words: words.to_vec(), leak };
    conformance::check::<Jockey, Numbers>(&kit);
}

/// Nobody who plays sees rows from the vision limit on, before the match is over.
fn leak(game: &Jockey, _: Seat, frame: &Value) -> Option<String> {
    let view = &frame["view"];
    let n_rows = view["rows"].as_array()?.len();
    let sees = game.race().sees() as usize;
    let hidden = view["end"].is_null() && n_rows > sees;
    hidden.then(|| format!("{n_rows} rows, of which those below {sees} are visible"))
}
