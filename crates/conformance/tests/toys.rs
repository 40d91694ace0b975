//! The toys keep the laws; and the laws notice a game that does not.

use conformance::{
    Kit, check,
    toys::{duel, sprint},
};
use serde_json::Value as Json;

#[test]
fn sprint_keeps_the_laws() {
    let setups = vec![
        sprint::Setup { length: 6, steps_max: 12, think_ms: 200 },
        sprint::Setup { length: 2, steps_max: 1, think_ms: 0 },
    ];
    let words = vec![&b"0\n"[..], b"1\n", b"-1\n", b" 1 \n", b"9\n", b"1.5\n", b"\n", b"x"];
    check::<sprint::Sprint, sprint::Numbers>(&Kit { setups, words, leak: |_, _, _| None });
}

#[test]
fn duel_keeps_the_laws() {
    let setups = vec![duel::Setup { fights: 3, turns: 2 }, duel::Setup { fights: 1, turns: 1 }];
    let words = vec![&b"1\n"[..], b"2\n3\n", b"-4\n", b"x\n", b"\n", b"999\n", b"7"];
    check::<duel::Duel, duel::Blocks>(&Kit {
        setups,
        words,
        leak: |_, eye, frame| {
            let others = usize::from(1 - eye.0);
            let told = |it: &&Json| it["Played"][0] == others;
            let lead = Some(&frame["view"]["lead"]);
            let played = frame["events"].as_array().and_then(|it| it.iter().find(told));
            let answered = Some(&frame["ply"][others]);
            [lead, played, answered]
                .into_iter()
                .flatten()
                .find(|it| !it.is_null())
                .map(Json::to_string)
        },
    });
}

#[test]
#[should_panic(expected = "sees too much")]
fn a_leak_is_noticed() {
    let setups = vec![duel::Setup { fights: 1, turns: 2 }];
    let leak = |_: &_, _, frame: &Json| frame["events"].get(0).map(Json::to_string);
    check::<duel::Duel, duel::Blocks>(&Kit { setups, words: vec![b"1\n2\n"], leak });
}
