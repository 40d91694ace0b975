//! What language files may hold, and how they are refused.

use std::{collections::BTreeMap, fs, path::PathBuf};

use super::{LANGUAGES_MAX, Languages, Places};

/// The languages that the repository ships.
pub(super) fn shipped() -> Languages {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/languages");
    Languages::load(dir.as_ref(), &BTreeMap::new()).unwrap()
}

const GOOD: &str = r#"
label = "Toy"
libraries = "None."
[guess]
extensions = ["toy"]
[source]
name = "bot.toy"
[toolchain]
version = ["toy", "--version"]
[build]
command = ["toy", "{src}/{name}", "{build}/bot"]
keeps = "output"
wall_s = 10
cpu_s = 10
memory_mib = 100
processes = 10
output_mib = 10
[run]
command = ["{bot}/bot"]
memory_mib = 100
processes = 10
stack_mib = 8
"#;

fn load(name: &str, text: &str) -> Result<Languages, String> {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(name), text).unwrap();
    Languages::load(dir.path(), &BTreeMap::new()).map_err(|it| it.to_string())
}

#[test]
fn the_shipped_languages_are_all_there() {
    let ids: Vec<_> = shipped().iter().map(|it| it.id.clone()).collect();
    let wanted = [
        "c",
        "cpp",
        "csharp",
        "d",
        "go",
        "java",
        "javascript",
        "kotlin",
        "lua",
        "ocaml",
        "pascal",
        "perl",
        "php",
        "pypy3",
        "python2",
        "python3",
        "ruby",
        "rust",
        "typescript",
    ];
    assert_eq!(ids, wanted);
}

#[test]
fn a_good_file_is_taken_with_its_defaults() {
    let languages = load("toy.toml", GOOD).unwrap();
    let toy = languages.get("toy").unwrap();
    assert_eq!((toy.guess.rank, toy.run.tmp_mib, toy.build.tmp_files), (50, 16, 4096));
    assert_eq!(toy.needed_files().collect::<Vec<_>>(), ["bot"]);
    let places =
        Places { src: "/s", build: "/b", bot: "/x", name: "n.toy", entry: "e", sources: &[] };
    assert_eq!(places.fill(&toy.build.command), ["toy", "/s/n.toy", "/b/bot"]);
    assert_eq!(places.fill(&toy.run.command), ["/x/bot"]);
}

#[test]
fn one_word_stands_for_all_sources_and_names_are_filled_in_once() {
    let sources = ["a.toy", "d/{src}.toy"].map(str::to_owned);
    let places = Places {
        src: "/s",
        build: "/b",
        bot: "/x",
        name: "{entry}",
        entry: "e",
        sources: &sources,
    };
    let words = ["toy", "{sources}", "-{name}", "{sources}x", "{", "{build}{src}{"];
    let filled = places.fill(&words.map(str::to_owned));
    let wanted = ["toy", "/s/a.toy", "/s/d/{src}.toy", "-{entry}", "{sources}x", "{", "/b/s{"];
    assert_eq!(filled, wanted);
}

#[test]
fn runtimes_are_told_their_limits() {
    let told = "[run]\nheap_percent = 75\nenv = { HEAP = \"{heap_mib}MiB of {memory_mib}\" }";
    let text = GOOD.replace("[run]", told).replace(
        "[\"{bot}/bot\"]",
        "[\"{bot}/bot\", \"-Xmx{heap_mib}m\", \"-Xss{stack_mib}m\", \"{cores}\"]",
    );
    let languages = load("toy.toml", &text).unwrap();
    let run = &languages.get("toy").unwrap().run;
    let places =
        Places { src: "/s", build: "/b", bot: "/x", name: "n.toy", entry: "e", sources: &[] };
    assert_eq!(run.argv(&places), ["/x/bot", "-Xmx75m", "-Xss8m", "1"]);
    assert_eq!(run.variables()["HEAP"], "75MiB of 100");
}

