//! `force` recreates objects with immutable changes, and no others.

use serde_json::{Value, json};
use sluice_apply::{Action, ApplyFailure, Inventory};
use sluice_object::Object;
use sluice_testkit::wait;

use crate::{Sandbox, actions, all, definition};

/// An object that is applied with changed fields.
struct AppliedObject<'c> {
    sandbox: &'c Sandbox,
    known: Inventory,
    object: Object,
}

impl<'c> AppliedObject<'c> {
    async fn create(sandbox: &'c Sandbox, object: Object) -> Self {
        let applied = sandbox.apply(vec![object.clone()]).await.expect("applied");
        assert!(all(&applied, Action::Created));
        Self {
            sandbox,
            known: Inventory::of(&applied.changes),
            object,
        }
    }

    /// The object with other fields.
    fn with(&self, fields: &Value) -> Object {
        let mut value = self.object.clone().into_value();
        sluice_object::merge::apply(&mut value, fields);
        Object::try_from(value).expect("complete")
    }

    async fn apply(&self, object: Object, force: bool) -> Result<Vec<String>, ApplyFailure> {
        let applied = self.sandbox.apply_over(vec![object], &self.known, force);
        applied.await.map(|applied| actions(&applied))
    }

    async fn uid(&self) -> Option<String> {
        let live = self.sandbox.live(&self.object).await.expect("live");
        live.uid().map(ToOwned::to_owned)
    }
}

#[tokio::test]
async fn force_recreates_immutable_but_not_invalid_objects() {
    let sandbox = Sandbox::new("force").await;
    let job = |image: &str| {
        sandbox.object(
            "batch/v1",
            "Job",
            "once",
            &json!({"spec": {"template": {"spec": {"restartPolicy": "Never",
                "containers": [{"name": "c", "image": image}]}}}}),
        )
    };
    let service = |port: u32| {
        sandbox.object(
            "v1",
            "Service",
            "web",
            &json!({"spec": {"ports": [{"port": port}]}}),
        )
    };
    let first = sandbox
        .apply(vec![job("one"), service(80)])
        .await
        .expect("applied");
    let known = Inventory::of(&first.changes);
    let uid = |live: Option<Object>| live.and_then(|live| live.uid().map(ToOwned::to_owned));
    let (old_job, old_service) = (
        uid(sandbox.live(&job("")).await),
        uid(sandbox.live(&service(0)).await),
    );

    let refused = sandbox
        .apply_over(vec![job("two"), service(80)], &known, false)
        .await
        .expect_err("immutable");
    assert!(
        refused.to_string().contains("field is immutable"),
        "{refused}"
    );

    let refused = sandbox
        .apply_over(vec![job("one"), service(70000)], &known, true)
        .await
        .expect_err("invalid");
    assert!(
        refused.to_string().contains("dry-run failed (Invalid)"),
        "{refused}"
    );
    assert_eq!(uid(sandbox.live(&service(0)).await), old_service);

    let forced = sandbox
        .apply_over(vec![job("two"), service(80)], &known, true)
        .await
        .expect("recreated");
    assert_eq!(actions(&forced), ["Service unchanged", "Job created"]);
    let live = sandbox.live(&job("")).await;
    assert_ne!(uid(live.clone()), old_job);
    assert_eq!(
        live.expect("live")
            .at(&["spec", "template", "spec", "containers"])
            .expect("containers")[0]["image"],
        "two"
    );
}

#[tokio::test]
async fn force_over_a_set_destroys_no_data() {
    let sandbox = Sandbox::new("precious").await;
    let claim = |mode: &str| {
        sandbox.object(
            "v1",
            "PersistentVolumeClaim",
            "data",
            &json!({"metadata": {"annotations": {"kustomize.toolkit.fluxcd.io/force": "enabled"}},
                "spec": {"accessModes": [mode], "storageClassName": "",
                    "resources": {"requests": {"storage": "1Gi"}}}}),
        )
    };
    let group = format!("{}.example.com", sandbox.bed.name("g"));
    let defined = |scope: &str, marked: bool| {
        let mut definition = definition(&group, &["v1"]).into_value();
        definition["spec"]["scope"] = scope.into();
        let mut definition = Object::try_from(definition).expect("complete");
        if marked {
            definition.set_annotation("kustomize.toolkit.fluxcd.io/force", "enabled");
        }
        definition
    };
    let volume = Object::try_from(json!({
        "apiVersion": "v1", "kind": "PersistentVolume",
        "metadata": {"name": sandbox.bed.name("volume")},
        "spec": {"accessModes": ["ReadWriteOnce"], "capacity": {"storage": "1Gi"},
            "claimRef": {"namespace": sandbox.namespace, "name": "data"},
            "hostPath": {"path": "/nowhere"}},
    }));
    let set = vec![
        volume.expect("complete"),
        claim("ReadWriteOnce"),
        defined("Namespaced", false),
    ];
    let first = sandbox.apply(set).await.expect("applied");
    let known = Inventory::of(&first.changes);
    wait::until(&sandbox.api(&claim("")).await, "data", "is bound", |live| {
        live.is_some_and(|live| live.data["status"]["phase"] == "Bound")
    })
    .await;
    let uid = async |object: &Object| {
        let live = sandbox.live(object).await.expect("still there");
        live.uid().map(ToOwned::to_owned)
    };
    let before = (uid(&claim("")).await, uid(&defined("", false)).await);

    for set in [
        vec![claim("ReadWriteMany")],
        vec![defined("Cluster", false)],
    ] {
        let refused = sandbox.apply_over(set, &known, true).await;
        let refused = refused.expect_err("immutable").to_string();
        assert!(refused.contains("immutable"), "{refused}");
    }
    let after = (uid(&claim("")).await, uid(&defined("", false)).await);
    assert_eq!(before, after);

    // With its own marker a definition is recreated, which deletes its objects.
    sandbox
        .apply_over(vec![defined("Cluster", true)], &known, false)
        .await
        .expect("recreated");
    assert_ne!(uid(&defined("", false)).await, before.1);
}

