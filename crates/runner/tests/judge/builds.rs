//! What compilers may do, and what is taken of what they leave.

use game::Seat;
use runner::{Cache, JailedProgram, Order, build};
use serde_json::json;
use std::{fs, sync::Arc, time::Duration};

use crate::{
    Case,
    kit::{Kit, block_on, bots, config, play},
};

const LOG_BYTES_MAX: usize = 64 << 10;

/// Language, file, memory in MiB, then what is wanted: why there is nothing to play, and a piece of
/// the log.
const REFUSED: &[(&str, &str, u32, &str, &str)] = &[
    ("c", "builds/does_not_compile.c", 256, "does not compile", "undeclared"),
    ("c", "builds/reads_secrets.c", 256, "does not compile", "/etc/shadow: No such file"),
    ("c", "builds/huge_output.c", 256, "does not compile", "File size limit exceeded"),
    ("c", "builds/includes_endless_noise.c", 256, "more memory than the 256 MiB it may", ""),
    ("cpp", "builds/endless_template.cpp", 1024, "more than 3 s of processor time", ""),
    ("c", "builds/noisy.c", 256, "does not compile", "nested depth"),
];

pub(crate) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = vec![
        ("build: a program with many warnings".into(), Box::new(many_warnings)),
        ("build: the same source, the same pack".into(), Box::new(the_same_twice)),
        ("build: what a compiler leaves that is no file".into(), Box::new(no_files)),
        ("build: syntax checks of interpreted languages".into(), Box::new(syntax)),
        ("build: nothing runs while a source is checked".into(), Box::new(checks_run_nothing)),
        (
            "build: the documented bots in every language of this machine".into(),
            Box::new(documented),
        ),
    ];
    for &(language, file, memory_mib, why, log) in REFUSED {
        let refused = move |kit: &Kit| refused(kit, language, file, memory_mib, why, log);
        cases.push((format!("build: {file}"), Box::new(refused)));
    }
    cases
}

fn order<'a>(kit: &'a Kit, language: &str, source: &'a [u8]) -> Order<'a> {
    Order {
        language: kit.language(language),
        file_name: "../../whatever",
        source,
        scratch: kit.scratch.path(),
        core: None,
        log_bytes_max: LOG_BYTES_MAX,
        pack_bytes_max: 64 << 20,
    }
}

fn refused(kit: &Kit, language: &str, file: &str, memory_mib: u32, why: &str, log: &str) {
    let source = fs::read(bots().join(file)).unwrap();
    // Hostile sources use up whatever they may, so here that is less.
    let mut language = kit.language(language).clone();
    (language.build.cpu_s, language.build.wall_s) = (3, 20);
    language.build.memory_mib = memory_mib;
    let order = Order { language: &language, ..order(kit, &language.id, &source) };
    let built = block_on(build(&kit.client, &order)).unwrap();
    let Err(found) = &built.pack else { panic!("{file} was built: {built:?}") };
    println!("       {found} ({} ms)", built.took.as_millis());
    assert!(found.contains(why), "{file}: {built:?}");
    assert!(built.log.contains(log) && built.log.len() <= LOG_BYTES_MAX, "{file}: {built:?}");
    assert!(!built.log.contains("root:"), "{file}: {built:?}");
    let most = Duration::from_secs(u64::from(language.build.wall_s) + 5);
    assert!(built.took < most, "{file}: {:?}", built.took);
    assert_eq!(fs::read_dir(kit.scratch.path()).unwrap().count(), 0, "{file} left something");
}

fn many_warnings(kit: &Kit) {
    let source = fs::read(bots().join("builds/warns_and_compiles.c")).unwrap();
    let built = block_on(build(&kit.client, &order(kit, "c", &source))).unwrap();
    assert!(built.pack.is_ok() && built.log.len() <= LOG_BYTES_MAX, "{:?}", built.pack);
    assert!(built.log.contains("bytes are left out here"), "{}", built.log);
}

