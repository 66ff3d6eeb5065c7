//! Tests the commands that read and write objects, without controllers.

use serde_json::{Value, json};
use sluice_client::{Cluster, GroupVersionKind, PatchOptions};

use crate::binary::sluice;

fn sources() -> GroupVersionKind {
    GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "GitRepository")
}

fn kustomizations() -> GroupVersionKind {
    GroupVersionKind::gvk("kustomize.toolkit.fluxcd.io", "v1", "Kustomization")
}

async fn create(cluster: &Cluster, kind: &GroupVersionKind, object: &Value) {
    let namespace = object["metadata"]["namespace"].as_str();
    cluster
        .create(kind, namespace, object, PatchOptions::default())
        .await
        .unwrap();
}

async fn status(cluster: &Cluster, kind: &GroupVersionKind, namespace: &str, status: Value) {
    cluster
        .merge(
            kind,
            Some(namespace),
            "podinfo",
            &json!({ "status": status }),
            PatchOptions {
                subresource: Some("status"),
                ..PatchOptions::default()
            },
        )
        .await
        .unwrap();
}

fn source(namespace: &str) -> Value {
    json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "GitRepository",
        "metadata": { "name": "podinfo", "namespace": namespace, "labels": { "team": "a" } },
        "spec": { "interval": "1m0s", "url": "https://example.com/podinfo", "ref": { "branch": "main" } },
    })
}

fn ready(message: &str) -> Value {
    json!([{
        "type": "Ready", "status": "True", "reason": "Succeeded", "message": message,
        "lastTransitionTime": "2026-01-02T03:04:05Z", "observedGeneration": 1,
    }])
}

#[tokio::test(flavor = "multi_thread")]
async fn get_prints_fluxs_table() {
    let bed = sluice_testkit::cluster().await;
    let (cluster, kubeconfig) = (bed.connect().await, bed.kubeconfig());
    let namespace = bed.namespace("get").await;

    let empty = sluice(&kubeconfig, &format!("get sources git -n {namespace}"));
    assert_eq!(empty.code, 1);
    assert_eq!(empty.stdout, "");
    assert_eq!(
        empty.stderr,
        format!("✗ no GitRepository objects found in \"{namespace}\" namespace\n")
    );
    let missing = sluice(&kubeconfig, &format!("get sources git nope -n {namespace}"));
    assert_eq!(missing.code, 1);
    assert_eq!(
        missing.stderr,
        format!("✗ GitRepository object 'nope' not found in \"{namespace}\" namespace\n")
    );

    create(&cluster, &sources(), &source(&namespace)).await;
    let waiting = sluice(&kubeconfig, &format!("get sources git -n {namespace}")).well();
    assert_eq!(
        waiting.stdout,
        "NAME   \tREVISION\tSUSPENDED\tREADY\tMESSAGE                  \n\
         podinfo\t        \tFalse    \tFalse\twaiting to be reconciled\t\n"
    );
    let commit = "0123456789abcdef0123456789abcdef01234567";
    status(
        &cluster,
        &sources(),
        &namespace,
        json!({
            "conditions": ready(&format!("stored artifact for revision 'main@sha1:{commit}'")),
            "artifact": {
                "revision": format!("main@sha1:{commit}"), "digest": format!("sha256:{commit}"),
                "path": "a", "url": "http://a", "lastUpdateTime": "2026-01-02T03:04:05Z",
            },
        }),
    )
    .await;
    let shown = sluice(
        &kubeconfig,
        &format!("get sources git --no-header -n {namespace}"),
    )
    .well();
    assert_eq!(
        shown.stdout,
        "podinfo\tmain@sha1:01234567\tFalse\tTrue\tstored artifact for revision 'main@sha1:01234567'\t\n"
    );
    let all = sluice(&kubeconfig, &format!("get all -n {namespace}")).well();
    assert!(
        all.stdout.contains("gitrepository/podinfo\t"),
        "{}",
        all.stdout
    );
    for (selector, rows) in [("ready=true", 1), ("ready=false", 0)] {
        let line =
            format!("get sources git --no-header --status-selector {selector} -n {namespace}");
        let shown = sluice(&kubeconfig, &line);
        assert_eq!(shown.stdout.lines().count(), rows, "{selector}");
    }
    let labelled = sluice(
        &kubeconfig,
        &format!("get sources git --no-header -l team=b -n {namespace}"),
    );
    assert_eq!((labelled.code, labelled.stdout.as_str()), (1, ""));
}

