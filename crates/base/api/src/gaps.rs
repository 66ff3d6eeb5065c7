//! Features of Flux that sluice does not support yet.
//!
//! A reconciler that rejects a feature takes the message from this table ([`Gap::message`]). The
//! takeover of a cluster checks its objects first ([`Gap::found`]). The tests of each controller
//! cover its rows. Implementing a feature removes its row.

use serde_json::Value;

/// A feature of a kind that no controller supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// API group of the kind.
    pub group: &'static str,
    /// Kind.
    pub kind: &'static str,
    /// Path of the field, with dots. Empty for the whole kind.
    pub field: &'static str,
    /// Condition under which an object uses the feature.
    pub when: When,
    /// Details or advice for the message. May be empty.
    pub why: &'static str,
}

/// Condition under which an object uses an unsupported feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Every object: the kind is not supported.
    Always,
    /// The field has another value than these. An absent or empty field is supported.
    Other(&'static [&'static str]),
}

/// Every gap, by kind.
pub const GAPS: &[Gap] = &[];

/// Returns the gaps of a kind.
pub fn of<'a>(group: &'a str, kind: &'a str) -> impl Iterator<Item = &'static Gap> + 'a {
    GAPS.iter()
        .filter(move |gap| gap.group == group && gap.kind == kind)
}

/// Reports whether a kind is supported, at least in part.
pub fn is_served(group: &str, kind: &str) -> bool {
    of(group, kind).all(|gap| gap.when != When::Always)
}

impl Gap {
    /// Returns the message of the condition that rejects the feature.
    pub fn message(&self, value: &str) -> String {
        let field = self.field;
        let what = match self.when {
            When::Always => format!("kind {}", self.kind),
            When::Other(_) => format!("{field} '{value}'"),
        };
        if self.why.is_empty() {
            format!("{what} is not supported yet")
        } else {
            format!("{what} is not supported yet: {}", self.why)
        }
    }

    /// Returns the message if the object uses the feature.
    pub fn found(&self, object: &Value) -> Option<String> {
        let field = at(object, self.field);
        let text = || field.and_then(Value::as_str).unwrap_or_default();
        let other = |text: &str, served: &[&str]| !text.is_empty() && !served.contains(&text);
        let met = match self.when {
            When::Always => Some(String::new()),
            When::Other(served) => other(text(), served).then(|| text().to_owned()),
        };
        met.map(|value| self.message(&value))
    }
}

/// Returns the value at a path with dots.
fn at<'v>(object: &'v Value, field: &str) -> Option<&'v Value> {
    let mut parts = field.split('.');
    parts
        .try_fold(object, |value, part| value.get(part))
        .filter(|value| !value.is_null())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::KindInfo;

    const fn kind(group: &'static str, kind: &'static str) -> Gap {
        Gap {
            group,
            kind,
            field: "",
            when: When::Always,
            why: "",
        }
    }

    #[test]
    fn every_gap_names_an_existing_kind() {
        for gap in GAPS {
            assert!(KindInfo::find(gap.group, gap.kind).is_some(), "{gap:?}");
        }
    }

    #[test]
    fn gap_matches_only_unsupported_values() {
        let verifier = Gap {
            field: "spec.verify.provider",
            when: When::Other(&["cosign"]),
            ..kind(crate::source::GROUP, "OCIRepository")
        };
        for (gap, spec, expected) in [
            (verifier, json!({ "verify": { "provider": "cosign" } }), ""),
            (
                verifier,
                json!({ "verify": { "provider": "notation" } }),
                "spec.verify.provider 'notation' is not supported yet",
            ),
            (verifier, json!({}), ""),
            (
                kind(crate::image::GROUP, "ImagePolicy"),
                json!({}),
                "kind ImagePolicy is not supported yet",
            ),
        ] {
            let found = gap.found(&json!({ "spec": spec }));
            assert_eq!(found.unwrap_or_default(), expected, "{spec}");
        }
    }
}
