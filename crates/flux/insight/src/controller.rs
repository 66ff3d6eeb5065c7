//! Finds the controller of an object and whether it runs.

use serde_json::Value;
use sluice_object::Object;
use sluice_object::selector::Selector;

use crate::fields::at;
use crate::kinds::{HELM, KUSTOMIZE, by_kind};
use crate::snapshot::Snapshot;
use crate::state::condition;

/// The label that assigns an object to a shard.
const SHARD: &str = "sharding.fluxcd.io/key";

/// The reason why no controller handles an object.
pub(crate) enum Absence<'s> {
    /// No controller runs for its shard.
    NoShard(String),
    /// The controller watches only its own namespace.
    OtherNamespace(String),
    /// The controller is not installed.
    NotInstalled,
    /// The controller is installed and does not run.
    Down(&'s Object),
}

/// The reason why no controller handles an object; `None` if one does.
pub(crate) fn absence<'s>(snapshot: &'s Snapshot, object: &Object) -> Option<Absence<'s>> {
    let name = name(object)?;
    let deployments: Vec<&Object> = snapshot
        .of_kind("Deployment")
        .filter(|deployment| runs(deployment, name))
        .collect();
    if deployments.is_empty() {
        return Some(Absence::NotInstalled);
    }
    let candidates: Vec<&Object> = deployments
        .into_iter()
        .filter(|deployment| selects(deployment, object))
        .collect();
    if candidates.is_empty() {
        let shard = object.label(SHARD).unwrap_or_default();
        return Some(Absence::NoShard(format!("{SHARD}={shard}")));
    }
    let mut here = candidates
        .into_iter()
        .filter(|candidate| watches(candidate, object.namespace()));
    match here.next() {
        None => Some(Absence::OtherNamespace(name.to_owned())),
        Some(candidate) => is_down(candidate).then_some(Absence::Down(candidate)),
    }
}

/// The stopped controller whose Service an error message names.
pub(crate) fn out_of_reach<'s>(snapshot: &'s Snapshot, message: &str) -> Option<&'s Object> {
    snapshot.of_kind("Deployment").find(|deployment| {
        let (name, namespace) = (deployment.name(), deployment.namespace());
        message.contains(&format!("//{name}.{namespace}.")) && is_down(deployment)
    })
}

fn is_down(deployment: &Object) -> bool {
    at(deployment, "/spec/replicas") == Some(&Value::from(0))
        || condition(deployment, "Available").is_some_and(|available| available.is("False"))
}

/// The controller of an object, by the name of its Deployment.
fn name(object: &Object) -> Option<&'static str> {
    Some(match (by_kind(object.kind())?.group, object.kind()) {
        (KUSTOMIZE, _) => "kustomize-controller",
        (HELM, _) => "helm-controller",
        (_, "ImageRepository" | "ImagePolicy") => "image-reflector-controller",
        (_, "ImageUpdateAutomation") => "image-automation-controller",
        (_, "Receiver" | "Alert" | "Provider") => "notification-controller",
        (_, "ArtifactGenerator") => "source-watcher",
        _ => "source-controller",
    })
}

/// Whether a Deployment is this controller, or a shard of it.
fn runs(deployment: &Object, name: &str) -> bool {
    deployment.name() == name
        || deployment.label("app.kubernetes.io/component") == Some(name)
        || deployment.name().starts_with(&format!("{name}-"))
}

/// Whether the label selector of a controller matches an object.
fn selects(deployment: &Object, object: &Object) -> bool {
    let Some(selector) = argument(deployment, "--watch-label-selector") else {
        return true;
    };
    Selector::parse(selector).map_or(true, |selector| selector.matches(|key| object.label(key)))
}

/// Whether a controller watches a namespace.
fn watches(deployment: &Object, namespace: &str) -> bool {
    argument(deployment, "--watch-all-namespaces") != Some("false")
        || deployment.namespace() == namespace
}

/// The value of a controller flag, as `--flag=value` or `--flag value`.
fn argument<'o>(deployment: &'o Object, flag: &str) -> Option<&'o str> {
    let containers = at(deployment, "/spec/template/spec/containers").and_then(Value::as_array);
    let mut arguments = containers
        .into_iter()
        .flatten()
        .filter_map(|container| container["args"].as_array())
        .flatten()
        .filter_map(Value::as_str);
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix(flag) {
            Some("") => return arguments.next(),
            Some(rest) if rest.starts_with('=') => return Some(&rest[1..]),
            _ => {}
        }
    }
    None
}
