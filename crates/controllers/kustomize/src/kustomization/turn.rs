//! Turns: as many builds work at once as there are cores, and one that waits for a server lets
//! another have its core meanwhile.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt as _;
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

    /// Does work that may wait for a server, and gives the turn back if it does. Blocks.
    pub(super) fn block_on<F: Future>(&self, work: F) -> F::Output {
        let _entered = self.runtime.enter();
        let mut work = pin!(work);
        match work.as_mut().now_or_never() {
            Some(output) => output,
            None => self.pause(|| self.runtime.block_on(work)),
        }
    }

    /// Lets somebody see from outside that the build waits.
    pub(super) fn absence(&self) -> Absence {
        Absence(self.waits.subscribe())
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
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn a_build_keeps_its_turn_for_what_is_done_at_once_and_lends_it_while_it_waits() {
        let builders = Arc::new(Semaphore::new(1));
        let turn = Turn::take(&builders).await;
        let (answer, answered) = oneshot::channel();
        let free = Arc::clone(&builders);
        let work = tokio::task::spawn_blocking(move || {
            let at_once = turn.block_on(async { free.available_permits() });
            let later = turn.block_on(async {
                answered.await.unwrap();
                free.available_permits()
            });
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
