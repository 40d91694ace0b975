//! The games and languages on offer, as `config/` describes them to people.
//!
//! Read once, at the start. What a worker needs of a language file is checked
//! by the worker; here is only what pages say.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use bytes::Bytes;
use chrono::Utc;
use jobs::{Hello, Language as Offer};
use referee::AnyGame;
use serde::Deserialize;
use sources::{Adapters, AdaptersError, Archive, Clues};
use store::{MatchRow, WorkerStatus};

use super::{Refusal, archive, by_hand, markdown, setups};
use crate::{
    Games,
    views::{MatchLine, match_line},
};

/// A worker that was silent for longer offers nothing.
const WORKER_SILENCE_MAX: Duration = Duration::from_secs(60);
/// Most bytes of a picture in the rules.
const PICTURE_BYTES_MAX: u64 = 1 << 20;

/// Everything on offer.
pub(crate) struct Catalogue {
    games: Vec<Game>,
    languages: Vec<Language>,
    /// By what entries for other judges play.
    pub(super) adapters: Adapters,
}

/// One game.
pub(crate) struct Game {
    /// In addresses.
    pub(crate) id: &'static str,
    /// On pages.
    pub(crate) name: String,
    /// In a sentence.
    pub(crate) summary: String,
    /// Its roles, in the order of the seats.
    pub(crate) roles: Vec<Role>,
    /// Documented bots.
    pub(crate) bots: Vec<HouseBot>,
    /// Its rules, as HTML.
    pub(crate) rules: String,
    /// Headings of the rules: address within the page, and text.
    pub(crate) contents: Vec<(String, String)>,
    /// Pictures in the rules, by the name of their file.
    pub(crate) pictures: BTreeMap<String, Picture>,
    /// Matches of the past.
    pub(crate) archives: Vec<archive::Archive>,
    /// What pages say of its set-ups.
    pub(crate) setups: setups::Setups,
    /// What they say to people who play it by hand.
    pub(crate) by_hand: Option<by_hand::ByHand>,
    any: &'static dyn AnyGame,
}

/// A role of a game.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Role {
    /// In addresses.
    pub(crate) id: String,
    /// On pages.
    pub(crate) name: String,
    /// In a sentence.
    pub(crate) about: String,
}

/// A documented bot, to be downloaded.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct HouseBot {
    /// What it is called.
    pub(crate) name: String,
    /// Its file in `config/games/<id>/bots/`, folders before it where it is in one.
    pub(crate) file: String,
    /// Which role it plays.
    pub(crate) role: String,
    /// In which language.
    pub(crate) language: String,
    /// In a sentence.
    pub(crate) about: String,
    /// Its source.
    #[serde(skip)]
    pub(crate) source: Vec<u8>,
}

/// A picture in the rules.
pub(crate) struct Picture {
    pub(crate) content_type: &'static str,
    pub(crate) bytes: Bytes,
}

/// A language bots can be written in.
#[derive(Clone, Debug)]
pub(crate) struct Language {
    /// Name of its file.
    pub(crate) id: String,
    /// On pages.
    pub(crate) label: String,
    /// Which libraries a bot can use.
    pub(crate) libraries: String,
    /// What else an author should know.
    pub(crate) notes: Option<String>,
    /// Most memory a bot may use.
    pub(crate) memory_mib: u64,
    /// How it takes an archive, if it does.
    pub(crate) archive: Option<Archive>,
    /// What it is known by.
    pub(super) guess: Clues,
    /// What its source is called.
    pub(super) source_name: String,
}

/// Whether bots in a language can be built and run now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Availability {
    /// They can, with this toolchain.
    Yes(String),
    /// They cannot, and why.
    No(String),
    /// No worker that could tell is connected; what comes waits for one.
    Unknown,
}

impl Availability {
    pub(crate) fn toolchain(&self) -> Option<&str> {
        match self {
            Availability::Yes(toolchain) => Some(toolchain),
            Availability::No(_) | Availability::Unknown => None,
        }
    }

    pub(crate) fn is_no(&self) -> bool {
        matches!(self, Availability::No(_))
    }

    pub(crate) fn reason(&self) -> Option<&str> {
        match self {
            Availability::Yes(_) => None,
            Availability::No(why) => Some(why),
            Availability::Unknown => Some("no worker is connected; uploads wait for one"),
        }
    }
}

