//! `agon setup`: set-ups of a game, made by lot, checked, drawn, and written for others.
//!
//! Its exit code tells whether all is well: 0 it is, 1 a file is not, 2 what was typed.

use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::Subcommand;
use referee::AnyGame;
use serde_json::Value as Json;

use crate::{
    fields::{Fields, find_game, read_setup},
    say::{self, note, say},
};

/// Most set-ups that are made at once.
const COUNT_MAX: u32 = 10_000;

#[derive(clap::Args)]
pub struct Options {
    /// Which game.
    game: String,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a set-up, or several with one seed after the other.
    New(New),
    /// Say of each file whether it makes a good match.
    Check(Files),
    /// Draw what is in each file.
    Show(Files),
    /// Write a set-up in another format.
    Convert(Convert),
}

#[derive(clap::Args)]
struct New {
    /// The format to write: one of others, or `own`.
    #[arg(long, value_name = "FORMAT", default_value = "own")]
    to: String,
    /// The file to write; standard output where none is named. With --count a folder.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How many to make, into a folder.
    #[arg(long, value_name = "NUMBER", requires = "out")]
    count: Option<u32>,
    #[command(flatten)]
    fields: Fields,
}

#[derive(clap::Args)]
struct Files {
    /// Set-ups: the game's own (JSON), or in a format of others, known by the file's name.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The format they are in, whatever their names.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
}

#[derive(clap::Args)]
struct Convert {
    /// A set-up: the game's own (JSON), or in a format of others, known by the file's name.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The format it is in, whatever its name.
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,
    /// The format to write: one of others, or `own`.
    #[arg(long, value_name = "FORMAT")]
    to: String,
    /// The file to write; standard output where none is named.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(options: Options) -> ExitCode {
    let done = find_game(&options.game).and_then(|game| match options.command {
        Command::New(new) => make(game, &new),
        Command::Check(files) => Ok(check(game, &files)),
        Command::Show(files) => show(game, &files),
        Command::Convert(convert) => rewrite(game, &convert),
    });
    match done {
        Ok(true) if !say::is_lost() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(why) => {
            note!("agon setup: {why}");
            ExitCode::from(2)
        }
    }
}

fn make(game: &dyn AnyGame, new: &New) -> Result<bool, String> {
    let first = new.fields.setup(game, None)?;
    let Some(count) = new.count else {
        put(game, &first, &new.to, new.out.as_deref())?;
        return Ok(true);
    };
    if !(1..=COUNT_MAX).contains(&count) {
        return Err(format!("--count: found {count}, allowed is 1 to {COUNT_MAX}"));
    }
    let folder = new.out.as_deref().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let extension = extension(game, &new.to)?;
    for no in 0..count {
        let setup = new.fields.setup_no(game, no)?;
        let path = folder.join(format!("{}-{no:04}.{extension}", game.id()));
        put(game, &setup, &new.to, Some(&path))?;
    }
    Ok(true)
}

fn check(game: &dyn AnyGame, files: &Files) -> bool {
    let mut all_good = true;
    for path in &files.files {
        let setup = read_setup(game, path, files.from.as_deref());
        let verdict = setup.and_then(|it| game.inspect_setup(&it).map_err(|why| why.to_string()));
        all_good &= verdict.is_ok();
        let path = path.display();
        match verdict {
            Ok(_) => say!("{path}: good"),
            Err(why) => say!("{path}: {why}"),
        }
    }
    all_good
}

fn show(game: &dyn AnyGame, files: &Files) -> Result<bool, String> {
    for path in &files.files {
        let at = |why: String| format!("{}: {why}", path.display());
        let setup = read_setup(game, path, files.from.as_deref()).map_err(at)?;
        let picture = game.draw_setup(&setup).map_err(|why| at(why.to_string()))?;
        say!("{}", path.display());
        for (name, value) in setup.as_object().into_iter().flatten() {
            // What the picture shows need not be spelt out.
            if picture.is_none() || !(value.is_array() || value.is_object()) {
                say!("{name}: {value}");
            }
        }
        say::out(format_args!("{}", picture.unwrap_or_default()));
    }
    Ok(true)
}

fn rewrite(game: &dyn AnyGame, convert: &Convert) -> Result<bool, String> {
    let at = |why| format!("{}: {why}", convert.file.display());
    let setup = read_setup(game, &convert.file, convert.from.as_deref()).map_err(at)?;
    put(game, &setup, &convert.to, convert.out.as_deref())?;
    Ok(true)
}

/// Writes a set-up, to a file or for all to see.
fn put(game: &dyn AnyGame, setup: &Json, format: &str, out: Option<&Path>) -> Result<(), String> {
    let bytes = match format {
        "own" => {
            let mut text = setup.to_string();
            text.push('\n');
            text.into_bytes()
        }
        format => game.write_setup(format, setup).map_err(|why| format!("--to: {why}"))?,
    };
    match out {
        Some(path) => fs::write(path, bytes).map_err(|why| format!("{}: {why}", path.display())),
        None => match io::stdout().write_all(&bytes) {
            // Whoever asked for it has seen enough.
            Err(why) if why.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(|why| format!("writing: {why}")),
        },
    }
}

fn extension(game: &dyn AnyGame, format: &str) -> Result<&'static str, String> {
    let formats = game.setup_formats();
    match format {
        "own" => Ok("json"),
        format => match formats.iter().find(|it| it.name == format) {
            Some(it) => Ok(it.extension),
            None => {
                let names: Vec<_> = formats.iter().map(|it| it.name).chain(["own"]).collect();
                Err(format!("--to: found `{format}`, allowed is {}", names.join(" or ")))
            }
        },
    }
}

#[cfg(test)]
mod tests;
