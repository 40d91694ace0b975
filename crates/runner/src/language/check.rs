//! Holds every value of a language file against its bounds.

use std::{collections::BTreeMap, path::Path};

use super::{Language, LanguageError, SOURCES};

/// Least and most of each number, by key.
const NUMBERS: [(&str, u32, u32); 15] = [
    ("guess.rank", 0, 1000),
    ("build.wall_s", 1, 600),
    ("build.cpu_s", 1, 600),
    ("build.memory_mib", 16, 16 << 10),
    ("build.processes", 1, 1024),
    ("build.output_mib", 1, 1024),
    ("build.tmp_mib", 1, 4096),
    ("build.tmp_files", 16, 1 << 20),
    ("run.memory_mib", 4, 16 << 10),
    ("run.processes", 1, 1024),
    ("run.stack_mib", 1, 1024),
    ("run.heap_percent", 10, 90),
    ("run.tmp_mib", 1, 1024),
    ("run.tmp_files", 16, 1 << 16),
    ("toolchain.mounts", 0, 32),
];

const LABEL_CHARS_MAX: usize = 40;
const TEXT_CHARS_MAX: usize = 500;
const WORD_CHARS_MAX: usize = 500;
const NAME_CHARS_MAX: usize = 64;
const LIST_MAX: usize = 32;

/// Says where a value was found that is out of its bounds.
pub(super) struct Bounds<'a> {
    pub(super) path: &'a Path,
}

pub(super) fn language(it: &Language, at: &Bounds<'_>) -> Result<(), LanguageError> {
    at.name("the file's name", &it.id, |c| {
        c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'
    })?;
    at.text("label", &it.label, 1, LABEL_CHARS_MAX)?;
    at.text("libraries", &it.libraries, 1, TEXT_CHARS_MAX)?;
    at.text("notes", &it.notes, 0, TEXT_CHARS_MAX)?;

    let extension = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '+';
    at.list("guess.extensions", &it.guess.extensions, 1)?;
    for found in &it.guess.extensions {
        at.name("guess.extensions", found, extension)?;
    }
    at.list("guess.shebangs", &it.guess.shebangs, 0)?;
    for found in &it.guess.shebangs {
        at.name("guess.shebangs", found, plain)?;
    }
    at.list("guess.contents", &it.guess.contents, 0)?;
    for found in &it.guess.contents {
        at.text("guess.contents", found, 2, LABEL_CHARS_MAX)?;
    }

    at.name("source.name", &it.source.name, plain)?;
    if let Some(class) = &it.source.class {
        at.list("source.class.declared_by", &class.declared_by, 1)?;
        at.list("source.class.modifiers", &class.modifiers, 0)?;
        let singles = [
            ("source.class.public_by", &class.public_by),
            ("source.class.package_by", &class.package_by),
        ];
        let declared = class.declared_by.iter().map(|it| ("source.class.declared_by", it));
        let modifiers = class.modifiers.iter().map(|it| ("source.class.modifiers", it));
        for (key, word) in singles.into_iter().chain(declared).chain(modifiers) {
            at.name(key, word, |c| c.is_ascii_lowercase() || c == '-')?;
        }
        at.text("source.class.main_by", &class.main_by, 1, LABEL_CHARS_MAX)?;
    }

    let prefix = it.toolchain.prefix.iter().map(|path| ("languages.prefix", path));
    for (key, path) in it.toolchain.mounts.iter().map(|it| ("toolchain.mounts", it)).chain(prefix) {
        let whole = path.is_absolute() && path.to_str().is_some() && path.components().count() > 1;
        let whole = whole && !path.to_string_lossy().contains([':', '\0']);
        at.holds(whole, key, &path.to_string_lossy(), "an absolute path below /, without ':'")?;
    }
    at.command("toolchain.version", &it.toolchain.version, &[])?;
    at.list("toolchain.warm_up", &it.toolchain.warm_up, 0)?;
    for command in &it.toolchain.warm_up {
        at.command("toolchain.warm_up", command, &[])?;
    }
    let build = ["{src}", "{name}", "{build}", "{sources}"];
    at.command("build.command", &it.build.command, &build)?;
    at.whole_word("build.command", &it.build.command)?;
    let folders = ["{build}", "{src}"];
    let is_folder = folders.contains(&&*it.build.folder);
    at.holds(is_folder, "build.folder", &it.build.folder, &folders.join(" or "))?;
    if let Some(archive) = &it.archive {
        at.list("archive.entries", &archive.entries, 1)?;
        for found in &archive.entries {
            at.name("archive.entries", found, |c| plain(c) || c == '/')?;
        }
        at.text("archive.about", &archive.about, 0, TEXT_CHARS_MAX)?;
        if !archive.command.is_empty() {
            at.command("archive.command", &archive.command, &build)?;
            at.whole_word("archive.command", &archive.command)?;
        }
    }
    at.env("build.env", &it.build.env, &[])?;
    let run = ["{bot}", "{entry}", "{memory_mib}", "{heap_mib}", "{stack_mib}", "{cores}"];
    at.command("run.command", &it.run.command, &run)?;
    at.env("run.env", &it.run.env, &run[2..])?;

    let found = [
        it.guess.rank,
        it.build.wall_s,
        it.build.cpu_s,
        it.build.memory_mib,
        it.build.processes,
        it.build.output_mib,
        it.build.tmp_mib,
        it.build.tmp_files,
        it.run.memory_mib,
        it.run.processes,
        it.run.stack_mib,
        it.run.heap_percent,
        it.run.tmp_mib,
        it.run.tmp_files,
        it.toolchain.mounts.len() as u32,
    ];
    for (found, (key, min, max)) in found.into_iter().zip(NUMBERS) {
        let allowed = format!("{min} to {max}");
        at.holds((min..=max).contains(&found), key, &found.to_string(), &allowed)?;
    }
    Ok(())
}

