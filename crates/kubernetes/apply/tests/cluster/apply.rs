//! One stage: what is written, what is left alone, what is reverted, what is refused.

use kube::api::{Patch, PatchParams, PostParams};
use serde_json::json;
use sluice_apply::{Action, ApplyError, Inventory, Preview, PreviewOptions};
use sluice_object::Object;

use crate::{Corner, MANAGER, actions, all};

#[tokio::test]
async fn a_new_object_costs_a_dry_run_and_a_write_and_no_read() {
    let corner = Corner::new("fresh").await;
    let mark = corner.mark().await;
    let objects = vec![corner.config_map("a", "1"), corner.config_map("b", "1")];
    let applied = corner.apply(objects).await.expect("applied");
    assert!(all(&applied, Action::Created));
    corner.mark().await;
    let mut requests = corner.requests(mark);
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
    let live = corner
        .live(&corner.config_map("a", ""))
        .await
        .expect("live");
    assert_eq!(live.str_at(&["data", "key"]), Some("1"));
    assert_eq!(
        live.label("kustomize.toolkit.fluxcd.io/name"),
        Some(corner.owner.name.as_str())
    );
    assert_eq!(
        live.at(&["metadata", "managedFields"]).expect("managers")[0]["manager"],
        MANAGER
    );
}

