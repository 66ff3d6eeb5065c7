//! The objects that a Kustomization or an artifact generator owns, as a tree.
//!
//! Kustomizations and `HelmRelease`s of an inventory are opened in turn. A Kustomization
//! for a remote cluster shows only its own inventory, because its objects are not here.

mod pods;

use futures::StreamExt as _;
use futures::future::{FutureExt as _, LocalBoxFuture};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use sluice_client::Cluster;
use sluice_object::{Object, ObjectId};

use crate::error::Error;
use crate::fields::{at, inventory, text};
use crate::health::{self, ObjectHealth};
use crate::helm;
use crate::kinds::{HELM, KUSTOMIZE, by_kind};
use crate::read::find;

pub use pods::add_pods;

/// Concurrent requests.
const MAX_CONCURRENT_REQUESTS: usize = 16;

/// The common part of the groups of Flux's kinds.
const FLUX: &str = "toolkit.fluxcd.io";

/// An object and the objects that it owns.
#[derive(Debug, Serialize)]
pub struct Node {
    /// The object.
    #[serde(serialize_with = "serialize_id")]
    pub resource: ObjectId,
    /// Whether the object is in the inventory and not in the cluster.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub missing: bool,
    /// Its health, if that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The objects that it owns.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<Self>,
}

/// Writes an id as Go marshals `object.ObjMetadata`.
fn serialize_id<S: Serializer>(id: &ObjectId, serializer: S) -> Result<S::Ok, S::Error> {
    json!({
        "Namespace": id.namespace,
        "Name": id.name,
        "GroupKind": { "Group": id.group, "Kind": id.kind },
    })
    .serialize(serializer)
}

impl Node {
    /// A node without children.
    pub fn leaf(id: &ObjectId) -> Self {
        Self {
            resource: id.clone(),
            missing: false,
            status: None,
            resources: Vec::new(),
        }
    }

    fn mark_missing(mut self) -> Self {
        self.missing = true;
        self
    }

    /// The kind of the object.
    pub fn kind(&self) -> &str {
        &self.resource.kind
    }

    fn group(&self) -> &str {
        &self.resource.group
    }
}

/// The generator with the artifacts of its inventory.
pub fn of_generator(generator: &Object) -> Node {
    let (group, kind) = ("source.toolkit.fluxcd.io", "ExternalArtifact");
    let mut root = Node::leaf(&generator.id());
    let inventory = at(generator, "/status/inventory").and_then(Value::as_array);
    let artifacts = inventory.into_iter().flatten().map(|artifact| {
        let text = |field: &str| artifact[field].as_str().unwrap_or_default().to_owned();
        Node::leaf(&ObjectId {
            group: group.to_owned(),
            kind: kind.to_owned(),
            namespace: text("namespace"),
            name: text("name"),
        })
    });
    root.resources = artifacts.collect();
    root
}

/// Reads the tree of a Kustomization down to a number of levels.
pub async fn of_kustomization(
    cluster: &Cluster,
    object: &Object,
    only_flux: bool,
    levels: usize,
) -> Result<Node, Error> {
    let reader = TreeReader { cluster, only_flux };
    reader.node(object, &[], levels).await
}

struct TreeReader<'a> {
    cluster: &'a Cluster,
    only_flux: bool,
}

impl TreeReader<'_> {
    /// The inventory of a Kustomization. `above` ends cycles of Kustomizations.
    fn node<'a>(
        &'a self,
        object: &'a Object,
        above: &'a [ObjectId],
        levels: usize,
    ) -> LocalBoxFuture<'a, Result<Node, Error>> {
        async move {
            let mut node = Node::leaf(&object.id());
            if levels == 0 {
                return Ok(node);
            }
            let own = object.id();
            let above = [above, std::slice::from_ref(&own)].concat();
            let is_local = at(object, "/spec/kubeConfig").is_none_or(Value::is_null);
            let ids = parse_inventory(object)?;
            let ids = ids.iter().filter(|id| self.shows(id) && **id != own);
            node.resources = futures::stream::iter(ids)
                .map(|id| self.child(id, &above, is_local, levels - 1))
                .buffered(MAX_CONCURRENT_REQUESTS)
                .collect::<Vec<_>>()
                .await
                .into_iter()
                .collect::<Result<_, _>>()?;
            Ok(node)
        }
        .boxed_local()
    }

    fn shows(&self, id: &ObjectId) -> bool {
        !self.only_flux || id.group.contains(FLUX)
    }

    async fn child(
        &self,
        id: &ObjectId,
        above: &[ObjectId],
        is_local: bool,
        levels: usize,
    ) -> Result<Node, Error> {
        let mut leaf = Node::leaf(id);
        if !is_local {
            return Ok(leaf);
        }
        match (id.group.as_str(), id.kind.as_str()) {
            (KUSTOMIZE, "Kustomization") if !above.contains(id) => {
                let Some(kind) = by_kind(&id.kind) else {
                    return Ok(leaf);
                };
                match find(self.cluster, kind, &id.namespace, &id.name).await? {
                    Some(child) => self.node(&child, above, levels).await,
                    None => Ok(leaf.mark_missing()),
                }
            }
            (HELM, "HelmRelease") => match helm::inventory(self.cluster, id).await? {
                Some(ids) => {
                    let ids = ids.iter().filter(|id| levels > 0 && self.shows(id));
                    leaf.resources = ids.map(Node::leaf).collect();
                    Ok(leaf)
                }
                None => Ok(leaf.mark_missing()),
            },
            _ => Ok(leaf),
        }
    }
}