impl Bounds<'_> {
    fn holds(&self, it: bool, key: &str, found: &str, allowed: &str) -> Result<(), LanguageError> {
        if it {
            return Ok(());
        }
        let found = if found.is_empty() { "nothing" } else { found }.chars().take(80).collect();
        let (path, key, allowed) = (self.path.to_owned(), key.to_owned(), allowed.to_owned());
        Err(LanguageError::Value { path, key, found, allowed })
    }

    fn text(&self, key: &str, found: &str, min: usize, max: usize) -> Result<(), LanguageError> {
        let fits = (min..=max).contains(&found.chars().count()) && !found.contains('\0');
        self.holds(fits, key, found, &format!("a text of {min} to {max} characters"))
    }

    fn name(&self, key: &str, found: &str, allows: fn(char) -> bool) -> Result<(), LanguageError> {
        let fits = (1..=NAME_CHARS_MAX).contains(&found.len())
            && !found.starts_with(['.', '-'])
            && found.chars().all(allows);
        let allowed = format!("a plain name of 1 to {NAME_CHARS_MAX} characters");
        self.holds(fits, key, found, &allowed)
    }

    fn list<T>(&self, key: &str, found: &[T], min: usize) -> Result<(), LanguageError> {
        let (n, allowed) = (found.len(), format!("a list of {min} to {LIST_MAX}"));
        self.holds((min..=LIST_MAX).contains(&n), key, &format!("{n} entries"), &allowed)
    }

    fn command(&self, key: &str, found: &[String], holes: &[&str]) -> Result<(), LanguageError> {
        self.list(key, found, 1)?;
        for word in found {
            self.text(key, word, 1, WORD_CHARS_MAX)?;
            let rest = holes.iter().fold(word.clone(), |word, hole| word.replace(hole, ""));
            let allowed = match holes {
                [] => "a word without { and }".to_owned(),
                _ => format!("a word without {{ and }} but in {}", holes.join(", ")),
            };
            self.holds(!rest.contains(['{', '}']), key, word, &allowed)?;
        }
        Ok(())
    }

    /// What becomes many words is none's part.
    fn whole_word(&self, key: &str, found: &[String]) -> Result<(), LanguageError> {
        for word in found {
            let whole = word == SOURCES || !word.contains(SOURCES);
            self.holds(whole, key, word, &format!("{SOURCES} as a word of its own"))?;
        }
        Ok(())
    }

    fn env(
        &self,
        key: &str,
        found: &BTreeMap<String, String>,
        holes: &[&str],
    ) -> Result<(), LanguageError> {
        self.list(key, &found.keys().collect::<Vec<_>>(), 0)?;
        for (name, value) in found {
            let key = format!("{key}.{name}");
            self.name(&key, name, |c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')?;
            // The prefix has its say there.
            self.holds(name != "PATH", &key, name, "any variable but PATH")?;
            self.text(&key, value, 0, WORD_CHARS_MAX)?;
            let rest = holes.iter().fold(value.clone(), |word, hole| word.replace(hole, ""));
            let allowed = format!("a text without {{ and }} but in {}", holes.join(", "));
            let allowed = if holes.is_empty() { "a text without { and }" } else { &allowed };
            self.holds(!rest.contains(['{', '}']), &key, value, allowed)?;
        }
        Ok(())
    }
}

fn plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')
}
