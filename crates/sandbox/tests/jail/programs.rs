//! Bots in the languages they are written in, made ready to run in a jail.

use std::{
    env, fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use crate::cases::MADE;

/// What runs, and the folder it sees as `/bot`.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) folder: PathBuf,
    pub(crate) argv: &'static [&'static str],
}

/// A language, by its extension: what compiles `{source}` into the folder `{made}`, and what runs.
struct Tongue {
    extension: &'static str,
    compile: &'static [&'static str],
    run: &'static [&'static str],
}

#[rustfmt::skip]
const TONGUES: &[Tongue] = &[
    Tongue { extension: "c", compile: &["gcc", "-O1", "-static", "-pthread", "-w", "-I", "{here}", "-o", "{made}/bot", "{source}"], run: &["/bot/bot"] },
    Tongue { extension: "py", compile: &["cp", "{source}", "{made}/bot.py"], run: &["python3", "-I", "-S", "/bot/bot.py"] },
    Tongue { extension: "sh", compile: &["cp", "{source}", "{made}/bot.sh"], run: &["/bin/sh", "/bot/bot.sh"] },
    Tongue { extension: "js", compile: &["cp", "{source}", "{made}/bot.js"], run: &["node", "/bot/bot.js"] },
    Tongue { extension: "java", compile: &["javac", "-proc:none", "-d", "{made}", "{source}"], run: &["java", "-Xmx64m", "-XX:+UseSerialGC", "-XX:ActiveProcessorCount=1", "-XX:-UsePerfData", "-cp", "/bot", "Bot"] },
    Tongue { extension: "rb", compile: &["ruby", "--disable=gems", "-e", "IO.copy_stream(*ARGV)", "{source}", "{made}/bot.rb"], run: &["ruby", "--disable=gems", "/bot/bot.rb"] },
    Tongue { extension: "d", compile: &["ldc2", "-od={made}", "-of={made}/bot", "{source}"], run: &["/bot/bot", "--DRT-gcopt=parallel:0"] },
    Tongue { extension: "cs", compile: &["mcs", "-nologo", "-out:{made}/bot.exe", "{source}"], run: &["mono", "/bot/bot.exe"] },
];

/// Makes a program of `source`, or finds it where it was made before. None where this machine
/// does not have the language.
pub(crate) fn program(source: &Path, folder: &Path) -> Option<Program> {
    let tongue = tongue(source);
    let name = name_of(source);
    if let Some(made) = env::var_os(MADE) {
        let folder = Path::new(&made).join(name);
        return folder.exists().then_some(Program { folder, argv: tongue.run });
    }
    let folder = folder.join(name);
    let made = folder.exists() || make(source, tongue, &folder);
    made.then_some(Program { folder, argv: tongue.run })
}

/// Makes every program there is, for a machine that is slow to do it.
pub(crate) fn compile_all(folder: &Path) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    fs::create_dir_all(folder).expect("a folder");
    for source in sources(&here.join("programs")).into_iter().chain(hostile_sources()) {
        if !make(&source, tongue(&source), &folder.join(name_of(&source))) {
            println!("not made, for want of its compiler: {}", source.display());
        }
    }
}

/// The source of each hostile program.
pub(crate) fn hostile_sources() -> Vec<PathBuf> {
    let folders = entries(&hostile_folder()).into_iter().filter(|path| path.is_dir());
    let source = |folder: PathBuf| {
        let mut found = sources(&folder);
        let source = found.pop().filter(|_| found.is_empty());
        source.unwrap_or_else(|| panic!("{}: there must be one source", folder.display()))
    };
    folders.map(source).collect()
}

pub(crate) fn hostile_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile")
}

fn make(source: &Path, tongue: &Tongue, folder: &Path) -> bool {
    fs::create_dir_all(folder).expect("a folder");
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("for everybody");
    let path = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let (from, to, here) = (path(source), path(folder), path(&hostile_folder()));
    let words = tongue.compile.iter().map(|word| {
        word.replace("{source}", &from).replace("{made}", &to).replace("{here}", &here)
    });
    let words: Vec<String> = words.collect();
    let done = match Command::new(&words[0]).args(&words[1..]).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            fs::remove_dir_all(folder).expect("it was just made");
            return false;
        }
        done => done.expect("a compiler"),
    };
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{from} does not compile: {said}");
    for made in entries(folder) {
        let mode = if tongue.run[0] == "/bot/bot" { 0o755 } else { 0o644 };
        fs::set_permissions(made, fs::Permissions::from_mode(mode)).expect("for everybody");
    }
    true
}

fn tongue(source: &Path) -> &'static Tongue {
    let extension = source.extension().and_then(|it| it.to_str()).unwrap_or_default();
    let tongue = TONGUES.iter().find(|it| it.extension == extension);
    tongue.unwrap_or_else(|| panic!("{}: no language here", source.display()))
}

/// A hostile program is named by its folder, any other by itself.
fn name_of(source: &Path) -> String {
    let stem = source.file_stem().expect("a name");
    let folder = source.parent().and_then(Path::file_name).filter(|it| *it != "programs");
    match folder {
        Some(folder) => folder.to_string_lossy().into_owned(),
        None => {
            let extension = source.extension().unwrap_or_default();
            format!("{}-{}", stem.to_string_lossy(), extension.to_string_lossy())
        }
    }
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let is_source = |path: &PathBuf| {
        let extension = path.extension().and_then(|it| it.to_str());
        TONGUES.iter().any(|it| Some(it.extension) == extension)
    };
    entries(folder).into_iter().filter(is_source).collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(folder).unwrap_or_else(|it| panic!("{}: {it}", folder.display()));
    let mut found: Vec<PathBuf> = found.map(|entry| entry.expect("a file").path()).collect();
    found.sort();
    found
}
