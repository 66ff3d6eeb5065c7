//! `tree kustomization`: the inventory as a tree, Kustomizations in it opened in turn.

use std::collections::HashSet;

use futures::future::{FutureExt as _, LocalBoxFuture};
use serde::Serialize;
use serde_json::Value;
use sluice_object::{Object, ObjectId};

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::Format;
use crate::output::tree::Node;
use crate::resource::{RESOURCES, Resource, at, by_kind, text};
use crate::{CommandResult, Exit, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the Kustomization
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Show Flux's own objects only
    #[arg(long, switch = false)]
    compact: bool,
    /// Format of the output
    #[arg(long, short, value_enum, value_name = "FORMAT")]
    output: Option<Format>,
}

/// An object and what it applied. `missing` marks one that the inventory has and the cluster has
/// not.
#[derive(Debug, Serialize)]
struct Entry {
    resource: Identity,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    missing: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resources: Vec<Self>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Identity {
    namespace: String,
    name: String,
    group_kind: GroupKind,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct GroupKind {
    group: String,
    kind: String,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let Some(name) = args.name.first() else {
        return Err(CommandError::user("kustomization name is required"));
    };
    let resource = kustomizations()?;
    let object = context.block_on(context.required(resource, name))??;
    let mut open = HashSet::from([object.id()]);
    let root = context.block_on(entry(context, &object, args.compact, &mut open))??;
    match args.output {
        Some(format) => output::stdout(&output::value(&root, format)?)?,
        None => output::stdout(&node(&root).render())?,
    }
    Ok(Exit::SUCCESS)
}

fn kustomizations() -> Result<&'static Resource, CommandError> {
    by_kind("Kustomization")
        .ok_or_else(|| CommandError::internal("the registry lacks Kustomization"))
}

/// What this Kustomization applied. One that applies to a remote cluster is not opened: its
/// inventory is not of this one. `open` breaks the loop of one that applies itself.
fn entry<'a>(
    context: &'a Context,
    object: &'a Object,
    compact: bool,
    open: &'a mut HashSet<ObjectId>,
) -> LocalBoxFuture<'a, Result<Entry, CommandError>> {
    async move {
        let mut children = Vec::new();
        for id in inventory(object)? {
            let ours = RESOURCES
                .iter()
                .any(|resource| resource.kind == id.kind && resource.group == id.group);
            if compact && !ours {
                continue;
            }
            let nested = id.kind == "Kustomization" && ours;
            if !nested || !open.insert(id.clone()) {
                children.push(Entry::leaf(&id, false));
                continue;
            }
            match context
                .find_in(kustomizations()?, &id.namespace, &id.name)
                .await?
            {
                None => children.push(Entry::leaf(&id, true)),
                Some(child) if at(&child, "/spec/kubeConfig").is_some() => {
                    children.push(Entry::leaf(&id, false));
                }
                Some(child) => children.push(entry(context, &child, compact, open).await?),
            }
        }
        Ok(Entry {
            resources: children,
            ..Entry::leaf(&object.id(), false)
        })
    }
    .boxed_local()
}

/// The ids in `status.inventory`, in its order.
fn inventory(object: &Object) -> Result<Vec<ObjectId>, CommandError> {
    at(object, "/status/inventory/entries")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .map(|entry| {
            let id = entry["id"].as_str().unwrap_or_default();
            ObjectId::parse_inventory(id).map_err(|error| {
                CommandError::cluster(format!(
                    "inventory of Kustomization '{}/{}': {error}",
                    text(object, "/metadata/namespace"),
                    object.name()
                ))
            })
        })
        .collect()
}

impl Entry {
    fn leaf(id: &ObjectId, missing: bool) -> Self {
        Self {
            resource: Identity {
                namespace: id.namespace.clone(),
                name: id.name.clone(),
                group_kind: GroupKind {
                    group: id.group.clone(),
                    kind: id.kind.clone(),
                },
            },
            missing,
            resources: Vec::new(),
        }
    }
}

fn node(entry: &Entry) -> Node {
    let id = &entry.resource;
    let kind = &id.group_kind.kind;
    let mut label = if id.namespace.is_empty() {
        format!("{kind}/{}", id.name)
    } else {
        format!("{kind}/{}/{}", id.namespace, id.name)
    };
    if entry.missing {
        label.push_str(" (missing)");
    }
    Node {
        label,
        children: entry.resources.iter().map(node).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_inventory_is_read_in_its_order_and_a_bad_id_is_named() {
        let object = |ids: &[&str]| -> Object {
            let entries: Vec<Value> = ids.iter().map(|id| json!({"id": id, "v": "v1"})).collect();
            serde_json::from_value(json!({
                "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
                "metadata": {"name": "apps", "namespace": "flux-system"},
                "status": {"inventory": {"entries": entries}},
            }))
            .unwrap()
        };
        let ids = inventory(&object(&["_web__Namespace", "web_app_apps_Deployment"])).unwrap();
        assert_eq!(ids[0].kind, "Namespace");
        assert_eq!(ids[1].group, "apps");
        let error = inventory(&object(&["nonsense"])).unwrap_err();
        assert!(
            error.message().contains("flux-system/apps"),
            "{}",
            error.message()
        );
    }
}
