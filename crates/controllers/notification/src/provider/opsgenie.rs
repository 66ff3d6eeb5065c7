//! Opsgenie: an alert.

use std::collections::BTreeMap;

use serde::Serialize;
use sluice_api::event::Event;

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::request::{HttpRequest, Request};

#[derive(Serialize)]
struct Alert<'a> {
    message: String,
    description: &'a str,
    details: BTreeMap<&'a str, &'a str>,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let url = http_url("Opsgenie hook URL", config.address.expose())?;
    if config.token.expose().is_empty() {
        return Err(Error::Missing {
            message: "empty Opsgenie apikey/token",
            hint: "set the key 'token' of the Secret in spec.secretRef",
        });
    }
    let metadata = event.metadata.iter();
    let mut details: BTreeMap<_, _> = metadata
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect();
    details.insert("severity", event.severity.as_str());
    let object = &event.involved_object;
    let alert = Alert {
        message: format!("{}/{}", object.kind, object.name),
        description: &event.message,
        details,
    };
    let request = HttpRequest::post(url, &alert);
    let request = request.with_authorization(config.token_header("GenieKey ")?);
    Ok(vec![request.into()])
}