#[tokio::test]
async fn an_unchanged_set_is_not_written_again() {
    let corner = Corner::new("unchanged").await;
    let objects = || {
        vec![
            corner.config_map("a", "1"),
            corner.deployment("web", 1),
            corner.object(
                "v1",
                "Service",
                "web",
                &json!({"spec": {"selector": {"app": "web"}, "ports": [{"port": 80}]}}),
            ),
            corner.object("v1", "Secret", "s", &json!({"stringData": {"k": "v"}})),
            corner.object("v1", "ServiceAccount", "web", &json!({})),
            corner.object(
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
    let first = corner.apply(objects()).await.expect("applied");
    assert!(all(&first, Action::Created));
    let inventory = Inventory::of(&first.changes);
    corner.until_seen(&corner.deployment("web", 1)).await;
    let mark = corner.mark().await;
    // Known from the inventory, and (as after a crash before it was written) not known.
    for known in [&inventory, &Inventory::default()] {
        let again = corner
            .apply_over(objects(), known, false)
            .await
            .expect("applied");
        assert!(all(&again, Action::Unchanged), "{:?}", actions(&again));
        assert_eq!(Inventory::of(&again.changes), inventory);
    }
    corner.mark().await;
    corner
        .bed
        .audit()
        .assert_no_writes_by(&corner.user, mark, &[]);
}

#[tokio::test]
async fn known_objects_of_one_kind_are_listed_and_not_read_one_by_one() {
    let corner = Corner::new("listed").await;
    let objects = || {
        (0..9)
            .map(|index| corner.config_map(&format!("c{index}"), "1"))
            .collect()
    };
    let first = corner.apply(objects()).await.expect("applied");
    let mark = corner.mark().await;
    let again = corner
        .apply_over(objects(), &Inventory::of(&first.changes), false)
        .await
        .expect("applied");
    assert!(all(&again, Action::Unchanged));
    corner.mark().await;
    let requests = corner.requests(mark);
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
async fn drift_is_reverted_and_other_fields_of_others_stay() {
    let corner = Corner::new("drift").await;
    let objects = || vec![corner.config_map("a", "1"), corner.config_map("b", "1")];
    let first = corner.apply(objects()).await.expect("applied");
    let a = corner.config_map("a", "1");
    corner
        .meddle(&a, &json!({"data": {"key": "2", "other": "x"}}))
        .await;
    let known = Inventory::of(&first.changes);
    let again = corner
        .apply_over(objects(), &known, false)
        .await
        .expect("applied");
    assert_eq!(
        actions(&again),
        ["ConfigMap configured", "ConfigMap unchanged"]
    );
    let live = corner.live(&a).await.expect("live");
    assert_eq!(live.str_at(&["data", "key"]), Some("1"));
    assert_eq!(live.str_at(&["data", "other"]), Some("x"));
}

#[tokio::test]
async fn a_field_that_left_the_set_leaves_the_object() {
    let corner = Corner::new("left").await;
    let full = corner.object(
        "v1",
        "ConfigMap",
        "a",
        &json!({"data": {"key": "1", "more": "2"}}),
    );
    corner.apply(vec![full]).await.expect("applied");
    let less = corner.config_map("a", "1");
    let applied = corner.apply(vec![less.clone()]).await.expect("applied");
    assert!(all(&applied, Action::Configured));
    let live = corner.live(&less).await.expect("live");
    assert_eq!(live.get("data"), Some(&json!({"key": "1"})));
}

#[tokio::test]
async fn what_kubectl_once_set_is_taken_over_and_cleaned() {
    let corner = Corner::new("takeover").await;
    let mut old = corner.object(
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
    corner
        .api(&old)
        .await
        .create(
            &parameters,
            &serde_json::from_value(old.to_value()).expect("an object"),
        )
        .await
        .expect("created");
    let desired = corner.config_map("a", "1");
    let applied = corner.apply(vec![desired.clone()]).await.expect("applied");
    assert!(all(&applied, Action::Configured));
    let live = corner.live(&desired).await.expect("live");
    assert_eq!(live.get("data"), Some(&json!({"key": "1"})));
    assert_eq!(live.annotations().count(), 0);
    let managers = live.at(&["metadata", "managedFields"]).expect("managers");
    assert_eq!(managers.as_array().map(Vec::len), Some(1), "{managers}");
    let again = corner.apply(vec![desired]).await.expect("applied");
    assert!(all(&again, Action::Unchanged));
}

#[tokio::test]
async fn excluded_and_create_only_objects_are_left_alone() {
    let corner = Corner::new("excluded").await;
    let marker = |key: &str, value: &str| json!({"metadata": {"annotations": {format!("kustomize.toolkit.fluxcd.io/{key}"): value}}});
    let mut objects = vec![
        corner.config_map("live-excluded", "1"),
        corner.config_map("create-only", "1"),
        corner.config_map("desired-excluded", "1"),
    ];
    mark(&mut objects[1], "ssa", "IfNotPresent");
    let first = corner.apply(objects.clone()).await.expect("applied");
    assert!(all(&first, Action::Created));
    corner
        .meddle(&objects[0], &marker("reconcile", "disabled"))
        .await;
    for object in &mut objects {
        object
            .as_map_mut()
            .insert("data".into(), json!({"key": "2"}));
    }
    mark(&mut objects[2], "reconcile", "disabled");
    let known = Inventory::of(&first.changes);
    for known in [&known, &Inventory::default()] {
        let again = corner
            .apply_over(objects.clone(), known, false)
            .await
            .expect("applied");
        assert!(all(&again, Action::Skipped), "{:?}", actions(&again));
        assert_eq!(again.targets.len(), 0);
        for object in &objects {
            let live = corner.live(object).await.expect("live");
            assert_eq!(live.str_at(&["data", "key"]), Some("1"));
        }
    }
}

fn mark(object: &mut Object, key: &str, value: &str) {
    object.set_annotation(&format!("kustomize.toolkit.fluxcd.io/{key}"), value);
}

#[tokio::test]
async fn one_refused_object_stops_its_stage_and_all_refusals_are_told() {
    let corner = Corner::new("refused").await;
    let objects = vec![
        corner.config_map("fine", "1"),
        corner.object(
            "v1",
            "Service",
            "bad",
            &json!({"spec": {"ports": [{"port": 70000}]}}),
        ),
        corner.object("v1", "Service", "worse", &json!({"spec": {"ports": []}})),
    ];
    let failure = corner.apply(objects).await.expect_err("refused");
    assert!(failure.changes.is_empty());
    let text = failure.to_string();
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("Service/"))
        .collect();
    let namespace = &corner.namespace;
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
    assert!(corner.live(&corner.config_map("fine", "")).await.is_none());
}

#[tokio::test]
async fn what_was_applied_before_a_failure_comes_back_with_it() {
    let corner = Corner::new("halfway").await;
    // Dry-runs do not use the quota up: the second ConfigMap passes them and is refused for real.
    let quota = corner.object(
        "v1",
        "ResourceQuota",
        "few",
        &json!({"spec": {"hard": {"count/secrets": "1"}}}),
    );
    let api = corner.api(&quota).await;
    api.create(
        &PostParams::default(),
        &serde_json::from_value(quota.to_value()).expect("an object"),
    )
    .await
    .expect("created");
    sluice_testkit::wait::eventually("the quota is counted", || async {
        let live = corner.live(&quota).await.expect("live");
        live.at(&["status", "used"])
            .map(|_| ())
            .ok_or_else(|| live.to_value().to_string())
    })
    .await;
    let secret = |name| corner.object("v1", "Secret", name, &json!({"stringData": {"k": "v"}}));
    let objects = vec![
        corner.config_map("early", "1"),
        secret("a"),
        secret("b"),
        corner.object(
            "v1",
            "Service",
            "late",
            &json!({"spec": {"ports": [{"port": 80}]}}),
        ),
    ];
    let failure = corner.apply(objects).await.expect_err("refused");
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
        assert!(corner.live(&entry.skeleton()).await.is_some());
    }
    let late = corner.object("v1", "Service", "late", &json!({}));
    assert!(corner.live(&late).await.is_none());
}

#[tokio::test]
async fn secrets_are_masked_in_what_the_server_says() {
    let corner = Corner::new("masked").await;
    for data in [
        json!({"stringData": {"pin": 481_516_234}}),
        json!({"data": {"password": "canary is not base64"}}),
        json!({"type": "canary-type", "immutable": "canary-value", "stringData": {"k": "canary-value"}}),
    ] {
        let secret = corner.object("v1", "Secret", "s", &data);
        let failure = corner.apply(vec![secret]).await.expect_err("refused");
        for text in [failure.to_string(), format!("{failure:?}")] {
            assert!(!text.contains("481516234"), "{text}");
            assert!(!text.contains("canary is"), "{text}");
            assert!(!text.contains("canary-value"), "{text}");
        }
    }
}

#[tokio::test]
async fn a_server_that_refuses_everything_says_who_asked() {
    let corner = Corner::unprivileged("stranger").await;
    let failure = corner
        .apply(vec![corner.config_map("a", "1")])
        .await
        .expect_err("forbidden");
    let text = failure.to_string();
    assert!(text.contains("dry-run failed (Forbidden)"), "{text}");
    assert!(text.contains(&corner.user), "{text}");
}

#[tokio::test]
async fn an_object_without_namespace_or_of_an_unknown_kind_is_told() {
    let corner = Corner::new("told").await;
    let nowhere = Object::new("v1", "ConfigMap", "", "nowhere");
    let elsewhere = Object::new("v1", "ConfigMap", "no-such-namespace", "a");
    let unknown = corner.object("example.com/v1", "Unheard", "a", &json!({}));
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
                corner.namespace
            ),
        ),
    ] {
        let failure = corner.apply(objects).await.expect_err("refused");
        assert_eq!(failure.to_string(), expected);
        assert!(failure.changes.is_empty());
    }
}

