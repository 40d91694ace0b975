//! `agon serve`: one server, for a Postgres that is there.

use std::{
    net::TcpListener,
    os::fd::{AsFd, OwnedFd},
};

use anyhow::{Context, bail};
use nix::unistd::geteuid;

use crate::{config, ending, log};

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    config: config::Location,
    /// Standard input is the socket to listen on.
    #[arg(long, hide = true)]
    listen_on_stdin: bool,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    if geteuid().is_root() {
        bail!("a server needs no rights of root, and refuses them: start it as a user of its own");
    }
    log::start();
    config::load(&options.config)?;
    let config = server::Config::load(Some(&options.config.file()?), &options.config.dir()?)?;
    let listener = match options.listen_on_stdin {
        true => {
            let fd: OwnedFd =
                std::io::stdin().as_fd().try_clone_to_owned().context("taking the socket")?;
            TcpListener::from(fd)
        }
        false => {
            let address = config.server.listen;
            TcpListener::bind(address).with_context(|| format!("listening on {address}"))?
        }
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        server::serve(config, listener, ending::asked()?).await.context("serving")
    })
}
