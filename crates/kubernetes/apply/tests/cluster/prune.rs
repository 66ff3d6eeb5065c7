//! What is deleted, what is spared, and what survives.

use std::time::Duration;

use kube::api::{GetParams, PostParams};
use serde_json::json;
use sluice_apply::{Inventory, Owner, WaitOptions};
use sluice_object::Object;
use sluice_testkit::{Fault, FaultProxy, When, wait};

use crate::{Corner, within};

fn results(pruned: &sluice_apply::PruneOutcome) -> Vec<String> {
    pruned
        .changes
        .entries
        .iter()
        .map(|entry| format!("{} {}", entry.id.name, entry.action))
        .collect()
}

#[tokio::test]
async fn what_is_ours_goes_in_reverse_order_and_the_rest_is_spared() {
    let corner = Corner::new("prune").await;
    let marked = |name: &str, key: &str| {
        let mut object = corner.config_map(name, "1");
        object.set_annotation(&format!("kustomize.toolkit.fluxcd.io/{key}"), "disabled");
        object
    };
    let objects = vec![
        corner.config_map("ours", "1"),
        corner.deployment("web", 0),
        marked("kept", "prune"),
        corner.config_map("taken", "1"),
        corner.config_map("vanished", "1"),
    ];
    let applied = corner.apply(objects.clone()).await.expect("applied");
    let relabel = json!({"metadata": {"labels": {"kustomize.toolkit.fluxcd.io/name": "other"}}});
    corner.meddle(&objects[3], &relabel).await;
    corner
        .api(&objects[4])
        .await
        .delete("vanished", &kube::api::DeleteParams::default())
        .await
        .expect("deleted");

    let stale = Inventory::of(&applied.changes);
    let plan = corner.applier.plan_prune(&stale, &corner.owner).await;
    let planned: Vec<_> = plan
        .deletions()
        .map(|entry| entry.id.name.as_str())
        .collect();
    assert_eq!(planned, ["web", "ours"]);
    let pruned = corner.applier.perform_prune(plan).await;
    assert_eq!(
        results(&pruned),
        [
            "web deleted",
            "vanished deleted",
            "taken skipped",
            "ours deleted",
            "kept skipped",
        ]
    );
    assert!(pruned.error.is_none() && pruned.survivors.is_empty());
    for (object, remains) in objects.iter().zip([false, false, true, true, false]) {
        assert_eq!(corner.live(object).await.is_some(), remains, "{object:?}");
    }
}

#[tokio::test]
async fn another_owner_s_objects_are_spared() {
    let corner = Corner::new("foreign").await;
    let applied = corner
        .apply(vec![corner.config_map("a", "1")])
        .await
        .expect("applied");
    let stranger = Owner {
        namespace: "elsewhere".to_owned(),
        ..corner.owner.clone()
    };
    let stale = Inventory::of(&applied.changes);
    let pruned = corner.applier.prune(&stale, &stranger).await;
    assert_eq!(results(&pruned), ["a skipped"]);
    assert!(corner.live(&corner.config_map("a", "")).await.is_some());
}

/// How the requests of a verb were asked: each with whether it is content with what is at hand, or
/// names the version that was judged.
fn asked(proxy: &FaultProxy, verb: &str) -> Vec<(String, bool)> {
    let calls = proxy.calls().into_iter().filter(|call| call.verb == verb);
    let mut asked: Vec<(String, bool)> = calls
        .map(|call| {
            let named = String::from_utf8_lossy(&call.body).contains("resourceVersion");
            let is_conditional = named || call.uri.contains("resourceVersion=0");
            (call.name, is_conditional)
        })
        .collect();
    asked.sort();
    asked
}

