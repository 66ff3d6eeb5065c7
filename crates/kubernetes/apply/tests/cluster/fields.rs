//! Unknown and unset fields, and values in another notation than the server's.

use serde_json::{Value, json};
use sluice_apply::{Action, ApplyOutcome, Inventory};
use sluice_object::Object;

use crate::ignore::applies;
use crate::{MANAGER, Sandbox, actions, all};

#[tokio::test]
async fn misspelt_field_of_a_builtin_kind_is_removed() {
    let sandbox = Sandbox::new("misspelt").await;
    let objects = || {
        let mut web = sandbox.deployment("web", 1);
        let spec = web.at_mut(&["spec"]).expect("a spec");
        spec["replica"] = json!(3);
        spec["revisionHistory"] = json!(3);
        let container = &mut spec["template"]["spec"]["containers"][0];
        container["resource"] = json!({"limits": {"cpu": 1}});
        container["ports"][0]["nam"] = json!("http");
        let ports = json!({"spec": {"selector": {"app": "web"}, "ports": [{"port": 80, "targetPrt": 8080}]}});
        let service = sandbox.object("v1", "Service", "web", &ports);
        let mut config = sandbox.config_map("a", "1");
        config
            .as_map_mut()
            .insert("dta".to_owned(), json!({"b": "2"}));
        vec![web, service, config]
    };
    let applied = sandbox.apply(objects()).await.expect("applied");
    assert!(all(&applied, Action::Created), "{:?}", actions(&applied));
    let live = sandbox
        .live(&sandbox.deployment("web", 1))
        .await
        .expect("live");
    assert_eq!(live.int_at(&["spec", "replicas"]), Some(1));
    let container = &live.at(&["spec", "template", "spec"]).expect("a pod")["containers"][0];
    assert_eq!(container["image"], "web:1", "known fields are kept");

    let again = sandbox
        .apply_over(objects(), &Inventory::of(&applied.changes), false)
        .await
        .expect("applied");
    assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
}

#[tokio::test]
async fn object_with_a_misspelt_field_is_recreated_at_once() {
    let sandbox = Sandbox::new("recreated").await;
    let job = |image: &str| {
        let mut job = sandbox.object("batch/v1", "Job", "once", &json!({"spec": {"template": {"spec": {
            "restartPolicy": "Never", "containers": [{"name": "c", "image": image, "ports": [{"containerPort": 80}]}],
        }}}}));
        let spec = job.at_mut(&["spec"]).expect("a spec");
        spec["backofLimit"] = json!(3);
        spec["template"]["spec"]["containers"][0]["ports"][0]["nam"] = json!("http");
        job
    };
    let first = sandbox.apply(vec![job("one")]).await.expect("applied");
    let old = sandbox.live(&job("")).await.expect("live");
    let forced = sandbox
        .apply_over(vec![job("two")], &Inventory::of(&first.changes), true)
        .await
        .expect("recreated");
    assert_eq!(actions(&forced), ["Job created"]);
    let live = sandbox.live(&job("")).await.expect("live");
    assert_ne!(live.uid(), old.uid());
    let pod = live.at(&["spec", "template", "spec"]).expect("a pod");
    assert_eq!(pod["containers"][0]["image"], "two");
}

#[tokio::test]
async fn misspelt_field_of_an_untyped_kind_is_rejected() {
    let sandbox = Sandbox::new("refused").await;
    let group = format!("{}.example.com", sandbox.bed.name("g"));
    let mut definition = crate::definition(&group, &["v1"]);
    definition.at_mut(&["spec"]).expect("a spec")["versions"][0]["schema"]["openAPIV3Schema"] = json!({
        "type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}},
    });
    sandbox.apply(vec![definition]).await.expect("applied");
    let role = json!({"rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"], "verb": ["list"]}]});
    for object in [
        sandbox.object("rbac.authorization.k8s.io/v1", "Role", "a", &role),
        sandbox.object(
            &format!("{group}/v1"),
            "Widget",
            "a",
            &json!({"spec": {"size": 1, "siz": 2}}),
        ),
    ] {
        let refused = sandbox
            .apply(vec![object.clone()])
            .await
            .expect_err("refused");
        assert!(
            refused.to_string().contains("field not declared in schema"),
            "{refused}"
        );
        assert!(sandbox.live(&object).await.is_none());
    }
}

#[tokio::test]
async fn object_with_wrong_types_is_rejected() {
    let sandbox = Sandbox::new("shape").await;
    let mut web = sandbox.deployment("web", 1);
    let spec = web.at_mut(&["spec"]).expect("a spec");
    spec["replica"] = json!(3);
    spec["template"]["spec"]["containers"] = json!("web");
    let refused = sandbox.apply(vec![web]).await.expect_err("refused");
    assert!(refused.to_string().contains("containers"), "{refused}");
}

