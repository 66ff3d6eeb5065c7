//! Datadog: an event with tags.

use http::HeaderName;
use serde::Serialize;
use sluice_api::event::Event;

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::event::unix_seconds;
use crate::request::{HttpRequest, Request};
use crate::text::is_error;

/// The field order is that of the reference's client, which sorts them.
#[derive(Serialize)]
struct Message<'a> {
    alert_type: &'a str,
    date_happened: i64,
    source_type_name: &'a str,
    tags: Vec<String>,
    text: &'a str,
    title: String,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    if config.token.expose().is_empty() {
        return Err(Error::Missing {
            message: "token cannot be empty",
            hint: "set the key 'token' of the Secret in spec.secretRef to the API key",
        });
    }
    let mut url = http_url("address", config.address.expose())?;
    url.set_path("/api/v1/events");
    url.set_query(None);
    let object = &event.involved_object;
    let fixed = [
        ("flux_reporting_controller", &event.reporting_controller),
        ("flux_reason", &event.reason),
        ("kube_kind", &object.kind),
        ("kube_name", &object.name),
        ("kube_namespace", &object.namespace),
    ];
    let metadata = event.metadata.iter();
    let tags = fixed
        .into_iter()
        .chain(metadata.map(|(key, value)| (key.as_str(), value)))
        .map(|(key, value)| format!("{key}:{value}").to_lowercase());
    let message = Message {
        alert_type: if is_error(event) { "error" } else { "info" },
        date_happened: unix_seconds(event),
        source_type_name: "fluxcd",
        tags: tags.collect(),
        text: &event.message,
        title: format!(
            "Events from the {} {}/{}",
            object.kind, object.name, object.namespace
        ),
    };
    let mut request = HttpRequest::post(url, &message).with("accept", "application/json");
    let key = config.token_header("")?;
    request
        .headers
        .insert(HeaderName::from_static("dd-api-key"), key);
    Ok(vec![request.into()])
}
