//! Deleted, kept and remaining objects of a prune.

use std::time::Duration;

use kube::api::{GetParams, PostParams};
use serde_json::json;
use sluice_apply::{Inventory, Owner, WaitOptions};
use sluice_object::Object;
use sluice_testkit::{Fault, FaultProxy, When, wait};

use crate::{Sandbox, within};

fn results(pruned: &sluice_apply::PruneOutcome) -> Vec<String> {
    pruned
        .changes
        .entries
        .iter()
        .map(|entry| format!("{} {}", entry.id.name, entry.action))
        .collect()
}

#[tokio::test]
async fn owned_objects_are_deleted_in_reverse_order() {
    let sandbox = Sandbox::new("prune").await;
    let marked = |name: &str, key: &str| {
        let mut object = sandbox.config_map(name, "1");
        object.set_annotation(&format!("kustomize.toolkit.fluxcd.io/{key}"), "disabled");
        object
    };
    let objects = vec![
        sandbox.config_map("ours", "1"),
        sandbox.deployment("web", 0),
        marked("kept", "prune"),
        sandbox.config_map("taken", "1"),
        sandbox.config_map("vanished", "1"),
    ];
    let applied = sandbox.apply(objects.clone()).await.expect("applied");
    let relabel = json!({"metadata": {"labels": {"kustomize.toolkit.fluxcd.io/name": "other"}}});
    sandbox.change_as_other(&objects[3], &relabel).await;
    sandbox
        .api(&objects[4])
        .await
        .delete("vanished", &kube::api::DeleteParams::default())
        .await
        .expect("deleted");

    let stale = Inventory::of(&applied.changes);
    let plan = sandbox.applier.plan_prune(&stale, &sandbox.owner).await;
    let planned: Vec<_> = plan
        .deletions()
        .map(|entry| entry.id.name.as_str())
        .collect();
    assert_eq!(planned, ["web", "ours"]);
    let pruned = sandbox.applier.perform_prune(plan).await;
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
        assert_eq!(sandbox.live(object).await.is_some(), remains, "{object:?}");
    }
}

#[tokio::test]
async fn objects_of_another_owner_are_kept() {
    let sandbox = Sandbox::new("foreign").await;
    let applied = sandbox
        .apply(vec![sandbox.config_map("a", "1")])
        .await
        .expect("applied");
    let stranger = Owner {
        namespace: "elsewhere".to_owned(),
        ..sandbox.owner.clone()
    };
    let stale = Inventory::of(&applied.changes);
    let pruned = sandbox.applier.prune(&stale, &stranger).await;
    assert_eq!(results(&pruned), ["a skipped"]);
    assert!(sandbox.live(&sandbox.config_map("a", "")).await.is_some());
}

/// The requests of a verb, each with whether it is cached or includes a resource version.
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
async fn cached_reads_only_decide_about_deletions() {
    let (sandbox, proxy) = Sandbox::with_faults("at-hand").await;
    let mut kept = sandbox.config_map("kept", "1");
    kept.set_annotation("kustomize.toolkit.fluxcd.io/prune", "disabled");
    let changed = sandbox.config_map("changed", "1");
    let protected = sandbox.config_map("protected", "1");
    let objects = vec![
        sandbox.config_map("plain", "1"),
        changed.clone(),
        protected.clone(),
        kept,
    ];
    let applied = sandbox.apply(objects).await.expect("applied");
    let stale = Inventory::of(&applied.changes);
    wait::eventually("the server has them at hand", async || {
        let api = sandbox.api(&changed).await;
        for name in ["plain", "changed", "protected", "kept"] {
            let found = api.get_metadata_with(name, &GetParams::any()).await;
            found.map_err(|error| error.to_string())?;
        }
        Ok(())
    })
    .await;
    proxy.forget();
    // Between read and deletion, another user changes an object and disables the prune of another.
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
            sandbox.change_as_other(object, &change).await;
        }
    };
    let (pruned, ()) = tokio::join!(sandbox.applier.prune(&stale, &sandbox.owner), meanwhile);
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
    assert!(sandbox.live(&changed).await.is_none());
    assert!(sandbox.live(&protected).await.is_some());
}

#[tokio::test]
async fn objects_of_an_unserved_kind_are_gone() {
    let sandbox = Sandbox::new("unserved").await;
    let stale = Inventory::parse([
        ("shop_a_unheard.example.com_Unheard", "v1"),
        // The kind is served in another version than in the inventory.
        ("shop_web_apps_Deployment", "v1beta1"),
    ])
    .expect("valid");
    let pruned = sandbox.applier.prune(&stale, &sandbox.owner).await;
    assert!(pruned.error.is_none(), "{:?}", pruned.error);
    assert_eq!(results(&pruned), ["a deleted", "web deleted"]);
}

#[tokio::test]
async fn failed_deletion_keeps_the_object_in_the_inventory() {
    let sandbox = Sandbox::unprivileged("survivor").await;
    let rights = sandbox.object(
        "rbac.authorization.k8s.io/v1",
        "Role",
        "apply-only",
        &json!({"rules": [{"apiGroups": [""], "resources": ["configmaps"],
            "verbs": ["get", "create", "patch"]}]}),
    );
    let binding = sandbox.object(
        "rbac.authorization.k8s.io/v1",
        "RoleBinding",
        "apply-only",
        &json!({"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "apply-only"},
            "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": sandbox.user}]}),
    );
    for object in [rights, binding] {
        sandbox
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
        sandbox
            .apply(vec![sandbox.config_map("a", "1")])
            .await
            .map_err(|failure| failure.to_string())
    })
    .await;
    let stale = Inventory::of(&applied.changes);
    let pruned = sandbox.applier.prune(&stale, &sandbox.owner).await;
    assert_eq!(results(&pruned), ["a unknown"]);
    assert_eq!(pruned.survivors, stale);
    let text = pruned.error.expect("forbidden").to_string();
    let expected = format!(
        "delete failed, errors: ConfigMap/{}/a delete failed: configmaps \"a\" is forbidden",
        sandbox.namespace
    );
    assert!(text.starts_with(&expected), "{text}");
}

#[tokio::test]
async fn wait_for_deletion_includes_finalizers() {
    let sandbox = Sandbox::new("termination").await;
    let held = sandbox.object(
        "v1",
        "ConfigMap",
        "held",
        &json!({"metadata": {"finalizers": ["example.com/hold"]}}),
    );
    let applied = sandbox.apply(vec![held.clone()]).await.expect("applied");
    let stale = Inventory::of(&applied.changes);
    let pruned = sandbox.applier.prune(&stale, &sandbox.owner).await;
    assert_eq!(results(&pruned), ["held deleted"]);
    let targets = applied.targets;
    let soon = WaitOptions {
        timeout: std::time::Duration::from_millis(300),
        fail_fast: false,
    };
    let error = sandbox
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
        sandbox
            .change_as_other(&held, &json!({"metadata": {"finalizers": null}}))
            .await;
    };
    let (gone, ()) = tokio::join!(sandbox.applier.wait_gone(targets, within(60)), release);
    gone.expect("gone");
}
