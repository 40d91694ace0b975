//! Which languages work in the jails of this host, and how their files get into memory.

use std::{os::unix::fs::MetadataExt, path::Path, process::Stdio, time::Duration};

use sandbox::{Client, How, Spec, Start};
use tokio::{process::Command, time::timeout};

use crate::{
    build::env,
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
    let spec = Spec {
        argv: language.toolchain.version.clone(),
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

/// Runs the commands that bring the files of `language` into memory, outside
/// any jail: a jail that reads a file first pays for it with its own memory.
/// What does not work here is passed over.
pub async fn warm_up(language: &Language) {
    for command in &language.toolchain.warm_up {
        let [program, args @ ..] = command.as_slice() else { continue };
        let child = Command::new(program)
            .args(args)
            .env("PATH", language.path())
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .status();
        match timeout(WARM_UP_WAIT, child).await {
            Ok(Ok(status)) => tracing::debug!(%program, %status, "warmed up"),
            Ok(Err(error)) => tracing::debug!(%program, %error, "not warmed up"),
            Err(_) => tracing::debug!(%program, "not warmed up in time"),
        }
    }
}
