//! Tables of whole classes of failures: small clusters and their expected answers.
//!
//! One file, although a long one: the tables share the small clusters at its beginning.

use serde_json::{Value, json};
use sluice_object::Object;

use crate::explain::explain;
use crate::kinds::{Resource, by_kind};
use crate::model::Diagnosis;
use crate::snapshot::{Id, Snapshot};

/// One cluster and its right answer.
struct Row {
    it: &'static str,
    objects: Vec<Object>,
    asked: &'static str,
    /// Empty where nothing is wrong.
    cause: &'static str,
    says: &'static str,
    /// Empty where no command is expected.
    helps: &'static str,
}

fn id(text: &str) -> Id {
    let parts: Vec<&str> = text.split('/').collect();
    Id::new(parts[0], parts[1], parts[2])
}

fn asked(row: &Row) -> Diagnosis {
    let snapshot: Snapshot = row.objects.iter().cloned().collect();
    explain(&snapshot, snapshot.get(&id(row.asked)).unwrap(), "flux")
}

#[track_caller]
fn judge(rows: Vec<Row>) {
    let mut wrong = Vec::new();
    for row in rows {
        let answer = asked(&row);
        let cause = answer.cause.as_ref().map(ToString::to_string);
        let text = answer.text("");
        let helps = row.helps.is_empty() || answer.commands.iter().any(|given| given == row.helps);
        if cause.unwrap_or_default() != row.cause || !text.contains(row.says) || !helps {
            wrong.push(format!(
                "{}: wanted {} «{}» `{}`, got\n{text}",
                row.it, row.cause, row.says, row.helps
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An object in the namespace `apps` with required fields, overridden by `more`.
fn object(kind: &str, name: &str, more: Value) -> Object {
    let version = match kind {
        "Deployment" | "StatefulSet" | "ReplicaSet" => "apps/v1".to_owned(),
        "Job" => "batch/v1".to_owned(),
        kind => by_kind(kind).map_or_else(|| "v1".to_owned(), Resource::api_version),
    };
    let mut value = json!({
        "apiVersion": version, "kind": kind,
        "metadata": { "name": name, "namespace": "apps", "generation": 1 },
        "spec": {}, "status": { "observedGeneration": 1 },
    });
    lay_over(&mut value, more);
    Object::try_from(value).unwrap()
}

fn lay_over(value: &mut Value, more: Value) {
    match (value, more) {
        (Value::Object(fields), Value::Object(more)) => {
            for (key, more) in more {
                lay_over(fields.entry(key).or_insert(Value::Null), more);
            }
        }
        (value, more) => *value = more,
    }
}

fn condition(type_: &str, status: &str, reason: &str, message: &str) -> Value {
    json!({ "type": type_, "status": status, "reason": reason, "message": message,
        "observedGeneration": 1, "lastTransitionTime": "2026-11-22T01:00:00Z" })
}

fn says(status: &str, reason: &str, message: &str) -> Value {
    json!({ "status": { "conditions": [condition("Ready", status, reason, message)] } })
}

/// A Kustomization that takes from the repository `fleet`.
fn kustomization(name: &str, more: Value) -> Object {
    let mut whole = json!({ "spec": {
        "interval": "10m", "path": "./web",
        "sourceRef": { "kind": "GitRepository", "name": "fleet" } } });
    lay_over(&mut whole, more);
    object("Kustomization", name, whole)
}

fn fleet(more: Value) -> Object {
    let mut whole = says("True", "Succeeded", "stored artifact");
    lay_over(
        &mut whole,
        json!({ "status": { "artifact": { "revision": "main@sha1:aaaaaaaa" } } }),
    );
    lay_over(&mut whole, more);
    object("GitRepository", "fleet", whole)
}

/// A Kustomization that is well, at the revision of the repository.
fn well(name: &str) -> Object {
    let mut whole = says("True", "ReconciliationSucceeded", "Applied revision");
    lay_over(&mut whole, at_head());
    kustomization(name, whole)
}

fn at_head() -> Value {
    json!({ "status": { "lastAppliedRevision": "main@sha1:aaaaaaaa",
        "lastAttemptedRevision": "main@sha1:aaaaaaaa" } })
}

fn failing(name: &str, reason: &str, message: &str) -> Object {
    let mut whole = says("False", reason, message);
    lay_over(&mut whole, at_head());
    kustomization(name, whole)
}

fn applied_by(owner: &str) -> Value {
    json!({ "metadata": { "labels": {
        "kustomize.toolkit.fluxcd.io/name": owner,
        "kustomize.toolkit.fluxcd.io/namespace": "apps" } } })
}

fn controller(name: &str, replicas: u8, arguments: &[&str]) -> Object {
    object(
        "Deployment",
        name,
        json!({
            "metadata": { "namespace": "flux-system",
                "labels": { "app.kubernetes.io/part-of": "flux" } },
            "spec": { "replicas": replicas,
                "template": { "spec": { "containers": [{ "args": arguments }] } } },
        }),
    )
}

/// A Deployment `web` that waits for its Pods, applied by the Kustomization `web`.
fn waiting_deployment(more: Value) -> Object {
    let mut whole = applied_by("web");
    lay_over(
        &mut whole,
        json!({
            "spec": { "replicas": 1, "selector": { "matchLabels": { "app": "web" } } },
            "status": { "replicas": 1, "updatedReplicas": 1, "conditions": [
                condition("Available", "False", "MinimumReplicasUnavailable",
                    "Deployment does not have minimum availability.")] },
        }),
    );
    lay_over(&mut whole, more);
    object("Deployment", "web", whole)
}

fn pod(more: Value) -> Object {
    let mut whole = json!({ "metadata": { "labels": { "app": "web" } },
        "status": { "phase": "Running", "conditions": [
            condition("Ready", "False", "ContainersNotReady", "")] } });
    lay_over(&mut whole, more);
    object("Pod", "web-1", whole)
}

fn crashing() -> Value {
    json!({ "status": { "containerStatuses": [{ "name": "web", "image": "web:1",
        "state": { "waiting": { "reason": "CrashLoopBackOff", "message": "back-off" } },
        "lastState": { "terminated": { "exitCode": 2, "reason": "Error" } } }] } })
}

fn warning(kind: &str, name: &str, reason: &str, message: &str) -> Object {
    object(
        "Event",
        &format!("{name}.1"),
        json!({ "type": "Warning", "reason": reason, "message": message,
            "lastTimestamp": "2026-11-22T01:00:00Z",
            "involvedObject": { "kind": kind, "namespace": "apps", "name": name } }),
    )
}

#[test]
fn sources_that_are_tried_again_still_fail() {
    let again = |type_: &str| {
        json!({ "status": { "conditions": [
            condition("Ready", "Unknown", "Progressing", "reconciliation in progress"),
            condition(type_, "True", "GitOperationFailed", "authentication required")] } })
    };
    judge(vec![
        Row {
            it: "a fetch",
            objects: vec![fleet(again("FetchFailed")), well("web")],
            asked: "Kustomization/apps/web",
            cause: "GitRepository/apps/fleet",
            says: "authentication required",
            helps: "flux reconcile source git fleet -n apps",
        },
        Row {
            it: "the first try of all",
            objects: vec![fleet(again("Reconciling")), well("web")],
            asked: "Kustomization/apps/web",
            cause: "",
            says: "reconciliation in progress",
            helps: "",
        },
    ]);
}

#[test]
fn stopped_controller_causes_failed_downloads() {
    let message = "failed to download archive: GET http://source-controller.flux-system.svc.cluster\
        .local./x.tar.gz: dial tcp 10.0.0.1:80: connect: connection refused";
    let objects = |replicas| {
        vec![
            fleet(json!({})),
            failing("web", "ArtifactFailed", message),
            controller("source-controller", replicas, &[]),
            controller("kustomize-controller", 1, &[]),
        ]
    };
    judge(vec![
        Row {
            it: "down",
            objects: objects(0),
            asked: "Kustomization/apps/web",
            cause: "Deployment/flux-system/source-controller",
            says: "scaled to zero",
            helps: "kubectl scale deployment source-controller --replicas=1 -n flux-system",
        },
        Row {
            it: "running",
            objects: objects(1),
            asked: "Kustomization/apps/web",
            cause: "Kustomization/apps/web",
            says: "connection refused",
            helps: "flux reconcile kustomization web -n apps --with-source",
        },
    ]);
}

#[test]
fn build_failures_are_their_own_cause() {
    let marked = json!({ "metadata": { "annotations": {
        "kustomize.toolkit.fluxcd.io/reconcile": "disabled" } } });
    let broken = || failing("web", "BuildFailed", "kustomize build failed: no such file");
    judge(vec![
        Row {
            it: "a source that nobody updates offers what it offers",
            objects: vec![fleet(marked.clone()), broken()],
            asked: "Kustomization/apps/web",
            cause: "Kustomization/apps/web",
            says: "no such file",
            helps: "flux build kustomization web -n apps --path ./web",
        },
        Row {
            it: "unless the source itself is asked about",
            objects: vec![fleet(marked), broken()],
            asked: "GitRepository/apps/fleet",
            cause: "GitRepository/apps/fleet",
            says: "Flux ignores it",
            helps: "kubectl annotate gitrepository fleet \
                kustomize.toolkit.fluxcd.io/reconcile- -n apps",
        },
    ]);
}

#[test]
fn missing_cluster_objects_have_commands() {
    let row = |it, message, helps| Row {
        it,
        objects: vec![
            fleet(json!({})),
            failing("web", "ReconciliationFailed", message),
        ],
        asked: "Kustomization/apps/web",
        cause: "Kustomization/apps/web",
        says: message,
        helps,
    };
    judge(vec![
        row(
            "a namespace",
            "Deployment/shop/web dry-run failed: namespaces \"shop\" not found",
            "kubectl create namespace shop",
        ),
        row(
            "a kind",
            "ServiceMonitor/apps/web dry-run failed: no matches for kind \"ServiceMonitor\" in \
             version \"monitoring.coreos.com/v1\"",
            "kubectl api-resources --api-group=monitoring.coreos.com",
        ),
        row(
            "an account",
            "serviceaccounts \"deployer\" not found",
            "kubectl get serviceaccount deployer -n apps",
        ),
        row(
            "rights",
            "User \"system:serviceaccount:apps:deployer\" cannot patch resource \"deployments\" in \
             API group \"apps\" in the namespace \"shop\"",
            "kubectl auth can-i patch deployments.apps --as=system:serviceaccount:apps:deployer \
             -n shop",
        ),
    ]);
}

#[test]
fn ignore_markers_are_named_with_the_remedy() {
    let marked = |as_what: &str, key: &str, value: &str| {
        let mut whole = applied_by("web");
        lay_over(
            &mut whole,
            json!({ "metadata": { as_what: { key: value } } }),
        );
        object("ConfigMap", "settings", whole)
    };
    let row = |it, object, helps| Row {
        it,
        objects: vec![fleet(json!({})), well("web"), object],
        asked: "ConfigMap/apps/settings",
        cause: "ConfigMap/apps/settings",
        says: "it has kustomize.toolkit.fluxcd.io/",
        helps,
    };
    let ssa = "kustomize.toolkit.fluxcd.io/ssa";
    judge(vec![
        row(
            "made once",
            marked("annotations", ssa, "IfNotPresent"),
            "kubectl annotate configmap settings kustomize.toolkit.fluxcd.io/ssa- -n apps",
        ),
        row(
            "ignored, by a label",
            marked("labels", ssa, "Ignore"),
            "kubectl label configmap settings kustomize.toolkit.fluxcd.io/ssa- -n apps",
        ),
        Row {
            it: "what cannot be applied at all is told before what is made once",
            objects: vec![
                fleet(json!({})),
                failing("web", "BuildFailed", "no such file"),
                marked("annotations", ssa, "IfNotPresent"),
            ],
            asked: "ConfigMap/apps/settings",
            cause: "Kustomization/apps/web",
            says: "no such file",
            helps: "",
        },
    ]);
}

#[test]
fn why_inspects_a_named_workload() {
    let over_another = "health check failed after 5m0s: timeout waiting for: \
        [Deployment/apps/api status: 'InProgress']";
    let row = |it, objects: Vec<Object>, cause, says, helps| Row {
        it,
        objects: [vec![fleet(json!({}))], objects].concat(),
        asked: "Deployment/apps/web",
        cause,
        says,
        helps,
    };
    let well_by_now = json!({ "status": { "readyReplicas": 1, "availableReplicas": 1,
        "conditions": [condition("Available", "True", "MinimumReplicasAvailable", "")] } });
    let starting = json!({ "status": { "conditions": [
        condition("Available", "False", "MinimumReplicasUnavailable", ""),
        condition("Progressing", "True", "ReplicaSetUpdated", "")] } });
    judge(vec![
        row(
            "nobody waits for it",
            vec![well("web"), waiting_deployment(json!({})), pod(crashing())],
            "Deployment/apps/web",
            "CrashLoopBackOff",
            "kubectl logs deployment/web -n apps --previous",
        ),
        row(
            "another one is waited for",
            vec![
                failing("web", "HealthCheckFailed", over_another),
                waiting_deployment(json!({})),
                pod(crashing()),
                object("Deployment", "api", json!({})),
            ],
            "Deployment/apps/web",
            "ended with 2",
            "kubectl describe pod web-1 -n apps",
        ),
        row(
            "what applies it fails",
            vec![
                failing("web", "BuildFailed", "no such file"),
                waiting_deployment(json!({})),
                pod(crashing()),
            ],
            "Kustomization/apps/web",
            "no such file",
            "",
        ),
        row(
            "it crashed once, and is well",
            vec![
                well("web"),
                waiting_deployment(well_by_now),
                pod(crashing()),
            ],
            "",
            "nothing is wrong",
            "",
        ),
        row(
            "it starts",
            vec![well("web"), waiting_deployment(starting), pod(json!({}))],
            "",
            "nothing is wrong",
            "",
        ),
        row(
            "it is paused",
            vec![
                well("web"),
                waiting_deployment(json!({ "spec": { "paused": true } })),
            ],
            "Deployment/apps/web",
            "paused",
            "kubectl rollout resume deployment web -n apps",
        ),
        row(
            "a claim of its Pod is not met",
            vec![
                well("web"),
                waiting_deployment(json!({})),
                pod(json!({ "spec": { "volumes": [
                    { "persistentVolumeClaim": { "claimName": "data" } }] } })),
                warning(
                    "PersistentVolumeClaim",
                    "data",
                    "ProvisioningFailed",
                    "storageclass \"fast\" not found",
                ),
            ],
            "Deployment/apps/web",
            "PersistentVolumeClaim/apps/data: ProvisioningFailed: storageclass \"fast\" not found",
            "kubectl describe deployment web -n apps",
        ),
    ]);
}

#[test]
fn pod_leads_to_its_workload() {
    let owned_by = |kind: &str, name: &str| json!({ "metadata": { "ownerReferences": [{ "kind": kind, "name": name }] } });
    let mut of_pod = crashing();
    lay_over(&mut of_pod, owned_by("ReplicaSet", "web-5f"));
    judge(vec![Row {
        it: "through its replica set",
        objects: vec![
            fleet(json!({})),
            well("web"),
            waiting_deployment(json!({})),
            object("ReplicaSet", "web-5f", owned_by("Deployment", "web")),
            pod(of_pod),
        ],
        asked: "Pod/apps/web-1",
        cause: "Deployment/apps/web",
        says: "CrashLoopBackOff",
        helps: "kubectl describe deployment web -n apps",
    }]);
}

#[test]
fn failed_object_wins_over_unhealthy_ones() {
    let row = |it, list: &str, cause| {
        let message = format!("health check failed after 5m0s: timeout waiting for: [{list}]");
        Row {
            it,
            objects: vec![
                fleet(json!({})),
                failing("web", "HealthCheckFailed", &message),
                waiting_deployment(json!({})),
                pod(crashing()),
                object("Deployment", "calm", json!({})),
                object("Job", "migrate", json!({})),
            ],
            asked: "Kustomization/apps/web",
            cause,
            says: "not healthy",
            helps: "",
        }
    };
    judge(vec![
        row(
            "by its status",
            "Deployment/apps/web status: 'InProgress', Job/apps/migrate status: 'Failed'",
            "Job/apps/migrate",
        ),
        row(
            "by its Pods",
            "Deployment/apps/calm status: 'InProgress', Deployment/apps/web status: 'InProgress'",
            "Deployment/apps/web",
        ),
        row(
            "without quotes, with a message that has commas and brackets of its own",
            "ConfigMap/apps/x status: Unknown: no [y], no z, Job/apps/migrate status: InProgress",
            "Job/apps/migrate",
        ),
    ]);
}

#[test]
fn release_timeout_leads_to_unhealthy_object() {
    let release = |status: Value| {
        let mut whole = json!({ "spec": { "interval": "10m",
            "chartRef": { "kind": "OCIRepository", "name": "chart" } } });
        lay_over(
            &mut whole,
            json!({ "status": { "inventory": { "entries": [
            { "id": "apps_settings__ConfigMap", "v": "v1" },
            { "id": "apps_web_apps_Deployment", "v": "v1" }] } } }),
        );
        lay_over(&mut whole, status);
        object("HelmRelease", "shop", whole)
    };
    let chart = || object("OCIRepository", "chart", says("True", "Succeeded", ""));
    let row = |it, status, cause, says| Row {
        it,
        objects: vec![
            chart(),
            release(status),
            waiting_deployment(json!({})),
            pod(crashing()),
        ],
        asked: "HelmRelease/apps/shop",
        cause,
        says,
        helps: "",
    };
    let again = |failures: u8| {
        json!({ "status": { "failures": failures, "conditions": [
            condition("Ready", "Unknown", "Progressing", "Running 'upgrade' action"),
            condition("Released", "False", "UpgradeFailed", "upgrade failed: boom")] } })
    };
    judge(vec![
        row(
            "nothing is named",
            says(
                "False",
                "InstallFailed",
                "Helm install failed: context deadline exceeded",
            ),
            "Deployment/apps/web",
            "CrashLoopBackOff",
        ),
        row(
            "it failed otherwise",
            says(
                "False",
                "InstallFailed",
                "Helm install failed: template: boom",
            ),
            "HelmRelease/apps/shop",
            "boom",
        ),
        row(
            "it is tried again",
            again(3),
            "HelmRelease/apps/shop",
            "UpgradeFailed\n  error   upgrade failed: boom",
        ),
        row("it is tried with other values", again(0), "", "Running"),
    ]);
}

#[test]
fn retried_health_check_still_fails() {
    let checking = |outcome: &str, revision: &str| {
        let mut whole = json!({ "status": {
            "history": [{ "lastReconciledStatus": outcome, "metadata": { "revision": revision } }],
            "conditions": [
                condition("Ready", "Unknown", "Progressing", "Reconciliation in progress"),
                condition("Healthy", "False", "HealthCheckFailed",
                    "timeout waiting for: [Deployment/apps/web status: 'InProgress']")] } });
        lay_over(&mut whole, at_head());
        kustomization("web", whole)
    };
    let row = |it, kustomization, cause, says| Row {
        it,
        objects: vec![
            fleet(json!({})),
            kustomization,
            waiting_deployment(json!({})),
            pod(crashing()),
        ],
        asked: "Kustomization/apps/web",
        cause,
        says,
        helps: "",
    };
    judge(vec![
        row(
            "the same revision",
            checking("HealthCheckFailed", "main@sha1:aaaaaaaa"),
            "Deployment/apps/web",
            "CrashLoopBackOff",
        ),
        row(
            "another revision",
            checking("HealthCheckFailed", "main@sha1:bbbbbbbb"),
            "",
            "in progress",
        ),
    ]);
}

#[test]
fn dependency_comes_before_other_causes() {
    let suspended = json!({ "spec": { "suspend": true } });
    let dependent = |name: &str, on: &str| {
        let mut whole = says("False", "DependencyNotReady", "dependency is not ready");
        lay_over(
            &mut whole,
            json!({ "spec": { "dependsOn": [{ "name": on }] } }),
        );
        lay_over(&mut whole, at_head());
        kustomization(name, whole)
    };
    let mut elsewhere = says("False", "BuildFailed", "no such file");
    lay_over(
        &mut elsewhere,
        json!({ "spec": {
        "sourceRef": { "kind": "OCIRepository", "name": "base" } } }),
    );
    let objects = vec![
        fleet(suspended),
        object("OCIRepository", "base", says("True", "Succeeded", "")),
        kustomization("db", elsewhere),
        dependent("web", "db"),
        dependent("shop", "web"),
    ];
    let row = Row {
        it: "a source that is suspended",
        objects,
        asked: "Kustomization/apps/web",
        cause: "Kustomization/apps/db",
        says: "no such file",
        helps: "flux reconcile kustomization db -n apps --with-source",
    };
    let answer = asked(&row);
    let blocks: Vec<String> = answer.blocks.iter().map(ToString::to_string).collect();
    assert_eq!(
        blocks,
        ["Kustomization/apps/web", "Kustomization/apps/shop"]
    );
    judge(vec![row]);
}

#[test]
fn waiting_objects_are_blocked_transitively() {
    let mut behind = says("True", "ReconciliationSucceeded", "Applied revision");
    lay_over(
        &mut behind,
        json!({ "status": { "lastAppliedRevision": "main@sha1:bbbbbbbb" } }),
    );
    let mut dependent = says("False", "DependencyNotReady", "dependency is not ready");
    lay_over(
        &mut dependent,
        json!({ "spec": { "dependsOn": [{ "name": "web" }] } }),
    );
    let row = Row {
        it: "through the controller that does not run",
        objects: vec![
            fleet(json!({})),
            kustomization("web", behind),
            kustomization("shop", dependent),
            controller("kustomize-controller", 0, &[]),
        ],
        asked: "Kustomization/apps/web",
        cause: "Deployment/flux-system/kustomize-controller",
        says: "Kustomization apps/web (1 more behind it)",
        helps: "kubectl scale deployment kustomize-controller --replicas=1 -n flux-system",
    };
    judge(vec![row]);
}

#[test]
fn failed_alerts_are_caused_by_the_provider() {
    let alert = || {
        object(
            "Alert",
            "on-call",
            json!({ "spec": { "providerRef": { "name": "chat" } } }),
        )
    };
    let failed = || {
        warning(
            "Alert",
            "on-call",
            "NotificationDispatchFailed",
            "postMessage failed: 401",
        )
    };
    judge(vec![
        Row {
            it: "a provider",
            objects: vec![alert(), failed(), object("Provider", "chat", json!({}))],
            asked: "Alert/apps/on-call",
            cause: "Provider/apps/chat",
            says: "postMessage failed: 401",
            helps: "kubectl edit provider chat -n apps",
        },
        Row {
            it: "nothing",
            objects: vec![alert(), object("Provider", "chat", json!({}))],
            asked: "Alert/apps/on-call",
            cause: "",
            says: "nothing is wrong",
            helps: "",
        },
    ]);
}

#[test]
fn suspended_objects_are_reported() {
    let row = |kind: &str, asked, helps| {
        let mut whole = says("True", "Succeeded", "");
        lay_over(&mut whole, json!({ "spec": { "suspend": true } }));
        Row {
            it: asked,
            objects: vec![object(kind, "it", whole)],
            asked,
            cause: asked,
            says: "suspended",
            helps,
        }
    };
    let disabled = json!({ "metadata": { "annotations": {
        "source.extensions.fluxcd.io/reconcile": "Disabled" } } });
    let registry = json!({ "spec": { "type": "oci", "suspend": true } });
    let mut paused = says("True", "ReconciliationSucceeded", "Applied revision");
    lay_over(&mut paused, at_head());
    lay_over(&mut paused, json!({ "spec": { "suspend": true } }));
    judge(vec![
        row("Alert", "Alert/apps/it", "flux resume alert it -n apps"),
        row(
            "Provider",
            "Provider/apps/it",
            "flux resume alert-provider it -n apps",
        ),
        row(
            "Receiver",
            "Receiver/apps/it",
            "flux resume receiver it -n apps",
        ),
        row(
            "ImageUpdateAutomation",
            "ImageUpdateAutomation/apps/it",
            "flux resume image update it -n apps",
        ),
        row(
            "Bucket",
            "Bucket/apps/it",
            "flux resume source bucket it -n apps",
        ),
        Row {
            it: "a generator, by its annotation",
            objects: vec![object("ArtifactGenerator", "it", disabled)],
            asked: "ArtifactGenerator/apps/it",
            cause: "ArtifactGenerator/apps/it",
            says: "suspended",
            helps: "flux resume artifact generator it -n apps",
        },
        Row {
            it: "a repository in a registry holds settings only",
            objects: vec![object("HelmRepository", "it", registry)],
            asked: "HelmRepository/apps/it",
            cause: "",
            says: "nothing is wrong",
            helps: "",
        },
        Row {
            it: "a Kustomization that misses nothing",
            objects: vec![fleet(json!({})), kustomization("web", paused)],
            asked: "Kustomization/apps/web",
            cause: "",
            says: "is suspended, and has the latest revision",
            helps: "",
        },
    ]);
}

#[test]
fn objects_without_a_controller_are_unattended() {
    let unseen = |labels: Value| {
        let mut whole = json!({ "metadata": { "generation": 2, "labels": labels } });
        lay_over(&mut whole, at_head());
        kustomization("web", whole)
    };
    let shard = |value: &str| json!({ "sharding.fluxcd.io/key": value });
    let row = |it, labels, arguments: &[&str], cause, says| Row {
        it,
        objects: vec![
            fleet(json!({})),
            unseen(labels),
            controller("kustomize-controller", 1, arguments),
        ],
        asked: "Kustomization/apps/web",
        cause,
        says,
        helps: "",
    };
    let web = "Kustomization/apps/web";
    let several = "--watch-label-selector=sharding.fluxcd.io/key in (one, two)";
    let rest = ["--watch-label-selector", "!sharding.fluxcd.io/key"];
    judge(vec![
        row(
            "one of several shards",
            shard("two"),
            &[several],
            "",
            "waits for its controller",
        ),
        row(
            "none of several shards",
            shard("three"),
            &[several],
            web,
            "sharding.fluxcd.io/key=three",
        ),
        row(
            "without a shard",
            json!({}),
            &rest,
            "",
            "waits for its controller",
        ),
        row(
            "a shard where there are none",
            shard("one"),
            &rest,
            web,
            "key=one",
        ),
        row(
            "another namespace",
            json!({}),
            &["--watch-all-namespaces=false"],
            web,
            "kustomize-controller reconciles its own namespace only",
        ),
    ]);
}

#[test]
fn object_with_finalizer_is_being_deleted() {
    let going = json!({ "metadata": { "generation": 2, "finalizers": ["finalizers.fluxcd.io"],
        "deletionTimestamp": "2026-11-22T01:00:00Z" } });
    judge(vec![Row {
        it: "its deletion is a change that was not taken note of",
        objects: vec![
            fleet(json!({})),
            kustomization("web", going),
            controller("kustomize-controller", 1, &[]),
        ],
        asked: "Kustomization/apps/web",
        cause: "Kustomization/apps/web",
        says: "its finalizers are finalizers.fluxcd.io",
        helps: "kubectl get kustomization web -n apps -o yaml",
    }]);
}

#[test]
fn objects_of_a_missing_owner_are_orphans() {
    let orphan = object("ConfigMap", "settings", applied_by("web"));
    let mut snapshot: Snapshot = [orphan.clone()].into_iter().collect();
    assert_eq!(explain(&snapshot, &orphan, "flux").cause, None);
    snapshot.note_absent(id("Kustomization/apps/web"));
    let answer = explain(&snapshot, &orphan, "flux");
    assert_eq!(answer.cause, Some(id("ConfigMap/apps/settings")));
    assert!(answer.text("").contains("Kustomization/apps/web not found"));
}

/// A Kustomization that waits for the health of `web/apps` objects.
fn checking(checks: &Value, entries: &Value) -> Object {
    let message = "Running health checks for revision main@sha1:aaaaaaaa with a timeout of 5m0s";
    let mut whole = json!({
        "spec": { "wait": entries.is_array() },
        "status": { "conditions": [
            condition("Reconciling", "True", "Progressing", message),
            condition("Ready", "Unknown", "Progressing", "Reconciliation in progress"),
            condition("Healthy", "Unknown", "Progressing", message)] },
    });
    lay_over(&mut whole, at_head());
    if entries.is_array() {
        lay_over(
            &mut whole,
            json!({ "status": { "inventory": { "entries": entries } } }),
        );
    } else {
        lay_over(&mut whole, json!({ "spec": { "healthChecks": checks } }));
    }
    kustomization("web", whole)
}

#[test]
fn running_health_check_names_what_it_awaits() {
    let entries = || {
        json!([
            { "id": "apps_child_kustomize.toolkit.fluxcd.io_Kustomization", "v": "v1" },
            { "id": "apps_web_apps_Deployment", "v": "v1" }
        ])
    };
    let starting = || {
        waiting_deployment(json!({ "status": { "conditions": [
            condition("Progressing", "True", "ReplicaSetUpdated", "is progressing")] } }))
    };
    let mut child = failing("child", "ArtifactFailed", "GitRepository \"dev\" not found");
    let mut value = child.to_value();
    value["spec"]["sourceRef"]["name"] = "dev".into();
    lay_over(&mut value, applied_by("web"));
    child = Object::try_from(value).unwrap();
    let check = json!([{ "apiVersion": "apps/v1", "kind": "Deployment",
        "namespace": "apps", "name": "web" }]);
    judge(vec![
        Row {
            it: "a child without its source",
            objects: vec![
                fleet(json!({})),
                checking(&Value::Null, &entries()),
                child,
                starting(),
            ],
            asked: "Kustomization/apps/web",
            cause: "Kustomization/apps/child",
            says: "error    GitRepository/apps/dev not found\n",
            helps: "flux get sources git -n apps",
        },
        Row {
            it: "a crashing Pod",
            objects: vec![
                fleet(json!({})),
                checking(&check, &Value::Null),
                waiting_deployment(json!({})),
                pod(crashing()),
            ],
            asked: "Kustomization/apps/web",
            cause: "Deployment/apps/web",
            says: "CrashLoopBackOff",
            helps: "kubectl describe deployment web -n apps",
        },
        Row {
            it: "an object that starts",
            objects: vec![fleet(json!({})), checking(&check, &Value::Null), starting()],
            asked: "Kustomization/apps/web",
            cause: "",
            says: "◎ Kustomization apps/web is not done yet\n  state   Kustomization/apps/web is \
                reconciling: Running health checks for revision main@sha1:aaaaaaaa with a timeout \
                of 5m0s; Reconciliation in progress\n  awaits  Deployment/apps/web: InProgress",
            helps: "",
        },
    ]);
}

#[test]
fn newer_artifact_of_a_source_is_named() {
    let fetching = "Fetching manifests for revision main@sha1:aaaaaaaa with a timeout of 5m0s";
    let mut web = json!({ "status": { "conditions": [
        condition("Reconciling", "True", "Progressing", fetching),
        condition("Ready", "Unknown", "Progressing", "Reconciliation in progress")] } });
    lay_over(&mut web, at_head());
    let newer = json!({ "status": { "artifact": { "revision": "main@sha1:bbbbbbbb" } } });
    judge(vec![Row {
        it: "a download of an older artifact",
        objects: vec![
            fleet(newer),
            kustomization("web", web),
            controller("kustomize-controller", 1, &[]),
        ],
        asked: "Kustomization/apps/web",
        cause: "",
        says: "GitRepository/apps/fleet has main@sha1:bbbbbbbb, which Kustomization/apps/web has \
            not taken yet",
        helps: "",
    }]);
}

#[test]
fn generated_chart_is_edited_in_its_release() {
    let release = || {
        let mut whole = says(
            "False",
            "SourceNotReady",
            "HelmChart 'apps/apps-web' is not ready",
        );
        lay_over(
            &mut whole,
            json!({ "spec": { "chart": { "spec": { "chart": "web", "sourceRef": {
                "kind": "HelmRepository", "name": "charts" } } } } }),
        );
        object("HelmRelease", "web", whole)
    };
    let chart = |name: &str| {
        let message = "invalid chart reference: failed to get chart version for remote reference: \
            no chart name found";
        let mut whole = says("False", "InvalidChartReference", message);
        lay_over(
            &mut whole,
            json!({ "spec": { "chart": "web", "sourceRef": {
                "kind": "HelmRepository", "name": "charts" } } }),
        );
        object("HelmChart", name, whole)
    };
    let charts = || {
        object(
            "HelmRepository",
            "charts",
            says("True", "Succeeded", "stored"),
        )
    };
    let edit = "kubectl edit helmrelease web -n apps";
    judge(vec![
        Row {
            it: "a misspelt chart",
            objects: vec![charts(), chart("apps-web"), release()],
            asked: "HelmRelease/apps/web",
            cause: "HelmChart/apps/apps-web",
            says: "no chart name found",
            helps: edit,
        },
        Row {
            it: "a missing repository",
            objects: vec![chart("apps-web"), release()],
            asked: "HelmRelease/apps/web",
            cause: "HelmChart/apps/apps-web",
            says: "HelmRepository/apps/charts not found",
            helps: edit,
        },
        Row {
            it: "a chart without a release",
            objects: vec![charts(), chart("own"), release()],
            asked: "HelmChart/apps/own",
            cause: "HelmChart/apps/own",
            says: "no chart name found",
            helps: "flux reconcile source chart own -n apps",
        },
    ]);
    let snapshot: Snapshot = [charts(), chart("apps-web"), release()]
        .into_iter()
        .collect();
    let asked = snapshot.get(&id("HelmRelease/apps/web")).unwrap();
    let answer = explain(&snapshot, asked, "flux");
    assert!(
        !answer.text("").contains("helmchart"),
        "{}",
        answer.text("")
    );
}

#[test]
fn missing_path_is_corrected_before_a_retry() {
    let message = "kustomization path not found: stat /tmp/kustomization-1/kustomise: no such \
        file or directory";
    judge(vec![Row {
        it: "a path",
        objects: vec![fleet(json!({})), failing("web", "ArtifactFailed", message)],
        asked: "Kustomization/apps/web",
        cause: "Kustomization/apps/web",
        says: "spec.path is ./web, which the source does not have",
        helps: "kubectl edit kustomization web -n apps",
    }]);
}
