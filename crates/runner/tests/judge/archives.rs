//! Bots of more than one file: what is compiled, what is run, and what lies beside it.

use std::{collections::BTreeMap, sync::Arc};

use game::Seat;
use runner::{
    Cache, JailedProgram, Order, Sources, build,
    sources::{File, Format},
};
use serde_json::json;

use crate::{
    Case,
    builds::order,
    kit::{Kit, block_on, play},
};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        Case::plain("archive: in every language, files find each other", |kit: &mut Kit| {
            every_language(kit)
        }),
        Case::plain("archive: all its sources are judged", |kit: &mut Kit| all_judged(kit)),
        Case::plain(
            "archive: files that toolchains look for by themselves change nothing",
            |kit: &mut Kit| nothing_by_itself(kit),
        ),
        Case::plain("archive: what the build has made goes before what came", |kit: &mut Kit| {
            made_goes_first(kit)
        }),
        Case::plain("archive: only where the language takes them", |kit: &mut Kit| one_file(kit)),
        Case::plain("archive: what makes no pack is its owner's to change", |kit: &mut Kit| {
            no_pack(kit)
        }),
        Case::plain("archive: recipes tell builds apart", |kit: &mut Kit| recipes(kit)),
    ]
}

pub(crate) fn archive(files: &[(&str, &str)]) -> Sources {
    let file = |&(path, text): &(&str, &str)| File {
        path: path.to_owned(),
        bytes: text.as_bytes().to_vec(),
    };
    let mut files: Vec<File> = files.iter().map(file).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Sources { format: Format::Zip, files }
}

/// What an architect says who plants nothing, in a file that is no source.
const ANSWER: (&str, &str) = ("data/answer.txt", "#END\n");

