//! Tests of fields that the server drops or fills.

use serde_json::json;

use super::*;
use crate::normalize;

/// The normalized object.
fn sent(api_version: &str, kind: &str, body: &Value) -> Value {
    let mut object = Object::new(api_version, kind, "apps", "a");
    for (field, value) in body.as_object().expect("fields") {
        object.as_map_mut().insert(field.clone(), value.clone());
    }
    normalize(&mut object);
    let mut fields = object.into_value();
    let fields = fields.as_object_mut().expect("fields");
    for own in ["apiVersion", "kind", "metadata"] {
        fields.shift_remove(own);
    }
    Value::Object(std::mem::take(fields))
}

#[test]
fn null_fields_are_removed() {
    let claim = json!({"metadata": {"name": "data"}, "spec": {"storageClassName": null, "selector": {"matchLabels": null}}});
    let container = json!({"name": "web", "env": [{"name": "A", "value": null}], "resources": {"limits": null},
        "livenessProbe": {"httpGet": {"port": 80, "scheme": null}}});
    for (api_version, kind, body, expected) in [
        (
            "apps/v1",
            "StatefulSet",
            json!({"spec": {
                "replicas": null,
                "selector": {"matchLabels": {"app": "web"}, "matchExpressions": null},
                "template": {"metadata": {"annotations": null}, "spec": {"containers": [container], "volumes": null}},
                "volumeClaimTemplates": [claim],
            }}),
            json!({"spec": {
                "selector": {"matchLabels": {"app": "web"}},
                "template": {"metadata": {}, "spec": {"containers": [{"name": "web", "env": [{"name": "A"}],
                    "resources": {}, "livenessProbe": {"httpGet": {"port": 80}}}]}},
                "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {"selector": {}}}],
            }}),
        ),
        (
            "v1",
            "ConfigMap",
            json!({"data": null, "immutable": null}),
            json!({}),
        ),
        // Lists and structs with the name of a map.
        (
            "v1",
            "LimitRange",
            json!({"spec": {"limits": [{"type": "Pod", "max": null, "min": {"cpu": null}}]}}),
            json!({"spec": {"limits": [{"type": "Pod", "min": {"cpu": null}}]}}),
        ),
        (
            "networking.k8s.io/v1",
            "IngressClass",
            json!({"spec": {"parameters": {"kind": "X", "apiGroup": null}}}),
            json!({"spec": {"parameters": {"kind": "X"}}}),
        ),
        (
            "node.k8s.io/v1",
            "RuntimeClass",
            json!({"overhead": {"podFixed": null}, "scheduling": {"nodeSelector": {"a": null}}}),
            json!({"overhead": {}, "scheduling": {"nodeSelector": {"a": null}}}),
        ),
        // Fields inside map entries.
        (
            "resource.k8s.io/v1",
            "ResourceSlice",
            json!({"spec": {"devices": [{"attributes": {"a": {"bool": true, "int": null}, "b": null}}]}}),
            json!({"spec": {"devices": [{"attributes": {"a": {"bool": true}, "b": null}}]}}),
        ),
    ] {
        assert_eq!(sent(api_version, kind, &body), expected, "{kind}");
    }
}

#[test]
fn nulls_outside_of_fields_stay() {
    for (api_version, kind, body) in [
        ("v1", "ConfigMap", json!({"data": {"a": null, "b": "1"}})),
        ("v1", "Secret", json!({"data": {"a": null}})),
        (
            "v1",
            "Service",
            json!({"spec": {"selector": {"app": null}}}),
        ),
        (
            "storage.k8s.io/v1",
            "StorageClass",
            json!({"parameters": {"type": null}}),
        ),
        (
            "apps/v1",
            "ControllerRevision",
            json!({"data": {"spec": {"replicas": null}}}),
        ),
        (
            "resource.k8s.io/v1",
            "DeviceClass",
            json!({"spec": {"config": [{"opaque": {"parameters": {"mode": null}}}]}}),
        ),
        // The server converts a null item to the empty value, like Go.
        (
            "v1",
            "Pod",
            json!({"spec": {"containers": [{"name": "a", "args": ["x", null]}]}}),
        ),
        // Kinds that are untyped or exempt in Flux.
        (
            "example.com/v1",
            "Deployment",
            json!({"spec": {"replicas": null, "nodeName": ""}}),
        ),
        (
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            json!({"spec": {"versions": [{"schema": {"default": null}}]}}),
        ),
        (
            "rbac.authorization.k8s.io/v1",
            "ClusterRole",
            json!({"aggregationRule": null}),
        ),
    ] {
        assert_eq!(sent(api_version, kind, &body), body, "{kind}");
    }
}

