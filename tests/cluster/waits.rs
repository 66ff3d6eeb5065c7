//! Tests `wait`, and the timeout error of every wait. The test acts as the controllers.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sluice_testkit::{Bed, FaultProxy, Testbed, When, wait};

use crate::binary::{CommandResult, sluice};
use crate::scene::Scene;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// Returns a status with this Ready condition and the commit applied.
fn status(ready: &str, reason: &str, message: &str) -> Value {
    json!({ "observedGeneration": 1, "lastAppliedRevision": format!("main@sha1:{COMMIT}"),
        "conditions": [condition("Ready", ready, reason, message)] })
}

fn condition(type_: &str, status: &str, reason: &str, message: &str) -> Value {
    json!({ "type": type_, "status": status, "reason": reason, "message": message,
        "lastTransitionTime": "2026-01-02T03:04:05Z", "observedGeneration": 1 })
}

fn kustomization(name: &str, more: Value, status: Value) -> Value {
    let mut object = json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
        "metadata": { "name": name, "labels": { "app": name } },
        "spec": {
            "interval": "1m", "path": "./", "prune": true,
            "sourceRef": { "kind": "GitRepository", "name": "fleet" },
        },
    });
    let more: serde_json::Map<String, Value> = serde_json::from_value(more).unwrap();
    object["spec"].as_object_mut().unwrap().extend(more);
    object["status"] = status;
    object
}

fn source(status: Value) -> Value {
    let mut object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
        "metadata": { "name": "fleet" },
        "spec": { "interval": "1m0s", "url": "https://example.com/fleet", "ref": { "branch": "main" } },
    });
    object["status"] = status;
    object
}

impl Scene {
    /// Returns the output of a command, with `NAMESPACE` for the test's namespace.
    fn said(&self, ended: &CommandResult) -> String {
        ended.stderr.replace(&self.namespace, "NAMESPACE")
    }

    /// Starts a command beside the test.
    fn start(&self, proxy: &FaultProxy, line: &str) -> tokio::task::JoinHandle<CommandResult> {
        let kubeconfig = proxy.kubeconfig().to_owned();
        let line = format!("{line} -n {}", self.namespace);
        tokio::task::spawn_blocking(move || sluice(&kubeconfig, &line))
    }
}

/// Waits until the command has started this number of watches.
async fn watches(proxy: &FaultProxy, count: usize) {
    wait::eventually("the command watches", async || {
        let begun = proxy.count(&When::any().verb("watch"));
        if begun >= count {
            Ok(())
        } else {
            Err(format!("{begun} watches"))
        }
    })
    .await;
}