/// For each language, bots of several files; each reads its answer from its data, by way of
/// another file.
fn bots() -> BTreeMap<&'static str, Vec<(&'static str, &'static str)>> {
    let python = vec![
        ("main.py", "from deep.answers import answer\nwhile True:\n    print(answer())\n"),
        ("deep/__init__.py", ""),
        ("deep/answers.py", "def answer():\n    return open('data/answer.txt').read().strip()\n"),
    ];
    let python2 = vec![
        ("main.py", "from deep.answers import answer\nwhile True:\n    print answer()\n"),
        ("deep/__init__.py", ""),
        ("deep/answers.py", "def answer():\n    return open('data/answer.txt').read().strip()\n"),
    ];
    let c = vec![
        (
            "src/bot.c",
            "#include <stdio.h>\n#include \"inc/answer.h\"\nint main(void) { for (;;) { fputs(answer(), stdout); if (fflush(stdout)) return 0; } }\n",
        ),
        (
            "src/deep/answer.c",
            "#include <stdio.h>\n#include \"inc/answer.h\"\nchar *answer(void) { static char s[9]; FILE *f = fopen(\"data/answer.txt\", \"r\"); fgets(s, 9, f); fclose(f); return s; }\n",
        ),
        ("inc/answer.h", "char *answer(void);\n"),
    ];
    let cpp = vec![
        (
            "main.cpp",
            "#include <iostream>\n#include \"deep/answer.hpp\"\nint main() { while (std::cout << answer() << std::endl) {} }\n",
        ),
        (
            "deep/answer.cc",
            "#include <fstream>\n#include \"answer.hpp\"\nstd::string answer() { std::string s; std::ifstream f(\"data/answer.txt\"); f >> s; return s; }\n",
        ),
        ("deep/answer.hpp", "#include <string>\nstd::string answer();\n"),
    ];
    let rust = vec![
        ("Cargo.toml", "[package]\nname = \"x\"\n"),
        (
            "src/main.rs",
            "mod deep;\nfn main() { loop { print!(\"{}\", deep::answers::answer()); } }\n",
        ),
        ("src/deep/mod.rs", "pub mod answers;\n"),
        (
            "src/deep/answers.rs",
            "pub fn answer() -> String { std::fs::read_to_string(\"data/answer.txt\").unwrap() }\n",
        ),
    ];
    let go = vec![
        ("go.mod", "module bot\n"),
        (
            "main.go",
            "package main\n\nimport (\n\t\"bot/deep\"\n\t\"fmt\"\n)\n\nfunc main() {\n\tfor {\n\t\tfmt.Print(prefix() + deep.Answer())\n\t}\n}\n",
        ),
        ("prefix.go", "package main\n\nfunc prefix() string { return \"\" }\n"),
        (
            "deep/answer.go",
            "package deep\n\nimport \"os\"\n\nfunc Answer() string {\n\tb, _ := os.ReadFile(\"data/answer.txt\")\n\treturn string(b)\n}\n",
        ),
    ];
    let java = vec![
        (
            "src/bot/Main.java",
            "package bot;\nimport bot.deep.Answers;\nclass Helper {}\npublic class Main { public static void main(String[] a) throws Exception { for (;;) System.out.println(Answers.answer()); } }\n",
        ),
        (
            "src/bot/deep/Answers.java",
            "package bot.deep;\nimport java.nio.file.*;\npublic class Answers { public static String answer() throws Exception { return Files.readString(Path.of(\"data/answer.txt\")).trim(); } }\n",
        ),
    ];
    let csharp = vec![
        (
            "Program.cs",
            "class Program { static void Main() { for (;;) System.Console.WriteLine(Deep.Answers.Answer()); } }\n",
        ),
        (
            "deep/Answers.cs",
            "namespace Deep { static class Answers { public static string Answer() { return System.IO.File.ReadAllText(\"data/answer.txt\").Trim(); } } }\n",
        ),
    ];
    let javascript = vec![
        (
            "index.js",
            "const {answer} = require('./deep/answers'); require('fs').writeSync(1, answer().repeat(1000)); setInterval(() => {}, 1000);\n",
        ),
        (
            "deep/answers.js",
            "exports.answer = () => require('fs').readFileSync('data/answer.txt', 'utf8');\n",
        ),
    ];
    let d = vec![
        (
            "source/app.d",
            "import std.stdio, source.deep.answers;\nvoid main() { while (true) { write(answer()); stdout.flush(); } }\n",
        ),
        (
            "source/deep/answers.d",
            "module source.deep.answers;\nimport std.file;\nstring answer() { return readText(\"data/answer.txt\"); }\n",
        ),
    ];
    let kotlin = vec![
        ("src/Main.kt", "import deep.answer\nfun main() { while (true) println(answer()) }\n"),
        (
            "src/deep/Answers.kt",
            "package deep\nfun answer() = java.io.File(\"data/answer.txt\").readText().trim()\n",
        ),
    ];
    let lua = vec![
        ("main.lua", "local a = require('deep.answers')\nwhile true do print(a.answer()) end\n"),
        (
            "deep/answers.lua",
            "return { answer = function() return io.open('data/answer.txt'):read() end }\n",
        ),
    ];
    let ocaml = vec![
        ("src/main.ml", "let () = while true do print_endline (Answers.answer ()) done\n"),
        ("src/answers.ml", "let answer () = input_line (open_in \"data/answer.txt\")\n"),
        ("src/answers.mli", "val answer : unit -> string\n"),
    ];
    let pascal = vec![
        (
            "main.pas",
            "uses answers;\nbegin\n  while true do begin writeln(answer()); flush(output); end;\nend.\n",
        ),
        (
            "answers.pas",
            "unit answers;\ninterface\nfunction answer: string;\nimplementation\nfunction answer: string;\nvar f: text; s: string;\nbegin assign(f, 'data/answer.txt'); reset(f); readln(f, s); close(f); answer := s; end;\nend.\n",
        ),
    ];
    let perl = vec![
        ("main.pl", "use Deep::Answers;\nwhile (1) { print Deep::Answers::answer() }\n"),
        (
            "Deep/Answers.pm",
            "package Deep::Answers;\nsub answer { open my $f, '<', 'data/answer.txt'; scalar <$f> }\n1;\n",
        ),
    ];
    let php = vec![
        ("main.php", "<?php require 'deep/answers.php';\nwhile (true) echo answer();\n"),
        (
            "deep/answers.php",
            "<?php function answer() { return file_get_contents('data/answer.txt'); }\n",
        ),
    ];
    let ruby = vec![
        ("main.rb", "require_relative 'deep/answers'\nloop { puts answer }\n"),
        ("deep/answers.rb", "def answer = File.read('data/answer.txt')\n"),
    ];
    let typescript = vec![
        (
            "src/main.ts",
            "import { answer } from './deep/answers';\nrequire('fs').writeSync(1, answer().repeat(1000));\nsetInterval(() => {}, 1000);\n",
        ),
        (
            "src/deep/answers.ts",
            "import { readFileSync } from 'fs';\nexport function answer(): string { return readFileSync('data/answer.txt', 'utf8'); }\n",
        ),
    ];
    BTreeMap::from([
        ("d", d),
        ("kotlin", kotlin),
        ("lua", lua),
        ("ocaml", ocaml),
        ("pascal", pascal),
        ("perl", perl),
        ("php", php),
        ("ruby", ruby),
        ("typescript", typescript),
        ("python3", python.clone()),
        ("pypy3", python),
        ("python2", python2),
        ("c", c),
        ("cpp", cpp),
        ("rust", rust),
        ("go", go),
        ("java", java),
        ("csharp", csharp),
        ("javascript", javascript),
    ])
}

