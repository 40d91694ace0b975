//! `agon play GAME --round-robin ...` in a folder of its own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value as Json;
use tempfile::TempDir;

use crate::common::{AGON, config_dir};

/// Without a jail bots pay for a machine that has no time for them.
pub(crate) const PATIENT: [&str; 4] = ["--set", "turn_ms=60000", "--set", "total_ms=3600000"];

/// Where bots are written, and nothing may be left beside them.
pub(crate) struct Kit {
    pub(crate) bots: TempDir,
    /// What the command uses for temporary files.
    pub(crate) temporary: TempDir,
}

impl Kit {
    pub(crate) fn new() -> Kit {
        let folder = || tempfile::Builder::new().prefix("agon-robin-").tempdir().unwrap();
        Kit { bots: folder(), temporary: folder() }
    }

    pub(crate) fn bot(&self, name: &str, source: &str) -> String {
        let path = self.bots.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, source).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut agon = Command::new(AGON);
        agon.arg("play").args(args).arg("--config-dir").arg(config_dir());
        agon.env("TMPDIR", self.temporary.path());
        agon.env_remove("AGON_CONFIG").env_remove("AGON_CONFIG_DIR");
        // The system's own interpreters: what stands in for them in a home folder starts slowly.
        agon.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        // Jails of its own, whoever else makes some on this machine.
        agon.env("AGON_JAIL__CGROUP_PARENT", "agon-robin-test");
        agon.env("AGON_JAIL__UID_FIRST", "73000").env("AGON_JAIL__UID_COUNT", "64");
        agon
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// The same with --json, which has to end with this code.
    pub(crate) fn json(&self, args: &[&str], code: i32) -> Json {
        let output = self.run(&[args, &["--json"]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|it| panic!("{it}: {said}"))
    }

    /// That nothing is left of what was built and run.
    pub(crate) fn leaves_nothing(&self) {
        let left: Vec<PathBuf> =
            fs::read_dir(self.temporary.path()).unwrap().map(|it| it.unwrap().path()).collect();
        assert_eq!(left, Vec::<PathBuf>::new());
    }
}

/// A bot that is shipped with Planes.
pub(crate) fn shipped(file: &str) -> String {
    let path = config_dir().join("games/planes/bots").join(file);
    assert!(path.is_file(), "{}", path.display());
    path.to_str().unwrap().to_owned()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

pub(crate) fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|it| it.unwrap().file_name());
    let mut names: Vec<String> = names.map(|it| it.into_string().unwrap()).collect();
    names.sort();
    names
}
