//! A private Postgres: system binaries, a data directory and a socket of its own, no network.

use std::{
    ffi::OsString,
    fs,
    os::unix::{fs::chown, net::UnixStream},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Duration,
};

use anyhow::{Context, bail};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use tokio::time::{Instant, sleep};

use super::{
    directory::Directory,
    supervise::{Part, Supervised},
    users::{Account, Accounts},
};

/// Versions whose behaviour is known.
const VERSIONS: std::ops::RangeInclusive<u32> = 15..=18;
/// How long recovery after a crash may take.
const READY_WITHIN: Duration = Duration::from_secs(120);
/// How long it may take to write down what it holds, and to end.
const STOP_WITHIN: Duration = Duration::from_secs(60);
/// How long one left over from an earlier run may take when it is asked, and when it is told.
const LEFTOVER_WITHIN: [(Signal, Duration); 2] =
    [(Signal::SIGINT, Duration::from_secs(60)), (Signal::SIGQUIT, Duration::from_secs(10))];

/// The binaries to use, and where their data lies.
pub struct Postgres {
    bin: PathBuf,
    data: PathBuf,
    run: PathBuf,
    owner: Account,
}

impl Postgres {
    /// Finds binaries that fit the data directory, and makes a database where there is none.
    pub fn prepare(
        data: &Directory,
        accounts: &Accounts,
        bin: Option<&Path>,
    ) -> anyhow::Result<Postgres> {
        let version = fs::read_to_string(data.postgres().join("PG_VERSION")).ok();
        let wanted = version.as_deref().map(|it| it.trim().parse()).transpose();
        let wanted: Option<u32> = wanted.context("reading PG_VERSION of the data directory")?;
        let bin = match bin {
            Some(bin) => bin.to_owned(),
            None => find_binaries(wanted)?,
        };
        let owner = accounts.database.clone();
        let postgres = Postgres { bin, data: data.postgres(), run: data.run(), owner };
        postgres.end_leftover()?;
        if wanted.is_none() {
            postgres.init()?;
        }
        postgres.allow(accounts)?;
        Ok(postgres)
    }

    /// The address for the server; its user is checked by the kernel, so there is no password.
    pub fn url(&self) -> String {
        format!("postgres://agon@localhost/agon?host={}", self.run.display())
    }

    /// How to run it.
    pub fn part(&self, log: std::fs::File) -> Part {
        let mut args = vec![OsString::from("-D"), self.data.clone().into_os_string()];
        let run = self.run.display();
        for setting in [
            "listen_addresses=".to_owned(),
            format!("unix_socket_directories={run}"),
            // Its directory says who gets this far, and `peer` who is let in.
            "unix_socket_permissions=0777".to_owned(),
            "max_connections=64".to_owned(),
            "log_min_messages=warning".to_owned(),
        ] {
            args.extend(["-c".into(), setting.into()]);
        }
        Part {
            name: "postgres",
            supervised: Supervised {
                program: self.bin.join("postgres"),
                args,
                user: Some(self.owner.clone()),
                stdin: None,
                log: Some(log),
                env: Vec::new(),
            },
            // Fast: it rolls back what is open, and does not wait for clients to leave.
            stop_by: Signal::SIGINT,
            stop_within: STOP_WITHIN,
        }
    }

    /// Waits until it answers, and makes the role and the database that the server uses.
    pub async fn ready(&self) -> anyhow::Result<()> {
        let deadline = Instant::now() + READY_WITHIN;
        let mut said = String::new();
        while Instant::now() < deadline {
            if UnixStream::connect(self.run.join(".s.PGSQL.5432")).is_ok() {
                match self.psql("select 1") {
                    Ok(_) => return self.make_database(),
                    Err(err) => said = format!("{err:#}"),
                }
            }
            sleep(Duration::from_millis(50)).await;
        }
        bail!("Postgres does not answer after {} s: {said}", READY_WITHIN.as_secs())
    }

    fn make_database(&self) -> anyhow::Result<()> {
        if self.psql("select 1 from pg_roles where rolname = 'agon'")?.is_empty() {
            self.psql("create role agon login")?;
        }
        if self.psql("select 1 from pg_database where datname = 'agon'")?.is_empty() {
            self.psql("create database agon owner agon")?;
        }
        Ok(())
    }

