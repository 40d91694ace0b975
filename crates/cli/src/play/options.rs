//! The command line of `agon play`: fixed options, and one for each field of a game's set-up.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use referee::AnyGame;
use serde_json::Value as Json;

use crate::{
    config::Location,
    fields::{Fields, read_setup},
};

/// What was typed.
#[derive(Debug)]
pub struct Options {
    pub(super) game: String,
    pub(super) seat: Vec<String>,
    pub(super) setup: Option<PathBuf>,
    pub(super) jail: bool,
    pub(super) rounds: bool,
    pub(super) record: Option<PathBuf>,
    pub(super) json: bool,
    pub(super) quiet: bool,
    pub(super) config: Location,
    fields: Fields,
}

/// What is the same for all games.
#[derive(clap::Args)]
struct Fixed {
    /// Which game.
    game: String,
    /// A bot, once for each seat and in their order: a source file, or a command with arguments.
    #[arg(long, value_name = "FILE|COMMAND", required = true)]
    seat: Vec<String>,
    /// A file with the set-up: the game's own (JSON), or one in a format of others.
    #[arg(long, value_name = "FILE")]
    setup: Option<PathBuf>,
    /// Run the bots in the judge's jail, with its limits (as root; source files only).
    #[arg(long)]
    jail: bool,
    /// Print every ply.
    #[arg(long)]
    rounds: bool,
    /// Write the record: as JSON, or compressed where the name ends in .zst.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Print nothing but errors (and what --json and --rounds ask for).
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    config: Location,
    #[command(flatten)]
    fields: Fields,
}

impl Args for Options {
    fn augment_args(command: Command) -> Command {
        let ids: Vec<_> = games::GAMES.iter().map(|it| it.id()).collect();
        let game = format!("Which game: {}", ids.join(", "));
        Fixed::augment_args(command).mut_arg("game", |it| it.help(game))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Options::augment_args(command)
    }
}

impl FromArgMatches for Options {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Options, clap::Error> {
        let Fixed { game, seat, setup, jail, rounds, record, json, quiet, config, fields } =
            Fixed::from_arg_matches(matches)?;
        Ok(Options { game, seat, setup, jail, rounds, record, json, quiet, config, fields })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Options::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Options {
    /// The set-up as far as it was typed, over that of a file or what an untouched form makes.
    pub(super) fn setup(&self, game: &dyn AnyGame) -> Result<Json, String> {
        let read = |path: &PathBuf| {
            read_setup(game, path, None).map_err(|why| format!("{}: {why}", path.display()))
        };
        self.fields.setup(game, self.setup.as_ref().map(read).transpose()?)
    }
}
