//! Matrix: a text message to a room. The transaction id is a hash of the event, so the server drops
//! a retried message.

use http::Method;
use serde::Serialize;
use sluice_api::event::Event;
use sluice_digest::Algorithm;
use std::fmt::Write as _;

use crate::address::{http_url, join};
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::event::wire;
use crate::json;
use crate::request::{HttpRequest, Request};
use crate::text::{is_error, object_name};

#[derive(Serialize)]
struct Message<'a> {
    body: String,
    msgtype: &'a str,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let base = http_url("Matrix homeserver URL", config.address.expose())?;
    let transaction = Algorithm::Sha1.digest(&json::to_vec(&wire(event)));
    let url = join(
        &base,
        [
            "_matrix",
            "client",
            "r0",
            "rooms",
            &config.channel,
            "send",
            "m.room.message",
            transaction.hex(),
        ],
    );
    let symbol = if is_error(event) { "🚨" } else { "💫" };
    let mut body = format!("{symbol} {}\n{}\n", object_name(event), event.message);
    for (key, value) in &event.metadata {
        let _ = writeln!(body, "- {key}: {value}");
    }
    let message = Message {
        body,
        msgtype: "m.text",
    };
    let request = HttpRequest::send(Method::PUT, url, &message);
    let request = request.with_authorization(config.token_header("Bearer ")?);
    Ok(vec![request.into()])
}
