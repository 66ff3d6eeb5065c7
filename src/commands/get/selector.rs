//! Filters objects by `--status-selector type=status`.

use serde_json::Value;
use sluice_insight::fields::at;
use sluice_insight::kinds::Resource;
use sluice_object::Object;

/// A condition type, and the status that it must or must not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StatusSelector {
    kind: String,
    status: String,
    equal: bool,
}

pub(super) fn parse(text: &str) -> Result<StatusSelector, String> {
    let refused = || {
        format!("expected status selector in type=status or type!=status format, but found: {text}")
    };
    let (kind, status, equal) = match text.split_once("!=") {
        Some((kind, status)) => (kind, status, false),
        None => {
            let (kind, status) = text.split_once('=').ok_or_else(refused)?;
            (kind, status, true)
        }
    };
    if kind.is_empty() || status.is_empty() || status.contains('=') {
        return Err(refused());
    }
    Ok(StatusSelector {
        kind: kind.to_owned(),
        status: status.to_owned(),
        equal,
    })
}

impl StatusSelector {
    pub(super) fn matches(&self, resource: &Resource, object: &Object) -> bool {
        if resource.is_static(object) {
            // An object without a status counts as ready.
            let says_ready =
                self.kind.eq_ignore_ascii_case("ready") && self.status.eq_ignore_ascii_case("true");
            return says_ready == self.equal;
        }
        let has = at(object, "/status/conditions")
            .and_then(Value::as_array)
            .is_some_and(|conditions| {
                conditions.iter().any(|condition| {
                    let is = |field: &str, wanted: &str| {
                        condition[field]
                            .as_str()
                            .is_some_and(|text| text.eq_ignore_ascii_case(wanted))
                    };
                    is("type", &self.kind) && is("status", &self.status)
                })
            });
        has == self.equal
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use sluice_insight::kinds::by_kind;

    #[test]
    fn status_selector_ignores_case() {
        let object: Object = serde_json::from_value(json!({
            "apiVersion": "v1", "kind": "Kustomization", "metadata": {"name": "a"},
            "status": {"conditions": [{"type": "Ready", "status": "False"}]},
        }))
        .unwrap();
        let kind = by_kind("Kustomization").unwrap();
        for (text, expected) in [
            ("ready=false", true),
            ("Ready=True", false),
            ("ready!=true", true),
            ("Ready!=False", false),
        ] {
            assert_eq!(
                parse(text).unwrap().matches(kind, &object),
                expected,
                "{text}"
            );
        }
        assert!(parse("ready").is_err());
        assert!(parse("=true").is_err());
    }
}