fn every_language(kit: &Kit) {
    let cache_dir = tempfile::tempdir().expect("a folder");
    let cache = Cache::open(cache_dir.path(), 1 << 30).expect("a cache");
    let bots = bots();
    for language in kit.languages().iter().filter(|it| it.archive.is_some()) {
        let id = language.id.as_str();
        let files = bots.get(id).unwrap_or_else(|| panic!("no archive for {id} here"));
        if let Err(why) = block_on(runner::version(&kit.client, language)) {
            println!("       skipped: {id}: {why}");
            continue;
        }
        let upload = archive(&[&files[..], &[ANSWER]].concat());
        let built = block_on(build(&kit.client, &order(kit, id, &upload))).expect("a build");
        let log = &built.log;
        let pack = built.pack.unwrap_or_else(|why| panic!("{id}: {why}\n{log}"));
        let artefact = cache.put(&pack.digest, pack.file).expect("a pack");
        let program = || JailedProgram {
            client: Arc::clone(&kit.client),
            spec: language.bot_spec(&artefact.entry, None),
            folders: vec![("/bot".to_owned(), artefact.folder.clone())],
        };
        let setup = json!({ "size": 5, "mode": "map" });
        let played = play([program(), program()], &setup).expect("a match");
        let report = &played.seats[Seat(0)];
        assert_eq!((&report.fault, report.answers), (&None, 25), "{id}: {report:?}");
    }
}

/// A file that nothing uses is compiled, or at least checked, like the others.
fn all_judged(kit: &Kit) {
    let table = [
        ("c", vec![("bot.c", "int main(void) { return 0; }\n"), ("x.c", "int x(\n")], "x.c"),
        ("python3", vec![("bot.py", "print(1)\n"), ("deep/x.py", "print(\n")], "deep/x.py"),
        (
            "java",
            vec![("Bot.java", "class Bot { void main() {} }\n"), ("x/X.java", "class {\n")],
            "x/X.java",
        ),
    ];
    for (id, files, wanted) in table {
        let upload = archive(&files);
        let built = block_on(build(&kit.client, &order(kit, id, &upload))).expect("a build");
        assert!(built.pack.is_err() && built.log.contains(wanted), "{id}: {built:?}");
    }
    let upload = archive(&[("bot.c", "int main(void) { return 0; }\n"), ("agon.entry", "x")]);
    let built = block_on(build(&kit.client, &order(kit, "c", &upload))).expect("a build");
    let why = built.pack.expect_err("a name of ours");
    assert!(why.contains("agon.entry"), "{why}");
}

/// Each would end the build, or run what it names, if it were read.
fn nothing_by_itself(kit: &Kit) {
    let bots = bots();
    let table = [
        ("c", "specs", "nonsense\n"),
        ("cpp", "specs", "nonsense\n"),
        ("d", "ldc2.conf", "nonsense\n"),
        ("pascal", "fpc.cfg", "#ERROR it was read\n"),
        ("typescript", "tsconfig.json", "nonsense\n"),
        ("java", "META-INF/services/javax.annotation.processing.Processor", "No.Such.Class\n"),
        ("go", "go.env", "GOFLAGS=-nonsense\n"),
        ("python3", "sitecustomize.pth", "import nonsense\n"),
        ("ruby", "gemrc", "nonsense\n"),
    ];
    for (id, path, text) in table {
        if block_on(runner::version(&kit.client, kit.language(id))).is_err() {
            println!("       skipped: {id} is not on this machine");
            continue;
        }
        let upload = archive(&[&bots[id][..], &[ANSWER, (path, text)]].concat());
        let built = block_on(build(&kit.client, &order(kit, id, &upload))).expect("a build");
        assert!(built.pack.is_ok(), "{id}, {path}: {built:?}");
    }
}

fn made_goes_first(kit: &Kit) {
    let made = [("bot.c", "int main(void) { return 0; }\n"), ("bot", "#!/bin/sh\n"), ("x", "y")];
    let alone = [made[0], made[2]];
    let digest = |files: &[(&str, &str)]| {
        let upload = archive(files);
        let built = block_on(build(&kit.client, &order(kit, "c", &upload))).expect("a build");
        built.pack.expect("a pack").digest
    };
    assert_eq!(digest(&made), digest(&alone));
    assert_ne!(digest(&alone), digest(&made[..1]), "what is no source is kept");
}

