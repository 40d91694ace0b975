//! What compilers may do, and what is taken of what they leave.

use game::Seat;
use runner::{Cache, JailedProgram, Order, Sources, build, sources};
use serde_json::json;
use std::{fs, sync::Arc};

use crate::{
    Case,
    kit::{Kit, block_on, config, play},
};

pub(crate) const LOG_BYTES_MAX: usize = 64 << 10;

pub(crate) fn cases() -> Vec<Case> {
    vec![
        Case::plain("build: the same source, the same pack", |kit: &mut Kit| the_same_twice(kit)),
        Case::plain("build: a name is a name, whatever is in it", |kit: &mut Kit| odd_names(kit)),
        Case::plain("what a bot sees of the host's paths names nobody", |kit: &mut Kit| {
            opaque_paths(kit)
        }),
        Case::plain("build: what a compiler leaves that is no file", |kit: &mut Kit| no_files(kit)),
        Case::plain("build: syntax checks of interpreted languages", |kit: &mut Kit| syntax(kit)),
        Case::plain("build: nothing runs while a source is checked", |kit: &mut Kit| {
            checks_run_nothing(kit)
        }),
        Case::plain(
            "build: the documented bots in every language of this machine",
            |kit: &mut Kit| documented(kit),
        ),
    ]
}

/// An upload of one file.
pub(crate) fn alone(source: &[u8]) -> Sources {
    let files = vec![sources::File { path: "source".to_owned(), bytes: source.to_vec() }];
    Sources { format: sources::Format::File, files }
}

pub(crate) fn order<'a>(kit: &'a Kit, language: &str, upload: &'a Sources) -> Order<'a> {
    Order {
        language: kit.language(language),
        file_name: "../../whatever",
        upload,
        main: None,
        scratch: kit.scratch.path(),
        core: None,
        log_bytes_max: LOG_BYTES_MAX,
        pack_bytes_max: 64 << 20,
    }
}

fn the_same_twice(kit: &Kit) {
    for (language, source) in [("c", "int main(void) { return 0; }"), ("python3", "print(1)")] {
        let build = || {
            let built =
                block_on(build(&kit.client, &order(kit, language, &alone(source.as_bytes()))));
            built.unwrap().pack.unwrap()
        };
        let (first, second) = (build(), build());
        assert_eq!((first.digest, first.bytes), (second.digest, second.bytes), "{language}");
    }
}

/// Where the language keeps no more of it than an extension, no name does anything.
fn odd_names(kit: &Kit) {
    let names = [
        "-o",
        "@file",
        "a b.c",
        "'; touch /tmp/x; '.c",
        "$(id).c",
        "%s%n",
        "\n.c",
        "../../etc/x.c",
        "",
        "\u{202e}c.tob",
        "con.C",
        "bot.c\0.py",
    ];
    for (id, source) in [("c", "int main(void) { return 0; }\n"), ("javascript", "1\n")] {
        for file_name in names {
            let upload = alone(source.as_bytes());
            let order = Order { file_name, ..order(kit, id, &upload) };
            let built = block_on(build(&kit.client, &order)).unwrap();
            assert!(built.pack.is_ok(), "{id} {file_name:?}: {built:?}");
            assert_eq!(fs::read_dir(kit.scratch.path()).unwrap().count(), 0, "{file_name:?}");
        }
    }
}

/// A bot can see where its folders lie on the host; that says what it is, and not whose.
fn opaque_paths(kit: &Kit) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("bot.py");
    let text = "import sys\nsys.stderr.write(open('/proc/self/mountinfo').read())\n";
    fs::write(&source, text).unwrap();
    let Some(bot) = crate::hostile::built(kit, "python3", &source) else { return };
    let played = play([bot, kit.jailed("stays_put.c")], &crate::kit::quick()).unwrap();
    let mounts = &played.seats[Seat(0)].stderr;
    let line = mounts.lines().find(|it| it.split(' ').nth(4) == Some("/bot"));
    let path = line.and_then(|it| it.split(' ').nth(3)).unwrap_or_else(|| panic!("{mounts}"));
    let name = path.rsplit('/').next().unwrap_or_default();
    assert!(name.len() == 64 && name.bytes().all(|it| it.is_ascii_hexdigit()), "{path}");
    for secret in ["stays_put", "bot.py", "DATABASE", "pgdata"] {
        assert!(!mounts.contains(secret), "{secret} in {mounts}");
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
        ("echo x > /build/bot; truncate -s 100G /build/large", Err("does not compile")),
        ("echo x > /build/bot; truncate -s 9M /build/large", Err("")),
        ("echo x > /build/bot; chmod 6777 /build/bot", Ok(())),
        (
            "cp /bin/true /build/bot; mknod /build/x c 0 0; mknod /build/y p; exit 0",
            Err("cannot be read"),
        ),
        ("p=/build/$(printf 'd/%.0s' $(seq 200)); mkdir -p $p && > $p/bot", Err("deeper")),
        ("for n in $(seq 5000); do > /build/$n || exit; done", Err("does not compile")),
        ("echo x > /build/bot; > '/build/a\\b'", Err("no path")),
        ("echo x > /build/bot; > \"/build/$(printf '\\377')\"", Err("not UTF-8")),
        (
            "(trap '' 1 15; while :; do echo y > /build/bot; done) & sleep 0.1; echo x > /build/bot",
            Ok(()),
        ),
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
        let upload = alone(b"");
        let order = Order { language: &language, ..order(kit, "c", &upload) };
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
        let built =
            block_on(build(&kit.client, &order(kit, id, &alone(source.as_bytes())))).unwrap();
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
    let table = [
        ("python3", "import sys; sys.exit('it ran')"),
        ("javascript", "throw Error('it ran')"),
        ("lua", "error('it ran')"),
        ("php", "<?php throw new Exception('it ran');"),
        ("ruby", "BEGIN { abort 'it ran' }"),
    ];
    for (id, source) in table {
        if block_on(runner::version(&kit.client, kit.language(id))).is_err() {
            println!("       skipped: {id} is not on this machine");
            continue;
        }
        let built =
            block_on(build(&kit.client, &order(kit, id, &alone(source.as_bytes())))).unwrap();
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
        let built = block_on(build(&kit.client, &order(kit, id, &alone(&source)))).unwrap();
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
        let built =
            block_on(build(&kit.client, &order(kit, id, &alone(source.as_bytes())))).unwrap();
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
