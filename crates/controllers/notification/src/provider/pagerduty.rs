//! `PagerDuty`: an incident that a later success resolves, and a change event for a success.

use std::collections::BTreeMap;

use serde::Serialize;
use sluice_api::event::{Event, Severity};
use sluice_api::meta::reason::PROGRESSING;

use crate::address::http_url;
use crate::config::ProviderConfig;
use crate::error::Error;
use crate::event::timestamp;
use crate::request::{HttpRequest, Request};
use crate::text::{description, is_error, short_name};

#[derive(Serialize)]
struct Incident<'a> {
    routing_key: &'a str,
    event_action: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    dedup_key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<IncidentPayload<'a>>,
}

#[derive(Serialize)]
struct IncidentPayload<'a> {
    summary: String,
    source: String,
    severity: &'a str,
    timestamp: String,
    #[serde(skip_serializing_if = "str::is_empty")]
    component: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    group: &'a str,
    custom_details: Details<'a>,
}

#[derive(Serialize)]
struct Change<'a> {
    routing_key: &'a str,
    payload: ChangePayload<'a>,
}

#[derive(Serialize)]
struct ChangePayload<'a> {
    summary: String,
    source: String,
    timestamp: String,
    custom_details: Details<'a>,
}

#[derive(Serialize)]
struct Details<'a> {
    message: &'a str,
    metadata: Option<&'a BTreeMap<String, String>>,
}

pub(super) fn request(config: &ProviderConfig, event: &Event) -> Result<Vec<Request>, Error> {
    let base = http_url("PagerDuty endpoint URL", config.address.expose())?;
    if event.reason == PROGRESSING {
        return Ok(Vec::new());
    }
    let at = |path: &str| {
        let mut url = base.clone();
        url.set_path(path);
        url.set_query(None);
        url.set_fragment(None);
        url
    };
    let summary = format!("{}: {}", description(event), short_name(event));
    let source = format!("Flux {}", event.reporting_controller);
    let details = || Details {
        message: &event.message,
        metadata: Some(&event.metadata).filter(|metadata| !metadata.is_empty()),
    };
    let object = &event.involved_object;
    let incident = Incident {
        routing_key: &config.channel,
        event_action: if is_error(event) {
            "trigger"
        } else {
            "resolve"
        },
        dedup_key: &object.uid,
        payload: is_error(event).then(|| IncidentPayload {
            summary: summary.clone(),
            source: source.clone(),
            severity: "error",
            timestamp: timestamp(event),
            component: &object.name,
            group: &object.kind,
            custom_details: details(),
        }),
    };
    let mut requests = vec![HttpRequest::post(at("/v2/enqueue"), &incident).into()];
    if event.severity == Severity::Info {
        let change = Change {
            routing_key: &config.channel,
            payload: ChangePayload {
                summary,
                source,
                timestamp: timestamp(event),
                custom_details: details(),
            },
        };
        requests.push(HttpRequest::post(at("/v2/change/enqueue"), &change).into());
    }
    Ok(requests)
}
