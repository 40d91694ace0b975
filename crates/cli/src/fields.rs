//! An option on the command line for each field of a game's set-up, and any other part of it as
//! `--set NAME=VALUE`.

use std::{collections::BTreeMap, fs, io::Read, path::Path};

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use game::{Field, FieldKind};
use referee::{AnyGame, Format};
use serde_json::{Map, Value as Json};

/// Largest file that is looked at for a set-up.
pub(crate) const SETUP_FILE_BYTES_MAX: u64 = 16 << 20;

/// The field from which series of set-ups are made.
const SEED: &str = "seed";

/// What was typed of a set-up.
#[derive(Debug)]
pub(crate) struct Fields {
    /// Fields that have an option of their own.
    typed: BTreeMap<&'static str, String>,
    set: Vec<(String, String)>,
}

#[derive(clap::Args)]
struct Set {
    /// Any part of the set-up, as often as needed.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    set: Vec<(String, String)>,
}

impl Args for Fields {
    fn augment_args(command: Command) -> Command {
        let mut command = Set::augment_args(command);
        for (name, its) in by_name() {
            let taken = command.get_arguments().find(|it| it.get_long() == Some(name));
            command = match taken.map(|it| it.get_id().clone()) {
                // It can still be --set.
                Some(id) => command.mut_arg(id, |it| {
                    let said = it.get_help().map(ToString::to_string).unwrap_or_default();
                    it.help(format!(
                        "{said}; for set-ups with {name}, --set {name}=VALUE ({})",
                        help(&its)
                    ))
                }),
                None => {
                    let arg = Arg::new(name).long(name).help(help(&its));
                    command.arg(arg.value_name("VALUE").help_heading("Set-up"))
                }
            };
        }
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        Fields::augment_args(command)
    }
}