fn the_same_twice(kit: &Kit) {
    for (language, source) in [("c", "int main(void) { return 0; }"), ("python3", "print(1)")] {
        let build = || {
            let built = block_on(build(&kit.client, &order(kit, language, source.as_bytes())));
            built.unwrap().pack.unwrap()
        };
        let (first, second) = (build(), build());
        assert_eq!((first.digest, first.bytes), (second.digest, second.bytes), "{language}");
    }
}

/// Commands in place of a compiler, which may leave what they like.
fn no_files(kit: &Kit) {
    let table = [
        ("ln -s /etc/passwd /build/bot", Err("the compiler left no regular file")),
        ("mkfifo /build/bot", Err("the compiler left no regular file")),
        ("mkdir /build/bot", Err("the compiler left no regular file")),
        ("echo x > /build/other", Err("the compiler left no regular file `bot`")),
        ("echo x > /build/bot; ln -s / /build/root; mkfifo /build/pipe", Ok(())),
        ("echo x > /build/bot; ln /build/bot /build/again", Ok(())),
        ("echo x > /build/bot; echo x > /build/agon.entry", Err("agon.entry")),
        ("echo x > /build/bot; truncate -s 1G /build/large", Err("")),
        ("echo x > /build/bot; exec sleep 100", Err("took longer than 1 s")),
        ("echo x > /build/bot; (setsid sleep 100 &)", Ok(())),
        ("while :; do :; done", Err("")),
        ("yes", Err("")),
        ("kill -9 $$", Err("ended by signal 9")),
        ("exit 7", Err("does not compile")),
    ];
    for (script, wanted) in table {
        let mut language = kit.language("c").clone();
        language.build.command = ["/bin/sh", "-c", script].map(str::to_owned).into();
        (language.build.wall_s, language.build.output_mib) = (1, 8);
        let order = Order { language: &language, ..order(kit, "c", b"") };
        let built = block_on(build(&kit.client, &order)).unwrap();
        match (&built.pack, wanted) {
            (Ok(_), Ok(())) => {}
            (Err(found), Err(why)) if found.contains(why) => println!("       {script}: {found}"),
            _ => panic!("{script}: {built:?}"),
        }
    }
}

fn syntax(kit: &Kit) {
    let table = [
        ("python3", "print(1)", None),
        ("python3", "print(1", Some("SyntaxError")),
        ("python3", "print 1", Some("SyntaxError")),
        ("python3", "\0", Some("")),
        ("python3", "x = '\u{fc}'", None),
        ("pypy3", "print(1)", None),
        ("pypy3", "def", Some("SyntaxError")),
        ("python2", "print 1", None),
        ("python2", "print(1", Some("SyntaxError")),
        ("javascript", "console.log(1)", None),
        ("javascript", "let let = 1", Some("SyntaxError")),
    ];
    for (id, source, wanted) in table {
        if block_on(runner::version(&kit.client, kit.language(id))).is_err() {
            println!("       skipped: {id} is not on this machine");
            continue;
        }
        let built = block_on(build(&kit.client, &order(kit, id, source.as_bytes()))).unwrap();
        match wanted {
            None => assert!(built.pack.is_ok(), "{id} {source:?}: {built:?}"),
            Some(log) => {
                let why = built.pack.as_ref().expect_err(source);
                assert!(why.contains("syntax") && built.log.contains(log), "{id}: {built:?}");
            }
        }
    }
}

fn checks_run_nothing(kit: &Kit) {
    let table =
        [("python3", "import sys; sys.exit('it ran')"), ("javascript", "throw Error('it ran')")];
    for (id, source) in table {
        let built = block_on(build(&kit.client, &order(kit, id, source.as_bytes()))).unwrap();
        assert!(built.pack.is_ok() && built.log.is_empty(), "{id}: {built:?}");
    }
}

