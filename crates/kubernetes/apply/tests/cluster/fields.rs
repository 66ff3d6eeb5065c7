//! Fields that no schema has or that hold nothing, and values that are written in another way
//! than the server does.

use serde_json::{Value, json};
use sluice_apply::{Action, ApplyOutcome, Inventory};
use sluice_object::Object;

use crate::ignore::applies;
use crate::{Corner, MANAGER, actions, all};

#[tokio::test]
async fn a_misspelt_field_of_a_built_in_kind_does_nothing() {
    let corner = Corner::new("misspelt").await;
    let objects = || {
        let mut web = corner.deployment("web", 1);
        let spec = web.at_mut(&["spec"]).expect("a spec");
        spec["replica"] = json!(3);
        spec["revisionHistory"] = json!(3);
        let container = &mut spec["template"]["spec"]["containers"][0];
        container["resource"] = json!({"limits": {"cpu": 1}});
        container["ports"][0]["nam"] = json!("http");
        let ports = json!({"spec": {"selector": {"app": "web"}, "ports": [{"port": 80, "targetPrt": 8080}]}});
        let service = corner.object("v1", "Service", "web", &ports);
        let mut config = corner.config_map("a", "1");
        config
            .as_map_mut()
            .insert("dta".to_owned(), json!({"b": "2"}));
        vec![web, service, config]
    };
    let applied = corner.apply(objects()).await.expect("applied");
    assert!(all(&applied, Action::Created), "{:?}", actions(&applied));
    let live = corner
        .live(&corner.deployment("web", 1))
        .await
        .expect("live");
    assert_eq!(live.int_at(&["spec", "replicas"]), Some(1));
    let container = &live.at(&["spec", "template", "spec"]).expect("a pod")["containers"][0];
    assert_eq!(container["image"], "web:1", "what is known is kept");

    let again = corner
        .apply_over(objects(), &Inventory::of(&applied.changes), false)
        .await
        .expect("applied");
    assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
}

#[tokio::test]
async fn what_has_a_misspelt_field_is_recreated_in_the_same_run() {
    let corner = Corner::new("recreated").await;
    let job = |image: &str| {
        let mut job = corner.object("batch/v1", "Job", "once", &json!({"spec": {"template": {"spec": {
            "restartPolicy": "Never", "containers": [{"name": "c", "image": image, "ports": [{"containerPort": 80}]}],
        }}}}));
        let spec = job.at_mut(&["spec"]).expect("a spec");
        spec["backofLimit"] = json!(3);
        spec["template"]["spec"]["containers"][0]["ports"][0]["nam"] = json!("http");
        job
    };
    let first = corner.apply(vec![job("one")]).await.expect("applied");
    let old = corner.live(&job("")).await.expect("live");
    let forced = corner
        .apply_over(vec![job("two")], &Inventory::of(&first.changes), true)
        .await
        .expect("recreated");
    assert_eq!(actions(&forced), ["Job created"]);
    let live = corner.live(&job("")).await.expect("live");
    assert_ne!(live.uid(), old.uid());
    let pod = live.at(&["spec", "template", "spec"]).expect("a pod");
    assert_eq!(pod["containers"][0]["image"], "two");
}

#[tokio::test]
async fn a_misspelt_field_is_refused_where_flux_keeps_what_is_written() {
    let corner = Corner::new("refused").await;
    let group = format!("{}.example.com", corner.bed.name("g"));
    let mut definition = crate::definition(&group, &["v1"]);
    definition.at_mut(&["spec"]).expect("a spec")["versions"][0]["schema"]["openAPIV3Schema"] = json!({
        "type": "object", "properties": {"spec": {"type": "object", "properties": {"size": {"type": "integer"}}}},
    });
    corner.apply(vec![definition]).await.expect("applied");
    let role = json!({"rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"], "verb": ["list"]}]});
    for object in [
        corner.object("rbac.authorization.k8s.io/v1", "Role", "a", &role),
        corner.object(
            &format!("{group}/v1"),
            "Widget",
            "a",
            &json!({"spec": {"size": 1, "siz": 2}}),
        ),
    ] {
        let refused = corner
            .apply(vec![object.clone()])
            .await
            .expect_err("refused");
        assert!(
            refused.to_string().contains("field not declared in schema"),
            "{refused}"
        );
        assert!(corner.live(&object).await.is_none());
    }
}

#[tokio::test]
async fn an_object_of_the_wrong_shape_is_refused_with_all_that_is_wrong() {
    let corner = Corner::new("shape").await;
    let mut web = corner.deployment("web", 1);
    let spec = web.at_mut(&["spec"]).expect("a spec");
    spec["replica"] = json!(3);
    spec["template"]["spec"]["containers"] = json!("web");
    let refused = corner.apply(vec![web]).await.expect_err("refused");
    assert!(refused.to_string().contains("containers"), "{refused}");
}

