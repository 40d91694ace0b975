//! What the driver asks of a process, jailed or not.

use std::{
    task::{Context, Poll},
    time::Duration,
};

use game::End;
use thiserror::Error;
use tokio::net::unix::pipe;

/// Something that can be started any number of times: a bot, ready to play.
pub trait Program {
    /// What runs then.
    type Process: Process;

    /// Starts it with further arguments, paused where it can be.
    ///
    /// # Errors
    ///
    /// Apart: what is wrong with the program, and what with us.
    fn start(&self, arguments: &[String]) -> Result<(Self::Process, Pipes), StartError>;
}

/// What came of a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// It waits for the next question.
    Rests,
    /// It went on all the same, and was killed.
    Killed,
}

/// Our ends of a process's pipes; none of them ever blocks.
#[derive(Debug)]
pub struct Pipes {
    /// To its standard input.
    pub stdin: pipe::Sender,
    /// From its standard output.
    pub stdout: pipe::Receiver,
    /// From its standard error.
    pub stderr: pipe::Receiver,
}

/// A process. Dropping it ends it, with all that it has started.
pub trait Process {
    /// Lets it run.
    ///
    /// # Errors
    ///
    /// Ours, as with all that follow.
    fn thaw(&mut self) -> Result<(), Trouble>;

    /// Pauses it. When this returns it stands still, or cannot be paused at all; tells whether it
    /// had to be ended because it would not.
    ///
    /// # Errors
    ///
    /// As said.
    fn freeze(&mut self) -> Result<Rest, Trouble>;

    /// Processor time so far.
    ///
    /// # Errors
    ///
    /// As said.
    fn cpu(&mut self) -> Result<Duration, Trouble>;

    /// Time so far in which it could have run and had no processor.
    ///
    /// # Errors
    ///
    /// As said.
    fn stall(&mut self) -> Result<Duration, Trouble>;

    /// Whether a part of it was killed for the memory it used; it may live on without that part.
    ///
    /// # Errors
    ///
    /// As said.
    fn out_of_memory(&mut self) -> Result<bool, Trouble>;

    /// The most memory it held at once; 0 where nobody counts.
    ///
    /// # Errors
    ///
    /// As said.
    fn memory_peak_bytes(&mut self) -> Result<u64, Trouble>;

    /// How it ended. From then on nothing more comes into its pipes.
    ///
    /// # Errors
    ///
    /// As said.
    fn poll_ended(&mut self, cx: &mut Context<'_>) -> Poll<Result<Ended, Trouble>>;

    /// Ends it, with all that it has started; soon it is [ended](Process::poll_ended).
    ///
    /// # Errors
    ///
    /// As said.
    fn kill(&mut self) -> Result<(), Trouble>;
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// In one word.
    pub end: End,
    /// More of it, for its owner; mostly nothing.
    pub why: Option<String>,
}

/// Why a program could not be started.
#[derive(Debug, Error)]
pub enum StartError {
    /// It is missing, or is none.
    #[error("the program could not be started: {0}")]
    Program(String),
    /// Not the program's fault.
    #[error(transparent)]
    Trouble(#[from] Trouble),
}

/// A failure of ours, never of a bot.
#[derive(Debug, Error)]
#[error("{doing}: {why}")]
pub struct Trouble {
    /// What was being done.
    pub doing: &'static str,
    /// What came of it, with causes.
    pub why: String,
}

impl Trouble {
    /// With all causes of `error`.
    pub fn new(doing: &'static str, error: impl std::error::Error) -> Trouble {
        Trouble { doing, why: causes(&error) }
    }
}

/// An error with all its causes, in one line.
pub fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        // Some errors say their cause themselves.
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}
