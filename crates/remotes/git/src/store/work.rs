//! Limits and cancels the work of stores.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;

use crate::error::Result;

/// Concurrent tasks. Each keeps a core or the disk busy.
const MAX_TASKS: usize = 2;
/// Concurrent downloads of large packs. Their threads mostly wait for a server, so they must not
/// block other tasks.
const MAX_DOWNLOADS: usize = 64;

/// The permits for tasks and downloads.
#[derive(Clone)]
pub(super) struct Permits {
    pub(super) work: Arc<Semaphore>,
    pub(super) downloads: Arc<Semaphore>,
}

impl Permits {
    pub(super) fn new() -> Self {
        Self {
            work: Arc::new(Semaphore::new(MAX_TASKS)),
            downloads: Arc::new(Semaphore::new(MAX_DOWNLOADS)),
        }
    }
}

/// Runs work on the blocking pool. The permit is held until the work ends, even if the caller is
/// cancelled.
pub(super) async fn blocking<T: Send + 'static>(
    permits: &Arc<Semaphore>,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let permit = Arc::clone(permits)
        .acquire_owned()
        .await
        .expect("the semaphore is never closed");
    let task = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    match task.await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime is shutting down.
            Err(_) => std::future::pending().await,
        },
    }
}

/// Returns a flag that is true until the guard is dropped.
pub(super) fn cancellation() -> (Arc<AtomicBool>, CancelOnDrop) {
    let running = Arc::new(AtomicBool::new(true));
    (Arc::clone(&running), CancelOnDrop(running))
}

pub(super) struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}
