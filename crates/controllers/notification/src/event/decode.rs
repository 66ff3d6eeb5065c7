//! Decodes an event like Go's `encoding/json`: names in any case, missing fields are empty.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sluice_api::event::{Event, InvolvedObject, Severity};
use sluice_api::meta::Time;

/// The body is not an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The body is not JSON.
    #[error("decoding the request body failed: {0}")]
    Json(String),
    /// A field has another type.
    #[error("decoding the request body failed: field {0} is not {1}")]
    Type(&'static str, &'static str),
    /// The time is malformed.
    #[error("decoding the request body failed: field timestamp is not an RFC 3339 time")]
    Time,
}

type Result<T> = std::result::Result<T, DecodeError>;

/// Decodes an event. The time is rounded down to seconds in UTC.
pub fn decode(body: &[u8]) -> Result<Event> {
    let value =
        sluice_yaml::json::from_slice(body).map_err(|e| DecodeError::Json(e.to_string()))?;
    let mut event = Event {
        severity: Severity::Other(String::new()),
        ..Event::default()
    };
    let fields = match value {
        Value::Null => return Ok(event),
        value => object("event", value)?,
    };
    for (name, value) in fields {
        if value.is_null() {
            continue;
        }
        let is = |field: &str| name.eq_ignore_ascii_case(field);
        if is("involvedObject") {
            read_reference(&mut event.involved_object, object("involvedObject", value)?)?;
        } else if is("severity") {
            event.severity = text("severity", value)?.as_str().into();
        } else if is("timestamp") {
            event.timestamp = time(&text("timestamp", value)?)?;
        } else if is("message") {
            event.message = text("message", value)?;
        } else if is("reason") {
            event.reason = text("reason", value)?;
        } else if is("metadata") {
            event.metadata = texts("metadata", value)?;
        } else if is("reportingController") {
            event.reporting_controller = text("reportingController", value)?;
        } else if is("reportingInstance") {
            let instance = text("reportingInstance", value)?;
            event.reporting_instance = Some(instance).filter(|text| !text.is_empty());
        }
    }
    Ok(event)
}

fn read_reference(reference: &mut InvolvedObject, fields: Map<String, Value>) -> Result<()> {
    for (name, value) in fields {
        if value.is_null() {
            continue;
        }
        let is = |field: &str| name.eq_ignore_ascii_case(field);
        let (field, target) = if is("kind") {
            ("kind", &mut reference.kind)
        } else if is("namespace") {
            ("namespace", &mut reference.namespace)
        } else if is("name") {
            ("name", &mut reference.name)
        } else if is("uid") {
            ("uid", &mut reference.uid)
        } else if is("apiVersion") {
            ("apiVersion", &mut reference.api_version)
        } else if is("resourceVersion") {
            ("resourceVersion", &mut reference.resource_version)
        } else if is("fieldPath") {
            ("fieldPath", &mut reference.field_path)
        } else {
            continue;
        };
        *target = text(field, value)?;
    }
    Ok(())
}

fn object(field: &'static str, value: Value) -> Result<Map<String, Value>> {
    match value {
        Value::Object(fields) => Ok(fields),
        _ => Err(DecodeError::Type(field, "an object")),
    }
}

fn text(field: &'static str, value: Value) -> Result<String> {
    match value {
        Value::String(text) => Ok(text),
        _ => Err(DecodeError::Type(field, "a string")),
    }
}

fn texts(field: &'static str, value: Value) -> Result<BTreeMap<String, String>> {
    let fields = object(field, value)?.into_iter();
    let fields = fields.map(|(key, value)| match value {
        Value::Null => Ok((key, String::new())),
        value => Ok((key, text(field, value)?)),
    });
    fields.collect()
}

fn time(text: &str) -> Result<Time> {
    // The parser also accepts forms that RFC 3339 does not have.
    let bytes = text.as_bytes();
    let has_form = bytes.len() >= 20 && bytes[4] == b'-' && bytes[10] == b'T' && text.is_ascii();
    let parsed = Time::new(text).parse().ok().filter(|_| has_form);
    parsed.map(Time::from).ok_or(DecodeError::Time)
}
