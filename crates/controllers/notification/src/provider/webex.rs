//! Webex: a Markdown message to a room.

use std::fmt::Write as _;

use serde::Serialize;
use sluice_api::event::Event;

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::{HttpRequest, Request};
use crate::text::{is_error, object_name, shorten};

/// Maximum Markdown length that Webex accepts.
const MAX_MARKDOWN_BYTES: usize = 7439;

#[derive(Serialize)]
struct Message<'a> {
    #[serde(rename = "roomId", skip_serializing_if = "str::is_empty")]
    room_id: &'a str,
    markdown: String,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let url = http_url("Webex hook URL", config.address.expose())?;
    let symbol = if is_error(event) { "💣" } else { "✅" };
    let head = format!("{symbol} **{}**\n", object_name(event));
    let mut fields = String::new();
    for (key, value) in &event.metadata {
        let _ = writeln!(fields, ">**{key}**: {value}");
    }
    let rest = MAX_MARKDOWN_BYTES.saturating_sub(head.len() + fields.len() + 1);
    let message = shorten(&event.message, rest);
    let markdown = format!("{head}{message}\n{fields}");
    let message = Message {
        room_id: &config.channel,
        markdown: shorten(&markdown, MAX_MARKDOWN_BYTES).into_owned(),
    };
    let request = HttpRequest::post(url, &message);
    let request = request.with_authorization(config.token_header("Bearer ")?);
    Ok(vec![request.into()])
}
