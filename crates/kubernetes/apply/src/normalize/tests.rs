//! Tests of the normal form of desired objects.

use serde_json::json;

use super::*;

fn normalized(value: Value) -> Value {
    let mut object = Object::try_from(value).expect("a complete object");
    normalize(&mut object);
    object.into_value()
}

#[test]
fn string_data_overrides_data() {
    assert_eq!(
        normalized(json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"},
            "data": {"user": "b2xk", "kept": "a2VwdA=="},
            "stringData": {"user": "new", "added": "x"},
        })),
        json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"},
            "data": {"user": "bmV3", "kept": "a2VwdA==", "added": "eA=="},
        })
    );
    assert_eq!(
        normalized(json!({
            "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"},
            "data": null, "stringData": {"k": "v", "empty": null},
        }))["data"],
        json!({"k": "dg==", "empty": ""})
    );
}

#[test]
fn string_data_with_other_types_is_unchanged() {
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"},
        "stringData": {"port": 8080, "user": "x"},
    });
    assert_eq!(normalized(secret.clone()), secret);
}

#[test]
fn containers_and_services_get_the_default_protocol() {
    let spec = json!({
        "initContainers": [{"name": "i", "ports": [{"containerPort": 1}]}],
        "containers": [
            {"name": "a", "ports": [{"containerPort": 1}, {"containerPort": 2, "protocol": "UDP"}]},
            {"name": "b"},
            {"name": "c", "ports": [{"containerPort": 3, "protocol": ""}]},
        ],
    });
    let mut expected = spec.clone();
    expected["containers"][0]["ports"][0]["protocol"] = "TCP".into();
    expected["containers"][2]["ports"][0]["protocol"] = "TCP".into();
    let template = |spec: &Value| json!({"template": {"spec": spec}});
    for (api_version, kind, before, after) in [
        ("v1", "Pod", spec.clone(), expected.clone()),
        (
            "apps/v1",
            "Deployment",
            template(&spec),
            template(&expected),
        ),
        (
            "apps/v1",
            "StatefulSet",
            template(&spec),
            template(&expected),
        ),
        ("apps/v1", "DaemonSet", template(&spec), template(&expected)),
        (
            "apps/v1",
            "ReplicaSet",
            template(&spec),
            template(&expected),
        ),
        ("batch/v1", "Job", template(&spec), template(&expected)),
        (
            "batch/v1",
            "CronJob",
            json!({"jobTemplate": {"spec": template(&spec)}}),
            json!({"jobTemplate": {"spec": template(&expected)}}),
        ),
        (
            "v1",
            "Service",
            json!({"ports": [{"port": 80}, {"port": 53, "protocol": "UDP"}]}),
            json!({"ports": [{"port": 80, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}]}),
        ),
        (
            "example.com/v1",
            "Deployment",
            template(&spec),
            template(&spec),
        ),
    ] {
        let object = json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}, "spec": before});
        assert_eq!(normalized(object)["spec"], after, "{api_version} {kind}");
    }
}

#[test]
fn status_and_creation_time_are_removed() {
    let object = |api_version: &str, kind: &str| {
        json!({"apiVersion": api_version, "kind": kind,
            "metadata": {"name": "a", "creationTimestamp": null}, "status": {"x": 1}})
    };
    assert_eq!(
        normalized(object("example.com/v1", "Widget")),
        json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "a"}})
    );
    assert_eq!(
        normalized(object(
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition"
        )),
        json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "a"}, "status": {"x": 1}})
    );
    let role = object("rbac.authorization.k8s.io/v1", "ClusterRole");
    assert_eq!(normalized(role.clone()), role);
}

#[test]
fn null_creation_time_of_a_template_is_removed() {
    let template = |metadata: serde_json::Value| json!({"template": {"metadata": metadata}});
    let typed = json!({"labels": {"a": "b"}, "creationTimestamp": null});
    let meant = json!({"labels": {"a": "b"}});
    let job = |metadata| json!({"jobTemplate": {"metadata": {"creationTimestamp": null}, "spec": template(metadata)}});
    let meant_job = json!({"jobTemplate": {"metadata": {}, "spec": template(meant.clone())}});
    for (api_version, kind, before, after) in [
        (
            "apps/v1",
            "Deployment",
            template(typed.clone()),
            template(meant),
        ),
        ("batch/v1", "CronJob", job(typed.clone()), meant_job),
        (
            "example.com/v1",
            "Deployment",
            template(typed.clone()),
            template(typed),
        ),
    ] {
        let object = json!({"apiVersion": api_version, "kind": kind, "metadata": {"name": "a"}, "spec": before});
        assert_eq!(normalized(object)["spec"], after, "{api_version} {kind}");
    }
}

#[test]
fn invalid_ca_bundle_is_removed() {
    let definition = |bundle: &Value| {
        json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "a"},
            "spec": {"conversion": {"webhook": {"clientConfig": {"caBundle": bundle, "url": "https://x"}}}}})
    };
    let pem = |body: &str| {
        STANDARD.encode(format!(
            "-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n"
        ))
    };
    let kept = |bundle: &str| {
        normalized(definition(&bundle.into()))
            .pointer("/spec/conversion/webhook/clientConfig/caBundle")
            .is_some()
    };
    assert!(kept(&pem("MAA=")));
    assert!(kept(""));
    for invalid in [
        "Cg==",
        "not base64!",
        &STANDARD.encode("text"),
        &STANDARD.encode([0xff, 0xfe]),
        &pem("!!"),
        &pem(""),
    ] {
        assert!(!kept(invalid), "{invalid}");
    }
    let untouched = definition(&json!(7));
    assert_eq!(normalized(untouched.clone()), untouched);
}

#[test]
fn malformed_objects_are_unchanged() {
    for spec in [
        json!("text"),
        json!({"template": []}),
        json!({"template": {"spec": {"containers": {}}}}),
        json!({"template": {"spec": {"containers": ["x", {"ports": "y"}, {"ports": ["z"]}]}}}),
    ] {
        let object = json!({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "a"}, "spec": spec});
        assert_eq!(normalized(object.clone()), object);
    }
}

#[test]
fn port_keys_include_the_protocol_on_every_minor() {
    for (minor, schema) in [
        (
            "1.34",
            include_str!("../../../client/tests/kubernetes/1.34/schema.json"),
        ),
        (
            "1.35",
            include_str!("../../../client/tests/kubernetes/1.35/schema.json"),
        ),
        (
            "1.36",
            include_str!("../../../client/tests/kubernetes/1.36/schema.json"),
        ),
    ] {
        let schema: Value = serde_json::from_str(schema).expect("JSON");
        let lists = &schema["lists"];
        let keys = |list: &str| &lists[list];
        assert_eq!(
            keys("v1 Service spec.ports"),
            &json!(["port", "protocol"]),
            "{minor}"
        );
        assert_eq!(
            keys("container ports"),
            &json!(["containerPort", "protocol"]),
            "{minor}"
        );
    }
}
