//! `agon bound`: becomes another program, as another user, that dies with its parent.
//!
//! A program of its own, because only the process itself may ask the kernel for that.

use std::{
    ffi::{CString, OsString},
    os::unix::ffi::OsStringExt,
};

use anyhow::{Context, bail};
use nix::{
    sys::{prctl, signal::Signal},
    unistd::{execv, getppid, setgid, setgroups, setuid},
};

use crate::up::users;

#[derive(clap::Args)]
pub struct Options {
    /// Process that must be alive.
    #[arg(long)]
    parent: i32,
    /// User to become.
    #[arg(long)]
    user: Option<String>,
    /// Program and arguments.
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

pub fn run(options: Options) -> anyhow::Result<std::convert::Infallible> {
    if let Some(name) = &options.user {
        let user = users::find(name)?.with_context(|| format!("there is no user {name}"))?;
        setgroups(&[]).context("leaving all groups")?;
        setgid(user.gid).context("taking the group")?;
        setuid(user.uid).with_context(|| format!("becoming {name}"))?;
    }
    // After the change of user, which would undo it. Postgres takes this signal
    // for a fast shutdown, and our own programs for an ordinary one.
    prctl::set_pdeathsig(Signal::SIGINT).context("binding to the parent's life")?;
    if getppid().as_raw() != options.parent {
        bail!("the parent {} is gone", options.parent);
    }
    let argv = options.command.into_iter().map(|it| CString::new(it.into_vec()));
    let argv: Vec<CString> = argv.collect::<Result<_, _>>().context("an argument holds a NUL")?;
    let program = argv.first().context("no program was named")?;
    match execv(program, &argv) {
        Ok(never) => Ok(never),
        Err(err) => Err(err).with_context(|| format!("running {}", program.to_string_lossy())),
    }
}