/// Interrupts the command's watch, and waits until it starts another.
async fn cut(proxy: &FaultProxy) {
    watches(proxy, 1).await;
    let before = proxy.count(&When::any().verb("watch"));
    wait::eventually("the command watches again", async || {
        // A watch that is just starting may survive the interruption, so it is repeated.
        proxy.cut_watches();
        let begun = proxy.count(&When::any().verb("watch"));
        if begun > before {
            Ok(())
        } else {
            Err(format!("{begun} watches"))
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ready_object_is_not_waited_for() {
    let scene = Scene::new("wait-ready").await;
    scene
        .create(kustomization(
            "apps",
            json!({}),
            status("True", "Succeeded", "Applied"),
        ))
        .await;
    let ready = scene.run("wait ks/apps").well();
    assert_eq!(
        scene.said(&ready),
        "✔ Kustomization/NAMESPACE/apps is ready\n"
    );
    let goal = "wait kustomization apps --for revision=0123456789";
    let revision = scene.run(goal).well();
    assert_eq!(scene.said(&revision), scene.said(&ready));
    let missing = scene.run("wait ks/apps ks/nowhere");
    assert_eq!(
        (missing.code, scene.said(&missing)),
        (
            1,
            "✔ Kustomization/NAMESPACE/apps is ready\n\
             ✗ kustomizations.kustomize.toolkit.fluxcd.io \"nowhere\" not found\n  \
             hint: searched namespace NAMESPACE; set another with --namespace\n"
                .to_owned()
        )
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn wait_survives_ended_watches() {
    let scene = Scene::new("wait-revision").await;
    let old = json!({ "observedGeneration": 1, "lastAppliedRevision": "main@sha1:ffffffffffffffff",
        "conditions": [condition("Ready", "True", "Succeeded", "Applied")] });
    scene.create(kustomization("apps", json!({}), old)).await;
    let proxy = FaultProxy::start(&scene.bed.kubeconfig()).await;
    let waiting = scene.start(
        &proxy,
        &format!("wait ks/apps --for revision=main@sha1:{COMMIT}"),
    );
    cut(&proxy).await;
    // A failure during the wait does not end it, because the controller retries.
    for (ready, reason) in [("False", "HealthCheckFailed"), ("True", "Succeeded")] {
        let status = status(ready, reason, "so it is");
        scene
            .status(&kustomization("apps", json!({}), status))
            .await;
    }
    let ended = waiting.await.unwrap().well();
    assert_eq!(
        scene.said(&ended),
        "◎ waiting for Kustomization/NAMESPACE/apps\n✔ Kustomization/NAMESPACE/apps is ready\n"
    );
    let reads = proxy.count(&When::any().verb("get").resource("kustomizations"));
    assert_eq!(reads, 1, "it is watched, not asked for again and again");
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_watch_falls_back_to_a_list() {
    let bed = Testbed::start_with(|options| {
        let gate = "--feature-gates=WatchList=false";
        options.api_server_arguments.push(gate.to_owned());
    })
    .await;
    let scene = Scene::on(Bed::Own(Arc::new(bed)), "wait-listed").await;
    let working = status("Unknown", "Progressing", "on its way");
    let object = kustomization("apps", json!({}), working);
    scene.create(object).await;
    let proxy = FaultProxy::start(&scene.bed.kubeconfig()).await;
    let waiting = scene.start(&proxy, "wait ks/apps");
    // The first watch is rejected, and the second one starts after a new list.
    watches(&proxy, 2).await;
    let ready = status("True", "Succeeded", "Applied");
    scene.status(&kustomization("apps", json!({}), ready)).await;
    let ended = waiting.await.unwrap().well();
    assert!(scene.said(&ended).ends_with("apps is ready\n"), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn denied_watch_falls_back_to_reads() {
    let scene = Scene::new("wait-read").await;
    let user = scene.bed.name("reader");
    let rules = json!([{ "apiGroups": ["kustomize.toolkit.fluxcd.io"], "resources": ["kustomizations"], "verbs": ["get"] }]);
    for object in [
        json!({ "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": { "name": "reader" }, "rules": rules }),
        json!({ "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": { "name": "reader" },
            "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader" },
            "subjects": [{ "kind": "User", "name": user }] }),
        kustomization(
            "apps",
            json!({}),
            status("Unknown", "Progressing", "on its way"),
        ),
    ] {
        scene.create(object).await;
    }
    let may = json!({
        "namespace": scene.namespace, "verb": "get",
        "group": "kustomize.toolkit.fluxcd.io", "resource": "kustomizations",
    });
    scene.bed.until_allowed(&user, may).await;
    let proxy = FaultProxy::start(&scene.bed.kubeconfig_in_group(&user, None)).await;
    let waiting = scene.start(&proxy, "wait ks/apps");
    let read = || proxy.count(&When::any().verb("get").resource("kustomizations"));
    wait::eventually("the command reads", async || match read() {
        0..=1 => Err("it was looked up only".to_owned()),
        _ => Ok(()),
    })
    .await;
    let ready = status("True", "Succeeded", "Applied");
    scene.status(&kustomization("apps", json!({}), ready)).await;
    let ended = waiting.await.unwrap().well();
    assert!(scene.said(&ended).ends_with("apps is ready\n"), "{ended:?}");
    assert_eq!(proxy.count(&When::any().verb("watch")), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn timed_out_wait_names_its_objects() {
    let scene = Scene::new("wait-long").await;
    let namespace = scene.namespace.clone();
    // The cluster has no volume provisioner, so this claim is never bound.
    let volume = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": { "name": "data" },
        "spec": {
            "accessModes": ["ReadWriteOnce"], "storageClassName": "none",
            "resources": { "requests": { "storage": "1Gi" } },
        },
    });
    scene.create(volume).await;
    scene
        .create(source(json!({ "conditions": [
            condition("Ready", "False", "GitOperationFailed", "failed to checkout: no route to host"),
        ] })))
        .await;
    let infra = status(
        "False",
        "DependencyNotReady",
        "dependency 'base' is not ready",
    );
    let depends = |name: &str| json!({ "dependsOn": [{ "name": name }] });
    scene
        .create(kustomization("infra", depends("base"), infra))
        .await;
    let mut apps = status("Unknown", "Progressing", "Running health checks");
    apps["inventory"] = json!({ "entries": [
        { "id": format!("{namespace}_data__PersistentVolumeClaim"), "v": "v1" },
        { "id": format!("{namespace}_lost__ConfigMap"), "v": "v1" },
        { "id": format!("_{namespace}__Namespace"), "v": "v1" },
    ] });
    let more = json!({ "wait": true, "dependsOn": [{ "name": "infra" }] });
    scene.create(kustomization("apps", more, apps)).await;
    let chain = "needs GitRepository/NAMESPACE/fleet: Ready is False (GitOperationFailed): failed to checkout: no route to host\n";
    let ended = scene.run("wait ks/apps --timeout 10s");
    let said = scene.said(&ended);
    let expected = [
        "◎ waiting for Kustomization/NAMESPACE/apps\n\
         ✗ timed out after 10s waiting for Kustomization/NAMESPACE/apps: context deadline exceeded\n\
         \x20 Kustomization/NAMESPACE/apps\n\
         \x20   Ready is Unknown (Progressing): Running health checks\n",
        &format!("    {chain}"),
        "    needs Kustomization/NAMESPACE/infra: Ready is False (DependencyNotReady): dependency 'base' is not ready\n",
        "      needs Kustomization/NAMESPACE/base: not found\n",
        "    not ready: PersistentVolumeClaim/NAMESPACE/data: InProgress",
        "    not ready: ConfigMap/NAMESPACE/lost: missing\n",
        &format!("    has main@sha1:{COMMIT}\n"),
        "  hint: flux why kustomization/apps -n NAMESPACE\n",
    ];
    assert_eq!(ended.code, 1, "{said}");
    let mut rest = said.as_str();
    for part in expected {
        let (_, after) = rest
            .split_once(part)
            .unwrap_or_else(|| panic!("{part:?} in {said}"));
        rest = after;
    }
    assert_eq!(rest, "");
}

#[tokio::test(flavor = "multi_thread")]
async fn release_wait_lists_unhealthy_objects() {
    let scene = Scene::new("wait-helm").await;
    let namespace = scene.namespace.clone();
    scene
        .create(json!({
            "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": { "name": "data" },
            "spec": {
                "accessModes": ["ReadWriteOnce"], "storageClassName": "none",
                "resources": { "requests": { "storage": "1Gi" } },
            },
        }))
        .await;
    // The status shows the installed version before it shows the upgrade.
    for (version, manifest) in [
        (
            "1",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: old}\n".to_owned(),
        ),
        (
            "10",
            format!(
                "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{name: data}}\n---\n\
                 apiVersion: v1\nkind: Service\nmetadata: {{name: lost, namespace: {namespace}}}\n---\n\
                 apiVersion: v1\nkind: Namespace\nmetadata: {{name: {namespace}}}\n"
            ),
        ),
    ] {
        let release = json!({ "name": "web", "manifest": manifest }).to_string();
        scene
            .create(json!({ "apiVersion": "v1", "kind": "Secret",
                "metadata": { "name": format!("sh.helm.release.v1.web.v{version}"),
                    "labels": { "owner": "helm", "name": "web", "version": version } },
                "stringData": { "release": STANDARD.encode(release) } }))
            .await;
    }
    let release = |upgrade: Value| {
        json!({
            "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
            "metadata": { "name": "web" },
            "spec": { "interval": "1m", "upgrade": upgrade, "chartRef": {
                "kind": "OCIRepository", "name": "charts" } },
            "status": { "storageNamespace": namespace, "observedGeneration": 1, "conditions": [
                condition("Ready", "Unknown", "Progressing", "Running 'upgrade' action with timeout of 5m0s"),
            ] },
        })
    };
    scene.create(release(json!({}))).await;
    let ended = scene.run("wait hr/web --timeout 10s");
    let said = scene.said(&ended);
    let mut rest = said.as_str();
    for part in [
        "    Ready is Unknown (Progressing): Running 'upgrade' action with timeout of 5m0s\n",
        "    needs OCIRepository/NAMESPACE/charts: not found\n",
        "    not ready: PersistentVolumeClaim/NAMESPACE/data: InProgress",
        "    not ready: Service/NAMESPACE/lost: missing\n",
        "  hint: flux why helmrelease/web -n NAMESPACE\n",
    ] {
        let (_, after) = rest
            .split_once(part)
            .unwrap_or_else(|| panic!("{part:?} in {said}"));
        rest = after;
    }
    assert_eq!(said.matches("not ready: ").count(), 2, "{said}");

    let patient = json!({ "spec": { "upgrade": { "disableWait": true } } });
    scene.merge(&release(json!({})), &patient).await;
    let said = scene.said(&scene.run("wait hr/web --timeout 10s"));
    assert!(!said.contains("not ready: "), "nobody waits for it: {said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_wait_names_its_objects_at_timeout() {
    let scene = Scene::new("wait-verbs").await;
    let unready = "needs GitRepository/NAMESPACE/fleet: not found\n";
    let unseen = "no controller has reported a status yet\n";
    let created = "create ks apps --source fleet --path ./apps --timeout 10s";
    for (line, what) in [
        (
            created,
            "timed out after 10s waiting for Kustomization 'NAMESPACE/apps': context deadline exceeded\n",
        ),
        (
            "reconcile ks apps --timeout 10s",
            "timed out after 10s waiting for Kustomization 'NAMESPACE/apps': context deadline exceeded\n",
        ),
        (
            "resume ks apps --timeout 10s",
            "Kustomization apps reconciliation failed: timed out after 10s waiting for Kustomization 'NAMESPACE/apps': context deadline exceeded\n",
        ),
    ] {
        let ended = scene.run(line);
        let said = scene.said(&ended);
        assert_eq!(ended.code, 1, "{line}: {said}");
        let end = format!("✗ {what}  {unseen}  {unready}");
        assert!(said.contains(&end), "{line}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wait_all_skips_suspended_objects() {
    let scene = Scene::new("wait-all").await;
    let nothing = scene.run("wait all");
    assert_eq!(
        (nothing.code, scene.said(&nothing)),
        (1, "◎ waiting for all objects\n✗ no objects to wait for found in \"NAMESPACE\" namespace\n".to_owned())
    );
    let suspended = json!({ "suspend": true });
    scene
        .create(kustomization(
            "old",
            suspended,
            status("False", "Failed", "no"),
        ))
        .await;
    scene
        .create(kustomization(
            "apps",
            json!({}),
            status("True", "Succeeded", "Applied"),
        ))
        .await;
    scene.create(source(json!({}))).await;
    let proxy = FaultProxy::start(&scene.bed.kubeconfig()).await;
    let waiting = scene.start(&proxy, "wait all");
    watches(&proxy, 1).await;
    let ready = json!({ "observedGeneration": 1,
        "conditions": [condition("Ready", "True", "Succeeded", "stored")] });
    scene.status(&source(ready)).await;
    let ended = waiting.await.unwrap().well();
    assert_eq!(
        scene.said(&ended),
        "◎ waiting for all objects\n✔ 2 object(s) are ready\n"
    );
    assert_eq!(
        proxy.count(&When::any().verb("list")),
        0,
        "everything is watched"
    );

    let bad = json!({ "observedGeneration": 1, "conditions": [
        condition("Ready", "False", "InvalidPath", "bad path"),
        condition("Stalled", "True", "InvalidPath", "bad path"),
    ] });
    scene.status(&kustomization("apps", json!({}), bad)).await;
    let ended = scene.run("wait all --kind ks");
    assert_eq!(
        (ended.code, scene.said(&ended)),
        (
            1,
            "◎ waiting for all objects\n✗ 1 of 1 object(s) will not be ready by themselves\n  \
             Kustomization/NAMESPACE/apps: stalled: bad path\n"
                .to_owned()
        )
    );
    let none = scene.run("wait all --kind ks -l app=other");
    assert_eq!(none.code, 1);
    scene.run("wait all --kind gitrepo").well();
}

#[tokio::test(flavor = "multi_thread")]
async fn hopeless_named_object_ends_the_wait() {
    let scene = Scene::new("wait-hopeless").await;
    let suspended = json!({ "suspend": true });
    scene
        .create(kustomization(
            "old",
            suspended,
            status("False", "Failed", "no"),
        ))
        .await;
    let ended = scene.run("wait ks/old");
    assert_eq!(ended.code, 1);
    assert!(
        scene
            .said(&ended)
            .ends_with("  Kustomization/NAMESPACE/old: suspended\n"),
        "{ended:?}"
    );

    scene
        .create(kustomization("apps", json!({}), json!({})))
        .await;
    let proxy = FaultProxy::start(&scene.bed.kubeconfig()).await;
    let waiting = scene.start(&proxy, "wait ks/apps");
    watches(&proxy, 1).await;
    scene.run("delete ks apps --silent").well();
    let ended = waiting.await.unwrap();
    assert_eq!(ended.code, 1);
    let said = scene.said(&ended);
    assert!(
        said.ends_with("/apps: deleted while it was waited for\n"),
        "{said}"
    );
}
