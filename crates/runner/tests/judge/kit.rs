//! A launcher, compiled bots, and a match between two of them.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    future::Future,
    os::{
        linux::net::SocketAddrExt,
        unix::{
            fs::PermissionsExt,
            net::{SocketAddr, UnixListener},
        },
    },
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use game::{PerSeat, Sitter};
use referee::AnyReferee;
use runner::{
    Fairness, JailedProgram, Language, Languages, PATH, PlainProgram, PlayError, Played, Program,
    Terms, Wires,
};
use sandbox::{Client, Limits, Policy, Seccomp, Spec, Start, launcher};
use serde_json::{Value, json};

use crate::{
    cases::{self, MADE, slowness},
    outside::Outside,
};

/// What the tests themselves keep: records, replays, logs.
const ROOM_BYTES: u64 = 64 << 20;
/// How long another run of such tests may take.
const OTHER_RUN_WAIT_MAX: Duration = Duration::from_secs(600);

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
    outside: Outside,
    #[expect(dead_code, reason = "it is held, not used")]
    turn: UnixListener,
}

impl Kit {
    pub(crate) fn new() -> Kit {
        let turn = take_turn();
        let languages = languages();
        let policy = policy(&languages);
        let (socket, _) = launcher::fork(&policy).expect("a launcher");
        let client = Client::new(socket);
        client.hello().unwrap_or_else(|error| panic!("{error}"));
        let folder = tempfile::tempdir().expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("for all");
        let scratch = tempfile::tempdir().expect("a folder");
        // What tokio opens once, for processes that are its children.
        let warm = async { tokio::process::Command::new("/bin/true").status().await };
        block_on(warm).expect("it can start a process");
        let outside = Outside::new(&policy, ROOM_BYTES);
        Kit { client: Arc::new(client), languages, folder, scratch, outside, turn }
    }

    /// A folder for whatever a case keeps; its own each time.
    pub(crate) fn scratch_folder(&self, name: &str) -> PathBuf {
        let folder = tempfile::Builder::new().prefix(name).tempdir_in(self.folder.path());
        folder.expect("a folder").keep()
    }

    pub(crate) fn language(&self, id: &str) -> &Language {
        self.languages.get(id).expect("a language of ours")
    }

    pub(crate) fn languages(&self) -> &Languages {
        &self.languages
    }

    /// What runs a bot, from the folder it returns.
    fn bot(&self, source: &Path) -> (PathBuf, &'static [&'static str]) {
        let file = name_of(source);
        let folder = self.folder.path().join(&file);
        let made = folder.is_dir();
        let stem = source.extension().and_then(|it| it.to_str()).expect("an extension");
        let argv: &[&str] = match stem {
            "py" => &["/usr/bin/python3", "-u", "{bot}/bot.py"],
            _ => &["{bot}/bot"],
        };
        if let Some(ready) = std::env::var_os(MADE) {
            let folder = Path::new(&ready).join(&file);
            assert!(folder.is_dir(), "{} is not made", folder.display());
            return (folder, argv);
        }
        if !made {
            make(source, &folder);
        }
        (folder, argv)
    }

    pub(crate) fn plain(&self, file: &str) -> PlainProgram {
        self.plain_from(&source(file))
    }

    pub(crate) fn plain_from(&self, source: &Path) -> PlainProgram {
        let (folder, argv) = self.bot(source);
        let bot = folder.to_str().expect("UTF-8");
        let argv = argv.iter().map(|word| word.replace("{bot}", bot)).collect();
        PlainProgram { argv, env: BTreeMap::new(), cwd: None, pauses: true }
    }

    pub(crate) fn jailed(&self, file: &str) -> JailedProgram {
        self.jailed_from(&source(file))
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

impl cases::Kit for Kit {
    fn outside(&self) -> &Outside {
        &self.outside
    }

    /// A launcher can be made only while there is one thread, so there is one for all cases.
    fn restart(&mut self) {}
}

/// Two runs at a time would find each other's traces. A name is free again when its holder ends.
fn take_turn() -> UnixListener {
    let until = Instant::now() + OTHER_RUN_WAIT_MAX;
    let name = SocketAddr::from_abstract_name("agon-runner-test").expect("a name");
    loop {
        match UnixListener::bind_addr(&name) {
            Ok(listener) => return listener,
            Err(error) => {
                assert!(Instant::now() < until, "another run of this test does not end: {error}");
            }
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Makes every bot that the tests compile, for a machine that is slow to do it.
pub(crate) fn compile_all(folder: &Path) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let entries =
        |folder: PathBuf| fs::read_dir(folder).expect("a folder").flatten().map(|it| it.path());
    let hostile = entries(tests.join("hostile")).filter(|it| it.is_dir()).flat_map(entries);
    let all = entries(tests.join("bots")).chain(hostile).chain([source(OLD_ARCHITECT)]);
    let all = all.chain(entries(config().join("games/planes/bots")));
    for source in all {
        if source.extension().is_some_and(|it| it == "c" || it == "cpp" || it == "py")
            && !source.to_string_lossy().contains("/build_")
        {
            make(&source, &folder.join(name_of(&source)));
        }
    }
}

/// The architect of the game's first days, which writes without end; beside the other bots.
pub(crate) const OLD_ARCHITECT: &str =
    "../../../../config/games/labyrinth/seed-bots/architect/architect.cpp";

/// A hostile bot is named by its folder, any other by itself.
fn name_of(source: &Path) -> String {
    let file = source.file_name().and_then(|it| it.to_str()).expect("a name");
    let folder = source.parent().and_then(Path::file_name).and_then(|it| it.to_str());
    match folder {
        Some(folder) if folder != "bots" => format!("{folder}-{file}"),
        _ => file.to_owned(),
    }
}

fn make(source: &Path, folder: &Path) {
    fs::create_dir_all(folder).expect("a folder");
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).expect("for all");
    if source.extension().is_some_and(|it| it == "py") {
        fs::copy(source, folder.join("bot.py")).expect("a copy");
        return;
    }
    let cpp = source.extension().is_some_and(|it| it == "cpp");
    let mut gcc = Command::new(if cpp { "g++" } else { "gcc" });
    gcc.args(["-O2", "-static", "-pthread", "-w", "-o"]).arg(folder.join("bot"));
    assert!(gcc.arg(source).status().expect("gcc").success(), "{}", source.display());
}

pub(crate) fn play<P: Program>(bots: [P; 2], setup: &Value) -> Result<Played, PlayError> {
    let programs = PerSeat::from(bots.map(Some).into_iter().collect::<Vec<_>>());
    let terms = terms();
    block_on(runner::play(referee(setup), &programs, &terms, Wires::default()))
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
    json!({ "size": 5, "mode": "map", "turn_ms": patient(300), "total_ms": patient(20_000) })
}

/// So many milliseconds, or as many times more as `AGON_TEST_SLOW` says of a slow machine.
pub(crate) fn patient(ms: u64) -> u64 {
    ms * u64::from(slowness())
}

pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

/// A bot of the tests by its file; a hostile one by the name of its folder, too.
fn source(file: &str) -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let bot = tests.join("bots").join(file);
    let (stem, extension) = file.rsplit_once('.').expect("an extension");
    let hostile = tests.join("hostile").join(stem).join("bot").with_extension(extension);
    if bot.exists() { bot } else { hostile }
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
        memory_bytes_max: 32 << 20,
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
