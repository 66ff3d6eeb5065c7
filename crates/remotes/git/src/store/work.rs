//! How much a store does at a time, where, and how it is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Semaphore;

use crate::error::Result;

/// Pieces of work at a time, each of which keeps a core or the disk busy.
const WORK: usize = 2;
/// Large packs received at a time. Each has a thread that mostly waits for a server, and
/// must not keep others from the work that needs nobody.
const DOWNLOADS: usize = 64;

/// How much may happen at a time.
#[derive(Clone)]
pub(super) struct Permits {
    pub(super) work: Arc<Semaphore>,
    pub(super) downloads: Arc<Semaphore>,
}

impl Permits {
    pub(super) fn new() -> Self {
        Self {
            work: Arc::new(Semaphore::new(WORK)),
            downloads: Arc::new(Semaphore::new(DOWNLOADS)),
        }
    }
}

/// Runs work on the blocking pool, under a permit that is held until it ends,
/// also when nobody waits for it any more.
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
            // The runtime is shutting down: there is nobody left to tell.
            Err(_) => std::future::pending().await,
        },
    }
}

/// A flag that is true until the guard is dropped.
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
