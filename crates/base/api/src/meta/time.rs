//! Points in time as the API server writes them, judged late.

use std::{borrow::Cow, fmt};

use jiff::{Timestamp, Unit};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};

/// A point in time in RFC 3339 notation, kept as it was written.
///
/// Like [`super::Duration`], it is not checked when an object is decoded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Time(String);

/// A time that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("time {text:?} is not an RFC 3339 time: {reason}")]
pub struct TimeError {
    text: String,
    reason: String,
}

impl Time {
    /// Makes a time of its text, unchecked.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads the text.
    pub fn parse(&self) -> Result<Timestamp, TimeError> {
        self.0.parse().map_err(|error: jiff::Error| TimeError {
            text: self.0.clone(),
            reason: error.to_string(),
        })
    }
}

impl From<Timestamp> for Time {
    /// Prints whole seconds of UTC, which is all that Kubernetes keeps.
    fn from(timestamp: Timestamp) -> Self {
        // Truncated, never rounded: a time in the future would upset whoever
        // computes an age from it.
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

/// Takes a string as it is and anything else as its JSON text.
///
/// The text of a number or an object is no duration and no time, so it fails
/// where it is read, with the offending value in the message.
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
    fn malformed_text_decodes_and_fails_only_when_it_is_read() {
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
    fn a_timestamp_is_cut_to_whole_seconds_of_utc() {
        let timestamp: Timestamp = "2024-05-01T10:00:00.999999999+02:00".parse().unwrap();
        assert_eq!(Time::from(timestamp).as_str(), "2024-05-01T08:00:00Z");
    }

    #[test]
    fn text_is_kept_as_it_was_written() {
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
