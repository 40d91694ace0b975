//! The laws every game keeps, with the words of this one.

mod common;

use common::short;
use conformance::Kit;
use planes::{Planes, Radio, RuleSet, Setup, Sides};

#[test]
fn planes_keeps_the_laws_of_all_games() {
    let words: [&[u8]; 24] = [
        b"S 1 0\n",
        b"N 1 1\n",
        b"SU 1 0\nSU 0 1\n",
        b"NED 1 1\nNWD 0 1\n",
        b"S 0 1\nS 1 1\n",
        b"N 0 0\nN 1 0\n",
        b"U 1 0\n",
        b"SEU 1 1\n",
        b"NW 1 1\nNW 1 1\nNW 1 1\n",
        b"UD 1 1\n",
        b"WED 0 1\r\n",
        b"NSWEDU 1 1\n",
        b"N 1\n",
        b"n 1 1\n",
        b"N 1 2\n",
        b"hello\n",
        b"\n",
        b"\r\n",
        b" \t\n",
        b"S 1",
        b" 0\n",
        b"\xff\0\n",
        b"0123456789012345678901234567890123456789012345678901234567890123456789",
        b"SSSSSSSSSSSSSSSSS 1 0\n",
    ];
    let small = Setup { size: 5, turn_ms: 20, ..short(3, 6) };
    let old = Setup {
        size: 4,
        rules: RuleSet::Controller,
        sides: Sides::Fixed,
        turn_ms: 25,
        total_ms: 1_000,
        ..short(2, 4)
    };
    // Nothing is hidden but what the other one has answered, and that no frame holds.
    let kit = Kit { setups: vec![small, old], words: words.to_vec(), leak: |_, _, _| None };
    conformance::check::<Planes, Radio>(&kit);
}
