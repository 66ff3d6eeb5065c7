//! Who looks after an object, and whether anybody does.

use serde_json::Value;
use sluice_object::Object;
use sluice_object::selector::Selector;

use super::snapshot::Snapshot;
use super::state::condition;
use crate::resource::{HELM, KUSTOMIZE, at, by_kind};

/// The label by which objects are shared among controllers.
const SHARD: &str = "sharding.fluxcd.io/key";

/// Why nobody takes note of an object.
pub(super) enum Keeper<'s> {
    /// No controller was started for its shard.
    NoneForShard(String),
    /// It looks after its own namespace only, and the object is in another one.
    Elsewhere(String),
    /// The controller is not installed.
    Absent,
    /// It is there and does not run.
    Down(&'s Object),
}

/// Who does not look after an object; nobody is to blame where the controller runs.
pub(super) fn of<'s>(snapshot: &'s Snapshot, object: &Object) -> Option<Keeper<'s>> {
    let name = name(object)?;
    let deployments: Vec<&Object> = snapshot
        .of_kind("Deployment")
        .filter(|deployment| runs(deployment, name))
        .collect();
    if deployments.is_empty() {
        return Some(Keeper::Absent);
    }
    let keepers: Vec<&Object> = deployments
        .into_iter()
        .filter(|deployment| selects(deployment, object))
        .collect();
    if keepers.is_empty() {
        let shard = object.label(SHARD).unwrap_or_default();
        return Some(Keeper::NoneForShard(format!("{SHARD}={shard}")));
    }
    let mut here = keepers
        .into_iter()
        .filter(|keeper| watches(keeper, object.namespace()));
    match here.next() {
        None => Some(Keeper::Elsewhere(name.to_owned())),
        Some(keeper) => is_down(keeper).then_some(Keeper::Down(keeper)),
    }
}

/// The controller that could not be reached, by an error that names its Service, if it does not run.
pub(super) fn out_of_reach<'s>(snapshot: &'s Snapshot, message: &str) -> Option<&'s Object> {
    snapshot.of_kind("Deployment").find(|deployment| {
        let (name, namespace) = (deployment.name(), deployment.namespace());
        message.contains(&format!("//{name}.{namespace}.")) && is_down(deployment)
    })
}

fn is_down(deployment: &Object) -> bool {
    at(deployment, "/spec/replicas") == Some(&Value::from(0))
        || condition(deployment, "Available").is_some_and(|available| available.is("False"))
}

/// The controller of a kind, as its Deployment is called.
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

/// Whether a controller was started for objects with the labels of this one.
fn selects(deployment: &Object, object: &Object) -> bool {
    let Some(selector) = argument(deployment, "--watch-label-selector") else {
        return true;
    };
    Selector::parse(selector).map_or(true, |selector| selector.matches(|key| object.label(key)))
}

/// Whether a controller was started for a namespace.
fn watches(deployment: &Object, namespace: &str) -> bool {
    argument(deployment, "--watch-all-namespaces") != Some("false")
        || deployment.namespace() == namespace
}

/// The value of a flag that a controller was started with, in either form.
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
