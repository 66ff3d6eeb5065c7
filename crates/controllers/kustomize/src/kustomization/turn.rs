//! Turns: as many builds work at once as there are cores, and one that waits for a server lets
//! another have its core meanwhile.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt as _;
use sluice_render::Waiter;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

/// The turn of one build among those that work at once; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    builders: Arc<Semaphore>,
    runtime: Handle,
    permit: Mutex<Option<OwnedSemaphorePermit>>,
    /// Whether the build waits.
    waits: watch::Sender<bool>,
}

impl Turn {
    /// Waits for a turn.
    pub(super) async fn take(builders: &Arc<Semaphore>) -> Arc<Self> {
        let permit = Arc::clone(builders).acquire_owned().await;
        Arc::new(Self {
            builders: Arc::clone(builders),
            runtime: Handle::current(),
            permit: Mutex::new(permit.ok()),
            waits: watch::Sender::new(false),
        })
    }

    /// Gives the turn back for as long as this takes. Blocks.
    pub(super) fn pause<T>(&self, wait: impl FnOnce() -> T) -> T {
        let permit = || self.permit.lock().unwrap_or_else(PoisonError::into_inner);
        self.waits.send_replace(true);
        drop(permit().take());
        let result = wait();
        let again = Arc::clone(&self.builders).acquire_owned();
        let again = self.runtime.block_on(again).ok();
        *permit() = again;
        self.waits.send_replace(false);
        result
    }

    /// Lets somebody see from outside that the build waits.
    pub(super) fn absence(&self) -> Absence {
        Absence(self.waits.subscribe())
    }
}

impl Waiter for Turn {
    /// Gives the turn back unless the work ends at once.
    fn wait(&self, mut work: Pin<&mut dyn Future<Output = ()>>) {
        let _entered = self.runtime.enter();
        if work.as_mut().now_or_never().is_none() {
            self.pause(|| self.runtime.block_on(work));
        }
    }
}

/// Sees whether a build waits for a server.
#[derive(Debug)]
pub(super) struct Absence(watch::Receiver<bool>);

impl Absence {
    /// Resolves when the build has waited for this long; never, if it does not.
    pub(super) async fn lasts(&mut self, patience: Duration) {
        loop {
            if self.0.wait_for(|waits| *waits).await.is_err() {
                return std::future::pending().await;
            }
            let back = self.0.wait_for(|waits| !*waits);
            if tokio::time::timeout(patience, back).await.is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_build_keeps_its_turn_for_what_is_done_at_once_and_lends_it_while_it_waits() {
        let builders = Arc::new(Semaphore::new(1));
        let turn = Turn::take(&builders).await;
        let (answer, answered) = oneshot::channel();
        let free = Arc::clone(&builders);
        let work = tokio::task::spawn_blocking(move || {
            let (mut at_once, mut later) = (0, 0);
            turn.wait(pin!(async { at_once = free.available_permits() }));
            turn.wait(pin!(async {
                answered.await.unwrap();
                later = free.available_permits();
            }));
            (at_once, later, free.available_permits())
        });
        // Another build has its turn before the first one is answered.
        drop(Turn::take(&builders).await);
        answer.send(()).unwrap();
        assert_eq!(work.await.unwrap(), (0, 1, 0));
        assert_eq!(builders.available_permits(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn only_a_long_wait_is_an_absence() {
        let (waits, seen) = watch::channel(false);
        let mut absence = Absence(seen);
        let second = Duration::from_secs(1);
        let mut lasts = pin!(absence.lasts(second));
        for _ in 0..3 {
            waits.send_replace(true);
            let wait = tokio::time::timeout(second / 2, &mut lasts).await;
            assert!(wait.is_err(), "a short wait");
            waits.send_replace(false);
            let work = tokio::time::timeout(second * 2, &mut lasts).await;
            assert!(work.is_err(), "work");
        }
        waits.send_replace(true);
        lasts.await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_build_that_ended_is_not_absent() {
        let (waits, seen) = watch::channel(false);
        drop(waits);
        let mut absence = Absence(seen);
        let lasts = absence.lasts(Duration::ZERO);
        let ended = tokio::time::timeout(Duration::from_secs(1), lasts).await;
        assert!(ended.is_err());
    }
}
