//! Which file is compiled or run, and what is said where none is, or several could be.

use sources::{Archive, Clues, File, Format, Sources};

fn entry(paths: &[&str]) -> Result<String, String> {
    let mut files: Vec<File> =
        paths.iter().map(|it| File { path: (*it).to_owned(), bytes: Vec::new() }).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let archive = Archive {
        entries: vec!["main.rs".to_owned(), "bot.rs".to_owned(), "src/main.rs".to_owned()],
        command: Vec::new(),
        about: String::new(),
    };
    let sources = Sources { format: Format::Zip, files };
    let extensions = vec!["rs".to_owned(), "rlib".to_owned()];
    let found = archive.entry(&sources, &Clues { extensions, ..Clues::default() });
    found.map(str::to_owned).map_err(|why| why.to_string())
}

#[test]
fn the_first_name_at_the_top_is_taken_then_the_only_one_then_the_only_file_that_could_be() {
    let table: [(&[&str], &str); 9] = [
        (&["bot.rs", "main.rs"], "main.rs"),
        (&["bot.rs", "src/main.rs"], "bot.rs"),
        (&["src/main.rs", "src/plan.rs", "other.rs"], "src/main.rs"),
        (&["a/b/src/main.rs", "other.rs"], "a/b/src/main.rs"),
        (&["a/bot.rs", "other.rs"], "a/bot.rs"),
        (&["a/notbot.rs", "other.rs"], "other.rs"),
        (&["OTHER.RS", "a/x.txt"], "OTHER.RS"),
        (&["a/only.rs", "readme.txt", "a/.rs"], "a/only.rs"),
        (&["one.rs", "a/two.rs", "a/three.rs"], "one.rs"),
    ];
    for (paths, expected) in table {
        assert_eq!(entry(paths).as_deref(), Ok(expected), "{paths:?}");
    }
}

#[test]
fn where_none_is_the_one_the_candidates_are_named_and_what_to_do() {
    let many: Vec<String> = (0..9).map(|n| format!("{n}.rs")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let table: [(&[&str], &[&str]); 5] = [
        (&["a/main.rs", "b/main.rs"], &["2 files", "a/main.rs, b/main.rs", "at the top"]),
        (&["a/main.rs", "b/bot.rs"], &["a/main.rs, b/bot.rs"]),
        (&["x.rs", "y.rs"], &["main.rs, bot.rs or src/main.rs", "2 could be", "(x.rs, y.rs)"]),
        (&many, &["9 could be", "0.rs, 1.rs, 2.rs, 3.rs, 4.rs, and 4 more", "that name"]),
        (&["a.py", "rs"], &["none ends with .rs or .rlib", "there are a.py, rs"]),
    ];
    for (paths, pieces) in table {
        let why = entry(paths).unwrap_err();
        for piece in pieces {
            assert!(why.contains(piece), "{paths:?}: {why}");
        }
    }
}
