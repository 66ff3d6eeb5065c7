//! Serves the endpoint to which controllers post events.
//!
//! The responses are those of the reference: 202 for a new event, 429 for a duplicate, 400 for an
//! invalid body. Any path and method is accepted.

use std::sync::Arc;

use http::StatusCode;
use sluice_system::Clock;

use crate::dispatcher::Dispatcher;
use crate::event::{clean, decode};
use crate::http_server::{Answer, Handler, WholeRequest};
use crate::text::object_path;

pub(crate) struct EventServer {
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Handler for EventServer {
    async fn handle(&self, request: WholeRequest) -> Answer {
        let mut event = match decode(&request.body) {
            Ok(event) => event,
            Err(error) => {
                tracing::error!(%error, "decoding the request body failed");
                return StatusCode::BAD_REQUEST.into();
            }
        };
        clean(&mut event);
        let now = self.clock.now();
        let (key, admission) = self.dispatcher.admit(&event, now);
        let headers = admission.headers();
        if !admission.is_new {
            tracing::debug!(
                object = object_path(&event),
                "Discarding event, rate limiting duplicate events"
            );
            return Answer {
                status: StatusCode::TOO_MANY_REQUESTS,
                headers,
            };
        }
        self.dispatcher.dispatch(event, key).await;
        Answer {
            status: StatusCode::ACCEPTED,
            headers,
        }
    }
}
