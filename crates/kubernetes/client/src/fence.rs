//! Refuses writes of a process that may have lost its lease.
//!
//! A process may be stopped for longer than its lease: by a debugger, a frozen node, a swap storm.
//! Another process leads when it continues. Its tasks end as soon as it reads the lease, but some
//! of them may write before. So each write compares the clock with the end of the lease first.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;

use http::Method;
use tokio::time::Instant;
use tower::BoxError;

/// A fence without an end.
const OPEN: u64 = u64::MAX;

/// Lets writes of one leader pass until its lease ends. Clones share the end.
#[derive(Debug, Clone)]
pub struct Fence {
    origin: Instant,
    /// Nanoseconds after `origin`.
    end: Arc<AtomicU64>,
}

impl Default for Fence {
    fn default() -> Self {
        Self {
            origin: Instant::now(),
            end: Arc::new(AtomicU64::new(OPEN)),
        }
    }
}

/// The lease of this process has ended.
#[derive(Debug, thiserror::Error)]
#[error("the lease of this process has ended")]
pub(crate) struct LeaseEnded;

impl Fence {
    /// Lets writes pass until `end`.
    pub fn set_end(&self, end: Instant) {
        let after = end.saturating_duration_since(self.origin).as_nanos();
        let after = u64::try_from(after).unwrap_or(OPEN);
        self.end.store(after, Ordering::SeqCst);
    }

    /// Refuses all writes.
    pub fn close(&self) {
        self.end.store(0, Ordering::SeqCst);
    }

    /// Lets all writes pass: the process does not lead, and its tasks have ended.
    pub fn open(&self) {
        self.end.store(OPEN, Ordering::SeqCst);
    }

    /// Whether writes pass.
    pub fn is_open(&self) -> bool {
        match self.end.load(Ordering::SeqCst) {
            OPEN => true,
            end => self.origin.elapsed().as_nanos() < u128::from(end),
        }
    }

    /// Sends a request while the fence is open. The fence is checked at each poll, because a request
    /// may wait for its connection.
    pub(crate) async fn guard<T, E: Into<BoxError>>(
        &self,
        request: impl Future<Output = Result<T, E>>,
    ) -> Result<T, BoxError> {
        let mut request = pin!(request);
        poll_fn(|context| {
            if self.is_open() {
                request.as_mut().poll(context).map_err(Into::into)
            } else {
                Poll::Ready(Err(LeaseEnded.into()))
            }
        })
        .await
    }
}

/// Whether a request changes the cluster.
pub(crate) fn is_write(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn fence_closes_at_its_end() {
        let fence = Fence::default();
        assert!(fence.is_open());
        fence.set_end(Instant::now() + Duration::from_secs(30));
        let clone = fence.clone();
        tokio::time::advance(Duration::from_secs(29)).await;
        assert!(clone.is_open());
        tokio::time::advance(Duration::from_secs(1)).await;
        assert!(!clone.is_open());
        fence.set_end(Instant::now() + Duration::from_secs(30));
        assert!(clone.is_open());
        fence.close();
        assert!(!clone.is_open());
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_request_is_dropped_at_the_end() {
        let fence = Fence::default();
        fence.set_end(Instant::now() + Duration::from_secs(1));
        let request = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            Ok::<_, Infallible>("sent")
        };
        let refused = fence.guard(request).await.unwrap_err();
        assert!(refused.is::<LeaseEnded>());
    }
}
