//! The languages bots are written in: data in `config/languages/*.toml`, read once.

mod check;
mod class;
mod guess;
#[cfg(test)]
mod tests;
mod toolchain;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use sources::{Archive, Clues};
use thiserror::Error;

use check::Bounds;

pub use class::ClassError;
pub(crate) use class::is_entry;

/// Most bytes of one language file.
pub const FILE_BYTES_MAX: u64 = 64 << 10;
/// Most language files.
pub const LANGUAGES_MAX: usize = 64;
/// Where programs are looked for, after the `bin` of a language's prefix.
pub const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// All languages, by id.
#[derive(Clone, Debug)]
pub struct Languages(BTreeMap<String, Language>);

/// One language: how it is told, built, run, and what all that may use.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// Name of its file; in databases and in stored versions.
    #[serde(skip)]
    pub id: String,
    /// Its name on pages.
    pub label: String,
    /// What bots can use besides the language itself.
    pub libraries: String,
    /// Anything else an author should know.
    #[serde(default)]
    pub notes: String,
    /// How a source is recognized.
    pub guess: Clues,
    /// What a source is called when it is built.
    pub source: Source,
    /// What it needs of the host.
    pub toolchain: Toolchain,
    /// How bots of more than one file are built; none where they are single files.
    #[serde(default)]
    pub archive: Option<Archive>,
    /// How a source becomes something that plays.
    pub build: Build,
    /// How that is played.
    pub run: Run,
}

/// What a source is called when it is built.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its name where nothing else is said.
    pub name: String,
    /// Keep the extension it came with, if it is one of the language's.
    #[serde(default)]
    pub keeps_extension: bool,
    /// Name it after a class in it.
    #[serde(default)]
    pub class: Option<Class>,
}

/// Which class a source is named after, and which one is run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// Words that declare a class.
    pub declared_by: Vec<String>,
    /// The word that makes it the one its file is named after.
    pub public_by: String,
    /// Words that may stand between the two.
    #[serde(default)]
    pub modifiers: Vec<String>,
    /// The word that puts all classes of a file in a package.
    pub package_by: String,
    /// Words that tell, where no class is public, which one is the program.
    pub main_by: String,
}

/// What a language needs of the host.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Toolchain {
    /// Paths besides `/usr`; left out where absent.
    #[serde(default)]
    pub mounts: Vec<PathBuf>,
    /// A folder with a toolchain of its own: the host's to say, never the file's.
    #[serde(skip)]
    pub prefix: Option<PathBuf>,
    /// Command whose first line is its version.
    pub version: Vec<String>,
    /// Commands that bring its files into memory.
    #[serde(default)]
    pub warm_up: Vec<Vec<String>>,
}

/// How a source becomes something that plays.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// Compiles, or at least checks.
    pub command: Vec<String>,
    /// Where it runs.
    #[serde(default = "build_folder_default")]
    pub folder: String,
    /// What plays.
    pub keeps: Keeps,
    /// Time it may take.
    pub wall_s: u32,
    /// Processor time it may take.
    pub cpu_s: u32,
    /// Memory it may use.
    pub memory_mib: u32,
    /// Processes and threads it may have.
    pub processes: u32,
    /// Most that it may leave.
    pub output_mib: u32,
    /// Room in `/tmp`.
    #[serde(default = "build_tmp_mib_default")]
    pub tmp_mib: u32,
    /// Files in `/tmp`.
    #[serde(default = "build_tmp_files_default")]
    pub tmp_files: u32,
    /// Variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// What of a build plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keeps {
    /// What the build has written.
    Output,
    /// The source itself.
    Source,
}

/// How a bot is played, and what it may use.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Plays.
    pub command: Vec<String>,
    /// Memory it may use.
    pub memory_mib: u32,
    /// Processes and threads it may have.
    pub processes: u32,
    /// Stack of its first thread.
    pub stack_mib: u32,
    /// Part of the memory that its runtime's heap gets, in hundredths.
    #[serde(default = "run_heap_percent_default")]
    pub heap_percent: u32,
    /// Room in `/tmp`.
    #[serde(default = "run_tmp_mib_default")]
    pub tmp_mib: u32,
    /// Files in `/tmp`.
    #[serde(default = "run_tmp_files_default")]
    pub tmp_files: u32,
    /// Variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// What is wrong with the language files.
#[derive(Debug, Error)]
pub enum LanguageError {
    /// A file or the folder cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A file is too large, or there are too many.
    #[error("{}: found {found} {what}, allowed are at most {allowed}", path.display())]
    TooMuch {
        /// Which file or folder.
        path: PathBuf,
        /// Of what.
        what: &'static str,
        /// How much was found.
        found: u64,
        /// How much is allowed.
        allowed: u64,
    },
    /// A file is no TOML, lacks a key, or has one that is unknown.
    #[error("{}: {error}", path.display())]
    Parse {
        /// Which file.
        path: PathBuf,
        /// Where and what.
        error: Box<toml::de::Error>,
    },
    /// A value is not allowed.
    #[error("{}: {key}: found {found}, allowed is {allowed}", path.display())]
    Value {
        /// Which file.
        path: PathBuf,
        /// Which key.
        key: String,
        /// What was found.
        found: String,
        /// What is allowed.
        allowed: String,
    },
    /// A prefix is given to a language that is not there.
    #[error("languages.prefix.{id}: there is no language of this name in {}", dir.display())]
    NoSuchLanguage {
        /// What was named.
        id: String,
        /// Where languages are read from.
        dir: PathBuf,
    },
}