#[tokio::test]
async fn what_is_excluded_needs_neither_a_kind_nor_a_namespace() {
    let corner = Corner::new("unreached").await;
    let mut set = vec![
        Object::new("v1", "ConfigMap", "", "nowhere"),
        corner.object("example.com/v1", "Unheard", "a", &json!({})),
        corner.config_map("plain", "1"),
    ];
    mark(&mut set[0], "ssa", "Ignore");
    mark(&mut set[1], "reconcile", "disabled");
    let preview = PreviewOptions {
        owner: &corner.owner,
        known: &Inventory::default(),
        force: false,
    };
    let previewed = corner.applier.preview(set.clone(), &preview).await;
    let outcomes: Vec<_> = previewed.iter().map(|one| one.outcome.as_ref()).collect();
    let expected = [Preview::Skipped, Preview::Skipped, Preview::Created];
    assert_eq!(outcomes, expected.each_ref().map(Ok));

    let applied = corner.apply(set.clone()).await.expect("applied");
    let inventory = Inventory::of(&applied.changes);
    let mut done = actions(&applied);
    done.sort();
    assert_eq!(
        done,
        ["ConfigMap created", "ConfigMap skipped", "Unheard skipped"]
    );
    assert_eq!(applied.targets.len(), 1);

    // What was never there does not hold up a prune.
    let pruned = corner.applier.prune(&inventory, &corner.owner).await;
    assert_eq!(pruned.error, None);
    assert!(pruned.survivors.is_empty());

    // Nothing was done, and nothing is remembered, if the rest of the stage is refused.
    set[2] = corner.object("v1", "Service", "bad", &json!({"spec": {"ports": []}}));
    let failure = corner.apply(set).await.expect_err("refused");
    assert!(!failure.may_have_sent());
}

#[tokio::test]
async fn of_several_manifests_of_one_object_the_last_one_is_applied() {
    let corner = Corner::new("twins").await;
    let role = corner.bed.name("role");
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
        corner.object(
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
        corner.config_map("a", "1"),
        corner.config_map("a", "2"),
        scaler("v1", 3),
        scaler("v2", 4),
    ];
    let preview = PreviewOptions {
        owner: &corner.owner,
        known: &Inventory::default(),
        force: false,
    };
    let previewed = corner.applier.preview(set.clone(), &preview).await;
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

    let applied = corner.apply(set.clone()).await.expect("applied");
    assert_eq!(
        actions(&applied),
        [
            "ClusterRole created",
            "ConfigMap created",
            "HorizontalPodAutoscaler created"
        ]
    );
    let live = corner.live(&corner.config_map("a", "")).await;
    assert_eq!(live.expect("live").str_at(&["data", "key"]), Some("2"));
    let live = corner.live(&scaler("v2", 0)).await.expect("live");
    assert_eq!(live.at(&["spec", "maxReplicas"]), Some(&json!(4)));

    // They do not take turns.
    let known = Inventory::of(&applied.changes);
    let again = corner.apply_over(set, &known, false).await;
    assert!(all(&again.expect("applied"), Action::Unchanged));
}

#[tokio::test]
async fn a_clean_up_survives_another_writer() {
    let corner = Corner::new("contended").await;
    let desired = corner.config_map("a", "1");
    let parameters = PatchParams::apply("kubectl");
    let api = corner.api(&desired).await;
    api.patch(
        "a",
        &parameters,
        &Patch::Apply(&corner.config_map("a", "0").into_value()),
    )
    .await
    .expect("applied by kubectl");
    // Each of these writes makes a patch that was computed before it stale. They are fewer than
    // the attempts, so that one of those must find a quiet moment.
    let meddling = async {
        for round in 0..8 {
            corner
                .meddle(&desired, &json!({"data": {"round": round.to_string()}}))
                .await;
        }
    };
    let (applied, ()) = tokio::join!(corner.apply(vec![desired.clone()]), meddling);
    assert!(all(&applied.expect("applied"), Action::Configured));
    let live = corner.live(&desired).await.expect("live");
    assert_eq!(live.get("data"), Some(&json!({"key": "1", "round": "7"})));
}