#[tokio::test]
async fn what_is_to_be_deleted_is_judged_at_hand_and_all_else_as_it_is_now() {
    let (corner, proxy) = Corner::spoiled("at-hand").await;
    let mut kept = corner.config_map("kept", "1");
    kept.set_annotation("kustomize.toolkit.fluxcd.io/prune", "disabled");
    let changed = corner.config_map("changed", "1");
    let protected = corner.config_map("protected", "1");
    let objects = vec![
        corner.config_map("plain", "1"),
        changed.clone(),
        protected.clone(),
        kept,
    ];
    let applied = corner.apply(objects).await.expect("applied");
    let stale = Inventory::of(&applied.changes);
    wait::eventually("the server has them at hand", async || {
        let api = corner.api(&changed).await;
        for name in ["plain", "changed", "protected", "kept"] {
            let found = api.get_metadata_with(name, &GetParams::any()).await;
            found.map_err(|error| error.to_string())?;
        }
        Ok(())
    })
    .await;
    proxy.forget();
    // Between our look and our word somebody changes one, and wants to keep another.
    let deletion = |name: &str| When::any().verb("delete").name(name);
    for name in ["changed", "protected"] {
        proxy.inject(
            deletion(name).times(1),
            Fault::Delay(Duration::from_secs(10)),
        );
    }
    let meanwhile = async {
        for (object, change) in [
            (&changed, json!({"data": {"key": "theirs"}})),
            (
                &protected,
                json!({"metadata": {"annotations": {"kustomize.toolkit.fluxcd.io/prune": "disabled"}}}),
            ),
        ] {
            wait::eventually("its deletion is on its way", async || {
                match proxy.count(&deletion(object.name())) {
                    0 => Err("not yet".to_owned()),
                    _ => Ok(()),
                }
            })
            .await;
            corner.meddle(object, &change).await;
        }
    };
    let (pruned, ()) = tokio::join!(corner.applier.prune(&stale, &corner.owner), meanwhile);
    assert!(pruned.error.is_none(), "{:?}", pruned.error);
    assert_eq!(
        results(&pruned),
        [
            "protected skipped",
            "plain deleted",
            "kept skipped",
            "changed deleted"
        ]
    );
    let each = |expected: &[(&str, bool)]| {
        let named = expected
            .iter()
            .map(|(name, at_hand)| ((*name).to_owned(), *at_hand));
        named.collect::<Vec<_>>()
    };
    let reads = [
        ("changed", false),
        ("changed", true),
        ("kept", false),
        ("kept", true),
        ("plain", true),
        ("protected", false),
        ("protected", true),
    ];
    assert_eq!(asked(&proxy, "get"), each(&reads));
    let deletions = [
        ("changed", false),
        ("changed", true),
        ("plain", true),
        ("protected", true),
    ];
    assert_eq!(asked(&proxy, "delete"), each(&deletions));
    assert!(corner.live(&changed).await.is_none());
    assert!(corner.live(&protected).await.is_some());
}

#[tokio::test]
async fn objects_of_a_kind_that_is_not_served_any_more_are_gone() {
    let corner = Corner::new("unserved").await;
    let stale = Inventory::parse([
        ("shop_a_unheard.example.com_Unheard", "v1"),
        // Still served, in another version than the inventory remembers.
        ("shop_web_apps_Deployment", "v1beta1"),
    ])
    .expect("valid");
    let pruned = corner.applier.prune(&stale, &corner.owner).await;
    assert!(pruned.error.is_none(), "{:?}", pruned.error);
    assert_eq!(results(&pruned), ["a deleted", "web deleted"]);
}

#[tokio::test]
async fn what_may_not_be_deleted_survives_with_the_reason() {
    let corner = Corner::unprivileged("survivor").await;
    let rights = corner.object(
        "rbac.authorization.k8s.io/v1",
        "Role",
        "apply-only",
        &json!({"rules": [{"apiGroups": [""], "resources": ["configmaps"],
            "verbs": ["get", "create", "patch"]}]}),
    );
    let binding = corner.object(
        "rbac.authorization.k8s.io/v1",
        "RoleBinding",
        "apply-only",
        &json!({"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "apply-only"},
            "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": corner.user}]}),
    );
    for object in [rights, binding] {
        corner
            .api(&object)
            .await
            .create(
                &PostParams::default(),
                &serde_json::from_value(object.to_value()).expect("an object"),
            )
            .await
            .expect("created");
    }
    let applied = sluice_testkit::wait::eventually("the rights are known", || async {
        corner
            .apply(vec![corner.config_map("a", "1")])
            .await
            .map_err(|failure| failure.to_string())
    })
    .await;
    let stale = Inventory::of(&applied.changes);
    let pruned = corner.applier.prune(&stale, &corner.owner).await;
    assert_eq!(results(&pruned), ["a unknown"]);
    assert_eq!(pruned.survivors, stale);
    let text = pruned.error.expect("forbidden").to_string();
    let expected = format!(
        "delete failed, errors: ConfigMap/{}/a delete failed: configmaps \"a\" is forbidden",
        corner.namespace
    );
    assert!(text.starts_with(&expected), "{text}");
}

#[tokio::test]
async fn termination_is_waited_for_until_the_finalizers_are_done() {
    let corner = Corner::new("termination").await;
    let held = corner.object(
        "v1",
        "ConfigMap",
        "held",
        &json!({"metadata": {"finalizers": ["example.com/hold"]}}),
    );
    let applied = corner.apply(vec![held.clone()]).await.expect("applied");
    let stale = Inventory::of(&applied.changes);
    let pruned = corner.applier.prune(&stale, &corner.owner).await;
    assert_eq!(results(&pruned), ["held deleted"]);
    let targets = applied.targets;
    let soon = WaitOptions {
        timeout: std::time::Duration::from_millis(300),
        fail_fast: false,
    };
    let error = corner
        .applier
        .wait_gone(targets.clone(), soon)
        .await
        .expect_err("held");
    let held_id = Object::id(&held);
    assert!(
        error
            .to_string()
            .starts_with(&format!("timeout waiting for termination of: [{held_id} ")),
        "{error}"
    );
    let release = async {
        corner
            .meddle(&held, &json!({"metadata": {"finalizers": null}}))
            .await;
    };
    let (gone, ()) = tokio::join!(corner.applier.wait_gone(targets, within(60)), release);
    gone.expect("gone");
}
