//! Guesses what a source is written in; people may know better.

use std::cmp::Reverse;

use sources::{Format, Sources};

use super::{Language, Languages};

/// How much of a source is looked at, in bytes.
const LOOK_BYTES_MAX: usize = 16 << 10;

impl Languages {
    /// The likeliest language, by `#!` line, then by extension, then by what stands in the source.
    pub fn guess(&self, file_name: Option<&str>, source: &[u8]) -> Option<&Language> {
        let look = String::from_utf8_lossy(&source[..source.len().min(LOOK_BYTES_MAX)]);
        if let Some(program) = shebang(&look) {
            let names_it = |it: &&Language| it.guess.shebangs.iter().any(|name| *name == program);
            if let Some(found) = self.iter().find(names_it) {
                return Some(found);
            }
        }
        let extension =
            file_name.and_then(|it| it.rsplit_once('.')).map(|(_, it)| it.to_ascii_lowercase());
        let has_it = |it: &&Language| {
            extension.as_ref().is_some_and(|found| it.guess.extensions.contains(found))
        };
        let best = |it: &&Language| (n_hints(it, &look), Reverse(it.guess.rank));
        self.iter()
            .filter(has_it)
            .max_by_key(best)
            .or_else(|| self.iter().filter(|it| n_hints(it, &look) > 0).max_by_key(best))
    }
}

impl Languages {
    /// The likeliest language of an upload. Of an archive, that is the one with the most files
    /// of those that find a beginning in it.
    pub fn guess_upload(&self, file_name: Option<&str>, upload: &Sources) -> Option<&Language> {
        if upload.format == Format::File {
            return self.guess(file_name, upload.files.first().map_or(&[], |it| &it.bytes));
        }
        let counted = self.iter().filter_map(|language| {
            let entry = language.archive.as_ref()?.entry(upload, &language.guess.extensions);
            let n_sources = upload.files.iter().filter(|it| language.is_source(&it.path)).count();
            Some((n_sources, Reverse(language.guess.rank), entry.ok()?))
        });
        let (_, _, entry) = counted.max_by_key(|it| (it.0, it.1))?;
        self.guess(Some(entry), upload.get(entry).map_or(&[], |it| &it.bytes))
    }
}

fn n_hints(language: &Language, look: &str) -> usize {
    language.guess.contents.iter().filter(|it| look.contains(it.as_str())).count()
}

/// `python3` of `#!/usr/bin/env -S python3 -u` and of `#!/usr/bin/python3`.
fn shebang(look: &str) -> Option<&str> {
    let line = look.strip_prefix("#!")?.lines().next()?;
    let mut words = line.split_ascii_whitespace();
    let base = |it: &'_ str| it.rsplit('/').next().unwrap_or_default().len();
    let program = words.next()?;
    let program = &program[program.len() - base(program)..];
    match program {
        "env" => words.find(|it| !it.starts_with('-') && !it.contains('=')),
        _ => Some(program),
    }
}

#[cfg(test)]
mod tests {
    use crate::language::tests::shipped;

    #[test]
    fn documented_bots_are_guessed_by_their_text_alone() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/games/labyrinth/bots");
        let languages = shipped();
        let mut n_guessed = 0;
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            let (name, source) = (path.to_str().unwrap(), std::fs::read(&path).unwrap());
            let named = languages.guess(Some(name), &source).map(|it| &it.id);
            assert!(
                named.is_some() && named == languages.guess(None, &source).map(|it| &it.id),
                "{name}"
            );
            n_guessed += 1;
        }
        assert!(n_guessed >= 13, "{n_guessed}");
    }

    #[test]
    fn a_language_is_guessed_from_shebang_extension_and_contents() {
        let table = [
            (Some("bot.py"), "", Some("python3")),
            (Some("bot.py"), "print \"MazeSize\"\nsize = int(raw_input())", Some("python2")),
            (Some("bot.py"), "#!/usr/bin/env pypy3\nprint(1)", Some("pypy3")),
            (Some("bot"), "#!/usr/bin/python2.7 -u\n", Some("python2")),
            (None, "#!/usr/bin/env -S node --x\n", Some("javascript")),
            (Some("a.CPP"), "", Some("cpp")),
            (Some("a.c"), "", Some("c")),
            (Some("a.rs"), "", Some("rust")),
            (Some("a.go"), "", Some("go")),
            (Some("a.java"), "", Some("java")),
            (Some("a.cs"), "", Some("csharp")),
            (Some("a.js"), "", Some("javascript")),
            (None, "#include <iostream>\nusing namespace std;", Some("cpp")),
            (None, "#include <stdio.h>\nint main(void) { printf(\"\"); }", Some("c")),
            (None, "import java.util.*; public static void main(String[] a)", Some("java")),
            (None, "using System; class P { static void Main() {} }", Some("csharp")),
            (None, "import sys\nprint(1)", Some("python3")),
            (None, "fn main() { println!(\"\") }", Some("rust")),
            (Some("a.kt"), "", Some("kotlin")),
            (Some("a.ts"), "", Some("typescript")),
            (Some("a.rb"), "", Some("ruby")),
            (Some("a.lua"), "", Some("lua")),
            (Some("a.php"), "", Some("php")),
            (Some("a.pl"), "", Some("perl")),
            (Some("a.ml"), "", Some("ocaml")),
            (Some("a.pas"), "", Some("pascal")),
            (Some("a.d"), "", Some("d")),
            (None, "#!/usr/bin/env ruby\n", Some("ruby")),
            (None, "#!/usr/bin/perl -w\n", Some("perl")),
            (None, "const a = require('fs');\nconsole.log(a)", Some("javascript")),
            (None, "const n: number = 1;\nconsole.log(n)", Some("typescript")),
            (None, "println(\"a\")", None),
            (Some("bot.xyz"), "hello", None),
            (None, "", None),
            (Some("#!"), "#!", None),
        ];
        let languages = shipped();
        for (name, source, wanted) in table {
            let found = languages.guess(name, source.as_bytes()).map(|it| it.id.as_str());
            assert_eq!(found, wanted, "{name:?} {source:?}");
        }
    }
}
