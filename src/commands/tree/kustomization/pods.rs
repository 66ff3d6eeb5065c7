//! What workloads made: `Deployment` → `ReplicaSet` → `Pod`, `CronJob` → `Job` → `Pod`, and the like, by
//! owner references. Each kind is listed once per namespace.

use std::collections::{BTreeSet, HashMap};

use futures::future::try_join_all;
use serde_json::Value;
use sluice_client::{GroupVersionKind, ListOptions};
use sluice_object::Object;

use super::Entry;
use crate::cluster::{Context, objects, refusal};
use crate::error::CommandError;
use crate::resource::at;

/// Kinds that make others, with the kinds that they make.
const MAKERS: [(&str, &str, &[&str]); 6] = [
    ("apps", "Deployment", &["ReplicaSet", "Pod"]),
    ("apps", "ReplicaSet", &["Pod"]),
    ("apps", "StatefulSet", &["Pod"]),
    ("apps", "DaemonSet", &["Pod"]),
    ("batch", "CronJob", &["Job", "Pod"]),
    ("batch", "Job", &["Pod"]),
];

/// Namespace, kind and name of an owner.
type Owner = (String, String, String);

/// Adds to every workload what it made.
pub(super) async fn add(
    context: &Context,
    root: &mut Entry,
    levels: usize,
) -> Result<(), CommandError> {
    let mut wanted = BTreeSet::new();
    collect(root, &mut wanted);
    let cluster = context.cluster()?;
    let lists = wanted.into_iter().map(|(namespace, kind)| async move {
        let group = match kind {
            "ReplicaSet" => "apps",
            "Job" => "batch",
            _ => "",
        };
        let gvk = GroupVersionKind::gvk(group, "v1", kind);
        let options = ListOptions::default();
        let list = cluster.list(&gvk, Some(&namespace), &options).await;
        list.map(objects).map_err(|error| refusal(&error))
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

/// Which kinds have to be listed in which namespaces.
fn collect(entry: &Entry, wanted: &mut BTreeSet<(String, &'static str)>) {
    for (group, kind, below) in MAKERS {
        if entry.group() == group && entry.kind() == kind {
            let namespace = &entry.resource.namespace;
            wanted.extend(below.iter().map(|kind| (namespace.clone(), *kind)));
        }
    }
    for child in &entry.resources {
        collect(child, wanted);
    }
}

/// Who made an object and looks after it.
fn controller(object: &Object) -> Option<Owner> {
    let references = object.at(&["metadata", "ownerReferences"])?.as_array()?;
    let reference = references
        .iter()
        .find(|reference| reference["controller"] == Value::Bool(true))?;
    let text = |field: &str| reference[field].as_str().map(ToOwned::to_owned);
    Some((object.namespace().to_owned(), text("kind")?, text("name")?))
}

fn attach(entry: &mut Entry, made: &HashMap<Owner, Vec<Object>>, levels: usize) {
    if levels == 0 {
        return;
    }
    for child in &mut entry.resources {
        attach(child, made, levels - 1);
    }
    let is_maker = MAKERS
        .iter()
        .any(|(group, kind, _)| entry.group() == *group && entry.kind() == *kind);
    if is_maker {
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

fn below(owner: &Owner, made: &HashMap<Owner, Vec<Object>>, levels: usize) -> Vec<Entry> {
    let mut entries: Vec<Entry> = made
        .get(owner)
        .into_iter()
        .flatten()
        .filter(|object| levels > 0 && !is_retired(object, made))
        .map(|object| {
            let mut entry = Entry::leaf(&object.id());
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

/// A `ReplicaSet` of a former revision: it wants no Pods, and has none.
fn is_retired(object: &Object, made: &HashMap<Owner, Vec<Object>>) -> bool {
    object.kind() == "ReplicaSet"
        && at(object, "/spec/replicas").and_then(Value::as_i64) == Some(0)
        && !made.contains_key(&key(object))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sluice_object::ObjectId;

    use super::super::super::entry::node;
    use super::*;

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
    fn pods_hang_below_the_set_that_made_them_and_retired_sets_are_left_out() {
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
        let leaf = |id: &str| Entry::leaf(&ObjectId::parse_inventory(id).unwrap());
        let tree = |levels: usize| {
            let mut root = leaf("flux-system_apps_kustomize.toolkit.fluxcd.io_Kustomization");
            root.resources = vec![leaf("apps_web_apps_Deployment"), leaf("apps_web__Service")];
            attach(&mut root, &made, levels);
            node(&root).render()
        };
        assert_eq!(
            tree(usize::MAX),
            "Kustomization/flux-system/apps\n\
             ├── Deployment/apps/web\n\
             │   └── ReplicaSet/apps/web-2\n\
             │       ├── Pod/apps/web-2-a\n\
             │       └── Pod/apps/web-2-b\n\
             └── Service/apps/web\n"
        );
        assert!(!tree(2).contains("Pod/"), "{}", tree(2));
        assert!(tree(2).contains("ReplicaSet/"), "{}", tree(2));
    }
}
