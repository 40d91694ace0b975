//! What a jail sees of files: a small root in memory, the toolchain of the
//! host read-only, a few devices, temporary folders of bounded size.

use std::{
    ffi::CString,
    fmt, fs, io,
    os::{
        fd::{AsFd, BorrowedFd, OwnedFd},
        unix::{ffi::OsStrExt, fs::symlink},
    },
    path::{Path, PathBuf},
};

use nix::{
    mount::{MntFlags, MsFlags, mount, umount2},
    sched::{CloneFlags, setns},
    sys::stat::{Mode, SFlag, makedev, mknod},
    unistd::{chdir, pivot_root},
};
use thiserror::Error;

use crate::{Build, Limits, fence, sys, sys::Tree};

/// The jail's root is put together on the first of these folders that there is,
/// in a mount namespace where nobody else sees it.
const WORKBENCHES: [&str; 4] = ["/tmp", "/run", "/mnt", "/proc"];

/// Which step of building the jail's view of files failed, and on what.
#[derive(Debug, Error)]
#[error("{step} {}: {error}", path.display())]
pub(crate) struct MountError {
    step: &'static str,
    path: PathBuf,
    error: io::Error,
}

/// Paths of the toolchain that are there, and those that are not.
#[derive(Debug, Default)]
pub(crate) struct Toolchain {
    pub(crate) present: Vec<PathBuf>,
    pub(crate) absent: Vec<PathBuf>,
    /// Required, and absent or unreadable.
    pub(crate) missing: Vec<(PathBuf, io::Error)>,
}

impl Toolchain {
    pub(crate) fn look(wanted: &crate::Toolchain) -> Self {
        let mut found = Self::default();
        for path in &wanted.required {
            match fs::symlink_metadata(path) {
                Ok(_) => found.present.push(path.clone()),
                Err(error) => found.missing.push((path.clone(), error)),
            }
        }
        for path in &wanted.optional {
            match fs::symlink_metadata(path) {
                Ok(_) => found.present.push(path.clone()),
                Err(_) => found.absent.push(path.clone()),
            }
        }
        // What lies in another path of the list is there with it.
        found.present.sort();
        found.present.dedup_by(|next, before| next.starts_with(&*before) && !before.is_symlink());
        found
    }
}

/// Builds the root, makes it ours, and leaves the host's behind. The process
/// is in a mount namespace and a pid namespace of its own.
pub(crate) fn enter_root(toolchain: &[PathBuf], uid: u32) -> Result<(), MountError> {
    let plain = MsFlags::MS_NOSUID | MsFlags::MS_NODEV;
    let toolchain =
        toolchain.iter().map(|path| Shown::take(path)).collect::<Result<Vec<_>, _>>()?;
    // Where this process runs in a chroot, its root cannot be exchanged; that
    // of the namespace can, and joining a namespace leads there.
    let namespace = Path::new("/proc/self/ns/mnt");
    let own = step("opening", namespace, fs::File::open(namespace))?;
    step("entering", namespace, setns(&own, CloneFlags::CLONE_NEWNS))?;
    // Nothing mounted from here on reaches the host, and nothing from there us.
    set("cutting the ties of", "/", None, MsFlags::MS_REC | MsFlags::MS_PRIVATE, "")?;
    let root =
        WORKBENCHES.map(Path::new).into_iter().find(|path| path.is_dir()).unwrap_or(Path::new("/"));
    set("mounting the root on", root, Some("tmpfs"), plain, "mode=0755,size=1m,nr_inodes=1024")?;

    for shown in toolchain {
        shown.place(root)?;
    }
    for name in ["proc", "dev", "tmp", "build"] {
        folder(&root.join(name))?;
    }
    // Only what a process may know of itself, and nothing of the host.
    let flags = plain | MsFlags::MS_NOEXEC | MsFlags::MS_RDONLY;
    set("mounting", root.join("proc"), Some("proc"), flags, "hidepid=2,subset=pid")?;
    devices(&root.join("dev"))?;
    let closed = root.join(fence::CLOSED.trim_start_matches('/'));
    folder(closed.parent().unwrap_or(root))?;
    step("making", &closed, fs::write(&closed, "whoever reads this has no fence around him\n"))?;
    temporary(&root.join("tmp"), MsFlags::empty(), 4096, 16, uid)?;
    temporary(&root.join("dev/shm"), MsFlags::MS_NOEXEC, 4096, 16, uid)?;

    step("entering", root, chdir(root))?;
    // The old root comes to lie over the new one, and is taken off.
    step("turning the root to", root, pivot_root(".", "."))?;
    step("taking off the host's root from", root, umount2(".", MntFlags::MNT_DETACH))?;
    step("entering", "/", chdir("/"))
}

