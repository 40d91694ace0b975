//! Entries for another judge, built by the adapter that is shipped for them, in jails: what may be
//! handed in, and what comes of entries that end themselves, never end, or never begin.

use std::{fs, path::Path};

use game::{Fraction, Seat};
use runner::{
    Built, Cache, JailedProgram, Order, Sources, build,
    sources::{Adapted, Adapters},
};
use serde_json::json;

use crate::{
    Case,
    archives::archive,
    builds::{alone, order},
    hostile::{copy, sit, words},
    kit::{Kit, block_on, config, patient},
};

const FIGHTS: u32 = 2;
/// Time for a round, in which a virtual machine may have to start or to fill its stack; and how much
/// of it one has in all that is to be late.
const TURN_MS: u64 = 3_000;
const LATE_MS: u64 = 1_000;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        Case::plain("adapted: an entry is built, or it is said what it lacks", |kit: &mut Kit| {
            shapes(kit)
        }),
        Case::plain("adapted: whatever ends an entry has a name, and holds up nobody", |kit| {
            deadly(kit)
        }),
        Case::plain("adapted: an entry that cannot begin says why", |kit: &mut Kit| unbegun(kit)),
    ]
}

/// The files of an upload; what is said of it where it is not built, else nothing.
type Shape = (&'static [(&'static str, &'static str)], &'static str);

const ACT: &str = "public Move[] act() { return null; } }";

#[rustfmt::skip]
const SHAPES: &[Shape] = &[
    (&[("x", "package Planes; public class X extends PlaneControl { public X(int a, int r) { super(a, r); } ACT")], ""),
    (&[("x", "package a.b; import Planes.*; class X extends PlaneControl { X(int a, int r) { super(a, r); } ACT")], ""),
    (&[("x", "import Planes.*; final class X extends Planes.PlaneControl { private X(int a, int r) { super(a, r); } ACT")], ""),
    // Own bases, generics, annotations, records, enums, lambdas, nested and inner classes.
    (&[("x", "import Planes.*; abstract class Base<T extends Comparable<T>> extends PlaneControl { Base(int a, int r) { super(a, r); } T t; } class X extends Base<String> { X(int a, int r) { super(a, r); } ACT")], ""),
    (&[("x", "import Planes.*; @Deprecated public class X extends PlaneControl implements Runnable, Comparable<X> { public X(int a, int r) { super(a, r); } public void run() {} public int compareTo(X x) { return 0; } class Inner extends PlaneControl { Inner() { super(1, 2); } ACT ACT")], ""),
    (&[("x", "import Planes.*; public record R(int a) {} class X extends PlaneControl { X(int a, int r) { super(a, r); } Runnable it = () -> {}; enum E { A { int f() { return 1; } }; int f() { return 0; } } ACT")], ""),
    (&[("x", "import Planes.*; public interface I { int f(); } class X extends PlaneControl implements I { X(int a, int r) { super(a, r); } public int f() { return 0; } ACT")], ""),
    // A main of its own is for its author.
    (&[("x", "import Planes.*; public class Main extends PlaneControl { public Main(int a, int r) { super(a, r); } public static void main(String[] a) { System.exit(9); } ACT")], ""),
    // Called as classes of the library, but in another package.
    (&[("x", "public class Plane extends Planes.PlaneControl { public Plane(int a, int r) { super(a, r); } public Planes.Move[] act() { return null; } }")], ""),
    // Archives: folders that are no packages, the library packed along, data beside.
    (&[("code/one/X.java", "package p; import Planes.*; public class X extends PlaneControl { public X(int a, int r) { super(a, r); } ACT"), ("two/Y.java", "package q.r; public class Y {}"), ("data.txt", "x")], ""),
    (&[("Planes/X.java", "package Planes; public class X extends PlaneControl { public X(int a, int r) { super(a, r); } ACT"), ("Planes/Plane.java", "package Planes; public class Plane { nonsense }"), ("Planes/Controller.java", "package Planes; public class Controller { int COOLDOWN; }")], ""),
    (&[("X.java", "import Planes.*; public class X extends PlaneControl { public X(int a, int r) { super(a, r); } ACT"), ("module-info.java", "module no.such { requires no.such.module; }")], "module not found: no.such.module"),
    (&[("A.java", "class A extends Planes.PlaneControl {}"), ("B.java", "class B extends Planes.PlaneControl {}")], "2 classes could be what plays (A, B)"),
    (&[("x", "abstract class A extends Planes.PlaneControl {}")], "none of the classes in it can play (A)"),
    (&[("x", "package Planes; class Move {} class X extends PlaneControl { ACT")], "gives way to the judge's own `Planes.Move`, and `Planes.X` is in it"),
    (&[("X.java", "class X extends Planes.PlaneControl {}"), ("Planes", "")], "beside Planes, and cannot"),
    (&[("x", "class Zo\u{e9} extends Planes.PlaneControl {}")], "is not allowed here"),
    (&[("x", "class X extends Planes.PlaneControl { X() { super(14, 100); } }")], "X is not abstract and does not override abstract method act()"),
    (&[("x", "package java.lang; class X extends Planes.PlaneControl { X(int a, int r) { super(a, r); } public Planes.Move[] act() { return null; } }")], "package exists in another module: java.base"),
    // What only looks like it is compiled without the library, and the compiler says what it lacks.
    (&[("x", "class X ext\\u0065nds PlaneControl { }")], "cannot find symbol"),
    (&[("x", "class Outer { static class In extends Planes.PlaneControl { } }")], "package Planes does not exist"),
    (&[("x", "class X { String it = \"\\u0022; } class Y extends PlaneControl { String it = \\u0022\"; }")], "cannot find symbol"),
    (&[("x", "interface X extends PlaneControl { }")], "cannot find symbol"),
    (&[("x", "class X { /* class Y extends PlaneControl { } */ String s = \"class Z extends PlaneControl {}\"; void main() {} }")], ""),
];