#[tokio::test(flavor = "multi_thread")]
async fn export_prints_manifests_for_create() {
    let bed = sluice_testkit::cluster().await;
    let (cluster, kubeconfig) = (bed.connect().await, bed.kubeconfig());
    let namespace = bed.namespace("export").await;
    create(&cluster, &sources(), &source(&namespace)).await;
    let exported = sluice(
        &kubeconfig,
        &format!("export source git podinfo -n {namespace}"),
    )
    .well();
    assert_eq!(
        exported.stdout,
        format!(
            "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata:\n  labels:\n    team: a\n  name: podinfo\n  namespace: {namespace}\nspec:\n  interval: 1m0s\n  ref:\n    branch: main\n  timeout: 1m0s\n  url: https://example.com/podinfo\n"
        )
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn suspend_and_resume_change_only_suspend() {
    let bed = sluice_testkit::cluster().await;
    let (cluster, kubeconfig) = (bed.connect().await, bed.kubeconfig());
    let namespace = bed.namespace("suspend").await;
    create(&cluster, &sources(), &source(&namespace)).await;
    let suspended = sluice(
        &kubeconfig,
        &format!("suspend source git podinfo podinfo -n {namespace}"),
    )
    .well();
    assert_eq!(
        suspended.stderr,
        format!(
            "► suspending source git podinfo in {namespace} namespace\n✔ source git suspended\n"
        )
    );
    let refused = sluice(
        &kubeconfig,
        &format!("reconcile source git podinfo -n {namespace}"),
    );
    assert_eq!(
        (refused.code, refused.stderr.as_str()),
        (1, "✗ resource is suspended\n")
    );
    let half = sluice(
        &kubeconfig,
        &format!("suspend source git podinfo nope -n {namespace}"),
    );
    assert_eq!(half.code, 1, "a name of no object: {half:?}");

    status(
        &cluster,
        &sources(),
        &namespace,
        json!({ "observedGeneration": 3, "conditions": [{
            "type": "Ready", "status": "True", "reason": "Succeeded", "message": "ok",
            "lastTransitionTime": "2026-01-02T03:04:05Z", "observedGeneration": 3,
        }] }),
    )
    .await;
    sluice(
        &kubeconfig,
        &format!("resume source git podinfo -n {namespace}"),
    )
    .well();
    let live = cluster
        .get(&sources(), Some(&namespace), "podinfo")
        .await
        .unwrap()
        .unwrap();
    assert_eq!(live["spec"]["suspend"], json!(false));
    assert_eq!(live["spec"]["url"], json!("https://example.com/podinfo"));
}

#[tokio::test(flavor = "multi_thread")]
async fn delete_without_a_terminal_deletes_nothing_unless_silent() {
    let bed = sluice_testkit::cluster().await;
    let (cluster, kubeconfig) = (bed.connect().await, bed.kubeconfig());
    let namespace = bed.namespace("delete").await;
    create(&cluster, &sources(), &source(&namespace)).await;
    let asked = sluice(
        &kubeconfig,
        &format!("delete source git podinfo -n {namespace}"),
    );
    assert_eq!(asked.code, 1);
    assert!(asked.stderr.starts_with("✗ aborting\n"), "{}", asked.stderr);
    let deleted = sluice(
        &kubeconfig,
        &format!("delete source git podinfo --silent -n {namespace}"),
    )
    .well();
    assert_eq!(
        deleted.stderr,
        format!("► deleting source git podinfo in {namespace} namespace\n✔ source git deleted\n")
    );
    let live = cluster
        .get(&sources(), Some(&namespace), "podinfo")
        .await
        .unwrap();
    assert_eq!(live, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn tree_opens_kustomizations_in_the_inventory() {
    let bed = sluice_testkit::cluster().await;
    let (cluster, kubeconfig) = (bed.connect().await, bed.kubeconfig());
    let namespace = bed.namespace("tree").await;
    let object = |name: &str| {
        json!({
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": { "name": name, "namespace": namespace },
            "spec": {
                "interval": "1m", "path": "./", "prune": true,
                "sourceRef": { "kind": "GitRepository", "name": "podinfo" },
            },
        })
    };
    create(&cluster, &kustomizations(), &object("podinfo")).await;
    let id = |name: &str| format!("{namespace}_{name}_kustomize.toolkit.fluxcd.io_Kustomization");
    status(
        &cluster,
        &kustomizations(),
        &namespace,
        json!({ "inventory": { "entries": [
            { "id": "_apps__Namespace", "v": "v1" },
            { "id": id("gone"), "v": "v1" },
            { "id": id("podinfo"), "v": "v1" },
            { "id": "apps_web_apps_Deployment", "v": "v1" },
        ] } }),
    )
    .await;
    let shown = sluice(&kubeconfig, &format!("tree ks podinfo -n {namespace}")).well();
    assert_eq!(
        shown.stdout,
        format!(
            "Kustomization/{namespace}/podinfo\n\
             ├── Namespace/apps\n\
             ├── Kustomization/{namespace}/gone (missing)\n\
             └── Deployment/apps/web\n\n"
        )
    );
    let compact = sluice(
        &kubeconfig,
        &format!("tree ks podinfo --compact -n {namespace}"),
    )
    .well();
    assert!(!compact.stdout.contains("Deployment"), "{}", compact.stdout);
}

#[tokio::test(flavor = "multi_thread")]
async fn unscheduled_pod_has_an_empty_log() {
    let bed = sluice_testkit::cluster().await;
    let (cluster, kubeconfig) = (bed.connect().await, bed.kubeconfig());
    let namespace = bed.namespace("logs").await;
    let pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": { "name": "waits", "namespace": namespace, "labels": { "app.kubernetes.io/part-of": "flux" } },
        "spec": { "nodeSelector": { "nowhere": "at-all" },
            "containers": [{ "name": "manager", "image": "example.com/none" }] },
    });
    create(&cluster, &GroupVersionKind::gvk("", "v1", "Pod"), &pod).await;
    let ended = sluice(&kubeconfig, &format!("logs --flux-namespace {namespace}")).well();
    assert_eq!(ended.text(), "");
}
