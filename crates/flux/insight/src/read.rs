//! Reads single objects of a cluster.

use sluice_client::{Cluster, Resource as ServedKind};
use sluice_object::Object;

use crate::error::Error;
use crate::kinds::Resource;

/// Reads an object of one of Flux's kinds.
pub async fn find(
    cluster: &Cluster,
    kind: &Resource,
    namespace: &str,
    name: &str,
) -> Result<Option<Object>, Error> {
    let found = cluster.get(&kind.gvk(), Some(namespace), name).await?;
    Ok(found.and_then(|value| Object::try_from(value).ok()))
}

/// Reads an object of one of Flux's kinds that has to exist.
pub async fn require(
    cluster: &Cluster,
    kind: &Resource,
    namespace: &str,
    name: &str,
) -> Result<Object, Error> {
    let found = find(cluster, kind, namespace, name).await?;
    found.ok_or_else(|| Error::NotFound {
        resource: format!("{}.{}", kind.plural, kind.group),
        namespace: namespace.to_owned(),
        name: name.to_owned(),
    })
}

/// Reads an object of any kind that the cluster serves.
pub async fn get(
    cluster: &Cluster,
    kind: &ServedKind,
    namespace: &str,
    name: &str,
) -> Result<Option<Object>, Error> {
    let namespace = kind.namespaced.then_some(namespace);
    let found = cluster.get(&kind.gvk(), namespace, name).await?;
    Ok(found.and_then(|value| Object::try_from(value).ok()))
}

/// The objects among the items of a list.
pub(crate) fn objects(items: Vec<serde_json::Value>) -> impl Iterator<Item = Object> {
    let objects = items.into_iter();
    objects.filter_map(|value| match value {
        serde_json::Value::Object(map) => Some(Object::from_map(map)),
        _ => None,
    })
}
