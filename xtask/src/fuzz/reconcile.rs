//! Whole reconciliations without a cluster: no stored object and no artifact causes a panic. The
//! reported status keeps its properties, whatever the effects return.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::Value;
use sluice_api::kustomize::{Kustomization, KustomizationStatus};
use sluice_apply::Inventory;
use sluice_engine::{Outcome, Requeue};
use sluice_kustomize_controller::kustomization::simulation::{
    Scenario, SimulatedReport, in_order, simulate,
};
use sluice_object::ObjectId;
use sluice_yaml::v2;

use super::Target;
use super::kustomize::is_in_tree;

/// Reconciles the first document. Other Kustomizations exist beside it. A document with a `url` is
/// the artifact of the source. One with a `file` is a file in it.
pub(super) const KUSTOMIZATION: Target = Target {
    name: "reconcile-kustomization",
    run: |bytes| {
        let Ok(text) = str::from_utf8(bytes) else {
            return;
        };
        let Ok(documents) = v2::documents(text) else {
            return;
        };
        let mut objects: Vec<Kustomization> = Vec::new();
        let mut files = Vec::new();
        let mut artifact = None;
        for document in documents {
            let text = |field: &str| document.get(field).and_then(Value::as_str);
            if let (Some(path), Some(content)) = (text("file"), text("text")) {
                if is_in_tree(path) {
                    files.push((path.to_owned(), content.to_owned()));
                }
            } else if document.get("url").is_some() {
                artifact = serde_json::from_value(document).ok();
            } else if let Ok(object) = serde_json::from_value(document) {
                objects.push(object);
            }
        }
        let count = objects.len();
        assert_eq!(in_order(&objects).len(), count, "no object is lost");
        if objects.is_empty() {
            return;
        }
        let object = objects.remove(0);
        for is_strict in [false, true] {
            check_run(&Scenario {
                object: object.clone(),
                artifact: artifact.clone(),
                files: files.clone(),
                others: objects.clone(),
                is_strict,
                now: NOW.parse().expect("a time"),
            });
        }
    },
    seeds,
    words: &[
        "---\n",
        "spec:\n",
        "  interval: ",
        "10m",
        "1h30m",
        "-1s",
        "999999999h",
        "0s",
        "  timeout: ",
        "  retryInterval: ",
        "  suspend: true\n",
        "  prune: true\n",
        "  wait: true\n",
        "  deletionPolicy: ",
        "WaitForTermination",
        "  dependsOn: [{name: b}]\n",
        "readyExpr: ",
        "\"dep.status.lastAppliedRevision == self.spec.path\"",
        "  healthCheckExprs: [{apiVersion: v1, kind: Pod, current: ",
        "\"status.phase == 'Running'\"",
        "  ignore: [{paths: [/spec/replicas], target: {name: \"a.*\"}}]\n",
        "  path: ../../..\n",
        "  sourceRef: {kind: ExternalArtifact, name: a}\n",
        "ExternalArtifact",
        "OCIRepository",
        "  serviceAccountName: a:b\n",
        "  deletionTimestamp: \"2026-01-01T00:00:00Z\"\n",
        "  finalizers: [finalizers.fluxcd.io]\n",
        "  generation: 2\n",
        "status:\n",
        "  observedGeneration: 2\n",
        "  lastAppliedRevision: r\n",
        "  inventory: {entries: [{id: a_b_c_D, v: v1}]}\n",
        "{id: \"_a_\", v: \"\"}",
        "  history: [{digest: \"\", lastReconciledStatus: a, totalReconciliations: 9223372036854775807}]\n",
        "  conditions: [{type: Ready, status: \"True\", reason: a, message: \"\", lastTransitionTime: \"2026-01-01T00:00:00Z\"}]\n",
        "type: Stalled",
        "type: Reconciling",
        "reconcile.fluxcd.io/requestedAt: x",
        "null",
        "\u{1f600}",
        "---\nfile: deploy/b.yaml\ntext: ",
        "\"apiVersion: v1\\nkind: Secret\\nmetadata: {name: s}\\nsops: {mac: m}\\n\"",
        "kustomization.yaml",
        "resources: [a.yaml]\\n",
        "namePrefix: x-\\n",
        "${a}",
        "${a:-b}",
        "kind: List\\nitems: []\\n",
        "{",
        "}",
        "\n",
    ],
};

