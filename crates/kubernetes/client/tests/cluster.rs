//! A `Cluster` on a real API server: names and paths.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::{Value, json};
use sluice_client::{
    Cluster, DeleteOptions, Freshness, GroupVersionKind, ListOptions, PatchOptions, WatchEvent,
    WatchOptions,
};

fn role() -> GroupVersionKind {
    GroupVersionKind::gvk("rbac.authorization.k8s.io", "v1", "ClusterRole")
}

fn config_map() -> GroupVersionKind {
    GroupVersionKind::gvk("", "v1", "ConfigMap")
}

const OPTIONS: PatchOptions<'_> = PatchOptions {
    field_manager: Some("sluice-test"),
    force: false,
    dry_run: false,
    subresource: None,
    field_validation: None,
};

async fn apply(cluster: &Cluster, gvk: &GroupVersionKind, space: Option<&str>, name: &str) {
    let object = json!({
        "apiVersion": gvk.api_version(), "kind": gvk.kind,
        "metadata": {"name": name, "labels": {"is": "applied"}},
    });
    let applied = cluster.apply(gvk, space, name, &object, OPTIONS).await;
    assert_eq!(applied.unwrap()["metadata"]["name"], name);
}

fn label(object: &Value) -> &Value {
    &object["metadata"]["labels"]["is"]
}

#[tokio::test]
async fn role_of_any_name_is_managed() {
    let bed = sluice_testkit::cluster().await;
    let cluster = bed.connect().await;
    let (role, plain) = (role(), bed.name("role"));
    apply(&cluster, &role, None, &plain).await;
    let read = cluster.get(&role, None, &plain).await.unwrap().unwrap();
    for rest in ["#b", "?b", " b", ":b", ";,b", "\\^`|b", "<b>", "[\"é'*"] {
        let name = &format!("{plain}{rest}");
        assert_eq!(cluster.get(&role, None, name).await.unwrap(), None);
        apply(&cluster, &role, None, name).await;

        let found = cluster.get(&role, None, name).await.unwrap().unwrap();
        assert_eq!(found["metadata"]["name"], **name);
        let merge = json!({"metadata": {"labels": {"is": "merged"}}});
        let merged = cluster.merge(&role, None, name, &merge, OPTIONS).await;
        assert_eq!(label(&merged.unwrap()), "merged");
        let put = json!([{"op": "replace", "path": "/metadata/labels/is", "value": "patched"}]);
        let patched = cluster.json_patch(&role, None, name, &put, OPTIONS).await;
        let mut object = patched.unwrap();
        assert_eq!(label(&object), "patched");
        object["metadata"]["labels"]["is"] = json!("replaced");
        let replaced = cluster.replace(&role, None, name, &object, OPTIONS).await;
        assert_eq!(label(&replaced.unwrap()), "replaced");

        let read = cluster.get_metadata(&role, None, name, Freshness::Latest);
        let uid = read.await.unwrap().unwrap()["metadata"]["uid"].clone();
        let options = DeleteOptions {
            uid: uid.as_str().map(str::to_owned),
            ..DeleteOptions::default()
        };
        assert!(cluster.delete(&role, None, name, &options).await.unwrap());
        assert!(!cluster.delete(&role, None, name, &options).await.unwrap());
        assert_eq!(cluster.get(&role, None, name).await.unwrap(), None);
    }
    let now = cluster.get(&role, None, &plain).await.unwrap();
    assert_eq!(now, Some(read), "nothing of it was touched");
}

#[tokio::test]
async fn name_prefix_does_not_match_an_object() {
    let bed = sluice_testkit::cluster().await;
    let cluster = bed.connect().await;
    let space = bed.namespace("names").await;
    let (kind, none) = (config_map(), DeleteOptions::default());
    apply(&cluster, &kind, Some(&space), "web").await;
    for (space, name) in [
        (space.clone(), "web#x"),
        (space.clone(), "web?x=y"),
        (space.clone(), "web x"),
        (space.clone(), "web\n"),
        (space.clone(), "web/"),
        (space.clone(), "web/x"),
        (space.clone(), "web%00"),
        (space.clone(), "../configmaps/web"),
        (space.clone(), "."),
        (space.clone(), ".."),
        (space.clone(), ""),
        (format!("{space}/configmaps/web#"), "x"),
        (format!("../namespaces/{space}"), "web"),
    ] {
        let space = Some(&*space);
        let found = cluster.get(&kind, space, name).await;
        assert_eq!(found.unwrap(), None, "{name}");
        for fresh in [Freshness::Latest, Freshness::Cached] {
            let found = cluster.get_metadata(&kind, space, name, fresh).await;
            assert_eq!(found.unwrap(), None, "{name}");
        }
        let deleted = cluster.delete(&kind, space, name, &none).await;
        assert!(!deleted.unwrap(), "{name}");
        let object = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}});
        let applied = cluster.apply(&kind, space, name, &object, OPTIONS).await;
        assert!(applied.is_err(), "{name}");
    }
    let found = cluster.get(&kind, Some(&space), "web").await.unwrap();
    assert_eq!(label(&found.unwrap()), "applied");
}

#[tokio::test]
async fn invalid_namespace_lists_and_watches_nothing() {
    use futures::StreamExt as _;
    let bed = sluice_testkit::cluster().await;
    let cluster = bed.connect().await;
    let space = bed.namespace("names").await;
    let (kind, all) = (config_map(), ListOptions::default());
    apply(&cluster, &kind, Some(&space), "web").await;
    let wrong = format!("{space}/configmaps?");
    let refused = cluster.list(&kind, Some(&wrong), &all).await;
    assert!(refused.unwrap_err().is_invalid_name());
    // Characters that end a path unless they are escaped.
    let wrong = format!("{space}#");
    let list = cluster.list(&kind, Some(&wrong), &all).await;
    assert_eq!(list.unwrap().items, Vec::<Value>::new());
    let options = WatchOptions {
        initial: true,
        ..WatchOptions::default()
    };
    let mut watch = cluster
        .watch(&kind, Some(&wrong), "", &options)
        .await
        .unwrap();
    // The end of the snapshot comes first.
    let first = watch.next().await.unwrap().unwrap();
    assert!(matches!(first, WatchEvent::Bookmark(_)), "{first:?}");
}
