//! Limits and cancels the work of stores.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sluice_system::permits::FairPermits;

use crate::error::Result;

/// Concurrent tasks of a group. Each keeps a core or the disk busy.
const MAX_TASKS: NonZeroUsize = NonZeroUsize::new(2).unwrap();
/// Concurrent downloads of large packs by a group. Their threads mostly wait for a server, so they
/// must not block other tasks.
const MAX_DOWNLOADS: NonZeroUsize = NonZeroUsize::new(48).unwrap();

/// The permits of a process.
#[derive(Clone)]
pub(super) struct Permits {
    work: FairPermits,
    downloads: FairPermits,
}

impl Permits {
    pub(super) fn new() -> Self {
        Self {
            work: FairPermits::new(MAX_TASKS),
            downloads: FairPermits::new(MAX_DOWNLOADS),
        }
    }

    /// The permits for work of a group.
    pub(super) fn of(&self, group: &Arc<str>) -> GroupPermits {
        GroupPermits {
            permits: self.clone(),
            group: Arc::clone(group),
        }
    }
}

/// The permits for tasks and downloads of one group.
#[derive(Clone)]
pub(super) struct GroupPermits {
    permits: Permits,
    group: Arc<str>,
}

impl GroupPermits {
    /// Runs work on the blocking pool.
    pub(super) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        blocking(&self.permits.work, &self.group, work).await
    }

    /// Runs work that mostly waits for a server on the blocking pool.
    pub(super) async fn download<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T> + Send + 'static,
    ) -> Result<T> {
        blocking(&self.permits.downloads, &self.group, work).await
    }
}

/// Runs work on the blocking pool. The permit is held until the work ends, even if the caller is
/// cancelled.
async fn blocking<T: Send + 'static>(
    permits: &FairPermits,
    group: &str,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let permit = permits.acquire(group).await;
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
