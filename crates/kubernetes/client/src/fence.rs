//! Holds back the writes of a process that may have lost its lease.
//!
//! A process may be stopped for longer than its lease: by a debugger, a frozen node, a swap storm.
//! Another process leads when it continues. Its tasks end as soon as it reads the lease, but some
//! of them may write before. So each write compares the clock with the end of the lease first.
//! After the end, it waits until the lease is renewed or lost.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;

use http::Method;
use tokio::sync::watch;
use tokio::time::Instant;
use tower::BoxError;

/// Lets writes of one leader pass until its lease ends. Clones share the end.
#[derive(Debug, Clone)]
pub struct Fence {
    state: Arc<watch::Sender<State>>,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Open,
    /// Writes pass until then, and wait afterwards.
    Until(Instant),
    Closed,
}

impl State {
    fn passes(self) -> bool {
        match self {
            Self::Open => true,
            Self::Until(end) => Instant::now() < end,
            Self::Closed => false,
        }
    }
}

impl Default for Fence {
    fn default() -> Self {
        Self {
            state: Arc::new(watch::Sender::new(State::Open)),
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
        self.state.send_replace(State::Until(end));
    }

    /// Refuses all writes: the lease is lost.
    pub fn close(&self) {
        self.state.send_replace(State::Closed);
    }

    /// Lets all writes pass: the process does not lead, and its tasks have ended.
    pub fn open(&self) {
        self.state.send_replace(State::Open);
    }

    /// Sends a request while the fence is open. The fence is checked at each poll, because a
    /// request may wait for its connection. After the end of the lease, the request waits for its
    /// renewal.
    pub(crate) async fn guard<T, E: Into<BoxError>>(
        &self,
        request: impl Future<Output = Result<T, E>>,
    ) -> Result<T, BoxError> {
        let mut request = pin!(request);
        let mut states = self.state.subscribe();
        loop {
            let state = *states.borrow_and_update();
            if matches!(state, State::Closed) {
                return Err(LeaseEnded.into());
            }
            let answer = poll_fn(|context| {
                if state.passes() {
                    request.as_mut().poll(context)
                } else {
                    Poll::Pending
                }
            });
            tokio::select! {
                biased;
                // It cannot fail: this fence holds the sender.
                _ = states.changed() => {}
                answer = answer => return answer.map_err(Into::into),
            }
        }
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

    use tokio::time::{advance, sleep};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    async fn slow_request() -> Result<&'static str, Infallible> {
        sleep(2 * SECOND).await;
        Ok("sent")
    }

    #[tokio::test(start_paused = true)]
    async fn write_before_the_end_passes() {
        let fence = Fence::default();
        let clone = fence.clone();
        assert_eq!(clone.guard(slow_request()).await.unwrap(), "sent");
        fence.set_end(Instant::now() + 3 * SECOND);
        assert_eq!(clone.guard(slow_request()).await.unwrap(), "sent");
    }

    #[tokio::test(start_paused = true)]
    async fn write_after_the_end_waits_for_the_renewal() {
        let fence = Fence::default();
        fence.set_end(Instant::now() + SECOND);
        advance(SECOND).await;
        let renewal = async {
            sleep(5 * SECOND).await;
            fence.set_end(Instant::now() + 10 * SECOND);
        };
        let began = Instant::now();
        let (sent, ()) = tokio::join!(fence.guard(slow_request()), renewal);
        assert_eq!(sent.unwrap(), "sent");
        assert!(began.elapsed() >= 7 * SECOND, "{:?}", began.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn waiting_write_fails_when_the_lease_is_lost() {
        let fence = Fence::default();
        fence.set_end(Instant::now() + SECOND);
        let loss = async {
            sleep(5 * SECOND).await;
            fence.close();
        };
        let (refused, ()) = tokio::join!(fence.guard(slow_request()), loss);
        assert!(refused.unwrap_err().is::<LeaseEnded>());
        assert!(fence.guard(slow_request()).await.is_err());
    }
}
