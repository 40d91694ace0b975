//! What is to be done with an upload: which of its files are compiled, by which
//! command, and what is run in the end. Decides, and touches nothing.

use sha2::{Digest, Sha256};
use sources::{Archive, File, Format, NoEntry, Sources};
use thiserror::Error;

use crate::language::{ClassError, Language, Places};

/// Raised whenever the same upload, built by the same commands, could become another pack.
const RECIPE: u32 = 1;

/// How a program is made of an upload.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// What lies in `{src}`, by path.
    pub files: Vec<(String, &'a [u8])>,
    /// `{name}`: the file by which an archive begins, or the only one.
    pub name: String,
    /// `{entry}`: the class that is run, or else the same file.
    pub entry: String,
    /// `{sources}`: the files of the language among them.
    pub sources: Vec<String>,
    /// Compiles, or at least checks; with holes.
    pub command: &'a [String],
    /// Not all of the files are the upload's own.
    pub is_adapted: bool,
}

/// Why nothing can be made of an upload, for its owner.
#[derive(Debug, Error)]
pub enum PlanError {
    /// It names no class to run, in a language that runs classes.
    #[error(transparent)]
    Class(#[from] ClassError),
    /// It is an archive, in a language whose bots are single files.
    #[error("a bot in {label} is one file, and this is an archive")]
    OneFile {
        /// The language's name.
        label: String,
    },
    /// Nothing says where the program begins.
    #[error(transparent)]
    Entry(#[from] NoEntry),
}

impl Language {
    /// What is to be done with `upload`.
    ///
    /// `file_name` is what a single file came as. No more of it is used than
    /// which of the language's extensions it has; the paths of an archive are
    /// kept, since its files speak of each other.
    ///
    /// # Errors
    ///
    /// What its owner has to change.
    pub fn plan<'a>(&'a self, file_name: &str, upload: &'a Sources) -> Result<Plan<'a>, PlanError> {
        self.plan_by(file_name, upload, None)
    }

    /// The same, where it is known that an archive begins with `main`: it was adapted.
    ///
    /// # Errors
    ///
    /// What its owner has to change.
    pub fn plan_by<'a>(
        &'a self,
        file_name: &str,
        upload: &'a Sources,
        main: Option<&str>,
    ) -> Result<Plan<'a>, PlanError> {
        if upload.format == Format::File {
            let bytes = upload.files.first().map_or(&[][..], |it| &it.bytes);
            let (name, entry) = self.names(file_name, bytes)?;
            return Ok(Plan {
                files: vec![(name.clone(), bytes)],
                sources: vec![name.clone()],
                name,
                entry,
                command: &self.build.command,
                is_adapted: false,
            });
        }
        let one_file = || PlanError::OneFile { label: self.label.clone() };
        let archive: &Archive = self.archive.as_ref().ok_or_else(one_file)?;
        let name = match main {
            Some(main) => main.to_owned(),
            None => archive.entry(upload, &self.guess)?.to_owned(),
        };
        let bytes = upload.get(&name).map_or(&[][..], |it| &it.bytes);
        let entry = self.entry_of(&name, bytes)?;
        let is_source = |it: &&File| self.is_source(&it.path);
        Ok(Plan {
            files: upload.files.iter().map(|it| (it.path.clone(), &*it.bytes)).collect(),
            sources: upload.files.iter().filter(is_source).map(|it| it.path.clone()).collect(),
            name,
            entry,
            command: match archive.command.is_empty() {
                true => &self.build.command,
                false => &archive.command,
            },
            is_adapted: main.is_some(),
        })
    }

    /// Whether a file has one of the language's extensions.
    pub fn is_source(&self, path: &str) -> bool {
        self.guess.has_extension(path)
    }
}

impl Plan<'_> {
    /// These names, in these folders.
    pub fn places<'b>(&'b self, src: &'b str, build: &'b str, bot: &'b str) -> Places<'b> {
        let Plan { name, entry, sources, .. } = self;
        Places { src, build, bot, name, entry, sources }
    }

    /// SHA-256, in lower-case hex, of all that decides what comes of these files:
    /// of the same files by the same recipe comes the same pack.
    pub fn recipe(&self, language: &Language, toolchain: &str) -> String {
        let Plan { files, name, entry, sources, command, is_adapted } = self;
        let all = (RECIPE, &language.id, &language.build, toolchain, name, entry, sources, command);
        let mut digest = Sha256::new_with_prefix(format!("{all:?}"));
        // Who keeps what was built knows the upload, and not what else is built with it.
        for (path, bytes) in files.iter().filter(|_| *is_adapted) {
            digest.update(format!("{path:?} {}", bytes.len()));
            digest.update(bytes);
        }
        hex::encode(digest.finalize())
    }
}
