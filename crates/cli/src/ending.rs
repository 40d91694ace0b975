//! The wish that we end, from the terminal or from the system.

use std::{future::Future, io};

use tokio::signal::unix::{SignalKind, signal};

/// Comes when we are asked to end. From this call on, asking alone ends us no more.
pub fn asked() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => (),
            _ = terminate.recv() => (),
        }
    })
}