/// Whatever comes of a build can be unpacked where it is played, or its owner is told why not.
fn no_pack(kit: &Kit) {
    let cache_dir = tempfile::tempdir().expect("a folder");
    let cache = Cache::open(cache_dir.path(), 1 << 30).expect("a cache");
    let c = "int main(void) { return 0; }\n";
    let java = "package data; class Bot { public static void main(String[] a) {} }\n";
    let python = "print(1)\n";
    let fills = "echo x > /build/bot; for n in $(seq 4000); do : > /build/$n; done";
    // Nobody names as many by hand.
    let many = |n: usize, name: &str| {
        let name = |n: usize| (name.replace("{n}", &n.to_string()), "");
        [("bot.c".to_owned(), c)].into_iter().chain((0..n).map(name)).collect()
    };
    let some = |files: &[(&str, &'static str)]| {
        files.iter().map(|(path, text)| ((*path).to_owned(), *text)).collect()
    };
    let deep = format!("{}/{{n}}.c", ["x"; 3].map(|it| it.repeat(60)).join("/"));
    type Files = Vec<(String, &'static str)>;
    let table: [(&str, Option<&str>, Files, Result<&str, &str>); 9] = [
        ("c", None, some(&[("bot.c", c), ("bot/data", "")]), Err("`bot/data`")),
        (
            "c",
            Some("mkdir /build/x; cp /bin/true /build/bot; > /build/x/y"),
            some(&[("bot.c", c), ("x", "")]),
            Err("`x`"),
        ),
        ("java", None, some(&[("Bot.java", java), ("data", "")]), Err("`data`")),
        ("c", None, some(&[("bot.c", c), ("agon.entry/x", "")]), Ok("bot.c")),
        ("python3", None, some(&[(".x/main.py", python), ("y", "")]), Ok(".x/main.py")),
        ("python3", None, some(&[("x/$(a) ~b, [c].py", python)]), Ok("x/$(a) ~b, [c].py")),
        ("c", Some(fills), many(200, "{n}.txt"), Err("more than 4096 files")),
        ("c", None, many(400, &deep), Err("names of its sources")),
        ("c", None, many(1100, "{n}.c"), Err("names of its sources")),
    ];
    for (id, script, files, wanted) in table {
        let mut language = kit.language(id).clone();
        if let Some(script) = script {
            language.build.command = ["/bin/sh", "-c", script].map(str::to_owned).into();
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
        let upload = archive(&files);
        let order = Order { language: &language, ..order(kit, id, &upload) };
        let built = block_on(build(&kit.client, &order)).expect("a build");
        match (built.pack, wanted) {
            (Ok(pack), Ok(entry)) => {
                let artefact = cache.put(&pack.digest, pack.file).expect("a pack");
                assert_eq!(artefact.entry, entry);
            }
            (Err(why), Err(piece)) if why.replace('"', "`").contains(piece) => {}
            (found, _) => panic!("{id}, {wanted:?}: {found:?}\n{}", built.log),
        }
    }
}

fn one_file(kit: &Kit) {
    let mut language = kit.language("c").clone();
    let upload = archive(&[("a.c", "int main(void) { return 0; }\n"), ("b.c", "int x;\n")]);
    let refused = |language: &runner::Language| {
        let order = Order { language, ..order(kit, "c", &upload) };
        block_on(build(&kit.client, &order)).expect("a build").pack.expect_err("no pack")
    };
    let why = refused(&language);
    assert!(why.contains("bot.c or main.c") && why.contains("a.c, b.c"), "{why}");
    language.archive = None;
    let why = refused(&language);
    assert!(why.contains("a bot in C is one file"), "{why}");
}

fn recipes(kit: &Kit) {
    let c = kit.language("c");
    let upload = archive(&[("bot.c", ""), ("main.c", "")]);
    let recipe = |language: &runner::Language, toolchain: &str| {
        language.plan("", &upload).expect("a plan").recipe(language, toolchain)
    };
    let mut others = vec![recipe(c, "gcc 12"), recipe(c, "gcc 13")];
    let mut optimized = c.clone();
    optimized.build.command.push("-O3".to_owned());
    others.push(recipe(&optimized, "gcc 12"));
    let mut larger = c.clone();
    larger.build.memory_mib += 1;
    others.push(recipe(&larger, "gcc 12"));
    let mut begins = c.clone();
    begins.archive.as_mut().expect("archives").entries = vec!["main.c".to_owned()];
    others.push(recipe(&begins, "gcc 12"));
    let mut knows_more = c.clone();
    knows_more.guess.extensions.push("h".to_owned());
    let headers = archive(&[("bot.c", ""), ("main.h", "")]);
    for language in [c, &knows_more] {
        let plan = language.plan("", &headers).expect("a plan");
        others.push(plan.recipe(language, "gcc 12"));
    }
    for (n, one) in others.iter().enumerate() {
        assert_eq!(others.iter().position(|it| it == one), Some(n), "{n}");
    }
    // How it plays, and what is said of it, make no other program.
    let mut played = c.clone();
    (played.run.memory_mib, played.notes) = (1, "other notes".to_owned());
    assert_eq!(recipe(&played, "gcc 12"), others[0]);
}
