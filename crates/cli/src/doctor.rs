//! `agon doctor`: tries every protection of a jail on this machine, and says
//! which are in force. `agon probe` is what it runs in there.

use std::process::ExitCode;

use anyhow::Context;
use nix::unistd::geteuid;
use sandbox::{
    Client, HelloError, Missing, Report,
    doctor::{Check, Probe, State, examine, try_inside},
    launcher,
};
use serde_json::json;

use crate::config;

#[derive(clap::Args)]
pub struct Options {
    /// Print what was found as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    config: config::Location,
}

#[derive(clap::Args)]
pub struct ProbeOptions {
    /// What to try.
    trial: String,
}

/// Ends with 0 where all holds but what the kernel lacks, else with 1.
pub fn run(options: Options) -> anyhow::Result<ExitCode> {
    if !geteuid().is_root() {
        anyhow::bail!(
            "`agon doctor` must be started as root (or with sudo): only root can make jails"
        );
    }
    let policy = config::policy(&options.config)?;
    // A launcher is a copy of this process, which has no threads.
    let (socket, _) = launcher::fork(&policy).context("starting a launcher")?;
    let client = Client::new(socket);
    let scratch = tempfile::tempdir().context("making a folder")?;
    let probe = Probe::this_program(scratch.path()).context("finding our own program")?;
    let looked = client.hello().and_then(|report| Ok((report, examine(&client, &probe)?)));
    let (report, checks) = match looked {
        Ok((report, checks)) => (Some(report), checks),
        Err(HelloError::Missing(missing)) => (None, missing.iter().map(broken).collect()),
        Err(error) => return Err(error).context("asking the launcher"),
    };
    let text = match options.json {
        true => as_json(report.as_ref(), &checks)?,
        false => as_table(report.as_ref(), &checks),
    };
    // Who reads only the first lines has seen enough.
    crate::say::out(format_args!("{text}"));
    Ok(if holds(&checks) && !crate::say::is_lost() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Tries one thing, in a jail.
pub fn probe(options: &ProbeOptions) -> ExitCode {
    ExitCode::from(u8::try_from(try_inside(&options.trial)).unwrap_or(u8::MAX))
}

fn broken(it: &Missing) -> Check {
    Check { name: it.what.clone(), state: State::Broken, found: it.why.clone() }
}

fn holds(checks: &[Check]) -> bool {
    checks.iter().all(|it| it.state != State::Broken)
}

fn count(checks: &[Check], state: State) -> usize {
    checks.iter().filter(|it| it.state == state).count()
}

fn as_table(report: Option<&Report>, checks: &[Check]) -> String {
    let mut lines = Vec::new();
    if let Some(Report { kernel, backend, jails_max, cores, .. }) = report {
        let cores: Vec<String> = cores.iter().map(u32::to_string).collect();
        let cores = cores.join(" ");
        lines.push(format!("Linux {kernel}; {backend}; cores {cores}; at most {jails_max} jails"));
    }
    let width = checks.iter().map(|it| it.name.chars().count()).max().unwrap_or(0);
    for Check { name, state, found } in checks {
        lines.push(format!("{state:9} {name:width$}  {found}"));
    }
    let warnings = report.iter().flat_map(|it| &it.warnings);
    lines.extend(warnings.map(|warning| format!("note: {warning}")));
    let [held, lacking, broken] =
        [State::InForce, State::Lacking, State::Broken].map(|it| count(checks, it));
    lines.push(format!("{held} in force, {lacking} lacking, {broken} broken"));
    if broken > 0 {
        lines.push("a worker refuses to start here".to_owned());
    }
    lines.push(String::new());
    lines.join("\n")
}

fn as_json(report: Option<&Report>, checks: &[Check]) -> anyhow::Result<String> {
    let found = json!({ "holds": holds(checks), "checks": checks, "launcher": report });
    Ok(serde_json::to_string_pretty(&found)? + "\n")
}
