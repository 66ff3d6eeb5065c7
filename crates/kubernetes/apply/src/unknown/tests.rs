//! Removal of unknown fields by the messages of a server.

use serde_json::json;

use super::*;

fn rejection(message: &str) -> Error {
    let status = json!({"status": "Failure", "code": 500, "reason": "", "message": message});
    Error::Api {
        action: "dry-run apply".to_owned(),
        status: serde_json::from_value(status).expect("a status"),
    }
}

fn errors(errors: &str) -> Error {
    rejection(&format!(
        "failed to create typed patch object (apps/web; apps/v1, Kind=Deployment): {errors}"
    ))
}

fn deployment() -> Object {
    Object::try_from(json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "apps"},
        "spec": {
            "replica": 3,
            "template": {"metadata": {"labels": {"a.b/c": "x"}}, "spec": {
                "containers": [
                    {"name": "a", "image": "a"},
                    {"name": "b", "image": "b", "resource": {"cpu": 1},
                        "ports": [{"containerPort": 80}, {"containerPort": 81, "protocol": "UDP", "nam": "x"}]},
                ],
                "tolerations": [{"key": "a", "operato": "Exists"}],
            }},
        },
    }))
    .expect("complete")
}

fn left(error: &Error) -> (Option<Vec<String>>, Object) {
    let mut object = deployment();
    let paths = remove_fields(&mut object, error);
    (paths, object)
}

#[test]
fn one_unknown_field_is_removed() {
    let (paths, object) = left(&errors(".spec.replica: field not declared in schema"));
    assert_eq!(paths.expect("removed"), [".spec.replica"]);
    assert_eq!(object.at(&["spec", "replica"]), None);
    assert!(object.at(&["spec", "template"]).is_some());
}

#[test]
fn several_unknown_fields_are_removed() {
    let (paths, object) = left(&errors(
        "errors:\n  .spec.template.spec.containers[name=\"b\"].resource: field not declared in schema\n  \
         .spec.template.spec.containers[name=\"b\"].ports[containerPort=81,protocol=\"UDP\"].nam: field not declared in schema\n  \
         .spec.template.spec.tolerations[0].operato: field not declared in schema",
    ));
    assert_eq!(paths.map(|paths| paths.len()), Some(3));
    let spec = object.at(&["spec", "template", "spec"]).expect("kept");
    assert_eq!(
        spec["containers"][1],
        json!({"name": "b", "image": "b", "ports": [{"containerPort": 80}, {"containerPort": 81, "protocol": "UDP"}]})
    );
    assert_eq!(spec["tolerations"], json!([{"key": "a"}]));
}

#[test]
fn item_with_a_defaulted_key_is_found() {
    let mut object = Object::try_from(json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": "a", "namespace": "apps"},
        "spec": {"ports": [{"port": 80, "x": 1}]},
    }))
    .expect("complete");
    let error = rejection(
        "failed to create typed patch object (apps/a; /v1, Kind=Service): \
         .spec.ports[port=80,protocol=\"TCP\"].x: field not declared in schema",
    );
    assert!(remove_fields(&mut object, &error).is_some());
    assert_eq!(object.at(&["spec", "ports"]), Some(&json!([{"port": 80}])));
}

#[test]
fn name_with_dots_is_one_field() {
    let mut object = deployment();
    let spec = object.at_mut(&["spec"]).expect("a spec");
    spec["a.b"] = json!({"c": 1});
    spec["a"] = json!({"b": {"c": 1}});
    let error = errors(".spec.a.b: field not declared in schema");
    assert!(remove_fields(&mut object, &error).is_some());
    assert_eq!(object.at(&["spec", "a.b"]), None);
    assert!(object.at(&["spec", "a"]).is_some());
}

#[test]
fn other_errors_let_the_rejection_stand() {
    for error in [
        errors("errors:\n  .spec.replica: field not declared in schema\n  .spec.paused: expected boolean, got string"),
        errors(".spec.gone: field not declared in schema"),
        errors(".spec.template.spec.containers[name=\"z\"].x: field not declared in schema"),
        errors(""),
        rejection("Deployment.apps \"web\" is invalid: .spec.replica: field not declared in schema"),
        Error::Answer {
            action: "apply".to_owned(),
            reason: "failed to create typed patch object (a): .spec.replica: field not declared in schema".to_owned(),
        },
    ] {
        let (paths, object) = left(&error);
        assert_eq!(paths, None, "{error}");
        assert_eq!(object, deployment(), "the object is unchanged");
    }
}

#[test]
fn untyped_objects_are_unchanged() {
    for (api_version, kind, is_typed) in [
        ("v1", "ConfigMap", true),
        ("apps/v1", "Deployment", true),
        ("rbac.authorization.k8s.io/v1", "RoleBinding", true),
        ("rbac.authorization.k8s.io/v1", "Role", false),
        ("rbac.authorization.k8s.io/v1", "ClusterRole", false),
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition", false),
        ("apiregistration.k8s.io/v1", "APIService", false),
        ("gateway.networking.k8s.io/v1", "Gateway", false),
        ("example.com/v1", "Deployment", false),
    ] {
        let object = Object::new(api_version, kind, "apps", "a");
        assert_eq!(super::is_typed(&object), is_typed, "{api_version} {kind}");
        let mut object = object;
        object.as_map_mut().insert("x".to_owned(), json!(1));
        let error = rejection(&format!(
            "failed to create typed patch object (apps/a; {api_version}, Kind={kind}): .x: field not declared in schema"
        ));
        assert_eq!(remove_fields(&mut object, &error).is_some(), is_typed);
    }
}

#[test]
fn all_served_kinds_but_extensions_are_typed() {
    for (minor, groups) in [
        (
            "1.34",
            include_str!("../../../client/tests/kubernetes/1.34/apis.json"),
        ),
        (
            "1.35",
            include_str!("../../../client/tests/kubernetes/1.35/apis.json"),
        ),
        (
            "1.36",
            include_str!("../../../client/tests/kubernetes/1.36/apis.json"),
        ),
    ] {
        let document: Value = serde_json::from_str(groups).expect("JSON");
        let names = document["items"].as_array().expect("groups").iter();
        let untyped: Vec<&str> = names
            .filter_map(|group| group["metadata"]["name"].as_str())
            .filter(|name| !TYPED_GROUPS.contains(name))
            .collect();
        assert_eq!(
            untyped,
            ["apiregistration.k8s.io", "apiextensions.k8s.io"],
            "{minor}"
        );
    }
}
