//! A single stage: created, unchanged, corrected and rejected objects.

use kube::api::{Patch, PatchParams, PostParams};
use serde_json::json;
use sluice_apply::{Action, ApplyError, Inventory, Preview, PreviewOptions};
use sluice_object::Object;

use crate::{MANAGER, Sandbox, actions, all};

#[tokio::test]
async fn new_object_needs_a_dry_run_and_an_apply() {
    let sandbox = Sandbox::new("fresh").await;
    let mark = sandbox.mark().await;
    let objects = vec![sandbox.config_map("a", "1"), sandbox.config_map("b", "1")];
    let applied = sandbox.apply(objects).await.expect("applied");
    assert!(all(&applied, Action::Created));
    sandbox.mark().await;
    let mut requests = sandbox.requests(mark);
    requests.sort();
    assert_eq!(
        requests,
        [
            "patch configmaps",
            "patch configmaps",
            "patch configmaps (dry)",
            "patch configmaps (dry)",
        ]
    );
    let live = sandbox
        .live(&sandbox.config_map("a", ""))
        .await
        .expect("live");
    assert_eq!(live.str_at(&["data", "key"]), Some("1"));
    assert_eq!(
        live.label("kustomize.toolkit.fluxcd.io/name"),
        Some(sandbox.owner.name.as_str())
    );
    assert_eq!(
        live.at(&["metadata", "managedFields"]).expect("managers")[0]["manager"],
        MANAGER
    );
}

#[tokio::test]
async fn unchanged_set_is_not_written() {
    let sandbox = Sandbox::new("unchanged").await;
    let objects = || {
        vec![
            sandbox.config_map("a", "1"),
            sandbox.deployment("web", 1),
            sandbox.object(
                "v1",
                "Service",
                "web",
                &json!({"spec": {"selector": {"app": "web"}, "ports": [{"port": 80}]}}),
            ),
            sandbox.object("v1", "Secret", "s", &json!({"stringData": {"k": "v"}})),
            sandbox.object("v1", "ServiceAccount", "web", &json!({})),
            sandbox.object(
                "autoscaling/v2",
                "HorizontalPodAutoscaler",
                "web",
                &json!({"spec": {
                    "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
                    "maxReplicas": 2,
                    "metrics": [{"type": "Resource", "resource": {"name": "cpu",
                        "target": {"type": "Utilization", "averageUtilization": 50}}}],
                }}),
            ),
        ]
    };
    let first = sandbox.apply(objects()).await.expect("applied");
    assert!(all(&first, Action::Created));
    let inventory = Inventory::of(&first.changes);
    sandbox.until_observed(&sandbox.deployment("web", 1)).await;
    let mark = sandbox.mark().await;
    // With the inventory, and without it, like after a crash.
    for known in [&inventory, &Inventory::default()] {
        let again = sandbox
            .apply_over(objects(), known, false)
            .await
            .expect("applied");
        assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
        assert_eq!(Inventory::of(&again.changes), inventory);
    }
    sandbox.mark().await;
    sandbox
        .bed
        .audit()
        .assert_no_writes_by(&sandbox.user, mark, &[]);
}

#[tokio::test]
async fn known_objects_of_a_kind_are_listed() {
    let sandbox = Sandbox::new("listed").await;
    let objects = || {
        (0..9)
            .map(|index| sandbox.config_map(&format!("c{index}"), "1"))
            .collect()
    };
    let first = sandbox.apply(objects()).await.expect("applied");
    let mark = sandbox.mark().await;
    let again = sandbox
        .apply_over(objects(), &Inventory::of(&first.changes), false)
        .await
        .expect("applied");
    assert!(all(&again, Action::Unchanged));
    sandbox.mark().await;
    let requests = sandbox.requests(mark);
    assert_eq!(requests.len(), 10, "{requests:?}");
    assert_eq!(
        requests
            .iter()
            .filter(|request| *request == "list configmaps")
            .count(),
        1
    );
}

#[tokio::test]
async fn drift_is_reverted_and_fields_of_others_stay() {
    let sandbox = Sandbox::new("drift").await;
    let objects = || vec![sandbox.config_map("a", "1"), sandbox.config_map("b", "1")];
    let first = sandbox.apply(objects()).await.expect("applied");
    let a = sandbox.config_map("a", "1");
    sandbox
        .change_as_other(&a, &json!({"data": {"key": "2", "other": "x"}}))
        .await;
    let known = Inventory::of(&first.changes);
    let again = sandbox
        .apply_over(objects(), &known, false)
        .await
        .expect("applied");
    assert_eq!(
        actions(&again),
        ["ConfigMap configured", "ConfigMap unchanged"]
    );
    let live = sandbox.live(&a).await.expect("live");
    assert_eq!(live.str_at(&["data", "key"]), Some("1"));
    assert_eq!(live.str_at(&["data", "other"]), Some("x"));
}

