//! Finds the class that a source is named after, and the one that is the program.

use sources::words;
use thiserror::Error;

use super::{Class, Language, Source};

/// Longest name of a class, package included.
const NAME_BYTES_MAX: usize = 200;
/// Longest path of a file that is run.
const ENTRY_BYTES_MAX: usize = 500;

/// Why no class could be found to name a source after.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ClassError {
    /// There is none.
    #[error("the source declares no class")]
    None,
    /// It is no plain name.
    #[error(
        "the name `{0}` is not allowed here: a class or package has letters from a to z, digits \
         and _, and at most {NAME_BYTES_MAX} of them"
    )]
    Name(String),
}

impl Language {
    /// What the source is called when it is built, and what is run: the class
    /// that is the program, or else the source.
    ///
    /// `file_name` is what the source was uploaded as. No more of it is used
    /// than which of the language's extensions it has.
    ///
    /// # Errors
    ///
    /// Where the language names sources after classes and there is none to use.
    pub fn names(&self, file_name: &str, source: &[u8]) -> Result<(String, String), ClassError> {
        let Source { name, keeps_extension, class } = &self.source;
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        if let Some(class) = class {
            let found = class.find(source)?;
            let stem = found.public.as_deref().unwrap_or(stem);
            return Ok((format!("{stem}.{extension}"), found.program));
        }
        let came_with = file_name.rsplit_once('.').map(|(_, it)| it.to_ascii_lowercase());
        let kept = came_with.filter(|it| *keeps_extension && self.guess.extensions.contains(it));
        let name = kept.map_or(name.clone(), |extension| format!("{stem}.{extension}"));
        Ok((name.clone(), name))
    }

    /// What is run of an archive that begins with the file `name`: the class in
    /// it that is the program, or else the file.
    ///
    /// # Errors
    ///
    /// Where the language runs classes and there is none in it.
    pub(crate) fn entry_of(&self, name: &str, source: &[u8]) -> Result<String, ClassError> {
        match &self.source.class {
            Some(class) => Ok(class.find(source)?.program),
            None => Ok(name.to_owned()),
        }
    }
}

struct Found {
    /// The class the file is named after, if one is public.
    public: Option<String>,
    /// What is run, package included.
    program: String,
}

impl Class {
    fn find(&self, source: &[u8]) -> Result<Found, ClassError> {
        let source = String::from_utf8_lossy(source);
        let words = words(&source);
        let main_by: Vec<&str> = self.main_by.split_ascii_whitespace().collect();
        let (mut public, mut first, mut nearest, mut main) = (None, None, None, None);
        let mut package = None;
        let mut depth = 0_i32;
        for (at, &word) in words.iter().enumerate() {
            match word {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if word == self.package_by && package.is_none() && first.is_none() {
                package = Some(
                    words[at + 1..]
                        .iter()
                        .take_while(|it| **it != ";")
                        .copied()
                        .collect::<String>(),
                );
            }
            if words[at..].starts_with(&main_by) && main.is_none() {
                main = nearest;
            }
            // What is declared inside a class is no program of its own.
            if depth != 0 || !self.declared_by.iter().any(|it| it == word) {
                continue;
            }
            let Some(&name) = words.get(at + 1) else { continue };
            first = first.or(Some(name));
            nearest = Some(name);
            let before =
                words[..at].iter().rev().find(|it| !self.modifiers.iter().any(|m| m == *it));
            if before.is_some_and(|it| *it == self.public_by) {
                public = public.or(Some(name));
            }
        }
        let class = public.or(main).or(first).ok_or(ClassError::None)?;
        let program = match package {
            Some(package) => format!("{package}.{class}"),
            None => class.to_owned(),
        };
        if !is_class(&program) {
            return Err(ClassError::Name(program));
        }
        Ok(Found { public: public.map(str::to_owned), program })
    }
}

/// Whether a run command may name this as what is run: a class, or a path that says nothing
/// but where a file is.
pub(crate) fn is_entry(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_graphic() || c == ' ';
    let part = |it: &str| !matches!(it, "" | "." | "..") && !it.starts_with(['-', ' ']);
    name.len() <= ENTRY_BYTES_MAX
        && name.chars().all(|c| plain(c) && !matches!(c, '\\' | '{' | '}' | '"' | '\''))
        && name.split('/').all(part)
}

fn is_class(name: &str) -> bool {
    let part = |it: &str| {
        it.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            && it.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    name.len() <= NAME_BYTES_MAX && name.split('.').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::tests::shipped;

    #[test]
    fn java_sources_are_named_after_their_public_class() {
        let languages = shipped();
        let java = languages.get("java").unwrap();
        type Named = Result<(&'static str, &'static str), ClassError>;
        let table: [(&str, Named); 15] = [
            ("public class program { }", Ok(("program.java", "program"))),
            ("import java.util.*;\npublic final class A{}", Ok(("A.java", "A"))),
            ("class Node {} public class Bot {}", Ok(("Bot.java", "Bot"))),
            ("public record R(int x) {}", Ok(("R.java", "R"))),
            (
                "// public class No\n/* public class No */ public class Yes {}",
                Ok(("Yes.java", "Yes")),
            ),
            (
                r#"class A { String s = "} public class No {"; } class B { void main(){} }"#,
                Ok(("Main.java", "B")),
            ),
            ("class A { char c = '\"'; } public class B {}", Ok(("B.java", "B"))),
            ("package a.b; public class C {}", Ok(("C.java", "a.b.C"))),
            (
                "class A {} class B { public static void main(String[] a) {} } class C {}",
                Ok(("Main.java", "B")),
            ),
            ("class Out { class In {} static void main(String[] a) {} }", Ok(("Main.java", "Out"))),
            ("class Only {}", Ok(("Main.java", "Only"))),
            ("", Err(ClassError::None)),
            ("hello", Err(ClassError::None)),
            ("public class", Err(ClassError::None)),
            ("public class Größe {}", Err(ClassError::Name("Größe".into()))),
        ];
        for (source, wanted) in table {
            let wanted = wanted.map(|(name, entry)| (name.to_owned(), entry.to_owned()));
            assert_eq!(java.names("whatever", source.as_bytes()), wanted, "{source}");
        }
    }

    #[test]
    fn nobodys_file_name_is_used_beyond_its_extension() {
        let table = [
            ("c", "../../etc/passwd", "bot.c"),
            ("c", "x.mjs", "bot.c"),
            ("javascript", "x.mjs", "bot.mjs"),
            ("javascript", "x.MJS", "bot.mjs"),
            ("javascript", "x.js\0.mjs ", "bot.js"),
            ("javascript", "x./a", "bot.js"),
            ("python3", "", "bot.py"),
        ];
        let languages = shipped();
        for (language, file_name, wanted) in table {
            let (name, entry) = languages.get(language).unwrap().names(file_name, b"").unwrap();
            assert_eq!((name.as_str(), entry.as_str()), (wanted, wanted), "{file_name:?}");
        }
    }
}
