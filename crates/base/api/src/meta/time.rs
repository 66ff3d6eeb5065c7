//! Times in the notation of the API server, parsed on use.

use std::{borrow::Cow, fmt};

use jiff::{Timestamp, Unit};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

/// A time in RFC 3339 notation.
///
/// Like [`super::Duration`], it is not parsed when an object is decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Time(String);

/// The time is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("time {text:?} is not an RFC 3339 time: {reason}")]
pub struct TimeError {
    text: String,
    reason: String,
}

impl Time {
    /// Wraps a text without parsing it.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text as given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses the text.
    pub fn parse(&self) -> Result<Timestamp, TimeError> {
        self.0.parse().map_err(|error: jiff::Error| TimeError {
            text: self.0.clone(),
            reason: error.to_string(),
        })
    }
}

impl From<Timestamp> for Time {
    /// Prints whole seconds in UTC, the precision of Kubernetes.
    fn from(timestamp: Timestamp) -> Self {
        // Truncates instead of rounding: a time in the future would give a negative age.
        let seconds = timestamp
            .round(
                jiff::TimestampRound::new()
                    .smallest(Unit::Second)
                    .mode(jiff::RoundMode::Trunc),
            )
            .unwrap_or(timestamp);
        Self(seconds.to_string())
    }
}

impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        text_of_any(deserializer).map(Self)
    }
}

impl JsonSchema for Time {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Time".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

/// Decodes a string, or any other value as its JSON text.
///
/// A number or an object then fails when it is parsed, with the value in the message.
pub(super) fn text_of_any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match serde_json::Value::deserialize(deserializer)? {
        serde_json::Value::String(text) => text,
        serde_json::Value::Null => String::new(),
        other => other.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_text_decodes_but_does_not_parse() {
        for text in [
            r#""""#,
            r#""yesterday""#,
            r#""2024-13-01T00:00:00Z""#,
            "17",
            "null",
            "[]",
        ] {
            let time: Time = serde_json::from_str(text).unwrap();
            assert!(time.parse().is_err(), "{text} must not be a time");
        }
    }

    #[test]
    fn timestamp_truncates_to_utc_seconds() {
        let timestamp: Timestamp = "2024-05-01T10:00:00.999999999+02:00".parse().unwrap();
        assert_eq!(Time::from(timestamp).as_str(), "2024-05-01T08:00:00Z");
    }

    #[test]
    fn original_text_is_preserved() {
        let time: Time = serde_json::from_str(r#""2024-05-01T10:00:00+02:00""#).unwrap();
        assert_eq!(
            serde_json::to_string(&time).unwrap(),
            r#""2024-05-01T10:00:00+02:00""#
        );
        assert_eq!(
            time.parse().unwrap(),
            "2024-05-01T08:00:00Z".parse().unwrap()
        );
    }
}