/// Why `config/` cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// A file or folder cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file is not as it should be.
    #[error("{path}: {why}")]
    Wrong {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// An adapter is wrong.
    #[error(transparent)]
    Adapters(#[from] AdaptersError),
}

#[derive(Deserialize)]
struct GameFile {
    name: String,
    summary: String,
    roles: Vec<Role>,
    #[serde(default)]
    bots: Vec<HouseBot>,
    #[serde(default)]
    archives: Vec<archive::Entry>,
    #[serde(default)]
    setups: setups::Entry,
    by_hand: Option<by_hand::Entry>,
}

#[derive(Deserialize)]
struct LanguageFile {
    label: String,
    libraries: String,
    notes: Option<String>,
    guess: Clues,
    archive: Option<Archive>,
    source: SourcePart,
    run: RunPart,
}

#[derive(Deserialize)]
struct SourcePart {
    name: String,
}

#[derive(Deserialize)]
struct RunPart {
    memory_mib: u64,
}

impl Catalogue {
    /// Reads `config_dir`: a folder for each of `games`, a file for each language.
    ///
    /// # Errors
    ///
    /// Where something is missing or wrong, with its path.
    pub(crate) fn load(config_dir: &Path, games: Games) -> Result<Catalogue, CatalogueError> {
        let games = games.iter().map(|it| Game::load(config_dir, it));
        let dir = config_dir.join("languages");
        let mut languages = Vec::new();
        for entry in fs::read_dir(&dir).map_err(unreadable(&dir))? {
            let path = entry.map_err(unreadable(&dir))?.path();
            if path.extension().is_some_and(|it| it == "toml") {
                languages.push(Language::load(&path)?);
            }
        }
        languages.sort_by_key(|it| it.label.to_lowercase());
        let games: Vec<Game> = games.collect::<Result<_, _>>()?;
        let adapters = Adapters::load(&config_dir.join("games"))?;
        for game in &games {
            for it in adapters.of(game.id) {
                let of = languages.iter_mut().filter(|language| language.id == it.language());
                of.for_each(|language| language.note(&format!("In {}: {}", game.name, it.about())));
            }
        }
        Ok(Catalogue { games, languages, adapters })
    }

    /// All games.
    pub(crate) fn games(&self) -> &[Game] {
        &self.games
    }

    /// One game.
    pub(crate) fn game(&self, id: &str) -> Option<&Game> {
        self.games.iter().find(|it| it.id == id)
    }

    /// One game, for whoever asks for it by its id.
    ///
    /// # Errors
    ///
    /// Where there is none such.
    pub(crate) fn find(&self, id: &str) -> Result<&Game, Refusal> {
        self.game(id).ok_or_else(|| Refusal::unknown("game"))
    }

    /// The rules of the game that a match is of; none where it is on offer no more.
    pub(crate) fn any(&self, row: &MatchRow) -> Option<&'static dyn AnyGame> {
        self.game(&row.game).map(Game::any)
    }

    /// A match in words.
    pub(crate) fn line(&self, row: &MatchRow) -> MatchLine {
        let game = self.game(&row.game);
        let name = game.map_or(&row.game, |it| &it.name);
        match_line(name, game.map(Game::any), row)
    }

    /// All languages, by name.
    pub(crate) fn languages(&self) -> &[Language] {
        &self.languages
    }

    /// One language.
    pub(crate) fn language(&self, id: &str) -> Option<&Language> {
        self.languages.iter().find(|it| it.id == id)
    }

    /// What a language is called; its id where it is on offer no more.
    pub(crate) fn language_label<'a>(&'a self, id: &'a str) -> &'a str {
        self.language(id).map_or(id, |it| &it.label)
    }
}

impl Game {
    fn load(config_dir: &Path, any: &'static dyn AnyGame) -> Result<Game, CatalogueError> {
        let dir = config_dir.join("games").join(any.id());
        let path = dir.join("game.toml");
        let file: GameFile = parse(&path)?;
        let named: Vec<&str> = file.roles.iter().map(|it| it.id.as_str()).collect();
        let mut wanted = any.roles().to_vec();
        wanted.dedup();
        if named != wanted {
            let why = format!("its roles are {named:?}, the game's are {wanted:?}");
            return Err(CatalogueError::Wrong { path, why });
        }
        let mut bots = file.bots;
        for bot in &mut bots {
            let source = dir.join("bots").join(&bot.file);
            bot.source = fs::read(&source).map_err(unreadable(&source))?;
        }
        let rules_path = dir.join("rules.md");
        let rules = fs::read_to_string(&rules_path).map_err(unreadable(&rules_path))?;
        let address = format!("/games/{}/pictures", any.id());
        let markdown::Rendered { html, contents, pictures } = markdown::render(&rules, &address);
        let load = |file: String| Picture::load(&dir.join("pictures"), &file).map(|it| (file, it));
        let pictures = pictures.into_iter().map(load).collect::<Result<_, _>>()?;
        let archives = file.archives.into_iter().map(|it| it.load(any, &dir));
        let archives = archives.collect::<Result<_, _>>();
        let wrong = |why| CatalogueError::Wrong { path: path.clone(), why };
        let archives = archives.map_err(wrong)?;
        let setups = file.setups.load(any, &dir).map_err(wrong)?;
        let by_hand = file.by_hand.map(|it| it.load(any)).transpose().map_err(wrong)?;
        Ok(Game {
            id: any.id(),
            name: file.name,
            summary: file.summary,
            roles: file.roles,
            bots,
            rules: html,
            contents,
            pictures,
            archives,
            setups,
            by_hand,
            any,
        })
    }

