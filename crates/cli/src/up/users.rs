//! The system users under which the parts of one machine run, so that none can reach another's files.

use std::process::Command;

use anyhow::{Context, bail};
use nix::unistd::{Gid, Uid, User};

/// Who a part runs as.
#[derive(Clone, Debug)]
pub struct Account {
    pub name: String,
    pub uid: Uid,
    pub gid: Gid,
}

/// The users of the three parts that are not root.
#[derive(Clone, Debug)]
pub struct Accounts {
    pub database: Account,
    pub server: Account,
    pub worker: Account,
}

impl Accounts {
    /// Finds the users, and makes those that are missing.
    pub fn find_or_make() -> anyhow::Result<Accounts> {
        Ok(Accounts {
            database: find_or_make("agon-db")?,
            server: find_or_make("agon-server")?,
            worker: find_or_make("agon-worker")?,
        })
    }
}

/// Finds a system user.
pub fn find(name: &str) -> anyhow::Result<Option<Account>> {
    let user = User::from_name(name).with_context(|| format!("looking up the user {name}"))?;
    Ok(user.map(|it| Account { name: it.name, uid: it.uid, gid: it.gid }))
}

fn find_or_make(name: &str) -> anyhow::Result<Account> {
    if let Some(account) = find(name)? {
        if account.uid.is_root() {
            bail!("the user {name} is root; it must be one of its own");
        }
        return Ok(account);
    }
    crate::say::note!("agon: making the system user {name}");
    let status = Command::new("useradd")
        .args(["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent"])
        .args(["--shell", "/usr/sbin/nologin", name])
        .status()
        .context("running useradd (of the package passwd)")?;
    if !status.success() {
        bail!("useradd {name} failed ({status})");
    }
    find(name)?.with_context(|| format!("the user {name} was made and cannot be found"))
}
