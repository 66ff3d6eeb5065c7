//! Conceals values in the preview of an object: those of Secrets, and those that rules name.
//!
//! A value becomes `***`, or `*** (before)` and `*** (after)` where it differs.

use std::sync::Arc;

use serde_json::Value;
use sluice_apply::{Preview, SecretValues};
use sluice_object::Object;

const SAME: &str = "***";
const BEFORE: &str = "*** (before)";
const AFTER: &str = "*** (after)";

/// The annotation in which kubectl repeats a whole object.
pub(crate) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Masks a value of the live object and what it would become.
pub(crate) fn mask(before: Option<&mut Value>, after: Option<&mut Value>) {
    match (before, after) {
        (Some(before), Some(after)) if before != after => {
            *before = BEFORE.into();
            *after = AFTER.into();
        }
        (before, after) => {
            for value in before.into_iter().chain(after) {
                *value = SAME.into();
            }
        }
    }
}

/// A rule does not name a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidMask(pub String);

/// Rules for values to conceal.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Masks(Vec<Rule>);

/// A place in the objects of one kind.
#[derive(Debug, PartialEq, Eq)]
struct Rule {
    kind: String,
    field: String,
    /// The path below the field: a JSON pointer, empty for the field itself.
    below: String,
}

impl Masks {
    /// Reads rules like `ConfigMap/data/password`.
    pub fn parse(rules: &[String]) -> Result<Self, InvalidMask> {
        rules.iter().map(|rule| Rule::parse(rule)).collect()
    }

    /// Masks the values that the rules name in the preview of an object.
    pub fn conceal(&self, outcome: Preview) -> Preview {
        let Preview::Drifted {
            mut live,
            mut merged,
        } = outcome
        else {
            return outcome;
        };
        let rules = self.0.iter().filter(|rule| rule.kind == live.kind());
        let rules: Vec<&Rule> = rules.collect();
        for rule in &rules {
            mask(rule.place(&mut live), rule.place(&mut merged));
        }
        if !rules.is_empty() {
            let path = ["metadata", "annotations", LAST_APPLIED];
            mask(live.at_mut(&path), merged.at_mut(&path));
        }
        Preview::Drifted { live, merged }
    }

    /// The named values of these objects, for messages: a server quotes what it rejects.
    pub fn secret_values(&self, objects: &[Object]) -> Arc<SecretValues> {
        let mut hidden = SecretValues::default();
        for object in objects {
            for rule in self.0.iter().filter(|rule| rule.kind == object.kind()) {
                let field = object.get(&rule.field);
                let value = field.and_then(|field| field.pointer(&rule.below));
                if let Some(value) = value {
                    add(&mut hidden, value);
                }
            }
        }
        Arc::new(hidden)
    }
}

impl FromIterator<Rule> for Masks {
    fn from_iter<I: IntoIterator<Item = Rule>>(rules: I) -> Self {
        Self(rules.into_iter().collect())
    }
}

impl Rule {
    fn parse(rule: &str) -> Result<Self, InvalidMask> {
        let refused = || InvalidMask(rule.to_owned());
        let (kind, path) = rule.split_once('/').ok_or_else(refused)?;
        let (field, below) = match path.split_once('/') {
            Some((field, below)) => (field, format!("/{below}")),
            None => (path, String::new()),
        };
        // Without its metadata, an object has no identity.
        if kind.is_empty() || ["", "apiVersion", "kind"].contains(&field) || path == "metadata" {
            return Err(refused());
        }
        Ok(Self {
            kind: kind.to_owned(),
            field: field.replace("~1", "/").replace("~0", "~"),
            below,
        })
    }

    fn place<'o>(&self, object: &'o mut Object) -> Option<&'o mut Value> {
        object
            .as_map_mut()
            .get_mut(&self.field)?
            .pointer_mut(&self.below)
    }
}

