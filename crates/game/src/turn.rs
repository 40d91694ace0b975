//! Questions, the clocks they are asked on, and answers.

use alloc::borrow::Cow;
use core::{fmt, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{Outcome, PerSeat};

/// Whom the match waits for.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    /// A question for each seat that has one. At least one has.
    Ask(PerSeat<Option<Ask>>),
    /// Nobody: it is over.
    Over(Outcome),
}

/// A question, and the clocks it is asked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The clock of a bot.
    pub bot: Clock,
    /// A second account of a bot, for the whole match.
    pub bot_total: Option<Clock>,
    /// The clock of a person.
    pub person: Clock,
    /// When a bot's clock starts.
    pub starts: Starts,
}

/// When a bot's clock starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starts {
    /// When the question has been written to the pipe in full. A bot that does
    /// not read is late all the same.
    WhenWritten,
    /// At once: nothing is written.
    AtOnce,
}

/// Thinking time. Questions with the same `id` are charged to one account,
/// opened with `budget` when the first is asked.
///
/// That covers a bank for a race (`id` is the race), a limit for a turn
/// (`id` counts turns) and an account for the match (`id` never changes).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Which account.
    pub id: u32,
    /// What it is opened with.
    pub budget: Duration,
}

/// The answers of one ply: `Some` for just the seats that were asked.
pub type Ply<A> = PerSeat<Option<Answer<A>>>;

/// What came back for a question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer<A> {
    /// An action, legal or not: the rules judge it.
    Action(A),
    /// None; the rules decide what that costs.
    Fault(Fault),
}

/// Why no action came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The clock of the question ran out.
    Late,
    /// The account of the match ran out.
    LateTotal,
    /// The process ended, or was ended.
    Gone(End),
    /// The bytes were no answer; why, in words for the bot's owner.
    Garbled(Cow<'static, str>),
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// It touched more memory than it may have.
    OutOfMemory,
    /// It lives, but has closed the pipe it should answer on.
    ClosedOutput,
    /// It left more than it may unread.
    Unread,
    /// It could not be started: its program is missing or is none.
    NotStarted,
}

/// Why an action or a set-up is refused, in words for its author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Illegal(pub Cow<'static, str>);

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for Illegal {}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exited(code) => write!(f, "the program ended by itself with exit code {code}"),
            End::Signalled(11) => f.write_str("the program crashed (segmentation fault)"),
            End::Signalled(6) => f.write_str("the program crashed (abort)"),
            End::Signalled(8) => f.write_str("the program crashed (arithmetic error)"),
            End::Signalled(31) => f.write_str("the program made a forbidden system call"),
            End::Signalled(signal) => write!(f, "the program was ended by signal {signal}"),
            End::OutOfMemory => f.write_str("the program used more memory than it may"),
            End::ClosedOutput => f.write_str("the program closed its standard output"),
            End::Unread => f.write_str("the program left too much of its input unread"),
            End::NotStarted => f.write_str("the program could not be started"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Late => f.write_str("no answer within the time of the turn"),
            Fault::LateTotal => f.write_str("the thinking time of the match is used up"),
            Fault::Gone(end) => end.fmt(f),
            Fault::Garbled(why) => write!(f, "against the protocol: {why}"),
        }
    }
}
