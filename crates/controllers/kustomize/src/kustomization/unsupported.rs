//! The fields that this version does not serve yet.
//!
//! Ignoring one would apply something else than was asked for, and then prune what
//! was right. So an object that uses one is refused as a whole, by the field's name.
//! A field leaves this list with the change that serves it.

use sluice_api::kustomize::KustomizationSpec;

type Uses = fn(&KustomizationSpec) -> bool;

/// The fields of `spec`, each with how to tell that it is used.
const FIELDS: &[(&str, Uses)] = &[("decryption", |spec| spec.decryption.is_some())];

/// The unsupported fields that a spec uses, in the order of their names.
pub(super) fn used(spec: &KustomizationSpec) -> Vec<&'static str> {
    FIELDS
        .iter()
        .filter(|(_, uses)| uses(spec))
        .map(|(field, _)| *field)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_unsupported_field_is_found_by_its_name() {
        let values = json!({
            "decryption": {"provider": "sops"},
        });
        let values = values.as_object().unwrap();
        assert_eq!(values.len(), FIELDS.len(), "each field has its example");
        for (field, value) in values {
            let mut spec = json!({"interval": "1m", "prune": true, "sourceRef": {"kind": "GitRepository", "name": "a"}});
            spec[field] = value.clone();
            let used = used(&serde_json::from_value(spec).unwrap());
            assert_eq!(used.len(), 1, "{field}");
            assert!(used[0].starts_with(field.as_str()), "{field}");
        }
    }

    #[test]
    fn a_plain_spec_uses_none() {
        let spec = json!({
            "interval": "1m", "prune": true, "wait": true, "force": true, "path": "./deploy", "suspend": false,
            "retryInterval": "1m", "timeout": "1m", "serviceAccountName": "a", "deletionPolicy": "Orphan",
            "commonMetadata": {"labels": {"a": "b"}}, "dependsOn": [{"name": "a"}],
            "healthChecks": [{"kind": "Deployment", "name": "a"}],
            "healthCheckExprs": [{"apiVersion": "v1", "current": "true"}], "ignoreMissingComponents": true,
            "buildMetadata": ["originAnnotations"], "components": ["a"], "images": [{"name": "a"}],
            "namePrefix": "a", "nameSuffix": "a", "patches": [{"patch": "a"}],
            "postBuild": {"substitute": {"a": "b"}}, "targetNamespace": "a",
            "ignore": [{"paths": ["/spec"]}], "kubeConfig": {"secretRef": {"name": "a"}},
            "sourceRef": {"kind": "GitRepository", "name": "a"}});
        assert!(used(&serde_json::from_value(spec).unwrap()).is_empty());
    }
}
