//! A watch that panics is started again.
//!
//! Without its watch a controller goes on with what it knew, and looks healthy while it
//! sees nothing any more. So a watch that ended by a panic is told in the log, makes the
//! process not ready, and begins anew after a pause that grows; its first list then brings
//! whatever was missed, and makes the process ready again.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures::FutureExt;
use tokio::time::Instant;

/// First and longest pause before a watch is started again.
const PAUSE: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

/// Whether a watch sees what happens.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    broken: AtomicBool,
}

impl Standing {
    /// It has seen everything there is.
    pub(crate) fn recovered(&self) {
        self.broken.store(false, Ordering::Release);
    }

    /// Whether it ended by a panic and has not caught up since.
    pub(crate) fn is_broken(&self) -> bool {
        self.broken.load(Ordering::Acquire)
    }

    fn broke(&self) {
        self.broken.store(true, Ordering::Release);
    }
}

/// Runs `watch` until it returns; after a panic, again.
pub(crate) async fn supervise<R>(kind: &str, standing: &Standing, mut watch: impl FnMut() -> R)
where
    R: Future<Output = ()>,
{
    let mut pause = PAUSE.0;
    loop {
        let began = Instant::now();
        if AssertUnwindSafe(watch()).catch_unwind().await.is_ok() {
            return;
        }
        standing.broke();
        if began.elapsed() > PAUSE.1 {
            pause = PAUSE.0;
        }
        // What a panic says may quote anything, and is printed by the panic hook already.
        tracing::error!(kind, retry = ?pause, "a watch panicked");
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(PAUSE.1);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_watch_that_panics_begins_anew_after_growing_pauses() {
        let (standing, starts) = (Standing::default(), AtomicUsize::new(0));
        let began = Instant::now();
        supervise("ConfigMap", &standing, || async {
            let start = starts.fetch_add(1, Ordering::SeqCst);
            assert!(start >= 3, "on purpose");
        })
        .await;
        assert_eq!(starts.load(Ordering::SeqCst), 4);
        assert_eq!(began.elapsed(), Duration::from_millis(500 + 1000 + 2000));
        assert!(standing.is_broken(), "until it has caught up");
        standing.recovered();
        assert!(!standing.is_broken());
    }

    #[tokio::test(start_paused = true)]
    async fn a_watch_that_ran_well_for_long_is_not_made_to_wait_for_long() {
        let (standing, starts) = (Standing::default(), AtomicUsize::new(0));
        let began = Instant::now();
        supervise("ConfigMap", &standing, || async {
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