/// The time of every run.
const NOW: &str = "2026-06-01T00:00:00Z";

/// Runs a reconciliation and checks its properties.
fn check_run(scenario: &Scenario) {
    let simulation = simulate(scenario);
    let was_doubled = is_doubled(scenario.object.status.as_ref());
    for reported in &simulation.progress {
        well_formed(&reported.value, was_doubled);
        nothing_lost(reported.held.as_ref(), &reported.value);
    }
    assert!(!simulation.endings.is_empty(), "a run ends");
    for SimulatedReport { value, held } in &simulation.endings {
        assert_no_busy_loop(&value.next);
        let Some(status) = &value.status else {
            continue;
        };
        well_formed(status, was_doubled);
        nothing_lost(held.as_ref(), status);
        assert!(
            status.conditions.find("Ready").is_some() || scenario.object.spec.suspend,
            "Ready is missing"
        );
        again_after(scenario, value);
    }
}

fn is_doubled(status: Option<&KustomizationStatus>) -> bool {
    let conditions = status
        .into_iter()
        .flat_map(|status| status.conditions.iter());
    let mut seen = BTreeSet::new();
    conditions
        .into_iter()
        .any(|one| !seen.insert(one.type_.as_str()))
}

/// No busy loop: only pending news leads to an immediate run.
fn assert_no_busy_loop(next: &Requeue) {
    if let Requeue::After(after) | Requeue::Interval(after) = next {
        assert!(*after >= Duration::from_millis(1), "{next:?}");
    }
}

/// An object stored with two conditions of one type keeps both, as in Flux.
fn well_formed(status: &KustomizationStatus, was_doubled: bool) {
    let mut types: Vec<&str> = status
        .conditions
        .iter()
        .map(|one| one.type_.as_str())
        .collect();
    let is_stalled = status.conditions.is_true("Stalled");
    assert!(
        !(is_stalled && status.conditions.is_true("Reconciling")),
        "a stalled object is not reconciling"
    );
    if status.conditions.is_true("Ready") {
        assert!(!is_stalled, "a ready object is not stalled");
    }
    types.sort_unstable();
    types.dedup();
    let is_single = types.len() == status.conditions.iter().count();
    assert!(is_single || was_doubled, "one condition of a type");
    assert!(status.history.len() <= 5, "the history is bounded");
}

/// The inventory must list every object that may be in the cluster.
fn nothing_lost(held: Option<&Inventory>, status: &KustomizationStatus) {
    // Without objects, an unreadable inventory does no harm.
    let Some(held) = held.filter(|held| !held.is_empty()) else {
        return;
    };
    let stored = status
        .inventory
        .iter()
        .flat_map(|inventory| &inventory.entries);
    let stored = stored.map(|entry| (entry.id.as_str(), entry.version.as_str()));
    let stored = Inventory::parse(stored).expect("a written inventory is valid");
    let stored = stored.ids();
    // Names and kinds have no underscores, except for roles. Flux also misreads an id with two
    // underscores in a row.
    let is_kept = |id: &ObjectId| !format!("{}{}{}", id.namespace, id.name, id.kind).contains('_');
    for entry in held.entries().iter().filter(|entry| is_kept(&entry.id)) {
        assert!(stored.contains(&entry.id), "{} is forgotten", entry.id);
    }
}

