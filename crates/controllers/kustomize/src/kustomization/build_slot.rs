//! Limits concurrent builds to the number of cores.
//!
//! A build that waits for a server releases its slot to another build. Start at [`BuildSlot`].

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt as _;
use sluice_render::Waiter;
use sluice_system::permits::{FairPermit, FairPermits};
use tokio::runtime::Handle;
use tokio::sync::watch;

/// Slot of one running build. Dropping it releases the permit.
#[derive(Debug)]
pub(super) struct BuildSlot {
    build_permits: FairPermits,
    namespace: String,
    runtime: Handle,
    permit: Mutex<Option<FairPermit>>,
    /// Whether the build waits for a server.
    waits: watch::Sender<bool>,
}

impl BuildSlot {
    /// Waits for a free slot. Namespaces share the slots fairly.
    pub(super) async fn acquire(build_permits: &FairPermits, namespace: &str) -> Arc<Self> {
        let permit = build_permits.acquire(namespace).await;
        Arc::new(Self {
            build_permits: build_permits.clone(),
            namespace: namespace.to_owned(),
            runtime: Handle::current(),
            permit: Mutex::new(Some(permit)),
            waits: watch::Sender::new(false),
        })
    }

    /// Releases the permit while `wait` runs, then acquires it again. Blocks.
    pub(super) fn release_while<T>(&self, wait: impl FnOnce() -> T) -> T {
        let permit = || self.permit.lock().unwrap_or_else(PoisonError::into_inner);
        self.waits.send_replace(true);
        drop(permit().take());
        let result = wait();
        let again = self.build_permits.acquire(&self.namespace);
        *permit() = Some(self.runtime.block_on(again));
        self.waits.send_replace(false);
        result
    }

    /// Returns a monitor of the waits of this build.
    pub(super) fn wait_monitor(&self) -> WaitMonitor {
        WaitMonitor(self.waits.subscribe())
    }
}

impl Waiter for BuildSlot {
    /// Releases the permit unless the work completes at the first poll.
    fn wait(&self, mut work: Pin<&mut dyn Future<Output = ()>>) {
        let _entered = self.runtime.enter();
        if work.as_mut().now_or_never().is_none() {
            self.release_while(|| self.runtime.block_on(work));
        }
    }
}

/// Observes whether a build waits for a server.
#[derive(Debug)]
pub(super) struct WaitMonitor(watch::Receiver<bool>);

impl WaitMonitor {
    /// Resolves when a single wait has lasted for this long; otherwise never.
    pub(super) async fn exceeds(&mut self, threshold: Duration) {
        loop {
            if self.0.wait_for(|waits| *waits).await.is_err() {
                return std::future::pending().await;
            }
            let back = self.0.wait_for(|waits| !*waits);
            if tokio::time::timeout(threshold, back).await.is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::pin::pin;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn slot_is_released_only_while_work_is_pending() {
        let build_permits = FairPermits::new(NonZeroUsize::MIN);
        let slot = BuildSlot::acquire(&build_permits, "apps").await;
        let (answer, answered) = oneshot::channel();
        let free = build_permits.clone();
        let work = tokio::task::spawn_blocking(move || {
            let (mut at_once, mut later) = (0, 0);
            slot.wait(pin!(async { at_once = free.free() }));
            slot.wait(pin!(async {
                answered.await.unwrap();
                later = free.free();
            }));
            (at_once, later, free.free())
        });
        // Another build acquires the slot before the first one continues.
        drop(BuildSlot::acquire(&build_permits, "apps").await);
        answer.send(()).unwrap();
        assert_eq!(work.await.unwrap(), (1, 2, 1));
        assert_eq!(build_permits.free(), 2);
    }

    #[tokio::test(start_paused = true)]
    async fn monitor_ignores_short_waits() {
        let (waits, seen) = watch::channel(false);
        let mut wait_monitor = WaitMonitor(seen);
        let second = Duration::from_secs(1);
        let mut exceeds = pin!(wait_monitor.exceeds(second));
        for _ in 0..3 {
            waits.send_replace(true);
            let wait = tokio::time::timeout(second / 2, &mut exceeds).await;
            assert!(wait.is_err(), "a short wait");
            waits.send_replace(false);
            let work = tokio::time::timeout(second * 2, &mut exceeds).await;
            assert!(work.is_err(), "work");
        }
        waits.send_replace(true);
        exceeds.await;
    }

    #[tokio::test(start_paused = true)]
    async fn monitor_never_resolves_for_ended_build() {
        let (waits, seen) = watch::channel(false);
        drop(waits);
        let mut wait_monitor = WaitMonitor(seen);
        let exceeds = wait_monitor.exceeds(Duration::ZERO);
        let ended = tokio::time::timeout(Duration::from_secs(1), exceeds).await;
        assert!(ended.is_err());
    }
}
