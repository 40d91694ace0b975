//! Measurements: the benches of the workspace, and the name of the machine they ran on.
//! A figure without its machine says nothing, so the two are printed together.

use std::{env, fs, path::Path, process::Command};

use anyhow::{Context, Result, bail};

use crate::tree::{Package, Tree};

/// Runs the benches of `crates`, or of every crate that has some.
pub fn bench(root: &Path, crates: &[&str]) -> Result<()> {
    let tree = Tree::read(root)?;
    let chosen = if crates.is_empty() {
        tree.packages.iter().filter(|it| has_benches(&tree, it)).collect()
    } else {
        crates.iter().map(|name| with_benches(&tree, name)).collect::<Result<Vec<_>>>()?
    };
    println!("{}", machine());
    for package in chosen {
        println!("\n{}", package.name);
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let status = Command::new(cargo)
            .args(["bench", "--quiet", "--locked", "--package", &package.name, "--benches"])
            .current_dir(root)
            .status()
            .context("starting cargo bench")?;
        if !status.success() {
            bail!("the benches of {} ended with {status}", package.name);
        }
    }
    Ok(())
}

/// Processor, cores, memory, kernel and compiler, in one line.
pub fn machine() -> String {
    let processor = after_colon("/proc/cpuinfo", "model name");
    let memory = after_colon("/proc/meminfo", "MemTotal")
        .and_then(|it| it.split(' ').next()?.parse::<u64>().ok())
        .map(|kib| format!("{} GiB", kib.div_ceil(1024 * 1024)));
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").ok();
    let cores = std::thread::available_parallelism().ok().map(|it| format!("{it} cores"));
    let compiler = Command::new("rustc").arg("--version").output().ok();
    let compiler = compiler.and_then(|it| String::from_utf8(it.stdout).ok());
    let kernel = kernel.map(|it| format!("Linux {}", it.trim()));
    let compiler = compiler.map(|it| it.trim().to_owned());
    let known = [processor, cores, memory, kernel, compiler];
    known.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn has_benches(tree: &Tree, package: &Package) -> bool {
    let folder = format!("{}/benches/", package.folder);
    tree.paths.iter().any(|it| it.starts_with(&folder))
}

fn with_benches<'a>(tree: &'a Tree, name: &str) -> Result<&'a Package> {
    let package = tree.package(name).with_context(|| format!("found no crate {name}"))?;
    if !has_benches(tree, package) {
        bail!("{name} has no benches");
    }
    Ok(package)
}

fn after_colon(path: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|it| it.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
