//! From what was typed for a bot to a program: sources are compiled first.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use futures::{StreamExt, TryStreamExt, stream};
use nix::{
    sys::signal::{Signal, killpg},
    unistd::Pid,
};
use runner::{
    Artefact, Built, Cache, Client, Excerpt, JailedProgram, Keeps, Language, Languages, Order,
    PlainProgram, Sources, causes,
    sources::{Adapted, Adapters, Format, Limits},
};
use tokio::{
    process::{Child, Command},
    time::timeout,
};

use super::{Failure, Options};

/// What archives are called.
const ARCHIVES: [&str; 3] = ["zip", "gz", "tgz"];
const LOG_BYTES_MAX: usize = 64 << 10;
const PACK_BYTES_MAX: u64 = 256 << 20;
const CACHE_BYTES_MAX: u64 = 4 << 30;

/// Bots as they were typed, and by which option.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entered<'a> {
    pub(super) game: &'static str,
    pub(super) option: &'static str,
    pub(super) bots: &'a [String],
}

/// A bot that could not be built.
#[derive(Clone, Debug)]
pub(super) struct NotBuilt {
    /// Which of those that were entered.
    pub(super) no: usize,
    pub(super) why: String,
    /// What the compiler said.
    pub(super) log: String,
}

/// A bot that is built, to be put in a jail as often as it plays.
#[derive(Debug)]
pub(super) struct JailedBot {
    client: Arc<Client>,
    language: Language,
    artefact: Artefact,
}

/// What was typed for a bot.
enum Typed {
    Source(Box<Source>),
    Command(Vec<String>),
}

struct Source {
    path: PathBuf,
    upload: Sources,
    /// The file of it that is run, where it is not as usual.
    main: Option<String>,
    language: Language,
}

impl JailedBot {
    /// It, on this core or on any.
    pub(super) fn program(&self, core: Option<u32>) -> JailedProgram {
        JailedProgram::new(&self.client, &self.language, &self.artefact, core)
    }
}

/// Programs of whoever typed this, run as they are.
pub(super) async fn plain(
    options: &Options,
    entered: Entered<'_>,
    scratch: &Path,
) -> Result<Vec<Result<PlainProgram, NotBuilt>>, Failure> {
    let build = |(no, typed): (usize, Typed)| async move {
        match typed {
            Typed::Command(argv) => {
                Ok(Ok(PlainProgram { argv, env: BTreeMap::new(), cwd: None, pauses: true }))
            }
            Typed::Source(source) => build_here(no, &source, &scratch.join(no.to_string())).await,
        }
    };
    let typed = typed(options, entered)?.into_iter().enumerate();
    stream::iter(typed.map(build)).buffered(builds_at_once()).try_collect().await
}

/// The same as on a judge: built in a jail, and run in one.
pub(super) async fn jailed(
    options: &Options,
    entered: Entered<'_>,
    client: &Arc<Client>,
    scratch: &Path,
) -> Result<Vec<Result<JailedBot, NotBuilt>>, Failure> {
    let cache = Cache::open(&scratch.join("cache"), CACHE_BYTES_MAX).map_err(|it| judge(&it))?;
    let cache = &cache;
    let mut sources = Vec::new();
    for (typed, text) in typed(options, entered)?.into_iter().zip(entered.bots) {
        let Typed::Source(source) = typed else {
            return Err(Failure::Usage(format!(
                "{} {text:?}: in a jail only source files play, because a jail shows nothing else",
                entered.option
            )));
        };
        sources.push(source);
    }
    let build = |(no, source): (usize, Box<Source>)| async move {
        build_jailed(no, *source, client, cache, scratch).await
    };
    let sources = sources.into_iter().enumerate();
    stream::iter(sources.map(build)).buffered(builds_at_once()).try_collect().await
}

async fn build_jailed(
    no: usize,
    source: Source,
    client: &Arc<Client>,
    cache: &Cache,
    scratch: &Path,
) -> Result<Result<JailedBot, NotBuilt>, Failure> {
    let Source { path, upload, main, language } = source;
    let order = Order {
        language: &language,
        file_name: &path.to_string_lossy(),
        upload: &upload,
        main: main.as_deref(),
        scratch,
        core: None,
        log_bytes_max: LOG_BYTES_MAX,
        pack_bytes_max: PACK_BYTES_MAX,
    };
    let Built { pack, log, .. } = runner::build(client, &order).await.map_err(|it| judge(&it))?;
    let pack = match pack {
        Ok(pack) => pack,
        Err(why) => return Ok(Err(NotBuilt { no, why, log })),
    };
    let artefact = cache.put(&pack.digest, pack.file).map_err(|it| judge(&it))?;
    Ok(Ok(JailedBot { client: Arc::clone(client), language, artefact }))
}

