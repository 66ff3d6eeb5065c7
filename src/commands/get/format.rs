//! Implements `get -o`: kubectl's formats, and the two additional columns of `wide`. Several
//! objects are a List.

use jiff::Timestamp;
use serde_json::ser::PrettyFormatter;
use serde_json::{Serializer, Value, json};
use sluice_insight::fields::{at, text};
use sluice_object::Object;

use crate::error::CommandError;
use crate::flags::Choice;
use crate::output::age;

/// Titles of the columns that `wide` adds.
pub(super) const WIDE: [&str; 2] = ["Age", "Last reconciled"];

pub(super) const CHOICE: Choice = Choice::new(&["json", "yaml", "name", "wide"], |value| {
    format!("output format '{value}' is not supported")
});

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Table,
    Wide,
    Name,
    Json,
    Yaml,
}

impl Format {
    pub(super) fn named(word: Option<&str>) -> Self {
        match word {
            Some("json") => Self::Json,
            Some("yaml") => Self::Yaml,
            Some("name") => Self::Name,
            Some("wide") => Self::Wide,
            _ => Self::Table,
        }
    }

    pub(super) fn is_table(self) -> bool {
        matches!(self, Self::Table | Self::Wide)
    }

    /// Formats a list of objects, or the only named one.
    pub(super) fn all(self, objects: Vec<Object>, named: bool) -> Result<String, CommandError> {
        match self {
            Self::Name => Ok(objects.iter().map(name).collect()),
            _ if named && objects.len() == 1 => {
                objects.into_iter().map(|one| self.one(one)).collect()
            }
            _ => {
                let items: Vec<Value> = objects.into_iter().map(without_managed_fields).collect();
                self.value(&json!({
                    "apiVersion": "v1", "items": items, "kind": "List",
                    "metadata": { "resourceVersion": "" },
                }))
            }
        }
    }

    /// Formats one object.
    pub(super) fn one(self, object: Object) -> Result<String, CommandError> {
        match self {
            Self::Name => Ok(name(&object)),
            _ => self.value(&without_managed_fields(object)),
        }
    }

    /// Formats an object of a sequence.
    pub(super) fn next(self, object: Object) -> Result<String, CommandError> {
        let separator = if self == Self::Yaml { "---\n" } else { "" };
        Ok(format!("{separator}{}", self.one(object)?))
    }

    fn value(self, value: &Value) -> Result<String, CommandError> {
        if self == Self::Json {
            return as_json(value);
        }
        Ok(sluice_yaml::v2::to_string(value))
    }
}

/// Returns `kind.group/name`, which kubectl accepts as an argument.
fn name(object: &Object) -> String {
    let kind = object.kind().to_lowercase();
    format!("{kind}.{}/{}\n", object.group(), object.name())
}

/// Removes the managed fields, which kubectl hides too.
fn without_managed_fields(object: Object) -> Value {
    let mut value = object.into_value();
    if let Some(metadata) = value["metadata"].as_object_mut() {
        metadata.remove("managedFields");
    }
    value
}

/// Formats JSON like kubectl: sorted keys, four spaces, and escaped HTML characters.
fn as_json(value: &Value) -> Result<String, CommandError> {
    use serde::Serialize as _;
    let mut text = Vec::new();
    let failed =
        |why: &dyn std::fmt::Display| CommandError::internal(format!("serialise output: {why}"));
    let mut writer = Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(b"    "));
    sorted(value)
        .serialize(&mut writer)
        .map_err(|error| failed(&error))?;
    let text = String::from_utf8(text).map_err(|error| failed(&error))?;
    let mut escaped = String::with_capacity(text.len() + 1);
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("\\u003c"),
            '>' => escaped.push_str("\\u003e"),
            '&' => escaped.push_str("\\u0026"),
            '\u{2028}' => escaped.push_str("\\u2028"),
            '\u{2029}' => escaped.push_str("\\u2029"),
            other => escaped.push(other),
        }
    }
    escaped.push('\n');
    Ok(escaped)
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            let sorted = entries
                .into_iter()
                .map(|(key, value)| (key.clone(), sorted(value)));
            Value::Object(sorted.collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

/// Returns the additional columns of `wide`.
pub(super) fn wide(object: &Object, now: Timestamp) -> [String; 2] {
    let since = |then: Option<Timestamp>| {
        then.map_or_else(
            || "<none>".to_owned(),
            |then| age(now.duration_since(then).as_secs()),
        )
    };
    let created = text(object, "/metadata/creationTimestamp").parse().ok();
    [since(created), since(last_reconciled(object))]
}

/// Returns the latest time in an object's status. A reconciliation without changes leaves no time,
/// so this is a lower bound.
fn last_reconciled(object: &Object) -> Option<Timestamp> {
    const TIMES: [&str; 6] = [
        "/status/history/0/lastReconciled",
        "/status/history/0/lastDeployed",
        "/status/artifact/lastUpdateTime",
        "/status/lastScanResult/scanTime",
        "/status/lastAutomationRunTime",
        "/status/lastHandledReconcileAt",
    ];
    let list = |pointer: &str| {
        at(object, pointer)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let written = list("/metadata/managedFields")
        .filter(|entry| entry["subresource"].as_str() == Some("status"))
        .filter_map(|entry| entry["time"].as_str());
    let turned =
        list("/status/conditions").filter_map(|condition| condition["lastTransitionTime"].as_str());
    TIMES
        .into_iter()
        .map(|pointer| text(object, pointer))
        .chain(written)
        .chain(turned)
        .filter_map(|time| time.parse().ok())
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    fn source() -> Object {
        object(json!({
            "kind": "GitRepository", "apiVersion": "source.toolkit.fluxcd.io/v1",
            "metadata": { "name": "a", "managedFields": [], "annotations": { "b": "<&>", "a": "1" } },
        }))
    }

    #[test]
    fn printed_names_are_valid_for_kubectl() {
        assert_eq!(
            Format::Name.all(vec![source(), source()], false).unwrap(),
            "gitrepository.source.toolkit.fluxcd.io/a\n".repeat(2)
        );
    }

    #[test]
    fn several_objects_are_a_list() {
        assert_eq!(
            Format::Json.all(vec![source()], true).unwrap(),
            "{\n    \"apiVersion\": \"source.toolkit.fluxcd.io/v1\",\n    \"kind\": \"GitRepository\",\n    \
             \"metadata\": {\n        \"annotations\": {\n            \"a\": \"1\",\n            \
             \"b\": \"\\u003c\\u0026\\u003e\"\n        },\n        \"name\": \"a\"\n    }\n}\n"
        );
        assert_eq!(
            Format::Yaml.all(Vec::new(), false).unwrap(),
            "apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n"
        );
    }

    #[test]
    fn last_reconciliation_is_newest_status_time() {
        let object = object(json!({
            "kind": "Kustomization", "metadata": {
                "name": "a", "creationTimestamp": "2026-01-01T00:00:00Z",
                "managedFields": [
                    { "time": "2026-01-09T00:00:00Z" },
                    { "time": "2026-01-02T00:00:30Z", "subresource": "status" },
                ],
            },
            "status": {
                "conditions": [{ "lastTransitionTime": "2026-01-01T00:01:00Z" }],
                "history": [{ "lastReconciled": "2026-01-02T00:00:00Z" }],
            },
        }));
        let now = "2026-01-03T01:00:00Z".parse().unwrap();
        assert_eq!(wide(&object, now), ["2d1h", "24h"]);
        assert_eq!(wide(&source(), now), ["<none>", "<none>"]);
    }
}
