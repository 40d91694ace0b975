//! Which class plays, and which files are built.

use super::*;

fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), bytes: text.as_bytes().to_vec() }
}

fn table() -> AdapterTable {
    AdapterTable {
        language: "java".to_owned(),
        about: "For entries of old.".to_owned(),
        class_by: "class".to_owned(),
        others_by: ["record", "enum", "interface"].map(str::to_owned).into(),
        package_by: "package".to_owned(),
        known_by: vec!["extends PlaneControl".to_owned(), "extends Planes.PlaneControl".to_owned()],
        main: "Planes/Main.java".to_owned(),
    }
}

fn own() -> Vec<File> {
    vec![
        file("Planes/Entry.java", "package Planes; class Entry { String NAME = \"{entry}\"; }"),
        file("Planes/Main.java", "package Planes; public class Main {}"),
        file("Planes/PlaneControl.java", "package Planes; public abstract class PlaneControl {}"),
    ]
}

fn adapter() -> Adapter {
    Adapter::new(table(), own()).unwrap()
}

fn upload(files: &[(&str, &str)]) -> Sources {
    let format = if files.len() == 1 { Format::File } else { Format::Zip };
    Sources { format, files: files.iter().map(|(path, text)| file(path, text)).collect() }
}

#[test]
fn the_class_that_plays_is_found_wherever_it_is() {
    // Files, and: the class that plays, or what is said.
    let several = "2 classes could be what plays (A, B)";
    let table: [(&[(&str, &str)], Result<&str, &str>); 27] = [
        (&[("a", "package Planes; public class Dumb extends PlaneControl {}")], Ok("Planes.Dumb")),
        (&[("a", "public class Dumb extends Planes . PlaneControl{}")], Ok("Dumb")),
        (&[("a", "package my.own; class X extends PlaneControl{}")], Ok("my.own.X")),
        (&[("a", "class Help {} class X extends PlaneControl{} interface I {}")], Ok("X")),
        (&[("a", "/* class Y extends PlaneControl */ class X extends PlaneControl{}")], Ok("X")),
        (&[("a", "abstract class Base extends PlaneControl{} class X extends Base {}")], Ok("X")),
        (&[("a", "class Base extends PlaneControl{} public class X extends Base {}")], Ok("X")),
        (
            &[
                ("p/X.java", "package p; class X extends q.Base {}"),
                ("q/Base.java", "package q; public class Base extends Planes.PlaneControl{}"),
            ],
            Ok("p.X"),
        ),
        (
            &[
                ("A.java", "class A extends PlaneControl {}"),
                ("B.java", "class B extends PlaneControl {}"),
            ],
            Err(several),
        ),
        (
            &[
                ("A.java", "class A extends PlaneControl {}"),
                ("B.java", "class Bot extends PlaneControl {}"),
            ],
            Ok("Bot"),
        ),
        (&[("a", "class X extends PlaneControl{} class Y<T extends PlaneControl> {}")], Ok("X")),
        (&[("a", "class X<T extends Y<T>> extends PlaneControl {} class Y<T> {}")], Ok("X")),
        (&[("a", "@A(B.class) class X extends PlaneControl {} @interface A {}")], Ok("X")),
        (&[("a", "@A({B.class, C.class}) public final class X extends PlaneControl {}")], Ok("X")),
        (&[("a", "class X extends PlaneControl { Object o = Y.class; } class Y {}")], Ok("X")),
        (&[("a", "class X extends PlaneControl { class Y extends PlaneControl {} }")], Ok("X")),
        (
            &[("a", "/** extends PlaneControl */ class Y {} class X extends PlaneControl {}")],
            Ok("X"),
        ),
        (
            &[(
                "a",
                "class Y { String s = \"\"\"\n\\\"\"\" } class Z extends PlaneControl { \"\"\"; } class X extends PlaneControl {}",
            )],
            Ok("X"),
        ),
        (&[("a", "import static a.b.class_; class X extends PlaneControl {}")], Ok("X")),
        (&[("a", "class A extends A {} class X extends PlaneControl {}")], Ok("X")),
        (
            &[
                ("p/X.java", "package p; class X extends Planes.PlaneControl {}"),
                ("q/X.java", "package q; class X {}"),
                ("q/Y.java", "package q; class Y extends X {}"),
            ],
            Ok("p.X"),
        ),
        (
            &[("a", "class A extends B {} class B extends A {} class X extends PlaneControl {}")],
            Ok("X"),
        ),
        (&[("a", "abstract class A extends PlaneControl {}")], Err("can play (A): one can that")),
        (
            &[("a", "package Planes; public class Main extends PlaneControl {}")],
            Err("can play (Planes.Main)"),
        ),
        (
            &[("a", "package Planes; class Main {} class X extends PlaneControl {}")],
            Err("a gives way to the judge's own `Planes.Main`, and `Planes.X` is in it"),
        ),
        (
            &[
                ("Planes/Main.java", "package other; class X extends Planes.PlaneControl {}"),
                ("data.txt", ""),
            ],
            Err("Planes/Main.java gives way to the judge's own `Planes/Main.java`, and `other.X`"),
        ),
        (&[("a", "class Zoé extends PlaneControl {}")], Err("the name `Zoé` is not allowed")),
    ];
    let adapter = adapter();
    for (files, wanted) in table {
        let upload = upload(files);
        assert!(adapter.serves(&upload), "{files:?}");
        let adapted = adapter.adapt(&upload);
        match (adapted, wanted) {
            (Ok(it), Ok(class)) => {
                let entry = it.sources.get("Planes/Entry.java").unwrap();
                let text = String::from_utf8_lossy(&entry.bytes);
                assert!(text.contains(&format!("\"{class}\"")), "{files:?}: {text}");
                assert_eq!(it.main, "Planes/Main.java");
            }
            (Err(why), Err(words)) => assert!(why.to_string().contains(words), "{why}"),
            (found, wanted) => panic!("{files:?}: {found:?}, wanted {wanted:?}"),
        }
    }
}

