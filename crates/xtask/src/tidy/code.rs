//! What of a Rust file is code: comments and literals blanked, every line where it was.

/// `text` with a blank for each byte of a comment, a string or a character. Line ends stay.
pub(super) fn only_code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = literal_end(bytes, at);
        if end == at {
            at += 1;
            continue;
        }
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    // A literal is blanked whole, and begins and ends with ASCII: what is left is UTF-8.
    String::from_utf8_lossy(&out).into_owned()
}

/// The words of `code`, each with its line, in order; a sign is a word of its own.
pub(super) fn words(code: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(code.lines()).flat_map(|(number, line)| line_words(line).map(move |it| (number, it)))
}

fn line_words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let length = if is_word(first) {
            rest.find(|it| !is_word(it)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, after) = rest.split_at(length);
        rest = after;
        Some(word)
    })
}

fn is_word(it: char) -> bool {
    it.is_alphanumeric() || it == '_'
}

/// The end of the comment or literal that begins at `at`; `at` itself where none does.
fn literal_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    match rest {
        [b'/', b'/', ..] => at + rest.iter().position(|it| *it == b'\n').unwrap_or(rest.len()),
        [b'/', b'*', ..] => at + block_comment(rest),
        [b'"', ..] => at + string(rest),
        [b'\'', ..] => at + character(rest),
        [b'r', b'"' | b'#', ..] if starts_word(bytes, at) => at + raw_string(rest),
        [b'b' | b'c', b'r', b'"' | b'#', ..] if starts_word(bytes, at) => {
            match raw_string(&rest[1..]) {
                0 => at,
                length => at + 1 + length,
            }
        }
        _ => at,
    }
}

fn starts_word(bytes: &[u8], at: usize) -> bool {
    at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_')
}

fn block_comment(rest: &[u8]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                at += 2;
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    rest.len()
}

fn string(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// A lifetime is no literal: nothing closes it.
fn character(rest: &[u8]) -> usize {
    if rest.get(1) == Some(&b'\\') {
        let close = rest.iter().skip(3).position(|it| *it == b'\'');
        return close.map_or(0, |it| it + 4);
    }
    let Some(lead) = rest.get(1) else { return 0 };
    let width = match lead {
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    };
    if rest.get(1 + width) == Some(&b'\'') { width + 2 } else { 0 }
}

/// 0 where it is a raw name, as `r#type`.
fn raw_string(rest: &[u8]) -> usize {
    let hashes = rest[1..].iter().take_while(|it| **it == b'#').count();
    if rest.get(1 + hashes) != Some(&b'"') {
        return 0;
    }
    let mut close = vec![b'"'];
    close.resize(1 + hashes, b'#');
    let body = &rest[2 + hashes..];
    let length = body.windows(close.len()).position(|it| it == close);
    length.map_or(rest.len(), |it| 2 + hashes + it + close.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_no_code() {
        let cases = [
            ("a // unsafe\nb", "a\nb"),
            ("a /* x /* unsafe */ y */ b", "a b"),
            (r#"let a = "un\"safe"; b"#, "let a = ; b"),
            (r##"let a = r#"un"safe"#; b"##, "let a = ; b"),
            (r##"let a = br#"un"safe"#; b"##, "let a = ; b"),
            ("let r#type = 'é'; b", "let r#type = ; b"),
            (r"let a = '\''; b", "let a = ; b"),
            (r"let a = '\u{7f}'; b", "let a = ; b"),
            ("fn f<'a>(it: &'a str) -> &'a str", "fn f<'a>(it: &'a str) -> &'a str"),
            ("let for\" a", "let for"),
        ];
        for (text, want) in cases {
            let squeeze = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(squeeze(&only_code(text)), squeeze(want), "{text}");
            assert_eq!(only_code(text).lines().count(), text.lines().count(), "{text}");
        }
    }

    #[test]
    fn words_know_their_lines() {
        let found: Vec<_> = words("use a::{b};\n  c_1!").collect();
        let want =
            [(1, "use"), (1, "a"), (1, ":"), (1, ":"), (1, "{"), (1, "b"), (1, "}"), (1, ";")];
        assert_eq!(found[..8], want);
        assert_eq!(found[8..], [(2, "c_1"), (2, "!")]);
    }
}
