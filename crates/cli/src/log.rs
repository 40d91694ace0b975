//! Where log lines go: standard error, filtered by `AGON_LOG` (as `RUST_LOG`; `info` without).

use tracing_subscriber::EnvFilter;

/// Starts logging, once a process.
pub fn start() {
    let filter = EnvFilter::try_from_env("AGON_LOG").unwrap_or_else(|_| EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}