#[test]
fn what_does_not_play_by_it_is_left_alone() {
    let adapter = adapter();
    for text in [
        "public class Main { public static void main(String[] a) {} }",
        "class A extends PlaneControlled {}",
        "class A extends PlaneControl.Inner {}",
        "class A { String it = \"class B extends PlaneControl {\"; }",
        "class A { class B extends PlaneControl {} }",
        "class A<T extends PlaneControl> {}",
        "class A { <T extends PlaneControl> void f() {} }",
        "interface A extends PlaneControl {}",
        "class A implements PlaneControl {}",
        "class A ext\\u0065nds PlaneControl {}",
        "class PlaneControl {} class A extends PlaneControl { void main() {} }",
        "package p; class PlaneControl {} class A extends PlaneControl {}",
        "class A { Object o = new PlaneControl(1, 2) {}; }",
        "class class class",
        "",
    ] {
        assert!(!adapter.serves(&upload(&[("A.java", text)])), "{text}");
    }
    let python = upload(&[("a.py", "class A extends PlaneControl {}"), ("b.py", "")]);
    assert!(!adapter.serves(&python));
}

#[test]
fn files_of_the_other_judge_give_way() {
    let adapter = adapter();
    let files = [
        ("Controller.txt", "class Main extends PlaneControl"),
        ("src/Dumb.java", "package Planes; public class Dumb extends PlaneControl {}"),
        ("src/PlaneControl.java", "package Planes; public abstract class PlaneControl { int x; }"),
        ("Planes/Main.java", "class Main {}"),
    ];
    let adapted = adapter.adapt(&upload(&files)).unwrap().sources;
    let paths: Vec<_> = adapted.files.iter().map(|it| it.path.as_str()).collect();
    let own = ["Planes/Entry.java", "Planes/Main.java", "Planes/PlaneControl.java"];
    assert_eq!(paths, [&["Controller.txt"], &own[..], &["src/Dumb.java"]].concat());
    let main = adapted.get("Planes/Main.java").unwrap();
    assert_eq!(main.bytes, super::tests::own()[1].bytes);
}