#[tokio::test]
async fn quantities_that_are_written_in_another_way_are_no_drift() {
    let corner = Corner::new("quantities").await;
    let objects = || {
        let mut web = corner.deployment("web", 0);
        let spec = web.at_mut(&["spec"]).expect("a spec");
        spec["template"]["spec"]["containers"][0]["resources"] = json!({
            "limits": {"cpu": "1000m", "memory": "1024Mi"}, "requests": {"cpu": 0.5, "memory": "1048576Ki"},
        });
        let quota = json!({"spec": {"hard": {"requests.cpu": 4, "limits.memory": "2048Mi", "pods": "1000"}}});
        vec![web, corner.object("v1", "ResourceQuota", "all", &quota)]
    };
    let applied = corner.apply(objects()).await.expect("applied");
    let web = corner.deployment("web", 0);
    corner.until_seen(&web).await;
    let live = corner.live(&web).await.expect("live");
    let container = &live.at(&["spec", "template", "spec"]).expect("a pod")["containers"][0];
    assert_eq!(
        container["resources"],
        json!({"limits": {"cpu": "1", "memory": "1Gi"}, "requests": {"cpu": "500m", "memory": "1Gi"}})
    );
    let again = corner
        .apply_over(objects(), &Inventory::of(&applied.changes), false)
        .await
        .expect("applied");
    assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
}

#[tokio::test]
async fn replicas_that_hold_nothing_belong_to_whoever_scales() {
    let corner = Corner::new("unset").await;
    let mut web = corner.deployment("web", 0);
    web.at_mut(&["spec"]).expect("a spec")["replicas"] = Value::Null;
    let applied = corner.apply(vec![web.clone()]).await.expect("applied");
    corner.until_seen(&web).await;
    corner.meddle(&web, &json!({"spec": {"replicas": 3}})).await;
    corner.until_seen(&web).await;
    apply_unchanged(&corner, &applied, &web).await;
    let live = corner.live(&web).await.expect("live");
    assert_eq!(live.int_at(&["spec", "replicas"]), Some(3));
    assert!(!applies(&live, MANAGER, &["f:spec", "f:replicas"]));
    assert!(applies(&live, MANAGER, &["f:spec", "f:selector"]));
}

#[tokio::test]
async fn a_claim_keeps_the_class_and_the_volume_that_it_was_given() {
    let corner = Corner::new("claim").await;
    let requests = json!({"spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}});
    let mut claim = corner.object("v1", "PersistentVolumeClaim", "data", &requests);
    let spec = claim.at_mut(&["spec"]).expect("a spec");
    spec["storageClassName"] = Value::Null;
    spec["volumeName"] = json!("");
    let applied = corner.apply(vec![claim.clone()]).await.expect("applied");
    let class = json!({"spec": {"storageClassName": "fast"}});
    corner.meddle(&claim, &class).await;
    let volume = json!({"spec": {"volumeName": "pv-1"}});
    corner.meddle(&claim, &volume).await;
    apply_unchanged(&corner, &applied, &claim).await;
    let live = corner.live(&claim).await.expect("live");
    assert_eq!(live.str_at(&["spec", "storageClassName"]), Some("fast"));
    assert_eq!(live.str_at(&["spec", "volumeName"]), Some("pv-1"));
}

#[tokio::test]
async fn what_others_put_into_an_empty_field_stays() {
    let corner = Corner::new("filled").await;
    let account = json!({"imagePullSecrets": [], "secrets": []});
    let account = corner.object("v1", "ServiceAccount", "builder", &account);
    let service = json!({"name": "hook", "namespace": "default"});
    let hook = json!({"name": "hook.example.com", "sideEffects": "None", "admissionReviewVersions": ["v1"],
        "failurePolicy": "Ignore", "clientConfig": {"service": service, "caBundle": ""}, "rules": []});
    let hooks = corner.object(
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        &corner.bed.name("hooks"),
        &json!({"webhooks": [hook]}),
    );
    let objects = || vec![account.clone(), hooks.clone()];
    let applied = corner.apply(objects()).await.expect("applied");
    let pulls = json!({"imagePullSecrets": [{"name": "registry"}]});
    corner.meddle(&account, &pulls).await;
    let bundle = "Y2VydGlmaWNhdGU=";
    let mut injected = hook.clone();
    injected["clientConfig"]["caBundle"] = bundle.into();
    corner
        .meddle(&hooks, &json!({"webhooks": [injected]}))
        .await;
    for object in objects() {
        apply_unchanged(&corner, &applied, &object).await;
    }
    let live = corner.live(&account).await.expect("live");
    assert_eq!(live.as_map()["imagePullSecrets"], pulls["imagePullSecrets"]);
    let live = corner.live(&hooks).await.expect("live");
    assert_eq!(
        live.as_map()["webhooks"][0]["clientConfig"]["caBundle"],
        bundle
    );
}

/// Applies an object twice over what is known; neither may find anything to do.
async fn apply_unchanged(corner: &Corner, first: &ApplyOutcome, object: &Object) {
    let known = Inventory::of(&first.changes);
    for _ in 0..2 {
        let again = corner.apply_over(vec![object.clone()], &known, false).await;
        let again = again.expect("applied");
        assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
    }
}

#[tokio::test]
async fn an_entry_without_a_value_is_an_empty_one_of_ours() {
    let corner = Corner::new("entries").await;
    let with = |kind: &str, field: &str| {
        let mut object = corner.object("v1", kind, "a", &json!({}));
        let entries = json!({"empty": null, "full": "1"});
        object.as_map_mut().insert(field.to_owned(), entries);
        object
    };
    let objects = || vec![with("ConfigMap", "data"), with("Secret", "stringData")];
    let applied = corner.apply(objects()).await.expect("applied");
    for object in objects() {
        let live = corner.live(&object).await.expect("live");
        assert_eq!(live.str_at(&["data", "empty"]), Some(""), "{live:?}");
        assert!(applies(&live, MANAGER, &["f:data", "f:empty"]), "{live:?}");
    }
    let again = corner
        .apply_over(objects(), &Inventory::of(&applied.changes), false)
        .await
        .expect("applied");
    assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
}
