//! Answers without an end that must not be silent for long.
//!
//! A connection can die without a word: a node is gone, a balancer forgot it. Whoever watches
//! would then hold what is old for new. Servers that are asked for bookmarks say something about
//! once a minute, so that a longer silence is taken for the end of the answer, and the watch goes
//! on over another connection from where it was.

use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame};
use tokio::time::{Instant, Sleep};
use tower::BoxError;

/// Longest silence of a watch.
pub(crate) const LONGEST: Duration = Duration::from_secs(100);

/// A body, which ends early if it is silent for too long.
pub(crate) struct Heard<B> {
    inner: B,
    silence: Option<(Duration, Pin<Box<Sleep>>)>,
}

impl<B> Heard<B> {
    /// A body that may be silent for as long as it likes.
    pub(crate) fn at_leisure(inner: B) -> Self {
        Self {
            inner,
            silence: None,
        }
    }

    /// A body that may be silent for so long.
    pub(crate) fn within(inner: B, limit: Duration) -> Self {
        Self {
            inner,
            silence: Some((limit, Box::pin(tokio::time::sleep(limit)))),
        }
    }
}

impl<B> Body for Heard<B>
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
            if let Some((limit, sleep)) = &mut this.silence {
                sleep.as_mut().reset(Instant::now() + *limit);
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let Some((limit, sleep)) = &mut this.silence else {
            return Poll::Pending;
        };
        sleep.as_mut().poll(context).map(|()| {
            tracing::debug!(?limit, "a watch was silent for too long");
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

    /// Says a word after each of these seconds, and then nothing more.
    fn saying(after: &'static [u64]) -> impl Body<Data = Bytes, Error = Infallible> + Unpin {
        let words = futures::stream::iter(after).then(|seconds| async move {
            tokio::time::sleep(Duration::from_secs(*seconds)).await;
            Ok(Frame::data(Bytes::from_static(b"word")))
        });
        StreamBody::new(Box::pin(words.chain(futures::stream::pending())))
    }

    #[tokio::test(start_paused = true)]
    async fn a_watch_that_falls_silent_ends_and_one_that_speaks_now_and_then_goes_on() {
        let began = Instant::now();
        let body = Heard::within(saying(&[0, 90, 90]), LONGEST);
        let heard = body.collect().await.unwrap().to_bytes();
        assert_eq!(heard.as_ref(), b"wordwordword");
        assert_eq!(began.elapsed(), Duration::from_mins(3) + LONGEST);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_is_at_leisure_may_be_silent() {
        let mut body = Heard::at_leisure(saying(&[3600]));
        assert!(body.frame().await.is_some());
    }
}
