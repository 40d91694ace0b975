//! What people are told. That nobody listens any more is no reason to fall over: of
//! `agon up | tee log`, Ctrl-C ends both, and the one that keeps their data has work left.

use std::{
    fmt::Arguments,
    io::{self, ErrorKind, Write},
    sync::atomic::{AtomicBool, Ordering},
};

/// Something was to be written to standard output and is not there, though somebody waits for it.
static LOST: AtomicBool = AtomicBool::new(false);

/// A line on standard output.
macro_rules! say {
    ($($it:tt)*) => { $crate::say::out(format_args!("{}\n", format_args!($($it)*))) };
}

/// A line on standard error.
macro_rules! note {
    ($($it:tt)*) => { $crate::say::err(format_args!("{}\n", format_args!($($it)*))) };
}

pub(crate) use {note, say};

/// To standard output, as it is.
pub(crate) fn out(text: Arguments<'_>) {
    let mut stdout = io::stdout().lock();
    match stdout.write_fmt(text).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            LOST.store(true, Ordering::Relaxed);
            err(format_args!("agon: standard output: {error}\n"));
        }
        Ok(()) | Err(_) => {}
    }
}

/// To standard error, as it is.
pub(crate) fn err(text: Arguments<'_>) {
    // There is nowhere left to say that this does not work.
    let _ = io::stderr().write_fmt(text);
}

/// Whether something that somebody waits for was not written: a full disk, say.
pub(crate) fn is_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}
