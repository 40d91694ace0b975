//! The command line of `agon play`: fixed options, and one for each field of a game's set-up.

use std::{collections::BTreeMap, path::PathBuf};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use game::{Field, FieldKind};
use referee::AnyGame;
use serde_json::{Map, Value as Json};

use crate::config::Location;

/// What was typed.
#[derive(Debug)]
pub struct Options {
    pub(super) game: String,
    pub(super) seat: Vec<String>,
    pub(super) set: Vec<(String, String)>,
    pub(super) jail: bool,
    pub(super) rounds: bool,
    pub(super) record: Option<PathBuf>,
    pub(super) json: bool,
    pub(super) quiet: bool,
    pub(super) config: Location,
    /// Fields of the set-up that had an option of their own.
    fields: BTreeMap<&'static str, String>,
}

/// What is the same for all games.
#[derive(clap::Args)]
struct Fixed {
    /// Which game.
    game: String,
    /// A bot, once for each seat and in their order: a source file, or a command with arguments.
    #[arg(long, value_name = "FILE|COMMAND", required = true)]
    seat: Vec<String>,
    /// Any part of the set-up, as often as needed.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    set: Vec<(String, String)>,
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
}

impl Args for Options {
    fn augment_args(command: Command) -> Command {
        let ids: Vec<_> = games::GAMES.iter().map(|it| it.id()).collect();
        let game = format!("Which game: {}", ids.join(", "));
        let mut command = Fixed::augment_args(command).mut_arg("game", |it| it.help(game));
        for field in fields() {
            // A name that is taken can still be --set.
            if command.get_arguments().all(|it| it.get_long() != Some(field.name)) {
                let arg = Arg::new(field.name).long(field.name).help(help(field));
                command = command.arg(arg.value_name("VALUE").help_heading("Set-up"));
            }
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Options::augment_args(command)
    }
}

impl FromArgMatches for Options {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Options, clap::Error> {
        let Fixed { game, seat, set, jail, rounds, record, json, quiet, config } =
            Fixed::from_arg_matches(matches)?;
        let given = |field: &'static Field| {
            let value = matches.try_get_one::<String>(field.name).ok().flatten()?;
            Some((field.name, value.clone()))
        };
        let fields = fields().filter_map(given).collect();
        Ok(Options { game, seat, set, jail, rounds, record, json, quiet, config, fields })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Options::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Options {
    /// The set-up as far as it was typed, over the defaults of the game's fields.
    pub(super) fn setup(&self, game: &dyn AnyGame) -> Result<Json, String> {
        let mut setup: Map<String, Json> =
            game.fields().iter().map(|it| (it.name.to_owned(), default(it))).collect();
        let typed = self.fields.iter().map(|(name, value)| (*name, value));
        let set = self.set.iter().map(|(name, value)| (name.as_str(), value));
        for (name, value) in typed.chain(set) {
            let value = match game.fields().iter().find(|it| it.name == name) {
                Some(field) => value_of(field, value)?,
                // Parts that no form shows.
                None => serde_json::from_str(value).unwrap_or_else(|_| value.clone().into()),
            };
            setup.insert(name.to_owned(), value);
        }
        Ok(setup.into())
    }
}

fn fields() -> impl Iterator<Item = &'static Field> {
    games::GAMES.iter().flat_map(|it| it.fields())
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("found no `=`; wanted is NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn help(field: &Field) -> String {
    match field.kind {
        FieldKind::Whole { min, max, default } => {
            format!("{}, {min} to {max} [default: {default}]", field.label)
        }
        FieldKind::Choice { options } => {
            let options: Vec<_> =
                options.iter().map(|(it, label)| format!("{it} ({label})")).collect();
            format!("{}: {} [default: the first]", field.label, options.join(", "))
        }
    }
}

fn default(field: &Field) -> Json {
    match field.kind {
        FieldKind::Whole { default, .. } => default.into(),
        FieldKind::Choice { options } => options.first().map(|(it, _)| *it).into(),
    }
}

fn value_of(field: &Field, found: &str) -> Result<Json, String> {
    let name = field.name;
    match field.kind {
        FieldKind::Whole { min, max, .. } => match found.parse::<u32>() {
            Ok(value) if (min..=max).contains(&value) => Ok(value.into()),
            _ => Err(format!(
                "--{name}: found `{found}`, allowed is a whole number from {min} to {max}"
            )),
        },
        FieldKind::Choice { options } => match options.iter().any(|(it, _)| *it == found) {
            true => Ok(found.into()),
            false => {
                let allowed: Vec<_> = options.iter().map(|(it, _)| *it).collect();
                Err(format!("--{name}: found `{found}`, allowed is {}", allowed.join(" or ")))
            }
        },
    }
}
