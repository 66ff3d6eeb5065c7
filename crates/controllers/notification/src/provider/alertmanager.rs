//! Prometheus Alertmanager: one firing alert, which Alertmanager resolves after its timeout.

use std::collections::BTreeMap;

use serde::Serialize;
use sluice_api::event::{Event, metadata};

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::event::timestamp;
use crate::request::{HttpRequest, Request};
use crate::text::title;

/// Go's zero time. Alertmanager then applies its own timeout.
const NO_END: &str = "0001-01-01T00:00:00Z";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Alert<'a> {
    status: &'a str,
    labels: BTreeMap<&'a str, &'a str>,
    annotations: BTreeMap<&'a str, &'a str>,
    starts_at: String,
    ends_at: &'a str,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let url = http_url("Alertmanager URL", config.address.expose())?;
    let object = &event.involved_object;
    let name = format!("Flux{}{}", object.kind, title(&event.reason));
    let mut annotations = BTreeMap::from([("message", event.message.as_str())]);
    let mut labels: BTreeMap<&str, &str> = BTreeMap::new();
    for (key, value) in &event.metadata {
        match key.as_str() {
            metadata::SUMMARY => annotations.insert(metadata::SUMMARY, value),
            key => labels.insert(key, value),
        };
    }
    labels.extend([
        ("alertname", name.as_str()),
        ("severity", event.severity.as_str()),
        ("reason", &event.reason),
        ("kind", &object.kind),
        ("name", &object.name),
        ("namespace", &object.namespace),
        ("reportingcontroller", &event.reporting_controller),
    ]);
    let alert = Alert {
        status: "firing",
        labels,
        annotations,
        starts_at: timestamp(event),
        ends_at: NO_END,
    };
    let mut request = HttpRequest::post(url, &[alert]);
    if let Some(basic) = config.basic() {
        request = request.with_basic(&basic);
    } else if !config.token.expose().is_empty() {
        request = request.with_authorization(config.token_header("Bearer ")?);
    }
    Ok(vec![request.into()])
}
