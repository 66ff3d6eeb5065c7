//! Durations of a spec in Go's notation, parsed on use.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize};
use sluice_golang::duration::{self, GoDuration};

/// Pattern of the CRDs for an interval.
pub const INTERVAL_PATTERN: &str = r"^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$";

/// Pattern of the CRDs for a timeout, which excludes hours.
pub const TIMEOUT_PATTERN: &str = r"^([0-9]+(\.[0-9]+)?(ms|s|m))+$";

/// A duration in Go's notation, such as `1h30m`.
///
/// Decoding does not parse the text. A malformed one, stored before the CRD became stricter, then
/// stalls only its own object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct Duration(String);

/// The duration is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DurationError {
    /// The text is not a duration in Go's notation. The message is Go's.
    #[error("{0}")]
    Malformed(String),
    /// The duration is negative.
    #[error("duration {0:?} is negative")]
    Negative(String),
}

impl Duration {
    /// Wraps a text without parsing it.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text as given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses the text as Go does.
    pub fn parse(&self) -> Result<std::time::Duration, DurationError> {
        let parsed = duration::parse(&self.0)
            .map_err(|error| DurationError::Malformed(error.to_string()))?;
        u64::try_from(parsed.0)
            .map(std::time::Duration::from_nanos)
            .map_err(|_| DurationError::Negative(self.0.clone()))
    }
}

impl fmt::Display for Duration {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

impl From<&str> for Duration {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<GoDuration> for Duration {
    fn from(duration: GoDuration) -> Self {
        Self(duration.to_string())
    }
}

impl From<std::time::Duration> for Duration {
    /// Prints as Go does. The maximum is Go's 292 years.
    fn from(duration: std::time::Duration) -> Self {
        GoDuration(i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)).into()
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        super::time::text_of_any(deserializer).map(Self)
    }
}

impl JsonSchema for Duration {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Duration".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_text_decodes_but_does_not_parse() {
        for text in [
            r#""""#,
            r#""1 minute""#,
            r#""1d""#,
            r#""ms""#,
            "5",
            "true",
            r#"{"a":1}"#,
            "null",
        ] {
            let duration: Duration = serde_json::from_str(text).unwrap();
            assert!(duration.parse().is_err(), "{text} must not be a duration");
        }
    }

    #[test]
    fn negative_duration_is_rejected() {
        let error = Duration::new("-1m").parse().unwrap_err();
        assert_eq!(error.to_string(), "duration \"-1m\" is negative");
    }

    #[test]
    fn original_text_is_preserved() {
        let duration: Duration = serde_json::from_str(r#""90s""#).unwrap();
        assert_eq!(serde_json::to_string(&duration).unwrap(), r#""90s""#);
        assert_eq!(duration.parse(), Ok(std::time::Duration::from_secs(90)));
    }

    #[test]
    fn computed_duration_prints_as_in_go() {
        assert_eq!(
            Duration::from(std::time::Duration::from_mins(1)).as_str(),
            "1m0s"
        );
        assert_eq!(
            Duration::from(std::time::Duration::from_micros(1500)).as_str(),
            "1.5ms"
        );
    }
}