/// Adds what one program asked for, and makes the root read-only.
pub(crate) fn furnish(
    limits: &Limits,
    dirs: &[(&str, BorrowedFd<'_>)],
    build: Option<BorrowedFd<'_>>,
) -> Result<(), MountError> {
    for (path, tree) in dirs {
        folder(Path::new(path))?;
        step("mounting the client's", path, sys::attach(*tree, &c_path(Path::new(path))?))?;
    }
    if let Some(tree) = build {
        step("mounting", "/build", sys::attach(tree, c"/build"))?;
    }
    resize("/tmp", MsFlags::empty(), limits.tmp_bytes_max, limits.tmp_files_max)?;
    resize("/dev/shm", MsFlags::MS_NOEXEC, limits.shm_bytes_max, limits.tmp_files_max)?;
    let flags = MsFlags::MS_REMOUNT | MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_RDONLY;
    set("closing", "/", None, flags, "")
}

/// A copy of a client's folder, read-only, to be mounted in a jail. Made in the
/// namespace the folder was opened in.
pub(crate) fn client_folder(folder: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let tree = sys::copy_tree(Tree::Folder(folder))?;
    sys::restrict_tree(tree.as_fd(), sys::READ_ONLY | sys::NO_SUID | sys::NO_DEVICES)?;
    Ok(tree)
}

/// A writable folder in memory of bounded size, to be mounted in a jail.
pub(crate) fn build_folder(build: Build, uid: u32) -> io::Result<OwnedFd> {
    let text = |value: String| CString::new(value).map_err(io::Error::other);
    let options = [
        (c"size", text(build.bytes_max.to_string())?),
        (c"nr_inodes", text(build.files_max.to_string())?),
        (c"mode", text("0755".to_owned())?),
        (c"uid", text(uid.to_string())?),
        (c"gid", text(uid.to_string())?),
    ];
    sys::memory_filesystem(&options, sys::NO_SUID | sys::NO_DEVICES)
}

/// A path of the host that is to be seen in the jail under the same name.
struct Shown<'a> {
    path: &'a Path,
    what: What,
}

enum What {
    /// It stays a link, so that `/bin` is what it is on the host.
    Link(PathBuf),
    Folder(OwnedFd),
    File(OwnedFd),
}

impl<'a> Shown<'a> {
    /// Takes hold of it, read-only.
    fn take(path: &'a Path) -> Result<Self, MountError> {
        let kind = step("looking at", path, fs::symlink_metadata(path))?.file_type();
        if kind.is_symlink() {
            return Ok(Self {
                path,
                what: What::Link(step("reading the link", path, fs::read_link(path))?),
            });
        }
        let tree = step("copying the tree of", path, sys::copy_tree(Tree::Path(&c_path(path)?)))?;
        let attributes = sys::READ_ONLY | sys::NO_SUID | sys::NO_DEVICES;
        step("making read-only", path, sys::restrict_tree(tree.as_fd(), attributes))?;
        Ok(Self { path, what: if kind.is_dir() { What::Folder(tree) } else { What::File(tree) } })
    }

    /// Puts it in its place in a root that is being put together.
    fn place(self, root: &Path) -> Result<(), MountError> {
        let place = root.join(self.path.strip_prefix("/").unwrap_or(self.path));
        folder(place.parent().unwrap_or(root))?;
        let tree = match self.what {
            What::Link(target) => return step("linking", &place, symlink(target, &place)),
            What::Folder(tree) => {
                folder(&place)?;
                tree
            }
            What::File(tree) => {
                step("making", &place, fs::File::create(&place).map(drop))?;
                tree
            }
        };
        step("mounting", &place, sys::attach(tree.as_fd(), &c_path(&place)?))
    }
}

/// The few devices programs expect, on a filesystem that nothing can be added to.
fn devices(dev: &Path) -> Result<(), MountError> {
    let flags = MsFlags::MS_NOSUID | MsFlags::MS_NOEXEC;
    set("mounting", dev, Some("tmpfs"), flags, "mode=0755,size=64k,nr_inodes=32")?;
    for (name, minor) in [("null", 3), ("zero", 5), ("full", 7), ("random", 8), ("urandom", 9)] {
        let path = dev.join(name);
        let everyone = Mode::from_bits_truncate(0o666);
        step(
            "making the device",
            &path,
            mknod(&path, SFlag::S_IFCHR, everyone, makedev(1, minor)),
        )?;
        // The mask of the launcher does not matter.
        let open = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
        step("opening the device", &path, fs::set_permissions(&path, open))?;
    }
    for (name, target) in
        [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")]
    {
        let path = dev.join(name);
        step("linking", &path, symlink(target, &path))?;
    }
    folder(&dev.join("shm"))?;
    set("closing", dev, None, flags | MsFlags::MS_REMOUNT | MsFlags::MS_RDONLY, "")
}

fn temporary(
    path: &Path,
    more: MsFlags,
    bytes: u64,
    files: u64,
    uid: u32,
) -> Result<(), MountError> {
    let options = format!("mode=0700,uid={uid},gid={uid},size={bytes},nr_inodes={files}");
    set("mounting", path, Some("tmpfs"), MsFlags::MS_NOSUID | MsFlags::MS_NODEV | more, &options)
}

fn resize(path: &str, more: MsFlags, bytes: u64, files: u64) -> Result<(), MountError> {
    let flags = MsFlags::MS_REMOUNT | MsFlags::MS_NOSUID | MsFlags::MS_NODEV | more;
    set("resizing", path, None, flags, &format!("size={bytes},nr_inodes={files}"))
}

fn set(
    what: &'static str,
    path: impl AsRef<Path>,
    kind: Option<&str>,
    flags: MsFlags,
    options: &str,
) -> Result<(), MountError> {
    let path = path.as_ref();
    step(what, path, mount(kind, path, kind, flags, Some(options)))
}

fn folder(path: &Path) -> Result<(), MountError> {
    step("making the folder", path, fs::create_dir_all(path))
}

fn c_path(path: &Path) -> Result<CString, MountError> {
    step("naming", path, CString::new(path.as_os_str().as_bytes()))
}

fn step<T, E: Into<Cause>>(
    step: &'static str,
    path: impl AsRef<Path>,
    result: Result<T, E>,
) -> Result<T, MountError> {
    result.map_err(|error| MountError {
        step,
        path: path.as_ref().to_owned(),
        error: error.into().0,
    })
}

/// The errors of the three libraries this file calls.
struct Cause(io::Error);

impl From<io::Error> for Cause {
    fn from(error: io::Error) -> Self {
        Self(error)
    }
}

impl From<nix::Error> for Cause {
    fn from(error: nix::Error) -> Self {
        Self(error.into())
    }
}

impl From<std::ffi::NulError> for Cause {
    fn from(error: std::ffi::NulError) -> Self {
        Self(io::Error::other(error.to_string()))
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