#[test]
fn shipped_runtimes_leave_room_beside_their_heaps() {
    let languages = shipped();
    let places =
        Places { src: "/s", build: "/b", bot: "/bot", name: "n", entry: "Main", sources: &[] };
    let java = &languages.get("java").unwrap().run;
    let argv = java.argv(&places).join(" ");
    assert!(argv.contains("-Xmx256m -Xss64m") && argv.contains("ActiveProcessorCount=1"), "{argv}");
    let node = languages.get("javascript").unwrap().run.argv(&places).join(" ");
    assert!(node.contains("--max-old-space-size=256"), "{node}");
    let go = languages.get("go").unwrap().run.variables();
    assert_eq!((&*go["GOMAXPROCS"], &*go["GOMEMLIMIT"]), ("1", "384MiB"));
    let mono = languages.get("csharp").unwrap().run.variables();
    assert_eq!(mono["MONO_GC_PARAMS"], "max-heap-size=256m");
    for language in languages.iter() {
        let left =
            language.run.argv(&places).into_iter().chain(language.run.variables().into_values());
        for word in left {
            assert!(!word.contains(['{', '}']), "{}: {word}", language.id);
        }
    }
}

#[test]
fn a_bad_file_is_refused_with_its_name_the_key_and_what_is_allowed() {
    let table = [
        ("label = \"Toy\"", "label = \"\"", "label: found nothing, allowed is a text of 1 to 40"),
        ("label = \"Toy\"", "", "missing field `label`"),
        ("label = \"Toy\"", "label = 7", "invalid type: integer `7`, expected a string"),
        ("label = \"Toy\"", "colour = 1", "unknown field `colour`"),
        ("[\"toy\"]", "[]", "guess.extensions: found 0 entries, allowed is a list of 1 to 32"),
        ("[\"toy\"]", "[\".toy\"]", "guess.extensions: found .toy, allowed is a plain name"),
        ("bot.toy", "../bot.toy", "source.name: found ../bot.toy"),
        ("bot.toy", "-o", "source.name: found -o"),
        (
            "{build}/bot",
            "{bot}",
            "build.command: found {bot}, allowed is a word without { and } but in {src}, {name}, {build}, {sources}",
        ),
        (
            "{build}/bot",
            "-o{sources}",
            "build.command: found -o{sources}, allowed is {sources} as a word of its own",
        ),
        (
            "[build]",
            "[build]\nfolder = \"/tmp\"",
            "build.folder: found /tmp, allowed is {build} or {src}",
        ),
        ("[build]", "[archive]\nentries = []\n[build]", "archive.entries: found 0 entries"),
        ("[build]", "[archive]\nentries = [\"../x\"]\n[build]", "archive.entries: found ../x"),
        (
            "[build]",
            "[archive]\nentries = [\"x\"]\ncommand = [\"{bot}\"]\n[build]",
            "archive.command: found {bot}",
        ),
        ("[build]", "[archive]\nabout = \"x\"\n[build]", "missing field `entries`"),
        ("wall_s = 10", "wall_s = 0", "build.wall_s: found 0, allowed is 1 to 600"),
        ("wall_s = 10", "wall_s = 601", "build.wall_s: found 601, allowed is 1 to 600"),
        ("wall_s = 10", "wall_s = -1", "invalid value: integer `-1`"),
        ("stack_mib = 8", "stack_mib = 8\nnice = 1", "unknown field `nice`"),
        ("\"output\"", "\"everything\"", "unknown variant `everything`"),
        (
            "{bot}/bot",
            "{src}/bot",
            "run.command: found {src}/bot, allowed is a word without { and } but in {bot}, {entry}, {memory_mib}",
        ),
        ("{bot}/bot", "{bot/bot", "run.command: found {bot/bot"),
        ("--version", "{bot}", "toolchain.version: found {bot}, allowed is a word without { and }"),
        (
            "[build]",
            "mounts = [\"etc\"]\n[build]",
            "toolchain.mounts: found etc, allowed is an absolute path",
        ),
        ("[build]", "mounts = [\"/\"]\n[build]", "toolchain.mounts: found /"),
        (
            "[run]",
            "[run]\nenv = { PATH = \"/x\" }",
            "run.env.PATH: found PATH, allowed is any variable but PATH",
        ),
        (
            "[run]",
            "[run]\nenv = { HEAP = \"{bot}\" }",
            "run.env.HEAP: found {bot}, allowed is a text without { and } but in {memory_mib}",
        ),
        ("stack_mib = 8", "stack_mib = 8\nheap_percent = 91", "run.heap_percent: found 91"),
        (
            "[run]",
            "[run]\nenv = { \"A=B\" = \"/x\" }",
            "run.env.A=B: found A=B, allowed is a plain name",
        ),
    ];
    for (good, bad, why) in table {
        let text = GOOD.replacen(good, bad, 1);
        assert_ne!(text, GOOD, "{good}");
        let error = load("toy.toml", &text).expect_err(bad);
        assert!(error.contains("toy.toml: ") && error.contains(why), "{bad}: {error}");
    }
    let error = load("Toy.toml", GOOD).expect_err("its name");
    assert!(error.contains("the file's name: found Toy"), "{error}");
    let error = load("toy.toml", &"#".repeat(100_000)).expect_err("its size");
    assert!(error.contains("found 100000 bytes, allowed are at most 65536"), "{error}");
}

