//! Keeps the beginning and the end of an endless text, in bounded memory.

use std::{borrow::Cow, collections::VecDeque};

/// Bytes that the mark between both halves may take.
const MARK_BYTES_MAX: usize = 64;

/// The first half and the last half of what was pushed.
#[derive(Clone, Debug)]
pub struct Excerpt {
    bytes_max: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out_bytes: u64,
}

impl Excerpt {
    /// One whose text never has more than `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Excerpt {
        Excerpt { bytes_max, head: Vec::new(), tail: VecDeque::new(), left_out_bytes: 0 }
    }

    /// Goes on with `bytes`.
    pub fn push(&mut self, bytes: &[u8]) {
        let (to_head, rest) = bytes.split_at(bytes.len().min(self.half() - self.head.len()));
        self.head.extend_from_slice(to_head);
        let skipped = rest.len().saturating_sub(self.half());
        let rest = &rest[skipped..];
        let pushed_out = (self.tail.len() + rest.len()).saturating_sub(self.half());
        self.left_out_bytes += (skipped + pushed_out) as u64;
        self.tail.drain(..pushed_out.min(self.tail.len()));
        self.tail.extend(rest);
    }

    /// Whether nothing was pushed.
    pub fn is_empty(&self) -> bool {
        self.head.is_empty()
    }

    /// The text: what is no UTF-8, and every NUL, is U+FFFD in it.
    pub fn into_text(self) -> String {
        let half = self.half();
        let mut tail = Vec::from(self.tail);
        if self.left_out_bytes == 0 {
            let mut whole = self.head;
            whole.append(&mut tail);
            let text = readable(&whole);
            // Replacing makes a text longer; then a part of it has to go after all.
            if text.len() <= self.bytes_max {
                return text.into_owned();
            }
            return join(&text, 0, half, &text);
        }
        let (head, tail) = (readable(&self.head), readable(&tail));
        join(&head, self.left_out_bytes, half, &tail)
    }

    fn half(&self) -> usize {
        self.bytes_max.saturating_sub(MARK_BYTES_MAX) / 2
    }
}

fn join(head: &str, left_out_bytes: u64, half: usize, tail: &str) -> String {
    let head = &head[..head.floor_char_boundary(half)];
    let tail = &tail[tail.ceil_char_boundary(tail.len().saturating_sub(half))..];
    let mark = match left_out_bytes {
        0 => "\n[... a part is left out here ...]\n".to_owned(),
        n => format!("\n[... {n} bytes are left out here ...]\n"),
    };
    [head, &mark, tail].concat()
}

fn readable(bytes: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if text.contains('\0') { text.replace('\0', "\u{fffd}").into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    fn text(bytes_max: usize, parts: &[&[u8]]) -> String {
        let mut excerpt = Excerpt::new(bytes_max);
        for part in parts {
            excerpt.push(part);
        }
        let text = excerpt.into_text();
        assert!(text.len() <= bytes_max, "{} > {bytes_max}", text.len());
        text
    }

    #[test]
    fn a_short_text_is_kept_whole_and_readable() {
        assert_eq!(text(1000, &[]), "");
        assert_eq!(text(1000, &[b"one ", b"two"]), "one two");
        assert_eq!(text(1000, &[b"a\0b\xffc"]), "a\u{fffd}b\u{fffd}c");
        assert_eq!(text(1000, &["gr\u{fc}n".as_bytes()]), "grün");
    }

    #[test]
    fn a_long_text_keeps_both_ends_and_says_how_much_is_left_out() {
        let numbers: Vec<u8> = (0..10_000).flat_map(|it| format!("{it}\n").into_bytes()).collect();
        for chunk in [1, 7, 1000, numbers.len()] {
            let parts: Vec<&[u8]> = numbers.chunks(chunk).collect();
            let text = text(264, &parts);
            assert!(text.starts_with("0\n1\n2\n"), "{text}");
            assert!(text.ends_with("9998\n9999\n"), "{text}");
            assert!(text.contains("\n[... 48690 bytes are left out here ...]\n"), "{text}");
        }
    }

    #[test]
    fn bytes_that_grow_when_made_readable_stay_within_the_limit() {
        for n in [90, 100, 150, 200, 10_000] {
            text(200, &[&vec![0xff; n]]);
            text(200, &[&vec![0; n]]);
        }
        text(MARK, &[b"hello"]);
    }
    const MARK: usize = super::MARK_BYTES_MAX;
}
