//! Lines that Helm logs during an action. A controller shows the last ones after a failure.
//!
//! Parity: `helm: pkg/action, pkg/kube/client.go`. Attributes are JSON, in the order of their
//! names, and Go encodes most errors as `{}`.

use std::collections::BTreeMap;
use std::fmt;

use sluice_object::Object;
use sluice_yaml::{Value, json};

/// A line of the log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    /// The level before the message, for warnings and errors.
    level: &'static str,
    message: String,
    attributes: BTreeMap<&'static str, Value>,
}

impl LogLine {
    fn new(level: &'static str, message: impl Into<String>) -> Self {
        Self {
            level,
            message: message.into(),
            attributes: BTreeMap::new(),
        }
    }

    /// A line about the progress.
    pub fn debug(message: impl Into<String>) -> Self {
        Self::new("", message)
    }

    /// A warning.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new("warning: ", message)
    }

    /// An error.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new("error: ", message)
    }

    /// Adds an attribute.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.attributes.insert(name, value.into());
        self
    }

    /// Adds an error without its text, as Go encodes it.
    #[must_use]
    pub(crate) fn with_error(self) -> Self {
        self.with("error", Value::Object(sluice_yaml::Map::default()))
    }

    /// Adds namespace, name and kind of an object.
    #[must_use]
    pub(crate) fn about(self, object: &Object) -> Self {
        self.named(object).with("kind", object.kind())
    }

    /// Adds namespace, name, and group, version and kind of an object.
    #[must_use]
    pub(crate) fn about_resource(self, object: &Object) -> Self {
        let (group, version, kind) = (object.group(), object.version(), object.kind());
        self.named(object)
            .with("gvk", format!("{group}/{version}, Kind={kind}"))
    }

    fn named(self, object: &Object) -> Self {
        self.with("namespace", object.namespace())
            .with("name", object.name())
    }
}

impl fmt::Display for LogLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let attributes = self.attributes.iter();
        let attributes = attributes.map(|(name, value)| ((*name).to_owned(), value.clone()));
        let attributes = json::to_string(&Value::Object(attributes.collect()));
        write!(f, "{}{}: {attributes}", self.level, self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From `internal/action/log_test.go` of helm-controller and `slog`.
    #[test]
    fn line_has_level_and_sorted_attributes() {
        let object = Object::new("apps/v1", "Deployment", "apps", "web");
        let line = LogLine::debug("Created resource via patch").about_resource(&object);
        assert_eq!(
            line.to_string(),
            "Created resource via patch: {\"gvk\":\"apps/v1, Kind=Deployment\",\"name\":\"web\",\
             \"namespace\":\"apps\"}"
        );
        let core = Object::new("v1", "ConfigMap", "apps", "web");
        let line = LogLine::debug("a").about_resource(&core).to_string();
        assert!(line.contains("\"/v1, Kind=ConfigMap\""), "{line}");
        let line = LogLine::warning("upgrade failed").with_error();
        assert_eq!(line.to_string(), "warning: upgrade failed: {\"error\":{}}");
        assert_eq!(LogLine::error("a").to_string(), "error: a: {}");
    }
}
