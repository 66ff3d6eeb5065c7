//! Ends a watch response that stays idle for too long.
//!
//! A connection can die without notice, and a watch over it would then report stale objects as
//! current. A server sends bookmarks about once a minute. A longer silence ends the response, and
//! the watch reconnects where it stopped.

use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame};
use tokio::time::{Instant, Sleep};
use tower::BoxError;

/// Longest silence of a watch response.
pub(crate) const IDLE_TIMEOUT: Duration = Duration::from_secs(100);

/// A response body that may end early because it was idle.
pub(crate) struct IdleTimeoutBody<B> {
    inner: B,
    idle: Option<(Duration, Pin<Box<Sleep>>)>,
}

impl<B> IdleTimeoutBody<B> {
    /// Wraps a body without a limit.
    pub(crate) fn unlimited(inner: B) -> Self {
        Self { inner, idle: None }
    }

    /// Wraps a body that ends after `limit` without data.
    pub(crate) fn limited(inner: B, limit: Duration) -> Self {
        Self {
            inner,
            idle: Some((limit, Box::pin(tokio::time::sleep(limit)))),
        }
    }
}

impl<B> Body for IdleTimeoutBody<B>
where
    B: Body<Data = Bytes, Error: Into<BoxError>> + Unpin,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let this = self.get_mut();
        if let Poll::Ready(frame) = Pin::new(&mut this.inner).poll_frame(context) {
            if let Some((limit, sleep)) = &mut this.idle {
                sleep.as_mut().reset(Instant::now() + *limit);
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let Some((limit, sleep)) = &mut this.idle else {
            return Poll::Pending;
        };
        sleep.as_mut().poll(context).map(|()| {
            tracing::debug!(?limit, "a watch was idle for too long");
            None
        })
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures::StreamExt as _;
    use http_body_util::{BodyExt as _, StreamBody};

    use super::*;

    /// Sends a word after each of these pauses in seconds, and then nothing more.
    fn words(pauses: &'static [u64]) -> impl Body<Data = Bytes, Error = Infallible> + Unpin {
        let words = futures::stream::iter(pauses).then(|seconds| async move {
            tokio::time::sleep(Duration::from_secs(*seconds)).await;
            Ok(Frame::data(Bytes::from_static(b"word")))
        });
        StreamBody::new(Box::pin(words.chain(futures::stream::pending())))
    }

    #[tokio::test(start_paused = true)]
    async fn limited_body_ends_after_the_idle_timeout() {
        let began = Instant::now();
        let body = IdleTimeoutBody::limited(words(&[0, 90, 90]), IDLE_TIMEOUT);
        let read = body.collect().await.unwrap().to_bytes();
        assert_eq!(read.as_ref(), b"wordwordword");
        assert_eq!(began.elapsed(), Duration::from_mins(3) + IDLE_TIMEOUT);
    }

    #[tokio::test(start_paused = true)]
    async fn unlimited_body_may_stay_idle() {
        let mut body = IdleTimeoutBody::unlimited(words(&[3600]));
        assert!(body.frame().await.is_some());
    }
}