impl Languages {
    /// Reads every `*.toml` in `dir`. `prefixes` are folders of this host that
    /// hold a toolchain of their own, by language.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with file and key.
    pub fn load(
        dir: &Path,
        prefixes: &BTreeMap<String, PathBuf>,
    ) -> Result<Languages, LanguageError> {
        let mut languages = BTreeMap::new();
        for path in toml_files(dir)? {
            let mut language = read(&path)?;
            language.toolchain.prefix = prefixes.get(&language.id).cloned();
            check::language(&language, &Bounds { path: &path })?;
            languages.insert(language.id.clone(), language);
        }
        if let Some(id) = prefixes.keys().find(|it| !languages.contains_key(*it)) {
            return Err(LanguageError::NoSuchLanguage { id: id.clone(), dir: dir.to_owned() });
        }
        Ok(Languages(languages))
    }

    /// The language of this id.
    pub fn get(&self, id: &str) -> Option<&Language> {
        self.0.get(id)
    }

    /// All languages, by id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Language> {
        self.0.values()
    }
}

/// The folders a command of a language speaks of, and what it is to run.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// `{src}`: where the source is.
    pub src: &'a str,
    /// `{build}`: where a build writes to.
    pub build: &'a str,
    /// `{bot}`: where what plays is.
    pub bot: &'a str,
    /// `{name}`: what the source is called.
    pub name: &'a str,
    /// `{entry}`: what is run, where a bot has more than one file.
    pub entry: &'a str,
    /// `{sources}`: the files of the language, below `{src}`.
    pub sources: &'a [String],
}

/// A word of a command that becomes many.
const SOURCES: &str = "{sources}";

impl Places<'_> {
    /// The words of a command, with these places filled in.
    pub fn fill(&self, command: &[String]) -> Vec<String> {
        let mut words = Vec::with_capacity(command.len());
        for word in command {
            match word == SOURCES {
                true => words.extend(self.sources.iter().map(|it| format!("{}/{it}", self.src))),
                false => words.push(self.fill_word(word)),
            }
        }
        words
    }

    /// One word, likewise; what is filled in is not looked at again.
    pub fn fill_word(&self, word: &str) -> String {
        let mut filled = String::with_capacity(word.len());
        let mut rest = word;
        while let Some(at) = rest.find('{') {
            filled.push_str(&rest[..at]);
            rest = &rest[at..];
            match self.each().iter().find(|(hole, _)| rest.starts_with(hole)) {
                Some((hole, value)) => {
                    filled.push_str(value);
                    rest = &rest[hole.len()..];
                }
                None => {
                    filled.push('{');
                    rest = &rest[1..];
                }
            }
        }
        filled.push_str(rest);
        filled
    }

    fn each(&self) -> [(&'static str, &str); 5] {
        [
            ("{src}", self.src),
            ("{build}", self.build),
            ("{bot}", self.bot),
            ("{name}", self.name),
            ("{entry}", self.entry),
        ]
    }
}

impl Run {
    /// The words of its command, with places and limits filled in: most runtimes
    /// see the host's memory and cores, and not what they may have of them.
    pub fn argv(&self, places: &Places<'_>) -> Vec<String> {
        places.fill(&self.command).iter().map(|word| self.with_limits(word)).collect()
    }

    /// Its variables, with limits filled in.
    pub fn variables(&self) -> BTreeMap<String, String> {
        self.env.iter().map(|(name, value)| (name.clone(), self.with_limits(value))).collect()
    }

    fn with_limits(&self, word: &str) -> String {
        // A bot runs on one core, whatever else it sees.
        let holes = [
            ("{memory_mib}", self.memory_mib),
            ("{heap_mib}", self.memory_mib * self.heap_percent / 100),
            ("{stack_mib}", self.stack_mib),
            ("{cores}", 1),
        ];
        holes.iter().fold(word.to_owned(), |word, (hole, value)| match word.contains(hole) {
            true => word.replace(hole, &value.to_string()),
            false => word,
        })
    }
}

impl Language {
    /// The file names (below `{bot}`) without which its run command cannot start.
    pub fn needed_files(&self) -> impl Iterator<Item = &str> {
        let names = self.run.command.iter().filter_map(|word| word.strip_prefix("{bot}/"));
        names.filter(|name| !name.contains('{'))
    }
}

fn toml_files(dir: &Path) -> Result<Vec<PathBuf>, LanguageError> {
    let failed = |error| LanguageError::Read { path: dir.to_owned(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(dir).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|it| it == "toml") {
            files.push(path);
        }
    }
    if files.len() > LANGUAGES_MAX {
        let (found, allowed) = (files.len() as u64, LANGUAGES_MAX as u64);
        let path = dir.to_owned();
        return Err(LanguageError::TooMuch { path, what: "language files", found, allowed });
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<Language, LanguageError> {
    let failed = |error| LanguageError::Read { path: path.to_owned(), error };
    let found = fs::metadata(path).map_err(failed)?.len();
    if found > FILE_BYTES_MAX {
        let (path, allowed) = (path.to_owned(), FILE_BYTES_MAX);
        return Err(LanguageError::TooMuch { path, what: "bytes", found, allowed });
    }
    let text = fs::read_to_string(path).map_err(failed)?;
    let mut language: Language = toml::from_str(&text)
        .map_err(|error| LanguageError::Parse { path: path.to_owned(), error: Box::new(error) })?;
    language.id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(language)
}

fn build_folder_default() -> String {
    "{build}".to_owned()
}
fn build_tmp_mib_default() -> u32 {
    64
}
fn build_tmp_files_default() -> u32 {
    4096
}
fn run_heap_percent_default() -> u32 {
    50
}
fn run_tmp_mib_default() -> u32 {
    16
}
fn run_tmp_files_default() -> u32 {
    256
}