/// Adds a value, or all values below it.
fn add(hidden: &mut SecretValues, value: &Value) {
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) => hidden.add(number.to_string()),
        Value::String(text) => hidden.add(text.as_str()),
        Value::Array(values) => values.iter().for_each(|value| add(hidden, value)),
        Value::Object(fields) => fields.values().for_each(|value| add(hidden, value)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn masks(rules: &[&str]) -> Masks {
        let rules: Vec<String> = rules.iter().map(|rule| (*rule).to_owned()).collect();
        Masks::parse(&rules).unwrap()
    }

    fn map(data: &Value) -> Object {
        serde_json::from_value(json!({"apiVersion": "v1", "kind": "ConfigMap", "data": data,
            "metadata": {"name": "a", "annotations": {LAST_APPLIED: data.to_string(), "a.b/c": "canary"}}}))
        .unwrap()
    }

    fn shown(masks: &Masks, live: &Value, merged: &Value) -> (Value, Value) {
        let (live, merged) = (map(live), map(merged));
        match masks.conceal(Preview::Drifted { live, merged }) {
            Preview::Drifted { live, merged } => (live.into_value(), merged.into_value()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn masked_value_shows_only_whether_it_differs() {
        let masks = masks(&[
            "ConfigMap/data/same",
            "ConfigMap/data/other",
            "ConfigMap/data/gone",
            "ConfigMap/data/new",
            "ConfigMap/data/nowhere/0",
            "ConfigMap/metadata/annotations/a.b~1c",
        ]);
        let (live, merged) = shown(
            &masks,
            &json!({"same": "canary", "other": "canary1", "gone": "canary", "shown": "1"}),
            &json!({"same": "canary", "other": "canary2", "new": "canary", "shown": "2"}),
        );
        assert_eq!(
            live["data"],
            json!({"same": SAME, "other": BEFORE, "gone": SAME, "shown": "1"})
        );
        assert_eq!(
            merged["data"],
            json!({"same": SAME, "other": AFTER, "new": SAME, "shown": "2"})
        );
        for (side, repeated) in [(live, BEFORE), (merged, AFTER)] {
            let expected = json!({LAST_APPLIED: repeated, "a.b/c": SAME});
            assert_eq!(side["metadata"]["annotations"], expected);
        }
    }

    #[test]
    fn mask_covers_entries_and_fields_of_its_kind() {
        let live = json!({"list": [{"a": "canary1", "b": 1}], "map": {"a": "canary"}});
        let merged = json!({"list": [{"a": "canary2", "b": 1}], "map": {"a": "canary"}});
        let (before, after) = shown(
            &masks(&["ConfigMap/data/list/0/a", "ConfigMap/data/map"]),
            &live,
            &merged,
        );
        assert_eq!(
            before["data"],
            json!({"list": [{"a": BEFORE, "b": 1}], "map": SAME})
        );
        assert_eq!(
            after["data"],
            json!({"list": [{"a": AFTER, "b": 1}], "map": SAME})
        );
        let (before, _) = shown(
            &masks(&["Deployment/data", "configmap/data"]),
            &live,
            &merged,
        );
        assert_eq!(before, map(&live).into_value());
    }

    #[test]
    fn message_conceals_masked_values() {
        let object =
            map(&json!({"map": {"list": ["canary-of-a-list", 271_828]}, "shown": "shown-value"}));
        let values = masks(&["ConfigMap/data/map"]).secret_values(&[object]);
        let text = r#"invalid: "canary-of-a-list", "271828", "shown-value""#;
        let told = values.mask(text.to_owned());
        assert!(
            !told.contains("canary") && !told.contains("271828"),
            "{told}"
        );
        assert!(told.contains("shown-value"), "{told}");
    }

    #[test]
    fn rule_without_a_value_is_rejected() {
        for rule in [
            "",
            "ConfigMap",
            "ConfigMap/",
            "/data",
            "ConfigMap/kind",
            "ConfigMap/metadata",
        ] {
            let refused = Masks::parse(&[rule.to_owned()]);
            assert_eq!(refused, Err(InvalidMask(rule.to_owned())));
        }
    }
}
