//! From a source to something that plays: compiled, or at least checked, in a jail.

use std::{
    collections::BTreeSet,
    fs::{self, File, Permissions},
    io::{self, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::PermissionsExt,
    },
    path::Path,
    sync::Arc,
    time::Duration,
};

use sandbox::{ArtefactError, ArtefactLimits, Client, How, Spec, Start, collect_artefacts};
use sources::Sources;
use thiserror::Error;

use crate::{
    command::{self, Bounds, Done, Stop},
    language::{Keeps, Language, Places},
    pack::{FILES_MAX, Pack, PackError, Packer, is_plain},
    process::Trouble,
};

/// What a compiler may say; of that a [part](Order::log_bytes_max) is kept.
pub const SAID_BYTES_MAX: u64 = 256 << 20;
const SRC: &str = "/src";
const BUILD: &str = "/build";
pub(crate) const BOT: &str = "/bot";

/// What is to be built, and where.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// Its language.
    pub language: &'a Language,
    /// What a single file was uploaded as; no path, and no part of one, is made of it.
    pub file_name: &'a str,
    /// Its files.
    pub upload: &'a Sources,
    /// Which of them is run, where that is known: see [`sources::Adapted`].
    pub main: Option<&'a str>,
    /// A folder for what lies about meanwhile.
    pub scratch: &'a Path,
    /// The core to build on, if not any.
    pub core: Option<u32>,
    /// What is kept of the compiler's output.
    pub log_bytes_max: usize,
    /// The largest pack wanted.
    pub pack_bytes_max: u64,
}

/// What came of a build.
#[derive(Debug)]
pub struct Built {
    /// What plays, or why there is nothing, in words for the owner.
    pub pack: Result<Pack, String>,
    /// What the compiler said.
    pub log: String,
    /// Time it took.
    pub took: Duration,
}

