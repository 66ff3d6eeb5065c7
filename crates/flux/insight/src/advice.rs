//! Commands that help with a fault. A fault that is fixed outside of the cluster ends with a
//! `reconcile`. Suspended, stalled and unhealthy objects need another command.

use serde_json::Value;
use sluice_api::meta::reason;
use sluice_object::Object;

use crate::fields::{at, text};
use crate::kinds::by_kind;
use crate::messages::unhealthy_objects;
use crate::model::Fault;
use crate::snapshot::{Id, Snapshot};
use crate::{relation, state, workload};

/// A part of the message of a Kustomization whose artifact has no such directory.
pub(crate) const NO_PATH: &str = "kustomization path not found";

/// Commands for a fault, the most useful first.
pub(crate) fn commands(
    snapshot: &Snapshot,
    cause: &Id,
    fault: &Fault,
    program: &str,
) -> Vec<String> {
    let Some(object) = snapshot.get(cause) else {
        return Vec::new();
    };
    let (name, namespace) = (object.name(), object.namespace());
    let noun = by_kind(object.kind()).map(|resource| resource.noun.join(" "));
    let noun = noun.unwrap_or_default();
    match fault {
        Fault::Suspended => vec![format!("{program} resume {noun} {name} -n {namespace}")],
        Fault::Circle { .. } => {
            let kind = object.kind().to_lowercase();
            vec![format!("kubectl edit {kind} {name} -n {namespace}")]
        }
        Fault::Unattended { .. } => vec![
            "kubectl get deployments -n flux-system".to_owned(),
            format!("kubectl label {noun} {name} sharding.fluxcd.io/key- -n {namespace}"),
        ],
        Fault::Unwatched { controller } => vec![
            format!("kubectl get deployment {controller} -A -o yaml"),
            format!("{program} install --watch-all-namespaces=true"),
        ],
        Fault::NoController if object.kind() == "Deployment" => {
            let mut commands = of_deployment(object);
            commands.push(format!("{program} check"));
            commands
        }
        Fault::NoController => vec![format!("{program} check"), format!("{program} install")],
        Fault::Unhealthy => of_workload(snapshot, object),
        Fault::Deleting => {
            let kind = object.kind().to_lowercase();
            vec![
                format!("kubectl get {kind} {name} -n {namespace} -o yaml"),
                format!("{program} check"),
            ]
        }
        Fault::Ignored { marker } => {
            let (kind, key) = (object.kind().to_lowercase(), marker.split(':').next());
            let key = key.unwrap_or_default();
            let verb = if object.annotation(key).is_some() {
                "annotate"
            } else {
                "label"
            };
            let scope = scope(object);
            vec![format!("kubectl {verb} {kind} {name} {key}-{scope}")]
        }
        Fault::Missing { what, .. } => {
            let editable = relation::release_of(snapshot, object).unwrap_or(object);
            of_missing(what, editable, program)
        }
        Fault::Failed { reason, message } => match relation::release_of(snapshot, object) {
            Some(release) => of_chart(object, release, (reason, message), program),
            None => failed(object, &noun, reason, message, program),
        },
    }
}

/// Edits the release of a generated chart, since helm-controller overwrites the chart.
fn of_chart(
    chart: &Object,
    release: &Object,
    (reason, message): (&str, &str),
    program: &str,
) -> Vec<String> {
    let mut commands = in_the_cluster(message, chart.namespace());
    if state::is_stalled(chart) || reason == reason::INVALID_CHART_REFERENCE {
        commands.push(edit(release));
    }
    let (name, namespace) = (release.name(), release.namespace());
    commands.push(format!(
        "{program} reconcile helmrelease {name} -n {namespace} --with-source"
    ));
    commands
}

/// The namespace of an object, as a flag.
fn scope(object: &Object) -> String {
    match object.namespace() {
        "" => String::new(),
        namespace => format!(" -n {namespace}"),
    }
}

fn of_deployment(deployment: &Object) -> Vec<String> {
    let (name, namespace) = (deployment.name(), deployment.namespace());
    if deployment.int_at(&["spec", "replicas"]) == Some(0) {
        return vec![format!(
            "kubectl scale deployment {name} --replicas=1 -n {namespace}"
        )];
    }
    vec![
        format!("kubectl logs deployment/{name} -n {namespace} --previous"),
        format!("kubectl describe deployment {name} -n {namespace}"),
    ]
}

