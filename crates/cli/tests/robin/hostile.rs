//! Whatever a bot of Planes does, every match of a round robin ends, with the result that the rules
//! state and the verdict named: in processes of the protocol, and in entries in Java.

use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::kit::{Kit, shipped};

const FIGHTS: u64 = 2;
/// More than all of its late turns take one after the other, on a slow machine too.
const WAIT_MAX: Duration = Duration::from_secs(600);

/// An entry in Java that flies straight on, but for what is put into its constructor and its turn.
fn entry(name: &str, constructor: &str, turn: &str) -> String {
    format!(
        "package Planes;\n\
         public class {name} extends PlaneControl {{\n\
         \x20   private int turns = 0;\n\
         \x20   public {name}(int arenaSize, int rounds) {{ super(arenaSize, rounds); {constructor} }}\n\
         \x20   public Move[] act() {{ turns++; {turn}\n\
         \x20       return new Move[] {{ new Move(myPlanes[0].getDirection(), false, false), new Move(myPlanes[1].getDirection(), false, false) }};\n\
         \x20   }}\n\
         }}\n"
    )
}

/// A bot of the protocol in Python that flies straight on, but for what it does in its turn.
fn python(turn: &str) -> String {
    format!(
        "import os, sys, time\n\
         def say(text): os.write(1, text)\n\
         turns = 0\n\
         for line in sys.stdin:\n    if line.startswith('NEW TURN'):\n        \
         headings = [sys.stdin.readline().split()[4].encode() for _ in range(4)]\n        \
         moves = b''.join(it + b' 0 0\\n' for it in headings[:2])\n        turns += 1\n        {turn}\n"
    )
}

/// How a bot fares.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fares {
    /// It is out by a fault, which is told by these words.
    Out(&'static str),
    /// Without a fault: its planes fly straight on, and its log or the warnings tell why.
    Loses,
}
use Fares::{Loses, Out};

#[test]
fn nobody_holds_up_a_round_robin() {
    let kit = Kit::new();
    let java = |name: &str, constructor: &str, turn: &str| {
        kit.bot(&format!("{name}.java"), &entry(name, constructor, turn))
    };
    let c = |name: &str, body: &str| {
        let head = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n";
        kit.bot(name, &format!("{head}int main(void) {{ char line[256]; {body} }}\n"))
    };
    let late = "no answer within the time";
    // A bot, how it fares, and what its log says.
    let bots = [
        (kit.bot("dead.py", "raise SystemExit(3)\n"), Out("exit code 3"), ""),
        (kit.bot("silent.py", "import time\ntime.sleep(999)\n"), Out(late), ""),
        (kit.bot("late.py", &python("time.sleep(5); say(moves)")), Out(late), ""),
        (kit.bot("chatty.py", &python("say(moves + b'and another thing\\n' * 9)")), Loses, ""),
        (kit.bot("floods.py", &python("while True: say(b'x' * 4096)")), Out("more than"), ""),
        (kit.bot("garbage.py", &python("say(b'\\xff\\x00\\n' * 2)")), Loses, ""),
        (c("crashes.c", "fgets(line, 256, stdin); abort();"), Out("(abort)"), ""),
        (
            c("leaves.c", "while (fgets(line, 256, stdin)) if (line[4] == 'T') exit(0);"),
            Out("exit code 0"),
            "",
        ),
        (c("deaf.c", "close(0); sleep(999);"), Out("read"), ""),
        (
            kit.bot("Idle.java", "package Planes;\npublic class Idle {}\n"),
            Out("exit code 1"),
            "Main method not found",
        ),
        (
            java("Unborn", "if (rounds > 0) throw new IllegalStateException(\"not me\");", ""),
            Out("exit code 1"),
            "IllegalStateException: not me",
        ),
        (
            java("Throws", "", "if (turns > 0) throw new IllegalStateException(\"not now\");"),
            Loses,
            "IllegalStateException: not now",
        ),
        (java("Exits", "", "if (turns == 3) System.exit(4);"), Out("exit code 4"), ""),
        (java("Spins", "", "while (turns > 0) turns |= 1;"), Out(late), ""),
        (
            java("Prints", "", "for (int i = 0; i < 999; i++) System.out.println(\"N 1 1\");"),
            Loses,
            "N 1 1\n",
        ),
        (
            java("Pours", "", "while (turns > 0) System.out.println(\"N 1 1\");"),
            Out(late),
            "N 1 1\n",
        ),
    ];
    let good = shipped("beginner.c");
    let mut args = vec!["planes", "--jail", "--at-once", "3", "--set", "fights=2", "--set"];
    args.extend(["turn_ms=1500", "--set", "total_ms=2000", "--round-robin", &good]);
    args.extend(bots.iter().map(|it| it.0.as_str()));
    let begun = Instant::now();
    let found = kit.json(&args, 1);
    let took = begun.elapsed();
    println!("{took:.1?}");
    assert!(took < WAIT_MAX, "{took:.1?}");
    let n_bots = bots.len() + 1;
    assert!(found["error"].is_null(), "{found:#}");
    let [stage] = found["stages"].as_array().unwrap().as_slice() else { panic!("{found:#}") };
    let all = stage["matches"].as_array().unwrap();
    assert_eq!(all.len(), n_bots * (n_bots - 1) / 2);
    for met in all {
        let [won, _, drawn] = [0, 1, 2].map(|it| &met["outcome"]["measures"][it]);
        let count = |of: &Json, seat: usize| of[seat][0].as_u64().unwrap();
        assert_eq!(count(won, 0) + count(won, 1) + count(drawn, 0), FIGHTS, "{met:#}");
        let bots_met = [0, 1].map(|it| met["bots"][it].as_u64().unwrap() as usize);
        for (seat, bot) in bots_met.into_iter().enumerate() {
            let its = &met["seats"][seat];
            if bot == 0 {
                assert_eq!((count(won, seat), &its["fault"]), (FIGHTS, &Json::Null), "{met:#}");
                continue;
            }
            let (name, fares, log) = &bots[bot - 1];
            let why = its["fault"]["why"].as_str();
            match fares {
                Out(words) => assert!(why.is_some_and(|it| it.contains(words)), "{name}: {met:#}"),
                Loses => assert_eq!(why, None, "{name}: {met:#}"),
            }
            assert!(its["stderr"].as_str().unwrap().contains(log), "{name}: {met:#}");
        }
    }
    kit.leaves_nothing();
}
