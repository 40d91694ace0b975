//! What is to run in a jail: a command and its limits, checked before use.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::Limits;

/// Most words of one command.
pub const ARGV_MAX: usize = 1024;
/// Most bytes of command and environment together.
pub const ARGV_BYTES_MAX: usize = 64 << 10;
/// Most variables a client may add to the environment.
pub const ENV_MAX: usize = 64;
/// Most folders mounted into one jail.
pub const DIRS_MAX: usize = 8;
/// Longest path of a folder in the jail.
pub const JAIL_PATH_BYTES_MAX: usize = 128;
/// Where the writable folder of a [`Build`] is found in the jail.
pub const BUILD_PATH: &str = "/build";

/// Whether the program may run as soon as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// It runs at once.
    Running,
    /// It does not execute its first instruction before [`Jail::thaw`](crate::Jail::thaw).
    Frozen,
}

/// A writable folder at `/build`, in memory, of bounded size. What is left in
/// it can be taken out through [`Jail::take_build`](crate::Jail::take_build).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// Most bytes in it; they count as memory of the jail.
    pub bytes_max: u64,
    /// Most files and folders in it.
    pub files_max: u64,
}

/// One process to be: its command, its surroundings, its limits.
///
/// Everything else about the jail (toolchain, users, system calls, ceilings)
/// is the launcher's own policy and cannot be asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// The program and its arguments. A name without `/` is looked for in the
    /// `PATH` of the jail; nothing is ever given to a shell.
    pub argv: Vec<String>,
    /// Variables beyond the fixed ones of the policy; the same name replaces.
    pub env: Vec<(String, String)>,
    /// The folder it starts in, as the jail sees it.
    pub cwd: String,
    /// What it may use.
    pub limits: Limits,
    /// The one core it may run on; none leaves the choice to the kernel.
    pub core: Option<u32>,
    /// Whether it runs at once.
    pub start: Start,
    /// A writable folder, where something is to be taken out again.
    pub build: Option<Build>,
}

/// Why a [`Spec`] was turned down: what was found, and what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
pub enum SpecError {
    /// A limit is over the ceiling of the launcher's policy.
    #[error("{name} is {asked}, the launcher's policy allows at most {ceiling}")]
    OverCeiling {
        /// The limit.
        name: String,
        /// What was asked for.
        asked: u64,
        /// What the policy allows.
        ceiling: u64,
    },
    /// A limit is too low for anything to run.
    #[error("{name} is {asked}, at least {floor} is needed")]
    UnderFloor {
        /// The limit.
        name: String,
        /// What was asked for.
        asked: u64,
        /// The least that makes sense.
        floor: u64,
    },
    /// There are too many of something, or it is too long.
    #[error("{what}: found {found}, allowed are at most {allowed}")]
    TooMuch {
        /// What there is too much of.
        what: String,
        /// How much was found.
        found: usize,
        /// How much is allowed.
        allowed: usize,
    },
    /// The command has no words.
    #[error("the command is empty")]
    NoCommand,
    /// A string cannot be handed to a program.
    #[error("{what} holds a NUL byte or is no name: {found:?}")]
    BadString {
        /// Which string.
        what: String,
        /// What it is.
        found: String,
    },
    /// A path in the jail cannot be used.
    #[error("{path:?} cannot be a folder of the jail: {why}")]
    BadPath {
        /// The path.
        path: String,
        /// What is wrong with it.
        why: String,
    },
    /// The core is not there.
    #[error("core {asked} is not one of the cores the launcher may use: {cores:?}")]
    NoCore {
        /// The core asked for.
        asked: u32,
        /// The cores there are.
        cores: Vec<u32>,
    },
    /// A descriptor sent along is no folder that may be mounted.
    #[error("the folder for {path:?} cannot be mounted: {why}")]
    BadDirectory {
        /// Where it was to be mounted.
        path: String,
        /// What is wrong with it.
        why: String,
    },
}

impl Spec {
    /// Whether its words are not too many, nor too long: for who makes them of what others say.
    ///
    /// # Errors
    ///
    /// [`SpecError::TooMuch`], with what was found and what is allowed.
    pub fn fits(&self) -> Result<(), SpecError> {
        bounded("words of the command", self.argv.len(), ARGV_MAX)?;
        let words: usize = self.argv.iter().map(|word| word.len() + 1).sum();
        let variables: usize = self.env.iter().map(|(k, v)| k.len() + v.len() + 2).sum();
        bounded("bytes of command and environment", words + variables, ARGV_BYTES_MAX)
    }

    /// Checks everything that can be judged without knowing the policy.
    pub(crate) fn check(&self, dirs: &[&str]) -> Result<(), SpecError> {
        if self.argv.first().is_none_or(String::is_empty) {
            return Err(SpecError::NoCommand);
        }
        self.fits()?;
        bounded("variables of the environment", self.env.len(), ENV_MAX)?;
        bounded("folders", dirs.len(), DIRS_MAX)?;
        for word in &self.argv {
            no_nul("a word of the command", word)?;
        }
        for (name, value) in &self.env {
            if name.is_empty() || name.contains('=') {
                return Err(bad_string("the name of a variable", name));
            }
            no_nul("the name of a variable", name)?;
            no_nul("the value of a variable", value)?;
        }
        check_cwd(&self.cwd)?;
        for (at, path) in dirs.iter().enumerate() {
            check_path(path)?;
            if let Some(other) = dirs[..at].iter().find(|other| overlap(path, other)) {
                return Err(bad_path(path, &format!("it overlaps with {other:?}")));
            }
        }
        Ok(())
    }
}

