//! Who looks after an object, and whether anybody does.

use serde_json::Value;
use sluice_object::Object;

use super::snapshot::Snapshot;
use super::state::condition;
use crate::resource::{HELM, KUSTOMIZE, at, by_kind};

/// The label by which objects are shared among controllers.
const SHARD: &str = "sharding.fluxcd.io/key";

/// Why nobody takes note of an object.
pub(super) enum Keeper<'s> {
    /// No controller was started for its shard.
    NoneForShard(String),
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
    let shard = object.label(SHARD);
    let keeper = deployments
        .into_iter()
        .find(|deployment| looks_after(deployment, shard));
    let Some(keeper) = keeper else {
        return Some(Keeper::NoneForShard(format!(
            "{SHARD}={}",
            shard.unwrap_or_default()
        )));
    };
    let is_down = at(keeper, "/spec/replicas") == Some(&Value::from(0))
        || condition(keeper, "Available").is_some_and(|available| available.is("False"));
    is_down.then_some(Keeper::Down(keeper))
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

fn looks_after(deployment: &Object, shard: Option<&str>) -> bool {
    let containers = at(deployment, "/spec/template/spec/containers").and_then(Value::as_array);
    let mut arguments = containers
        .into_iter()
        .flatten()
        .filter_map(|container| container["args"].as_array())
        .flatten()
        .filter_map(Value::as_str);
    let selector = arguments.find_map(|argument| argument.strip_prefix("--watch-label-selector="));
    match (selector, shard) {
        (None, _) => true,
        (Some(selector), None) => !selector.starts_with(SHARD),
        (Some(selector), Some(shard)) => {
            selector == format!("{SHARD}={shard}")
                || selector.contains(&format!("{SHARD} in ({shard})"))
                || !selector.contains(SHARD)
        }
    }
}