fn shapes(kit: &Kit) {
    for (files, wanted) in SHAPES {
        let texts: Vec<_> = files.iter().map(|it| it.1.replace("ACT", ACT)).collect();
        let upload = match *files {
            [_] => alone(texts[0].as_bytes()),
            _ => {
                let files = files.iter().zip(&texts).map(|(it, text)| (it.0, text.as_str()));
                archive(&files.collect::<Vec<_>>())
            }
        };
        let said = match built(kit, &upload) {
            Some(Ok(_)) => String::new(),
            Some(Err(why)) => why,
            None => return,
        };
        assert!(said.is_empty() == wanted.is_empty(), "{wanted:?}: {files:?}: {said}");
        assert!(said.contains(wanted), "no {wanted:?}: {files:?}: {said}");
    }
}

/// How `Deadly.java` ends where a fight has so many rounds: its fault, and a piece of its log.
#[rustfmt::skip]
const ENDS: &[(u32, &str, &str)] = &[
    (1, "exited 7", ""),
    (2, "exited 3", ""),
    (3, "late", ""),
    (4, "none", ""),
    (5, "late", ""),
    (6, "", "java.lang.OutOfMemoryError: Java heap space"),
    (7, "none", "act failed in fight 2 with 6 rounds left: java.lang.StackOverflowError"),
    (8, "", "Failed to start thread"),
    (9, "closed output", ""),
    (10, "none", ""),
    (11, "none", "loud loud"),
    (12, "late", ""),
    // It may be stopped where the judge's own code runs as well, and is at its end then.
    (13, "", "java.lang.ThreadDeath"),
    (14, "signalled 6", ""),
    (15, "none", ""),
    // To the last byte: nothing is left for the judge's own code either.
    (16, "", "java.lang.OutOfMemoryError"),
    (20, "exited 1", "the entry is at its end: java.lang.IllegalStateException: not today"),
    (21, "late", ""),
    (22, "exited 4", ""),
];

fn deadly(kit: &Kit) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/adapted/Deadly.java");
    let source = fs::read(&file).unwrap_or_else(|it| panic!("{}: {it}", file.display()));
    let Some(built) = built(kit, &alone(&source)) else { return };
    let bot = built.unwrap_or_else(|why| panic!("{why}"));
    for &(rounds, fault, log) in ENDS {
        ends(kit, &bot, rounds, (fault, log));
    }
}

