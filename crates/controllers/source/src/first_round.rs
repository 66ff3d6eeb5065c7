//! Nobody asks a remote before every advertised artifact was looked at.
//!
//! A restart may have lost the storage. Consumers must hear of it from all objects at once, and
//! not from each once the fetches of those before it are over: a remote may be slow. So each
//! object's first run looks at its artifact, says what it found, and waits here for the others,
//! without holding a worker.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sluice_engine::{Kind, ObjectKey, Run};
use tokio_util::sync::CancellationToken;

/// Nobody waits longer: an API server that does not answer must not keep all remotes unasked.
const PATIENCE: Duration = Duration::from_mins(1);

/// The first runs of the objects that were there at start.
#[derive(Debug, Default)]
pub(crate) struct FirstRound {
    left: Mutex<HashSet<ObjectKey>>,
    over: CancellationToken,
}

impl FirstRound {
    /// Begins the round of these objects.
    pub(crate) fn begin(&self, objects: impl IntoIterator<Item = ObjectKey>) {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.extend(objects);
        if left.is_empty() {
            self.over.cancel();
        }
    }

    /// An object was looked at, or is gone.
    pub(crate) fn seen(&self, object: &ObjectKey) {
        if self.over.is_cancelled() {
            return;
        }
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.remove(object) && left.is_empty() {
            self.over.cancel();
        }
    }

    /// Waits, without a worker, until all of the others were looked at as well; this one was.
    pub(crate) async fn others<K: Kind>(&self, run: &Run<K>) {
        if !self.is_over() {
            self.seen(run.key());
            run.release(self.wait()).await;
        }
    }

    /// Notes on the way out that an object was looked at, however its run ends.
    pub(crate) fn pass<'a>(&'a self, object: &'a ObjectKey) -> impl Drop + 'a {
        Pass {
            round: self,
            object,
        }
    }

    /// Whether the round is over.
    fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    /// Waits for the end of the round, however long it takes.
    pub(crate) async fn ended(&self) {
        self.over.cancelled().await;
    }

    /// Waits for the others, not for ever.
    async fn wait(&self) {
        self.wait_within(PATIENCE).await;
    }

    async fn wait_within(&self, patience: Duration) {
        if tokio::time::timeout(patience, self.over.cancelled())
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

struct Pass<'a> {
    round: &'a FirstRound,
    object: &'a ObjectKey,
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.round.seen(self.object);
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
    async fn everybody_waits_for_the_last_one() {
        let round = Arc::new(FirstRound::default());
        round.begin([key("a"), key("b")]);
        let waiting = tokio::spawn({
            let round = Arc::clone(&round);
            async move { round.wait().await }
        });
        round.seen(&key("a"));
        round.seen(&key("stranger"));
        assert!(!round.is_over());
        drop(round.pass(&key("b")));
        waiting.await.unwrap();
        assert!(round.is_over());
    }

    #[tokio::test]
    async fn without_objects_there_is_no_round() {
        let round = FirstRound::default();
        round.begin([]);
        round.wait().await;
    }

    #[tokio::test]
    async fn patience_ends() {
        let round = FirstRound::default();
        round.begin([key("a")]);
        round.wait_within(Duration::from_millis(1)).await;
        assert!(round.is_over());
    }
}
