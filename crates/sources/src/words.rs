//! What a source says, word by word, in languages that write as C does.

/// What text of several lines stands in.
const BLOCK: &str = "\"\"\"";

/// Words and signs of a source in the manner of C, without comments and quotes.
pub fn words(source: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let n_bytes = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |it| it + 4),
            '"' if rest.starts_with(BLOCK) => block(rest),
            '"' | '\'' => quoted(rest, c),
            c if c.is_alphanumeric() || matches!(c, '_' | '$') => {
                // A hyphen makes one word of `non-sealed`, and costs nothing elsewhere.
                let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
                let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
                words.push(&rest[..end]);
                end
            }
            c if c.is_whitespace() => c.len_utf8(),
            c => {
                words.push(&rest[..c.len_utf8()]);
                c.len_utf8()
            }
        };
        rest = &rest[n_bytes..];
    }
    words
}

/// Length of the text of several lines at the start, quotes included.
fn block(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(BLOCK.len()) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' if text[at..].starts_with(BLOCK) => return at + BLOCK.len(),
            _ => {}
        }
    }
    text.len()
}

/// Length of the quoted text at the start, quotes included; it ends with its line at the latest.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}