fn judge(error: &dyn std::error::Error) -> Failure {
    Failure::Judge(causes(error))
}

/// Compilers keep one processor busy each.
fn builds_at_once() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A file of a known language is a source; anything else is a command.
fn typed(options: &Options, entered: Entered<'_>) -> Result<Vec<Typed>, Failure> {
    let Entered { game, option, bots } = entered;
    let mut known = None;
    let mut all = Vec::new();
    for text in bots {
        let usage = |why: String| Failure::Usage(format!("{option} {text:?}: {why}"));
        let path = PathBuf::from(text);
        let typed = if path.is_file() && path.extension().is_some() {
            let known = match &mut known {
                Some(known) => known,
                none => none.insert(load(options)?),
            };
            source(path, game, known).map_err(usage)?
        } else {
            let argv = shell_words::split(text).map_err(|error| usage(error.to_string()))?;
            match argv.as_slice() {
                [] => return Err(usage("the command is empty".to_owned())),
                // The name of a source, and no program of this name either.
                [one] if path.extension().is_some() && is_nowhere(one) => {
                    return Err(usage("there is no such file".to_owned()));
                }
                _ => Typed::Command(argv),
            }
        };
        all.push(typed);
    }
    Ok(all)
}

/// Whether no program is called so, neither at this path nor on `PATH`.
fn is_nowhere(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&folders).map(|it| it.join(program));
    !Path::new(program).exists() && (program.contains('/') || !places.any(|it| it.is_file()))
}

/// What sources are built by.
fn load(options: &Options) -> Result<(Languages, Adapters), Failure> {
    let load = || {
        let dir = options.config.dir()?;
        let prefixes = crate::config::load(&options.config)?.languages.prefix;
        let languages = Languages::load(&dir.join("languages"), &prefixes)?;
        anyhow::Ok((languages, Adapters::load(&dir.join("games"))?))
    };
    load().map_err(|error| Failure::Usage(format!("{error:#}")))
}