/// Why nothing can be said about a source: our failure.
#[derive(Debug, Error)]
pub enum BuildError {
    /// The jail could not be used.
    #[error(transparent)]
    Jail(#[from] Trouble),
    /// The compiler could not be started, though its language is said to be available.
    #[error("{program} could not be started in the jail: {why}")]
    NoCompiler {
        /// Which.
        program: String,
        /// What the kernel said.
        why: String,
    },
    /// The scratch folder cannot be used.
    #[error("{doing}: {error}")]
    Io {
        /// What was being done.
        doing: &'static str,
        /// What the system said.
        error: io::Error,
    },
}

/// Builds a source in a jail of its own.
///
/// # Errors
///
/// Only ours. That a source does not compile is a result.
pub async fn build(client: &Client, order: &Order<'_>) -> Result<Built, BuildError> {
    let Order { language, upload, .. } = *order;
    let refused = |why| Built { pack: Err(why), log: String::new(), took: Duration::ZERO };
    let plan = match language.plan_by(order.file_name, upload, order.main) {
        Ok(plan) => plan,
        Err(why) => return Ok(refused(why.to_string())),
    };
    let places = plan.places(SRC, BUILD, BOT);
    let spec = Spec {
        argv: places.fill(plan.command),
        env: env(&language.build.env, language),
        cwd: places.fill_word(&language.build.folder),
        limits: language.build.limits(),
        core: order.core,
        start: Start::Running,
        build: Some(language.build.writable()),
    };
    // Only names of its files can be so many.
    if let Err(why) = spec.fits() {
        return Ok(refused(format!("the names of its sources do not fit into one command: {why}")));
    }
    let src = Src::new(order.scratch, &plan.files)?;
    let bounds = Bounds {
        wall: Duration::from_secs(language.build.wall_s.into()),
        cpu: Duration::from_secs(language.build.cpu_s.into()),
        log_bytes_max: order.log_bytes_max,
        said_bytes_max: SAID_BYTES_MAX,
    };
    let folders = [(SRC.to_owned(), src.folder.clone())];
    let Done { stop, log, took, build } = command::run(client, &spec, &folders, &bounds).await?;
    drop(src);

    let pack = match verdict(language, &spec, stop)? {
        Some(why) => Err(why),
        None => {
            // Reading and packing take a while; others play meanwhile.
            let kept: Vec<(String, Vec<u8>)> = plan
                .files
                .iter()
                .filter(|(path, _)| {
                    language.build.keeps == Keeps::Source || !language.is_source(path)
                })
                .map(|(path, bytes)| (path.clone(), bytes.to_vec()))
                .collect();
            let (language, entry) = (language.clone(), plan.entry.clone());
            let (scratch, bytes_max) = (order.scratch.to_owned(), order.pack_bytes_max);
            let packed = tokio::task::spawn_blocking(move || {
                let file = tempfile::tempfile_in(scratch)?;
                let mut packer = Packer::new(file, bytes_max, &entry)?;
                let made = match language.build.keeps {
                    Keeps::Source => BTreeSet::new(),
                    Keeps::Output => take_output(&language, build, &mut packer)?,
                };
                // What is no source is there when the bot plays: what it has learned, say.
                for (path, bytes) in kept.iter().filter(|(path, _)| !made.contains(path)) {
                    packer.add(path, bytes.len() as u64, false, &**bytes)?;
                }
                packer.finish().map_err(NotPacked::from)
            });
            let packed =
                packed.await.map_err(|error| io_error("packing", io::Error::other(error)))?;
            match packed {
                Ok(pack) => Ok(pack),
                Err(NotPacked::Output(why)) => Err(why),
                Err(NotPacked::Io(error)) => return Err(io_error("packing", error)),
            }
        }
    };
    Ok(Built { pack, log: log.into_text(), took })
}

impl Language {
    /// What runs a bot of this language in a jail, unpacked in `/bot`.
    pub fn bot_spec(&self, entry: &str, core: Option<u32>) -> Spec {
        let places = Places { src: SRC, build: BUILD, bot: BOT, name: entry, entry, sources: &[] };
        Spec {
            argv: self.run.argv(&places),
            env: env(&self.run.variables(), self),
            cwd: BOT.to_owned(),
            limits: self.run.limits(),
            core,
            start: Start::Frozen,
            build: None,
        }
    }
}

/// The variables of a command of `language`.
pub(crate) fn env(
    its: &std::collections::BTreeMap<String, String>,
    language: &Language,
) -> Vec<(String, String)> {
    let its = its.iter().map(|(name, value)| (name.clone(), value.clone()));
    its.chain([("PATH".to_owned(), language.path())]).collect()
}

/// A folder with the sources in it, which everybody can read and nobody finds by its name.
struct Src {
    folder: Arc<OwnedFd>,
    _dir: tempfile::TempDir,
}

impl Src {
    fn new(scratch: &Path, files: &[(String, &[u8])]) -> Result<Src, BuildError> {
        let make = || {
            let dir = tempfile::Builder::new().prefix("src-").tempdir_in(scratch)?;
            fs::set_permissions(dir.path(), Permissions::from_mode(0o755))?;
            for (path, bytes) in files {
                if !is_plain(path) {
                    return Err(io::Error::other(format!("{path:?} is no path for a source")));
                }
                let path = dir.path().join(path);
                for folder in folders_between(dir.path(), &path) {
                    fs::create_dir_all(folder)?;
                    fs::set_permissions(folder, Permissions::from_mode(0o755))?;
                }
                // Nothing that is there already is written to.
                File::create_new(&path)?.write_all(bytes)?;
                fs::set_permissions(&path, Permissions::from_mode(0o444))?;
            }
            let folder = Arc::new(OwnedFd::from(File::open(dir.path())?));
            Ok(Src { folder, _dir: dir })
        };
        make().map_err(|error| io_error("storing the source", error))
    }
}

/// The folders on the way from `top` to a file, the outermost first.
fn folders_between<'a>(top: &Path, file: &'a Path) -> Vec<&'a Path> {
    let mut folders: Vec<&Path> = file.ancestors().skip(1).take_while(|it| *it != top).collect();
    folders.reverse();
    folders
}

