//! The web bundle: `web/dist` out of `web/`, by the scripts that `web/package.json` names.

use std::{fs, path::Path, process::Command, time::SystemTime};

use anyhow::{Context, Result, bail};

/// Installs what the bundle is made with, where that is missing or old, and makes the bundle;
/// with `check` its types are checked too.
pub fn build(root: &Path, check: bool) -> Result<()> {
    let web = root.join("web");
    if !web.join("package.json").is_file() {
        bail!("found no web/package.json in {}", root.display());
    }
    if !is_installed(&web) {
        // `ci` takes what the lock file says and nothing newer.
        npm(&web, &["ci", "--no-audit", "--no-fund"])?;
    }
    npm(&web, &["run", "--silent", "build"])?;
    if check { npm(&web, &["run", "--silent", "check"]) } else { Ok(()) }
}

/// npm writes a lock file of its own when it is through; one older than ours is out of date.
fn is_installed(web: &Path) -> bool {
    let written = |path: &str| -> Option<SystemTime> {
        fs::metadata(web.join(path)).and_then(|it| it.modified()).ok()
    };
    match (written("package-lock.json"), written("node_modules/.package-lock.json")) {
        (Some(wanted), Some(installed)) => wanted <= installed,
        _ => false,
    }
}

fn npm(web: &Path, arguments: &[&str]) -> Result<()> {
    let shown = format!("npm {} in web/", arguments.join(" "));
    let status = Command::new("npm")
        .args(arguments)
        .current_dir(web)
        .status()
        .with_context(|| format!("starting {shown}"))?;
    if !status.success() {
        bail!("{shown} ended with {status}");
    }
    Ok(())
}
