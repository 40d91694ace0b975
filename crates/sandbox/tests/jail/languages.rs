//! Every language's compiler and runtime works in a jail.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::{fd::AsFd, unix::fs::PermissionsExt},
    path::Path,
    process::Command,
    time::Duration,
};

use sandbox::{ArtefactLimits, Build, How, Limits, collect_artefacts};

use crate::{
    Case,
    kit::{Kit, finish, limits, spec},
};

pub(crate) const CASES: &[Case] = &[
    ("C is compiled and runs", |kit| try_language(kit, &C)),
    ("C++ is compiled and runs", |kit| try_language(kit, &CPP)),
    ("Rust is compiled and runs", |kit| try_language(kit, &RUST)),
    ("Go is compiled and runs", |kit| try_language(kit, &GO)),
    ("Java is compiled and runs", |kit| try_language(kit, &JAVA)),
    ("C# is compiled and runs", |kit| try_language(kit, &CSHARP)),
    ("Python runs", |kit| try_language(kit, &PYTHON)),
    ("JavaScript runs", |kit| try_language(kit, &JAVASCRIPT)),
    ("a compiler that eats memory is stopped", greedy_compiler),
];

struct Language {
    /// Where this is not found, the host does not have the language.
    program: &'static str,
    source: (&'static str, &'static str),
    /// None where the source runs as it is.
    compile: Option<&'static [&'static str]>,
    run: &'static [&'static str],
    env: &'static [(&'static str, &'static str)],
}

const C: Language = Language {
    program: "gcc",
    source: (
        "bot.c",
        "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", n + 1); }",
    ),
    compile: Some(&["gcc", "-O2", "-o", "/build/bot", "/src/bot.c"]),
    run: &["/bot/bot"],
    env: &[],
};
const CPP: Language = Language {
    program: "g++",
    source: (
        "bot.cpp",
        "#include <iostream>\n#include <thread>\nint main() { int n; std::cin >> n; std::thread t([&]{ n++; }); t.join(); std::cout << n << std::endl; }",
    ),
    compile: Some(&["g++", "-O2", "-o", "/build/bot", "/src/bot.cpp"]),
    run: &["/bot/bot"],
    env: &[],
};
const RUST: Language = Language {
    program: "rustc",
    source: (
        "bot.rs",
        "fn main() { let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); println!(\"{}\", s.trim().parse::<i32>().unwrap() + 1); }",
    ),
    compile: Some(&["rustc", "-O", "-o", "/build/bot", "/src/bot.rs"]),
    run: &["/bot/bot"],
    env: &[],
};
const GO: Language = Language {
    program: "go",
    source: (
        "bot.go",
        "package main\nimport \"fmt\"\nfunc main() { var n int; fmt.Scan(&n); fmt.Println(n + 1) }",
    ),
    compile: Some(&["go", "build", "-o", "/build/bot", "/src/bot.go"]),
    run: &["/bot/bot"],
    env: &[("GOCACHE", "/tmp/go"), ("GOMAXPROCS", "1"), ("CGO_ENABLED", "0")],
};
const JAVA: Language = Language {
    program: "javac",
    source: (
        "Bot.java",
        "import java.util.*; class Bot { public static void main(String[] a) throws Exception { int[] n = {new Scanner(System.in).nextInt()}; Thread t = new Thread(() -> n[0]++); t.start(); t.join(); System.out.println(n[0]); } }",
    ),
    compile: Some(&[
        "javac",
        "-J-XX:+UseSerialGC",
        "-J-Xmx512m",
        "-proc:none",
        "-d",
        "/build",
        "/src/Bot.java",
    ]),
    run: &[
        "java",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xmx64m",
        "-Xss1m",
        "-cp",
        "/bot",
        "Bot",
    ],
    env: &[],
};
const CSHARP: Language = Language {
    program: "mcs",
    source: (
        "Bot.cs",
        "using System; using System.Threading; class Bot { static void Main() { int n = int.Parse(Console.ReadLine()); var t = new Thread(() => n++); t.Start(); t.Join(); Console.WriteLine(n); } }",
    ),
    compile: Some(&["mcs", "-out:/build/bot.exe", "/src/Bot.cs"]),
    run: &["mono", "/bot/bot.exe"],
    env: &[],
};
const PYTHON: Language = Language {
    program: "python3",
    source: ("bot.py", "import threading, subprocess, random\nprint(int(input()) + 1)"),
    compile: None,
    run: &["python3", "-I", "-S", "/bot/bot.py"],
    env: &[],
};
const JAVASCRIPT: Language = Language {
    program: "node",
    source: (
        "bot.js",
        "require('readline').createInterface({input: process.stdin}).on('line', l => console.log(Number(l) + 1))",
    ),
    compile: None,
    run: &["node", "--max-old-space-size=64", "/bot/bot.js"],
    env: &[],
};

