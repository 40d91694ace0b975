//! What a bot says and is told while it answers one question.

use alloc::{borrow::Cow, string::String, vec::Vec};

use serde::{Deserialize, Serialize};

use crate::Seat;

/// Replies to queries, and remarks, gathered during one call of
/// [`Dialect::read`](crate::Dialect::read).
///
/// The referee sends and stores what is in it, and bounds both.
#[derive(Clone, Debug, Default)]
pub struct Talk {
    /// Bytes to send to the bot at once.
    pub replies: Vec<u8>,
    /// What to keep with the ply, in order.
    pub remarks: Vec<(RemarkKind, Cow<'static, str>)>,
}

impl Talk {
    /// Keeps a line of the bot's log. What is not UTF-8 is replaced by U+FFFD, NUL too.
    pub fn log(&mut self, text: &[u8]) {
        let text = String::from_utf8_lossy(text).replace('\0', "\u{fffd}");
        self.remarks.push((RemarkKind::Log, text.into()));
    }

    /// Warns the bot's owner.
    pub fn warn(&mut self, text: &'static str) {
        self.remarks.push((RemarkKind::Warning, text.into()));
    }
}

/// A remark, as stored: who said it before which ply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// Index of the ply during whose question it was said.
    pub ply: u32,
    /// Whose bot.
    pub seat: Seat,
    /// What kind.
    pub kind: RemarkKind,
    /// What was said.
    pub text: Cow<'static, str>,
}

/// What kind of remark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RemarkKind {
    /// By the bot, for its owner; or by a person, for themselves.
    Log,
    /// By the judge, about what the bot said.
    Warning,
}
