//! Guesses which of the languages an upload is written in.

use sources::{Candidate, Sources};

use super::{Language, Languages};

impl Languages {
    /// The likeliest language of an upload.
    pub fn guess(&self, upload: &Sources) -> Option<&Language> {
        self.get(sources::guess(&self.candidates(), upload)?.language)
    }

    /// The likeliest language of a source, which need not have a name.
    pub fn guess_file(&self, file_name: Option<&str>, source: &[u8]) -> Option<&Language> {
        let file_name = file_name.unwrap_or_default();
        self.get(sources::guess_file(&self.candidates(), file_name, source)?.language)
    }

    fn candidates(&self) -> Vec<Candidate<'_>> {
        self.iter()
            .map(|it| Candidate { id: &it.id, clues: &it.guess, archive: it.archive.as_ref() })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use crate::language::tests::shipped;

    fn entries(dir: &Path) -> impl Iterator<Item = PathBuf> + use<> {
        std::fs::read_dir(dir).unwrap().map(|it| it.unwrap().path())
    }

    fn files(dir: &Path) -> Vec<PathBuf> {
        entries(dir).flat_map(|it| if it.is_dir() { files(&it) } else { vec![it] }).collect()
    }

    #[test]
    fn documented_bots_are_guessed_by_their_text_alone() {
        let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config/games");
        let languages = shipped();
        for game in entries(Path::new(games)).filter(|it| it.is_dir()) {
            let mut n_guessed = 0;
            for path in files(&game.join("bots")) {
                let (name, source) = (path.to_str().unwrap(), std::fs::read(&path).unwrap());
                let named = languages.guess_file(Some(name), &source).map(|it| &it.id);
                let unnamed = languages.guess_file(None, &source).map(|it| &it.id);
                assert!(named.is_some() && named == unnamed, "{name}: {named:?} {unnamed:?}");
                n_guessed += 1;
            }
            assert!(n_guessed >= 13, "{}: {n_guessed}", game.display());
        }
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
        ];
        let languages = shipped();
        for (name, source, wanted) in table {
            let found = languages.guess_file(name, source.as_bytes()).map(|it| it.id.as_str());
            assert_eq!(found, wanted, "{name:?} {source:?}");
        }
    }
}
