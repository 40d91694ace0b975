//! The toys keep the laws; and the laws notice a game that does not.

use conformance::{
    Kit, check,
    toys::{duel, sprint},
};

#[test]
fn sprint_keeps_the_laws() {
    let setups = vec![
        sprint::Setup { length: 6, steps_max: 12, think_ms: 200 },
        sprint::Setup { length: 2, steps_max: 1, think_ms: 0 },
    ];
    let words = vec![&b"0\n"[..], b"1\n", b"-1\n", b" 1 \n", b"9\n", b"1.5\n", b"\n", b"x"];
    check::<sprint::Sprint, sprint::Numbers>(&Kit { setups, words, leak: |_, _, _, _| None });
}

#[test]
fn duel_keeps_the_laws() {
    let setups = vec![duel::Setup { fights: 3, turns: 2 }, duel::Setup { fights: 1, turns: 1 }];
    let words = vec![&b"1\n"[..], b"2\n3\n", b"-4\n", b"x\n", b"\n", b"999\n", b"7"];
    check::<duel::Duel, duel::Blocks>(&Kit {
        setups,
        words,
        leak: |_, eye, view, events| {
            let other = format!("[{},", 1 - eye.0);
            let told = events.iter().find(|it| it["Played"].to_string().starts_with(&other));
            if !view["lead"].is_null() {
                return Some(format!("by how much somebody leads: {view}"));
            }
            told.map(ToString::to_string)
        },
    });
}

#[test]
#[should_panic(expected = "sees too much")]
fn a_leak_is_noticed() {
    let setups = vec![duel::Setup { fights: 1, turns: 2 }];
    let leak =
        |_: &_, _, _: &_, events: &[serde_json::Value]| events.first().map(ToString::to_string);
    check::<duel::Duel, duel::Blocks>(&Kit { setups, words: vec![b"1\n2\n"], leak });
}