/// The properties also hold for a run that starts from the written status.
fn again_after(scenario: &Scenario, outcome: &Outcome<KustomizationStatus>) {
    let again = Scenario {
        object: Kustomization {
            status: outcome.status.clone(),
            ..scenario.object.clone()
        },
        ..scenario.clone()
    };
    for reported in simulate(&again).endings {
        if let Some(status) = &reported.value.status {
            well_formed(status, is_doubled(again.object.status.as_ref()));
            nothing_lost(reported.held.as_ref(), status);
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    const ARTIFACT: &str = "---\nurl: http://source/a.tar.gz\npath: a.tar.gz\ndigest: sha256:00\nrevision: main@sha1:1\nlastUpdateTime: \"2026-01-01T00:00:00Z\"\nmetadata: {org.opencontainers.image.revision: v1}\n\
        ---\nfile: deploy/a.yaml\ntext: \"apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: a, namespace: apps}\\ndata: {a: '${a:=b}'}\\n\"\n";
    let object = |metadata: &str, spec: &str, rest: &str| {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: a\n  namespace: apps\n  generation: 2\n{metadata}\
             spec:\n  interval: 10m\n  prune: true\n  sourceRef: {{kind: GitRepository, name: source}}\n{spec}{rest}"
        )
    };
    let condition = |type_: &str, status: &str| {
        serde_json::json!({"type": type_, "status": status, "reason": "a", "message": "b",
            "lastTransitionTime": "2026-01-01T00:00:00Z", "observedGeneration": 2})
    };
    let status = |conditions: Vec<Value>| {
        let status = serde_json::json!({
            "observedGeneration": 2, "lastAppliedRevision": "main@sha1:1", "lastAttemptedRevision": "main@sha1:1",
            "conditions": conditions,
            "inventory": {"entries": [{"id": "apps_web_apps_Deployment", "v": "v1"}, {"id": "_apps__Namespace", "v": "v1"}]},
            "history": [{"digest": "sha256:aa", "firstReconciled": "2026-01-01T00:00:00Z", "lastReconciled": "2026-01-01T00:00:00Z",
                "lastReconciledStatus": "ReconciliationSucceeded", "lastReconciledDuration": "1s", "totalReconciliations": 1}],
        });
        format!("status: {status}\n")
    };
    let held = "  finalizers: [finalizers.fluxcd.io]\n";
    let gone =
        "  finalizers: [finalizers.fluxcd.io]\n  deletionTimestamp: \"2026-01-01T00:00:00Z\"\n";
    let all = "  path: ./deploy\n  timeout: 5m\n  retryInterval: 1m\n  force: true\n  wait: true\n  targetNamespace: b\n  serviceAccountName: d\n  \
        commonMetadata: {labels: {a: b}}\n  kubeConfig: {secretRef: {name: k}}\n  decryption: {provider: sops, serviceAccountName: e}\n  \
        postBuild: {substitute: {a: b}, substituteFrom: [{kind: Secret, name: s, optional: true}]}\n  \
        patches: [{patch: \"a: b\", target: {kind: Pod}}]\n  images: [{name: a, newTag: b}]\n   \
        healthChecks: [{apiVersion: apps/v1, kind: Deployment, name: web, namespace: apps}]\n  \
        healthCheckExprs: [{apiVersion: v1, kind: Pod, current: \"status.phase == 'Running'\", failed: \"status.phase == 'Failed'\"}]\n  \
        ignore: [{paths: [/spec/replicas], target: {kind: Deployment, labelSelector: \"a in (b)\"}}]\n";
    let ready = || {
        status(vec![
            condition("Ready", "True"),
            condition("Healthy", "True"),
        ])
    };
    let dependency = object("", "", &ready()).replace("name: a\n", "name: b\n");
    let on = "  dependsOn: [{name: b, readyExpr: \"dep.status.observedGeneration == 2\"}, {name: c, namespace: d}]\n";
    let texts = [
        object("", "", ""),
        object(held, "", ARTIFACT),
        object(held, all, ARTIFACT),
        object(held, all, &format!("{}{ARTIFACT}", ready())),
        object(
            held,
            "",
            &format!(
                "{}{ARTIFACT}",
                status(vec![
                    condition("Ready", "False"),
                    condition("Reconciling", "True")
                ])
            ),
        ),
        object(
            held,
            "",
            &format!(
                "{}{ARTIFACT}",
                status(vec![
                    condition("Ready", "False"),
                    condition("Stalled", "True")
                ])
            ),
        ),
        object(gone, "  deletionPolicy: WaitForTermination\n", &ready()),
        object(held, "  suspend: true\n", &ready()),
        object(held, on, &format!("{ARTIFACT}---\n{dependency}")),
        object(
            held,
            on,
            &format!(
                "{ARTIFACT}---\n{}",
                dependency.replace("spec:\n", "spec:\n  dependsOn: [{name: a}]\n")
            ),
        ),
    ];
    texts.map(String::into_bytes).into()
}
