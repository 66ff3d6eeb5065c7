//! Delays all fetches after a start until every advertised artifact was checked.
//!
//! A restart may have lost the storage. Consumers must learn this from all objects at once, and
//! not only after the slow fetches of other objects. The first run of each object checks its
//! artifact, and reports the result. It waits here for the other objects, without holding a worker.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sluice_engine::{Kind, ObjectKey, Run};
use tokio_util::sync::CancellationToken;

/// Limits the wait: an unresponsive API server must not block all fetches.
const WAIT_LIMIT: Duration = Duration::from_mins(1);

/// The first runs of the objects that exist at start.
#[derive(Debug, Default)]
pub struct FirstRound {
    left: Mutex<HashSet<ObjectKey>>,
    over: CancellationToken,
}

impl FirstRound {
    /// Starts the round for these objects.
    pub fn begin(&self, objects: impl IntoIterator<Item = ObjectKey>) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.extend(objects);
        if left.is_empty() {
            self.over.cancel();
        }
    }

    /// Marks an object as checked or deleted.
    pub fn mark_checked(&self, object: &ObjectKey) {
        if self.over.is_cancelled() {
            return;
        }
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.remove(object) && left.is_empty() {
            self.over.cancel();
        }
    }

    /// Marks this object as checked and waits for the others, without holding a worker.
    pub async fn wait_for_others<K: Kind>(&self, run: &Run<K>) {
        if !self.is_over() {
            self.mark_checked(run.key());
            run.release(self.wait()).await;
        }
    }

    /// Marks the object as checked when the guard drops, however its run ends.
    pub fn mark_on_drop<'a>(&'a self, object: &'a ObjectKey) -> impl Drop + 'a {
        CheckedGuard {
            round: self,
            object,
        }
    }

    /// Whether the round is over.
    fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    /// Waits for the end of the round, without a limit.
    pub async fn wait_for_end(&self) {
        self.over.cancelled().await;
    }

    /// Waits for the end of the round, at most `WAIT_LIMIT`.
    async fn wait(&self) {
        self.wait_within(WAIT_LIMIT).await;
    }

    async fn wait_within(&self, limit: Duration) {
        if tokio::time::timeout(limit, self.over.cancelled())
            .await
            .is_err()
        {
            let left = self
                .left
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .len();
            tracing::warn!(
                left,
                "not every stored artifact was looked at: going on without"
            );
            self.over.cancel();
        }
    }
}

struct CheckedGuard<'a> {
    round: &'a FirstRound,
    object: &'a ObjectKey,
}

impl Drop for CheckedGuard<'_> {
    fn drop(&mut self) {
        self.round.mark_checked(self.object);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn key(name: &str) -> ObjectKey {
        ObjectKey::new("apps", name)
    }

    #[tokio::test]
    async fn wait_ends_with_last_object() {
        let round = Arc::new(FirstRound::default());
        round.begin([key("a"), key("b")]);
        let waiting = sluice_system::spawn({
            let round = Arc::clone(&round);
            async move { round.wait().await }
        });
        round.mark_checked(&key("a"));
        round.mark_checked(&key("stranger"));
        assert!(!round.is_over());
        drop(round.mark_on_drop(&key("b")));
        waiting.await.unwrap();
        assert!(round.is_over());
    }

    #[tokio::test]
    async fn round_without_objects_is_over() {
        let round = FirstRound::default();
        round.begin([]);
        round.wait().await;
    }

    #[tokio::test]
    async fn wait_ends_at_limit() {
        let round = FirstRound::default();
        round.begin([key("a")]);
        round.wait_within(Duration::from_millis(1)).await;
        assert!(round.is_over());
    }
}