#[tokio::test]
async fn quantities_in_another_notation_are_not_drift() {
    let sandbox = Sandbox::new("quantities").await;
    let objects = || {
        let mut web = sandbox.deployment("web", 0);
        let spec = web.at_mut(&["spec"]).expect("a spec");
        spec["template"]["spec"]["containers"][0]["resources"] = json!({
            "limits": {"cpu": "1000m", "memory": "1024Mi"}, "requests": {"cpu": 0.5, "memory": "1048576Ki"},
        });
        let quota = json!({"spec": {"hard": {"requests.cpu": 4, "limits.memory": "2048Mi", "pods": "1000"}}});
        vec![web, sandbox.object("v1", "ResourceQuota", "all", &quota)]
    };
    let applied = sandbox.apply(objects()).await.expect("applied");
    let web = sandbox.deployment("web", 0);
    sandbox.until_observed(&web).await;
    let live = sandbox.live(&web).await.expect("live");
    let container = &live.at(&["spec", "template", "spec"]).expect("a pod")["containers"][0];
    assert_eq!(
        container["resources"],
        json!({"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "500m", "memory": "1Gi"}})
    );
    let again = sandbox
        .apply_over(objects(), &Inventory::of(&applied.changes), false)
        .await
        .expect("applied");
    assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
}

#[tokio::test]
async fn null_replicas_belong_to_the_autoscaler() {
    let sandbox = Sandbox::new("unset").await;
    let mut web = sandbox.deployment("web", 0);
    web.at_mut(&["spec"]).expect("a spec")["replicas"] = Value::Null;
    let applied = sandbox.apply(vec![web.clone()]).await.expect("applied");
    sandbox.until_observed(&web).await;
    sandbox
        .change_as_other(&web, &json!({"spec": {"replicas": 3}}))
        .await;
    sandbox.until_observed(&web).await;
    apply_unchanged(&sandbox, &applied, &web).await;
    let live = sandbox.live(&web).await.expect("live");
    assert_eq!(live.int_at(&["spec", "replicas"]), Some(3));
    assert!(!applies(&live, MANAGER, &["f:spec", "f:replicas"]));
    assert!(applies(&live, MANAGER, &["f:spec", "f:selector"]));
}

#[tokio::test]
async fn claim_keeps_its_assigned_class_and_volume() {
    let sandbox = Sandbox::new("claim").await;
    let requests = json!({"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}});
    let mut claim = sandbox.object("v1", "PersistentVolumeClaim", "data", &requests);
    let spec = claim.at_mut(&["spec"]).expect("a spec");
    spec["storageClassName"] = Value::Null;
    spec["volumeName"] = json!("");
    let applied = sandbox.apply(vec![claim.clone()]).await.expect("applied");
    let class = json!({"spec": {"storageClassName": "fast"}});
    sandbox.change_as_other(&claim, &class).await;
    let volume = json!({"spec": {"volumeName": "pv-1"}});
    sandbox.change_as_other(&claim, &volume).await;
    apply_unchanged(&sandbox, &applied, &claim).await;
    let live = sandbox.live(&claim).await.expect("live");
    assert_eq!(live.str_at(&["spec", "storageClassName"]), Some("fast"));
    assert_eq!(live.str_at(&["spec", "volumeName"]), Some("pv-1"));
}

#[tokio::test]
async fn values_of_others_in_an_empty_field_stay() {
    let sandbox = Sandbox::new("filled").await;
    let account = json!({"imagePullSecrets": [], "secrets": []});
    let account = sandbox.object("v1", "ServiceAccount", "builder", &account);
    let service = json!({"name": "hook", "namespace": "default"});
    let hook = json!({"name": "hook.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
        "failurePolicy": "Ignore", "clientConfig": {"service": service, "caBundle": ""}, "rules": []});
    let hooks = sandbox.object(
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        &sandbox.bed.name("hooks"),
        &json!({"webhooks": [hook]}),
    );
    let objects = || vec![account.clone(), hooks.clone()];
    let applied = sandbox.apply(objects()).await.expect("applied");
    let pulls = json!({"imagePullSecrets": [{"name": "registry"}]});
    sandbox.change_as_other(&account, &pulls).await;
    let bundle = "Y2VydGlmaWNhdGU=";
    let mut injected = hook.clone();
    injected["clientConfig"]["caBundle"] = bundle.into();
    sandbox
        .change_as_other(&hooks, &json!({"webhooks": [injected]}))
        .await;
    for object in objects() {
        apply_unchanged(&sandbox, &applied, &object).await;
    }
    let live = sandbox.live(&account).await.expect("live");
    assert_eq!(live.as_map()["imagePullSecrets"], pulls["imagePullSecrets"]);
    let live = sandbox.live(&hooks).await.expect("live");
    assert_eq!(
        live.as_map()["webhooks"][0]["clientConfig"]["caBundle"],
        bundle
    );
}

/// Applies an object twice over an inventory. Both applies must find it unchanged.
async fn apply_unchanged(sandbox: &Sandbox, first: &ApplyOutcome, object: &Object) {
    let known = Inventory::of(&first.changes);
    for _ in 0..2 {
        let again = sandbox
            .apply_over(vec![object.clone()], &known, false)
            .await;
        let again = again.expect("applied");
        assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
    }
}

#[tokio::test]
async fn null_entry_becomes_an_empty_value() {
    let sandbox = Sandbox::new("entries").await;
    let with = |kind: &str, field: &str| {
        let mut object = sandbox.object("v1", kind, "a", &json!({}));
        let entries = json!({"empty": null, "full": "1"});
        object.as_map_mut().insert(field.to_owned(), entries);
        object
    };
    let objects = || vec![with("ConfigMap", "data"), with("Secret", "stringData")];
    let applied = sandbox.apply(objects()).await.expect("applied");
    for object in objects() {
        let live = sandbox.live(&object).await.expect("live");
        assert_eq!(live.str_at(&["data", "empty"]), Some(""), "{live:?}");
        assert!(applies(&live, MANAGER, &["f:data", "f:empty"]), "{live:?}");
    }
    let again = sandbox
        .apply_over(objects(), &Inventory::of(&applied.changes), false)
        .await
        .expect("applied");
    assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
}