impl FromArgMatches for Fields {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Fields, clap::Error> {
        let Set { set } = Set::from_arg_matches(matches)?;
        let given = |field: &'static Field| {
            let value = matches.try_get_one::<String>(field.name).ok().flatten()?;
            Some((field.name, value.clone()))
        };
        Ok(Fields { typed: fields().filter_map(given).collect(), set })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Fields::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Fields {
    /// The set-up that was typed, with a seed so many later: for series.
    pub(crate) fn setup_no(&self, game: &dyn AnyGame, no: u32) -> Result<Json, String> {
        let Some(field) = game.fields().iter().find(|it| it.name == SEED) else {
            return match no {
                0 => self.setup(game, None),
                _ => {
                    Err(format!("--count: {} has no {SEED}, and makes one set-up alone", game.id()))
                }
            };
        };
        let FieldKind::Whole { default, .. } = field.kind else { return self.setup(game, None) };
        let typed = self.typed.get(SEED).map_or(Ok(default), |it| it.parse());
        let first = typed.map_err(|why| format!("--{SEED}: {why}"))?;
        let seed = first.checked_add(no).ok_or("--count: found more than there are seeds")?;
        let mut typed = self.typed.clone();
        typed.insert(field.name, seed.to_string());
        Fields { typed, set: self.set.clone() }.setup(game, None)
    }

    /// The same with more parts, which count in place of those that were typed.
    pub(crate) fn with(&self, more: impl IntoIterator<Item = (String, String)>) -> Fields {
        let set = self.set.iter().cloned().chain(more).collect();
        Fields { typed: self.typed.clone(), set }
    }

    /// The set-up that was typed; over that of a file, if there is one.
    pub(crate) fn setup(&self, game: &dyn AnyGame, file: Option<Json>) -> Result<Json, String> {
        let mut filled = Map::new();
        let mut parts = Map::new();
        let fields = game.fields();
        // An option may be another game's.
        let is_its = |name: &str| fields.iter().any(|it| it.name == name);
        if let Some(name) = self.typed.keys().find(|it| !is_its(it)) {
            let its: Vec<_> = fields.iter().map(|it| format!("--{}", it.name)).collect();
            return Err(format!("--{name}: {} has {} only", game.id(), its.join(", ")));
        }
        let typed = self.typed.iter().map(|(name, value)| (*name, value));
        let set = self.set.iter().map(|(name, value)| (name.as_str(), value));
        for (name, value) in typed.chain(set) {
            let is_part_of_file = file.as_ref().is_some_and(|it| it.get(name).is_some());
            match game.fields().iter().find(|it| it.name == name) {
                Some(_) if !is_part_of_file => {
                    filled.insert(name.to_owned(), value.clone().into());
                }
                Some(_) | None => {
                    let value =
                        serde_json::from_str(value).unwrap_or_else(|_| value.clone().into());
                    parts.insert(name.to_owned(), value);
                }
            }
        }
        let mut setup = match file {
            Some(file) => match filled.keys().next() {
                Some(name) => {
                    return Err(format!("--{name}: the set-up is that of a file, and has none"));
                }
                None => file,
            },
            None => game.set_up(&filled).map_err(|why| format!("--{why}"))?,
        };
        if let Some(setup) = setup.as_object_mut() {
            setup.extend(parts);
        }
        Ok(setup)
    }
}

/// Reads a set-up: in a format of others, if it is named or the name of the file ends like those
/// of one, and else in the game's own.
pub(crate) fn read_setup(
    game: &dyn AnyGame,
    path: &Path,
    format: Option<&str>,
) -> Result<Json, String> {
    let bytes = read_file(path, SETUP_FILE_BYTES_MAX)?;
    let extension = path.extension().and_then(|it| it.to_str());
    let by_extension =
        |it: &Format| format.is_none() && extension.is_some_and(|found| found == it.extension);
    let format =
        format.or_else(|| game.setup_formats().into_iter().find(by_extension).map(|it| it.name));
    match format {
        Some(format) => game.read_setup(format, &bytes).map_err(|why| why.to_string()),
        None => serde_json::from_slice(&bytes).map_err(|why| format!("found no set-up: {why}")),
    }
}

/// A file that is not larger than it may be.
pub(crate) fn read_file(path: &Path, bytes_max: u64) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|why| why.to_string())?;
    file.take(bytes_max + 1).read_to_end(&mut bytes).map_err(|why| why.to_string())?;
    match bytes.len() as u64 > bytes_max {
        true => Err(format!("found more than {bytes_max} bytes, which are allowed")),
        false => Ok(bytes),
    }
}

/// The game of this id, or which there are.
pub(crate) fn find_game(id: &str) -> Result<&'static dyn AnyGame, String> {
    games::find(id).ok_or_else(|| {
        let ids: Vec<_> = games::GAMES.iter().map(|it| it.id()).collect();
        format!("there is no game `{id}`; there is {}", ids.join(", "))
    })
}

fn fields() -> impl Iterator<Item = &'static Field> {
    games::GAMES.iter().flat_map(|it| it.fields())
}

pub(crate) fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("found no `=`; wanted is NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Fields that share a name share an option; each with the game whose it is.
fn by_name() -> Vec<(&'static str, Vec<(&'static str, &'static Field)>)> {
    let mut all: Vec<(&str, Vec<(&str, &Field)>)> = Vec::new();
    for (game, field) in games::GAMES.iter().flat_map(|it| it.fields().iter().map(|f| (it.id(), f)))
    {
        match all.iter_mut().find(|it| it.0 == field.name) {
            Some((_, its)) => its.push((game, field)),
            None => all.push((field.name, vec![(game, field)])),
        }
    }
    all
}

/// What a field means, game by game.
fn help(its: &[(&str, &Field)]) -> String {
    let one = |(game, field): &(&str, &Field)| {
        let (label, meaning) = (field.label, meaning(field));
        format!("{game}: {label}, {meaning}")
    };
    its.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn meaning(field: &Field) -> String {
    match field.kind {
        FieldKind::Whole { min, max, default } => format!("{min} to {max}, else {default}"),
        FieldKind::Choice { options } => {
            let words: Vec<_> =
                options.iter().map(|(it, label)| format!("{it} ({label})")).collect();
            format!("{}, else the first", words.join(" or "))
        }
    }
}
