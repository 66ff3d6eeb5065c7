//! Telegram: a bot message in Telegram's Markdown, with escaped special characters.

use std::fmt::Write as _;

use serde::Serialize;
use sluice_api::event::Event;
use url::Url;

use crate::address::join;
use crate::config::{ProviderConfig, unsendable};
use crate::error::Error;
use crate::request::{HttpRequest, Request};
use crate::text::{is_error, shorten};

/// Maximum text length, in UTF-16 units and without escapes.
const MAX_TEXT_UNITS: usize = 4096;

#[derive(Serialize)]
struct Message<'a> {
    chat_id: &'a str,
    #[serde(rename = "message_thread_id", skip_serializing_if = "str::is_empty")]
    thread: &'a str,
    text: String,
    parse_mode: &'a str,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    if config.channel.is_empty() {
        return Err(Error::Missing {
            message: "empty Telegram channel",
            hint: "set spec.channel to the id of the chat",
        });
    }
    let token = config.token_text()?.ok_or(Error::Missing {
        message: "empty Telegram token",
        hint: "set the key 'token' of the Secret in spec.secretRef",
    })?;
    // The token becomes part of the URL path.
    let is_token = |c: char| c.is_ascii_alphanumeric() || ":_-".contains(c);
    if !token.chars().all(is_token) {
        return Err(unsendable());
    }
    let base = Url::parse("https://api.telegram.org").expect("the constant is a URL");
    let url = join(&base, [format!("bot{token}").as_str(), "sendMessage"]);
    let (chat_id, thread) = match config.channel.split_once(':') {
        Some((chat, thread)) => (chat, thread),
        None => (config.channel.as_str(), ""),
    };
    let message = Message {
        chat_id,
        thread,
        text: text(event),
        parse_mode: "MarkdownV2",
    };
    Ok(vec![HttpRequest::post(url, &message).into()])
}

/// Returns heading, message and metadata. Above the limit, first the message is truncated, then the
/// metadata.
fn text(event: &Event) -> String {
    let symbol = if is_error(event) { "🚨" } else { "💫" };
    let object = &event.involved_object;
    let heading = format!(
        "{symbol} {}/{}/{}",
        object.kind.to_lowercase(),
        object.name,
        object.namespace
    );
    let units = |text: &str| text.encode_utf16().count();
    let mut room = MAX_TEXT_UNITS.saturating_sub(units(&heading) + 2);
    let mut metadata = String::new();
    for (key, value) in &event.metadata {
        let needed = units(key) + units(value) + 5;
        if needed > room {
            break;
        }
        room -= needed;
        let _ = writeln!(metadata, "\\- *{}*: {}", escape(key), escape(value));
    }
    let message = if units(&event.message) > room {
        // The number of UTF-16 units never exceeds the number of bytes.
        shorten(&event.message, room)
    } else {
        event.message.as_str().into()
    };
    format!("*{}*\n{}\n{metadata}", escape(&heading), escape(&message))
}

/// Escapes the special characters of Telegram's Markdown.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if "\\.-_[]()~>`#+=|{}!*".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