/// Of entries whose class cannot be made ready, or is not what it is taken for: fault and log.
#[rustfmt::skip]
const UNBEGUN: &[(&str, &str, &str)] = &[
    ("class X extends Planes.PlaneControl { static { if (true) throw new Error(\"never\"); } X(int a, int r) { super(a, r); } public Planes.Move[] act() { return null; } }", "exited 1", "java.lang.Error: never"),
    ("class X extends Planes.PlaneControl { static { while (Math.abs(1) == 1); } X(int a, int r) { super(a, r); } public Planes.Move[] act() { return null; } }", "late", ""),
    ("class X extends Planes.PlaneControl { X() { super(14, 100); } public Planes.Move[] act() { return null; } }", "exited 1", "X has no constructor (int arenaSize, int rounds)"),
    // A comment whose ends are written otherwise.
    ("\\u002f* class Y extends PlaneControl { } *\\u002f class X { }", "exited 1", "java.lang.ClassNotFoundException: Y"),
];

fn unbegun(kit: &Kit) {
    for &(source, fault, log) in UNBEGUN {
        let Some(built) = built(kit, &alone(source.as_bytes())) else { return };
        let bot = built.unwrap_or_else(|why| panic!("{source}: {why}"));
        ends(kit, &bot, 20, (fault, log));
    }
}

/// Plays against one that keeps off the walls, which has no part in what comes of it; a fault that
/// is empty may be any.
fn ends(kit: &Kit, bot: &JailedProgram, rounds: u32, (fault, log): (&str, &str)) {
    let planes = games::find("planes").expect("a game");
    let (turn_ms, total_ms) = match fault {
        "late" => (patient(LATE_MS), patient(3 * LATE_MS / 2)),
        _ => (patient(TURN_MS), patient(20 * TURN_MS)),
    };
    let setup = json!({
        "fights": FIGHTS, "rounds": rounds, "turn_ms": turn_ms, "total_ms": total_ms,
    });
    let good = || kit.jailed_from(&config().join("games/planes/bots/beginner.c"));
    let played = sit(planes, &setup, Seat(0), || (copy(bot), good()));
    let (report, other) = (&played.seats[Seat(0)], &played.seats[Seat(1)]);
    let found = words(report.fault.as_ref().map(|it| &it.1));
    println!("       {rounds} rounds: {found}");
    assert!(fault.is_empty() || found == fault, "{rounds}: {found}, not {fault}: {report:?}");
    // Nothing but its moves is heard as such, whatever else is written by it or by the virtual
    // machine; but the last words of one that crashes go where it wants.
    assert!(report.warnings == 0 || found == "signalled 6", "{rounds}: {report:?}");
    assert!(report.stderr.contains(log), "{rounds}: no {log:?}: {report:?}");
    assert_eq!((&other.fault, other.warnings), (&None, 0), "{rounds}: {other:?}");
    // The fight in which it is heard no more may end as a draw; those after it are lost.
    let lost = if matches!(fault, "none" | "") { 0 } else { FIGHTS - 1 };
    let won = played.outcome.measures[0][Seat(1)];
    assert!(won >= Fraction::from(i64::from(lost)), "{rounds}: {:?}", played.outcome);
}

/// From an upload to a program, as the worker makes one of it; or why it does not, with what the
/// compiler says. None where this machine lacks the language.
pub(crate) fn built(kit: &Kit, upload: &Sources) -> Option<Result<JailedProgram, String>> {
    let language = kit.language("java");
    if let Err(why) = block_on(runner::version(&kit.client, language)) {
        println!("       skipped: java: {why}");
        return None;
    }
    let adapters = Adapters::load(&config().join("games")).expect("adapters");
    let (upload, main) = match adapters.adapt("planes", "java", upload) {
        Ok(Some(Adapted { sources, main })) => (sources, Some(main)),
        Ok(None) => (upload.clone(), None),
        Err(why) => return Some(Err(why.to_string())),
    };
    let order = Order { main: main.as_deref(), ..order(kit, "java", &upload) };
    let Built { pack, log, .. } = block_on(build(&kit.client, &order)).expect("a build");
    let pack = match pack {
        Ok(pack) => pack,
        Err(why) => return Some(Err(format!("{why}\n{log}"))),
    };
    let cache = Cache::open(&kit.scratch_folder("cache"), 1 << 30).expect("a cache");
    let artefact = cache.put(&pack.digest, pack.file).expect("a pack");
    Some(Ok(JailedProgram::new(&kit.client, language, &artefact, None)))
}
