//! Where log lines go: standard error, filtered by `AGON_LOG` (as `RUST_LOG`).

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// What is told where nothing is asked for: not every job and every look at the ladder.
const USUAL: &str = "warn,server=info,server::machine=warn,worker=info,worker::lease=warn";

/// Starts logging, once a process.
pub fn start() {
    let filter = EnvFilter::try_from_env("AGON_LOG").unwrap_or_else(|_| EnvFilter::new(USUAL));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        // It would tell of lines that could not be written where they could not be written.
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal())
        .init();
}
