//! The command line of `agon play`: fixed options, and one for each field of a game's set-up.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches, builder::RangedU64ValueParser};
use referee::AnyGame;
use serde_json::Value as Json;

use crate::{
    config::Location,
    fields::{Fields, pair, read_setup},
};

/// Most matches that are played at once.
const AT_ONCE_MAX: u32 = 64;
/// Most bots that an elite stage is asked for.
const ELITE_MAX: u32 = 4;

/// What was typed.
#[derive(Debug)]
pub struct Options {
    pub(super) game: String,
    pub(super) seat: Vec<String>,
    pub(super) round_robin: Vec<String>,
    pub(super) at_once: Option<u32>,
    pub(super) elite: u32,
    elite_set: Vec<(String, String)>,
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
    #[arg(long, value_name = "FILE|COMMAND", required_unless_present = "round_robin")]
    seat: Vec<String>,
    /// Bots that all meet each other, instead of --seat; where roles differ, ROLE=FILE, and all of
    /// one role meet all of the other.
    #[arg(long, value_name = "BOT", num_args = 1.., conflicts_with_all = ["seat", "rounds"])]
    round_robin: Vec<String>,
    /// Matches of a round robin that are played at once [default: one for each two processors].
    #[arg(long, value_name = "N", requires = "round_robin", value_parser = at_once())]
    at_once: Option<u32>,
    /// The best 2, 3 or 4 of a round robin, and who shares the last of these ranks, meet once more,
    /// which alone decides their order [default: 0, for no such stage]
    #[arg(long, value_name = "N", requires = "round_robin", value_parser = elite)]
    elite: Option<u32>,
    /// What is different in the set-up of --elite [default: as the game's game.toml has it, for
    /// planes 500 fights and time for them]
    #[arg(long, value_name = "NAME=VALUE", requires = "elite", value_parser = pair)]
    elite_set: Vec<(String, String)>,
    /// A file with the set-up: the game's own (JSON), or one in a format of others.
    #[arg(long, value_name = "FILE")]
    setup: Option<PathBuf>,
    /// Run the bots in the judge's jail, with its limits (as root; source files only).
    #[arg(long)]
    jail: bool,
    /// Print the match round by round: every answer, what it cost, and what came of it.
    #[arg(long)]
    rounds: bool,
    /// Write the record: as JSON, or compressed where the name ends in .zst. Of a round robin, a new
    /// or empty folder for those of all its matches.
    #[arg(long, value_name = "FILE|FOLDER")]
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
        let command = Fixed::augment_args(command).mut_arg("game", |it| it.help(game));
        command.override_usage(
            "agon play [OPTIONS] <GAME> --seat <FILE|COMMAND> --seat <FILE|COMMAND>\n       \
             agon play [OPTIONS] <GAME> --round-robin <BOT>...",
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Options::augment_args(command)
    }
}

impl FromArgMatches for Options {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Options, clap::Error> {
        let Fixed {
            game,
            seat,
            round_robin,
            at_once,
            elite,
            elite_set,
            setup,
            jail,
            rounds,
            record,
            json,
            quiet,
            config,
            fields,
        } = Fixed::from_arg_matches(matches)?;
        Ok(Options {
            game,
            seat,
            round_robin,
            at_once,
            elite: elite.unwrap_or(0),
            elite_set,
            setup,
            jail,
            rounds,
            record,
            json,
            quiet,
            config,
            fields,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Options::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Options {
    /// The set-up as far as it was typed, over that of a file or what an untouched form makes.
    pub(super) fn setup(&self, game: &dyn AnyGame) -> Result<Json, String> {
        self.setup_of(game, &self.fields)
    }

    /// The same with what the elite stage has otherwise: as it was typed, and else by `usual`.
    pub(super) fn elite_setup(
        &self,
        game: &dyn AnyGame,
        usual: impl IntoIterator<Item = (String, String)>,
    ) -> Result<Json, String> {
        let more = usual.into_iter().chain(self.elite_set.iter().cloned());
        self.setup_of(game, &self.fields.with(more))
    }

    fn setup_of(&self, game: &dyn AnyGame, fields: &Fields) -> Result<Json, String> {
        let read = |path: &PathBuf| {
            read_setup(game, path, None).map_err(|why| format!("{}: {why}", path.display()))
        };
        fields.setup(game, self.setup.as_ref().map(read).transpose()?)
    }
}

/// None at all, or as many as make a stage of its own.
fn elite(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(n @ (0 | 2..=ELITE_MAX)) => Ok(n),
        Ok(_) | Err(_) => Err(format!("found {text}, allowed are 2 to {ELITE_MAX}, or 0 for none")),
    }
}

fn at_once() -> RangedU64ValueParser<u32> {
    RangedU64ValueParser::new().range(1..=AT_ONCE_MAX.into())
}
