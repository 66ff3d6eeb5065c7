//! Limits the responses of an API server, which a tenant may have chosen.
//!
//! A connection can die without notice, and a watch over it would then report stale objects as
//! current. A server sends bookmarks about once a minute. A longer silence ends the response, and
//! the watch reconnects where it stopped. An event is one line, so its length is limited, too.

use std::future::Future as _;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame};
use sluice_yaml::limits::JsonNodeCount;
use tokio::time::{Instant, Sleep};
use tower::BoxError;

/// Longest silence of a watch response.
pub(crate) const IDLE_TIMEOUT: Duration = Duration::from_secs(100);

/// Maximum bytes of an event of a watch. An API server stores objects of at most 3 MiB.
const MAX_EVENT_BYTES: usize = 4 << 20;

/// The body of a response. The body of a watch ends early when it was idle, and fails at an event
/// that is too large.
pub(crate) struct ResponseBody<B> {
    inner: B,
    watch: Option<WatchLimits>,
}

struct WatchLimits {
    idle: Duration,
    sleep: Pin<Box<Sleep>>,
    /// Bytes since the last line feed.
    event_bytes: usize,
    /// Nodes since the last line feed.
    event_nodes: JsonNodeCount,
}

/// An event of a watch is too large.
#[derive(Debug, thiserror::Error)]
enum EventTooLarge {
    #[error("the server sent an event of more than {MAX_EVENT_BYTES} bytes")]
    Bytes,
    #[error("the server sent an event that is too complex: {0}")]
    Nodes(sluice_yaml::Error),
}

impl<B> ResponseBody<B> {
    /// Wraps a body without a limit.
    pub(crate) fn unlimited(inner: B) -> Self {
        Self { inner, watch: None }
    }

    /// Wraps the body of a watch, which ends after `idle` without data.
    pub(crate) fn watch(inner: B, idle: Duration) -> Self {
        Self {
            inner,
            watch: Some(WatchLimits {
                idle,
                sleep: Box::pin(tokio::time::sleep(idle)),
                event_bytes: 0,
                event_nodes: JsonNodeCount::of_text(),
            }),
        }
    }
}

impl WatchLimits {
    fn receive(&mut self, data: &[u8]) -> Result<(), EventTooLarge> {
        self.sleep.as_mut().reset(Instant::now() + self.idle);
        // The parts between line feeds, of which the first continues an event.
        for (index, part) in data.split(|byte| *byte == b'\n').enumerate() {
            if index > 0 {
                self.event_bytes = 0;
                self.event_nodes.restart();
            }
            self.event_bytes += part.len();
            if self.event_bytes > MAX_EVENT_BYTES {
                return Err(EventTooLarge::Bytes);
            }
            self.event_nodes.add(part).map_err(EventTooLarge::Nodes)?;
        }
        Ok(())
    }
}

impl<B> Body for ResponseBody<B>
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
            if let Some(limits) = &mut this.watch
                && let Some(Ok(frame)) = &frame
                && let Some(data) = frame.data_ref()
                && let Err(error) = limits.receive(data)
            {
                return Poll::Ready(Some(Err(error.into())));
            }
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let Some(limits) = &mut this.watch else {
            return Poll::Pending;
        };
        let idle = limits.idle;
        limits.sleep.as_mut().poll(context).map(|()| {
            tracing::debug!(?idle, "a watch was idle for too long");
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
        let body = ResponseBody::watch(words(&[0, 90, 90]), IDLE_TIMEOUT);
        let read = body.collect().await.unwrap().to_bytes();
        assert_eq!(read.as_ref(), b"wordwordword");
        assert_eq!(began.elapsed(), Duration::from_mins(3) + IDLE_TIMEOUT);
    }

    /// Sends these texts at once.
    fn texts(texts: Vec<String>) -> impl Body<Data = Bytes, Error = Infallible> + Unpin {
        let frames = texts.into_iter().map(|text| Ok(Frame::data(text.into())));
        StreamBody::new(futures::stream::iter(frames))
    }

    #[tokio::test]
    async fn large_event_fails_the_watch() {
        let part = "x".repeat(MAX_EVENT_BYTES / 2);
        let line = format!("{part}\n{part}");
        let read = async |parts: Vec<String>| {
            let body = ResponseBody::watch(texts(parts), IDLE_TIMEOUT)
                .collect()
                .await;
            body.map(drop).map_err(|error| error.to_string())
        };
        let events = vec![part.clone(), line.clone(), line.clone(), line.clone()];
        assert_eq!(read(events).await, Ok(()));
        let error = read(vec![part.clone(), part.clone(), "x".to_owned()]).await;
        let expected = "the server sent an event of more than 4194304 bytes";
        assert_eq!(error.unwrap_err(), expected);
    }

    #[tokio::test]
    async fn event_of_many_nodes_fails_the_watch() {
        let list = format!("[{}1]", "1,".repeat(MAX_EVENT_BYTES / 4));
        let mut body = ResponseBody::watch(texts(vec![list]), IDLE_TIMEOUT);
        body.watch.as_mut().unwrap().event_nodes = JsonNodeCount::up_to(1000);
        let error = body.collect().await.map(drop).unwrap_err().to_string();
        let expected = "the server sent an event that is too complex: ";
        assert!(error.starts_with(expected), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn unlimited_body_may_stay_idle() {
        let mut body = ResponseBody::unlimited(words(&[3600]));
        assert!(body.frame().await.is_some());
    }
}
