//! Zulip: a Markdown post to a topic of a stream.

use http::HeaderValue;
use sluice_api::event::Event;
use sluice_dial::Basic;

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::{HttpRequest, Request, form};
use crate::text::markdown_post;

const FORM: HeaderValue = HeaderValue::from_static("application/x-www-form-urlencoded");

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let mut url = http_url("Zulip endpoint URL", config.address.expose())?;
    url.set_path("/api/v1/messages");
    let channel = config.channel.split_once('/');
    let (stream, topic) = channel
        .filter(|(stream, topic)| !stream.is_empty() && !topic.is_empty())
        .ok_or_else(|| {
            Error::Setting(format!(
                "invalid Zulip channel format, expected <channel>/<topic>, got '{}'",
                config.channel
            ))
        })?;
    let content = markdown_post(event);
    let body = form(&[
        ("content", &content),
        ("to", stream),
        ("topic", topic),
        ("type", "stream"),
    ]);
    let mut request = HttpRequest::new(http::Method::POST, url).with_body(FORM, body.into_bytes());
    if !config.username.is_empty() || !config.password.expose().is_empty() {
        let basic = Basic::new(config.username.clone(), config.password.clone());
        request = request.with_basic(&basic);
    }
    Ok(vec![request.into()])
}