/// Describes the unhealthy object and its first unhealthy Pod, and shows logs of a terminated one.
fn of_workload(snapshot: &Snapshot, object: &Object) -> Vec<String> {
    let (name, scope) = (object.name(), scope(object));
    let kind = object.kind().to_lowercase();
    let describe = format!("kubectl describe {kind} {name}{scope}");
    let logs = format!("kubectl logs {kind}/{name}{scope}");
    if workload::is_paused(object) {
        return vec![
            format!("kubectl rollout resume {kind} {name}{scope}"),
            describe,
        ];
    }
    if workload::is_scaled_to_zero(object) {
        return vec![
            format!("kubectl scale {kind} {name} --replicas=1{scope}"),
            describe,
        ];
    }
    if object.kind() == "Job" {
        return vec![logs, describe];
    }
    let mut commands = vec![describe];
    let mut pods =
        workload::pods(snapshot, object).filter(|pod| workload::is_unhealthy(snapshot, pod));
    if let Some(pod) = pods.next() {
        let called = pod.name();
        commands.push(format!("kubectl describe pod {called}{scope}"));
        if workload::has_ended(pod) {
            // kubectl knows the Pods of Kubernetes' own workloads only.
            let logs = if workload::has_logs(object) {
                logs
            } else {
                format!("kubectl logs {called}{scope}")
            };
            commands.push(format!("{logs} --previous"));
            commands.push(logs);
        }
    } else if object.kind() == "Pod" && workload::has_ended(object) {
        commands.push(format!("kubectl logs {name}{scope} --previous"));
    }
    commands
}

/// Lists the existing objects of the kind, edits the reference, or retries.
fn of_missing(what: &Id, object: &Object, program: &str) -> Vec<String> {
    let namespace = &what.namespace;
    let listed = by_kind(&what.kind).map(|resource| resource.listed.join(" "));
    let look = match listed {
        Some(listed) => format!("{program} get {listed} -n {namespace}"),
        None => format!("kubectl get {} -n {namespace}", what.kind.to_lowercase()),
    };
    let edit = edit(object);
    if !state::is_reconciled(object) {
        return vec![look, edit];
    }
    let mut commands = vec![look, edit];
    let noun = by_kind(object.kind()).map(|resource| resource.noun.join(" "));
    commands.extend(reconcile(object, &noun.unwrap_or_default(), program));
    commands
}

fn edit(object: &Object) -> String {
    let (kind, name, scope) = (object.kind().to_lowercase(), object.name(), scope(object));
    format!("kubectl edit {kind} {name}{scope}")
}

fn failed(object: &Object, noun: &str, reason: &str, message: &str, program: &str) -> Vec<String> {
    let (name, namespace) = (object.name(), object.namespace());
    let mut commands = in_the_cluster(message, namespace);
    match object.kind() {
        "HelmRelease" if is_of_release(reason) => {
            commands.extend(failed_release(object, noun, message, program));
            return commands;
        }
        "HelmRelease" => {
            let values = at(object, "/spec/valuesFrom").and_then(Value::as_array);
            let named = values.into_iter().flatten().find(|values| {
                let name = values["name"].as_str().unwrap_or_default();
                !name.is_empty() && message.contains(name)
            });
            if let Some(values) = named {
                let kind = values["kind"].as_str().unwrap_or_default().to_lowercase();
                let called = values["name"].as_str().unwrap_or_default();
                commands.push(format!("kubectl get {kind} {called} -n {namespace}"));
            }
        }
        "Kustomization" => {
            if let Some(check) = forbidden(message, namespace) {
                commands.push(check);
                // Permissions are fixed in the cluster, so the source is not involved.
                commands.push(format!("{program} reconcile {noun} {name} -n {namespace}"));
                return commands;
            }
            // The dependency is ready, but the expression of the object is wrong.
            if message.contains("readyExpr") {
                commands.push(edit(object));
            }
            if reason == reason::HEALTH_CHECK_FAILED
                && let Some(id) = unhealthy_objects(message).first()
            {
                let kind = id.kind.to_lowercase();
                let (called, within) = (&id.name, &id.namespace);
                commands.push(format!("kubectl get {kind} {called} -n {within}"));
            }
            // A retry fails again until the path or the repository is corrected.
            if message.contains(NO_PATH) {
                commands.push(edit(object));
                commands.push(format!(
                    "{program} reconcile {noun} {name} -n {namespace} --with-source"
                ));
                return commands;
            }
            if reason == reason::BUILD_FAILED {
                let path = text(object, "/spec/path");
                commands.push(format!(
                    "{program} build kustomization {name} -n {namespace} --path {path}"
                ));
            }
        }
        // The next event shows whether the provider accepts it.
        "Provider" | "Alert" => {
            commands.push(edit(object));
            commands.push(format!("{program} events --for Alert -n {namespace}"));
            return commands;
        }
        _ => {
            let secret = text(object, "/spec/secretRef/name");
            if !secret.is_empty() && is_about_access(message) {
                commands.push(format!("kubectl describe secret {secret} -n {namespace}"));
            }
        }
    }
    // A stalled object, or a generator that cannot build its artifacts, fails again until it is
    // edited.
    let lists = object.kind() == "ArtifactGenerator" && reason == reason::BUILD_FAILED;
    if state::is_stalled(object) || lists {
        commands.push(edit(object));
    }
    commands.extend(reconcile(object, noun, program));
    commands
}

