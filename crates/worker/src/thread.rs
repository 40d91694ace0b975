//! A thread for each job: making jails blocks it, measuring wants no neighbours.

use std::{
    any::Any,
    future::Future,
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
};

use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

/// Runs what `make` makes on a thread of its own until it is done, or `cancel`
/// comes: then what runs is dropped, and its processes with it.
///
/// # Errors
///
/// Why there is no result, for the operator.
pub(crate) async fn alone<F, T>(
    name: String,
    cancel: CancellationToken,
    make: impl FnOnce() -> F + Send + 'static,
) -> Result<T, String>
where
    F: Future<Output = T>,
    T: Send + 'static,
{
    let (tell, told) = oneshot::channel();
    let run = move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| format!("starting a job: {error}"))?;
        runtime.block_on(async {
            tokio::select! {
                biased;
                () = cancel.cancelled() => Err("it was cancelled".to_owned()),
                done = make() => Ok(done),
            }
        })
    };
    let body = move || {
        let done = catch_unwind(AssertUnwindSafe(run));
        // Whoever waited may be gone.
        let _ = tell.send(done.unwrap_or_else(|panic| Err(words_of(&*panic))));
    };
    thread::Builder::new()
        .name(name)
        .spawn(body)
        .map_err(|error| format!("starting a thread: {error}"))?;
    told.await.unwrap_or_else(|_| Err("the thread of the job is gone".to_owned()))
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic.downcast_ref::<&str>().copied();
    let words = words.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a mistake in the worker: {}", words.unwrap_or("it panicked"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_and_a_cancellation_are_results() {
        let never = CancellationToken::new();
        let done = alone("a".into(), never.clone(), || async { 7 }).await;
        assert_eq!(done, Ok(7));
        let done = alone("b".into(), never.clone(), || async { panic!("oh {}", 1 + 1) }).await;
        assert_eq!(done, Err::<(), _>("a mistake in the worker: oh 2".to_owned()));
        let cancel = CancellationToken::new();
        let done = alone("c".into(), cancel.clone(), std::future::pending::<()>);
        cancel.cancel();
        assert_eq!(done.await, Err("it was cancelled".to_owned()));
    }
}
