//! Matches of the past, played elsewhere: files in formats of others, beside the game's own.
//!
//! They belong to no bot and move no rating; what their files do not tell is not made up.

use std::{
    fs,
    path::Path as FilePath,
    sync::{Arc, OnceLock},
};

use askama::Template;
use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::{Html, IntoResponse, Response},
};
use bytes::Bytes;
use referee::{AnyGame, ReplayFile, ReplaySeat};
use serde::Deserialize;
use tokio::task::spawn_blocking;

use super::{
    Game, Page, Path, Refusal,
    replay::{BoxError, packed, packed_json},
};
use crate::{AppState, views::Frame};

/// Most bytes of one file.
const FILE_BYTES_MAX: u64 = 16 << 20;

/// Matches that belong together.
pub(crate) struct Archive {
    /// In addresses.
    pub(crate) id: String,
    /// On pages.
    pub(crate) name: String,
    /// In some sentences.
    pub(crate) about: String,
    /// In order.
    pub(crate) matches: Vec<Arc<Past>>,
}

/// A match of the past.
pub(crate) struct Past {
    /// In addresses.
    pub(crate) id: String,
    /// On pages.
    pub(crate) name: String,
    /// Who played, by seat.
    pub(crate) players: Vec<String>,
    /// How it ended; none where the files stop before.
    pub(crate) why: Option<String>,
    record: Vec<u8>,
    replay: OnceLock<Bytes>,
}

/// An archive, as `game.toml` describes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    id: String,
    name: String,
    about: String,
    /// The folder of the files, beside `game.toml`.
    folder: String,
    /// The format they are in.
    format: String,
    matches: Vec<PastEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PastEntry {
    name: String,
    files: Vec<String>,
}

#[derive(Template)]
#[template(path = "archive.html")]
struct ArchivePage<'a> {
    frame: Frame,
    game: &'a Game,
    archive: &'a Archive,
}

#[derive(Template)]
#[template(path = "past.html")]
struct PastPage<'a> {
    frame: Frame,
    game: &'a Game,
    archive: &'a Archive,
    it: &'a Past,
}

impl Entry {
    /// Reads the files: each match has to be one that the rules can play again.
    pub(super) fn load(self, any: &dyn AnyGame, dir: &FilePath) -> Result<Archive, String> {
        let mut matches = Vec::new();
        for PastEntry { name, files } in self.matches {
            let read = files.iter().map(|file| read(&dir.join(&self.folder).join(file)));
            let bytes = read.collect::<Result<Vec<_>, _>>()?;
            let bytes: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
            let at = |why: String| format!("{}: {why}", files.join(", "));
            let (record, players) =
                any.read_record(&self.format, &bytes).map_err(|why| at(why.to_string()))?;
            let judged = any.judge(&record, &mut || true).map_err(|why| at(why.to_string()))?;
            let id = files.first().and_then(|it| it.split('.').next()).unwrap_or_default();
            matches.push(Arc::new(Past {
                id: id.to_owned(),
                name,
                players: players.iter().map(|(_, it)| it.clone()).collect(),
                why: judged.verdict.outcome.map(|it| it.why.into_owned()),
                record,
                replay: OnceLock::new(),
            }));
        }
        Ok(Archive { id: self.id, name: self.name, about: self.about, matches })
    }
}

fn read(path: &FilePath) -> Result<Vec<u8>, String> {
    let at = |why: String| format!("{}: {why}", path.display());
    let found = fs::metadata(path).map_err(|why| at(why.to_string()))?.len();
    if found > FILE_BYTES_MAX {
        return Err(at(format!("it has {found} bytes; allowed are {FILE_BYTES_MAX}")));
    }
    fs::read(path).map_err(|why| at(why.to_string()))
}

/// `GET /games/{game}/archive/{archive}`
pub(super) async fn show_archive(
    State(state): State<AppState>,
    Path((game, archive)): Path<(String, String)>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?;
    let archive = find(game, &archive)?;
    Ok(Html(ArchivePage { frame: page.frame, game, archive }.render()?))
}

/// `GET /games/{game}/archive/{archive}/{past}`
pub(super) async fn show_past(
    State(state): State<AppState>,
    Path((game, archive, past)): Path<(String, String, String)>,
    page: Page,
) -> Result<Html<String>, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?;
    let archive = find(game, &archive)?;
    let it = archive.past(&past)?;
    Ok(Html(PastPage { frame: page.frame, game, archive, it }.render()?))
}

/// `GET /games/{game}/archive/{archive}/{past}/replay.json`
pub(super) async fn send_past(
    State(state): State<AppState>,
    Path((game, archive, past)): Path<(String, String, String)>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let catalogue = state.site.catalogue.clone();
    let game = catalogue.find(&game)?;
    let past = Arc::clone(find(game, &archive)?.past(&past)?);
    let gzip = match past.replay.get() {
        Some(gzip) => gzip.clone(),
        None => {
            let permit = state.site.replaying.clone().acquire_owned().await;
            let any = game.any();
            let made = spawn_blocking(move || {
                let _permit = permit;
                let gzip = derive(any, &past)?;
                Ok::<Bytes, BoxError>(past.replay.get_or_init(|| gzip).clone())
            });
            made.await.map_err(Refusal::ours)?.map_err(Refusal::ours)?
        }
    };
    let hour = [(header::CACHE_CONTROL, "public, max-age=3600")];
    Ok((hour, packed_json(&headers, gzip).await?).into_response())
}

fn derive(any: &'static dyn AnyGame, past: &Past) -> Result<Bytes, BoxError> {
    let replay = any.replay(&past.record, None)?;
    let players = past.players.iter().enumerate();
    let seats = players.map(|(no, name)| ReplaySeat::new(any, no, name));
    packed(&ReplayFile::new(any, &replay, seats.collect()))
}

fn find<'a>(game: &'a Game, archive: &str) -> Result<&'a Archive, Refusal> {
    let found = game.archives.iter().find(|it| it.id == archive);
    found.ok_or_else(|| Refusal::unknown("archive"))
}

impl Archive {
    fn past(&self, id: &str) -> Result<&Arc<Past>, Refusal> {
        let found = self.matches.iter().find(|it| it.id == id);
        found.ok_or_else(|| Refusal::unknown("match of the past"))
    }
}