#[test]
fn empty_collections_that_go_omits_are_removed() {
    let hook = json!({"name": "a", "rules": [], "admissionReviewVersions": [], "clientConfig": {"caBundle": ""}});
    let pod = json!({"containers": [], "tolerations": [], "nodeSelector": {}, "securityContext": {},
        "volumes": [{"name": "a", "emptyDir": {}}, {"name": "b", "projected": {"sources": []}}]});
    for (api_version, kind, before, after) in [
        (
            "v1",
            "ServiceAccount",
            json!({"secrets": [], "imagePullSecrets": [], "automountServiceAccountToken": false}),
            json!({"automountServiceAccountToken": false}),
        ),
        (
            "admissionregistration.k8s.io/v1",
            "MutatingWebhookConfiguration",
            json!({"webhooks": [hook]}),
            json!({"webhooks": [{"name": "a", "admissionReviewVersions": [], "clientConfig": {}}]}),
        ),
        (
            "v1",
            "Pod",
            json!({"spec": pod}),
            json!({"spec": {"containers": [], "securityContext": {},
                "volumes": [{"name": "a", "emptyDir": {}}, {"name": "b", "projected": {"sources": []}}]}}),
        ),
        (
            "networking.k8s.io/v1",
            "NetworkPolicy",
            json!({"spec": {"podSelector": {"matchLabels": {}}, "ingress": [], "policyTypes": ["Ingress"]}}),
            json!({"spec": {"podSelector": {}, "policyTypes": ["Ingress"]}}),
        ),
        (
            "v1",
            "Secret",
            json!({"stringData": {}, "data": {}}),
            json!({}),
        ),
        (
            "rbac.authorization.k8s.io/v1",
            "RoleBinding",
            json!({"subjects": []}),
            json!({}),
        ),
        (
            "networking.k8s.io/v1",
            "Ingress",
            json!({"spec": {"tls": [], "rules": [{"host": "a", "http": {"paths": []}}]}}),
            json!({"spec": {"rules": [{"host": "a", "http": {"paths": []}}]}}),
        ),
        // Not a list: the server reports it.
        (
            "v1",
            "Pod",
            json!({"spec": {"containers": [{"name": "a", "resources": [], "securityContext": []}]}}),
            json!({"spec": {"containers": [{"name": "a", "resources": [], "securityContext": []}]}}),
        ),
        // Required lists, entries of user maps, and untyped kinds.
        (
            "batch/v1",
            "Job",
            json!({"spec": {"podFailurePolicy": {"rules": []}}}),
            json!({"spec": {"podFailurePolicy": {"rules": []}}}),
        ),
        (
            "v1",
            "ConfigMap",
            json!({"data": {"caBundle": "", "a": []}}),
            json!({"data": {"caBundle": "", "a": []}}),
        ),
        (
            "example.com/v1",
            "Tenant",
            json!({"caBundle": "", "labels": {}, "items": []}),
            json!({"caBundle": "", "labels": {}, "items": []}),
        ),
    ] {
        assert_eq!(sent(api_version, kind, &before), after, "{kind}");
    }
}

#[test]
fn empty_strings_that_the_server_fills_are_removed() {
    for (api_version, kind, before, after) in [
        (
            "v1",
            "PersistentVolumeClaim",
            json!({"volumeName": "", "storageClassName": ""}),
            json!({"storageClassName": ""}),
        ),
        (
            "v1",
            "Pod",
            json!({"nodeName": "", "priorityClassName": "", "containers": []}),
            json!({"containers": []}),
        ),
        (
            "v1",
            "Pod",
            json!({"nodeName": "one"}),
            json!({"nodeName": "one"}),
        ),
    ] {
        let body = json!({"spec": before});
        assert_eq!(sent(api_version, kind, &body)["spec"], after, "{kind}");
    }
}

#[test]
fn every_map_of_every_minor_is_known() {
    for (minor, schema) in [
        (
            "1.34",
            include_str!("../../../../client/tests/kubernetes/1.34/schema.json"),
        ),
        (
            "1.35",
            include_str!("../../../../client/tests/kubernetes/1.35/schema.json"),
        ),
        (
            "1.36",
            include_str!("../../../../client/tests/kubernetes/1.36/schema.json"),
        ),
    ] {
        let schema: Value = serde_json::from_str(schema).expect("JSON");
        for name in schema["maps"].as_array().expect("names") {
            let name = name.as_str().expect("a name");
            assert!(MAPS.contains(&name), "{minor} {name}");
        }
        for (name, kinds) in schema["mixed"].as_object().expect("names") {
            let of = |content: &str| -> Vec<&str> {
                let kinds = kinds[content].as_array().into_iter().flatten();
                kinds.filter_map(Value::as_str).collect()
            };
            let entries = of("entries");
            // A ReplicationController has a map with this name, and a struct inside its pods.
            let mut fields = of("fields");
            fields.retain(|kind| !entries.contains(kind));
            for (kinds, expected) in [
                (entries, Content::Entries),
                (fields, Content::Fields),
                (of("anything"), Content::Anything),
            ] {
                for full in kinds {
                    let (group, kind) = full.split_once(' ').unwrap_or(("", full));
                    assert_eq!(
                        content(group, kind, name),
                        expected,
                        "{minor} {full} {name}"
                    );
                }
            }
        }
    }
}
