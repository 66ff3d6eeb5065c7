//! Restarts a watch that panicked.
//!
//! Without its watch a controller goes on with stale objects and looks healthy. So a watch that
//! panicked is logged, makes the process unready, and starts again with an exponential back-off.
//! Its first list recovers the missed events and makes the process ready again.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::FutureExt;
use tokio::time::Instant;

const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MAX_PAUSE: Duration = Duration::from_secs(30);

/// Whether a watch sees all changes.
#[derive(Debug, Default)]
pub(crate) struct WatchHealth {
    is_broken: AtomicBool,
}

impl WatchHealth {
    /// Records that the watch has a complete snapshot.
    pub(crate) fn set_recovered(&self) {
        self.is_broken.store(false, Ordering::Release);
    }

    /// Whether the watch panicked and has not caught up since.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Acquire)
    }

    fn set_broken(&self) {
        self.is_broken.store(true, Ordering::Release);
    }
}

/// Runs `watch` until it returns; after a panic, again.
pub(crate) async fn supervise<R>(kind: &str, health: &WatchHealth, mut watch: impl FnMut() -> R)
where
    R: Future<Output = ()>,
{
    let mut pause = FIRST_PAUSE;
    loop {
        let began = Instant::now();
        if AssertUnwindSafe(watch()).catch_unwind().await.is_ok() {
            return;
        }
        health.set_broken();
        if began.elapsed() > MAX_PAUSE {
            pause = FIRST_PAUSE;
        }
        // The panic hook has printed the message already, and it may quote anything.
        tracing::error!(kind, retry = ?pause, "a watch panicked");
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(MAX_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn panicking_watch_restarts_with_backoff() {
        let (health, starts) = (WatchHealth::default(), AtomicUsize::new(0));
        let began = Instant::now();
        supervise("ConfigMap", &health, || async {
            let start = starts.fetch_add(1, Ordering::SeqCst);
            assert!(start >= 3, "on purpose");
        })
        .await;
        assert_eq!(starts.load(Ordering::SeqCst), 4);
        assert_eq!(began.elapsed(), Duration::from_millis(500 + 1000 + 2000));
        assert!(health.is_broken(), "until it has caught up");
        health.set_recovered();
        assert!(!health.is_broken());
    }

    #[tokio::test(start_paused = true)]
    async fn long_run_resets_the_backoff() {
        let (health, starts) = (WatchHealth::default(), AtomicUsize::new(0));
        let began = Instant::now();
        supervise("ConfigMap", &health, || async {
            let start = starts.fetch_add(1, Ordering::SeqCst);
            if start == 2 {
                tokio::time::sleep(Duration::from_mins(1)).await;
            }
            assert!(start >= 3, "on purpose");
        })
        .await;
        assert_eq!(began.elapsed(), Duration::from_secs(62));
    }
}
