//! Names of accounts and bots: what they may hold, and when two look the same.
//!
//! A name is shown as it was given (in NFKC) and compared by its key. One that
//! could be read as another, because it borrows letters of a second script, is
//! refused rather than mapped, so that no honest name is taken by a look-alike.

use unicode_normalization::UnicodeNormalization;
use unicode_security::{GeneralSecurityProfile, MixedScript, skeleton};

/// Fewest characters of a name.
pub(crate) const NAME_CHARS_MIN: usize = 2;
/// Most characters of a name.
pub(crate) const NAME_CHARS_MAX: usize = 32;

/// A name that is fit to be shown beside others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    shown: String,
    key: String,
}

/// Why a name is refused, in words for whoever gave it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NameError {
    /// Nothing was given.
    #[error("Choose a name.")]
    Empty,
    /// Too short or too long.
    #[error("This name has {0} characters; {NAME_CHARS_MIN} to {NAME_CHARS_MAX} are allowed.")]
    Length(usize),
    /// A character that names may not hold.
    #[error("This name holds {0}; letters, digits, single blanks and - _ . ' are allowed.")]
    Character(String),
    /// Blanks or marks at an end, or two in a row.
    #[error("A name starts and ends with a letter or a digit, and has no two blanks in a row.")]
    Edges,
    /// Letters of scripts that are not written together.
    #[error("This name mixes letters of different alphabets, so it could pass for another one.")]
    Mixed,
    /// Foreign letters that all look like Latin ones.
    #[error("In this name every letter looks like a Latin one, so it could pass for another one.")]
    LooksLatin,
}

impl Name {
    /// Takes `given` as a name.
    ///
    /// # Errors
    ///
    /// [`NameError`] says what was found and what is allowed.
    pub(crate) fn parse(given: &str) -> Result<Name, NameError> {
        let shown: String = given.trim().nfkc().take(4 * NAME_CHARS_MAX).collect();
        let n_chars = shown.chars().count();
        if n_chars == 0 {
            return Err(NameError::Empty);
        }
        if let Some(odd) = shown.chars().find(|&it| !is_allowed(it)) {
            return Err(NameError::Character(describe(odd)));
        }
        if !(NAME_CHARS_MIN..=NAME_CHARS_MAX).contains(&n_chars) {
            return Err(NameError::Length(n_chars));
        }
        let edges = [shown.chars().next(), shown.chars().next_back()];
        if edges.iter().flatten().any(|it| !it.is_alphanumeric()) || shown.contains("  ") {
            return Err(NameError::Edges);
        }
        if !shown.as_str().is_single_script() {
            return Err(NameError::Mixed);
        }
        if !shown.is_ascii() && skeleton(&shown).all(|it| it.is_ascii()) {
            return Err(NameError::LooksLatin);
        }
        let key = key_of(&shown);
        Ok(Name { shown, key })
    }

    /// As it is shown.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// As it is compared.
    pub(crate) fn key(&self) -> &str {
        &self.key
    }
}

/// What `given` is looked up by, whether or not it could be taken as a new name.
pub(crate) fn key_of(given: &str) -> String {
    // Upper case first: so that ß is ss and every sigma is the same one.
    let bounded: String = given.trim().nfkc().take(NAME_CHARS_MAX + 1).collect();
    bounded.to_uppercase().to_lowercase().nfkc().filter(|&it| it != '\0').collect()
}

fn is_allowed(it: char) -> bool {
    matches!(it, ' ' | '-' | '_' | '.' | '\'')
        || (it.is_alphanumeric() && it.identifier_allowed())
        || unicode_normalization::char::is_combining_mark(it) && it.identifier_allowed()
}

fn describe(it: char) -> String {
    if it.is_control() || it.is_whitespace() || !it.identifier_allowed() && !it.is_ascii() {
        return format!("the character U+{:04X}", u32::from(it));
    }
    format!("“{it}”")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_script_are_taken() {
        let table = [
            ("ada", "ada", "ada"),
            ("  Ada Lovelace ", "Ada Lovelace", "ada lovelace"),
            ("Ａｄａ", "Ada", "ada"),
            ("Straße", "Straße", "strasse"),
            ("łódź-2", "łódź-2", "łódź-2"),
            ("迷宮ボット", "迷宮ボット", "迷宮ボット"),
            ("Жук", "Жук", "жук"),
            ("O'Neil_3.1", "O'Neil_3.1", "o'neil_3.1"),
        ];
        for (given, shown, key) in table {
            let name = Name::parse(given).unwrap_or_else(|err| panic!("{given}: {err}"));
            assert_eq!((name.shown(), name.key()), (shown, key));
            assert_eq!(key_of(given), key);
        }
    }

    #[test]
    fn names_that_hide_something_are_refused_with_the_reason() {
        let table = [
            ("", NameError::Empty),
            (" \u{3000} ", NameError::Empty),
            ("a", NameError::Length(1)),
            (&"a".repeat(33), NameError::Length(33)),
            ("a\0b", NameError::Character("the character U+0000".into())),
            ("a\nb", NameError::Character("the character U+000A".into())),
            ("a\u{202e}b", NameError::Character("the character U+202E".into())),
            ("a\u{200b}b", NameError::Character("the character U+200B".into())),
            ("<b>", NameError::Character("“<”".into())),
            ("a/b", NameError::Character("“/”".into())),
            ("-ab", NameError::Edges),
            ("ab.", NameError::Edges),
            ("a  b", NameError::Edges),
            ("pаul", NameError::Mixed),
            ("аррӏе", NameError::LooksLatin),
        ];
        for (given, expected) in table {
            assert_eq!(Name::parse(given), Err(expected), "{given:?}");
        }
    }

    #[test]
    fn keys_are_short_whatever_is_given() {
        for given in ["\u{fdfa}".repeat(500), "İ".repeat(500), "ﷺ\0".repeat(9)] {
            let key = key_of(&given);
            assert!(key.len() <= 256 && !key.contains('\0'), "{} bytes", key.len());
        }
    }
}
