//! The one directory in which a machine keeps everything, and who may look into which part of it.

use std::{
    fs::{self, File, Permissions},
    io::{self, Write},
    os::unix::fs::{OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use anyhow::{Context, bail};
use nix::{
    errno::Errno,
    fcntl::{Flock, FlockArg},
    unistd::chown,
};

use super::users::{Account, Accounts};

/// Longest path of a unix socket that the kernel takes.
const SOCKET_PATH_BYTES_MAX: usize = 107;

/// The data directory, held by this process alone.
pub struct Directory {
    root: PathBuf,
    _lock: Flock<File>,
}

impl Directory {
    /// Makes the directory where it is missing, and takes hold of it.
    ///
    /// | part | owner | who else gets in |
    /// |---|---|---|
    /// | `postgres/` | database | nobody |
    /// | `run/` | database | the server's group, to connect |
    /// | `server/` | server | nobody |
    /// | `worker/` | worker | nobody |
    /// | `log/` | root | nobody |
    pub fn open(root: &Path, accounts: &Accounts) -> anyhow::Result<Directory> {
        fs::create_dir_all(root).with_context(|| format!("making {}", root.display()))?;
        let root = root.canonicalize().with_context(|| format!("finding {}", root.display()))?;
        fs::set_permissions(&root, Permissions::from_mode(0o755))
            .with_context(|| format!("setting permissions of {}", root.display()))?;
        reachable(&root)?;
        let _lock = lock(&root.join("lock"))?;
        let data = Directory { root, _lock };
        let Accounts { database, server, worker } = accounts;
        data.part("postgres", database, 0o700)?;
        data.part("server", server, 0o700)?;
        data.part("worker", worker, 0o700)?;
        let run = data.part("run", database, 0o710)?;
        chown(&run, None, Some(server.gid)).context("giving run/ to the server's group")?;
        let log = data.root.join("log");
        fs::create_dir_all(&log).context("making log/")?;
        fs::set_permissions(&log, Permissions::from_mode(0o700)).context("closing log/")?;
        let socket = data.run().join(".s.PGSQL.5432");
        let n_bytes = socket.as_os_str().len();
        if n_bytes > SOCKET_PATH_BYTES_MAX {
            bail!(
                "the data directory's path is too long: the socket {} has {n_bytes} bytes, \
                 at most {SOCKET_PATH_BYTES_MAX} are allowed",
                socket.display()
            );
        }
        Ok(data)
    }

    /// Files of Postgres.
    pub fn postgres(&self) -> PathBuf {
        self.root.join("postgres")
    }

    /// Socket of Postgres.
    pub fn run(&self) -> PathBuf {
        self.root.join("run")
    }

    /// Files of the server: blobs.
    pub fn server(&self) -> PathBuf {
        self.root.join("server")
    }

    /// Files of the worker: artefacts it has fetched.
    pub fn worker(&self) -> PathBuf {
        self.root.join("worker")
    }

    /// A log, to be appended to.
    pub fn log(&self, name: &str) -> anyhow::Result<File> {
        let path = self.root.join("log").join(name);
        let open = File::options().create(true).append(true).mode(0o600).open(&path);
        open.with_context(|| format!("opening {}", path.display()))
    }

    /// The content of a file only root may read, made by `make` when it is not there.
    pub fn secret(&self, name: &str, make: impl FnOnce() -> String) -> anyhow::Result<String> {
        let path = self.root.join(name);
        match fs::read_to_string(&path) {
            Ok(text) => return Ok(text),
            Err(err) if err.kind() == io::ErrorKind::NotFound => (),
            Err(err) => return Err(err).with_context(|| format!("reading {}", path.display())),
        }
        let text = make();
        // First under another name: a half-written secret is none.
        let half = self.root.join(format!("{name}.new"));
        let write = || {
            let mut file =
                File::options().create(true).truncate(true).write(true).mode(0o600).open(&half)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&half, &path)
        };
        write().with_context(|| format!("writing {}", path.display()))?;
        Ok(text)
    }

    fn part(&self, name: &str, owner: &Account, mode: u32) -> anyhow::Result<PathBuf> {
        let path = self.root.join(name);
        let make = || {
            fs::create_dir_all(&path)?;
            chown(&path, Some(owner.uid), Some(owner.gid)).map_err(io::Error::from)?;
            fs::set_permissions(&path, Permissions::from_mode(mode))
        };
        make().with_context(|| format!("making {} for {}", path.display(), owner.name))?;
        Ok(path)
    }
}

/// Refuses a directory below one that other users cannot pass.
fn reachable(root: &Path) -> anyhow::Result<()> {
    for dir in root.ancestors().skip(1) {
        let mode = fs::metadata(dir)
            .with_context(|| format!("looking at {}", dir.display()))?
            .permissions()
            .mode();
        if mode & 0o001 == 0 {
            bail!(
                "the data directory {} lies in {}, which only its owner may enter (mode {:03o}); \
                 the parts run as users of their own: choose another with --data",
                root.display(),
                dir.display(),
                mode & 0o777
            );
        }
    }
    Ok(())
}

fn lock(path: &Path) -> anyhow::Result<Flock<File>> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .with_context(|| format!("opening {}", path.display()))?;
    match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(lock) => Ok(lock),
        Err((_, Errno::EWOULDBLOCK)) => {
            bail!("{} is held: another `agon up` runs on this data directory", path.display())
        }
        Err((_, err)) => Err(err).with_context(|| format!("locking {}", path.display())),
    }
}
