//! From what was typed for a seat to a program: sources are compiled first.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::Read,
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
    time::Duration,
};

use game::Seat;
use runner::{
    Built, Cache, Client, Excerpt, JailedProgram, Keeps, Language, Languages, Order, PlainProgram,
    Sources, causes,
    sources::{Format, Limits},
};
use tokio::{process::Command, time::timeout};

use super::{Failure, Match, Options};

/// What archives are called.
const ARCHIVES: [&str; 3] = ["zip", "gz", "tgz"];
const LOG_BYTES_MAX: usize = 64 << 10;
const PACK_BYTES_MAX: u64 = 256 << 20;
const CACHE_BYTES_MAX: u64 = 4 << 30;

/// What was typed for a seat.
enum Typed {
    Source { path: PathBuf, upload: Sources, language: Box<Language> },
    Command(Vec<String>),
}

/// Programs of whoever typed this, run as they are.
pub(super) async fn plain(
    options: &Options,
    asked: &Match,
    scratch: &Path,
) -> Result<Vec<Option<PlainProgram>>, Failure> {
    let mut programs = Vec::new();
    for (seat, typed) in typed(options, asked)? {
        let program = match typed {
            Typed::Command(argv) => {
                PlainProgram { argv, env: BTreeMap::new(), cwd: None, pauses: true }
            }
            Typed::Source { path, upload, language } => {
                let folder = scratch.join(seat.0.to_string());
                build_here(seat, &path, &upload, &language, &folder).await?
            }
        };
        programs.push(Some(program));
    }
    Ok(programs)
}

/// The same as on a judge: built in a jail, and run in one.
pub(super) async fn jailed(
    options: &Options,
    asked: &Match,
    client: &Arc<Client>,
    scratch: &Path,
) -> Result<Vec<Option<JailedProgram>>, Failure> {
    let judge = |error: &dyn std::error::Error| Failure::Judge(causes(error));
    let cache = Cache::open(&scratch.join("cache"), CACHE_BYTES_MAX).map_err(|it| judge(&it))?;
    let mut programs = Vec::new();
    for (seat, typed) in typed(options, asked)? {
        let Typed::Source { path, upload, language } = typed else {
            let found = &asked.seats[usize::from(seat.0)];
            return Err(Failure::Usage(format!(
                "--seat {found:?}: in a jail only source files play, because a jail shows nothing else"
            )));
        };
        let order = Order {
            language: &language,
            file_name: &path.to_string_lossy(),
            upload: &upload,
            scratch,
            core: None,
            log_bytes_max: LOG_BYTES_MAX,
            pack_bytes_max: PACK_BYTES_MAX,
        };
        let Built { pack, log, .. } =
            runner::build(client, &order).await.map_err(|it| judge(&it))?;
        let pack = pack.map_err(|why| Failure::Bot { seat, why, log })?;
        let artefact = cache.put(&pack.digest, pack.file).map_err(|it| judge(&it))?;
        programs.push(Some(JailedProgram::new(client, &language, &artefact, None)));
    }
    Ok(programs)
}

/// A file of a known language is a source; anything else is a command.
fn typed(options: &Options, asked: &Match) -> Result<Vec<(Seat, Typed)>, Failure> {
    let mut languages = None;
    let mut all = Vec::new();
    for (n, text) in asked.seats.iter().enumerate() {
        let usage = |why: String| Failure::Usage(format!("--seat {text:?}: {why}"));
        let path = PathBuf::from(text);
        let typed = if path.is_file() && path.extension().is_some() {
            let languages = match &mut languages {
                Some(languages) => languages,
                none => none.insert(load(options)?),
            };
            source(path, languages).map_err(usage)?
        } else {
            let argv = shell_words::split(text).map_err(|error| usage(error.to_string()))?;
            match argv.first() {
                None => return Err(usage("the command is empty".to_owned())),
                Some(_) => Typed::Command(argv),
            }
        };
        all.push((Seat(n as u8), typed));
    }
    Ok(all)
}

fn load(options: &Options) -> Result<Languages, Failure> {
    let load = || {
        let dir = options.config.dir()?;
        let prefixes = crate::config::load(&options.config)?.languages.prefix;
        anyhow::Ok(Languages::load(&dir.join("languages"), &prefixes)?)
    };
    load().map_err(|error| Failure::Usage(format!("{error:#}")))
}

fn source(path: PathBuf, languages: &Languages) -> Result<Typed, String> {
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
    Ok(Typed::Source { path, upload, language: Box::new(language) })
}

/// Compiles with the judge's own command, but outside any jail: it is their own program.
async fn build_here(
    seat: Seat,
    path: &Path,
    upload: &Sources,
    language: &Language,
    folder: &Path,
) -> Result<PlainProgram, Failure> {
    let bot = |why: String, log: String| Failure::Bot { seat, why, log };
    let judge = |error: std::io::Error| Failure::Judge(format!("building a bot: {error}"));
    let plan = language.plan(&path.to_string_lossy(), upload);
    let plan = plan.map_err(|why| bot(why.to_string(), String::new()))?;
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
    let log = tempfile::tempfile_in(folder).map_err(judge)?;
    let again = || log.try_clone().map(Stdio::from);
    let mut compiler = Command::new(&command[0]);
    compiler
        .args(&command[1..])
        .envs(&language.build.env)
        .env("PATH", &path)
        .current_dir(places.fill_word(&language.build.folder))
        .stdin(Stdio::null())
        .stdout(again().map_err(judge)?)
        .stderr(again().map_err(judge)?)
        .kill_on_drop(true);
    let wall = Duration::from_secs(language.build.wall_s.into());
    let status = match timeout(wall, compiler.status()).await {
        Ok(Ok(status)) => status,
        Ok(Err(error)) => {
            let why = format!("{} is needed for {}: {error}", command[0], language.label);
            return Err(Failure::Usage(why));
        }
        Err(_) => return Err(bot(format!("building took longer than {wall:?}"), read_log(log))),
    };
    if !status.success() {
        let log = read_log(log).replace(&format!("{src}/"), "");
        return Err(bot(format!("{} does not compile ({status})", language.label), log));
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
    Ok(PlainProgram { argv: language.run.argv(&places), env, cwd, pauses: true })
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