/// Commands after a failed action of a release.
fn failed_release(object: &Object, noun: &str, message: &str, program: &str) -> Vec<String> {
    let (name, namespace) = (object.name(), object.namespace());
    let mut commands = Vec::new();
    // The chart rejects its values, so a retry fails again.
    let by_values = ["values", "template:", "execution error at"];
    let by_values = by_values.iter().any(|words| message.contains(words));
    if by_values || message.contains("requires kubeVersion") {
        commands.push(edit(object));
    }
    if by_values {
        commands.push(format!(
            "{program} debug {noun} {name} -n {namespace} --show-values"
        ));
    }
    // A reset is needed once the retries are exhausted.
    let release = format!("{program} reconcile {noun} {name} -n {namespace}");
    if state::is_stalled(object) {
        commands.push(format!("{release} --reset"));
    }
    commands.push(format!("{release} --force"));
    commands
}

/// Commands for cluster objects that a message reports as missing.
fn in_the_cluster(message: &str, namespace: &str) -> Vec<String> {
    let mut commands: Vec<String> = absent(message, namespace).into_iter().collect();
    let quoted = |after: &str| {
        let (_, rest) = message.split_once(after)?;
        let (word, _) = rest.split_once('"')?;
        Some(word)
    };
    let missing = quoted("namespaces \"").filter(|_| message.contains("\" not found"));
    if let Some(missing) = missing {
        commands.push(format!("kubectl create namespace {missing}"));
    }
    let group = quoted("in version \"").and_then(|version| version.split_once('/'));
    if let Some((group, _)) = group.filter(|_| message.contains("no matches for kind")) {
        commands.push(format!("kubectl api-resources --api-group={group}"));
    }
    commands
}

/// A look at the Secret, config map or account that a message says is not there, or lacks an entry:
/// `secrets "x" not found`, `Secret 'a/x' has no key …`.
fn absent(message: &str, namespace: &str) -> Option<String> {
    let words: Vec<&str> = message.split_whitespace().collect();
    words.windows(2).find_map(|pair| {
        let kind = match pair[0]
            .trim_matches(['\'', '"', '('])
            .to_lowercase()
            .as_str()
        {
            "secret" | "secrets" => "secret",
            "configmap" | "configmaps" => "configmap",
            "serviceaccount" | "serviceaccounts" => "serviceaccount",
            _ => return None,
        };
        let quoted = pair[1].trim_end_matches([',', ':', '.', ')', ';']);
        let called = quoted
            .strip_prefix(['\'', '"'])?
            .strip_suffix(['\'', '"'])?;
        let (within, called) = called.split_once('/').unwrap_or((namespace, called));
        Some(format!("kubectl get {kind} {called} -n {within}"))
    })
}

/// The command that reconciles the object at once, with its source if the fault may be there.
fn reconcile(object: &Object, noun: &str, program: &str) -> Vec<String> {
    let (name, namespace) = (object.name(), object.namespace());
    let Some(resource) = by_kind(object.kind()).filter(|kind| kind.verbs.changes()) else {
        // No command exists for the kind; the annotation has the same effect.
        let kind = object.kind().to_lowercase();
        let now = "reconcile.fluxcd.io/requestedAt=\"$(date +%s)\"";
        return vec![format!(
            "kubectl annotate --overwrite {kind} {name} {now} -n {namespace}"
        )];
    };
    if !resource.verbs.reconciles() {
        return Vec::new();
    }
    let command = format!("{program} reconcile {noun} {name} -n {namespace}");
    match object.kind() {
        "Kustomization" => vec![format!("{command} --with-source"), command],
        _ => vec![command],
    }
}

/// Whether a release was tried, rather than prepared.
fn is_of_release(reason: &str) -> bool {
    let tried = ["Install", "Upgrade", "Rollback", "Uninstall", "Test"];
    reason == "RetriesExceeded" || tried.iter().any(|action| reason.starts_with(action))
}

/// Whether a message of a remote is about credentials.
fn is_about_access(message: &str) -> bool {
    let message = message.to_lowercase();
    [
        "auth",
        "denied",
        "forbidden",
        "credential",
        "knownhosts",
        "handshake",
    ]
    .iter()
    .any(|word| message.contains(word))
}

/// The `kubectl auth can-i` for a denied request: `User "x" cannot patch
/// resource "deployments" in API group "apps"`.
fn forbidden(message: &str, namespace: &str) -> Option<String> {
    let quoted = |after: &str| {
        let (_, rest) = message.split_once(after)?;
        let (word, _) = rest.split_once('"')?;
        Some(word)
    };
    let user = quoted("User \"")?;
    let (_, rest) = message.split_once("cannot ")?;
    let verb = rest.split(' ').next()?;
    let resource = quoted(" resource \"")?;
    let group = quoted("in API group \"").unwrap_or_default();
    let resource = if group.is_empty() {
        resource.to_owned()
    } else {
        format!("{resource}.{group}")
    };
    let namespace = quoted("in the namespace \"").unwrap_or(namespace);
    Some(format!(
        "kubectl auth can-i {verb} {resource} --as={user} -n {namespace}"
    ))
}
