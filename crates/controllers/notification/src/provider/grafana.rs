//! Grafana: an annotation.

use serde::Serialize;
use sluice_api::event::Event;

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::event::unix_seconds;
use crate::request::{HttpRequest, Request};
use crate::text::object_name;

#[derive(Serialize)]
struct Annotation {
    when: i64,
    text: String,
    tags: Vec<String>,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let url = http_url("Grafana URL", config.address.expose())?;
    let object = &event.involved_object;
    let mut tags = vec!["flux".to_owned(), event.reporting_controller.clone()];
    // Grafana splits a tag at its first colon.
    let metadata = event.metadata.iter();
    tags.extend(
        metadata
            .map(|(key, value)| format!("{}: {}", key.replace(':', "|"), value.replace(':', "|"))),
    );
    tags.push(format!("kind: {}", object.kind));
    tags.push(format!("name: {}", object.name));
    tags.push(format!("namespace: {}", object.namespace));
    let annotation = Annotation {
        when: unix_seconds(event),
        text: object_name(event),
        tags,
    };
    let mut request = HttpRequest::post(url, &annotation);
    if !config.token.expose().is_empty() {
        request = request.with_authorization(config.token_header("Bearer ")?);
    } else if let Some(basic) = config.basic() {
        request = request.with_basic(&basic);
    }
    Ok(vec![request.into()])
}
