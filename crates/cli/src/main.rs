//! The `agon` binary: every program of the judge, by subcommand.
//!
//! It puts the crates together and owns what belongs to no crate: users and
//! directories of a machine, the private Postgres, and who starts whom. It
//! knows no rules and no SQL.

#![forbid(unsafe_code)]
// They panic where nobody listens any more.
#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

mod admin;
mod bound;
mod config;
mod demo;
mod doctor;
mod ending;
mod fields;
mod launcher;
mod log;
mod play;
mod ratings;
mod replay;
mod say;
mod serve;
mod setup;
mod up;
mod work;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A judge for bot-programming contests.
#[derive(Parser)]
#[command(name = "agon", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run everything on this machine: private Postgres, server and worker (as root).
    Up(up::Options),
    /// Run a server, for a Postgres that is there.
    Serve(serve::Options),
    /// Run a worker, for a server that is there (as root; what it runs is not).
    Worker(work::Options),
    /// Play a match here, from source files or commands.
    Play(play::Options),
    /// Make, check, draw and convert set-ups of a game.
    Setup(setup::Options),
    /// Say how a stored match ended; read and write records in formats of others.
    Replay(replay::Options),
    /// Try what holds bots in on this machine, and say what does not (as root).
    Doctor(doctor::Options),
    /// Recompute ratings from a published log of matches, live and all at once.
    Ratings(ratings::Options),
    /// What only the operator may do: links, workers, ratings.
    Admin(admin::Options),
    /// Become another program, bound to the life of its parent.
    #[command(hide = true)]
    Bound(bound::Options),
    /// Make jails for the worker on standard input.
    #[command(hide = true)]
    Launcher(launcher::Options),
    /// Try one protection, as a program in a jail.
    #[command(hide = true)]
    Probe(doctor::ProbeOptions),
    /// Fill a fresh server with documented bots, through its own pages.
    #[command(hide = true)]
    Demo(demo::Options),
}

fn main() -> ExitCode {
    // For https; where another part has chosen already, that one is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    // No thread exists yet, and some commands must keep it so.
    let done = match Cli::parse().command {
        Command::Up(options) => up::run(options),
        Command::Serve(options) => serve::run(options),
        Command::Worker(options) => work::run(options),
        Command::Play(options) => return play::run(options),
        Command::Setup(options) => return setup::run(options),
        Command::Replay(options) => return replay::run(options),
        Command::Ratings(options) => ratings::run(options),
        Command::Admin(options) => admin::run(options),
        Command::Bound(options) => bound::run(options).map(|never| match never {}),
        Command::Launcher(options) => launcher::run(options),
        Command::Demo(options) => demo::run(options),
        Command::Probe(options) => return doctor::probe(&options),
        Command::Doctor(options) => match doctor::run(options) {
            Ok(code) => return code,
            Err(error) => Err(error),
        },
    };
    match done {
        Ok(()) if say::is_lost() => ExitCode::FAILURE,
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            crate::say::note!("agon: {err:#}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        super::Cli::command().debug_assert();
    }
}
