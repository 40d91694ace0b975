//! Entries in Java, built as the judge builds them: with the library that is shipped for them.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Compiles an entry of one file together with the library, and says how it is run. The class that
/// plays is the public one.
///
/// # Errors
///
/// Where there is no compiler here.
pub(crate) fn compile(library: &Path, entry: &str, into: &Path) -> Result<Vec<String>, String> {
    let package = entry.lines().find_map(|it| it.strip_prefix("package ")?.strip_suffix(';'));
    let class = entry.lines().find_map(|it| it.strip_prefix("public class ")?.split(' ').next());
    let class = class.expect("a public class");
    let path = package.map_or(class.to_owned(), |it| format!("{it}.{class}"));
    let sources = into.join("sources");
    fs::create_dir_all(&sources).unwrap();
    let mut files: Vec<PathBuf> = Vec::new();
    for file in fs::read_dir(library.join("Planes")).unwrap() {
        let file = file.unwrap().path();
        let text = fs::read_to_string(&file).unwrap().replace("{entry}", &path);
        let copy = sources.join(file.file_name().unwrap());
        fs::write(&copy, text).unwrap();
        files.push(copy);
    }
    // Beside the library a class might be called as one of its files.
    let own = into.join(format!("{class}.java"));
    fs::write(&own, entry).unwrap();
    files.push(own);
    let mut javac = Command::new("javac");
    javac.args(["-Xlint:all", "-Werror", "-proc:none", "-encoding", "UTF-8", "-d"]).arg(into);
    let output = javac.args(files).output().map_err(|error| format!("javac: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{path}: {said}");
    let into = into.to_str().unwrap();
    let argv = ["java", "-Xshare:auto", "-Xss64m", "-Xmx256m", "-cp", into, "Planes.AgonMain"];
    Ok(argv.map(str::to_owned).into())
}
