//! Which languages work in the jails of this host, and how their files get into memory.

use std::{os::unix::fs::MetadataExt, path::Path, time::Duration};

use sandbox::{Client, How, Spec, Start};

use crate::{
    build::{self, env},
    command::{self, Bounds, Done, Stop},
    language::Language,
};

/// What a version command may take: cold files on a slow disk are slow.
const VERSION_WAIT: Duration = Duration::from_secs(20);
/// Longest version that is told.
const VERSION_CHARS_MAX: usize = 120;
const SAID_BYTES_MAX: usize = 64 << 10;
/// What one command that warms up may take.
const WARM_UP_WAIT: Duration = Duration::from_secs(30);

/// What the toolchain of `language` says of its version, asked inside a jail;
/// or why the language cannot be used here.
///
/// # Errors
///
/// The reason, for people.
pub async fn version(client: &Client, language: &Language) -> Result<String, String> {
    let (spec, bounds) = in_a_jail(language, &language.toolchain.version);
    let command = language.toolchain.version.join(" ");
    let done = command::run(client, &spec, &[], &bounds).await;
    let Done { stop, log, .. } = done.map_err(|trouble| format!("`{command}`: {trouble}"))?;
    let text = log.into_text();
    let line = text.lines().map(str::trim).find(|it| !it.is_empty()).unwrap_or_default();
    let line: String = line.chars().take(VERSION_CHARS_MAX).collect();
    let why = match stop {
        Stop::Ended(ending) => match ending.how {
            How::Exited(0) if !line.is_empty() => return Ok(line),
            How::Exited(0) => "it says nothing".to_owned(),
            How::Exited(code) => format!("it ended with exit code {code}: {line}"),
            How::Signalled(signal) => format!("it was ended by signal {signal}: {line}"),
            How::OutOfMemory => "it took more memory than a build may".to_owned(),
            How::NotStarted(why) => format!("{why} (looked in {})", language.path()),
        },
        Stop::Wall | Stop::Cpu => format!("it took longer than {} s", VERSION_WAIT.as_secs()),
        Stop::Said => format!("it said more than {SAID_BYTES_MAX} bytes"),
    };
    Err(format!("`{command}` does not work in the jail: {why}"))
}

/// What tells a toolchain from one that has taken its place: the files of its
/// programs, as far as this host has them.
pub fn stamp(language: &Language) -> String {
    let commands = [&language.toolchain.version, &language.build.command, &language.run.command];
    let path = language.path();
    let mut stamp = String::new();
    for program in commands.into_iter().filter_map(|it| it.first()) {
        let mut folders = path.split(':').map(|folder| Path::new(folder).join(program));
        let Some(found) = folders.find_map(|it| it.metadata().ok()) else { continue };
        let (device, file, seconds, nanos, bytes) =
            (found.dev(), found.ino(), found.mtime(), found.mtime_nsec(), found.len());
        stamp.push_str(&format!("{program} {device} {file} {seconds}.{nanos} {bytes};"));
    }
    stamp
}

/// Runs the commands that bring the files of `language` into memory: a jail that reads a file
/// first pays for it with its own memory. These are jails, too: nothing of a toolchain runs outside
/// of one, and what a host or its worker have about them changes none of it. What does not work here
/// is passed over.
pub async fn warm_up(client: &Client, language: &Language) {
    for command in &language.toolchain.warm_up {
        let (spec, bounds) = in_a_jail(language, command);
        // Some read large files aloud.
        let (wall, said_bytes_max) = (WARM_UP_WAIT, build::SAID_BYTES_MAX);
        let bounds = Bounds { wall, cpu: wall, said_bytes_max, ..bounds };
        let command = command.join(" ");
        match command::run(client, &spec, &[], &bounds).await {
            Ok(Done { stop: Stop::Ended(ending), .. }) => {
                tracing::debug!(command, how = ?ending.how, "warmed up");
            }
            Ok(_) => tracing::debug!(command, "not warmed up: it did not end"),
            Err(trouble) => tracing::debug!(command, %trouble, "not warmed up"),
        }
    }
}

/// A command of a toolchain by itself: it sees no upload, and leaves nothing.
fn in_a_jail(language: &Language, command: &[String]) -> (Spec, Bounds) {
    let spec = Spec {
        argv: command.to_vec(),
        env: env(&language.build.env, language),
        cwd: "/tmp".to_owned(),
        limits: language.build.limits(),
        core: None,
        start: Start::Running,
        build: None,
    };
    let bounds = Bounds {
        wall: VERSION_WAIT,
        cpu: VERSION_WAIT,
        log_bytes_max: SAID_BYTES_MAX,
        said_bytes_max: SAID_BYTES_MAX as u64,
    };
    (spec, bounds)
}