#[test]
fn a_folder_is_refused_that_is_absent_or_too_full() {
    let error = Languages::load("/no/such".as_ref(), &BTreeMap::new()).expect_err("absent");
    assert!(error.to_string().starts_with("/no/such: "), "{error}");

    let dir = tempfile::tempdir().unwrap();
    for n in 0..=LANGUAGES_MAX {
        fs::write(dir.path().join(format!("l{n}.toml")), GOOD).unwrap();
    }
    let error = Languages::load(dir.path(), &BTreeMap::new()).expect_err("too full");
    assert!(error.to_string().contains("found 65 language files, allowed are at most 64"));
}

#[test]
fn a_prefix_comes_first_on_the_path_and_is_shown_to_the_jail() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("toy.toml"), GOOD).unwrap();
    let load = |id: &str, path: &str| {
        let prefixes = BTreeMap::from([(id.to_owned(), PathBuf::from(path))]);
        Languages::load(dir.path(), &prefixes)
    };
    let languages = load("toy", "/opt/toy").unwrap();
    assert_eq!(languages.get("toy").unwrap().path(), "/opt/toy/bin:/usr/local/bin:/usr/bin:/bin");
    let toolchain = languages.toolchain();
    assert!(toolchain.optional.contains(&PathBuf::from("/opt/toy")), "{toolchain:?}");
    let toolchain = load("toy", "/usr/local/toy").unwrap().toolchain();
    assert!(!toolchain.optional.contains(&PathBuf::from("/usr/local/toy")), "{toolchain:?}");

    let error = load("toy", "opt").expect_err("not absolute").to_string();
    assert!(error.contains("languages.prefix: found opt"), "{error}");
    let error = load("tox", "/opt").expect_err("no such language").to_string();
    assert!(error.contains("languages.prefix.tox: there is no language"), "{error}");
}

#[test]
fn a_toolchain_that_takes_anothers_place_is_told_from_it() {
    let (dir, prefix) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::write(dir.path().join("toy.toml"), GOOD).unwrap();
    let prefixes = BTreeMap::from([("toy".to_owned(), prefix.path().to_owned())]);
    let languages = Languages::load(dir.path(), &prefixes).unwrap();
    let stamp = || crate::stamp(languages.get("toy").unwrap());
    assert_eq!(stamp(), "", "it is not there");
    let program = prefix.path().join("bin/toy");
    fs::create_dir(program.parent().unwrap()).unwrap();
    fs::write(&program, "one").unwrap();
    let first = stamp();
    assert!(first.starts_with("toy ") && first == stamp(), "{first}");
    fs::write(prefix.path().join("new"), "another").unwrap();
    fs::rename(prefix.path().join("new"), &program).unwrap();
    assert_ne!(stamp(), first);
}

#[test]
fn ceilings_are_the_most_that_any_language_asks_for() {
    let languages = shipped();
    let (limits, build) = languages.ceilings();
    for language in languages.iter() {
        for its in [language.build.limits(), language.run.limits()] {
            assert!(its.memory_bytes_max <= limits.memory_bytes_max, "{}", language.id);
            assert!(its.processes_max <= limits.processes_max, "{}", language.id);
            assert!(its.tmp_files_max <= limits.tmp_files_max, "{}", language.id);
        }
        assert!(language.build.writable().bytes_max <= build.bytes_max, "{}", language.id);
    }
}
