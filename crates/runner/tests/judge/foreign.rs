//! What a source can name that is not its own: files of the host, options, programs to be run
//! while it is compiled. Nothing of it comes in, and what does is what any jail shows.

use std::{fs, path::Path};

use runner::{Cache, build};

use crate::{
    Case,
    archives::archive,
    builds::order,
    kit::{Kit, block_on},
};

pub(crate) fn cases() -> Vec<Case> {
    vec![
        Case::plain("foreign: no source brings in what is not its own", |kit: &mut Kit| {
            refused(kit)
        }),
        Case::plain(
            "foreign: what a compiler may read says nothing of the host",
            |kit: &mut Kit| of_the_jail(kit),
        ),
    ]
}

/// The files of an archive, whether something is built of them, and what is said of it. None is to
/// have anything run, nor to tell what `/etc/passwd` holds.
type Try = (&'static str, &'static [(&'static str, &'static str)], Result<(), &'static str>);

const GO_MOD: (&str, &str) = ("go.mod", "module bot\ngo 1.18\n");
const GO: (&str, &str) = ("bot.go", "package main\nfunc main() {}\n");
const ML: (&str, &str) = ("bot.ml", "let () = ()\n");

#[rustfmt::skip]
const TRIES: &[Try] = &[
    ("go", &[("go.mod", "module bot\nrequire x/y v0.0.0\nreplace x/y => ../../..\n"), ("bot.go", "package main\nimport _ \"x/y\"\nfunc main() {}\n")], Err("open /go.mod: no such file")),
    ("go", &[("go.mod", "module bot\ngo 1.999\ntoolchain go1.999.1\n"), GO], Err("go")),
    ("go", &[GO_MOD, ("go.work", "go 1.18\nuse .\nuse /etc\n"), ("bot.go", "package main\n//go:generate sh -c \"echo it ran\"\n//go:embed /etc/passwd\nvar s string\nfunc main() {}\n")], Err("")),
    ("go", &[GO_MOD, ("bot.go", "package main\nimport _ \"embed\"\n//go:embed ../../../etc/passwd\nvar s string\nfunc main() {}\n")], Err("invalid pattern")),
    ("go", &[GO_MOD, ("bot.go", "package main\n// #cgo LDFLAGS: -wrapper /src/x\n// #include </etc/passwd>\nimport \"C\"\nfunc main() {}\n")], Err("exclude all Go files")),
    ("go", &[GO_MOD, ("x.s", "#include \"/etc/passwd\"\n"), GO], Err("/etc/passwd: no such file")),
    ("rust", &[("main.rs", "#![feature(link_args)]\n#[path = \"/etc/passwd\"] mod a;\nfn main() {}\n")], Err("couldn't read `/etc/passwd`")),
    ("rust", &[("main.rs", "#[link(name = \"/src/x\")] extern \"C\" {}\nfn main() { let _ = option_env!(\"DATABASE_URL\").map(|_| ()); }\n"), ("x", "")], Err("linking with")),
    ("c", &[("bot.c", "#if __has_include(\"/etc/passwd\") || __has_include(\"/sys/kernel\") || __has_include(\"/proc/1/environ\")\n#error it is there\n#endif\n#pragma GCC optimize(\"-fplugin=/src/x.so\")\nint main(void) { return 0; }\n"), ("x.so", ""), ("specs", "nonsense")], Ok(())),
    ("java", &[("Main.java", "public class Main { public static void main(String[] a) {} }\n"), ("META-INF/services/com.sun.source.util.Plugin", "Main\n"), ("META-INF/services/javax.annotation.processing.Processor", "Main\n"), ("javac.args", "-proc:full")], Ok(())),
    ("java", &[("Main.java", "public class Main { public static void main(String[] a) {} }\n"), ("module-info.java", "module m { requires no.such.module; }\n")], Err("module not found")),
    ("kotlin", &[("Main.kt", "fun main() {}\n"), ("META-INF/services/org.jetbrains.kotlin.compiler.plugin.ComponentRegistrar", "No\n"), ("x.kts", "it ran\n")], Ok(())),
    ("javascript", &[("bot.js", "1\n"), ("package.json", "{\"type\": \"module\", \"main\": \"/etc/passwd\"}"), (".npmrc", "node-options=--require=/src/x"), ("node_modules/fs/index.js", "throw 'it ran'\n")], Ok(())),
    ("typescript", &[("bot.ts", "/// <reference path=\"/etc/passwd\" />\nconst n = 1;\n"), ("tsconfig.json", "{\"extends\": \"/etc/passwd\"}")], Err("'/etc/passwd'")),
    ("typescript", &[("bot.ts", "const n = 1;\n"), ("x $(echo it ran).ts", ""), ("node_modules/@types/x/index.d.ts", "nonsense")], Ok(())),
    ("python3", &[("bot.py", "print(1)\n"), ("sitecustomize.py", "raise SystemExit('it ran')\n"), ("usercustomize.py", "raise SystemExit('it ran')\n"), ("tokenize.py", "raise SystemExit('it ran')\n"), ("encodings/__init__.py", "raise SystemExit('it ran')\n"), ("x.pth", "import nonsense\n")], Ok(())),
    ("python3", &[("bot.py", "# coding: bot.py\n"), ("bot.py.py", "print('it ran')\n")], Err("unknown encoding")),
    ("python2", &[("bot.py", "print 1\n"), ("sitecustomize.py", "raise SystemExit('it ran')\n"), ("encodings/__init__.py", "raise SystemExit('it ran')\n")], Ok(())),
    ("ruby", &[("bot.rb", "#!ruby -r/src/x.rb\nputs 1\n"), ("x.rb", "abort 'it ran'\n"), ("rubygems.rb", "abort 'it ran'\n")], Ok(())),
    ("php", &[("bot.php", "<?php include '/etc/passwd'; echo 'it ran';\n"), ("php.ini", "auto_prepend_file=/etc/passwd"), (".user.ini", "auto_prepend_file=/etc/passwd")], Ok(())),
    ("lua", &[("bot.lua", "error('it ran')\n"), ("jit/bc.lua", "error('it ran')\n"), ("init.lua", "error('it ran')\n")], Ok(())),
    ("ocaml", &[ML, ("a -pp sh.ml", "echo it ran\n")], Err("a -pp sh.ml is no name")),
    ("ocaml", &[ML, ("b.ml", ""), ("[b].ml", "")], Err("[b].ml is no name")),
    ("ocaml", &[("bot.ml", "[@@@ocaml.ppx \"/src/x\"]\n#use \"/etc/passwd\";;\n"), ("x", "")], Err("Syntax error")),
    ("pascal", &[("bot.pas", "{$I /etc/passwd}\nbegin end.\n"), ("fpc.cfg", "#ERROR it ran")], Err("Cannot open include file")),
    ("pascal", &[("bot.pas", "{$R /etc/passwd}\n{$L /etc/passwd}\nbegin end.\n")], Err("Can't open resource file")),
    ("d", &[("bot.d", "enum s = import(\"/etc/passwd\");\nvoid main() {}\n"), ("ldc2.conf", "nonsense")], Err("need `-J` switch")),
    ("d", &[("bot.d", "pragma(lib, \"-wrapper\");\npragma(lib, \"/bin/echo,it ran\");\nvoid main() {}\n")], Err("cannot find -l-wrapper")),
    ("csharp", &[("bot.cs", "[assembly: System.Reflection.AssemblyKeyFile(\"/etc/passwd\")] class X { static void Main() {} }\n"), ("mcs.rsp", "-nonsense"), ("mono.config", "nonsense")], Err("does not exist")),
];

fn refused(kit: &Kit) {
    for (id, files, wanted) in TRIES {
        if block_on(runner::version(&kit.client, kit.language(id))).is_err() {
            println!("       skipped: {id} is not on this machine");
            continue;
        }
        let upload = archive(files);
        let built = block_on(build(&kit.client, &order(kit, id, &upload))).expect("a build");
        match (&built.pack, wanted) {
            (Ok(_), Ok(())) => {}
            (Err(_), Err(piece)) if built.log.contains(piece) => {}
            _ => panic!("{id}, {wanted:?}: {files:?}: {built:?}"),
        }
        let lacks = ["it ran\n", "root:", kit.scratch.path().to_str().expect("UTF-8")];
        let said = lacks.iter().find(|it| built.log.contains(**it));
        assert!(said.is_none(), "{id}: {said:?} in {}", built.log);
    }
}

/// A program holds what its compiler could read: the surroundings of that compiler, and where its
/// folders come from. Neither is anything of the judge's.
fn of_the_jail(kit: &Kit) {
    let source = "static E: &[u8] = include_bytes!(\"/proc/self/environ\");\n\
                  static M: &[u8] = include_bytes!(\"/proc/self/mountinfo\");\n\
                  static C: &[u8] = include_bytes!(\"/proc/self/cgroup\");\n\
                  static S: &[u8] = include_bytes!(\"/proc/self/status\");\n\
                  fn main() { for it in [E, M, C, S] { println!(\"{it:?}\") } }\n";
    let upload = archive(&[("main.rs", source)]);
    let built = block_on(build(&kit.client, &order(kit, "rust", &upload))).expect("a build");
    let pack = built.pack.unwrap_or_else(|why| panic!("{why}: {}", built.log));
    let cache_dir = tempfile::tempdir().expect("a folder");
    let cache = Cache::open(cache_dir.path(), 1 << 30).expect("a cache");
    cache.put(&pack.digest, pack.file).expect("a pack");
    let program = fs::read(cache_dir.path().join(&pack.digest).join("bot")).expect("a program");
    let program = String::from_utf8_lossy(&program);
    assert!(program.contains("LANG=C.UTF-8\0") && program.contains("0::/\n"), "it read nothing");
    // What the judge has in its own surroundings, but for what a jail has as well.
    let its_own = ["HOME", "LANG", "PATH", "TMPDIR", "PWD"];
    for (name, value) in std::env::vars().filter(|(name, _)| !its_own.contains(&name.as_str())) {
        let it = format!("{name}={value}\0");
        assert!(!program.contains(&it), "{name} is the judge's");
    }
    for file in ["agon.toml", "worker.token", Path::new(file!()).to_str().expect("UTF-8")] {
        assert!(!program.contains(file), "{file}");
    }
}