/// From source to match: the bots that the product ships, as its worker would play them.
fn documented(kit: &Kit) {
    let cache_dir = tempfile::tempdir().unwrap();
    let cache = Cache::open(cache_dir.path(), 1 << 30).unwrap();
    let ready = |id: &str, file: &str| -> Option<JailedProgram> {
        let language = kit.language(id);
        let toolchain = block_on(runner::version(&kit.client, language));
        if let Err(why) = &toolchain {
            println!("       skipped: {id}: {why}");
            return None;
        }
        let source = fs::read(config().join("games/labyrinth").join(file)).unwrap();
        let built = block_on(build(&kit.client, &order(kit, id, &source))).unwrap();
        let log = &built.log;
        let pack = built.pack.unwrap_or_else(|why| panic!("{id} {file}: {why}\n{log}"));
        println!("       {id}: {} in {} ms", toolchain.unwrap(), built.took.as_millis());
        let artefact = cache.put(&pack.digest, pack.file).unwrap();
        let spec = language.bot_spec(&artefact.entry, None);
        let folders = vec![("/bot".to_owned(), artefact.folder.clone())];
        Some(JailedProgram { client: Arc::clone(&kit.client), spec, folders })
    };
    let table = [
        ("cpp", "bots/architect.cpp", "bots/adventurer.cpp"),
        ("python3", "bots/architect.py", "bots/adventurer.py"),
        ("pypy3", "bots/architect.py", "bots/adventurer.py"),
        ("cpp", "seed-bots/architect/architect.cpp", "seed-bots/adventurer/adventurer.cpp"),
        ("java", "seed-bots/architect/program.java", "seed-bots/adventurer/program.java"),
        ("csharp", "seed-bots/architect/architect.cs", "seed-bots/adventurer/adventurer.cs"),
        ("python2", "seed-bots/architect/architect.py", "seed-bots/adventurer/adventurer.py"),
    ];
    for (id, architect, adventurer) in table {
        let (Some(architect), Some(adventurer)) = (ready(id, architect), ready(id, adventurer))
        else {
            continue;
        };
        let setup = json!({ "size": 5, "mode": "nomap" });
        let played = play([architect, adventurer], &setup).unwrap();
        println!("       {id}: {}", played.outcome.why);
        let report = &played.seats[Seat(0)];
        assert_eq!(report.fault, None, "{id}: {report:?}");
        let report = &played.seats[Seat(1)];
        assert!(report.answers > 0, "{id}: {report:?}");
    }
    let sources = [
        (
            "go",
            "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfor {\n\t\tfmt.Println(\"#END\")\n\t}\n}\n",
        ),
        ("rust", "fn main() {\n    loop {\n        println!(\"#END\");\n    }\n}\n"),
        (
            "c",
            "#include <stdio.h>\nint main(void) { while (puts(\"#END\") >= 0) fflush(stdout); return 0; }\n",
        ),
        (
            "javascript",
            "require('fs').writeSync(1, '#END\\n'.repeat(1000)); setInterval(() => {}, 1000);\n",
        ),
    ];
    for (id, source) in sources {
        let language = kit.language(id);
        let toolchain = block_on(runner::version(&kit.client, language));
        if let Err(why) = &toolchain {
            println!("       skipped: {id}: {why}");
            continue;
        }
        let built = block_on(build(&kit.client, &order(kit, id, source.as_bytes()))).unwrap();
        let log = &built.log;
        let pack = built.pack.unwrap_or_else(|why| panic!("{id}: {why}\n{log}"));
        println!(
            "       {id}: {} in {} ms, {} bytes",
            toolchain.unwrap(),
            built.took.as_millis(),
            pack.bytes
        );
        let artefact = cache.put(&pack.digest, pack.file).unwrap();
        let program = || JailedProgram {
            client: Arc::clone(&kit.client),
            spec: language.bot_spec(&artefact.entry, None),
            folders: vec![("/bot".to_owned(), artefact.folder.clone())],
        };
        let setup = json!({ "size": 5, "mode": "map" });
        let played = play([program(), program()], &setup).unwrap();
        for (_, report) in played.seats.iter() {
            assert_eq!((&report.fault, report.answers), (&None, 25), "{id}: {report:?}");
        }
    }
}
