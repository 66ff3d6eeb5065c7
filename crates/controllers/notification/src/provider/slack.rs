//! Slack, and the services that accept its messages: Discord and Rocket.Chat.

use serde::Serialize;
use sluice_api::event::Event;
use url::Url;

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::{HttpRequest, Request, Success};
use crate::text::{is_error, object_name};

/// Address whose responses have status 200 even for a failure.
const POST_MESSAGE: &str = "https://slack.com/api/chat.postMessage";

#[derive(Serialize)]
struct Message<'a> {
    channel: &'a str,
    username: &'a str,
    icon_url: &'a str,
    icon_emoji: &'a str,
    attachments: [Attachment<'a>; 1],
}

#[derive(Serialize)]
struct Attachment<'a> {
    fallback: String,
    color: &'a str,
    author_name: String,
    text: &'a str,
    mrkdwn_in: [&'a str; 1],
    fields: Vec<Field<'a>>,
}

#[derive(Serialize)]
struct Field<'a> {
    title: &'a str,
    value: &'a str,
    short: bool,
}

pub(super) fn slack(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let address = config.address.expose();
    let url = http_url("Slack hook URL", address)?;
    let colors = ["good", "danger"];
    let mut message = message(&config.channel, sender(config, event), event, colors);
    let first_line = event.message.split('\n').next().unwrap_or_default();
    message.attachments[0].fallback = format!("{}: {first_line}", object_name(event));
    let mut request = HttpRequest::post(url, &message);
    if !config.token.expose().is_empty() {
        request = request.with_authorization(config.token_header("Bearer ")?);
    }
    if address == POST_MESSAGE {
        request.success = Success::SlackField;
    }
    Ok(vec![request.into()])
}

pub(super) fn discord(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let address = config.address.expose();
    let mut url = http_url("Discord hook URL", address)?;
    if !address.ends_with("/slack") {
        append(&mut url, "slack");
    }
    let colors = ["good", "danger"];
    let message = message("", sender(config, event), event, colors);
    Ok(vec![HttpRequest::post(url, &message).into()])
}

pub(super) fn rocket(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let url = http_url("Rocket hook URL", config.address.expose())?;
    let colors = ["#0076D7", "#FF0000"];
    let message = message(&config.channel, &config.username, event, colors);
    Ok(vec![HttpRequest::post(url, &message).into()])
}

/// Returns the sender name of the message.
fn sender<'a>(config: &'a ProviderConfig, event: &'a Event) -> &'a str {
    match config.username.as_str() {
        "" => &event.reporting_controller,
        username => username,
    }
}

fn message<'a>(
    channel: &'a str,
    username: &'a str,
    event: &'a Event,
    [good, bad]: [&'a str; 2],
) -> Message<'a> {
    let fields = event.metadata.iter().map(|(title, value)| Field {
        title,
        value,
        short: false,
    });
    Message {
        channel,
        username,
        icon_url: "",
        icon_emoji: "",
        attachments: [Attachment {
            fallback: String::new(),
            color: if is_error(event) { bad } else { good },
            author_name: object_name(event),
            text: &event.message,
            mrkdwn_in: ["text"],
            fields: fields.collect(),
        }],
    }
}

/// Appends a path part, and drops empty parts, like Go's `path.Join`.
fn append(url: &mut Url, part: &str) {
    let parts = url.path().split('/').filter(|part| !part.is_empty());
    let path = parts.chain([part]).collect::<Vec<_>>().join("/");
    url.set_path(&path);
}
