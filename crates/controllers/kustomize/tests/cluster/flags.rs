//! Each flag changes what it says.

use serde_json::json;

use crate::bed::{Bed, config};

#[tokio::test]
async fn who_names_no_account_acts_as_the_default_one() {
    let bed = Bed::start(&["--default-service-account=tenant"]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let mark = bed.mark().await;
    bed.kustomization("app", json!({})).await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    let account = format!("system:serviceaccount:{}:tenant", bed.namespace);
    assert!(message.contains(&account), "{message}");
    bed.mark().await;
    // Nothing of the tenant's is asked for under the controller's own name.
    let own = bed.testbed.audit().since(mark).into_iter().filter(|entry| {
        entry.user == bed.user
            && entry.impersonated.is_none()
            && entry.namespace == bed.namespace
            && entry.resource == "configmaps"
            && entry.verb != "watch"
            && entry.verb != "list"
    });
    assert_eq!(own.count(), 0);
}

#[tokio::test]
async fn an_overridden_manager_loses_its_fields() {
    for (flags, keeps) in [(&[][..], true), (&["--override-manager=test"][..], false)] {
        let bed = Bed::start(flags).await;
        bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"extra": "theirs"}}))
            .await;
        bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
        bed.kustomization("app", json!({})).await;
        bed.until_applied("app", "1").await;
        let live = bed.config_map("a").await.unwrap();
        assert_eq!(live["data"]["key"], "1");
        assert_eq!(live["data"].get("extra").is_some(), keeps, "{flags:?}");
    }
}

#[tokio::test]
async fn kinds_of_the_custom_stage_come_before_the_rest() {
    let account =
        "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: s, namespace: NAMESPACE}\n";
    for (flags, first) in [
        (&[][..], "serviceaccounts"),
        (&["--custom-apply-stage-kinds=ConfigMap"][..], "configmaps"),
    ] {
        let bed = Bed::start(flags).await;
        bed.publish("1", &[("a.yaml", &config("a", "1")), ("s.yaml", account)])
            .await;
        let mark = bed.mark().await;
        bed.kustomization("app", json!({})).await;
        bed.until_applied("app", "1").await;
        bed.mark().await;
        let entries = bed.testbed.audit().since(mark);
        let written = entries.iter().find(|entry| {
            entry.user == bed.user
                && entry.is_write()
                && ["configmaps", "serviceaccounts"].contains(&&*entry.resource)
        });
        assert_eq!(written.unwrap().resource, first, "{flags:?}");
    }
}

#[tokio::test]
async fn references_leave_their_namespace_only_where_they_may() {
    let spec =
        json!({"sourceRef": {"kind": "GitRepository", "name": "source", "namespace": "elsewhere"}});
    let bed = Bed::start(&["--no-cross-namespace-refs"]).await;
    bed.kustomization("app", spec.clone()).await;
    let message = bed.until_failed("app", "AccessDenied").await;
    assert_eq!(
        message,
        "can't access 'GitRepository/elsewhere/source', cross-namespace references have been blocked"
    );
    bed.until("app", "is stalled", |status| {
        status.conditions.is_true("Stalled")
    })
    .await;
    let bed = Bed::start(&[]).await;
    bed.kustomization("app", spec).await;
    let message = bed.until_failed("app", "ArtifactFailed").await;
    assert_eq!(message, "Source 'GitRepository/elsewhere/source' not found");
}

#[tokio::test]
async fn what_is_not_ready_is_looked_at_again_when_the_operator_says() {
    let bed = Bed::start(&["--requeue-dependency=7m"]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    bed.lose("1");
    bed.kustomization("app", json!({})).await;
    let message = bed.until_failed("app", "ArtifactFailed").await;
    assert_eq!(
        message,
        "Source is not ready, artifact not found, retrying in 7m0s"
    );
}

#[tokio::test]
async fn configs_are_watched_by_the_label_that_the_operator_chose() {
    let bed = Bed::start(&["--watch-configs-label-selector=watch=me"]).await;
    let variables = async |name: &str, label: &str, value: &str| {
        bed.apply(
            &json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"v": value},
            "metadata": {"name": name, "labels": {"watch": label}}}),
        )
        .await;
    };
    variables("mine", "me", "one").await;
    bed.publish("1", &[("a.yaml", &config("a", "${v}"))]).await;
    bed.kustomization(
        "app",
        json!({"postBuild": {"substituteFrom": [{"kind": "ConfigMap", "name": "mine"}]}}),
    )
    .await;
    bed.until_applied("app", "1").await;
    variables("mine", "me", "two").await;
    bed.until_config_map("a", "has the new value", |map| {
        map.data.as_ref().is_some_and(|data| data["key"] == "two")
    })
    .await;
}