/// Why there is nothing to play, in words for the owner; none where there may be something.
fn verdict(language: &Language, spec: &Spec, stop: Stop) -> Result<Option<String>, BuildError> {
    let build = &language.build;
    let checks = build.keeps == Keeps::Source;
    let doing = if checks { "checking" } else { "compiling" };
    let who = if checks { "the check" } else { "the compiler" };
    let why = match stop {
        Stop::Wall => format!("{doing} took longer than {} s", build.wall_s),
        Stop::Cpu => format!("{doing} took more than {} s of processor time", build.cpu_s),
        Stop::Said => format!("{who} said more than {} MiB", SAID_BYTES_MAX >> 20),
        Stop::Ended(ending) => match ending.how {
            How::Exited(0) => return Ok(None),
            How::Exited(_) if checks => {
                "the source does not pass the check of its syntax".to_owned()
            }
            How::Exited(_) => "the source does not compile".to_owned(),
            How::Signalled(signal) => format!("{who} was ended by signal {signal}"),
            How::OutOfMemory => {
                format!("{doing} took more memory than the {} MiB it may", build.memory_mib)
            }
            How::NotStarted(why) => {
                let program = spec.argv.first().cloned().unwrap_or_default();
                return Err(BuildError::NoCompiler { program, why });
            }
        },
    };
    Ok(Some(why))
}

enum NotPacked {
    /// Of the owner.
    Output(String),
    /// Of ours.
    Io(io::Error),
}

/// Packs the regular files that a build has left, and says which.
fn take_output(
    language: &Language,
    build: Option<OwnedFd>,
    packer: &mut Packer,
) -> Result<BTreeSet<String>, NotPacked> {
    let build = build.ok_or_else(|| io::Error::other("the jail has no folder to build in"))?;
    let bytes_max = language.build.writable().bytes_max;
    let mut needed: Vec<&str> = language.needed_files().collect();
    let mut made = BTreeSet::new();
    let mut not_packed = None;
    let limits = ArtefactLimits { files_max: FILES_MAX, bytes_max };
    let taken = collect_artefacts(build.as_fd(), limits, |it| {
        needed.retain(|name| *name != it.path);
        made.insert(it.path.to_owned());
        packer.add(it.path, it.bytes, it.executable, it.file).map_err(|error| {
            not_packed = Some(NotPacked::from(error));
            io::Error::other("not packed")
        })
    });
    if let Some(why) = not_packed {
        return Err(why);
    }
    match taken {
        Ok(0) => Err(NotPacked::Output("the compiler left no regular file".to_owned())),
        Ok(_) => match needed.first() {
            Some(name) => {
                Err(NotPacked::Output(format!("the compiler left no regular file `{name}`")))
            }
            None => Ok(made),
        },
        // Its own jail's user may have closed it to everybody else.
        Err(ArtefactError::Open { path, error })
            if error.kind() == io::ErrorKind::PermissionDenied =>
        {
            Err(NotPacked::Output(format!("what the compiler left: {path} cannot be read")))
        }
        Err(ArtefactError::Open { path, error } | ArtefactError::Take { path, error }) => {
            Err(NotPacked::Io(io::Error::new(error.kind(), format!("{path}: {error}"))))
        }
        Err(error) => Err(NotPacked::Output(format!("what the compiler left: {error}"))),
    }
}

impl From<PackError> for NotPacked {
    fn from(error: PackError) -> NotPacked {
        match error {
            // The limit on a pack's size shows as an error of writing it.
            PackError::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                NotPacked::Output(format!("what is to be kept has {error}"))
            }
            PackError::Io(error) => NotPacked::Io(error),
            other => NotPacked::Output(format!("what is to be kept: {other}")),
        }
    }
}

impl From<io::Error> for NotPacked {
    fn from(error: io::Error) -> NotPacked {
        NotPacked::Io(error)
    }
}

fn io_error(doing: &'static str, error: io::Error) -> BuildError {
    BuildError::Io { doing, error }
}