fn source(
    path: PathBuf,
    game: &str,
    (languages, adapters): &(Languages, Adapters),
) -> Result<Typed, String> {
    let read = || {
        let mut source = Vec::new();
        File::open(&path)?.take(Limits::CEILING.bytes_max + 1).read_to_end(&mut source)?;
        Ok(source)
    };
    let extension = path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
    let known = |it: &Language| it.guess.has_extension(&path.to_string_lossy());
    let is_archive = extension.as_deref().is_some_and(|it| ARCHIVES.contains(&it));
    if !is_archive && !languages.iter().any(known) {
        let argv = path.to_str().ok_or("its name is not UTF-8")?.to_owned();
        // `./bot` alone is a command; without the `./` it would be looked for in PATH.
        let argv = if argv.contains('/') { argv } else { format!("./{argv}") };
        return Ok(Typed::Command(vec![argv]));
    }
    let source = read().map_err(|error: std::io::Error| error.to_string())?;
    if source.len() as u64 > Limits::CEILING.bytes_max {
        let allowed = Limits::CEILING.bytes_max;
        return Err(format!("a source has at most {allowed} bytes"));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let upload = Sources::read(&name, &source, &Limits::CEILING).map_err(|it| it.to_string())?;
    let language = languages.guess(&upload).cloned();
    let language = language.ok_or("its language cannot be told")?;
    let adapted = adapters.adapt(game, &language.id, &upload).map_err(|it| it.to_string())?;
    let (upload, main) = match adapted {
        Some(Adapted { sources, main }) => (sources, Some(main)),
        None => (upload, None),
    };
    Ok(Typed::Source(Box::new(Source { path, upload, main, language })))
}

/// Compiles with the judge's own command, but outside any jail: it is their own program.
async fn build_here(
    no: usize,
    source: &Source,
    folder: &Path,
) -> Result<Result<PlainProgram, NotBuilt>, Failure> {
    let Source { path, upload, main, language } = source;
    let bot = |why: String, log: String| Ok(Err(NotBuilt { no, why, log }));
    let judge = |error: std::io::Error| Failure::Judge(format!("building a bot: {error}"));
    let plan = match language.plan_by(&path.to_string_lossy(), upload, main.as_deref()) {
        Ok(plan) => plan,
        Err(why) => return bot(why.to_string(), String::new()),
    };
    let (src, build) = (folder.join("src"), folder.join("build"));
    fs::create_dir_all(&build).map_err(judge)?;
    for (path, bytes) in &plan.files {
        let path = src.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&src)).map_err(judge)?;
        fs::write(path, bytes).map_err(judge)?;
    }

    let its = match language.build.keeps {
        Keeps::Output => &build,
        Keeps::Source => &src,
    };
    let utf8 = |path: &Path| path.to_string_lossy().into_owned();
    let (src, bot_folder, build) = (utf8(&src), utf8(its), utf8(&build));
    let places = plan.places(&src, &build, &bot_folder);
    let path = path_for(language);
    let command = places.fill(plan.command);
    let temporary = folder.join("tmp");
    fs::create_dir_all(&temporary).map_err(judge)?;
    let log = tempfile::tempfile_in(folder).map_err(judge)?;
    let again = || log.try_clone().map(Stdio::from);
    let mut compiler = Command::new(&command[0]);
    compiler
        .args(&command[1..])
        .envs(&language.build.env)
        .env("PATH", &path)
        // What it leaves where it is broken off goes with the folder.
        .env("TMPDIR", &temporary)
        .current_dir(places.fill_word(&language.build.folder))
        .stdin(Stdio::null())
        .stdout(again().map_err(judge)?)
        .stderr(again().map_err(judge)?)
        .process_group(0);
    let wall = Duration::from_secs(language.build.wall_s.into());
    let mut compiler = compiler.spawn().map_err(|error| {
        Failure::Usage(format!("{} is needed for {}: {error}", command[0], language.label))
    })?;
    let group = Group::of(&compiler);
    let status = timeout(wall, compiler.wait()).await;
    drop(group);
    let status = match status {
        Ok(status) => status.map_err(judge)?,
        Err(_) => return bot(format!("building took longer than {wall:?}"), read_log(log)),
    };
    if !status.success() {
        let log = read_log(log).replace(&format!("{src}/"), "");
        return bot(format!("{} does not compile ({status})", language.label), log);
    }
    let beside = |path: &str| language.build.keeps == Keeps::Output && !language.is_source(path);
    for (path, bytes) in plan.files.iter().filter(|(path, _)| beside(path)) {
        let path = Path::new(&build).join(path);
        if !path.exists() {
            fs::create_dir_all(path.parent().unwrap_or(Path::new(&build))).map_err(judge)?;
            fs::write(path, bytes).map_err(judge)?;
        }
    }
    // The judge runs a bot in the folder with its files.
    let cwd = (upload.format != Format::File).then(|| PathBuf::from(&bot_folder));
    let mut env = language.run.variables();
    env.insert("PATH".to_owned(), path);
    Ok(Ok(PlainProgram { argv: language.run.argv(&places), env, cwd, pauses: true }))
}

/// A compiler and all that it has started. Dropping it ends them.
struct Group(Option<Pid>);

impl Group {
    fn of(leader: &Child) -> Group {
        Group(leader.id().and_then(|id| i32::try_from(id).ok()).map(Pid::from_raw))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // Mostly nobody is there any more.
            let _ = killpg(group, Signal::SIGKILL);
        }
    }
}

/// What is on the path of whoever typed this, after the language's own toolchain.
fn path_for(language: &Language) -> String {
    let theirs = std::env::var("PATH").unwrap_or_else(|_| runner::PATH.to_owned());
    match &language.toolchain.prefix {
        Some(prefix) => format!("{}/bin:{theirs}", prefix.display()),
        None => theirs,
    }
}

fn read_log(mut log: File) -> String {
    use std::io::Seek;
    let mut excerpt = Excerpt::new(LOG_BYTES_MAX);
    let mut chunk = [0; 8192];
    let rewound = log.rewind();
    while let Ok(n_bytes @ 1..) = log.read(&mut chunk) {
        excerpt.push(&chunk[..n_bytes]);
    }
    match rewound {
        Ok(()) => excerpt.into_text(),
        Err(error) => error.to_string(),
    }
}
