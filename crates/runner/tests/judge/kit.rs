//! A launcher, compiled bots, and a match between two of them.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    future::Future,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::Duration,
};

use game::{PerSeat, Sitter};
use referee::AnyReferee;
use runner::{
    Fairness, JailedProgram, Language, Languages, PATH, PlainProgram, PlayError, Played, Program,
    Terms,
};
use sandbox::{Client, Limits, Policy, Seccomp, Spec, Start, launcher};
use serde_json::{Value, json};

/// How bots are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    Plain,
    Jailed,
}

pub(crate) struct Kit {
    pub(crate) client: Arc<Client>,
    pub(crate) languages: Languages,
    /// Compiled bots, for everybody to read.
    pub(crate) folder: tempfile::TempDir,
    /// For builds.
    pub(crate) scratch: tempfile::TempDir,
}

impl Kit {
    pub(crate) fn new() -> Kit {
        let languages = languages();
        let (socket, _) = launcher::fork(&policy(&languages)).expect("a launcher");
        let client = Client::new(socket);
        client.hello().unwrap_or_else(|error| panic!("{error}"));
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("for all");
        let scratch = tempfile::tempdir().expect("a folder");
        Kit { client: Arc::new(client), languages, folder, scratch }
    }

    pub(crate) fn language(&self, id: &str) -> &Language {
        self.languages.get(id).expect("a language of ours")
    }

    /// What runs a bot, from the folder it returns.
    fn bot(&self, source: &Path) -> (PathBuf, &'static [&'static str]) {
        let file = source.file_name().and_then(|it| it.to_str()).expect("a name");
        let folder = self.folder.path().join(file);
        let made = folder.is_dir();
        fs::create_dir_all(&folder).expect("a folder");
        let stem = source.extension().and_then(|it| it.to_str()).expect("an extension");
        let argv: &[&str] = match stem {
            "py" => &["/usr/bin/python3", "-u", "{bot}/bot.py"],
            _ => &["{bot}/bot"],
        };
        if made {
            return (folder, argv);
        }
        match stem {
            "py" => {
                fs::copy(source, folder.join("bot.py")).unwrap_or_else(|it| panic!("{file}: {it}"));
            }
            _ => {
                let mut gcc = Command::new(if stem == "cpp" { "g++" } else { "gcc" });
                gcc.args(["-O2", "-static", "-pthread", "-w", "-o"]).arg(folder.join("bot"));
                assert!(gcc.arg(source).status().expect("gcc").success(), "{file}");
            }
        }
        (folder, argv)
    }

    pub(crate) fn plain(&self, file: &str) -> PlainProgram {
        let (folder, argv) = self.bot(&bots().join(file));
        let bot = folder.to_str().expect("UTF-8");
        let argv = argv.iter().map(|word| word.replace("{bot}", bot)).collect();
        PlainProgram { argv, env: BTreeMap::new(), cwd: None, pauses: true }
    }

    pub(crate) fn jailed(&self, file: &str) -> JailedProgram {
        self.jailed_from(&bots().join(file))
    }

    pub(crate) fn jailed_from(&self, source: &Path) -> JailedProgram {
        let (folder, argv) = self.bot(source);
        let spec = Spec {
            argv: argv.iter().map(|word| word.replace("{bot}", "/bot")).collect(),
            env: vec![("PATH".to_owned(), PATH.to_owned())],
            cwd: "/bot".to_owned(),
            limits: limits(),
            core: None,
            start: Start::Frozen,
            build: None,
        };
        let folder = Arc::new(File::open(folder).expect("a folder").into());
        let folders = vec![("/bot".to_owned(), folder)];
        JailedProgram { client: self.client.clone(), spec, folders }
    }

    /// Architect against adventurer.
    pub(crate) fn play(
        &self,
        ground: Ground,
        bots: [&str; 2],
        setup: &Value,
    ) -> Result<Played, PlayError> {
        match ground {
            Ground::Plain => play(bots.map(|it| self.plain(it)), setup),
            Ground::Jailed => play(bots.map(|it| self.jailed(it)), setup),
        }
    }
}

pub(crate) fn play<P: Program>(bots: [P; 2], setup: &Value) -> Result<Played, PlayError> {
    let programs = PerSeat::from(bots.map(Some).into_iter().collect::<Vec<_>>());
    let terms = terms();
    block_on(runner::play(referee(setup), &programs, &terms, None))
}

pub(crate) fn terms() -> Terms {
    let (wall_max, fairness) = (Duration::from_secs(60), Fairness::default());
    Terms { wall_max, stderr_bytes_max: 64 << 10, fairness }
}

pub(crate) fn referee(setup: &Value) -> Box<dyn AnyReferee> {
    let sitters = PerSeat::new(2, |_| Sitter::Bot);
    games::find("labyrinth").expect("a game").referee(setup, sitters).expect("a set-up")
}

/// A small board with short turns.
pub(crate) fn quick() -> Value {
    json!({ "size": 5, "mode": "map", "turn_ms": 300, "total_ms": 20_000 })
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

pub(crate) fn bots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots")
}

pub(crate) fn config() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config")
}

/// The languages of the product, with the toolchains of this machine that lie elsewhere.
fn languages() -> Languages {
    let mut prefixes = BTreeMap::new();
    let found = |program: &str, args: &[&str]| {
        let output =
            Command::new(program).args(args).output().ok().filter(|it| it.status.success())?;
        let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
        path.is_absolute().then_some(path)
    };
    if let Some(path) = found("rustc", &["--print", "sysroot"]) {
        prefixes.insert("rust".to_owned(), path);
    }
    let pyenv = || found("pyenv", &["prefix", "2.7.18"]);
    let named = || std::env::var_os("AGON_PYTHON2").map(PathBuf::from);
    if let Some(path) = named().or_else(pyenv) {
        prefixes.insert("python2".to_owned(), path);
    }
    Languages::load(&config().join("languages"), &prefixes).unwrap_or_else(|it| panic!("{it}"))
}

fn policy(languages: &Languages) -> Policy {
    let file = config().join("seccomp.toml");
    let text = fs::read_to_string(&file).unwrap_or_else(|it| panic!("{}: {it}", file.display()));
    let seccomp: Seccomp = toml::from_str(&text).unwrap_or_else(|it| panic!("{it}"));
    let (ceilings, build_ceiling) = languages.ceilings();
    Policy {
        toolchain: languages.toolchain(),
        environment: [
            ("PATH", runner::PATH),
            ("HOME", "/tmp"),
            ("LANG", "C.UTF-8"),
            ("TMPDIR", "/tmp"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into(),
        uids: sandbox::Uids { first: 72_000, count: 17 },
        ceilings,
        build_ceiling,
        cgroup: sandbox::Cgroup { parent: "agon-runner-test".to_owned(), under: None },
        warm_slots: 2,
        seccomp,
    }
}

fn limits() -> Limits {
    Limits {
        memory_bytes_max: 64 << 20,
        processes_max: 16,
        cpu_percent_max: 100,
        descriptors_max: 64,
        file_bytes_max: 1 << 20,
        stack_bytes_max: 8 << 20,
        tmp_bytes_max: 1 << 20,
        tmp_files_max: 64,
        shm_bytes_max: 1 << 20,
    }
}
