//! `agon replay`: how a stored match ended; records from files of others, and for them.
//!
//! Its exit code tells whether all is well: 0 it is, 1 a file is not, 2 what was typed.

use std::{
    fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use game::PerSeat;
use referee::{AnyGame, ReplayFile, ReplaySeat};
use serde_json::Value as Json;

use crate::{
    fields::{find_game, read_file},
    say::{self, note},
};

/// Largest file that is looked at.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// Largest record once it is unpacked.
const RECORD_BYTES_MAX: u64 = 512 << 20;

#[derive(clap::Args)]
pub struct Options {
    /// A record, as `agon play --record` writes it; with --from the files of one match.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format of others that the files are in.
    #[arg(long, value_name = "FORMAT", requires = "game")]
    from: Option<String>,
    /// Which game files of others are of.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The format to write, into --out: one of others, `own`, or `viewer`: what pages show replays
    /// from.
    #[arg(long, value_name = "FORMAT", requires = "out")]
    to: Option<String>,
    /// The file to write; compressed where it is a record and the name ends in .zst. Where a match
    /// is several files, -1, -2 and so on stand before the ending.
    #[arg(long, value_name = "FILE", requires = "to")]
    out: Option<PathBuf>,
    /// What a player was called, once for each seat; else as the files say.
    #[arg(long, value_name = "NAME")]
    name: Vec<String>,
}

/// A record of a game, and what the players were called.
struct Stored {
    game: &'static dyn AnyGame,
    record: Vec<u8>,
    names: PerSeat<String>,
}

/// Why there is nothing to show.
enum Failure {
    Usage(String),
    File(String),
}

pub fn run(options: Options) -> ExitCode {
    match replay(&options) {
        Ok(text) => {
            say::out(format_args!("{text}"));
            if say::is_lost() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
        }
        Err(Failure::File(why)) => {
            note!("agon replay: {why}");
            ExitCode::FAILURE
        }
        Err(Failure::Usage(why)) => {
            note!("agon replay: {why}");
            ExitCode::from(2)
        }
    }
}

fn replay(options: &Options) -> Result<String, Failure> {
    let mut stored = read(options)?;
    let n_seats = stored.game.roles().len();
    match options.name.len() {
        0 => (),
        n if n == n_seats => stored.names = options.name.clone().into(),
        n => {
            let why = format!("found {n} times --name; {} has {n_seats} seats", stored.game.id());
            return Err(Failure::Usage(why));
        }
    }
    match (&options.to, &options.out) {
        (Some(format), Some(out)) => write(&stored, format, out),
        _ => tell(&stored),
    }
}

fn read(options: &Options) -> Result<Stored, Failure> {
    let mut files = Vec::new();
    for path in &options.files {
        let at = |why| Failure::File(format!("{}: {why}", path.display()));
        let bytes = read_file(path, FILE_BYTES_MAX).map_err(at)?;
        files.push(match path.extension().is_some_and(|it| it == "zst") {
            true => unpack(&bytes).map_err(at)?,
            false => bytes,
        });
    }
    if let Some(format) = &options.from {
        let game = options.game.as_deref().unwrap_or_default();
        let game = find_game(game).map_err(Failure::Usage)?;
        let files: Vec<_> = files.iter().map(Vec::as_slice).collect();
        let read = game.read_record(format, &files);
        let (record, names) = read.map_err(|why| Failure::File(why.to_string()))?;
        return Ok(Stored { game, record, names });
    }
    let [record] = &mut files[..] else {
        let found = files.len();
        return Err(Failure::Usage(format!("found {found} files; a record is one, unless --from")));
    };
    let record = std::mem::take(record);
    let head: Json = serde_json::from_slice(&record).map_err(|why| {
        Failure::File(format!("{}: found no record: {why}", options.files[0].display()))
    })?;
    let at = |why: &str| Failure::File(format!("{}: {why}", options.files[0].display()));
    let Some(id) = head["game"].as_str() else {
        return Err(at("found no record, which names its game; a log of others needs --from"));
    };
    let game = find_game(id).map_err(|why| at(&why))?;
    let names = PerSeat::new(game.roles().len(), |seat| format!("player {}", seat.0 + 1));
    Ok(Stored { game, record, names })
}

fn unpack(bytes: &[u8]) -> Result<Vec<u8>, String> {
    use std::io::Read;
    let unpacked = zstd::Decoder::new(bytes).map_err(|why| why.to_string())?;
    let mut record = Vec::new();
    unpacked.take(RECORD_BYTES_MAX + 1).read_to_end(&mut record).map_err(|why| why.to_string())?;
    match record.len() as u64 > RECORD_BYTES_MAX {
        true => Err(format!("found more than {RECORD_BYTES_MAX} bytes, which are allowed")),
        false => Ok(record),
    }
}

fn write(stored: &Stored, format: &str, out: &Path) -> Result<String, Failure> {
    if format == "own" {
        let packs = out.extension().is_some_and(|it| it == "zst");
        let record = match packs {
            true => runner::pack_record(&stored.record).map_err(|why| why.to_string()),
            false => Ok(stored.record.clone()),
        };
        return put(out, &record.map_err(Failure::File)?);
    }
    if format == "viewer" {
        return put(out, &for_viewers(stored).map_err(Failure::File)?);
    }
    if stored.game.record_formats().iter().all(|it| it.name != format) {
        let mut names: Vec<_> = stored.game.record_formats().iter().map(|it| it.name).collect();
        names.extend(["own", "viewer"]);
        let why = format!("--to: found `{format}`, allowed is {}", names.join(" or "));
        return Err(Failure::Usage(why));
    }
    let files = stored.game.write_record(format, &stored.record, &stored.names);
    let files = files.map_err(|why| Failure::File(why.to_string()))?;
    if let [file] = &files[..] {
        return put(out, file);
    }
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    let extension =
        out.extension().map_or_else(String::new, |it| format!(".{}", it.to_string_lossy()));
    let mut told = String::new();
    for (no, file) in (1..).zip(&files) {
        told += &put(&out.with_file_name(format!("{stem}-{no}{extension}")), file)?;
    }
    Ok(told)
}

/// The replay as `web/viewer/replay.ts` reads it, as spectators see it.
fn for_viewers(stored: &Stored) -> Result<Vec<u8>, String> {
    let replay = stored.game.replay(&stored.record, None).map_err(|why| why.to_string())?;
    let names = stored.names.iter();
    let seats = names.map(|(seat, name)| ReplaySeat::new(stored.game, seat.0.into(), name));
    let file = ReplayFile::new(stored.game, &replay, seats.collect());
    serde_json::to_vec(&file).map_err(|why| why.to_string())
}

fn put(path: &Path, bytes: &[u8]) -> Result<String, Failure> {
    let at = |why| Failure::File(format!("{}: {why}", path.display()));
    fs::write(path, bytes).map_err(at)?;
    Ok(format!("{}\n", path.display()))
}

/// How the match ended.
fn tell(stored: &Stored) -> Result<String, Failure> {
    let judged = stored.game.judge(&stored.record, &mut || true);
    let verdict = judged.map_err(|why| Failure::File(why.to_string()))?.verdict;
    let mut text = format!("{}, {} plies\n", stored.game.id(), verdict.plies);
    match verdict.outcome {
        Some(outcome) => {
            for (seat, place) in outcome.places.iter() {
                text += &format!("{}. {}", place, stored.names[seat]);
                for (measure, values) in stored.game.measures().iter().zip(&outcome.measures) {
                    text += &format!(", {}: {}", measure.label, values[seat].mixed());
                }
                text.push('\n');
            }
            text += &format!("{}\n", outcome.why);
        }
        None => text += "The record stops before the end.\n",
    }
    Ok(text)
}

#[cfg(test)]
mod tests;
