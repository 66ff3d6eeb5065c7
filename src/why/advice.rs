//! The command that helps with a fault, as a user would type it. What is mended outside of the
//! cluster is looked at anew by reconciling; what is suspended, stalled or merely not healthy is
//! not.

use serde_json::Value;
use sluice_object::Object;

use super::snapshot::{Id, Snapshot};
use super::{Fault, state};
use crate::resource::{at, by_kind, text};

/// Commands for a fault, the most likely one first.
pub(super) fn commands(
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
        Fault::NoController if object.kind() == "Deployment" => of_deployment(object),
        Fault::NoController => vec![format!("{program} check")],
        Fault::Unhealthy => of_workload(object),
        Fault::Going => {
            let kind = object.kind().to_lowercase();
            vec![
                format!("kubectl get {kind} {name} -n {namespace} -o yaml"),
                format!("{program} check"),
            ]
        }
        Fault::LeftAlone { mark } => {
            let (kind, key) = (object.kind().to_lowercase(), mark.split(':').next());
            let key = key.unwrap_or_default();
            vec![format!(
                "kubectl annotate {kind} {name} {key}- -n {namespace}"
            )]
        }
        Fault::Missing { what, .. } => of_missing(what, object, &noun, program),
        Fault::Failed { reason, message } => failed(object, &noun, reason, message, program),
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

fn of_workload(object: &Object) -> Vec<String> {
    let (name, namespace) = (object.name(), object.namespace());
    let kind = object.kind().to_lowercase();
    let describe = format!("kubectl describe {kind} {name} -n {namespace}");
    if object.kind() == "Job" {
        return vec![format!("kubectl logs job/{name} -n {namespace}"), describe];
    }
    vec![describe]
}

fn of_missing(what: &Id, object: &Object, noun: &str, program: &str) -> Vec<String> {
    let namespace = &what.namespace;
    let listed = by_kind(&what.kind).map(|resource| resource.listed.join(" "));
    let look = match listed {
        Some(listed) => format!("{program} get {listed} -n {namespace}"),
        None => format!("kubectl get {} -n {namespace}", what.kind.to_lowercase()),
    };
    let (name, own) = (object.name(), object.namespace());
    let mend = if state::is_reconciled(object) {
        reconcile(object, noun, program)
    } else {
        format!("kubectl edit {noun} {name} -n {own}")
    };
    vec![look, mend]
}

fn failed(object: &Object, noun: &str, reason: &str, message: &str, program: &str) -> Vec<String> {
    let (name, namespace) = (object.name(), object.namespace());
    let mut commands: Vec<String> = absent(message, namespace).into_iter().collect();
    match object.kind() {
        "HelmRelease" if is_of_release(reason) => {
            let kind = object.kind().to_lowercase();
            if message.contains("values") {
                commands.push(format!("kubectl edit {kind} {name} -n {namespace}"));
            }
            // Without a reset it does not try again once its retries are used up.
            let how = if state::is_stalled(object) {
                "--reset"
            } else {
                "--force"
            };
            commands.push(format!(
                "{program} reconcile {noun} {name} -n {namespace} {how}"
            ));
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
                // Rights are mended in the cluster: no source has to be asked.
                commands.push(format!("{program} reconcile {noun} {name} -n {namespace}"));
                return commands;
            }
            // What it waits for is well, and its own expression says otherwise.
            if message.contains("readyExpr") {
                commands.push(format!("kubectl edit kustomization {name} -n {namespace}"));
            }
            if reason == "HealthCheckFailed"
                && let Some(id) = super::unhealthy(message).first()
            {
                let kind = id.kind.to_lowercase();
                let (called, within) = (&id.name, &id.namespace);
                commands.push(format!("kubectl get {kind} {called} -n {within}"));
            }
        }
        _ => {
            let secret = text(object, "/spec/secretRef/name");
            if !secret.is_empty() && is_about_access(message) {
                commands.push(format!("kubectl describe secret {secret} -n {namespace}"));
            }
        }
    }
    // What is stalled, or does not build what its spec lists, is wrong by its own spec: another try
    // comes out the same.
    let lists = object.kind() == "ArtifactGenerator" && reason == "BuildFailed";
    if state::is_stalled(object) || lists {
        let kind = object.kind().to_lowercase();
        commands.push(format!("kubectl edit {kind} {name} -n {namespace}"));
    }
    commands.push(reconcile(object, noun, program));
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

fn reconcile(object: &Object, noun: &str, program: &str) -> String {
    let (name, namespace) = (object.name(), object.namespace());
    let with_source = if object.kind() == "Kustomization" {
        " --with-source"
    } else {
        ""
    };
    format!("{program} reconcile {noun} {name} -n {namespace}{with_source}")
}

/// Whether a release was tried, rather than prepared.
fn is_of_release(reason: &str) -> bool {
    let tried = ["Install", "Upgrade", "Rollback", "Uninstall", "Test"];
    reason == "RetriesExceeded" || tried.iter().any(|action| reason.starts_with(action))
}

/// Whether a remote spoke of who asks rather than of what is asked for.
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

/// The question to the API server that it has just answered with no: `User "x" cannot patch
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
