//! The repository as its checks see it: what each crate imports, and the text of its files.
//! Plain values, so that a test can plant a fault without a second repository.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// Folders that hold what tools made.
const MADE: &[&str] = &["target", "node_modules", "dist", "test-results", "__pycache__"];

/// Files whose text is looked at, by ending.
const READ: &[&str] = &["rs", "toml", "sql", "ts", "js", "css", "html"];

/// Where the workspace says what it is made of.
pub const MANIFEST: &str = "Cargo.toml";

/// Parts of the tree that have rules.
const LOOKED_AT: &[&str] = &["crates", "migrations", "web"];

/// All that the checks look at.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The crates of the workspace.
    pub packages: Vec<Package>,
    /// Files with their text, by path.
    pub files: Vec<File>,
    /// Paths of all files, those without a text too.
    pub paths: BTreeSet<String>,
}

/// A crate of the workspace.
#[derive(Clone, Debug)]
pub struct Package {
    /// Its name.
    pub name: String,
    /// Its folder, from the top of the tree: `crates/game`.
    pub folder: String,
    /// What its manifest imports, of every kind and for every platform.
    pub dependencies: Vec<Dependency>,
    /// The files that its library and its programs start from, the library first.
    pub roots: Vec<String>,
}

/// A line of a manifest that imports a crate.
#[derive(Clone, Debug)]
pub struct Dependency {
    /// The crate's own name, whatever the manifest calls it.
    pub name: String,
    /// What the manifest calls it.
    pub key: String,
    /// Who gets to see it.
    pub kind: Kind,
}

/// Who gets to see a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The crate itself.
    Normal,
    /// Its tests, benches and examples.
    Dev,
    /// Its build script.
    Build,
}

/// A text of the tree.
#[derive(Clone, Debug)]
pub struct File {
    /// From the top of the tree, with `/` between folders.
    pub path: String,
    /// What is in it.
    pub text: String,
}

impl Tree {
    /// Reads the workspace at `root`.
    pub fn read(root: &Path) -> Result<Tree> {
        let root =
            root.canonicalize().with_context(|| format!("looking for {}", root.display()))?;
        let mut tree = Tree { packages: packages(&metadata(&root)?)?, ..Tree::default() };
        tree.read_file(&root, &root.join(MANIFEST))?;
        for part in LOOKED_AT {
            let folder = root.join(part);
            if folder.is_dir() {
                tree.read_folder(&root, &folder)?;
            }
        }
        Ok(tree)
    }

    /// The text of the file at `path`.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.iter().find(|it| it.path == path).map(|it| it.text.as_str())
    }

    /// The crate called `name`.
    pub fn package(&self, name: &str) -> Option<&Package> {
        self.packages.iter().find(|it| it.name == name)
    }

    fn read_folder(&mut self, root: &Path, folder: &Path) -> Result<()> {
        let mut entries = fs::read_dir(folder)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .with_context(|| format!("reading {}", folder.display()))?;
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with('.') || MADE.contains(&name.as_ref()) {
                continue;
            }
            let kind = entry.file_type().with_context(|| format!("looking at {name}"))?;
            if kind.is_dir() {
                self.read_folder(root, &entry.path())?;
            } else if kind.is_file() {
                self.read_file(root, &entry.path())?;
            }
        }
        Ok(())
    }

    fn read_file(&mut self, root: &Path, full: &Path) -> Result<()> {
        let path = relative(root, full)?;
        if READ.iter().any(|it| full.extension().is_some_and(|found| found == *it)) {
            let text = fs::read_to_string(full).with_context(|| format!("reading {path}"))?;
            self.files.push(File { path: path.clone(), text });
        }
        self.paths.insert(path);
        Ok(())
    }
}

fn metadata(root: &Path) -> Result<Value> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("starting cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout).context("reading what cargo metadata wrote")
}

fn packages(metadata: &Value) -> Result<Vec<Package>> {
    let root = PathBuf::from(string(&metadata["workspace_root"])?);
    list(&metadata["packages"])?.iter().map(|it| package(&root, it)).collect()
}

fn package(root: &Path, package: &Value) -> Result<Package> {
    let manifest = relative(root, Path::new(string(&package["manifest_path"])?))?;
    let mut roots = Vec::new();
    for target in list(&package["targets"])? {
        let path = relative(root, Path::new(string(&target["src_path"])?))?;
        match target["kind"][0].as_str() {
            Some("lib" | "proc-macro") => roots.insert(0, path),
            Some("bin") => roots.push(path),
            _ => {}
        }
    }
    Ok(Package {
        name: string(&package["name"])?.to_owned(),
        folder: manifest.trim_end_matches("/Cargo.toml").to_owned(),
        dependencies: list(&package["dependencies"])?
            .iter()
            .map(dependency)
            .collect::<Result<_>>()?,
        roots,
    })
}

fn dependency(it: &Value) -> Result<Dependency> {
    let name = string(&it["name"])?;
    Ok(Dependency {
        name: name.to_owned(),
        key: it["rename"].as_str().unwrap_or(name).to_owned(),
        kind: match it["kind"].as_str() {
            None => Kind::Normal,
            Some("dev") => Kind::Dev,
            Some("build") => Kind::Build,
            Some(other) => bail!("cargo metadata says kind `{other}` of {name}"),
        },
    })
}

fn string(value: &Value) -> Result<&str> {
    value.as_str().with_context(|| format!("cargo metadata has {value} for a text"))
}

fn list(value: &Value) -> Result<&[Value]> {
    value.as_array().map(Vec::as_slice).context("cargo metadata lacks a list")
}

fn relative(root: &Path, full: &Path) -> Result<String> {
    let path = full
        .strip_prefix(root)
        .with_context(|| format!("{} is not below {}", full.display(), root.display()))?;
    let path =
        path.to_str().with_context(|| format!("the name {} is not UTF-8", path.display()))?;
    Ok(path.to_owned())
}
