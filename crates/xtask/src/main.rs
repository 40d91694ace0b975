//! `cargo xtask CHORE`: finds the chore and the tree, and turns what came of it into an exit code.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, Result, bail};
use xtask::{assets, measure, tidy, tree::Tree};

const USAGE: &str = "\
cargo xtask tidy [FOLDER]     checks the rules of the house: imports, file heads, names, games, migrations
cargo xtask assets [--check]  builds web/dist; with --check, checks the types of its scripts too
cargo xtask measure machine   names this machine, for a table of figures
cargo xtask measure bench [CRATE...]
                              runs the benches of these crates, or of all that have some";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str]) -> Result<ExitCode> {
    let root = root()?;
    match *arguments {
        ["tidy"] => run_tidy(&root),
        ["tidy", folder] => run_tidy(Path::new(folder)),
        ["assets"] => assets::build(&root, false).map(|()| ExitCode::SUCCESS),
        ["assets", "--check"] => assets::build(&root, true).map(|()| ExitCode::SUCCESS),
        ["measure", "machine"] => {
            println!("{}", measure::machine());
            Ok(ExitCode::SUCCESS)
        }
        ["measure", "bench", ref crates @ ..] => {
            measure::bench(&root, crates).map(|()| ExitCode::SUCCESS)
        }
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(ExitCode::SUCCESS)
        }
        ref other => bail!("found `{}`; allowed are\n{USAGE}", other.join(" ")),
    }
}

fn run_tidy(root: &Path) -> Result<ExitCode> {
    let tree = Tree::read(root)?;
    let findings = tidy::check(&tree);
    for finding in &findings {
        println!("{finding}");
    }
    let n_wrong = findings.iter().filter(|it| !it.is_warning).count();
    println!(
        "tidy: {} crates, {} files: {n_wrong} wrong, {} to watch",
        tree.packages.len(),
        tree.files.len(),
        findings.len() - n_wrong,
    );
    Ok(if n_wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The folder of the workspace, from wherever in it the command was given.
fn root() -> Result<PathBuf> {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_folder.ancestors().nth(2).context("xtask lies in crates/xtask")?;
    Ok(root.to_path_buf())
}
