//! `agon launcher`: the root process that makes jails, and nothing else.

use std::os::fd::{AsFd, OwnedFd};

use anyhow::Context;
use nix::sys::signal::{SigSet, Signal};

use crate::config;

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    config: config::Location,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    // It ends when its client does, so that no jail outlives its match: a
    // signal to the whole group must reach the worker only.
    let mut signals = SigSet::empty();
    signals.extend([Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]);
    signals.thread_block().context("blocking signals")?;
    let stdin: OwnedFd =
        std::io::stdin().as_fd().try_clone_to_owned().context("taking the socket")?;
    let policy = config::policy(&options.config)?;
    sandbox::launcher::serve(stdin, &policy).context("making jails")
}
