//! Serializes events with the field order, omissions and escapes of the reference.

use std::collections::BTreeMap;

use serde::Serialize;
use sluice_api::event::{Event, InvolvedObject};

/// Go's zero time.
const ZERO: &str = "0001-01-01T00:00:00Z";
/// Unix time of [`ZERO`].
const ZERO_SECONDS: i64 = -62_135_596_800;

/// An event in its serialized form.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WireEvent<'a> {
    involved_object: &'a InvolvedObject,
    severity: &'a str,
    timestamp: Option<&'a str>,
    message: &'a str,
    reason: &'a str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    metadata: &'a BTreeMap<String, String>,
    reporting_controller: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    reporting_instance: &'a str,
}

/// Borrows an event for serialization. A missing time becomes `null`, like Go's zero time.
pub fn wire(event: &Event) -> WireEvent<'_> {
    WireEvent {
        involved_object: &event.involved_object,
        severity: event.severity.as_str(),
        timestamp: Some(event.timestamp.as_str()).filter(|text| !text.is_empty()),
        message: &event.message,
        reason: &event.reason,
        metadata: &event.metadata,
        reporting_controller: &event.reporting_controller,
        reporting_instance: event.reporting_instance.as_deref().unwrap_or_default(),
    }
}

/// Returns the time of an event in RFC 3339 notation.
pub fn timestamp(event: &Event) -> String {
    match event.timestamp.as_str() {
        "" => ZERO.to_owned(),
        text => text.to_owned(),
    }
}

/// Returns the time of an event as Unix time.
pub fn unix_seconds(event: &Event) -> i64 {
    let time = event.timestamp.parse();
    time.map_or(ZERO_SECONDS, jiff::Timestamp::as_second)
}