fn bounded(what: &str, found: usize, allowed: usize) -> Result<(), SpecError> {
    let too_much = || SpecError::TooMuch { what: what.to_owned(), found, allowed };
    (found <= allowed).then_some(()).ok_or_else(too_much)
}

/// Whether one path is the other, or lies in it.
pub(crate) fn overlap(a: &str, b: &str) -> bool {
    let inside = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.starts_with('/'));
    a == b || inside(a, b) || inside(b, a)
}

pub(crate) fn bad_path(path: &str, why: &str) -> SpecError {
    SpecError::BadPath { path: path.to_owned(), why: why.to_owned() }
}

/// A folder as it is named, and none that depends on who asks.
fn check_cwd(cwd: &str) -> Result<(), SpecError> {
    no_nul("cwd", cwd)?;
    if !cwd.starts_with('/') {
        return Err(bad_path(cwd, "cwd starts with '/'"));
    }
    if cwd.split('/').any(|name| name == "..") {
        return Err(bad_path(cwd, "cwd leads up by '..'"));
    }
    match overlap(cwd, "/proc") && cwd != "/" {
        true => Err(bad_path(cwd, "what lies in /proc is another thing for everybody")),
        false => Ok(()),
    }
}

/// Plain names only, so that no path means anything but itself.
fn check_path(path: &str) -> Result<(), SpecError> {
    if path.len() > JAIL_PATH_BYTES_MAX {
        return Err(SpecError::TooMuch {
            what: "bytes of a folder's path".to_owned(),
            found: path.len(),
            allowed: JAIL_PATH_BYTES_MAX,
        });
    }
    let Some(names) = path.strip_prefix('/') else {
        return Err(bad_path(path, "it starts with '/'"));
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    if names
        .split('/')
        .any(|name| name.is_empty() || name.starts_with('.') || !name.chars().all(plain))
    {
        return Err(bad_path(
            path,
            "names are letters, digits, '.', '_' and '-', and do not begin with '.'",
        ));
    }
    let ours = ["/proc", "/dev", "/tmp", BUILD_PATH];
    match ours.iter().find(|taken| overlap(path, taken)) {
        Some(taken) => Err(bad_path(path, &format!("{taken:?} is the jail's own"))),
        None => Ok(()),
    }
}

fn no_nul(what: &str, found: &str) -> Result<(), SpecError> {
    if found.contains('\0') { Err(bad_string(what, found)) } else { Ok(()) }
}

fn bad_string(what: &str, found: &str) -> SpecError {
    SpecError::BadString { what: what.to_owned(), found: found.chars().take(80).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> Spec {
        Spec {
            argv: vec!["/bot/bot".to_owned()],
            env: Vec::new(),
            cwd: "/".to_owned(),
            limits: Limits {
                memory_bytes_max: 64 << 20,
                processes_max: 8,
                cpu_percent_max: 100,
                descriptors_max: 64,
                file_bytes_max: 1 << 20,
                stack_bytes_max: 8 << 20,
                tmp_bytes_max: 1 << 20,
                tmp_files_max: 64,
                shm_bytes_max: 1 << 20,
            },
            core: None,
            start: Start::Running,
            build: None,
        }
    }

    #[test]
    fn folders_have_plain_paths_that_do_not_meet() {
        for (dirs, good) in [
            (&["/bot"][..], true),
            (&["/bot", "/src"], true),
            (&["/bot", "/botany"], true),
            (&["/a/b", "/a/c"], true),
            (&["bot"], false),
            (&["/"], false),
            (&["/bot/"], false),
            (&["/bot/../etc"], false),
            (&["/.hidden"], false),
            (&["/a b"], false),
            (&["/bot", "/bot"], false),
            (&["/bot", "/bot/in"], false),
            (&["/proc"], false),
            (&["/dev/shm"], false),
            (&["/build/x"], false),
        ] {
            assert_eq!(spec().check(dirs).is_ok(), good, "{dirs:?}");
        }
    }

    #[test]
    fn commands_are_bounded_and_hold_no_nul() {
        let with = |change: fn(&mut Spec)| {
            let mut spec = spec();
            change(&mut spec);
            spec.check(&[]).is_ok()
        };
        assert!(with(|_| ()));
        assert!(!with(|spec| spec.argv.clear()));
        assert!(!with(|spec| spec.argv = vec![String::new()]));
        assert!(!with(|spec| spec.argv.push("a\0b".to_owned())));
        assert!(!with(|spec| spec.argv = vec!["x".to_owned(); ARGV_MAX + 1]));
        assert!(!with(|spec| spec.argv.push("x".repeat(ARGV_BYTES_MAX))));
        assert!(!with(|spec| spec.env.push(("A=B".to_owned(), String::new()))));
        assert!(!with(|spec| spec.env.push((String::new(), String::new()))));
        for cwd in ["bot", "", "/bot/../etc", "/proc", "/proc/self/fd/4", "/a\0b"] {
            let mut spec = spec();
            spec.cwd = cwd.to_owned();
            assert!(spec.check(&[]).is_err(), "{cwd:?}");
        }
        assert!(with(|spec| spec.cwd = "/".to_owned()));
    }
}