    fn init(&self) -> anyhow::Result<()> {
        crate::say::note!("agon: making a database in {}", self.data.display());
        let mut initdb = self.as_owner("initdb");
        initdb.arg("-D").arg(&self.data).args([
            "--auth=peer",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--data-checksums",
        ]);
        run(&mut initdb).context("initdb")?;
        Ok(())
    }

    /// Says who may connect: the database's own user, and the server's (and root's) as `agon`.
    fn allow(&self, accounts: &Accounts) -> anyhow::Result<()> {
        let Accounts { database, server, .. } = accounts;
        let hba = format!(
            "# Written by agon at each start.\nlocal all {} peer\nlocal agon agon peer map=agon\n",
            database.name
        );
        let ident = format!(
            "# Written by agon at each start.\nagon {} agon\nagon root agon\n",
            server.name
        );
        for (name, text) in [("pg_hba.conf", hba), ("pg_ident.conf", ident)] {
            let path = self.data.join(name);
            let write = || {
                fs::write(&path, text)?;
                chown(&path, Some(database.uid.as_raw()), Some(database.gid.as_raw()))
            };
            write().with_context(|| format!("writing {}", path.display()))?;
        }
        Ok(())
    }

    /// Ends a Postgres that outlived its supervisor: two on one directory would ruin it.
    fn end_leftover(&self) -> anyhow::Result<()> {
        let Ok(text) = fs::read_to_string(self.data.join("postmaster.pid")) else { return Ok(()) };
        let Some(pid) = text.lines().next().and_then(|it| it.trim().parse().ok()) else {
            return Ok(());
        };
        let pid = Pid::from_raw(pid);
        let is_ours = || {
            let cwd = fs::read_link(format!("/proc/{pid}/cwd")).ok();
            cwd.as_deref() == Some(self.data.as_path())
        };
        if !is_ours() {
            return Ok(());
        }
        crate::say::note!("agon: ending a Postgres left over from an earlier run (process {pid})");
        for (signal, within) in LEFTOVER_WITHIN {
            // It may end at any moment; then there is nobody to signal.
            let _ = kill(pid, signal);
            let deadline = Instant::now() + within;
            while Instant::now() < deadline {
                if !is_ours() {
                    return Ok(());
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        }
        bail!("a Postgres (process {pid}) runs on {} and does not end", self.data.display())
    }

    fn psql(&self, sql: &str) -> anyhow::Result<String> {
        let mut psql = self.as_owner("psql");
        psql.arg("-h").arg(&self.run);
        psql.args(["-d", "postgres", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql]);
        run(&mut psql).with_context(|| format!("psql: {sql}"))
    }

    fn as_owner(&self, program: &str) -> Command {
        use std::os::unix::process::CommandExt;
        let mut command = Command::new(self.bin.join(program));
        command.uid(self.owner.uid.as_raw()).gid(self.owner.gid.as_raw());
        command.env_clear().env("PATH", "/usr/bin:/bin").env("LC_ALL", "C.UTF-8");
        command.current_dir("/").stdin(Stdio::null());
        command
    }
}

/// Runs to the end, and gives what was said.
fn run(command: &mut Command) -> anyhow::Result<String> {
    let program = command.get_program().to_owned();
    let output = command.output().with_context(|| format!("running {}", program.display()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("{} ended with {}: {}", program.display(), output.status, said.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The directory of the newest version known, or of just the one that made the data.
fn find_binaries(wanted: Option<u32>) -> anyhow::Result<PathBuf> {
    let at = |version: u32| PathBuf::from(format!("/usr/lib/postgresql/{version}/bin"));
    let is_there = |version: &u32| at(*version).join("initdb").exists();
    match wanted {
        Some(version) if is_there(&version) => Ok(at(version)),
        Some(version) => bail!(
            "the data was made by Postgres {version}, and {} is not there: \
             install postgresql-{version}, or name its binaries with --pg-bin",
            at(version).display()
        ),
        None => VERSIONS.rev().find(is_there).map(at).with_context(|| {
            let (from, to) = (VERSIONS.start(), VERSIONS.end());
            format!(
                "no Postgres {from} to {to} in /usr/lib/postgresql: install the package \
                 postgresql, or name its binaries with --pg-bin"
            )
        }),
    }
}