#[tokio::test]
async fn removed_field_is_removed_from_the_object() {
    let sandbox = Sandbox::new("left").await;
    let full = sandbox.object(
        "v1",
        "ConfigMap",
        "a",
        &json!({"data": {"key": "1", "more": "2"}}),
    );
    sandbox.apply(vec![full]).await.expect("applied");
    let less = sandbox.config_map("a", "1");
    let applied = sandbox.apply(vec![less.clone()]).await.expect("applied");
    assert!(all(&applied, Action::Configured));
    let live = sandbox.live(&less).await.expect("live");
    assert_eq!(live.get("data"), Some(&json!({"key": "1"})));
}

#[tokio::test]
async fn fields_of_kubectl_are_taken_over() {
    let sandbox = Sandbox::new("takeover").await;
    let mut old = sandbox.object(
        "v1",
        "ConfigMap",
        "a",
        &json!({"data": {"key": "1", "old": "x"}}),
    );
    old.set_annotation("kubectl.kubernetes.io/last-applied-configuration", "{}");
    let parameters = PostParams {
        field_manager: Some("kubectl-client-side-apply".to_owned()),
        ..PostParams::default()
    };
    sandbox
        .api(&old)
        .await
        .create(
            &parameters,
            &serde_json::from_value(old.to_value()).expect("an object"),
        )
        .await
        .expect("created");
    let desired = sandbox.config_map("a", "1");
    let applied = sandbox.apply(vec![desired.clone()]).await.expect("applied");
    assert!(all(&applied, Action::Configured));
    let live = sandbox.live(&desired).await.expect("live");
    assert_eq!(live.get("data"), Some(&json!({"key": "1"})));
    assert_eq!(live.annotations().count(), 0);
    let managers = live.at(&["metadata", "managedFields"]).expect("managers");
    assert_eq!(managers.as_array().map(Vec::len), Some(1), "{managers}");
    let again = sandbox.apply(vec![desired]).await.expect("applied");
    assert!(all(&again, Action::Unchanged));
}

#[tokio::test]
async fn excluded_and_create_only_objects_are_skipped() {
    let sandbox = Sandbox::new("excluded").await;
    let marker = |key: &str, value: &str| json!({"metadata": {"annotations": {format!("kustomize.toolkit.fluxcd.io/{key}"): value}}});
    let mut objects = vec![
        sandbox.config_map("live-excluded", "1"),
        sandbox.config_map("create-only", "1"),
        sandbox.config_map("desired-excluded", "1"),
    ];
    mark(&mut objects[1], "ssa", "IfNotPresent");
    let first = sandbox.apply(objects.clone()).await.expect("applied");
    assert!(all(&first, Action::Created));
    sandbox
        .change_as_other(&objects[0], &marker("reconcile", "disabled"))
        .await;
    for object in &mut objects {
        object
            .as_map_mut()
            .insert("data".into(), json!({"key": "2"}));
    }
    mark(&mut objects[2], "reconcile", "disabled");
    let known = Inventory::of(&first.changes);
    for known in [&known, &Inventory::default()] {
        let again = sandbox
            .apply_over(objects.clone(), known, false)
            .await
            .expect("applied");
        assert!(all(&again, Action::Skipped), "{:?}", actions(&again));
        assert_eq!(again.targets.len(), 0);
        for object in &objects {
            let live = sandbox.live(object).await.expect("live");
            assert_eq!(live.str_at(&["data", "key"]), Some("1"));
        }
    }
}

fn mark(object: &mut Object, key: &str, value: &str) {
    object.set_annotation(&format!("kustomize.toolkit.fluxcd.io/{key}"), value);
}

#[tokio::test]
async fn rejected_object_stops_its_stage() {
    let sandbox = Sandbox::new("refused").await;
    let objects = vec![
        sandbox.config_map("fine", "1"),
        sandbox.object(
            "v1",
            "Service",
            "bad",
            &json!({"spec": {"ports": [{"port": 70000}]}}),
        ),
        sandbox.object("v1", "Service", "worse", &json!({"spec": {"ports": []}})),
    ];
    let failure = sandbox.apply(objects).await.expect_err("refused");
    assert!(failure.changes.is_empty());
    let text = failure.to_string();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("Service/"))
        .collect();
    let namespace = &sandbox.namespace;
    assert!(
        lines[0].starts_with(&format!(
            "Service/{namespace}/bad dry-run failed (Invalid): Service \"bad\" is invalid: "
        )),
        "{text}"
    );
    assert!(
        lines[1].starts_with(&format!(
            "Service/{namespace}/worse dry-run failed (Invalid): "
        )),
        "{text}"
    );
    assert!(
        sandbox
            .live(&sandbox.config_map("fine", ""))
            .await
            .is_none()
    );
}

