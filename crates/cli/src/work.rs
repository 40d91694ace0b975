//! `agon worker`: a root launcher and an unprivileged worker, joined by a socket.
//!
//! The process that is started holds the two together: it starts both, passes
//! signals on to the worker, and ends when either of them has ended.

use std::{
    ffi::OsString,
    os::fd::{AsFd, OwnedFd},
    time::Duration,
};

use anyhow::{Context, bail};
use nix::{sys::signal::Signal, unistd::geteuid};

use crate::{
    config, ending,
    up::{
        supervise::{self, Part, Running, Supervised},
        users,
    },
};

/// How long either half may take to end.
const STOP_WITHIN: Duration = Duration::from_secs(15);

#[derive(clap::Args)]
pub struct Options {
    /// Address of the server [default: worker.server_url of the configuration]
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// User that runs the worker.
    #[arg(long, default_value = "agon-worker")]
    user: String,
    #[command(flatten)]
    config: config::Location,
    /// We are the unprivileged half, and the launcher's socket is our standard input.
    #[arg(long, hide = true)]
    attached: bool,
}

pub fn run(options: Options) -> anyhow::Result<()> {
    match options.attached {
        true => attached(options),
        false => both(options),
    }
}

fn both(options: Options) -> anyhow::Result<()> {
    if !geteuid().is_root() {
        bail!(
            "`agon worker` must be started as root (or with sudo): its launcher makes jails. \
             The worker itself then runs as {}.",
            options.user
        );
    }
    let user = users::find(&options.user)?.with_context(|| {
        format!(
            "there is no user {}: make one (useradd --system {0}), or name another with --user",
            options.user
        )
    })?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let (ours, theirs) = sandbox::launcher::pair().context("making a socket for the launcher")?;
        let program = supervise::ourselves()?.to_owned();
        let mut env = Vec::new();
        if let Some(url) = &options.server {
            env.push((config::env::WORKER_SERVER_URL, OsString::from(url)));
        }
        let part = |name, args, user, stdin, env, stop_by| Part {
            name,
            supervised: Supervised { program: program.clone(), args, user, stdin: Some(stdin), log: None, env },
            stop_by,
            stop_within: STOP_WITHIN,
        };
        let launcher_args = options.config.pass_on("launcher", &[])?;
        let worker_args = options.config.pass_on("worker", &["--attached"])?;
        // It ends by itself when the worker does, and must not end before.
        let mut launcher = Running::start(part("launcher", launcher_args, None, theirs, vec![], Signal::SIGTERM))?;
        let mut worker = Running::start(part("worker", worker_args, Some(user), ours, env, Signal::SIGTERM))?;
        launcher.forget_stdin();
        worker.forget_stdin();

        let ending = ending::asked()?;
        let asked = tokio::select! {
            () = ending => true,
            status = worker.ended() => { crate::say::note!("agon: the worker ended ({})", status?); false }
            status = launcher.ended() => { crate::say::note!("agon: the launcher ended ({})", status?); false }
        };
        worker.stop().await;
        launcher.stop().await;
        match asked {
            true => Ok(()),
            false => bail!("worker and launcher go together; both have ended"),
        }
    })
}

fn attached(options: Options) -> anyhow::Result<()> {
    if geteuid().is_root() {
        bail!("the worker itself does not run as root");
    }
    let socket: OwnedFd =
        std::io::stdin().as_fd().try_clone_to_owned().context("taking the socket")?;
    let client = sandbox::Client::new(socket);
    crate::log::start();
    let config = worker::Config::load(Some(&options.config.file()?), &options.config.dir()?)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime
        .block_on(async { worker::run(config, client, ending::asked()?).await.context("working") })
}