fn build_limits() -> Limits {
    Limits {
        memory_bytes_max: 2 << 30,
        processes_max: 128,
        descriptors_max: 1024,
        file_bytes_max: 256 << 20,
        tmp_bytes_max: 512 << 20,
        tmp_files_max: 10_000,
        shm_bytes_max: 64 << 20,
        ..limits()
    }
}

fn try_language(kit: &mut Kit, language: &Language) {
    let Some(program) = find(language.program) else {
        return println!("       this host has no {}", language.program);
    };
    let (name, source) = language.source;
    let folder = kit.folder.path().join(name).with_extension("source");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join(name), source).expect("a file");
    let env: Vec<_> = language
        .env
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();

    let made = match language.compile {
        None => folder,
        Some(argv) => {
            let mut spec = spec(argv);
            spec.argv[0] = in_toolchain(&program, argv[0]);
            spec.env.clone_from(&env);
            spec.limits = build_limits();
            spec.cwd = "/build".to_owned();
            spec.build = Some(Build { bytes_max: 256 << 20, files_max: 1000 });
            let mut jail =
                kit.spawn(&spec, &[("/src", &folder)]).unwrap_or_else(|error| panic!("{error}"));
            let build = jail.take_build().expect("it was asked for");
            let run = finish(jail, Duration::from_secs(400));
            assert_eq!(run.ending.how, How::Exited(0), "{run:?}");
            let made = kit.folder.path().join(name).with_extension("made");
            fs::create_dir_all(&made).expect("a folder");
            copy(build.as_fd(), &made);
            made
        }
    };

    let mut spec = spec(language.run);
    if language.compile.is_none() {
        spec.argv[0] = in_toolchain(&program, language.run[0]);
    }
    spec.env = env;
    spec.limits.memory_bytes_max = 256 << 20;
    spec.limits.processes_max = 64;
    let mut jail = kit.spawn(&spec, &[("/bot", &made)]).unwrap_or_else(|error| panic!("{error}"));
    let mut to = File::from(jail.take_stdin().expect("not taken yet"));
    to.write_all(b"41\n").expect("a pipe");
    drop(to);
    let run = finish(jail, Duration::from_secs(100));
    assert_eq!(
        (&run.ending.how, run.stdout.as_str(), run.stderr.as_str()),
        (&How::Exited(0), "42\n", ""),
        "{run:?}"
    );
}

fn greedy_compiler(kit: &mut Kit) {
    let folder = kit.folder.path().join("greedy");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("bot.c"), "#include \"/dev/zero\"\n").expect("a file");
    let mut spec = spec(&["gcc", "/src/bot.c"]);
    spec.limits = Limits { memory_bytes_max: 256 << 20, ..build_limits() };
    let run = kit.run(&spec, &[("/src", &folder)], Duration::from_secs(60));
    // The driver would only say that its compiler failed.
    assert_eq!(run.ending.how, How::OutOfMemory, "{run:?}");
}

fn copy(build: std::os::fd::BorrowedFd<'_>, to: &Path) {
    let limits = ArtefactLimits { files_max: 100, bytes_max: 64 << 20 };
    let files = collect_artefacts(build, limits, |mut artefact| {
        let path = to.join(artefact.path);
        io::copy(&mut artefact.file, &mut File::create(&path)?)?;
        let mode = if artefact.executable { 0o755 } else { 0o644 };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode))
    });
    assert!(files.expect("artefacts") > 0);
}

fn find(program: &str) -> Option<String> {
    let found =
        Command::new("sh").args(["-c", &format!("command -v {program}")]).output().expect("sh");
    found.status.success().then(|| String::from_utf8_lossy(&found.stdout).trim().to_owned())
}

/// Shims in somebody's home choose among versions; a jail has the one program.
fn in_toolchain(found: &str, name: &str) -> String {
    let ask: &[&str] = match name {
        "rustc" => &["--print", "sysroot"],
        "python3" => &["-c", "import sys; print(sys.base_prefix)"],
        _ => return name.to_owned(),
    };
    let prefix = Command::new(found).args(ask).output().expect("it was found");
    format!("{}/bin/{name}", String::from_utf8_lossy(&prefix.stdout).trim())
}
