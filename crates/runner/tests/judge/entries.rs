//! Entries in Java that misbehave, built as they are and run by the adapter of Planes: whatever one
//! does, its match ends, the other one wins all fights, and its log or its fault says why.

use game::{Fraction, Seat};
use serde_json::json;

use crate::{
    Case,
    adapted::built,
    builds::alone,
    documented::play_planes,
    kit::{Kit, config, patient},
};

const FIGHTS: i64 = 3;

pub(crate) fn cases() -> Vec<Case> {
    vec![Case::plain("adapted: entries that misbehave lose and hold up nobody", misbehave)]
}

/// What comes of one.
enum Comes {
    /// A fault, told by these words.
    Fault(&'static str),
    /// No fault: its planes fly straight on.
    Straight,
}
use Comes::{Fault, Straight};

const LATE: &str = "within the time";
const EXIT_1: &str = "ended by itself with exit code 1";

/// What is in its constructor, in `newFight`, and in `act`, which flies straight on otherwise; what
/// comes of it; and a piece of its log.
type Row = (&'static str, [&'static str; 3], Comes, &'static str);

#[rustfmt::skip]
const TABLE: &[Row] = &[
    ("throws when it is made", ["if (true) throw new IllegalStateException(\"unborn\");", "", ""], Fault(EXIT_1), "IllegalStateException: unborn"),
    ("exits when it is made", ["System.exit(5);", "", ""], Fault("exit code 5"), ""),
    ("is never made", ["while (size > 0) size |= 1;", "", ""], Fault(LATE), ""),
    ("throws at each fight", ["", "throw new Error(\"no fight\");", ""], Straight, "Error: no fight"),
    ("halts at the second fight", ["", "if (no == 1) Runtime.getRuntime().halt(6);", ""], Fault("exit code 6"), ""),
    ("never begins the fight", ["", "while (no >= 0) no |= 1 << 30;", ""], Fault(LATE), ""),
    ("throws at each turn", ["", "", "if (size > 0) throw new NullPointerException(\"no turn\");"], Straight, "NullPointerException: no turn"),
    ("divides by zero", ["", "", "turns /= turns - turns;"], Straight, "ArithmeticException"),
    ("exits in a turn", ["", "", "if (++turns == 2) System.exit(0);"], Fault("exit code 0"), ""),
    ("never ends its turn", ["", "", "while (size > 0) size |= 1;"], Fault(LATE), ""),
    ("sleeps", ["", "", "try { Thread.sleep(60_000); } catch (InterruptedException why) { }"], Fault(LATE), ""),
    ("waits for what never comes", ["", "", "try { synchronized (this) { wait(); } } catch (InterruptedException why) { }"], Fault(LATE), ""),
    ("reads what is the adapter's", ["", "", "try { while (System.in.read() >= 0) { } } catch (java.io.IOException why) { }"], Straight, ""),
    ("talks to its log", ["", "", "for (int n = 0; n < 500; n++) System.out.println(\"N 1 1\");"], Straight, "N 1 1\n"),
    ("talks without end", ["", "", "while (size > 0) System.out.println(\"N 1 1\");"], Fault(LATE), "N 1 1\n"),
    ("talks in place of the adapter", ["", "", "raw(\"N 0 0\\nN 0 0\\nN 0 0\\n\");"], Straight, ""),
    ("floods in place of the adapter", ["", "", "while (size > 0) raw(\"N 1 1\".repeat(4096));"], Fault("more than"), ""),
    ("closes what the adapter writes to", ["", "", "try { new java.io.FileOutputStream(java.io.FileDescriptor.out).close(); } catch (java.io.IOException why) { }"], Fault("closed its standard output"), ""),
    ("uses up its memory", ["", "", "all.add(new byte[1 << 28]); all.add(new byte[1 << 28]);"], Straight, "OutOfMemoryError"),
    ("answers nothing", ["", "", "if (size > 0) return null;"], Straight, ""),
    ("answers for one plane", ["", "", "if (size > 0) return new Move[] { null };"], Straight, ""),
    ("leaves threads behind", ["", "new Thread(() -> { while (size > 0) size |= 1; }).start();", ""], Straight, ""),
];

fn entry([made, fight, turn]: [&str; 3]) -> String {
    format!(
        "import Planes.*;\n\
         public class Odd extends PlaneControl {{\n\
         volatile int size;\n\
         int turns = 0;\n\
         java.util.ArrayList<byte[]> all = new java.util.ArrayList<>();\n\
         public Odd(int arenaSize, int rounds) {{ super(arenaSize, rounds); size = arenaSize; {made} }}\n\
         public void newFight(int no, int own, int enemy) {{ {fight} }}\n\
         public Move[] act() {{ {turn}\n\
         return new Move[] {{ straight(0), straight(1) }}; }}\n\
         Move straight(int no) {{ return new Move(myPlanes[no].getDirection(), false, false); }}\n\
         static void raw(String text) {{\n\
         try {{ new java.io.FileOutputStream(java.io.FileDescriptor.out).write(text.getBytes()); }}\n\
         catch (java.io.IOException why) {{ throw new IllegalStateException(why); }} }}\n\
         }}\n"
    )
}

fn misbehave(kit: &mut Kit) {
    // A Java program needs a while to be there at all.
    let (turn_ms, total_ms) = (patient(2_000), patient(3_000));
    let setup = json!({ "fights": FIGHTS, "turn_ms": turn_ms, "total_ms": total_ms });
    for (what, parts, comes, log) in TABLE {
        let upload = alone(entry(*parts).as_bytes());
        let Some(built) = built(kit, &upload) else { return };
        let odd = built.unwrap_or_else(|why| panic!("{what}: {why}"));
        let good = kit.jailed_from(&config().join("games/planes/bots/beginner.c"));
        let played = play_planes([odd, good], &setup);
        let won = played.outcome.measures[0][Seat(1)];
        assert_eq!(won, Fraction::from(FIGHTS), "{what}: {played:?}");
        assert!(played.seats[Seat(1)].fault.is_none(), "{what}: {:?}", played.seats[Seat(1)]);
        let report = &played.seats[Seat(0)];
        let told = report.fault.as_ref().map(|(_, it)| it.to_string());
        match comes {
            Fault(words) => {
                assert!(told.as_ref().is_some_and(|it| it.contains(words)), "{what}: {report:?}");
            }
            Straight => assert_eq!(told, None, "{what}: {report:?}"),
        }
        assert!(report.stderr.contains(log), "{what}: {report:?}");
    }
}