/// The ids of `status.inventory`, in its order.
fn parse_inventory(object: &Object) -> Result<Vec<ObjectId>, Error> {
    inventory(object)
        .map(|(id, _)| {
            ObjectId::parse_inventory(id).map_err(|error| {
                Error::Malformed(format!(
                    "inventory of Kustomization '{}/{}': {error}",
                    text(object, "/metadata/namespace"),
                    object.name()
                ))
            })
        })
        .collect()
}

/// Reads the health of every object of a tree.
pub async fn add_health(cluster: &Cluster, root: &mut Node) -> Result<(), Error> {
    let mut nodes = Vec::new();
    flatten(root, &mut nodes);
    let results: Vec<_> = futures::stream::iter(nodes)
        .map(|node| add_health_of(cluster, node))
        .buffer_unordered(MAX_CONCURRENT_REQUESTS)
        .collect()
        .await;
    results.into_iter().collect()
}

/// A node without its children.
struct FlatNode<'n> {
    resource: &'n ObjectId,
    missing: &'n mut bool,
    status: &'n mut Option<String>,
}

fn flatten<'n>(node: &'n mut Node, nodes: &mut Vec<FlatNode<'n>>) {
    if !node.missing {
        nodes.push(FlatNode {
            resource: &node.resource,
            missing: &mut node.missing,
            status: &mut node.status,
        });
    }
    for child in &mut node.resources {
        flatten(child, nodes);
    }
}

async fn add_health_of(cluster: &Cluster, node: FlatNode<'_>) -> Result<(), Error> {
    match health::read(cluster, node.resource).await? {
        ObjectHealth::Missing => *node.missing = true,
        health => *node.status = Some(health.to_string()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inventory_keeps_its_order_and_names_bad_ids() {
        let object = |ids: &[&str]| -> Object {
            let entries: Vec<Value> = ids.iter().map(|id| json!({"id": id, "v": "v1"})).collect();
            serde_json::from_value(json!({
                "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
                "metadata": {"name": "apps", "namespace": "flux-system"},
                "status": {"inventory": {"entries": entries}},
            }))
            .unwrap()
        };
        let object_ids = |ids: &[&str]| parse_inventory(&object(ids));
        let ids = object_ids(&["_web__Namespace", "web_app_apps_Deployment"]).unwrap();
        assert_eq!(ids[0].kind, "Namespace");
        assert_eq!(ids[1].group, "apps");
        let error = object_ids(&["nonsense"]).unwrap_err().to_string();
        assert!(error.contains("flux-system/apps"), "{error}");
    }

    #[test]
    fn generator_lists_artifacts_in_inventory_order() {
        let generator: Object = serde_json::from_value(json!({
            "apiVersion": "source.extensions.fluxcd.io/v1beta1", "kind": "ArtifactGenerator",
            "metadata": {"name": "split", "namespace": "apps"},
            "status": {"inventory": [
                {"name": "web", "namespace": "apps", "digest": "sha256:1", "filename": "1.tar.gz"},
                {"name": "api", "namespace": "apps"},
            ]},
        }))
        .unwrap();
        let root = of_generator(&generator);
        let ids = root.resources.iter().map(|node| node.resource.to_string());
        let ids: Vec<String> = ids.collect();
        assert_eq!(
            ids,
            ["ExternalArtifact/apps/web", "ExternalArtifact/apps/api"]
        );
    }
}