#[tokio::test]
async fn binding_to_another_role_is_recreated_with_force() {
    let sandbox = Sandbox::new("binding").await;
    let role = |name: &str| json!({"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name});
    for (kind, name) in [
        ("RoleBinding", "app".to_owned()),
        ("ClusterRoleBinding", sandbox.bed.name("app")),
    ] {
        let body = json!({"roleRef": role("view"),
            "subjects": [{"kind": "ServiceAccount", "name": "app", "namespace": sandbox.namespace}]});
        let mut binding = sandbox.object("rbac.authorization.k8s.io/v1", kind, &name, &body);
        if kind == "ClusterRoleBinding" {
            binding.set_namespace("");
        }
        let binding = AppliedObject::create(&sandbox, binding).await;
        let (other, before) = (
            binding.with(&json!({"roleRef": role("edit")})),
            binding.uid().await,
        );
        let refused = binding.apply(other.clone(), false).await;
        let refused = refused.expect_err("a role is for good").to_string();
        let lead = format!(
            "{} dry-run failed (Invalid): {kind}.rbac.authorization.k8s.io \"{name}\" is invalid: roleRef: Invalid value: ",
            binding.object.id()
        );
        assert!(refused.starts_with(&lead), "{refused}");
        assert!(refused.ends_with("cannot change roleRef"), "{refused}");
        assert_eq!(binding.uid().await, before, "a rejection changes nothing");

        let forced = binding.apply(other, true).await.expect("recreated");
        assert_eq!(forced, [format!("{kind} created")]);
        assert_ne!(binding.uid().await, before);
        let live = sandbox.live(&binding.object).await.expect("live");
        assert_eq!(live.str_at(&["roleRef", "name"]), Some("edit"));
    }
}

#[tokio::test]
async fn storage_class_is_recreated_by_its_marker() {
    let sandbox = Sandbox::new("class").await;
    // A class per change, because the marker on the live object applies to later changes as well.
    for fields in [
        json!({"parameters": {"encrypted": "true"}}),
        json!({"provisioner": "example.com/tape", "parameters": {"encrypted": "true"}}),
    ] {
        let class = Object::try_from(json!({
            "apiVersion": "storage.k8s.io/v1", "kind": "StorageClass",
            "metadata": {"name": sandbox.bed.name("class")},
            "provisioner": "example.com/disk", "parameters": {"encrypted": "false"},
        }));
        let class = AppliedObject::create(&sandbox, class.expect("complete")).await;
        let before = class.uid().await;
        let changed = class.with(&fields);
        let refused = class.apply(changed.clone(), false).await;
        let refused = refused.expect_err("fixed for good").to_string();
        let lead = format!("{} dry-run failed (Invalid): ", class.object.id());
        assert!(
            refused.starts_with(&lead) && refused.contains("parameters: "),
            "{refused}"
        );
        assert_eq!(class.uid().await, before, "a rejection changes nothing");

        let mut marked = changed;
        marked.set_annotation("kustomize.toolkit.fluxcd.io/force", "enabled");
        let forced = class.apply(marked, false).await.expect("recreated");
        assert_eq!(forced, ["StorageClass created"]);
        assert_ne!(class.uid().await, before);
        let live = sandbox.live(&class.object).await.expect("live");
        for (field, value) in fields.as_object().expect("a map") {
            assert_eq!(live.get(field), Some(value));
        }
    }
}

#[tokio::test]
async fn immutable_secret_is_recreated_after_its_finalizer() {
    let sandbox = Sandbox::new("secret").await;
    let secret = sandbox.object(
        "v1",
        "Secret",
        "fixed",
        &json!({"immutable": true, "stringData": {"key": "canary-one"}}),
    );
    let secret = AppliedObject::create(&sandbox, secret).await;
    let before = secret.uid().await;
    let other = secret.with(&json!({"stringData": {"key": "canary-two"}}));
    let refused = secret.apply(other.clone(), false).await;
    assert_eq!(
        refused.expect_err("fixed").to_string(),
        format!(
            "{} dry-run failed (Invalid): Secret \"fixed\" is invalid: data: Forbidden: field is immutable when `immutable` is set",
            secret.object.id()
        )
    );
    let finalizers = |list: Value| json!({"metadata": {"finalizers": list}});
    sandbox
        .change_as_other(&secret.object, &finalizers(json!(["example.com/hold"])))
        .await;
    let release = async {
        let api = sandbox.api(&secret.object).await;
        wait::until(&api, "fixed", "is going", |live| {
            live.is_some_and(|live| live.metadata.deletion_timestamp.is_some())
        })
        .await;
        assert_eq!(secret.uid().await, before, "the finalizer keeps it");
        sandbox
            .change_as_other(&secret.object, &finalizers(Value::Null))
            .await;
    };
    let (forced, ()) = tokio::join!(secret.apply(other, true), release);
    assert_eq!(forced.expect("recreated"), ["Secret created"]);
    assert_ne!(secret.uid().await, before);
    let live = sandbox.live(&secret.object).await.expect("live");
    assert_eq!(live.str_at(&["data", "key"]), Some("Y2FuYXJ5LXR3bw=="));
}
