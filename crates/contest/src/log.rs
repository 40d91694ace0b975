//! The published log of rated matches: JSON, one line a match, in the order in which they were
//! counted. All that ratings rest on stands in it, and nothing that anybody may not know.

use std::{
    collections::BTreeMap,
    io::{self, BufRead, Read},
};

use game::{Fraction, PerSeat};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Most bytes of a line of the log, its end not counted.
pub const LOG_LINE_BYTES_MAX: usize = 16 << 10;

/// A finished rated match, as it is published. Void ones never are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedMatch {
    /// Which.
    #[serde(rename = "match")]
    pub match_id: Uuid,
    /// Its place in the order in which matches of its game were counted. It rises from line to
    /// line; numbers that are left out belong to matches that are not rated.
    pub no: u64,
    /// Of which game.
    pub game: String,
    /// When it was counted, by RFC 3339.
    pub finished_at: String,
    /// Which set-up of the ladder it was on, where it was one.
    #[serde(default)]
    pub preset: Option<String>,
    /// What of its set-up may make it easier for one seat: `size` is `20`.
    #[serde(default)]
    pub covariates: BTreeMap<String, String>,
    /// Digest of set-up and plies, times left out: two matches that share it went the same way to
    /// the last ply. None: not known.
    #[serde(default)]
    pub play: Option<String>,
    /// Who played, seat by seat.
    pub seats: PerSeat<LoggedSeat>,
}

/// Who sat on one seat, and what it came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedSeat {
    /// Which bot.
    pub bot: Uuid,
    /// What it is called now.
    #[serde(default)]
    pub name: String,
    /// With which version.
    pub version: Uuid,
    /// The number of that.
    pub number: u32,
    /// In which role.
    pub role: String,
    /// Its part of 1, as numerator and denominator.
    pub score: Fraction,
    /// Whether it made a fault.
    pub faulted: bool,
}

/// Why a log cannot be read on. Lines are counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// Where it comes from fails.
    #[error("line {line}: {source}")]
    Io {
        /// Which line.
        line: u64,
        /// Why.
        source: io::Error,
    },
    /// A line does not end.
    #[error("line {line}: found more than {LOG_LINE_BYTES_MAX} bytes, which a line may have")]
    TooLong {
        /// Which line.
        line: u64,
    },
    /// A line is no match.
    #[error("line {line}: found no match: {source}")]
    Unreadable {
        /// Which line.
        line: u64,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// A match stands before one that was counted earlier.
    #[error("line {line}: found number {found} of {game} after {after}; numbers of a game rise")]
    Order {
        /// Which line.
        line: u64,
        /// Of which game.
        game: String,
        /// The number of this match.
        found: u64,
        /// The number of the last one of the game.
        after: u64,
    },
}

/// The matches of a log, one by one. After an error there are no more.
#[derive(Debug)]
pub struct LogReader<R> {
    input: R,
    line: u64,
    last: BTreeMap<String, u64>,
    is_over: bool,
}

impl<R: BufRead> LogReader<R> {
    /// Reads from the beginning of a log, or from any line on.
    pub fn new(input: R) -> LogReader<R> {
        LogReader { input, line: 0, last: BTreeMap::new(), is_over: false }
    }

    fn read(&mut self) -> Result<Option<LoggedMatch>, LogError> {
        loop {
            self.line += 1;
            let line = self.line;
            let mut text = Vec::new();
            let bytes_max = LOG_LINE_BYTES_MAX as u64 + 1;
            let read = self.input.by_ref().take(bytes_max).read_until(b'\n', &mut text);
            read.map_err(|source| LogError::Io { line, source })?;
            if text.is_empty() {
                return Ok(None);
            }
            if text.last() != Some(&b'\n') && text.len() > LOG_LINE_BYTES_MAX {
                return Err(LogError::TooLong { line });
            }
            // The last line of a file that somebody has edited, most often.
            if text.trim_ascii().is_empty() {
                continue;
            }
            let found: LoggedMatch = serde_json::from_slice(&text)
                .map_err(|source| LogError::Unreadable { line, source })?;
            let after = self.last.insert(found.game.clone(), found.no);
            return match after {
                Some(after) if after >= found.no => {
                    let LoggedMatch { game, no, .. } = found;
                    Err(LogError::Order { line, game, found: no, after })
                }
                _ => Ok(Some(found)),
            };
        }
    }
}

impl<R: BufRead> Iterator for LogReader<R> {
    type Item = Result<LoggedMatch, LogError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let found = self.read().transpose();
        self.is_over = !matches!(found, Some(Ok(_)));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::logged;

    fn line(no: u64) -> String {
        serde_json::to_string(&logged(no, [1, 2], [1, 2])).unwrap()
    }

    fn why(text: &str) -> String {
        let last = LogReader::new(text.as_bytes()).last();
        last.map_or("nothing".to_owned(), |it| {
            it.map_or_else(|why| why.to_string(), |it| it.no.to_string())
        })
    }

    #[test]
    fn a_log_is_read_as_it_was_written() {
        let all = [logged(3, [1, 2], [1, 3]), logged(9, [2, 1], [0, 1])];
        let text: String = all.iter().map(|it| serde_json::to_string(it).unwrap() + "\n").collect();
        let read: Result<Vec<_>, _> = LogReader::new(text.as_bytes()).collect();
        assert_eq!(read.unwrap(), all);
    }

    #[test]
    fn what_is_no_log_is_refused_with_the_line() {
        let long = " ".repeat(LOG_LINE_BYTES_MAX + 1);
        for (text, words) in [
            (String::new(), "nothing"),
            (line(4), "4"),
            (format!("{}\n\n{}\n", line(1), line(2)), "2"),
            (format!("{}\n{{}}\n{}", line(1), line(2)), "line 2: found no match: missing field"),
            (format!("{}\n{}", line(2), line(2)), "line 2: found number 2 of labyrinth after 2"),
            (format!("{}\n{long}", line(2)), "line 2: found more than 16384 bytes"),
            (line(1).replace("[1,2]", "[1,0]"), "line 1: found no match: a fraction"),
        ] {
            let found = why(&text);
            assert!(found.starts_with(words), "{words}: {found}");
        }
    }

    #[test]
    fn nothing_follows_an_error() {
        let text = format!("{{}}\n{}\n", line(1));
        assert_eq!(LogReader::new(text.as_bytes()).count(), 1);
    }
}
