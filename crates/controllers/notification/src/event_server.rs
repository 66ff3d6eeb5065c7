//! Serves the endpoint to which controllers post events.
//!
//! The responses are those of the reference: 202 for a new event, 429 for a duplicate, 400 for an
//! invalid body. Any path and method is accepted.

use std::sync::Arc;

use http::StatusCode;
use sluice_api::Event;
use sluice_system::{Clock, blocking};

use crate::deliveries::Arrival;
use crate::dispatcher::Dispatcher;
use crate::event::{DecodeError, Key, MAX_INLINE_BYTES, Sameness, clean, decode, drop_token, key};
use crate::http_server::{EmptyResponse, Handler, WholeRequest};
use crate::text::object_path;

pub(crate) struct EventServer {
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Handler for EventServer {
    async fn handle(&self, request: WholeRequest) -> EmptyResponse {
        let bytes = request.body.len();
        let read = move || read(&request.body);
        let read = if bytes > MAX_INLINE_BYTES {
            blocking(read).await
        } else {
            read()
        };
        let (event, key) = match read {
            Ok(read) => read,
            Err(error) => {
                tracing::error!(%error, "decoding the request body failed");
                return StatusCode::BAD_REQUEST.into();
            }
        };
        let admission = self.dispatcher.admit(&key, self.clock.now());
        let headers = admission.headers();
        let Some(recipients) = admission.recipients else {
            tracing::debug!(
                object = object_path(&event),
                "Discarding event, rate limiting duplicate events"
            );
            return EmptyResponse {
                status: StatusCode::TOO_MANY_REQUESTS,
                headers,
            };
        };
        let arrival = Arrival {
            event,
            key,
            window: admission.start,
            bytes,
        };
        self.dispatcher.dispatch(arrival, &recipients).await;
        EmptyResponse {
            status: StatusCode::ACCEPTED,
            headers,
        }
    }
}

/// Reads an event, with its key. The token of its metadata is a part of the key only.
fn read(body: &[u8]) -> Result<(Event, Key), DecodeError> {
    let mut event = decode(body)?;
    clean(&mut event);
    let key = key(&event, Sameness::Meaning);
    drop_token(&mut event);
    Ok((event, key))
}