#[tokio::test]
async fn failure_contains_earlier_changes() {
    let sandbox = Sandbox::new("halfway").await;
    // Dry-runs do not consume the quota: the second ConfigMap only fails in the apply.
    let quota = sandbox.object(
        "v1",
        "ResourceQuota",
        "few",
        &json!({"spec": {"hard": {"count/secrets": "1"}}}),
    );
    let api = sandbox.api(&quota).await;
    api.create(
        &PostParams::default(),
        &serde_json::from_value(quota.to_value()).expect("an object"),
    )
    .await
    .expect("created");
    sluice_testkit::wait::eventually("the quota is counted", || async {
        let live = sandbox.live(&quota).await.expect("live");
        live.at(&["status", "used"])
            .map(|_| ())
            .ok_or_else(|| live.to_value().to_string())
    })
    .await;
    let secret = |name| sandbox.object("v1", "Secret", name, &json!({"stringData": {"k": "v"}}));
    let objects = vec![
        sandbox.config_map("early", "1"),
        secret("a"),
        secret("b"),
        sandbox.object(
            "v1",
            "Service",
            "late",
            &json!({"spec": {"ports": [{"port": 80}]}}),
        ),
    ];
    let failure = sandbox.apply(objects).await.expect_err("refused");
    assert!(
        matches!(&failure.error, ApplyError::Objects(failures) if failures.len() == 1),
        "{failure}"
    );
    assert!(failure.to_string().contains("apply failed: "), "{failure}");
    assert!(failure.to_string().contains("exceeded quota"), "{failure}");
    let kinds: Vec<_> = failure
        .changes
        .entries
        .iter()
        .map(|entry| entry.id.kind.as_str())
        .collect();
    assert_eq!(kinds, ["ConfigMap", "Secret"]);
    for entry in Inventory::of(&failure.changes).entries() {
        assert!(sandbox.live(&entry.skeleton()).await.is_some());
    }
    let late = sandbox.object("v1", "Service", "late", &json!({}));
    assert!(sandbox.live(&late).await.is_none());
}

#[tokio::test]
async fn secrets_are_masked_in_server_messages() {
    let sandbox = Sandbox::new("masked").await;
    for data in [
        json!({"stringData": {"pin": 481_516_234}}),
        json!({"data": {"password": "canary is not base64"}}),
        json!({"type": "canary-type", "immutable": "canary-value", "stringData": {"k": "canary-value"}}),
    ] {
        let secret = sandbox.object("v1", "Secret", "s", &data);
        let failure = sandbox.apply(vec![secret]).await.expect_err("refused");
        for text in [failure.to_string(), format!("{failure:?}")] {
            assert!(!text.contains("481516234"), "{text}");
            assert!(!text.contains("canary is"), "{text}");
            assert!(!text.contains("canary-value"), "{text}");
        }
    }
}

#[tokio::test]
async fn forbidden_apply_names_the_user() {
    let sandbox = Sandbox::unprivileged("stranger").await;
    let failure = sandbox
        .apply(vec![sandbox.config_map("a", "1")])
        .await
        .expect_err("forbidden");
    let text = failure.to_string();
    assert!(text.contains("dry-run failed (Forbidden)"), "{text}");
    assert!(text.contains(&sandbox.user), "{text}");
}

#[tokio::test]
async fn missing_namespace_and_unknown_kind_are_reported() {
    let sandbox = Sandbox::new("reported").await;
    let nowhere = Object::new("v1", "ConfigMap", "", "nowhere");
    let elsewhere = Object::new("v1", "ConfigMap", "no-such-namespace", "a");
    let unknown = sandbox.object("example.com/v1", "Unheard", "a", &json!({}));
    for (objects, expected) in [
        (
            vec![nowhere],
            "ConfigMap/nowhere namespace not specified: the server could not find the requested resource".to_owned(),
        ),
        (
            vec![elsewhere],
            "ConfigMap/no-such-namespace/a not found: namespaces \"no-such-namespace\" not found".to_owned(),
        ),
        (
            vec![unknown],
            format!(
                "Unheard/{}/a dry-run failed: no matches for kind \"Unheard\" in version \"example.com/v1\"",
                sandbox.namespace
            ),
        ),
    ] {
        let failure = sandbox.apply(objects).await.expect_err("refused");
        assert_eq!(failure.to_string(), expected);
        assert!(failure.changes.is_empty());
    }
}

