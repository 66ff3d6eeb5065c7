//! The objects of workloads by owner references: `Deployment` → `ReplicaSet` → `Pod`,
//! `CronJob` → `Job` → `Pod`. Each kind is listed once per namespace.

use std::collections::{BTreeSet, HashMap};

use futures::future::try_join_all;
use serde_json::Value;
use sluice_client::{Cluster, GroupVersionKind, ListOptions};
use sluice_object::Object;

use super::Node;
use crate::error::Error;
use crate::fields::at;
use crate::read::objects;

/// Kinds that create others, with the kinds that they create.
const CREATORS: [(&str, &str, &[&str]); 6] = [
    ("apps", "Deployment", &["ReplicaSet", "Pod"]),
    ("apps", "ReplicaSet", &["Pod"]),
    ("apps", "StatefulSet", &["Pod"]),
    ("apps", "DaemonSet", &["Pod"]),
    ("batch", "CronJob", &["Job", "Pod"]),
    ("batch", "Job", &["Pod"]),
];

/// Namespace, kind and name of an owner.
type Owner = (String, String, String);

/// Adds the objects of every workload to a tree.
pub async fn add_pods(cluster: &Cluster, root: &mut Node, levels: usize) -> Result<(), Error> {
    let mut wanted = BTreeSet::new();
    collect(root, &mut wanted);
    let lists = wanted.into_iter().map(|(namespace, kind)| async move {
        let group = match kind {
            "ReplicaSet" => "apps",
            "Job" => "batch",
            _ => "",
        };
        let gvk = GroupVersionKind::gvk(group, "v1", kind);
        let options = ListOptions::default();
        let list = cluster.list(&gvk, Some(&namespace), &options).await;
        list.map(|list| objects(list.items))
    });
    let mut made: HashMap<Owner, Vec<Object>> = HashMap::new();
    for object in try_join_all(lists).await?.into_iter().flatten() {
        if let Some(owner) = controller(&object) {
            made.entry(owner).or_default().push(object);
        }
    }
    attach(root, &made, levels);
    Ok(())
}

/// Collects the kinds to list per namespace.
fn collect(entry: &Node, wanted: &mut BTreeSet<(String, &'static str)>) {
    for (group, kind, below) in CREATORS {
        if entry.group() == group && entry.kind() == kind {
            let namespace = &entry.resource.namespace;
            wanted.extend(below.iter().map(|kind| (namespace.clone(), *kind)));
        }
    }
    for child in &entry.resources {
        collect(child, wanted);
    }
}

/// The controlling owner of an object.
fn controller(object: &Object) -> Option<Owner> {
    let references = object.at(&["metadata", "ownerReferences"])?.as_array()?;
    let reference = references
        .iter()
        .find(|reference| reference["controller"] == Value::Bool(true))?;
    let text = |field: &str| reference[field].as_str().map(ToOwned::to_owned);
    Some((object.namespace().to_owned(), text("kind")?, text("name")?))
}

fn attach(entry: &mut Node, made: &HashMap<Owner, Vec<Object>>, levels: usize) {
    if levels == 0 {
        return;
    }
    for child in &mut entry.resources {
        attach(child, made, levels - 1);
    }
    let is_creator = CREATORS
        .iter()
        .any(|(group, kind, _)| entry.group() == *group && entry.kind() == *kind);
    if is_creator {
        let (namespace, kind, name) = (
            &entry.resource.namespace,
            entry.kind(),
            &entry.resource.name,
        );
        entry.resources = below(
            &(namespace.clone(), kind.to_owned(), name.clone()),
            made,
            levels,
        );
    }
}

fn below(owner: &Owner, made: &HashMap<Owner, Vec<Object>>, levels: usize) -> Vec<Node> {
    let mut entries: Vec<Node> = made
        .get(owner)
        .into_iter()
        .flatten()
        .filter(|object| levels > 0 && !is_retired(object, made))
        .map(|object| {
            let mut entry = Node::leaf(&object.id());
            entry.resources = below(&key(object), made, levels - 1);
            entry
        })
        .collect();
    entries.sort_by(|left, right| left.resource.name.cmp(&right.resource.name));
    entries
}

fn key(object: &Object) -> Owner {
    let text = |text: &str| text.to_owned();
    (
        text(object.namespace()),
        text(object.kind()),
        text(object.name()),
    )
}

/// A `ReplicaSet` of an earlier revision, without Pods.
fn is_retired(object: &Object, made: &HashMap<Owner, Vec<Object>>) -> bool {
    object.kind() == "ReplicaSet"
        && at(object, "/spec/replicas").and_then(Value::as_i64) == Some(0)
        && !made.contains_key(&key(object))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sluice_object::ObjectId;

    use super::*;

    /// The depth and id of each node.
    fn outline(node: &Node, depth: usize) -> Vec<String> {
        let mut lines = vec![format!("{depth} {}", node.resource)];
        for child in &node.resources {
            lines.extend(outline(child, depth + 1));
        }
        lines
    }

    fn object(kind: &str, name: &str, owner: (&str, &str), spec: &Value) -> Object {
        let api_version = if kind == "Pod" { "v1" } else { "apps/v1" };
        serde_json::from_value(
            json!({"apiVersion": api_version, "kind": kind, "spec": spec,
            "metadata": {"name": name, "namespace": "apps", "ownerReferences": [
                {"kind": owner.0, "name": owner.1, "controller": true}]}}),
        )
        .unwrap()
    }

    #[test]
    fn pods_appear_below_their_current_replica_set() {
        let mut made: HashMap<Owner, Vec<Object>> = HashMap::new();
        for object in [
            object(
                "ReplicaSet",
                "web-2",
                ("Deployment", "web"),
                &json!({"replicas": 2}),
            ),
            object(
                "ReplicaSet",
                "web-1",
                ("Deployment", "web"),
                &json!({"replicas": 0}),
            ),
            object("Pod", "web-2-b", ("ReplicaSet", "web-2"), &json!({})),
            object("Pod", "web-2-a", ("ReplicaSet", "web-2"), &json!({})),
        ] {
            made.entry(controller(&object).unwrap())
                .or_default()
                .push(object);
        }
        let leaf = |id: &str| Node::leaf(&ObjectId::parse_inventory(id).unwrap());
        let tree = |levels: usize| {
            let mut root = leaf("flux-system_apps_kustomize.toolkit.fluxcd.io_Kustomization");
            root.resources = vec![leaf("apps_web_apps_Deployment"), leaf("apps_web__Service")];
            attach(&mut root, &made, levels);
            outline(&root, 0)
        };
        assert_eq!(
            tree(usize::MAX),
            [
                "0 Kustomization/flux-system/apps",
                "1 Deployment/apps/web",
                "2 ReplicaSet/apps/web-2",
                "3 Pod/apps/web-2-a",
                "3 Pod/apps/web-2-b",
                "1 Service/apps/web",
            ]
        );
        assert_eq!(tree(2)[2], "2 ReplicaSet/apps/web-2");
        assert_eq!(tree(2).len(), 4);
    }
}
