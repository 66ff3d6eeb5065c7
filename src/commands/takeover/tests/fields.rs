//! Objects with all fields of the image kinds and of `ArtifactGenerator` are taken over.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sluice_api::KINDS;
use sluice_lifecycle::takeover::judge;

use super::{flag_faults, object, ours, stock_of};

const COMPONENTS: &[&str] = &[
    "image-reflector-controller",
    "image-automation-controller",
    "source-watcher",
];

/// Returns a specification with all fields of a kind.
fn whole(kind: &str) -> Value {
    let selector = json!({
        "matchLabels": { "team": "web" },
        "matchExpressions": [{ "key": "tier", "operator": "In", "values": ["web"] }],
    });
    match kind {
        "ImageRepository" => json!({
            "image": "ghcr.io/acme/app", "interval": "5m", "timeout": "1m", "suspend": true,
            "secretRef": { "name": "login" }, "serviceAccountName": "robot",
            "certSecretRef": { "name": "authority" }, "proxySecretRef": { "name": "proxy" },
            "provider": "generic", "insecure": true, "exclusionList": ["^.*[.]sig$"],
            "accessFrom": { "namespaceSelectors": [{ "matchLabels": { "team": "web" } }] },
        }),
        "ImagePolicy" => json!({
            "imageRepositoryRef": { "name": "app", "namespace": "images" }, "suspend": true,
            "policy": {
                "semver": { "range": "1.x" }, "alphabetical": { "order": "asc" },
                "numerical": { "order": "desc" },
            },
            "filterTags": { "pattern": "^v(?P<v>.*)$", "extract": "$v" },
            "digestReflectionPolicy": "Always", "interval": "10m",
        }),
        "ImageUpdateAutomation" => json!({
            "interval": "30m", "suspend": true, "policySelector": selector,
            "sourceRef": {
                "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
                "name": "fleet", "namespace": "apps",
            },
            "git": {
                "checkout": { "ref": {
                    "branch": "main", "tag": "v1", "semver": "1.x", "name": "refs/heads/main",
                    "commit": "0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
                } },
                "commit": {
                    "author": { "name": "Bot", "email": "bot@example.com" },
                    "messageTemplate": "{{ .Values.what }}",
                    "messageTemplateValues": { "what": "images" },
                    "signingKey": { "type": "ssh", "secretRef": { "name": "signing" } },
                },
                "push": {
                    "branch": "images", "refspec": "images:refs/for/main",
                    "options": { "topic": "images" },
                },
            },
            "update": { "strategy": "Setters", "path": "./clusters" },
        }),
        "ArtifactGenerator" => json!({
            "sources": [
                { "alias": "fleet", "kind": "GitRepository", "name": "fleet", "namespace": "apps" },
            ],
            "pathPattern": "@fleet/apps/{app}",
            "commonMetadata": { "labels": { "a": "b" }, "annotations": { "a": "b" } },
            "artifacts": [{
                "name": "{app}", "revision": "@fleet", "originRevision": "@fleet",
                "copy": [{
                    "from": "@fleet/apps/{app}/**", "to": "@artifact/", "exclude": ["*.md"],
                    "strategy": "Merge",
                }],
            }],
        }),
        other => panic!("{other} has no specification"),
    }
}

/// Adds the paths of the leaves of a schema.
fn of_schema(schema: &Value, path: &str, found: &mut BTreeSet<String>) {
    if let Some(properties) = schema["properties"].as_object() {
        for (name, schema) in properties {
            of_schema(schema, &format!("{path}.{name}"), found);
        }
    } else if schema["items"].is_object() {
        of_schema(&schema["items"], path, found);
    } else {
        found.insert(path.to_owned());
    }
}

/// Adds the paths of the leaves of a value.
fn of_value(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                of_value(value, &format!("{path}.{name}"), found);
            }
        }
        Value::Array(items) => {
            for item in items {
                of_value(item, path, found);
            }
        }
        _ => {
            found.insert(path.to_owned());
        }
    }
}

#[test]
fn objects_with_all_fields_are_taken_over() {
    let mut observed = stock_of(COMPONENTS);
    let kinds = KINDS.iter().filter(|info| {
        let is_ours = COMPONENTS.contains(&info.component);
        is_ours && info.kind != "ExternalArtifact"
    });
    for info in kinds {
        let spec = whole(info.kind);
        let (mut all, mut set) = (BTreeSet::new(), BTreeSet::new());
        let text = sluice_api::crds(info.component).unwrap();
        let definitions = sluice_yaml::v2::documents(text).unwrap();
        let definition = definitions
            .iter()
            .find(|definition| definition["metadata"]["name"] == info.crd_name());
        let schema = "/spec/versions/0/schema/openAPIV3Schema/properties/spec";
        of_schema(definition.unwrap().pointer(schema).unwrap(), "", &mut all);
        of_value(&spec, "", &mut set);
        let missed: Vec<_> = all
            .iter()
            .filter(|path| !set.iter().any(|found| found.starts_with(*path)))
            .collect();
        assert!(missed.is_empty(), "{}: {missed:?} are not set", info.kind);
        observed.objects.push(object(info.kind, "whole", spec));
    }
    assert_eq!(observed.objects.len(), 4);
    let report = judge(&observed, &ours(), &[], &flag_faults);
    assert!(report.covered, "{}", report.to_text());
    let names: BTreeSet<_> = report.components.iter().map(|it| it.component).collect();
    assert_eq!(names, COMPONENTS.iter().copied().collect());
}