#[tokio::test]
async fn excluded_object_needs_no_kind_or_namespace() {
    let sandbox = Sandbox::new("unreached").await;
    let mut set = vec![
        Object::new("v1", "ConfigMap", "", "nowhere"),
        sandbox.object("example.com/v1", "Unheard", "a", &json!({})),
        sandbox.config_map("plain", "1"),
    ];
    mark(&mut set[0], "ssa", "Ignore");
    mark(&mut set[1], "reconcile", "disabled");
    let preview = PreviewOptions {
        owner: &sandbox.owner,
        known: &Inventory::default(),
        force: false,
    };
    let previewed = sandbox.applier.preview(set.clone(), &preview).await;
    let outcomes: Vec<_> = previewed.iter().map(|one| one.outcome.as_ref()).collect();
    let expected = [Preview::Skipped, Preview::Skipped, Preview::Created];
    assert_eq!(outcomes, expected.each_ref().map(Ok));

    let applied = sandbox.apply(set.clone()).await.expect("applied");
    let inventory = Inventory::of(&applied.changes);
    let mut done = actions(&applied);
    done.sort();
    assert_eq!(
        done,
        ["ConfigMap created", "ConfigMap skipped", "Unheard skipped"]
    );
    assert_eq!(applied.targets.len(), 1);

    // An object that never existed does not block a prune.
    let pruned = sandbox.applier.prune(&inventory, &sandbox.owner).await;
    assert_eq!(pruned.error, None);
    assert!(pruned.survivors.is_empty());

    // When the rest of the stage is rejected, the change set is empty.
    set[2] = sandbox.object("v1", "Service", "bad", &json!({"spec": {"ports": []}}));
    let failure = sandbox.apply(set).await.expect_err("refused");
    assert!(!failure.may_have_sent());
}

#[tokio::test]
async fn last_of_several_manifests_is_applied() {
    let sandbox = Sandbox::new("twins").await;
    let role = sandbox.bed.name("role");
    let role = |namespace: &str| {
        let mut role = Object::new(
            "rbac.authorization.k8s.io/v1",
            "ClusterRole",
            namespace,
            &role,
        );
        role.as_map_mut().insert("rules".into(), json!([]));
        role
    };
    let scaler = |version: &str, most: u32| {
        sandbox.object(
            &format!("autoscaling/{version}"),
            "HorizontalPodAutoscaler",
            "web",
            &json!({"spec": {"maxReplicas": most,
                "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}}}),
        )
    };
    let set = vec![
        role("b"),
        role("a"),
        sandbox.config_map("a", "1"),
        sandbox.config_map("a", "2"),
        scaler("v1", 3),
        scaler("v2", 4),
    ];
    let preview = PreviewOptions {
        owner: &sandbox.owner,
        known: &Inventory::default(),
        force: false,
    };
    let previewed = sandbox.applier.preview(set.clone(), &preview).await;
    let counting: Vec<_> = previewed
        .iter()
        .map(|one| (one.object.kind(), one.object.version(), &one.outcome))
        .collect();
    let created = Ok(Preview::Created);
    assert_eq!(
        counting,
        [
            ("ClusterRole", "v1", &created),
            ("ConfigMap", "v1", &created),
            ("HorizontalPodAutoscaler", "v2", &created),
        ]
    );

    let applied = sandbox.apply(set.clone()).await.expect("applied");
    assert_eq!(
        actions(&applied),
        [
            "ClusterRole created",
            "ConfigMap created",
            "HorizontalPodAutoscaler created"
        ]
    );
    let live = sandbox.live(&sandbox.config_map("a", "")).await;
    assert_eq!(live.expect("live").str_at(&["data", "key"]), Some("2"));
    let live = sandbox.live(&scaler("v2", 0)).await.expect("live");
    assert_eq!(live.at(&["spec", "maxReplicas"]), Some(&json!(4)));

    // The next apply does not pick another manifest.
    let known = Inventory::of(&applied.changes);
    let again = sandbox.apply_over(set, &known, false).await;
    assert!(all(&again.expect("applied"), Action::Unchanged));
}

#[tokio::test]
async fn clean_up_survives_another_writer() {
    let sandbox = Sandbox::new("contended").await;
    let desired = sandbox.config_map("a", "1");
    let parameters = PatchParams::apply("kubectl");
    let api = sandbox.api(&desired).await;
    api.patch(
        "a",
        &parameters,
        &Patch::Apply(&sandbox.config_map("a", "0").into_value()),
    )
    .await
    .expect("applied by kubectl");
    // Each write makes an earlier patch stale. There are fewer writes than attempts, so one attempt
    // succeeds.
    let other_change = async {
        for round in 0..8 {
            sandbox
                .change_as_other(&desired, &json!({"data": {"round": round.to_string()}}))
                .await;
        }
    };
    let (applied, ()) = tokio::join!(sandbox.apply(vec![desired.clone()]), other_change);
    assert!(all(&applied.expect("applied"), Action::Configured));
    let live = sandbox.live(&desired).await.expect("live");
    assert_eq!(live.get("data"), Some(&json!({"key": "1", "round": "7"})));
}
