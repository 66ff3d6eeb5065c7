//! incident.io: an alert that a later success resolves. It is newer than the reference's release.

use std::collections::BTreeMap;

use serde::Serialize;
use sluice_api::event::Event;
use sluice_api::meta::reason::PROGRESSING;

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::{HttpRequest, Request};
use crate::text::{is_error, object_name};

#[derive(Serialize)]
struct Alert<'a> {
    title: String,
    status: &'a str,
    deduplication_key: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'a str,
    metadata: BTreeMap<&'a str, &'a str>,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let url = http_url("incident.io alert source URL", config.address.expose())?;
    if config.token.expose().is_empty() {
        return Err(Error::Missing {
            message: "empty incident.io API token",
            hint: "set the key 'token' of the Secret in spec.secretRef",
        });
    }
    if event.reason == PROGRESSING {
        return Ok(Vec::new());
    }
    let metadata = event.metadata.iter();
    let mut metadata: BTreeMap<_, _> = metadata
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect();
    metadata.insert("severity", event.severity.as_str());
    metadata.insert("reason", &event.reason);
    if !event.reporting_controller.is_empty() {
        metadata.insert("reportingController", &event.reporting_controller);
    }
    let alert = Alert {
        title: format!("{}: {}", object_name(event), event.reason),
        status: if is_error(event) {
            "firing"
        } else {
            "resolved"
        },
        deduplication_key: &event.involved_object.uid,
        description: &event.message,
        metadata,
    };
    let request = HttpRequest::post(url, &alert);
    let request = request.with_authorization(config.token_header("Bearer ")?);
    Ok(vec![request.into()])
}