/// A file that came alone is called as its public class, or whatever else is public in it.
#[test]
fn a_file_that_came_alone_is_called_as_compilers_want_it() {
    let adapter = adapter();
    for (text, wanted) in [
        ("class Help {} public class X extends PlaneControl {}", "X.java"),
        ("public interface I {} class X extends PlaneControl {}", "I.java"),
        ("class X extends PlaneControl {} public record R(int x) {}", "R.java"),
        ("class X extends PlaneControl {} public enum E { A }", "E.java"),
        (
            "@A({1, 2}) public class X extends PlaneControl {} @interface A { int[] value(); }",
            "X.java",
        ),
        ("class X extends PlaneControl {} class Y {}", "X.java"),
        ("public class Gr\u{f6}\u{df}e {} class X extends PlaneControl {}", "X.java"),
    ] {
        let adapted = adapter.adapt(&upload(&[("my entry.txt", text)])).unwrap().sources;
        assert!(adapted.get(wanted).is_some() && adapted.files.len() == 4, "{text}: {adapted:?}");
    }
}

#[test]
fn files_and_folders_of_the_same_name_are_refused() {
    let adapter = adapter();
    let player = ("X.java", "class X extends Planes.PlaneControl {}");
    for (path, why) in [
        ("Planes", "puts the file Planes/Entry.java beside Planes, and cannot"),
        ("Planes/Main.java/x.txt", "puts the file Planes/Main.java beside Planes/Main.java/x.txt"),
    ] {
        let error = adapter.adapt(&upload(&[player, (path, "")])).unwrap_err().to_string();
        assert!(error.contains(why), "{path}: {error}");
    }
    assert!(adapter.adapt(&upload(&[player, ("Planes/more.txt", "")])).is_ok());
}

/// As large as an upload can be, and of the worst shapes: none takes longer than to read it.
#[test]
fn large_sources_are_read_in_one_pass() {
    let adapter = adapter();
    let n = 200_000;
    let chain = |no: usize| format!("class A{no} extends A{}{{}}", no + 1);
    let chain: String = (0..n).map(chain).collect();
    let texts = [
        "class ".repeat(n),
        "class A ".repeat(n),
        "class A extends ".repeat(n),
        "class A<".repeat(n),
        "class A extends PlaneControl {}".repeat(n),
        "class A extends A.".repeat(n),
        "package a; package ".repeat(n),
        "(".repeat(n),
        "@A(".repeat(n),
        format!("{chain} class A{n} extends PlaneControl {{}}"),
    ];
    for text in texts {
        let begun = std::time::Instant::now();
        let _ = adapter.adapt(&upload(&[("a", &text)]));
        let took = begun.elapsed();
        assert!(took.as_secs() < 20, "{took:?} for {}...", &text[..20]);
    }
}

#[test]
fn an_adapter_that_makes_no_sense_is_refused() {
    let no_main = AdapterTable { main: "Other.java".to_owned(), ..table() };
    let nothing = AdapterTable { known_by: vec![" ".to_owned()], ..table() };
    let no_hole = own().into_iter().skip(1).collect();
    for (table, files, why) in [
        (no_main, own(), "main: found Other.java"),
        (nothing, own(), "known_by: found nothing"),
        (table(), no_hole, "0 of its files hold {entry}"),
    ] {
        let error = Adapter::new(table, files).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn the_shipped_adapters_are_read() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/games");
    let adapters = Adapters::load(games.as_ref()).unwrap();
    let adapter = adapters.of("planes").next().expect("Planes has one");
    assert_eq!(adapter.language(), "java");
    let entry = upload(&[("D.java", "package Planes; public class D extends PlaneControl {}")]);
    assert!(adapters.adapt("planes", "java", &entry).unwrap().is_some());
    assert!(adapters.adapt("planes", "kotlin", &entry).unwrap().is_none());
    assert!(adapters.adapt("jockey", "java", &entry).unwrap().is_none());
}
