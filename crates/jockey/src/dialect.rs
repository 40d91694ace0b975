//! The conversation with one bot: whole numbers, a line each, answered by whole numbers.
//!
//! The text of the cells that are visible only ever grows, and what is hidden
//! is the same line again and again, so that a question is written by copying.

use alloc::{borrow::Cow, format, string::String, vec::Vec};
use core::time::Duration;

use game::{Ahead, Dialect, Lifetime, Read, Seat, Talk};

use crate::{
    event::{Action, Event},
    rules::Jockey,
    view::View,
};

/// Bytes of one answer, blanks counted, up to the end of its line.
pub const ANSWER_BYTES_MAX: usize = 4096;

/// Characters of a bot that are quoted back to its owner.
const QUOTED_CHARS_MAX: usize = 40;

/// One bot's end of the conversation in one race.
#[derive(Debug, Default)]
pub struct Numbers {
    /// The step that was asked; `None` where it was asked whether it is ready.
    step: Option<u32>,
    /// The text of the rows that are visible.
    seen: Vec<u8>,
    n_seen: i32,
    /// The text of the rows that may be hidden.
    hidden: Vec<u8>,
}

impl Dialect<Jockey> for Numbers {
    const LIFETIME: Lifetime = Lifetime::Round;
    const AHEAD: Ahead = Ahead::Fault;

    fn tell(&mut self, _: Seat, _: &Event, _: &mut Vec<u8>) {}

    fn ask(&mut self, me: Seat, view: &View, left: Duration, out: &mut Vec<u8>) {
        self.step = view.step;
        let left_ms = left.as_millis();
        match view.step {
            None => {
                let View { step_limit, width, length, vision, .. } = view;
                let text = format!("{left_ms}\n{step_limit}\n{width} {length}\n{vision}\n");
                out.extend_from_slice(text.as_bytes());
            }
            Some(step) => {
                out.extend_from_slice(format!("{step}\n{left_ms}\n").as_bytes());
                let own = usize::from(me.0 != 0);
                write_runner(view, own, out);
                write_runner(view, 1 - own, out);
                self.write_cells(view, out);
            }
        }
    }

    fn read(&mut self, input: &[u8], _: &mut Talk) -> Read<Action> {
        let judged = match self.step {
            None => numbers::<1>(input).and_then(|read| match read {
                Some(([0], n_bytes)) => Ok(Some((Action::Ready, n_bytes))),
                Some(([found], _)) => Err(format!("found {found}, allowed is 0 alone").into()),
                None => Ok(None),
            }),
            Some(_) => numbers::<2>(input).and_then(|read| match read {
                Some(([x @ -1..=1, y @ -1..=1], n_bytes)) => {
                    Ok(Some((Action::Accelerate(x as i8, y as i8), n_bytes)))
                }
                Some(([x, y], _)) => {
                    Err(format!("found the acceleration {x} {y}, allowed are -1, 0 and 1").into())
                }
                None => Ok(None),
            }),
        };
        match judged {
            Ok(Some((action, n_bytes))) => Read::Action(action, n_bytes),
            Ok(None) => Read::More(0),
            Err(why) => Read::Garbled(why),
        }
    }

    /// Whoever is late is out of the race, and is not asked again.
    fn missed(&mut self) {}
}

impl Numbers {
    fn write_cells(&mut self, view: &View, out: &mut Vec<u8>) {
        let n_rows = view.rows.n_rows();
        while self.n_seen < n_rows {
            let row = view.rows.row(self.n_seen).unwrap_or_default();
            self.seen.extend(row.iter().flat_map(|it| [it.letter(), b' ']));
            end_line(&mut self.seen);
            self.n_seen += 1;
        }
        // The line of one row, as often as there are rows; used from its end.
        if self.hidden.is_empty() {
            for _ in n_rows..view.length {
                self.hidden.extend((0..view.width).flat_map(|_| *b"-1 "));
                end_line(&mut self.hidden);
            }
        }
        let n_hidden = (view.length - n_rows).max(0) as usize;
        let hidden_bytes = n_hidden * 3 * view.width as usize;
        out.reserve(self.seen.len() + hidden_bytes);
        out.extend_from_slice(&self.seen);
        out.extend_from_slice(self.hidden.get(..hidden_bytes).unwrap_or_default());
    }
}

/// The line's end takes the place of the last blank.
fn end_line(text: &mut [u8]) {
    if let Some(last) = text.last_mut() {
        *last = b'\n';
    }
}

fn write_runner(view: &View, no: usize, out: &mut Vec<u8>) {
    let runner = &view.players[no];
    let text = match runner.racing {
        true => {
            let (at, velocity) = (runner.at, runner.velocity);
            format!("{} {} {} {}\n", at.x, at.y, velocity.x, velocity.y)
        }
        false => format!("0 {} 0 0\n", view.length),
    };
    out.extend_from_slice(text.as_bytes());
}

/// What was found, and the bytes up to the end of its line; `None` before that has come.
type Numbered<const N: usize> = Option<([i32; N], usize)>;

/// Reads `N` whole numbers with blanks or ends of lines between, up to the end of the last
/// one's line. Judges what it meets first, so that nothing depends on the pieces that bytes
/// come in.
fn numbers<const N: usize>(input: &[u8]) -> Result<Numbered<N>, Cow<'static, str>> {
    let mut found = [0; N];
    let mut n_found = 0;
    let mut begun = None;
    for (at, byte) in input.iter().enumerate() {
        let is_blank = matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        if let Some(begin) = begun.take_if(|_| is_blank) {
            let word = &input[begin..at];
            let Some(slot) = found.get_mut(n_found) else {
                let needed = if N == 1 { "the number" } else { "the second number" };
                return Err(format!("found {} after {needed}", quoted(word)).into());
            };
            let Some(number) = whole(word) else {
                return Err(format!("found {}, allowed are whole numbers", quoted(word)).into());
            };
            *slot = number;
            n_found += 1;
        } else if !is_blank {
            begun = begun.or(Some(at));
        }
        if *byte == b'\n' && n_found == N {
            return Ok(Some((found, at + 1)));
        }
        if at + 1 == ANSWER_BYTES_MAX {
            return Err(format!("more than {ANSWER_BYTES_MAX} bytes without a whole answer").into());
        }
    }
    Ok(None)
}

/// A whole number; what is beyond 32 bits is as far off as they go.
fn whole(word: &[u8]) -> Option<i32> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |sum: i32, digit: &u8| sum.saturating_mul(10).saturating_add(i32::from(digit - b'0'));
    let number = digits.iter().fold(0, add);
    Some(if negative { -number } else { number })
}

/// What a bot said, for its owner.
fn quoted(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(word);
    let n_chars = text.chars().count();
    let shown: String = text.chars().take(QUOTED_CHARS_MAX).collect();
    let more = if n_chars > QUOTED_CHARS_MAX { "…" } else { "" };
    format!("`{}{more}`", shown.escape_debug())
}