    /// The game itself.
    pub(crate) fn any(&self) -> &'static dyn AnyGame {
        self.any
    }

    /// One of its roles.
    pub(crate) fn role(&self, id: &str) -> Option<&Role> {
        self.roles.iter().find(|it| it.id == id)
    }

    /// What a role is called; its id where there is none such.
    pub(crate) fn role_name<'a>(&'a self, id: &'a str) -> &'a str {
        self.role(id).map_or(id, |it| &it.name)
    }
}

impl Picture {
    fn load(dir: &Path, file: &str) -> Result<Picture, CatalogueError> {
        let path = dir.join(file);
        let wrong = |why: String| CatalogueError::Wrong { path: path.clone(), why };
        let content_type = match file.rsplit_once('.') {
            _ if file.contains(['/', '\\']) => {
                return Err(wrong("it lies in another folder".into()));
            }
            Some((_, "svg")) => "image/svg+xml",
            Some((_, "png")) => "image/png",
            _ => return Err(wrong("pictures are .svg or .png".into())),
        };
        let bytes = fs::read(&path).map_err(unreadable(&path))?;
        match bytes.len() as u64 {
            0..=PICTURE_BYTES_MAX => Ok(Picture { content_type, bytes: bytes.into() }),
            n => Err(wrong(format!("it has {n} bytes; a picture has at most {PICTURE_BYTES_MAX}"))),
        }
    }
}

impl Language {
    /// Adds what an author should know.
    fn note(&mut self, words: &str) {
        let notes = self.notes.take().map_or(String::new(), |it| format!("{it} "));
        self.notes = Some(notes + words);
    }

    fn load(path: &Path) -> Result<Language, CatalogueError> {
        let file: LanguageFile = parse(path)?;
        let id = path.file_stem().map(|it| it.to_string_lossy().into_owned());
        Ok(Language {
            id: id.unwrap_or_default(),
            label: file.label,
            libraries: file.libraries,
            notes: file.notes,
            memory_mib: file.run.memory_mib,
            archive: file.archive,
            guess: file.guess,
            source_name: file.source.name,
        })
    }

    /// Whether bots in it can be built and run, as the workers say.
    pub(crate) fn availability(&self, workers: &[WorkerStatus]) -> Availability {
        let offered = awake(workers).flat_map(|it| &it.languages);
        let offers: Vec<&Offer> = offered.filter(|it| it.id == self.id).collect();
        if let Some(toolchain) = offers.iter().find_map(|it| it.toolchain.as_ref().ok()) {
            return Availability::Yes(toolchain.clone());
        }
        match offers.iter().find_map(|it| it.toolchain.as_ref().err()) {
            Some(why) => Availability::No(why.clone()),
            None => Availability::Unknown,
        }
    }
}

/// What those workers say of themselves who were heard of a moment ago.
pub(crate) fn awake(workers: &[WorkerStatus]) -> impl Iterator<Item = &Hello> {
    let now = Utc::now();
    let is_awake = move |it: &&WorkerStatus| {
        let silence = it.seen_at.and_then(|it| (now - it).to_std().ok());
        it.seen_at.is_some() && silence.unwrap_or_default() <= WORKER_SILENCE_MAX
    };
    workers.iter().filter(is_awake).filter_map(|it| it.hello.as_ref())
}

/// Which of `languages` can be used now, by id.
pub(crate) fn availabilities(
    languages: &[Language],
    workers: &[WorkerStatus],
) -> BTreeMap<String, Availability> {
    languages.iter().map(|it| (it.id.clone(), it.availability(workers))).collect()
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<T, CatalogueError> {
    let text = fs::read_to_string(path).map_err(unreadable(path))?;
    toml::from_str(&text)
        .map_err(|why| CatalogueError::Wrong { path: path.to_owned(), why: why.to_string() })
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> CatalogueError + use<> {
    let path = path.to_owned();
    move |source| CatalogueError::Read { path, source }
}
